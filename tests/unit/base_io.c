// SPDX-License-Identifier: Apache-2.0

#define _XOPEN_SOURCE 700 // mkdtemp, fork

#include "unit/test.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *new_directory(Arena *arena) {
  char *path = str_to_c(arena, STR("/tmp/vx-io-XXXXXX"));
  CHECK(mkdtemp(path) != NULL);
  return path;
}

static const char *join(Arena *arena, const char *directory, const char *name) {
  return str_format(arena, "%s/%s", directory, name).data;
}

TEST(what_is_written_is_read) {
  Arena arena = {0};
  const char *directory = new_directory(&arena);
  const char *path = join(&arena, directory, "a");
  Str error = STR("");
  Str bytes;
  Str large = {arena_alloc(&arena, 1000000, 1), 1000000};
  EXPECT(io_write_file(path, large, &arena, &error));
  EXPECT(io_read_file(&arena, path, &bytes, &error));
  EXPECT(str_equal(bytes, large));
  EXPECT(io_write_file(path, STR("a\0b"), &arena, &error));
  EXPECT(io_read_file(&arena, path, &bytes, &error));
  EXPECT(str_equal(bytes, STR("a\0b")));
  StrVec names;
  EXPECT(io_list_directory(&arena, directory, &names, &error));
  EXPECT_EQ(names.count, 1); // no temporary file is left
  EXPECT_EQ(unlink(path), 0);
  EXPECT_EQ(rmdir(directory), 0);
  arena_free(&arena);
}

TEST(writing_keeps_links_and_modes) {
  Arena arena = {0};
  const char *directory = new_directory(&arena);
  const char *path = join(&arena, directory, "file");
  const char *link = join(&arena, directory, "link");
  Str error = STR("");
  EXPECT(io_write_file(path, STR("1"), &arena, &error));
  EXPECT_EQ(chmod(path, 0600), 0);
  EXPECT_EQ(symlink("file", link), 0);
  EXPECT(io_write_file(link, STR("2"), &arena, &error));
  struct stat status;
  EXPECT(lstat(link, &status) == 0 && S_ISLNK(status.st_mode));
  EXPECT(stat(path, &status) == 0 && (status.st_mode & 0777) == 0600);
  EXPECT_EQ(status.st_size, 1);
  EXPECT(io_write_file("/dev/null", STR("x"), &arena, &error));
  EXPECT(unlink(link) == 0 && unlink(path) == 0 && rmdir(directory) == 0);
  arena_free(&arena);
}

TEST(failures_have_the_words_of_the_system) {
  Arena arena = {0};
  Str bytes;
  Str error = STR("");
  StrVec names;
  EXPECT(!io_read_file(&arena, "/nowhere/file", &bytes, &error));
  EXPECT_STR(error, "No such file or directory");
  EXPECT(!io_read_file(&arena, "/tmp", &bytes, &error));
  EXPECT_STR(error, "Is a directory");
  EXPECT(!io_write_file("/nowhere/file", STR("x"), &arena, &error));
  EXPECT_STR(error, "No such file or directory");
  EXPECT(!io_write_file("/tmp", STR("x"), &arena, &error));
  EXPECT_STR(error, "Is a directory");
  EXPECT(!io_list_directory(&arena, "/nowhere", &names, &error));
  EXPECT_STR(error, "No such file or directory");
  EXPECT(io_is_directory("/tmp") && !io_is_directory("/dev/null"));
  arena_free(&arena);
}

TEST(names_in_a_directory_are_sorted) {
  Arena arena = {0};
  const char *directory = new_directory(&arena);
  static const char *const files[] = {"b", "a", "c.vx", "B"};
  Str error = STR("");
  for (size_t i = 0; i < COUNT_OF(files); i++)
    EXPECT(io_write_file(join(&arena, directory, files[i]), STR(""), &arena,
                         &error));
  StrVec names;
  EXPECT(io_list_directory(&arena, directory, &names, &error));
  EXPECT_EQ(names.count, 4);
  EXPECT_STR(names.items[0], "B");
  EXPECT_STR(names.items[1], "a");
  EXPECT_STR(names.items[3], "c.vx");
  for (size_t i = 0; i < COUNT_OF(files); i++)
    EXPECT_EQ(unlink(join(&arena, directory, files[i])), 0);
  EXPECT_EQ(rmdir(directory), 0);
  arena_free(&arena);
}

static int panic_status(void) {
  (void)fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    (void)freopen("/dev/null", "w", stderr);
    CHECK(1 + 1 == 3);
    _exit(0);
  }
  int status = 0;
  (void)waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(a_broken_invariant_ends_the_process) { EXPECT_EQ(panic_status(), 70); }

int main(void) {
  return RUN_TESTS(CASE(what_is_written_is_read),
                   CASE(writing_keeps_links_and_modes),
                   CASE(failures_have_the_words_of_the_system),
                   CASE(names_in_a_directory_are_sorted),
                   CASE(a_broken_invariant_ends_the_process));
}
