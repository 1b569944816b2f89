// SPDX-License-Identifier: Apache-2.0
//
// syntax: text to tokens, tokens to a tree, a tree to formatted text. The same
// lexer and parser read programs and machine files.
//
// Shapes: a Tree is a flat array of nodes; the fields of a node are 32-bit
// words in `extra`, read as a named view: `IfExpr s = if_expr(tree, id);`.
// A tree is never changed after parsing. Everything lives in the arena given
// to the function that makes it.

#ifndef VX_SYNTAX_SYNTAX_H
#define VX_SYNTAX_SYNTAX_H

#include "base/base.h"
#include "diag/diag.h"
#include "source/source.h"

// --- Tokens ------------------------------------------------------------------

typedef enum {
#define TOKEN(kind, text) TOKEN_##kind,
#define KEYWORD(kind, text) TOKEN_##kind,
#define SOFT_KEYWORD(kind, text) TOKEN_##kind,
#define PUNCT(kind, text) TOKEN_##kind,
#include "syntax/token.def"
#undef TOKEN
#undef KEYWORD
#undef SOFT_KEYWORD
#undef PUNCT
  TOKEN_KIND_COUNT
} TokenKind;

// "`->`", "a name", "`fn`": for messages.
const char *token_kind_words(TokenKind kind);
// "->", "fn"; NULL for kinds without a fixed text.
const char *token_kind_text(TokenKind kind);
// IDENT or a soft keyword.
bool token_kind_is_name(TokenKind kind);

typedef struct {
  uint32_t start;       // in the source space
  uint32_t length : 24; // at most MAX_TOKEN_LENGTH
  uint32_t kind : 8;    // a TokenKind
  Name name;            // of IDENT and keywords; else 0
} Token;

#define MAX_TOKEN_LENGTH ((1u << 24) - 1)

// 0 is "no token" (tokens.items[0] is unused).
typedef struct {
  uint32_t index;
} TokenId;

// A comment, from `//` to the end of its line (without the line end).
typedef struct {
  Span span;
  bool is_doc;   // `///`, but not `////`
  bool is_alone; // nothing but blanks before it on its line
} Comment;

typedef struct {
  VEC(Token) items; // the last one is END
} TokenList;

typedef struct {
  VEC(Comment) items; // ascending
} CommentList;

// Reports E1015 (malformed literal), E1001 (stray character), E1017 (NUL bytes,
// not UTF-8). Always ends with an END token.
void lex(Arena *arena, Interner *interner, const SourceMap *sources,
         FileId file, DiagSink *sink, TokenList *tokens, CommentList *comments);

// --- Nodes -------------------------------------------------------------------

// 0 is "no node".
typedef struct {
  uint32_t index;
} NodeId;

// `count` node ids from extra[first].
typedef struct {
  uint32_t first;
  uint32_t count;
} NodeList;

typedef enum {
  NODE_NONE,
#define NODE(Type, function, words, fields) NODE_##Type,
#include "syntax/node.def"
#undef NODE
  NODE_KIND_COUNT
} NodeKind;

enum {
  FN_UNSAFE = 1,   // unsafe fn
  FN_EXTERN = 2,   // extern "C" fn .. { }
  FN_SAFE = 4,     // safe fn, in an extern block
  FN_DECLARED = 8, // in an extern block: no body
  GENERIC_TYPE = 0,
  GENERIC_CONST = 1,
  GENERIC_TOPOLOGY = 2,
  PARAM_MUT = 1,
  MACHINE_EXTEND = 1,
  LINK_RELAXED = 1,
  LINK_SYNC = 2,
  LINK_COPY_ENGINE = 4,
  QUANTITY_NEGATIVE = 1,
  PLACE_MEMORY = 0,
  PLACE_TOPOLOGY = 1,
  PATTERN_MUT = 1,
  REF_MUT = 1,
  EXPR_SEMICOLON = 1,
  IF_COMPTIME = 1,
};

typedef struct {
  uint8_t kind;   // a NodeKind
  uint16_t depth; // 1 + the deepest child
  uint32_t first; // of its fields in extra
  Span span;
} Node;

// A parse never makes a node deeper than this (E1016), so recursion over a
// tree is safe.
#define MAX_TREE_DEPTH 500

typedef struct {
  FileId file;
  const SourceMap *sources;
  Interner *interner;
  TokenList tokens; // `>>`, `>=`, `&&` as two where they are read as two
  CommentList comments;
  VEC(Node) nodes; // items[0] is unused
  U32Vec extra;
  NodeId root; // a Module
  bool has_errors;
} Tree;

// Views: one struct per kind, made of 32-bit handles only.
#define F_NODE(x) NodeId x;
#define F_LIST(x) NodeList x;
#define F_TOKEN(x) TokenId x;
#define F_FLAGS(x) uint32_t x;
#define NODE(Type, function, words, fields)                                    \
  typedef struct {                                                             \
    fields                                                                     \
  } Type;
#include "syntax/node.def"
#undef NODE
#undef F_NODE
#undef F_LIST
#undef F_TOKEN
#undef F_FLAGS

// Readers (panic when the kind is another) and makers.
#define NODE(Type, function, words, fields)                                    \
  Type function(const Tree *tree, NodeId node);                                \
  NodeId tree_add_##function(Arena *arena, Tree *tree, Span span, Type view);
#include "syntax/node.def"
#undef NODE

static inline NodeKind node_kind(const Tree *tree, NodeId node) {
  return (NodeKind)tree->nodes.items[node.index].kind;
}
static inline Span node_span(const Tree *tree, NodeId node) {
  return tree->nodes.items[node.index].span;
}
static inline NodeId list_at(const Tree *tree, NodeList list, uint32_t i) {
  return (NodeId){tree->extra.items[list.first + i]};
}
// "binary operator", "`if`": for messages.
const char *node_kind_words(NodeKind kind);
const char *node_kind_name(NodeKind kind); // "IfExpr"

Span token_span(const Tree *tree, TokenId token);
Str token_text(const Tree *tree, TokenId token);
Name token_name(const Tree *tree, TokenId token);
TokenKind token_kind(const Tree *tree, TokenId token);

// The children of any node in source order, for walks that treat all kinds
// alike. Missing children are left out.
typedef VEC(NodeId) NodeVec;
void node_children(Arena *arena, const Tree *tree, NodeId node, NodeVec *out);

// The innermost expression inside parentheses.
NodeId node_unparen(const Tree *tree, NodeId node);

// The `///` lines before a declaration, without slashes, joined by newlines.
Str node_doc(Arena *arena, const Tree *tree, NodeId node);

// --- Parsing -----------------------------------------------------------------

typedef enum {
  PARSE_PROGRAM,
  PARSE_MACHINE, // only Memory, Topology, extend and import: others E1001
} ParseMode;

// Always gives a tree; errors are in `sink` and in tree->has_errors, with
// ErrorNodes where something could not be read. Recovers at `;`, `,`, closing
// delimiters and item keywords; no follow-up errors. Linear in the text.
Tree *parse_file(Arena *arena, Interner *interner, const SourceMap *sources,
                 FileId file, ParseMode mode, DiagSink *sink);

// --- Literals ----------------------------------------------------------------

typedef struct {
  Uint128 value;
  bool overflow; // beyond 128 bits; value is then unspecified
  Str suffix;    // "i32", "" without one
} IntegerValue;

typedef struct {
  Str digits; // without underscores and suffix: for strtod at the end
  Str suffix;
} FloatValue;

// Reads an INTEGER, FLOAT, STRING token's text that the lexer has accepted.
IntegerValue literal_integer(Arena *arena, Str text);
FloatValue literal_float(Arena *arena, Str text);
// The bytes of a string, escapes resolved, quotes removed.
Str literal_string(Arena *arena, Str text);

// --- Printing ----------------------------------------------------------------

// The formatted text of a tree without errors: keeps every comment and at most
// one blank line in a row. Formatting twice changes nothing.
void format_tree(Text *out, const Tree *tree);
// `--emit=tokens`: one token per line, line:column, kind, text.
void dump_tokens(Text *out, const Tree *tree, SourceMap *sources);
// `--emit=ast`: one node per line, indented, with its fields and position.
void dump_tree(Text *out, const Tree *tree, SourceMap *sources);

#endif
