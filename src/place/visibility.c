// SPDX-License-Identifier: Apache-2.0
//
// What code on a topology may do with a value: reachability (memory-model.md
// section 6) and element types. Asked at every mention; cost constant, but for
// the routes that a refusal states.

#include "place/internal.h"

// The memory that holds a value, if it is placed: a tensor's own, the home of
// a pinned scalar.
static bool value_placement(const Walker *w, TypeId type, Placement *place) {
  const TypeInfo *info = info_of(w, type);
  while (info->kind == TYPE_REF)
    info = info_of(w, info->target);
  if (info->kind == TYPE_PINNED &&
      info_of(w, info->target)->kind == TYPE_SCALAR) {
    *place =
        machine_own_memory(w->program->machine, info->topology, info->instance);
    return true;
  }
  if (info->kind == TYPE_PINNED)
    info = info_of(w, info->target);
  *place = info->placement;
  return info->kind == TYPE_TENSOR;
}

// Hardware moves what lies in a cache to where it is read.
static bool reads_through_cache(Walker *w, Placement place) {
  const Machine *machine = w->program->machine;
  if (!machine_memory(machine, place.memory)->is_cached)
    return false;
  const Topology *topology = machine_topology(machine, w->active.topology);
  for (uint32_t i = 0; i < topology->visible_count; i++) {
    Route route;
    RouteRequest request = {.from = place,
                            .to = {topology->visible[i].memory, 0}};
    machine_route(&w->scratch, machine, &request, &route);
    if (route.status == ROUTE_FOUND)
      return true;
  }
  return false;
}

// What lies in `M[i]` may be touched only where `T[i]` runs, for the same
// immutable i, unless all instances are visible there.
static bool is_own_index(const Walker *w, TypeId type, Placement place) {
  if (place.instance != INSTANCE_DYNAMIC)
    return true;
  const TypeInfo *info = info_of(w, type_strip(w->program->types, type));
  if (info->kind != TYPE_TENSOR ||
      (info->index_id && info->index_id == w->active.index_id))
    return true;
  const Topology *topology =
      machine_topology(w->program->machine, w->active.topology);
  for (uint32_t i = 0; i < topology->visible_count; i++)
    if (topology->visible[i].memory.index == place.memory.index)
      return topology->visible[i].all_instances;
  return false;
}

static bool is_visible(Walker *w, Placement place, Use use) {
  if (machine_sees(w->program->machine, w->active.topology, w->active.instance,
                   place))
    return true;
  return use != USE_WRITE && reads_through_cache(w, place);
}

// What it costs to bring one scalar to where the code runs; empty: no way.
static Str scalar_price(Walker *w, TypeId type, Placement from, Placement to) {
  type = type_strip(w->program->types, type);
  TensorShape shape = {.element_bits = element_bits(info_of(w, type)->element)};
  RouteRequest request = {.from = from, .to = to, .shape = &shape};
  Route route;
  machine_route(&w->scratch, w->program->machine, &request, &route);
  if (route.status != ROUTE_FOUND)
    return (Str){0};
  return machine_cost_text(w->program->sink->arena, route.total);
}

// E6003 for a yielded scalar, or for a host scalar that a region writes.
static void report_scalar(Walker *w, NodeId node, Placement place, Use use) {
  DiagSink *sink = w->program->sink;
  Arena *arena = sink->arena;
  const Machine *machine = w->program->machine;
  Span span = node_span(w->tree, node);
  Placement home =
      machine_own_memory(machine, w->active.topology, w->active.instance);
  Str name = sema_value_name(arena, w->program, w->unit, node);
  Str space = machine_placement_text(arena, machine, place);
  Str topology = machine_topology_text(arena, machine, w->active.topology,
                                       w->active.instance);
  Str visible = machine_visible_text(arena, machine, w->active.topology,
                                     w->active.instance);
  Str cost = scalar_price(w, type_of(w, node), place, home);
  if (cost.length == 0) {
    diag_not_visible_no_path(sink, span, name, space, topology, visible);
    return;
  }
  Str target = machine_placement_text(arena, machine, home);
  Diagnostic *d = diag_not_visible(sink, span, name, space, topology, visible,
                                   target, cost);
  Str text = source_text(w->program->sources, span);
  if (use != USE_WRITE)
    diag_add_fixit(sink, d, span,
                   str_format(arena, "transfer(%.*s, Memory::%.*s)",
                              STR_ARG(text), STR_ARG(target)),
                   STR("insert the transfer"));
}

void check_use(Walker *w, NodeId node, Use use) {
  if (use == USE_NAME)
    return;
  bool is_host = active_equal(w->active, w->program->host);
  if (use == USE_CARRY && is_host)
    return;
  TypeId type = type_of(w, node);
  Placement place;
  if (type.index == 0 || !value_placement(w, type, &place) ||
      (is_visible(w, place, use) && is_own_index(w, type, place)))
    return;
  if (type_is_tensor(w->program->types, type))
    sema_report_place(w->program, w->unit, node, type, w->active,
                      use == USE_WRITE ? PLACE_UNWRITABLE : PLACE_UNREADABLE,
                      place);
  else
    report_scalar(w, node, place, use);
}

void check_scalar_write(Walker *w, NodeId target) {
  NodeId node = node_unparen(w->tree, target);
  Symbol symbol = sema_symbol(w->program, w->unit, node);
  if (w->region == NULL || node_kind(w->tree, node) != NODE_Ident ||
      symbol.kind != SYMBOL_LOCAL)
    return;
  bool is_inside = symbol.index >= w->region->first_local &&
                   symbol.index < w->region->end_local;
  Placement host = {w->program->machine->host_memory, 0};
  if (!is_inside && info_of(w, type_of(w, node))->kind == TYPE_SCALAR &&
      !is_visible(w, host, USE_WRITE))
    report_scalar(w, node, host, USE_WRITE);
}

// --- Element types -----------------------------------------------------------

static bool can_compute(const Topology *topology, Name element) {
  for (uint32_t i = 0; i < topology->dtype_count; i++)
    if (name_equal(topology->dtypes[i], element))
      return true;
  return topology->dtypes == NULL;
}

void check_element(Walker *w, TokenId op, NodeId operand) {
  if (type_of(w, operand).index == 0)
    return;
  const Machine *machine = w->program->machine;
  const Topology *topology = machine_topology(machine, w->active.topology);
  TypeId type = type_strip(w->program->types, type_of(w, operand));
  const TypeInfo *info = info_of(w, type);
  bool is_float =
      info->kind == TYPE_SCALAR && element_class(info->element) == CLASS_FLOAT;
  if (topology->dtypes == NULL || (info->kind != TYPE_TENSOR && !is_float))
    return;
  DiagSink *sink = w->program->sink;
  Str element = str_from(element_name(info->element));
  if (can_compute(topology, intern(w->program->interner, element)))
    return;
  Text list = text_new(sink->arena);
  for (uint32_t i = 0; i < topology->dtype_count; i++) {
    text_puts(&list, i ? ", " : "");
    text_put(&list, name_text(w->program->interner, topology->dtypes[i]));
  }
  Str text = token_text(w->tree, op);
  bool is_name = token_kind_is_name(token_kind(w->tree, op));
  diag_element_unsupported(
      sink, token_span(w->tree, op),
      str_format(sink->arena, "%s '%.*s'", is_name ? "function" : "operator",
                 STR_ARG(text)),
      element,
      machine_topology_text(sink->arena, machine, w->active.topology,
                            w->active.instance),
      text_str(&list));
}
