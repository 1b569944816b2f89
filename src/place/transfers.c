// SPDX-License-Identifier: Apache-2.0
//
// The way of each transfer: hops over the cheapest path for its bytes, found
// once per TransferExpr. Whether what passes through fits is memory's to judge.

#include "place/internal.h"

// Is this the only mention of an owned variable, not repeated by a loop?
static bool source_dies(const Walker *w, NodeId source) {
  NodeId node = node_unparen(w->tree, source);
  if (node_kind(w->tree, node) == NODE_UnaryExpr &&
      token_kind(w->tree, unary_expr(w->tree, node).op) == TOKEN_AND)
    node = node_unparen(w->tree, unary_expr(w->tree, node).operand);
  switch ((int)node_kind(w->tree, node)) {
  case NODE_Ident: {
    Symbol symbol = sema_symbol(w->program, w->unit, node);
    if (symbol.kind != SYMBOL_LOCAL)
      return false;
    const Local *local = &w->program->locals.items[symbol.index];
    return local->use_count == 1 && local->loop_depth == w->loop_depth &&
           info_of(w, local->type)->kind == TYPE_TENSOR;
  }
  case NODE_CallExpr:
  case NODE_MethodCall:
  case NODE_BinaryExpr:
  case NODE_TransferExpr:
    return true;
  default:
    return false;
  }
}

static void report_no_path(Walker *w, NodeId node, Placement from,
                           Placement to) {
  DiagSink *sink = w->program->sink;
  const Machine *machine = w->program->machine;
  Str a = machine_placement_text(sink->arena, machine, from);
  Str b = machine_placement_text(sink->arena, machine, to);
  Diagnostic *d = diag_no_path(sink, node_span(w->tree, node), a, b);
  Str reached = machine_reach_text(sink->arena, machine, from, false);
  Str reaching = machine_reach_text(sink->arena, machine, to, true);
  diag_add_note(sink, d, NO_SPAN,
                str_format(sink->arena, "%.*s reaches %.*s", STR_ARG(a),
                           STR_ARG(reached)));
  diag_add_note(sink, d, NO_SPAN,
                str_format(sink->arena, "%.*s is reached from %.*s", STR_ARG(b),
                           STR_ARG(reaching)));
}

static bool touches_host(const Machine *machine, const Route *route) {
  for (uint32_t i = 0; i < route->hop_count; i++)
    if (route->hops[i].from.memory.index == machine->host_memory.index ||
        route->hops[i].to.memory.index == machine->host_memory.index)
      return true;
  return false;
}

// E6014, once for a program.
static void check_host(Walker *w, NodeId node, const RouteRequest *request,
                       const Route *route) {
  const Machine *machine = w->program->machine;
  if (w->said_no_host || machine->has_host || !machine->has_device_scope ||
      !touches_host(machine, route))
    return;
  w->said_no_host = true;
  DiagSink *sink = w->program->sink;
  Diagnostic *d =
      diag_no_host(sink, node_span(w->tree, node),
                   machine_placement_text(sink->arena, machine, request->from),
                   machine_placement_text(sink->arena, machine, request->to));
  diag_add_note(sink, d, NO_SPAN,
                STR("pass --host <file> to name the host, or --host default "
                    "for the machine compiling this"));
}

static void report_same_memory(Walker *w, NodeId node, Placement place) {
  DiagSink *sink = w->program->sink;
  Diagnostic *d = diag_same_memory(
      sink, node_span(w->tree, node),
      machine_placement_text(sink->arena, w->program->machine, place));
  diag_add_help(sink, d,
                STR("`&value` borrows it without a copy; `.clone()` says that "
                    "the copy is meant"));
}

static void add_route(Walker *w, NodeId node, TypeId source, const Route *route,
                      bool is_known) {
  StagedTransfer staged = {.route = *route, .has_bytes = is_known};
  if (is_known) {
    Bytes padded;
    type_bytes(&w->scratch, w->program->types, source, &staged.bytes, &padded);
  }
  VEC_PUSH(w->arena, &w->placements->transfers, staged);
  map_put(w->arena, &w->placements->index,
          ((uint64_t)w->unit << 32) | node.index,
          w->placements->transfers.count - 1);
}

void stage_transfer(Walker *w, NodeId node) {
  TransferExpr transfer = transfer_expr(w->tree, node);
  TypeTable *types = w->program->types;
  TypeId source = type_strip(types, type_of(w, transfer.value));
  TypeId result = type_strip(types, type_of(w, node));
  bool is_into = info_of(w, result)->kind == TYPE_VOID;
  if (is_into)
    result = type_strip(types, type_of(w, transfer.target));
  if (info_of(w, source)->kind != TYPE_TENSOR ||
      info_of(w, result)->kind != TYPE_TENSOR ||
      place_transfer(w->placements, w->unit, node))
    return;
  TensorShape shape;
  bool is_huge;
  bool is_known = type_shape(&w->scratch, types, source, &shape, &is_huge);
  RouteRequest request = {.from = info_of(w, source)->placement,
                          .to = info_of(w, result)->placement,
                          .shape = is_known && !is_huge ? &shape : NULL,
                          .source_dies =
                              !is_into && source_dies(w, transfer.value)};
  Route route;
  machine_route(w->arena, w->program->machine, &request, &route);
  if (route.status == ROUTE_NONE) {
    report_no_path(w, node, request.from, request.to);
    return;
  }
  if (route.status == ROUTE_SAME_MEMORY)
    report_same_memory(w, node, request.from);
  check_host(w, node, &request, &route);
  add_route(w, node, source, &route, is_known);
}

const StagedTransfer *place_transfer(const Placements *placements,
                                     uint32_t unit, NodeId node) {
  uint64_t index;
  if (!map_get(&placements->index, ((uint64_t)unit << 32) | node.index, &index))
    return NULL;
  return &placements->transfers.items[index];
}
