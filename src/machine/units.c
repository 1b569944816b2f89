// SPDX-License-Identifier: Apache-2.0
//
// Numbers with units, exactly. A unit is 2^a x 10^b of its base, a mantissa is
// m / 10^d; the value m x 2^(a + b - d) x 5^(b - d) is found in 128 bits by
// dividing first and multiplying then, and must be a whole number of 64 bits.

#include "machine/internal.h"

#include <string.h>

typedef enum {
  UNIT_KIND_SIZE,
  UNIT_KIND_FREQUENCY,
  UNIT_KIND_DURATION,
  UNIT_KIND_CYCLES,
  UNIT_KIND_OPERATIONS,
} UnitKind;

typedef struct {
  const char *word;
  UnitKind kind;
  int twos;
  int tens;
} Unit;

static const Unit units[] = {
#define UNIT(word, kind, twos, tens) {#word, UNIT_KIND_##kind, twos, tens},
#include "machine/unit.def"
#undef UNIT
};

static const struct {
  const char *noun;
  const char *example;
} dimensions[DIMENSION_COUNT] = {
    [DIMENSION_NUMBER] = {"a plain number", "8"},
    [DIMENSION_SIZE] = {"a size", "80 GiB"},
    [DIMENSION_RATE] = {"a rate", "3.35 TB/s"},
    [DIMENSION_DURATION] = {"a duration", "421 ns"},
    [DIMENSION_FREQUENCY] = {"a frequency", "1.98 GHz"},
    [DIMENSION_OPERATIONS] = {"a number of operations", "67 TFLOP"},
    [DIMENSION_OPERATION_RATE] = {"an arithmetic rate", "67 TFLOP/s"},
};

const char *dimension_noun(Dimension dimension) {
  return dimensions[dimension].noun;
}

const char *dimension_example(Dimension dimension) {
  return dimensions[dimension].example;
}

// --- Mantissa ----------------------------------------------------------------

// More decimals than any unit can make whole.
enum { MOST_DECIMALS = 1000 };

typedef struct {
  Uint128 digits;
  unsigned decimals; // digits behind the point, without zeros at the end
} Mantissa;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "1_000.50" -> 10005 / 10^1. False when the digits do not fit 128 bits.
static bool parse_mantissa(Str text, Mantissa *mantissa) {
  *mantissa = (Mantissa){0};
  bool is_behind_point = false;
  unsigned zeros = 0; // held back: they count only if a digit follows
  for (size_t i = 0; i < text.length; i++) {
    char c = text.data[i];
    if (c == '_')
      continue;
    if (c == '.') {
      is_behind_point = true;
      continue;
    }
    if (is_behind_point && c == '0') {
      zeros++;
      continue;
    }
    for (unsigned k = 0; k <= zeros; k++) {
      if (!mul_u128(mantissa->digits, 10, &mantissa->digits))
        return false;
    }
    if (!add_u128(mantissa->digits, (Uint128)(c - '0'), &mantissa->digits))
      return false;
    mantissa->decimals += is_behind_point ? zeros + 1 : 0;
    zeros = 0;
    if (mantissa->decimals > MOST_DECIMALS)
      mantissa->decimals = MOST_DECIMALS; // inexact in every unit
  }
  return true;
}

typedef enum { SCALE_EXACT, SCALE_INEXACT, SCALE_TOO_LARGE } Scaling;

// *value x factor^power, which must come out exactly.
static Scaling scale(Uint128 *value, unsigned factor, int power) {
  for (; power < 0; power++) {
    if (*value % factor != 0)
      return SCALE_INEXACT;
    *value /= factor;
  }
  for (; power > 0; power--) {
    if (!mul_u128(*value, factor, value))
      return SCALE_TOO_LARGE;
  }
  return SCALE_EXACT;
}

static Scaling scale_mantissa(Mantissa m, const Unit *unit, uint64_t *value) {
  int twos = unit == NULL ? 0 : unit->twos;
  int tens = (unit == NULL ? 0 : unit->tens) - (int)m.decimals;
  if (m.digits == 0) {
    *value = 0;
    return SCALE_EXACT;
  }
  Uint128 exact = m.digits;
  // Divisions first, so that nothing overflows that comes out in range.
  Scaling fives = tens < 0 ? scale(&exact, 5, tens) : SCALE_EXACT;
  if (fives == SCALE_EXACT)
    fives = scale(&exact, 2, twos + tens);
  if (fives == SCALE_EXACT && tens > 0)
    fives = scale(&exact, 5, tens);
  if (fives != SCALE_EXACT)
    return fives;
  if (exact > UINT64_MAX)
    return SCALE_TOO_LARGE;
  *value = (uint64_t)exact;
  return SCALE_EXACT;
}

// --- Units -------------------------------------------------------------------

static const Unit *find_unit(Str word) {
  for (size_t i = 0; i < COUNT_OF(units); i++) {
    if (str_equal(word, str_from(units[i].word)))
      return &units[i];
  }
  return NULL;
}

// --- Parsing -----------------------------------------------------------------

// Splits "40KiB" into "40" and "KiB".
static size_t mantissa_length(Str number) {
  size_t i = 0;
  while (i < number.length && (is_digit(number.data[i]) ||
                               number.data[i] == '_' || number.data[i] == '.'))
    i++;
  return i;
}

static bool is_exponent(Str word) {
  if (word.length < 1 || (word.data[0] != 'e' && word.data[0] != 'E'))
    return false;
  for (size_t i = 1; i < word.length; i++) {
    if (!is_digit(word.data[i]))
      return false;
  }
  return true;
}

// "0x1f", "0o17": `x1f` and `o17` follow the zero.
static bool is_other_base(Str number, Str suffix) {
  return number.length - suffix.length == 1 && number.data[0] == '0' &&
         suffix.length > 1 && strchr("xo", suffix.data[0]) != NULL;
}

// The dimension of `unit` per `per`; false: the two do not go together.
static bool combine(const Unit *unit, Str per, Measure *measure) {
  bool per_second = str_equal(per, STR("s"));
  bool per_cycle = str_equal(per, STR("cyc"));
  if (unit == NULL) {
    measure->dimension = DIMENSION_NUMBER;
    return per.length == 0;
  }
  switch (unit->kind) {
  case UNIT_KIND_SIZE:
    measure->unit = per_second  ? UNIT_SECONDS
                    : per_cycle ? UNIT_CYCLES
                                : UNIT_NONE;
    measure->dimension = per.length == 0 ? DIMENSION_SIZE : DIMENSION_RATE;
    return per.length == 0 || per_second || per_cycle;
  case UNIT_KIND_OPERATIONS:
    measure->unit = per_second ? UNIT_SECONDS : UNIT_NONE;
    measure->dimension =
        per_second ? DIMENSION_OPERATION_RATE : DIMENSION_OPERATIONS;
    return per.length == 0 || per_second;
  case UNIT_KIND_FREQUENCY:
    measure->dimension = DIMENSION_FREQUENCY;
    return per.length == 0;
  case UNIT_KIND_DURATION:
  case UNIT_KIND_CYCLES:
    measure->unit = unit->kind == UNIT_KIND_CYCLES ? UNIT_CYCLES : UNIT_SECONDS;
    measure->dimension = DIMENSION_DURATION;
    return per.length == 0;
  }
  PANIC("unit kind");
}

static const char *base_noun(const Measure *measure) {
  switch (measure->dimension) {
  case DIMENSION_SIZE:
    return "bytes";
  case DIMENSION_RATE:
    return measure->unit == UNIT_CYCLES ? "bytes per cycle"
                                        : "bytes per second";
  case DIMENSION_DURATION:
    return measure->unit == UNIT_CYCLES ? "cycles" : "picoseconds";
  case DIMENSION_FREQUENCY:
    return "hertz";
  case DIMENSION_OPERATIONS:
  case DIMENSION_OPERATION_RATE:
    return "operations";
  case DIMENSION_NUMBER:
  case DIMENSION_COUNT:
    break;
  }
  return "units";
}

static Str bad_per(Arena *arena, Str unit, Str per) {
  if (find_unit(per) == NULL)
    return unknown_unit(arena, per);
  return str_format(arena,
                    "unknown unit `%.*s/%.*s`; a rate is a size per `s` or "
                    "`cyc`",
                    STR_ARG(unit), STR_ARG(per));
}

bool measure_parse(Arena *arena, Str number, Str unit, Str per,
                   Measure *measure, Str *why) {
  *measure = (Measure){0};
  size_t length = mantissa_length(number);
  Str suffix = str_slice(number, length, number.length - length);
  if (is_other_base(number, suffix))
    return *why = STR("only decimal digits are allowed"), false;
  if (is_exponent(suffix))
    return *why = STR("exponents are not allowed: write the digits, or a "
                      "larger unit"),
           false;
  if (suffix.length != 0 && unit.length != 0)
    return *why = STR("two units follow the number"), false;
  unit = suffix.length != 0 ? suffix : unit;
  const Unit *found = find_unit(unit);
  if (found == NULL && unit.length != 0)
    return *why = unknown_unit(arena, unit), false;
  if (!combine(found, per, measure))
    return *why = bad_per(arena, unit, per), false;
  Mantissa mantissa;
  if (!parse_mantissa(str_slice(number, 0, length), &mantissa))
    return *why = STR("has more digits than 128 bits hold"), false;
  switch (scale_mantissa(mantissa, found, &measure->value)) {
  case SCALE_EXACT:
    return true;
  case SCALE_INEXACT:
    *why = str_format(arena, "is not a whole number of %s", base_noun(measure));
    return false;
  case SCALE_TOO_LARGE:
    *why = str_format(arena, "is more than 18446744073709551615 %s",
                      base_noun(measure));
    return false;
  }
  PANIC("scaling");
}

// Letters at `*at`.
static Str take_word(Str text, size_t *at) {
  size_t start = *at;
  while (*at < text.length &&
         ((text.data[*at] >= 'a' && text.data[*at] <= 'z') ||
          (text.data[*at] >= 'A' && text.data[*at] <= 'Z')))
    ++*at;
  return str_slice(text, start, *at - start);
}

bool measure_at_head(Arena *scratch, Str text, Measure *measure) {
  size_t at = mantissa_length(text);
  if (at == 0 || !is_digit(text.data[0]))
    return false;
  // A full stop behind the number is no decimal point.
  while (!is_digit(text.data[at - 1]))
    at--;
  Str number = str_slice(text, 0, at);
  while (at < text.length && text.data[at] == ' ')
    at++;
  Str unit = take_word(text, &at);
  Str per = {"", 0};
  if (at + 1 < text.length && text.data[at] == '/') {
    at++;
    per = take_word(text, &at);
  }
  Str why;
  if (find_unit(unit) == NULL)
    return false;
  return measure_parse(scratch, number, unit, per, measure, &why);
}

// --- Showing -----------------------------------------------------------------

// value / (2^twos x 10^tens) as a decimal, if at most `most` decimals give it.
static bool put_in_unit(Text *text, uint64_t value, const Unit *unit,
                        unsigned most) {
  Uint128 one = (Uint128)1 << unit->twos;
  for (int i = 0; i < unit->tens; i++)
    one *= 10;
  if (value < one || value / one > 99999)
    return false;
  Uint128 rest = value % one;
  char decimals[16];
  unsigned count = 0;
  while (rest != 0 && count < most) {
    rest *= 10;
    decimals[count++] = (char)('0' + (int)(rest / one));
    rest %= one;
  }
  if (rest != 0)
    return false;
  text_u128(text, value / one);
  if (count > 0)
    text_char(text, '.');
  text_put(text, (Str){decimals, count});
  text_char(text, ' ');
  text_puts(text, unit->word);
  return true;
}

// The largest unit of `kind` that shows the value within `most` decimals.
static bool put_scaled(Text *text, uint64_t value, UnitKind kind,
                       bool is_binary, unsigned most) {
  for (size_t i = COUNT_OF(units); i-- > 0;) {
    const Unit *unit = &units[i];
    if (unit->kind != kind || (unit->twos != 0) != is_binary)
      continue;
    if (put_in_unit(text, value, unit, most))
      return true;
  }
  return false;
}

static void put_plain(Text *text, uint64_t value, const char *unit) {
  text_u128(text, value);
  text_char(text, ' ');
  text_puts(text, unit);
}

void text_measure(Text *text, Measure m) {
  switch (m.dimension) {
  case DIMENSION_SIZE:
    if (!put_scaled(text, m.value, UNIT_KIND_SIZE, true, 2) &&
        !put_scaled(text, m.value, UNIT_KIND_SIZE, false, 3))
      put_plain(text, m.value, "B");
    return;
  case DIMENSION_RATE:
    if (m.unit == UNIT_CYCLES || m.value < 1000)
      put_plain(text, m.value, "B");
    else if (!put_scaled(text, m.value, UNIT_KIND_SIZE, false, 4) &&
             !put_scaled(text, m.value, UNIT_KIND_SIZE, true, 4) &&
             !put_scaled(text, m.value, UNIT_KIND_SIZE, false, 9))
      put_plain(text, m.value, "B");
    text_puts(text, m.unit == UNIT_CYCLES ? "/cyc" : "/s");
    return;
  case DIMENSION_DURATION:
    if (m.unit == UNIT_CYCLES)
      put_plain(text, m.value, "cyc");
    else if (!put_scaled(text, m.value, UNIT_KIND_DURATION, false, 3))
      put_plain(text, m.value, "ps");
    return;
  case DIMENSION_FREQUENCY:
    if (!put_scaled(text, m.value, UNIT_KIND_FREQUENCY, false, 3))
      put_plain(text, m.value, "Hz");
    return;
  case DIMENSION_OPERATIONS:
  case DIMENSION_OPERATION_RATE:
    put_plain(text, m.value, "OP");
    if (m.dimension == DIMENSION_OPERATION_RATE)
      text_puts(text, "/s");
    return;
  case DIMENSION_NUMBER:
  case DIMENSION_COUNT:
    text_u128(text, m.value);
  }
}

Measure figure_measure(const Figure *figure, Dimension dimension) {
  return (Measure){
      .dimension = dimension, .unit = figure->unit, .value = figure->value};
}

// --- Reading from a tree -----------------------------------------------------

static Str written_text(const Tree *tree, NodeId node) {
  return source_text(tree->sources, node_span(tree, node));
}

// "`12 TB` in `bandwidth` is a size, not a rate; write `12 TB/s`".
static Str kind_mismatch(Arena *arena, Str written, Str field, Measure found,
                         Dimension wanted) {
  Text text = text_new(arena);
  text_format(&text, "`%.*s` in `%.*s` ", STR_ARG(written), STR_ARG(field));
  if (found.dimension == DIMENSION_NUMBER)
    text_format(&text, "has no unit, but %s is needed", dimension_noun(wanted));
  else
    text_format(&text, "is %s, not %s", dimension_noun(found.dimension),
                dimension_noun(wanted));
  bool needs_per =
      (wanted == DIMENSION_RATE && found.dimension == DIMENSION_SIZE) ||
      (wanted == DIMENSION_OPERATION_RATE &&
       found.dimension == DIMENSION_OPERATIONS);
  if (needs_per)
    text_format(&text, "; write `%.*s/s`", STR_ARG(written));
  else if (wanted == DIMENSION_SIZE && found.dimension == DIMENSION_RATE) {
    size_t slash = 0;
    while (slash < written.length && written.data[slash] != '/')
      slash++;
    while (slash > 0 && written.data[slash - 1] == ' ')
      slash--;
    text_format(&text, "; write `%.*s`", (int)slash, written.data);
  } else
    text_format(&text, "; write for example `%s`", dimension_example(wanted));
  return text_str(&text);
}

bool read_quantity(Arena *arena, DiagSink *sink, const Tree *tree, NodeId node,
                   Str owner, Str field, Dimension wanted, Measure *measure) {
  Span span = node_span(tree, node);
  if (node_kind(tree, node) != NODE_Quantity) {
    if (node_kind(tree, node) != NODE_ErrorNode)
      diag_bad_field(sink, span, owner,
                     str_format(arena, "`%.*s` must be %s such as `%s`",
                                STR_ARG(field), dimension_noun(wanted),
                                dimension_example(wanted)));
    return false;
  }
  Quantity q = quantity(tree, node);
  Str empty = {"", 0};
  Str unit = q.unit.index ? token_text(tree, q.unit) : empty;
  Str per = q.per.index ? token_text(tree, q.per) : empty;
  Str why;
  if (!measure_parse(arena, token_text(tree, q.number), unit, per, measure,
                     &why)) {
    diag_bad_unit(sink, span, written_text(tree, node), why);
    return false;
  }
  measure->is_negative =
      (q.flags & QUANTITY_NEGATIVE) != 0 && measure->value != 0;
  return true;
}

bool read_measure(Arena *arena, DiagSink *sink, const Tree *tree, NodeId node,
                  Str owner, Str field, Dimension wanted, Measure *measure) {
  if (!read_quantity(arena, sink, tree, node, owner, field, wanted, measure))
    return false;
  if (measure->dimension == DIMENSION_NUMBER && measure->value == 0)
    measure->dimension = wanted;
  if (measure->dimension == wanted)
    return true;
  diag_bad_field(
      sink, node_span(tree, node), owner,
      kind_mismatch(arena, written_text(tree, node), field, *measure, wanted));
  return false;
}

bool machine_read_size(Arena *scratch, const Tree *tree, NodeId node, Str owner,
                       Str field, DiagSink *sink, uint64_t *bytes) {
  Measure measure;
  if (!read_measure(scratch, sink, tree, node, owner, field, DIMENSION_SIZE,
                    &measure))
    return false;
  if (measure.is_negative) {
    diag_bad_field(
        sink, node_span(tree, node), owner,
        str_format(scratch, "`%.*s` cannot be negative", STR_ARG(field)));
    return false;
  }
  *bytes = measure.value;
  return true;
}
