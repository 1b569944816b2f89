// SPDX-License-Identifier: Apache-2.0
//
// memory: the check of one function, and the figures of the whole program.
//
// Input: the functions of a program one by one with their lifetimes, then the
// report. Output: diagnostics and the sorted report. Cost: n log n.

#include "memory/internal.h"

#include <stdlib.h>

static bool moves_or_calls(const IrFunction *f) {
  return f->hops.count > 0 || f->callees.count > 0;
}

void memory_check_function(Arena *arena, const IrModule *module,
                           const IrFunction *function, const OwnResult *own,
                           DiagSink *sink, MemoryReport *report) {
  if (own->buffer_count == 0 && !moves_or_calls(function))
    return;
  Arena scratch = {0};
  MemoryCheck check = {.arena = arena,
                       .scratch = &scratch,
                       .module = module,
                       .machine = module->machine,
                       .types = module->types,
                       .function = function,
                       .own = own,
                       .sink = sink,
                       .report = report,
                       .advice_left = ADVISED_REFUSALS};
  if (own->buffer_count > 0) {
    check_buffers(&check);
    check_working_sets(&check);
  }
  if (moves_or_calls(function))
    record_transfers(&check);
  arena_free(&scratch);
}

// --- Links -------------------------------------------------------------------

typedef struct {
  const IrModule *module;
  Arena *scratch;
  MemoryReport *report;
  Map places; // memory << 32 | instance -> number
  Map links;  // number of from << 32 | number of to -> index
} Totals;

static uint64_t place_number(Totals *totals, Placement place) {
  uint64_t key = (uint64_t)place.memory.index << 32 | place.instance;
  uint64_t number = totals->places.count;
  if (!map_get(&totals->places, key, &number))
    map_put(totals->scratch, &totals->places, key, number);
  return number;
}

static LinkTotal *link_of(Totals *totals, const Hop *hop) {
  uint64_t key =
      place_number(totals, hop->from) << 32 | place_number(totals, hop->to);
  uint64_t index = totals->report->links.count;
  if (!map_get(&totals->links, key, &index)) {
    VEC_PUSH(totals->module->arena, &totals->report->links,
             (LinkTotal){.from = hop->from,
                         .to = hop->to,
                         .has_bytes = true,
                         .has_time = true});
    map_put(totals->scratch, &totals->links, key, index);
  }
  return &totals->report->links.items[index];
}

static Uint128 add_product(Uint128 sum, uint64_t a, uint64_t b) {
  Uint128 total = ~(Uint128)0;
  return add_u128(sum, (Uint128)a * b, &total) ? total : ~(Uint128)0;
}

static void add_route(Totals *totals, const RouteRecord *route) {
  const IrHop *hop = &route->hop;
  LinkTotal *link = link_of(totals, &hop->hop);
  link->transfers = add_product(link->transfers, route->times, 1);
  if (hop->has_bytes)
    link->bytes = add_product(link->bytes, route->times, hop->bytes.count);
  else
    link->has_bytes = false;
  if (hop->hop.cost.kind == COST_TIME && hop->has_bytes)
    link->time_ps =
        add_product(link->time_ps, route->times, hop->hop.cost.value);
  else
    link->has_time = false;
}

// --- Sorting by names --------------------------------------------------------

typedef struct {
  Str first, second;
  uint32_t index;
} SortKey;

static int compare_keys(const void *a, const void *b) {
  const SortKey *x = a, *y = b;
  int order = str_compare(x->first, y->first);
  if (order == 0)
    order = str_compare(x->second, y->second);
  return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static Str place_name(const Totals *totals, Placement place) {
  return machine_placement_text(totals->scratch, totals->module->machine,
                                place);
}

static void sort_sets(Totals *totals) {
  uint32_t count = totals->report->sets.count;
  SortKey *keys = ARENA_ARRAY(totals->scratch, SortKey, count);
  ResidentSet *old = ARENA_ARRAY(totals->scratch, ResidentSet, count);
  for (uint32_t i = 0; i < count; i++) {
    old[i] = totals->report->sets.items[i];
    keys[i] = (SortKey){name_text(totals->module->interner, old[i].function),
                        place_name(totals, old[i].placement), i};
  }
  qsort(keys, count, sizeof(SortKey), compare_keys);
  for (uint32_t i = 0; i < count; i++)
    totals->report->sets.items[i] = old[keys[i].index];
}

static void sort_links(Totals *totals) {
  uint32_t count = totals->report->links.count;
  SortKey *keys = ARENA_ARRAY(totals->scratch, SortKey, count);
  LinkTotal *old = ARENA_ARRAY(totals->scratch, LinkTotal, count);
  for (uint32_t i = 0; i < count; i++) {
    old[i] = totals->report->links.items[i];
    keys[i] = (SortKey){place_name(totals, old[i].from),
                        place_name(totals, old[i].to), i};
  }
  qsort(keys, count, sizeof(SortKey), compare_keys);
  for (uint32_t i = 0; i < count; i++)
    totals->report->links.items[i] = old[keys[i].index];
}

typedef struct {
  uint32_t start, index;
} Position;

static int compare_positions(const void *a, const void *b) {
  const Position *x = a, *y = b;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

static void sort_routes(Totals *totals) {
  uint32_t count = totals->report->routes.count;
  Position *order = ARENA_ARRAY(totals->scratch, Position, count);
  RouteRecord *old = ARENA_ARRAY(totals->scratch, RouteRecord, count);
  for (uint32_t i = 0; i < count; i++) {
    old[i] = totals->report->routes.items[i];
    order[i] = (Position){old[i].span.start, i};
  }
  qsort(order, count, sizeof(Position), compare_positions);
  for (uint32_t i = 0; i < count; i++)
    totals->report->routes.items[i] = old[order[i].index];
}

void memory_finish(MemoryReport *report, const IrModule *module) {
  Arena scratch = {0};
  Totals totals = {.module = module, .scratch = &scratch, .report = report};
  for (uint32_t i = 0; i < report->routes.count; i++)
    add_route(&totals, &report->routes.items[i]);
  if (report->sets.count > 1)
    sort_sets(&totals);
  if (report->links.count > 1)
    sort_links(&totals);
  if (report->routes.count > 1)
    sort_routes(&totals);
  arena_free(&scratch);
}
