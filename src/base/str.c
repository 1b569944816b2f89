// SPDX-License-Identifier: Apache-2.0
//
// Slices of bytes.

#include "base/base.h"

#include <string.h>

Str str_from(const char *text) { return (Str){text, strlen(text)}; }

bool str_equal(Str a, Str b) {
  return a.length == b.length &&
         (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

int str_compare(Str a, Str b) {
  size_t common = a.length < b.length ? a.length : b.length;
  int order = common == 0 ? 0 : memcmp(a.data, b.data, common);
  if (order != 0)
    return order < 0 ? -1 : 1;
  return (a.length > b.length) - (a.length < b.length);
}

bool str_starts_with(Str s, Str prefix) {
  return s.length >= prefix.length &&
         str_equal(str_slice(s, 0, prefix.length), prefix);
}

bool str_ends_with(Str s, Str suffix) {
  return s.length >= suffix.length &&
         str_equal(str_slice(s, s.length - suffix.length, suffix.length),
                   suffix);
}

Str str_slice(Str s, size_t start, size_t length) {
  CHECK(start <= s.length && length <= s.length - start);
  if (length == 0)
    return (Str){s.data == NULL ? "" : s.data + start, 0};
  return (Str){s.data + start, length};
}

Str str_copy(Arena *arena, Str s) {
  return (Str){str_to_c(arena, s), s.length};
}

char *str_to_c(Arena *arena, Str s) {
  CHECK(s.length < SIZE_MAX);
  char *copy = ARENA_ARRAY(arena, char, s.length + 1);
  if (s.length != 0)
    memcpy(copy, s.data, s.length);
  return copy;
}

Str str_format(Arena *arena, const char *format, ...) {
  Text text = text_new(arena);
  va_list arguments;
  va_start(arguments, format);
  text_format_list(&text, format, arguments);
  va_end(arguments);
  return text_str(&text);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// Nobody mistypes longer names by a letter or two; and cost is quadratic.
enum { LONGEST_COMPARED = 200 };

// Optimal string alignment: insertion, removal, replacement and the exchange
// of two neighbours cost one each. Three rows of the table are enough.
size_t str_distance(Arena *scratch, Str a, Str b, size_t limit) {
  size_t apart =
      a.length > b.length ? a.length - b.length : b.length - a.length;
  if (apart > limit || a.length > LONGEST_COMPARED ||
      b.length > LONGEST_COMPARED)
    return limit + 1;
  size_t width = b.length + 1;
  size_t *before = ARENA_ARRAY(scratch, size_t, width);
  size_t *last = ARENA_ARRAY(scratch, size_t, width);
  size_t *row = ARENA_ARRAY(scratch, size_t, width);
  for (size_t j = 0; j < width; j++)
    last[j] = j;
  for (size_t i = 1; i <= a.length; i++) {
    size_t best = row[0] = i;
    for (size_t j = 1; j < width; j++) {
      size_t replaced = last[j - 1] + (a.data[i - 1] != b.data[j - 1]);
      row[j] = least(replaced, least(last[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] &&
          a.data[i - 2] == b.data[j - 1])
        row[j] = least(row[j], before[j - 2] + 1);
      best = least(best, row[j]);
    }
    if (best > limit)
      return limit + 1;
    size_t *free_row = before;
    before = last;
    last = row;
    row = free_row;
  }
  return least(last[b.length], limit + 1);
}
