// SPDX-License-Identifier: Apache-2.0
//
// Tokens and trees as text, for people and for golden tests.

#include "syntax/internal.h"

// --- Tokens ------------------------------------------------------------------

static const char *const kind_names[] = {
#define TOKEN(kind, text) #kind,
#define KEYWORD(kind, text) #kind,
#define SOFT_KEYWORD(kind, text) #kind,
#define PUNCT(kind, text) #kind,
#include "syntax/token.def"
#undef TOKEN
#undef KEYWORD
#undef SOFT_KEYWORD
#undef PUNCT
};

void dump_tokens(Text *out, const Tree *tree, SourceMap *sources) {
  for (uint32_t i = 1; i < tree->tokens.items.count; i++) {
    const Token *token = &tree->tokens.items.items[i];
    Location at = source_locate(sources, token->start);
    Str text = source_text(sources, (Span){token->start, token->length});
    text_format(out, "%u:%u %s", at.line, at.column, kind_names[token->kind]);
    if (token->length > 0)
      text_format(out, " %.*s", STR_ARG(text));
    text_char(out, '\n');
  }
}

// --- Flags -------------------------------------------------------------------

typedef struct {
  NodeKind kind;
  uint32_t flag;
  const char *name;
} FlagName;

static const FlagName flag_names[] = {
    {NODE_FnItem, FN_UNSAFE, "unsafe"},
    {NODE_FnItem, FN_EXTERN, "extern"},
    {NODE_FnItem, FN_SAFE, "safe"},
    {NODE_FnItem, FN_DECLARED, "declared"},
    {NODE_GenericParam, GENERIC_CONST, "const"},
    {NODE_GenericParam, GENERIC_TOPOLOGY, "topology"},
    {NODE_Param, PARAM_MUT, "mut"},
    {NODE_MemoryItem, MACHINE_EXTEND, "extend"},
    {NODE_TopologyItem, MACHINE_EXTEND, "extend"},
    {NODE_LinkField, LINK_RELAXED, "relaxed"},
    {NODE_LinkField, LINK_SYNC, "sync"},
    {NODE_LinkField, LINK_COPY_ENGINE, "copy_engine"},
    {NODE_Quantity, QUANTITY_NEGATIVE, "negative"},
    {NODE_Place, PLACE_TOPOLOGY, "topology"},
    {NODE_RefType, REF_MUT, "mut"},
    {NODE_PointerType, REF_MUT, "mut"},
    {NODE_ExprStmt, EXPR_SEMICOLON, "semicolon"},
    {NODE_NamePattern, PATTERN_MUT, "mut"},
    {NODE_UnaryExpr, REF_MUT, "mut"},
    {NODE_IfExpr, IF_COMPTIME, "comptime"},
};

static void dump_flags(Text *out, NodeKind kind, uint32_t flags) {
  const char *before = " flags=";
  for (size_t i = 0; i < COUNT_OF(flag_names); i++) {
    const FlagName *name = &flag_names[i];
    if (name->kind != kind || (flags & name->flag) == 0)
      continue;
    text_format(out, "%s%s", before, name->name);
    before = ",";
  }
}

// --- Trees -------------------------------------------------------------------

// The tokens and flags of a node, on its line.
static void dump_words(Text *out, const Tree *tree, NodeId node) {
  NodeKind kind = node_kind(tree, node);
  const NodeShape *shape = node_shape(kind);
  const uint32_t *words =
      &tree->extra.items[tree->nodes.items[node.index].first];
  for (uint32_t f = 0; f < shape->count; f++) {
    const NodeField *field = &shape->fields[f];
    if (field->shape == FIELD_TOKEN && words[0] != 0) {
      Str text = token_text(tree, (TokenId){words[0]});
      text_format(out, " %s=%.*s", field->name, STR_ARG(text));
    } else if (field->shape == FIELD_FLAGS) {
      dump_flags(out, kind, words[0]);
    }
    words += field->shape == FIELD_LIST ? 2 : 1;
  }
}

typedef struct {
  Text *out;
  const Tree *tree;
  SourceMap *sources;
  Arena scratch;
  NodeVec stack; // children still to print, all levels
} Dumper;

// The depth of a tree is bounded (MAX_TREE_DEPTH).
static void dump_node(Dumper *d, NodeId node, uint32_t level) {
  Span span = node_span(d->tree, node);
  Location start = source_locate(d->sources, span.start);
  Location end = source_locate(d->sources, span_end(span));
  text_repeat(d->out, ' ', (size_t)level * 2);
  text_format(d->out, "%s %u:%u-%u:%u",
              node_kind_name(node_kind(d->tree, node)), start.line,
              start.column, end.line, end.column);
  dump_words(d->out, d->tree, node);
  text_char(d->out, '\n');
  uint32_t first = d->stack.count;
  node_children(&d->scratch, d->tree, node, &d->stack);
  for (uint32_t i = first; i < d->stack.count; i++)
    dump_node(d, d->stack.items[i], level + 1);
  d->stack.count = first;
}

void dump_tree(Text *out, const Tree *tree, SourceMap *sources) {
  Dumper dumper = {.out = out, .tree = tree, .sources = sources};
  dump_node(&dumper, tree->root, 0);
  arena_free(&dumper.scratch);
}
