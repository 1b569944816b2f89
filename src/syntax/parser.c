// SPDX-License-Identifier: Apache-2.0
//
// What all productions of the parser share: tokens, errors, delimiters,
// recovery. A parser that has reported an error panics, and is silent until a
// list, a bracket, a statement or an item recovers. No backtracking; the depth
// of the recursion is bounded.

#include "syntax/internal.h"

#include <string.h>

// --- Tokens ------------------------------------------------------------------

TokenKind parser_peek(const Parser *p, uint32_t n) {
  uint32_t left = p->in_count - 1 - p->at;
  return (TokenKind)p->in[n < left ? p->at + n : p->in_count - 1].kind;
}

Token parser_before(const Parser *p, uint32_t n) {
  const TokenList *kept = &p->tree->tokens;
  return kept->items.items[n < kept->items.count ? kept->items.count - n : 0];
}

bool parser_starts_line(const Parser *p) {
  if (p->previous_end == 0)
    return true;
  uint32_t start = p->previous_end - p->base;
  uint32_t end = p->token.start - p->base;
  return memchr(p->text.data + start, '\n', end - start) != NULL;
}

static Str text_of(const Parser *p, Token token) {
  return str_slice(p->text, token.start - p->base, token.length);
}

Str parser_text(const Parser *p) { return text_of(p, p->token); }

static void keep_token(Parser *p) {
  TokenList *kept = &p->tree->tokens;
  CHECK(kept->items.count < kept->items.capacity);
  kept->items.items[kept->items.count++] = p->token;
  p->previous_end = p->token.start + p->token.length;
}

TokenId parser_take(Parser *p) {
  TokenId id = parser_token_id(p);
  if (p->at + 1 < p->in_count) {
    keep_token(p);
    p->token = p->in[++p->at];
  }
  return id;
}

bool parser_accept(Parser *p, TokenKind kind) {
  if (p->is_panicking || !parser_at(p, kind))
    return false;
  parser_take(p);
  return true;
}

bool parser_expect(Parser *p, TokenKind kind) {
  if (parser_accept(p, kind))
    return true;
  parser_error(p, EXPECTED_TOKEN, token_kind_words(kind));
  return false;
}

TokenId parser_expect_name(Parser *p, const char *what) {
  if (!p->is_panicking && parser_at_name(p))
    return parser_take(p);
  parser_error(p, EXPECTED_NAME, what);
  return (TokenId){0};
}

void parser_split(Parser *p, TokenKind first, TokenKind rest) {
  Token all = p->token;
  p->token.length = 1;
  p->token.kind = (uint8_t)first;
  keep_token(p);
  p->token = (Token){
      .start = all.start + 1, .length = all.length - 1, .kind = (uint8_t)rest};
}

// --- Errors ------------------------------------------------------------------

static Span token_place(const Parser *p) {
  return (Span){p->token.start, p->token.length};
}

// The zero-length place behind the last token.
static Span place_behind(const Parser *p) {
  return (Span){p->previous_end != 0 ? p->previous_end : p->token.start, 0};
}

enum { LONGEST_QUOTE = 40 };

// "`fn`", "`x`", "a string": what stands here.
static Str found_words(const Parser *p) {
  if (parser_at(p, TOKEN_STRING) || parser_at(p, TOKEN_END) ||
      p->token.length > LONGEST_QUOTE)
    return str_from(token_kind_words(parser_kind(p)));
  return str_format(p->arena, "`%.*s`", STR_ARG(parser_text(p)));
}

// Whether to speak: not in a panic, and not of a token that the lexer has
// already refused. Either way the parser panics from here on.
static bool begin_error(Parser *p) {
  bool speaks = !p->is_panicking && !parser_at(p, TOKEN_BAD);
  p->is_panicking = true;
  p->has_errors = true;
  return speaks;
}

static Diagnostic *unclosed(Parser *p, Bracket bracket) {
  const char *text = token_kind_text(token_kind(p->tree, bracket.token));
  return diag_unclosed_delimiter(p->sink, token_span(p->tree, bracket.token),
                                 str_from(text));
}

// The outermost open delimiter that nothing closes.
static bool find_unclosed(const Parser *p, Bracket *bracket) {
  for (uint32_t i = 0; i < p->open.count; i++) {
    *bracket = p->open.items[i];
    if (!parser_is_closed(p, *bracket))
      return true;
  }
  return false;
}

// The file ends too early.
static Diagnostic *end_error(Parser *p, const char *expected) {
  Bracket outermost;
  if (find_unclosed(p, &outermost))
    return unclosed(p, outermost);
  return diag_unexpected_end(p->sink, token_place(p), str_from(expected));
}

// Within `(` or `[` that nothing closes: then that is the fault.
static bool is_in_unclosed(const Parser *p) {
  return p->open.count > 0 && VEC_LAST(&p->open).closer != TOKEN_RBRACE &&
         !parser_is_closed(p, VEC_LAST(&p->open));
}

Diagnostic *parser_error(Parser *p, Expected kind, const char *expected) {
  if (!begin_error(p))
    return NULL;
  if (parser_at(p, TOKEN_END))
    return end_error(p, expected);
  if (is_in_unclosed(p))
    return unclosed(p, VEC_LAST(&p->open));
  Str wanted = str_from(expected);
  Str found = found_words(p);
  Span span = token_place(p);
  switch (p->owner) {
  case OWNER_MEMORY:
    return diag_malformed_memory(p->sink, span, wanted, found);
  case OWNER_TOPOLOGY:
    return diag_malformed_topology(p->sink, span, wanted, found);
  case OWNER_NONE:
    break;
  }
  switch (kind) {
  case EXPECTED_TOKEN:
    return diag_unexpected_token(p->sink, span, wanted, found);
  case EXPECTED_NAME:
    return diag_identifier_expected(p->sink, span, wanted, found);
  case EXPECTED_TYPE:
    return diag_type_expected(p->sink, span, found);
  case EXPECTED_EXPRESSION:
    return diag_expression_expected(p->sink, span, found);
  case EXPECTED_OPERATOR:
    return diag_operator_expected(p->sink, span, wanted, found);
  }
  return NULL;
}

void parser_help(Parser *p, Diagnostic *d, const char *help) {
  if (d != NULL)
    diag_add_help(p->sink, d, str_from(help));
}

void parser_unsupported(Parser *p, Span span, Str feature) {
  p->has_errors = true;
  if (!p->is_panicking)
    diag_unsupported(p->sink, span, feature);
}

NodeId parser_error_node(Parser *p) {
  ErrorNode view = {.at = parser_token_id(p)};
  return tree_add_error_node(p->arena, p->tree, token_place(p), view);
}

void parser_semicolon(Parser *p, const char *after, bool is_value) {
  if (p->is_panicking || parser_accept(p, TOKEN_SEMICOLON))
    return;
  if (parser_at(p, TOKEN_END)) {
    parser_error(p, EXPECTED_TOKEN, "`;`");
    return;
  }
  bool is_missing = !is_value || parser_at(p, TOKEN_RBRACE) ||
                    parser_at_statement_keyword(p) || parser_starts_line(p);
  if (!is_missing) {
    parser_operator_error(p, "an operator or `;`");
    return;
  }
  p->has_errors = true;
  Span place = place_behind(p);
  Diagnostic *d = diag_semicolon_expected(p->sink, place, str_from(after));
  diag_add_fixit(p->sink, d, place, STR(";"), STR("insert `;`"));
}

// `(i32)x` and `int x`, as C writes them.
static const char *help_for_c(const Parser *p) {
  if (!parser_at_name(p) && !parser_at(p, TOKEN_INTEGER))
    return NULL;
  Token last = parser_before(p, 1);
  Token second = parser_before(p, 2);
  if (last.kind == TOKEN_RPAREN && parser_before(p, 3).kind == TOKEN_LPAREN &&
      name_is_scalar(text_of(p, second)))
    return "a cast is written behind its operand: `x as i32`";
  bool is_first = second.kind == TOKEN_SEMICOLON ||
                  second.kind == TOKEN_LBRACE || second.kind == TOKEN_RBRACE;
  if (is_first && last.kind == TOKEN_IDENT && parser_at_name(p))
    return "a variable is declared with `let`: `let x: i32 = 0;`";
  return NULL;
}

void parser_operator_error(Parser *p, const char *expected) {
  const char *help = help_for_c(p);
  if (parser_at(p, TOKEN_EQ) && p->no_struct)
    help = "`==` compares, `=` assigns";
  Diagnostic *d = parser_error(p, EXPECTED_OPERATOR, expected);
  if (help != NULL)
    parser_help(p, d, help);
}

// --- Depth -------------------------------------------------------------------

static void too_deep(Parser *p) {
  p->has_errors = true;
  if (p->is_too_deep || p->is_panicking)
    return;
  p->is_too_deep = true;
  diag_too_deep(p->sink, token_place(p), MAX_TREE_DEPTH);
}

bool parser_enter(Parser *p) {
  if (p->depth + 1 < MAX_TREE_DEPTH) {
    p->depth++;
    return true;
  }
  too_deep(p);
  p->is_panicking = true;
  return false;
}

NodeId parser_check_depth(Parser *p, NodeId node) {
  if (p->tree->nodes.items[node.index].depth < MAX_TREE_DEPTH)
    return node;
  too_deep(p);
  return parser_error_node(p);
}

// --- Lists of nodes ----------------------------------------------------------

void list_push(Parser *p, NodeId node) {
  VEC_PUSH(p->arena, &p->pending, node.index);
}

NodeList list_end(Parser *p, ListStart start) {
  uint32_t count = p->pending.count - start.first;
  if (count == 0)
    return (NodeList){0};
  NodeList list = {.first = p->tree->extra.count, .count = count};
  VEC_EXTEND(p->arena, &p->tree->extra, count);
  for (uint32_t i = 0; i < count; i++)
    p->tree->extra.items[list.first + i] = p->pending.items[start.first + i];
  p->pending.count = start.first;
  return list;
}

// --- Delimiters --------------------------------------------------------------

Bracket parser_open(Parser *p) {
  Bracket bracket = {.index = p->at,
                     .token = parser_token_id(p),
                     .closer = bracket_closer(parser_kind(p)),
                     .no_struct = p->no_struct};
  VEC_PUSH(p->arena, &p->open, bracket);
  p->no_struct = false;
  parser_take(p);
  return bracket;
}

// Something else stands where `,` or the closer should.
static void close_error(Parser *p, Bracket bracket, const char *what,
                        bool or_comma) {
  Str closer = str_from(token_kind_text(bracket.closer));
  if (!parser_at(p, TOKEN_END) && !parser_is_closed(p, bracket)) {
    // An item where a block should close: the outermost block is to blame.
    if (bracket.closer == TOKEN_RBRACE)
      find_unclosed(p, &bracket);
    if (begin_error(p))
      unclosed(p, bracket);
  } else if (p->owner != OWNER_NONE || parser_at(p, TOKEN_END)) {
    Str words = str_format(p->arena, "`%s%.*s`", or_comma ? ",` or `" : "",
                           STR_ARG(closer));
    parser_error(p, EXPECTED_TOKEN, str_to_c(p->arena, words));
  } else if (or_comma) {
    if (begin_error(p))
      diag_comma_expected(p->sink, token_place(p), closer, str_from(what));
  } else {
    Str words = str_format(p->arena, "an operator or `%.*s`", STR_ARG(closer));
    parser_operator_error(p, str_to_c(p->arena, words));
  }
}

void parser_close(Parser *p, Bracket bracket, const char *what, bool or_comma) {
  if (!p->is_panicking && !parser_at(p, bracket.closer))
    close_error(p, bracket, what, or_comma);
  p->open.count--;
  p->no_struct = bracket.no_struct;
  if (!p->is_panicking) {
    parser_take(p);
    return;
  }
  uint32_t partner = p->partner[bracket.index];
  if (partner < p->at)
    return;
  while (p->at <= partner)
    parser_take(p);
  p->is_panicking = false;
}

// A `,` is missing, but what follows looks like the next element.
static bool at_forgotten_comma(Parser *p, Bracket bracket) {
  TokenKind kind = parser_kind(p);
  bool begins = token_kind_is_name(kind) || kind == TOKEN_INTEGER ||
                kind == TOKEN_FLOAT || kind == TOKEN_STRING;
  return begins && parser_is_closed(p, bracket);
}

static void comma_error(Parser *p, Bracket bracket, const char *what) {
  p->has_errors = true;
  if (p->owner != OWNER_NONE) {
    close_error(p, bracket, what, true);
  } else {
    Span place = place_behind(p);
    Str closer = str_from(token_kind_text(bracket.closer));
    Diagnostic *d = diag_comma_expected(p->sink, place, closer, str_from(what));
    diag_add_fixit(p->sink, d, place, STR(","), STR("insert `,`"));
  }
  p->is_panicking = false;
}

bool parser_next_element(Parser *p, Bracket bracket, const char *what) {
  if (!p->is_panicking) {
    if (parser_accept(p, TOKEN_COMMA))
      return !parser_at(p, bracket.closer) && !parser_at(p, TOKEN_END);
    if (parser_at(p, bracket.closer))
      return false;
    if (at_forgotten_comma(p, bracket)) {
      comma_error(p, bracket, what);
      return true;
    }
    close_error(p, bracket, what, true);
  }
  uint32_t partner = p->partner[bracket.index];
  if (partner < p->at)
    return false;
  while (p->at < partner && !parser_at(p, TOKEN_COMMA))
    parser_skip_group(p);
  p->is_panicking = false;
  return parser_accept(p, TOKEN_COMMA) && p->at < partner;
}

bool parser_at_greater(const Parser *p) {
  switch (parser_kind(p)) {
  case TOKEN_GT:
  case TOKEN_SHR:
  case TOKEN_GE:
  case TOKEN_SHR_EQ:
    return true;
  default:
    return false;
  }
}

static void angle_error(Parser *p, const char *what) {
  if (p->owner != OWNER_NONE || parser_at(p, TOKEN_END))
    parser_error(p, EXPECTED_TOKEN, "`,` or `>`");
  else if (begin_error(p))
    diag_comma_expected(p->sink, token_place(p), STR(">"), str_from(what));
}

static bool ends_arguments(TokenKind kind) {
  return kind == TOKEN_END || kind == TOKEN_SEMICOLON || kind == TOKEN_EQ ||
         kind == TOKEN_LBRACE || kind == TOKEN_LPAREN ||
         bracket_is_closer(kind);
}

bool parser_next_argument(Parser *p, const char *what) {
  if (!p->is_panicking) {
    if (parser_accept(p, TOKEN_COMMA))
      return !parser_at_greater(p) && !parser_at(p, TOKEN_END);
    if (parser_at_greater(p))
      return false;
    angle_error(p, what);
  }
  if (p->is_too_deep) // of the rest of such a list nothing more is said
    return false;
  while (!ends_arguments(parser_kind(p)) && !parser_at(p, TOKEN_COMMA) &&
         !parser_at_greater(p))
    parser_skip_group(p);
  if (ends_arguments(parser_kind(p)))
    return false;
  p->is_panicking = false;
  return parser_accept(p, TOKEN_COMMA) && !parser_at_greater(p);
}

void parser_close_angle(Parser *p, const char *what) {
  if (p->is_panicking)
    return;
  switch (parser_kind(p)) {
  case TOKEN_GT:
    parser_take(p);
    break;
  case TOKEN_SHR:
    parser_split(p, TOKEN_GT, TOKEN_GT);
    break;
  case TOKEN_GE:
    parser_split(p, TOKEN_GT, TOKEN_EQ);
    break;
  case TOKEN_SHR_EQ:
    parser_split(p, TOKEN_GT, TOKEN_GE);
    break;
  default:
    angle_error(p, what);
    break;
  }
}

// --- Files -------------------------------------------------------------------

static KnownNames known_names(Interner *interner) {
  return (KnownNames){
      .underscore = intern_c(interner, "_"),
      .true_ = intern_c(interner, "true"),
      .false_ = intern_c(interner, "false"),
      .tensor = intern_c(interner, "Tensor"),
      .reachable = intern_c(interner, "Reachable"),
      .sizeof_ = intern_c(interner, "sizeof"),
      .copies = intern_c(interner, "copies"),
      .of = intern_c(interner, "of"),
      .latency = intern_c(interner, "latency"),
      .relaxed = intern_c(interner, "relaxed"),
      .sync = intern_c(interner, "sync"),
      .copy_engine = intern_c(interner, "copy_engine"),
  };
}

// Moves the lexed tokens behind a gap for what splitting adds, and starts the
// tree's own list in front of it.
static const Token *share_tokens(Arena *arena, Tree *tree,
                                 const LexedFile *lexed) {
  TokenList list = lexed->tokens;
  uint32_t count = list.items.count;
  VEC_EXTEND(arena, &list.items, lexed->split_count);
  Token *in = list.items.items + lexed->split_count;
  if (lexed->split_count > 0)
    memmove(in, list.items.items, count * sizeof(Token));
  list.items.count = 1; // items[0] is unused
  tree->tokens = list;
  return in;
}

// Most nodes come from one token, with two words each.
static void reserve_tree(Arena *arena, Tree *tree, uint32_t token_count) {
  tree->nodes.items = vec_reserve(arena, NULL, 0, &tree->nodes.capacity,
                                  token_count + 1, sizeof(Node));
  tree->extra.items = vec_reserve(arena, NULL, 0, &tree->extra.capacity,
                                  2 * token_count + 1, sizeof(uint32_t));
  VEC_PUSH(arena, &tree->nodes, (Node){0});
}

// Module = Item*
static void parse_module(Parser *p) {
  NodeList items = parse_items(p);
  Span span = {p->base, (uint32_t)p->text.length};
  keep_token(p); // END
  p->tree->root =
      tree_add_module(p->arena, p->tree, span, (Module){.items = items});
}

Tree *parse_file(Arena *arena, Interner *interner, const SourceMap *sources,
                 FileId file, ParseMode mode, DiagSink *sink) {
  DiagPhase phase = sink->phase;
  sink->phase = PHASE_SYNTAX;
  LexedFile lexed = lex_file(arena, interner, sources, file, sink);
  const SourceFile *source = source_file(sources, file);
  Tree *tree = ARENA_NEW(arena, Tree);
  *tree = (Tree){.file = file,
                 .sources = sources,
                 .interner = interner,
                 .comments = lexed.comments};
  const Token *in = share_tokens(arena, tree, &lexed);
  Parser parser = {.arena = arena,
                   .tree = tree,
                   .sink = sink,
                   .mode = mode,
                   .known = known_names(interner),
                   .text = source->text,
                   .base = source->start,
                   .in = in,
                   .in_count = lexed.tokens.items.count,
                   .at = 1,
                   .token = in[1],
                   .has_errors = lexed.has_errors};
  parser_pair_brackets(&parser);
  reserve_tree(arena, tree, lexed.tokens.items.count);
  parse_module(&parser);
  tree->has_errors = parser.has_errors;
  sink->phase = phase;
  return tree;
}
