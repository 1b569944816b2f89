// SPDX-License-Identifier: Apache-2.0
//
// The catalogue as tables: codes, texts, and the substitution of {parameters}.

#include "diag/internal.h"

#include <string.h>

typedef struct {
  const char *name;
  Severity severity;
  const char *text;
} CodeRow;

static const CodeRow code_rows[DIAG_CODE_COUNT] = {
    [DIAG_NONE] = {"", SEVERITY_ERROR, ""},
#define DIAG(code, severity, name, text, params)                               \
  [DIAG_##code] = {#code, SEVERITY_##severity, text},
#define DIAG_ALSO(code, severity, name, text, params)
#include "diag/diag.def"
#undef DIAG
#undef DIAG_ALSO
};

typedef struct {
  DiagCode code;
  const char *text;
} TextRow;

static const TextRow text_rows[DIAG_TEXT_COUNT] = {
#define DIAG(code, severity, name, text, params)                               \
  [DIAG_TEXT_##name] = {DIAG_##code, text},
#define DIAG_ALSO(code, severity, name, text, params)                          \
  DIAG(code, severity, name, text, params)
#include "diag/diag.def"
#undef DIAG
#undef DIAG_ALSO
};

const char *diag_code_name(DiagCode code) { return code_rows[code].name; }

DiagCode diag_code_from_name(Str name) {
  for (unsigned code = 1; code < DIAG_CODE_COUNT; code++) {
    if (str_equal(str_from(code_rows[code].name), name))
      return (DiagCode)code;
  }
  return DIAG_NONE;
}

Severity diag_code_severity(DiagCode code) { return code_rows[code].severity; }

const char *diag_code_text(DiagCode code) { return code_rows[code].text; }

Str diag_code_page(DiagCode code) {
  Str name = str_from(code_rows[code].name);
  for (size_t i = 0; i < diag_page_count; i++) {
    if (str_equal(str_from(diag_pages[i].name), name))
      return (Str){diag_pages[i].data, diag_pages[i].length};
  }
  return STR("");
}

// --- Emission ----------------------------------------------------------------

static void put_argument(Text *out, const DiagArg *argument) {
  switch (argument->kind) {
  case DIAG_ARG_TEXT:
    text_put(out, argument->text);
    return;
  case DIAG_ARG_NUMBER:
    text_u128(out, argument->number);
    return;
  case DIAG_ARG_BYTES:
    text_bytes(out, argument->bytes);
    return;
  }
}

static const DiagArg *find_argument(const DiagArg *args, size_t arg_count,
                                    Str name) {
  for (size_t i = 0; i < arg_count; i++) {
    if (str_equal(str_from(args[i].name), name))
      return &args[i];
  }
  PANIC("a text of the catalogue names a parameter that its row lacks");
}

static Str fill_in(Arena *arena, const char *pattern, const DiagArg *args,
                   size_t arg_count) {
  Text out = text_new(arena);
  const char *rest = pattern;
  for (const char *open; (open = strchr(rest, '{')) != NULL;) {
    const char *close = strchr(open, '}');
    CHECK(close != NULL);
    text_put(&out, (Str){rest, (size_t)(open - rest)});
    Str name = {open + 1, (size_t)(close - open - 1)};
    put_argument(&out, find_argument(args, arg_count, name));
    rest = close + 1;
  }
  text_puts(&out, rest);
  return text_str(&out);
}

static uint64_t record_key(const Diagnostic *d) {
  const uint32_t parts[] = {(uint32_t)d->code, d->span.start, d->span.length};
  uint64_t key = hash_bytes(parts, sizeof parts, 0);
  // What has no place is told apart by its words.
  if (span_is_none(d->span))
    key = hash_bytes(d->message.data, d->message.length, key);
  return key;
}

static bool is_repeated(DiagSink *sink, const Diagnostic *d) {
  uint64_t key = record_key(d);
  uint64_t index;
  if (!map_get(&sink->seen, key, &index)) {
    map_put(sink->arena, &sink->seen, key, sink->records.count);
    return false;
  }
  const Diagnostic *other = sink->records.items[index];
  return other->code == d->code && other->span.start == d->span.start &&
         other->span.length == d->span.length;
}

static void count_record(DiagSink *sink, Severity severity) {
  if (severity == SEVERITY_ERROR)
    sink->error_count++;
  else
    sink->warning_count++;
}

static Diagnostic *count_only(DiagSink *sink, DiagCode code) {
  bool is_warning = code_rows[code].severity == SEVERITY_WARNING;
  if (sink->counted_only == NULL) {
    sink->counted_only = ARENA_NEW(sink->arena, Diagnostic);
    sink->counted_only->is_counted_only = true;
  }
  if (!is_warning || !sink->is_silenced[code])
    count_record(sink, is_warning && !sink->warnings_are_errors
                           ? SEVERITY_WARNING
                           : SEVERITY_ERROR);
  return sink->counted_only;
}

Diagnostic *diag_emit(DiagSink *sink, DiagText text, Span span,
                      const DiagArg *args, size_t arg_count) {
  const TextRow *row = &text_rows[text];
  if (sink->records.count >= MAX_RECORDS)
    return count_only(sink, row->code);
  Diagnostic *d = ARENA_NEW(sink->arena, Diagnostic);
  d->code = row->code;
  d->severity = code_rows[row->code].severity;
  d->phase = sink->phase;
  d->span = span;
  d->order = sink->records.count;
  d->message = fill_in(sink->arena, row->text, args, arg_count);
  bool is_warning = d->severity == SEVERITY_WARNING;
  if (is_warning && sink->is_silenced[d->code])
    d->is_dropped = true;
  else
    d->is_dropped = is_repeated(sink, d);
  if (is_warning && sink->warnings_are_errors)
    d->severity = SEVERITY_ERROR;
  VEC_PUSH(sink->arena, &sink->records, d);
  if (d->is_dropped)
    return d;
  count_record(sink, d->severity);
  return d;
}
