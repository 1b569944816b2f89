// SPDX-License-Identifier: Apache-2.0
//
// Blocks, statements, patterns.

#include "syntax/internal.h"

// --- Patterns ----------------------------------------------------------------

static NodeId parse_pattern_here(Parser *p);

// TuplePattern = "(" ( Pattern ( "," Pattern )* ","? )? ")"
static NodeList parse_pattern_list(Parser *p) {
  Bracket bracket = parser_open(p);
  ListStart elements = list_start(p);
  if (!parser_at(p, TOKEN_RPAREN)) {
    do
      list_push(p, parse_pattern(p));
    while (parser_next_element(p, bracket, "pattern"));
  }
  parser_close(p, bracket, "pattern", true);
  return list_end(p, elements);
}

static NodeId parse_name_pattern(Parser *p) {
  uint32_t start = p->token.start;
  NamePattern view = {.flags = parser_accept(p, TOKEN_MUT) ? PATTERN_MUT : 0};
  view.name = parser_expect_name(p, "a name");
  if (view.name.index == 0)
    return parser_error_node(p);
  return add_name_pattern(p, start, view);
}

// RangeEnd = "-"? Integer | Name ( "::" Name )*
static NodeId parse_range_end(Parser *p) {
  uint32_t start = p->token.start;
  if (!parser_at_name(p))
    return parse_literal(p);
  NodeId first = parse_ident(p, "a constant");
  if (!parser_at(p, TOKEN_COLON_COLON))
    return first;
  ListStart path = list_start(p);
  list_push(p, first);
  while (parser_accept(p, TOKEN_COLON_COLON))
    list_push(p, parse_ident(p, "a constant"));
  return add_path_expr(p, start, (PathExpr){list_end(p, path)});
}

// RangePattern = RangeEnd ".." RangeEnd, from the `..`
static NodeId parse_range_pattern(Parser *p, uint32_t start, NodeId from) {
  parser_take(p);
  RangePattern view = {.from = from, .to = parse_range_end(p)};
  return add_range_pattern(p, start, view);
}

// LiteralPattern = "-"? Literal
static NodeId parse_literal_pattern(Parser *p) {
  uint32_t start = p->token.start;
  NodeId value = parse_literal(p);
  if (!p->is_panicking && parser_at(p, TOKEN_DOT_DOT))
    return parse_range_pattern(p, start, value);
  return add_literal_pattern(p, start, (LiteralPattern){value});
}

// EnumPattern = Name ( "::" Name )* ( "(" Patterns ")" )?
static NodeId parse_path_pattern(Parser *p) {
  uint32_t start = p->token.start;
  ListStart path = list_start(p);
  do
    list_push(p, parse_ident(p, "a name"));
  while (parser_accept(p, TOKEN_COLON_COLON));
  EnumPattern view = {.path = list_end(p, path)};
  if (!p->is_panicking && parser_at(p, TOKEN_DOT_DOT)) {
    NodeId from = add_path_expr(p, start, (PathExpr){view.path});
    return parse_range_pattern(p, start, from);
  }
  if (!p->is_panicking && parser_at(p, TOKEN_LPAREN))
    view.payload = parse_pattern_list(p);
  return add_enum_pattern(p, start, view);
}

static NodeId parse_word_pattern(Parser *p) {
  uint32_t start = p->token.start;
  if (parser_at_word(p, p->known.underscore))
    return add_wildcard_pattern(p, start, (WildcardPattern){parser_take(p)});
  if (parser_at_word(p, p->known.true_) || parser_at_word(p, p->known.false_))
    return parse_literal_pattern(p);
  switch (parser_peek(p, 1)) {
  case TOKEN_COLON_COLON:
  case TOKEN_LPAREN:
    return parse_path_pattern(p);
  case TOKEN_DOT_DOT:
    return parse_range_pattern(p, start, parse_range_end(p));
  default:
    return parse_name_pattern(p);
  }
}

static NodeId parse_pattern_here(Parser *p) {
  uint32_t start = p->token.start;
  switch (parser_kind(p)) {
  case TOKEN_LPAREN:
    return add_tuple_pattern(p, start, (TuplePattern){parse_pattern_list(p)});
  case TOKEN_MUT:
    return parse_name_pattern(p);
  case TOKEN_INTEGER:
  case TOKEN_FLOAT:
  case TOKEN_STRING:
  case TOKEN_MINUS:
    return parse_literal_pattern(p);
  default:
    if (parser_at_name(p))
      return parse_word_pattern(p);
    parser_error(p, EXPECTED_NAME, "a pattern");
    return parser_error_node(p);
  }
}

// Pattern = "mut"? Name | "_" | LiteralPattern | RangePattern | TuplePattern
//         | EnumPattern
NodeId parse_pattern(Parser *p) {
  if (p->is_panicking || !parser_enter(p))
    return parser_error_node(p);
  NodeId pattern = parse_pattern_here(p);
  parser_leave(p);
  return pattern;
}

// --- Statements --------------------------------------------------------------

// LetStmt = "let" Pattern ( ":" Type )? "=" Expr ";"
static NodeId parse_let(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  LetStmt view = {.pattern = parse_pattern(p)};
  if (parser_accept(p, TOKEN_COLON))
    view.type = parse_type(p);
  if (!p->is_panicking && parser_at(p, TOKEN_SEMICOLON))
    parser_help(p, parser_error(p, EXPECTED_TOKEN, "`=`"),
                "a variable has a value from the start: `let x = 0;`");
  parser_expect(p, TOKEN_EQ);
  view.value = parse_expr(p);
  parser_semicolon(p, "this `let`", true);
  return add_let_stmt(p, start, view);
}

static bool at_assignment_operator(const Parser *p) {
  switch (parser_kind(p)) {
  case TOKEN_EQ:
  case TOKEN_PLUS_EQ:
  case TOKEN_MINUS_EQ:
  case TOKEN_STAR_EQ:
  case TOKEN_SLASH_EQ:
  case TOKEN_PERCENT_EQ:
  case TOKEN_AND_EQ:
  case TOKEN_OR_EQ:
  case TOKEN_CARET_EQ:
  case TOKEN_SHL_EQ:
  case TOKEN_SHR_EQ:
    return true;
  default:
    return false;
  }
}

// Assignment = Expr ( AssignOperator Expr )?
NodeId parse_assignment(Parser *p) {
  uint32_t start = p->token.start;
  NodeId target = parse_expr(p);
  if (p->is_panicking || !at_assignment_operator(p))
    return target;
  AssignExpr view = {.target = target, .op = parser_take(p)};
  view.value = parse_expr(p);
  return add_assign_expr(p, start, view);
}

// A statement that ends at its closing brace.
static NodeId parse_block_statement(Parser *p) {
  uint32_t start = p->token.start;
  ExprStmt view = {.expr = parse_block_like(p)};
  if (parser_accept(p, TOKEN_SEMICOLON))
    view.flags = EXPR_SEMICOLON;
  return add_expr_stmt(p, start, view);
}

// What continues an expression, but not a statement that ended at its brace.
static bool at_continuation(const Parser *p) {
  switch (parser_kind(p)) {
  case TOKEN_DOT:
  case TOKEN_AS:
  case TOKEN_EQ_EQ:
  case TOKEN_NOT_EQ:
  case TOKEN_LE:
  case TOKEN_GE:
  case TOKEN_LT:
  case TOKEN_GT:
  case TOKEN_PLUS:
  case TOKEN_SLASH:
  case TOKEN_PERCENT:
  case TOKEN_AT:
    return parser_before(p, 1).kind == TOKEN_RBRACE;
  default:
    return false;
  }
}

// ExprStmt = Assignment ( ";" | before "}" )
static NodeId parse_expression_statement(Parser *p) {
  uint32_t start = p->token.start;
  if (at_continuation(p)) {
    parser_help(p, parser_error(p, EXPECTED_EXPRESSION, "an expression"),
                "a statement that begins with a block ends at its brace; "
                "parentheses around it make it an operand");
    return parser_error_node(p);
  }
  ExprStmt view = {.expr = parse_assignment(p)};
  if (!p->is_panicking && !parser_at(p, TOKEN_RBRACE)) {
    parser_semicolon(p, "this expression", true);
    view.flags = EXPR_SEMICOLON;
  }
  return add_expr_stmt(p, start, view);
}

// An item where a statement should be.
static NodeId parse_misplaced_item(Parser *p) {
  parser_help(p, parser_error(p, EXPECTED_TOKEN, "a statement"),
              "items stand outside functions");
  NodeId node = parser_error_node(p);
  while (!parser_at(p, TOKEN_END) && !parser_at(p, TOKEN_RBRACE)) {
    bool is_end = parser_at(p, TOKEN_SEMICOLON) || parser_at(p, TOKEN_LBRACE);
    parser_skip_group(p);
    if (is_end)
      break;
  }
  p->is_panicking = parser_at(p, TOKEN_END);
  return node;
}

// Statement = LetStmt | BlockLike ";"? | ExprStmt
static NodeId parse_statement(Parser *p) {
  if (parser_at(p, TOKEN_LET))
    return parse_let(p);
  if (parse_at_block_like(p))
    return parse_block_statement(p);
  if (parser_at_item(p))
    return parse_misplaced_item(p);
  return parse_expression_statement(p);
}

static void parse_statements(Parser *p, Bracket bracket) {
  while (!parser_at(p, TOKEN_RBRACE) && !parser_at(p, TOKEN_END)) {
    // A body without its brace ends where the next item begins.
    if (parser_at_item(p) && !parser_is_closed(p, bracket))
      return;
    uint32_t start = p->at;
    list_push(p, parse_statement(p));
    parser_recover_statement(p, start);
  }
}

// The block behind a head, which an operator might have continued.
NodeId parse_body(Parser *p) {
  if (!p->is_panicking && !parser_at(p, TOKEN_LBRACE))
    parser_operator_error(p, "an operator or `{`");
  return parse_block(p);
}

// Block = "{" Statement* "}"
NodeId parse_block(Parser *p) {
  if (!p->is_panicking && !parser_at(p, TOKEN_LBRACE))
    parser_error(p, EXPECTED_TOKEN, "`{`");
  parser_recover_head(p);
  if (p->is_panicking || !parser_enter(p))
    return parser_error_node(p);
  uint32_t start = p->token.start;
  Bracket bracket = parser_open(p);
  ListStart statements = list_start(p);
  parse_statements(p, bracket);
  parser_close(p, bracket, "statement", false);
  parser_leave(p);
  return add_block(p, start, (Block){list_end(p, statements)});
}
