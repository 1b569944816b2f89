// SPDX-License-Identifier: Apache-2.0
//
// The source space. Each file takes its length and one more offset, so that
// "the end of the file" belongs to it.

#include "source/source.h"

Span span_join(Span a, Span b) {
  if (span_is_none(a))
    return b;
  if (span_is_none(b))
    return a;
  uint32_t end = span_end(b);
  return (Span){a.start, end > a.start ? end - a.start : 0};
}

void source_init(SourceMap *map, Arena *arena) {
  *map = (SourceMap){.arena = arena, .next_start = 1};
  VEC_PUSH(arena, &map->files, (SourceFile){0}); // index 0: no file
}

FileId source_add(SourceMap *map, Str path, Str text) {
  if (str_starts_with(text, STR("\xef\xbb\xbf")))
    text = str_slice(text, 3, text.length - 3);
  if (text.length >= UINT32_MAX - map->next_start)
    return (FileId){0};
  SourceFile file = {.path = path, .text = text, .start = map->next_start};
  VEC_PUSH(map->arena, &map->files, file);
  map->next_start += (uint32_t)text.length + 1;
  return (FileId){map->files.count - 1};
}

const SourceFile *source_file(const SourceMap *map, FileId file) {
  CHECK(file.index != 0 && file.index < map->files.count);
  return &map->files.items[file.index];
}

FileId source_file_at(const SourceMap *map, uint32_t offset) {
  if (offset == 0 || offset >= map->next_start)
    return (FileId){0};
  uint32_t low = 1;
  uint32_t high = map->files.count; // files[low].start <= offset
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (map->files.items[middle].start <= offset)
      low = middle;
    else
      high = middle;
  }
  return (FileId){low};
}

// Makes the line table of a file when it is first asked for.
static SourceFile *file_with_lines(SourceMap *map, FileId id) {
  CHECK(id.index != 0 && id.index < map->files.count);
  SourceFile *file = &map->files.items[id.index];
  if (file->line_start != NULL)
    return file;
  uint32_t lines = 1;
  for (size_t i = 0; i < file->text.length; i++)
    lines += file->text.data[i] == '\n';
  file->line_start = ARENA_ARRAY(map->arena, uint32_t, lines);
  file->line_count = lines;
  uint32_t line = 0;
  for (size_t i = 0; i < file->text.length; i++) {
    if (file->text.data[i] == '\n')
      file->line_start[++line] = (uint32_t)i + 1;
  }
  return file;
}

// Index of the line (from 0) that holds the offset within the text.
static uint32_t find_line(const SourceFile *file, uint32_t offset) {
  uint32_t low = 0;
  uint32_t high = file->line_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (file->line_start[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// --- Columns -----------------------------------------------------------------

// Counting from the start of a line is slow where many places on one long line
// are asked for: there the counts at every COUNT_STRIDE-th byte help.
enum { LONG_LINE = 4096, COUNT_STRIDE = 64 };

// Moves over one code point of a text that ends at `end`.
static void count_next(Str text, uint32_t end, ColumnCount *count) {
  uint32_t code_point = 0;
  size_t taken =
      utf8_decode(text.data + count->byte, end - count->byte, &code_point);
  count->byte += taken == 0 ? 1 : (uint32_t)taken; // a bad byte is a column
  count->columns++;
  count->columns_utf16 += taken != 0 && code_point > 0xffff ? 2 : 1;
}

// counts[i] is the first place at or behind byte i * COUNT_STRIDE.
static void make_counts(SourceMap *map, SourceFile *file) {
  uint32_t length = (uint32_t)file->text.length;
  uint32_t last = length / COUNT_STRIDE;
  file->counts = ARENA_ARRAY(map->arena, ColumnCount, last + 1);
  ColumnCount count = {0};
  for (uint32_t i = 1; i <= last; i++) {
    while (count.byte < i * COUNT_STRIDE)
      count_next(file->text, length, &count);
    file->counts[i] = count;
  }
}

// The last place with a known count at or before `byte`.
static ColumnCount known_count(const SourceFile *file, uint32_t byte) {
  uint32_t i = byte / COUNT_STRIDE;
  return file->counts[file->counts[i].byte > byte ? i - 1 : i];
}

// Columns from `start`, where a line begins, to `end`.
static ColumnCount count_columns(SourceMap *map, SourceFile *file,
                                 uint32_t start, uint32_t end) {
  ColumnCount from = {.byte = start};
  ColumnCount count = from;
  if (end - start > LONG_LINE) {
    if (file->counts == NULL)
      make_counts(map, file);
    from = known_count(file, start);
    while (from.byte < start)
      count_next(file->text, start, &from);
    count = known_count(file, end);
  }
  while (count.byte < end)
    count_next(file->text, end, &count);
  count.columns -= from.columns;
  count.columns_utf16 -= from.columns_utf16;
  return count;
}

Location source_locate(SourceMap *map, uint32_t offset) {
  FileId id = source_file_at(map, offset);
  if (id.index == 0)
    return (Location){.file = id, .line = 1, .column = 1};
  SourceFile *file = file_with_lines(map, id);
  uint32_t within = offset - file->start;
  uint32_t line = find_line(file, within);
  uint32_t start = file->line_start[line];
  ColumnCount count = count_columns(map, file, start, within);
  return (Location){.file = id,
                    .line = line + 1,
                    .column = count.columns + 1,
                    .column_utf16 = count.columns_utf16,
                    .byte = within - start};
}

Str source_line(SourceMap *map, FileId id, uint32_t line) {
  SourceFile *file = file_with_lines(map, id);
  CHECK(line >= 1 && line <= file->line_count);
  size_t start = file->line_start[line - 1];
  size_t end = file->text.length;
  if (line < file->line_count) {
    end = file->line_start[line] - 1;
    if (end > start && file->text.data[end - 1] == '\r')
      end--;
  }
  return str_slice(file->text, start, end - start);
}

Str source_text(const SourceMap *map, Span span) {
  if (span_is_none(span))
    return STR("");
  FileId id = source_file_at(map, span.start);
  const SourceFile *file = source_file(map, id);
  size_t start = span.start - file->start;
  size_t length = span.length;
  if (length > file->text.length - start)
    length = file->text.length - start;
  return str_slice(file->text, start, length);
}

size_t source_find_bad_utf8(Str text) {
  size_t at = 0;
  while (at < text.length) {
    uint32_t code_point;
    size_t taken = utf8_decode(text.data + at, text.length - at, &code_point);
    if (taken == 0)
      break;
    at += taken;
  }
  return at;
}
