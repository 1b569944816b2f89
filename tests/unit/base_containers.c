// SPDX-License-Identifier: Apache-2.0

#include "unit/test.h"

TEST(vec_keeps_what_is_pushed) {
  Arena arena = {0};
  U32Vec numbers = {0};
  VEC(char) letters = {0};
  for (uint32_t i = 0; i < 100000; i++) {
    VEC_PUSH(&arena, &numbers, i * 3);
    if (i % 50 == 0)
      VEC_PUSH(&arena, &letters, (char)('a' + i % 26));
  }
  EXPECT_EQ(numbers.count, 100000);
  EXPECT_EQ(VEC_LAST(&numbers), 99999 * 3);
  bool is_kept = true;
  for (uint32_t i = 0; i < numbers.count; i++)
    is_kept = is_kept && numbers.items[i] == i * 3;
  for (uint32_t i = 0; i < letters.count; i++)
    is_kept = is_kept && letters.items[i] == (char)('a' + i * 50 % 26);
  EXPECT(is_kept);
  arena_free(&arena);
}

TEST(vec_extends_with_zeros) {
  Arena arena = {0};
  U32Vec numbers = {0};
  VEC_PUSH(&arena, &numbers, 9u);
  VEC_EXTEND(&arena, &numbers, 1000);
  EXPECT_EQ(numbers.count, 1001);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < numbers.count; i++)
    sum += numbers.items[i];
  EXPECT_EQ(sum, 9);
  arena_free(&arena);
}

TEST(vec_aligns_its_items) {
  Arena arena = {0};
  typedef struct {
    uint64_t a;
    uint32_t b;
  } Pair;
  VEC(Pair) pairs = {0};
  (void)arena_alloc(&arena, 1, 1);
  VEC_PUSH(&arena, &pairs, (Pair){1, 2});
  EXPECT_EQ((uintptr_t)pairs.items % _Alignof(Pair), 0);
  arena_free(&arena);
}

TEST(map_finds_what_was_put) {
  Arena arena = {0};
  Map map = {0};
  uint64_t value = 77;
  EXPECT(!map_get(&map, 5, &value));
  EXPECT_EQ(value, 77);
  for (uint64_t i = 0; i < 20000; i++)
    map_put(&arena, &map, i << 32, i); // equal in their low halves
  for (uint64_t i = 0; i < 20000; i += 2)
    map_put(&arena, &map, i << 32, i + 1);
  EXPECT_EQ(map.count, 20000);
  bool is_right = true;
  for (uint64_t i = 0; i < 20000; i++)
    is_right = is_right && map_get(&map, i << 32, &value) &&
               value == (i % 2 == 0 ? i + 1 : i);
  EXPECT(is_right);
  EXPECT(!map_get(&map, 1, &value));
  arena_free(&arena);
}

TEST(hash_depends_on_every_byte) {
  char bytes[33] = "0123456789abcdefghijklmnopqrstuv";
  for (size_t length = 0; length <= 32; length++) {
    uint64_t hash = hash_bytes(bytes, length, 1);
    EXPECT(hash != hash_bytes(bytes, length, 2));
    for (size_t i = 0; i < length; i++) {
      bytes[i] = (char)(bytes[i] ^ 1);
      EXPECT(hash != hash_bytes(bytes, length, 1));
      bytes[i] = (char)(bytes[i] ^ 1);
    }
    EXPECT_EQ(hash, hash_bytes(bytes, length, 1));
  }
}

TEST(bitset_is_a_set) {
  Arena arena = {0};
  Bitset odd = bitset_new(&arena, 200);
  Bitset other = bitset_new(&arena, 200);
  for (uint32_t bit = 1; bit < 200; bit += 2)
    bitset_add(&odd, bit);
  EXPECT_EQ(bitset_count(&odd), 100);
  EXPECT(bitset_has(&odd, 199) && !bitset_has(&odd, 198));
  bitset_add(&other, 64);
  bitset_add(&other, 1);
  EXPECT(bitset_union(&odd, &other));
  EXPECT(!bitset_union(&odd, &other));
  EXPECT_EQ(bitset_count(&odd), 101);
  bitset_remove(&odd, 64);
  EXPECT(!bitset_has(&odd, 64));
  bitset_copy(&other, &odd);
  EXPECT_EQ(bitset_count(&other), 100);
  bitset_clear(&other);
  EXPECT_EQ(bitset_count(&other), 0);
  arena_free(&arena);
}

TEST(bitset_next_walks_the_members) {
  Arena arena = {0};
  const uint32_t members[] = {0, 63, 64, 127, 190, 191};
  Bitset set = bitset_new(&arena, 192);
  EXPECT_EQ(bitset_next(&set, 0), 192);
  for (size_t i = 0; i < COUNT_OF(members); i++)
    bitset_add(&set, members[i]);
  uint32_t at = 0;
  for (size_t i = 0; i < COUNT_OF(members); i++) {
    at = bitset_next(&set, at);
    EXPECT_EQ(at, members[i]);
    at++;
  }
  EXPECT_EQ(bitset_next(&set, at), 192);
  Bitset empty = bitset_new(&arena, 0);
  EXPECT_EQ(bitset_next(&empty, 0), 0);
  arena_free(&arena);
}

TEST(names_are_equal_when_texts_are) {
  Arena arena = {0};
  Interner interner;
  interner_init(&interner, &arena);
  Name first = intern_c(&interner, "tile");
  EXPECT(first.index != 0);
  EXPECT(name_equal(first, intern(&interner, str_slice(STR("tiles"), 0, 4))));
  for (int i = 0; i < 5000; i++)
    (void)intern(&interner, str_format(&arena, "name%d", i));
  EXPECT(name_equal(first, intern_c(&interner, "tile")));
  EXPECT(!name_equal(first, intern_c(&interner, "")));
  EXPECT_STR(name_text(&interner, first), "tile");
  Name last = intern_c(&interner, "name4999");
  EXPECT_STR(name_text(&interner, last), "name4999");
  EXPECT_EQ(interner.texts.count, 5003);
  arena_free(&arena);
}

int main(void) {
  return RUN_TESTS(CASE(vec_keeps_what_is_pushed), CASE(vec_extends_with_zeros),
                   CASE(vec_aligns_its_items), CASE(map_finds_what_was_put),
                   CASE(hash_depends_on_every_byte), CASE(bitset_is_a_set),
                   CASE(bitset_next_walks_the_members),
                   CASE(names_are_equal_when_texts_are));
}
