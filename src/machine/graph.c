// SPDX-License-Identifier: Apache-2.0
//
// What routes are found with, made once: which instances each link joins, the
// links at each memory, the trees of containment with ancestors at growing
// distance (Myers, "An applicative random-access stack"), the families of
// parts. Instances themselves are never written out: routes.c makes those that
// can matter for one question.

#include "machine/internal.h"

#include <stdlib.h>

// --- Instances that a link joins ---------------------------------------------

static uint64_t multiply(uint64_t a, uint64_t b) {
  uint64_t product;
  return mul_u64(a, b, &product) ? product : UINT64_MAX;
}

static void set_range(const Machine *machine, LinkEnd end, uint32_t *first,
                      uint32_t *last) {
  *first = end.has_range ? end.from : 0;
  *last =
      end.has_range ? end.to : machine->memories[end.memory.index].instances;
}

// Bare ends of one device join equal instances, bare ends of one memory any two
// different ones; ranges, and memories of different devices, every pair.
static LinkPairs pairs_of(const Machine *machine, const Link *link) {
  if (link->from.memory.index == link->to.memory.index)
    return PAIRS_DIFFERENT;
  uint32_t group = memory_group(machine, link->from.memory);
  bool is_same_device =
      group != 0 && group == memory_group(machine, link->to.memory);
  if (is_same_device && !(link->from.has_range && link->to.has_range))
    return PAIRS_SAME;
  return PAIRS_ALL;
}

static LinkReach reach_of(const Machine *machine, const Link *link) {
  LinkReach reach = {.from = link->from.memory,
                     .group = memory_group(machine, link->from.memory),
                     .pairs = pairs_of(machine, link)};
  set_range(machine, link->from, &reach.from_first, &reach.from_end);
  set_range(machine, link->to, &reach.to_first, &reach.to_end);
  if (reach.pairs == PAIRS_SAME && link->from.has_range) {
    reach.to_first = reach.from_first;
    reach.to_end = reach.from_end;
  } else if (reach.pairs == PAIRS_SAME) {
    reach.from_first = reach.to_first;
    reach.from_end = reach.to_end;
  }
  uint64_t from_count = reach.from_end - reach.from_first;
  uint64_t to_count = reach.to_end - reach.to_first;
  reach.pair_count =
      reach.pairs == PAIRS_SAME ? from_count : multiply(from_count, to_count);
  if (reach.pairs == PAIRS_DIFFERENT) {
    uint32_t first =
        reach.from_first > reach.to_first ? reach.from_first : reach.to_first;
    uint32_t end =
        reach.from_end < reach.to_end ? reach.from_end : reach.to_end;
    reach.pair_count -= end > first ? end - first : 0;
  }
  if (!rate_of_link(machine, link, &reach.rate, &reach.latency))
    reach.rate = 0;
  return reach;
}

// --- Links by memory ---------------------------------------------------------

static LinkEnd end_of(const Link *link, bool leaving) {
  return leaving ? link->from : link->to;
}

static bool is_single(const Machine *machine, LinkEnd end) {
  return end.has_range && end.to - end.from == 1 &&
         machine->memories[end.memory.index].instances > 1;
}

typedef struct {
  uint32_t instance;
  uint32_t link;
} SingleLink;

static int compare_singles(const void *a, const void *b) {
  const SingleLink *left = a;
  const SingleLink *right = b;
  if (left->instance != right->instance)
    return left->instance < right->instance ? -1 : 1;
  return (left->link > right->link) - (left->link < right->link);
}

static void sort_singles(const Machine *machine, LinkIndex *index,
                         uint32_t memory, bool leaving, Arena *scratch) {
  uint32_t count = index->singles[memory];
  if (count < 2)
    return;
  uint32_t *links = &index->links[index->first[memory]];
  SingleLink *sorted = ARENA_ARRAY(scratch, SingleLink, count);
  for (uint32_t i = 0; i < count; i++) {
    LinkEnd end = end_of(&machine->links[links[i]], leaving);
    sorted[i] = (SingleLink){end.from, links[i]};
  }
  qsort(sorted, count, sizeof *sorted, compare_singles);
  for (uint32_t i = 0; i < count; i++)
    links[i] = sorted[i].link;
}

// Counting sort by memory, the single instances first.
static LinkIndex index_links(Arena *arena, Arena *scratch,
                             const Machine *machine, bool leaving) {
  uint32_t count = machine->memory_count;
  LinkIndex index = {.first = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1),
                     .links = ARENA_ARRAY(arena, uint32_t, machine->link_count),
                     .singles = ARENA_ARRAY(arena, uint32_t, count)};
  uint32_t *next = ARENA_ARRAY(scratch, uint32_t, count);
  uint32_t *next_single = ARENA_ARRAY(scratch, uint32_t, count);
  for (uint32_t i = 1; i < machine->link_count; i++) {
    LinkEnd end = end_of(&machine->links[i], leaving);
    index.first[end.memory.index + 1]++;
    index.singles[end.memory.index] += is_single(machine, end);
  }
  for (uint32_t m = 0; m < count; m++) {
    next_single[m] = index.first[m];
    next[m] = index.first[m] + index.singles[m];
    index.first[m + 1] += index.first[m];
  }
  for (uint32_t i = 1; i < machine->link_count; i++) {
    LinkEnd end = end_of(&machine->links[i], leaving);
    uint32_t *slot = is_single(machine, end) ? &next_single[end.memory.index]
                                             : &next[end.memory.index];
    index.links[(*slot)++] = i;
  }
  for (uint32_t m = 1; m < count; m++)
    sort_singles(machine, &index, m, leaving, scratch);
  return index;
}

// --- Classes of instances ----------------------------------------------------

static int compare_numbers(const void *a, const void *b) {
  const uint32_t *left = a;
  const uint32_t *right = b;
  return (*left > *right) - (*left < *right);
}

static void add_boundaries(Arena *arena, const Machine *machine,
                           U32Vec *boundaries, LinkEnd end) {
  uint32_t group = memory_group(machine, end.memory);
  if (!end.has_range || group == 0)
    return;
  VEC_PUSH(arena, &boundaries[group], end.from);
  if (end.to < machine->memories[end.memory.index].instances)
    VEC_PUSH(arena, &boundaries[group], end.to);
}

static U32Vec *find_boundaries(Arena *arena, const Machine *machine) {
  uint32_t groups = machine->topology_count;
  U32Vec *boundaries = ARENA_ARRAY(arena, U32Vec, groups);
  for (uint32_t g = 0; g < groups; g++)
    VEC_PUSH(arena, &boundaries[g], 0);
  for (uint32_t i = 1; i < machine->link_count; i++) {
    add_boundaries(arena, machine, boundaries, machine->links[i].from);
    add_boundaries(arena, machine, boundaries, machine->links[i].to);
  }
  for (uint32_t g = 0; g < groups; g++) {
    U32Vec *all = &boundaries[g];
    qsort(all->items, all->count, sizeof *all->items, compare_numbers);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < all->count; i++) {
      if (all->items[i] != all->items[kept - 1])
        all->items[kept++] = all->items[i];
    }
    all->count = kept;
  }
  return boundaries;
}

// --- Trees of containment ----------------------------------------------------

static PathCounts own_counts(const Memory *memory) {
  bool has_bandwidth = memory->bandwidth.is_set;
  bool is_per_cycle = has_bandwidth && memory->bandwidth.unit == UNIT_CYCLES;
  return (PathCounts){.without_bandwidth = !has_bandwidth,
                      .per_second = has_bandwidth && !is_per_cycle,
                      .per_cycle = is_per_cycle,
                      .per_cycle_without_clock =
                          is_per_cycle && !memory->clock.is_set};
}

static PathCounts add_counts(PathCounts a, PathCounts b) {
  return (PathCounts){a.without_bandwidth + b.without_bandwidth,
                      a.per_second + b.per_second, a.per_cycle + b.per_cycle,
                      a.per_cycle_without_clock + b.per_cycle_without_clock};
}

static void hang_in(const Machine *machine, RouteGraph *graph, uint32_t at) {
  uint32_t parent = machine->memories[at].within.index;
  PathCounts own = own_counts(&machine->memories[at]);
  if (parent == 0) {
    graph->jump[at] = at;
    graph->counts[at] = own;
    return;
  }
  graph->depth[at] = graph->depth[parent] + 1;
  graph->counts[at] = add_counts(graph->counts[parent], own);
  uint32_t far = graph->jump[parent];
  uint32_t farther = graph->jump[far];
  bool is_regular = graph->depth[parent] - graph->depth[far] ==
                    graph->depth[far] - graph->depth[farther];
  graph->jump[at] = is_regular ? farther : parent;
}

static void build_trees(Arena *arena, Arena *scratch, const Machine *machine,
                        RouteGraph *graph) {
  uint32_t count = machine->memory_count;
  graph->depth = ARENA_ARRAY(arena, uint32_t, count);
  graph->jump = ARENA_ARRAY(arena, uint32_t, count);
  graph->counts = ARENA_ARRAY(arena, PathCounts, count);
  U32Vec way = {0};
  for (uint32_t i = 1; i < count; i++) {
    for (uint32_t at = i; at != 0 && graph->jump[at] == 0;
         at = machine->memories[at].within.index)
      VEC_PUSH(scratch, &way, at);
    while (way.count > 0)
      hang_in(machine, graph, way.items[--way.count]);
  }
}

MemoryId graph_common_ancestor(const Machine *machine, MemoryId a, MemoryId b) {
  const RouteGraph *graph = machine->graph;
  uint32_t low = a.index;
  uint32_t high = b.index;
  if (graph->depth[low] < graph->depth[high]) {
    low = b.index;
    high = a.index;
  }
  while (graph->depth[low] > graph->depth[high]) {
    uint32_t far = graph->jump[low];
    low = graph->depth[far] >= graph->depth[high]
              ? far
              : machine->memories[low].within.index;
  }
  while (low != high && graph->depth[low] > 0) {
    bool differ = graph->jump[low] != graph->jump[high];
    low = differ ? graph->jump[low] : machine->memories[low].within.index;
    high = differ ? graph->jump[high] : machine->memories[high].within.index;
  }
  return (MemoryId){low == high ? low : 0};
}

// --- Paths through the tree --------------------------------------------------

// Figures of the path: of both ends up to their common ancestor, which counts
// only where it is an end itself.
static PathCounts path_counts(const Machine *machine, MemoryId from,
                              MemoryId to, MemoryId ancestor) {
  const PathCounts *counts = machine->graph->counts;
  PathCounts sum = add_counts(counts[from.index], counts[to.index]);
  PathCounts above = counts[ancestor.index];
  sum.without_bandwidth -= 2 * above.without_bandwidth;
  sum.per_second -= 2 * above.per_second;
  sum.per_cycle -= 2 * above.per_cycle;
  sum.per_cycle_without_clock -= 2 * above.per_cycle_without_clock;
  bool is_end = ancestor.index == from.index || ancestor.index == to.index;
  return is_end
             ? add_counts(sum, own_counts(&machine->memories[ancestor.index]))
             : sum;
}

PathWalk path_walk(const Machine *machine, MemoryId from, MemoryId to,
                   MemoryId ancestor) {
  bool is_end = ancestor.index == from.index || ancestor.index == to.index;
  return (PathWalk){.machine = machine,
                    .ancestor = ancestor.index,
                    .at = from.index,
                    .to = to.index,
                    .ancestor_counts = is_end};
}

uint32_t path_next(PathWalk *walk) {
  if (walk->at == walk->ancestor && walk->to != 0) {
    walk->at = walk->to;
    walk->to = 0;
  }
  if (walk->at != walk->ancestor) {
    uint32_t here = walk->at;
    walk->at = walk->machine->memories[here].within.index;
    return here;
  }
  bool counts = walk->ancestor_counts;
  walk->ancestor_counts = false;
  return counts ? walk->ancestor : 0;
}

// A link whose instances lie in one another, not beside one another.
static bool joins_nested_instances(const Machine *machine, const Link *link) {
  if (link->from.memory.index == link->to.memory.index)
    return false;
  bool both = memory_group(machine, link->from.memory) != 0 &&
              memory_group(machine, link->to.memory) != 0;
  if (!both || pairs_of(machine, link) == PAIRS_SAME)
    return true;
  return link->from.has_range && link->to.has_range &&
         link->from.from == link->to.from && link->from.to == link->to.to &&
         link->from.to - link->from.from == 1;
}

bool graph_is_derivable(const Machine *machine, const Link *link) {
  if (!joins_nested_instances(machine, link))
    return false;
  MemoryId ancestor =
      graph_common_ancestor(machine, link->from.memory, link->to.memory);
  if (ancestor.index == 0)
    return false;
  PathCounts counts =
      path_counts(machine, link->from.memory, link->to.memory, ancestor);
  bool is_mixed = counts.per_second > 0 && counts.per_cycle_without_clock > 0;
  return counts.without_bandwidth == 0 && !is_mixed;
}

// --- Parts -------------------------------------------------------------------

static uint32_t outermost(const Machine *machine, uint32_t *known, uint32_t at,
                          U32Vec *way, Arena *scratch) {
  while (known[at] == 0 && machine->memories[at].part_of.index != 0) {
    VEC_PUSH(scratch, way, at);
    at = machine->memories[at].part_of.index;
  }
  uint32_t whole = known[at] == 0 ? at : known[at];
  while (way->count > 0)
    known[way->items[--way->count]] = whole;
  return known[at] = whole;
}

static void join_family(Arena *arena, const Machine *machine, RouteGraph *graph,
                        uint32_t memory, uint32_t whole) {
  uint32_t *family = &graph->family[whole];
  if (*family == 0) {
    *family = graph->family_count++;
    graph->families[*family].whole = whole;
  }
  graph->family[memory] = *family;
  PartFamily *f = &graph->families[*family];
  VEC_PUSH(arena, &f->members, memory);
  const Memory *m = &machine->memories[memory];
  f->has_chunk |= m->chunk.is_set;
  f->is_nested |= m->part_of.index != 0 && m->part_of.index != whole;
}

static void build_families(Arena *arena, Arena *scratch, const Machine *machine,
                           RouteGraph *graph) {
  uint32_t count = machine->memory_count;
  uint32_t *whole = ARENA_ARRAY(scratch, uint32_t, count);
  bool *has_parts = ARENA_ARRAY(scratch, bool, count);
  U32Vec way = {0};
  uint32_t part_count = 0;
  for (uint32_t i = 1; i < count; i++) {
    outermost(machine, whole, i, &way, scratch);
    has_parts[whole[i]] |= whole[i] != i;
    part_count += whole[i] != i;
  }
  graph->family = ARENA_ARRAY(arena, uint32_t, count);
  graph->families = ARENA_ARRAY(arena, PartFamily, (size_t)part_count + 1);
  graph->family_count = 1;
  for (uint32_t i = 1; i < count; i++) {
    if (has_parts[whole[i]])
      join_family(arena, machine, graph, i, whole[i]);
  }
}

Placement placement_whole(const Machine *machine, Placement part) {
  MemoryId whole = machine->memories[part.memory.index].part_of;
  if (whole.index == 0)
    return (Placement){0};
  uint32_t group = memory_group(machine, whole);
  bool is_same = group != 0 && group == memory_group(machine, part.memory);
  return (Placement){whole, is_same ? part.instance : 0};
}

static uint32_t part_depth(const Machine *machine, MemoryId memory) {
  uint32_t depth = 0;
  for (uint32_t at = memory.index; machine->memories[at].part_of.index != 0;
       at = machine->memories[at].part_of.index)
    depth++;
  return depth;
}

Placement common_whole(const Machine *machine, Placement a, Placement b) {
  uint32_t a_depth = part_depth(machine, a.memory);
  uint32_t b_depth = part_depth(machine, b.memory);
  while (!placement_equal(a, b)) {
    if (a_depth == 0 && b_depth == 0)
      return (Placement){0};
    bool move_a = a_depth >= b_depth;
    bool move_b = b_depth >= a_depth;
    if (move_a) {
      a = placement_whole(machine, a);
      a_depth--;
    }
    if (move_b) {
      b = placement_whole(machine, b);
      b_depth--;
    }
  }
  return a;
}

// --- Building ----------------------------------------------------------------

void graph_build(Arena *arena, Machine *machine) {
  Arena scratch = {0};
  RouteGraph *graph = ARENA_NEW(arena, RouteGraph);
  for (uint32_t i = 1; i < machine->memory_count; i++)
    map_put(arena, &graph->memory_names, machine->memories[i].name.index, i);
  for (uint32_t i = 1; i < machine->topology_count; i++)
    map_put(arena, &graph->topology_names, machine->topologies[i].name.index,
            i);
  graph->leaving = index_links(arena, &scratch, machine, true);
  graph->entering = index_links(arena, &scratch, machine, false);
  graph->reach = ARENA_ARRAY(arena, LinkReach, machine->link_count);
  for (uint32_t i = 0; i + 1 < machine->link_count; i++)
    graph->reach[i] =
        reach_of(machine, &machine->links[graph->entering.links[i]]);
  graph->boundaries = find_boundaries(arena, machine);
  build_trees(arena, &scratch, machine, graph);
  build_families(arena, &scratch, machine, graph);
  machine->graph = graph;
  arena_free(&scratch);
}
