// SPDX-License-Identifier: Apache-2.0

#include "unit/test.h"

#include <string.h>

TEST(slices) {
  Str s = STR("transfer");
  EXPECT(str_starts_with(s, STR("trans")) && !str_starts_with(s, STR("fer")));
  EXPECT(str_ends_with(s, STR("fer")) && !str_ends_with(s, STR("trans")));
  EXPECT(str_starts_with(s, STR("")) && str_ends_with(s, STR("")));
  EXPECT_STR(str_slice(s, 5, 3), "fer");
  EXPECT(str_equal((Str){NULL, 0}, STR("")));
  EXPECT(str_compare(STR("ab"), STR("abc")) < 0);
  EXPECT(str_compare(STR("b"), STR("abc")) > 0);
  EXPECT(str_compare(STR("\xc3"), STR("z")) > 0);
  EXPECT_EQ(str_compare(STR("abc"), STR("abc")), 0);
}

TEST(distance) {
  Arena arena = {0};
  EXPECT_EQ(str_distance(&arena, STR("tile"), STR("tile"), 3), 0);
  EXPECT_EQ(str_distance(&arena, STR("tile"), STR("tlie"), 3), 1);
  EXPECT_EQ(str_distance(&arena, STR("tile"), STR("tiles"), 3), 1);
  EXPECT_EQ(str_distance(&arena, STR("kitten"), STR("sitting"), 3), 3);
  EXPECT_EQ(str_distance(&arena, STR("kitten"), STR("sitting"), 2), 3);
  EXPECT_EQ(str_distance(&arena, STR(""), STR("abc"), 5), 3);
  EXPECT_EQ(str_distance(&arena, STR("abcdef"), STR("uvwxyz"), 2), 3);
  arena_free(&arena);
}

TEST(builder) {
  Arena arena = {0};
  Text text = text_new(&arena);
  EXPECT_STR(text_str(&text), "");
  text_puts(&text, "a");
  text_char(&text, 'b');
  text_repeat(&text, '-', 3);
  text_format(&text, "%d %s", 42, "x");
  text_put(&text, (Str){NULL, 0});
  EXPECT_STR(text_str(&text), "ab---42 x");
  char longer[2001];
  memset(longer, 'q', 2000);
  longer[2000] = '\0';
  text_format(&text, "%s|", longer);
  EXPECT_EQ(text.length, 9 + 2001);
  EXPECT(str_ends_with(text_str(&text), STR("qqq|")));
  EXPECT_STR(str_format(&arena, "%s=%d", "k", 1), "k=1");
  arena_free(&arena);
}

TEST(json_strings) {
  Arena arena = {0};
  Text text = text_new(&arena);
  text_json_string(&text,
                   STR("a\"b\\c\n\t\r\x01\x7f \xc3\xa9 \xff \xed\xa0\x80"));
  EXPECT_STR(text_str(&text),
             "\"a\\\"b\\\\c\\n\\t\\r\\u0001\\u007f \xc3\xa9 \xef\xbf\xbd "
             "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
  arena_free(&arena);
}

static Str size_text(Arena *arena, Bytes bytes) {
  Text text = text_new(arena);
  text_size(&text, bytes);
  return text_str(&text);
}

TEST(sizes_for_people) {
  static const struct {
    uint64_t bytes;
    const char *text;
  } rows[] = {
      {0, "0 B"},
      {100, "100 B"},
      {1023, "1023 B"},
      {1024, "1 KiB"},
      {1025, "1025 B"},
      {1536, "1.5 KiB"},
      {232960, "227.5 KiB"},
      {233472, "228 KiB"},
      {262144, "256 KiB"},
      {262145, "256 KiB"},
      {1048575, "1 MiB"},
      {1048576, "1 MiB"},
      {1074790400, "1025 MiB"},
      {1288490189, "1.2 GiB"},
      {85899345920, "80 GiB"},
      {17115524628, "15.94 GiB"},
      {UINT64_C(1) << 63, "8 EiB"},
      {UINT64_MAX, "16 EiB"},
  };
  Arena arena = {0};
  for (size_t i = 0; i < COUNT_OF(rows); i++)
    EXPECT_STR(size_text(&arena, BYTES(rows[i].bytes)), rows[i].text);
  Bytes beyond = bytes_add(BYTES(UINT64_MAX), BYTES(1));
  EXPECT_STR(size_text(&arena, beyond), "at least 16 EiB");
  arena_free(&arena);
}

TEST(durations_for_people) {
  static const struct {
    uint64_t picoseconds;
    const char *text;
  } rows[] = {
      {0, "0 ps"},
      {5, "5 ps"},
      {999, "999 ps"},
      {1000, "1 ns"},
      {1500, "1.5 ns"},
      {1004, "1.00 ns"},
      {1005, "1.01 ns"},
      {979000, "979 ns"},
      {979499, "979 ns"},
      {979500, "980 ns"},
      {999499, "999 ns"},
      {999500, "1.00 us"},
      {1040244, "1.04 us"},
      {9996000, "10.0 us"},
      {99950000, "100 us"},
      {12340000, "12.3 us"},
      {12000000, "12 us"},
      {123456789, "123 us"},
      {UINT64_C(2500000000), "2.5 ms"},
      {UINT64_C(1000000000000), "1 s"},
      {UINT64_C(61000000000000), "61 s"},
      {UINT64_MAX, "18446744 s"},
  };
  Arena arena = {0};
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    Text text = text_new(&arena);
    text_duration(&text, rows[i].picoseconds);
    EXPECT_STR(text_str(&text), rows[i].text);
  }
  arena_free(&arena);
}

TEST(utf8_decoding) {
  uint32_t code_point = 0;
  EXPECT_EQ(utf8_decode("A", 1, &code_point), 1);
  EXPECT_EQ(code_point, 'A');
  EXPECT_EQ(utf8_decode("\xc3\xa9", 2, &code_point), 2);
  EXPECT_EQ(code_point, 0xe9);
  EXPECT_EQ(utf8_decode("\xe2\x82\xac", 3, &code_point), 3);
  EXPECT_EQ(code_point, 0x20ac);
  EXPECT_EQ(utf8_decode("\xf4\x8f\xbf\xbf", 4, &code_point), 4);
  EXPECT_EQ(code_point, 0x10ffff);
  static const char *const bad[] = {"\x80",
                                    "\xc0\x80",
                                    "\xc1\xbf",
                                    "\xc3",
                                    "\xc3 ",
                                    "\xe0\x9f\xbf",
                                    "\xed\xa0\x80",
                                    "\xf0\x8f\xbf\xbf",
                                    "\xf4\x90\x80\x80",
                                    "\xf5\x80\x80\x80",
                                    "\xff"};
  for (size_t i = 0; i < COUNT_OF(bad); i++)
    EXPECT_EQ(utf8_decode(bad[i], strlen(bad[i]), &code_point), 0);
}

TEST(utf8_columns_and_letters) {
  EXPECT_EQ(utf8_width('a'), 1);
  EXPECT_EQ(utf8_width(0xe9), 1);
  EXPECT_EQ(utf8_width(0x301), 0);   // combining acute accent
  EXPECT_EQ(utf8_width(0x6f22), 2);  // an ideograph
  EXPECT_EQ(utf8_width(0x1f600), 2); // an emoji
  EXPECT_EQ(utf8_width(0xac00), 2);  // Hangul
  EXPECT_EQ(utf8_width(0x200d), 0);  // a joiner
  static const uint32_t letters[] = {'a',    'Z',    '_',    0xe9,   0x3b1,
                                     0x416,  0x5d0,  0x628,  0x905,  0x3042,
                                     0x30a2, 0x6f22, 0xac00, 0x1d44e};
  for (size_t i = 0; i < COUNT_OF(letters); i++)
    EXPECT(utf8_is_letter(letters[i]) && utf8_is_word(letters[i]));
  static const uint32_t others[] = {' ',    '-',    '$',    0xa0,    0xd7,
                                    0x2192, 0x2014, 0x3000, 0x1f600, 0x200b,
                                    0x202e, 0xfeff, 0x7f,   0x10ffff};
  for (size_t i = 0; i < COUNT_OF(others); i++)
    EXPECT(!utf8_is_letter(others[i]) && !utf8_is_word(others[i]));
  EXPECT(!utf8_is_letter('7') && utf8_is_word('7'));
  EXPECT(!utf8_is_letter(0x301) && utf8_is_word(0x301));
}

int main(void) {
  return RUN_TESTS(CASE(slices), CASE(distance), CASE(builder),
                   CASE(json_strings), CASE(sizes_for_people),
                   CASE(durations_for_people), CASE(utf8_decoding),
                   CASE(utf8_columns_and_letters));
}
