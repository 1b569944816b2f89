// SPDX-License-Identifier: Apache-2.0
//
// Routes against exhaustive search on small random machines: every simple path
// is walked and priced from the rules of memory-model.md section 5 alone; the
// shortest times are found a second time by Floyd and Warshall. Machines are
// written as text, so that reading them is part of the test.

#include "unit/machine_fixture.h"
#include "unit/test.h"

enum { MOST_NODES = 12, MOST_EDGES = 400, ROUNDS = 1500 };

typedef struct {
  uint64_t state;
} Random;

static uint64_t below(Random *random, uint64_t limit) {
  random->state ^= random->state << 13;
  random->state ^= random->state >> 7;
  random->state ^= random->state << 17;
  return random->state % limit;
}

// --- The model: nodes are memory instances, edges are pairs ------------------

typedef struct {
  uint64_t limit; // bytes that fit; UINT64_MAX without
  uint64_t chunk; // 0: none
  uint64_t granule;
  bool is_read_only;
  bool is_cached;
} Cell;

typedef struct {
  uint32_t from, to; // nodes
  uint32_t link;     // order of declaration, for ties
  bool has_rate;
  bool has_weight;
  uint64_t rate, weight, latency; // latency in ps
} Edge;

typedef struct {
  Cell nodes[MOST_NODES];
  uint32_t node_count;
  Edge edges[MOST_EDGES];
  uint32_t edge_count;
  uint64_t bytes;
} Model;

static uint64_t edge_time(const Edge *edge, uint64_t bytes) {
  Uint128 product = (Uint128)bytes * 1000000000000;
  Uint128 time = product / edge->rate;
  if (product % edge->rate != 0)
    time++;
  return (uint64_t)time + edge->latency;
}

static uint64_t held_in(const Model *m, uint32_t node) {
  const Cell *n = &m->nodes[node];
  if (n->is_cached)
    return 0;
  uint64_t bytes = m->bytes;
  while (bytes % n->granule != 0)
    bytes++;
  uint64_t chunks = 2 * n->chunk;
  while (chunks % n->granule != 0)
    chunks++;
  return n->chunk != 0 && chunks < bytes ? chunks : bytes;
}

static bool can_pass(const Model *m, uint32_t node, bool is_filtered) {
  const Cell *n = &m->nodes[node];
  return !n->is_read_only && (!is_filtered || held_in(m, node) <= n->limit);
}

// --- All simple paths --------------------------------------------------------

typedef struct {
  uint32_t edges[MOST_NODES];
  uint32_t count;
  uint64_t price;
} Path;

typedef struct {
  const Model *m;
  uint32_t target;
  bool is_filtered, by_weight;
  bool seen[MOST_NODES];
  Path at;
  Path best;
  bool has_best;
} Walk;

static uint64_t min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t max_u64(uint64_t a, uint64_t b) { return a > b ? a : b; }

// Chunk of hop `i`: the larger one at its inner ends; 0 without.
static uint64_t hop_chunk(const Model *m, const Path *path, uint32_t i) {
  uint64_t chunk = 0;
  if (i > 0)
    chunk = m->nodes[m->edges[path->edges[i]].from].chunk;
  if (i + 1 < path->count)
    chunk = max_u64(chunk, m->nodes[m->edges[path->edges[i]].to].chunk);
  return min_u64(chunk, m->bytes);
}

// Stretches of hops joined by memories with `chunk`: the largest sum of one hop
// for all bytes and the others for a chunk.
static uint64_t time_of(const Model *m, const Path *path) {
  uint64_t total = 0;
  for (uint32_t first = 0; first < path->count;) {
    uint32_t end = first + 1;
    while (end < path->count &&
           m->nodes[m->edges[path->edges[end]].from].chunk != 0)
      end++;
    uint64_t dearest = 0;
    for (uint32_t whole = first; whole < end; whole++) {
      uint64_t sum = 0;
      for (uint32_t i = first; i < end; i++) {
        uint64_t chunk = hop_chunk(m, path, i);
        sum +=
            edge_time(&m->edges[path->edges[i]], i == whole ? m->bytes : chunk);
      }
      dearest = max_u64(dearest, sum);
    }
    total += dearest;
    first = end;
  }
  return total;
}

static uint64_t weight_of(const Model *m, const Path *path) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < path->count; i++) {
    const Edge *edge = &m->edges[path->edges[i]];
    total += edge->has_weight ? edge->weight : 1;
  }
  return total;
}

static bool is_better(const Model *m, const Path *a, const Path *b) {
  if (a->price != b->price)
    return a->price < b->price;
  if (a->count != b->count)
    return a->count < b->count;
  for (uint32_t i = 0; i < a->count; i++) {
    uint32_t left = m->edges[a->edges[i]].link;
    uint32_t right = m->edges[b->edges[i]].link;
    if (left != right)
      return left < right;
  }
  return false;
}

static void walk_from(Walk *w, uint32_t node) {
  const Model *m = w->m;
  if (node == w->target) {
    w->at.price = w->by_weight ? weight_of(m, &w->at) : time_of(m, &w->at);
    if (!w->has_best || is_better(m, &w->at, &w->best))
      w->best = w->at;
    w->has_best = true;
    return;
  }
  if (w->at.count > 0 && !can_pass(m, node, w->is_filtered))
    return;
  w->seen[node] = true;
  for (uint32_t e = 0; e < m->edge_count; e++) {
    const Edge *edge = &m->edges[e];
    if (edge->from != node || w->seen[edge->to] ||
        (!w->by_weight && !edge->has_rate))
      continue;
    w->at.edges[w->at.count++] = e;
    walk_from(w, edge->to);
    w->at.count--;
  }
  w->seen[node] = false;
}

static bool best_path(const Model *m, uint32_t from, uint32_t to,
                      bool *is_filtered, bool *by_weight, Path *best) {
  for (unsigned attempt = 0; attempt < 4; attempt++) {
    Walk walk = {.m = m,
                 .target = to,
                 .is_filtered = attempt < 2,
                 .by_weight = attempt % 2 == 1};
    walk_from(&walk, from);
    if (!walk.has_best)
      continue;
    *best = walk.best;
    *is_filtered = walk.is_filtered;
    *by_weight = walk.by_weight;
    return true;
  }
  return false;
}

// --- Floyd and Warshall: times without chunks --------------------------------

static bool shortest_time(const Model *m, uint32_t from, uint32_t to,
                          uint64_t *time) {
  static const uint64_t none = UINT64_MAX;
  uint64_t d[MOST_NODES][MOST_NODES];
  for (uint32_t i = 0; i < m->node_count; i++)
    for (uint32_t k = 0; k < m->node_count; k++)
      d[i][k] = i == k ? 0 : none;
  for (uint32_t e = 0; e < m->edge_count; e++) {
    const Edge *edge = &m->edges[e];
    if (edge->has_rate)
      d[edge->from][edge->to] =
          min_u64(d[edge->from][edge->to], edge_time(edge, m->bytes));
  }
  for (uint32_t via = 0; via < m->node_count; via++) {
    if (!can_pass(m, via, true))
      continue;
    for (uint32_t i = 0; i < m->node_count; i++)
      for (uint32_t k = 0; k < m->node_count; k++)
        if (d[i][via] != none && d[via][k] != none)
          d[i][k] = min_u64(d[i][k], d[i][via] + d[via][k]);
  }
  *time = d[from][to];
  return d[from][to] != none;
}

// --- Comparing ---------------------------------------------------------------

// What both sides are given to name a node.
typedef struct {
  const char *memory;
  uint32_t instance;
} NodeName;

static void compare(Test *test, Fixture *f, const Model *m,
                    const NodeName *names, uint32_t from, uint32_t to,
                    bool has_chunks) {
  Route route = fixture_route(
      f, fixture_place(f, names[from].memory, names[from].instance),
      fixture_place(f, names[to].memory, names[to].instance), m->bytes);
  Path best;
  bool is_filtered = true;
  bool by_weight = false;
  if (!best_path(m, from, to, &is_filtered, &by_weight, &best)) {
    EXPECT_EQ(route.status, ROUTE_NONE);
    return;
  }
  EXPECT_EQ(route.status, is_filtered ? ROUTE_FOUND : ROUTE_TRANSIT_TOO_SMALL);
  EXPECT_EQ(route.hop_count, best.count);
  EXPECT_EQ(by_weight ? route.total.weight : route.total.value, best.price);
  uint32_t own = 0; // of the first declared link
  while (f->machine->links[own + 1].topology.index == 0)
    own++;
  for (uint32_t i = 0; i < best.count && i < route.hop_count; i++)
    EXPECT_EQ(route.hops[i].link.index, own + m->edges[best.edges[i]].link);
  uint64_t time;
  if (!has_chunks && !by_weight && is_filtered &&
      EXPECT(shortest_time(m, from, to, &time)))
    EXPECT_EQ(route.total.value, time);
}

// --- Random machines ---------------------------------------------------------

static void put_cost(Random *random, Text *text, Edge *edge) {
  static const uint64_t rates[] = {1, 2, 3, 4, 6, 7};
  static const uint64_t latencies[] = {0, 0, 5, 40, 1000};
  if (below(random, 8) == 0) {
    edge->has_weight = true;
    edge->weight = below(random, 5);
    text_format(text, " : %llu", (unsigned long long)edge->weight);
    return;
  }
  if (below(random, 10) == 0)
    return; // unknown
  edge->has_rate = true;
  edge->rate = rates[below(random, COUNT_OF(rates))] * 1000000000;
  text_format(text, " : %llu GB/s",
              (unsigned long long)(edge->rate / 1000000000));
  uint64_t latency = latencies[below(random, COUNT_OF(latencies))];
  edge->latency = latency * 1000;
  if (latency != 0 || below(random, 2) == 0)
    text_format(text, " latency %llu ns", (unsigned long long)latency);
}

static const char *const letters[] = {"A", "B", "C", "D", "E", "F"};

static void put_memory(Random *random, Text *text, Cell *node, uint32_t i,
                       bool has_chunks) {
  *node = (Cell){.limit = UINT64_MAX, .granule = 1};
  text_format(text, "Memory %s { ", letters[i]);
  if (below(random, 3) == 0) {
    node->limit = 1 + below(random, 4000);
    text_format(text, "capacity: %llu B, ", (unsigned long long)node->limit);
  }
  if (below(random, 4) == 0) {
    node->granule = 1 + min_u64(node->limit - 1, below(random, 64));
    text_format(text, "granule: %llu B, ", (unsigned long long)node->granule);
  }
  if (has_chunks && below(random, 2) == 0) {
    node->chunk = 1 + below(random, 1500);
    text_format(text, "chunk: %llu B, ", (unsigned long long)node->chunk);
  }
  if (below(random, 10) == 0) {
    node->is_read_only = true;
    text_puts(text, "access: read, ");
  }
  if (below(random, 8) == 0) {
    node->is_cached = true;
    text_puts(text, "managed: cached, ");
  }
  text_puts(text, "}\n");
}

static void check_plain(Test *test, Random *random, bool has_chunks) {
  Fixture f;
  fixture_start(&f);
  Text text = text_new(&f.arena);
  Model m = {.node_count = 3 + (uint32_t)below(random, 4),
             .bytes = below(random, 5000)};
  NodeName names[MOST_NODES];
  for (uint32_t i = 0; i < m.node_count; i++) {
    put_memory(random, &text, &m.nodes[i], i, has_chunks);
    names[i] = (NodeName){letters[i], 0};
  }
  text_puts(&text, "Topology T { memory: Memory::A,\n");
  uint32_t links = m.node_count + (uint32_t)below(random, 8);
  while (m.edge_count < links) {
    Edge edge = {.from = (uint32_t)below(random, m.node_count),
                 .to = (uint32_t)below(random, m.node_count),
                 .link = m.edge_count + 1};
    if (edge.from == edge.to)
      continue;
    text_format(&text, "  transfer Memory::%s -> Memory::%s",
                letters[edge.from], letters[edge.to]);
    put_cost(random, &text, &edge);
    text_puts(&text, ",\n");
    m.edges[m.edge_count++] = edge;
  }
  text_puts(&text, "}\n");
  fixture_add(&f, MACHINE_INPUT_FILE, "m.vx", text_str(&text));
  fixture_build(&f);
  EXPECT_EQ(f.sink.error_count, 0);
  for (uint32_t to = 1; to < m.node_count; to++)
    compare(test, &f, &m, names, 0, to, has_chunks);
  if (test->failures != 0)
    printf("%.*s%llu bytes\n", STR_ARG(text_str(&text)),
           (unsigned long long)m.bytes);
  fixture_end(&f);
}

TEST(plain_graphs) {
  Random random = {UINT64_C(0x9e3779b97f4a7c15)};
  for (int i = 0; i < ROUNDS && test->failures == 0; i++)
    check_plain(test, &random, false);
}

TEST(chunked_graphs) {
  Random random = {UINT64_C(0xd1b54a32d192ed03)};
  for (int i = 0; i < ROUNDS && test->failures == 0; i++)
    check_plain(test, &random, true);
}

// --- Instances ---------------------------------------------------------------

// Memories of one device of `count` instances: A (its own), B within A; C is
// shared. Node of (memory, instance): A 0.., B count.., C last.
enum { OWN, INNER, SHARED };

typedef struct {
  uint32_t memory;
  bool has_range;
  uint32_t first, end;
} End;

static uint32_t node_of(uint32_t count, uint32_t memory, uint32_t instance) {
  return memory == SHARED ? 2 * count : memory * count + instance;
}

static End make_end(Random *random, uint32_t count) {
  End end = {.memory = (uint32_t)below(random, 3), .end = count};
  if (end.memory == SHARED) {
    end.end = 1;
    return end;
  }
  if (below(random, 2) == 0)
    return end;
  end.has_range = true;
  end.first = (uint32_t)below(random, count);
  end.end = end.first + 1;
  if (below(random, 2) == 0)
    end.end += (uint32_t)below(random, count - end.first);
  return end;
}

static void put_end(Text *text, End end) {
  text_format(text, "Memory::%s", letters[end.memory]);
  if (end.has_range && end.end - end.first == 1)
    text_format(text, "[%u]", end.first);
  else if (end.has_range)
    text_format(text, "[%u..%u]", end.first, end.end);
}

// Does the link join these two instances?
static bool joins(End from, End to, uint32_t i, uint32_t k) {
  if (from.memory == to.memory && i == k)
    return false;
  if (i < from.first || i >= from.end || k < to.first || k >= to.end)
    return false;
  bool same_device =
      from.memory != SHARED && to.memory != SHARED && from.memory != to.memory;
  return !same_device || (from.has_range && to.has_range) || i == k;
}

static uint32_t count_pairs(End from, End to, uint32_t count) {
  uint32_t pairs = 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++)
      pairs += joins(from, to, i, k);
  return pairs;
}

typedef struct {
  End from, to;
  uint32_t pairs;
  Edge cost;
} RangedLink;

// The pair's edges: those of the links with the fewest pairs.
static void add_pair(Model *m, const RangedLink *links, uint32_t link_count,
                     uint32_t count, End from, End to, uint32_t i, uint32_t k) {
  uint32_t fewest = UINT32_MAX;
  for (uint32_t l = 0; l < link_count; l++) {
    if (links[l].from.memory == from.memory &&
        links[l].to.memory == to.memory &&
        joins(links[l].from, links[l].to, i, k) && links[l].pairs < fewest)
      fewest = links[l].pairs;
  }
  for (uint32_t l = 0; l < link_count; l++) {
    if (links[l].from.memory != from.memory ||
        links[l].to.memory != to.memory || links[l].pairs != fewest ||
        !joins(links[l].from, links[l].to, i, k))
      continue;
    Edge edge = links[l].cost;
    edge.from = node_of(count, from.memory, i);
    edge.to = node_of(count, to.memory, k);
    edge.link = l + 1;
    CHECK(m->edge_count < MOST_EDGES);
    m->edges[m->edge_count++] = edge;
  }
}

static void add_pairs(Model *m, const RangedLink *links, uint32_t link_count,
                      uint32_t count) {
  for (uint32_t a = 0; a < 3; a++) {
    for (uint32_t b = 0; b < 3; b++) {
      End from = {.memory = a};
      End to = {.memory = b};
      for (uint32_t i = 0; i < (a == SHARED ? 1 : count); i++)
        for (uint32_t k = 0; k < (b == SHARED ? 1 : count); k++)
          add_pair(m, links, link_count, count, from, to, i, k);
    }
  }
}

static void check_instances(Test *test, Random *random) {
  enum { MOST_LINKS = 6 };
  Fixture f;
  fixture_start(&f);
  Text text = text_new(&f.arena);
  uint32_t count = 2 + (uint32_t)below(random, 3);
  Model m = {.node_count = 2 * count + 1, .bytes = below(random, 5000)};
  NodeName names[MOST_NODES];
  for (uint32_t i = 0; i < m.node_count; i++) {
    m.nodes[i] = (Cell){.limit = UINT64_MAX, .granule = 1};
    names[i] = (NodeName){letters[i / count], i % count};
  }
  text_format(&text,
              "Memory A {} Memory B { within: Memory::A } Memory C {}\n"
              "Topology T { memory: Memory::A, count: %u,\n",
              count);
  RangedLink links[MOST_LINKS];
  uint32_t link_count = 0;
  while (link_count < MOST_LINKS) {
    RangedLink *link = &links[link_count];
    *link = (RangedLink){.from = make_end(random, count),
                         .to = make_end(random, count)};
    link->pairs = count_pairs(link->from, link->to, count);
    bool is_self =
        link->from.memory == link->to.memory && link->from.memory == SHARED;
    if (link->pairs == 0 || is_self)
      continue;
    text_puts(&text, "  transfer ");
    put_end(&text, link->from);
    text_puts(&text, " -> ");
    put_end(&text, link->to);
    put_cost(random, &text, &link->cost);
    text_puts(&text, ",\n");
    link_count++;
  }
  text_puts(&text, "}\n");
  add_pairs(&m, links, link_count, count);
  fixture_add(&f, MACHINE_INPUT_FILE, "m.vx", text_str(&text));
  fixture_build(&f);
  EXPECT_EQ(f.sink.error_count, 0);
  uint32_t from = (uint32_t)below(random, m.node_count);
  for (uint32_t to = 0; to < m.node_count; to++) {
    if (to != from)
      compare(test, &f, &m, names, from, to, false);
  }
  if (test->failures != 0)
    printf("%.*s%llu bytes from %u\n", STR_ARG(text_str(&text)),
           (unsigned long long)m.bytes, from);
  fixture_end(&f);
}

TEST(instances_and_ranges) {
  Random random = {UINT64_C(0x94d049bb133111eb)};
  for (int i = 0; i < ROUNDS / 3 && test->failures == 0; i++)
    check_instances(test, &random);
}

int main(void) {
  return RUN_TESTS(CASE(plain_graphs), CASE(chunked_graphs),
                   CASE(instances_and_ranges));
}
