// SPDX-License-Identifier: Apache-2.0
//
// The tree: readers and makers of nodes, generated from node.def, and the few
// questions that treat all kinds alike.

#include "syntax/internal.h"

#include <string.h>

// --- Shapes ------------------------------------------------------------------

#define F_NODE(x) {#x, FIELD_NODE},
#define F_LIST(x) {#x, FIELD_LIST},
#define F_TOKEN(x) {#x, FIELD_TOKEN},
#define F_FLAGS(x) {#x, FIELD_FLAGS},
#define NODE(Type, function, words, fields)                                    \
  static const NodeField fields_of_##Type[] = {fields};
#include "syntax/node.def"
#undef NODE
#undef F_NODE
#undef F_LIST
#undef F_TOKEN
#undef F_FLAGS

static const NodeShape shapes[] = {
    {NULL, 0},
#define NODE(Type, function, words, fields)                                    \
  {fields_of_##Type, COUNT_OF(fields_of_##Type)},
#include "syntax/node.def"
#undef NODE
};

static const char *const kind_words[] = {
    "nothing",
#define NODE(Type, function, words, fields) words,
#include "syntax/node.def"
#undef NODE
};

static const char *const kind_names[] = {
    "None",
#define NODE(Type, function, words, fields) #Type,
#include "syntax/node.def"
#undef NODE
};

const NodeShape *node_shape(NodeKind kind) {
  CHECK(kind < NODE_KIND_COUNT);
  return &shapes[kind];
}

const char *node_kind_words(NodeKind kind) {
  CHECK(kind < NODE_KIND_COUNT);
  return kind_words[kind];
}

const char *node_kind_name(NodeKind kind) {
  CHECK(kind < NODE_KIND_COUNT);
  return kind_names[kind];
}

// --- Readers and makers ------------------------------------------------------

static void read_view(const Tree *tree, NodeId node, NodeKind kind, void *view,
                      size_t size) {
  const Node *n = &tree->nodes.items[node.index];
  CHECK(n->kind == kind);
  memcpy(view, &tree->extra.items[n->first], size);
}

static uint32_t depth_at(const Tree *tree, uint32_t node) {
  return node == 0 ? 0 : tree->nodes.items[node].depth;
}

// The depth of the deepest child among the field words.
static uint32_t deepest_child(const Tree *tree, const NodeShape *shape,
                              const uint32_t *words) {
  uint32_t deepest = 0;
  for (uint32_t f = 0; f < shape->count; f++) {
    switch (shape->fields[f].shape) {
    case FIELD_NODE: {
      uint32_t depth = depth_at(tree, words[0]);
      deepest = depth > deepest ? depth : deepest;
      words += 1;
      break;
    }
    case FIELD_LIST:
      for (uint32_t i = 0; i < words[1]; i++) {
        uint32_t depth = depth_at(tree, tree->extra.items[words[0] + i]);
        deepest = depth > deepest ? depth : deepest;
      }
      words += 2;
      break;
    case FIELD_TOKEN:
    case FIELD_FLAGS:
      words += 1;
      break;
    }
  }
  return deepest;
}

static NodeId add_node(Arena *arena, Tree *tree, Span span, NodeKind kind,
                       const void *view, size_t size) {
  uint32_t count = (uint32_t)(size / sizeof(uint32_t));
  uint32_t first = tree->extra.count;
  VEC_EXTEND(arena, &tree->extra, count);
  uint32_t *words = &tree->extra.items[first];
  const uint32_t *fields = view;
  for (uint32_t i = 0; i < count; i++) // a call of memcpy would cost more
    words[i] = fields[i];
  uint32_t depth = 1 + deepest_child(tree, &shapes[kind], words);
  if (tree->nodes.count == 0)
    VEC_PUSH(arena, &tree->nodes, (Node){0});
  Node node = {.kind = (uint8_t)kind,
               .depth = depth > UINT16_MAX ? UINT16_MAX : (uint16_t)depth,
               .first = first,
               .span = span};
  VEC_PUSH(arena, &tree->nodes, node);
  return (NodeId){tree->nodes.count - 1};
}

#define NODE(Type, function, words, fields)                                    \
  Type function(const Tree *tree, NodeId node) {                               \
    Type view;                                                                 \
    read_view(tree, node, NODE_##Type, &view, sizeof view);                    \
    return view;                                                               \
  }                                                                            \
  NodeId tree_add_##function(Arena *arena, Tree *tree, Span span, Type view) { \
    return add_node(arena, tree, span, NODE_##Type, &view, sizeof view);       \
  }
#include "syntax/node.def"
#undef NODE

// --- Tokens ------------------------------------------------------------------

static const Token *token_at(const Tree *tree, TokenId token) {
  CHECK(token.index < tree->tokens.items.count);
  return &tree->tokens.items.items[token.index];
}

Span token_span(const Tree *tree, TokenId token) {
  const Token *t = token_at(tree, token);
  return (Span){t->start, t->length};
}

Str token_text(const Tree *tree, TokenId token) {
  if (token.index == 0)
    return STR("");
  return source_text(tree->sources, token_span(tree, token));
}

Name token_name(const Tree *tree, TokenId token) {
  return token_at(tree, token)->name;
}

TokenKind token_kind(const Tree *tree, TokenId token) {
  return (TokenKind)token_at(tree, token)->kind;
}

// --- Walks -------------------------------------------------------------------

void node_children(Arena *arena, const Tree *tree, NodeId node, NodeVec *out) {
  const Node *n = &tree->nodes.items[node.index];
  const NodeShape *shape = &shapes[n->kind];
  const uint32_t *words = tree->extra.items + n->first;
  for (uint32_t f = 0; f < shape->count; f++) {
    FieldShape field = shape->fields[f].shape;
    if (field == FIELD_NODE && words[0] != 0)
      VEC_PUSH(arena, out, (NodeId){words[0]});
    if (field == FIELD_LIST) {
      for (uint32_t i = 0; i < words[1]; i++)
        VEC_PUSH(arena, out, (NodeId){tree->extra.items[words[0] + i]});
    }
    words += field == FIELD_LIST ? 2 : 1;
  }
}

NodeId node_unparen(const Tree *tree, NodeId node) {
  while (node.index != 0 && node_kind(tree, node) == NODE_ParenExpr)
    node = paren_expr(tree, node).inner;
  return node;
}

// --- Documentation -----------------------------------------------------------

// How many comments begin before `offset`.
static uint32_t comments_before(const Tree *tree, uint32_t offset) {
  uint32_t low = 0;
  uint32_t high = tree->comments.items.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (tree->comments.items.items[middle].span.start < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool is_blank(Str text) {
  for (size_t i = 0; i < text.length; i++) {
    if (strchr(" \t\r\n", text.data[i]) == NULL)
      return false;
  }
  return true;
}

static bool only_blanks_between(const Tree *tree, uint32_t start,
                                uint32_t end) {
  return is_blank(source_text(tree->sources, (Span){start, end - start}));
}

Str node_doc(Arena *arena, const Tree *tree, NodeId node) {
  uint32_t next = node_span(tree, node).start;
  uint32_t end = comments_before(tree, next);
  uint32_t first = end;
  while (first > 0) {
    const Comment *comment = &tree->comments.items.items[first - 1];
    if (!comment->is_alone ||
        !only_blanks_between(tree, span_end(comment->span), next))
      break;
    next = comment->span.start;
    first--;
  }
  Text doc = text_new(arena);
  for (uint32_t i = first; i < end; i++) {
    const Comment *comment = &tree->comments.items.items[i];
    if (!comment->is_doc)
      continue;
    Str line = source_text(tree->sources, comment->span);
    size_t skip = line.length > 3 && line.data[3] == ' ' ? 4 : 3;
    if (doc.length > 0)
      text_char(&doc, '\n');
    text_put(&doc, str_slice(line, skip, line.length - skip));
  }
  return text_str(&doc);
}
