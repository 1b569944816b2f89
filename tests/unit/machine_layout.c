// SPDX-License-Identifier: Apache-2.0
//
// Bytes of tensors, limits of memories.

#include "unit/machine_fixture.h"
#include "unit/test.h"

// Padded bytes in a memory with these fields.
static Bytes padded(const char *fields, TensorShape shape) {
  Fixture f;
  fixture_start(&f);
  Str text = str_format(&f.arena, "Memory S { %s }", fields);
  fixture_add(&f, MACHINE_INPUT_FILE, "s.vx", text);
  fixture_build(&f);
  CHECK(f.sink.records.count == 0);
  MemoryId memory = fixture_memory(&f, "S");
  Bytes bytes = machine_padded_bytes(machine_memory(f.machine, memory), &shape);
  fixture_end(&f);
  return bytes;
}

#define SHAPE(bits, ...)                                                       \
  ((TensorShape){.element_bits = (bits),                                       \
                 .extents = (const uint64_t[]){__VA_ARGS__},                   \
                 .rank = COUNT_OF(((const uint64_t[]){__VA_ARGS__}))})
#define BLOCKS(elements, bytes, ...)                                           \
  ((TensorShape){.element_bits = 4,                                            \
                 .block_elements = (elements),                                 \
                 .block_bytes = (bytes),                                       \
                 .extents = (const uint64_t[]){__VA_ARGS__},                   \
                 .rank = COUNT_OF(((const uint64_t[]){__VA_ARGS__}))})

static uint64_t bare(TensorShape shape) {
  Bytes bytes = machine_bare_bytes(&shape);
  return bytes.beyond ? UINT64_MAX : bytes.count;
}

TEST(bare_bytes) {
  EXPECT_EQ(bare(SHAPE(32, 256, 256)), 262144);
  EXPECT_EQ(bare(SHAPE(16, 51200, 524288)), UINT64_C(53687091200));
  EXPECT_EQ(bare(SHAPE(4, 3)), 2);
  EXPECT_EQ(bare(SHAPE(6, 3)), 3);
  EXPECT_EQ(bare(SHAPE(6, 4, 1)), 3);
  EXPECT_EQ(bare(SHAPE(8, 1)), 1);
  EXPECT_EQ(bare(SHAPE(128, 2)), 32);
  EXPECT_EQ(bare(SHAPE(32, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX)), 0);
  EXPECT_EQ(bare((TensorShape){.element_bits = 32}), 4);
  EXPECT_EQ(bare(BLOCKS(32, 17, 2, 64)), 68);
}

TEST(beyond_64_bits) {
  TensorShape shape = SHAPE(32, UINT64_C(1) << 62, 1);
  EXPECT(machine_bare_bytes(&shape).beyond);
  shape = SHAPE(8, UINT64_MAX);
  EXPECT(!machine_bare_bytes(&shape).beyond);
  EXPECT_EQ(machine_bare_bytes(&shape).count, UINT64_MAX);
  shape = SHAPE(4, UINT64_MAX, 2);
  EXPECT_EQ(machine_bare_bytes(&shape).count, UINT64_MAX);
  shape = SHAPE(8, UINT64_MAX, 2);
  EXPECT(machine_bare_bytes(&shape).beyond);
  shape = SHAPE(8, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX);
  EXPECT(machine_bare_bytes(&shape).beyond);
  EXPECT(padded("granule: 2 B", SHAPE(8, UINT64_MAX)).beyond);
  EXPECT(padded("tiling: [8, 128]", SHAPE(32, 1, UINT64_MAX)).beyond);
}

TEST(tiling_of_the_reference) {
  const char *tiling = "tiling: [8, 128]";
  EXPECT_EQ(padded(tiling, SHAPE(32, 128, 3)).count, 65536);
  EXPECT_EQ(padded(tiling, SHAPE(16, 2, 8192)).count, 65536);
  EXPECT_EQ(padded(tiling, SHAPE(8, 1, 128)).count, 4 * 128);
  EXPECT_EQ(padded(tiling, SHAPE(32, 2048)).count, 2048 * 4);
  EXPECT_EQ(padded(tiling, SHAPE(16, 128)).count, 256 * 2);
  EXPECT_EQ(padded(tiling, SHAPE(32, 3, 128)).count, 4 * 128 * 4);
  EXPECT_EQ(padded(tiling, SHAPE(32, 9, 1)).count, 16 * 128 * 4);
  EXPECT_EQ(padded(tiling, SHAPE(64, 5, 100)).count, 8 * 128 * 8);
  EXPECT_EQ(padded(tiling, SHAPE(32, 1025)).count, 2048 * 4);
  EXPECT_EQ(padded(tiling, SHAPE(32, 7, 0)).count, 0);
  EXPECT_EQ(padded(tiling, (TensorShape){.element_bits = 32}).count, 128 * 4);
  // 6 bits: n = ceil(3 x 32 / 6) = 16 > 8, so 3 goes up to 8 rows.
  EXPECT_EQ(padded(tiling, SHAPE(6, 3, 128)).count, 8 * 128 * 6 / 8);
  // Only the last two of three dims.
  EXPECT_EQ(padded(tiling, SHAPE(32, 5, 3, 3)).count, 5 * 4 * 128 * 4);
}

TEST(packed_tiling) {
  const char *tiling = "tiling: [8, 128] packed";
  EXPECT_EQ(padded(tiling, SHAPE(16, 2, 128)).count, 16 * 128 * 2);
  EXPECT_EQ(padded(tiling, SHAPE(8, 33, 128)).count, 64 * 128);
  EXPECT_EQ(padded(tiling, SHAPE(32, 9, 128)).count, 16 * 128 * 4);
}

TEST(lanes_and_granule) {
  EXPECT_EQ(padded("lanes: 128", SHAPE(32, 100, 5)).count, 128 * 5 * 4);
  EXPECT_EQ(padded("lanes: 128", SHAPE(32, 129)).count, 256 * 4);
  EXPECT_EQ(padded("granule: 1 KiB", SHAPE(8, 1025)).count, 2048);
  EXPECT_EQ(padded("lanes: 32, tiling: [8, 128]", SHAPE(32, 1, 1)).count,
            32 * 128 * 4);
  EXPECT_EQ(padded("lanes: 32, granule: 1 KiB", SHAPE(8, 0, 4)).count, 0);
}

TEST(padded_extents) {
  Fixture f;
  fixture_text(&f, "Memory S { lanes: 16, tiling: [8, 128] }");
  TensorShape shape = SHAPE(32, 3, 3, 3);
  uint64_t extents[3];
  EXPECT(machine_padded_extents(
      machine_memory(f.machine, fixture_memory(&f, "S")), &shape, extents));
  EXPECT_EQ(extents[0], 16);
  EXPECT_EQ(extents[1], 4);
  EXPECT_EQ(extents[2], 128);
  fixture_end(&f);
}

static const struct {
  const char *fields;
  uint64_t limit;
  LimitField field;
} limits[] = {
    {"", 0, LIMIT_NONE},
    {"reserve: 1 KiB", 0, LIMIT_NONE},
    {"capacity: 10 KiB", 10240, LIMIT_CAPACITY},
    {"capacity: 10 KiB, usable: 10 KiB", 10240, LIMIT_CAPACITY},
    {"capacity: 10 KiB, usable: 9 KiB", 9216, LIMIT_USABLE},
    {"usable: 9 KiB", 9216, LIMIT_USABLE},
    {"capacity: 10 KiB, reserve: 1 KiB", 9216, LIMIT_RESERVE},
    {"capacity: 10 KiB, usable: 9 KiB, reserve: 1 KiB", 8192, LIMIT_USABLE},
    {"capacity: 228 KiB, reserve: 1 KiB, block_limit: 227 KiB", 227 * 1024,
     LIMIT_BLOCK},
    {"capacity: 128 KiB, block_limit: 64 KiB", 64 * 1024, LIMIT_BLOCK},
    {"block_limit: 32 KiB", 32 * 1024, LIMIT_BLOCK},
    {"capacity: 10 KiB, block_limit: 10 KiB", 10240, LIMIT_CAPACITY},
    {"capacity: 10 KiB, page: 3 KiB", 9216, LIMIT_PAGE},
    {"capacity: 10 KiB, usable: 8 KiB, page: 3 KiB", 6144, LIMIT_USABLE},
    {"capacity: 10 KiB, page: [8 KiB, 1 KiB, 64 KiB]", 8192, LIMIT_PAGE},
    {"capacity: 10 KiB, page: [64 KiB]", 0, LIMIT_PAGE},
};

TEST(limits_of_memories) {
  for (size_t i = 0; i < COUNT_OF(limits); i++) {
    Fixture f;
    fixture_start(&f);
    Str text = str_format(&f.arena, "Memory S { %s }", limits[i].fields);
    fixture_add(&f, MACHINE_INPUT_FILE, "s.vx", text);
    fixture_build(&f);
    const Memory *memory = machine_memory(f.machine, fixture_memory(&f, "S"));
    EXPECT_EQ(memory->has_limit, limits[i].field != LIMIT_NONE);
    EXPECT_EQ(memory->limit, limits[i].limit);
    EXPECT_EQ(memory->limit_field, limits[i].field);
    EXPECT_EQ(f.sink.records.count, 0);
    fixture_end(&f);
  }
}

int main(void) {
  return RUN_TESTS(CASE(bare_bytes), CASE(beyond_64_bits),
                   CASE(tiling_of_the_reference), CASE(packed_tiling),
                   CASE(lanes_and_granule), CASE(padded_extents),
                   CASE(limits_of_memories));
}
