// SPDX-License-Identifier: Apache-2.0
//
// What a transfer asks: which hops, what each costs, what is held on the way.
// The order in which paths are tried is that of clarifications, "Memory model"
// 9: priced paths whose transits can be held, weighted ones that can, then both
// again unfiltered, to be refused at their first transit.

#include "machine/internal.h"

enum { ASSUMED_BYTES = 1 << 20 }; // for extents known only at run time

// --- From hops to a route ----------------------------------------------------

static HopCost found_cost(const Machine *machine, const FoundHop *hop,
                          uint64_t bytes) {
  return hop->link != 0 ? hop_cost(machine, (LinkId){hop->link}, bytes)
                        : part_cost(machine, hop->whole, bytes);
}

static uint64_t add_saturated(uint64_t a, uint64_t b) {
  uint64_t sum;
  return add_u64(a, b, &sum) ? sum : UINT64_MAX;
}

// Sums of what all hops have in common, whatever the route was chosen by.
static void sum_hops(Route *route) {
  HopCost *total = &route->total;
  bool all_cycles = true;
  bool any_unknown = false;
  uint64_t cycles = 0;
  total->source = route->hops[0].cost.source;
  for (uint32_t i = 0; i < route->hop_count; i++) {
    const HopCost *cost = &route->hops[i].cost;
    total->weight =
        add_saturated(total->weight, cost->has_weight ? cost->weight : 1);
    total->has_latency |= cost->has_latency;
    total->latency = add_saturated(total->latency, cost->latency);
    all_cycles &= cost->kind == COST_CYCLES;
    any_unknown |= cost->kind == COST_UNKNOWN;
    cycles = add_saturated(cycles, cost->value);
    if (cost->source != total->source)
      total->source = COST_FROM_NOTHING;
  }
  total->has_weight = true;
  if (route->hop_count == 1)
    total->is_bottleneck = route->hops[0].cost.is_bottleneck;
  if (total->kind == COST_TIME)
    return;
  total->kind = any_unknown  ? COST_UNKNOWN
                : all_cycles ? COST_CYCLES
                             : COST_WEIGHT;
  total->value = any_unknown ? 0 : all_cycles ? cycles : total->weight;
}

static void make_route(Arena *arena, const SearchRequest *request,
                       const FoundHops *found, Uint128 price, Route *route) {
  const Machine *machine = request->machine;
  *route = (Route){.status = ROUTE_FOUND, .hop_count = found->count};
  route->hops = ARENA_ARRAY(arena, Hop, found->count);
  for (uint32_t i = 0; i < found->count; i++) {
    const FoundHop *from = &found->items[i];
    Hop *hop = &route->hops[i];
    hop->link = (LinkId){from->link};
    hop->from = from->from;
    hop->to = from->to;
    hop->cost = found_cost(machine, from, request->bytes);
    hop->chunk = from->chunk;
    if (i + 1 < found->count)
      hop->transit = transit_bytes(machine, from->to.memory, request->bytes,
                                   request->shape);
  }
  if (!request->by_weight) {
    route->total.kind = COST_TIME;
    route->total.value = price > UINT64_MAX ? UINT64_MAX : (uint64_t)price;
  }
  sum_hops(route);
}

// The first hop whose memory cannot hold what passes through it.
static void judge_transits(const Machine *machine, Route *route) {
  for (uint32_t i = 0; i + 1 < route->hop_count; i++) {
    const Hop *hop = &route->hops[i];
    if (can_hold(machine, hop->to.memory, hop->transit))
      continue;
    route->status = ROUTE_TRANSIT_TOO_SMALL;
    route->failing_hop = i;
    return;
  }
}

static void find_route(Arena *arena, SearchRequest *request, Route *route) {
  for (unsigned attempt = 0; attempt < 4; attempt++) {
    Arena scratch = {0};
    FoundHops hops = {0};
    Uint128 price = 0;
    request->is_filtered = attempt < 2;
    request->by_weight = attempt % 2 == 1;
    bool found = search_route(&scratch, request, &hops, &price);
    if (found) {
      make_route(arena, request, &hops, price, route);
      if (!request->is_filtered && request->shape != NULL)
        judge_transits(request->machine, route);
    }
    arena_free(&scratch);
    if (found)
      return;
  }
  *route = (Route){.status = ROUTE_NONE};
}

// --- Parts of one memory -----------------------------------------------------

static bool layouts_agree(const Machine *machine, MemoryId a, MemoryId b,
                          const TensorShape *shape) {
  const Memory *left = &machine->memories[a.index];
  const Memory *right = &machine->memories[b.index];
  if (shape == NULL || shape->rank == 0)
    return true;
  Arena scratch = {0};
  uint64_t *x = ARENA_ARRAY(&scratch, uint64_t, shape->rank);
  uint64_t *y = ARENA_ARRAY(&scratch, uint64_t, shape->rank);
  bool agree = machine_padded_extents(left, shape, x) &&
               machine_padded_extents(right, shape, y);
  for (uint32_t i = 0; agree && i < shape->rank; i++)
    agree = x[i] == y[i];
  arena_free(&scratch);
  return agree;
}

// The source dies in a memory that both are parts of: the buffer changes
// budgets and stays where it is.
static bool rename_part(Arena *arena, const SearchRequest *request,
                        Route *route) {
  const Machine *machine = request->machine;
  const RouteGraph *graph = machine->graph;
  uint32_t family = graph->family[request->from.memory.index];
  if (family == 0 || family != graph->family[request->to.memory.index] ||
      machine->memories[request->to.memory.index].is_read_only ||
      common_whole(machine, request->from, request->to).memory.index == 0 ||
      !layouts_agree(machine, request->from.memory, request->to.memory,
                     request->shape))
    return false;
  *route = (Route){.status = ROUTE_FOUND, .hop_count = 1};
  route->hops = ARENA_NEW(arena, Hop);
  route->hops->is_renamed = true;
  route->hops->from = request->from;
  route->hops->to = request->to;
  route->hops->cost = (HopCost){.kind = COST_TIME};
  route->total = route->hops->cost;
  return true;
}

// What a route holds in passing dies at its next hop, as the source may at the
// first: between parts of one memory it changes budgets there and stays where
// it is.
static void rename_transits(const SearchRequest *request, bool source_dies,
                            Route *route) {
  for (uint32_t i = source_dies ? 0 : 1; i < route->hop_count; i++) {
    Hop *hop = &route->hops[i];
    bool holds_all =
        i == 0 || (hop[-1].chunk == 0 && hop[-1].transit.count != 0);
    if (hop->link.index != 0 || hop->chunk != 0 || !holds_all ||
        !layouts_agree(request->machine, hop->from.memory, hop->to.memory,
                       request->shape))
      continue;
    if (route->total.kind == COST_TIME && hop->cost.kind == COST_TIME)
      route->total.value -= hop->cost.value;
    hop->cost = (HopCost){.kind = COST_TIME};
    hop->is_renamed = true;
  }
}

// --- One question ------------------------------------------------------------

static void route_between(Arena *arena, SearchRequest *request,
                          bool source_dies, Route *route) {
  if (placement_equal(request->from, request->to)) {
    *route = (Route){.status = ROUTE_SAME_MEMORY};
    return;
  }
  if (source_dies && rename_part(arena, request, route))
    return;
  find_route(arena, request, route);
  rename_transits(request, source_dies, route);
}

// --- Instances known only at run time ----------------------------------------

static bool is_unknown(Placement p) {
  return p.instance == INSTANCE_DYNAMIC || p.instance == INSTANCE_EACH;
}

// Which of two answers is dearer: none at all, refused, without a price, price.
static unsigned severity(const Route *route) {
  switch (route->status) {
  case ROUTE_SAME_MEMORY:
    return 0;
  case ROUTE_FOUND:
    return route->total.kind == COST_TIME ? 1 : 2;
  case ROUTE_TRANSIT_TOO_SMALL:
    return 3;
  case ROUTE_NONE:
    return 4;
  }
  PANIC("route status");
}

static bool is_dearer(const Route *a, const Route *b) {
  if (severity(a) != severity(b))
    return severity(a) > severity(b);
  uint64_t left = a->total.kind == COST_TIME ? a->total.value : a->total.weight;
  uint64_t right =
      b->total.kind == COST_TIME ? b->total.value : b->total.weight;
  return left > right;
}

// Puts the unknown instance back where a stand-in was used.
static void restore_instance(const Machine *machine, Route *route,
                             Placement stand_in, uint32_t instance) {
  uint32_t group = memory_group(machine, stand_in.memory);
  for (uint32_t i = 0; i < route->hop_count; i++) {
    Placement *ends[] = {&route->hops[i].from, &route->hops[i].to};
    for (size_t k = 0; k < COUNT_OF(ends); k++) {
      if (group != 0 && memory_group(machine, ends[k]->memory) == group &&
          ends[k]->instance == stand_in.instance)
        ends[k]->instance = instance;
    }
  }
}

static void stand_ins(Arena *scratch, const Machine *machine, Placement p,
                      Placement other, U32Vec *out) {
  if (!is_unknown(p)) {
    VEC_PUSH(scratch, out, p.instance);
    return;
  }
  uint32_t group = memory_group(machine, p.memory);
  bool names_other = group != 0 && !is_unknown(other) &&
                     memory_group(machine, other.memory) == group;
  representatives(scratch, machine, group, &other.instance, names_other ? 1 : 0,
                  out);
}

static void route_dearest(Arena *arena, const RouteRequest *wanted,
                          SearchRequest *request, Route *route) {
  const Machine *machine = request->machine;
  Arena scratch = {0};
  U32Vec from = {0};
  U32Vec to = {0};
  bool both = is_unknown(wanted->from) && is_unknown(wanted->to);
  bool same_device = memory_group(machine, wanted->from.memory) ==
                     memory_group(machine, wanted->to.memory);
  bool move_together = both && same_device && !wanted->indices_differ;
  stand_ins(&scratch, machine, wanted->from, wanted->to, &from);
  stand_ins(&scratch, machine, wanted->to, wanted->from, &to);
  bool has_route = false;
  for (uint32_t i = 0; i < from.count; i++) {
    for (uint32_t k = 0; k < to.count; k++) {
      if (move_together && from.items[i] != to.items[k])
        continue;
      request->from.instance = from.items[i];
      request->to.instance = to.items[k];
      Route other;
      route_between(arena, request, wanted->source_dies, &other);
      if (has_route && !is_dearer(&other, route))
        continue;
      has_route = true;
      if (is_unknown(wanted->to))
        restore_instance(machine, &other, request->to, wanted->to.instance);
      if (is_unknown(wanted->from))
        restore_instance(machine, &other, request->from, wanted->from.instance);
      *route = other;
    }
  }
  arena_free(&scratch);
}

void machine_route(Arena *arena, const Machine *machine,
                   const RouteRequest *request, Route *route) {
  SearchRequest search = {.machine = machine,
                          .from = request->from,
                          .to = request->to,
                          .bytes = ASSUMED_BYTES,
                          .shape = request->shape};
  if (request->shape != NULL)
    search.bytes = machine_bare_bytes(request->shape).count;
  if (is_unknown(request->from) || is_unknown(request->to))
    route_dearest(arena, request, &search, route);
  else
    route_between(arena, &search, request->source_dies, route);
}

// --- What is reached at all --------------------------------------------------

typedef struct {
  const Machine *machine;
  Arena *arena;
  Bitset seen;
  Bitset families;
  U32Vec queue;
} Reach;

static void reach_memory(Reach *reach, uint32_t memory) {
  if (bitset_has(&reach->seen, memory))
    return;
  bitset_add(&reach->seen, memory);
  VEC_PUSH(reach->arena, &reach->queue, memory);
}

static void reach_next(Reach *reach, uint32_t memory, bool backwards) {
  const Machine *machine = reach->machine;
  const RouteGraph *graph = machine->graph;
  const LinkIndex *index = backwards ? &graph->entering : &graph->leaving;
  for (uint32_t i = index->first[memory]; i < index->first[memory + 1]; i++) {
    const Link *link = &machine->links[index->links[i]];
    reach_memory(reach,
                 backwards ? link->from.memory.index : link->to.memory.index);
  }
  uint32_t family = graph->family[memory];
  if (bitset_has(&reach->families, family))
    return;
  bitset_add(&reach->families, family);
  const PartFamily *f = &graph->families[family];
  for (uint32_t i = 0; i < f->members.count; i++)
    reach_memory(reach, f->members.items[i]);
}

static Str list_reached(Arena *arena, const Machine *machine,
                        const Bitset *seen, uint32_t start) {
  enum { MOST_NAMES = 8 };
  Text text = text_new(arena);
  uint32_t count = 0;
  for (uint32_t i = bitset_next(seen, 1); i < seen->bit_count;
       i = bitset_next(seen, i + 1)) {
    if (i == start)
      continue;
    if (count++ >= MOST_NAMES)
      continue;
    if (count > 1)
      text_puts(&text, ", ");
    text_put(&text, memory_name(machine, (MemoryId){i}));
  }
  if (count > MOST_NAMES)
    text_format(&text, " and %u more", count - MOST_NAMES);
  if (count == 0)
    text_puts(&text, "nothing");
  return text_str(&text);
}

Str machine_reach_text(Arena *arena, const Machine *machine, Placement from,
                       bool backwards) {
  Arena scratch = {0};
  Reach reach = {.machine = machine,
                 .arena = &scratch,
                 .seen = bitset_new(&scratch, machine->memory_count),
                 .families =
                     bitset_new(&scratch, machine->graph->family_count)};
  reach_memory(&reach, from.memory.index);
  for (uint32_t i = 0; i < reach.queue.count; i++) {
    uint32_t memory = reach.queue.items[i];
    // Nothing passes through a memory that is only read.
    if (i == 0 || !machine->memories[memory].is_read_only)
      reach_next(&reach, memory, backwards);
  }
  Str text = list_reached(arena, machine, &reach.seen, from.memory.index);
  arena_free(&scratch);
  return text;
}
