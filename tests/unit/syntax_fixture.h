// SPDX-License-Identifier: Apache-2.0
//
// Texts to tokens, trees and diagnostics, for the tests of syntax/.

#ifndef VX_UNIT_SYNTAX_FIXTURE_H
#define VX_UNIT_SYNTAX_FIXTURE_H

#include "syntax/syntax.h"
#include "unit/test.h"

#include <string.h>

typedef struct {
  Arena arena;
  Interner interner;
  SourceMap sources;
  DiagSink sink;
  Tree *tree;
} Fixture;

static inline void fixture_open(Fixture *f) {
  *f = (Fixture){0};
  interner_init(&f->interner, &f->arena);
  source_init(&f->sources, &f->arena);
  diag_init(&f->sink, &f->arena);
}

static inline void fixture_close(Fixture *f) { arena_free(&f->arena); }

static inline Tree *fixture_parse_mode(Fixture *f, Str text, ParseMode mode) {
  fixture_open(f);
  FileId file = source_add(&f->sources, STR("t.vx"), text);
  f->tree =
      parse_file(&f->arena, &f->interner, &f->sources, file, mode, &f->sink);
  diag_finish(&f->sink, &f->sources);
  return f->tree;
}

static inline Tree *fixture_parse(Fixture *f, const char *text) {
  return fixture_parse_mode(f, str_from(text), PARSE_PROGRAM);
}

// "E1005@1:8 E1007@2:3", in the order of their places.
static inline Str fixture_codes(Fixture *f) {
  Text text = text_new(&f->arena);
  for (uint32_t i = 0; i < f->sink.records.count; i++) {
    const Diagnostic *d = f->sink.records.items[i];
    if (d->is_dropped)
      continue;
    text_format(&text, "%s%s@%u:%u", text.length == 0 ? "" : " ",
                diag_code_name(d->code), d->start.line, d->start.column);
  }
  return text_str(&text);
}

// Appends a line of a dump without its place: "BinaryExpr op=+".
static inline void fixture_put_line(Text *out, Str line) {
  size_t start = 0;
  while (start < line.length && line.data[start] == ' ')
    start++;
  size_t name = start;
  while (name < line.length && line.data[name] != ' ')
    name++;
  size_t place = name + 1;
  while (place < line.length && line.data[place] != ' ')
    place++;
  text_put(out, str_slice(line, start, name - start));
  if (place < line.length)
    text_put(out, str_slice(line, place, line.length - place));
}

// The dump as "(A x=1 (B) (C (D)))", from the first node of kind `kind`.
static inline Str fixture_outline(Fixture *f, const char *kind) {
  Text dump = text_new(&f->arena);
  dump_tree(&dump, f->tree, &f->sources);
  Text out = text_new(&f->arena);
  Str text = text_str(&dump);
  size_t base = 0;
  size_t level = 0; // open parentheses
  for (size_t at = 0; at < text.length;) {
    const char *end = memchr(text.data + at, '\n', text.length - at);
    Str line = {text.data + at, (size_t)(end - text.data) - at};
    at += line.length + 1;
    size_t indent = 0;
    while (line.data[indent] == ' ')
      indent++;
    Str rest = str_slice(line, indent, line.length - indent);
    bool is_first = level == 0 && str_starts_with(rest, str_from(kind)) &&
                    rest.data[strlen(kind)] == ' ';
    if (is_first)
      base = indent;
    else if (level == 0)
      continue;
    else if (indent <= base)
      break;
    size_t depth = (indent - base) / 2;
    text_repeat(&out, ')', level - depth);
    text_puts(&out, out.length == 0 ? "(" : " (");
    fixture_put_line(&out, line);
    level = depth + 1;
  }
  text_repeat(&out, ')', level);
  return text_str(&out);
}

#endif
