// SPDX-License-Identifier: Apache-2.0

#include "source/source.h"
#include "unit/test.h"

#define EXPECT_PLACE(offset, want_line, want_column, want_utf16, want_byte)    \
  do {                                                                         \
    Location place = source_locate(&map, (offset));                            \
    EXPECT_EQ(place.line, want_line);                                          \
    EXPECT_EQ(place.column, want_column);                                      \
    EXPECT_EQ(place.column_utf16, want_utf16);                                 \
    EXPECT_EQ(place.byte, want_byte);                                          \
  } while (0)

TEST(places_in_one_file) {
  Arena arena = {0};
  SourceMap map;
  source_init(&map, &arena);
  // a \n b \t e-acute emoji c \r \n d
  FileId file = source_add(&map, STR("a.vx"),
                           STR("a\nb\t\xc3\xa9\xf0\x9f\x98\x80"
                               "c\r\nd"));
  uint32_t start = source_file(&map, file)->start;
  EXPECT(start >= 1);
  EXPECT_PLACE(start, 1, 1, 0, 0);
  EXPECT_PLACE(start + 1, 1, 2, 1, 1);  // the line end
  EXPECT_PLACE(start + 2, 2, 1, 0, 0);  // b
  EXPECT_PLACE(start + 4, 2, 3, 2, 2);  // e-acute
  EXPECT_PLACE(start + 6, 2, 4, 3, 4);  // the emoji
  EXPECT_PLACE(start + 10, 2, 5, 5, 8); // c, after two UTF-16 units
  EXPECT_PLACE(start + 13, 3, 1, 0, 0); // d
  EXPECT_PLACE(start + 14, 3, 2, 1, 1); // the end of the file
  EXPECT_STR(source_line(&map, file, 1), "a");
  EXPECT_STR(source_line(&map, file, 2), "b\t\xc3\xa9\xf0\x9f\x98\x80"
                                         "c");
  EXPECT_STR(source_line(&map, file, 3), "d");
  arena_free(&arena);
}

TEST(offsets_belong_to_their_file) {
  Arena arena = {0};
  SourceMap map;
  source_init(&map, &arena);
  FileId files[50];
  for (uint32_t i = 0; i < 50; i++)
    files[i] = source_add(&map, STR("f"), str_slice(STR("xxxxxxx"), 0, i % 7));
  EXPECT_EQ(source_file_at(&map, 0).index, 0);
  for (uint32_t i = 0; i < 50; i++) {
    const SourceFile *file = source_file(&map, files[i]);
    uint32_t end = file->start + (uint32_t)file->text.length;
    EXPECT_EQ(source_file_at(&map, file->start).index, files[i].index);
    EXPECT_EQ(source_file_at(&map, end).index, files[i].index);
  }
  EXPECT_EQ(source_file_at(&map, map.next_start).index, 0);
  EXPECT_EQ(source_file_at(&map, UINT32_MAX).index, 0);
  arena_free(&arena);
}

TEST(a_byte_order_mark_is_no_text) {
  Arena arena = {0};
  SourceMap map;
  source_init(&map, &arena);
  FileId file = source_add(&map, STR("f"),
                           STR("\xef\xbb\xbf"
                               "fn"));
  EXPECT_STR(source_file(&map, file)->text, "fn");
  uint32_t start = source_file(&map, file)->start;
  EXPECT_STR(source_text(&map, (Span){start, 2}), "fn");
  EXPECT_STR(source_text(&map, (Span){start + 1, 90}), "n");
  EXPECT_STR(source_text(&map, NO_SPAN), "");
  FileId empty = source_add(&map, STR("g"), STR(""));
  EXPECT_STR(source_line(&map, empty, 1), "");
  arena_free(&arena);
}

// A line of many strides: every place in it, against counting one by one.
TEST(places_on_a_long_line) {
  static const char *const parts[] = {
      "a", "\t", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xff"};
  static const size_t lengths[] = {1, 1, 2, 3, 4, 1};
  Arena arena = {0};
  SourceMap map;
  source_init(&map, &arena);
  Text text = text_new(&arena);
  text_puts(&text, "first\n");
  size_t line = text.length;
  U32Vec kinds = {0};
  for (uint32_t i = 0; text.length < 20000; i++) {
    uint32_t kind = (i * i / 7 + i) % (uint32_t)COUNT_OF(parts);
    VEC_PUSH(&arena, &kinds, kind);
    text_puts(&text, parts[kind]);
  }
  text_puts(&text, "\nlast");
  FileId file = source_add(&map, STR("f"), text_str(&text));
  uint32_t start = source_file(&map, file)->start + (uint32_t)line;
  uint32_t byte = 0;
  uint32_t units = 0;
  for (uint32_t i = 0; i < kinds.count; i++) {
    EXPECT_PLACE(start + byte, 2, i + 1, units, byte);
    byte += (uint32_t)lengths[kinds.items[i]];
    units += lengths[kinds.items[i]] == 4 ? 2 : 1;
  }
  EXPECT_PLACE(start + byte, 2, kinds.count + 1, units, byte);
  EXPECT_PLACE(start + byte + 3, 3, 3, 2, 2);
  arena_free(&arena);
}

TEST(the_space_is_four_gigabytes) {
  Arena arena = {0};
  SourceMap map;
  source_init(&map, &arena);
  Str huge = {"text", UINT32_MAX - 10}; // its start alone is read
  EXPECT(source_add(&map, STR("f"), STR("12345678")).index != 0);
  EXPECT_EQ(source_add(&map, STR("g"), huge).index, 0);
  arena_free(&arena);
}

TEST(spans_join) {
  Span joined = span_join((Span){10, 3}, (Span){20, 5});
  EXPECT(joined.start == 10 && joined.length == 15);
  joined = span_join((Span){10, 3}, NO_SPAN);
  EXPECT(joined.start == 10 && joined.length == 3);
  joined = span_join(NO_SPAN, (Span){10, 3});
  EXPECT(joined.start == 10 && joined.length == 3);
  EXPECT(span_is_none(span_join(NO_SPAN, NO_SPAN)));
}

TEST(bad_bytes_are_found) {
  EXPECT_EQ(source_find_bad_utf8(STR("ab\xc3\xa9")), 4);
  EXPECT_EQ(source_find_bad_utf8(STR("ab\xc3")), 2);
  EXPECT_EQ(source_find_bad_utf8(STR("\xff")), 0);
  EXPECT_EQ(source_find_bad_utf8(STR("")), 0);
}

int main(void) {
  return RUN_TESTS(CASE(places_in_one_file), CASE(offsets_belong_to_their_file),
                   CASE(a_byte_order_mark_is_no_text),
                   CASE(places_on_a_long_line),
                   CASE(the_space_is_four_gigabytes), CASE(spans_join),
                   CASE(bad_bytes_are_found));
}
