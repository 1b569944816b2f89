// SPDX-License-Identifier: Apache-2.0
//
// Any bytes to a tree: no node is deeper than allowed, children lie within
// their parents, an error is a diagnostic. What parses cleanly is formatted:
// the tokens are the same but for commas at the end of lists, the comments are
// the same, and formatting again changes nothing.

#include "syntax/syntax.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
  Arena arena;
  Interner interner;
  SourceMap sources;
  DiagSink sink;
} Context;

static void open_context(Context *context) {
  *context = (Context){0};
  interner_init(&context->interner, &context->arena);
  source_init(&context->sources, &context->arena);
  diag_init(&context->sink, &context->arena);
}

static Tree *parse(Context *context, Str text, ParseMode mode) {
  FileId file = source_add(&context->sources, STR("fuzz.vx"), text);
  return parse_file(&context->arena, &context->interner, &context->sources,
                    file, mode, &context->sink);
}

// --- Trees -------------------------------------------------------------------

static void check_tree(Context *context, const Tree *tree) {
  CHECK(node_kind(tree, tree->root) == NODE_Module);
  CHECK(tree->has_errors == (context->sink.records.count > 0));
  for (uint32_t i = 1; i < tree->nodes.count; i++) {
    const Node *node = &tree->nodes.items[i];
    CHECK(node->kind != NODE_NONE && node->depth <= MAX_TREE_DEPTH + 1);
    NodeVec children = {0};
    node_children(&context->arena, tree, (NodeId){i}, &children);
    for (uint32_t c = 0; c < children.count; c++) {
      CHECK(children.items[c].index < i);
      const Node *child = &tree->nodes.items[children.items[c].index];
      CHECK(child->depth < node->depth);
      if (!tree->has_errors)
        CHECK(child->span.start >= node->span.start &&
              span_end(child->span) <= span_end(node->span));
    }
  }
  Node root = tree->nodes.items[tree->root.index];
  CHECK(root.depth <= MAX_TREE_DEPTH);
}

// --- Formatting --------------------------------------------------------------

static bool drops_comma(TokenKind before, TokenKind after) {
  return before == TOKEN_RBRACE || after == TOKEN_RPAREN ||
         after == TOKEN_RBRACKET || after == TOKEN_RBRACE ||
         after == TOKEN_GT || after == TOKEN_LBRACE;
}

// All tokens but the commas that a formatter may add or leave out, then all
// comments.
static Str essence(Context *context, const Tree *tree) {
  Text text = text_new(&context->arena);
  const Token *tokens = tree->tokens.items.items;
  for (uint32_t i = 1; i + 1 < tree->tokens.items.count; i++) {
    if (tokens[i].kind == TOKEN_COMMA &&
        drops_comma((TokenKind)tokens[i - 1].kind,
                    (TokenKind)tokens[i + 1].kind))
      continue;
    text_put(&text, token_text(tree, (TokenId){i}));
    text_char(&text, '\n');
  }
  for (uint32_t i = 0; i < tree->comments.items.count; i++) {
    Str comment =
        source_text(&context->sources, tree->comments.items.items[i].span);
    for (size_t c = 0; c < comment.length; c++) {
      if (comment.data[c] != '\r')
        text_char(&text, comment.data[c]);
    }
    text_char(&text, '\n');
  }
  return text_str(&text);
}

static Str format(Context *context, const Tree *tree) {
  Text text = text_new(&context->arena);
  format_tree(&text, tree);
  return text_str(&text);
}

static void check_format(Context *context, const Tree *tree, ParseMode mode) {
  Str once = format(context, tree);
  CHECK(once.length == 0 || once.data[once.length - 1] == '\n');
  const Tree *again = parse(context, once, mode);
  CHECK(!again->has_errors);
  CHECK(str_equal(essence(context, tree), essence(context, again)));
  CHECK(str_equal(once, format(context, again)));
}

static void check_input(Str text, ParseMode mode) {
  Context context;
  open_context(&context);
  const Tree *tree = parse(&context, text, mode);
  check_tree(&context, tree);
  if (!tree->has_errors)
    check_format(&context, tree, mode);
  arena_free(&context.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Str text = {(const char *)data, size};
  check_input(text, PARSE_PROGRAM);
  check_input(text, PARSE_MACHINE);
  return 0;
}
