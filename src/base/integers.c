// SPDX-License-Identifier: Apache-2.0
//
// Exact integers. Nothing here wraps: an operation fails or saturates.

#include "base/base.h"

#define DEFINE_CHECKED(name, Type, builtin)                                    \
  bool name(Type a, Type b, Type *result) {                                    \
    Type exact;                                                                \
    if (builtin(a, b, &exact))                                                 \
      return false;                                                            \
    *result = exact;                                                           \
    return true;                                                               \
  }

DEFINE_CHECKED(add_u64, uint64_t, __builtin_add_overflow)
DEFINE_CHECKED(sub_u64, uint64_t, __builtin_sub_overflow)
DEFINE_CHECKED(mul_u64, uint64_t, __builtin_mul_overflow)
DEFINE_CHECKED(add_u128, Uint128, __builtin_add_overflow)
DEFINE_CHECKED(add_i128, Int128, __builtin_add_overflow)
DEFINE_CHECKED(sub_i128, Int128, __builtin_sub_overflow)

// By hand: clang calls __muloti4 for signed 128-bit products, which libgcc
// does not have.
bool mul_u128(Uint128 a, Uint128 b, Uint128 *result) {
  if (a != 0 && b > ~(Uint128)0 / a)
    return false;
  *result = a * b;
  return true;
}

static Uint128 magnitude(Int128 value) {
  Uint128 bits = (Uint128)value;
  return value < 0 ? ~bits + 1 : bits;
}

bool mul_i128(Int128 a, Int128 b, Int128 *result) {
  Uint128 product;
  if (!mul_u128(magnitude(a), magnitude(b), &product))
    return false;
  const Uint128 sign_bit = (Uint128)1 << 127;
  bool is_negative = (a < 0) != (b < 0);
  if (!is_negative) {
    if (product >= sign_bit)
      return false;
    *result = (Int128)product;
    return true;
  }
  if (product > sign_bit)
    return false;
  // -2^127 has no positive partner: go through its neighbour.
  *result = product == 0 ? 0 : -(Int128)(product - 1) - 1;
  return true;
}

bool mul_div_ceil(uint64_t a, uint64_t b, uint64_t c, uint64_t *result) {
  CHECK(c > 0);
  Uint128 product = (Uint128)a * b; // below 2^128
  Uint128 quotient = product / c + (product % c != 0);
  if (quotient > UINT64_MAX)
    return false;
  *result = (uint64_t)quotient;
  return true;
}

bool round_up_u64(uint64_t a, uint64_t step, uint64_t *result) {
  CHECK(step > 0);
  uint64_t over = a % step;
  return add_u64(a, over == 0 ? 0 : step - over, result);
}

uint64_t round_down_u64(uint64_t a, uint64_t step) {
  CHECK(step > 0);
  return a - a % step;
}

static Bytes bytes_beyond(void) { return (Bytes){UINT64_MAX, true}; }

Bytes bytes_add(Bytes a, Bytes b) {
  uint64_t sum;
  if (a.beyond || b.beyond || !add_u64(a.count, b.count, &sum))
    return bytes_beyond();
  return BYTES(sum);
}

Bytes bytes_mul(Bytes a, uint64_t times) {
  if (times == 0)
    return BYTES(0);
  uint64_t product;
  if (a.beyond || !mul_u64(a.count, times, &product))
    return bytes_beyond();
  return BYTES(product);
}

Bytes bytes_round_up(Bytes a, uint64_t step) {
  uint64_t rounded;
  if (a.beyond || !round_up_u64(a.count, step, &rounded))
    return bytes_beyond();
  return BYTES(rounded);
}

bool bytes_over(Bytes a, uint64_t limit) { return a.beyond || a.count > limit; }
