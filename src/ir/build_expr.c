// SPDX-License-Identifier: Apache-2.0
//
// Lowering of expressions: constants, names, operators, references, structs.

#include "ir/internal.h"

// --- Constants ---------------------------------------------------------------

static Constant constant_of(const Builder *b, TypeId type,
                            const ConstValue *value) {
  bool is_float = built_info(b, type)->kind == TYPE_SCALAR &&
                  element_class(built_info(b, type)->element) == CLASS_FLOAT;
  if (value->kind == CONST_BOOL)
    return (Constant){.kind = CONSTANT_BOOL, .integer = value->integer};
  if (value->kind == CONST_INTEGER && !is_float)
    return (Constant){.kind = CONSTANT_INTEGER, .integer = value->integer};
  Str digits = value->digits;
  if (value->kind == CONST_INTEGER) {
    Text text = text_new(b->arena);
    text_i128(&text, value->integer);
    digits = text_str(&text);
  } else if (digits.length == 0) {
    digits = str_format(b->arena, "%.17g", value->number);
  }
  return (Constant){.kind = CONSTANT_FLOAT, .text = digits};
}

static ValueId lower_integer(Builder *b, NodeId node, NodeId at,
                             bool is_negative) {
  Str text = token_text(b->tree, integer_lit(b->tree, node).number);
  IntegerValue literal = literal_integer(&b->scratch, text);
  Uint128 bits = is_negative ? 0 - literal.value : literal.value;
  ConstValue value = {.kind = CONST_INTEGER, .integer = (Int128)bits};
  TypeId type = built_type(b, at);
  return emit_constant(b, at, type, constant_of(b, type, &value));
}

static ValueId lower_float(Builder *b, NodeId node) {
  Str text = token_text(b->tree, float_lit(b->tree, node).number);
  Constant constant = {.kind = CONSTANT_FLOAT,
                       .text = literal_float(b->arena, text).digits};
  return emit_constant(b, node, built_type(b, node), constant);
}

static ValueId lower_bool(Builder *b, NodeId node) {
  Str word = token_text(b->tree, bool_lit(b->tree, node).word);
  Constant constant = {.kind = CONSTANT_BOOL,
                       .integer = str_equal(word, STR("true"))};
  return emit_constant(b, node, built_type(b, node), constant);
}

static ValueId lower_string(Builder *b, NodeId node) {
  Str text = token_text(b->tree, string_lit(b->tree, node).text);
  Constant constant = {.kind = CONSTANT_TEXT,
                       .text = literal_string(b->arena, text)};
  return emit_constant(b, node, built_type(b, node), constant);
}

// --- Names -------------------------------------------------------------------

static ValueId lower_name(Builder *b, NodeId node) {
  Symbol symbol = sema_symbol(b->program, b->unit, node);
  TypeId type = built_type(b, node);
  if (symbol.kind == SYMBOL_CONST)
    return emit_constant(
        b, node, type,
        constant_of(b, type, &b->program->consts.items[symbol.index].value));
  CHECK(symbol.kind == SYMBOL_LOCAL);
  const Home *home = home_of(b, symbol.index);
  if (home->is_slot)
    return emit1(b, OP_LOAD, node, type, home->value);
  return home->value;
}

ValueId lower_place(Builder *b, NodeId node) {
  node = node_unparen(b->tree, node);
  switch ((int)node_kind(b->tree, node)) {
  case NODE_Ident: {
    Symbol symbol = sema_symbol(b->program, b->unit, node);
    if (symbol.kind == SYMBOL_LOCAL)
      return home_of(b, symbol.index)->value;
    return lower_expr(b, node);
  }
  case NODE_UnaryExpr:
    if (token_kind(b->tree, unary_expr(b->tree, node).op) == TOKEN_STAR)
      return lower_expr(b, unary_expr(b->tree, node).operand);
    return lower_expr(b, node);
  default:
    return lower_expr(b, node);
  }
}

ValueId lower_base(Builder *b, NodeId node) {
  ValueId base = lower_expr(b, node);
  const TypeInfo *info = built_info(b, value_type(b, base));
  if (info->kind == TYPE_REF &&
      built_info(b, info->target)->kind == TYPE_STRUCT)
    return emit1(b, OP_DEREF, node, info->target, base);
  return base;
}

ValueId lower_operand(Builder *b, NodeId node) {
  ValueId value = lower_expr(b, node);
  const TypeInfo *info = built_info(b, value_type(b, value));
  if (info->kind == TYPE_REF &&
      built_info(b, info->target)->kind == TYPE_SCALAR)
    return emit1(b, OP_DEREF, node, info->target, value);
  return value;
}

// --- Operators ---------------------------------------------------------------

static OpKind operator_kind(TokenKind token) {
  switch ((int)token) {
  case TOKEN_PLUS:
  case TOKEN_PLUS_EQ:
    return OP_ADD;
  case TOKEN_MINUS:
  case TOKEN_MINUS_EQ:
    return OP_SUB;
  case TOKEN_STAR:
  case TOKEN_STAR_EQ:
    return OP_MUL;
  case TOKEN_SLASH:
  case TOKEN_SLASH_EQ:
    return OP_DIV;
  case TOKEN_PERCENT:
  case TOKEN_PERCENT_EQ:
    return OP_REM;
  case TOKEN_AND:
  case TOKEN_AND_EQ:
    return OP_AND;
  case TOKEN_OR:
  case TOKEN_OR_EQ:
    return OP_OR;
  case TOKEN_CARET:
  case TOKEN_CARET_EQ:
    return OP_XOR;
  case TOKEN_SHL:
  case TOKEN_SHL_EQ:
    return OP_SHL;
  case TOKEN_SHR:
  case TOKEN_SHR_EQ:
    return OP_SHR;
  case TOKEN_EQ_EQ:
    return OP_EQ;
  case TOKEN_NOT_EQ:
    return OP_NE;
  case TOKEN_LT:
    return OP_LT;
  case TOKEN_LE:
    return OP_LE;
  case TOKEN_GT:
    return OP_GT;
  case TOKEN_GE:
    return OP_GE;
  case TOKEN_AT:
    return OP_MATMUL;
  default:
    PANIC("no operation for this operator");
  }
}

// `a && b` evaluates b only when a is true; `||` likewise.
static ValueId lower_logic(Builder *b, NodeId node, bool is_and) {
  BinaryExpr binary = binary_expr(b->tree, node);
  TypeId type = built_type(b, node);
  ValueId left = lower_operand(b, binary.left);
  ValueId result = emit1(b, OP_IF, node, type, left);
  Constant constant = {.kind = CONSTANT_BOOL, .integer = !is_and};
  ValueId value = is_and ? lower_operand(b, binary.right)
                         : emit_constant(b, node, type, constant);
  emit1(b, OP_YIELD, node, (TypeId){0}, value);
  emit(b, OP_ELSE, node, (TypeId){0}, NULL, 0);
  value = is_and ? emit_constant(b, node, type, constant)
                 : lower_operand(b, binary.right);
  emit1(b, OP_YIELD, node, (TypeId){0}, value);
  emit(b, OP_END, node, (TypeId){0}, NULL, 0);
  return result;
}

static ValueId lower_binary(Builder *b, NodeId node) {
  BinaryExpr binary = binary_expr(b->tree, node);
  TokenKind token = token_kind(b->tree, binary.op);
  if (token == TOKEN_AND_AND || token == TOKEN_OR_OR)
    return lower_logic(b, node, token == TOKEN_AND_AND);
  ValueId operands[2];
  operands[0] = lower_operand(b, binary.left);
  operands[1] = lower_operand(b, binary.right);
  return emit(b, operator_kind(token), node, built_type(b, node), operands, 2);
}

static ValueId lower_unary(Builder *b, NodeId node) {
  UnaryExpr unary = unary_expr(b->tree, node);
  TypeId type = built_type(b, node);
  switch ((int)token_kind(b->tree, unary.op)) {
  case TOKEN_MINUS:
    if (node_kind(b->tree, unary.operand) == NODE_IntegerLit)
      return lower_integer(b, unary.operand, node, true);
    return emit1(b, OP_NEG, node, type, lower_operand(b, unary.operand));
  case TOKEN_NOT:
    return emit1(b, OP_NOT, node, type, lower_operand(b, unary.operand));
  case TOKEN_STAR:
    return emit1(b, OP_DEREF, node, type, lower_expr(b, unary.operand));
  default: {
    NodeId inner = node_unparen(b->tree, unary.operand);
    ValueId place = lower_place(b, unary.operand);
    if (node_kind(b->tree, inner) == NODE_IndexExpr)
      return place; // a row view is a reference already
    ValueId value = emit1(b, OP_BORROW, node, type, place);
    if (unary.flags & REF_MUT)
      last_op(b)->flags = OP_FLAG_MUT;
    return value;
  }
  }
}

// --- Structs -----------------------------------------------------------------

static ValueId lower_struct(Builder *b, NodeId node) {
  StructExpr literal = struct_expr(b->tree, node);
  TypeId type = built_type(b, node);
  const StructDecl *decl =
      &b->program->structs.items[built_info(b, type)->struct_index];
  ValueId *fields = ARENA_ARRAY(&b->scratch, ValueId, decl->field_count);
  for (uint32_t i = 0; i < literal.fields.count; i++) {
    FieldInit init = field_init(b->tree, list_at(b->tree, literal.fields, i));
    Name name = token_name(b->tree, init.name);
    fields[sema_find_field(decl, name)] = lower_expr(b, init.value);
  }
  return emit(b, OP_STRUCT, node, type, fields, decl->field_count);
}

static ValueId lower_field(Builder *b, NodeId node) {
  FieldExpr field = field_expr(b->tree, node);
  Symbol symbol = sema_symbol(b->program, b->unit, node);
  TypeId type = built_type(b, node);
  if (symbol.kind == SYMBOL_VALUE)
    return emit_constant(
        b, node, type,
        constant_of(b, type, &b->program->values.items[symbol.index]));
  ValueId base = lower_base(b, field.base);
  const TypeInfo *info = built_info(b, value_type(b, base));
  const StructDecl *decl = &b->program->structs.items[info->struct_index];
  Name name = token_name(b->tree, field.name);
  uint32_t index = sema_find_field(decl, name);
  ValueId value = emit1(b, OP_FIELD, node, type, base);
  last_op(b)->aux = index;
  return value;
}

static void lower_assert(Builder *b, NodeId node) {
  AssertExpr assertion = assert_expr(b->tree, node);
  ValueId operands[2];
  uint32_t count = 1;
  operands[0] = lower_operand(b, assertion.condition);
  if (assertion.message.index)
    operands[count++] = lower_expr(b, assertion.message);
  emit(b, OP_ASSERT, node, (TypeId){0}, operands, count);
}

static void lower_macro(Builder *b, NodeId node) {
  NodeList args = macro_call(b->tree, node).args;
  for (uint32_t i = 0; i < args.count; i++)
    emit1(b, OP_PRINT, node, (TypeId){0},
          lower_expr(b, list_at(b->tree, args, i)));
}

ValueId lower_expr(Builder *b, NodeId node) {
  const ValueId none = {0};
  switch ((int)node_kind(b->tree, node)) {
  case NODE_IntegerLit:
    return lower_integer(b, node, node, false);
  case NODE_FloatLit:
    return lower_float(b, node);
  case NODE_BoolLit:
    return lower_bool(b, node);
  case NODE_StringLit:
    return lower_string(b, node);
  case NODE_Ident:
  case NODE_PathExpr:
    return lower_name(b, node);
  case NODE_ParenExpr:
    return lower_expr(b, paren_expr(b->tree, node).inner);
  case NODE_UnaryExpr:
    return lower_unary(b, node);
  case NODE_BinaryExpr:
    return lower_binary(b, node);
  case NODE_CastExpr:
    return emit1(b, OP_CAST, node, built_type(b, node),
                 lower_operand(b, cast_expr(b->tree, node).operand));
  case NODE_FieldExpr:
    return lower_field(b, node);
  case NODE_StructExpr:
    return lower_struct(b, node);
  case NODE_IndexExpr:
    return lower_index(b, node);
  case NODE_ListExpr:
    return lower_list(b, node, node, built_type(b, node));
  case NODE_CallExpr:
    return lower_call(b, node);
  case NODE_MethodCall:
    return lower_method(b, node);
  case NODE_TransferExpr:
    return lower_transfer(b, node);
  case NODE_Block:
    return lower_block(b, node);
  case NODE_IfExpr:
    return lower_if(b, node);
  case NODE_SpawnExpr:
    return lower_spawn(b, node);
  case NODE_ForExpr:
    lower_for(b, node);
    return none;
  case NODE_WhileExpr:
    lower_while(b, node);
    return none;
  case NODE_LoopExpr:
    lower_loop(b, node);
    return none;
  case NODE_BreakExpr:
    emit(b, OP_BREAK, node, (TypeId){0}, NULL, 0);
    return none;
  case NODE_ContinueExpr:
    emit(b, OP_CONTINUE, node, (TypeId){0}, NULL, 0);
    return none;
  case NODE_ReturnExpr:
    lower_return(b, node);
    return none;
  case NODE_AssignExpr:
    lower_assign(b, node);
    return none;
  case NODE_AssertExpr:
    lower_assert(b, node);
    return none;
  case NODE_MacroCall:
    lower_macro(b, node);
    return none;
  default:
    PANIC("sema admitted an expression that lowering does not know");
  }
}
