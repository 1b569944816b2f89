// SPDX-License-Identifier: Apache-2.0
//
// What the text renderer is made of, private to diag: painting, and the picture
// of source lines with marks under them.

#ifndef VX_DIAG_RENDER_H
#define VX_DIAG_RENDER_H

#include "diag/diag.h"

typedef enum {
  PAINT_PLAIN,
  PAINT_BOLD,
  PAINT_ERROR,
  PAINT_WARNING,
  PAINT_FRAME, // line numbers, secondary marks
  PAINT_NOTE,
  PAINT_HELP,
} Paint;

typedef struct {
  Text *out;
  bool use_color;
} Painter;

void paint_begin(Painter *painter, Paint paint);
void paint_end(Painter *painter, Paint paint);
// `s` with every byte that could steer a terminal replaced: control characters,
// bidirectional overrides, bytes that are not UTF-8. A line end becomes a
// space.
void paint_text(Painter *painter, Paint paint, Str s);

// Whether a label lies close enough to be drawn with the record's own span.
bool picture_has_label(const Diagnostic *d, const DiagLabel *label);
// The lines around the span of `d` with marks and labels. `d` has a span.
void picture_draw(Painter *painter, SourceMap *sources, const Diagnostic *d,
                  Arena *scratch);
// The line "   |" under a picture.
void picture_close(Painter *painter, const Diagnostic *d);

// One character of a source line as a terminal shows it.
typedef struct {
  size_t bytes;   // that it takes in the source
  unsigned width; // columns
  Str shown;      // what to print for it
} Cell;

// The character at byte `at` < line.length, standing in `column` (from 0).
Cell cell_at(Str line, size_t at, size_t column);

#endif
