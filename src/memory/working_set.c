// SPDX-License-Identifier: Apache-2.0
//
// working_set: the live peak of a function in every memory instance.
//
// Input: lifetimes and sizes. Output: a ResidentSet per memory instance that
// holds anything, and a refusal where the peak exceeds the limit. Algorithm:
// buffers are dealt out to budgets (their memory's, and those of what it is
// part of; an instance known at run time only counts in every instance), each
// budget is swept. Cost: linear in buffers, ranges and budgets, but for sorting
// what is alive at the peaks. Callees are not counted.

#include "memory/internal.h"

#include <stdlib.h>

typedef struct {
  uint32_t budget, buffer;
} Entry;

typedef struct {
  MemoryCheck *check;
  VEC(Budget) budgets;
  Map index; // memory << 32 | instance -> budget
  uint32_t last;
  VEC(Entry) entries; // by buffer
  U32Vec dynamic;     // buffers of instances known at run time only
} Deal;

// --- Dealing out -------------------------------------------------------------

static bool is_dynamic(Placement place) {
  return place.instance == INSTANCE_DYNAMIC || place.instance == INSTANCE_EACH;
}

static uint32_t budget_of(Deal *deal, Placement place) {
  if (deal->last < deal->budgets.count &&
      placement_equal(deal->budgets.items[deal->last].place, place))
    return deal->last;
  uint64_t key = (uint64_t)place.memory.index << 32 | place.instance;
  uint64_t found;
  if (!map_get(&deal->index, key, &found)) {
    found = deal->budgets.count;
    VEC_PUSH(deal->check->scratch, &deal->budgets, (Budget){.place = place});
    map_put(deal->check->scratch, &deal->index, key, found);
  }
  deal->last = (uint32_t)found;
  return deal->last;
}

static void enter(Deal *deal, uint32_t budget, uint32_t buffer) {
  const BufferSize *size = &deal->check->sizes[buffer];
  if (!size->is_known)
    deal->budgets.items[budget].has_unverified = true;
  else
    VEC_PUSH(deal->check->scratch, &deal->entries, (Entry){budget, buffer});
}

static bool takes_part(const MemoryCheck *check, uint32_t buffer) {
  const BufferSize *size = &check->sizes[buffer];
  if (!size->is_known)
    return true; // as unverified
  bool holds_nothing = check->own->buffers[buffer].origin == BUFFER_TRANSIT &&
                       size->held.count == 0;
  return size->counts && !holds_nothing;
}

static void deal_buffer(Deal *deal, uint32_t buffer) {
  const MemoryCheck *check = deal->check;
  if (!takes_part(check, buffer))
    return;
  for (Placement place = buffer_placement(check, buffer);
       place.memory.index != 0;
       place = outer_placement(check->machine, place)) {
    if (!is_dynamic(place))
      enter(deal, budget_of(deal, place), buffer);
    else if (deal->dynamic.count == 0 || VEC_LAST(&deal->dynamic) != buffer)
      VEC_PUSH(check->scratch, &deal->dynamic, buffer);
  }
}

// Into every instance in use, or into one that stands for all.
static void deal_dynamic(Deal *deal, uint32_t buffer) {
  const MemoryCheck *check = deal->check;
  for (Placement place = buffer_placement(check, buffer);
       place.memory.index != 0;
       place = outer_placement(check->machine, place)) {
    if (!is_dynamic(place))
      continue;
    bool is_entered = false;
    for (uint32_t i = 0; i < deal->budgets.count; i++) {
      if (deal->budgets.items[i].place.memory.index != place.memory.index)
        continue;
      enter(deal, i, buffer);
      is_entered = true;
    }
    place.instance = INSTANCE_DYNAMIC;
    if (!is_entered)
      enter(deal, budget_of(deal, place), buffer);
  }
}

bool counts_in(const MemoryCheck *check, uint32_t buffer, Placement budget) {
  if (!takes_part(check, buffer) || !check->sizes[buffer].is_known)
    return false;
  for (Placement place = buffer_placement(check, buffer);
       place.memory.index != 0; place = outer_placement(check->machine, place))
    if (place.memory.index == budget.memory.index &&
        (is_dynamic(place) || place.instance == budget.instance))
      return true;
  return false;
}

// Entries by budget become its members.
static void list_members(Deal *deal) {
  uint32_t *first =
      ARENA_ARRAY(deal->check->scratch, uint32_t, deal->budgets.count);
  uint32_t *members =
      ARENA_ARRAY(deal->check->scratch, uint32_t, deal->entries.count);
  for (uint32_t i = 0; i < deal->entries.count; i++)
    deal->budgets.items[deal->entries.items[i].budget].member_count++;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < deal->budgets.count; i++) {
    deal->budgets.items[i].members = members + sum;
    first[i] = sum;
    sum += deal->budgets.items[i].member_count;
  }
  for (uint32_t i = 0; i < deal->entries.count; i++) {
    Entry entry = deal->entries.items[i];
    members[first[entry.budget]++] = entry.buffer;
  }
}

// --- The peak of one budget --------------------------------------------------

typedef struct {
  uint64_t bytes;
  uint32_t buffer;
} Alive;

static int compare_alive(const void *a, const void *b) {
  const Alive *x = a, *y = b;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return (x->buffer > y->buffer) - (x->buffer < y->buffer);
}

static void list_alive(const MemoryCheck *check, Budget *budget) {
  VEC(Alive) alive = {0};
  for (uint32_t i = 0; i < budget->member_count; i++) {
    uint32_t buffer = budget->members[i];
    const Buffer *b = &check->own->buffers[buffer];
    if (!is_alive_at(b, budget->peak.op))
      continue;
    VEC_PUSH(check->scratch, &alive,
             (Alive){check->sizes[buffer].held.count, buffer});
    budget->tiles += b->copies;
    if (alive.count == 1 || buffer > budget->last_born)
      budget->last_born = buffer; // buffers are in order of birth
  }
  if (alive.count > 1)
    qsort(alive.items, alive.count, sizeof(Alive), compare_alive);
  budget->alive = ARENA_ARRAY(check->scratch, uint32_t, alive.count);
  budget->alive_count = alive.count;
  for (uint32_t i = 0; i < alive.count; i++)
    budget->alive[i] = alive.items[i].buffer;
}

static void find_peak(const MemoryCheck *check, Budget *budget) {
  StepVec steps = {0};
  for (uint32_t i = 0; i < budget->member_count; i++) {
    uint32_t buffer = budget->members[i];
    add_steps(check->scratch, &check->own->buffers[buffer],
              check->sizes[buffer].held.count, NULL, &steps);
  }
  budget->peak = find_high_water(check->scratch, &steps);
  if (budget->peak.bytes == 0 && budget->member_count > 0)
    budget->peak.op = check->own->buffers[budget->members[0]].birth;
  list_alive(check, budget);
}

static void record_set(MemoryCheck *check, const Budget *budget) {
  ResidentSet set = {.function = check->function->name,
                     .placement = budget->place,
                     .peak = bytes_from_sum(budget->peak.bytes),
                     .tiles = budget->tiles,
                     .peak_op = budget->peak.op,
                     .alive_count = budget->alive_count,
                     .has_unverified = budget->has_unverified};
  set.alive = ARENA_ARRAY(check->arena, AliveBuffer, budget->alive_count);
  const Op *ops = check->function->ops.items;
  for (uint32_t i = 0; i < budget->alive_count; i++) {
    const Buffer *buffer = &check->own->buffers[budget->alive[i]];
    Str name = buffer_name(check, budget->alive[i]);
    set.alive[i] =
        (AliveBuffer){.name = str_copy(check->arena, name),
                      .bytes = check->sizes[budget->alive[i]].held,
                      .tiles = buffer->copies,
                      .birth = ops[buffer->birth].span,
                      .last_use = last_use_span(check, budget->alive[i])};
  }
  if (budget->alive_count > 0)
    set.peak_at = birth_op(check, budget->last_born)->span;
  VEC_PUSH(check->arena, &check->report->sets, set);
}

// --- Judging -----------------------------------------------------------------

static bool is_part_of(const MemoryCheck *check, Placement inner,
                       Placement outer) {
  for (Placement place = outer_placement(check->machine, inner);
       place.memory.index != 0; place = outer_placement(check->machine, place))
    if (placement_equal(place, outer))
      return true;
  return false;
}

static bool has_alive_at(const MemoryCheck *check, const Budget *budget,
                         uint32_t op) {
  for (uint32_t i = 0; i < budget->member_count; i++)
    if (is_alive_at(&check->own->buffers[budget->members[i]], op))
      return true;
  return false;
}

// One refusal for a memory and what it is part of: the innermost speaks, where
// its buffers are there at the outer peak. The warning of an `overcommit` part
// is no refusal.
static bool inner_is_refused(const Deal *deal, const Budget *outer) {
  const MemoryCheck *check = deal->check;
  for (uint32_t i = 0; i < deal->budgets.count; i++) {
    const Budget *inner = &deal->budgets.items[i];
    if (inner->is_refused &&
        !machine_memory(check->machine, inner->place.memory)->is_overcommit &&
        is_part_of(check, inner->place, outer->place) &&
        has_alive_at(check, inner, outer->peak.op))
      return true;
  }
  return false;
}

static void judge_budgets(Deal *deal) {
  // A chain has its inner budgets before its outer ones: judged in this order.
  for (uint32_t i = 0; i < deal->budgets.count; i++) {
    Budget *budget = &deal->budgets.items[i];
    const Memory *memory =
        machine_memory(deal->check->machine, budget->place.memory);
    budget->is_refused =
        memory->has_limit && budget->peak.bytes > memory->limit;
  }
  for (uint32_t i = 0; i < deal->budgets.count; i++) {
    const Budget *budget = &deal->budgets.items[i];
    if (budget->is_refused && !inner_is_refused(deal, budget))
      report_peak(deal->check, budget);
  }
}

void check_working_sets(MemoryCheck *check) {
  Deal deal = {.check = check};
  for (uint32_t i = 0; i < check->own->buffer_count; i++)
    deal_buffer(&deal, i);
  for (uint32_t i = 0; i < deal.dynamic.count; i++)
    deal_dynamic(&deal, deal.dynamic.items[i]);
  if (deal.budgets.count == 0)
    return;
  list_members(&deal);
  for (uint32_t i = 0; i < deal.budgets.count; i++) {
    find_peak(check, &deal.budgets.items[i]);
    record_set(check, &deal.budgets.items[i]);
  }
  judge_budgets(&deal);
}
