// SPDX-License-Identifier: Apache-2.0
//
// The picture of a record: source lines, and under each the marks of the spans
// that begin there. `^` marks the record's own span, `-` its labels. The text
// of the rightmost mark stands behind it, other texts hang below on `|`:
//
//  3 |   let product = left @ right;
//    |                 ---- ^^^^^ [3, 5] f32
//    |                 |
//    |                 [2, 4] f32
//
// A span over several lines is marked to the end of its first. A line wider
// than WINDOW columns is cut around its first mark.

#include "diag/internal.h"

#include <stdlib.h>

enum {
  WINDOW = 160,
  CONTEXT = 40,     // columns kept before a mark when a line is cut
  NEAR_LINES = 10,  // a label farther away becomes a note
  LONG_LINE = 8192, // bytes of a line that are looked at
  MARGIN = 1024,    // of them before the first mark
};

typedef struct {
  uint32_t line;
  size_t from; // columns from 0, `to` exclusive
  size_t to;
  bool is_primary;
  Str text;
} Mark;

typedef VEC(Mark) MarkVec;

typedef struct {
  Painter *painter;
  SourceMap *sources;
  Arena *scratch;
  const Diagnostic *diagnostic;
  FileId file;
  Paint primary;
  int number_width;
  MarkVec marks; // sorted by line, then column
} Picture;

// One row below a source line: drawn cells, then at most one text.
typedef struct {
  char *cells;
  const Mark **owner; // of each cell, for its colour
  size_t length;
  const Mark *label;
} Row;

static int digits(uint32_t number) {
  int count = 1;
  while ((number /= 10) != 0)
    count++;
  return count;
}

bool picture_has_label(const Diagnostic *d, const DiagLabel *label) {
  if (span_is_none(d->span) || label->place.file.length == 0 ||
      label->place.start.file.index != d->start.file.index)
    return false;
  uint32_t a = d->start.line;
  uint32_t b = label->place.start.line;
  return (a > b ? a - b : b - a) <= NEAR_LINES;
}

static int last_number_width(const Diagnostic *d) {
  uint32_t last = d->start.line;
  for (uint32_t i = 0; i < d->labels.count; i++) {
    const DiagLabel *label = &d->labels.items[i];
    if (picture_has_label(d, label) && label->place.start.line > last)
      last = label->place.start.line;
  }
  return digits(last);
}

// --- Lines -------------------------------------------------------------------

// What is looked at of a source line.
typedef struct {
  Str text;
  size_t skipped; // bytes before it
} Line;

static size_t first_mark_on(const Diagnostic *d, uint32_t line) {
  size_t first = d->start.line == line ? d->start.byte : SIZE_MAX;
  for (uint32_t i = 0; i < d->labels.count; i++) {
    const DiagLabel *label = &d->labels.items[i];
    if (picture_has_label(d, label) && label->place.start.line == line &&
        label->place.start.byte < first)
      first = label->place.start.byte;
  }
  return first == SIZE_MAX ? 0 : first;
}

static bool is_within_code_point(char c) { return (c & 0xc0) == 0x80; }

// The line, or the part of a long one around its marks.
static Line find_line(const Picture *picture, uint32_t number) {
  Line line = {source_line(picture->sources, picture->file, number), 0};
  if (line.text.length <= LONG_LINE)
    return line;
  size_t first = first_mark_on(picture->diagnostic, number);
  size_t skipped = first > MARGIN ? first - MARGIN : 0;
  while (skipped < first && is_within_code_point(line.text.data[skipped]))
    skipped++;
  size_t end = skipped + LONG_LINE;
  if (end > line.text.length)
    end = line.text.length;
  while (end < line.text.length && is_within_code_point(line.text.data[end]))
    end++;
  return (Line){str_slice(line.text, skipped, end - skipped), skipped};
}

static size_t column_of(Str line, size_t byte) {
  size_t column = 0;
  for (size_t at = 0; at < byte && at < line.length;) {
    Cell cell = cell_at(line, at, column);
    column += cell.width;
    at += cell.bytes;
  }
  return column;
}

static size_t length_without_blanks(Str line) {
  size_t length = line.length;
  while (length > 0 &&
         (line.data[length - 1] == ' ' || line.data[length - 1] == '\t'))
    length--;
  return length;
}

static void put_gutter(Picture *picture, uint32_t number) {
  Painter *painter = picture->painter;
  paint_begin(painter, PAINT_FRAME);
  if (number == 0)
    text_format(painter->out, " %*s |", picture->number_width, "");
  else
    text_format(painter->out, " %*u |", picture->number_width, number);
  paint_end(painter, PAINT_FRAME);
}

// The columns [from, from + WINDOW) of the line, with dots where it is cut.
static void put_window(Picture *picture, Str line, size_t from) {
  Text *out = picture->painter->out;
  size_t end = column_of(line, line.length);
  size_t first = from == 0 ? 0 : from + 3;
  size_t last = end > from + WINDOW ? from + WINDOW - 3 : end;
  if (from != 0)
    text_puts(out, "...");
  size_t column = 0;
  for (size_t at = 0; at < line.length && column < last;) {
    Cell cell = cell_at(line, at, column);
    size_t after = column + cell.width;
    if (column >= first && after <= last)
      text_put(out, cell.shown);
    else if (after > first) // a wide character or a tab on the edge
      text_repeat(out, ' ',
                  (after < last ? after : last) -
                      (column > first ? column : first));
    column = after;
    at += cell.bytes;
  }
  if (last != end)
    text_puts(out, "...");
}

static void put_source_line(Picture *picture, uint32_t number, size_t from) {
  Str line = find_line(picture, number).text;
  line.length = length_without_blanks(line);
  put_gutter(picture, number);
  if (line.length != 0) {
    text_char(picture->painter->out, ' ');
    put_window(picture, line, from);
  }
  text_char(picture->painter->out, '\n');
}

// --- Rows of marks -----------------------------------------------------------

static Row new_row(Picture *picture, size_t length) {
  Row row = {.length = length};
  row.cells = ARENA_ARRAY(picture->scratch, char, length);
  row.owner = ARENA_ARRAY(picture->scratch, const Mark *, length);
  for (size_t i = 0; i < length; i++)
    row.cells[i] = ' ';
  return row;
}

static void draw(Row *row, const Mark *mark, size_t from, size_t to, char c) {
  for (size_t i = from; i < to && i < row->length; i++) {
    row->cells[i] = c;
    row->owner[i] = mark;
  }
}

static Paint mark_paint(const Picture *picture, const Mark *mark) {
  if (mark == NULL)
    return PAINT_PLAIN;
  return mark->is_primary ? picture->primary : PAINT_FRAME;
}

static void put_row(Picture *picture, const Row *row) {
  Painter *painter = picture->painter;
  size_t length = row->length;
  while (length > 0 && row->cells[length - 1] == ' ' && row->label == NULL)
    length--;
  put_gutter(picture, 0);
  text_char(painter->out, ' ');
  for (size_t at = 0; at < length;) {
    const Mark *owner = row->owner[at];
    size_t end = at + 1;
    while (end < length && row->owner[end] == owner)
      end++;
    Paint paint = mark_paint(picture, owner);
    paint_begin(painter, paint);
    text_put(painter->out, (Str){row->cells + at, end - at});
    paint_end(painter, paint);
    at = end;
  }
  if (row->label != NULL)
    paint_text(painter, mark_paint(picture, row->label), row->label->text);
  text_char(painter->out, '\n');
}

static size_t marks_end(const Mark *marks, size_t count) {
  size_t end = 0;
  for (size_t i = 0; i < count; i++)
    end = marks[i].to > end ? marks[i].to : end;
  return end;
}

// The mark whose text can stand behind it: the last, if none ends later.
static const Mark *find_tail(const Mark *marks, size_t count) {
  const Mark *last = &marks[count - 1];
  bool is_free = last->to == marks_end(marks, count);
  return is_free && last->text.length != 0 ? last : NULL;
}

static void put_underlines(Picture *picture, const Mark *marks, size_t count,
                           const Mark *tail) {
  size_t end = marks_end(marks, count);
  Row row = new_row(picture, end + 1);
  for (size_t i = 0; i < count; i++) {
    if (!marks[i].is_primary)
      draw(&row, &marks[i], marks[i].from, marks[i].to, '-');
  }
  for (size_t i = 0; i < count; i++) {
    if (marks[i].is_primary)
      draw(&row, &marks[i], marks[i].from, marks[i].to, '^');
  }
  row.label = tail;
  put_row(picture, &row);
}

// A row with `|` below the texts still to come, and the text of `label` if any.
static void put_hanging_row(Picture *picture, const Mark *marks, size_t count,
                            const Mark *tail, const Mark *label) {
  size_t end = label == NULL ? marks_end(marks, count) : label->from;
  Row row = new_row(picture, end);
  for (size_t i = 0; i < count; i++) {
    if (&marks[i] != tail && marks[i].text.length != 0)
      draw(&row, &marks[i], marks[i].from, marks[i].from + 1, '|');
  }
  row.label = label;
  put_row(picture, &row);
}

static void put_marks(Picture *picture, const Mark *marks, size_t count) {
  const Mark *tail = find_tail(marks, count);
  put_underlines(picture, marks, count, tail);
  bool is_first = true;
  for (size_t i = count; i-- > 0;) {
    if (&marks[i] == tail || marks[i].text.length == 0)
      continue;
    if (is_first)
      put_hanging_row(picture, marks, count, tail, NULL);
    is_first = false;
    put_hanging_row(picture, marks, i, tail, &marks[i]);
  }
}

// --- The whole picture -------------------------------------------------------

static void add_mark(Picture *picture, Location start, Location end,
                     bool is_primary, Str text) {
  Line line = find_line(picture, start.line);
  size_t end_byte = end.line == start.line ? end.byte - line.skipped
                                           : length_without_blanks(line.text);
  Mark mark = {.line = start.line,
               .from = column_of(line.text, start.byte - line.skipped),
               .to = column_of(line.text, end_byte),
               .is_primary = is_primary,
               .text = text};
  if (mark.to <= mark.from)
    mark.to = mark.from + 1;
  VEC_PUSH(picture->scratch, &picture->marks, mark);
}

static int compare_marks(const void *left, const void *right) {
  const Mark *a = left;
  const Mark *b = right;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  if (a->to != b->to)
    return a->to < b->to ? -1 : 1;
  return (int)a->is_primary - (int)b->is_primary;
}

// Where the window of a line begins: at 0 if the first mark is within it.
static size_t window_start(Picture *picture, const Mark *marks, size_t count) {
  Str line = find_line(picture, marks->line).text;
  size_t width = column_of(line, length_without_blanks(line));
  size_t shown = marks_end(marks, count);
  if (width <= WINDOW || shown + 3 <= WINDOW || marks->from <= CONTEXT)
    return 0;
  return marks->from - CONTEXT;
}

// Moves the marks of a line into its window.
static void shift_marks(Mark *marks, size_t count, size_t from) {
  for (size_t i = 0; i < count; i++) {
    marks[i].from -= from;
    marks[i].to -= from;
    if (marks[i].from >= WINDOW)
      marks[i].from = WINDOW - 1;
    if (marks[i].to > WINDOW)
      marks[i].to = WINDOW;
  }
}

// Between two marked lines: nothing, the one line between them, or dots.
static void put_gap(Picture *picture, uint32_t last, uint32_t next) {
  if (last == 0 || next == last + 1)
    return;
  if (next == last + 2)
    put_source_line(picture, last + 1, 0);
  else
    paint_text(picture->painter, PAINT_FRAME, STR("..."));
  if (next != last + 2)
    text_char(picture->painter->out, '\n');
}

static void collect_marks(Picture *picture, const Diagnostic *d) {
  for (uint32_t i = 0; i < d->labels.count; i++) {
    const DiagLabel *label = &d->labels.items[i];
    if (picture_has_label(d, label))
      add_mark(picture, label->place.start, label->place.end, false,
               label->text);
  }
  add_mark(picture, d->start, d->end, true, d->label);
  qsort(picture->marks.items, picture->marks.count, sizeof(Mark),
        compare_marks);
}

void picture_draw(Painter *painter, SourceMap *sources, const Diagnostic *d,
                  Arena *scratch) {
  bool is_error = d->severity == SEVERITY_ERROR;
  Picture picture = {.painter = painter,
                     .sources = sources,
                     .scratch = scratch,
                     .diagnostic = d,
                     .file = d->start.file,
                     .primary = is_error ? PAINT_ERROR : PAINT_WARNING,
                     .number_width = last_number_width(d)};
  collect_marks(&picture, d);
  put_gutter(&picture, 0);
  text_char(painter->out, '\n');
  uint32_t last_line = 0;
  for (uint32_t i = 0; i < picture.marks.count;) {
    Mark *marks = picture.marks.items + i;
    uint32_t count = 1;
    while (i + count < picture.marks.count && marks[count].line == marks->line)
      count++;
    put_gap(&picture, last_line, marks->line);
    size_t from = window_start(&picture, marks, count);
    put_source_line(&picture, marks->line, from);
    shift_marks(marks, count, from);
    put_marks(&picture, marks, count);
    last_line = marks->line;
    i += count;
  }
}

void picture_close(Painter *painter, const Diagnostic *d) {
  Picture picture = {.painter = painter, .number_width = last_number_width(d)};
  put_gutter(&picture, 0);
  text_char(painter->out, '\n');
}
