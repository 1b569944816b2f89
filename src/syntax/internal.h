// SPDX-License-Identifier: Apache-2.0
//
// What the files of syntax/ share: the shapes of nodes, the lexer's inner door,
// the parser's state and its productions.

#ifndef VX_SYNTAX_INTERNAL_H
#define VX_SYNTAX_INTERNAL_H

#include "syntax/syntax.h"

// --- Shapes of nodes (tree.c) ------------------------------------------------

typedef enum { FIELD_NODE, FIELD_LIST, FIELD_TOKEN, FIELD_FLAGS } FieldShape;

typedef struct {
  const char *name;
  FieldShape shape; // a list takes two words of `extra`, all others one
} NodeField;

typedef struct {
  const NodeField *fields; // in the order of the source
  uint32_t count;
} NodeShape;

const NodeShape *node_shape(NodeKind kind);

// --- Lexer (lexer.c, literal.c) ----------------------------------------------

typedef struct {
  TokenList tokens;
  CommentList comments;
  uint32_t split_count; // most tokens that splitting could add
  bool has_errors;
} LexedFile;

// As `lex`.
LexedFile lex_file(Arena *arena, Interner *interner, const SourceMap *sources,
                   FileId file, DiagSink *sink);

// The part of a number's text that is its suffix ("KiB" of "40KiB").
Str literal_suffix(Str text);
// Whether a suffix belongs to the language (as against a unit or a typo).
bool literal_suffix_is_integer(Str suffix);
bool literal_suffix_is_float(Str suffix);

// --- Parser (parser.c, brackets.c, recovery.c) ------------------------------

// Names with a fixed meaning, interned when a parse begins.
typedef struct {
  Name underscore, true_, false_, tensor, reachable, sizeof_, copies, of;
  Name latency, relaxed, sync, copy_engine;
} KnownNames;

// An opened delimiter.
typedef struct {
  uint32_t index; // in `in`
  TokenId token;
  TokenKind closer;
  bool no_struct; // of the surroundings
} Bracket;

// Whose braces the parser is in: errors there have codes of their own.
typedef enum { OWNER_NONE, OWNER_MEMORY, OWNER_TOPOLOGY } FieldOwner;

typedef struct {
  Arena *arena;
  Tree *tree;
  DiagSink *sink;
  ParseMode mode;
  KnownNames known;
  Str text;      // of the file
  uint32_t base; // of the text in the source space
  // As lexed, the last one END. tree->tokens gets them one by one as they are
  // consumed, so that `>>` can be split where it closes two lists. Both lie in
  // one array, `in` behind a gap that is as long as splitting can need; so only
  // in[at] and what follows can be read.
  const Token *in;
  uint32_t in_count;
  uint32_t at;           // index in `in`
  Token token;           // in[at], or its rest after a split
  uint32_t previous_end; // offset behind the last consumed token
  // Of each bracket in `in` the index of its partner, 0 without one; of each
  // `<` its closer, as brackets.c has it.
  uint32_t *partner;
  VEC(Bracket) open; // the delimiters that are open here
  U32Vec pending;    // stack of the elements of unfinished lists
  uint32_t depth;    // recursion
  FieldOwner owner;
  bool no_struct;    // in a head: `name {` is no struct literal
  bool is_panicking; // an error was reported and not yet recovered from
  bool is_too_deep;  // E1016 was reported
  bool has_errors;
} Parser;

// What an error says was expected.
typedef enum {
  EXPECTED_TOKEN,      // E1001
  EXPECTED_NAME,       // E1003
  EXPECTED_TYPE,       // E1004
  EXPECTED_EXPRESSION, // E1005
  EXPECTED_OPERATOR,   // E1009
} Expected;

// A list that is being collected.
typedef struct {
  uint32_t first; // in `pending`
} ListStart;

static inline TokenKind parser_kind(const Parser *p) {
  return (TokenKind)p->token.kind;
}
static inline bool parser_at(const Parser *p, TokenKind kind) {
  return p->token.kind == kind;
}
static inline bool parser_at_name(const Parser *p) {
  return token_kind_is_name(parser_kind(p));
}
static inline bool parser_at_word(const Parser *p, Name word) {
  return p->token.kind == TOKEN_IDENT && name_equal(p->token.name, word);
}
// The kind of the n-th token after the current one.
TokenKind parser_peek(const Parser *p, uint32_t n);
// The n-th token before the current one (n >= 1); its kind is END in front of
// the file.
Token parser_before(const Parser *p, uint32_t n);
// Whether the current token is the first on its line.
bool parser_starts_line(const Parser *p);
// The text of the current token.
Str parser_text(const Parser *p);

// The id that the current token will have in the tree.
static inline TokenId parser_token_id(const Parser *p) {
  return (TokenId){p->tree->tokens.items.count};
}
TokenId parser_take(Parser *p); // consumes the current token
bool parser_accept(Parser *p, TokenKind kind);
// Consumes `kind`, or reports E1001.
bool parser_expect(Parser *p, TokenKind kind);
// Consumes a name, or reports E1003 and returns 0; `what` as in "a name".
TokenId parser_expect_name(Parser *p, const char *what);
// Replaces the current token by its first character and the rest.
void parser_split(Parser *p, TokenKind first, TokenKind rest);

// Reports an error at the current token, unless one is being recovered from;
// then NULL. Afterwards the parser panics until someone recovers.
Diagnostic *parser_error(Parser *p, Expected kind, const char *expected);
void parser_help(Parser *p, Diagnostic *d, const char *help);
// E1014; no panic.
void parser_unsupported(Parser *p, Span span, Str feature);
// Consumes `;`, or reports it missing (E1007) and goes on. `is_value`: an
// expression stands before it, which an operator might have continued (E1009).
void parser_semicolon(Parser *p, const char *after, bool is_value);
// E1009: an expression has ended where it may not.
void parser_operator_error(Parser *p, const char *expected);
NodeId parser_error_node(Parser *p);

// Recursion guard: false (E1016, panicking) when nested too deeply.
bool parser_enter(Parser *p);
static inline void parser_leave(Parser *p) { p->depth--; }

// Delimiters. Inside, struct literals are allowed again.
Bracket parser_open(Parser *p);
// Consumes the closer. A panic ends at a closer that exists.
// `what` is what stands before it, `or_comma` whether `,` could follow.
void parser_close(Parser *p, Bracket bracket, const char *what, bool or_comma);
// Between two elements: consumes `,` and says whether another one follows.
bool parser_next_element(Parser *p, Bracket bracket, const char *what);
// The same for `<..>`, whose brackets do not pair up by themselves.
bool parser_next_argument(Parser *p, const char *what);
bool parser_at_greater(const Parser *p);
void parser_close_angle(Parser *p, const char *what);
// Whether the `<` here opens generic arguments (clarifications, Parsing 1).
bool parser_opens_arguments(Parser *p);
// The same for a method's: only a call can follow.
bool parser_opens_call(Parser *p);
// Whether the `(` here holds a comma of its own, or nothing: a tuple.
bool parser_at_tuple(Parser *p);
static inline bool parser_is_closed(const Parser *p, Bracket bracket) {
  return p->partner[bracket.index] != 0;
}
TokenKind bracket_closer(TokenKind opener); // END for other tokens
bool bracket_is_closer(TokenKind kind);
void parser_pair_brackets(Parser *p);

// Whether a `let`, `return`, `if`, .. stands here.
bool parser_at_statement_keyword(const Parser *p);
// Skipping, each to a place where parsing can go on.
void parser_skip_group(Parser *p); // one token, or a whole bracketed group
// Before `{`: an error in a head does not hide the body.
void parser_recover_head(Parser *p);
// Behind the `;`, at the `}`, or where a line begins another statement.
// `start` is where the statement began, so that something is consumed.
void parser_recover_statement(Parser *p, uint32_t start);
// At the next item.
void parser_recover_item(Parser *p);
bool parser_at_item(const Parser *p); // a keyword that begins an item

static inline ListStart list_start(const Parser *p) {
  return (ListStart){p->pending.count};
}
void list_push(Parser *p, NodeId node);
NodeList list_end(Parser *p, ListStart start);

// Replaces a node that is too deep by an ErrorNode (E1016).
NodeId parser_check_depth(Parser *p, NodeId node);
// The span from offset `start` to the last consumed token.
static inline Span parser_span(const Parser *p, uint32_t start) {
  return (Span){start, p->previous_end > start ? p->previous_end - start : 0};
}

#define NODE(Type, function, words, fields)                                    \
  static inline NodeId add_##function(Parser *p, uint32_t start, Type view) {  \
    return parser_check_depth(                                                 \
        p,                                                                     \
        tree_add_##function(p->arena, p->tree, parser_span(p, start), view));  \
  }
#include "syntax/node.def"
#undef NODE

// --- Productions -------------------------------------------------------------

// parse_item.c
NodeList parse_items(Parser *p);

// parse_machine.c
NodeId parse_machine_item(Parser *p);
NodeId parse_quantity(Parser *p);

// parse_type.c
NodeId parse_type(Parser *p);
NodeId parse_place(Parser *p);
NodeId parse_place_or_name(Parser *p);
NodeId parse_tensor_type(Parser *p);
NodeList parse_generic_args(Parser *p);
bool name_is_scalar(Str name);
NodeId parse_ident(Parser *p, const char *what);

// parse_expr.c
NodeId parse_expr(Parser *p);
// Without struct literals, up to the `{` of a body.
NodeId parse_head(Parser *p);
// What binds tighter than comparisons and ranges, in a head.
NodeId parse_bound(Parser *p);
// What binds tighter than comparisons and shifts.
NodeId parse_constant_argument(Parser *p);
NodeId parse_literal(Parser *p);

// parse_control.c
bool parse_at_block_like(const Parser *p);
NodeId parse_block_like(Parser *p);
NodeId parse_comprehension(Parser *p);

// parse_statement.c
NodeId parse_block(Parser *p);
NodeId parse_body(Parser *p);
NodeId parse_assignment(Parser *p);
NodeId parse_pattern(Parser *p);

// --- Layout (layout.c) -------------------------------------------------------

// Where lines may break. A group is written on one line if it fits in
// LINE_WIDTH together with what cannot be broken from it; else all its own
// lines break. A comment breaks every group around it.
enum { LINE_WIDTH = 100, INDENT_WIDTH = 2 };

typedef enum {
  LAYOUT_TEXT,
  LAYOUT_RAW,       // text with line breaks of its own
  LAYOUT_PAD,       // `end` blanks in a broken group
  LAYOUT_SPACE,     // one blank, none at the end of a line
  LAYOUT_LINE,      // a blank, or a line break in a broken group
  LAYOUT_SOFT_LINE, // nothing, or a line break in a broken group
  LAYOUT_HARD_LINE, // a line break, which breaks the groups around it
  LAYOUT_BLANK,     // an empty line, likewise
  LAYOUT_OPEN,      // begins a group
  LAYOUT_CLOSE,
  LAYOUT_INDENT, // of the lines that follow
  LAYOUT_DEDENT,
  LAYOUT_COMMA,   // a comma in a broken group only
  LAYOUT_COMMENT, // at the end of the line
  LAYOUT_ALIGNED, // the same, in one column with its neighbours
  LAYOUT_ALONE,   // a comment on a line of its own
  LAYOUT_RUN,     // parts the comments that are aligned with each other
} LayoutKind;

typedef struct {
  uint8_t kind;   // a LayoutKind
  bool is_broken; // of LAYOUT_OPEN
  uint32_t width; // on one line
  uint32_t end;   // of LAYOUT_OPEN: index of its LAYOUT_CLOSE; of LAYOUT_PAD
  Str text;
} LayoutOp;

typedef struct {
  Arena *arena;
  VEC(LayoutOp) ops;
  U32Vec groups; // indices of the open LAYOUT_OPENs
} Layout;

void layout_add(Layout *layout, LayoutKind kind);
void layout_text(Layout *layout, LayoutKind kind, Str text);
void layout_pad(Layout *layout, uint32_t width);
void layout_open(Layout *layout);
void layout_close(Layout *layout);
void layout_render(Layout *layout, Text *out);

// --- Printer (printer.c) -----------------------------------------------------

// Every token of the tree is put out in its order, so that no comment between
// two of them can be lost.
typedef struct {
  Layout layout;
  const Tree *tree;
  Arena *arena;
  Str text;
  uint32_t base;
  uint32_t token;   // next to put
  uint32_t comment; // next to put
  bool is_opened;   // nothing was put since an opening delimiter
  bool is_aligned;  // comments at line ends stand in one column
} Printer;

static inline TokenKind print_kind(const Printer *p) {
  return (TokenKind)p->tree->tokens.items.items[p->token].kind;
}
static inline bool print_at(const Printer *p, TokenKind kind) {
  return print_kind(p) == kind;
}
void print_any(Printer *p);                   // the next token
void print_token(Printer *p, TokenKind kind); // which is `kind`
bool print_optional(Printer *p, TokenKind kind);
void print_words(Printer *p, uint32_t end); // tokens up to offset `end`, tight
void print_raw(Printer *p, Span span);      // as it was written
void print_space(Printer *p);
void print_line(Printer *p, LayoutKind kind);
// Between two elements that stand on lines of their own: an empty line stays.
void print_separator(Printer *p);
void print_comments_before_closer(Printer *p);
// Whether an empty line will stand between a token that ends at `start` and the
// one at `end`.
bool print_has_blank(const Printer *p, uint32_t start, uint32_t end);
// Whether no comment is left up to the end of the node.
bool print_is_bare(const Printer *p, NodeId node);
static inline void print_open(Printer *p) { layout_open(&p->layout); }
static inline void print_close(Printer *p) { layout_close(&p->layout); }
static inline void print_indent(Printer *p) {
  layout_add(&p->layout, LAYOUT_INDENT);
}
static inline void print_dedent(Printer *p) {
  layout_add(&p->layout, LAYOUT_DEDENT);
}

typedef void (*PrintNode)(Printer *p, NodeId node);

// From delimiter to delimiter, `edge` behind the first and before the last:
// on one line, or one element on each.
void print_list(Printer *p, NodeList list, PrintNode print, LayoutKind edge);
// The same, always one element on each line; `{}` when empty.
void print_lines(Printer *p, NodeList list, PrintNode print);
// Elements with `, ` between them, without delimiters.
void print_flat(Printer *p, NodeList list, PrintNode print);

void print_item(Printer *p, NodeId node);         // print_item.c
void print_machine_item(Printer *p, NodeId node); // print_machine.c
void print_quantity(Printer *p, NodeId node);
void print_type(Printer *p, NodeId node); // print_type.c
void print_generic_args(Printer *p, NodeList args);
void print_expr(Printer *p, NodeId node); // print_expr.c
void print_pattern(Printer *p, NodeId node);
// print_control.c: `is_inline`: may stand on one line.
bool print_is_block_like(NodeKind kind);
void print_block_like(Printer *p, NodeId node, bool is_inline);
void print_block(Printer *p, NodeId node);

#endif
