// SPDX-License-Identifier: Apache-2.0
//
// A link of a `Topology`: its two ends, what it costs, and which links it
// replaces when it stands in an `extend`.

#include "machine/internal.h"

// --- Ends --------------------------------------------------------------------

// The number of an index; false after a report.
static bool read_index(ItemReader *r, NodeId node, uint32_t *index) {
  Builder *b = r->builder;
  Span span = node_span(r->tree, node);
  if (node_kind(r->tree, node) == NODE_ErrorNode)
    return false;
  if (node_kind(r->tree, node) != NODE_IntegerLit) {
    report_field(r, span, STR("an instance of a link is a plain number"));
    return false;
  }
  Str text = source_text(r->tree->sources, span);
  IntegerValue value = literal_integer(&b->scratch, text);
  if (value.suffix.length != 0) {
    report_field(r, span, STR("an instance of a link is a plain number"));
    return false;
  }
  // What is too large here is beyond every count, and is reported as such.
  bool is_huge = value.overflow || value.value > INSTANCE_LAST;
  *index = is_huge ? INSTANCE_LAST : (uint32_t)value.value;
  return true;
}

static bool read_range(ItemReader *r, NodeId index, LinkEnd *end) {
  NodeKind kind = node_kind(r->tree, index);
  Span span = node_span(r->tree, index);
  end->has_range = true;
  if (kind == NODE_AllInstances) {
    report_index(r, index, STR("transfer"));
    return false;
  }
  if (kind == NODE_RangeExpr) {
    RangeExpr range = range_expr(r->tree, index);
    if (!read_index(r, range.from, &end->from) ||
        !read_index(r, range.to, &end->to))
      return false;
    if (end->from < end->to)
      return true;
    diag_bad_instance(r->builder->sink, span,
                      STR("this range of instances is empty"));
    return false;
  }
  if (!read_index(r, index, &end->from))
    return false;
  end->to = end->from + 1;
  return true;
}

static bool read_end(ItemReader *r, NodeId node, LinkEnd *end) {
  *end = (LinkEnd){0};
  if (node.index == 0)
    return false;
  end->memory = read_memory_name(r, node, STR("transfer"));
  if (end->memory.index == 0)
    return false;
  NodeId index = place(r->tree, node).index;
  return index.index == 0 || read_range(r, index, end);
}

// --- Cost --------------------------------------------------------------------

static bool read_weight(ItemReader *r, Span span, Measure measure, Link *link) {
  if (measure.is_negative) {
    report_field(r, span, STR("the weight of a link cannot be negative"));
    return false;
  }
  link->weight = (Figure){.is_set = true, .value = measure.value, .span = span};
  return true;
}

static bool read_cost(ItemReader *r, NodeId node, Link *link) {
  Builder *b = r->builder;
  Span span = node_span(r->tree, node);
  Measure measure;
  if (!read_quantity(&b->scratch, b->sink, r->tree, node, r->owner,
                     STR("transfer"), DIMENSION_RATE, &measure))
    return false;
  if (measure.dimension == DIMENSION_NUMBER)
    return read_weight(r, span, measure, link);
  if (!read_measure(&b->scratch, b->sink, r->tree, node, r->owner,
                    STR("transfer"), DIMENSION_RATE, &measure))
    return false;
  if (measure.value == 0 || measure.is_negative) {
    Str words = link_words(&b->scratch, b->machine, link);
    diag_non_positive(b->sink, span, words, STR("rate"));
    return false;
  }
  link->rate = (Figure){.is_set = true,
                        .value = measure.value,
                        .unit = measure.unit,
                        .span = span};
  return true;
}

// --- Replacing ---------------------------------------------------------------

static uint64_t ends_key(const Link *link) {
  const uint32_t words[] = {
      link->topology.index, link->from.memory.index, link->from.has_range,
      link->from.from,      link->from.to,           link->to.memory.index,
      link->to.has_range,   link->to.from,           link->to.to};
  return hash_bytes(words, sizeof words, 0);
}

static bool same_end(LinkEnd a, LinkEnd b) {
  return a.memory.index == b.memory.index && a.has_range == b.has_range &&
         a.from == b.from && a.to == b.to;
}

static bool same_ends(const Link *a, const Link *b) {
  return a->topology.index == b->topology.index && same_end(a->from, b->from) &&
         same_end(a->to, b->to);
}

static bool same_figure(const Figure *a, const Figure *b) {
  return a->is_set == b->is_set &&
         (!a->is_set || (a->value == b->value && a->unit == b->unit));
}

static bool same_cost(const Link *a, const Link *b) {
  return same_figure(&a->rate, &b->rate) &&
         same_figure(&a->weight, &b->weight) &&
         same_figure(&a->latency, &b->latency) &&
         a->is_relaxed == b->is_relaxed &&
         a->has_copy_engine == b->has_copy_engine;
}

static bool same_item(ItemPlace a, ItemPlace b) {
  return a.tree == b.tree && a.item.index == b.item.index;
}

static void report_two_extends(ItemReader *r, const Link *link,
                               const Link *other, ItemPlace other_place) {
  Builder *b = r->builder;
  Str from = link_end_text(&b->scratch, b->machine, link->from);
  Str to = link_end_text(&b->scratch, b->machine, link->to);
  Str field = str_format(&b->scratch, "transfer %.*s -> %.*s", STR_ARG(from),
                         STR_ARG(to));
  const SourceFile *file = source_file(b->sources, other_place.tree->file);
  Diagnostic *d = diag_extended_twice(
      b->sink, link->span, field, STR("topology"),
      topology_name(b->machine, (TopologyId){r->index}), file->path);
  diag_add_label(b->sink, d, other->span, STR("the other value"));
}

static const Figure *cost_figure(const Link *link) {
  return link->rate.is_set ? &link->rate : &link->weight;
}

// Drops the links that this one replaces. False: it is not wanted itself.
static bool replace_earlier(ItemReader *r, Link *link, uint32_t earlier) {
  Builder *b = r->builder;
  bool is_override = r->place.kind == MACHINE_INPUT_OVERRIDE;
  for (uint32_t i = earlier; i != 0; i = b->link_sources.items[i].before) {
    LinkSource *source = &b->link_sources.items[i];
    const Link *old = &b->links.items[i];
    if (source->is_dropped || !same_ends(link, old) ||
        same_item(source->place, r->place))
      continue;
    if (source->is_extend && !is_override) {
      if (!same_cost(link, old))
        report_two_extends(r, link, old, source->place);
      return false;
    }
    source->is_dropped = true;
    Figure *cost = link->rate.is_set ? &link->rate : &link->weight;
    cost->replaced = replaced_by(r, cost_figure(old));
    link->latency.replaced = replaced_by(r, &old->latency);
  }
  return true;
}

void read_link(ItemReader *r, NodeId node) {
  Builder *b = r->builder;
  LinkField view = link_field(r->tree, node);
  Link link = {.topology = {r->index},
               .is_relaxed = (view.flags & LINK_RELAXED) != 0,
               .has_copy_engine = (view.flags & LINK_COPY_ENGINE) != 0,
               .span = node_span(r->tree, node)};
  bool has_from = read_end(r, view.from, &link.from);
  bool has_to = read_end(r, view.to, &link.to);
  if (!has_from || !has_to)
    return;
  if (view.cost.index != 0 && !read_cost(r, view.cost, &link))
    return;
  if (view.latency.index != 0 &&
      !read_figure(r, view.latency, STR("latency"), DIMENSION_DURATION, false,
                   &link.latency))
    return;
  uint64_t key = ends_key(&link);
  uint64_t earlier = 0;
  map_get(&b->links_between, key, &earlier);
  if (r->is_extend && !replace_earlier(r, &link, (uint32_t)earlier))
    return;
  map_put(&b->scratch, &b->links_between, key, b->links.count);
  LinkSource source = {.place = r->place,
                       .node = node,
                       .is_extend = r->is_extend,
                       .before = (uint32_t)earlier};
  VEC_PUSH(&b->scratch, &b->links, link);
  VEC_PUSH(&b->scratch, &b->link_sources, source);
}
