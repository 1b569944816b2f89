// SPDX-License-Identifier: Apache-2.0
//
// Exact integers against schoolbook arithmetic on base-256 digits, and the
// carriers of bytes against it, on random input with a fixed seed.

#include "unit/test.h"

#include <string.h>

enum { DIGITS = 40, ROUNDS = 200000 };

// Little-endian digits of a natural number.
typedef struct {
  uint8_t digit[DIGITS];
} Natural;

static Natural from_u128(Uint128 value) {
  Natural n = {{0}};
  for (int i = 0; i < 16; i++)
    n.digit[i] = (uint8_t)(value >> (8 * i));
  return n;
}

static Natural add(Natural a, Natural b) {
  unsigned carry = 0;
  for (int i = 0; i < DIGITS; i++) {
    carry += a.digit[i] + (unsigned)b.digit[i];
    a.digit[i] = (uint8_t)carry;
    carry >>= 8;
  }
  return a;
}

static Natural multiply(Natural a, Natural b) {
  Natural product = {{0}};
  for (int i = 0; i < DIGITS; i++) {
    unsigned carry = 0;
    for (int j = 0; i + j < DIGITS; j++) {
      carry += product.digit[i + j] + (unsigned)a.digit[i] * b.digit[j];
      product.digit[i + j] = (uint8_t)carry;
      carry >>= 8;
    }
  }
  return product;
}

static int compare(Natural a, Natural b) {
  for (int i = DIGITS; i-- > 0;) {
    if (a.digit[i] != b.digit[i])
      return a.digit[i] < b.digit[i] ? -1 : 1;
  }
  return 0;
}

static bool fits(Natural n, int bits) {
  for (int i = bits / 8; i < DIGITS; i++) {
    if (n.digit[i] != 0)
      return false;
  }
  return true;
}

// Numbers of every length, often at the borders of their range.
static uint64_t some_u64(uint64_t *state) {
  uint64_t shape = test_random(state);
  uint64_t value = test_random(state) >> (shape % 64);
  switch (shape >> 61) {
  case 0:
    return UINT64_MAX - value % 3;
  case 1:
    return (UINT64_C(1) << (shape % 64)) - value % 2;
  default:
    return value;
  }
}

static Uint128 some_u128(uint64_t *state) {
  Uint128 high = test_random(state) % 2 == 0 ? 0 : some_u64(state);
  return high << 64 | some_u64(state);
}

TEST(unsigned_sums_and_products) {
  uint64_t state = 1;
  unsigned wrong = 0;
  for (int i = 0; i < ROUNDS / 4; i++) {
    uint64_t a = some_u64(&state);
    uint64_t b = some_u64(&state);
    uint64_t result = 99;
    Natural exact = add(from_u128(a), from_u128(b));
    bool is_exact = add_u64(a, b, &result);
    wrong += is_exact != fits(exact, 64);
    wrong += compare(from_u128(result), is_exact ? exact : from_u128(99)) != 0;
    exact = multiply(from_u128(a), from_u128(b));
    result = 99;
    is_exact = mul_u64(a, b, &result);
    wrong += is_exact != fits(exact, 64);
    wrong += compare(from_u128(result), is_exact ? exact : from_u128(99)) != 0;
    result = 99;
    is_exact = sub_u64(a, b, &result);
    wrong += is_exact != (a >= b);
    wrong += is_exact &&
             compare(add(from_u128(result), from_u128(b)), from_u128(a)) != 0;
  }
  EXPECT_EQ(wrong, 0);
}

TEST(wide_sums_and_products) {
  uint64_t state = 2;
  unsigned wrong = 0;
  unsigned overflows = 0;
  for (int i = 0; i < ROUNDS / 4; i++) {
    Uint128 a = some_u128(&state);
    Uint128 b = some_u128(&state);
    Uint128 result = 99;
    Natural exact = add(from_u128(a), from_u128(b));
    bool is_exact = add_u128(a, b, &result);
    wrong += is_exact != fits(exact, 128);
    wrong += compare(from_u128(result), is_exact ? exact : from_u128(99)) != 0;
    exact = multiply(from_u128(a), from_u128(b));
    result = 99;
    is_exact = mul_u128(a, b, &result);
    wrong += is_exact != fits(exact, 128);
    wrong += compare(from_u128(result), is_exact ? exact : from_u128(99)) != 0;
    overflows += !is_exact;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT(overflows > 1000);
}

static Uint128 magnitude(Int128 value) {
  return value < 0 ? ~(Uint128)value + 1 : (Uint128)value;
}

// Whether `result` is the number with this sign and magnitude.
static bool is_number(Int128 result, bool is_negative, Natural size) {
  return compare(from_u128(magnitude(result)), size) == 0 &&
         (result == 0 || (result < 0) == is_negative);
}

TEST(signed_products) {
  uint64_t state = 3;
  unsigned wrong = 0;
  const Natural border = from_u128((Uint128)1 << 127);
  const Int128 least = -(Int128)(((Uint128)1 << 127) - 1) - 1;
  for (int i = 0; i < ROUNDS / 4; i++) {
    Int128 a = i % 50 == 0 ? least : (Int128)some_u128(&state);
    Int128 b = i % 70 == 0 ? (Int128)(i % 3) - 1 : (Int128)some_u128(&state);
    bool is_negative = (a < 0) != (b < 0);
    Natural exact = multiply(from_u128(magnitude(a)), from_u128(magnitude(b)));
    int side = compare(exact, border);
    Int128 result = 99;
    bool is_exact = mul_i128(a, b, &result);
    wrong += is_exact != (side < 0 || (side == 0 && is_negative));
    wrong += is_exact ? !is_number(result, is_negative, exact) : result != 99;
  }
  EXPECT_EQ(wrong, 0);
  Int128 result = 99;
  EXPECT(mul_i128(least, 1, &result) && result == least);
  EXPECT(!mul_i128(least, -1, &result) && result == least);
  EXPECT(!add_i128(least, -1, &result) && !sub_i128(least, 1, &result));
  EXPECT(add_i128(least, 1, &result) && result == least + 1);
}

// q = ceil(a * b / c) exactly when (q - 1) * c < a * b <= q * c.
static bool is_ceiling(uint64_t a, uint64_t b, uint64_t c, Uint128 q) {
  Natural product = multiply(from_u128(a), from_u128(b));
  if (compare(product, multiply(from_u128(q), from_u128(c))) > 0)
    return false;
  return q == 0 ||
         compare(multiply(from_u128(q - 1), from_u128(c)), product) < 0;
}

TEST(mul_div_ceil_is_exact) {
  uint64_t state = 4;
  unsigned wrong = 0;
  unsigned overflows = 0;
  for (int i = 0; i < ROUNDS; i++) {
    uint64_t a = some_u64(&state);
    uint64_t b = some_u64(&state);
    uint64_t c = some_u64(&state);
    if (c == 0)
      c = 1;
    uint64_t q = 0;
    if (mul_div_ceil(a, b, c, &q)) {
      wrong += !is_ceiling(a, b, c, q);
      continue;
    }
    overflows++;
    // Right to refuse only if even the largest result is too small.
    Natural most = multiply(from_u128(UINT64_MAX), from_u128(c));
    wrong += compare(multiply(from_u128(a), from_u128(b)), most) <= 0;
    wrong += q != 0;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT(overflows > 1000);
}

TEST(rounding) {
  uint64_t state = 5;
  unsigned wrong = 0;
  for (int i = 0; i < ROUNDS; i++) {
    uint64_t a = some_u64(&state);
    uint64_t step = some_u64(&state);
    if (step == 0)
      step = 7;
    uint64_t down = round_down_u64(a, step);
    wrong += down > a || down % step != 0 || a - down >= step;
    uint64_t up = 0;
    Uint128 exact = down == a ? (Uint128)a : (Uint128)down + step;
    wrong += round_up_u64(a, step, &up) != (exact <= UINT64_MAX);
    wrong += exact <= UINT64_MAX && up != exact;
  }
  EXPECT_EQ(wrong, 0);
}

TEST(bytes_saturate) {
  uint64_t state = 6;
  unsigned wrong = 0;
  for (int i = 0; i < ROUNDS / 4; i++) {
    uint64_t a = some_u64(&state);
    uint64_t b = some_u64(&state);
    Bytes sum = bytes_add(BYTES(a), BYTES(b));
    Natural exact = add(from_u128(a), from_u128(b));
    wrong += sum.beyond == fits(exact, 64);
    wrong += !sum.beyond && compare(from_u128(sum.count), exact) != 0;
    Bytes product = bytes_mul(BYTES(a), b);
    exact = multiply(from_u128(a), from_u128(b));
    wrong += product.beyond == fits(exact, 64);
    wrong += !product.beyond && compare(from_u128(product.count), exact) != 0;
  }
  EXPECT_EQ(wrong, 0);
  Bytes beyond = bytes_mul(BYTES(UINT64_MAX), 2);
  EXPECT(beyond.beyond && beyond.count == UINT64_MAX);
  EXPECT(bytes_add(beyond, BYTES(0)).beyond);
  EXPECT(bytes_round_up(beyond, 1).beyond);
  EXPECT(bytes_round_up(BYTES(UINT64_MAX), 2).beyond);
  EXPECT(!bytes_mul(beyond, 0).beyond);
  EXPECT(bytes_over(beyond, UINT64_MAX));
  EXPECT(!bytes_over(BYTES(UINT64_MAX), UINT64_MAX));
  EXPECT(bytes_over(BYTES(2), 1) && !bytes_over(BYTES(1), 1));
}

// Decimal digits of the oracle, by division of its base-256 digits.
static void decimal(Natural n, char *out) {
  char digits[DIGITS * 3];
  int count = 0;
  do {
    unsigned rest = 0;
    for (int i = DIGITS; i-- > 0;) {
      rest = rest << 8 | n.digit[i];
      n.digit[i] = (uint8_t)(rest / 10);
      rest %= 10;
    }
    digits[count++] = (char)('0' + (int)rest);
  } while (compare(n, from_u128(0)) != 0);
  for (int i = 0; i < count; i++)
    out[i] = digits[count - 1 - i];
  out[count] = '\0';
}

TEST(decimal_texts) {
  Arena arena = {0};
  uint64_t state = 7;
  unsigned wrong = 0;
  for (int i = 0; i < 5000; i++) {
    Uint128 value = i == 0 ? 0 : i == 1 ? ~(Uint128)0 : some_u128(&state);
    char expected[DIGITS * 3 + 1];
    decimal(from_u128(value), expected);
    Text text = text_new(&arena);
    text_u128(&text, value);
    wrong += strcmp(text_str(&text).data, expected) != 0;
  }
  EXPECT_EQ(wrong, 0);
  Text text = text_new(&arena);
  text_i128(&text, -(Int128)(((Uint128)1 << 127) - 1) - 1);
  EXPECT_STR(text_str(&text), "-170141183460469231731687303715884105728");
  text = text_new(&arena);
  text_bytes(&text, bytes_mul(BYTES(UINT64_MAX), 2));
  EXPECT_STR(text_str(&text), "more than 18446744073709551615");
  arena_free(&arena);
}

int main(void) {
  return RUN_TESTS(CASE(unsigned_sums_and_products),
                   CASE(wide_sums_and_products), CASE(signed_products),
                   CASE(mul_div_ceil_is_exact), CASE(rounding),
                   CASE(bytes_saturate), CASE(decimal_texts));
}
