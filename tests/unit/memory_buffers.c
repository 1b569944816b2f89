// SPDX-License-Identifier: Apache-2.0
//
// Single buffers: each rule of "The limit", the words for what a thing is, and
// the ways out.

#include "unit/memory_fixture.h"

// The article's shared memory: 228 KiB, of which one block gets 227.
#define SMEM                                                                   \
  "Memory HBM { capacity: 80 GiB }\n"                                          \
  "Memory SMEM { within: Memory::HBM, capacity: 228 KiB, block_limit: 227 "    \
  "KiB, scope: sm }\n"                                                         \
  "Topology D { memory: Memory::HBM, visible: [Memory::HBM, Memory::SMEM] }\n"

TEST(the_first_error_of_the_article) {
  Checked c;
  check_text(test, &c, SMEM,
             "%1 \"host\" = new zero : Tensor<f32, [256, 256]>\n"
             "%2 \"tile\" = hop %1 CPU_DRAM -> SMEM step 1/1 bytes 262144 : "
             "Tensor<f32, [256, 256], Memory::SMEM>\n"
             "print %2\nreturn\n");
  expect_only(test, &c, DIAG_E6009,
              "transferred tensor needs 262144 bytes but memory space 'SMEM' "
              "has capacity 233472 bytes");
  const Diagnostic *d = c.x.sink.records.items[0];
  EXPECT_STR(d->label, "256x256 f32 = 256 KiB; 29 KiB over the 227 KiB one "
                       "block gets");
  EXPECT(has_remark(d, "with 256 columns at most 227 rows fit (224 = 14 x 16); "
                       "as bf16 the tile fits (128 KiB)"));
  EXPECT_EQ(d->capacity.available, 232448);
  EXPECT(!d->capacity.has_tiles);
  check_close(&c);
}

TEST(the_second_error_of_the_article) {
  Checked c;
  check_text(test, &c, SMEM,
             "%1 \"weights\" = new zero : Tensor<f32, [131072, 262144], "
             "Memory::HBM>\nreturn\n");
  expect_only(test, &c, DIAG_E6009,
              "variable 'weights' needs 137438953472 bytes but memory space "
              "'HBM' has capacity 85899345920 bytes");
  check_close(&c);
}

TEST(equal_to_the_limit_fits) {
  Checked c;
  check_text(test, &c, SMEM,
             "%1 = new zero : Tensor<u8, [232448], Memory::SMEM>\nreturn\n");
  expect_admitted(test, &c);
  check_close(&c);
}

TEST(one_byte_over_the_limit) {
  Checked c;
  check_text(test, &c, SMEM,
             "%1 = new zero : Tensor<u8, [232449], Memory::SMEM>\nreturn\n");
  expect_only(test, &c, DIAG_E6104,
              "tensor needs 232449 bytes but only 232448 of the 233472 bytes "
              "of memory space 'SMEM' can be used");
  EXPECT(has_remark(c.x.sink.records.items[0], "block_limit 227 KiB declared"));
  EXPECT(has_remark(c.x.sink.records.items[0], "at most 232448 elements fit"));
  check_close(&c);
}

TEST(one_reservation_is_limited) {
  Checked c;
  check_text(test, &c,
             "Memory W { capacity: 4 KiB, max_alloc: 1 KiB }\n"
             "Topology D { memory: Memory::W }\n",
             "%1 = new zero : Tensor<u8, [1025], Memory::W>\nreturn\n");
  expect_only(test, &c, DIAG_E6105,
              "tensor needs 1025 bytes but one reservation in memory space 'W' "
              "is at most 1024 bytes");
  check_close(&c);
}

TEST(beyond_64_bits) {
  Checked c;
  check_text(test, &c, SMEM,
             "%1 = new zero : Tensor<f32, [4294967296, 4294967296], "
             "Memory::HBM>\n"
             "%2 = new zero : Tensor<f32, [4294967296, 4294967296]>\n"
             "return\n");
  EXPECT_EQ(c.x.sink.error_count, 2);
  EXPECT_STR(c.x.sink.records.items[0]->message,
             "tensor needs more than 18446744073709551615 bytes but memory "
             "space 'HBM' has capacity 85899345920 bytes");
  EXPECT_EQ(c.x.sink.records.items[1]->code, DIAG_E6111);
  EXPECT_STR(c.x.sink.records.items[1]->message,
             "tensor needs more than 18446744073709551615 bytes");
  check_close(&c);
}

TEST(padded_and_bare_bytes_are_named) {
  Checked c;
  check_text(test, &c,
             "Memory V { capacity: 32 KiB, tiling: [8, 128] }\n"
             "Topology D { memory: Memory::V }\n",
             "%1 = new zero : Tensor<f32, [128, 3], Memory::V>\nreturn\n");
  EXPECT_EQ(c.x.sink.error_count, 1);
  EXPECT_STR(c.x.sink.records.items[0]->label,
             "128x3 f32 = 64 KiB padded (1.5 KiB bare: 1536 bytes); 32 KiB "
             "over the 32 KiB capacity");
  check_close(&c);
}

#define BIG "Tensor<u8, [4096], Memory::W>"
#define SMALL_W                                                                \
  "Memory W { capacity: 1 KiB }\nTopology D { memory: Memory::W }\n"

TEST(contexts_say_what_a_thing_is) {
  Checked c;
  check_text(test, &c, SMALL_W,
             "%1 \"p\" = param 0 : &" BIG "\n"
             "%2 = deref %1 : " BIG "\n"
             "%3 = matmul %2, %2 : " BIG "\n"
             "%4 \"s\" = add %2, %2 : " BIG "\n"
             "%5 = copy %2 : " BIG "\n"
             "%6 \"t\" = copy transfer %2 : " BIG "\n"
             "%7 = new zero : " BIG "\n"
             "%8 = call @g() : " BIG "\n"
             "return\n");
  static const char *const contexts[] = {
      "result of '@' needs", "variable 's' needs", "result of 'clone' needs",
      "transferred tensor needs", "tensor needs"};
  EXPECT_EQ(c.x.sink.records.count, COUNT_OF(contexts));
  for (uint32_t i = 0; i < c.x.sink.records.count; i++)
    EXPECT(str_starts_with(c.x.sink.records.items[i]->message,
                           str_from(contexts[i])));
  check_close(&c);
}

TEST(a_staged_transfer_gets_one_verdict) {
  Checked c;
  check_text(test, &c,
             "Memory A { capacity: 1 KiB }\nMemory B { capacity: 2 KiB }\n"
             "Topology D { memory: Memory::A, visible: [Memory::A, Memory::B] "
             "}\n",
             "%1 = new zero : Tensor<u8, [4096]>\n"
             "%2 = hop transit %1 CPU_DRAM -> A step 1/2 bytes 4096 held 4096 "
             ": Tensor<u8, [4096], Memory::A>\n"
             "%3 = hop %2 A -> B step 2/2 bytes 4096 : Tensor<u8, [4096], "
             "Memory::B>\nreturn\n");
  expect_only(test, &c, DIAG_E6009,
              "transferred tensor needs 4096 bytes but memory space 'B' has "
              "capacity 2048 bytes");
  check_close(&c);
}

TEST(what_passes_through_must_fit_too) {
  Checked c;
  check_text(test, &c,
             "Memory A { capacity: 1 KiB }\nMemory B { capacity: 8 KiB }\n"
             "Topology D { memory: Memory::A, visible: [Memory::A, Memory::B] "
             "}\n",
             "%1 = new zero : Tensor<u8, [4096]>\n"
             "%2 = hop transit %1 CPU_DRAM -> A step 1/2 bytes 4096 held 4096 "
             ": Tensor<u8, [4096], Memory::A>\n"
             "%3 = hop %2 A -> B step 2/2 bytes 4096 : Tensor<u8, [4096], "
             "Memory::B>\nreturn\n");
  expect_only(test, &c, DIAG_E6009,
              "transferred tensor needs 4096 bytes but memory space 'A' has "
              "capacity 1024 bytes");
  check_close(&c);
}

TEST(chunks_hold_less) {
  Checked c;
  check_text(test, &c,
             "Memory A { capacity: 1 KiB }\nMemory B { capacity: 8 KiB }\n"
             "Topology D { memory: Memory::A, visible: [Memory::A, Memory::B] "
             "}\n",
             "%1 = new zero : Tensor<u8, [4096]>\n"
             "%2 = hop transit %1 CPU_DRAM -> A step 1/2 bytes 4096 chunk 512 "
             "held 1024 : Tensor<u8, [4096], Memory::A>\n"
             "%3 = hop %2 A -> B step 2/2 bytes 4096 chunk 512 : Tensor<u8, "
             "[4096], Memory::B>\nreturn\n");
  expect_admitted(test, &c);
  expect_set(test, &c, "A", 1024, 1);
  check_close(&c);
}

TEST(run_time_shapes_are_not_verified) {
  Checked c;
  check_text(test, &c, SMALL_W,
             "%1 \"n\" = const 8 : i32\n"
             "%2 \"x\" = new zero %1 : Tensor<u8, [n, 4, ?], Memory::W>\n"
             "%3 \"y\" = new zero %1 : Tensor<u8, [?<=16, 4], Memory::W>\n"
             "%4 \"z\" = new zero %1 : Tensor<u8, [?]>\n"
             "return\n");
  expect_only(test, &c, DIAG_W1029,
              "capacity of 'W' not verified \xe2\x80\x94 variable 'x' has a "
              "dynamic shape");
  const Diagnostic *d = c.x.sink.records.items[0];
  EXPECT(has_remark(d, "dimension 0 is the runtime value 'n'"));
  EXPECT(has_remark(d, "dimension 2 is not a compile-time constant"));
  EXPECT_EQ(c.report.unverified.count, 1);
  EXPECT_STR(c.report.unverified.items[0],
             "capacity of 'W': variable 'x' has a dynamic shape");
  expect_set(test, &c, "W", 64, 1);
  check_close(&c);
}

TEST(read_only_memories_take_constants) {
  Checked c;
  check_text(test, &c,
             "Memory F { capacity: 1 MiB, access: read }\n"
             "Topology D { memory: Memory::F }\n",
             "%1 \"x\" = new zero : Tensor<u8, [4], Memory::F>\nreturn\n");
  expect_only(test, &c, DIAG_E6110,
              "variable 'x' is not constant, but memory space 'F' has `access: "
              "read`");
  check_close(&c);
}

TEST(another_memory_has_room) {
  Checked c;
  check_text(
      test, &c,
      "Memory ITCM { capacity: 4 KiB }\n"
      "Memory DTCM { capacity: 128 KiB }\n"
      "Topology D { memory: Memory::ITCM, visible: [Memory::ITCM, "
      "Memory::DTCM], transfer Memory::ITCM -> Memory::DTCM : 1 GB/s }\n",
      "%1 \"held\" = new zero : Tensor<u8, [8192], Memory::DTCM>\n"
      "%2 \"x\" = new zero : Tensor<bool, [4300], Memory::ITCM>\n"
      "print %1, %2\nreturn\n");
  EXPECT_EQ(c.x.sink.error_count, 1);
  EXPECT(has_remark(c.x.sink.records.items[0],
                    "it fits in DTCM, 120 KiB (122880) free there, +4.3 us"));
  check_close(&c);
}

int main(void) {
  return RUN_TESTS(
      CASE(the_first_error_of_the_article),
      CASE(the_second_error_of_the_article), CASE(equal_to_the_limit_fits),
      CASE(one_byte_over_the_limit), CASE(one_reservation_is_limited),
      CASE(beyond_64_bits), CASE(padded_and_bare_bytes_are_named),
      CASE(contexts_say_what_a_thing_is),
      CASE(a_staged_transfer_gets_one_verdict),
      CASE(what_passes_through_must_fit_too), CASE(chunks_hold_less),
      CASE(run_time_shapes_are_not_verified),
      CASE(read_only_memories_take_constants), CASE(another_memory_has_room));
}
