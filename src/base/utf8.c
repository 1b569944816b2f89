// SPDX-License-Identifier: Apache-2.0
//
// UTF-8: decoding, columns, letters.

#include "base/base.h"

#include "base/utf8_tables.h"

static bool is_continuation(char c) {
  return ((unsigned char)c & 0xc0) == 0x80;
}

// Length of the sequence that `first` begins, its bits of the code point, and
// the least code point that needs this length.
static size_t sequence_length(unsigned char first, uint32_t *bits,
                              uint32_t *least) {
  if (first < 0x80) {
    *bits = first;
    *least = 0;
    return 1;
  }
  if (first >= 0xc2 && first <= 0xdf) {
    *bits = first & 0x1fu;
    *least = 0x80;
    return 2;
  }
  if (first >= 0xe0 && first <= 0xef) {
    *bits = first & 0x0fu;
    *least = 0x800;
    return 3;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    *bits = first & 0x07u;
    *least = 0x10000;
    return 4;
  }
  return 0;
}

size_t utf8_decode(const char *s, size_t length, uint32_t *code_point) {
  uint32_t value;
  uint32_t least;
  size_t wanted = sequence_length((unsigned char)s[0], &value, &least);
  if (wanted == 0 || wanted > length)
    return 0;
  for (size_t i = 1; i < wanted; i++) {
    if (!is_continuation(s[i]))
      return 0;
    value = value << 6 | ((unsigned char)s[i] & 0x3fu);
  }
  bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < least || value > 0x10ffff || is_surrogate)
    return 0;
  *code_point = value;
  return wanted;
}

static bool is_in(const CodeRange *ranges, size_t count, uint32_t code_point) {
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (code_point > ranges[middle].last)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && code_point >= ranges[low].first;
}

#define IS_IN(ranges, code_point)                                              \
  is_in((ranges), COUNT_OF(ranges), (code_point))

unsigned utf8_width(uint32_t code_point) {
  if (code_point < 0x20 || code_point == 0x7f)
    return 0;
  if (code_point < 0x80)
    return 1;
  if (code_point < 0xa0 || IS_IN(zero_width_ranges, code_point))
    return 0;
  return IS_IN(wide_ranges, code_point) ? 2 : 1;
}

bool utf8_is_letter(uint32_t code_point) {
  if (code_point < 0x80) {
    uint32_t lower = code_point | 0x20;
    return code_point == '_' || (lower >= 'a' && lower <= 'z');
  }
  return IS_IN(letter_ranges, code_point);
}

bool utf8_is_word(uint32_t code_point) {
  if (utf8_is_letter(code_point))
    return true;
  if (code_point < 0x80)
    return code_point >= '0' && code_point <= '9';
  return IS_IN(mark_ranges, code_point);
}
