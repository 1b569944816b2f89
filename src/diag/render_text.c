// SPDX-License-Identifier: Apache-2.0
//
// Records as people read them.

#include "diag/internal.h"

static void put_first_line(Painter *painter, const Diagnostic *d) {
  bool is_error = d->severity == SEVERITY_ERROR;
  Paint paint = is_error ? PAINT_ERROR : PAINT_WARNING;
  paint_begin(painter, paint);
  text_format(painter->out, "%s[%s]", is_error ? "Error" : "Warning",
              diag_code_name(d->code));
  paint_end(painter, paint);
  paint_text(painter, PAINT_BOLD, STR(": "));
  paint_text(painter, PAINT_BOLD, d->message);
  text_char(painter->out, '\n');
}

static void put_place(Painter *painter, Str file, Location at) {
  paint_text(painter, PAINT_PLAIN, file);
  text_format(painter->out, ":%u:%u", at.line, at.column);
}

// "  note: " and the text, whose further lines are indented under the first.
static void put_remark(Painter *painter, RemarkKind kind, Str text,
                       const DiagPlace *place) {
  bool is_note = kind == REMARK_NOTE;
  text_puts(painter->out, "  ");
  paint_text(painter, is_note ? PAINT_NOTE : PAINT_HELP,
             is_note ? STR("note:") : STR("help:"));
  text_char(painter->out, ' ');
  bool is_first = true;
  for (size_t start = 0; start <= text.length;) {
    size_t end = start;
    while (end < text.length && text.data[end] != '\n')
      end++;
    if (!is_first)
      text_repeat(painter->out, ' ', 8);
    paint_text(painter, PAINT_PLAIN, str_slice(text, start, end - start));
    if (is_first && place->file.length != 0) {
      text_puts(painter->out, text.length == 0 ? "at " : " at ");
      put_place(painter, place->file, place->start);
    }
    text_char(painter->out, '\n');
    is_first = false;
    start = end + 1;
  }
}

static bool contains(Str text, Str part) {
  for (size_t i = 0; i + part.length <= text.length; i++)
    if (str_equal(str_slice(text, i, part.length), part))
      return true;
  return false;
}

// "  help: insert the transfer: `transfer(a, Memory::HBM)`"
static void put_fixit(Painter *painter, const DiagFixit *fixit,
                      Arena *scratch) {
  Str text = fixit->title;
  if (!contains(text, fixit->replacement))
    text = str_format(scratch, "%.*s: `%.*s`", STR_ARG(fixit->title),
                      STR_ARG(fixit->replacement));
  put_remark(painter, REMARK_HELP, text, &(DiagPlace){0});
}

static bool has_remarks(const Diagnostic *d) {
  if (d->remarks.count != 0 || d->fixits.count != 0)
    return true;
  for (uint32_t i = 0; i < d->labels.count; i++) {
    if (!picture_has_label(d, &d->labels.items[i]))
      return true;
  }
  return false;
}

static void put_record(Painter *painter, SourceMap *sources,
                       const Diagnostic *d, Arena *scratch) {
  put_first_line(painter, d);
  bool has_place = d->file.length != 0;
  if (has_place) {
    paint_text(painter, PAINT_FRAME, STR("  -->"));
    text_char(painter->out, ' ');
    put_place(painter, d->file, d->start);
    text_char(painter->out, '\n');
    picture_draw(painter, sources, d, scratch);
    if (has_remarks(d))
      picture_close(painter, d);
  }
  for (uint32_t i = 0; i < d->labels.count; i++) {
    const DiagLabel *label = &d->labels.items[i];
    if (!picture_has_label(d, label))
      put_remark(painter, REMARK_NOTE, label->text, &label->place);
  }
  for (uint32_t i = 0; i < d->remarks.count; i++) {
    const DiagRemark *remark = &d->remarks.items[i];
    put_remark(painter, remark->kind, remark->text, &remark->place);
  }
  for (uint32_t i = 0; i < d->fixits.count; i++)
    put_fixit(painter, &d->fixits.items[i], scratch);
  text_char(painter->out, '\n');
}

void diag_render_text(Text *out, const DiagSink *sink, SourceMap *sources,
                      bool use_color, uint32_t limit) {
  Painter painter = {.out = out, .use_color = use_color};
  uint32_t shown = 0;
  for (uint32_t i = 0; i < sink->records.count; i++) {
    const Diagnostic *d = sink->records.items[i];
    if (d->is_dropped || (limit != 0 && shown == limit))
      continue;
    Arena scratch = {0};
    put_record(&painter, sources, d, &scratch);
    arena_free(&scratch);
    shown++;
  }
  uint32_t total = sink->error_count + sink->warning_count;
  if (shown < total)
    text_format(out, "and %u more, not shown\n", total - shown);
  if (sink->error_count != 0)
    text_format(out, "%u errors, %u warnings\n", sink->error_count,
                sink->warning_count);
}
