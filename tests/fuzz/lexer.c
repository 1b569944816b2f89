// SPDX-License-Identifier: Apache-2.0
//
// Any bytes to tokens: tokens and comments ascend, lie within the text, and the
// last one is END; literals can be read whatever they look like.

#include "syntax/syntax.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_spans(const SourceFile *file, const TokenList *tokens,
                        const CommentList *comments) {
  uint32_t end = file->start + (uint32_t)file->text.length;
  uint32_t last = file->start;
  CHECK(tokens->items.count >= 2);
  for (uint32_t i = 1; i < tokens->items.count; i++) {
    const Token *token = &tokens->items.items[i];
    bool is_end = i + 1 == tokens->items.count;
    CHECK(token->start >= last && (token->length > 0 || is_end));
    CHECK((token->kind == TOKEN_END) == is_end);
    last = token->start + token->length;
    CHECK(last <= end);
  }
  last = file->start;
  for (uint32_t i = 0; i < comments->items.count; i++) {
    Span span = comments->items.items[i].span;
    CHECK(span.start >= last && span.length >= 2 && span_end(span) <= end);
    last = span_end(span);
  }
}

static void read_literals(Arena *arena, const SourceMap *sources,
                          const TokenList *tokens) {
  for (uint32_t i = 1; i < tokens->items.count; i++) {
    const Token *token = &tokens->items.items[i];
    Str text = source_text(sources, (Span){token->start, token->length});
    if (token->kind == TOKEN_INTEGER)
      literal_integer(arena, text);
    else if (token->kind == TOKEN_FLOAT)
      literal_float(arena, text);
    else if (token->kind == TOKEN_STRING)
      literal_string(arena, text);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena arena = {0};
  Interner interner;
  SourceMap sources;
  DiagSink sink;
  interner_init(&interner, &arena);
  source_init(&sources, &arena);
  diag_init(&sink, &arena);
  Str text = {(const char *)data, size};
  FileId file = source_add(&sources, STR("fuzz.vx"), text);
  TokenList tokens;
  CommentList comments;
  lex(&arena, &interner, &sources, file, &sink, &tokens, &comments);
  check_spans(source_file(&sources, file), &tokens, &comments);
  read_literals(&arena, &sources, &tokens);
  arena_free(&arena);
  return 0;
}
