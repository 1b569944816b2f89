// SPDX-License-Identifier: Apache-2.0
//
// The shapes of trees: what binds how.

#include "unit/syntax_fixture.h"

// The statement as a value of a function; its outline from `kind` on.
static void expect_shape(Test *test, const char *statement, const char *kind,
                         const char *expected, int line) {
  Fixture f;
  Arena arena = {0};
  Str text = str_format(&arena, "fn f() -> void { %s }", statement);
  fixture_parse_mode(&f, text, PARSE_PROGRAM);
  Str actual = fixture_outline(&f, kind);
  test_expect_text(test, fixture_codes(&f), STR(""), __FILE__, line, statement);
  test_expect_text(test, actual, str_from(expected), __FILE__, line, statement);
  fixture_close(&f);
  arena_free(&arena);
}

#define EXPECT_SHAPE(statement, kind, expected)                                \
  expect_shape(test, statement, kind, expected, __LINE__)

#define A "(Ident name=a)"
#define B "(Ident name=b)"
#define C "(Ident name=c)"
#define X "(Ident name=x)"
#define TYPE(name) "(NamedType (Ident name=" name "))"
#define INT(number) "(IntegerLit number=" number ")"

TEST(binding_strength) {
  EXPECT_SHAPE("a + b * c", "BinaryExpr",
               "(BinaryExpr op=+ " A " (BinaryExpr op=* " B " " C "))");
  EXPECT_SHAPE("a - b - c", "BinaryExpr",
               "(BinaryExpr op=- (BinaryExpr op=- " A " " B ") " C ")");
  EXPECT_SHAPE("a || b && c", "BinaryExpr",
               "(BinaryExpr op=|| " A " (BinaryExpr op=&& " B " " C "))");
  EXPECT_SHAPE("a == b < c", "BinaryExpr",
               "(BinaryExpr op=== " A " (BinaryExpr op=< " B " " C "))");
  EXPECT_SHAPE("a < b | c", "BinaryExpr",
               "(BinaryExpr op=< " A " (BinaryExpr op=| " B " " C "))");
  EXPECT_SHAPE("a << b + c", "BinaryExpr",
               "(BinaryExpr op=<< " A " (BinaryExpr op=+ " B " " C "))");
  EXPECT_SHAPE("a @ b + c", "BinaryExpr",
               "(BinaryExpr op=+ (BinaryExpr op=@ " A " " B ") " C ")");
  EXPECT_SHAPE("a + b..c", "RangeExpr",
               "(RangeExpr op=.. (BinaryExpr op=+ " A " " B ") " C ")");
}

TEST(casts_bind_tighter_than_unary_operators) {
  EXPECT_SHAPE("-x as u8", "UnaryExpr",
               "(UnaryExpr op=- (CastExpr " X " " TYPE("u8") "))");
  EXPECT_SHAPE("-1 as u8", "CastExpr",
               "(CastExpr (UnaryExpr op=- " INT("1") ") " TYPE("u8") ")");
  EXPECT_SHAPE("&x as u8", "UnaryExpr",
               "(UnaryExpr op=& (CastExpr " X " " TYPE("u8") "))");
  EXPECT_SHAPE("a as i32 < b", "BinaryExpr",
               "(BinaryExpr op=< (CastExpr " A " " TYPE("i32") ") " B ")");
  EXPECT_SHAPE("a as P<i32>", "CastExpr",
               "(CastExpr " A " (NamedType (Ident name=P) " TYPE("i32") "))");
}

TEST(two_ampersands_and_bars) {
  EXPECT_SHAPE("&&x", "UnaryExpr", "(UnaryExpr op=& (UnaryExpr op=& " X "))");
  EXPECT_SHAPE("a && &x", "BinaryExpr",
               "(BinaryExpr op=&& " A " (UnaryExpr op=& " X "))");
  EXPECT_SHAPE("&&mut x", "UnaryExpr",
               "(UnaryExpr op=& (UnaryExpr op=& flags=mut " X "))");
  EXPECT_SHAPE("f(|| a, |x| b)", "ClosureExpr", "(ClosureExpr " A ")");
  EXPECT_SHAPE("|x, _| b", "ClosureExpr",
               "(ClosureExpr (NamePattern name=x) "
               "(WildcardPattern underscore=_) " B ")");
}

#define CALL(args) "(CallExpr (GenericExpr " A " " args ") " X ")"

TEST(less_than_opens_arguments_or_compares) {
  EXPECT_SHAPE("a<8>(x)", "CallExpr", CALL(INT("8")));
  EXPECT_SHAPE("a::<8>(x)", "CallExpr", CALL(INT("8")));
  EXPECT_SHAPE("a<-1>(x)", "CallExpr", CALL("(UnaryExpr op=- " INT("1") ")"));
  EXPECT_SHAPE("a<P<b>>(x)", "CallExpr",
               CALL("(NamedType (Ident name=P) " TYPE("b") ")"));
  EXPECT_SHAPE("a<P<Q<b>>>(x)", "CallExpr",
               CALL("(NamedType (Ident name=P) (NamedType (Ident name=Q) " TYPE(
                   "b") "))"));
  EXPECT_SHAPE("a<(b, c)>(x)", "CallExpr",
               CALL("(TupleType " TYPE("b") " " TYPE("c") ")"));
  EXPECT_SHAPE("a<(b >> 1)>(x)", "CallExpr",
               CALL("(ParenExpr (BinaryExpr op=>> " B " " INT("1") "))"));
  EXPECT_SHAPE("a<b + 1>(x)", "CallExpr",
               CALL("(BinaryExpr op=+ " B " " INT("1") ")"));
  EXPECT_SHAPE("g(a < b, c > (x))", "CallExpr",
               "(CallExpr (Ident name=g) " CALL(TYPE("b") " " TYPE("c")) ")");
  EXPECT_SHAPE("a < b && c > (x)", "BinaryExpr",
               "(BinaryExpr op=&& (BinaryExpr op=< " A " " B
               ") (BinaryExpr op=> " C " (ParenExpr " X ")))");
  EXPECT_SHAPE("a < b >> (x)", "BinaryExpr",
               "(BinaryExpr op=< " A " (BinaryExpr op=>> " B " (ParenExpr " X
               ")))");
  EXPECT_SHAPE("sizeof<i32>()", "CallExpr",
               "(CallExpr (GenericExpr (Ident name=sizeof) " TYPE("i32") "))");
  EXPECT_SHAPE("x.m<8>(a)", "MethodCall",
               "(MethodCall name=m " X " " INT("8") " " A ")");
  EXPECT_SHAPE("x.m < a", "BinaryExpr",
               "(BinaryExpr op=< (FieldExpr name=m " X ") " A ")");
}

TEST(heads_take_no_struct_literal) {
  EXPECT_SHAPE("if a { b; }", "IfExpr",
               "(IfExpr " A " (Block (ExprStmt flags=semicolon " B ")))");
  EXPECT_SHAPE("if a < b { c; }", "IfExpr",
               "(IfExpr (BinaryExpr op=< " A " " B
               ") (Block (ExprStmt flags=semicolon " C ")))");
  EXPECT_SHAPE(
      "if (P { x: 1 }) { }", "ParenExpr",
      "(ParenExpr (StructExpr " TYPE("P") " (FieldInit name=x " INT("1") ")))");
  EXPECT_SHAPE("let y = P<i32> { x: a };", "StructExpr",
               "(StructExpr (NamedType (Ident name=P) " TYPE(
                   "i32") ") "
                          "(FieldInit name=x " A "))");
  EXPECT_SHAPE("for i in a..b stages 3 { }", "ForExpr",
               "(ForExpr (NamePattern name=i) (RangeExpr op=.. " A " " B
               ") " INT("3") " (Block))");
  EXPECT_SHAPE("let y = [for i in a { b }];", "ComprehensionExpr",
               "(ComprehensionExpr (NamePattern name=i) " A
               " (Block (ExprStmt " B ")))");
}

TEST(statements_end_at_their_brace) {
  EXPECT_SHAPE("if a { } *b = c;", "AssignExpr",
               "(AssignExpr op== (UnaryExpr op=* " B ") " C ")");
  EXPECT_SHAPE("{ a } -b", "UnaryExpr", "(UnaryExpr op=- " B ")");
  EXPECT_SHAPE("match a { _ => { b } (x, _) => c }", "MatchExpr",
               "(MatchExpr " A " (MatchArm (WildcardPattern underscore=_) "
               "(Block (ExprStmt " B "))) (MatchArm (TuplePattern "
               "(NamePattern name=x) (WildcardPattern underscore=_)) " C "))");
  EXPECT_SHAPE("let y = if a { b } else { c } + x;", "BinaryExpr",
               "(BinaryExpr op=+ (IfExpr " A " (Block (ExprStmt " B
               ")) (Block (ExprStmt " C "))) " X ")");
}

TEST(soft_keywords_are_names) {
  EXPECT_SHAPE("on + safe", "BinaryExpr",
               "(BinaryExpr op=+ (Ident name=on) (Ident name=safe))");
  EXPECT_SHAPE("transfer + type", "BinaryExpr",
               "(BinaryExpr op=+ (Ident name=transfer) (Ident name=type))");
  EXPECT_SHAPE("transfer(a, Memory::S)", "TransferExpr",
               "(TransferExpr " A " (Place name=S))");
  EXPECT_SHAPE("let extend = stages;", "LetStmt",
               "(LetStmt (NamePattern name=extend) (Ident name=stages))");
  EXPECT_SHAPE("a.transfer(b)", "MethodCall",
               "(MethodCall name=transfer " A " " B ")");
}

TEST(places) {
  EXPECT_SHAPE("Memory::S[a].capacity", "FieldExpr",
               "(FieldExpr name=capacity (Place name=S " A "))");
  EXPECT_SHAPE("Memory::of<D>", "MemoryOf", "(MemoryOf (Ident name=D))");
  EXPECT_SHAPE("let t: [P; 4] = Topology::D[..];", "Place",
               "(Place name=D flags=topology (AllInstances dots=..))");
}

TEST(types) {
  EXPECT_SHAPE(
      "let t: Tensor<f32, [?, ?<=8, a + 1], Memory::S> = x;", "TensorType",
      "(TensorType " TYPE("f32") " (DimList (DynamicDim question=?) "
                                 "(DynamicDim question=? " INT(
                                     "8") ") (BinaryExpr op=+ " A
                                          " " INT("1") ")) (Place name=S))");
  EXPECT_SHAPE("let t: Q<P<i32>>= x;", "LetStmt",
               "(LetStmt (NamePattern name=t) (NamedType (Ident name=Q) "
               "(NamedType (Ident name=P) " TYPE("i32") ")) " X ")");
  EXPECT_SHAPE("let t: fn(&&mut i32) -> *const u8 = x;", "FnType",
               "(FnType (RefType (RefType flags=mut " TYPE(
                   "i32") ")) "
                          "(PointerType " TYPE("u8") "))");
  EXPECT_SHAPE("Tensor<f32>([1])", "CallExpr",
               "(CallExpr (TypeExpr (TensorType " TYPE("f32") ")) "
                                                              "(ListExpr " INT(
                                                                  "1") "))");
  EXPECT_SHAPE("Tensor<f32, []>::new()", "CallExpr",
               "(CallExpr (TypeMember name=new (TensorType " TYPE(
                   "f32") " (DimList))))");
}

TEST(patterns) {
  EXPECT_SHAPE(
      "match a { -1 => b, 0..4 => b, E::B(n, _) => b, A..B => b }", "MatchExpr",
      "(MatchExpr " A " (MatchArm (LiteralPattern (UnaryExpr op=- " INT(
          "1") ")) " B
               ") (MatchArm (RangePattern " INT("0") " " INT(
                   "4") ") " B ") (MatchArm (EnumPattern (Ident name=E) (Ident "
                        "name=B) (NamePattern name=n) (WildcardPattern "
                        "underscore=_)) " B ") (MatchArm (RangePattern (Ident "
                        "name=A) (Ident name=B)) " B "))");
  EXPECT_SHAPE("let (mut a, (b, _)) = x;", "TuplePattern",
               "(TuplePattern (NamePattern name=a flags=mut) (TuplePattern "
               "(NamePattern name=b) (WildcardPattern underscore=_)))");
}

TEST(tuple_elements) {
  EXPECT_SHAPE("a.0.1", "FieldExpr",
               "(FieldExpr name=1 (FieldExpr name=0 " A "))");
  EXPECT_SHAPE("(a,)", "TupleExpr", "(TupleExpr " A ")");
  EXPECT_SHAPE("()", "TupleExpr", "(TupleExpr)");
  EXPECT_SHAPE("(a)", "ParenExpr", "(ParenExpr " A ")");
}

TEST(machine_items) {
  Fixture f;
  fixture_parse_mode(
      &f,
      STR("extend Topology T { count: 8,\n"
          "transfer Memory::A -> Memory::B[0..2] : 3.5 GB/s latency 9 us "
          "sync, overcommit, tiling: [8, 128] packed, node: [0: 3] }"),
      PARSE_MACHINE);
  EXPECT_STR(fixture_codes(&f), "");
  EXPECT_STR(
      fixture_outline(&f, "TopologyItem"),
      "(TopologyItem name=T flags=extend (MachineField name=count (Quantity "
      "number=8)) (LinkField flags=sync (Place name=A) (Place name=B "
      "(RangeExpr op=.. " INT("0") " " INT(
          "2") ")) (Quantity number=3.5 "
               "unit=GB per=s) (Quantity number=9 unit=us)) (MachineField "
               "name=overcommit) (MachineField name=tiling modifier=packed "
               "(ListExpr "
               "(Quantity number=8) (Quantity number=128))) (MachineField "
               "name=node "
               "(ListExpr (WeightedEntry (Quantity number=0) (Quantity "
               "number=3)))))");
  fixture_close(&f);
}

TEST(where_clauses) {
  Fixture f;
  fixture_parse(&f, "fn f() -> void where Reachable<CPU, Topology::D>, "
                    "0 <= n, Memory::S <= 40KiB, copies(Memory::S) >= 2 { }");
  EXPECT_STR(fixture_codes(&f), "");
  EXPECT_STR(fixture_outline(&f, "FnItem"),
             "(FnItem name=f " TYPE(
                 "void") " (WhereReachable (Ident name=CPU) (Place "
                         "name=D flags=topology)) (WhereBound op=<= " INT(
                             "0") " (Ident name=n)) "
                                  "(WhereBudget (Place name=S) (Quantity "
                                  "number=40KiB)) (WhereCopies "
                                  "(Place name=S) " INT("2") ") (Block))");
  fixture_close(&f);
}

TEST(extern_items) {
  Fixture f;
  fixture_parse(&f, "extern \"C\" { safe fn a() -> i32; }\n"
                    "extern \"C\" fn b() -> i32 { 1 }");
  EXPECT_STR(fixture_codes(&f), "");
  EXPECT_STR(fixture_outline(&f, "Module"),
             "(Module (ExternBlock abi=\"C\" (FnItem name=a "
             "flags=safe,declared " TYPE(
                 "i32") ")) (ExternBlock abi=\"C\" "
                        "(FnItem name=b flags=extern " TYPE(
                            "i32") " (Block (ExprStmt " INT("1") ")))))");
  fixture_close(&f);
}

TEST(documentation) {
  Fixture f;
  Tree *tree = fixture_parse(&f, "/// not this\nconst A: i32 = 1;\n"
                                 "/// One.\n///\n// aside\n///  Two.\n"
                                 "const B: i32 = 2;\n");
  NodeList items = module(tree, tree->root).items;
  EXPECT_STR(node_doc(&f.arena, tree, list_at(tree, items, 1)),
             "One.\n\n Two.");
  EXPECT_STR(node_doc(&f.arena, tree, list_at(tree, items, 0)), "not this");
  fixture_close(&f);
}

TEST(depth_of_nodes) {
  Fixture f;
  Tree *tree = fixture_parse(&f, "const A: i32 = 1 + (2);");
  NodeId item = list_at(tree, module(tree, tree->root).items, 0);
  NodeId sum = const_item(tree, item).value;
  EXPECT_EQ(tree->nodes.items[sum.index].depth, 3);
  EXPECT_EQ(tree->nodes.items[item.index].depth, 4);
  NodeId right = binary_expr(tree, sum).right;
  EXPECT_EQ(node_kind(tree, node_unparen(tree, right)), NODE_IntegerLit);
  fixture_close(&f);
}

TEST(an_empty_file_is_a_module) {
  Fixture f;
  Tree *tree = fixture_parse(&f, "");
  EXPECT_EQ(module(tree, tree->root).items.count, 0);
  EXPECT(!tree->has_errors);
  EXPECT_STR(fixture_codes(&f), "");
  fixture_close(&f);
}

int main(void) {
  return RUN_TESTS(
      CASE(binding_strength), CASE(casts_bind_tighter_than_unary_operators),
      CASE(two_ampersands_and_bars),
      CASE(less_than_opens_arguments_or_compares),
      CASE(heads_take_no_struct_literal), CASE(statements_end_at_their_brace),
      CASE(soft_keywords_are_names), CASE(places), CASE(types), CASE(patterns),
      CASE(tuple_elements), CASE(machine_items), CASE(where_clauses),
      CASE(extern_items), CASE(documentation), CASE(depth_of_nodes),
      CASE(an_empty_file_is_a_module));
}
