// SPDX-License-Identifier: Apache-2.0

#include "unit/test.h"

#include <string.h>

static bool is_all(const char *bytes, size_t count, char value) {
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] != value)
      return false;
  }
  return true;
}

TEST(blocks_are_zero_and_aligned) {
  Arena arena = {0};
  for (size_t align = 1; align <= 4096; align *= 2) {
    for (size_t bytes = 0; bytes < 200; bytes += 37) {
      char *block = arena_alloc(&arena, bytes, align);
      EXPECT(block != NULL);
      EXPECT_EQ((uintptr_t)block % align, 0);
      EXPECT(is_all(block, bytes, 0));
      memset(block, 0x55, bytes);
    }
  }
  arena_free(&arena);
  EXPECT_EQ(arena.total, 0);
}

TEST(blocks_do_not_overlap) {
  enum { COUNT = 3000 };
  Arena arena = {0};
  unsigned char **blocks = ARENA_ARRAY(&arena, unsigned char *, COUNT);
  for (size_t i = 0; i < COUNT; i++) {
    size_t bytes = i % 97 == 0 ? 70000 : 1 + i % 61;
    blocks[i] = arena_alloc(&arena, bytes, 1);
    memset(blocks[i], (int)(i & 0xff), bytes);
  }
  for (size_t i = 0; i < COUNT; i++) {
    size_t bytes = i % 97 == 0 ? 70000 : 1 + i % 61;
    EXPECT(is_all((char *)blocks[i], bytes, (char)(i & 0xff)));
  }
  EXPECT(arena.total > 31 * 70000);
  arena_free(&arena);
}

// Through the border between small and large blocks, with other blocks between.
TEST(growing_keeps_the_bytes) {
  Arena arena = {0};
  for (size_t align = 1; align <= 64; align *= 4) {
    size_t size = 10;
    unsigned char *block = arena_alloc(&arena, size, align);
    memset(block, 7, size);
    while (size < 3000000) {
      size_t larger = size * 3 + 1;
      block = arena_grow(&arena, block, size, larger, align);
      EXPECT_EQ((uintptr_t)block % align, 0);
      EXPECT(is_all((char *)block, size, 7));
      EXPECT(is_all((char *)block + size, larger - size, 0));
      memset(block, 7, larger);
      size = larger;
      if (size % 2 == 0)
        memset(arena_alloc(&arena, 100000, 1), 9, 100000);
      memset(arena_alloc(&arena, 3, 1), 9, 3);
    }
  }
  arena_free(&arena);
}

TEST(a_large_block_grows_without_waste) {
  Arena arena = {0};
  size_t size = 100000;
  void *block = arena_alloc(&arena, size, 8);
  void *other = arena_alloc(&arena, size, 8);
  for (int i = 0; i < 50; i++) {
    block = arena_grow(&arena, block, size, size + 100000, 8);
    size += 100000;
  }
  EXPECT(other != NULL && block != NULL);
  EXPECT(arena.total < size + 200000);
  arena_free(&arena);
}

int main(void) {
  return RUN_TESTS(CASE(blocks_are_zero_and_aligned),
                   CASE(blocks_do_not_overlap), CASE(growing_keeps_the_bytes),
                   CASE(a_large_block_grows_without_waste));
}
