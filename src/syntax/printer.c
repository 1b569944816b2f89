// SPDX-License-Identifier: Apache-2.0
//
// The formatter: a walk over the tree that puts out all tokens in their order,
// with places where lines may break. What it adds or leaves out are commas at
// the end of lists, nothing else. A comment behind a token stays at the end of
// its line; one that stood alone stands alone before the token it preceded.

#include "syntax/internal.h"

// --- Comments ----------------------------------------------------------------

static const Token *next_token(const Printer *p) {
  return &p->tree->tokens.items.items[p->token];
}

static Str slice(const Printer *p, Span span) {
  return str_slice(p->text, span.start - p->base, span.length);
}

// The comment before the next token, or NULL.
static const Comment *next_comment(const Printer *p) {
  if (p->comment >= p->tree->comments.items.count)
    return NULL;
  const Comment *comment = &p->tree->comments.items.items[p->comment];
  return comment->span.start < next_token(p)->start ? comment : NULL;
}

// Whether an empty line stands before the offset.
static bool has_blank_before(const Printer *p, uint32_t offset) {
  unsigned newlines = 0;
  for (uint32_t i = offset - p->base; i > 0 && newlines < 2; i--) {
    char c = p->text.data[i - 1];
    if (c == '\n')
      newlines++;
    else if (c != ' ' && c != '\t' && c != '\r')
      return false;
  }
  return newlines == 2;
}

// How many comments begin before `offset`.
static uint32_t comments_before(const Printer *p, uint32_t offset) {
  uint32_t low = 0;
  uint32_t high = p->tree->comments.items.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->tree->comments.items.items[middle].span.start < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool print_has_blank(const Printer *p, uint32_t start, uint32_t end) {
  const Comment *comments = p->tree->comments.items.items;
  uint32_t last = comments_before(p, end);
  for (uint32_t i = comments_before(p, start); i < last; i++) {
    if (has_blank_before(p, comments[i].span.start))
      return true;
  }
  return has_blank_before(p, end);
}

// The comment that stands behind the last token on its line.
static void flush_trailing(Printer *p) {
  const Comment *comment = next_comment(p);
  if (comment == NULL || comment->is_alone)
    return;
  LayoutKind kind = p->is_aligned ? LAYOUT_ALIGNED : LAYOUT_COMMENT;
  layout_text(&p->layout, kind, slice(p, comment->span));
  p->comment++;
}

// All comments before the next token. Returns whether one stood alone.
static bool flush_comments(Printer *p) {
  flush_trailing(p);
  bool has_any = false;
  for (const Comment *comment = next_comment(p); comment != NULL;
       comment = next_comment(p)) {
    if (!p->is_opened && has_blank_before(p, comment->span.start))
      layout_add(&p->layout, LAYOUT_BLANK);
    layout_text(&p->layout, LAYOUT_ALONE, slice(p, comment->span));
    p->is_opened = false;
    p->comment++;
    has_any = true;
  }
  return has_any;
}

void print_comments_before_closer(Printer *p) { flush_comments(p); }

bool print_is_bare(const Printer *p, NodeId node) {
  return p->comment >= p->tree->comments.items.count ||
         p->tree->comments.items.items[p->comment].span.start >=
             span_end(node_span(p->tree, node));
}

// --- Tokens ------------------------------------------------------------------

static bool is_opener(TokenKind kind) {
  return bracket_closer(kind) != TOKEN_END;
}

void print_any(Printer *p) {
  const Token *token = next_token(p);
  TokenKind kind = (TokenKind)token->kind;
  // Nothing comes between an operand and its comma or semicolon.
  bool is_tight = kind == TOKEN_COMMA || kind == TOKEN_SEMICOLON;
  if (!is_tight && flush_comments(p) && !bracket_is_closer(kind) &&
      has_blank_before(p, token->start))
    layout_add(&p->layout, LAYOUT_BLANK);
  layout_text(&p->layout, LAYOUT_TEXT,
              slice(p, (Span){token->start, token->length}));
  p->is_opened = is_opener(kind);
  p->token++;
}

void print_token(Printer *p, TokenKind kind) {
  CHECK(print_at(p, kind));
  print_any(p);
}

bool print_optional(Printer *p, TokenKind kind) {
  if (!print_at(p, kind))
    return false;
  print_any(p);
  return true;
}

void print_words(Printer *p, uint32_t end) {
  while (next_token(p)->start < end)
    print_any(p);
}

void print_raw(Printer *p, Span span) {
  flush_comments(p);
  layout_text(&p->layout, LAYOUT_RAW, slice(p, span));
  while (next_token(p)->start < span_end(span))
    p->token++;
  while (p->comment < p->tree->comments.items.count &&
         p->tree->comments.items.items[p->comment].span.start < span_end(span))
    p->comment++;
  p->is_opened = false;
}

// --- Gaps --------------------------------------------------------------------

void print_space(Printer *p) {
  flush_trailing(p);
  layout_add(&p->layout, LAYOUT_SPACE);
}

void print_line(Printer *p, LayoutKind kind) {
  flush_trailing(p);
  layout_add(&p->layout, kind);
}

void print_separator(Printer *p) {
  flush_trailing(p);
  const Comment *comment = next_comment(p);
  uint32_t next = comment == NULL ? next_token(p)->start : comment->span.start;
  layout_add(&p->layout, !p->is_opened && has_blank_before(p, next)
                             ? LAYOUT_BLANK
                             : LAYOUT_HARD_LINE);
}

// --- Lists -------------------------------------------------------------------

// A comma that the source may have here and the layout decides about.
static void skip_comma(Printer *p) {
  if (print_at(p, TOKEN_COMMA))
    p->token++;
}

void print_list(Printer *p, NodeList list, PrintNode print, LayoutKind edge) {
  print_any(p);
  if (list.count == 0 && next_comment(p) == NULL) {
    print_any(p);
    return;
  }
  print_open(p);
  print_indent(p);
  print_line(p, edge);
  for (uint32_t i = 0; i < list.count; i++) {
    if (i > 0) {
      print_token(p, TOKEN_COMMA);
      print_line(p, LAYOUT_LINE);
    }
    print(p, list_at(p->tree, list, i));
  }
  skip_comma(p);
  if (list.count > 0)
    layout_add(&p->layout, LAYOUT_COMMA);
  print_comments_before_closer(p);
  print_dedent(p);
  print_line(p, edge);
  print_close(p);
  print_any(p);
}

void print_lines(Printer *p, NodeList list, PrintNode print) {
  print_any(p);
  if (list.count == 0 && next_comment(p) == NULL) {
    print_any(p);
    return;
  }
  print_indent(p);
  for (uint32_t i = 0; i < list.count; i++) {
    print_separator(p);
    print(p, list_at(p->tree, list, i));
  }
  print_line(p, LAYOUT_HARD_LINE);
  print_comments_before_closer(p);
  print_dedent(p);
  print_line(p, LAYOUT_HARD_LINE);
  print_any(p);
}

void print_flat(Printer *p, NodeList list, PrintNode print) {
  for (uint32_t i = 0; i < list.count; i++) {
    if (i > 0) {
      print_token(p, TOKEN_COMMA);
      print_space(p);
    }
    print(p, list_at(p->tree, list, i));
  }
  skip_comma(p);
}

// --- Files -------------------------------------------------------------------

void format_tree(Text *out, const Tree *tree) {
  CHECK(!tree->has_errors);
  Arena scratch = {0};
  const SourceFile *file = source_file(tree->sources, tree->file);
  Printer printer = {.layout = {.arena = &scratch},
                     .tree = tree,
                     .arena = &scratch,
                     .text = file->text,
                     .base = file->start,
                     .token = 1,
                     .is_opened = true};
  NodeList items = module(tree, tree->root).items;
  for (uint32_t i = 0; i < items.count; i++) {
    print_separator(&printer);
    print_item(&printer, list_at(tree, items, i));
    printer.is_opened = false;
  }
  flush_comments(&printer);
  CHECK(print_at(&printer, TOKEN_END));
  size_t before = out->length;
  layout_render(&printer.layout, out);
  if (out->length > before)
    text_char(out, '\n');
  arena_free(&scratch);
}
