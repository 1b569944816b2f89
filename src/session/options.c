// SPDX-License-Identifier: Apache-2.0
//
// Options that are texts: -W flags, -D definitions, --set overrides.

#include "session/session.h"

#include <string.h>

// The first usage error is the one that is told.
static void refuse(Session *session, Str error) {
  if (session->usage_error.length == 0)
    session->usage_error = error;
}

// --- Words -------------------------------------------------------------------

static Str trim(Str s) {
  while (s.length != 0 && strchr(" \t", s.data[0]) != NULL)
    s = str_slice(s, 1, s.length - 1);
  while (s.length != 0 && strchr(" \t", s.data[s.length - 1]) != NULL)
    s = str_slice(s, 0, s.length - 1);
  return s;
}

static bool is_identifier(Str s) {
  for (size_t at = 0; at < s.length;) {
    uint32_t code_point;
    size_t taken = utf8_decode(s.data + at, s.length - at, &code_point);
    bool fits = at == 0 ? utf8_is_letter(code_point) : utf8_is_word(code_point);
    if (taken == 0 || !fits)
      return false;
    at += taken;
  }
  return s.length != 0;
}

// Splits at the first `mark`; both parts are trimmed.
static bool split_at(Str s, char mark, Str *before, Str *behind) {
  const char *at = s.length == 0 ? NULL : memchr(s.data, mark, s.length);
  if (at == NULL)
    return false;
  size_t length = (size_t)(at - s.data);
  *before = trim(str_slice(s, 0, length));
  *behind = trim(str_slice(s, length + 1, s.length - length - 1));
  return true;
}

// --- -W ----------------------------------------------------------------------

static void apply_warning(Session *session, Str flag) {
  if (str_equal(flag, STR("error"))) {
    session->sink.warnings_are_errors = true;
    return;
  }
  bool is_off = str_starts_with(flag, STR("no-"));
  Str name = is_off ? str_slice(flag, 3, flag.length - 3) : flag;
  DiagCode code = diag_code_from_name(name);
  if (code == DIAG_NONE)
    refuse(session, str_format(&session->arena, "-W %.*s: no code of that name",
                               STR_ARG(flag)));
  else if (diag_code_severity(code) != SEVERITY_WARNING)
    refuse(session, str_format(&session->arena,
                               "-W %.*s: %.*s is an error, not a warning",
                               STR_ARG(flag), STR_ARG(name)));
  else
    session->sink.is_silenced[code] = is_off;
}

// --- -D ----------------------------------------------------------------------

bool session_split_define(Str text, Define *define) {
  return split_at(text, '=', &define->name, &define->value) &&
         is_identifier(define->name) && define->value.length != 0;
}

// --- --set -------------------------------------------------------------------

typedef struct {
  Str what; // "Memory" or "Topology"
  Str name;
  Str field;
  Str value;
} Override;

// One value, on a line of its own text: no line end, no comment, nothing that
// would begin a second field.
static bool is_value(Str value) {
  int depth = 0;
  for (size_t i = 0; i < value.length; i++) {
    char c = value.data[i];
    bool is_comment =
        c == '/' && i + 1 < value.length && value.data[i + 1] == '/';
    depth += (c == '[' || c == '{' || c == '(');
    depth -= (c == ']' || c == '}' || c == ')');
    if (is_comment || (unsigned char)c < ' ' || depth < 0 ||
        (c == ',' && depth == 0))
      return false;
  }
  return depth == 0;
}

// A shell may leave the quotes of `"40 GiB"`.
static Str without_quotes(Str value) {
  bool is_quoted = value.length >= 2 && value.data[0] == '"' &&
                   value.data[value.length - 1] == '"';
  return is_quoted ? str_slice(value, 1, value.length - 2) : value;
}

// Memory::NAME.FIELD=VALUE, or without `=VALUE` for a bare flag.
static bool split_override(Str text, Override *set) {
  Str left = text;
  set->value = (Str){0};
  if (split_at(text, '=', &left, &set->value)) {
    set->value = without_quotes(set->value);
    if (set->value.length == 0)
      return false;
  }
  set->what =
      str_starts_with(left, STR("Memory::")) ? STR("Memory") : STR("Topology");
  size_t prefix = set->what.length + 2;
  if (!str_starts_with(left, STR("Memory::")) &&
      !str_starts_with(left, STR("Topology::")))
    return false;
  Str path = str_slice(left, prefix, left.length - prefix);
  return split_at(path, '.', &set->name, &set->field) &&
         is_identifier(set->name) && is_identifier(set->field) &&
         is_value(set->value);
}

static bool is_same_field(const Override *a, const Override *b) {
  return str_equal(a->what, b->what) && str_equal(a->name, b->name) &&
         str_equal(a->field, b->field);
}

static bool is_replaced_later(const StrVec *overrides, uint32_t index,
                              const Override *set) {
  for (uint32_t i = index + 1; i < overrides->count; i++) {
    Override later;
    if (split_override(overrides->items[i], &later) &&
        is_same_field(set, &later))
      return true;
  }
  return false;
}

Str session_overrides_text(Arena *arena, const StrVec *overrides) {
  Text text = text_new(arena);
  for (uint32_t i = 0; i < overrides->count; i++) {
    Override set;
    if (!split_override(overrides->items[i], &set) ||
        is_replaced_later(overrides, i, &set))
      continue;
    text_format(&text,
                "extend %.*s %.*s { %.*s%s%.*s } // policy: command "
                "line\n",
                STR_ARG(set.what), STR_ARG(set.name), STR_ARG(set.field),
                set.value.length ? ": " : "", STR_ARG(set.value));
  }
  return text_str(&text);
}

// --- All ---------------------------------------------------------------------

void session_apply_options(Session *session) {
  const SessionOptions *options = &session->options;
  for (uint32_t i = 0; i < options->warnings.count; i++)
    apply_warning(session, options->warnings.items[i]);
  for (uint32_t i = 0; i < options->defines.count; i++) {
    Define define;
    if (!session_split_define(options->defines.items[i], &define))
      refuse(session,
             str_format(&session->arena, "-D %.*s: expected NAME=VALUE",
                        STR_ARG(options->defines.items[i])));
  }
  for (uint32_t i = 0; i < options->overrides.count; i++) {
    Override set;
    if (!split_override(options->overrides.items[i], &set))
      refuse(session, str_format(&session->arena,
                                 "--set %.*s: expected "
                                 "Memory::NAME.FIELD=VALUE or "
                                 "Topology::NAME.FIELD=VALUE",
                                 STR_ARG(options->overrides.items[i])));
  }
}
