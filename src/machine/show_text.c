// SPDX-License-Identifier: Apache-2.0
//
// `vxc machine show`: a machine as a picture. Memories as a tree, topologies,
// links, routes.

#include "machine/internal.h"

enum {
  MOST_MEMORIES = 200,
  MOST_TOPOLOGIES = 50,
  MOST_LINKS = 100,
  MOST_ROUTES = 40,
  MOST_INDENT = 12, // levels of the tree that are drawn
};

typedef struct {
  Text *out;
  const Machine *machine;
  Arena *arena;
  bool use_color;
  uint32_t width;
} Show;

// --- Cells -------------------------------------------------------------------

static Str none(void) { return STR("-"); }

static Str size_cell(Show *s, bool is_set, uint64_t bytes) {
  if (!is_set)
    return none();
  Text text = text_new(s->arena);
  text_size(&text, BYTES(bytes));
  return text_str(&text);
}

static Str figure_cell(Show *s, const Figure *figure, Dimension dimension) {
  if (!figure->is_set)
    return none();
  Text text = text_new(s->arena);
  text_measure(&text, figure_measure(figure, dimension));
  return text_str(&text);
}

// One letter for where a figure comes from: a capital where a reading of an
// instrument stands beside the claim.
static char provenance_mark(const Figure *figure) {
  if (!figure->is_set)
    return '-';
  if (figure->citations == NULL)
    return '?';
  bool is_read_too = find_citation(figure, CITATION_MEASURED) != NULL;
  switch (figure->citations->kind) {
  case CITATION_SPEC:
    return is_read_too ? 'S' : 's';
  case CITATION_DERIVED:
    return is_read_too ? 'D' : 'd';
  case CITATION_POLICY:
    return is_read_too ? 'P' : 'p';
  case CITATION_MEASURED:
    return 'm';
  case CITATION_UNVERIFIED:
    return is_read_too ? 'U' : 'u';
  case CITATION_NONE:
    break;
  }
  return '?';
}

// --- Memories ----------------------------------------------------------------

// Children of each memory, in the order of declaration: `within`, else
// `part_of`.
typedef struct {
  uint32_t *first;
  uint32_t *next;
} Children;

static uint32_t parent_of(const Memory *memory) {
  return memory->within.index != 0 ? memory->within.index
                                   : memory->part_of.index;
}

static Children find_children(Show *s, const U32Vec *memories) {
  uint32_t count = s->machine->memory_count;
  Children children = {ARENA_ARRAY(s->arena, uint32_t, count),
                       ARENA_ARRAY(s->arena, uint32_t, count)};
  bool *is_shown = ARENA_ARRAY(s->arena, bool, count);
  for (uint32_t i = 0; i < memories->count; i++)
    is_shown[memories->items[i]] = true;
  for (uint32_t i = memories->count; i-- > 0;) {
    uint32_t memory = memories->items[i];
    uint32_t parent = parent_of(&s->machine->memories[memory]);
    parent = is_shown[parent] ? parent : 0;
    children.next[memory] = children.first[parent];
    children.first[parent] = memory;
  }
  return children;
}

// "HBM [x8]", "L2 cached", "HBM part of UNIFIED".
static Str memory_label(Show *s, uint32_t index, Str branches) {
  const Memory *memory = &s->machine->memories[index];
  Text text = text_new(s->arena);
  text_put(&text, branches);
  text_put(&text, memory_name(s->machine, (MemoryId){index}));
  if (memory->replicas.value > 1)
    text_format(&text, " x%llu", (unsigned long long)memory->replicas.value);
  if (memory->instances > 1 && memory->instances != INSTANCES_OPEN)
    text_format(&text, " [0..%u]", memory->instances);
  if (memory->is_cached)
    text_puts(&text, " (cached)");
  if (memory->is_read_only)
    text_puts(&text, " (read only)");
  if (memory->part_of.index != 0) {
    Str whole = memory_name(s->machine, memory->part_of);
    text_format(&text, " (part of %.*s)", STR_ARG(whole));
  }
  if (memory->is_overcommit)
    text_puts(&text, " (overcommit)");
  return text_str(&text);
}

// Capacity times replicas, in one device.
static Str total_cell(Show *s, const Memory *memory) {
  if (!memory->capacity.is_set)
    return none();
  Bytes total =
      bytes_mul(BYTES(memory->capacity.value), memory->replicas.value);
  Text text = text_new(s->arena);
  text_size(&text, total);
  return text_str(&text);
}

static void add_memory_row(Show *s, Table *table, uint32_t index,
                           Str branches) {
  const Memory *memory = &s->machine->memories[index];
  table_add(table, memory_label(s, index, branches));
  table_add(table,
            size_cell(s, memory->capacity.is_set, memory->capacity.value));
  table_add(table, size_cell(s, memory->has_limit, memory->limit));
  table_add(table, total_cell(s, memory));
  table_add(table, figure_cell(s, &memory->bandwidth, DIMENSION_RATE));
  table_add(table, figure_cell(s, &memory->latency, DIMENSION_DURATION));
  table_add(table, memory->scope == SCOPE_UNSCOPED
                       ? none()
                       : str_from(scope_name(memory->scope)));
  table_add(table,
            str_format(s->arena, "%c%c%c", provenance_mark(&memory->capacity),
                       provenance_mark(&memory->bandwidth),
                       provenance_mark(&memory->latency)));
}

typedef struct {
  uint32_t memory;
  uint32_t depth;
  Str stem; // what its children's branches begin with
} TreeStep;

// Depth first, without recursion: a chain may be as long as the file.
static uint32_t add_tree(Show *s, Table *table, Children children) {
  VEC(TreeStep) stack = {0};
  uint32_t rows = 0;
  Str empty = {"", 0};
  if (children.first[0] != 0)
    VEC_PUSH(s->arena, &stack, (TreeStep){children.first[0], 0, empty});
  while (stack.count > 0 && rows < MOST_MEMORIES) {
    TreeStep step = stack.items[--stack.count];
    uint32_t next = children.next[step.memory];
    bool is_drawn = step.depth > 0 && step.depth <= MOST_INDENT;
    Str branches = step.stem;
    Str stem = step.stem;
    if (is_drawn) {
      const char *branch = next != 0 ? "├─ " : "└─ ";
      const char *line = next != 0 ? "│  " : "   ";
      branches = str_format(s->arena, "%.*s%s", STR_ARG(step.stem), branch);
      stem = str_format(s->arena, "%.*s%s", STR_ARG(step.stem), line);
    }
    add_memory_row(s, table, step.memory, branches);
    rows++;
    if (next != 0)
      VEC_PUSH(s->arena, &stack, (TreeStep){next, step.depth, step.stem});
    if (children.first[step.memory] != 0)
      VEC_PUSH(s->arena, &stack,
               (TreeStep){children.first[step.memory], step.depth + 1, stem});
  }
  return rows;
}

static void add_head(Table *table, const char *const *words) {
  for (uint32_t i = 0; i < table->columns; i++)
    table_add(table, str_from(words[i]));
}

static void show_memories(Show *s) {
  static const bool is_right[] = {false, true, true,  true,
                                  true,  true, false, false};
  static const char *const head[] = {"memory",    "capacity", "limit", "total",
                                     "bandwidth", "latency",  "scope", "src"};
  Table table = {
      .arena = s->arena, .columns = COUNT_OF(head), .is_right = is_right};
  U32Vec memories = {0};
  shown_memories(s->arena, s->machine, &memories);
  add_head(&table, head);
  uint32_t rows = add_tree(s, &table, find_children(s, &memories));
  table_print(s->out, &table, s->use_color, s->width);
  if (rows < memories.count)
    text_format(s->out, "and %u more memories\n", memories.count - rows);
  text_puts(s->out,
            "src: where capacity, bandwidth and latency come from: m measured, "
            "s spec, d derived,\n     p policy, u unverified, ? no citation; a "
            "capital: a measurement stands beside it\n");
}

// Values that an `extend` or the command line replaced.
static void show_replaced(Show *s) {
  FigureEntries figures = {0};
  collect_figures(s->arena, s->machine, &figures);
  for (uint32_t i = 0; i < figures.count; i++) {
    const FigureEntry *entry = &figures.items[i];
    for (const Replaced *old = entry->figure->replaced; old != NULL;
         old = old->next) {
      Str owner = figure_owner_words(s->arena, s->machine, entry);
      Str now = source_text(s->machine->sources, entry->figure->span);
      Location where = source_locate(s->machine->sources, old->span.start);
      text_format(s->out, "%s of %.*s: %.*s replaces %.*s",
                  entry->part != NULL ? entry->part : entry->field,
                  STR_ARG(owner), STR_ARG(now), STR_ARG(old->value));
      if (where.file.index != 0) {
        Str path = source_file(s->machine->sources, where.file)->path;
        text_format(s->out, " (%.*s:%u:%u)", STR_ARG(path), where.line,
                    where.column);
      }
      text_char(s->out, '\n');
    }
  }
}

// --- Topologies --------------------------------------------------------------

// Of the built-in ones the host, where it is declared, and what sees something
// that is not built in.
static bool is_shown_topology(const Machine *machine, uint32_t index) {
  const Topology *topology = &machine->topologies[index];
  for (uint32_t i = 0; i < topology->visible_count; i++) {
    if (!builtin_has_memory(topology->visible[i].memory))
      return true;
  }
  return !topology->is_builtin || index == 1;
}

static Str names_cell(Show *s, const Topology *topology) {
  Text text = text_new(s->arena);
  for (uint32_t i = 0; i < topology->visible_count; i++) {
    const Visible *entry = &topology->visible[i];
    uint32_t instances = s->machine->memories[entry->memory.index].instances;
    bool is_many = instances > 1 && instances != INSTANCES_OPEN;
    text_format(&text, "%s%.*s%s", i == 0 ? "" : ", ",
                STR_ARG(memory_name(s->machine, entry->memory)),
                entry->all_instances && is_many ? "[..]" : "");
  }
  return text_str(&text);
}

static void add_topology_row(Show *s, Table *table, uint32_t index) {
  const Topology *topology = &s->machine->topologies[index];
  Str name = topology_name(s->machine, (TopologyId){index});
  bool is_many =
      topology->instances > 1 && topology->instances != INSTANCES_OPEN;
  table_add(table, is_many ? str_format(s->arena, "%.*s [0..%u]", STR_ARG(name),
                                        topology->instances)
                           : name);
  table_add(table, topology->arch.index == 0
                       ? none()
                       : name_text(s->machine->interner, topology->arch));
  table_add(table, memory_name(s->machine, topology->memory));
  table_add(table, names_cell(s, topology));
}

static void show_topologies(Show *s) {
  static const bool is_right[] = {false, false, false, false};
  static const char *const head[] = {"topology", "arch", "memory", "sees"};
  Table table = {
      .arena = s->arena, .columns = COUNT_OF(head), .is_right = is_right};
  add_head(&table, head);
  uint32_t rows = 0;
  uint32_t more = 0;
  for (uint32_t i = 1; i < s->machine->topology_count; i++) {
    if (!is_shown_topology(s->machine, i))
      continue;
    if (rows < MOST_TOPOLOGIES) {
      add_topology_row(s, &table, i);
      rows++;
    } else {
      more++;
    }
  }
  if (rows == 0)
    return;
  text_char(s->out, '\n');
  table_print(s->out, &table, s->use_color, s->width);
  if (more > 0)
    text_format(s->out, "and %u more topologies\n", more);
}

// --- Links -------------------------------------------------------------------

static Str link_cost_cell(Show *s, const Link *link) {
  if (link->rate.is_set)
    return figure_cell(s, &link->rate, DIMENSION_RATE);
  if (link->weight.is_set)
    return str_format(s->arena, "weight %llu",
                      (unsigned long long)link->weight.value);
  return graph_is_derivable(s->machine, link) ? STR("from its ends")
                                              : STR("unknown");
}

static Str link_notes_cell(Show *s, const Link *link) {
  Text text = text_new(s->arena);
  if (link->has_copy_engine)
    text_puts(&text, "copy engine");
  if (link->is_relaxed)
    text_puts(&text, text.length == 0 ? "relaxed" : ", relaxed");
  return text_str(&text);
}

// A bare end of a counted device stands for any instance: "HBM[i]".
static Str end_cell(Show *s, const Link *link, bool is_to) {
  LinkEnd end = is_to ? link->to : link->from;
  Str name = link_end_text(s->arena, s->machine, end);
  bool is_peer = link->from.memory.index == link->to.memory.index;
  uint32_t instances = s->machine->memories[end.memory.index].instances;
  if (end.has_range || instances == 1 || instances == INSTANCES_OPEN)
    return name;
  return str_format(s->arena, "%.*s[%c]", STR_ARG(name),
                    is_peer && is_to ? 'j' : 'i');
}

static void add_link_row(Show *s, Table *table, const Link *link) {
  Str from = end_cell(s, link, false);
  Str to = end_cell(s, link, true);
  const Figure *cost = link->rate.is_set ? &link->rate : &link->weight;
  table_add(table,
            str_format(s->arena, "%.*s -> %.*s", STR_ARG(from), STR_ARG(to)));
  table_add(table, link_cost_cell(s, link));
  table_add(table, figure_cell(s, &link->latency, DIMENSION_DURATION));
  table_add(table, str_format(s->arena, "%c%c", provenance_mark(cost),
                              provenance_mark(&link->latency)));
  table_add(table, link_notes_cell(s, link));
}

static void show_links(Show *s) {
  static const bool is_right[] = {false, true, true, false, false};
  static const char *const head[] = {"link", "cost", "latency", "src", ""};
  Table table = {
      .arena = s->arena, .columns = COUNT_OF(head), .is_right = is_right};
  bool all = true;
  for (uint32_t i = 1; i < s->machine->link_count; i++)
    all &= s->machine->links[i].topology.index == 0;
  add_head(&table, head);
  uint32_t rows = 0;
  uint32_t more = 0;
  for (uint32_t i = 1; i < s->machine->link_count; i++) {
    const Link *link = &s->machine->links[i];
    if (!all && link->topology.index == 0)
      continue;
    if (rows < MOST_LINKS) {
      add_link_row(s, &table, link);
      rows++;
    } else {
      more++;
    }
  }
  if (rows == 0)
    return;
  text_char(s->out, '\n');
  table_print(s->out, &table, s->use_color, s->width);
  if (more > 0)
    text_format(s->out, "and %u more links\n", more);
}

// --- Routes ------------------------------------------------------------------

static Str route_cost_cell(Show *s, const RouteRow *row, uint32_t size) {
  const Route *route = &row->routes[size];
  if (!row->fits[size])
    return none();
  if (route->total.kind == COST_UNKNOWN)
    return STR("unpriced");
  Str cost = machine_cost_text(s->arena, route->total);
  if (route->total.kind == COST_WEIGHT)
    return str_format(s->arena, "weight %.*s", STR_ARG(cost));
  return cost;
}

static bool same_path(const Route *a, const Route *b) {
  if (a->hop_count != b->hop_count)
    return false;
  for (uint32_t i = 0; i < a->hop_count; i++) {
    if (!placement_equal(a->hops[i].to, b->hops[i].to))
      return false;
  }
  return true;
}

static Str path_cell(Show *s, const RouteRow *row) {
  uint32_t shown = 0;
  bool varies = false;
  for (uint32_t i = 0; i < ROUTE_SIZES; i++) {
    if (!row->fits[i])
      continue;
    varies |=
        row->fits[shown] && !same_path(&row->routes[i], &row->routes[shown]);
    shown = i;
  }
  const Route *route = &row->routes[shown];
  Text text = text_new(s->arena);
  for (uint32_t i = 0; i < route->hop_count; i++) {
    Placement to = route->hops[i].to;
    bool is_peer = row->is_peer && to.instance == row->to.instance;
    Str name = shown_place(s->arena, s->machine, to, is_peer);
    text_format(&text, "%s%.*s", i == 0 ? "" : " -> ", STR_ARG(name));
  }
  if (varies)
    text_puts(&text, " (depends on the size)");
  if (row->routes[0].status == ROUTE_TRANSIT_TOO_SMALL)
    text_puts(&text, " (too small on the way)");
  return text_str(&text);
}

static void add_route_row(Show *s, Table *table, const RouteRow *row) {
  table_add(table, shown_place(s->arena, s->machine, row->from, false));
  for (uint32_t i = 0; i < ROUTE_SIZES; i++)
    table_add(table, route_cost_cell(s, row, i));
  table_add(table, size_cell(s, row->has_half_rate, row->half_rate));
  table_add(table, path_cell(s, row));
}

static void show_routes(Show *s) {
  static const bool is_right[] = {false, true, true, true, true, false};
  static const char *const head[] = {"from",  "4 KiB",     "1 MiB",
                                     "1 GiB", "half rate", "to, on the way"};
  RouteRows rows = {0};
  uint64_t unseen = 0;
  collect_route_rows(s->arena, s->machine, MOST_ROUTES, &rows, &unseen);
  if (rows.count == 0)
    return;
  Table table = {
      .arena = s->arena, .columns = COUNT_OF(head), .is_right = is_right};
  add_head(&table, head);
  for (uint32_t i = 0; i < rows.count; i++)
    add_route_row(s, &table, &rows.items[i]);
  text_char(s->out, '\n');
  table_print(s->out, &table, s->use_color, s->width);
  if (unseen > 0)
    text_format(s->out, "and %llu more pairs\n", (unsigned long long)unseen);
}

void machine_show_text(Text *out, const Machine *machine, Arena *scratch,
                       bool use_color, uint32_t width) {
  Show s = {.out = out,
            .machine = machine,
            .arena = scratch,
            .use_color = use_color,
            .width = width};
  show_memories(&s);
  show_replaced(&s);
  show_topologies(&s);
  show_links(&s);
  show_routes(&s);
}
