// SPDX-License-Identifier: Apache-2.0
//
// The exact text and JSON of records.

#include "diag/diag.h"
#include "unit/test.h"

#include <string.h>

typedef struct {
  Arena arena;
  SourceMap sources;
  DiagSink sink;
  const char *text;
  uint32_t start;
} Fixture;

static void set_up(Fixture *fixture, const char *text) {
  *fixture = (Fixture){.text = text};
  source_init(&fixture->sources, &fixture->arena);
  FileId file = source_add(&fixture->sources, STR("tile.vx"), str_from(text));
  fixture->start = source_file(&fixture->sources, file)->start;
  diag_init(&fixture->sink, &fixture->arena);
}

// The first place in the text where `part` stands.
static Span span_of(const Fixture *fixture, const char *part) {
  const char *at = strstr(fixture->text, part);
  CHECK(at != NULL);
  return (Span){fixture->start + (uint32_t)(at - fixture->text),
                (uint32_t)strlen(part)};
}

static Str render(Fixture *fixture, bool use_color, uint32_t limit) {
  diag_finish(&fixture->sink, &fixture->sources);
  Text out = text_new(&fixture->arena);
  diag_render_text(&out, &fixture->sink, &fixture->sources, use_color, limit);
  return text_str(&out);
}

TEST(a_record_with_everything) {
  Fixture f;
  set_up(&f, "fn main() -> i32 {\n"
             "  let host = make();\n"
             "  let tile = transfer(host, Memory::SMEM);\n"
             "}\n");
  FileId machine = source_add(&f.sources, STR("fleet/h100-sxm.vx"),
                              STR("Memory SMEM {\n  capacity: 228 KiB\n}\n"));
  uint32_t start = source_file(&f.sources, machine)->start;
  Diagnostic *d = diag_over_capacity(
      &f.sink, span_of(&f, "transfer(host, Memory::SMEM)"),
      STR("transferred tensor"), BYTES(262144), STR("SMEM"), 233472);
  diag_set_label(&f.sink, d, STR("256x256 f32 = 256 KiB"));
  diag_add_note(&f.sink, d, (Span){start + 16, 17},
                STR("capacity 228 KiB declared\n(spec: a paper)"));
  diag_add_help(&f.sink, d, STR("as bf16 the tile fits (128 KiB)"));
  EXPECT_STR(
      render(&f, false, 0),
      "Error[E6009]: transferred tensor needs 262144 bytes but memory space "
      "'SMEM' has capacity 233472 bytes\n"
      "  --> tile.vx:3:14\n"
      "   |\n"
      " 3 |   let tile = transfer(host, Memory::SMEM);\n"
      "   |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ 256x256 f32 = 256 KiB\n"
      "   |\n"
      "  note: capacity 228 KiB declared at fleet/h100-sxm.vx:2:3\n"
      "        (spec: a paper)\n"
      "  help: as bf16 the tile fits (128 KiB)\n"
      "\n"
      "1 errors, 0 warnings\n");
  arena_free(&f.arena);
}

TEST(labels_on_the_same_line) {
  Fixture f;
  set_up(&f, "\tlet \xe6\xbc\xa2 = left @ right;\n");
  Diagnostic *d =
      diag_matmul_shape(&f.sink, span_of(&f, "@"), STR("[2, 4]"), STR("[3]"));
  diag_set_label(&f.sink, d, STR("4 is not 3"));
  diag_add_label(&f.sink, d, span_of(&f, "left"), STR("[2, 4] f32"));
  diag_add_label(&f.sink, d, span_of(&f, "right"), STR("[3] f32"));
  diag_add_label(&f.sink, d, span_of(&f, "\xe6\xbc\xa2"), STR("here"));
  EXPECT_STR(render(&f, false, 0),
             "Error[E7001]: `@` needs `[m, k] @ [k, n]`, but these are [2, 4] "
             "and [3]\n"
             "  --> tile.vx:1:15\n"
             "   |\n"
             " 1 |     let \xe6\xbc\xa2 = left @ right;\n"
             "   |         --   ---- ^ ----- [3] f32\n"
             "   |         |    |    |\n"
             "   |         |    |    4 is not 3\n"
             "   |         |    [2, 4] f32\n"
             "   |         here\n"
             "\n"
             "1 errors, 0 warnings\n");
  arena_free(&f.arena);
}

TEST(labels_on_other_lines) {
  Fixture f;
  set_up(&f, "far\n1\n2\n3\n4\n5\nfirst\n7\nsecond\n\n\n\n\nuse(second)\n");
  Diagnostic *d = diag_not_mutable(&f.sink, span_of(&f, "(second"),
                                   STR("second"), STR("assigned"));
  diag_add_label(&f.sink, d, span_of(&f, "second"), STR("moved here"));
  diag_add_label(&f.sink, d, span_of(&f, "first"), STR("bound here"));
  diag_add_label(&f.sink, d, span_of(&f, "far"), STR("declared"));
  EXPECT_STR(render(&f, false, 0),
             "Error[E4010]: `second` is not `mut`, so it cannot be assigned\n"
             "  --> tile.vx:14:4\n"
             "    |\n"
             "  7 | first\n"
             "    | ----- bound here\n"
             "  8 | 7\n"
             "  9 | second\n"
             "    | ------ moved here\n"
             "...\n"
             " 14 | use(second)\n"
             "    |    ^^^^^^^\n"
             "    |\n"
             "  note: declared at tile.vx:1:1\n"
             "\n"
             "1 errors, 0 warnings\n");
  arena_free(&f.arena);
}

TEST(a_label_inside_the_span) {
  Fixture f;
  set_up(&f, "  f(a + b)  \n");
  Diagnostic *d = diag_not_mutable(&f.sink, span_of(&f, "f(a + b)"), STR("a"),
                                   STR("borrowed"));
  diag_set_label(&f.sink, d, STR("the call"));
  diag_add_label(&f.sink, d, span_of(&f, "a"), STR("this"));
  EXPECT_STR(render(&f, false, 0),
             "Error[E4010]: `a` is not `mut`, so it cannot be borrowed\n"
             "  --> tile.vx:1:3\n"
             "   |\n"
             " 1 |   f(a + b)\n"
             "   |   ^^^^^^^^\n"
             "   |   | |\n"
             "   |   | this\n"
             "   |   the call\n"
             "\n"
             "1 errors, 0 warnings\n");
  arena_free(&f.arena);
}

TEST(ends_and_empty_lines) {
  Fixture f;
  set_up(&f, "fn\n");
  Span end = {f.start + 3, 0};
  (void)diag_unexpected_end(&f.sink, end, STR("a name"));
  Span lines = {f.start + 1, 2}; // to the end of the first line
  (void)diag_unexpected_token(&f.sink, lines, STR("a"), STR("b"));
  EXPECT_STR(render(&f, false, 0),
             "Error[E1001]: expected a, found b\n"
             "  --> tile.vx:1:2\n"
             "   |\n"
             " 1 | fn\n"
             "   |  ^\n"
             "\n"
             "Error[E1002]: expected a name, found the end of the file\n"
             "  --> tile.vx:2:1\n"
             "   |\n"
             " 2 |\n"
             "   | ^\n"
             "\n"
             "2 errors, 0 warnings\n");
  arena_free(&f.arena);
}

TEST(what_could_steer_a_terminal_is_replaced) {
  Fixture f;
  set_up(&f, "a \x1b[2J \xe2\x80\xae \xff x\n");
  (void)diag_unknown_type(&f.sink, span_of(&f, "x"), STR("\x1b[31m\n"));
  EXPECT_STR(render(&f, false, 0),
             "Error[E3029]: no type `\xef\xbf\xbd[31m ` in scope\n"
             "  --> tile.vx:1:12\n"
             "   |\n"
             " 1 | a \xef\xbf\xbd[2J \xef\xbf\xbd \xef\xbf\xbd x\n"
             "   |            ^\n"
             "\n"
             "1 errors, 0 warnings\n");
  arena_free(&f.arena);
}

// The two lines of the picture after the frame: the source and its marks.
static Str picture_line(Str text, int which) {
  const char *at = text.data;
  for (int i = 0; i < which; i++)
    at = strchr(at, '\n') + 1;
  return (Str){at, strcspn(at, "\n")};
}

// The line has TARGET between `before` and `after` times ten digits.
static void check_cut(Test *test, unsigned before, unsigned after) {
  Arena arena = {0};
  Text text = text_new(&arena);
  for (unsigned i = 0; i < before; i++)
    text_puts(&text, "0123456789");
  text_puts(&text, "TARGET");
  for (unsigned i = 0; i < after; i++)
    text_puts(&text, "0123456789");
  text_char(&text, '\0');
  Fixture f;
  set_up(&f, text.data);
  (void)diag_unknown_type(&f.sink, span_of(&f, "TARGET"), STR("T"));
  Str shown = render(&f, false, 0);
  Str source = picture_line(shown, 3);
  Str marks = picture_line(shown, 4);
  if (after > 15)
    EXPECT_EQ(source.length, 5 + 160);
  EXPECT(str_starts_with(source, STR(" 1 | ...3456")));
  EXPECT_EQ(str_ends_with(source, STR("...")), after > 15);
  const char *target = strstr(source.data, "TARGET");
  const char *carets = strchr(marks.data, '^');
  EXPECT_EQ(target - source.data, carets - marks.data);
  EXPECT_EQ(strspn(carets, "^"), 6);
  Str place = str_format(&arena, "tile.vx:1:%u\n", 10 * before + 1);
  EXPECT(strstr(shown.data, str_to_c(&arena, place)) != NULL);
  arena_free(&f.arena);
  arena_free(&arena);
}

TEST(long_lines_are_cut_around_the_span) {
  check_cut(test, 100, 100);
  check_cut(test, 3000, 3000); // longer than what is looked at
  check_cut(test, 3000, 0);
  check_cut(test, 100, 3000);
}

TEST(colours_and_limits) {
  Fixture f;
  set_up(&f, "a b c\n");
  (void)diag_same_memory(&f.sink, span_of(&f, "a"), STR("HBM"));
  (void)diag_unknown_type(&f.sink, span_of(&f, "b"), STR("b"));
  (void)diag_unknown_type(&f.sink, span_of(&f, "c"), STR("c"));
  EXPECT_STR(render(&f, true, 1),
             "\x1b[1;33mWarning[W1022]\x1b[0m\x1b[1m: \x1b[0m\x1b[1mthis "
             "transfer stays in HBM; it only makes a copy\x1b[0m\n"
             "\x1b[1;34m  -->\x1b[0m tile.vx:1:1\n"
             "\x1b[1;34m   |\x1b[0m\n"
             "\x1b[1;34m 1 |\x1b[0m a b c\n"
             "\x1b[1;34m   |\x1b[0m \x1b[1;33m^\x1b[0m\n"
             "\n"
             "and 2 more, not shown\n"
             "2 errors, 1 warnings\n");
  arena_free(&f.arena);
}

TEST(warnings_alone_have_no_last_line) {
  Fixture f;
  set_up(&f, "a\n");
  EXPECT_STR(render(&f, false, 0), "");
  (void)diag_same_memory(&f.sink, span_of(&f, "a"), STR("HBM"));
  EXPECT(str_ends_with(render(&f, false, 50), STR("^\n\n")));
  arena_free(&f.arena);
}

TEST(json_of_an_empty_list) {
  Fixture f;
  set_up(&f, "");
  Text out = text_new(&f.arena);
  diag_render_json(&out, &f.sink, 4);
  EXPECT_STR(text_str(&out), "[]");
  arena_free(&f.arena);
}

TEST(json_of_records) {
  Fixture f;
  set_up(&f, "let \xc3\xa9 = move(w)\n");
  Diagnostic *d = diag_cannot_read(&f.sink, NO_SPAN, STR("a\"b"), STR("why"));
  diag_add_help(&f.sink, d, STR("look"));
  diag_add_note(&f.sink, d, span_of(&f, "move"), STR("first\nsecond"));
  f.sink.phase = PHASE_MEMORY;
  d = diag_over_capacity(&f.sink, span_of(&f, "move(w)"), STR("it"), BYTES(300),
                         STR("HBM"), 100);
  diag_set_capacity(&f.sink, d, STR("HBM[3]"), BYTES(300), 100);
  diag_set_tiles(d, 2);
  diag_add_fixit(&f.sink, d, span_of(&f, "w"), STR("v"), STR("use v"));
  d = diag_beyond_64_bits(&f.sink, span_of(&f, "w"), STR("it"));
  diag_set_capacity(&f.sink, d, STR("S"), bytes_mul(BYTES(UINT64_MAX), 2), 1);
  diag_finish(&f.sink, &f.sources);
  Text out = text_new(&f.arena);
  diag_render_json(&out, &f.sink, 4);
  EXPECT_STR(
      text_str(&out),
      "[\n"
      "    {\"level\": \"error\", \"code\": \"E9001\", \"message\": \"cannot "
      "read 'a\\\"b': why\", \"file\": null, \"line\": null, \"column\": null, "
      "\"end_line\": null, \"end_column\": null, \"notes\": [\"first at "
      "tile.vx:1:9\\nsecond\"], \"fixits\": [], \"label\": \"\", "
      "\"labels\": [], \"helps\": [\"look\"]},\n"
      "    {\"level\": \"error\", \"code\": \"E6009\", \"message\": \"it needs "
      "300 bytes but memory space 'HBM' has capacity 100 bytes\", \"file\": "
      "\"tile.vx\", \"line\": 1, \"column\": 9, \"end_line\": 1, "
      "\"end_column\": 16, \"notes\": [], \"fixits\": [{\"title\": \"use v\", "
      "\"file\": \"tile.vx\", \"line\": 1, \"column\": 14, \"end_line\": 1, "
      "\"end_column\": 15, \"replacement\": \"v\"}], \"capacity\": "
      "{\"space\": \"HBM[3]\", \"required_bytes\": 300, \"available_bytes\": "
      "100, \"margin_bytes\": -200, \"tiles\": 2}, \"label\": \"\", "
      "\"labels\": [], \"helps\": []},\n"
      "    {\"level\": \"error\", \"code\": \"E6111\", \"message\": \"it needs "
      "more than 18446744073709551615 bytes\", \"file\": \"tile.vx\", "
      "\"line\": 1, \"column\": 14, \"end_line\": 1, \"end_column\": 15, "
      "\"notes\": [], \"fixits\": [], \"capacity\": {\"space\": \"S\", "
      "\"required_bytes\": null, \"available_bytes\": 1, \"margin_bytes\": "
      "null, \"tiles\": null}, \"label\": \"\", \"labels\": [], "
      "\"helps\": []}\n"
      "  ]");
  arena_free(&f.arena);
}

int main(void) {
  return RUN_TESTS(
      CASE(a_record_with_everything), CASE(labels_on_the_same_line),
      CASE(labels_on_other_lines), CASE(a_label_inside_the_span),
      CASE(ends_and_empty_lines), CASE(what_could_steer_a_terminal_is_replaced),
      CASE(long_lines_are_cut_around_the_span), CASE(colours_and_limits),
      CASE(warnings_alone_have_no_last_line), CASE(json_of_an_empty_list),
      CASE(json_of_records));
}
