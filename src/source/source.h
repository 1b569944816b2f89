// SPDX-License-Identifier: Apache-2.0
//
// source: the texts of a session, in one space of offsets, and the way from an
// offset to file, line and column.

#ifndef VX_SOURCE_SOURCE_H
#define VX_SOURCE_SOURCE_H

#include "base/base.h"

// A stretch of the session-wide source space. start 0 is "nowhere".
typedef struct {
  uint32_t start;
  uint32_t length;
} Span;

#define NO_SPAN ((Span){0, 0})

static inline bool span_is_none(Span s) { return s.start == 0; }
static inline uint32_t span_end(Span s) { return s.start + s.length; }
// From the start of `a` to the end of `b`.
Span span_join(Span a, Span b);

// 0 is "no file".
typedef struct {
  uint32_t index;
} FileId;

// Columns from the beginning of a text to a place in it.
typedef struct {
  uint32_t byte; // of the place, between two code points
  uint32_t columns;
  uint32_t columns_utf16;
} ColumnCount;

typedef struct {
  Str path;             // as the user wrote it; the name in messages
  Str text;             // without a leading byte-order mark
  uint32_t start;       // offset of the first byte in the source space, >= 1
  uint32_t *line_start; // offsets within `text`, made at the first question
  uint32_t line_count;
  ColumnCount *counts; // every few bytes; made when a long line is asked for
} SourceFile;

typedef struct {
  Arena *arena;
  VEC(SourceFile) files; // items[0] is unused; ascending `start`
  uint32_t next_start;
} SourceMap;

typedef struct {
  FileId file;
  uint32_t line;         // 1-based
  uint32_t column;       // 1-based, in code points; a tab is one
  uint32_t column_utf16; // 0-based UTF-16 units, for editors
  uint32_t byte;         // 0-based byte in the line
} Location;

void source_init(SourceMap *map, Arena *arena);
// Adds a text; the map keeps the slice, the caller keeps the bytes alive.
// Fails (index 0) only when the space of 4 GiB is full.
FileId source_add(SourceMap *map, Str path, Str text);
const SourceFile *source_file(const SourceMap *map, FileId file);
// The file that holds an offset; index 0 for offset 0.
FileId source_file_at(const SourceMap *map, uint32_t offset);
Location source_locate(SourceMap *map, uint32_t offset);
// Line `line` (1-based) without its line end ("\n" or "\r\n").
Str source_line(SourceMap *map, FileId file, uint32_t line);
Str source_text(const SourceMap *map, Span span);
// The first byte in `text` that is not UTF-8, or text.length.
size_t source_find_bad_utf8(Str text);

#endif
