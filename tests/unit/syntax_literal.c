// SPDX-License-Identifier: Apache-2.0

#include "syntax/syntax.h"
#include "unit/test.h"

static IntegerValue integer(Arena *arena, const char *text) {
  return literal_integer(arena, str_from(text));
}

TEST(integers) {
  Arena arena = {0};
  EXPECT_EQ(integer(&arena, "1_000").value, 1000);
  EXPECT_EQ(integer(&arena, "0xFF").value, 255);
  EXPECT_EQ(integer(&arena, "0b1010").value, 10);
  EXPECT_EQ(integer(&arena, "0o17").value, 15);
  EXPECT_EQ(integer(&arena, "007").value, 7);
  EXPECT_STR(integer(&arena, "12i64").suffix, "i64");
  EXPECT_STR(integer(&arena, "0x1f_u8").suffix, "u8");
  EXPECT_STR(integer(&arena, "12").suffix, "");
  EXPECT_STR(integer(&arena, "40KiB").suffix, "KiB");
  arena_free(&arena);
}

TEST(integers_of_128_bits) {
  Arena arena = {0};
  IntegerValue most =
      integer(&arena, "340282366920938463463374607431768211455");
  EXPECT(!most.overflow);
  EXPECT(most.value == ~(Uint128)0);
  EXPECT(integer(&arena, "340282366920938463463374607431768211456").overflow);
  EXPECT(integer(&arena, "0x100000000000000000000000000000000").overflow);
  EXPECT(!integer(&arena, "0xffffffffffffffffffffffffffffffff").overflow);
  arena_free(&arena);
}

TEST(floats) {
  Arena arena = {0};
  FloatValue value = literal_float(&arena, STR("1_0.5e-3bf16"));
  EXPECT_STR(value.digits, "10.5e-3");
  EXPECT_STR(value.suffix, "bf16");
  EXPECT_EQ(value.digits.data[value.digits.length], 0); // for strtod
  value = literal_float(&arena, STR("3f32"));
  EXPECT_STR(value.digits, "3");
  EXPECT_STR(value.suffix, "f32");
  arena_free(&arena);
}

TEST(strings) {
  Arena arena = {0};
  EXPECT_STR(literal_string(&arena, STR("\"\"")), "");
  EXPECT_STR(literal_string(&arena, STR("\"a\\n\\t\\r\\\"\\\\b\"")),
             "a\n\t\r\"\\b");
  Str bytes = literal_string(&arena, STR("\"\\0\\x41\\xff\""));
  EXPECT_EQ(bytes.length, 3);
  EXPECT_EQ(bytes.data[0], 0);
  EXPECT_EQ((unsigned char)bytes.data[2], 0xff);
  arena_free(&arena);
}

TEST(malformed_text_is_read_as_far_as_it_goes) {
  Arena arena = {0};
  EXPECT_EQ(integer(&arena, "0b12").value, 1);
  EXPECT_EQ(integer(&arena, "0x").value, 0);
  EXPECT_STR(literal_float(&arena, STR("1e")).digits, "1");
  EXPECT_STR(literal_string(&arena, STR("\"a\\")), "a\\");
  EXPECT_STR(literal_string(&arena, STR("\"\\x4")), "\x04");
  arena_free(&arena);
}

int main(void) {
  return RUN_TESTS(CASE(integers), CASE(integers_of_128_bits), CASE(floats),
                   CASE(strings),
                   CASE(malformed_text_is_read_as_far_as_it_goes));
}
