// SPDX-License-Identifier: Apache-2.0
//
// Lifetimes: each rule of the memory model, section 3, on IR text.

#include "own/own.h"
#include "unit/ir_fixture.h"

// The buffers of `text`, a function body, must be `expected` (own_dump without
// values and types: "'a' new [0,5) last 4").
static void expect_buffers(Test *test, const char *body, const char *expected) {
  Fixture x;
  fixture_open(&x, "Memory W { capacity: 4 MiB }\n"
                   "Memory P { part_of: Memory::W }\n"
                   "Memory Q { part_of: Memory::W }\n"
                   "Topology D { memory: Memory::W, visible: [Memory::W, "
                   "Memory::P, Memory::Q] }\n");
  Str text = str_format(&x.arena,
                        "struct S { i: i32, a: Tensor<f32, [4]>, b: "
                        "Tensor<f32, [8]> }\n"
                        "fn @main() -> i32 {\n%s}\n",
                        body);
  if (EXPECT(fixture_read(&x, text))) {
    OwnResult own;
    const IrFunction *f = &x.module->functions.items[0];
    own_analyze(&x.arena, &x.arena, x.module, f, &own);
    Text out = text_new(&x.arena);
    own_dump(&out, x.module, f, &own);
    EXPECT_STR(text_str(&out), expected);
  }
  fixture_close(&x);
}

#define T "Tensor<f32, [4]>"
#define V ": Tensor<f32, [4]>\n"
#define R ": &Tensor<f32, [4]>\n"

TEST(last_use_ends_a_life) {
  expect_buffers(test,
                 "%1 \"a\" = new zero " V   // 0
                 "%2 \"b\" = new zero " V   // 1
                 "%3 \"c\" = add %1, %2 " V // 2
                 "print %3\n"               // 3
                 "print %1\n"               // 4
                 "%4 = const 0 : i32\n"     // 5
                 "return %4\n",
                 "%1 'a' new " T " [0,5) last 4\n"
                 "%2 'b' new " T " [1,3) last 2\n"
                 "%3 'c' result " T " [2,4) last 3\n");
}

TEST(a_buffer_never_used_lives_at_its_birth) {
  expect_buffers(test, "%1 = new zero " V "%2 = const 0 : i32\nreturn %2\n",
                 "%1 new " T " [0,1) last 0\n");
}

TEST(a_store_is_a_use) {
  expect_buffers(test,
                 "%1 \"x\" = new zero " V   // 0
                 "print %1\n"               // 1
                 "%2 \"y\" = new zero " V   // 2
                 "assign %1, %2\n"          // 3
                 "%3 = const 0 : i32\n"     // 4
                 "set_element %2, %3, %3\n" // 5
                 "add_into %1, %2\n"        // 6
                 "return %3\n",
                 "%1 'x' new " T " [0,7) last 6\n"
                 "%2 'y' new " T " [2,7) last 6\n");
}

TEST(a_hop_bears_and_passes_through) {
  expect_buffers(
      test,
      "%1 \"h\" = new zero " V
      "%2 = hop transit %1 CPU_DRAM -> W step 1/2 bytes 16 held 16 : "
      "Tensor<f32, [4], Memory::W>\n"
      "%3 \"d\" = hop %2 W -> GPU_HBM step 2/2 bytes 16 : Tensor<f32, [4], "
      "Memory::GPU_HBM>\n"
      "%4 \"e\" = new zero : Tensor<f32, [4], Memory::W>\n"
      "hop_into %4, %1 CPU_DRAM -> W step 1/1 bytes 16\n"
      "return\n",
      "%1 'h' new " T " [0,5) last 4\n"
      "%2 transit Tensor<f32, [4], Memory::W> [1,3) last 2\n"
      "%3 'd' transfer Tensor<f32, [4], Memory::GPU_HBM> [2,3) last 2\n"
      "%4 'e' new Tensor<f32, [4], Memory::W> [3,5) last 4\n");
}

TEST(arms_never_coexist) {
  expect_buffers(test,
                 "%1 = const true : bool\n" // 0
                 "%2 \"a\" = new zero " V   // 1
                 "if %1\n"                  // 2
                 "  %3 \"b\" = new zero " V // 3
                 "  print %3, %2\n"         // 4
                 "else\n"                   // 5
                 "  %4 \"c\" = new zero " V // 6
                 "  print %4\n"             // 7
                 "end\n"                    // 8
                 "%5 \"d\" = new zero " V   // 9
                 "print %5\n"               // 10
                 "return\n",
                 "%2 'a' new " T " [1,5) last 4\n"
                 "%3 'b' new " T " [3,5) last 4\n"
                 "%4 'c' new " T " [6,8) last 7\n"
                 "%5 'd' new " T " [9,11) last 10\n");
}

TEST(a_death_is_counted_on_the_edge) {
  // `a` is used in the second arm only: dead in the first, alive again after.
  expect_buffers(test,
                 "%1 = const true : bool\n" // 0
                 "%2 \"a\" = new zero " V   // 1
                 "if %1\n"                  // 2
                 "  print %1\n"             // 3
                 "else\n"                   // 4
                 "  print %1\n"             // 5
                 "  print %2\n"             // 6
                 "end\n"                    // 7
                 "return\n",
                 "%2 'a' new " T " [1,3) [5,7) last 6\n");
}

TEST(a_loop_keeps_what_comes_from_outside) {
  expect_buffers(test,
                 "%1 = const 0 : i32\n"             // 0
                 "%2 \"a\" = new zero " V           // 1
                 "%3 \"b\" = new zero " V           // 2
                 "%4 = for %1, %1 trips 32 : i32\n" // 3
                 "  print %2\n"                     // 4
                 "  %5 \"c\" = new zero " V         // 5
                 "  print %5\n"                     // 6
                 "  print %1\n"                     // 7
                 "end\n"                            // 8
                 "print %3\n"                       // 9
                 "return\n",
                 "%2 'a' new " T " [1,9) last 4\n"
                 "%3 'b' new " T " [2,10) last 9\n"
                 "%5 'c' new " T " [5,7) last 6\n");
}

TEST(a_loop_is_left_by_break) {
  // Dead on the way out, except what is used behind.
  expect_buffers(test,
                 "%1 = const true : bool\n" // 0
                 "%2 \"a\" = new zero " V   // 1
                 "%3 \"b\" = new zero " V   // 2
                 "loop while\n"             // 3
                 "  if %1\n"                // 4
                 "  else\n"                 // 5
                 "    break\n"              // 6
                 "  end\n"                  // 7
                 "  print %2\n"             // 8
                 "end\n"                    // 9
                 "print %3\n"               // 10
                 "return\n",
                 "%2 'a' new " T " [1,6) [7,10) last 8\n"
                 "%3 'b' new " T " [2,11) last 10\n");
}

TEST(an_early_return_ends_lives) {
  expect_buffers(test,
                 "%1 = const true : bool\n" // 0
                 "%2 \"a\" = new zero " V   // 1
                 "if %1\n"                  // 2
                 "  print %1\n"             // 3
                 "  return\n"               // 4
                 "else\n"                   // 5
                 "end\n"                    // 6
                 "print %2\n"               // 7
                 "return\n",
                 "%2 'a' new " T " [1,3) [5,8) last 7\n");
}

TEST(nothing_lives_into_an_endless_loop) {
  expect_buffers(test,
                 "%2 \"a\" = new zero " V // 0
                 "%3 \"b\" = new zero " V // 1
                 "loop\n"                 // 2
                 "  print %2\n"           // 3
                 "end\n"                  // 4
                 "print %3\n"             // 5
                 "return\n",
                 "%1 'a' new " T " [0,5) last 3\n"
                 "%2 'b' new " T " [1,2) [5,6) last 5\n");
}

TEST(a_continue_goes_back_to_the_head) {
  expect_buffers(test,
                 "%1 = const 0 : i32\n"     // 0
                 "%2 = const true : bool\n" // 1
                 "%3 \"a\" = new zero " V   // 2
                 "%4 = for %1, %1 : i32\n"  // 3
                 "  %5 \"b\" = new zero " V // 4
                 "  if %2\n"                // 5
                 "    continue\n"           // 6
                 "  else\n"                 // 7
                 "  end\n"                  // 8
                 "  print %5, %3\n"         // 9
                 "end\n"                    // 10
                 "return\n",
                 "%3 'a' new " T " [2,11) last 9\n"
                 "%5 'b' new " T " [4,6) [7,10) last 9\n");
}

TEST(arms_are_born_in_the_joined_buffer) {
  expect_buffers(test,
                 "%1 = const true : bool\n" // 0
                 "%2 \"a\" = new zero " V   // 1
                 "%3 \"x\" = if %1 " V      // 2
                 "  print %1\n"             // 3
                 "  %4 = new zero " V       // 4
                 "  yield %4\n"             // 5
                 "else\n"                   // 6
                 "  print %1\n"             // 7
                 "  yield %2\n"             // 8: copied
                 "end\n"                    // 9
                 "print %1\n"               // 10
                 "print %3\n"               // 11
                 "return\n",
                 "%2 'a' new " T " [1,3) [7,9) last 8\n"
                 "%3 'x' join " T " [4,7) [8,12) last 11\n");
}

TEST(nested_arms_share_one_joined_buffer) {
  expect_buffers(test,
                 "%1 = const true : bool\n" // 0
                 "%2 = if %1 " V            // 1
                 "  %3 = if %1 " V          // 2
                 "    %4 = new zero " V     // 3
                 "    yield %4\n"           // 4
                 "  else\n"                 // 5
                 "    return\n"             // 6
                 "  end\n"                  // 7
                 "  yield %3\n"             // 8
                 "else\n"                   // 9
                 "  %5 = new zero " V       // 10
                 "  yield %5\n"             // 11
                 "end\n"                    // 12
                 "return\n",
                 "%2 join " T " [3,6) [7,9) [10,12) last 11\n");
}

TEST(views_and_borrows_hold_their_owner) {
  expect_buffers(test,
                 "%1 = const 0 : i32\n"                        // 0
                 "%2 \"m\" = new zero : Tensor<f32, [2, 4]>\n" // 1
                 "%3 = borrow %2 : &Tensor<f32, [2, 4]>\n"     // 2
                 "%4 = deref %3 : Tensor<f32, [2, 4]>\n"       // 3
                 "%5 = row %4, %1 " V                          // 4
                 "%6 = reduce sum %5 : f32\n"                  // 5
                 "return\n",
                 "%2 'm' new Tensor<f32, [2, 4]> [1,6) last 5\n");
}

TEST(a_call_may_return_any_of_its_references) {
  expect_buffers(test,
                 "%1 \"a\" = new zero " V         // 0
                 "%2 \"b\" = new zero " V         // 1
                 "%3 \"c\" = new zero " V         // 2
                 "%4 = borrow %1 " R              // 3
                 "%5 = borrow %2 " R              // 4
                 "%6 = call @pick(%4, %5, %3) " R // 5
                 "%7 = deref %6 " V               // 6
                 "print %7\n"                     // 7
                 "%8 = call @make(%4) " V         // 8
                 "return\n",
                 "%1 'a' new " T " [0,9) last 8\n"
                 "%2 'b' new " T " [1,8) last 7\n"
                 "%3 'c' new " T " [2,6) last 5\n"
                 "%8 result " T " [8,9) last 8\n");
}

TEST(structs_are_tensor_by_tensor) {
  expect_buffers(test,
                 "%1 = const 0 : i32\n"                     // 0
                 "%2 \"a\" = new zero " V                   // 1
                 "%3 \"b\" = new zero : Tensor<f32, [8]>\n" // 2
                 "%4 \"s\" = struct %1, %2, %3 : S\n"       // 3
                 "%5 = field %4 .2 : Tensor<f32, [8]>\n"    // 4
                 "print %5\n"                               // 5
                 "%6 = field %4 .1 " V                      // 6
                 "%7 \"t\" = call @make() : S\n"            // 7
                 "%8 = field %7 .1 " V                      // 8
                 "%9 = borrow %8 " R                        // 9
                 "print %9\n"                               // 10
                 "return\n",
                 "%2 'a' new " T " [1,7) last 6\n"
                 "%3 'b' new Tensor<f32, [8]> [2,6) last 5\n"
                 "%7 't' result " T " [7,11) last 10\n"
                 "%7 't' part 1 result Tensor<f32, [8]> [7,8) last 7\n");
}

TEST(structs_join_tensor_by_tensor) {
  expect_buffers(test,
                 "%1 = const 0 : i32\n"                     // 0
                 "%2 = const true : bool\n"                 // 1
                 "%3 \"b\" = new zero : Tensor<f32, [8]>\n" // 2
                 "%4 \"x\" = if %2 : S\n"                   // 3
                 "  %5 = new zero " V                       // 4
                 "  %6 = struct %1, %5, %3 : S\n"           // 5
                 "  yield %6\n"                             // 6
                 "else\n"                                   // 7
                 "  %7 = call @make() : S\n"                // 8
                 "  yield %7\n"                             // 9
                 "end\n"                                    // 10
                 "%8 = field %4 .1 " V                      // 11
                 "return\n",
                 "%3 'b' new Tensor<f32, [8]> [2,7) last 6\n"
                 "%4 'x' join " T " [4,12) last 11\n"
                 "%4 'x' part 1 join Tensor<f32, [8]> [6,7) [8,10) last 9\n");
}

TEST(a_slot_holds_what_it_refers_to) {
  expect_buffers(test,
                 "%1 \"a\" = new zero " V // 0
                 "%2 \"b\" = new zero " V // 1
                 "%3 \"r\" = var " R      // 2
                 "%4 = borrow %1 " R      // 3
                 "store %3, %4\n"         // 4
                 "%5 = load %3 " R        // 5
                 "print %5\n"             // 6
                 "%6 = borrow %2 " R      // 7
                 "store %3, %6\n"         // 8: `a` is free
                 "%7 = const 0 : i32\n"   // 9
                 "%8 = load %3 " R        // 10
                 "print %8\n"             // 11
                 "return\n",
                 "%1 'a' new " T " [0,7) last 6\n"
                 "%2 'b' new " T " [1,12) last 11\n");
}

TEST(a_slot_follows_the_path) {
  expect_buffers(test,
                 "%1 = const true : bool\n" // 0
                 "%2 \"a\" = new zero " V   // 1
                 "%3 \"b\" = new zero " V   // 2
                 "%4 \"r\" = var " R        // 3
                 "%5 = borrow %2 " R        // 4
                 "%6 = borrow %3 " R        // 5
                 "store %4, %5\n"           // 6
                 "if %1\n"                  // 7
                 "  print %1\n"             // 8
                 "else\n"                   // 9
                 "  store %4, %6\n"         // 10
                 "  print %1\n"             // 11
                 "end\n"                    // 12
                 "%7 = load %4 " R          // 13
                 "print %7\n"               // 14
                 "return\n",
                 "%2 'a' new " T " [1,10) [12,15) last 14\n"
                 "%3 'b' new " T " [2,8) [10,15) last 14\n");
}

TEST(a_slot_is_carried_around_a_loop) {
  expect_buffers(test,
                 "%1 = const 0 : i32\n"    // 0
                 "%2 \"a\" = new zero " V  // 1
                 "%3 \"b\" = new zero " V  // 2
                 "%4 \"r\" = var " R       // 3
                 "%5 = borrow %2 " R       // 4
                 "%6 = borrow %3 " R       // 5
                 "store %4, %5\n"          // 6
                 "%7 = for %1, %1 : i32\n" // 7
                 "  %8 = load %4 " R       // 8
                 "  print %8\n"            // 9
                 "  store %4, %6\n"        // 10
                 "end\n"                   // 11
                 "return\n",
                 "%2 'a' new " T " [1,10) last 9\n"
                 "%3 'b' new " T " [2,12) last 10\n");
}

TEST(an_if_chooses_a_reference) {
  expect_buffers(test,
                 "%1 = const true : bool\n" // 0
                 "%2 \"a\" = new zero " V   // 1
                 "%3 \"b\" = new zero " V   // 2
                 "%4 = if %1 " R            // 3
                 "  %5 = borrow %2 " R      // 4
                 "  yield %5\n"             // 5
                 "else\n"                   // 6
                 "  %6 = borrow %3 " R      // 7
                 "  yield %6\n"             // 8
                 "end\n"                    // 9
                 "print %4\n"               // 10
                 "return\n",
                 "%2 'a' new " T " [1,7) [9,11) last 10\n"
                 "%3 'b' new " T " [2,4) [7,11) last 10\n");
}

TEST(stages_hold_transfers_for_the_whole_loop) {
  expect_buffers(
      test,
      "%1 = const 0 : i32\n"
      "%2 \"h\" = new zero " V "%3 = for %1, %1 trips 8 stages 3 : i32\n" // 2
      "  %4 = hop %2 CPU_DRAM -> W step 1/1 bytes 16 : Tensor<f32, [4], "
      "Memory::W>\n"                                      // 3
      "  %5 = add %4, %4 : Tensor<f32, [4], Memory::W>\n" // 4
      "end\n"                                             // 5
      "return\n",
      "%2 'h' new " T " [1,6) last 3\n"
      "%4 transfer Tensor<f32, [4], Memory::W> x3 [2,6) last 4\n"
      "%5 result Tensor<f32, [4], Memory::W> [4,5) last 4\n");
}

TEST(a_rename_hands_its_bytes_over) {
  expect_buffers(test,
                 "%1 \"p\" = new zero : Tensor<f32, [4], Memory::P>\n"
                 "print %1\n"
                 "%2 \"q\" = rename %1 : Tensor<f32, [4], Memory::Q>\n" // 2
                 "print %2\n"
                 "return\n",
                 "%1 'p' new Tensor<f32, [4], Memory::P> [0,2) last 2\n"
                 "%2 'q' renamed Tensor<f32, [4], Memory::Q> [2,4) last 3\n");
}

TEST(parameters_are_held_from_the_first_operation) {
  expect_buffers(test,
                 "%1 \"n\" = param 0 : i32\n"
                 "%2 \"t\" = param 1 " V "%3 \"r\" = param 2 " R "print %2\n"
                 "print %3\n"
                 "return\n",
                 "%2 't' param " T " [1,4) last 3\n");
}

int main(void) {
  return RUN_TESTS(
      CASE(last_use_ends_a_life), CASE(a_buffer_never_used_lives_at_its_birth),
      CASE(a_store_is_a_use), CASE(a_hop_bears_and_passes_through),
      CASE(arms_never_coexist), CASE(a_death_is_counted_on_the_edge),
      CASE(a_loop_keeps_what_comes_from_outside), CASE(a_loop_is_left_by_break),
      CASE(an_early_return_ends_lives),
      CASE(nothing_lives_into_an_endless_loop),
      CASE(a_continue_goes_back_to_the_head),
      CASE(arms_are_born_in_the_joined_buffer),
      CASE(nested_arms_share_one_joined_buffer),
      CASE(views_and_borrows_hold_their_owner),
      CASE(a_call_may_return_any_of_its_references),
      CASE(structs_are_tensor_by_tensor), CASE(structs_join_tensor_by_tensor),
      CASE(a_slot_holds_what_it_refers_to), CASE(a_slot_follows_the_path),
      CASE(a_slot_is_carried_around_a_loop), CASE(an_if_chooses_a_reference),
      CASE(stages_hold_transfers_for_the_whole_loop),
      CASE(a_rename_hands_its_bytes_over),
      CASE(parameters_are_held_from_the_first_operation));
}
