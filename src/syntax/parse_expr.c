// SPDX-License-Identifier: Apache-2.0
//
// Expressions: operators by precedence, postfix forms, operands.

#include "syntax/internal.h"

// --- Binary operators --------------------------------------------------------

enum {
  LOOSEST = 1,
  COMPARISON = 4,
  RANGE = 5,
  ABOVE_RANGE = 6,
  ADDITIVE = 10,
};

// 0 for what is no binary operator.
static uint32_t precedence(TokenKind kind) {
  switch (kind) {
  case TOKEN_OR_OR:
    return LOOSEST;
  case TOKEN_AND_AND:
    return 2;
  case TOKEN_EQ_EQ:
  case TOKEN_NOT_EQ:
    return 3;
  case TOKEN_LT:
  case TOKEN_GT:
  case TOKEN_LE:
  case TOKEN_GE:
    return COMPARISON;
  case TOKEN_DOT_DOT:
    return RANGE;
  case TOKEN_OR:
    return ABOVE_RANGE;
  case TOKEN_CARET:
    return 7;
  case TOKEN_AND:
    return 8;
  case TOKEN_SHL:
  case TOKEN_SHR:
    return 9;
  case TOKEN_PLUS:
  case TOKEN_MINUS:
    return ADDITIVE;
  case TOKEN_STAR:
  case TOKEN_SLASH:
  case TOKEN_PERCENT:
  case TOKEN_AT:
    return 11;
  default:
    return 0;
  }
}

static NodeId parse_unary(Parser *p);

// `a < b < c` and `a..b..c` are no expressions; what follows is read anyway.
static bool is_chain(Parser *p, uint32_t level) {
  if (p->is_panicking || precedence(parser_kind(p)) != level)
    return false;
  if (level == COMPARISON)
    parser_help(p, parser_error(p, EXPECTED_OPERATOR, "another operator"),
                "comparisons do not chain: write `a < b && b < c`");
  else if (level == RANGE)
    parser_help(p, parser_error(p, EXPECTED_OPERATOR, "another operator"),
                "a range has two ends");
  else
    return false;
  p->is_panicking = false;
  return true;
}

// Binary(n) = Unary ( Operator(>= n) Binary(its level + 1) )*
static NodeId parse_binary(Parser *p, uint32_t least) {
  uint32_t start = p->token.start;
  NodeId left = parse_unary(p);
  bool is_chained = false; // said so already
  while (!p->is_panicking) {
    uint32_t level = precedence(parser_kind(p));
    if (level == 0 || level < least)
      break;
    TokenId op = parser_take(p);
    NodeId right = parse_binary(p, level + 1);
    if (level == RANGE)
      left = add_range_expr(p, start, (RangeExpr){left, op, right});
    else
      left = add_binary_expr(p, start, (BinaryExpr){left, op, right});
    is_chained = is_chained || is_chain(p, level);
  }
  return left;
}

// Expr = Binary
NodeId parse_expr(Parser *p) { return parse_binary(p, LOOSEST); }

static NodeId parse_in_head(Parser *p, uint32_t least) {
  bool outside = p->no_struct;
  p->no_struct = true;
  NodeId expr = parse_binary(p, least);
  p->no_struct = outside;
  return expr;
}

NodeId parse_head(Parser *p) {
  if (p->is_panicking || !parser_at(p, TOKEN_LBRACE))
    return parse_in_head(p, LOOSEST);
  parser_error(p, EXPECTED_EXPRESSION, "an expression");
  p->is_panicking = false; // that is the body
  return parser_error_node(p);
}

NodeId parse_bound(Parser *p) { return parse_in_head(p, ABOVE_RANGE); }

// ConstantArgument = Binary of `+ - * / % @`
NodeId parse_constant_argument(Parser *p) { return parse_binary(p, ADDITIVE); }

// --- Literals ----------------------------------------------------------------

// The lexer lets any suffix pass, because units are known in some places.
static void check_suffix(Parser *p) {
  Str text = parser_text(p);
  if (text.length == 1)
    return;
  Str suffix = literal_suffix(text);
  bool is_float = parser_at(p, TOKEN_FLOAT);
  if (suffix.length == 0 || (is_float ? literal_suffix_is_float(suffix)
                                      : literal_suffix_is_integer(suffix)))
    return;
  Str why = str_format(p->arena, "`%.*s` is no suffix of %s", STR_ARG(suffix),
                       is_float ? "a float" : "an integer");
  p->has_errors = true;
  diag_malformed_literal(p->sink, (Span){p->token.start, p->token.length}, why);
}

static NodeId parse_plain_literal(Parser *p) {
  uint32_t start = p->token.start;
  switch (parser_kind(p)) {
  case TOKEN_INTEGER:
    check_suffix(p);
    return add_integer_lit(p, start, (IntegerLit){parser_take(p)});
  case TOKEN_FLOAT:
    check_suffix(p);
    return add_float_lit(p, start, (FloatLit){parser_take(p)});
  case TOKEN_STRING:
    return add_string_lit(p, start, (StringLit){parser_take(p)});
  default:
    if (parser_at_word(p, p->known.true_) || parser_at_word(p, p->known.false_))
      return add_bool_lit(p, start, (BoolLit){parser_take(p)});
    parser_error(p, EXPECTED_EXPRESSION, "a literal");
    return parser_error_node(p);
  }
}

// Literal = "-"? ( Integer | Float ) | String | "true" | "false"
NodeId parse_literal(Parser *p) {
  uint32_t start = p->token.start;
  if (p->is_panicking || !parser_at(p, TOKEN_MINUS))
    return parse_plain_literal(p);
  UnaryExpr view = {.op = parser_take(p)};
  view.operand = parse_plain_literal(p);
  return add_unary_expr(p, start, view);
}

// --- Names, paths, struct literals -------------------------------------------

static NodeId parse_field_init(Parser *p) {
  uint32_t start = p->token.start;
  FieldInit view = {.name = parser_expect_name(p, "a field")};
  if (!p->is_panicking && !parser_at(p, TOKEN_COLON))
    parser_help(p, parser_error(p, EXPECTED_TOKEN, "`:`"),
                "a field is written with its value: `x: x`");
  parser_expect(p, TOKEN_COLON);
  view.value = parse_expr(p);
  return add_field_init(p, start, view);
}

// StructExpr = NamedType "{" ( FieldInit ( "," FieldInit )* ","? )? "}"
static NodeId parse_struct_expr(Parser *p, uint32_t start, NodeId type) {
  Bracket bracket = parser_open(p);
  ListStart fields = list_start(p);
  if (!parser_at(p, TOKEN_RBRACE)) {
    do
      list_push(p, parse_field_init(p));
    while (parser_next_element(p, bracket, "field"));
  }
  parser_close(p, bracket, "field", true);
  StructExpr view = {.type = type, .fields = list_end(p, fields)};
  return add_struct_expr(p, start, view);
}

static bool at_struct_brace(const Parser *p) {
  return !p->is_panicking && parser_at(p, TOKEN_LBRACE) && !p->no_struct;
}

// The base of a GenericExpr: an Ident, or a PathExpr.
static NodeId path_node(Parser *p, uint32_t start, NodeList path) {
  if (path.count == 1)
    return list_at(p->tree, path, 0);
  return add_path_expr(p, start, (PathExpr){path});
}

// Path GenericArgs ( "::" Name | StructBody )?, from the `<`
static NodeId parse_generic_path(Parser *p, uint32_t start, NodeList path) {
  NodeList args = parse_generic_args(p);
  if (p->is_panicking ||
      (!parser_at(p, TOKEN_COLON_COLON) && !at_struct_brace(p))) {
    GenericExpr view = {.base = path_node(p, start, path), .args = args};
    return add_generic_expr(p, start, view);
  }
  NodeId type = add_named_type(p, start, (NamedType){path, args});
  if (at_struct_brace(p))
    return parse_struct_expr(p, start, type);
  parser_take(p);
  TypeMember view = {type, parser_expect_name(p, "a function")};
  return add_type_member(p, start, view);
}

// MacroCall = Name "!" "(" Exprs ")"
static NodeList parse_args(Parser *p);

static NodeId parse_macro_call(Parser *p) {
  uint32_t start = p->token.start;
  MacroCall view = {.name = parser_take(p)};
  parser_take(p);
  view.args = parse_args(p);
  return add_macro_call(p, start, view);
}

// Whether `<` opens arguments by the name before it alone.
static bool always_generic(const Parser *p, NodeList path) {
  if (path.count != 1)
    return false;
  Ident only = ident(p->tree, list_at(p->tree, path, 0));
  Name name = p->tree->tokens.items.items[only.name.index].name;
  return name_equal(name, p->known.reachable) ||
         name_equal(name, p->known.sizeof_);
}

// PathExpr = Name ( "::" Name )* ( "::"? GenericArgs )? StructBody?
static NodeId parse_path_expr(Parser *p) {
  if (parser_peek(p, 1) == TOKEN_NOT && parser_peek(p, 2) == TOKEN_LPAREN)
    return parse_macro_call(p);
  uint32_t start = p->token.start;
  ListStart names = list_start(p);
  list_push(p, add_ident(p, start, (Ident){parser_take(p)}));
  while (parser_at(p, TOKEN_COLON_COLON) && parser_peek(p, 1) != TOKEN_LT &&
         !p->is_panicking) {
    parser_take(p);
    list_push(p, parse_ident(p, "a name"));
  }
  NodeList path = list_end(p, names);
  if (p->is_panicking)
    return path_node(p, start, path);
  if (parser_accept(p, TOKEN_COLON_COLON))
    return parse_generic_path(p, start, path);
  if (parser_at(p, TOKEN_LT) &&
      (always_generic(p, path) || parser_opens_arguments(p)))
    return parse_generic_path(p, start, path);
  if (at_struct_brace(p)) {
    NodeId type = add_named_type(p, start, (NamedType){.path = path});
    return parse_struct_expr(p, start, type);
  }
  return path_node(p, start, path);
}

// TensorType ( "::" Name )?
static NodeId parse_tensor_expr(Parser *p) {
  uint32_t start = p->token.start;
  NodeId type = parse_tensor_type(p);
  if (!parser_accept(p, TOKEN_COLON_COLON))
    return add_type_expr(p, start, (TypeExpr){type});
  TypeMember view = {type, parser_expect_name(p, "a function")};
  return add_type_member(p, start, view);
}

// --- Brackets ----------------------------------------------------------------

// ParenExpr = "(" Expr ")"; TupleExpr = "(" ( Expr "," ( Exprs )? )? ")"
static NodeId parse_parens(Parser *p) {
  uint32_t start = p->token.start;
  Bracket bracket = parser_open(p);
  ListStart elements = list_start(p);
  if (parser_accept(p, TOKEN_RPAREN)) {
    p->open.count--;
    p->no_struct = bracket.no_struct;
    return add_tuple_expr(p, start, (TupleExpr){list_end(p, elements)});
  }
  NodeId first = parse_expr(p);
  if (p->is_panicking || !parser_at(p, TOKEN_COMMA)) {
    parser_close(p, bracket, "expression", false);
    return add_paren_expr(p, start, (ParenExpr){first});
  }
  list_push(p, first);
  while (parser_next_element(p, bracket, "element"))
    list_push(p, parse_expr(p));
  parser_close(p, bracket, "element", true);
  return add_tuple_expr(p, start, (TupleExpr){list_end(p, elements)});
}

// RepeatExpr = "[" Expr ";" Expr "]", from the `;`
static NodeId parse_repeat(Parser *p, uint32_t start, Bracket bracket,
                           NodeId value) {
  parser_take(p);
  RepeatExpr view = {.value = value, .count = parse_expr(p)};
  parser_close(p, bracket, "count", false);
  return add_repeat_expr(p, start, view);
}

// ListExpr = "[" ( Expr ( "," Expr )* ","? )? "]"
static NodeId parse_list(Parser *p) {
  uint32_t start = p->token.start;
  if (parser_peek(p, 1) == TOKEN_FOR)
    return parse_comprehension(p);
  Bracket bracket = parser_open(p);
  ListStart elements = list_start(p);
  if (!parser_at(p, TOKEN_RBRACKET)) {
    NodeId first = parse_expr(p);
    if (!p->is_panicking && parser_at(p, TOKEN_SEMICOLON))
      return parse_repeat(p, start, bracket, first);
    list_push(p, first);
    while (parser_next_element(p, bracket, "element"))
      list_push(p, parse_expr(p));
  }
  parser_close(p, bracket, "element", true);
  return add_list_expr(p, start, (ListExpr){list_end(p, elements)});
}

// Args = "(" ( Expr ( "," Expr )* ","? )? ")"
static NodeList parse_args(Parser *p) {
  Bracket bracket = parser_open(p);
  ListStart args = list_start(p);
  if (!parser_at(p, TOKEN_RPAREN)) {
    do
      list_push(p, parse_expr(p));
    while (parser_next_element(p, bracket, "argument"));
  }
  parser_close(p, bracket, "argument", true);
  return list_end(p, args);
}

// --- Calls with a form of their own ------------------------------------------

// TransferExpr = "transfer" "(" Expr "," ( Place | Expr ) ","? ")"
static NodeId parse_transfer(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  Bracket bracket = parser_open(p);
  TransferExpr view = {.value = parse_expr(p)};
  if (parser_expect(p, TOKEN_COMMA)) {
    view.target = parse_expr(p);
    parser_accept(p, TOKEN_COMMA);
  }
  parser_close(p, bracket, "argument", true);
  if (view.target.index == 0)
    view.target = parser_error_node(p);
  return add_transfer_expr(p, start, view);
}

// AssertExpr = "assert" "(" Expr ( "," Expr )? ","? ")"
static NodeId parse_assert(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  if (!parser_at(p, TOKEN_LPAREN)) {
    parser_error(p, EXPECTED_TOKEN, "`(`");
    return parser_error_node(p);
  }
  Bracket bracket = parser_open(p);
  AssertExpr view = {.condition = parse_expr(p)};
  if (parser_next_element(p, bracket, "condition")) {
    view.message = parse_expr(p);
    parser_accept(p, TOKEN_COMMA);
  }
  parser_close(p, bracket, "message", true);
  return add_assert_expr(p, start, view);
}

// Closure = ( "||" | "|" Pattern ( "," Pattern )* "|" ) Expr
static NodeId parse_closure(Parser *p) {
  uint32_t start = p->token.start;
  ClosureExpr view = {0};
  if (!parser_accept(p, TOKEN_OR_OR)) {
    parser_take(p);
    ListStart params = list_start(p);
    if (!parser_at(p, TOKEN_OR)) {
      do
        list_push(p, parse_pattern(p));
      while (parser_accept(p, TOKEN_COMMA));
    }
    view.params = list_end(p, params);
    if (!parser_accept(p, TOKEN_OR))
      parser_error(p, EXPECTED_TOKEN, "`,` or `|`");
  }
  view.body = parse_expr(p);
  return add_closure_expr(p, start, view);
}

static bool can_begin_expression(const Parser *p) {
  switch (parser_kind(p)) {
  case TOKEN_INTEGER:
  case TOKEN_FLOAT:
  case TOKEN_STRING:
  case TOKEN_MEMORY:
  case TOKEN_TOPOLOGY:
  case TOKEN_LPAREN:
  case TOKEN_LBRACKET:
  case TOKEN_MINUS:
  case TOKEN_NOT:
  case TOKEN_STAR:
  case TOKEN_AND:
  case TOKEN_AND_AND:
  case TOKEN_OR:
  case TOKEN_OR_OR:
  case TOKEN_ASSERT:
  case TOKEN_RETURN:
  case TOKEN_BREAK:
  case TOKEN_CONTINUE:
  case TOKEN_GRAD:
  case TOKEN_VJP:
  case TOKEN_JVP:
    return true;
  case TOKEN_LBRACE:
    return !p->no_struct;
  default:
    return parser_at_name(p) || parse_at_block_like(p);
  }
}

// ReturnExpr = "return" Expr?
static NodeId parse_return(Parser *p) {
  uint32_t start = p->token.start;
  ReturnExpr view = {.word = parser_take(p)};
  if (can_begin_expression(p))
    view.value = parse_expr(p);
  return add_return_expr(p, start, view);
}

// --- Operands ----------------------------------------------------------------

static NodeId parse_word_operand(Parser *p) {
  if (parser_at_word(p, p->known.true_) || parser_at_word(p, p->known.false_))
    return parse_plain_literal(p);
  if (parser_at_word(p, p->known.tensor) && parser_peek(p, 1) == TOKEN_LT)
    return parse_tensor_expr(p);
  if (parser_at(p, TOKEN_TRANSFER) && parser_peek(p, 1) == TOKEN_LPAREN)
    return parse_transfer(p);
  return parse_path_expr(p);
}

static NodeId operand_error(Parser *p) {
  TokenKind before = (TokenKind)parser_before(p, 1).kind;
  TokenKind kind = parser_kind(p);
  const char *help = NULL;
  if (kind == TOKEN_DOT_DOT || before == TOKEN_DOT_DOT)
    help = "a range has both its ends: `0..n`";
  else if (kind == TOKEN_PLUS && before == TOKEN_PLUS)
    help = "write `x += 1`";
  else if (kind == TOKEN_LET && before == TOKEN_IF)
    help = "`match` takes a value apart";
  else if (kind == TOKEN_EQ && before == TOKEN_EQ_EQ)
    help = "`==` compares";
  Diagnostic *d = parser_error(p, EXPECTED_EXPRESSION, "an expression");
  if (help != NULL)
    parser_help(p, d, help);
  return parser_error_node(p);
}

// Operand = Literal | PathExpr | Place | Parens | List | Closure | BlockLike
//         | Transfer | Assert | Return | "break" | "continue"
static NodeId parse_operand(Parser *p) {
  uint32_t start = p->token.start;
  switch (parser_kind(p)) {
  case TOKEN_INTEGER:
  case TOKEN_FLOAT:
  case TOKEN_STRING:
    return parse_plain_literal(p);
  case TOKEN_MEMORY:
  case TOKEN_TOPOLOGY:
    return parse_place(p);
  case TOKEN_LPAREN:
    return parse_parens(p);
  case TOKEN_LBRACKET:
    return parse_list(p);
  case TOKEN_OR:
  case TOKEN_OR_OR:
    return parse_closure(p);
  case TOKEN_ASSERT:
    return parse_assert(p);
  case TOKEN_RETURN:
    return parse_return(p);
  case TOKEN_BREAK:
    return add_break_expr(p, start, (BreakExpr){parser_take(p)});
  case TOKEN_CONTINUE:
    return add_continue_expr(p, start, (ContinueExpr){parser_take(p)});
  case TOKEN_GRAD:
  case TOKEN_VJP:
  case TOKEN_JVP: // names of functions that sema does not support yet
    return add_ident(p, start, (Ident){parser_take(p)});
  default:
    if (parser_at_name(p))
      return parse_word_operand(p);
    if (parse_at_block_like(p))
      return parse_block_like(p);
    return operand_error(p);
  }
}

// --- Postfix forms -----------------------------------------------------------

// "." ( Integer | Name ( "::"? GenericArgs )? Args? ), from the `.`
static NodeId parse_member(Parser *p, uint32_t start, NodeId base) {
  parser_take(p);
  if (parser_at(p, TOKEN_INTEGER)) {
    check_suffix(p);
    FieldExpr view = {base, parser_take(p)};
    return add_field_expr(p, start, view);
  }
  MethodCall view = {.receiver = base};
  view.name = parser_expect_name(p, "a field or a method");
  if (p->is_panicking)
    return base;
  if (parser_at(p, TOKEN_COLON_COLON) && parser_peek(p, 1) == TOKEN_LT) {
    parser_take(p);
    view.generics = parse_generic_args(p);
  } else if (parser_at(p, TOKEN_LT) && parser_opens_call(p)) {
    view.generics = parse_generic_args(p);
  } else if (!parser_at(p, TOKEN_LPAREN)) {
    return add_field_expr(p, start, (FieldExpr){base, view.name});
  }
  if (p->is_panicking || !parser_at(p, TOKEN_LPAREN)) {
    parser_error(p, EXPECTED_TOKEN, "`(`");
    return base;
  }
  view.args = parse_args(p);
  return add_method_call(p, start, view);
}

// IndexExpr = Expr "[" Expr ( "," Expr )* ","? "]", from the `[`
static NodeId parse_index(Parser *p, uint32_t start, NodeId base) {
  Bracket bracket = parser_open(p);
  ListStart indices = list_start(p);
  do
    list_push(p, parse_expr(p));
  while (parser_next_element(p, bracket, "index"));
  parser_close(p, bracket, "index", true);
  IndexExpr view = {.base = base, .indices = list_end(p, indices)};
  return add_index_expr(p, start, view);
}

// Postfix = Operand ( Member | Index | Args | "as" Type )*
static NodeId parse_postfix(Parser *p, uint32_t start, NodeId left) {
  while (!p->is_panicking) {
    switch (parser_kind(p)) {
    case TOKEN_DOT:
      left = parse_member(p, start, left);
      break;
    case TOKEN_LBRACKET:
      left = parse_index(p, start, left);
      break;
    case TOKEN_LPAREN: {
      CallExpr view = {.callee = left, .args = parse_args(p)};
      left = add_call_expr(p, start, view);
      break;
    }
    case TOKEN_AS: {
      parser_take(p);
      CastExpr view = {.operand = left, .type = parse_type(p)};
      left = add_cast_expr(p, start, view);
      break;
    }
    default:
      return left;
    }
  }
  return left;
}

// --- Unary operators ---------------------------------------------------------

// "&" "mut"? Unary; "&&" is two of them
static NodeId parse_borrow(Parser *p) {
  uint32_t start = p->token.start;
  UnaryExpr view = {.op = parser_token_id(p)};
  if (parser_at(p, TOKEN_AND_AND))
    parser_split(p, TOKEN_AND, TOKEN_AND);
  else
    parser_take(p);
  if (parser_accept(p, TOKEN_MUT))
    view.flags = REF_MUT;
  view.operand = parse_unary(p);
  return add_unary_expr(p, start, view);
}

static NodeId parse_unary_here(Parser *p) {
  uint32_t start = p->token.start;
  TokenKind next = parser_peek(p, 1);
  switch (parser_kind(p)) {
  case TOKEN_AND:
  case TOKEN_AND_AND:
    return parse_borrow(p);
  case TOKEN_MINUS: // directly before a literal it belongs to that
    if (next == TOKEN_INTEGER || next == TOKEN_FLOAT)
      return parse_postfix(p, start, parse_literal(p));
    break;
  case TOKEN_NOT:
  case TOKEN_STAR:
    break;
  default:
    return parse_postfix(p, start, parse_operand(p));
  }
  UnaryExpr view = {.op = parser_take(p)};
  view.operand = parse_unary(p);
  return add_unary_expr(p, start, view);
}

// Unary = ( "!" | "-" | "*" | "&" "mut"? ) Unary | "-" Literal | Postfix
static NodeId parse_unary(Parser *p) {
  if (p->is_panicking || !parser_enter(p))
    return parser_error_node(p);
  NodeId node = parse_unary_here(p);
  parser_leave(p);
  return node;
}
