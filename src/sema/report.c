// SPDX-License-Identifier: Apache-2.0
//
// What sema and place both say: the names of values, and E6003 with its price
// and the transfer that mends it.

#include "sema/internal.h"

#define MAX_VALUE_NAME 40

Str sema_value_name(Arena *arena, const Program *program, uint32_t unit,
                    NodeId node) {
  const Tree *tree = program->units.items[unit].tree;
  node = node_unparen(tree, node);
  switch ((int)node_kind(tree, node)) {
  case NODE_UnaryExpr: // a borrow names what it borrows
    return sema_value_name(arena, program, unit,
                           unary_expr(tree, node).operand);
  case NODE_BinaryExpr: {
    Str op = token_text(tree, binary_expr(tree, node).op);
    return str_format(arena, "result of '%.*s'", STR_ARG(op));
  }
  case NODE_CallExpr: {
    NodeId callee = call_expr(tree, node).callee;
    if (node_kind(tree, callee) != NODE_Ident)
      return STR("new tensor");
    Str name = token_text(tree, ident(tree, callee).name);
    return str_format(arena, "result of '%.*s'", STR_ARG(name));
  }
  case NODE_TransferExpr:
    return STR("transferred tensor");
  default: {
    Str text = source_text(program->sources, node_span(tree, node));
    if (text.length <= MAX_VALUE_NAME)
      return text;
    return STR("this value");
  }
  }
}

// The price of going there, as the message states it; empty: no way. A run-time
// shape is priced at 1 MiB, and the text says so.
static Str price(const Program *program, TypeId tensor, Placement from,
                 Placement to) {
  Arena *arena = program->sink->arena;
  TensorShape shape;
  bool is_huge;
  bool is_known = type_shape(arena, program->types, tensor, &shape, &is_huge);
  Route route;
  RouteRequest request = {
      .from = from, .to = to, .shape = is_known && !is_huge ? &shape : NULL};
  machine_route(arena, program->machine, &request, &route);
  if (route.status == ROUTE_NONE || route.hop_count == 0)
    return (Str){0};
  Str cost = machine_cost_text(arena, route.total);
  bool is_sized =
      route.total.kind == COST_TIME || route.total.kind == COST_CYCLES;
  if (request.shape || !is_sized)
    return cost;
  return str_format(arena, "%.*s for 1 MiB", STR_ARG(cost));
}

static void add_transfer_fixit(Program *program, uint32_t unit, NodeId node,
                               Diagnostic *d, Placement to) {
  const Tree *tree = program->units.items[unit].tree;
  DiagSink *sink = program->sink;
  node = node_unparen(tree, node);
  if (node_kind(tree, node) == NODE_UnaryExpr)
    node = node_unparen(tree, unary_expr(tree, node).operand);
  Span span = node_span(tree, node);
  Str text = source_text(program->sources, span);
  Str space = machine_placement_text(sink->arena, program->machine, to);
  diag_add_fixit(sink, d, span,
                 str_format(sink->arena, "transfer(%.*s, Memory::%.*s)",
                            STR_ARG(text), STR_ARG(space)),
                 STR("insert the transfer"));
}

// The cheapest place that `active` sees and that can be reached.
static bool nearest_visible(const Program *program, TypeId tensor,
                            Active active, Placement from, Placement *to) {
  const Machine *machine = program->machine;
  Placement own = machine_own_memory(machine, active.topology, active.instance);
  if (price(program, tensor, from, own).length) {
    *to = own;
    return true;
  }
  const Topology *topology = machine_topology(machine, active.topology);
  for (uint32_t i = 0; i < topology->visible_count; i++) {
    *to = (Placement){topology->visible[i].memory, 0};
    if (machine_memory(machine, to->memory)->instances > 1)
      to->instance = active.instance;
    if (price(program, tensor, from, *to).length)
      return true;
  }
  *to = own;
  return false;
}

// A value is refused once, by sema or by place; `&x` and `x` are one.
static bool is_new_fault(Program *program, uint32_t unit, NodeId node) {
  const Tree *tree = program->units.items[unit].tree;
  node = node_unparen(tree, node);
  while (node_kind(tree, node) == NODE_UnaryExpr &&
         token_kind(tree, unary_expr(tree, node).op) == TOKEN_AND)
    node = node_unparen(tree, unary_expr(tree, node).operand);
  uint64_t key = (uint64_t)unit << 32 | node.index, value;
  if (map_get(&program->misplaced, key, &value))
    return false;
  map_put(program->arena, &program->misplaced, key, 1);
  return true;
}

void sema_report_place(Program *program, uint32_t unit, NodeId node,
                       TypeId type, Active active, PlaceFault fault,
                       Placement to) {
  if (!is_new_fault(program, unit, node))
    return;
  bool is_needed = fault == PLACE_ELSEWHERE;
  DiagSink *sink = program->sink;
  Arena *arena = sink->arena;
  const Machine *machine = program->machine;
  const Tree *tree = program->units.items[unit].tree;
  TypeId tensor = type_strip(program->types, type);
  Placement from = type_info(program->types, tensor)->placement;
  Span span = node_span(tree, node);
  Str name = sema_value_name(arena, program, unit, node);
  Str space = machine_placement_text(arena, machine, from);
  bool is_visible =
      machine_sees(machine, active.topology, active.instance, from);
  bool has_way = true;
  if (!is_needed)
    has_way = nearest_visible(program, tensor, active, from, &to);
  Str cost = has_way ? price(program, tensor, from, to) : (Str){0};
  Str target = machine_placement_text(arena, machine, to);
  Str topology =
      machine_topology_text(arena, machine, active.topology, active.instance);
  Str visible =
      machine_visible_text(arena, machine, active.topology, active.instance);
  Diagnostic *d;
  if (is_needed && is_visible)
    d = cost.length ? diag_wrong_place(sink, span, name, space, target, cost)
                    : diag_wrong_place_no_path(sink, span, name, space, target);
  else
    d = cost.length ? diag_not_visible(sink, span, name, space, topology,
                                       visible, target, cost)
                    : diag_not_visible_no_path(sink, span, name, space,
                                               topology, visible);
  if (cost.length && fault != PLACE_UNWRITABLE)
    add_transfer_fixit(program, unit, node, d, to);
}

Diagnostic *report_argument_count(Checker *c, NodeId node, Str function,
                                  uint64_t expected, uint64_t found) {
  Arena *arena = message_arena(c);
  Text takes = text_new(arena), given = text_new(arena);
  text_u128(&takes, expected);
  text_puts(&takes, expected == 1 ? " argument" : " arguments");
  text_u128(&given, found);
  text_puts(&given, found == 1 ? " is given" : " are given");
  return diag_argument_count(c->program->sink, span_of(c, node), function,
                             text_str(&takes), text_str(&given));
}
