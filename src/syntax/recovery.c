// SPDX-License-Identifier: Apache-2.0
//
// Where the parser goes on after an error. What is skipped is skipped in whole
// bracketed groups.

#include "syntax/internal.h"

bool parser_at_statement_keyword(const Parser *p) {
  switch (parser_kind(p)) {
  case TOKEN_LET:
  case TOKEN_RETURN:
  case TOKEN_BREAK:
  case TOKEN_CONTINUE:
  case TOKEN_IF:
  case TOKEN_MATCH:
  case TOKEN_FOR:
  case TOKEN_WHILE:
  case TOKEN_LOOP:
  case TOKEN_SPAWN:
  case TOKEN_UNSAFE:
  case TOKEN_COMPTIME:
  case TOKEN_ASSERT:
    return true;
  default:
    return false;
  }
}

void parser_skip_group(Parser *p) {
  uint32_t last = p->at;
  if (bracket_closer(parser_kind(p)) != TOKEN_END && p->partner[last] != 0)
    last = p->partner[last];
  while (p->at <= last && !parser_at(p, TOKEN_END))
    parser_take(p);
}

static bool begins_anew(const Parser *p) {
  return parser_starts_line(p) &&
         (parser_at_statement_keyword(p) || parser_at_item(p));
}

void parser_recover_head(Parser *p) {
  if (!p->is_panicking)
    return;
  for (;;) {
    switch (parser_kind(p)) {
    case TOKEN_LBRACE:
      p->is_panicking = false;
      return;
    case TOKEN_END:
    case TOKEN_SEMICOLON:
    case TOKEN_RBRACE:
    case TOKEN_RPAREN:
    case TOKEN_RBRACKET:
      return;
    default:
      if (begins_anew(p))
        return;
      parser_skip_group(p);
    }
  }
}

void parser_recover_statement(Parser *p, uint32_t start) {
  if (!p->is_panicking)
    return;
  while (!parser_at(p, TOKEN_END)) {
    if (parser_at(p, TOKEN_RBRACE) || (p->at > start && begins_anew(p))) {
      p->is_panicking = false;
      return;
    }
    bool is_end = parser_at(p, TOKEN_SEMICOLON);
    bool is_last = parser_at(p, TOKEN_LBRACE) || parser_at(p, TOKEN_BAD);
    parser_skip_group(p);
    if (is_end || (is_last && parser_starts_line(p))) {
      p->is_panicking = false;
      return;
    }
  }
}

bool parser_at_item(const Parser *p) {
  TokenKind next = parser_peek(p, 1);
  switch (parser_kind(p)) {
  case TOKEN_STRUCT:
  case TOKEN_ENUM:
  case TOKEN_TRAIT:
  case TOKEN_IMPL:
  case TOKEN_IMPORT:
  case TOKEN_EXTERN:
  case TOKEN_MACRO_RULES:
    return true;
  case TOKEN_FN:
  case TOKEN_CONST:
  case TOKEN_MEMORY:
  case TOKEN_TOPOLOGY:
    return token_kind_is_name(next);
  case TOKEN_UNSAFE:
    return next == TOKEN_FN || next == TOKEN_EXTERN;
  case TOKEN_EXTEND:
    return next == TOKEN_MEMORY || next == TOKEN_TOPOLOGY;
  default:
    return false;
  }
}

// An item keyword at the beginning of a line, its name missing.
static bool at_nameless_item(const Parser *p) {
  TokenKind kind = parser_kind(p);
  return parser_starts_line(p) &&
         (kind == TOKEN_FN || kind == TOKEN_CONST || kind == TOKEN_MEMORY ||
          kind == TOKEN_TOPOLOGY);
}

void parser_recover_item(Parser *p) {
  if (!p->is_panicking)
    return;
  while (!parser_at(p, TOKEN_END)) {
    TokenKind before = (TokenKind)parser_before(p, 1).kind;
    bool is_fresh = before == TOKEN_SEMICOLON || before == TOKEN_RBRACE ||
                    parser_starts_line(p);
    if (is_fresh && (parser_at_item(p) || at_nameless_item(p))) {
      p->is_panicking = false;
      return;
    }
    parser_skip_group(p);
  }
}
