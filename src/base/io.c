// SPDX-License-Identifier: Apache-2.0
//
// Files, by POSIX. Failures are returned with the system's own word.

#define _XOPEN_SOURCE 700 // realpath and what POSIX 2008 has

#include "base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Always false, so that a failure is one statement.
static bool fail(Arena *arena, int number, Str *error) {
  char word[256];
  if (strerror_r(number, word, sizeof word) != 0)
    *error = str_format(arena, "error %d", number);
  else
    *error = str_copy(arena, str_from(word));
  return false;
}

static bool read_all(Arena *arena, int file, size_t expected, Str *bytes) {
  size_t capacity = expected < 4096 ? 4096 : expected + 1;
  char *data = arena_alloc(arena, capacity, 1);
  size_t length = 0;
  for (;;) {
    if (length == capacity) {
      data = arena_grow(arena, data, capacity, capacity * 2, 1);
      capacity *= 2;
    }
    ssize_t got = read(file, data + length, capacity - length);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return false;
    if (got == 0)
      break;
    length += (size_t)got;
  }
  *bytes = (Str){data, length};
  return true;
}

bool io_read_file(Arena *arena, const char *path, Str *bytes, Str *error) {
  bool is_stdin = strcmp(path, "-") == 0;
  int file = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return fail(arena, errno, error);
  struct stat status;
  size_t expected = 0;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_size > 0)
    expected = (size_t)status.st_size;
  bool is_read = read_all(arena, file, expected, bytes);
  int number = errno;
  if (!is_stdin)
    (void)close(file);
  return is_read || fail(arena, number, error);
}

static bool write_all(int file, Str bytes) {
  size_t done = 0;
  while (done < bytes.length) {
    ssize_t put = write(file, bytes.data + done, bytes.length - done);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return false;
    done += (size_t)put;
  }
  return true;
}

// Writes and closes. On failure errno tells why.
static bool write_and_close(int file, Str bytes) {
  bool is_written = write_all(file, bytes);
  int number = errno;
  bool is_closed = close(file) == 0;
  if (!is_written)
    errno = number;
  return is_written && is_closed;
}

// A new file beside `path`; its name goes to *name.
static int create_beside(const char *path, mode_t mode, Arena *scratch,
                         const char **name) {
  for (unsigned attempt = 0; attempt < 100; attempt++) {
    Str candidate =
        str_format(scratch, "%s.%ld-%u.tmp", path, (long)getpid(), attempt);
    *name = candidate.data;
    int file =
        open(candidate.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file >= 0 || errno != EEXIST)
      return file;
  }
  return -1;
}

static bool replace_file(const char *path, mode_t mode, Str bytes,
                         Arena *scratch) {
  const char *name = NULL;
  int file = create_beside(path, mode, scratch, &name);
  if (file < 0)
    return false;
  if (write_and_close(file, bytes) && rename(name, path) == 0)
    return true;
  int number = errno;
  (void)unlink(name);
  errno = number;
  return false;
}

// Follows symbolic links, so that the rename replaces the file and not a link.
static const char *resolve(const char *path, Arena *scratch) {
  char *resolved = realpath(path, NULL);
  if (resolved == NULL)
    return path;
  const char *copy = str_to_c(scratch, str_from(resolved));
  free(resolved);
  return copy;
}

bool io_write_file(const char *path, Str bytes, Arena *scratch, Str *error) {
  struct stat status;
  bool exists = stat(path, &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) { // a device, a pipe, a directory
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || !write_and_close(file, bytes))
      return fail(scratch, errno, error);
    return true;
  }
  mode_t mode = exists ? status.st_mode & 0777 : 0666;
  if (!replace_file(resolve(path, scratch), mode, bytes, scratch))
    return fail(scratch, errno, error);
  return true;
}

bool io_is_directory(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int compare_names(const void *a, const void *b) {
  return str_compare(*(const Str *)a, *(const Str *)b);
}

bool io_list_directory(Arena *arena, const char *path, StrVec *names,
                       Str *error) {
  DIR *directory = opendir(path);
  if (directory == NULL)
    return fail(arena, errno, error);
  *names = (StrVec){0};
  errno = 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL; errno = 0) {
    Str name = str_from(entry->d_name);
    if (str_equal(name, STR(".")) || str_equal(name, STR("..")))
      continue;
    VEC_PUSH(arena, names, str_copy(arena, name));
  }
  int number = errno;
  (void)closedir(directory);
  if (number != 0)
    return fail(arena, number, error);
  if (names->count > 1)
    qsort(names->items, names->count, sizeof(Str), compare_names);
  return true;
}
