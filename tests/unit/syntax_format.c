// SPDX-License-Identifier: Apache-2.0

#include "unit/syntax_fixture.h"

static Str format_text(Fixture *f, Str text) {
  Tree *tree = fixture_parse_mode(f, text, PARSE_PROGRAM);
  Text out = text_new(&f->arena);
  if (tree->has_errors)
    text_put(&out, fixture_codes(f));
  else
    format_tree(&out, tree);
  return text_str(&out);
}

// Formatting gives `expected`, and formatting that changes nothing.
static void expect_format(Test *test, Str text, const char *expected,
                          int line) {
  Fixture first;
  Fixture second;
  Str once = format_text(&first, text);
  test_expect_text(test, once, str_from(expected), __FILE__, line, "formatted");
  test_expect_text(test, format_text(&second, once), once, __FILE__, line,
                   "formatted again");
  fixture_close(&first);
  fixture_close(&second);
}

static void expect_statement(Test *test, const char *statement,
                             const char *expected, int line) {
  Arena arena = {0};
  Str text = str_format(&arena, "fn f() -> void {%s}", statement);
  Str want = str_format(&arena, "fn f() -> void {\n%s}\n", expected);
  expect_format(test, text, want.data, line);
  arena_free(&arena);
}

#define EXPECT_FORMAT(text, expected)                                          \
  expect_format(test, STR(text), expected, __LINE__)
#define EXPECT_STATEMENT(statement, expected)                                  \
  expect_statement(test, statement, expected, __LINE__)

TEST(spaces) {
  EXPECT_STATEMENT("let x :i32=a+b*-c;", "  let x: i32 = a + b * -c;\n");
  EXPECT_STATEMENT("x+=& mut y ;", "  x += &mut y;\n");
  EXPECT_STATEMENT("f ( a ,b , ) ;", "  f(a, b);\n");
  EXPECT_STATEMENT("let t=( a , );", "  let t = (a,);\n");
  EXPECT_STATEMENT("let t : ( A , ) = ( ( a ) );", "  let t: (A,) = ((a));\n");
  EXPECT_STATEMENT("x = 0 .. n ; y = a [ i , j ] . f ;",
                   "  x = 0..n;\n  y = a[i, j].f;\n");
  EXPECT_STATEMENT("x = g :: < 8 > ( 1 ) + h < T > ( 2 ) ;",
                   "  x = g::<8>(1) + h<T>(2);\n");
  EXPECT_STATEMENT("x = 1 . 0; y = ! a;", "  x = 1 .0;\n  y = !a;\n");
  EXPECT_STATEMENT("let f = | x,y |x ; let g = || 1;",
                   "  let f = |x, y| x;\n  let g = || 1;\n");
  EXPECT_STATEMENT("let t : Tensor < f32 , [ ? , ?<= n ] , Memory :: S > = e ;",
                   "  let t: Tensor<f32, [?, ?<=n], Memory::S> = e;\n");
  EXPECT_STATEMENT("x = Pair{a:1,b:2};", "  x = Pair { a: 1, b: 2 };\n");
  EXPECT_STATEMENT("match a{0=>b,_=>{c},}",
                   "  match a {\n    0 => b,\n    _ => { c }\n  }\n");
}

TEST(blocks) {
  EXPECT_STATEMENT("while c{ }", "  while c {}\n");
  EXPECT_STATEMENT("if c{a;}else if d{}else{b;}",
                   "  if c {\n    a;\n  } else if d {} else {\n    b;\n  }\n");
  EXPECT_STATEMENT("let x=if c{1}else{2};",
                   "  let x = if c { 1 } else { 2 };\n");
  EXPECT_STATEMENT("if c { 1 } else { 2 }", "  if c { 1 } else { 2 }\n");
  EXPECT_STATEMENT("if c { 1 } else { 2 } f();",
                   "  if c {\n    1\n  } else {\n    2\n  }\n  f();\n");
  EXPECT_STATEMENT("for i in 0..n stages 3{a;}",
                   "  for i in 0..n stages 3 {\n    a;\n  }\n");
  EXPECT_STATEMENT("let r=spawn on(Topology::D[0]){&a@&b};",
                   "  let r = spawn on(Topology::D[0]) { &a @ &b };\n");
}

TEST(long_lines) {
  EXPECT_STATEMENT(
      "let x = some_function(first_argument_that_is_long, "
      "second_argument_that_is_long, third_argument_too);",
      "  let x = some_function(\n    first_argument_that_is_long,\n"
      "    second_argument_that_is_long,\n    third_argument_too,\n  );\n");
  EXPECT_STATEMENT(
      "let x = first_condition_that_is_long && second_condition_that_is_long "
      "&& third_condition_that_is_long;",
      "  let x = first_condition_that_is_long\n"
      "    && second_condition_that_is_long\n"
      "    && third_condition_that_is_long;\n");
  EXPECT_STATEMENT(
      "let long = a.tile([128, 64], [i, k]).map(|x| x * 2.0).reshape([1, 2, 3])"
      ".transpose([0, 1]).extent(1);",
      "  let long = a\n    .tile([128, 64], [i, k])\n    .map(|x| x * 2.0)\n"
      "    .reshape([1, 2, 3])\n    .transpose([0, 1])\n    .extent(1);\n");
  EXPECT_STATEMENT(
      "let t = Tensor<f32>([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [1.0, 2.0, "
      "3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]);",
      "  let t = Tensor<f32>([\n    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],\n"
      "    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],\n  ]);\n");
  EXPECT_STATEMENT("t.map(|x| { let y = x; y });",
                   "  t.map(|x| {\n    let y = x;\n    y\n  });\n");
  EXPECT_FORMAT(
      "fn long_name(first: Tensor<f32, [64, 64], Memory::HBM>, "
      "second_parameter: "
      "i32) on Topology::D -> i32 { 1 }",
      "fn long_name(\n  first: Tensor<f32, [64, 64], Memory::HBM>,\n"
      "  second_parameter: i32,\n) on Topology::D -> i32 {\n  1\n}\n");
  EXPECT_FORMAT(
      "fn name(a: i32) -> i32 where Reachable<Topology::CPU, Topology::D>, n "
      "<= 4096, Memory::SMEM <= 40 KiB { 1 }",
      "fn name(a: i32) -> i32\n"
      "  where Reachable<Topology::CPU, Topology::D>, n <= 4096, "
      "Memory::SMEM <= 40 KiB\n{\n  1\n}\n");
}

TEST(items_on_lines) {
  EXPECT_FORMAT("import a :: b ;const N:i32=3;",
                "import a::b;\nconst N: i32 = 3;\n");
  EXPECT_FORMAT("struct S<T>{a:T}enum E{A,B(i32,f32,),}struct U{}",
                "struct S<T> {\n  a: T,\n}\nenum E {\n  A,\n  B(i32, f32),\n}\n"
                "struct U {}\n");
  EXPECT_FORMAT("extern \"C\"{fn f(x:i32)->void;safe fn g()->i32;}",
                "extern \"C\" {\n  fn f(x: i32) -> void;\n"
                "  safe fn g() -> i32;\n}\n");
  EXPECT_FORMAT(
      "impl Copy for P{} unsafe fn f<T,const N:i32,D:Topology>()->T{}",
      "impl Copy for P {}\n"
      "unsafe fn f<T, const N: i32, D: Topology>() -> T {}\n");
  EXPECT_FORMAT("impl Transfer<Memory::A,Memory::B> for Topology::D{\r\n odd }",
                "impl Transfer<Memory::A, Memory::B> for Topology::D {\n"
                " odd }\n");
}

TEST(empty_lines) {
  EXPECT_FORMAT("\n\n\nimport a;\n\n\n\nimport b;\nimport c;\n\n\n",
                "import a;\n\nimport b;\nimport c;\n");
  EXPECT_STATEMENT("\n\n\na;\n\n\nb;\n\n", "  a;\n\n  b;\n");
  EXPECT_FORMAT("", "");
  EXPECT_FORMAT("\n \r\n", "");
}

TEST(comments) {
  EXPECT_FORMAT("// only", "// only\n");
  EXPECT_FORMAT("// a\n\n\n// b\nimport a; // c\n\n// d",
                "// a\n\n// b\nimport a;  // c\n\n// d\n");
  EXPECT_STATEMENT("\n // first\n\n // second\n a; // third\n // last\n",
                   "  // first\n\n  // second\n  a;  // third\n  // last\n");
  EXPECT_STATEMENT("f(a, // one\n b // two\n);",
                   "  f(\n    a,  // one\n    b,  // two\n  );\n");
  EXPECT_STATEMENT("f(\n// before\n a,\n// end\n);",
                   "  f(\n    // before\n    a,\n    // end\n  );\n");
  EXPECT_STATEMENT("let x // a\n = // b\n 1 // c\n ; // d\n",
                   "  let x  // a\n  =  // b\n  1;  // c\n  // d\n");
  EXPECT_STATEMENT("{\n// alone\n}", "  {\n    // alone\n  }\n");
  EXPECT_FORMAT(
      "struct S { a: i32 // first\n , // second\n // third\n }",
      "struct S {\n  a: i32,  // first\n  // second\n  // third\n}\n");
}

TEST(line_ends) {
  EXPECT_FORMAT("// a\r\nimport a; // b\r\n\r\nimport b;\r\n",
                "// a\nimport a;  // b\n\nimport b;\n");
}

TEST(machines) {
  EXPECT_FORMAT("Memory M{\nwithin:Memory::X,capacity:80 GiB, // spec: a\n"
                "page: 2MiB // b\n}",
                "Memory M {\n  within:   Memory::X,\n"
                "  capacity: 80 GiB,  // spec: a\n"
                "  page:     2MiB,    // b\n}\n");
  EXPECT_FORMAT(
      "Topology T {\nmemory:Memory::M,\n\n"
      "transfer Memory::A->Memory::LONG:3 GB/s, // x\n"
      "transfer Memory::LONG->Memory::A:50 latency 3 us copy_engine,\n"
      "transfer Memory::A->Memory::B sync\n}",
      "Topology T {\n  memory: Memory::M,\n\n"
      "  transfer Memory::A    -> Memory::LONG : 3 GB/s,  // x\n"
      "  transfer Memory::LONG -> Memory::A    : 50 latency 3 us "
      "copy_engine,\n"
      "  transfer Memory::A    -> Memory::B sync,\n}\n");
  // A citation covers what stands on its line.
  EXPECT_FORMAT("extend Memory M {usable:76 GiB,} // policy: kept free",
                "extend Memory M { usable: 76 GiB }  // policy: kept free\n");
  EXPECT_FORMAT("Memory M { }\nMemory N {\n}", "Memory M {}\nMemory N {}\n");
}

int main(void) {
  return RUN_TESTS(CASE(spaces), CASE(blocks), CASE(long_lines),
                   CASE(items_on_lines), CASE(empty_lines), CASE(comments),
                   CASE(line_ends), CASE(machines));
}
