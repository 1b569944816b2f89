// SPDX-License-Identifier: Apache-2.0
//
// Whose instances a memory has, and how many bytes of one can be used.

#include "machine/internal.h"

// --- Owners ------------------------------------------------------------------

// A memory belongs to the topology whose `memory` it is (declared ones first),
// else to the owner of the nearest ancestor that has one.
typedef struct {
  uint32_t owner;
  uint32_t distance; // steps to the memory that owner names
} Ownership;

static void own_directly(const Machine *machine, Ownership *owned,
                         bool declared) {
  for (uint32_t i = 1; i < machine->topology_count; i++) {
    const Topology *topology = &machine->topologies[i];
    if (topology->is_builtin == declared)
      continue;
    Ownership *slot = &owned[topology->memory.index];
    if (slot->owner == 0)
      slot->owner = i;
  }
}

static Ownership nearer(Ownership a, Ownership b) {
  if (a.owner == 0)
    return b;
  return b.owner != 0 && b.distance < a.distance ? b : a;
}

// Walks up from `first` until an answer is known, then hands it down. Every
// memory is visited a bounded number of times.
static void inherit(const Machine *machine, Ownership *owned, bool *is_done,
                    U32Vec *stack, Arena *scratch, uint32_t first) {
  VEC_PUSH(scratch, stack, first);
  while (stack->count > 0) {
    uint32_t at = VEC_LAST(stack);
    const Memory *memory = &machine->memories[at];
    uint32_t up[] = {memory->within.index, memory->part_of.index};
    uint32_t waiting = 0;
    for (size_t i = 0; i < COUNT_OF(up) && !is_done[at]; i++) {
      if (up[i] == 0 || is_done[up[i]])
        continue;
      VEC_PUSH(scratch, stack, up[i]);
      waiting++;
    }
    if (waiting > 0)
      continue;
    stack->count--;
    if (is_done[at])
      continue;
    is_done[at] = true;
    if (owned[at].owner != 0)
      continue;
    Ownership best = nearer(owned[up[0]], owned[up[1]]);
    owned[at] = (Ownership){best.owner, best.distance + 1};
  }
}

static uint32_t topology_instances(const Machine *machine,
                                   const Topology *topology) {
  if (topology->is_builtin && !topology->count.is_set &&
      builtin_is_indexed(name_text(machine->interner, topology->name)))
    return INSTANCES_OPEN;
  return (uint32_t)topology->count.value;
}

void derive_owners(Machine *machine) {
  Arena scratch = {0};
  uint32_t count = machine->memory_count;
  Ownership *owned = ARENA_ARRAY(&scratch, Ownership, count);
  bool *is_done = ARENA_ARRAY(&scratch, bool, count);
  U32Vec stack = {0};
  for (uint32_t i = 1; i < machine->topology_count; i++)
    machine->topologies[i].instances =
        topology_instances(machine, &machine->topologies[i]);
  own_directly(machine, owned, true);
  own_directly(machine, owned, false);
  owned[0] = (Ownership){0};
  is_done[0] = true;
  for (uint32_t i = 1; i < count; i++) {
    inherit(machine, owned, is_done, &stack, &scratch, i);
    uint32_t owner = owned[i].owner;
    machine->memories[i].owner = (TopologyId){owner};
    machine->memories[i].instances =
        owner == 0 ? 1 : machine->topologies[owner].instances;
  }
  arena_free(&scratch);
}

uint32_t memory_group(const Machine *machine, MemoryId memory) {
  const Memory *m = &machine->memories[memory.index];
  return m->instances == 1 ? 0 : m->owner.index;
}

// --- Limits ------------------------------------------------------------------

const char *limit_field_name(LimitField field) {
  switch (field) {
  case LIMIT_NONE:
    return "none";
  case LIMIT_CAPACITY:
    return "capacity";
  case LIMIT_USABLE:
    return "usable";
  case LIMIT_RESERVE:
    return "reserve";
  case LIMIT_BLOCK:
    return "block_limit";
  case LIMIT_PAGE:
    return "page";
  }
  PANIC("limit field");
}

// What can be reserved in whole pages, or the largest page of a list.
static uint64_t round_to_pages(const Memory *memory, uint64_t limit) {
  if (memory->page_count == 0)
    return limit;
  if (memory->page_count == 1)
    return round_down_u64(limit, memory->pages[0].value);
  uint64_t largest = 0;
  for (uint32_t i = 0; i < memory->page_count; i++) {
    if (memory->pages[i].value <= limit)
      largest = memory->pages[i].value;
  }
  return largest;
}

static void derive_limit(Memory *memory) {
  bool has_capacity = memory->capacity.is_set || memory->usable.is_set;
  uint64_t usable =
      memory->usable.is_set ? memory->usable.value : memory->capacity.value;
  uint64_t limit = 0;
  LimitField field = LIMIT_NONE;
  if (has_capacity) {
    limit = usable - memory->reserve.value;
    field = LIMIT_CAPACITY;
    if (memory->reserve.value > 0)
      field = LIMIT_RESERVE;
    bool is_less = !memory->capacity.is_set || usable < memory->capacity.value;
    if (memory->usable.is_set && is_less)
      field = LIMIT_USABLE;
  }
  if (memory->block_limit.is_set &&
      (!has_capacity || memory->block_limit.value <= limit)) {
    bool is_whole = memory->capacity.is_set &&
                    memory->block_limit.value == memory->capacity.value;
    limit = memory->block_limit.value;
    field = is_whole ? LIMIT_CAPACITY : LIMIT_BLOCK;
  }
  memory->has_limit = field != LIMIT_NONE;
  if (!memory->has_limit)
    return;
  memory->limit = round_to_pages(memory, limit);
  if (memory->limit < limit && field == LIMIT_CAPACITY)
    field = LIMIT_PAGE;
  memory->limit_field = field;
}

void derive_limits(Machine *machine) {
  for (uint32_t i = 1; i < machine->memory_count; i++)
    derive_limit(&machine->memories[i]);
}
