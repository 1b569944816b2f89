// SPDX-License-Identifier: Apache-2.0
//
// Numbers with units: exact, whole, or refused with a reason that helps.

#include "machine/internal.h"
#include "unit/test.h"

// "80 GiB" -> number and unit, "12 B/cyc" -> with a per.
static bool parse(Arena *arena, const char *text, Measure *measure, Str *why) {
  Str rest = str_from(text);
  size_t space = 0;
  while (space < rest.length && rest.data[space] != ' ')
    space++;
  Str number = str_slice(rest, 0, space);
  Str unit = {"", 0};
  if (space < rest.length)
    unit = str_slice(rest, space + 1, rest.length - space - 1);
  size_t slash = 0;
  while (slash < unit.length && unit.data[slash] != '/')
    slash++;
  Str per = {"", 0};
  if (slash < unit.length) {
    per = str_slice(unit, slash + 1, unit.length - slash - 1);
    unit = str_slice(unit, 0, slash);
  }
  return measure_parse(arena, number, unit, per, measure, why);
}

static const struct {
  const char *text;
  Dimension dimension;
  TimeUnit unit;
  uint64_t value;
} good[] = {
    {"1.5 KiB", DIMENSION_SIZE, UNIT_NONE, 1536},
    {"80 GiB", DIMENSION_SIZE, UNIT_NONE, 85899345920},
    {"40KiB", DIMENSION_SIZE, UNIT_NONE, 40960},
    {"0 B", DIMENSION_SIZE, UNIT_NONE, 0},
    {"0.5 B", DIMENSION_COUNT, UNIT_NONE, 0},
    {"1.000 B", DIMENSION_SIZE, UNIT_NONE, 1},
    {"1_024 B", DIMENSION_SIZE, UNIT_NONE, 1024},
    {"23.333333333 GB/s", DIMENSION_RATE, UNIT_SECONDS, 23333333333},
    {"3.35 TB/s", DIMENSION_RATE, UNIT_SECONDS, 3350000000000},
    {"128 B/cyc", DIMENSION_RATE, UNIT_CYCLES, 128},
    {"1.98 GHz", DIMENSION_FREQUENCY, UNIT_NONE, 1980000000},
    {"421 ns", DIMENSION_DURATION, UNIT_SECONDS, 421000},
    {"9.79 us", DIMENSION_DURATION, UNIT_SECONDS, 9790000},
    {"30 cyc", DIMENSION_DURATION, UNIT_CYCLES, 30},
    {"67 TFLOP/s", DIMENSION_OPERATION_RATE, UNIT_SECONDS, 67000000000000},
    {"67 TFLOP", DIMENSION_OPERATIONS, UNIT_NONE, 67000000000000},
    {"132", DIMENSION_NUMBER, UNIT_NONE, 132},
    {"18446744073709551615 B", DIMENSION_SIZE, UNIT_NONE, UINT64_MAX},
    {"16383.9999999999999982236431605997495353221893310546875 PiB",
     DIMENSION_COUNT, UNIT_NONE, 0}, // more digits than 128 bits hold
    {"0.00000000000000088817841970012523233890533447265625 PiB", DIMENSION_SIZE,
     UNIT_NONE, 1},
    {"0.0009765625 KiB", DIMENSION_SIZE, UNIT_NONE, 1},
};

TEST(good_numbers) {
  Arena arena = {0};
  for (size_t i = 0; i < COUNT_OF(good); i++) {
    Measure m;
    Str why;
    bool is_good = parse(&arena, good[i].text, &m, &why);
    if (good[i].dimension == DIMENSION_COUNT) {
      EXPECT(!is_good);
      continue;
    }
    if (!EXPECT(is_good))
      printf("  %s: %.*s\n", good[i].text, STR_ARG(why));
    EXPECT_EQ(m.dimension, good[i].dimension);
    EXPECT_EQ(m.unit, good[i].unit);
    EXPECT_EQ(m.value, good[i].value);
  }
  arena_free(&arena);
}

static const struct {
  const char *text;
  const char *why;
} bad[] = {
    {"1.1 KiB", "is not a whole number of bytes"},
    {"0.3 B/cyc", "is not a whole number of bytes per cycle"},
    {"1.5", "is not a whole number of units"},
    {"0.5 ps", "is not a whole number of picoseconds"},
    {"18446744073709551616 B", "is more than 18446744073709551615 bytes"},
    {"16384 PiB", "is more than 18446744073709551615 bytes"},
    {"99999999999999999999999999999999999999999 B",
     "has more digits than 128 bits hold"},
    {"10 Gb", "unknown unit `Gb`; bits are not a unit: for bytes write `GB`, "
              "for bits divide by 8"},
    {"10 Mbit", "unknown unit `Mbit`; bits are not a unit: for bytes write "
                "`MB`, for bits divide by 8"},
    {"10 Gbps", "unknown unit `Gbps`; bits are not a unit: for bytes write "
                "`GB/s`, for bits divide by 8"},
    {"10 GBps", "unknown unit `GBps`; write `GB/s`"},
    {"10 mb", "unknown unit `mb`; units are case-sensitive: write `MB`"},
    {"10 KIB", "unknown unit `KIB`; units are case-sensitive: write `KiB`"},
    {"10 kB", "unknown unit `kB`; units are case-sensitive: write `KB`"},
    {"10 cycle", "unknown unit `cycle`; write `cyc`"},
    {"10 cycles", "unknown unit `cycles`; write `cyc`"},
    {"10 sec", "unknown unit `sec`; write `s`"},
    {"10 G", "unknown unit `G`; write `GB` (10^9 bytes) or `GiB` (2^30 "
             "bytes)"},
    {"10 B/cycle", "unknown unit `cycle`; write `cyc`"},
    {"10 B/GB", "unknown unit `B/GB`; a rate is a size per `s` or `cyc`"},
    {"1e9 B", "exponents are not allowed: write the digits, or a larger unit"},
    {"1E9", "exponents are not allowed: write the digits, or a larger unit"},
    {"4KiB KiB", "two units follow the number"},
    {"0x10", "only decimal digits are allowed"},
    {"10 TFLOPS", "unknown unit `TFLOPS`; write `TFLOP/s`"},
};

TEST(bad_numbers) {
  Arena arena = {0};
  for (size_t i = 0; i < COUNT_OF(bad); i++) {
    Measure m;
    Str why = {"", 0};
    EXPECT(!parse(&arena, bad[i].text, &m, &why));
    EXPECT_STR(why, bad[i].why);
  }
  arena_free(&arena);
}

TEST(shown_again) {
  static const struct {
    Measure measure;
    const char *text;
  } cases[] = {
      {{.dimension = DIMENSION_SIZE, .value = 85899345920}, "80 GiB"},
      {{.dimension = DIMENSION_SIZE, .value = 84942979072}, "84942979072 B"},
      {{.dimension = DIMENSION_SIZE, .value = 1536}, "1.5 KiB"},
      {{.dimension = DIMENSION_SIZE, .value = 0}, "0 B"},
      {{.dimension = DIMENSION_RATE,
        .unit = UNIT_SECONDS,
        .value = 3350000000000},
       "3.35 TB/s"},
      {{.dimension = DIMENSION_RATE,
        .unit = UNIT_SECONDS,
        .value = 23333333333},
       "23.333333333 GB/s"},
      {{.dimension = DIMENSION_RATE, .unit = UNIT_CYCLES, .value = 128},
       "128 B/cyc"},
      {{.dimension = DIMENSION_DURATION, .unit = UNIT_SECONDS, .value = 15100},
       "15.1 ns"},
      {{.dimension = DIMENSION_DURATION, .unit = UNIT_CYCLES, .value = 30},
       "30 cyc"},
      {{.dimension = DIMENSION_FREQUENCY, .value = 1980000000}, "1.98 GHz"},
      {{.dimension = DIMENSION_NUMBER, .value = 132}, "132"},
  };
  Arena arena = {0};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    Text text = text_new(&arena);
    text_measure(&text, cases[i].measure);
    EXPECT_STR(text_str(&text), cases[i].text);
  }
  arena_free(&arena);
}

TEST(heads_of_citations) {
  Arena arena = {0};
  Measure m;
  EXPECT(measure_at_head(&arena, STR("5.5 TB/s, read"), &m));
  EXPECT_EQ(m.value, 5500000000000);
  EXPECT(measure_at_head(&arena, STR("421 ns, 834.5 cycles"), &m));
  EXPECT_EQ(m.value, 421000);
  EXPECT(measure_at_head(&arena, STR("1 TB/s."), &m));
  EXPECT(!measure_at_head(&arena, STR("about 1 TB/s"), &m));
  EXPECT(!measure_at_head(&arena, STR("8 x DDR5"), &m));
  EXPECT(!measure_at_head(&arena, STR(""), &m));
  arena_free(&arena);
}

int main(void) {
  return RUN_TESTS(CASE(good_numbers), CASE(bad_numbers), CASE(shown_again),
                   CASE(heads_of_citations));
}
