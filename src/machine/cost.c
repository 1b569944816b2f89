// SPDX-License-Identifier: Apache-2.0
//
// What one hop costs (memory-model.md section 5), exactly, rounded up. A rate
// per cycle becomes bytes per second with its clock before anything else is
// done. Costs beyond 64 bits saturate.

#include "machine/internal.h"

#define PICOSECONDS ((Uint128)1000000000000)

static uint64_t saturate(Uint128 value) {
  return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

static Uint128 multiply(Uint128 a, Uint128 b) {
  Uint128 product;
  return mul_u128(a, b, &product) ? product : ~(Uint128)0;
}

static Uint128 divide_up(Uint128 a, Uint128 b) { return a / b + (a % b != 0); }

// Picoseconds of `bytes` at bytes per second.
static Uint128 time_at_rate(uint64_t bytes, Uint128 rate) {
  return divide_up((Uint128)bytes * PICOSECONDS, rate);
}

static Uint128 cycles_to_time(uint64_t cycles, uint64_t clock) {
  return divide_up((Uint128)cycles * PICOSECONDS, clock);
}

// --- Latency -----------------------------------------------------------------

// A duration in the unit of the hop, rounded up. False: it needs a clock that
// is missing.
static bool duration_in(const Figure *duration, const Figure *clock,
                        CostKind kind, uint64_t *value) {
  bool is_cycles = duration->unit == UNIT_CYCLES;
  *value = duration->value;
  if (kind == COST_CYCLES)
    return is_cycles;
  if (!is_cycles)
    return true;
  if (!clock->is_set)
    return false;
  *value = saturate(cycles_to_time(duration->value, clock->value));
  return true;
}

// larger - smaller, rounded up: what is taken away is rounded down.
static uint64_t duration_difference(const Memory *larger, uint64_t larger_up,
                                    const Memory *smaller, CostKind kind) {
  const Figure *less = &smaller->latency, *more = &larger->latency;
  if (kind == COST_CYCLES || less->unit != UNIT_CYCLES)
    return larger_up > less->value ? larger_up - less->value : 0;
  uint64_t clock = smaller->clock.value;
  if (more->unit == UNIT_CYCLES && larger->clock.value == clock)
    return saturate(cycles_to_time(more->value - less->value, clock));
  uint64_t down = saturate((Uint128)less->value * PICOSECONDS / clock);
  return larger_up > down ? larger_up - down : 0;
}

static void add_latency(HopCost *cost, uint64_t latency) {
  uint64_t sum;
  cost->has_latency = true;
  cost->latency = latency;
  cost->value = add_u64(cost->value, latency, &sum) ? sum : UINT64_MAX;
}

static HopCost unknown_cost(HopCost cost) {
  cost.kind = COST_UNKNOWN;
  cost.value = 0;
  cost.source = COST_FROM_NOTHING;
  cost.has_latency = false;
  cost.latency = 0;
  cost.is_bottleneck = false;
  return cost;
}

static HopCost with_link_latency(const Machine *machine, const Link *link,
                                 HopCost cost) {
  if (!link->latency.is_set)
    return cost;
  const Memory *target = &machine->memories[link->to.memory.index];
  uint64_t latency;
  if (!duration_in(&link->latency, &target->clock, cost.kind, &latency))
    return unknown_cost(cost);
  add_latency(&cost, latency);
  return cost;
}

// --- A link with a rate ------------------------------------------------------

static HopCost cost_of_rate(const Machine *machine, const Link *link,
                            uint64_t bytes, HopCost cost) {
  const Memory *target = &machine->memories[link->to.memory.index];
  cost.source = COST_FROM_LINK_RATE;
  cost.kind = COST_TIME;
  Uint128 rate = link->rate.value;
  if (link->rate.unit == UNIT_CYCLES && target->clock.is_set)
    rate = multiply(rate, target->clock.value);
  else if (link->rate.unit == UNIT_CYCLES)
    cost.kind = COST_CYCLES;
  cost.value = saturate(cost.kind == COST_TIME ? time_at_rate(bytes, rate)
                                               : divide_up(bytes, rate));
  return with_link_latency(machine, link, cost);
}

bool rate_of_link(const Machine *machine, const Link *link, uint64_t *rate,
                  uint64_t *latency) {
  const Memory *target = &machine->memories[link->to.memory.index];
  bool is_per_cycle = link->rate.unit == UNIT_CYCLES;
  if (link->weight.is_set || !link->rate.is_set ||
      (is_per_cycle && !target->clock.is_set))
    return false;
  *rate = link->rate.value;
  *latency = 0;
  return (!is_per_cycle ||
          mul_u64(link->rate.value, target->clock.value, rate)) &&
         (!link->latency.is_set ||
          duration_in(&link->latency, &target->clock, COST_TIME, latency));
}

uint64_t price_at_rate(uint64_t rate, uint64_t latency, uint64_t bytes) {
  uint64_t sum;
  uint64_t time = saturate(time_at_rate(bytes, rate));
  return add_u64(time, latency, &sum) ? sum : UINT64_MAX;
}

// --- Derived from containment ------------------------------------------------

typedef struct {
  uint64_t replicas; // the most on the path
  CostKind kind;
} PathFacts;

static PathFacts path_facts(const Machine *machine, PathWalk walk) {
  PathFacts facts = {.replicas = 1};
  bool has_seconds = false;
  bool lacks_clock = false;
  bool lacks_bandwidth = false;
  for (uint32_t at = path_next(&walk); at != 0; at = path_next(&walk)) {
    const Memory *memory = &machine->memories[at];
    if (memory->replicas.value > facts.replicas)
      facts.replicas = memory->replicas.value;
    lacks_bandwidth |= !memory->bandwidth.is_set;
    bool is_per_cycle = memory->bandwidth.unit == UNIT_CYCLES;
    has_seconds |= !is_per_cycle;
    lacks_clock |= is_per_cycle && !memory->clock.is_set;
  }
  facts.kind = lacks_bandwidth ? COST_UNKNOWN
               : !lacks_clock  ? COST_TIME
               : has_seconds   ? COST_UNKNOWN
                               : COST_CYCLES;
  return facts;
}

// What one memory on the path contributes: the bytes over its share.
static Uint128 contribution(const Memory *memory, PathFacts facts,
                            uint64_t bytes) {
  Uint128 rate = memory->bandwidth.value;
  if (facts.kind == COST_TIME && memory->bandwidth.unit == UNIT_CYCLES)
    rate = multiply(rate, memory->clock.value);
  Uint128 all = multiply(rate, memory->replicas.value);
  Uint128 share = all / facts.replicas;
  if (share == 0) // less than a byte: the fraction itself
    return divide_up(
        multiply(multiply(bytes, facts.kind == COST_TIME ? PICOSECONDS : 1),
                 facts.replicas),
        all);
  return facts.kind == COST_TIME ? time_at_rate(bytes, share)
                                 : divide_up(bytes, share);
}

static bool is_ancestor(const Machine *machine, MemoryId outer,
                        MemoryId inner) {
  return graph_common_ancestor(machine, outer, inner).index == outer.index;
}

// Latencies are load-to-use times from the core: going inward costs what the
// outer memory takes more than the inner one.
static HopCost with_depth_latency(const Machine *machine, const Link *link,
                                  HopCost cost) {
  const Memory *from = &machine->memories[link->from.memory.index];
  const Memory *to = &machine->memories[link->to.memory.index];
  if (!from->latency.is_set || !to->latency.is_set)
    return cost;
  uint64_t a;
  uint64_t b;
  if (!duration_in(&from->latency, &from->clock, cost.kind, &a) ||
      !duration_in(&to->latency, &to->clock, cost.kind, &b))
    return unknown_cost(cost);
  bool from_is_outer = is_ancestor(machine, link->from.memory, link->to.memory);
  bool to_is_outer = is_ancestor(machine, link->to.memory, link->from.memory);
  uint64_t latency = a > b ? duration_difference(from, a, to, cost.kind)
                           : duration_difference(to, b, from, cost.kind);
  if ((from_is_outer && a < b) || (to_is_outer && b < a))
    latency = 0;
  add_latency(&cost, latency);
  return cost;
}

static HopCost derived_cost(const Machine *machine, const Link *link,
                            uint64_t bytes, HopCost cost) {
  MemoryId from = link->from.memory;
  MemoryId to = link->to.memory;
  MemoryId ancestor = graph_common_ancestor(machine, from, to);
  PathWalk walk = path_walk(machine, from, to, ancestor);
  PathFacts facts = path_facts(machine, walk);
  CHECK(facts.kind != COST_UNKNOWN);
  cost.kind = facts.kind;
  cost.source = COST_FROM_CONTAINMENT;
  cost.is_bottleneck = machine->memories[to.index].is_streamed;
  Uint128 total = 0;
  for (uint32_t at = path_next(&walk); at != 0; at = path_next(&walk)) {
    Uint128 leg = contribution(&machine->memories[at], facts, bytes);
    if (!cost.is_bottleneck)
      total = add_u128(total, leg, &total) ? total : ~(Uint128)0;
    else if (leg > total)
      total = leg;
  }
  cost.value = saturate(total);
  return link->latency.is_set ? with_link_latency(machine, link, cost)
                              : with_depth_latency(machine, link, cost);
}

HopCost hop_cost(const Machine *machine, LinkId id, uint64_t bytes) {
  const Link *link = &machine->links[id.index];
  HopCost cost = {.kind = COST_UNKNOWN};
  if (link->weight.is_set) {
    cost.kind = COST_WEIGHT;
    cost.value = link->weight.value;
    cost.has_weight = true;
    cost.weight = link->weight.value;
    return cost;
  }
  if (link->rate.is_set)
    return cost_of_rate(machine, link, bytes, cost);
  if (graph_is_derivable(machine, link))
    return derived_cost(machine, link, bytes, cost);
  return cost;
}

HopCost part_cost(const Machine *machine, MemoryId whole, uint64_t bytes) {
  const Memory *memory = &machine->memories[whole.index];
  HopCost cost = {.kind = COST_UNKNOWN};
  if (!memory->bandwidth.is_set)
    return cost;
  Uint128 rate = memory->bandwidth.value;
  bool is_per_cycle = memory->bandwidth.unit == UNIT_CYCLES;
  cost.source = COST_FROM_CONTAINMENT;
  cost.kind = is_per_cycle && !memory->clock.is_set ? COST_CYCLES : COST_TIME;
  if (is_per_cycle && memory->clock.is_set)
    rate = multiply(rate, memory->clock.value);
  cost.value = saturate(cost.kind == COST_TIME ? time_at_rate(bytes, rate)
                                               : divide_up(bytes, rate));
  return cost;
}

Str machine_cost_text(Arena *arena, HopCost cost) {
  Text text = text_new(arena);
  switch (cost.kind) {
  case COST_TIME:
    text_duration(&text, cost.value);
    break;
  case COST_CYCLES:
    text_format(&text, "%llu cyc", (unsigned long long)cost.value);
    break;
  case COST_WEIGHT:
    text_format(&text, "%llu", (unsigned long long)cost.value);
    break;
  case COST_UNKNOWN:
    if (cost.has_weight)
      text_format(&text, "%llu", (unsigned long long)cost.weight);
    else
      text_puts(&text, "unknown");
    break;
  }
  return text_str(&text);
}
