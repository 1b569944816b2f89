// SPDX-License-Identifier: Apache-2.0
//
// Working sets: the small cases with known answers of the memory model, section
// 9, and what belongs to them (parts, instances, overcommit, growth).

#include "memory/memory.h"
#include "unit/memory_fixture.h"

#define W4 "Memory W { capacity: 4 MiB }\nTopology D { memory: Memory::W }\n"

// 3 MiB of f32.
#define TILE3 "Tensor<f32, [786432], Memory::W>"
#define TILE1 "Tensor<f32, [262144], Memory::W>"

TEST(two_tiles_that_coexist_are_refused) {
  Checked c;
  check_text(test, &c, W4,
             "%1 \"a\" = new zero : " TILE3 "\n"
             "%2 \"b\" = new zero : " TILE3 "\n"
             "print %1\nprint %2\nreturn\n");
  expect_only(test, &c, DIAG_E6010,
              "the working set placed in memory space 'W' (2 tiles) sums to "
              "6291456 bytes, over its 4194304 byte capacity; place "
              "fewer/smaller tiles or declare it `overcommit`");
  const Diagnostic *d = c.x.sink.records.items[0];
  EXPECT(d->has_capacity && d->capacity.has_tiles);
  EXPECT_EQ(d->capacity.tiles, 2);
  EXPECT_EQ(d->capacity.required.count, 6291456);
  EXPECT_EQ(d->capacity.available, 4194304);
  EXPECT_EQ(d->start.line, 3);
  EXPECT_STR(d->label, "variable 'b': 3 MiB more make 6 MiB; 2 MiB over the 4 "
                       "MiB capacity");
  EXPECT(has_remark(d, "  a  3 MiB (3145728)   75.0 %  born line 2, last used "
                       "line 4"));
  EXPECT(has_remark(d, "give back 'a' earlier: it is last used at line 4"));
  check_close(&c);
}

TEST(a_tile_that_is_done_makes_room) {
  Checked c;
  check_text(test, &c, W4,
             "%1 \"a\" = new zero : " TILE3 "\n"
             "print %1\n"
             "%2 \"b\" = new zero : " TILE3 "\n"
             "print %2\nreturn\n");
  expect_admitted(test, &c);
  expect_set(test, &c, "W", 3145728, 1);
  check_close(&c);
}

TEST(a_tile_in_an_arm_then_another) {
  Checked c;
  check_text(test, &c, W4,
             "%1 = const true : bool\n"
             "if %1\n"
             "%2 \"a\" = new zero : " TILE3 "\n"
             "print %2\n"
             "else\n"
             "%3 \"b\" = new zero : " TILE3 "\n"
             "print %3\n"
             "end\n"
             "%4 \"c\" = new zero : " TILE3 "\n"
             "print %4\nreturn\n");
  expect_admitted(test, &c);
  expect_set(test, &c, "W", 3145728, 1);
  check_close(&c);
}

#define W64 "Memory W { capacity: 64 MiB }\nTopology D { memory: Memory::W }\n"

TEST(three_tiles_alive_together) {
  Checked c;
  check_text(test, &c, W64,
             "%1 = new zero : Tensor<u8, [16777216], Memory::W>\n"
             "%2 = new zero : Tensor<u8, [16384], Memory::W>\n"
             "%3 = new zero : Tensor<u8, [67108864], Memory::W>\n"
             "print %1, %2, %3\nreturn\n");
  expect_only(test, &c, DIAG_E6010,
              "the working set placed in memory space 'W' (3 tiles) sums to "
              "83902464 bytes, over its 67108864 byte capacity; place "
              "fewer/smaller tiles or declare it `overcommit`");
  check_close(&c);
}

TEST(the_whole_capacity_fits) {
  Checked c;
  check_text(test, &c, W64,
             "%1 = new zero : Tensor<u8, [16777216], Memory::W>\n"
             "print %1\n"
             "%2 = new zero : Tensor<u8, [16384], Memory::W>\n"
             "print %2\n"
             "%3 = new zero : Tensor<u8, [67108864], Memory::W>\n"
             "print %3\nreturn\n");
  expect_admitted(test, &c);
  expect_set(test, &c, "W", 67108864, 1);
  check_close(&c);
}

TEST(a_loop_gives_back_its_scratch) {
  Checked c;
  check_text(test, &c, W4,
             "%1 = const 0 : i32\n"
             "%2 \"weights\" = new zero : " TILE1 "\n"
             "%3 = for %1, %1 trips 32 : i32\n"
             "  %4 \"scratch\" = new zero : " TILE1 "\n"
             "  print %2, %4\n"
             "end\nreturn\n");
  expect_admitted(test, &c);
  expect_set(test, &c, "W", 2097152, 2);
  check_close(&c);
}

TEST(the_unrolled_loop_holds_all) {
  Checked c;
  Arena texts = {0};
  Text body = text_new(&texts);
  for (unsigned i = 1; i <= 33; i++)
    text_format(&body, "%%%u = new zero : " TILE1 "\n", i);
  for (unsigned i = 1; i <= 33; i++)
    text_format(&body, "print %%%u\n", i);
  text_puts(&body, "return\n");
  check_text(test, &c, W4, str_to_c(&texts, text_str(&body)));
  expect_only(test, &c, DIAG_E6010,
              "the working set placed in memory space 'W' (33 tiles) sums to "
              "34603008 bytes, over its 4194304 byte capacity; place "
              "fewer/smaller tiles or declare it `overcommit`");
  const Diagnostic *d = c.x.sink.records.items[0];
  EXPECT(has_remark(d, "and 25 smaller, 25 MiB"));
  arena_free(&texts);
  check_close(&c);
}

TEST(the_margin_is_stated) {
  Checked c;
  check_text(
      test, &c,
      "Memory W { capacity: 150 KiB }\nTopology D { memory: Memory::W }\n",
      "%1 \"a\" = new zero : Tensor<u8, [65536], Memory::W>\n"
      "%2 \"b\" = new zero : Tensor<u8, [65536], Memory::W>\n"
      "%3 \"c\" = new zero : Tensor<u8, [65536], Memory::W>\n"
      "print %1, %2, %3\nreturn\n");
  EXPECT_EQ(c.x.sink.error_count, 1);
  const Diagnostic *d = c.x.sink.records.items[0];
  EXPECT_EQ(d->capacity.required.count, 196608);
  EXPECT_EQ(d->capacity.available, 153600);
  check_close(&c);
}

#define SMEM(size)                                                             \
  "Memory S { capacity: " size ", scope: sm }\nTopology D { memory: "          \
  "Memory::S }\n"

static const char gemm[] =
    "%1 = const 0 : i32\n"
    "%2 \"a\" = param 0 : &Tensor<bf16, [128, 64]>\n"
    "%3 \"b\" = param 1 : &Tensor<bf16, [64, 256]>\n"
    "%4 = for %1, %1 stages 4 : i32\n"
    "  %5 \"x\" = hop %2 CPU_DRAM -> S step 1/1 bytes 16384 : Tensor<bf16, "
    "[128, 64], Memory::S>\n"
    "  %6 \"y\" = hop %3 CPU_DRAM -> S step 1/1 bytes 32768 : Tensor<bf16, "
    "[64, 256], Memory::S>\n"
    "  print %5, %6\n"
    "end\nreturn\n";

TEST(stages_count_their_copies) {
  Checked c;
  check_text(test, &c, SMEM("227 KiB"), gemm);
  expect_admitted(test, &c);
  expect_set(test, &c, "S", 196608, 8);
  check_close(&c);
}

TEST(the_stages_that_fit_are_named) {
  Checked c;
  check_text(test, &c, SMEM("99 KiB"), gemm);
  EXPECT_EQ(c.x.sink.error_count, 1);
  EXPECT(has_remark(c.x.sink.records.items[0], "`stages 2` fits"));
  check_close(&c);
}

TEST(a_granule_rounds_each) {
  Checked c;
  check_text(test, &c,
             "Memory W { capacity: 4 KiB, granule: 1 KiB }\n"
             "Topology D { memory: Memory::W }\n",
             "%1 = new zero : Tensor<u8, [1025], Memory::W>\n"
             "%2 = new zero : Tensor<u8, [1], Memory::W>\n"
             "%3 = new zero : Tensor<u8, [2000], Memory::W>\n"
             "print %1, %2, %3\nreturn\n");
  expect_only(test, &c, DIAG_E6010,
              "the working set placed in memory space 'W' (3 tiles) (each "
              "rounded up to the 1024-byte granule) sums to 5120 bytes, over "
              "its 4096 byte capacity; place fewer/smaller tiles or declare it "
              "`overcommit`");
  check_close(&c);
}

TEST(between_limit_and_capacity) {
  Checked c;
  check_text(test, &c,
             "Memory W { capacity: 4 MiB, usable: 3 MiB }\n"
             "Topology D { memory: Memory::W }\n",
             "%1 = new zero : Tensor<u8, [2097152], Memory::W>\n"
             "%2 = new zero : Tensor<u8, [2097152], Memory::W>\n"
             "print %1, %2\nreturn\n");
  expect_only(
      test, &c, DIAG_E6104,
      "the working set placed in memory space 'W' (2 tiles) sums to "
      "4194304 bytes, over the 3145728 usable bytes of its 4194304 byte "
      "capacity");
  check_close(&c);
}

TEST(overcommit_warns) {
  Checked c;
  check_text(test, &c,
             "Memory W { capacity: 4 MiB, overcommit }\n"
             "Topology D { memory: Memory::W }\n",
             "%1 = new zero : " TILE3 "\n%2 = new zero : " TILE3 "\n"
             "print %1, %2\nreturn\n");
  EXPECT_EQ(c.x.sink.error_count, 0);
  EXPECT_EQ(c.x.sink.warning_count, 1);
  EXPECT_EQ(c.x.sink.records.items[0]->code, DIAG_W1028);
  EXPECT(str_ends_with(c.x.sink.records.items[0]->message,
                       STR("; allowed because 'W' is `overcommit`")));
  check_close(&c);
}

TEST(one_refused_alone_takes_no_part) {
  Checked c;
  check_text(test, &c, W4,
             "%1 = new zero : Tensor<u8, [8388608], Memory::W>\n"
             "%2 = new zero : " TILE3 "\n"
             "print %1, %2\nreturn\n");
  EXPECT_EQ(c.x.sink.error_count, 1);
  EXPECT_EQ(c.x.sink.records.items[0]->code, DIAG_E6009);
  expect_set(test, &c, "W", 3145728, 1);
  check_close(&c);
}

#define PARTS                                                                  \
  "Memory X { capacity: 4 MiB }\n"                                             \
  "Memory P { part_of: Memory::X, capacity: 3 MiB }\n"                         \
  "Memory Q { part_of: Memory::X, capacity: 3 MiB }\n"                         \
  "Topology D { memory: Memory::X, visible: [Memory::X, Memory::P, "           \
  "Memory::Q] }\n"

TEST(parts_fill_both_budgets) {
  Checked c;
  check_text(test, &c, PARTS,
             "%1 \"p\" = new zero : Tensor<u8, [2621440], Memory::P>\n"
             "%2 \"q\" = new zero : Tensor<u8, [2621440], Memory::Q>\n"
             "print %1, %2\nreturn\n");
  expect_only(test, &c, DIAG_E6010,
              "the working set placed in memory space 'X' (2 tiles) sums to "
              "5242880 bytes, over its 4194304 byte capacity; place "
              "fewer/smaller tiles or declare it `overcommit`");
  EXPECT(has_remark(c.x.sink.records.items[0], "p in P"));
  expect_set(test, &c, "P", 2621440, 1);
  expect_set(test, &c, "Q", 2621440, 1);
  check_close(&c);
}

TEST(the_innermost_budget_speaks) {
  Checked c;
  check_text(test, &c, PARTS,
             "%1 \"p\" = new zero : Tensor<u8, [2621440], Memory::P>\n"
             "%2 \"q\" = new zero : Tensor<u8, [2621440], Memory::P>\n"
             "print %1, %2\nreturn\n");
  EXPECT_EQ(c.x.sink.error_count, 1);
  EXPECT(str_starts_with(c.x.sink.records.items[0]->message,
                         STR("the working set placed in memory space 'P'")));
  check_close(&c);
}

TEST(a_rename_changes_budgets) {
  Checked c;
  check_text(test, &c, PARTS,
             "%1 \"p\" = new zero : Tensor<u8, [2621440], Memory::P>\n"
             "print %1\n"
             "%2 \"q\" = rename %1 : Tensor<u8, [2621440], Memory::Q>\n"
             "print %2\nreturn\n");
  expect_admitted(test, &c);
  expect_set(test, &c, "X", 2621440, 1);
  check_close(&c);
}

TEST(instances_have_their_own_budgets) {
  Checked c;
  check_text(test, &c,
             "Memory W { capacity: 4 MiB, scope: device }\n"
             "Topology D { memory: Memory::W, count: 4 }\n",
             "%1 = new zero : Tensor<f32, [786432], Memory::W>\n"
             "%2 = new zero : Tensor<f32, [786432], Memory::W[3]>\n"
             "print %1, %2\nreturn\n");
  expect_admitted(test, &c);
  expect_set(test, &c, "W[0]", 3145728, 1);
  expect_set(test, &c, "W[3]", 3145728, 1);
  check_close(&c);
}

TEST(an_unknown_instance_counts_in_every_one) {
  Checked c;
  check_text(test, &c,
             "Memory W { capacity: 4 MiB, scope: device }\n"
             "Topology D { memory: Memory::W, count: 4 }\n",
             "%1 = new zero : Tensor<f32, [786432], Memory::W[?]>\n"
             "%2 = new zero : Tensor<f32, [786432], Memory::W[3]>\n"
             "print %1, %2\nreturn\n");
  EXPECT_EQ(c.x.sink.error_count, 1);
  expect_set(test, &c, "W[3]", 6291456, 2);
  check_close(&c);
}

TEST(cached_memories_hold_nothing_in_transit) {
  Checked c;
  check_text(
      test, &c,
      "Memory H { capacity: 1 MiB }\n"
      "Memory L { capacity: 1 KiB, within: Memory::H, managed: cached }\n"
      "Memory S { capacity: 64 KiB, within: Memory::L }\n"
      "Topology D { memory: Memory::H, visible: [Memory::H, Memory::L, "
      "Memory::S] }\n",
      "%1 = new zero : Tensor<u8, [4096], Memory::H>\n"
      "%2 = hop transit %1 H -> L step 1/2 bytes 4096 : Tensor<u8, "
      "[4096], Memory::L>\n"
      "%3 = hop %2 L -> S step 2/2 bytes 4096 : Tensor<u8, [4096], "
      "Memory::S>\n"
      "print %3\nreturn\n");
  expect_admitted(test, &c);
  EXPECT_EQ(c.report.sets.count, 2);
  check_close(&c);
}

TEST(times_of_transfers_multiply) {
  Checked c;
  check_text(test, &c, W4,
             "%1 = const 0 : i32\n"
             "%2 = new zero : Tensor<u8, [4]>\n"
             "%3 = for %1, %1 trips 32 : i32\n"
             "  %4 = hop %2 CPU_DRAM -> W step 1/1 bytes 4 cost 10 ps : "
             "Tensor<u8, [4], Memory::W>\n"
             "  loop\n"
             "    %5 = for %1, %1 trips 2 : i32\n"
             "      %6 = hop %2 CPU_DRAM -> W step 1/1 bytes 4 cost 10 ps : "
             "Tensor<u8, [4], Memory::W>\n"
             "    end\n"
             "    break\n"
             "  end\n"
             "end\nreturn\n");
  expect_admitted(test, &c);
  EXPECT_EQ(c.report.routes.count, 2);
  EXPECT_STR(c.report.routes.items[0].times_text, "32");
  EXPECT_STR(c.report.routes.items[1].times_text, "n1 x 64");
  EXPECT_EQ(c.report.links.count, 1);
  EXPECT_EQ(c.report.links.items[0].transfers, 96);
  EXPECT_EQ(c.report.links.items[0].bytes, 384);
  EXPECT_EQ(c.report.links.items[0].time_ps, 960);
  EXPECT(c.report.links.items[0].has_time);
  check_close(&c);
}

// Twice the buffers, at most a little more than twice the space: the arena
// counts what time would show with noise.
static size_t space_for(Test *test, unsigned count) {
  Checked c;
  Arena texts = {0};
  Text body = text_new(&texts);
  for (unsigned i = 1; i <= count; i++)
    text_format(&body, "%%%u = new zero : Tensor<u8, [8], Memory::W>\n", i);
  for (unsigned i = 1; i <= count; i++)
    text_format(&body, "print %%%u\n", i);
  text_puts(&body, "return\n");
  check_text(test, &c, W64, str_to_c(&texts, text_str(&body)));
  expect_set(test, &c, "W", 8 * count, count);
  size_t space = c.x.arena.total;
  check_close(&c);
  arena_free(&texts);
  return space;
}

TEST(space_grows_with_the_buffers) {
  size_t small = space_for(test, 4000);
  size_t large = space_for(test, 16000);
  EXPECT(large < 6 * small);
}

int main(void) {
  return RUN_TESTS(
      CASE(two_tiles_that_coexist_are_refused),
      CASE(a_tile_that_is_done_makes_room), CASE(a_tile_in_an_arm_then_another),
      CASE(three_tiles_alive_together), CASE(the_whole_capacity_fits),
      CASE(a_loop_gives_back_its_scratch), CASE(the_unrolled_loop_holds_all),
      CASE(the_margin_is_stated), CASE(stages_count_their_copies),
      CASE(the_stages_that_fit_are_named), CASE(a_granule_rounds_each),
      CASE(between_limit_and_capacity), CASE(overcommit_warns),
      CASE(one_refused_alone_takes_no_part), CASE(parts_fill_both_budgets),
      CASE(the_innermost_budget_speaks), CASE(a_rename_changes_budgets),
      CASE(instances_have_their_own_budgets),
      CASE(an_unknown_instance_counts_in_every_one),
      CASE(cached_memories_hold_nothing_in_transit),
      CASE(times_of_transfers_multiply), CASE(space_grows_with_the_buffers));
}
