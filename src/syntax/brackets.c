// SPDX-License-Identifier: Apache-2.0
//
// Which tokens belong together: the pairs of `( [ {`, found once for the whole
// file, and the closers of `<`, found when the parser asks. Every token is
// looked at a bounded number of times.

#include "syntax/internal.h"

// --- Pairs of brackets -------------------------------------------------------

TokenKind bracket_closer(TokenKind opener) {
  switch (opener) {
  case TOKEN_LPAREN:
    return TOKEN_RPAREN;
  case TOKEN_LBRACKET:
    return TOKEN_RBRACKET;
  case TOKEN_LBRACE:
    return TOKEN_RBRACE;
  default:
    return TOKEN_END;
  }
}

bool bracket_is_closer(TokenKind kind) {
  return kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET || kind == TOKEN_RBRACE;
}

// Pops the opener that this closer belongs to. A `)` or `]` never reaches
// beyond a `{`, so that one missing bracket does not upset the whole file.
static uint32_t pop_opener(Parser *p, U32Vec *stack, TokenKind closer) {
  uint32_t depth = stack->count;
  while (depth > 0) {
    TokenKind kind = (TokenKind)p->in[stack->items[depth - 1]].kind;
    if (bracket_closer(kind) == closer)
      break;
    if (kind == TOKEN_LBRACE)
      return 0;
    depth--;
  }
  if (depth == 0)
    return 0;
  stack->count = depth - 1;
  return stack->items[depth - 1];
}

void parser_pair_brackets(Parser *p) {
  p->partner = ARENA_ARRAY(p->arena, uint32_t, p->in_count);
  U32Vec stack = {0};
  for (uint32_t i = 1; i < p->in_count; i++) {
    TokenKind kind = (TokenKind)p->in[i].kind;
    if (bracket_closer(kind) != TOKEN_END) {
      VEC_PUSH(p->arena, &stack, i);
    } else if (bracket_is_closer(kind)) {
      uint32_t opener = pop_opener(p, &stack, kind);
      p->partner[i] = opener;
      if (opener != 0)
        p->partner[opener] = i;
    }
  }
}

// --- `<` that opens generic arguments ----------------------------------------

// Closers of `<` as kept in `partner`: 0 not asked yet, ANGLE_NONE, or twice
// the index of the closing token, plus one for the second half of `>>`.
enum { ANGLE_NONE = 1 };

// What can stand in types and constant operands, outside brackets.
static bool can_stand_in_arguments(TokenKind kind) {
  switch (kind) {
  case TOKEN_INTEGER:
  case TOKEN_COLON_COLON:
  case TOKEN_COMMA:
  case TOKEN_AND:
  case TOKEN_STAR:
  case TOKEN_CONST:
  case TOKEN_MUT:
  case TOKEN_FN:
  case TOKEN_ARROW:
  case TOKEN_PLUS:
  case TOKEN_MINUS:
  case TOKEN_SLASH:
  case TOKEN_PERCENT:
  case TOKEN_DOT:
  case TOKEN_NOT:
  case TOKEN_AS:
  case TOKEN_MEMORY:
  case TOKEN_TOPOLOGY:
    return true;
  default:
    return token_kind_is_name(kind);
  }
}

static void close_angle(Parser *p, uint32_t first, uint32_t closer) {
  if (p->pending.count > first)
    p->partner[p->pending.items[--p->pending.count]] = closer;
}

// Finds the closers of the `<` at `i` and of all that nest in it. Brackets are
// jumped over, so that every token is looked at once in all scans together.
static void scan_angles(Parser *p, uint32_t i) {
  uint32_t first = p->pending.count;
  do {
    TokenKind kind = (TokenKind)p->in[i].kind;
    if (kind == TOKEN_LT) {
      VEC_PUSH(p->arena, &p->pending, i);
    } else if (kind == TOKEN_GT) {
      close_angle(p, first, i << 1);
    } else if (kind == TOKEN_SHR) {
      close_angle(p, first, i << 1);
      close_angle(p, first, i << 1 | 1);
    } else if ((kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET) &&
               p->partner[i] != 0) {
      i = p->partner[i];
    } else if (!can_stand_in_arguments(kind)) {
      break;
    }
    i++;
  } while (p->pending.count > first);
  while (p->pending.count > first)
    close_angle(p, first, ANGLE_NONE);
}

static uint32_t angle_closer(Parser *p, uint32_t i) {
  if (p->partner[i] == 0)
    scan_angles(p, i);
  return p->partner[i];
}

// The token behind the arguments that the `<` at `i` opens, 0 if it opens none
// or if they end within a `>>`.
static uint32_t behind_arguments(Parser *p, uint32_t i) {
  uint32_t closer = angle_closer(p, i);
  uint32_t index = closer >> 1;
  if (closer == ANGLE_NONE ||
      (p->in[index].kind == TOKEN_SHR && (closer & 1) == 0))
    return 0;
  return index + 1;
}

bool parser_opens_arguments(Parser *p) {
  uint32_t next = behind_arguments(p, p->at);
  if (next == 0)
    return false;
  switch (p->in[next].kind) {
  case TOKEN_LPAREN:
  case TOKEN_COLON_COLON:
    return true;
  case TOKEN_LBRACE:
    return !p->no_struct;
  default:
    return false;
  }
}

bool parser_opens_call(Parser *p) {
  uint32_t next = behind_arguments(p, p->at);
  return next != 0 && p->in[next].kind == TOKEN_LPAREN;
}

bool parser_at_tuple(Parser *p) {
  uint32_t end = p->partner[p->at];
  uint32_t i = p->at + 1;
  if (i == end)
    return true;
  while (i < end) {
    TokenKind kind = (TokenKind)p->in[i].kind;
    if (kind == TOKEN_COMMA)
      return true;
    if (bracket_closer(kind) != TOKEN_END && p->partner[i] != 0)
      i = p->partner[i];
    else if (kind == TOKEN_LT && behind_arguments(p, i) != 0)
      i = angle_closer(p, i) >> 1;
    i++;
  }
  return false;
}
