// SPDX-License-Identifier: Apache-2.0
//
// Expressions: literals typed by context, names, operators, casts, references,
// structs. One function per kind of node; check_expr is the flat switch.

#include "sema/internal.h"

#include <stdlib.h>

TypeId unsupported(Checker *c, NodeId node, const char *feature) {
  diag_unsupported(c->program->sink, span_of(c, node), str_from(feature));
  return set_type(c, node, type_error(c));
}

static TypeId not_a_value(Checker *c, NodeId node, const char *why) {
  Span span = span_of(c, node);
  Str written = source_text(c->program->sources, span);
  diag_not_a_value(c->program->sink, span,
                   str_format(message_arena(c), "`%.*s`", STR_ARG(written)),
                   str_from(why));
  return set_type(c, node, type_error(c));
}

TypeId check_value(Checker *c, NodeId node, TypeId expected) {
  TypeId type = check_expr(c, node, expected);
  if (type_equal(type, c->program->types->never))
    return unsupported(c, node, "operands that never give a value");
  return type;
}

TypeId check_operand(Checker *c, NodeId node, TypeId expected) {
  return type_strip(c->program->types, check_value(c, node, expected));
}

// --- Where a value must fit --------------------------------------------------

TypeFit fit_value(Checker *c, NodeId node, TypeId wanted, TypeId found) {
  TypeTable *types = c->program->types;
  TypeFit fit = type_fits(types, wanted, found);
  TypeId target = type_strip(types, wanted);
  if (fit == FIT_PLACE && info_of(c, target)->kind != TYPE_TENSOR)
    return FIT_NO; // a pinned scalar of another home
  if (fit == FIT_PLACE) {
    sema_report_place(c->program, c->unit, node, found, c->active,
                      PLACE_ELSEWHERE, info_of(c, target)->placement);
    return FIT_YES;
  }
  if (fit == FIT_NO && info_of(c, wanted)->kind == TYPE_TENSOR &&
      info_of(c, found)->kind == TYPE_SCALAR) {
    diag_scalar_for_tensor(c->program->sink, span_of(c, node),
                           text_of_type(c, found), text_of_type(c, wanted));
    return FIT_YES;
  }
  return fit;
}

// --- Literals ----------------------------------------------------------------

static Element suffix_element(Str suffix) {
  return suffix.length ? element_from_name(suffix) : ELEMENT_COUNT;
}

static bool integer_fits(Uint128 magnitude, bool is_negative, Element element) {
  if (element_class(element) == CLASS_FLOAT)
    return magnitude <= (Uint128)1 << 24 || element != ELEMENT_F16;
  if (!is_negative)
    return magnitude <= element_max(element);
  return element_class(element) == CLASS_SIGNED
             ? magnitude <= element_max(element) + 1
             : magnitude == 0;
}

// The scalar that the context asks for, when a literal may be one.
static Element expected_number(const Checker *c, TypeId expected) {
  if (expected.index == 0)
    return ELEMENT_COUNT;
  const TypeInfo *info = info_of(c, type_strip(c->program->types, expected));
  if (info->kind != TYPE_SCALAR || !element_is_number(info->element))
    return ELEMENT_COUNT;
  return info->element;
}

static Element default_integer(Uint128 magnitude, bool is_negative) {
  static const Element order[] = {ELEMENT_I32, ELEMENT_I64};
  for (size_t i = 0; i < COUNT_OF(order); i++)
    if (integer_fits(magnitude, is_negative, order[i]))
      return order[i];
  return ELEMENT_I128;
}

static TypeId literal_out_of_range(Checker *c, NodeId node, bool is_negative,
                                   Element element) {
  Str text = source_text(c->program->sources, span_of(c, node));
  diag_literal_range(c->program->sink, span_of(c, node),
                     str_format(message_arena(c), "`%s%.*s`",
                                is_negative ? "-" : "", STR_ARG(text)),
                     str_from(element_name(element)));
  return set_type(c, node, type_error(c));
}

static TypeId check_integer(Checker *c, NodeId node, bool is_negative,
                            TypeId expected) {
  Str text = token_text(c->tree, integer_lit(c->tree, node).number);
  IntegerValue literal = literal_integer(&c->scratch, text);
  Element element = suffix_element(literal.suffix);
  if (element == ELEMENT_COUNT)
    element = expected_number(c, expected);
  if (element == ELEMENT_COUNT)
    element = default_integer(literal.value, is_negative);
  if (literal.overflow || !integer_fits(literal.value, is_negative, element))
    return literal_out_of_range(c, node, is_negative, element);
  return set_type(c, node, type_scalar(c->program->types, element));
}

static double float_limit(Element element) {
  if (element == ELEMENT_F16)
    return 65520.0; // rounds to infinity from here on
  if (element == ELEMENT_BF16)
    return 3.3961775292304957e38;
  return element == ELEMENT_F32 ? 3.4028235677973366e38 : 1.0 / 0.0;
}

static TypeId check_float(Checker *c, NodeId node, TypeId expected) {
  Str text = token_text(c->tree, float_lit(c->tree, node).number);
  FloatValue literal = literal_float(&c->scratch, text);
  Element element = suffix_element(literal.suffix);
  Element context = expected_number(c, expected);
  double number = strtod(str_to_c(&c->scratch, literal.digits), NULL);
  if (element == ELEMENT_COUNT && context != ELEMENT_COUNT &&
      element_class(context) == CLASS_FLOAT)
    element = context;
  if (element == ELEMENT_COUNT)
    element = number < float_limit(ELEMENT_F32) ? ELEMENT_F32 : ELEMENT_F64;
  if (element_class(element) != CLASS_FLOAT || !(number < float_limit(element)))
    return literal_out_of_range(c, node, false, element);
  return set_type(c, node, type_scalar(c->program->types, element));
}

bool is_untyped(const Checker *c, NodeId node) {
  switch ((int)node_kind(c->tree, node)) {
  case NODE_IntegerLit: {
    Str text = token_text(c->tree, integer_lit(c->tree, node).number);
    for (size_t i = 0; i < text.length; i++)
      if (text.data[i] == 'i' || text.data[i] == 'u')
        return false;
    return true;
  }
  case NODE_FloatLit: {
    Str text = token_text(c->tree, float_lit(c->tree, node).number);
    for (size_t i = 0; i < text.length; i++)
      if (text.data[i] == 'f')
        return false;
    return true;
  }
  case NODE_ParenExpr:
    return is_untyped(c, paren_expr(c->tree, node).inner);
  case NODE_UnaryExpr:
    return token_kind(c->tree, unary_expr(c->tree, node).op) == TOKEN_MINUS &&
           is_untyped(c, unary_expr(c->tree, node).operand);
  case NODE_BinaryExpr:
    return is_untyped(c, binary_expr(c->tree, node).left) &&
           is_untyped(c, binary_expr(c->tree, node).right);
  default:
    return false;
  }
}

// --- Names -------------------------------------------------------------------

static TypeId unknown_name(Checker *c, NodeId node, Str name) {
  DiagSink *sink = c->program->sink;
  Diagnostic *d = diag_unknown_variable(sink, span_of(c, node), name);
  const Machine *machine = c->program->machine;
  Name known = intern(c->program->interner, name);
  bool is_memory = machine_find_memory(machine, known).index;
  if (is_memory || machine_find_topology(machine, known).index)
    diag_add_help(sink, d,
                  str_format(sink->arena, "`%s::%.*s` names the %s",
                             is_memory ? "Memory" : "Topology", STR_ARG(name),
                             is_memory ? "memory" : "topology"));
  Str near = suggest_name(c, name, 1u << SYMBOL_LOCAL | 1u << SYMBOL_CONST);
  if (near.length)
    diag_add_help(
        sink, d,
        str_format(sink->arena, "did you mean `%.*s`?", STR_ARG(near)));
  return set_type(c, node, type_error(c));
}

static TypeId symbol_value(Checker *c, NodeId node, Symbol symbol, Str name) {
  c->symbols[node.index] = symbol;
  switch ((SymbolKind)symbol.kind) {
  case SYMBOL_CONST:
    return set_type(c, node, c->program->consts.items[symbol.index].type);
  case SYMBOL_FUNCTION:
    return unsupported(c, node, "function values");
  case SYMBOL_STRUCT:
    return not_a_value(c, node, "a struct is a type, not a value");
  case SYMBOL_UNSUPPORTED:
    return set_type(c, node, type_error(c));
  case SYMBOL_LOCAL:
  case SYMBOL_NONE:
  case SYMBOL_REGION:
  case SYMBOL_LOOP:
  case SYMBOL_VALUE:
    break;
  }
  return unknown_name(c, node, name);
}

static TypeId check_ident(Checker *c, NodeId node) {
  Name name = token_name(c->tree, ident(c->tree, node).name);
  uint32_t local = scope_find(c, name);
  if (local != UINT32_MAX) {
    c->program->locals.items[local].use_count++;
    c->symbols[node.index] = symbol_make(SYMBOL_LOCAL, local);
    return set_type(c, node, c->program->locals.items[local].type);
  }
  return symbol_value(c, node, find_global(c, name, span_of(c, node)),
                      name_of(c, name));
}

static TypeId check_path(Checker *c, NodeId node) {
  NodeList path = path_expr(c->tree, node).path;
  Name first =
      token_name(c->tree, ident(c->tree, list_at(c->tree, path, 0)).name);
  Name last = token_name(
      c->tree, ident(c->tree, list_at(c->tree, path, path.count - 1)).name);
  Str written = source_text(c->program->sources, span_of(c, node));
  uint32_t unit = path.count == 2 ? find_import(c, first) : UINT32_MAX;
  if (unit == UINT32_MAX) {
    Symbol symbol = find_global(c, first, span_of(c, node));
    if (symbol.kind == SYMBOL_UNSUPPORTED)
      return set_type(c, node, type_error(c));
    return unknown_name(c, node, written);
  }
  Symbol symbol = find_in_unit(c->program, unit, last);
  if (symbol.kind != SYMBOL_NONE)
    return symbol_value(c, node, symbol, written);
  diag_not_exported(c->program->sink, span_of(c, node), name_of(c, first),
                    name_of(c, last));
  return set_type(c, node, type_error(c));
}

// --- Operators ---------------------------------------------------------------

static TypeId bad_operands(Checker *c, NodeId node, TypeId left, TypeId right) {
  BinaryExpr binary = binary_expr(c->tree, node);
  DiagSink *sink = c->program->sink;
  Span span = token_span(c->tree, binary.op);
  Str op = token_text(c->tree, binary.op);
  Str l = text_of_type(c, left), r = text_of_type(c, right);
  Diagnostic *d;
  switch ((int)token_kind(c->tree, binary.op)) {
  case TOKEN_EQ_EQ:
  case TOKEN_NOT_EQ:
  case TOKEN_LT:
  case TOKEN_LE:
  case TOKEN_GT:
  case TOKEN_GE:
    d = diag_comparison_operands(sink, span, op, l, r);
    break;
  default:
    d = diag_binary_operands(sink, span, op, l, r);
  }
  diag_add_label(sink, d, span_of(c, binary.left), l);
  diag_add_label(sink, d, span_of(c, binary.right), r);
  return set_type(c, node, type_error(c));
}

static TypeId bad_kind(Checker *c, NodeId node, TypeId found) {
  BinaryExpr binary = binary_expr(c->tree, node);
  diag_operand_kind(c->program->sink, token_span(c->tree, binary.op),
                    token_text(c->tree, binary.op), text_of_type(c, found));
  return set_type(c, node, type_error(c));
}

static bool is_bits(const Checker *c, TypeId type) {
  return type_is_integer(c->program->types, type) ||
         type_is_bool(c->program->types, type);
}

static TypeId scalar_binary(Checker *c, NodeId node, TokenKind op, TypeId left,
                            TypeId right) {
  TypeTable *types = c->program->types;
  bool is_same = type_equal(left, right);
  switch ((int)op) {
  case TOKEN_EQ_EQ:
  case TOKEN_NOT_EQ:
    if (!is_same || info_of(c, left)->kind != TYPE_SCALAR)
      return bad_operands(c, node, left, right);
    return set_type(c, node, type_scalar(types, ELEMENT_BOOL));
  case TOKEN_LT:
  case TOKEN_LE:
  case TOKEN_GT:
  case TOKEN_GE:
    if (!is_same || !type_is_number(types, left))
      return bad_operands(c, node, left, right);
    return set_type(c, node, type_scalar(types, ELEMENT_BOOL));
  case TOKEN_PERCENT:
    if (!type_is_number(types, left) || !type_is_number(types, right))
      return bad_kind(c, node, type_is_number(types, left) ? right : left);
    break;
  case TOKEN_AND:
  case TOKEN_OR:
  case TOKEN_CARET:
    if (!is_bits(c, left) || !is_bits(c, right))
      return bad_kind(c, node, is_bits(c, left) ? right : left);
    break;
  case TOKEN_SHL:
  case TOKEN_SHR:
    if (!type_is_integer(types, left) || !type_is_integer(types, right))
      return bad_kind(c, node, type_is_integer(types, left) ? right : left);
    return set_type(c, node, left);
  case TOKEN_AT:
    return bad_operands(c, node, left, right);
  default:
    if (!type_is_number(types, left) || !type_is_number(types, right))
      return bad_operands(c, node, left, right);
  }
  return is_same ? set_type(c, node, left) : bad_operands(c, node, left, right);
}

static TypeId check_logic(Checker *c, NodeId node) {
  BinaryExpr binary = binary_expr(c->tree, node);
  TypeId bool_type = type_scalar(c->program->types, ELEMENT_BOOL);
  NodeId sides[] = {binary.left, binary.right};
  for (size_t i = 0; i < 2; i++) {
    TypeId type = check_operand(c, sides[i], bool_type);
    if (is_error(c, type) || type_is_bool(c->program->types, type))
      continue;
    Str op = token_text(c->tree, binary.op);
    diag_not_bool(
        c->program->sink, span_of(c, sides[i]),
        str_format(message_arena(c), "an operand of `%.*s`", STR_ARG(op)),
        text_of_type(c, type));
  }
  return set_type(c, node, bool_type);
}

// The type that an untyped literal beside an operand takes.
static TypeId sibling_hint(const Checker *c, TypeId type) {
  const TypeInfo *info = info_of(c, type);
  if (info->kind == TYPE_TENSOR && info->element < ELEMENT_BLOCK)
    return type_scalar(c->program->types, info->element);
  return info->kind == TYPE_SCALAR ? type : NO_TYPE;
}

static bool is_comparison(TokenKind op) {
  return op == TOKEN_EQ_EQ || op == TOKEN_NOT_EQ || op == TOKEN_LT ||
         op == TOKEN_LE || op == TOKEN_GT || op == TOKEN_GE;
}

static TypeId check_binary(Checker *c, NodeId node, TypeId expected) {
  BinaryExpr binary = binary_expr(c->tree, node);
  TokenKind op = token_kind(c->tree, binary.op);
  if (op == TOKEN_AND_AND || op == TOKEN_OR_OR)
    return check_logic(c, node);
  if (is_comparison(op))
    expected = NO_TYPE;
  else if (expected.index && info_of(c, expected)->kind == TYPE_TENSOR)
    expected = sibling_hint(c, expected);
  TypeId left, right;
  if (is_untyped(c, binary.left) && !is_untyped(c, binary.right)) {
    right = check_operand(c, binary.right, expected);
    left = check_operand(c, binary.left, sibling_hint(c, right));
  } else {
    left = check_operand(c, binary.left, expected);
    right = check_operand(c, binary.right, sibling_hint(c, left));
  }
  if (is_error(c, left) || is_error(c, right))
    return set_type(c, node, type_error(c));
  if (info_of(c, left)->kind == TYPE_TENSOR ||
      info_of(c, right)->kind == TYPE_TENSOR)
    return check_tensor_binary(c, node, left, right);
  return scalar_binary(c, node, op, left, right);
}

static TypeId check_negation(Checker *c, NodeId node, TypeId expected) {
  UnaryExpr unary = unary_expr(c->tree, node);
  TypeId type;
  if (node_kind(c->tree, unary.operand) == NODE_IntegerLit)
    type = check_integer(c, unary.operand, true, expected);
  else
    type = check_operand(c, unary.operand, expected);
  const TypeInfo *info = info_of(c, type);
  bool is_number = (info->kind == TYPE_SCALAR || info->kind == TYPE_TENSOR) &&
                   element_is_number(info->element);
  if (info->kind == TYPE_ERROR || is_number)
    return set_type(c, node, type);
  diag_operand_kind(c->program->sink, token_span(c->tree, unary.op), STR("-"),
                    text_of_type(c, type));
  return set_type(c, node, type_error(c));
}

static TypeId check_not(Checker *c, NodeId node, TypeId expected) {
  UnaryExpr unary = unary_expr(c->tree, node);
  TypeId type = check_operand(c, unary.operand, expected);
  if (is_error(c, type) || is_bits(c, type))
    return set_type(c, node, type);
  diag_operand_kind(c->program->sink, token_span(c->tree, unary.op), STR("!"),
                    text_of_type(c, type));
  return set_type(c, node, type_error(c));
}

static TypeId check_reference(Checker *c, NodeId node, TypeId expected) {
  UnaryExpr unary = unary_expr(c->tree, node);
  bool is_mut = unary.flags & REF_MUT;
  TypeId hint = NO_TYPE;
  if (expected.index && info_of(c, expected)->kind == TYPE_REF)
    hint = info_of(c, expected)->target;
  TypeId type = check_value(c, unary.operand, hint);
  TypeKind kind = info_of(c, type)->kind;
  if (kind == TYPE_ERROR)
    return set_type(c, node, type_error(c));
  if (kind == TYPE_VOID)
    return not_a_value(c, unary.operand, "it has no value");
  NodeId inner = node_unparen(c->tree, unary.operand);
  if (node_kind(c->tree, inner) == NODE_IndexExpr && kind != TYPE_REF)
    return unsupported(c, node, "references to elements");
  if (is_mut)
    check_mutable(c, unary.operand, "mutably borrowed");
  if (kind == TYPE_REF && node_kind(c->tree, inner) == NODE_IndexExpr)
    type = info_of(c, type)->target; // a row view is a borrow already
  return set_type(c, node, type_ref(c->program->types, type, is_mut));
}

static TypeId check_dereference(Checker *c, NodeId node) {
  UnaryExpr unary = unary_expr(c->tree, node);
  TypeId type = check_value(c, unary.operand, NO_TYPE);
  const TypeInfo *info = info_of(c, type);
  if (info->kind == TYPE_REF)
    return set_type(c, node, info->target);
  if (info->kind != TYPE_ERROR)
    diag_operand_kind(c->program->sink, token_span(c->tree, unary.op), STR("*"),
                      text_of_type(c, type));
  return set_type(c, node, type_error(c));
}

static TypeId check_unary(Checker *c, NodeId node, TypeId expected) {
  switch ((int)token_kind(c->tree, unary_expr(c->tree, node).op)) {
  case TOKEN_MINUS:
    return check_negation(c, node, expected);
  case TOKEN_NOT:
    return check_not(c, node, expected);
  case TOKEN_STAR:
    return check_dereference(c, node);
  default:
    return check_reference(c, node, expected);
  }
}

// bool to integers, numbers to numbers, floats to and from storage elements.
static bool can_cast(Element from, Element to) {
  if (from == to)
    return true;
  if (from == ELEMENT_BOOL)
    return element_is_integer(to);
  if (element_class(from) == CLASS_STORAGE)
    return element_class(to) == CLASS_FLOAT;
  if (element_class(to) == CLASS_STORAGE)
    return element_class(from) == CLASS_FLOAT;
  return to != ELEMENT_BOOL;
}

static TypeId check_cast(Checker *c, NodeId node) {
  CastExpr cast = cast_expr(c->tree, node);
  TypeId to = resolve_type(c, cast.type, (Context){.kind = CONTEXT_EXPRESSION});
  TypeId from = check_operand(c, cast.operand, NO_TYPE);
  const TypeInfo *from_info = info_of(c, from), *to_info = info_of(c, to);
  if (from_info->kind == TYPE_ERROR || to_info->kind == TYPE_ERROR)
    return set_type(c, node, type_error(c));
  if (from_info->kind == TYPE_TENSOR && to_info->kind == TYPE_TENSOR)
    return unsupported(c, node, "casts of tensors");
  if (from_info->kind == TYPE_SCALAR && to_info->kind == TYPE_SCALAR &&
      can_cast(from_info->element, to_info->element))
    return set_type(c, node, to);
  diag_bad_cast(c->program->sink, span_of(c, node), text_of_type(c, from),
                text_of_type(c, to));
  return set_type(c, node, type_error(c));
}

// --- Structs -----------------------------------------------------------------

static Str suggest_field(Checker *c, const StructDecl *decl, Str name) {
  Str best = {0};
  size_t limit = name.length / 3 + 1;
  for (uint32_t i = 0; i < decl->field_count; i++) {
    Str text = name_of(c, decl->fields[i].name);
    size_t distance = str_distance(&c->scratch, name, text, limit);
    if (distance < limit || (distance == limit && best.length == 0)) {
      best = text;
      limit = distance;
    }
  }
  return best;
}

static TypeId unknown_field(Checker *c, NodeId node, TypeId type, Str name,
                            const StructDecl *decl) {
  DiagSink *sink = c->program->sink;
  Span span = token_span(c->tree, field_expr(c->tree, node).name);
  Diagnostic *d = diag_unknown_field(sink, span, text_of_type(c, type), name);
  Str near = decl ? suggest_field(c, decl, name) : (Str){0};
  if (near.length)
    diag_add_help(
        sink, d,
        str_format(sink->arena, "did you mean `%.*s`?", STR_ARG(near)));
  return set_type(c, node, type_error(c));
}

TypeId check_field(Checker *c, NodeId node) {
  FieldExpr field = field_expr(c->tree, node);
  NodeKind base_kind = node_kind(c->tree, field.base);
  if (base_kind == NODE_Place || base_kind == NODE_MemoryOf) {
    ConstValue value;
    if (evaluate(c, node, &value) != EVAL_OK)
      return set_type(c, node, type_error(c));
    VEC_PUSH(c->program->arena, &c->program->values, value);
    c->symbols[node.index] =
        symbol_make(SYMBOL_VALUE, c->program->values.count - 1);
    return set_type(c, node, type_scalar(c->program->types, ELEMENT_I64));
  }
  TypeId type = check_operand(c, field.base, NO_TYPE);
  const TypeInfo *info = info_of(c, type);
  if (info->kind == TYPE_ERROR)
    return set_type(c, node, type_error(c));
  if (token_kind(c->tree, field.name) == TOKEN_INTEGER)
    return unsupported(c, node, "tuples");
  Name name = token_name(c->tree, field.name);
  if (info->kind == TYPE_TENSOR && str_equal(name_of(c, name), STR("shape"))) {
    diag_shape_member(c->program->sink, token_span(c->tree, field.name));
    return set_type(c, node, type_error(c));
  }
  if (info->kind != TYPE_STRUCT)
    return unknown_field(c, node, type, name_of(c, name), NULL);
  const StructDecl *decl = &c->program->structs.items[info->struct_index];
  uint32_t index = sema_find_field(decl, name);
  if (index == decl->field_count)
    return unknown_field(c, node, type, name_of(c, name), decl);
  return set_type(c, node, decl->fields[index].type);
}

static void literal_fault(Checker *c, Span span, const StructDecl *decl,
                          Str why) {
  diag_literal_fields(c->program->sink, span, name_of(c, decl->name), why);
}

static void check_field_init(Checker *c, NodeId node, const StructDecl *decl,
                             Bitset *given) {
  FieldInit init = field_init(c->tree, node);
  Name name = token_name(c->tree, init.name);
  Span span = token_span(c->tree, init.name);
  Str text = name_of(c, name);
  uint32_t index = sema_find_field(decl, name);
  if (index == decl->field_count) {
    Str near = suggest_field(c, decl, text);
    literal_fault(c, span, decl,
                  near.length
                      ? str_format(message_arena(c),
                                   "it has no field `%.*s`; did you mean "
                                   "`%.*s`?",
                                   STR_ARG(text), STR_ARG(near))
                      : str_format(message_arena(c), "it has no field `%.*s`",
                                   STR_ARG(text)));
    if (init.value.index)
      check_expr(c, init.value, NO_TYPE);
    return;
  }
  if (bitset_has(given, index))
    literal_fault(c, span, decl,
                  str_format(message_arena(c), "field `%.*s` is given twice",
                             STR_ARG(text)));
  bitset_add(given, index);
  if (init.value.index == 0)
    return;
  TypeId wanted = decl->fields[index].type;
  TypeId found = check_value(c, init.value, wanted);
  if (fit_value(c, init.value, wanted, found) == FIT_NO)
    diag_literal_field_type(c->program->sink, span_of(c, init.value), text,
                            name_of(c, decl->name), text_of_type(c, wanted),
                            text_of_type(c, found));
}

TypeId check_struct_literal(Checker *c, NodeId node) {
  StructExpr literal = struct_expr(c->tree, node);
  TypeId type =
      resolve_type(c, literal.type, (Context){.kind = CONTEXT_EXPRESSION});
  const TypeInfo *info = info_of(c, type);
  if (info->kind != TYPE_STRUCT) {
    if (info->kind != TYPE_ERROR)
      not_a_value(c, literal.type, "only a struct has fields to give");
    return set_type(c, node, type_error(c));
  }
  const StructDecl *decl = &c->program->structs.items[info->struct_index];
  Bitset given = bitset_new(&c->scratch, decl->field_count);
  for (uint32_t i = 0; i < literal.fields.count; i++) {
    NodeId init = list_at(c->tree, literal.fields, i);
    if (node_kind(c->tree, init) == NODE_FieldInit)
      check_field_init(c, init, decl, &given);
  }
  Text missing = text_new(message_arena(c));
  for (uint32_t i = 0; i < decl->field_count; i++)
    if (!bitset_has(&given, i)) {
      text_puts(&missing, missing.length ? ", `" : "missing `");
      text_put(&missing, name_of(c, decl->fields[i].name));
      text_char(&missing, '`');
    }
  if (missing.length)
    literal_fault(c, span_of(c, literal.type), decl, text_str(&missing));
  return set_type(c, node, type);
}

// --- Assertions and the rest -------------------------------------------------

static TypeId check_assert(Checker *c, NodeId node) {
  AssertExpr assertion = assert_expr(c->tree, node);
  TypeTable *types = c->program->types;
  TypeId bool_type = type_scalar(types, ELEMENT_BOOL);
  TypeId type = check_operand(c, assertion.condition, bool_type);
  if (!is_error(c, type) && !type_is_bool(types, type))
    diag_not_bool(c->program->sink, span_of(c, assertion.condition),
                  STR("the condition of `assert`"), text_of_type(c, type));
  if (assertion.message.index) {
    TypeId text = check_expr(c, assertion.message, NO_TYPE);
    if (!is_error(c, text) && !type_equal(text, types->string))
      diag_argument_type(c->program->sink, span_of(c, assertion.message),
                         STR("the text"), STR("assert"), STR("*const i8"),
                         text_of_type(c, text));
  }
  return set_type(c, node, types->void_);
}

static TypeId check_jump(Checker *c, NodeId node) {
  if (c->loop_depth == 0)
    return not_a_value(c, node, "there is no loop around it");
  return set_type(c, node, c->program->types->never);
}

TypeId check_expr(Checker *c, NodeId node, TypeId expected) {
  TypeTable *types = c->program->types;
  switch (node_kind(c->tree, node)) {
  case NODE_IntegerLit:
    return check_integer(c, node, false, expected);
  case NODE_FloatLit:
    return check_float(c, node, expected);
  case NODE_BoolLit:
    return set_type(c, node, type_scalar(types, ELEMENT_BOOL));
  case NODE_StringLit:
    return set_type(c, node, types->string);
  case NODE_Ident:
    return check_ident(c, node);
  case NODE_PathExpr:
    return check_path(c, node);
  case NODE_ParenExpr:
    return set_type(c, node,
                    check_expr(c, paren_expr(c->tree, node).inner, expected));
  case NODE_UnaryExpr:
    return check_unary(c, node, expected);
  case NODE_BinaryExpr:
    return check_binary(c, node, expected);
  case NODE_CastExpr:
    return check_cast(c, node);
  case NODE_FieldExpr:
    return check_field(c, node);
  case NODE_IndexExpr:
    return check_index(c, node);
  case NODE_StructExpr:
    return check_struct_literal(c, node);
  case NODE_ListExpr:
    return check_list(c, node, expected);
  case NODE_CallExpr:
    return check_call(c, node, expected);
  case NODE_MethodCall:
    return check_method(c, node, expected);
  case NODE_MacroCall:
    return check_macro(c, node);
  case NODE_TransferExpr:
    return check_transfer(c, node);
  case NODE_AssignExpr:
    return check_assign(c, node);
  case NODE_Block:
    return check_block(c, node, expected);
  case NODE_IfExpr:
    return check_if(c, node, expected);
  case NODE_ForExpr:
    return check_for(c, node);
  case NODE_WhileExpr:
    return check_while(c, node);
  case NODE_LoopExpr:
    return check_loop(c, node);
  case NODE_BreakExpr:
  case NODE_ContinueExpr:
    return check_jump(c, node);
  case NODE_ReturnExpr:
    return check_return(c, node);
  case NODE_SpawnExpr:
    return check_spawn(c, node);
  case NODE_AssertExpr:
    return check_assert(c, node);
  case NODE_ErrorNode:
    return set_type(c, node, type_error(c));
  case NODE_GenericExpr:
    return unsupported(c, node, "generic calls");
  case NODE_TupleExpr:
    return unsupported(c, node, "tuples");
  case NODE_RepeatExpr:
  case NODE_ComprehensionExpr:
    return unsupported(c, node, "arrays");
  case NODE_RangeExpr:
    return unsupported(c, node, "ranges as values");
  case NODE_ClosureExpr:
    return unsupported(c, node, "closures");
  case NODE_MatchExpr:
    return unsupported(c, node, "match");
  case NODE_ComptimeExpr:
    return unsupported(c, node, "comptime");
  case NODE_UnsafeExpr:
    return unsupported(c, node, "unsafe");
  case NODE_Place:
  case NODE_MemoryOf:
    return not_a_value(c, node, "a place is not a value");
  case NODE_TypeExpr:
  case NODE_TypeMember:
    return not_a_value(c, node, "it must be called");
  default:
    return not_a_value(c, node, "an expression is needed");
  }
}
