// SPDX-License-Identifier: Apache-2.0
//
// Aligned columns.

#include "machine/internal.h"

#define BOLD "\033[1m"
#define PLAIN "\033[0m"

enum { GAP = 2 };

void table_add(Table *table, Str cell) {
  VEC_PUSH(table->arena, &table->cells, cell);
}

static uint32_t text_width(Str text) {
  uint32_t width = 0;
  for (size_t at = 0; at < text.length;) {
    uint32_t code_point = 0;
    size_t taken = utf8_decode(text.data + at, text.length - at, &code_point);
    width += taken == 0 ? 1 : utf8_width(code_point);
    at += taken == 0 ? 1 : taken;
  }
  return width;
}

// The longest head of `text` within `width` columns.
static Str cut(Str text, uint32_t width) {
  uint32_t used = 0;
  size_t at = 0;
  while (at < text.length) {
    uint32_t code_point = 0;
    size_t taken = utf8_decode(text.data + at, text.length - at, &code_point);
    uint32_t columns = taken == 0 ? 1 : utf8_width(code_point);
    if (used + columns > width)
      break;
    used += columns;
    at += taken == 0 ? 1 : taken;
  }
  return str_slice(text, 0, at);
}

static uint32_t *column_widths(const Table *table) {
  uint32_t *widths = ARENA_ARRAY(table->arena, uint32_t, table->columns);
  for (uint32_t i = 0; i < table->cells.count; i++) {
    uint32_t width = text_width(table->cells.items[i]);
    uint32_t *widest = &widths[i % table->columns];
    *widest = width > *widest ? width : *widest;
  }
  return widths;
}

static void put_row(Text *line, const Table *table, const uint32_t *widths,
                    uint32_t row) {
  for (uint32_t c = 0; c < table->columns; c++) {
    Str cell = table->cells.items[row * table->columns + c];
    uint32_t blanks = widths[c] - text_width(cell);
    bool is_last = c + 1 == table->columns;
    if (c > 0)
      text_repeat(line, ' ', GAP);
    if (table->is_right[c])
      text_repeat(line, ' ', blanks);
    text_put(line, cell);
    if (!table->is_right[c] && !is_last)
      text_repeat(line, ' ', blanks);
  }
}

static Str without_blanks(Str line) {
  while (line.length > 0 && line.data[line.length - 1] == ' ')
    line.length--;
  return line;
}

void table_print(Text *out, const Table *table, bool use_color,
                 uint32_t width) {
  uint32_t *widths = column_widths(table);
  for (uint32_t row = 0; row < table->cells.count / table->columns; row++) {
    Text line = text_new(table->arena);
    put_row(&line, table, widths, row);
    Str whole = without_blanks(text_str(&line));
    bool is_long = width > 0 && text_width(whole) > width;
    Str shown = is_long ? cut(whole, width - 1) : whole;
    bool is_bold = use_color && row == 0;
    if (is_bold)
      text_puts(out, BOLD);
    text_put(out, shown);
    if (is_long)
      text_puts(out, "\xe2\x80\xa6"); // an ellipsis
    if (is_bold)
      text_puts(out, PLAIN);
    text_char(out, '\n');
  }
}
