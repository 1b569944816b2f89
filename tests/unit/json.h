// SPDX-License-Identifier: Apache-2.0
//
// A judge of JSON texts (RFC 8259), and the way to a top-level key.

#ifndef VX_UNIT_JSON_H
#define VX_UNIT_JSON_H

#include "base/base.h"

#include <string.h>

typedef struct {
  Str text;
  size_t at;
} JsonReader;

static inline bool json_value(JsonReader *reader, unsigned depth);

static inline char json_peek(const JsonReader *reader) {
  return reader->at < reader->text.length ? reader->text.data[reader->at]
                                          : '\0';
}

static inline void json_blanks(JsonReader *reader) {
  while (json_peek(reader) != '\0' && strchr(" \t\r\n", json_peek(reader)))
    reader->at++;
}

static inline bool json_take(JsonReader *reader, char c) {
  if (json_peek(reader) != c)
    return false;
  reader->at++;
  return true;
}

static inline bool json_word(JsonReader *reader, const char *word) {
  size_t length = strlen(word);
  if (length > reader->text.length - reader->at ||
      !str_equal(str_slice(reader->text, reader->at, length), str_from(word)))
    return false;
  reader->at += length;
  return true;
}

static inline bool json_is_digit(char c) { return c >= '0' && c <= '9'; }

static inline bool json_digits(JsonReader *reader) {
  if (!json_is_digit(json_peek(reader)))
    return false;
  while (json_is_digit(json_peek(reader)))
    reader->at++;
  return true;
}

static inline bool json_number(JsonReader *reader) {
  (void)json_take(reader, '-');
  if (!json_take(reader, '0') && !json_digits(reader))
    return false;
  if (json_is_digit(json_peek(reader))) // 01
    return false;
  if (json_take(reader, '.') && !json_digits(reader))
    return false;
  if (json_take(reader, 'e') || json_take(reader, 'E')) {
    if (!json_take(reader, '+'))
      (void)json_take(reader, '-');
    return json_digits(reader);
  }
  return true;
}

static inline bool json_escape(JsonReader *reader) {
  char c = json_peek(reader);
  if (c == '\0' || strchr("\"\\/bfnrtu", c) == NULL)
    return false;
  reader->at++;
  for (int i = 0; c == 'u' && i < 4; i++) {
    char digit = json_peek(reader);
    if (digit == '\0' || strchr("0123456789abcdefABCDEF", digit) == NULL)
      return false;
    reader->at++;
  }
  return true;
}

static inline bool json_string(JsonReader *reader) {
  if (!json_take(reader, '"'))
    return false;
  while (!json_take(reader, '"')) {
    if (json_take(reader, '\\')) {
      if (!json_escape(reader))
        return false;
      continue;
    }
    uint32_t code_point = 0;
    size_t taken =
        reader->at >= reader->text.length
            ? 0
            : utf8_decode(reader->text.data + reader->at,
                          reader->text.length - reader->at, &code_point);
    if (taken == 0 || code_point < ' ')
      return false;
    reader->at += taken;
  }
  return true;
}

// The rest of `[..]` or `{..}` behind the opening mark.
static inline bool json_list(JsonReader *reader, char close, unsigned depth) {
  json_blanks(reader);
  if (json_take(reader, close))
    return true;
  do {
    json_blanks(reader);
    if (close == '}') {
      if (!json_string(reader))
        return false;
      json_blanks(reader);
      if (!json_take(reader, ':'))
        return false;
    }
    if (!json_value(reader, depth + 1))
      return false;
    json_blanks(reader);
  } while (json_take(reader, ','));
  return json_take(reader, close);
}

static inline bool json_value(JsonReader *reader, unsigned depth) {
  json_blanks(reader);
  if (depth > 100)
    return false;
  if (json_take(reader, '{'))
    return json_list(reader, '}', depth);
  if (json_take(reader, '['))
    return json_list(reader, ']', depth);
  if (json_peek(reader) == '"')
    return json_string(reader);
  return json_word(reader, "true") || json_word(reader, "false") ||
         json_word(reader, "null") || json_number(reader);
}

// One value and nothing else.
static inline bool json_is_valid(Str text) {
  JsonReader reader = {.text = text};
  if (!json_value(&reader, 0))
    return false;
  json_blanks(&reader);
  return reader.at == text.length;
}

// The keys of a valid object in their order, joined by blanks.
static inline Str json_keys(Arena *arena, Str object) {
  JsonReader reader = {.text = object};
  Text keys = text_new(arena);
  json_blanks(&reader);
  if (!json_take(&reader, '{'))
    return text_str(&keys);
  do {
    json_blanks(&reader);
    size_t start = reader.at + 1;
    if (!json_string(&reader))
      break;
    text_puts(&keys, keys.length == 0 ? "" : " ");
    text_put(&keys, str_slice(object, start, reader.at - 1 - start));
    json_blanks(&reader);
    if (!json_take(&reader, ':') || !json_value(&reader, 0))
      break;
    json_blanks(&reader);
  } while (json_take(&reader, ','));
  return text_str(&keys);
}

// The text of the value of a key of a valid object; empty if there is none.
static inline Str json_get(Str object, const char *key) {
  JsonReader reader = {.text = object};
  json_blanks(&reader);
  if (!json_take(&reader, '{'))
    return STR("");
  do {
    json_blanks(&reader);
    size_t start = reader.at + 1;
    if (!json_string(&reader))
      break;
    Str name = str_slice(object, start, reader.at - 1 - start);
    json_blanks(&reader);
    (void)json_take(&reader, ':');
    json_blanks(&reader);
    size_t from = reader.at;
    if (!json_value(&reader, 0))
      break;
    if (str_equal(name, str_from(key)))
      return str_slice(object, from, reader.at - from);
    json_blanks(&reader);
  } while (json_take(&reader, ','));
  return STR("");
}

// The n-th element of a valid array; empty if there is none.
static inline Str json_at(Str array, size_t index) {
  JsonReader reader = {.text = array};
  json_blanks(&reader);
  if (!json_take(&reader, '['))
    return STR("");
  for (size_t i = 0;; i++) {
    json_blanks(&reader);
    size_t from = reader.at;
    if (!json_value(&reader, 0))
      return STR("");
    if (i == index)
      return str_slice(array, from, reader.at - from);
    json_blanks(&reader);
    if (!json_take(&reader, ','))
      return STR("");
  }
}

#endif
