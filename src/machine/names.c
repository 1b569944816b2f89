// SPDX-License-Identifier: Apache-2.0
//
// How memories, topologies, links and placements are called in messages, and
// the names that come near a mistyped one.

#include "machine/internal.h"

Str memory_name(const Machine *machine, MemoryId memory) {
  return name_text(machine->interner, machine->memories[memory.index].name);
}

Str topology_name(const Machine *machine, TopologyId topology) {
  return name_text(machine->interner, machine->topologies[topology.index].name);
}

Str memory_words(Arena *arena, const Machine *machine, MemoryId memory) {
  return str_format(arena, "memory space '%.*s'",
                    STR_ARG(memory_name(machine, memory)));
}

Str topology_words(Arena *arena, const Machine *machine, TopologyId topology) {
  return str_format(arena, "topology '%.*s'",
                    STR_ARG(topology_name(machine, topology)));
}

Str link_end_text(Arena *arena, const Machine *machine, LinkEnd end) {
  Str name = memory_name(machine, end.memory);
  if (!end.has_range)
    return name;
  if (end.to - end.from == 1)
    return str_format(arena, "%.*s[%u]", STR_ARG(name), end.from);
  return str_format(arena, "%.*s[%u..%u]", STR_ARG(name), end.from, end.to);
}

Str link_words(Arena *arena, const Machine *machine, const Link *link) {
  Str from = link_end_text(arena, machine, link->from);
  Str to = link_end_text(arena, machine, link->to);
  return str_format(arena, "link '%.*s -> %.*s'", STR_ARG(from), STR_ARG(to));
}

Str citation_kind_name(CitationKind kind) {
  switch (kind) {
  case CITATION_NONE:
    return STR("none");
  case CITATION_SPEC:
    return STR("spec");
  case CITATION_MEASURED:
    return STR("measured");
  case CITATION_DERIVED:
    return STR("derived");
  case CITATION_POLICY:
    return STR("policy");
  case CITATION_UNVERIFIED:
    return STR("unverified");
  }
  PANIC("citation kind");
}

// --- Did you mean ------------------------------------------------------------

// A third of the letters may be wrong, at most three, at least one.
static size_t allowed_distance(Str name) {
  size_t third = (name.length + 2) / 3;
  return third > 3 ? 3 : third;
}

static void consider(Arena *scratch, Str name, Str candidate, Str *best,
                     size_t *limit) {
  if (*limit == 0 || candidate.length == 0)
    return;
  size_t distance = str_distance(scratch, name, candidate, *limit - 1);
  if (distance < *limit) {
    *best = candidate;
    *limit = distance;
  }
}

Str closest_name(Arena *scratch, Str name, const Str *names, size_t count) {
  Str best = {"", 0};
  size_t limit = allowed_distance(name) + 1;
  for (size_t i = 0; i < count; i++)
    consider(scratch, name, names[i], &best, &limit);
  return best;
}

Str machine_suggest_memory(Arena *scratch, const Machine *m, Str name) {
  Str best = {"", 0};
  size_t limit = allowed_distance(name) + 1;
  for (uint32_t i = 1; i < m->memory_count; i++)
    consider(scratch, name, memory_name(m, (MemoryId){i}), &best, &limit);
  return best;
}

Str machine_suggest_topology(Arena *scratch, const Machine *m, Str name) {
  Str best = {"", 0};
  size_t limit = allowed_distance(name) + 1;
  for (uint32_t i = 1; i < m->topology_count; i++)
    consider(scratch, name, topology_name(m, (TopologyId){i}), &best, &limit);
  return best;
}

// --- Places ------------------------------------------------------------------

MemoryId machine_find_memory(const Machine *machine, Name name) {
  uint64_t found = 0;
  map_get(&machine->graph->memory_names, name.index, &found);
  return (MemoryId){(uint32_t)found};
}

TopologyId machine_find_topology(const Machine *machine, Name name) {
  uint64_t found = 0;
  map_get(&machine->graph->topology_names, name.index, &found);
  return (TopologyId){(uint32_t)found};
}

static void put_instance(Text *text, uint32_t instance) {
  if (instance == INSTANCE_DYNAMIC)
    text_puts(text, "[?]");
  else if (instance == INSTANCE_EACH)
    text_puts(text, "[..]");
  else
    text_format(text, "[%u]", instance);
}

Str machine_placement_text(Arena *arena, const Machine *machine, Placement p) {
  Str name = memory_name(machine, p.memory);
  uint32_t instances = machine->memories[p.memory.index].instances;
  bool is_open = instances == INSTANCES_OPEN;
  if (instances == 1 || (is_open && p.instance == 0))
    return name;
  Text text = text_new(arena);
  text_put(&text, name);
  put_instance(&text, p.instance);
  return text_str(&text);
}

Str machine_topology_text(Arena *arena, const Machine *machine,
                          TopologyId topology, uint32_t instance) {
  Str name = topology_name(machine, topology);
  if (machine->topologies[topology.index].instances == 1)
    return name;
  Text text = text_new(arena);
  text_put(&text, name);
  put_instance(&text, instance);
  return text_str(&text);
}
