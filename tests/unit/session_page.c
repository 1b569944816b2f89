// SPDX-License-Identifier: Apache-2.0
//
// docs/library.md: its program is tests/docs/library.c, and prints what the
// page says.

#include "unit/test.h"

#include <stdarg.h>

static Arena arena;
static Text printed;

static void capture(const char *format, ...) VX_PRINTF(1, 2);
static void capture(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_format_list(&printed, format, arguments);
  va_end(arguments);
}

int library_program(void);

#define main library_program
#define printf capture
#include "docs/library.c"
#undef printf
#undef main

static Str read_text(const char *path) {
  Str bytes = STR("");
  Str error;
  CHECK(io_read_file(&arena, path, &bytes, &error));
  return bytes;
}

// What follows `mark` in `text`; empty if it is not there.
static Str behind(Str text, Str mark) {
  for (size_t i = 0; i + mark.length <= text.length; i++) {
    if (str_equal(str_slice(text, i, mark.length), mark))
      return str_slice(text, i + mark.length, text.length - i - mark.length);
  }
  return STR("");
}

// The first block of a language on the page.
static Str block_of(Str page, Str fence) {
  Str block = behind(page, fence);
  Str rest = behind(block, STR("\n```"));
  size_t length = block.length - rest.length;
  return length < 4 ? STR("") : str_slice(block, 0, length - 3);
}

TEST(the_page_shows_the_program) {
  Str program = behind(read_text("tests/docs/library.c"), STR("// --- page\n"));
  EXPECT(program.length != 0);
  EXPECT_STR(block_of(read_text("docs/library.md"), STR("```c\n")),
             str_to_c(&arena, program));
}

TEST(the_program_prints_what_the_page_says) {
  printed = text_new(&arena);
  EXPECT_EQ(library_program(), 1);
  EXPECT_STR(block_of(read_text("docs/library.md"), STR("```text\n")),
             str_to_c(&arena, text_str(&printed)));
}

int main(void) {
  int status = RUN_TESTS(CASE(the_page_shows_the_program),
                         CASE(the_program_prints_what_the_page_says));
  arena_free(&arena);
  return status;
}
