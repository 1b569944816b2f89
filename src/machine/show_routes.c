// SPDX-License-Identifier: Apache-2.0
//
// The routes that `machine show` prints: between each pair of the machine's own
// memories and the host, for three sizes. Instances of a device are one class:
// a pair within it is shown once, and so is a pair of two of them.

#include "machine/internal.h"

// Pairs looked at, so that a machine of thousands of memories is shown at once.
enum { MOST_PAIRS = 2000 };

uint64_t route_size(uint32_t index) {
  static const uint64_t sizes[ROUTE_SIZES] = {
      UINT64_C(4) << 10, UINT64_C(1) << 20, UINT64_C(1) << 30};
  return sizes[index];
}

static bool is_host_linked(const Machine *machine) {
  for (uint32_t i = 1; i < machine->link_count; i++) {
    const Link *link = &machine->links[i];
    if (link->topology.index != 0 &&
        (link->from.memory.index == machine->host_memory.index ||
         link->to.memory.index == machine->host_memory.index))
      return true;
  }
  return false;
}

// Nothing is declared at all: then the built-in names are what there is.
static bool is_all_builtin(const Machine *machine) {
  for (uint32_t i = 1; i < machine->memory_count; i++) {
    if (!machine->memories[i].is_builtin)
      return false;
  }
  return true;
}

static bool is_linked(const Machine *machine, uint32_t memory) {
  for (uint32_t i = 1; i < machine->link_count; i++) {
    const Link *link = &machine->links[i];
    if (link->topology.index != 0 &&
        (link->from.memory.index == memory || link->to.memory.index == memory))
      return true;
  }
  return false;
}

void shown_memories(Arena *arena, const Machine *machine, U32Vec *out) {
  bool all = is_all_builtin(machine);
  bool host = is_host_linked(machine);
  for (uint32_t i = 1; i < machine->memory_count; i++) {
    bool is_host = i == machine->host_memory.index;
    bool is_wanted = all || !machine->memories[i].is_builtin ||
                     (is_host ? host : is_linked(machine, i));
    if (is_wanted)
      VEC_PUSH(arena, out, i);
  }
}

Str shown_place(Arena *arena, const Machine *machine, Placement p,
                bool is_peer) {
  uint32_t group = memory_group(machine, p.memory);
  uint32_t instances = machine->memories[p.memory.index].instances;
  Str name = memory_name(machine, p.memory);
  if (group == 0 || instances == INSTANCES_OPEN)
    return name;
  if (machine->graph->boundaries[group].count > 1)
    return machine_placement_text(arena, machine, p);
  return str_format(arena, "%.*s[%c]", STR_ARG(name), is_peer ? 'j' : 'i');
}

static bool end_holds(const Machine *machine, Placement place, uint64_t bytes) {
  const Memory *memory = &machine->memories[place.memory.index];
  return !memory->has_limit || bytes <= memory->limit;
}

// Latency over the time of one byte, at 1 MiB.
static void find_half_rate(RouteRow *row) {
  for (uint32_t i = 0; i < ROUTE_SIZES; i++) {
    const HopCost *cost = &row->routes[i].total;
    if (row->routes[i].status != ROUTE_FOUND || cost->kind != COST_TIME ||
        !cost->has_latency || cost->value <= cost->latency)
      continue;
    row->has_half_rate =
        mul_div_ceil(route_size(i), cost->latency, cost->value - cost->latency,
                     &row->half_rate);
    if (i > 0)
      return;
  }
}

static bool fill_row(Arena *arena, const Machine *machine, RouteRow *row) {
  bool has_route = false;
  for (uint32_t i = 0; i < ROUTE_SIZES; i++) {
    uint64_t bytes = route_size(i);
    TensorShape shape = {.element_bits = 8, .extents = &bytes, .rank = 1};
    RouteRequest request = {.from = row->from, .to = row->to, .shape = &shape};
    machine_route(arena, machine, &request, &row->routes[i]);
    RouteStatus status = row->routes[i].status;
    has_route |= status == ROUTE_FOUND || status == ROUTE_TRANSIT_TOO_SMALL;
    if (status == ROUTE_NONE)
      return has_route;
    row->fits[i] = status == ROUTE_FOUND &&
                   end_holds(machine, row->from, bytes) &&
                   end_holds(machine, row->to, bytes);
  }
  find_half_rate(row);
  return has_route;
}

// --- Pairs -------------------------------------------------------------------

typedef VEC(Placement) Placements;

// One instance of each class, and a second one where there is one: its peer.
static void add_instances(Arena *arena, const Machine *machine, MemoryId memory,
                          Placements *out) {
  enum { MOST_CLASSES = 8 };
  uint32_t group = memory_group(machine, memory);
  uint32_t instances = machine->memories[memory.index].instances;
  if (group == 0 || instances == INSTANCES_OPEN) {
    VEC_PUSH(arena, out, (Placement){memory, 0});
    return;
  }
  const U32Vec *starts = &machine->graph->boundaries[group];
  for (uint32_t i = 0; i < starts->count && i < MOST_CLASSES; i++) {
    uint32_t first = starts->items[i];
    uint32_t end = i + 1 < starts->count ? starts->items[i + 1] : instances;
    VEC_PUSH(arena, out, (Placement){memory, first});
    if (end - first > 1)
      VEC_PUSH(arena, out, (Placement){memory, first + 1});
  }
}

// The first instance of a class that is not the peer of another.
static bool is_class(const Machine *machine, Placement p) {
  uint32_t group = memory_group(machine, p.memory);
  const U32Vec *starts = &machine->graph->boundaries[group];
  for (uint32_t i = 0; i < starts->count; i++) {
    if (starts->items[i] == p.instance)
      return true;
  }
  return false;
}

// Two memories of a device: in one instance. Two instances of one memory: of
// the device's own, from a class to another, or to the peer.
static bool is_shown_pair(const Machine *machine, Placement from,
                          Placement to) {
  if (!is_class(machine, from) || placement_equal(from, to))
    return false;
  uint32_t group = memory_group(machine, from.memory);
  bool same_device = group != 0 && group == memory_group(machine, to.memory);
  bool is_peer = !is_class(machine, to);
  if (same_device && from.memory.index != to.memory.index)
    return from.instance == to.instance;
  if (!same_device)
    return !is_peer;
  const Topology *device = &machine->topologies[group];
  return device->memory.index == from.memory.index &&
         (!is_peer || to.instance == from.instance + 1);
}

void collect_route_rows(Arena *arena, const Machine *machine, uint32_t most,
                        RouteRows *rows, uint64_t *unseen) {
  U32Vec memories = {0};
  Placements places = {0};
  shown_memories(arena, machine, &memories);
  for (uint32_t i = 0; i < memories.count; i++)
    add_instances(arena, machine, (MemoryId){memories.items[i]}, &places);
  uint64_t seen = 0;
  *unseen = 0;
  for (uint32_t i = 0; i < places.count; i++) {
    for (uint32_t k = 0; k < places.count; k++) {
      RouteRow row = {.from = places.items[i], .to = places.items[k]};
      row.is_peer = row.from.memory.index == row.to.memory.index;
      if (rows->count >= most || seen >= MOST_PAIRS) {
        // Too many to look at each: they are counted as they come.
        *unseen += (uint64_t)(places.count - i) * places.count - k;
        return;
      }
      if (!is_shown_pair(machine, row.from, row.to))
        continue;
      seen++;
      if (fill_row(arena, machine, &row))
        VEC_PUSH(arena, rows, row);
    }
  }
}
