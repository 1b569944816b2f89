// SPDX-License-Identifier: Apache-2.0
//
// Records as the array `diagnostics` of vx-diagnostics-v1.

#include "diag/diag.h"

static void put_key(Text *out, const char *key) {
  text_format(out, "\"%s\": ", key);
}

static void put_string(Text *out, const char *key, Str value) {
  put_key(out, key);
  text_json_string(out, value);
}

// `"file": .., "line": .., "column": .., "end_line": .., "end_column": ..`,
// all null where there is no place.
static void put_place(Text *out, Str file, Location start, Location end) {
  if (file.length == 0) {
    text_puts(out, "\"file\": null, \"line\": null, \"column\": null, "
                   "\"end_line\": null, \"end_column\": null");
    return;
  }
  put_string(out, "file", file);
  text_format(out,
              ", \"line\": %u, \"column\": %u, \"end_line\": %u, "
              "\"end_column\": %u",
              start.line, start.column, end.line, end.column);
}

// The text with its place behind the first line, as in the text form.
static Str with_place(Arena *arena, const DiagRemark *remark) {
  Str text = remark->text;
  if (remark->place.file.length == 0)
    return text;
  size_t first = 0;
  while (first < text.length && text.data[first] != '\n')
    first++;
  Str rest = str_slice(text, first, text.length - first);
  text.length = first;
  return str_format(arena, "%.*s at %.*s:%u:%u%.*s", STR_ARG(text),
                    STR_ARG(remark->place.file), remark->place.start.line,
                    remark->place.start.column, STR_ARG(rest));
}

// The remarks of one kind as strings; a place is written as people read it.
static void put_remarks(Text *out, const char *key, const Diagnostic *d,
                        RemarkKind kind) {
  put_key(out, key);
  text_char(out, '[');
  bool is_first = true;
  for (uint32_t i = 0; i < d->remarks.count; i++) {
    const DiagRemark *remark = &d->remarks.items[i];
    if (remark->kind != kind)
      continue;
    if (!is_first)
      text_puts(out, ", ");
    is_first = false;
    text_json_string(out, with_place(out->arena, remark));
  }
  text_char(out, ']');
}

static void put_fixits(Text *out, const Diagnostic *d) {
  put_key(out, "fixits");
  text_char(out, '[');
  for (uint32_t i = 0; i < d->fixits.count; i++) {
    const DiagFixit *fixit = &d->fixits.items[i];
    text_puts(out, i == 0 ? "{" : ", {");
    put_string(out, "title", fixit->title);
    text_puts(out, ", ");
    put_place(out, fixit->place.file, fixit->place.start, fixit->place.end);
    text_puts(out, ", ");
    put_string(out, "replacement", fixit->replacement);
    text_char(out, '}');
  }
  text_char(out, ']');
}

// What is beyond 64 bits is null, and so is its margin.
static void put_capacity(Text *out, const DiagCapacity *capacity) {
  text_puts(out, ", \"capacity\": {");
  put_string(out, "space", capacity->space);
  text_puts(out, ", \"required_bytes\": ");
  if (capacity->required.beyond)
    text_puts(out, "null");
  else
    text_u128(out, capacity->required.count);
  text_puts(out, ", \"available_bytes\": ");
  text_u128(out, capacity->available);
  text_puts(out, ", \"margin_bytes\": ");
  if (capacity->required.beyond)
    text_puts(out, "null");
  else
    text_i128(out,
              (Int128)capacity->available - (Int128)capacity->required.count);
  text_puts(out, ", \"tiles\": ");
  if (capacity->has_tiles)
    text_u128(out, capacity->tiles);
  else
    text_puts(out, "null");
  text_char(out, '}');
}

static void put_labels(Text *out, const Diagnostic *d) {
  put_string(out, "label", d->label);
  text_puts(out, ", \"labels\": [");
  for (uint32_t i = 0; i < d->labels.count; i++) {
    const DiagLabel *label = &d->labels.items[i];
    text_puts(out, i == 0 ? "{" : ", {");
    put_string(out, "text", label->text);
    text_puts(out, ", ");
    put_place(out, label->place.file, label->place.start, label->place.end);
    text_char(out, '}');
  }
  text_char(out, ']');
}

static void put_record(Text *out, const Diagnostic *d) {
  bool is_error = d->severity == SEVERITY_ERROR;
  text_char(out, '{');
  put_string(out, "level", is_error ? STR("error") : STR("warning"));
  text_puts(out, ", ");
  put_string(out, "code", str_from(diag_code_name(d->code)));
  text_puts(out, ", ");
  put_string(out, "message", d->message);
  text_puts(out, ", ");
  put_place(out, d->file, d->start, d->end);
  text_puts(out, ", ");
  put_remarks(out, "notes", d, REMARK_NOTE);
  text_puts(out, ", ");
  put_fixits(out, d);
  if (d->has_capacity)
    put_capacity(out, &d->capacity);
  text_puts(out, ", ");
  put_labels(out, d);
  text_puts(out, ", ");
  put_remarks(out, "helps", d, REMARK_HELP);
  text_char(out, '}');
}

void diag_render_json(Text *out, const DiagSink *sink, unsigned indent) {
  text_char(out, '[');
  bool is_first = true;
  for (uint32_t i = 0; i < sink->records.count; i++) {
    const Diagnostic *d = sink->records.items[i];
    if (d->is_dropped)
      continue;
    text_puts(out, is_first ? "\n" : ",\n");
    text_repeat(out, ' ', indent);
    put_record(out, d);
    is_first = false;
  }
  if (!is_first) {
    text_char(out, '\n');
    text_repeat(out, ' ', indent < 2 ? 0 : indent - 2);
  }
  text_char(out, ']');
}
