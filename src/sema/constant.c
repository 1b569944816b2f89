// SPDX-License-Identifier: Apache-2.0
//
// Constant expressions, evaluated on the tree: integers exactly in 128 bits
// whatever type their constants have, floats as doubles. A `const` is
// evaluated at the first question and must fit its declared type.
// Cost: linear in the expression. It does not call functions.

#include "sema/internal.h"

#include <math.h>
#include <stdlib.h>

#define MAX_CONST_DEPTH 500

static EvalStatus fails(Checker *c, NodeId node, const char *why) {
  diag_constant_fails(c->program->sink, span_of(c, node), str_from(why));
  return EVAL_FAILED;
}

static EvalStatus give_integer(ConstValue *value, Int128 integer) {
  *value = (ConstValue){.kind = CONST_INTEGER, .integer = integer};
  return EVAL_OK;
}

static EvalStatus give_float(ConstValue *value, double number) {
  *value = (ConstValue){.kind = CONST_FLOAT, .number = number};
  return EVAL_OK;
}

static EvalStatus give_bool(ConstValue *value, bool truth) {
  *value = (ConstValue){.kind = CONST_BOOL, .integer = truth};
  return EVAL_OK;
}

// --- Literals and names ------------------------------------------------------

static EvalStatus evaluate_integer(Checker *c, NodeId node, ConstValue *value) {
  Str text = token_text(c->tree, integer_lit(c->tree, node).number);
  IntegerValue literal = literal_integer(&c->scratch, text);
  if (literal.overflow || literal.value >> 127)
    return fails(c, node, "it does not fit 128 bits");
  return give_integer(value, (Int128)literal.value);
}

static EvalStatus evaluate_float(Checker *c, NodeId node, ConstValue *value) {
  Str text = token_text(c->tree, float_lit(c->tree, node).number);
  FloatValue literal = literal_float(c->program->arena, text);
  give_float(value, strtod(str_to_c(&c->scratch, literal.digits), NULL));
  value->digits = literal.digits;
  return EVAL_OK;
}

static EvalStatus evaluate_name(Checker *c, NodeId node, Name name,
                                ConstValue *value) {
  if (c->bound[name.index])
    return EVAL_RUNTIME;
  Symbol symbol = find_global(c, name, span_of(c, node));
  if (symbol.kind == SYMBOL_UNSUPPORTED)
    return EVAL_FAILED;
  if (symbol.kind != SYMBOL_CONST)
    return EVAL_RUNTIME;
  c->symbols[node.index] = symbol;
  return const_value(c, symbol.index, value);
}

// module::NAME.
static EvalStatus evaluate_path(Checker *c, NodeId node, ConstValue *value) {
  NodeList path = path_expr(c->tree, node).path;
  if (path.count != 2)
    return EVAL_RUNTIME;
  uint32_t unit = find_import(
      c, token_name(c->tree, ident(c->tree, list_at(c->tree, path, 0)).name));
  if (unit == UINT32_MAX)
    return EVAL_RUNTIME;
  Symbol symbol = find_in_unit(
      c->program, unit,
      token_name(c->tree, ident(c->tree, list_at(c->tree, path, 1)).name));
  if (symbol.kind != SYMBOL_CONST)
    return EVAL_RUNTIME;
  c->symbols[node.index] = symbol;
  return const_value(c, symbol.index, value);
}

// Memory::S.capacity, Memory::S.limit.
static EvalStatus evaluate_member(Checker *c, NodeId node, ConstValue *value) {
  FieldExpr field = field_expr(c->tree, node);
  NodeKind base = node_kind(c->tree, field.base);
  if (base != NODE_Place && base != NODE_MemoryOf)
    return EVAL_RUNTIME;
  Placement placement;
  if (!resolve_memory(c, field.base, (Context){.kind = CONTEXT_EXPRESSION},
                      &placement))
    return EVAL_FAILED;
  const Memory *memory = machine_memory(c->program->machine, placement.memory);
  Str name = token_text(c->tree, field.name);
  if (str_equal(name, STR("capacity")))
    return memory->capacity.is_set
               ? give_integer(value, (Int128)memory->capacity.value)
               : fails(c, node, "this memory declares no capacity");
  if (str_equal(name, STR("limit")))
    return memory->has_limit ? give_integer(value, (Int128)memory->limit)
                             : fails(c, node, "this memory has no limit");
  diag_unknown_field(c->program->sink, span_of(c, node),
                     source_text(c->program->sources, span_of(c, field.base)),
                     name);
  return EVAL_FAILED;
}

// --- Operators ---------------------------------------------------------------

static EvalStatus divide(Checker *c, NodeId node, TokenKind op, Int128 a,
                         Int128 b, ConstValue *value) {
  if (b == 0)
    return fails(c, node, "division by zero");
  if (b == -1) // the least value has no opposite
    return op == TOKEN_PERCENT  ? give_integer(value, 0)
           : sub_i128(0, a, &a) ? give_integer(value, a)
                                : fails(c, node, "it overflows 128 bits");
  return give_integer(value, op == TOKEN_SLASH ? a / b : a % b);
}

static EvalStatus shift(Checker *c, NodeId node, TokenKind op, Int128 a,
                        Int128 b, ConstValue *value) {
  if (b < 0 || b > 127)
    return fails(c, node, "a shift count lies between 0 and 127");
  if (op == TOKEN_SHR)
    return give_integer(value, a >> (int)b);
  Int128 result = a;
  for (int i = 0; i < (int)b; i++)
    if (!add_i128(result, result, &result))
      return fails(c, node, "it overflows 128 bits");
  return give_integer(value, result);
}

static EvalStatus integer_binary(Checker *c, NodeId node, TokenKind op,
                                 Int128 a, Int128 b, ConstValue *value) {
  Int128 result = 0;
  bool fits = true;
  switch ((int)op) {
  case TOKEN_PLUS:
    fits = add_i128(a, b, &result);
    break;
  case TOKEN_MINUS:
    fits = sub_i128(a, b, &result);
    break;
  case TOKEN_STAR:
    fits = mul_i128(a, b, &result);
    break;
  case TOKEN_SLASH:
  case TOKEN_PERCENT:
    return divide(c, node, op, a, b, value);
  case TOKEN_SHL:
  case TOKEN_SHR:
    return shift(c, node, op, a, b, value);
  case TOKEN_AND:
    result = a & b;
    break;
  case TOKEN_OR:
    result = a | b;
    break;
  case TOKEN_CARET:
    result = a ^ b;
    break;
  case TOKEN_EQ_EQ:
    return give_bool(value, a == b);
  case TOKEN_NOT_EQ:
    return give_bool(value, a != b);
  case TOKEN_LT:
    return give_bool(value, a < b);
  case TOKEN_LE:
    return give_bool(value, a <= b);
  case TOKEN_GT:
    return give_bool(value, a > b);
  case TOKEN_GE:
    return give_bool(value, a >= b);
  default:
    return EVAL_RUNTIME;
  }
  return fits ? give_integer(value, result)
              : fails(c, node, "it overflows 128 bits");
}

static EvalStatus float_binary(TokenKind op, double a, double b,
                               ConstValue *value) {
  switch ((int)op) {
  case TOKEN_PLUS:
    return give_float(value, a + b);
  case TOKEN_MINUS:
    return give_float(value, a - b);
  case TOKEN_STAR:
    return give_float(value, a * b);
  case TOKEN_SLASH:
    return give_float(value, a / b);
  case TOKEN_PERCENT:
    return give_float(value, fmod(a, b));
  case TOKEN_LT:
    return give_bool(value, a < b);
  case TOKEN_LE:
    return give_bool(value, a <= b);
  case TOKEN_GT:
    return give_bool(value, a > b);
  case TOKEN_GE:
    return give_bool(value, a >= b);
  case TOKEN_EQ_EQ:
    return give_bool(value, !(a < b) && !(a > b));
  case TOKEN_NOT_EQ:
    return give_bool(value, a < b || a > b);
  default:
    return EVAL_RUNTIME;
  }
}

static EvalStatus bool_binary(TokenKind op, bool a, bool b, ConstValue *value) {
  switch ((int)op) {
  case TOKEN_AND_AND:
  case TOKEN_AND:
    return give_bool(value, a && b);
  case TOKEN_OR_OR:
  case TOKEN_OR:
    return give_bool(value, a || b);
  case TOKEN_EQ_EQ:
    return give_bool(value, a == b);
  case TOKEN_NOT_EQ:
  case TOKEN_CARET:
    return give_bool(value, a != b);
  default:
    return EVAL_RUNTIME;
  }
}

static EvalStatus evaluate_binary(Checker *c, NodeId node, ConstValue *value) {
  BinaryExpr binary = binary_expr(c->tree, node);
  TokenKind op = token_kind(c->tree, binary.op);
  ConstValue a, b;
  EvalStatus status = evaluate(c, binary.left, &a);
  if (status == EVAL_OK)
    status = evaluate(c, binary.right, &b);
  if (status != EVAL_OK)
    return status;
  if (a.kind != b.kind)
    return EVAL_RUNTIME; // a type error: check_expr says so
  if (a.kind == CONST_INTEGER)
    return integer_binary(c, node, op, a.integer, b.integer, value);
  if (a.kind == CONST_FLOAT)
    return float_binary(op, a.number, b.number, value);
  return bool_binary(op, a.integer != 0, b.integer != 0, value);
}

static Int128 truncate(Int128 integer, Element element) {
  uint32_t bits = element_bits(element);
  if (bits >= 128)
    return integer;
  Uint128 mask = ((Uint128)1 << bits) - 1;
  Uint128 low = (Uint128)integer & mask;
  if (element_class(element) == CLASS_SIGNED && low >> (bits - 1))
    return (Int128)(low | ~mask);
  return (Int128)low;
}

// `!x` within the type that the expression has, where it was checked.
static EvalStatus complement(Checker *c, NodeId node, const ConstValue *operand,
                             ConstValue *value) {
  if (operand->kind == CONST_BOOL)
    return give_bool(value, !operand->integer);
  if (operand->kind != CONST_INTEGER)
    return EVAL_RUNTIME;
  const TypeInfo *info = info_of(c, c->types[node.index]);
  Int128 result = ~operand->integer;
  if (info->kind == TYPE_SCALAR)
    result = truncate(result, info->element);
  return give_integer(value, result);
}

// 2^127, which only a minus before it makes fit.
static bool is_least_literal(Checker *c, NodeId node) {
  if (node_kind(c->tree, node) != NODE_IntegerLit)
    return false;
  Str text = token_text(c->tree, integer_lit(c->tree, node).number);
  IntegerValue literal = literal_integer(&c->scratch, text);
  return !literal.overflow && literal.value == (Uint128)1 << 127;
}

static EvalStatus evaluate_unary(Checker *c, NodeId node, ConstValue *value) {
  UnaryExpr unary = unary_expr(c->tree, node);
  TokenKind op = token_kind(c->tree, unary.op);
  if (op != TOKEN_MINUS && op != TOKEN_NOT)
    return EVAL_RUNTIME;
  if (op == TOKEN_MINUS && is_least_literal(c, unary.operand))
    return give_integer(value, (Int128)((Uint128)1 << 127));
  ConstValue operand;
  EvalStatus status = evaluate(c, unary.operand, &operand);
  if (status != EVAL_OK)
    return status;
  if (op == TOKEN_NOT)
    return complement(c, node, &operand, value);
  if (operand.kind == CONST_FLOAT)
    return give_float(value, -operand.number);
  if (operand.kind != CONST_INTEGER)
    return EVAL_RUNTIME;
  return integer_binary(c, node, TOKEN_MINUS, 0, operand.integer, value);
}

// --- Casts -------------------------------------------------------------------

// Saturates; NaN gives 0.
static Int128 saturate(double number, Element element) {
  if (number != number)
    return 0;
  Int128 least = element_min(element);
  Uint128 most = element_max(element);
  if (most >> 127)
    most = ~(Uint128)0 >> 1;
  if (number <= (double)least)
    return least;
  return number >= (double)most ? (Int128)most : (Int128)number;
}

static EvalStatus evaluate_cast(Checker *c, NodeId node, ConstValue *value) {
  CastExpr cast = cast_expr(c->tree, node);
  TypeId type =
      resolve_type(c, cast.type, (Context){.kind = CONTEXT_EXPRESSION});
  const TypeInfo *info = info_of(c, type);
  if (info->kind == TYPE_ERROR)
    return EVAL_FAILED;
  if (info->kind != TYPE_SCALAR)
    return EVAL_RUNTIME;
  Element element = info->element;
  ConstValue operand;
  EvalStatus status = evaluate(c, cast.operand, &operand);
  if (status != EVAL_OK)
    return status;
  if (element_is_integer(element))
    return give_integer(value, operand.kind == CONST_FLOAT
                                   ? saturate(operand.number, element)
                                   : truncate(operand.integer, element));
  if (element_class(element) == CLASS_FLOAT)
    return give_float(value, operand.kind == CONST_FLOAT
                                 ? operand.number
                                 : (double)operand.integer);
  return EVAL_RUNTIME;
}

// A generic argument that is a lone name parses as a type.
static EvalStatus evaluate_named_type(Checker *c, NodeId node,
                                      ConstValue *value) {
  NamedType named = named_type(c->tree, node);
  if (named.path.count != 1 || named.args.count)
    return EVAL_RUNTIME;
  Name name =
      token_name(c->tree, ident(c->tree, list_at(c->tree, named.path, 0)).name);
  return evaluate_name(c, node, name, value);
}

EvalStatus evaluate(Checker *c, NodeId node, ConstValue *value) {
  switch ((int)node_kind(c->tree, node)) {
  case NODE_IntegerLit:
    return evaluate_integer(c, node, value);
  case NODE_FloatLit:
    return evaluate_float(c, node, value);
  case NODE_BoolLit:
    return give_bool(
        value, str_equal(token_text(c->tree, bool_lit(c->tree, node).word),
                         STR("true")));
  case NODE_Ident:
    return evaluate_name(c, node,
                         token_name(c->tree, ident(c->tree, node).name), value);
  case NODE_PathExpr:
    return evaluate_path(c, node, value);
  case NODE_NamedType:
    return evaluate_named_type(c, node, value);
  case NODE_ParenExpr:
    return evaluate(c, paren_expr(c->tree, node).inner, value);
  case NODE_FieldExpr:
    return evaluate_member(c, node, value);
  case NODE_UnaryExpr:
    return evaluate_unary(c, node, value);
  case NODE_BinaryExpr:
    return evaluate_binary(c, node, value);
  case NODE_CastExpr:
    return evaluate_cast(c, node, value);
  case NODE_ErrorNode:
    return EVAL_FAILED;
  default:
    return EVAL_RUNTIME;
  }
}

// --- Const declarations ------------------------------------------------------

bool check_const_range(Checker *c, NodeId node, TypeId type,
                       const ConstValue *value) {
  const TypeInfo *info = info_of(c, type);
  if (value->kind != CONST_INTEGER || info->kind != TYPE_SCALAR ||
      !element_is_integer(info->element))
    return true;
  if (value->integer >= element_min(info->element) &&
      (value->integer < 0 ||
       (Uint128)value->integer <= element_max(info->element)))
    return true;
  Text why = text_new(message_arena(c));
  text_puts(&why, "it is ");
  text_i128(&why, value->integer);
  text_format(&why, ", which does not fit `%s`", element_name(info->element));
  diag_constant_fails(c->program->sink, span_of(c, node), text_str(&why));
  return false;
}

// The checker of another unit, without any locals.
static Checker constant_checker(const Checker *c, uint32_t unit) {
  Unit *u = &c->program->units.items[unit];
  return (Checker){.program = c->program,
                   .unit = unit,
                   .tree = u->tree,
                   .types = u->types,
                   .symbols = u->symbols,
                   .active = c->active,
                   .bound = c->unbound,
                   .unbound = c->unbound,
                   .const_depth = c->const_depth + 1};
}

// An integer constant of a float type is that float; an f32 is rounded.
static void adapt_kind(Checker *c, TypeId type, ConstValue *value) {
  const TypeInfo *info = info_of(c, type);
  if (value->kind == CONST_FLOAT && info->kind == TYPE_SCALAR &&
      info->element == ELEMENT_F32 && value->digits.length == 0)
    value->number = (double)(float)value->number;
  if (value->kind == CONST_INTEGER && info->kind == TYPE_SCALAR &&
      element_class(info->element) == CLASS_FLOAT)
    give_float(value, (double)value->integer);
}

static EvalStatus evaluate_const(Checker *c, ConstDecl *decl) {
  ConstItem item = const_item(c->tree, decl->node);
  TypeId type = decl->type;
  TypeId found = check_expr(c, item.value, type);
  if (is_error(c, found) || is_error(c, type))
    return EVAL_FAILED;
  if (fit_value(c, item.value, type, found) == FIT_NO) {
    diag_let_type(c->program->sink, span_of(c, item.value),
                  name_of(c, decl->name), text_of_type(c, type),
                  text_of_type(c, found));
    return EVAL_FAILED;
  }
  ConstValue value;
  EvalStatus status = evaluate(c, item.value, &value);
  if (status == EVAL_RUNTIME) {
    Str name = name_of(c, decl->name);
    diag_not_constant(
        c->program->sink, span_of(c, item.value),
        str_format(message_arena(c), "the value of `%.*s`", STR_ARG(name)));
  }
  if (status != EVAL_OK)
    return EVAL_FAILED;
  if (!check_const_range(c, item.value, type, &value))
    return EVAL_FAILED;
  adapt_kind(c, type, &value);
  decl->value = value;
  return EVAL_OK;
}

EvalStatus const_value(Checker *c, uint32_t index, ConstValue *value) {
  ConstDecl *decl = &c->program->consts.items[index];
  if (decl->state == CONST_FRESH) {
    if (c->const_depth > MAX_CONST_DEPTH) {
      diag_constant_fails(c->program->sink, decl->span,
                          STR("it depends on a chain of more than 500 "
                              "constants that are declared after it"));
      return EVAL_FAILED;
    }
    decl->state = CONST_RUNNING;
    Checker inner = constant_checker(c, decl->unit);
    evaluate_const(&inner, decl);
    arena_free(&inner.scratch);
    decl->state = CONST_DONE;
  } else if (decl->state == CONST_RUNNING) {
    diag_constant_fails(c->program->sink, decl->span,
                        STR("it depends on itself"));
    return EVAL_FAILED;
  }
  if (decl->value.kind == CONST_NONE)
    return EVAL_FAILED;
  *value = decl->value;
  return EVAL_OK;
}
