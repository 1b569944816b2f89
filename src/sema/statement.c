// SPDX-License-Identifier: Apache-2.0
//
// Blocks, variables, control flow, assignment, regions, bodies.

#include "sema/internal.h"

#define MAX_STAGES 65535

// --- Variables ---------------------------------------------------------------

static void bind_pattern(Checker *c, NodeId pattern, TypeId type) {
  switch ((int)node_kind(c->tree, pattern)) {
  case NODE_NamePattern: {
    NamePattern name = name_pattern(c->tree, pattern);
    Local local = {.name = token_name(c->tree, name.name),
                   .span = token_span(c->tree, name.name),
                   .type = type,
                   .is_mut = name.flags & PATTERN_MUT,
                   .loop_depth = c->loop_depth};
    check_free_name(c, local.span, local.name, false);
    uint32_t index = add_local(c, local);
    c->symbols[pattern.index] = symbol_make(SYMBOL_LOCAL, index);
    scope_bind(c, local.name, index);
    set_type(c, pattern, type);
    return;
  }
  case NODE_WildcardPattern:
    set_type(c, pattern, type);
    return;
  case NODE_ErrorNode:
    return;
  default: {
    unsupported(c, pattern, "patterns");
    NodeVec children = {0};
    node_children(&c->scratch, c->tree, pattern, &children);
    for (uint32_t i = 0; i < children.count; i++)
      if (node_kind(c->tree, children.items[i]) == NODE_NamePattern ||
          node_kind(c->tree, children.items[i]) == NODE_TuplePattern)
        bind_pattern(c, children.items[i], type_error(c));
  }
  }
}

static Name pattern_name(const Checker *c, NodeId pattern) {
  if (node_kind(c->tree, pattern) != NODE_NamePattern)
    return (Name){0};
  return token_name(c->tree, name_pattern(c->tree, pattern).name);
}

static TypeId reject_void(Checker *c, NodeId value, TypeId type) {
  TypeKind kind = info_of(c, type)->kind;
  if (kind != TYPE_VOID)
    return type;
  diag_not_a_value(c->program->sink, span_of(c, value), STR("this"),
                   STR("it has no value"));
  return type_error(c);
}

static TypeId check_let(Checker *c, NodeId node) {
  LetStmt let = let_stmt(c->tree, node);
  Name name = pattern_name(c, let.pattern);
  Context context = {CONTEXT_VARIABLE, name, {0}};
  TypeId declared = NO_TYPE;
  if (let.type.index)
    declared = resolve_type(c, let.type, context);
  if (let.value.index == 0) {
    unsupported(c, node, "variables without a value");
    bind_pattern(c, let.pattern, declared.index ? declared : type_error(c));
    return c->program->types->void_;
  }
  TypeId found = check_expr(c, let.value, declared);
  TypeId type = reject_void(c, let.value, found);
  if (declared.index) {
    type = declared;
    if (is_error(c, declared) || is_error(c, found))
      type = declared;
    else if (fit_value(c, let.value, declared, found) == FIT_NO) {
      Diagnostic *d = diag_let_type(c->program->sink, span_of(c, let.value),
                                    name_of(c, name), text_of_type(c, declared),
                                    text_of_type(c, found));
      diag_add_label(c->program->sink, d, span_of(c, let.type),
                     STR("declared here"));
    }
  }
  bind_pattern(c, let.pattern, type);
  return type_equal(found, c->program->types->never) ? found
                                                     : c->program->types->void_;
}

// --- Blocks ------------------------------------------------------------------

static bool is_void_like(const Checker *c, TypeId type) {
  TypeKind kind = info_of(c, type)->kind;
  return kind == TYPE_VOID || kind == TYPE_NEVER || kind == TYPE_ERROR;
}

TypeId check_block(Checker *c, NodeId node, TypeId expected) {
  TypeTable *types = c->program->types;
  if (node_kind(c->tree, node) != NODE_Block)
    return check_expr(c, node, expected);
  NodeList statements = block(c->tree, node).statements;
  uint32_t mark = scope_mark(c);
  bool is_ended = false;
  TypeId result = types->void_;
  for (uint32_t i = 0; i < statements.count; i++) {
    NodeId statement = list_at(c->tree, statements, i);
    NodeKind kind = node_kind(c->tree, statement);
    TypeId type = types->void_;
    if (kind == NODE_LetStmt) {
      type = check_let(c, statement);
    } else if (kind == NODE_ExprStmt) {
      ExprStmt expr = expr_stmt(c->tree, statement);
      bool is_value =
          i + 1 == statements.count && !(expr.flags & EXPR_SEMICOLON);
      type = check_expr(c, expr.expr, is_value ? expected : NO_TYPE);
      if (is_value)
        result = type;
    }
    if (info_of(c, type)->kind == TYPE_NEVER)
      is_ended = true;
  }
  scope_leave(c, mark);
  return set_type(c, node, is_ended ? types->never : result);
}

// --- Control flow ------------------------------------------------------------

static void check_condition(Checker *c, NodeId node, const char *what) {
  TypeTable *types = c->program->types;
  TypeId type = check_operand(c, node, type_scalar(types, ELEMENT_BOOL));
  if (is_error(c, type) || type_is_bool(types, type))
    return;
  Diagnostic *d = diag_not_bool(c->program->sink, span_of(c, node),
                                str_from(what), text_of_type(c, type));
  if (node_kind(c->tree, node_unparen(c->tree, node)) == NODE_AssignExpr)
    diag_add_help(c->program->sink, d, STR("`==` compares"));
}

// The type of two arms together.
static TypeId join_arms(Checker *c, NodeId node, NodeId second_node,
                        TypeId first, TypeId second) {
  TypeTable *types = c->program->types;
  if (is_error(c, first) || is_error(c, second))
    return type_error(c);
  if (type_equal(first, types->never))
    return second;
  if (type_fits(types, first, second) == FIT_YES)
    return first;
  if (type_fits(types, second, first) == FIT_YES)
    return second;
  if (fit_value(c, second_node, first, second) == FIT_YES)
    return first;
  Diagnostic *d =
      diag_arm_types(c->program->sink, span_of(c, second_node), STR("if"),
                     text_of_type(c, first), text_of_type(c, second));
  diag_add_label(c->program->sink, d,
                 span_of(c, if_expr(c->tree, node).then_block),
                 text_of_type(c, first));
  return type_error(c);
}

// `{ 1 }`: the other arm says of which type.
static bool is_untyped_block(const Checker *c, NodeId node) {
  if (node_kind(c->tree, node) != NODE_Block)
    return false;
  NodeList statements = block(c->tree, node).statements;
  if (statements.count != 1)
    return false;
  NodeId only = list_at(c->tree, statements, 0);
  return node_kind(c->tree, only) == NODE_ExprStmt &&
         !(expr_stmt(c->tree, only).flags & EXPR_SEMICOLON) &&
         is_untyped(c, expr_stmt(c->tree, only).expr);
}

TypeId check_if(Checker *c, NodeId node, TypeId expected) {
  IfExpr branch = if_expr(c->tree, node);
  TypeTable *types = c->program->types;
  if (branch.flags & IF_COMPTIME)
    return unsupported(c, node, "if comptime");
  check_condition(c, branch.condition, "the condition of `if`");
  if (expected.index == 0 && branch.else_branch.index &&
      is_untyped_block(c, branch.then_block))
    check_block(c, branch.else_branch, expected);
  TypeId second = c->types[branch.else_branch.index];
  bool is_hint = second.index && type_is_integer(types, second);
  TypeId first = check_block(c, branch.then_block, is_hint ? second : expected);
  if (branch.else_branch.index == 0) {
    if (!is_void_like(c, first)) {
      Diagnostic *d =
          diag_arm_types(c->program->sink, span_of(c, branch.then_block),
                         STR("if"), text_of_type(c, first), STR("void"));
      diag_add_help(c->program->sink, d,
                    STR("an `if` without `else` gives no value; end the "
                        "value with `;`, or add an `else`"));
      return set_type(c, node, type_error(c));
    }
    return set_type(c, node, types->void_);
  }
  bool is_second_hint = expected.index == 0 && type_is_integer(types, first);
  if (second.index == 0)
    second =
        check_block(c, branch.else_branch, is_second_hint ? first : expected);
  return set_type(c, node,
                  join_arms(c, node, branch.else_branch, first, second));
}

// The ends of a range: integers of one type.
static TypeId check_range(Checker *c, NodeId node) {
  RangeExpr range = range_expr(c->tree, node);
  TypeTable *types = c->program->types;
  TypeId from, to;
  if (is_untyped(c, range.to) || !is_untyped(c, range.from)) {
    from = check_operand(c, range.from, NO_TYPE);
    to = check_operand(c, range.to, from);
  } else {
    to = check_operand(c, range.to, NO_TYPE);
    from = check_operand(c, range.from, to);
  }
  if (is_error(c, from) || is_error(c, to))
    return type_error(c);
  if (type_equal(from, to) && type_is_integer(types, from))
    return from;
  diag_range_ends(c->program->sink, span_of(c, node), text_of_type(c, from),
                  text_of_type(c, to));
  return type_error(c);
}

static void measure_range(Checker *c, NodeId node, LoopFacts *facts) {
  RangeExpr range = range_expr(c->tree, node);
  ConstValue from, to;
  facts->is_constant = evaluate(c, range.from, &from) == EVAL_OK &&
                       evaluate(c, range.to, &to) == EVAL_OK &&
                       from.kind == CONST_INTEGER && to.kind == CONST_INTEGER;
  if (!facts->is_constant || to.integer <= from.integer)
    return;
  Int128 trips;
  bool fits =
      sub_i128(to.integer, from.integer, &trips) && trips <= (Int128)UINT64_MAX;
  facts->trips = fits ? (uint64_t)trips : UINT64_MAX;
}

static void check_stages(Checker *c, NodeId node, LoopFacts *facts) {
  TypeId type = check_operand(c, node, NO_TYPE);
  if (is_error(c, type))
    return;
  ConstValue value;
  EvalStatus status = evaluate(c, node, &value);
  if (status == EVAL_RUNTIME)
    diag_not_constant(c->program->sink, span_of(c, node),
                      STR("the number of stages"));
  else if (status == EVAL_OK && value.kind == CONST_INTEGER &&
           value.integer >= 1 && value.integer <= MAX_STAGES)
    facts->stages = (uint32_t)value.integer;
  else if (status == EVAL_OK)
    diag_constant_fails(c->program->sink, span_of(c, node),
                        STR("the number of stages lies between 1 and 65535"));
}

TypeId check_for(Checker *c, NodeId node) {
  ForExpr loop = for_expr(c->tree, node);
  TypeTable *types = c->program->types;
  uint32_t mark = scope_mark(c);
  TypeId type = type_error(c);
  LoopFacts facts = {.stages = 1};
  NodeId range = node_unparen(c->tree, loop.range);
  if (node_kind(c->tree, range) == NODE_RangeExpr) {
    type = check_range(c, range);
    if (!is_error(c, type))
      measure_range(c, range, &facts);
    set_type(c, range, types->void_);
  } else if (!is_error(c, check_expr(c, loop.range, NO_TYPE))) {
    unsupported(c, loop.range, "loops over other things than ranges");
  }
  if (loop.stages.index)
    check_stages(c, loop.stages, &facts);
  VEC_PUSH(c->program->arena, &c->program->loops, facts);
  c->symbols[node.index] =
      symbol_make(SYMBOL_LOOP, c->program->loops.count - 1);
  bind_pattern(c, loop.pattern, type);
  Symbol symbol = c->symbols[loop.pattern.index];
  if (symbol.kind == SYMBOL_LOCAL) {
    c->program->locals.items[symbol.index].is_loop_variable = true;
    c->program->locals.items[symbol.index].is_short_loop =
        facts.is_constant && facts.trips <= 64;
  }
  c->loop_depth++;
  check_block(c, loop.body, NO_TYPE);
  c->loop_depth--;
  scope_leave(c, mark);
  return set_type(c, node, types->void_);
}

TypeId check_while(Checker *c, NodeId node) {
  WhileExpr loop = while_expr(c->tree, node);
  check_condition(c, loop.condition, "the condition of `while`");
  c->loop_depth++;
  check_block(c, loop.body, NO_TYPE);
  c->loop_depth--;
  return set_type(c, node, c->program->types->void_);
}

// Is there a `break` that leaves this loop?
static bool has_break(Checker *c, NodeId node, unsigned depth) {
  switch ((int)node_kind(c->tree, node)) {
  case NODE_BreakExpr:
    return true;
  case NODE_LoopExpr:
  case NODE_WhileExpr:
  case NODE_ForExpr:
    if (depth > 0)
      return false;
    break;
  default:
    break;
  }
  NodeVec children = {0};
  node_children(&c->scratch, c->tree, node, &children);
  for (uint32_t i = 0; i < children.count; i++)
    if (has_break(c, children.items[i], depth + 1))
      return true;
  return false;
}

TypeId check_loop(Checker *c, NodeId node) {
  c->loop_depth++;
  check_block(c, loop_expr(c->tree, node).body, NO_TYPE);
  c->loop_depth--;
  return set_type(c, node,
                  has_break(c, node, 0) ? c->program->types->void_
                                        : c->program->types->never);
}

// --- Assignment --------------------------------------------------------------

static void not_mutable(Checker *c, NodeId place, Name name, Span declared,
                        const char *action, const char *help) {
  DiagSink *sink = c->program->sink;
  Str text = name_of(c, name);
  Diagnostic *d =
      diag_not_mutable(sink, span_of(c, place), text, str_from(action));
  if (!span_is_none(declared))
    diag_add_label(sink, d, declared, STR("declared here"));
  if (help)
    diag_add_help(sink, d, str_from(help));
}

void check_mutable(Checker *c, NodeId place, const char *action) {
  NodeId node = node_unparen(c->tree, place);
  for (bool is_inside = false;; is_inside = true) {
    const TypeInfo *info = info_of(c, c->types[node.index]);
    bool through_reference = is_inside && info->kind == TYPE_REF;
    Symbol symbol = c->symbols[node.index];
    switch ((int)node_kind(c->tree, node)) {
    case NODE_Ident:
      if (symbol.kind == SYMBOL_CONST) {
        not_mutable(c, place, c->program->consts.items[symbol.index].name,
                    NO_SPAN, action, "a constant never changes");
      } else if (symbol.kind == SYMBOL_LOCAL) {
        const Local *local = &c->program->locals.items[symbol.index];
        if (through_reference ? info->is_mut : local->is_mut)
          return;
        not_mutable(c, place, local->name, local->span, action,
                    through_reference ? "it is a `&`, not a `&mut`"
                                      : "declare it `mut`");
      }
      return;
    case NODE_FieldExpr:
      node = field_expr(c->tree, node).base;
      break;
    case NODE_IndexExpr:
      node = index_expr(c->tree, node).base;
      break;
    case NODE_ParenExpr:
      node = paren_expr(c->tree, node).inner;
      break;
    case NODE_UnaryExpr:
      if (token_kind(c->tree, unary_expr(c->tree, node).op) != TOKEN_STAR)
        return;
      node = unary_expr(c->tree, node).operand;
      break;
    default:
      return; // a temporary may be borrowed mutably
    }
  }
}

static bool is_reference(const Checker *c, NodeId node) {
  TypeId type = c->types[node.index];
  return type.index && info_of(c, type)->kind != TYPE_STRUCT &&
         info_of(c, type)->kind != TYPE_TENSOR;
}

// A variable, or what is reached from one or through a reference; a store into
// a temporary would be lost.
static bool is_place_expr(const Checker *c, NodeId node) {
  node = node_unparen(c->tree, node);
  switch ((int)node_kind(c->tree, node)) {
  case NODE_Ident:
  case NODE_ErrorNode:
    return true;
  case NODE_FieldExpr:
    return is_place_expr(c, field_expr(c->tree, node).base) ||
           is_reference(c, field_expr(c->tree, node).base);
  case NODE_IndexExpr:
    return is_place_expr(c, index_expr(c->tree, node).base) ||
           is_reference(c, index_expr(c->tree, node).base);
  case NODE_UnaryExpr:
    return token_kind(c->tree, unary_expr(c->tree, node).op) == TOKEN_STAR;
  default:
    return false;
  }
}

// acc += a @ b: acc may be wider than the operands.
static bool accumulates(const Checker *c, NodeId value, TypeId target,
                        TypeId found) {
  const TypeInfo *t = info_of(c, target), *f = info_of(c, found);
  NodeId node = node_unparen(c->tree, value);
  if (node_kind(c->tree, node) != NODE_BinaryExpr ||
      token_kind(c->tree, binary_expr(c->tree, node).op) != TOKEN_AT)
    return false;
  bool is_wider = t->element == ELEMENT_F32 &&
                  (f->element == ELEMENT_F16 || f->element == ELEMENT_BF16);
  if (!is_wider || t->rank != f->rank ||
      !placement_equal(t->placement, f->placement))
    return false;
  for (uint32_t i = 0; i < t->rank; i++)
    if (t->dims[i].kind == DIM_STATIC && f->dims[i].kind == DIM_STATIC &&
        t->dims[i].extent != f->dims[i].extent)
      return false;
  return true;
}

// t += row: a row over the last axis.
static bool is_row_of(const Checker *c, TypeId target, TypeId found) {
  const TypeInfo *t = info_of(c, target), *f = info_of(c, found);
  if (f->kind != TYPE_TENSOR || f->rank != 1 || t->rank < 2 ||
      f->element != t->element || !placement_equal(t->placement, f->placement))
    return false;
  const Dim *last = &t->dims[t->rank - 1];
  return last->kind != DIM_STATIC || f->dims[0].kind != DIM_STATIC ||
         last->extent == f->dims[0].extent;
}

static void assign_fault(Checker *c, NodeId node, TypeId target, TypeId found) {
  AssignExpr assign = assign_expr(c->tree, node);
  DiagSink *sink = c->program->sink;
  if (token_kind(c->tree, assign.op) == TOKEN_EQ) {
    Str name = source_text(c->program->sources, span_of(c, assign.target));
    diag_let_type(sink, span_of(c, assign.value), name, text_of_type(c, target),
                  text_of_type(c, found));
    return;
  }
  Diagnostic *d = diag_binary_operands(
      sink, token_span(c->tree, assign.op), token_text(c->tree, assign.op),
      text_of_type(c, target), text_of_type(c, found));
  diag_add_label(sink, d, span_of(c, assign.target), text_of_type(c, target));
  diag_add_label(sink, d, span_of(c, assign.value), text_of_type(c, found));
}

static bool is_shift_assign(TokenKind op) {
  return op == TOKEN_SHL_EQ || op == TOKEN_SHR_EQ;
}

// x op= e.
static void check_compound(Checker *c, NodeId node, TypeId target) {
  AssignExpr assign = assign_expr(c->tree, node);
  TypeTable *types = c->program->types;
  TokenKind op = token_kind(c->tree, assign.op);
  target = type_strip(types, target);
  const TypeInfo *info = info_of(c, target);
  bool is_tensor = info->kind == TYPE_TENSOR;
  TypeId hint = target;
  if (is_tensor && info->element < ELEMENT_BLOCK)
    hint = type_scalar(types, info->element);
  TypeId found = check_operand(c, assign.value, hint);
  if (is_error(c, target) || is_error(c, found))
    return;
  bool is_arithmetic = op == TOKEN_PLUS_EQ || op == TOKEN_MINUS_EQ ||
                       op == TOKEN_STAR_EQ || op == TOKEN_SLASH_EQ;
  if (is_tensor) {
    bool is_good = is_arithmetic &&
                   (type_equal(found, hint) || is_row_of(c, target, found) ||
                    accumulates(c, assign.value, target, found));
    if (!is_good && !(is_arithmetic && info_of(c, found)->kind == TYPE_TENSOR &&
                      fit_value(c, assign.value, target, found) == FIT_YES))
      assign_fault(c, node, target, found);
    return;
  }
  bool is_good =
      is_arithmetic || op == TOKEN_PERCENT_EQ
          ? type_is_number(types, target)
          : type_is_integer(types, target) ||
                (type_is_bool(types, target) && !is_shift_assign(op));
  bool is_same = is_shift_assign(op) ? type_is_integer(types, found)
                                     : type_equal(target, found);
  if (!is_good || !is_same)
    assign_fault(c, node, target, found);
}

TypeId check_assign(Checker *c, NodeId node) {
  AssignExpr assign = assign_expr(c->tree, node);
  TypeTable *types = c->program->types;
  set_type(c, node, types->void_);
  TypeId target = check_expr(c, assign.target, NO_TYPE);
  if (!is_place_expr(c, assign.target)) {
    diag_not_a_value(c->program->sink, span_of(c, assign.target),
                     STR("this expression"),
                     STR("only a variable, a field or an element can be "
                         "assigned to"));
    check_expr(c, assign.value, NO_TYPE);
    return types->void_;
  }
  NodeId inner = node_unparen(c->tree, assign.target);
  bool is_row = node_kind(c->tree, inner) == NODE_IndexExpr &&
                info_of(c, target)->kind == TYPE_REF;
  if (is_row) {
    check_expr(c, assign.value, NO_TYPE);
    unsupported(c, assign.target, "assigning to rows");
    return set_type(c, node, types->void_);
  }
  if (!is_error(c, target))
    check_mutable(c, assign.target, "assigned");
  if (token_kind(c->tree, assign.op) != TOKEN_EQ) {
    check_compound(c, node, target);
    return types->void_;
  }
  TypeId found = check_value(c, assign.value, target);
  if (info_of(c, found)->kind == TYPE_REF &&
      info_of(c, target)->kind == TYPE_SCALAR)
    found = type_strip(types, found);
  if (!is_error(c, target) && !is_error(c, found) &&
      fit_value(c, assign.value, target, found) == FIT_NO)
    assign_fault(c, node, target, found);
  return types->void_;
}

// --- Results and regions -----------------------------------------------------

static void check_result(Checker *c, NodeId value, TypeId found) {
  const FunctionDecl *function = c->function;
  if (is_error(c, found) || is_error(c, function->result) ||
      fit_value(c, value, function->result, found) != FIT_NO)
    return;
  Diagnostic *d = diag_return_type(
      c->program->sink, span_of(c, value), name_of(c, function->name),
      text_of_type(c, function->result), text_of_type(c, found));
  diag_add_label(c->program->sink, d, function->result_span,
                 STR("declared here"));
}

TypeId check_return(Checker *c, NodeId node) {
  ReturnExpr expr = return_expr(c->tree, node);
  TypeTable *types = c->program->types;
  if (c->is_in_region) {
    if (expr.value.index)
      check_expr(c, expr.value, NO_TYPE);
    return unsupported(c, node, "return inside a region");
  }
  TypeId found = types->void_;
  if (expr.value.index)
    found = check_value(c, expr.value, c->function->result);
  check_result(c, expr.value.index ? expr.value : node, found);
  return set_type(c, node, types->never);
}

// What a region gives: nothing, or a value whose home is the device.
static TypeId region_result(Checker *c, NodeId body, TypeId type,
                            Active active) {
  TypeTable *types = c->program->types;
  const TypeInfo *info = info_of(c, type);
  if (info->kind == TYPE_VOID || info->kind == TYPE_NEVER)
    return types->void_;
  if (info->kind == TYPE_PINNED || info->kind == TYPE_ERROR)
    return type;
  if (info->kind == TYPE_REF || info->kind == TYPE_STRUCT)
    return unsupported(c, body, "yielding references and structs");
  if (info->kind == TYPE_TENSOR) {
    Placement home = machine_own_memory(c->program->machine, active.topology,
                                        active.instance);
    if (!machine_sees(c->program->machine, active.topology, active.instance,
                      info->placement))
      return type_error(c); // place says so where the value is used
    if (!placement_equal(info->placement, home)) {
      NodeList statements = block(c->tree, body).statements;
      NodeId last = list_at(c->tree, statements, statements.count - 1);
      sema_report_place(c->program, c->unit, expr_stmt(c->tree, last).expr,
                        type, active, PLACE_ELSEWHERE, home);
      return type_error(c);
    }
  }
  return type_pinned(types, type, active.topology, active.instance);
}

TypeId check_spawn(Checker *c, NodeId node) {
  SpawnExpr spawn = spawn_expr(c->tree, node);
  Active outer = c->active, active = outer;
  bool was_in_region = c->is_in_region;
  uint32_t loop_depth = c->loop_depth;
  bool is_known = resolve_topology(c, spawn.place,
                                   (Context){.kind = CONTEXT_REGION}, &active);
  uint32_t region = c->program->regions.count;
  VEC_PUSH(c->program->arena, &c->program->regions,
           (RegionFacts){active, c->program->locals.count, 0});
  c->symbols[node.index] = symbol_make(SYMBOL_REGION, region);
  c->active = active;
  c->is_in_region = true;
  c->loop_depth = 0; // a region is not left by `break`
  TypeId type = check_block(c, spawn.body, NO_TYPE);
  c->program->regions.items[region].end_local = c->program->locals.count;
  c->loop_depth = loop_depth;
  c->is_in_region = was_in_region;
  c->active = outer;
  if (!is_known || node_kind(c->tree, spawn.body) != NODE_Block)
    return set_type(c, node, type_error(c));
  return set_type(c, node, region_result(c, spawn.body, type, active));
}

void check_body(Checker *c, FunctionDecl *function) {
  FnItem item = fn_item(c->tree, function->node);
  TypeTable *types = c->program->types;
  if (item.body.index == 0 || node_kind(c->tree, item.body) != NODE_Block)
    return;
  c->function = function;
  c->loop_depth = 0;
  c->is_in_region = false;
  c->active = function->on.index ? (Active){.topology = function->on,
                                            .instance = function->on_instance}
                                 : c->program->host;
  uint32_t mark = scope_mark(c);
  for (uint32_t i = 0; i < function->param_count; i++) {
    uint32_t local = function->first_param + i;
    if (c->program->locals.items[local].name.index)
      scope_bind(c, c->program->locals.items[local].name, local);
  }
  TypeId found = check_block(c, item.body, function->result);
  scope_leave(c, mark);
  c->function = NULL;
  if (type_equal(found, types->never) || is_error(c, found))
    return;
  NodeList statements = block(c->tree, item.body).statements;
  bool has_value = false;
  if (statements.count) {
    NodeId last = list_at(c->tree, statements, statements.count - 1);
    has_value = node_kind(c->tree, last) == NODE_ExprStmt &&
                !(expr_stmt(c->tree, last).flags & EXPR_SEMICOLON) &&
                info_of(c, found)->kind != TYPE_VOID;
    if (has_value) {
      c->function = function;
      check_result(c, expr_stmt(c->tree, last).expr, found);
      c->function = NULL;
    }
  }
  if (!has_value && !type_equal(function->result, types->void_) &&
      !is_error(c, function->result)) {
    Diagnostic *d = diag_missing_return(c->program->sink, function->span,
                                        name_of(c, function->name),
                                        text_of_type(c, function->result));
    diag_add_label(c->program->sink, d, function->result_span,
                   STR("declared here"));
  }
}
