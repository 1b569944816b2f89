// SPDX-License-Identifier: Apache-2.0
//
// Every number of a machine in one list, in the order of the source: what
// citations are attached to, what lint looks at.

#include "machine/internal.h"

#include <stdlib.h>

static void add_entry(Arena *arena, FigureEntries *entries, FigureEntry entry) {
  if (entry.figure->is_set && !span_is_none(entry.figure->span))
    VEC_PUSH(arena, entries, entry);
}

static void add_memory(Arena *arena, const Machine *machine, MemoryId id,
                       FigureEntries *entries) {
  Memory *memory = &machine->memories[id.index];
  for (int field = 0; field < MEMORY_FIELD_COUNT; field++) {
    FigureEntry entry = {.figure = memory_figure(memory, (MemoryField)field),
                         .field = memory_field_name((MemoryField)field),
                         .dimension =
                             memory_field_dimension((MemoryField)field),
                         .memory = id};
    if (entry.figure != NULL)
      add_entry(arena, entries, entry);
  }
  FigureEntry entry = {.memory = id, .dimension = DIMENSION_NUMBER};
  entry.field = memory_field_name(MEMORY_FIELD_tiling);
  entry.figure = &memory->tile_rows;
  add_entry(arena, entries, entry);
  entry.figure = &memory->tile_columns;
  add_entry(arena, entries, entry);
  entry.field = memory_field_name(MEMORY_FIELD_node);
  for (uint32_t i = 0; i < memory->node_count; i++) {
    entry.figure = &memory->nodes[i];
    add_entry(arena, entries, entry);
  }
  entry.field = memory_field_name(MEMORY_FIELD_page);
  entry.dimension = DIMENSION_SIZE;
  for (uint32_t i = 0; i < memory->page_count; i++) {
    entry.figure = &memory->pages[i];
    add_entry(arena, entries, entry);
  }
}

static void add_topology(Arena *arena, const Machine *machine, TopologyId id,
                         FigureEntries *entries) {
  Topology *topology = &machine->topologies[id.index];
  FigureEntry entry = {.figure = &topology->count,
                       .field = topology_field_name(TOPOLOGY_FIELD_count),
                       .dimension = DIMENSION_NUMBER,
                       .topology = id};
  add_entry(arena, entries, entry);
  entry.field = topology_field_name(TOPOLOGY_FIELD_peak);
  entry.dimension = DIMENSION_OPERATION_RATE;
  for (uint32_t i = 0; i < topology->peak_count; i++) {
    entry.figure = &topology->peaks[i].rate;
    add_entry(arena, entries, entry);
  }
}

static void add_link(Arena *arena, const Machine *machine, LinkId id,
                     FigureEntries *entries) {
  Link *link = &machine->links[id.index];
  FigureEntry entry = {.figure = &link->rate,
                       .field = topology_field_name(TOPOLOGY_FIELD_transfer),
                       .dimension = DIMENSION_RATE,
                       .link = id};
  add_entry(arena, entries, entry);
  entry.figure = &link->weight;
  entry.dimension = DIMENSION_NUMBER;
  add_entry(arena, entries, entry);
  entry.figure = &link->latency;
  entry.dimension = DIMENSION_DURATION;
  entry.part = memory_field_name(MEMORY_FIELD_latency);
  add_entry(arena, entries, entry);
}

static int compare_entries(const void *a, const void *b) {
  const FigureEntry *left = a;
  const FigureEntry *right = b;
  uint32_t from = left->figure->span.start;
  uint32_t to = right->figure->span.start;
  return (from > to) - (from < to);
}

void collect_figures(Arena *arena, const Machine *machine,
                     FigureEntries *entries) {
  for (uint32_t i = 1; i < machine->memory_count; i++)
    add_memory(arena, machine, (MemoryId){i}, entries);
  for (uint32_t i = 1; i < machine->topology_count; i++)
    add_topology(arena, machine, (TopologyId){i}, entries);
  for (uint32_t i = 1; i < machine->link_count; i++)
    add_link(arena, machine, (LinkId){i}, entries);
  if (entries->count > 1)
    qsort(entries->items, entries->count, sizeof *entries->items,
          compare_entries);
}

uint32_t find_figure(const FigureEntries *entries, uint32_t offset) {
  uint32_t low = 0;
  uint32_t high = entries->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (entries->items[middle].figure->span.start < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

Str figure_owner_words(Arena *arena, const Machine *machine,
                       const FigureEntry *entry) {
  if (entry->link.index != 0)
    return link_words(arena, machine, &machine->links[entry->link.index]);
  if (entry->topology.index != 0)
    return topology_words(arena, machine, entry->topology);
  return memory_words(arena, machine, entry->memory);
}

const Citation *find_citation(const Figure *figure, CitationKind kind) {
  const Citation *citation = figure->citations;
  while (citation != NULL && citation->kind != kind)
    citation = citation->next;
  return citation;
}
