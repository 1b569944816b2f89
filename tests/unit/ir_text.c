// SPDX-License-Identifier: Apache-2.0
//
// The text form of the IR: print -> parse -> print is a fixpoint, faults are
// named with their line, and the verifier refuses what later passes rely on.

#include "unit/ir_fixture.h"

static const char everything[] =
    "struct P { x: f32, w: Tensor<f32, [4, 4]> }\n"
    "struct Q { p: P, r: i32 }\n"
    "\n"
    "fn @main() -> i32 {\n"
    "  %1 \"n\" = param 0 : i32\n"
    "  %2 = const -5 : i32\n"
    "  %3 = const float \"2e-3\" : f32\n"
    "  %4 = const true : bool\n"
    "  %5 = const text \"a\\\"\\\\\\x0a\" : *const i8\n"
    "  %6 \"a\" = new zero : Tensor<f32, [256, 256]>\n"
    "  %7 = hop transit %6 CPU_DRAM -> W[1] step 1/2 bytes 262144 chunk 512 "
    "held "
    "1024 cost 77 ps : Tensor<f32, [256, 256], Memory::W[1]>\n"
    "  %8 = hop %7 W[1] -> W step 2/2 bytes beyond cost 9 weight : Tensor<f32, "
    "[256, 256], Memory::W>\n"
    "  %9 = new fill %1, %3 : Tensor<block<32, 18>, [n, ?, ?<=8, n<=9, !huge], "
    "Memory::W[?]>\n"
    "  %10 = borrow mut %6 : &mut Tensor<f32, [256, 256]>\n"
    "  %11 = new uninit : Tensor<f32, [4, 4]>\n"
    "  %12 = struct %3, %11 : P\n"
    "  %13 = field %12 .1 : Tensor<f32, [4, 4]>\n"
    "  set_field %12 .0, %3\n"
    "  %14 = call @\"f<8>\"(%10, %12) : &Tensor<f32, [256, 256]>\n"
    "  call @g()\n"
    "  %15 = reduce max %6 : f32\n"
    "  %16 = copy transfer %6 : Tensor<f32, [256, 256]>\n"
    "  %17 \"x\" = if %4 : Pinned<i32, Topology::GPU[1]>\n"
    "    yield %2\n"
    "  else\n"
    "    yield %1\n"
    "  end\n"
    "  %18 = for %1, %2 trips 32 stages 3 until \"n\" : i32\n"
    "    loop while\n"
    "      break\n"
    "    end\n"
    "    region D[2]\n"
    "      print %5\n"
    "    end\n"
    "    continue\n"
    "  end\n"
    "  return %2\n"
    "}\n"
    "\n"
    "extern fn @puts() -> void {\n"
    "  %1 = param 0 : *const i8\n"
    "}\n";

static const char machine[] = "Memory W { capacity: 4 MiB, scope: device }\n"
                              "Topology D { memory: Memory::W, count: 4 }\n";

TEST(everything_comes_back) {
  Fixture x;
  fixture_open(&x, machine);
  if (EXPECT(fixture_read(&x, str_from(everything)))) {
    Text out = text_new(&x.arena);
    ir_print(&out, x.module);
    EXPECT_STR(text_str(&out), everything);
    const IrFunction *f = &x.module->functions.items[0];
    EXPECT_EQ(f->hops.items[0].hop.chunk, 512);
    EXPECT_EQ(f->hops.items[0].hop.transit.count, 1024);
    EXPECT(f->hops.items[1].bytes.beyond);
    EXPECT_EQ(f->loops.items[0].stages, 3);
    EXPECT(x.module->functions.items[1].is_extern);
  }
  fixture_close(&x);
}

TEST(spacing_comments_and_numbers_are_free) {
  Fixture x;
  fixture_open(&x, machine);
  EXPECT(fixture_read(&x, STR("// a comment\n\nfn @f() -> void {\n\n"
                              "%70=const 1:i32 // one\n   print %70\n}")));
  Text out = text_new(&x.arena);
  ir_print(&out, x.module);
  EXPECT_STR(text_str(&out),
             "fn @f() -> void {\n  %1 = const 1 : i32\n  print %1\n}\n");
  fixture_close(&x);
}

static void expect_error(Test *test, const char *text, const char *expected) {
  Fixture x;
  Str error = STR("");
  fixture_open(&x, machine);
  EXPECT(ir_parse(&x.arena, &x.interner, &x.types, x.machine, str_from(text),
                  &error) == NULL);
  EXPECT_STR(error, expected);
  fixture_close(&x);
}

TEST(faults_have_lines) {
  expect_error(test, "fn @f() -> void {\nprint %1\n}\n",
               "line 2: value is not defined before");
  expect_error(test, "fn @f() -> void {\n", "line 2: unknown operation");
  expect_error(test, "fn @f() -> i33 {\n}\n", "line 1: no type of that name");
  expect_error(test, "fn @f() -> void {\nif\n}\n",
               "line 3: brackets do not pair in the function that ends here");
  expect_error(test, "fn @f() -> void {\n%1 = print\n}\n",
               "line 2: this operation gives no value");
  expect_error(test, "struct A { a: A }\n",
               "line 2: a struct holds itself or "
               "too much");
  expect_error(test, "fn @f() -> Tensor<f32, [4], Memory::No> {\n}\n",
               "line 1: no memory of that name");
  expect_error(test, "fn @f() -> Tensor<f32, [99999999999999999999]> {\n}\n",
               "line 1: number beyond 64 bits");
}

static void expect_refused(Test *test, const char *body, const char *fault) {
  Fixture x;
  fixture_open(&x, machine);
  Str text = str_format(&x.arena,
                        "struct P { x: f32, w: Tensor<f32, [4]> }\n"
                        "fn @f() -> void {\n%s}\n",
                        body);
  Str error = STR("");
  IrModule *module =
      ir_parse(&x.arena, &x.interner, &x.types, x.machine, text, &error);
  if (EXPECT(module != NULL)) {
    EXPECT(!ir_verify(module, &module->functions.items[0], &x.arena, &error));
    EXPECT(str_ends_with(error, str_from(fault)));
  }
  if (test->failures > 0)
    printf("  %.*s\n", STR_ARG(error));
  fixture_close(&x);
}

TEST(the_verifier_refuses) {
  expect_refused(test,
                 "%1 = const true : bool\nif %1\n%2 = const 1 : i32\nelse\n"
                 "print %2\nend\n",
                 "operand is not visible here");
  expect_refused(test, "%1 = const true : bool\n%2 = if %1 : i32\nelse\nend\n",
                 "arm of an `if` without yield");
  expect_refused(test, "break\n", "break or continue outside of loops");
  expect_refused(test, "%1 = const 1 : i32\n%2 = add %1 : i32\n",
                 "wrong number of operands");
  expect_refused(test, "%1 = const 1 : i32\n%2 = deref %1 : i32\n",
                 "operand is not a reference");
  expect_refused(test, "%1 = const 1 : i32\n%2 = load %1 : i32\n",
                 "first operand is not a variable");
  expect_refused(test, "%1 = const 1 : i32\n%2 = struct %1 : P\n",
                 "operands are not the fields of the struct");
  expect_refused(test, "%1 = param 0 : P\n%2 = field %1 .7 : i32\n",
                 "no such field");
  expect_refused(test, "%1 = const 1 : i32\nloop\nyield %1\nend\n",
                 "yield outside of an `if`");
}

TEST(an_arm_that_leaves_need_not_yield) {
  Fixture x;
  fixture_open(&x, machine);
  EXPECT(fixture_read(&x, STR("fn @f() -> void {\n"
                              "%1 = const true : bool\n"
                              "%2 = if %1 : bool\n"
                              "yield %1\n"
                              "else\n"
                              "loop\n"
                              "end\n"
                              "end\n"
                              "%3 = if %1 : bool\n"
                              "return\n"
                              "else\n"
                              "yield %2\n"
                              "end\n"
                              "print %3\n"
                              "}\n")));
  fixture_close(&x);
}

int main(void) {
  return RUN_TESTS(CASE(everything_comes_back),
                   CASE(spacing_comments_and_numbers_are_free),
                   CASE(faults_have_lines), CASE(the_verifier_refuses),
                   CASE(an_arm_that_leaves_need_not_yield));
}
