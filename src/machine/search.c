// SPDX-License-Identifier: Apache-2.0
//
// The cheapest path between two memory instances (memory-model.md section 5).
//
// Dijkstra with labels, from the destination backwards, so that of equal paths
// (same price, same number of hops) the one whose first differing link is
// declared earlier is found without looking further. Price: the sum of the
// hops, except along a stretch of hops that are joined by memories with
// `chunk`: there every hop counts for one chunk and one of them for all bytes,
// the dearest. A label therefore has two figures: `time`, with one chunk for
// each hop of the open stretch, and `finish`, if the stretch ended here; where
// no stretch is open they are equal and one label per node is enough. In an
// open stretch all undominated labels are kept.
//
// Instances: all instances of a device between two numbers that some link names
// are alike. Of each such class two stand for all (two, because links may join
// different instances only), besides those that the question names.
// Cost: O((labels + links) log) for the instances that stand for others.

#include "machine/internal.h"

// --- Instances ---------------------------------------------------------------

static bool contains(const uint32_t *items, uint32_t count, uint32_t item) {
  for (uint32_t i = 0; i < count; i++) {
    if (items[i] == item)
      return true;
  }
  return false;
}

static void add_sorted(Arena *arena, U32Vec *out, uint32_t item) {
  uint32_t at = out->count;
  VEC_PUSH(arena, out, item);
  for (; at > 0 && out->items[at - 1] > item; at--)
    out->items[at] = out->items[at - 1];
  out->items[at] = item;
}

void representatives(Arena *arena, const Machine *machine, uint32_t group,
                     const uint32_t *given, uint32_t given_count, U32Vec *out) {
  enum { PER_CLASS = 2 };
  const U32Vec *starts = &machine->graph->boundaries[group];
  uint32_t instances = group == 0 ? 1 : machine->topologies[group].instances;
  for (uint32_t i = 0; i < starts->count; i++) {
    uint32_t end = i + 1 < starts->count ? starts->items[i + 1] : instances;
    uint32_t found = 0;
    for (uint32_t k = starts->items[i]; k < end && found < PER_CLASS; k++) {
      if (contains(given, given_count, k))
        continue;
      VEC_PUSH(arena, out, k);
      found++;
    }
  }
  for (uint32_t i = 0; i < given_count; i++) {
    if (!contains(given, i, given[i]))
      add_sorted(arena, out, given[i]);
  }
}

// --- What is held on the way -------------------------------------------------

Bytes transit_bytes(const Machine *machine, MemoryId memory, uint64_t bytes,
                    const TensorShape *shape) {
  const Memory *m = &machine->memories[memory.index];
  if (m->is_cached)
    return BYTES(0);
  uint64_t granule = m->granule.value;
  Bytes all = shape != NULL ? machine_padded_bytes(m, shape)
                            : bytes_round_up(BYTES(bytes), granule);
  if (!m->chunk.is_set)
    return all;
  Bytes chunks = bytes_round_up(bytes_mul(BYTES(m->chunk.value), 2), granule);
  return bytes_over(all, chunks.count) && !chunks.beyond ? chunks : all;
}

bool can_hold(const Machine *machine, MemoryId memory, Bytes held) {
  for (uint32_t at = memory.index; at != 0;
       at = machine->memories[at].part_of.index) {
    const Memory *m = &machine->memories[at];
    if (m->has_limit && bytes_over(held, m->limit))
      return false;
    if (at == memory.index && m->max_alloc.is_set &&
        bytes_over(held, m->max_alloc.value))
      return false;
  }
  return true;
}

// --- State -------------------------------------------------------------------

typedef struct {
  Placement place;
  uint32_t best;   // label of a node where no stretch is open; 0: none yet
  U32Vec labels;   // of a node in an open stretch
  bool is_settled; // its best label is final
  bool can_pass;   // as a memory on the way
  bool is_joint;   // passed through in chunks
  uint64_t pairs;  // of the most specific link in the expansion at hand
  uint32_t stamp;  // of that expansion
} SearchNode;

typedef struct {
  uint32_t node;
  uint32_t next; // label at the other end of the hop; 0 at the destination
  uint32_t link;
  MemoryId whole;
  uint64_t chunk;
  uint32_t hops;
  bool is_dead; // dominated
  Uint128 time;
  Uint128 finish;
} Label;

typedef struct {
  bool is_known;
  bool is_usable;
  uint64_t price;
} LinkPrice;

typedef struct {
  uint32_t link;
  uint32_t entering; // where the graph lists it among the links that enter
  uint32_t node;
  MemoryId whole;
  uint64_t pairs;
} Candidate;

typedef struct {
  const SearchRequest *request;
  const Machine *machine;
  Arena *arena;
  uint32_t *first_nodes; // of instance 0, by memory; 0: none yet
  Map node_of;           // placement of another instance -> node
  VEC(SearchNode) nodes; // [0] is unused
  VEC(Label) labels;     // [0] is unused
  U32Vec heap;           // of labels
  LinkPrice *prices;     // by `entering`
  U32Vec *instances;     // by group, made when needed
  VEC(Candidate) candidates;
  Map expanded_families; // (family, instance of the whole)
  uint32_t stamp;
  uint32_t source; // node
  uint32_t target;
} Search;

static uint32_t node_at(Search *s, Placement place) {
  uint64_t key = (uint64_t)place.memory.index << 32 | place.instance;
  uint64_t found = s->first_nodes[place.memory.index];
  if (place.instance == 0 ? found != 0 : map_get(&s->node_of, key, &found))
    return (uint32_t)found;
  const Memory *memory = &s->machine->memories[place.memory.index];
  const SearchRequest *r = s->request;
  SearchNode node = {.place = place, .can_pass = !memory->is_read_only};
  if (r->is_filtered && node.can_pass) {
    Bytes held = transit_bytes(s->machine, place.memory, r->bytes, r->shape);
    node.can_pass = can_hold(s->machine, place.memory, held);
  }
  bool is_end =
      placement_equal(place, r->from) || placement_equal(place, r->to);
  node.is_joint = memory->chunk.is_set && !is_end && !r->by_weight;
  uint32_t index = s->nodes.count;
  if (place.instance == 0)
    s->first_nodes[place.memory.index] = index;
  else
    map_put(s->arena, &s->node_of, key, index);
  VEC_PUSH(s->arena, &s->nodes, node);
  return index;
}

static const U32Vec *instances_of(Search *s, uint32_t group) {
  U32Vec *known = &s->instances[group];
  if (known->count > 0)
    return known;
  uint32_t given[2];
  uint32_t count = 0;
  const Placement ends[] = {s->request->from, s->request->to};
  for (size_t i = 0; i < COUNT_OF(ends); i++) {
    if (group != 0 && memory_group(s->machine, ends[i].memory) == group)
      given[count++] = ends[i].instance;
  }
  representatives(s->arena, s->machine, group, given, count, known);
  return known;
}

// --- Prices ------------------------------------------------------------------

// A price for `bytes`; false: this link cannot be used in this search.
static bool price_of(Search *s, Candidate candidate, uint64_t bytes,
                     uint64_t *price) {
  const LinkReach *reach = &s->machine->graph->reach[candidate.entering];
  if (candidate.link != 0 && reach->rate != 0 && !s->request->by_weight) {
    *price = price_at_rate(reach->rate, reach->latency, bytes);
    return true;
  }
  HopCost cost = candidate.link != 0
                     ? hop_cost(s->machine, (LinkId){candidate.link}, bytes)
                     : part_cost(s->machine, candidate.whole, bytes);
  if (s->request->by_weight) {
    *price = cost.has_weight ? cost.weight : 1;
    return true;
  }
  *price = cost.value;
  return cost.kind == COST_TIME;
}

static bool full_price(Search *s, Candidate candidate, uint64_t *price) {
  uint64_t bytes = s->request->bytes;
  if (candidate.link == 0)
    return price_of(s, candidate, bytes, price);
  LinkPrice *known = &s->prices[candidate.entering];
  if (!known->is_known) {
    known->is_known = true;
    known->is_usable = price_of(s, candidate, bytes, &known->price);
  }
  *price = known->price;
  return known->is_usable;
}

// --- Order of labels ---------------------------------------------------------

// Of two paths of equal length, the one whose first differing link is declared
// earlier; implicit links come last, then lower instances first.
static int compare_links(const Search *s, uint32_t a, uint32_t b) {
  int by_instance = 0;
  while (a != b && a != 0 && b != 0) {
    const Label *left = &s->labels.items[a];
    const Label *right = &s->labels.items[b];
    if (left->link != right->link)
      return left->link - 1 < right->link - 1 ? -1 : 1;
    uint32_t from = s->nodes.items[left->node].place.instance;
    uint32_t to = s->nodes.items[right->node].place.instance;
    if (by_instance == 0)
      by_instance = (from > to) - (from < to);
    a = left->next;
    b = right->next;
  }
  return by_instance;
}

// By hops, then by declaration.
static int compare_paths(const Search *s, uint32_t a, uint32_t b) {
  uint32_t left = s->labels.items[a].hops;
  uint32_t right = s->labels.items[b].hops;
  if (left != right)
    return left < right ? -1 : 1;
  return compare_links(s, a, b);
}

// Whatever follows, `a` ends no worse than `b`; where it could end equal it is
// preferred.
static bool dominates(const Search *s, uint32_t a, uint32_t b) {
  const Label *left = &s->labels.items[a];
  const Label *right = &s->labels.items[b];
  if (left->time < right->time && left->finish < right->finish)
    return true;
  return left->time <= right->time && left->finish <= right->finish &&
         compare_paths(s, a, b) <= 0;
}

static bool better(const Search *s, uint32_t a, uint32_t b) {
  const Label *left = &s->labels.items[a];
  const Label *right = &s->labels.items[b];
  if (left->finish != right->finish)
    return left->finish < right->finish;
  return compare_paths(s, a, b) < 0;
}

// --- Heap --------------------------------------------------------------------

static bool pops_before(const Search *s, uint32_t a, uint32_t b) {
  const Label *left = &s->labels.items[a];
  const Label *right = &s->labels.items[b];
  if (left->finish != right->finish)
    return left->finish < right->finish;
  if (left->hops != right->hops)
    return left->hops < right->hops;
  return a < b;
}

static void heap_push(Search *s, uint32_t label) {
  VEC_PUSH(s->arena, &s->heap, label);
  uint32_t at = s->heap.count - 1;
  while (at > 0) {
    uint32_t up = (at - 1) / 2;
    if (!pops_before(s, label, s->heap.items[up]))
      break;
    s->heap.items[at] = s->heap.items[up];
    at = up;
  }
  s->heap.items[at] = label;
}

static uint32_t heap_pop(Search *s) {
  uint32_t top = s->heap.items[0];
  uint32_t moved = s->heap.items[--s->heap.count];
  uint32_t count = s->heap.count;
  uint32_t at = 0;
  while (2 * at + 1 < count) {
    uint32_t child = 2 * at + 1;
    if (child + 1 < count &&
        pops_before(s, s->heap.items[child + 1], s->heap.items[child]))
      child++;
    if (!pops_before(s, s->heap.items[child], moved))
      break;
    s->heap.items[at] = s->heap.items[child];
    at = child;
  }
  s->heap.items[at] = moved;
  return top;
}

// --- Labels ------------------------------------------------------------------

// Adds the label just made to its node unless it is no use; true: it stays.
static bool keep_label(Search *s, uint32_t label) {
  SearchNode *node = &s->nodes.items[s->labels.items[label].node];
  if (!node->is_joint) {
    if (node->is_settled || (node->best != 0 && !better(s, label, node->best)))
      return false;
    node->best = label;
    return true;
  }
  for (uint32_t i = 0; i < node->labels.count; i++) {
    if (dominates(s, node->labels.items[i], label))
      return false;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < node->labels.count; i++) {
    uint32_t other = node->labels.items[i];
    if (dominates(s, label, other))
      s->labels.items[other].is_dead = true;
    else
      node->labels.items[kept++] = other;
  }
  node->labels.count = kept;
  VEC_PUSH(s->arena, &node->labels, label);
  return true;
}

static void add_label(Search *s, Label label) {
  uint32_t index = s->labels.count;
  VEC_PUSH(s->arena, &s->labels, label);
  if (keep_label(s, index))
    heap_push(s, index);
  else
    s->labels.count--;
}

static uint64_t joint_chunk(const Search *s, uint32_t node) {
  const SearchNode *n = &s->nodes.items[node];
  return n->is_joint ? s->machine->memories[n->place.memory.index].chunk.value
                     : 0;
}

// The hop from a candidate's node to the node of label `after`.
static void extend(Search *s, Candidate candidate, uint32_t after) {
  const Label *next = &s->labels.items[after];
  uint64_t all;
  if (!full_price(s, candidate, &all))
    return;
  uint64_t chunk = joint_chunk(s, candidate.node);
  uint64_t other = joint_chunk(s, next->node);
  chunk = other > chunk ? other : chunk;
  bool is_chunked = chunk != 0;
  if (chunk > s->request->bytes)
    chunk = s->request->bytes;
  uint64_t part = all;
  if (is_chunked && !price_of(s, candidate, chunk, &part))
    return;
  Uint128 excess = next->finish - next->time;
  if (all > part && all - part > excess)
    excess = all - part;
  Label label = {.node = candidate.node,
                 .next = after,
                 .link = candidate.link,
                 .whole = candidate.whole,
                 .chunk = is_chunked ? chunk : 0,
                 .hops = next->hops + 1,
                 .time = next->time + part};
  label.finish = label.time + excess;
  if (!s->nodes.items[candidate.node].is_joint)
    label.time = label.finish;
  add_label(s, label);
}

// --- Expansion ---------------------------------------------------------------

// Notes that a link leads here from `from`; the fewest pairs win.
static void add_candidate(Search *s, Candidate candidate, Placement from) {
  candidate.node = node_at(s, from);
  SearchNode *node = &s->nodes.items[candidate.node];
  if (candidate.node == s->target ||
      (!node->can_pass && candidate.node != s->source))
    return;
  if (node->stamp != s->stamp || candidate.pairs < node->pairs) {
    node->stamp = s->stamp;
    node->pairs = candidate.pairs;
  }
  VEC_PUSH(s->arena, &s->candidates, candidate);
}

static void add_link_candidates(Search *s, uint32_t entering, Placement to) {
  const RouteGraph *graph = s->machine->graph;
  const LinkReach *reach = &graph->reach[entering];
  if (to.instance < reach->to_first || to.instance >= reach->to_end)
    return;
  Candidate candidate = {.link = graph->entering.links[entering],
                         .entering = entering,
                         .pairs = reach->pair_count};
  if (reach->pairs == PAIRS_SAME) {
    add_candidate(s, candidate, (Placement){reach->from, to.instance});
    return;
  }
  const U32Vec *instances = instances_of(s, reach->group);
  uint32_t low = 0;
  uint32_t high = instances->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (instances->items[middle] < reach->from_first)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < instances->count; low++) {
    uint32_t instance = instances->items[low];
    if (instance >= reach->from_end)
      return;
    if (reach->pairs != PAIRS_DIFFERENT || instance != to.instance)
      add_candidate(s, candidate, (Placement){reach->from, instance});
  }
}

// The links that enter an instance: those that name it alone, then the others.
static void add_entering(Search *s, Placement to) {
  const LinkIndex *entering = &s->machine->graph->entering;
  uint32_t memory = to.memory.index;
  uint32_t first = entering->first[memory];
  uint32_t wide = first + entering->singles[memory];
  uint32_t low = first;
  uint32_t high = wide;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s->machine->links[entering->links[middle]].to.from < to.instance)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < wide; low++) {
    if (s->machine->links[entering->links[low]].to.from != to.instance)
      break;
    add_link_candidates(s, low, to);
  }
  for (uint32_t i = wide; i < entering->first[memory + 1]; i++)
    add_link_candidates(s, i, to);
}

static Placement root_of(const Machine *machine, Placement part) {
  for (;;) {
    Placement whole = placement_whole(machine, part);
    if (whole.memory.index == 0)
      return part;
    part = whole;
  }
}

// In a family of parts of one memory every hop costs the same, so the first
// member that is reached serves all: no later one can offer less. Not so where
// parts have parts, or chunks.
static bool family_is_done(Search *s, uint32_t index, uint32_t instance) {
  const PartFamily *family = &s->machine->graph->families[index];
  if (family->is_nested || family->has_chunk)
    return false;
  uint64_t key = (uint64_t)index << 32 | instance;
  uint64_t ignored;
  if (map_get(&s->expanded_families, key, &ignored))
    return true;
  map_put(s->arena, &s->expanded_families, key, 1);
  return false;
}

static void add_parts(Search *s, Placement to) {
  const RouteGraph *graph = s->machine->graph;
  uint32_t index = graph->family[to.memory.index];
  if (index == 0)
    return;
  Placement root = root_of(s->machine, to);
  if (family_is_done(s, index, root.instance))
    return;
  const PartFamily *family = &graph->families[index];
  for (uint32_t i = 0; i < family->members.count; i++) {
    MemoryId memory = {family->members.items[i]};
    const U32Vec *instances = instances_of(s, memory_group(s->machine, memory));
    for (uint32_t k = 0; k < instances->count; k++) {
      Placement from = {memory, instances->items[k]};
      if (placement_equal(from, to) ||
          !placement_equal(root_of(s->machine, from), root))
        continue;
      Placement whole = common_whole(s->machine, from, to);
      Candidate candidate = {.whole = whole.memory, .pairs = UINT64_MAX};
      add_candidate(s, candidate, from);
    }
  }
}

static void expand(Search *s, uint32_t label) {
  Placement to = s->nodes.items[s->labels.items[label].node].place;
  s->stamp++;
  s->candidates.count = 0;
  add_entering(s, to);
  for (uint32_t i = 0; i < s->candidates.count; i++) {
    Candidate candidate = s->candidates.items[i];
    if (candidate.pairs == s->nodes.items[candidate.node].pairs)
      extend(s, candidate, label);
  }
  s->candidates.count = 0;
  add_parts(s, to);
  for (uint32_t i = 0; i < s->candidates.count; i++)
    extend(s, s->candidates.items[i], label);
}

// --- The search --------------------------------------------------------------

// The next label that is still of use, settled; 0: none is left.
static uint32_t next_label(Search *s) {
  while (s->heap.count > 0) {
    uint32_t label = heap_pop(s);
    SearchNode *node = &s->nodes.items[s->labels.items[label].node];
    if (s->labels.items[label].is_dead || node->is_settled)
      continue;
    if (node->is_joint)
      return label;
    node->is_settled = true;
    return node->best;
  }
  return 0;
}

static void start(Search *s) {
  const SearchRequest *r = s->request;
  VEC_EXTEND(s->arena, &s->nodes, 1);
  VEC_EXTEND(s->arena, &s->labels, 1);
  s->prices = ARENA_ARRAY(s->arena, LinkPrice, s->machine->link_count);
  s->first_nodes = ARENA_ARRAY(s->arena, uint32_t, s->machine->memory_count);
  s->instances = ARENA_ARRAY(s->arena, U32Vec, s->machine->topology_count);
  s->source = node_at(s, r->from);
  s->target = node_at(s, r->to);
  add_label(s, (Label){.node = s->target});
}

static void collect_hops(const Search *s, uint32_t label, FoundHops *hops) {
  while (s->labels.items[label].next != 0) {
    const Label *at = &s->labels.items[label];
    const Label *next = &s->labels.items[at->next];
    FoundHop hop = {at->link, at->whole, s->nodes.items[at->node].place,
                    s->nodes.items[next->node].place, at->chunk};
    VEC_PUSH(s->arena, hops, hop);
    label = at->next;
  }
}

bool search_route(Arena *scratch, const SearchRequest *request, FoundHops *hops,
                  Uint128 *price) {
  Search s = {
      .request = request, .machine = request->machine, .arena = scratch};
  start(&s);
  for (uint32_t label = next_label(&s); label != 0; label = next_label(&s)) {
    if (s.labels.items[label].node == s.source) {
      *price = s.labels.items[label].finish;
      collect_hops(&s, label, hops);
      return true;
    }
    expand(&s, label);
  }
  return false;
}
