// SPDX-License-Identifier: Apache-2.0
//
// What is reported, where, and what is not: no error causes a second one.

#include "unit/syntax_fixture.h"

static void expect_codes(Test *test, Str text, ParseMode mode,
                         const char *expected, int line) {
  Fixture f;
  Tree *tree = fixture_parse_mode(&f, text, mode);
  test_expect_text(test, fixture_codes(&f), str_from(expected), __FILE__, line,
                   "codes");
  test_expect(test, tree->has_errors == (expected[0] != '\0'), __FILE__, line,
              "has_errors");
  test_expect(test, tree->nodes.items[tree->root.index].depth <= MAX_TREE_DEPTH,
              __FILE__, line, "depth");
  fixture_close(&f);
}

// Within a function: the statement begins at 2:1.
static void expect_in_function(Test *test, const char *statement,
                               const char *expected, int line) {
  Arena arena = {0};
  Str text = str_format(&arena,
                        "fn f() -> i32 {\n%s\nreturn 1; }\n"
                        "fn g() -> i32 { 1 }\n",
                        statement);
  expect_codes(test, text, PARSE_PROGRAM, expected, line);
  arena_free(&arena);
}

#define EXPECT_FILE(text, expected)                                            \
  expect_codes(test, STR(text), PARSE_PROGRAM, expected, __LINE__)
#define EXPECT_MACHINE(text, expected)                                         \
  expect_codes(test, STR(text), PARSE_MACHINE, expected, __LINE__)
#define EXPECT_IN(statement, expected)                                         \
  expect_in_function(test, statement, expected, __LINE__)

TEST(semicolons) {
  EXPECT_IN("let x = 5", "E1007@2:10");
  EXPECT_IN("f()\ng();", "E1007@2:4");
  EXPECT_IN("let x = 5 // why", "E1007@2:10");
  EXPECT_IN("x = 1 y = 2;", "E1009@2:7");
  EXPECT_IN("int x = 3;", "E1009@2:5");
  EXPECT_IN("let y = (i32)x;", "E1009@2:14");
  EXPECT_FILE("import a\nconst N: i32 = 1\nconst M: i32 = 2;",
              "E1007@1:9 E1007@2:17");
}

TEST(lists) {
  EXPECT_IN("f(a b);", "E1008@2:4");
  EXPECT_IN("f(a = b, c d);", "E1008@2:5 E1008@2:11");
  EXPECT_IN("f(a, , b);", "E1005@2:6");
  EXPECT_IN("let x = [1 2, 3];", "E1008@2:11");
  EXPECT_IN("let p = P { x: 1 y: 2, z };", "E1008@2:17 E1001@2:26");
  EXPECT_FILE("struct S { a i32, b: f32 c: f32 }", "E1001@1:14 E1008@1:25");
  EXPECT_FILE("fn f(int x, y) -> i32 { 1 }", "E1001@1:10 E1001@1:14");
  EXPECT_FILE("fn f<T U>() -> i32 { 1 }", "E1008@1:8");
}

TEST(operands_and_operators) {
  EXPECT_IN("let x = ;", "E1005@2:9");
  EXPECT_IN("x = = 3; y = + 2;", "E1005@2:5 E1005@2:14");
  EXPECT_IN("x++;", "E1005@2:3");
  EXPECT_IN("let z = (a b);", "E1009@2:12");
  EXPECT_IN("if a = b { c( ; }", "E1009@2:6 E1006@2:13");
  EXPECT_IN("while a < b < c { x(; }", "E1009@2:13 E1006@2:20");
  EXPECT_IN("let r = 0..3..4;", "E1009@2:13");
  EXPECT_IN("let r = [1][2..];", "E1005@2:16");
  EXPECT_IN("match a { } .b();", "E1005@2:13");
  EXPECT_IN("if let x = 3 { }", "E1005@2:4");
}

TEST(names_and_types) {
  EXPECT_IN("let = 3;", "E1003@2:5");
  EXPECT_IN("let x: = 3;", "E1004@2:8");
  EXPECT_IN("let x: *f32 = p;", "E1001@2:9");
  EXPECT_IN("let x;", "E1001@2:6");
  EXPECT_IN("a.;", "E1003@2:3");
  EXPECT_FILE("fn f() { }\nfn g(x: ) -> i32 { 1 }", "E1004@1:8 E1004@2:9");
  EXPECT_FILE("fn f() : i32 { let = 3; }", "E1001@1:8 E1003@1:20");
  EXPECT_FILE("fn 3() -> i32 { }\nfn f() -> i32 { 1 }", "E1003@1:4");
  EXPECT_FILE("const N = 3;", "E1001@1:9");
}

TEST(unclosed_delimiters) {
  EXPECT_IN("let x = (1 + 2;", "E1006@2:9");
  EXPECT_IN("f(a, g(b;", "E1006@2:7");
  EXPECT_IN("let t = Tensor<f32, [2, 3>::new();", "E1006@2:21");
  EXPECT_FILE("fn f() -> i32 {\n  if x {\n    y();\n", "E1006@1:15");
  EXPECT_FILE("fn f() -> i32 {\n  if x {\n  return 1;\n}\nfn g() -> i32 { 1 }",
              "E1006@1:15");
  EXPECT_FILE("fn f() -> i32 { 1 } }", "E1001@1:21");
  EXPECT_FILE("Memory M { capacity: 3 GiB,", "E1006@1:10");
  EXPECT_FILE("fn f(", "E1006@1:5");
}

TEST(the_end_of_the_file) {
  EXPECT_FILE("fn", "E1002@1:3");
  EXPECT_FILE("const N: i32 = 3", "E1002@1:17");
  EXPECT_FILE("import a::", "E1002@1:11");
  EXPECT_FILE("fn f() -> ", "E1002@1:11");
  EXPECT_FILE("struct S", "E1002@1:9");
}

TEST(items) {
  EXPECT_FILE("main() -> i32 { 1 +; }\nfn f() -> i32 { 1 }", "E1001@1:1");
  EXPECT_FILE("pub fn f() -> i32 { 1 }", "E1001@1:1");
  EXPECT_FILE("struct S { };", "E1001@1:13");
  EXPECT_FILE("trait T { fn f(); }\nmacro_rules! m { () => {} }",
              "E1014@1:1 E1014@2:1");
  EXPECT_FILE("fn f(x: i32) -> i32 requires x > 0 ensures x < 3 { 1 }",
              "E1014@1:21 E1014@1:36");
  EXPECT_FILE("impl T for P { type X = i32; fn f() -> i32 { ; } }",
              "E1014@1:16 E1005@1:46");
  EXPECT_FILE("impl Transfer<Memory::A, Memory::B> for Topology::D { $ }",
              "E1001@1:55");
  EXPECT_IN("fn inner() -> i32 { 1 }", "E1001@2:1");
  EXPECT_IN("while a invariant b < c { }", "E1014@2:9");
}

TEST(where_takes_five_forms) {
  EXPECT_FILE("fn f() -> i32 where T: Copy { 1 }", "E1001@1:22");
  EXPECT_FILE("fn f() -> i32 where n < 3 { ; }", "E1001@1:23 E1005@1:29");
  EXPECT_FILE("fn f() -> i32 where Memory::S <= x { 1 }", "E1001@1:34");
  EXPECT_FILE("fn f() -> i32 where (a) <= 3 { 1 }", "E1001@1:21");
}

TEST(machines) {
  EXPECT_MACHINE("Memory M { capacity 80 GiB, page: , align: 3 B\n x: 1 }",
                 "E1011@1:21 E1011@1:35 E1011@2:2");
  EXPECT_MACHINE("Topology T { transfer Memory::A Memory::B : 3, memory: ; }",
                 "E1010@1:33 E1010@1:56");
  EXPECT_MACHINE("Memory { }\nTopology T ( )\nMemory M { }",
                 "E1011@1:8 E1010@2:12");
  EXPECT_MACHINE("fn f() -> i32 { let x = ; }\nstruct S { }\nimport a;",
                 "E1001@1:1 E1001@2:1");
  EXPECT_MACHINE("extend Topology T { count: 8 }", "");
  EXPECT_MACHINE("Memory M { capacity: 3 MB/, page: 4 XB }", "E1011@1:27");
}

TEST(literals) {
  EXPECT_IN("let x = 3foo;", "E1015@2:9");
  EXPECT_IN("let x = 40KiB + 1.5GHz + 1f32;", "E1015@2:9 E1015@2:17");
  EXPECT_IN("let s = \"abc;\nlet y = 3;", "E1015@2:9");
  EXPECT_IN("f(\"abc);\nlet y = ;", "E1015@2:3 E1005@3:9");
  EXPECT_IN("let c = 'a';", "E1001@2:9");
  EXPECT_IN("let c = $ + 1;", "E1001@2:9");
}

TEST(what_is_no_text) {
  EXPECT_FILE("fn f( {\0", "E1017@1:8");
  EXPECT_FILE("\xff\xfe", "E1017@1:1");
}

TEST(five_errors) {
  EXPECT_FILE("fn a() -> i32 {\n  let x = 5\n  let y = 1 + ;\n"
              "  g(1, 2 3);\n  return x;\n}\n"
              "fn b() { 1 }\nstruct S { a: }\nfn c() -> i32 { 1 }\n",
              "E1007@2:12 E1005@3:15 E1008@4:9 E1004@7:8 E1004@8:15");
}

// `before`, `middle` `times` times, `after`, in a function.
static void expect_too_deep(Test *test, const char *before, const char *middle,
                            const char *after, const char *expected) {
  Arena arena = {0};
  Text text = text_new(&arena);
  text_puts(&text, "fn f() -> i32 {\n");
  text_puts(&text, before);
  for (int i = 0; i < 20000; i++)
    text_puts(&text, middle);
  for (const char *c = after; *c != '\0' && *c != ' '; c++)
    text_repeat(&text, *c, 20000);
  text_puts(&text, ";\nlet y = ;\n}\nfn g() -> i32 { 1 }\n");
  Fixture f;
  Tree *tree = fixture_parse_mode(&f, text_str(&text), PARSE_PROGRAM);
  Str codes = fixture_codes(&f);
  bool is_once = str_starts_with(codes, STR("E1016@")) &&
                 str_ends_with(codes, str_from(expected));
  size_t spaces = 0;
  for (size_t i = 0; i < codes.length; i++)
    spaces += codes.data[i] == ' ';
  if (!EXPECT(is_once && spaces == (expected[0] != '\0')))
    printf("  %s%s: %.*s\n", before, middle, STR_ARG(codes));
  EXPECT(tree->nodes.items[tree->root.index].depth <= MAX_TREE_DEPTH);
  fixture_close(&f);
  arena_free(&arena);
}

TEST(nesting_is_bounded) {
  static const char *const closed[][3] = {
      {"x = ", "(", ")"},
      {"x = ", "[", "]"},
      {"x = ", "f(", ")"},
      {"x = ", "{", "}"},
      {"x = ", "unsafe {", "}"},
      {"x = ", "P { x: ", "}"},
      {"x = ", "Memory::S[", "]"},
      {"x = ", "match a { _ => ", "}"},
      {"x = ", "spawn on(Topology::D) {", "}"},
      {"x = ", "g::<", ">"},
  };
  for (size_t i = 0; i < COUNT_OF(closed); i++)
    expect_too_deep(test, closed[i][0], closed[i][1], closed[i][2],
                    " E1005@3:9");
  static const char *const open[][2] = {
      {"x = ", "!"},          {"x = ", "-"},
      {"x = ", "&&"},         {"x = a", ".b"},
      {"x = 1", "+1"},        {"x = 1", " || 1"},
      {"x = f", "(1)"},       {"x = f", "[1]"},
      {"x = a", " as i32"},   {"x = ", "|x| "},
      {"x = ", "return "},    {"let x: ", "&"},
      {"let x: ", "*const "}, {"if a {} ", "else if a {} "},
      {"let x: ", "Tensor<"}, {"x = ", "Memory::of<"},
      {"let ", "("},
  };
  for (size_t i = 0; i < COUNT_OF(open); i++)
    expect_too_deep(test, open[i][0], open[i][1], "", " E1005@3:9");
}

int main(void) {
  return RUN_TESTS(CASE(semicolons), CASE(lists), CASE(operands_and_operators),
                   CASE(names_and_types), CASE(unclosed_delimiters),
                   CASE(the_end_of_the_file), CASE(items),
                   CASE(where_takes_five_forms), CASE(machines), CASE(literals),
                   CASE(what_is_no_text), CASE(five_errors),
                   CASE(nesting_is_bounded));
}
