// SPDX-License-Identifier: Apache-2.0
//
// The string builder, and the ways to show exact numbers to people.

#include "base/base.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_BYTES = 64 };

Text text_new(Arena *arena) { return (Text){.arena = arena}; }

// Room for `more` bytes and a final NUL, which keeps the data readable in a
// debugger and lets vsnprintf write in place.
static void reserve(Text *text, size_t more) {
  CHECK(more < SIZE_MAX / 2 - text->length);
  size_t needed = text->length + more + 1;
  if (needed <= text->capacity)
    return;
  size_t larger = text->capacity < FIRST_BYTES ? FIRST_BYTES : text->capacity;
  while (larger < needed)
    larger *= 2;
  text->data = arena_grow(text->arena, text->data, text->capacity, larger, 1);
  text->capacity = larger;
}

void text_put(Text *text, Str s) {
  reserve(text, s.length);
  if (s.length != 0)
    memcpy(text->data + text->length, s.data, s.length);
  text->length += s.length;
  text->data[text->length] = '\0';
}

void text_puts(Text *text, const char *s) { text_put(text, str_from(s)); }

void text_char(Text *text, char c) { text_put(text, (Str){&c, 1}); }

void text_repeat(Text *text, char c, size_t times) {
  reserve(text, times);
  if (times != 0)
    memset(text->data + text->length, c, times);
  text->length += times;
  text->data[text->length] = '\0';
}

void text_format(Text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_format_list(text, format, arguments);
  va_end(arguments);
}

void text_format_list(Text *text, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  reserve(text, FIRST_BYTES);
  size_t room = text->capacity - text->length;
  int wanted = vsnprintf(text->data + text->length, room, format, arguments);
  CHECK(wanted >= 0);
  if ((size_t)wanted >= room) {
    reserve(text, (size_t)wanted);
    room = text->capacity - text->length;
    wanted = vsnprintf(text->data + text->length, room, format, again);
    CHECK(wanted >= 0 && (size_t)wanted < room);
  }
  va_end(again);
  text->length += (size_t)wanted;
}

Str text_str(const Text *text) {
  return (Str){text->data == NULL ? "" : text->data, text->length};
}

// One character of a JSON string; `s` holds at least one byte. Returns how many
// bytes it took.
static size_t json_character(Text *text, const char *s, size_t length) {
  unsigned char c = (unsigned char)*s;
  if (c == '"' || c == '\\') {
    text_char(text, '\\');
    text_char(text, (char)c);
  } else if (c == '\n') {
    text_puts(text, "\\n");
  } else if (c == '\t') {
    text_puts(text, "\\t");
  } else if (c == '\r') {
    text_puts(text, "\\r");
  } else if (c < 0x20 || c == 0x7f) {
    text_format(text, "\\u%04x", (unsigned)c);
  } else {
    uint32_t code_point;
    size_t taken = utf8_decode(s, length, &code_point);
    if (taken == 0)
      text_puts(text, "\xef\xbf\xbd");
    else
      text_put(text, (Str){s, taken});
    return taken == 0 ? 1 : taken;
  }
  return 1;
}

void text_json_string(Text *text, Str s) {
  text_char(text, '"');
  for (size_t at = 0; at < s.length;)
    at += json_character(text, s.data + at, s.length - at);
  text_char(text, '"');
}

// --- Numbers -----------------------------------------------------------------

void text_u128(Text *text, Uint128 value) {
  char digits[40];
  size_t start = sizeof digits;
  do {
    digits[--start] = (char)('0' + (int)(value % 10));
    value /= 10;
  } while (value != 0);
  text_put(text, (Str){digits + start, sizeof digits - start});
}

void text_i128(Text *text, Int128 value) {
  if (value < 0)
    text_char(text, '-');
  Uint128 magnitude = (Uint128)value;
  text_u128(text, value < 0 ? ~magnitude + 1 : magnitude);
}

void text_bytes(Text *text, Bytes bytes) {
  if (bytes.beyond)
    text_puts(text, "more than ");
  text_u128(text, bytes.count);
}

// `hundredths` / 100 without zeros at the end: "256", "227.5", "1.04".
static void put_hundredths(Text *text, Uint128 hundredths) {
  text_u128(text, hundredths / 100);
  unsigned rest = (unsigned)(hundredths % 100);
  if (rest == 0)
    return;
  text_char(text, '.');
  text_char(text, (char)('0' + (int)(rest / 10)));
  if (rest % 10 != 0)
    text_char(text, (char)('0' + (int)(rest % 10)));
}

static void put_with_unit(Text *text, Uint128 hundredths, unsigned unit) {
  static const char *const units[] = {"B",   "KiB", "MiB", "GiB",
                                      "TiB", "PiB", "EiB"};
  put_hundredths(text, hundredths);
  text_char(text, ' ');
  text_puts(text, units[unit]);
}

void text_size(Text *text, Bytes bytes) {
  if (bytes.beyond) {
    text_puts(text, "at least 16 EiB");
    return;
  }
  uint64_t count = bytes.count;
  unsigned unit = 0;
  while (unit < 6 && count >> (10 * (unit + 1)) != 0)
    unit++;
  Uint128 scaled = (Uint128)count * 100;
  unsigned shift = 10 * unit;
  Uint128 hundredths = scaled >> shift;
  if (hundredths << shift == scaled) {
    put_with_unit(text, hundredths, unit);
    return;
  }
  // 1025 MiB says more than "1 GiB".
  uint64_t smaller = count >> (shift - 10);
  if (smaller << (shift - 10) == count && smaller < 10000) {
    put_with_unit(text, (Uint128)smaller * 100, unit - 1);
    return;
  }
  hundredths = (scaled + ((Uint128)1 << (shift - 1))) >> shift;
  if (hundredths == 102400 && unit < 6) {
    hundredths = 100;
    unit++;
  }
  put_with_unit(text, hundredths, unit);
}

// Three digits of count / scale, where scale is 10^(3 * k) and count < 1000 *
// scale. All three are shown unless fewer are exact.
static void put_three_digits(Text *text, uint64_t count, uint64_t scale) {
  uint64_t step = scale / 100; // of the last digit
  unsigned decimals = 2;
  for (uint64_t whole = count / scale; whole >= 10; whole /= 10) {
    step *= 10;
    decimals--;
  }
  uint64_t digits = count / step + (count % step >= step - step / 2);
  if (digits == 1000 && decimals > 0) { // 9.996 is 10.0
    digits = 100;
    decimals--;
  }
  bool is_exact = count % step == 0;
  uint64_t divisor = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
  while (is_exact && decimals > 0 && digits % 10 == 0) {
    digits /= 10;
    divisor /= 10;
    decimals--;
  }
  text_u128(text, digits / divisor);
  if (decimals > 0)
    text_format(text, ".%0*u", (int)decimals, (unsigned)(digits % divisor));
}

void text_duration(Text *text, uint64_t picoseconds) {
  static const char *const units[] = {"ps", "ns", "us", "ms", "s"};
  unsigned unit = 0;
  uint64_t scale = 1;
  // 999,500 ps is 1.00 us after rounding, and 999,499 ps is 999 ns.
  while (unit < 4 &&
         picoseconds >= scale * 1000 - (scale >= 2 ? scale / 2 : 0)) {
    scale *= 1000;
    unit++;
  }
  if (unit == 0) {
    text_u128(text, picoseconds);
  } else if (picoseconds / scale >= 1000) {
    text_u128(text, picoseconds / scale + (picoseconds % scale >= scale / 2));
  } else {
    put_three_digits(text, picoseconds, scale);
  }
  text_char(text, ' ');
  text_puts(text, units[unit]);
}
