// SPDX-License-Identifier: Apache-2.0
//
// The sink of records: additions to a record, order, places.

#include "diag/diag.h"

#include <stdlib.h>

void diag_init(DiagSink *sink, Arena *arena) {
  *sink = (DiagSink){.arena = arena, .phase = PHASE_INPUT};
}

void diag_set_label(DiagSink *sink, Diagnostic *d, Str text) {
  if (d->is_counted_only)
    return;
  d->label = str_copy(sink->arena, text);
}

void diag_add_label(DiagSink *sink, Diagnostic *d, Span span, Str text) {
  if (d->is_counted_only)
    return;
  DiagLabel label = {.span = span, .text = str_copy(sink->arena, text)};
  VEC_PUSH(sink->arena, &d->labels, label);
}

static void add_remark(DiagSink *sink, Diagnostic *d, RemarkKind kind,
                       Span span, Str text) {
  if (d->is_counted_only)
    return;
  DiagRemark remark = {
      .kind = kind, .text = str_copy(sink->arena, text), .span = span};
  VEC_PUSH(sink->arena, &d->remarks, remark);
}

void diag_add_note(DiagSink *sink, Diagnostic *d, Span span, Str text) {
  add_remark(sink, d, REMARK_NOTE, span, text);
}

void diag_add_help(DiagSink *sink, Diagnostic *d, Str text) {
  add_remark(sink, d, REMARK_HELP, NO_SPAN, text);
}

void diag_add_fixit(DiagSink *sink, Diagnostic *d, Span span, Str replacement,
                    Str title) {
  if (d->is_counted_only)
    return;
  DiagFixit fixit = {.span = span,
                     .replacement = str_copy(sink->arena, replacement),
                     .title = str_copy(sink->arena, title)};
  VEC_PUSH(sink->arena, &d->fixits, fixit);
}

void diag_set_capacity(DiagSink *sink, Diagnostic *d, Str space, Bytes required,
                       uint64_t available) {
  if (d->is_counted_only)
    return;
  d->has_capacity = true;
  d->capacity.space = str_copy(sink->arena, space);
  d->capacity.required = required;
  d->capacity.available = available;
}

void diag_set_tiles(Diagnostic *d, uint64_t tiles) {
  d->capacity.has_tiles = true;
  d->capacity.tiles = tiles;
}

static int compare_u32(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int compare_records(const void *left, const void *right) {
  const Diagnostic *a = *(Diagnostic *const *)left;
  const Diagnostic *b = *(Diagnostic *const *)right;
  int order = compare_u32((uint32_t)a->phase, (uint32_t)b->phase);
  if (order == 0)
    order = compare_u32(a->span.start, b->span.start);
  return order != 0 ? order : compare_u32(a->order, b->order);
}

static DiagPlace find_place(SourceMap *sources, Span span) {
  if (span_is_none(span))
    return (DiagPlace){0};
  DiagPlace place = {.start = source_locate(sources, span.start),
                     .end = source_locate(sources, span_end(span))};
  if (place.start.file.index == 0)
    return (DiagPlace){0};
  // A span that leaves its file ends where it starts.
  if (place.end.file.index != place.start.file.index)
    place.end = place.start;
  place.file = source_file(sources, place.start.file)->path;
  return place;
}

static void find_places(SourceMap *sources, Diagnostic *d) {
  DiagPlace place = find_place(sources, d->span);
  d->file = place.file;
  d->start = place.start;
  d->end = place.end;
  for (uint32_t i = 0; i < d->labels.count; i++)
    d->labels.items[i].place = find_place(sources, d->labels.items[i].span);
  for (uint32_t i = 0; i < d->remarks.count; i++)
    d->remarks.items[i].place = find_place(sources, d->remarks.items[i].span);
  for (uint32_t i = 0; i < d->fixits.count; i++)
    d->fixits.items[i].place = find_place(sources, d->fixits.items[i].span);
}

void diag_finish(DiagSink *sink, SourceMap *sources) {
  if (sink->records.count == 0)
    return;
  qsort(sink->records.items, sink->records.count, sizeof(Diagnostic *),
        compare_records);
  for (uint32_t i = 0; i < sink->records.count; i++) {
    if (!sink->records.items[i]->is_dropped)
      find_places(sources, sink->records.items[i]);
  }
}
