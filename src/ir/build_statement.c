// SPDX-License-Identifier: Apache-2.0
//
// Lowering of blocks, variables, control flow, assignment and regions.

#include "ir/internal.h"

static const TypeId no_type = {0};

// --- Variables ---------------------------------------------------------------

static void name_value(Builder *b, ValueId value, Name name,
                       uint32_t first_op) {
  Value *v = &b->f->values.items[value.index];
  if (v->name.index == 0 && v->op >= first_op)
    v->name = name;
}

// What a struct literal was made of is called after the field: "layer.weights".
static void name_parts(Builder *b, ValueId value, Name name,
                       uint32_t first_op) {
  Op op = b->f->ops.items[b->f->values.items[value.index].op];
  const TypeInfo *info = built_info(b, value_type(b, value));
  if (op.kind != OP_STRUCT || info->kind != TYPE_STRUCT)
    return;
  const IrStruct *s = &b->module->structs.items[info->struct_index];
  Interner *interner = b->program->interner;
  for (uint32_t i = 0; i < op.count; i++) {
    ValueId part = op_operand(b->f, &op, i);
    Value *v = &b->f->values.items[part.index];
    TypeKind kind = built_info(b, v->type)->kind;
    if (v->name.index || v->op < first_op ||
        (kind != TYPE_TENSOR && kind != TYPE_STRUCT))
      continue;
    v->name = intern(
        interner,
        str_format(&b->scratch, "%.*s.%.*s", STR_ARG(name_text(interner, name)),
                   STR_ARG(name_text(interner, s->field_names[i]))));
    name_parts(b, part, b->f->values.items[part.index].name, first_op);
  }
}

static void lower_let(Builder *b, NodeId node) {
  LetStmt let = let_stmt(b->tree, node);
  uint32_t first_op = b->f->ops.count;
  ValueId value = lower_expr(b, let.value);
  Symbol symbol = sema_symbol(b->program, b->unit, let.pattern);
  if (value.index == 0 || symbol.kind != SYMBOL_LOCAL)
    return;
  const Local *local = &b->program->locals.items[symbol.index];
  TypeKind kind = built_info(b, local->type)->kind;
  name_value(b, value, local->name, first_op);
  if (b->f->ops.count == first_op) // `let b = a` renames; that is a use of a
    emit1(b, OP_USE, node, no_type, value);
  if (kind == TYPE_STRUCT)
    name_parts(b, value, local->name, first_op);
  Home *home = home_of(b, symbol.index);
  bool is_slot = local->is_mut && (kind == TYPE_SCALAR || kind == TYPE_STRING ||
                                   kind == TYPE_REF);
  *home = (Home){value, is_slot};
  if (!is_slot)
    return;
  ValueId slot = emit(b, OP_VAR, let.pattern, local->type, NULL, 0);
  b->f->values.items[slot.index].name = local->name;
  emit(b, OP_STORE, node, no_type, (ValueId[]){slot, value}, 2);
  home->value = slot;
}

// --- Blocks ------------------------------------------------------------------

static bool ends_here(const Builder *b, NodeId expr) {
  return type_equal(built_type(b, expr), b->module->types->never);
}

ValueId lower_block(Builder *b, NodeId node) {
  if (node_kind(b->tree, node) != NODE_Block)
    return lower_expr(b, node);
  NodeList statements = block(b->tree, node).statements;
  ValueId value = {0};
  for (uint32_t i = 0; i < statements.count; i++) {
    NodeId statement = list_at(b->tree, statements, i);
    value = (ValueId){0};
    if (node_kind(b->tree, statement) == NODE_LetStmt) {
      lower_let(b, statement);
      if (ends_here(b, let_stmt(b->tree, statement).value))
        break;
      continue;
    }
    ExprStmt expr = expr_stmt(b->tree, statement);
    value = lower_expr(b, expr.expr);
    if (expr.flags & EXPR_SEMICOLON)
      value = (ValueId){0};
    if (ends_here(b, expr.expr))
      break; // what follows never runs
  }
  return value;
}

// --- Control flow ------------------------------------------------------------

static void lower_arm(Builder *b, NodeId arm, bool has_result) {
  ValueId value = lower_block(b, arm);
  if (has_result && value.index && !ends_here(b, arm))
    emit1(b, OP_YIELD, arm, no_type, value);
}

ValueId lower_if(Builder *b, NodeId node) {
  IfExpr branch = if_expr(b->tree, node);
  TypeId type = built_type(b, node);
  TypeKind kind = built_info(b, type)->kind;
  bool has_result =
      branch.else_branch.index && kind != TYPE_VOID && kind != TYPE_NEVER;
  ValueId condition = lower_operand(b, branch.condition);
  ValueId result =
      emit1(b, OP_IF, node, has_result ? type : no_type, condition);
  lower_arm(b, branch.then_block, has_result);
  emit(b, OP_ELSE, node, no_type, NULL, 0);
  if (branch.else_branch.index)
    lower_arm(b, branch.else_branch, has_result);
  emit(b, OP_END, node, no_type, NULL, 0);
  return result;
}

static uint32_t add_loop(Builder *b, IrLoop loop) {
  VEC_PUSH(&b->scratch, &b->f->loops, loop);
  return b->f->loops.count - 1;
}

// The variable that ends a range whose extent is not constant.
static Name range_symbol(const Builder *b, NodeId end) {
  Symbol symbol = sema_symbol(b->program, b->unit, node_unparen(b->tree, end));
  if (symbol.kind != SYMBOL_LOCAL)
    return (Name){0};
  return b->program->locals.items[symbol.index].name;
}

void lower_for(Builder *b, NodeId node) {
  ForExpr loop = for_expr(b->tree, node);
  RangeExpr range = range_expr(b->tree, node_unparen(b->tree, loop.range));
  ValueId ends[2];
  ends[0] = lower_operand(b, range.from);
  ends[1] = lower_operand(b, range.to);
  Symbol facts_symbol = sema_symbol(b->program, b->unit, node);
  const LoopFacts *facts = &b->program->loops.items[facts_symbol.index];
  ValueId index = emit(b, OP_FOR, node, value_type(b, ends[0]), ends, 2);
  last_op(b)->aux = add_loop(
      b, (IrLoop){.is_constant = facts->is_constant,
                  .trips = facts->trips,
                  .stages = facts->stages,
                  .symbol = facts->is_constant ? (Name){0}
                                               : range_symbol(b, range.to)});
  Symbol symbol = sema_symbol(b->program, b->unit, loop.pattern);
  if (symbol.kind == SYMBOL_LOCAL) {
    const Local *local = &b->program->locals.items[symbol.index];
    b->f->values.items[index.index].name = local->name;
    *home_of(b, symbol.index) = (Home){index, false};
    if (local->is_mut) {
      ValueId slot = emit(b, OP_VAR, loop.pattern, local->type, NULL, 0);
      emit(b, OP_STORE, node, no_type, (ValueId[]){slot, index}, 2);
      *home_of(b, symbol.index) = (Home){slot, true};
    }
  }
  lower_block(b, loop.body);
  emit(b, OP_END, node, no_type, NULL, 0);
}

void lower_while(Builder *b, NodeId node) {
  WhileExpr loop = while_expr(b->tree, node);
  emit(b, OP_LOOP, node, no_type, NULL, 0);
  last_op(b)->flags = OP_FLAG_WHILE;
  last_op(b)->aux = add_loop(b, (IrLoop){.stages = 1});
  ValueId condition = lower_operand(b, loop.condition);
  emit1(b, OP_IF, loop.condition, no_type, condition);
  emit(b, OP_ELSE, loop.condition, no_type, NULL, 0);
  emit(b, OP_BREAK, loop.condition, no_type, NULL, 0);
  emit(b, OP_END, loop.condition, no_type, NULL, 0);
  lower_block(b, loop.body);
  emit(b, OP_END, node, no_type, NULL, 0);
}

void lower_loop(Builder *b, NodeId node) {
  emit(b, OP_LOOP, node, no_type, NULL, 0);
  last_op(b)->aux = add_loop(b, (IrLoop){.stages = 1});
  lower_block(b, loop_expr(b->tree, node).body);
  emit(b, OP_END, node, no_type, NULL, 0);
}

void lower_return(Builder *b, NodeId node) {
  NodeId value = return_expr(b->tree, node).value;
  ValueId result = {0};
  if (value.index) {
    bool is_scalar =
        built_info(b, type_strip(b->module->types, built_type(b, value)))
                ->kind == TYPE_SCALAR &&
        built_info(b, b->f->result)->kind == TYPE_SCALAR;
    result = is_scalar ? lower_operand(b, value) : lower_expr(b, value);
  }
  if (result.index)
    emit1(b, OP_RETURN, node, no_type, result);
  else
    emit(b, OP_RETURN, node, no_type, NULL, 0);
}

ValueId lower_spawn(Builder *b, NodeId node) {
  Symbol symbol = sema_symbol(b->program, b->unit, node);
  Active active = b->program->regions.items[symbol.index].active;
  VEC_PUSH(&b->scratch, &b->f->regions,
           (IrRegion){active.topology, active.instance});
  emit(b, OP_REGION, node, no_type, NULL, 0);
  last_op(b)->aux = b->f->regions.count - 1;
  ValueId value = lower_block(b, spawn_expr(b->tree, node).body);
  emit(b, OP_END, node, no_type, NULL, 0);
  return value;
}

// --- Assignment --------------------------------------------------------------

// Stores a whole value where `place` stands: tensors and structs field by
// field, so that each tensor keeps its one buffer.
static void store_whole(Builder *b, NodeId node, ValueId place, ValueId value,
                        TypeId type) {
  const TypeInfo *info = built_info(b, type);
  if (info->kind == TYPE_TENSOR || info->kind == TYPE_PINNED) {
    emit(b, OP_ASSIGN, node, no_type, (ValueId[]){place, value}, 2);
    return;
  }
  CHECK(info->kind == TYPE_STRUCT);
  const IrStruct *s = &b->module->structs.items[info->struct_index];
  for (uint32_t i = 0; i < s->field_count; i++) {
    TypeId field = s->field_types[i];
    ValueId from = emit1(b, OP_FIELD, node, field, value);
    last_op(b)->aux = i;
    TypeKind kind = built_info(b, field)->kind;
    if (kind == TYPE_SCALAR || kind == TYPE_STRING) {
      emit(b, OP_SET_FIELD, node, no_type, (ValueId[]){place, from}, 2);
      last_op(b)->aux = i;
      continue;
    }
    ValueId to = emit1(b, OP_FIELD, node, field, place);
    last_op(b)->aux = i;
    store_whole(b, node, to, from, field);
  }
}

static OpKind compound_kind(TokenKind token) {
  switch ((int)token) {
  case TOKEN_PLUS_EQ:
    return OP_ADD;
  case TOKEN_MINUS_EQ:
    return OP_SUB;
  case TOKEN_STAR_EQ:
    return OP_MUL;
  case TOKEN_SLASH_EQ:
    return OP_DIV;
  case TOKEN_PERCENT_EQ:
    return OP_REM;
  case TOKEN_AND_EQ:
    return OP_AND;
  case TOKEN_OR_EQ:
    return OP_OR;
  case TOKEN_CARET_EQ:
    return OP_XOR;
  case TOKEN_SHL_EQ:
    return OP_SHL;
  case TOKEN_SHR_EQ:
    return OP_SHR;
  default:
    PANIC("no operation for this assignment");
  }
}

// t += e in place; t += a @ b without a temporary.
static void update_tensor(Builder *b, NodeId node, ValueId place) {
  AssignExpr assign = assign_expr(b->tree, node);
  OpKind kind = compound_kind(token_kind(b->tree, assign.op));
  NodeId value = node_unparen(b->tree, assign.value);
  bool is_sum = kind == OP_ADD || kind == OP_SUB;
  if (is_sum && node_kind(b->tree, value) == NODE_BinaryExpr &&
      token_kind(b->tree, binary_expr(b->tree, value).op) == TOKEN_AT) {
    ValueId operands[3] = {place};
    operands[1] = lower_operand(b, binary_expr(b->tree, value).left);
    operands[2] = lower_operand(b, binary_expr(b->tree, value).right);
    emit(b, kind == OP_ADD ? OP_MATMUL_ADD : OP_MATMUL_SUB, node, no_type,
         operands, 3);
    return;
  }
  OpKind into = kind == OP_ADD   ? OP_ADD_INTO
                : kind == OP_SUB ? OP_SUB_INTO
                : kind == OP_MUL ? OP_MUL_INTO
                                 : OP_DIV_INTO;
  ValueId operands[] = {place, lower_operand(b, assign.value)};
  emit(b, into, node, no_type, operands, 2);
}

// The scalar that `x op= e` stores: `old` combined with e.
static ValueId combine(Builder *b, NodeId node, ValueId old, TypeId type) {
  AssignExpr assign = assign_expr(b->tree, node);
  ValueId operands[] = {old, lower_operand(b, assign.value)};
  return emit(b, compound_kind(token_kind(b->tree, assign.op)), node, type,
              operands, 2);
}

static bool is_plain(const Builder *b, NodeId node) {
  return token_kind(b->tree, assign_expr(b->tree, node).op) == TOKEN_EQ;
}

static void assign_element(Builder *b, NodeId node, NodeId target) {
  IndexExpr index = index_expr(b->tree, target);
  uint32_t count = index.indices.count;
  TypeId type = built_type(b, target);
  ValueId *operands = ARENA_ARRAY(&b->scratch, ValueId, count + 2);
  operands[0] = lower_base(b, index.base);
  for (uint32_t i = 0; i < count; i++)
    operands[i + 1] = lower_operand(b, list_at(b->tree, index.indices, i));
  if (is_plain(b, node)) {
    operands[count + 1] = lower_operand(b, assign_expr(b->tree, node).value);
  } else {
    ValueId old = emit(b, OP_ELEMENT, target, type, operands, count + 1);
    operands[count + 1] = combine(b, node, old, type);
  }
  emit(b, OP_SET_ELEMENT, node, no_type, operands, count + 2);
}

static void assign_field(Builder *b, NodeId node, NodeId target, TypeId type) {
  FieldExpr field = field_expr(b->tree, target);
  ValueId base = lower_base(b, field.base);
  const StructDecl *decl =
      &b->program->structs
           .items[built_info(b, value_type(b, base))->struct_index];
  uint32_t index = sema_find_field(decl, token_name(b->tree, field.name));
  ValueId value;
  if (is_plain(b, node)) {
    value = lower_operand(b, assign_expr(b->tree, node).value);
  } else {
    ValueId old = emit1(b, OP_FIELD, target, type, base);
    last_op(b)->aux = index;
    value = combine(b, node, old, type);
  }
  emit(b, OP_SET_FIELD, node, no_type, (ValueId[]){base, value}, 2);
  last_op(b)->aux = index;
}

// A scalar, text or reference in a slot or behind a reference.
static void assign_slot(Builder *b, NodeId node, NodeId target, TypeId type) {
  ValueId place = lower_place(b, target);
  const TypeInfo *info = built_info(b, type);
  bool is_behind = node_kind(b->tree, target) == NODE_UnaryExpr;
  TypeId scalar = type_strip(b->module->types, type);
  if (info->kind == TYPE_REF && !is_plain(b, node)) { // r += e writes through
    ValueId reference = emit1(b, OP_LOAD, target, type, place);
    ValueId old = emit1(b, OP_DEREF, target, scalar, reference);
    ValueId value = combine(b, node, old, scalar);
    emit(b, OP_STORE_REF, node, no_type, (ValueId[]){reference, value}, 2);
    return;
  }
  ValueId value;
  NodeId source = assign_expr(b->tree, node).value;
  if (is_plain(b, node)) {
    value = info->kind == TYPE_REF ? lower_expr(b, source)
                                   : lower_operand(b, source);
  } else {
    ValueId old = emit1(b, is_behind ? OP_DEREF : OP_LOAD, target, type, place);
    value = combine(b, node, old, type);
  }
  emit(b, is_behind ? OP_STORE_REF : OP_STORE, node, no_type,
       (ValueId[]){place, value}, 2);
}

void lower_assign(Builder *b, NodeId node) {
  AssignExpr assign = assign_expr(b->tree, node);
  NodeId target = node_unparen(b->tree, assign.target);
  TypeId type = built_type(b, target);
  TypeId inner = type_strip(b->module->types, type);
  TypeKind kind = built_info(b, type)->kind;
  TypeKind inner_kind = built_info(b, inner)->kind;
  bool is_tensor_update = !is_plain(b, node) && inner_kind == TYPE_TENSOR;
  if (node_kind(b->tree, target) == NODE_IndexExpr) {
    assign_element(b, node, target);
  } else if (is_tensor_update) {
    update_tensor(b, node, lower_expr(b, target));
  } else if (kind == TYPE_TENSOR || kind == TYPE_STRUCT ||
             kind == TYPE_PINNED) {
    ValueId value = lower_expr(b, assign.value);
    store_whole(b, node, lower_place(b, target), value, type);
  } else if (node_kind(b->tree, target) == NODE_FieldExpr) {
    assign_field(b, node, target, type);
  } else {
    assign_slot(b, node, target, type);
  }
}
