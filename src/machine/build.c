// SPDX-License-Identifier: Apache-2.0
//
// From parsed items to a machine: collect what is declared, read declarations,
// then what extends them, then `--set`; check the whole; derive owners, limits
// and the route graph. Every step is linear (or n log n) in the inputs.

#include "machine/internal.h"

// --- Identical bodies --------------------------------------------------------

// The first token at or after an offset.
static uint32_t token_at(const Tree *tree, uint32_t offset) {
  uint32_t low = 1;
  uint32_t high = tree->tokens.items.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (tree->tokens.items.items[middle].start < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

typedef struct {
  const Tree *tree;
  uint32_t at;
  uint32_t end; // source offset
} TokenWalk;

static bool is_closing(uint8_t kind) {
  return kind == TOKEN_RBRACE || kind == TOKEN_RBRACKET;
}

// The next token of an item, 0 at its end; a comma before a closing delimiter
// is passed over.
static uint32_t next_token(TokenWalk *walk) {
  const Token *tokens = walk->tree->tokens.items.items;
  uint32_t count = walk->tree->tokens.items.count;
  while (walk->at < count && tokens[walk->at].start < walk->end) {
    uint32_t at = walk->at++;
    bool is_last_comma = tokens[at].kind == TOKEN_COMMA && at + 1 < count &&
                         is_closing(tokens[at + 1].kind);
    if (!is_last_comma)
      return at;
  }
  return 0;
}

static TokenWalk walk_item(ItemPlace where) {
  Span span = node_span(where.tree, where.item);
  return (TokenWalk){where.tree, token_at(where.tree, span.start),
                     span_end(span)};
}

static bool same_body(ItemPlace a, ItemPlace b) {
  TokenWalk left = walk_item(a);
  TokenWalk right = walk_item(b);
  for (;;) {
    TokenId left_token = {next_token(&left)};
    TokenId right_token = {next_token(&right)};
    if (left_token.index == 0 || right_token.index == 0)
      return left_token.index == right_token.index;
    if (!str_equal(token_text(a.tree, left_token),
                   token_text(b.tree, right_token)))
      return false;
  }
}

// --- Collecting --------------------------------------------------------------

static TokenId item_name(ItemPlace where, bool is_topology) {
  return is_topology ? topology_item(where.tree, where.item).name
                     : memory_item(where.tree, where.item).name;
}

// A second declaration of a name: silent when it says the same in another file.
static void report_duplicate(Builder *b, ItemPlace where, ItemPlace first,
                             bool is_topology) {
  bool same_file = where.tree->file.index == first.tree->file.index;
  if (!same_file && same_body(where, first))
    return;
  TokenId name = item_name(where, is_topology);
  const SourceFile *file = source_file(b->sources, first.tree->file);
  Diagnostic *d =
      diag_declared_in_two(b->sink, token_span(where.tree, name),
                           is_topology ? STR("topology") : STR("memory space"),
                           token_text(where.tree, name), file->path);
  diag_add_label(b->sink, d,
                 token_span(first.tree, item_name(first, is_topology)),
                 STR("first declared here"));
}

static void declare_memory(Builder *b, ItemPlace where) {
  TokenId token = memory_item(where.tree, where.item).name;
  Name name = intern(b->interner, token_text(where.tree, token));
  Span span = token_span(where.tree, token);
  uint64_t found;
  if (!map_get(&b->memory_names, name.index, &found)) {
    Memory memory = {.name = name, .span = span};
    memory_set_defaults(&memory);
    map_put(&b->scratch, &b->memory_names, name.index, b->memories.count);
    VEC_PUSH(b->arena, &b->memories, memory);
    VEC_PUSH(&b->scratch, &b->memory_places, where);
    return;
  }
  Memory *known = &b->memories.items[found];
  if (!known->is_builtin) {
    report_duplicate(b, where, b->memory_places.items[found], false);
    return;
  }
  known->is_builtin = false;
  known->span = span;
  b->memory_places.items[found] = where;
}

static void declare_topology(Builder *b, ItemPlace where) {
  TokenId token = topology_item(where.tree, where.item).name;
  Name name = intern(b->interner, token_text(where.tree, token));
  Span span = token_span(where.tree, token);
  if (str_equal(name_text(b->interner, name), STR("Current"))) {
    diag_shadows_builtin(b->sink, span, STR("Current"));
    return; // where the code runs
  }
  uint64_t found;
  if (!map_get(&b->topology_names, name.index, &found)) {
    Topology topology = {.name = name, .span = span, .count = {.value = 1}};
    map_put(&b->scratch, &b->topology_names, name.index, b->topologies.count);
    VEC_PUSH(b->arena, &b->topologies, topology);
    VEC_PUSH(&b->scratch, &b->topology_places, where);
    return;
  }
  if (!b->topologies.items[found].is_builtin) {
    report_duplicate(b, where, b->topology_places.items[found], true);
    return;
  }
  Str text = name_text(b->interner, name);
  Diagnostic *d = diag_shadows_builtin(b->sink, span, text);
  diag_add_help(b->sink, d,
                str_format(&b->scratch,
                           "choose another name, or write `extend Topology "
                           "%.*s { .. }` to add to the built-in one",
                           STR_ARG(text)));
}

static bool is_extend(ItemPlace where, bool is_topology) {
  uint32_t flags = is_topology ? topology_item(where.tree, where.item).flags
                               : memory_item(where.tree, where.item).flags;
  return (flags & MACHINE_EXTEND) != 0;
}

static void collect_item(Builder *b, ItemPlace where, bool is_topology) {
  if (item_name(where, is_topology).index == 0 || is_extend(where, is_topology))
    return;
  if (is_topology)
    declare_topology(b, where);
  else
    declare_memory(b, where);
}

static void collect_extend(Builder *b, ItemPlace where, bool is_topology) {
  TokenId token = item_name(where, is_topology);
  if (token.index == 0 || !is_extend(where, is_topology))
    return;
  Str text = token_text(where.tree, token);
  Map *names = is_topology ? &b->topology_names : &b->memory_names;
  uint64_t found;
  if (map_get(names, intern(b->interner, text).index, &found)) {
    Extend extend = {(uint32_t)found, where};
    if (is_topology)
      VEC_PUSH(&b->scratch, &b->topology_extends, extend);
    else
      VEC_PUSH(&b->scratch, &b->memory_extends, extend);
    return;
  }
  Diagnostic *d = diag_extended_undeclared(
      b->sink, token_span(where.tree, token),
      is_topology ? STR("topology") : STR("memory space"), text);
  Str closest = is_topology
                    ? machine_suggest_topology(&b->scratch, b->machine, text)
                    : machine_suggest_memory(&b->scratch, b->machine, text);
  if (closest.length != 0)
    diag_add_fixit(b->sink, d, token_span(where.tree, token), closest,
                   STR("did you mean"));
}

typedef void (*Collector)(Builder *b, ItemPlace where, bool is_topology);

static void each_item(Builder *b, const MachineInput *input,
                      Collector collect) {
  const Tree *tree = input->tree;
  if (tree->root.index == 0 || node_kind(tree, tree->root) != NODE_Module)
    return;
  NodeList items = module(tree, tree->root).items;
  for (uint32_t i = 0; i < items.count; i++) {
    NodeId item = list_at(tree, items, i);
    NodeKind kind = node_kind(tree, item);
    if (kind == NODE_MemoryItem || kind == NODE_TopologyItem)
      collect(b, (ItemPlace){tree, item, input->kind},
              kind == NODE_TopologyItem);
  }
}

// Command-line overrides come last, whatever their place in the list.
static void each_input(Builder *b, const MachineInput *inputs, size_t count,
                       Collector collect) {
  for (size_t i = 0; i < count; i++) {
    b->has_program |= inputs[i].kind == MACHINE_INPUT_PROGRAM;
    if (inputs[i].kind != MACHINE_INPUT_OVERRIDE)
      each_item(b, &inputs[i], collect);
  }
  for (size_t i = 0; i < count; i++) {
    if (inputs[i].kind == MACHINE_INPUT_OVERRIDE)
      each_item(b, &inputs[i], collect);
  }
}

// --- Reading -----------------------------------------------------------------

// From here on the arrays of memories and topologies keep their place.
static void publish(Builder *b) {
  Machine *machine = b->machine;
  machine->memories = b->memories.items;
  machine->memory_count = b->memories.count;
  machine->topologies = b->topologies.items;
  machine->topology_count = b->topologies.count;
}

static void read_items(Builder *b) {
  for (uint32_t i = 1; i < b->memories.count; i++) {
    if (b->memory_places.items[i].tree != NULL)
      read_memory_item(b, (MemoryId){i}, b->memory_places.items[i]);
  }
  for (uint32_t i = 0; i < b->memory_extends.count; i++) {
    Extend extend = b->memory_extends.items[i];
    read_memory_item(b, (MemoryId){extend.index}, extend.place);
  }
  for (uint32_t i = 1; i < b->topologies.count; i++) {
    if (b->topology_places.items[i].tree != NULL)
      read_topology_item(b, (TopologyId){i}, b->topology_places.items[i]);
  }
  for (uint32_t i = 0; i < b->topology_extends.count; i++) {
    Extend extend = b->topology_extends.items[i];
    read_topology_item(b, (TopologyId){extend.index}, extend.place);
  }
}

// A declared link between two memories replaces the built-in one.
static void drop_replaced_builtin_links(Builder *b) {
  uint32_t builtin_count = 1;
  while (builtin_count < b->links.count &&
         b->links.items[builtin_count].topology.index == 0)
    builtin_count++;
  for (uint32_t i = builtin_count; i < b->links.count; i++) {
    const Link *link = &b->links.items[i];
    for (uint32_t k = 1; k < builtin_count; k++) {
      const Link *known = &b->links.items[k];
      if (known->from.memory.index == link->from.memory.index &&
          known->to.memory.index == link->to.memory.index)
        b->link_sources.items[k].is_dropped = true;
    }
  }
}

// The links that are left, in the arena of the machine.
static void publish_links(Builder *b) {
  Machine *machine = b->machine;
  machine->links = ARENA_ARRAY(b->arena, Link, b->links.count);
  machine->link_count = 1;
  for (uint32_t i = 1; i < b->links.count; i++) {
    if (!b->link_sources.items[i].is_dropped)
      machine->links[machine->link_count++] = b->links.items[i];
  }
}

static void note_host(Builder *b) {
  Machine *machine = b->machine;
  machine->host_memory = (MemoryId){1};
  machine->has_host = !machine->memories[1].is_builtin;
  for (uint32_t i = 1; i < machine->memory_count; i++)
    machine->has_device_scope |= machine->memories[i].scope == SCOPE_DEVICE;
}

static void set_capacity_defaults(Machine *machine) {
  for (uint32_t i = 1; i < machine->memory_count; i++) {
    Memory *memory = &machine->memories[i];
    if (!memory->usable.is_set)
      memory->usable.value = memory->capacity.value;
  }
}

static void start(Builder *b) {
  VEC_EXTEND(b->arena, &b->memories, 1); // index 0 is "none" everywhere
  VEC_EXTEND(b->arena, &b->topologies, 1);
  VEC_EXTEND(&b->scratch, &b->links, 1);
  VEC_EXTEND(&b->scratch, &b->link_sources, 1);
  VEC_EXTEND(&b->scratch, &b->memory_places, 1);
  VEC_EXTEND(&b->scratch, &b->topology_places, 1);
}

Machine *machine_build(Arena *arena, Interner *interner, SourceMap *sources,
                       const MachineInput *inputs, size_t input_count,
                       DiagSink *sink) {
  Builder b = {.arena = arena,
               .errors_before = sink->error_count,
               .interner = interner,
               .sources = sources,
               .sink = sink,
               .machine = ARENA_NEW(arena, Machine)};
  b.machine->interner = interner;
  b.machine->sources = sources;
  DiagPhase phase_before = sink->phase;
  sink->phase = PHASE_MACHINE;
  start(&b);
  builtin_add(&b);
  each_input(&b, inputs, input_count, collect_item);
  publish(&b);
  each_input(&b, inputs, input_count, collect_extend);
  read_items(&b);
  check_containment(&b);
  check_sizes(&b);
  check_topologies(&b);
  derive_owners(b.machine);
  check_counts(&b);
  drop_replaced_builtin_links(&b);
  check_link_ends(&b);
  publish_links(&b);
  set_capacity_defaults(b.machine);
  derive_limits(b.machine);
  note_host(&b);
  graph_build(arena, b.machine);
  check_link_costs(&b);
  check_links(&b);
  attach_citations(b.machine, arena, inputs, input_count);
  sink->phase = phase_before;
  arena_free(&b.scratch);
  return b.machine;
}
