// SPDX-License-Identifier: Apache-2.0
//
// The fields of a `Topology` item. Links are in read_link.c.

#include "machine/internal.h"

// Larger counts would meet the reserved instance numbers.
enum { MOST_INSTANCES = 1 << 30 };

static Topology *target(ItemReader *r) {
  return &r->builder->machine->topologies[r->index];
}

static void read_own_memory(ItemReader *r, Str name, NodeId value) {
  Builder *b = r->builder;
  Span span = node_span(r->tree, value);
  if (target(r)->memory.index == 0)
    target(r)->memory_span = span; // it is not missing, whatever it is
  MemoryId memory = read_memory_name(r, value, name);
  if (memory.index == 0)
    return;
  NodeId index = place(r->tree, value).index;
  if (index.index != 0) {
    report_index(r, index, name);
    return;
  }
  if (!note_extension(r, TOPOLOGY_FIELD_memory, 0, name,
                      memory_name(b->machine, memory), span))
    return;
  target(r)->memory = memory;
  target(r)->memory_span = span;
}

// The list as it grows; `places` finds a memory in it.
typedef struct {
  Visible *entries;
  uint32_t count;
  Map places;
} VisibleList;

// A memory that is listed twice is listed once.
static void add_visible(ItemReader *r, VisibleList *list, Visible entry) {
  uint64_t at;
  if (map_get(&list->places, entry.memory.index, &at)) {
    list->entries[at].all_instances |= entry.all_instances;
    return;
  }
  map_put(&r->builder->scratch, &list->places, entry.memory.index, list->count);
  list->entries[list->count++] = entry;
}

// One entry of `visible`.
static void read_visible_entry(ItemReader *r, Str name, NodeId node,
                               VisibleList *list) {
  Builder *b = r->builder;
  MemoryId memory = read_memory_name(r, node, name);
  if (memory.index == 0) {
    map_put(&b->scratch, &b->broken_visible, r->index, 1);
    return;
  }
  NodeId index = place(r->tree, node).index;
  bool all = index.index != 0 && node_kind(r->tree, index) == NODE_AllInstances;
  if (index.index != 0 && !all) {
    report_index(r, index, name);
    return;
  }
  add_visible(r, list, (Visible){memory, all, node_span(r->tree, node)});
}

static void read_visible(ItemReader *r, Str name, NodeId value) {
  Topology *topology = target(r);
  Span span = node_span(r->tree, value);
  if (node_kind(r->tree, value) != NODE_ListExpr) {
    report_field(r, span,
                 STR("`visible` must be a list such as `[Memory::HBM]`"));
    return;
  }
  NodeList list = list_expr(r->tree, value).elements;
  uint32_t known = topology->visible_count;
  VisibleList visible = {
      .entries = ARENA_ARRAY(r->builder->arena, Visible, known + list.count)};
  for (uint32_t i = 0; i < known; i++)
    add_visible(r, &visible, topology->visible[i]);
  for (uint32_t i = 0; i < list.count; i++)
    read_visible_entry(r, name, list_at(r->tree, list, i), &visible);
  topology->visible = visible.entries;
  topology->visible_count = visible.count;
  topology->visible_span = span;
}

static void read_arch(ItemReader *r, Str name, NodeId value) {
  Span span = node_span(r->tree, value);
  if (node_kind(r->tree, value) != NODE_Ident) {
    report_field(r, span, STR("`arch` must be a name such as `nvptx64`"));
    return;
  }
  TokenId word = ident(r->tree, value).name;
  if (note_extension(r, TOPOLOGY_FIELD_arch, 0, name, token_text(r->tree, word),
                     span))
    target(r)->arch = intern(r->builder->interner, token_text(r->tree, word));
}

static void read_count(ItemReader *r, Str name, NodeId value) {
  Builder *b = r->builder;
  Figure read;
  if (!read_figure(r, value, name, DIMENSION_NUMBER, true, &read)) {
    target(r)->count.value = MOST_INSTANCES; // no index is judged by it
    return;
  }
  if (read.value > MOST_INSTANCES) {
    diag_bad_unit(b->sink, read.span, source_text(b->sources, read.span),
                  STR("is more instances than a topology can have"));
    target(r)->count.value = MOST_INSTANCES;
    return;
  }
  Str signature =
      str_format(&b->scratch, "%llu", (unsigned long long)read.value);
  if (!note_extension(r, TOPOLOGY_FIELD_count, 0, name, signature, read.span))
    return;
  read.replaced = replaced_by(r, &target(r)->count);
  target(r)->count = read;
}

static bool has_dtype(const Topology *topology, Name element) {
  for (uint32_t i = 0; i < topology->dtype_count; i++) {
    if (name_equal(topology->dtypes[i], element))
      return true;
  }
  return false;
}

// E6108 for what is no element type.
static bool check_element(ItemReader *r, Span span, Str word) {
  static const char *const elements[] = {
#define ELEMENT(NAME, text, bits, class) text,
#include "machine/element.def"
#undef ELEMENT
  };
  Str known[COUNT_OF(elements)] = {{0}};
  for (size_t i = 0; i < COUNT_OF(elements); i++) {
    known[i] = str_from(elements[i]);
    if (str_equal(word, known[i]))
      return true;
  }
  Arena *scratch = &r->builder->scratch;
  Str closest = closest_name(scratch, word, known, COUNT_OF(known));
  report_field(
      r, span,
      closest.length
          ? str_format(scratch,
                       "`%.*s` is no element type; did you mean "
                       "`%.*s`?",
                       STR_ARG(word), STR_ARG(closest))
          : str_format(scratch, "`%.*s` is no element type", STR_ARG(word)));
  return false;
}

static void read_dtypes(ItemReader *r, NodeId value) {
  Builder *b = r->builder;
  Topology *topology = target(r);
  if (node_kind(r->tree, value) != NODE_ListExpr) {
    report_field(r, node_span(r->tree, value),
                 STR("`dtypes` must be a list such as `[f32, bf16]`"));
    return;
  }
  NodeList list = list_expr(r->tree, value).elements;
  Name *dtypes =
      ARENA_ARRAY(b->arena, Name, topology->dtype_count + list.count);
  for (uint32_t i = 0; i < topology->dtype_count; i++)
    dtypes[i] = topology->dtypes[i];
  topology->dtypes = dtypes;
  for (uint32_t i = 0; i < list.count; i++) {
    NodeId node = list_at(r->tree, list, i);
    if (node_kind(r->tree, node) != NODE_Ident) {
      if (node_kind(r->tree, node) != NODE_ErrorNode)
        report_field(r, node_span(r->tree, node),
                     STR("`dtypes` lists element types such as `f32`"));
      continue;
    }
    Str word = token_text(r->tree, ident(r->tree, node).name);
    Name element = intern(b->interner, word);
    if (!check_element(r, node_span(r->tree, node), word))
      continue;
    if (!has_dtype(topology, element))
      topology->dtypes[topology->dtype_count++] = element;
  }
}

static Peak *find_peak(Topology *topology, Name element) {
  for (uint32_t i = 0; i < topology->peak_count; i++) {
    if (name_equal(topology->peaks[i].element, element))
      return &topology->peaks[i];
  }
  return NULL;
}

// One entry of `peak`: `f32: 67 TFLOP/s`. There is room for it.
static void read_peak_entry(ItemReader *r, NodeId node, uint32_t old_count) {
  Builder *b = r->builder;
  Topology *topology = target(r);
  PeakEntry entry = peak_entry(r->tree, node);
  Str word = token_text(r->tree, entry.name);
  Name element = intern(b->interner, word);
  Figure read;
  if (!check_element(r, token_span(r->tree, entry.name), word) ||
      entry.value.index == 0 ||
      !read_figure(r, entry.value, STR("peak"), DIMENSION_OPERATION_RATE, true,
                   &read))
    return;
  Peak *known = find_peak(topology, element);
  if (known != NULL && known - topology->peaks >= (ptrdiff_t)old_count) {
    report_field(
        r, token_span(r->tree, entry.name),
        str_format(&b->scratch, "`peak` lists `%.*s` twice", STR_ARG(word)));
    return;
  }
  Str signature =
      str_format(&b->scratch, "%llu", (unsigned long long)read.value);
  if (!note_extension(r, TOPOLOGY_FIELD_peak, element.index, STR("peak"),
                      signature, read.span))
    return;
  if (known == NULL) {
    topology->peaks[topology->peak_count++] = (Peak){element, read};
    return;
  }
  read.replaced = replaced_by(r, &known->rate);
  known->rate = read;
}

static void read_peaks(ItemReader *r, NodeId value) {
  Topology *topology = target(r);
  if (node_kind(r->tree, value) != NODE_PeakMap) {
    report_field(r, node_span(r->tree, value),
                 STR("`peak` must be a map such as `{ f32: 67 TFLOP/s }`"));
    return;
  }
  NodeList list = peak_map(r->tree, value).entries;
  uint32_t old_count = topology->peak_count;
  Peak *peaks = ARENA_ARRAY(r->builder->arena, Peak, old_count + list.count);
  for (uint32_t i = 0; i < old_count; i++)
    peaks[i] = topology->peaks[i];
  topology->peaks = peaks;
  for (uint32_t i = 0; i < list.count; i++) {
    NodeId node = list_at(r->tree, list, i);
    if (node_kind(r->tree, node) == NODE_PeakEntry)
      read_peak_entry(r, node, old_count);
  }
}

// --- Items -------------------------------------------------------------------

static void read_field_value(ItemReader *r, TopologyField field,
                             MachineField view) {
  Str name = token_text(r->tree, view.name);
  switch (field) {
  case TOPOLOGY_FIELD_memory:
    read_own_memory(r, name, view.value);
    return;
  case TOPOLOGY_FIELD_visible:
    read_visible(r, name, view.value);
    return;
  case TOPOLOGY_FIELD_arch:
    read_arch(r, name, view.value);
    return;
  case TOPOLOGY_FIELD_count:
    read_count(r, name, view.value);
    return;
  case TOPOLOGY_FIELD_dtypes:
    read_dtypes(r, view.value);
    return;
  case TOPOLOGY_FIELD_peak:
    read_peaks(r, view.value);
    return;
  case TOPOLOGY_FIELD_transfer:
    report_field(r, token_span(r->tree, view.name),
                 STR("a link is written `transfer Memory::A -> Memory::B`"));
    return;
  case TOPOLOGY_FIELD_COUNT:
    break;
  }
  PANIC("topology field");
}

static TopologyField find_field(Str name) {
  int field = 0;
  while (field < TOPOLOGY_FIELD_COUNT &&
         !str_equal(name, str_from(topology_field_name((TopologyField)field))))
    field++;
  return (TopologyField)field;
}

static void read_field(ItemReader *r, NodeId node,
                       Span seen[TOPOLOGY_FIELD_COUNT]) {
  Builder *b = r->builder;
  MachineField view = machine_field(r->tree, node);
  TopologyField field = find_field(token_text(r->tree, view.name));
  if (field == TOPOLOGY_FIELD_COUNT) {
    report_unknown_field(r, view.name);
    return;
  }
  Span span = token_span(r->tree, view.name);
  if (!span_is_none(seen[field])) {
    Diagnostic *d = report_field(r, span,
                                 str_format(&b->scratch, "`%s` is given twice",
                                            topology_field_name(field)));
    diag_add_label(b->sink, d, seen[field], STR("first given here"));
    return;
  }
  seen[field] = span;
  if (check_field_form(r, view, false, NULL))
    read_field_value(r, field, view);
}

void read_topology_item(Builder *b, TopologyId topology, ItemPlace where) {
  TopologyItem item = topology_item(where.tree, where.item);
  ItemReader r = {.builder = b,
                  .place = where,
                  .tree = where.tree,
                  .is_extend = (item.flags & MACHINE_EXTEND) != 0,
                  .is_topology = true,
                  .index = topology.index,
                  .owner = topology_words(&b->scratch, b->machine, topology)};
  Span seen[TOPOLOGY_FIELD_COUNT] = {{0}};
  for (uint32_t i = 0; i < item.fields.count; i++) {
    NodeId node = list_at(r.tree, item.fields, i);
    if (node_kind(r.tree, node) == NODE_LinkField)
      read_link(&r, node);
    else if (node_kind(r.tree, node) == NODE_MachineField)
      read_field(&r, node, seen);
  }
}
