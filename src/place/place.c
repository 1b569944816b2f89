// SPDX-License-Identifier: Apache-2.0
//
// place: walks every body once per topology it runs on.
// Input: a program that sema has checked. Output: diagnostics, and the route of
// every transfer. Algorithm: a work list of (function, topology) pairs, begun
// with the functions that name their topology and those that nobody calls, and
// fed by the calls met on the way; one recursive walk per pair that carries
// what is done with a value. Cost: linear in the tree times the topologies,
// plus the routes. It does not count bytes against limits: memory/ does.

#include "place/internal.h"

static void walk(Walker *w, NodeId node, Use use);

static void queue(Walker *w, uint32_t function, Active active) {
  ActiveVec *seen = &w->seen[function];
  for (uint32_t i = 0; i < seen->count; i++)
    if (active_equal(seen->items[i], active))
      return;
  VEC_PUSH(&w->scratch, seen, active);
  VEC_PUSH(&w->scratch, &w->jobs, (Job){function, active});
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
  walk(w, call.receiver, is_about_shape || is_placing ? USE_NAME : USE_TOUCH);
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
  if (value == NODE_TransferExpr &&
      token_kind(w->tree, assign.op) == TOKEN_EQ) {
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
  bool holds_statements =
      kind == NODE_Block || kind == NODE_IfExpr || kind == NODE_SpawnExpr;
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
      queue(&w, i,
            (Active){.topology = function->on,
                     .instance = function->on_instance});
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
