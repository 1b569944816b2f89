// SPDX-License-Identifier: Apache-2.0
//
// The fields of a `Memory` item, one function per kind of value.

#include "machine/internal.h"

#include <stdlib.h>

// Tile edges beyond this are no hardware, and keep all products in 128 bits.
enum { MOST_TILE = 1 << 30 };

// --- One function per kind ---------------------------------------------------

static Str figure_signature(Arena *arena, const Figure *figure) {
  return str_format(arena, "%d:%llu", (int)figure->unit,
                    (unsigned long long)figure->value);
}

static void read_plain_figure(ItemReader *r, Memory *memory, MemoryField field,
                              Str name, NodeId value) {
  Figure *figure = memory_figure(memory, field);
  Figure read;
  if (!read_figure(r, value, name, memory_field_dimension(field),
                   memory_field_refuses_zero(field), &read))
    return;
  Str signature = figure_signature(&r->builder->scratch, &read);
  if (!note_extension(r, field, 0, name, signature, read.span))
    return;
  read.replaced = replaced_by(r, figure);
  *figure = read;
}

static void read_reference(ItemReader *r, MemoryField field, Str name,
                           NodeId value, MemoryId *memory, Span *span) {
  Builder *b = r->builder;
  MemoryId target = read_memory_name(r, value, name);
  if (target.index == 0)
    return;
  NodeId index = place(r->tree, value).index;
  if (index.index != 0) {
    report_index(r, index, name);
    return;
  }
  Str signature = memory_name(b->machine, target);
  if (!note_extension(r, field, 0, name, signature, node_span(r->tree, value)))
    return;
  *memory = target;
  *span = node_span(r->tree, value);
}

static int compare_figures(const void *a, const void *b) {
  const Figure *left = a;
  const Figure *right = b;
  if (left->value != right->value)
    return left->value < right->value ? -1 : 1;
  return (left->span.start > right->span.start) -
         (left->span.start < right->span.start);
}

static void read_pages(ItemReader *r, Memory *memory, Str name, NodeId value) {
  Builder *b = r->builder;
  Span span = node_span(r->tree, value);
  NodeList list = value_list(r->tree, &value);
  Figure *pages = ARENA_ARRAY(b->arena, Figure, list.count);
  Text signature = text_new(&b->scratch);
  bool is_good = list.count > 0;
  if (list.count == 0)
    report_field(r, span, STR("`page` needs a size"));
  for (uint32_t i = 0; i < list.count; i++)
    is_good &= read_figure(r, value_at(r->tree, value, list, i), name,
                           DIMENSION_SIZE, true, &pages[i]);
  if (!is_good)
    return;
  qsort(pages, list.count, sizeof *pages, compare_figures);
  for (uint32_t i = 0; i < list.count; i++)
    text_format(&signature, "%llu ", (unsigned long long)pages[i].value);
  if (!note_extension(r, MEMORY_FIELD_page, 0, name, text_str(&signature),
                      span))
    return;
  if (memory->page_count > 0)
    pages[0].replaced = replaced_by(r, &memory->pages[0]);
  memory->pages = pages;
  memory->page_count = list.count;
}

static void read_tiling(ItemReader *r, Memory *memory, Str name,
                        MachineField field) {
  Builder *b = r->builder;
  NodeId value = field.value;
  Span span = node_span(r->tree, value);
  bool is_list = node_kind(r->tree, value) == NODE_ListExpr;
  NodeList list = value_list(r->tree, &value);
  if (!is_list || list.count != 2) {
    report_field(r, span,
                 STR("`tiling` must be two numbers such as `[8, 128]`"));
    return;
  }
  Figure edges[2];
  for (uint32_t i = 0; i < 2; i++) {
    NodeId edge = list_at(r->tree, list, i);
    if (!read_figure(r, edge, name, DIMENSION_NUMBER, true, &edges[i]))
      return;
    if (edges[i].value > MOST_TILE) {
      report_field(r, edges[i].span, STR("`tiling` is larger than any tile"));
      return;
    }
  }
  bool is_packed = field.modifier.index != 0;
  Str signature = str_format(
      &b->scratch, "%llu %llu %d", (unsigned long long)edges[0].value,
      (unsigned long long)edges[1].value, (int)is_packed);
  if (!note_extension(r, MEMORY_FIELD_tiling, 0, name, signature, span))
    return;
  edges[0].replaced = replaced_by(r, &memory->tile_rows);
  edges[1].replaced = replaced_by(r, &memory->tile_columns);
  memory->tile_rows = edges[0];
  memory->tile_columns = edges[1];
  memory->is_packed = is_packed;
}

// `2` or `0: 3`; the weight is 1 without one.
static bool read_node(ItemReader *r, Str name, NodeId node, Figure *figure,
                      uint64_t *weight) {
  *weight = 1;
  if (node_kind(r->tree, node) != NODE_WeightedEntry)
    return read_figure(r, node, name, DIMENSION_NUMBER, false, figure);
  WeightedEntry entry = weighted_entry(r->tree, node);
  Figure weighed;
  if (!read_figure(r, entry.key, name, DIMENSION_NUMBER, false, figure) ||
      !read_figure(r, entry.weight, name, DIMENSION_NUMBER, true, &weighed))
    return false;
  *weight = weighed.value;
  return true;
}

static void read_nodes(ItemReader *r, Memory *memory, Str name, NodeId value) {
  Builder *b = r->builder;
  Span span = node_span(r->tree, value);
  NodeList list = value_list(r->tree, &value);
  Figure *nodes = ARENA_ARRAY(b->arena, Figure, list.count);
  uint64_t *weights = ARENA_ARRAY(b->arena, uint64_t, list.count);
  Text signature = text_new(&b->scratch);
  bool is_good = list.count > 0;
  if (list.count == 0)
    report_field(r, span, STR("`node` needs a number"));
  for (uint32_t i = 0; i < list.count; i++) {
    NodeId node = value_at(r->tree, value, list, i);
    is_good &= read_node(r, name, node, &nodes[i], &weights[i]);
    text_format(&signature, "%llu:%llu ", (unsigned long long)nodes[i].value,
                (unsigned long long)weights[i]);
  }
  if (!is_good || !note_extension(r, MEMORY_FIELD_node, 0, name,
                                  text_str(&signature), span))
    return;
  if (memory->node_count > 0)
    nodes[0].replaced = replaced_by(r, &memory->nodes[0]);
  memory->nodes = nodes;
  memory->node_weights = weights;
  memory->node_count = list.count;
}

// --- Words -------------------------------------------------------------------

static const struct {
  MemoryField field;
  const char *word;
  int value;
} field_words[] = {
#define MEMORY_FIGURE(name, kind, absent, zero)
#define MEMORY_FIELD(name, kind)
#define TOPOLOGY_FIELD(name, kind)
#define FIELD_WORD(field, word, value) {MEMORY_FIELD_##field, #word, value},
#define SCOPE_WORD(scope, word) {MEMORY_FIELD_scope, #word, SCOPE_##scope},
#include "machine/field.def"
#undef MEMORY_FIGURE
#undef MEMORY_FIELD
#undef TOPOLOGY_FIELD
#undef FIELD_WORD
#undef SCOPE_WORD
};

// The value of a field that is one of a few words; -1 when refused.
static int read_word_value(ItemReader *r, MemoryField field, Str name,
                           NodeId value) {
  const char *words[COUNT_OF(field_words) + 1];
  int values[COUNT_OF(field_words)];
  size_t count = 0;
  for (size_t i = 0; i < COUNT_OF(field_words); i++) {
    if (field_words[i].field != field)
      continue;
    words[count] = field_words[i].word;
    values[count++] = field_words[i].value;
  }
  words[count] = NULL;
  int chosen = read_word(r, value, name, words);
  if (chosen < 0 || !note_extension(r, field, 0, name, str_from(words[chosen]),
                                    node_span(r->tree, value)))
    return -1;
  return values[chosen];
}

static void read_flag_word(ItemReader *r, MemoryField field, Str name,
                           NodeId value, bool *flag) {
  int read = read_word_value(r, field, name, value);
  if (read >= 0)
    *flag = read == 1;
}

static void read_scope(ItemReader *r, Memory *memory, Str name, NodeId value) {
  int read = read_word_value(r, MEMORY_FIELD_scope, name, value);
  if (read < 0)
    return;
  memory->scope = (Scope)read;
  memory->scope_span = node_span(r->tree, value);
}

// --- Items -------------------------------------------------------------------

static void read_field_value(ItemReader *r, Memory *memory, MemoryField field,
                             MachineField view) {
  Str name = token_text(r->tree, view.name);
  switch (field) {
  case MEMORY_FIELD_within:
    read_reference(r, field, name, view.value, &memory->within,
                   &memory->within_span);
    return;
  case MEMORY_FIELD_part_of:
    read_reference(r, field, name, view.value, &memory->part_of,
                   &memory->part_of_span);
    return;
  case MEMORY_FIELD_page:
    read_pages(r, memory, name, view.value);
    return;
  case MEMORY_FIELD_tiling:
    read_tiling(r, memory, name, view);
    return;
  case MEMORY_FIELD_node:
    read_nodes(r, memory, name, view.value);
    return;
  case MEMORY_FIELD_access:
    read_flag_word(r, field, name, view.value, &memory->is_read_only);
    return;
  case MEMORY_FIELD_managed:
    read_flag_word(r, field, name, view.value, &memory->is_cached);
    return;
  case MEMORY_FIELD_crossing:
    read_flag_word(r, field, name, view.value, &memory->is_streamed);
    return;
  case MEMORY_FIELD_scope:
    read_scope(r, memory, name, view.value);
    return;
  case MEMORY_FIELD_overcommit:
    memory->is_overcommit = true;
    return;
  default:
    read_plain_figure(r, memory, field, name, view.value);
  }
}

static MemoryField find_field(Str name) {
  int field = 0;
  while (field < MEMORY_FIELD_COUNT &&
         !str_equal(name, str_from(memory_field_name((MemoryField)field))))
    field++;
  return (MemoryField)field;
}

void read_memory_item(Builder *b, MemoryId memory, ItemPlace place) {
  MemoryItem item = memory_item(place.tree, place.item);
  ItemReader r = {.builder = b,
                  .place = place,
                  .tree = place.tree,
                  .is_extend = (item.flags & MACHINE_EXTEND) != 0,
                  .index = memory.index,
                  .owner = memory_words(&b->scratch, b->machine, memory)};
  Span seen[MEMORY_FIELD_COUNT] = {{0}};
  for (uint32_t i = 0; i < item.fields.count; i++) {
    NodeId node = list_at(r.tree, item.fields, i);
    if (node_kind(r.tree, node) == NODE_LinkField)
      report_field(&r, node_span(r.tree, node),
                   STR("a link belongs to a `Topology`"));
    if (node_kind(r.tree, node) != NODE_MachineField)
      continue;
    MachineField view = machine_field(r.tree, node);
    MemoryField field = find_field(token_text(r.tree, view.name));
    if (field == MEMORY_FIELD_COUNT) {
      report_unknown_field(&r, view.name);
      continue;
    }
    Span span = token_span(r.tree, view.name);
    if (!span_is_none(seen[field])) {
      Diagnostic *d =
          report_field(&r, span,
                       str_format(&b->scratch, "`%s` is given twice",
                                  memory_field_name(field)));
      diag_add_label(b->sink, d, seen[field], STR("first given here"));
      continue;
    }
    seen[field] = span;
    if (check_field_form(&r, view, field == MEMORY_FIELD_overcommit,
                         field == MEMORY_FIELD_tiling ? "packed" : NULL))
      read_field_value(&r, &b->machine->memories[memory.index], field, view);
  }
}
