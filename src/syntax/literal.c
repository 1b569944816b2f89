// SPDX-License-Identifier: Apache-2.0
//
// The values of literals, from their text. Text that the lexer has refused is
// read as far as it goes, so that nothing here can fail.

#include "syntax/internal.h"

#include <string.h>

// --- Suffixes ----------------------------------------------------------------

static bool is_one_of(Str text, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (str_equal(text, str_from(words[i])))
      return true;
  }
  return false;
}

bool literal_suffix_is_integer(Str suffix) {
  static const char *const words[] = {"i4", "i8", "i16", "i32", "i64", "i128",
                                      "u4", "u8", "u16", "u32", "u64", "u128"};
  return is_one_of(suffix, words, COUNT_OF(words));
}

bool literal_suffix_is_float(Str suffix) {
  static const char *const words[] = {"f16", "bf16", "f32", "f64"};
  return suffix.length > 0 && is_one_of(suffix, words, COUNT_OF(words));
}

// --- Numbers -----------------------------------------------------------------

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The value of a digit, 16 for what is none.
static uint32_t digit_value(char c) {
  if (is_digit(c))
    return (uint32_t)(c - '0');
  if (c >= 'a' && c <= 'f')
    return (uint32_t)(c - 'a') + 10;
  if (c >= 'A' && c <= 'F')
    return (uint32_t)(c - 'A') + 10;
  return 16;
}

// 2, 8, 10 or 16; *start is where its digits begin.
static uint32_t number_base(Str text, size_t *start) {
  *start = 0;
  if (text.length < 2 || text.data[0] != '0')
    return 10;
  char c = text.data[1];
  uint32_t base = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 10;
  *start = base == 10 ? 0 : 2;
  return base;
}

static size_t skip_digits(Str text, size_t at, uint32_t base) {
  while (at < text.length &&
         (text.data[at] == '_' || digit_value(text.data[at]) < base))
    at++;
  return at;
}

// Where digits, fraction and exponent end and the suffix begins.
static size_t digits_end(Str text) {
  size_t at = 0;
  uint32_t base = number_base(text, &at);
  at = skip_digits(text, at, base);
  if (base != 10)
    return at;
  if (at + 1 < text.length && text.data[at] == '.' &&
      is_digit(text.data[at + 1]))
    at = skip_digits(text, at + 1, 10);
  if (at >= text.length || (text.data[at] != 'e' && text.data[at] != 'E'))
    return at;
  size_t exponent = at + 1;
  if (exponent < text.length &&
      (text.data[exponent] == '+' || text.data[exponent] == '-'))
    exponent++;
  if (exponent >= text.length || !is_digit(text.data[exponent]))
    return at;
  return skip_digits(text, exponent, 10);
}

Str literal_suffix(Str text) {
  size_t end = digits_end(text);
  return str_slice(text, end, text.length - end);
}

IntegerValue literal_integer(Arena *arena, Str text) {
  IntegerValue result = {0};
  size_t at = 0;
  uint32_t base = number_base(text, &at);
  size_t end = skip_digits(text, at, base);
  for (; at < end; at++) {
    if (text.data[at] == '_')
      continue;
    if (!mul_u128(result.value, base, &result.value) ||
        !add_u128(result.value, digit_value(text.data[at]), &result.value))
      result.overflow = true;
  }
  result.suffix = str_copy(arena, literal_suffix(text));
  return result;
}

FloatValue literal_float(Arena *arena, Str text) {
  size_t end = digits_end(text);
  Text digits = text_new(arena);
  for (size_t i = 0; i < end; i++) {
    if (text.data[i] != '_')
      text_char(&digits, text.data[i]);
  }
  Str suffix = str_slice(text, end, text.length - end);
  return (FloatValue){.digits = text_str(&digits),
                      .suffix = str_copy(arena, suffix)};
}

// --- Strings -----------------------------------------------------------------

// The byte that the escape at `at` (behind its backslash) means; moves *at.
static char escaped_byte(Str text, size_t *at) {
  char c = text.data[(*at)++];
  switch (c) {
  case 'n':
    return '\n';
  case 't':
    return '\t';
  case 'r':
    return '\r';
  case '0':
    return '\0';
  case 'x': {
    uint32_t value = 0;
    for (int i = 0; i < 2 && *at < text.length; i++) {
      uint32_t digit = digit_value(text.data[*at]);
      if (digit == 16)
        break;
      value = value * 16 + digit;
      (*at)++;
    }
    return (char)(unsigned char)value;
  }
  default:
    return c;
  }
}

Str literal_string(Arena *arena, Str text) {
  Text bytes = text_new(arena);
  size_t at = 1;
  while (at < text.length && text.data[at] != '"') {
    char c = text.data[at++];
    if (c == '\\' && at < text.length)
      c = escaped_byte(text, &at);
    text_char(&bytes, c);
  }
  return text_str(&bytes);
}
