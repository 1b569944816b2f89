// SPDX-License-Identifier: Apache-2.0
//
// `vxc machine show --json`: the whole model, schema "vx-machine-v1". Keys and
// lists in the order of declaration, one record of a list per line, every
// figure exact, with its unit and where it comes from. Keys are only added.

#include "machine/internal.h"

enum { MOST_ROUTES = 1000 };

typedef struct {
  Text *out;
  const Machine *machine;
  Arena *arena;
  bool has_key; // of the object at hand: a comma is due
} Json;

// --- Syntax ------------------------------------------------------------------

static void open_object(Json *j) {
  text_char(j->out, '{');
  j->has_key = false;
}

static void close_object(Json *j) {
  text_char(j->out, '}');
  j->has_key = true;
}

static void put_key(Json *j, const char *key) {
  text_format(j->out, "%s\"%s\": ", j->has_key ? ", " : "", key);
  j->has_key = true;
}

static void put_number(Json *j, const char *key, uint64_t value) {
  put_key(j, key);
  text_u128(j->out, value);
}

static void put_string(Json *j, const char *key, Str value) {
  put_key(j, key);
  text_json_string(j->out, value);
}

static void put_bool(Json *j, const char *key, bool value) {
  put_key(j, key);
  text_puts(j->out, value ? "true" : "false");
}

static void put_null(Json *j, const char *key) {
  put_key(j, key);
  text_puts(j->out, "null");
}

static void put_name(Json *j, const char *key, MemoryId memory) {
  if (memory.index == 0)
    put_null(j, key);
  else
    put_string(j, key, memory_name(j->machine, memory));
}

static void put_place(Json *j, Span span) {
  Location at = source_locate(j->machine->sources, span.start);
  if (at.file.index == 0)
    return;
  put_string(j, "file", source_file(j->machine->sources, at.file)->path);
  put_number(j, "line", at.line);
}

// --- Figures -----------------------------------------------------------------

static const char *unit_name(Dimension dimension, TimeUnit unit) {
  switch (dimension) {
  case DIMENSION_SIZE:
    return "B";
  case DIMENSION_RATE:
    return unit == UNIT_CYCLES ? "B/cyc" : "B/s";
  case DIMENSION_DURATION:
    return unit == UNIT_CYCLES ? "cyc" : "ps";
  case DIMENSION_FREQUENCY:
    return "Hz";
  case DIMENSION_OPERATIONS:
    return "OP";
  case DIMENSION_OPERATION_RATE:
    return "OP/s";
  case DIMENSION_NUMBER:
  case DIMENSION_COUNT:
    break;
  }
  return "1";
}

static void put_citations(Json *j, const Figure *figure) {
  put_key(j, "citations");
  text_char(j->out, '[');
  for (const Citation *c = figure->citations; c != NULL; c = c->next) {
    text_puts(j->out, c == figure->citations ? "" : ", ");
    open_object(j);
    put_string(j, "kind", citation_kind_name(c->kind));
    put_string(j, "text", c->text);
    put_place(j, c->span);
    close_object(j);
  }
  text_char(j->out, ']');
}

static void put_replaced(Json *j, const Figure *figure) {
  if (figure->replaced == NULL)
    return;
  put_key(j, "replaces");
  text_char(j->out, '[');
  for (const Replaced *r = figure->replaced; r != NULL; r = r->next) {
    text_puts(j->out, r == figure->replaced ? "" : ", ");
    open_object(j);
    put_string(j, "value", r->value);
    put_place(j, r->span);
    close_object(j);
  }
  text_char(j->out, ']');
}

static void put_figure(Json *j, const Figure *figure, Dimension dimension) {
  open_object(j);
  put_number(j, "value", figure->value);
  put_string(j, "unit", str_from(unit_name(dimension, figure->unit)));
  if (!span_is_none(figure->span))
    put_string(j, "written", source_text(j->machine->sources, figure->span));
  put_place(j, figure->span);
  put_citations(j, figure);
  put_replaced(j, figure);
  close_object(j);
}

static void put_figure_key(Json *j, const char *key, const Figure *figure,
                           Dimension dimension) {
  if (!figure->is_set)
    return;
  put_key(j, key);
  put_figure(j, figure, dimension);
}

static void put_figures_key(Json *j, const char *key, const Figure *figures,
                            uint32_t count, Dimension dimension) {
  if (count == 0)
    return;
  put_key(j, key);
  text_char(j->out, '[');
  for (uint32_t i = 0; i < count; i++) {
    text_puts(j->out, i == 0 ? "" : ", ");
    put_figure(j, &figures[i], dimension);
  }
  text_char(j->out, ']');
  j->has_key = true;
}

// --- Lists -------------------------------------------------------------------

static void open_list(Json *j, const char *key) {
  text_format(j->out, ",\n  \"%s\": [", key);
}

static void next_record(Json *j, bool is_first) {
  text_puts(j->out, is_first ? "\n    " : ",\n    ");
}

static void close_list(Json *j, bool is_empty) {
  text_puts(j->out, is_empty ? "]" : "\n  ]");
}

// --- Memories ----------------------------------------------------------------

static void put_instances(Json *j, uint32_t instances) {
  if (instances == INSTANCES_OPEN)
    put_null(j, "instances");
  else
    put_number(j, "instances", instances);
}

static void put_weights(Json *j, const Memory *memory) {
  put_figures_key(j, "node", memory->nodes, memory->node_count,
                  DIMENSION_NUMBER);
  if (memory->node_count == 0)
    return;
  put_key(j, "node_weights");
  for (uint32_t i = 0; i < memory->node_count; i++)
    text_format(j->out, "%s%llu", i == 0 ? "[" : ", ",
                (unsigned long long)memory->node_weights[i]);
  text_char(j->out, ']');
}

static void put_memory(Json *j, uint32_t index) {
  const Memory *memory = &j->machine->memories[index];
  open_object(j);
  put_string(j, "name", memory_name(j->machine, (MemoryId){index}));
  put_bool(j, "builtin", memory->is_builtin);
  put_place(j, memory->span);
  put_name(j, "within", memory->within);
  put_name(j, "part_of", memory->part_of);
  put_string(j, "scope", str_from(scope_name(memory->scope)));
  put_string(j, "managed", memory->is_cached ? STR("cached") : STR("explicit"));
  put_string(j, "access", memory->is_read_only ? STR("read") : STR("both"));
  put_string(j, "crossing",
             memory->is_streamed ? STR("streamed") : STR("sequenced"));
  put_bool(j, "overcommit", memory->is_overcommit);
  if (memory->owner.index == 0)
    put_null(j, "owner");
  else
    put_string(j, "owner", topology_name(j->machine, memory->owner));
  put_instances(j, memory->instances);
  if (memory->has_limit)
    put_number(j, "limit", memory->limit);
  else
    put_null(j, "limit");
  put_string(j, "limit_field", str_from(limit_field_name(memory->limit_field)));
  for (int field = 0; field < MEMORY_FIELD_COUNT; field++) {
    const Figure *figure = memory_figure_const(memory, (MemoryField)field);
    if (figure != NULL)
      put_figure_key(j, memory_field_name((MemoryField)field), figure,
                     memory_field_dimension((MemoryField)field));
  }
  put_figures_key(j, "page", memory->pages, memory->page_count, DIMENSION_SIZE);
  put_figure_key(j, "tile_rows", &memory->tile_rows, DIMENSION_NUMBER);
  put_figure_key(j, "tile_columns", &memory->tile_columns, DIMENSION_NUMBER);
  if (memory->tile_rows.is_set)
    put_bool(j, "packed", memory->is_packed);
  put_weights(j, memory);
  close_object(j);
}

static void put_memories(Json *j) {
  open_list(j, "memories");
  for (uint32_t i = 1; i < j->machine->memory_count; i++) {
    next_record(j, i == 1);
    put_memory(j, i);
  }
  close_list(j, j->machine->memory_count == 1);
}

// --- Topologies --------------------------------------------------------------

static void put_visible(Json *j, const Topology *topology) {
  put_key(j, "visible");
  text_char(j->out, '[');
  for (uint32_t i = 0; i < topology->visible_count; i++) {
    const Visible *entry = &topology->visible[i];
    Str name = memory_name(j->machine, entry->memory);
    text_puts(j->out, i == 0 ? "" : ", ");
    text_json_string(j->out, str_format(j->arena, "%.*s%s", STR_ARG(name),
                                        entry->all_instances ? "[..]" : ""));
  }
  text_char(j->out, ']');
}

static void put_dtypes(Json *j, const Topology *topology) {
  if (topology->dtypes == NULL) {
    put_null(j, "dtypes");
    return;
  }
  put_key(j, "dtypes");
  text_char(j->out, '[');
  for (uint32_t i = 0; i < topology->dtype_count; i++) {
    text_puts(j->out, i == 0 ? "" : ", ");
    text_json_string(j->out,
                     name_text(j->machine->interner, topology->dtypes[i]));
  }
  text_char(j->out, ']');
}

static void put_peaks(Json *j, const Topology *topology) {
  put_key(j, "peak");
  open_object(j);
  for (uint32_t i = 0; i < topology->peak_count; i++) {
    const Peak *peak = &topology->peaks[i];
    text_puts(j->out, i == 0 ? "" : ", ");
    text_json_string(j->out, name_text(j->machine->interner, peak->element));
    text_puts(j->out, ": ");
    put_figure(j, &peak->rate, DIMENSION_OPERATION_RATE);
  }
  close_object(j);
}

static void put_topology(Json *j, uint32_t index) {
  const Topology *topology = &j->machine->topologies[index];
  open_object(j);
  put_string(j, "name", topology_name(j->machine, (TopologyId){index}));
  put_bool(j, "builtin", topology->is_builtin);
  put_place(j, topology->span);
  put_name(j, "memory", topology->memory);
  put_visible(j, topology);
  if (topology->arch.index == 0)
    put_null(j, "arch");
  else
    put_string(j, "arch", name_text(j->machine->interner, topology->arch));
  put_instances(j, topology->instances);
  put_figure_key(j, "count", &topology->count, DIMENSION_NUMBER);
  put_dtypes(j, topology);
  put_peaks(j, topology);
  close_object(j);
}

static void put_topologies(Json *j) {
  open_list(j, "topologies");
  for (uint32_t i = 1; i < j->machine->topology_count; i++) {
    next_record(j, i == 1);
    put_topology(j, i);
  }
  close_list(j, j->machine->topology_count == 1);
}

// --- Links -------------------------------------------------------------------

static void put_link(Json *j, uint32_t index) {
  const Link *link = &j->machine->links[index];
  open_object(j);
  put_string(j, "from", link_end_text(j->arena, j->machine, link->from));
  put_string(j, "to", link_end_text(j->arena, j->machine, link->to));
  if (link->topology.index == 0)
    put_null(j, "topology");
  else
    put_string(j, "topology", topology_name(j->machine, link->topology));
  put_place(j, link->span);
  put_bool(j, "derivable", graph_is_derivable(j->machine, link));
  put_bool(j, "copy_engine", link->has_copy_engine);
  put_bool(j, "relaxed", link->is_relaxed);
  put_figure_key(j, "rate", &link->rate, DIMENSION_RATE);
  put_figure_key(j, "weight", &link->weight, DIMENSION_NUMBER);
  put_figure_key(j, "latency", &link->latency, DIMENSION_DURATION);
  close_object(j);
}

static void put_links(Json *j) {
  open_list(j, "links");
  for (uint32_t i = 1; i < j->machine->link_count; i++) {
    next_record(j, i == 1);
    put_link(j, i);
  }
  close_list(j, j->machine->link_count == 1);
}

// --- Routes ------------------------------------------------------------------

static void put_cost(Json *j, HopCost cost) {
  if (cost.kind == COST_TIME)
    put_number(j, "time_ps", cost.value);
  else
    put_null(j, "time_ps");
  if (cost.kind == COST_CYCLES)
    put_number(j, "cycles", cost.value);
  if (cost.has_weight)
    put_number(j, "weight", cost.weight);
}

static void put_route(Json *j, const RouteRow *row, uint32_t size) {
  const Route *route = &row->routes[size];
  open_object(j);
  put_number(j, "bytes", route_size(size));
  put_bool(j, "fits", row->fits[size]);
  put_key(j, "path");
  text_char(j->out, '[');
  for (uint32_t i = 0; i < route->hop_count; i++) {
    if (i == 0)
      text_json_string(j->out, machine_placement_text(j->arena, j->machine,
                                                      route->hops[0].from));
    text_puts(j->out, ", ");
    text_json_string(j->out, machine_placement_text(j->arena, j->machine,
                                                    route->hops[i].to));
  }
  text_char(j->out, ']');
  put_cost(j, route->total);
  close_object(j);
}

static void put_route_row(Json *j, const RouteRow *row) {
  open_object(j);
  put_string(j, "from",
             machine_placement_text(j->arena, j->machine, row->from));
  put_string(j, "to", machine_placement_text(j->arena, j->machine, row->to));
  if (row->has_half_rate)
    put_number(j, "half_rate_bytes", row->half_rate);
  else
    put_null(j, "half_rate_bytes");
  put_key(j, "sizes");
  text_char(j->out, '[');
  for (uint32_t i = 0; i < ROUTE_SIZES; i++) {
    text_puts(j->out, i == 0 ? "" : ", ");
    put_route(j, row, i);
  }
  text_char(j->out, ']');
  j->has_key = true;
  close_object(j);
}

static void put_routes(Json *j) {
  RouteRows rows = {0};
  uint64_t unseen = 0;
  collect_route_rows(j->arena, j->machine, MOST_ROUTES, &rows, &unseen);
  open_list(j, "routes");
  for (uint32_t i = 0; i < rows.count; i++) {
    next_record(j, i == 0);
    put_route_row(j, &rows.items[i]);
  }
  close_list(j, rows.count == 0);
  text_format(j->out, ",\n  \"pairs_left_out\": %llu",
              (unsigned long long)unseen);
}

void machine_show_json(Text *out, const Machine *machine, Arena *scratch) {
  Json j = {.out = out, .machine = machine, .arena = scratch};
  text_puts(out, "{\n  \"schema\": \"vx-machine-v1\"");
  put_memories(&j);
  put_topologies(&j);
  put_links(&j);
  put_routes(&j);
  text_puts(out, "\n}\n");
}
