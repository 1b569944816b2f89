// SPDX-License-Identifier: Apache-2.0
//
// Colours, and source text made safe to print.

#include "diag/internal.h"

enum { TAB_WIDTH = 4 };

static const char *paint_code(Paint paint) {
  switch (paint) {
  case PAINT_PLAIN:
    return "";
  case PAINT_BOLD:
    return "\x1b[1m";
  case PAINT_ERROR:
    return "\x1b[1;31m";
  case PAINT_WARNING:
    return "\x1b[1;33m";
  case PAINT_FRAME:
    return "\x1b[1;34m";
  case PAINT_NOTE:
    return "\x1b[1;36m";
  case PAINT_HELP:
    return "\x1b[1;32m";
  }
  return "";
}

void paint_begin(Painter *painter, Paint paint) {
  if (painter->use_color)
    text_puts(painter->out, paint_code(paint));
}

void paint_end(Painter *painter, Paint paint) {
  if (painter->use_color && paint != PAINT_PLAIN)
    text_puts(painter->out, "\x1b[0m");
}

// Embeddings, overrides and isolates make a text look other than it is.
static bool is_bidirectional_control(uint32_t code_point) {
  return (code_point >= 0x202a && code_point <= 0x202e) ||
         (code_point >= 0x2066 && code_point <= 0x2069);
}

static bool is_control(uint32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0);
}

Cell cell_at(Str line, size_t at, size_t column) {
  uint32_t code_point;
  size_t bytes = utf8_decode(line.data + at, line.length - at, &code_point);
  if (bytes == 1 && code_point == '\t') {
    unsigned width = (unsigned)(TAB_WIDTH - column % TAB_WIDTH);
    return (Cell){1, width, {"    ", width}};
  }
  if (bytes == 0 || is_control(code_point) ||
      is_bidirectional_control(code_point))
    return (Cell){bytes == 0 ? 1 : bytes, 1, STR("\xef\xbf\xbd")};
  return (Cell){bytes, utf8_width(code_point), str_slice(line, at, bytes)};
}

void paint_text(Painter *painter, Paint paint, Str s) {
  paint_begin(painter, paint);
  for (size_t at = 0; at < s.length;) {
    bool is_blank = s.data[at] == '\n' || s.data[at] == '\t';
    Cell cell = cell_at(s, at, 0);
    text_put(painter->out, is_blank ? STR(" ") : cell.shown);
    at += cell.bytes;
  }
  paint_end(painter, paint);
}
