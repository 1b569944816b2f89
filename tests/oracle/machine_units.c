// SPDX-License-Identifier: Apache-2.0
//
// Units against schoolbook arithmetic on decimal digits: the mantissa's digits
// times the unit, whose last digits (as many as there are decimals) must be
// zeros.

#include "machine/internal.h"
#include "unit/test.h"

#include <string.h>

enum { ROUNDS = 200000, MOST_DIGITS = 40, NUMBER_DIGITS = 120 };

// Little-endian decimal digits.
typedef struct {
  uint8_t digit[NUMBER_DIGITS];
} Decimal;

static Decimal times_small(Decimal n, unsigned factor) {
  unsigned carry = 0;
  for (int i = 0; i < NUMBER_DIGITS; i++) {
    carry += n.digit[i] * factor;
    n.digit[i] = (uint8_t)(carry % 10);
    carry /= 10;
  }
  CHECK(carry == 0);
  return n;
}

static int length_of(const Decimal *n) {
  int length = NUMBER_DIGITS;
  while (length > 0 && n->digit[length - 1] == 0)
    length--;
  return length;
}

// The digits above `shift` as a number of 64 bits; false: it does not fit.
static bool to_u64(const Decimal *n, int shift, uint64_t *value) {
  static const char limit[] = "18446744073709551615";
  int length = length_of(n) - shift;
  if (length > 20)
    return false;
  *value = 0;
  bool is_below = length < 20;
  for (int i = length; i-- > 0;) {
    unsigned digit = n->digit[i + shift];
    unsigned most = (unsigned)(limit[length - 1 - i] - '0');
    if (!is_below && digit > most)
      return false;
    is_below = is_below || digit < most;
    *value = *value * 10 + digit;
  }
  return true;
}

typedef struct {
  uint64_t state;
} Random;

static uint64_t next(Random *random) {
  random->state ^= random->state << 13;
  random->state ^= random->state >> 7;
  random->state ^= random->state << 17;
  return random->state;
}

static uint64_t below(Random *random, uint64_t limit) {
  return next(random) % limit;
}

static const struct {
  const char *word;
  int twos;
  int tens;
} units[] = {
#define UNIT(word, dimension, twos, tens) {#word, twos, tens},
#include "machine/unit.def"
#undef UNIT
};

// A mantissa: often of few digits, often with a tail that comes out exactly.
static size_t make_number(Random *random, char *text, int *decimals) {
  size_t length = 0;
  size_t whole = 1 + below(random, 4);
  if (below(random, 20) == 0)
    whole = 1 + below(random, 24);
  for (size_t i = 0; i < whole; i++)
    text[length++] = (char)('0' + (int)below(random, 10));
  *decimals = 0;
  if (below(random, 3) == 0)
    return length;
  text[length++] = '.';
  static const char *const tails[] = {"5",   "25",  "125",      "0625", "75",
                                      "000", "500", "03125000", "1",    "2"};
  if (below(random, 2) == 0) {
    const char *tail = tails[below(random, COUNT_OF(tails))];
    memcpy(text + length, tail, strlen(tail));
    *decimals = (int)strlen(tail);
  } else {
    *decimals = 1 + (int)below(random, 14);
    for (int i = 0; i < *decimals; i++)
      text[length + (size_t)i] = (char)('0' + (int)below(random, 10));
  }
  return length + (size_t)*decimals;
}

static Decimal read_digits(const char *text, size_t length) {
  Decimal n = {{0}};
  int at = 0;
  for (size_t i = length; i-- > 0;) {
    if (text[i] != '.')
      n.digit[at++] = (uint8_t)(text[i] - '0');
  }
  return n;
}

static void check_one(Test *test, Random *random, unsigned *exact) {
  char text[MOST_DIGITS + 1];
  int decimals;
  size_t length = make_number(random, text, &decimals);
  size_t u = (size_t)below(random, COUNT_OF(units));
  Decimal value = read_digits(text, length);
  for (int i = 0; i < units[u].twos; i++)
    value = times_small(value, 2);
  for (int i = 0; i < units[u].tens; i++)
    value = times_small(value, 10);
  bool is_whole = true;
  for (int i = 0; i < decimals; i++)
    is_whole = is_whole && value.digit[i] == 0;
  uint64_t wanted = 0;
  bool is_good = is_whole && to_u64(&value, decimals, &wanted);
  Arena arena = {0};
  Measure measure;
  Str why;
  Str empty = {"", 0};
  bool is_read = measure_parse(&arena, (Str){text, length},
                               str_from(units[u].word), empty, &measure, &why);
  bool agrees = is_read == is_good && (!is_read || measure.value == wanted);
  if (!EXPECT(agrees))
    printf("  %.*s %s\n", (int)length, text, units[u].word);
  *exact += is_good;
  arena_free(&arena);
}

TEST(against_schoolbook) {
  Random random = {UINT64_C(0x9e3779b97f4a7c15)};
  unsigned exact = 0;
  for (int i = 0; i < ROUNDS && test->failures == 0; i++)
    check_one(test, &random, &exact);
  // The cases are no trivial ones.
  EXPECT(exact > ROUNDS / 4);
  EXPECT(exact < ROUNDS - ROUNDS / 20);
}

int main(void) { return RUN_TESTS(CASE(against_schoolbook)); }
