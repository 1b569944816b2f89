// SPDX-License-Identifier: Apache-2.0
//
// What to say about a unit that is none: bits, other spellings, other cases.

#include "machine/internal.h"

#include <string.h>

static const struct {
  const char *word;
  bool is_size;
} units[] = {
#define SIZE true
#define FREQUENCY false
#define DURATION false
#define CYCLES false
#define OPERATIONS false
#define UNIT(word, dimension, twos, tens) {#word, dimension},
#include "machine/unit.def"
#undef UNIT
#undef SIZE
#undef FREQUENCY
#undef DURATION
#undef CYCLES
#undef OPERATIONS
};

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool equal_in_any_case(Str a, const char *b) {
  if (a.length != strlen(b))
    return false;
  for (size_t i = 0; i < a.length; i++) {
    if (lower(a.data[i]) != lower(b[i]))
      return false;
  }
  return true;
}

// Words that people write, and what they mean.
static const struct {
  const char *word;
  const char *hint;
} known_mistakes[] = {
    {"b", "bits are not a unit: write bytes, `B`"},
    {"bit", "bits are not a unit: write bytes, `B`"},
    {"bits", "bits are not a unit: write bytes, `B`"},
    {"bps", "bits are not a unit: write bytes, `B/s`"},
    {"byte", "write `B`"},
    {"bytes", "write `B`"},
    {"cycle", "write `cyc`"},
    {"cycles", "write `cyc`"},
    {"clk", "write `cyc`"},
    {"clock", "write `cyc`"},
    {"clocks", "write `cyc`"},
    {"sec", "write `s`"},
    {"secs", "write `s`"},
    {"second", "write `s`"},
    {"seconds", "write `s`"},
    {"nsec", "write `ns`"},
    {"usec", "write `us`"},
    {"msec", "write `ms`"},
    {"psec", "write `ps`"},
    {"\xc2\xb5s", "write `us`"},
    {"\xce\xbcs", "write `us`"},
    {"k", "write `KB` (1000 bytes) or `KiB` (1024 bytes)"},
    {"m", "write `MB` (10^6 bytes) or `MiB` (2^20 bytes)"},
    {"g", "write `GB` (10^9 bytes) or `GiB` (2^30 bytes)"},
    {"t", "write `TB` (10^12 bytes) or `TiB` (2^40 bytes)"},
    {"ki", "write `KiB`"},
    {"mi", "write `MiB`"},
    {"gi", "write `GiB`"},
    {"ti", "write `TiB`"},
    {"flops", "write `FLOP/s`"},
    {"gflops", "write `GFLOP/s`"},
    {"tflops", "write `TFLOP/s`"},
    {"pflops", "write `PFLOP/s`"},
    {"ops", "write `OP/s`"},
    {"tops", "write `TOP/s`"},
    {"gt", "transfers are not a unit: write bytes per second, `GB/s`"},
    {"eb", "write it in `PB`"},
    {"eib", "write it in `PiB`"},
};

// "Gb", "Mbit", "Gbps", "kibps": bits with a prefix, and not "GBps".
static bool is_bits(Str word) {
  static const char *const endings[] = {"b", "bit", "bits", "bps", "bitps"};
  if (word.length < 2 || strchr("KMGTPkmgtp", word.data[0]) == NULL)
    return false;
  Str rest = str_slice(word, 1, word.length - 1);
  if (rest.length > 1 && rest.data[0] == 'i')
    rest = str_slice(rest, 1, rest.length - 1);
  for (size_t i = 0; i < COUNT_OF(endings); i++) {
    if (str_equal(rest, str_from(endings[i])))
      return true;
  }
  return false;
}

static Str bits_hint(Arena *arena, Str word) {
  bool is_rate = str_ends_with(word, STR("ps"));
  bool is_binary = word.data[1] == 'i';
  char prefix = word.data[0];
  if (prefix >= 'a' && prefix <= 'z')
    prefix = (char)(prefix - 'a' + 'A');
  return str_format(arena,
                    "bits are not a unit: for bytes write `%c%sB%s`, for bits "
                    "divide by 8",
                    prefix, is_binary ? "i" : "", is_rate ? "/s" : "");
}

// "GBps" -> "GB/s".
static const char *rate_without_slash(Str word) {
  if (word.length < 3 || !str_ends_with(word, STR("ps")))
    return NULL;
  Str size = str_slice(word, 0, word.length - 2);
  for (size_t i = 0; i < COUNT_OF(units); i++) {
    if (units[i].is_size && str_equal(size, str_from(units[i].word)))
      return units[i].word;
  }
  return NULL;
}

static Str unit_hint(Arena *arena, Str word) {
  for (size_t i = 0; i < COUNT_OF(known_mistakes); i++) {
    if (str_equal(word, str_from(known_mistakes[i].word)))
      return str_from(known_mistakes[i].hint);
  }
  if (rate_without_slash(word) != NULL)
    return str_format(arena, "write `%s/s`", rate_without_slash(word));
  // `mb` is meant as bytes more often than as bits, `Mb` is not.
  bool is_small = word.length > 0 && lower(word.data[0]) == word.data[0];
  if (is_bits(word) && !(is_small && word.data[word.length - 1] == 'b'))
    return bits_hint(arena, word);
  for (size_t i = 0; i < COUNT_OF(units); i++) {
    if (equal_in_any_case(word, units[i].word))
      return str_format(arena, "units are case-sensitive: write `%s`",
                        units[i].word);
  }
  for (size_t i = 0; i < COUNT_OF(known_mistakes); i++) {
    if (equal_in_any_case(word, known_mistakes[i].word))
      return str_from(known_mistakes[i].hint);
  }
  return STR("known are B KB MB GB TB PB, KiB MiB GiB TiB PiB, ps ns us ms s, "
             "cyc, Hz kHz MHz GHz, FLOP/s, OP/s");
}

Str unknown_unit(Arena *arena, Str word) {
  Str hint = unit_hint(arena, word);
  return str_format(arena, "unknown unit `%.*s`; %.*s", STR_ARG(word),
                    STR_ARG(hint));
}
