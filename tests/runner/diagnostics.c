// SPDX-License-Identifier: Apache-2.0
//
// Reads the text form of diagnostics back.

#include "runner/runner.h"

#include <string.h>

bool next_line(Str *rest, Str *line) {
  if (rest->length == 0)
    return false;
  const char *end = memchr(rest->data, '\n', rest->length);
  size_t length = end == NULL ? rest->length : (size_t)(end - rest->data);
  *line = str_slice(*rest, 0, length);
  size_t taken = end == NULL ? length : length + 1;
  *rest = str_slice(*rest, taken, rest->length - taken);
  return true;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

Str trim(Str s) {
  while (s.length > 0 && is_blank(s.data[0]))
    s = str_slice(s, 1, s.length - 1);
  while (s.length > 0 && is_blank(s.data[s.length - 1]))
    s.length--;
  return s;
}

bool str_contains(Str s, Str part) {
  for (size_t at = 0; at + part.length <= s.length; at++) {
    if (str_equal(str_slice(s, at, part.length), part))
      return true;
  }
  return false;
}

// "Error[E6009]: message"
static bool read_first_line(Str line, Finding *finding) {
  Str start = STR("Error[");
  if (!str_starts_with(line, start))
    start = STR("Warning[");
  if (!str_starts_with(line, start))
    return false;
  Str rest = str_slice(line, start.length, line.length - start.length);
  const char *close = memchr(rest.data, ']', rest.length);
  if (close == NULL)
    return false;
  size_t length = (size_t)(close - rest.data);
  if (rest.length < length + 3 || close[1] != ':' || close[2] != ' ')
    return false;
  *finding = (Finding){.code = str_slice(rest, 0, length),
                       .is_error = start.data[0] == 'E'};
  finding->message = str_slice(rest, length + 3, rest.length - length - 3);
  return true;
}

// Takes ":NUMBER" off the end of `s`.
static bool take_number(Str *s, uint32_t *number) {
  size_t at = s->length;
  while (at > 0 && s->data[at - 1] >= '0' && s->data[at - 1] <= '9')
    at--;
  if (at == 0 || at == s->length || s->data[at - 1] != ':')
    return false;
  *number = 0;
  for (size_t i = at; i < s->length; i++)
    *number = *number * 10 + (uint32_t)(s->data[i] - '0');
  s->length = at - 1;
  return true;
}

// "  --> file:line:column"
static void read_place(Str line, Finding *finding) {
  Str arrow = STR("  --> ");
  if (finding->file.length != 0 || !str_starts_with(line, arrow))
    return;
  Str place = str_slice(line, arrow.length, line.length - arrow.length);
  uint32_t column;
  if (take_number(&place, &column) && take_number(&place, &finding->line))
    finding->file = place;
}

static bool is_code(Str s) {
  bool has_letter = s.length == 5 && (s.data[0] == 'E' || s.data[0] == 'W');
  for (size_t i = 1; i < s.length; i++)
    has_letter = has_letter && s.data[i] >= '0' && s.data[i] <= '9';
  return has_letter;
}

// "file:line:column: W6202: message", a remark of `vxc machine lint`
static bool read_remark(Str line, Finding *finding) {
  enum { CODE_LENGTH = 5 };
  const size_t length = CODE_LENGTH + 4;
  for (size_t at = 0; at + length <= line.length; at++) {
    Str code = str_slice(line, at + 2, CODE_LENGTH);
    if (!str_starts_with(str_slice(line, at, length), STR(": ")) ||
        !str_equal(str_slice(line, at + length - 2, 2), STR(": ")) ||
        !is_code(code))
      continue;
    Str place = str_slice(line, 0, at);
    uint32_t column;
    *finding = (Finding){.code = code, .is_error = code.data[0] == 'E'};
    finding->message = str_slice(line, at + length, line.length - at - length);
    if (!take_number(&place, &column) || !take_number(&place, &finding->line))
      return false;
    finding->file = place;
    return true;
  }
  return false;
}

void read_findings(Arena *arena, Str text, FindingVec *findings) {
  Str rest = text;
  for (Str line; next_line(&rest, &line);) {
    Finding finding;
    if (read_first_line(line, &finding) || read_remark(line, &finding))
      VEC_PUSH(arena, findings, finding);
    else if (findings->count != 0)
      read_place(line, &VEC_LAST(findings));
  }
}
