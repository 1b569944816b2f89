// SPDX-License-Identifier: Apache-2.0
//
// The formatter's blocks and statements.

#include "syntax/internal.h"

bool print_is_block_like(NodeKind kind) {
  switch (kind) {
  case NODE_Block:
  case NODE_IfExpr:
  case NODE_MatchExpr:
  case NODE_ForExpr:
  case NODE_WhileExpr:
  case NODE_LoopExpr:
  case NODE_SpawnExpr:
  case NODE_ComptimeExpr:
  case NODE_UnsafeExpr:
    return true;
  default:
    return false;
  }
}

// --- Statements --------------------------------------------------------------

static void print_let(Printer *p, NodeId node) {
  LetStmt view = let_stmt(p->tree, node);
  print_token(p, TOKEN_LET);
  print_space(p);
  print_pattern(p, view.pattern);
  if (print_optional(p, TOKEN_COLON)) {
    print_space(p);
    print_type(p, view.type);
  }
  print_space(p);
  print_token(p, TOKEN_EQ);
  print_space(p);
  print_expr(p, view.value);
  print_token(p, TOKEN_SEMICOLON);
}

// What may stand on one line as the value of a block.
static bool is_inline_value(const Printer *p, NodeId expr) {
  switch (node_kind(p->tree, expr)) {
  case NODE_IfExpr:
    return if_expr(p->tree, expr).else_branch.index != 0;
  case NODE_Block:
  case NODE_UnsafeExpr:
  case NODE_ComptimeExpr:
  case NODE_SpawnExpr:
    return true;
  default:
    return false;
  }
}

static void print_statement(Printer *p, NodeId node, bool is_last) {
  if (node_kind(p->tree, node) == NODE_LetStmt) {
    print_let(p, node);
    return;
  }
  ExprStmt view = expr_stmt(p->tree, node);
  bool is_value = is_last && (view.flags & EXPR_SEMICOLON) == 0;
  if (print_is_block_like(node_kind(p->tree, view.expr)))
    print_block_like(p, view.expr, is_value && is_inline_value(p, view.expr));
  else
    print_expr(p, view.expr);
  if ((view.flags & EXPR_SEMICOLON) != 0)
    print_token(p, TOKEN_SEMICOLON);
}

// --- Blocks ------------------------------------------------------------------

static void print_statements(Printer *p, NodeList statements) {
  for (uint32_t i = 0; i < statements.count; i++) {
    print_separator(p);
    print_statement(p, list_at(p->tree, statements, i),
                    i + 1 == statements.count);
  }
}

void print_block(Printer *p, NodeId node) {
  NodeList statements = block(p->tree, node).statements;
  bool is_empty = statements.count == 0 && print_is_bare(p, node);
  print_token(p, TOKEN_LBRACE);
  if (!is_empty) {
    print_indent(p);
    print_statements(p, statements);
    print_line(p, LAYOUT_HARD_LINE);
    print_comments_before_closer(p);
    print_dedent(p);
    print_line(p, LAYOUT_HARD_LINE);
  }
  print_token(p, TOKEN_RBRACE);
}

// Whether the block holds one expression and nothing else.
static bool is_simple(const Printer *p, NodeId node) {
  NodeList statements = block(p->tree, node).statements;
  if (statements.count != 1 || !print_is_bare(p, node))
    return false;
  NodeId only = list_at(p->tree, statements, 0);
  return node_kind(p->tree, only) == NODE_ExprStmt &&
         (expr_stmt(p->tree, only).flags & EXPR_SEMICOLON) == 0;
}

// `{ e }`, whose lines belong to the group around it.
static void print_inline_block(Printer *p, NodeId node) {
  if (!is_simple(p, node)) {
    print_block(p, node);
    return;
  }
  print_token(p, TOKEN_LBRACE);
  print_indent(p);
  print_line(p, LAYOUT_LINE);
  print_statement(p, list_at(p->tree, block(p->tree, node).statements, 0),
                  true);
  print_dedent(p);
  print_line(p, LAYOUT_LINE);
  print_token(p, TOKEN_RBRACE);
}

// --- Branches ----------------------------------------------------------------

static void print_if(Printer *p, NodeId node, PrintNode print_branch) {
  IfExpr view = if_expr(p->tree, node);
  print_token(p, TOKEN_IF);
  print_space(p);
  if (print_optional(p, TOKEN_COMPTIME))
    print_space(p);
  print_expr(p, view.condition);
  print_space(p);
  print_branch(p, view.then_block);
  if (view.else_branch.index == 0)
    return;
  print_space(p);
  print_token(p, TOKEN_ELSE);
  print_space(p);
  if (node_kind(p->tree, view.else_branch) == NODE_IfExpr)
    print_if(p, view.else_branch, print_branch);
  else
    print_branch(p, view.else_branch);
}

// After the body `,`, unless that is a block.
static void print_arm_end(Printer *p, NodeId body) {
  bool is_block = node_kind(p->tree, body) == NODE_Block;
  if (!is_block && !print_optional(p, TOKEN_COMMA))
    layout_text(&p->layout, LAYOUT_TEXT, STR(","));
  else if (is_block && print_at(p, TOKEN_COMMA))
    p->token++;
}

static void print_arm(Printer *p, NodeId node) {
  MatchArm view = match_arm(p->tree, node);
  print_pattern(p, view.pattern);
  print_space(p);
  print_token(p, TOKEN_FAT_ARROW);
  print_space(p);
  print_expr(p, view.body);
  print_arm_end(p, view.body);
}

static void print_match(Printer *p, NodeId node) {
  MatchExpr view = match_expr(p->tree, node);
  print_token(p, TOKEN_MATCH);
  print_space(p);
  print_expr(p, view.value);
  print_space(p);
  print_lines(p, view.arms, print_arm);
}

// --- Loops and regions -------------------------------------------------------

static void print_for(Printer *p, NodeId node) {
  ForExpr view = for_expr(p->tree, node);
  print_token(p, TOKEN_FOR);
  print_space(p);
  print_pattern(p, view.pattern);
  print_space(p);
  print_token(p, TOKEN_IN);
  print_space(p);
  print_expr(p, view.range);
  print_space(p);
  if (view.stages.index != 0) {
    print_token(p, TOKEN_STAGES);
    print_space(p);
    print_expr(p, view.stages);
    print_space(p);
  }
  print_block(p, view.body);
}

static void print_while(Printer *p, NodeId node) {
  WhileExpr view = while_expr(p->tree, node);
  print_token(p, TOKEN_WHILE);
  print_space(p);
  print_expr(p, view.condition);
  print_space(p);
  print_block(p, view.body);
}

static void print_spawn(Printer *p, NodeId node, PrintNode print_body) {
  SpawnExpr view = spawn_expr(p->tree, node);
  print_token(p, TOKEN_SPAWN);
  print_space(p);
  print_token(p, TOKEN_ON);
  print_token(p, TOKEN_LPAREN);
  print_type(p, view.place);
  print_token(p, TOKEN_RPAREN);
  print_space(p);
  print_body(p, view.body);
}

// A word and a block.
static void print_worded(Printer *p, NodeId body, PrintNode print_body) {
  print_any(p);
  print_space(p);
  print_body(p, body);
}

static void print_with(Printer *p, NodeId node, PrintNode print_body) {
  switch (node_kind(p->tree, node)) {
  case NODE_IfExpr:
    print_if(p, node, print_body);
    break;
  case NODE_MatchExpr:
    print_match(p, node);
    break;
  case NODE_ForExpr:
    print_for(p, node);
    break;
  case NODE_WhileExpr:
    print_while(p, node);
    break;
  case NODE_SpawnExpr:
    print_spawn(p, node, print_body);
    break;
  case NODE_LoopExpr:
    print_worded(p, loop_expr(p->tree, node).body, print_block);
    break;
  case NODE_ComptimeExpr:
    print_worded(p, comptime_expr(p->tree, node).body, print_body);
    break;
  case NODE_UnsafeExpr:
    print_worded(p, unsafe_expr(p->tree, node).body, print_body);
    break;
  default:
    print_body(p, node);
    break;
  }
}

void print_block_like(Printer *p, NodeId node, bool is_inline) {
  if (!is_inline) {
    print_with(p, node, print_block);
    return;
  }
  print_open(p);
  print_with(p, node, print_inline_block);
  print_close(p);
}
