// SPDX-License-Identifier: Apache-2.0
//
// Expressions that end at a brace: branches, loops, regions, blocks.

#include "syntax/internal.h"

bool parse_at_block_like(const Parser *p) {
  switch (parser_kind(p)) {
  case TOKEN_LBRACE:
  case TOKEN_IF:
  case TOKEN_MATCH:
  case TOKEN_FOR:
  case TOKEN_WHILE:
  case TOKEN_LOOP:
  case TOKEN_COMPTIME:
  case TOKEN_SPAWN:
    return true;
  case TOKEN_UNSAFE:
    return !parser_at_item(p);
  default:
    return false;
  }
}

// IfExpr = "if" "comptime"? Head Block ( "else" ( IfExpr | Block ) )?
static NodeId parse_if(Parser *p) {
  uint32_t start = p->token.start;
  if (!parser_enter(p))
    return parser_error_node(p);
  parser_take(p);
  IfExpr view = {.flags = parser_accept(p, TOKEN_COMPTIME) ? IF_COMPTIME : 0};
  view.condition = parse_head(p);
  view.then_block = parse_body(p);
  if (parser_accept(p, TOKEN_ELSE))
    view.else_branch = parser_at(p, TOKEN_IF) ? parse_if(p) : parse_block(p);
  parser_leave(p);
  return add_if_expr(p, start, view);
}

// MatchArm = Pattern "=>" ( BlockLike ","? | Assignment ( "," | before "}" ) )
static NodeId parse_match_arm(Parser *p) {
  uint32_t start = p->token.start;
  MatchArm view = {.pattern = parse_pattern(p)};
  parser_expect(p, TOKEN_FAT_ARROW);
  if (!p->is_panicking && parse_at_block_like(p))
    view.body = parse_block_like(p);
  else
    view.body = parse_assignment(p);
  return add_match_arm(p, start, view);
}

static bool is_block_like(NodeKind kind) {
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

// Between two arms: a body that ended at its brace needs no comma.
static bool next_arm(Parser *p, Bracket bracket, NodeId arm) {
  if (!p->is_panicking && !parser_at(p, TOKEN_COMMA) &&
      !parser_at(p, TOKEN_RBRACE) && !parser_at(p, TOKEN_END) &&
      node_kind(p->tree, arm) == NODE_MatchArm &&
      is_block_like(node_kind(p->tree, match_arm(p->tree, arm).body)))
    return true;
  return parser_next_element(p, bracket, "arm");
}

// "{" ( MatchArm .. )? "}"
static NodeList parse_match_arms(Parser *p) {
  Bracket bracket = parser_open(p);
  ListStart arms = list_start(p);
  if (!parser_at(p, TOKEN_RBRACE)) {
    NodeId arm;
    do {
      arm = parse_match_arm(p);
      list_push(p, arm);
    } while (next_arm(p, bracket, arm));
  }
  parser_close(p, bracket, "arm", true);
  return list_end(p, arms);
}

// MatchExpr = "match" Head "{" MatchArm* "}"
static NodeId parse_match(Parser *p) {
  uint32_t start = p->token.start;
  if (!parser_enter(p))
    return parser_error_node(p);
  parser_take(p);
  MatchExpr view = {.value = parse_head(p)};
  if (!p->is_panicking && !parser_at(p, TOKEN_LBRACE))
    parser_operator_error(p, "an operator or `{`");
  parser_recover_head(p);
  if (!p->is_panicking)
    view.arms = parse_match_arms(p);
  parser_leave(p);
  return add_match_expr(p, start, view);
}

// "for" Pattern "in" Head
static NodeId parse_for_head(Parser *p, NodeId *pattern) {
  parser_take(p);
  *pattern = parse_pattern(p);
  parser_expect(p, TOKEN_IN);
  return parse_head(p);
}

// ForExpr = "for" Pattern "in" Head ( "stages" Head )? Block
static NodeId parse_for(Parser *p) {
  uint32_t start = p->token.start;
  ForExpr view = {0};
  view.range = parse_for_head(p, &view.pattern);
  if (parser_accept(p, TOKEN_STAGES))
    view.stages = parse_head(p);
  view.body = parse_body(p);
  return add_for_expr(p, start, view);
}

// ComprehensionExpr = "[" "for" Pattern "in" Head Block "]"
NodeId parse_comprehension(Parser *p) {
  uint32_t start = p->token.start;
  Bracket bracket = parser_open(p);
  ComprehensionExpr view = {0};
  view.range = parse_for_head(p, &view.pattern);
  view.value = parse_body(p);
  parser_close(p, bracket, "block", false);
  return add_comprehension_expr(p, start, view);
}

// WhileExpr = "while" Head Block
static NodeId parse_while(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  WhileExpr view = {.condition = parse_head(p)};
  if (!p->is_panicking && parser_at(p, TOKEN_INVARIANT)) {
    parser_unsupported(p, (Span){p->token.start, p->token.length},
                       STR("invariant"));
    parser_take(p);
    parse_head(p);
  }
  view.body = parse_body(p);
  return add_while_expr(p, start, view);
}

// SpawnExpr = "spawn" "on" "(" Place ")" Block
static NodeId parse_spawn(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  parser_expect(p, TOKEN_ON);
  SpawnExpr view = {0};
  if (p->is_panicking || !parser_at(p, TOKEN_LPAREN)) {
    parser_error(p, EXPECTED_TOKEN, "`(`");
    view.place = parser_error_node(p);
  } else {
    Bracket bracket = parser_open(p);
    view.place = parse_place(p);
    parser_close(p, bracket, "place", false);
  }
  view.body = parse_block(p);
  return add_spawn_expr(p, start, view);
}

// BlockLike = Block | IfExpr | MatchExpr | ForExpr | WhileExpr | SpawnExpr
//           | "loop" Block | "comptime" Block | "unsafe" Block
NodeId parse_block_like(Parser *p) {
  uint32_t start = p->token.start;
  switch (parser_kind(p)) {
  case TOKEN_IF:
    return parse_if(p);
  case TOKEN_MATCH:
    return parse_match(p);
  case TOKEN_FOR:
    return parse_for(p);
  case TOKEN_WHILE:
    return parse_while(p);
  case TOKEN_SPAWN:
    return parse_spawn(p);
  case TOKEN_LOOP:
    parser_take(p);
    return add_loop_expr(p, start, (LoopExpr){parse_block(p)});
  case TOKEN_COMPTIME:
    parser_take(p);
    return add_comptime_expr(p, start, (ComptimeExpr){parse_block(p)});
  case TOKEN_UNSAFE:
    parser_take(p);
    return add_unsafe_expr(p, start, (UnsafeExpr){parse_block(p)});
  default:
    return parse_block(p);
  }
}
