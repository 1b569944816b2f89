// SPDX-License-Identifier: Apache-2.0
//
// place: walks every body once per topology it runs on.
// Input: a program that sema has checked. Output: diagnostics, and the route of
// every transfer. Algorithm: a work list of (function, topology) pairs, begun
// with the functions that name their topology and those that nobody calls, and
// fed by the calls met on the way; one recursive walk per pair that carries
// what is done with a value. Cost: linear in the tree times the topologies,
// plus the routes. It does not count bytes against limits: memory/ does.

#include "place/place.h"

// What happens to the value of an expression.
typedef enum {
  USE_TOUCH, // read or written where the code runs
  USE_WRITE, // .. written
  USE_CARRY, // moved, borrowed, passed on: its bytes are not looked at
  USE_NAME,  // the operand of a transfer: any memory may be named
} Use;

typedef struct {
  uint32_t function;
  Active active;
} Job;

typedef VEC(Active) ActiveVec;

typedef struct {
  Program *program;
  Placements *placements;
  Arena *arena;
  Arena scratch;
  VEC(Job) jobs;
  ActiveVec *seen; // by function: the topologies it was queued for
  bool said_no_host;
  // The walk in progress.
  uint32_t unit;
  const Tree *tree;
  Active active;
  const RegionFacts *region; // the innermost one, or NULL
  uint32_t loop_depth;
} Walker;

static void walk(Walker *w, NodeId node, Use use);

static TypeId type_of(const Walker *w, NodeId node) {
  return sema_type(w->program, w->unit, node);
}

static const TypeInfo *info_of(const Walker *w, TypeId type) {
  return type_info(w->program->types, type);
}

static bool active_equal(Active a, Active b) {
  return a.topology.index == b.topology.index && a.instance == b.instance &&
         a.index_id == b.index_id;
}

static void queue(Walker *w, uint32_t function, Active active) {
  ActiveVec *seen = &w->seen[function];
  for (uint32_t i = 0; i < seen->count; i++)
    if (active_equal(seen->items[i], active))
      return;
  VEC_PUSH(&w->scratch, seen, active);
  VEC_PUSH(&w->scratch, &w->jobs, (Job){function, active});
}

// --- Visibility --------------------------------------------------------------

// The memory that holds a value, if it is placed: a tensor's own, the home of
// a pinned scalar.
static bool value_placement(const Walker *w, TypeId type, Placement *place) {
  const TypeInfo *info = info_of(w, type);
  while (info->kind == TYPE_REF)
    info = info_of(w, info->target);
  if (info->kind == TYPE_PINNED && info_of(w, info->target)->kind == TYPE_SCALAR) {
    *place = machine_own_memory(w->program->machine, info->topology,
                                info->instance);
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
  if (info->kind != TYPE_TENSOR || (info->index_id && info->index_id == w->active.index_id))
    return true;
  const Topology *topology =
      machine_topology(w->program->machine, w->active.topology);
  for (uint32_t i = 0; i < topology->visible_count; i++)
    if (topology->visible[i].memory.index == place.memory.index)
      return topology->visible[i].all_instances;
  return false;
}

static bool is_visible(Walker *w, Placement place, Use use) {
  if (machine_sees(w->program->machine, w->active.topology,
                   w->active.instance, place))
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
  Placement home = machine_own_memory(machine, w->active.topology,
                                      w->active.instance);
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

// One mention of a value: E6003 when the code here may not do that with it.
static void check_use(Walker *w, NodeId node, Use use) {
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
    sema_report_place(
        w->program, w->unit, node, type, w->active,
        use == USE_WRITE ? PLACE_UNWRITABLE : PLACE_UNREADABLE, place);
  else
    report_scalar(w, node, place, use);
}

// A host scalar is copied into a region; changing it there needs its memory.
static void check_scalar_write(Walker *w, NodeId target) {
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

// E6026: arithmetic on an element type that the silicon does not have. `op` is
// an operator or the name of a function. Integers count the loops of any code.
static void check_element(Walker *w, TokenId op, NodeId operand) {
  if (type_of(w, operand).index == 0)
    return;
  const Machine *machine = w->program->machine;
  const Topology *topology = machine_topology(machine, w->active.topology);
  TypeId type = type_strip(w->program->types, type_of(w, operand));
  const TypeInfo *info = info_of(w, type);
  bool is_float = info->kind == TYPE_SCALAR &&
                  element_class(info->element) == CLASS_FLOAT;
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

// --- Transfers ---------------------------------------------------------------

// Is this the only mention of an owned variable, not repeated by a loop?
static bool source_dies(const Walker *w, NodeId source) {
  NodeId node = node_unparen(w->tree, source);
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
                str_format(sink->arena, "%.*s is reached from %.*s",
                           STR_ARG(b), STR_ARG(reaching)));
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

static void add_route(Walker *w, NodeId node, TypeId source,
                      const Route *route, bool is_known) {
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

static void stage_transfer(Walker *w, NodeId node) {
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
  if (!map_get(&placements->index, ((uint64_t)unit << 32) | node.index,
               &index))
    return NULL;
  return &placements->transfers.items[index];
}

// --- The walk ----------------------------------------------------------------

static void walk_list(Walker *w, NodeList list, Use use) {
  for (uint32_t i = 0; i < list.count; i++)
    walk(w, list_at(w->tree, list, i), use);
}

static bool is_reduction(Str name) {
  return str_equal(name, STR("sum")) || str_equal(name, STR("max")) ||
         str_equal(name, STR("min")) || str_equal(name, STR("mean"));
}

static void walk_call(Walker *w, NodeId node, Use use) {
  CallExpr call = call_expr(w->tree, node);
  Symbol symbol = sema_symbol(w->program, w->unit, node);
  if (symbol.kind != SYMBOL_FUNCTION) {
    walk_list(w, call.args, USE_TOUCH);
    if (node_kind(w->tree, call.callee) == NODE_Ident && call.args.count) {
      TokenId name = ident(w->tree, call.callee).name;
      if (is_reduction(token_text(w->tree, name)))
        check_element(w, name, list_at(w->tree, call.args, 0));
    }
    check_use(w, node, use);
    return;
  }
  const FunctionDecl *callee = &w->program->functions.items[symbol.index];
  Active needed = {.topology = callee->on, .instance = callee->on_instance};
  bool is_elsewhere = callee->on.index && !active_equal(needed, w->active);
  walk_list(w, call.args, is_elsewhere ? USE_NAME : USE_CARRY);
  if (callee->on.index == 0) {
    queue(w, symbol.index, w->active);
  } else if (is_elsewhere) {
    DiagSink *sink = w->program->sink;
    const Machine *machine = w->program->machine;
    Diagnostic *d = diag_wrong_topology(
        sink, node_span(w->tree, node),
        name_text(w->program->interner, callee->name),
        machine_topology_text(sink->arena, machine, needed.topology,
                              needed.instance),
        machine_topology_text(sink->arena, machine, w->active.topology,
                              w->active.instance));
    diag_add_label(sink, d, callee->span, STR("declared here"));
  }
  check_use(w, node, use);
}

static void walk_method(Walker *w, NodeId node, Use use) {
  MethodCall call = method_call(w->tree, node);
  Str name = token_text(w->tree, call.name);
  bool is_about_shape =
      str_equal(name, STR("extent")) || str_equal(name, STR("len"));
  bool is_placing = str_equal(name, STR("with_memory"));
  walk(w, call.receiver,
       is_about_shape || is_placing ? USE_NAME : USE_TOUCH);
  if (!is_placing)
    walk_list(w, call.args, USE_TOUCH);
  if (is_reduction(name))
    check_element(w, call.name, call.receiver);
  check_use(w, node, use);
}

static void walk_assign(Walker *w, NodeId node) {
  AssignExpr assign = assign_expr(w->tree, node);
  TypeId target = type_of(w, assign.target);
  bool is_rebinding = target.index && info_of(w, target)->kind == TYPE_REF;
  NodeKind value = node_kind(w->tree, node_unparen(w->tree, assign.value));
  if (value == NODE_TransferExpr && token_kind(w->tree, assign.op) == TOKEN_EQ) {
    walk(w, assign.target, USE_CARRY); // the transfer fills it
    walk(w, assign.value, USE_CARRY);
    return;
  }
  uint32_t errors = w->program->sink->error_count;
  walk(w, assign.target, is_rebinding ? USE_CARRY : USE_WRITE);
  bool is_refused = w->program->sink->error_count != errors;
  walk(w, assign.value,
       is_refused     ? USE_NAME // it stands where the target stands
       : is_rebinding ? USE_CARRY
                      : USE_TOUCH);
  check_scalar_write(w, assign.target);
  if (token_kind(w->tree, assign.op) != TOKEN_EQ)
    check_element(w, assign.op, assign.target);
}

static void walk_spawn(Walker *w, NodeId node, Use use) {
  SpawnExpr spawn = spawn_expr(w->tree, node);
  Symbol symbol = sema_symbol(w->program, w->unit, node);
  if (symbol.kind != SYMBOL_REGION)
    return;
  Active outer = w->active;
  const RegionFacts *outer_region = w->region;
  w->region = &w->program->regions.items[symbol.index];
  w->active = w->region->active;
  walk(w, spawn.body, USE_CARRY);
  w->active = outer;
  w->region = outer_region;
  check_use(w, node, use);
}

static void walk_loop(Walker *w, NodeId body) {
  w->loop_depth++;
  walk(w, body, USE_CARRY);
  w->loop_depth--;
}

static void walk_block(Walker *w, NodeId node, Use use) {
  NodeList statements = block(w->tree, node).statements;
  for (uint32_t i = 0; i < statements.count; i++) {
    NodeId statement = list_at(w->tree, statements, i);
    switch ((int)node_kind(w->tree, statement)) {
    case NODE_LetStmt:
      if (let_stmt(w->tree, statement).value.index)
        walk(w, let_stmt(w->tree, statement).value, USE_CARRY);
      break;
    case NODE_ExprStmt: {
      ExprStmt expr = expr_stmt(w->tree, statement);
      bool is_value =
          i + 1 == statements.count && !(expr.flags & EXPR_SEMICOLON);
      walk(w, expr.expr, is_value ? use : USE_CARRY);
      break;
    }
    default:
      break;
    }
  }
}

static void walk_if(Walker *w, NodeId node, Use use) {
  IfExpr branch = if_expr(w->tree, node);
  walk(w, branch.condition, USE_TOUCH);
  walk(w, branch.then_block, use);
  if (branch.else_branch.index)
    walk(w, branch.else_branch, use);
}

static void walk_unary(Walker *w, NodeId node, Use use) {
  UnaryExpr unary = unary_expr(w->tree, node);
  switch ((int)token_kind(w->tree, unary.op)) {
  case TOKEN_MINUS:
  case TOKEN_NOT:
    walk(w, unary.operand, USE_TOUCH);
    if (node_kind(w->tree, unary.operand) == NODE_FloatLit)
      return; // the minus belongs to the literal
    check_element(w, unary.op, unary.operand);
    return;
  case TOKEN_STAR:
    walk(w, unary.operand, use);
    return;
  default: // a borrow is used as what it borrows
    walk(w, unary.operand, use);
  }
}

static void walk_binary(Walker *w, NodeId node) {
  BinaryExpr binary = binary_expr(w->tree, node);
  walk(w, binary.left, USE_TOUCH);
  walk(w, binary.right, USE_TOUCH);
  TypeId left = type_of(w, binary.left);
  bool is_left = left.index && type_is_tensor(w->program->types, left);
  check_element(w, binary.op, is_left ? binary.left : binary.right);
}

static void walk_index(Walker *w, NodeId node, Use use) {
  IndexExpr index = index_expr(w->tree, node);
  TypeId type = type_of(w, node);
  bool is_row = type.index && info_of(w, type)->kind == TYPE_REF;
  walk(w, index.base, is_row ? use : use == USE_WRITE ? use : USE_TOUCH);
  walk_list(w, index.indices, USE_TOUCH);
}

static void walk_struct(Walker *w, NodeId node) {
  NodeList fields = struct_expr(w->tree, node).fields;
  for (uint32_t i = 0; i < fields.count; i++) {
    NodeId field = list_at(w->tree, fields, i);
    if (node_kind(w->tree, field) == NODE_FieldInit &&
        field_init(w->tree, field).value.index)
      walk(w, field_init(w->tree, field).value, USE_CARRY);
  }
}

static void walk_range(Walker *w, NodeId node) {
  RangeExpr range = range_expr(w->tree, node);
  walk(w, range.from, USE_TOUCH);
  walk(w, range.to, USE_TOUCH);
}

// Sema has refused this expression: what follows from it is not said too.
static bool is_refused(const Walker *w, NodeId node) {
  TypeId type = type_of(w, node);
  NodeKind kind = node_kind(w->tree, node);
  bool holds_statements = kind == NODE_Block || kind == NODE_IfExpr ||
                          kind == NODE_SpawnExpr;
  return !holds_statements && type.index &&
         info_of(w, type)->kind == TYPE_ERROR;
}

// The one walker that knows every expression form that sema admits.
static void walk(Walker *w, NodeId node, Use use) {
  if (is_refused(w, node))
    return;
  switch ((int)node_kind(w->tree, node)) {
  case NODE_Ident:
  case NODE_PathExpr:
    check_use(w, node, use);
    return;
  case NODE_FieldExpr: {
    NodeId base = field_expr(w->tree, node).base;
    if (node_kind(w->tree, base) != NODE_Place &&
        node_kind(w->tree, base) != NODE_MemoryOf)
      walk(w, base, use);
    check_use(w, node, use);
    return;
  }
  case NODE_ParenExpr:
    walk(w, paren_expr(w->tree, node).inner, use);
    return;
  case NODE_UnaryExpr:
    walk_unary(w, node, use);
    return;
  case NODE_BinaryExpr:
    walk_binary(w, node);
    return;
  case NODE_AssignExpr:
    walk_assign(w, node);
    return;
  case NODE_IndexExpr:
    walk_index(w, node, use);
    return;
  case NODE_CastExpr:
    walk(w, cast_expr(w->tree, node).operand, USE_TOUCH);
    return;
  case NODE_RangeExpr:
    walk_range(w, node);
    return;
  case NODE_ListExpr:
    walk_list(w, list_expr(w->tree, node).elements, USE_TOUCH);
    return;
  case NODE_StructExpr:
    walk_struct(w, node);
    return;
  case NODE_CallExpr:
    walk_call(w, node, use);
    return;
  case NODE_MethodCall:
    walk_method(w, node, use);
    return;
  case NODE_TransferExpr: {
    TransferExpr transfer = transfer_expr(w->tree, node);
    walk(w, transfer.value, USE_NAME);
    NodeKind target = node_kind(w->tree, transfer.target);
    if (target != NODE_Place && target != NODE_MemoryOf)
      walk(w, transfer.target, USE_NAME);
    stage_transfer(w, node);
    check_use(w, node, use);
    return;
  }
  case NODE_Block:
    walk_block(w, node, use);
    return;
  case NODE_IfExpr:
    walk_if(w, node, use);
    return;
  case NODE_ForExpr:
    walk(w, for_expr(w->tree, node).range, USE_TOUCH);
    walk_loop(w, for_expr(w->tree, node).body);
    return;
  case NODE_WhileExpr:
    w->loop_depth++;
    walk(w, while_expr(w->tree, node).condition, USE_TOUCH);
    w->loop_depth--;
    walk_loop(w, while_expr(w->tree, node).body);
    return;
  case NODE_LoopExpr:
    walk_loop(w, loop_expr(w->tree, node).body);
    return;
  case NODE_ReturnExpr:
    if (return_expr(w->tree, node).value.index)
      walk(w, return_expr(w->tree, node).value, USE_CARRY);
    return;
  case NODE_AssertExpr:
    walk(w, assert_expr(w->tree, node).condition, USE_TOUCH);
    return;
  case NODE_SpawnExpr:
    walk_spawn(w, node, use);
    return;
  default: // literals, and what sema has refused
    return;
  }
}

// --- The pass ----------------------------------------------------------------

static void walk_function(Walker *w, const Job *job) {
  FunctionDecl *function = &w->program->functions.items[job->function];
  w->unit = function->unit;
  w->tree = w->program->units.items[function->unit].tree;
  w->active = job->active;
  w->region = NULL;
  w->loop_depth = 0;
  NodeId body = fn_item(w->tree, function->node).body;
  uint32_t errors = w->program->sink->error_count;
  if (body.index && node_kind(w->tree, body) == NODE_Block)
    walk(w, body, USE_CARRY);
  function->has_errors |= w->program->sink->error_count != errors;
}

// Which functions does some function call?
static Bitset find_called(Walker *w) {
  Program *program = w->program;
  Bitset called = bitset_new(&w->scratch, program->functions.count + 1);
  for (uint32_t i = 0; i < program->units.count; i++) {
    const Unit *unit = &program->units.items[i];
    for (uint32_t j = 1; j < unit->tree->nodes.count; j++)
      if (unit->symbols[j].kind == SYMBOL_FUNCTION &&
          unit->tree->nodes.items[j].kind == NODE_CallExpr)
        bitset_add(&called, unit->symbols[j].index);
  }
  return called;
}

static void run_jobs(Walker *w, uint32_t *next) {
  for (; *next < w->jobs.count; (*next)++) {
    Job job = w->jobs.items[*next];
    if (w->program->functions.items[job.function].is_supported)
      walk_function(w, &job);
  }
}

Placements *place_check(Arena *arena, Program *program) {
  Placements *placements = ARENA_NEW(arena, Placements);
  Walker w = {.program = program, .placements = placements, .arena = arena};
  uint32_t count = program->functions.count;
  w.seen = ARENA_ARRAY(&w.scratch, ActiveVec, count);
  Bitset called = find_called(&w);
  uint32_t next = 0;
  for (uint32_t i = 0; i < count; i++) {
    const FunctionDecl *function = &program->functions.items[i];
    if (function->on.index)
      queue(&w, i, (Active){.topology = function->on, .instance = function->on_instance});
    else if (!bitset_has(&called, i))
      queue(&w, i, program->host);
    run_jobs(&w, &next);
  }
  for (uint32_t i = 0; i < count; i++) { // only called from a cycle
    if (w.seen[i].count == 0)
      queue(&w, i, program->host);
    run_jobs(&w, &next);
  }
  arena_free(&w.scratch);
  return placements;
}
