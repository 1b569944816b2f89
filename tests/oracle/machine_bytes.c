// SPDX-License-Identifier: Apache-2.0
//
// Bytes of tensors against counting: padded extents are found by stepping up
// one at a time, elements by walking over all of them.

#include "machine/machine.h"
#include "unit/test.h"

enum { ROUNDS = 20000, MOST_RANK = 3 };

typedef struct {
  uint64_t state;
} Random;

static uint64_t below(Random *random, uint64_t limit) {
  random->state ^= random->state << 13;
  random->state ^= random->state >> 7;
  random->state ^= random->state << 17;
  return random->state % limit;
}

static const struct {
  uint32_t bits; // of an element, or of a block
  uint32_t elements;
} kinds[] = {{4, 1},  {6, 1},   {8, 1},       {16, 1},    {32, 1},
             {64, 1}, {128, 1}, {17 * 8, 32}, {9 * 8, 16}};

// n elements of bits / elements bits in words of 32 bits, counted word by word.
static uint64_t words_for(uint64_t n, uint32_t bits, uint32_t elements) {
  if (bits >= 32 * elements)
    return n;
  // Rows of 32-bit units that hold as much as n such rows stand for.
  uint64_t words = 0;
  while (words * bits < n * 32 * elements)
    words++;
  return words;
}

static uint64_t step_up(uint64_t n, uint64_t step) {
  while (n % step != 0)
    n++;
  return n;
}

typedef struct {
  uint64_t lanes, rows, columns, granule;
  bool is_packed;
} Shape;

static void pad(const Shape *memory, uint64_t *extents, uint32_t rank,
                uint32_t bits, uint32_t elements) {
  extents[0] = step_up(extents[0], memory->lanes);
  if (memory->rows == 0)
    return;
  uint64_t *last = &extents[rank - 1];
  if (rank == 1) {
    uint64_t tile = memory->rows * memory->columns;
    uint64_t step =
        *last > tile ? tile : words_for(memory->columns, bits, elements);
    *last = step_up(*last, step);
    return;
  }
  uint64_t *rows = &extents[rank - 2];
  *last = step_up(*last, memory->columns);
  uint64_t needed = words_for(*rows, bits, elements);
  if (memory->is_packed) {
    *rows = step_up(*rows, words_for(memory->rows, bits, elements));
  } else if (needed > memory->rows) {
    *rows = step_up(*rows, memory->rows);
  } else {
    uint64_t power = 1;
    while (power < needed)
      power += power;
    *rows = power > memory->rows ? memory->rows : power;
  }
}

// Rows of the last dim hold whole blocks.
static uint64_t count_bytes(const uint64_t *extents, uint32_t rank,
                            uint32_t bits, uint32_t elements) {
  uint64_t rows = 1;
  for (uint32_t i = 0; i + 1 < rank; i++)
    rows *= extents[i];
  uint64_t units_in_row = 0;
  for (uint64_t i = 0; i < extents[rank - 1]; i += elements)
    units_in_row++;
  uint64_t total_bits = 0;
  for (uint64_t i = 0; i < rows; i++)
    total_bits += units_in_row * bits;
  uint64_t bytes = 0;
  while (bytes * 8 < total_bits)
    bytes += total_bits - bytes * 8 >= 8192 ? 1024 : 1;
  return bytes;
}

static void check_one(Test *test, Random *random) {
  uint64_t extents[MOST_RANK];
  uint64_t padded[MOST_RANK];
  uint32_t rank = 1 + (uint32_t)below(random, MOST_RANK);
  bool is_empty = false;
  for (uint32_t i = 0; i < rank; i++) {
    extents[i] = below(random, 4) == 0 ? below(random, 3) : below(random, 150);
    padded[i] = extents[i];
    is_empty |= extents[i] == 0;
  }
  size_t kind = (size_t)below(random, COUNT_OF(kinds));
  static const uint64_t row_choices[] = {0, 8, 16, 6, 1};
  static const uint64_t column_choices[] = {128, 16, 7};
  Shape shape = {.lanes = 1 + (below(random, 3) == 0) * below(random, 40),
                 .rows = row_choices[below(random, COUNT_OF(row_choices))],
                 .columns =
                     column_choices[below(random, COUNT_OF(column_choices))],
                 .granule = 1 + below(random, 2) * below(random, 300),
                 .is_packed = below(random, 4) == 0};
  Memory memory = {
      .lanes = {.is_set = true, .value = shape.lanes},
      .granule = {.is_set = true, .value = shape.granule},
      .tile_rows = {.is_set = shape.rows != 0, .value = shape.rows},
      .tile_columns = {.is_set = shape.rows != 0, .value = shape.columns},
      .is_packed = shape.is_packed};
  uint32_t bits = kinds[kind].bits;
  uint32_t elements = kinds[kind].elements;
  TensorShape tensor = {.element_bits = bits,
                        .block_elements = elements,
                        .block_bytes = bits / 8,
                        .extents = extents,
                        .rank = rank};
  uint64_t bare = is_empty ? 0 : count_bytes(extents, rank, bits, elements);
  EXPECT_EQ(machine_bare_bytes(&tensor).count, bare);
  uint64_t wanted = 0;
  if (!is_empty) {
    pad(&shape, padded, rank, bits, elements);
    wanted = step_up(count_bytes(padded, rank, bits, elements), shape.granule);
  }
  EXPECT_EQ(machine_padded_bytes(&memory, &tensor).count, wanted);
}

TEST(against_counting) {
  Random random = {UINT64_C(0x2545f4914f6cdd1d)};
  for (int i = 0; i < ROUNDS && test->failures == 0; i++)
    check_one(test, &random);
}

int main(void) { return RUN_TESTS(CASE(against_counting)); }
