// SPDX-License-Identifier: Apache-2.0
//
// What the driver asks of the operating system (POSIX).

#define _XOPEN_SOURCE 700 // realpath and what POSIX 2008 has

#include "driver/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void platform_prepare(void) {
  // A closed stream gets a file that can be neither read nor written in its
  // own direction.
  for (int stream = 0; stream <= 2; stream++) {
    if (fcntl(stream, F_GETFD) < 0)
      (void)open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
  }
  (void)signal(SIGPIPE, SIG_IGN);
}

bool platform_is_terminal(int stream) { return isatty(stream) == 1; }

bool platform_write(Arena *arena, int stream, Str text, Str *error) {
  size_t done = 0;
  while (done < text.length) {
    ssize_t put = write(stream, text.data + done, text.length - done);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0) {
      char word[256];
      bool has_word = strerror_r(errno, word, sizeof word) == 0;
      *error = str_copy(arena, has_word ? str_from(word) : STR("it fails"));
      return false;
    }
    done += (size_t)put;
  }
  return true;
}

bool platform_is_same_file(const char *a, const char *b) {
  struct stat left;
  struct stat right;
  return stat(a, &left) == 0 && stat(b, &right) == 0 &&
         left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

bool platform_exists(const char *path) {
  struct stat status;
  return stat(path, &status) == 0;
}

// --- The fleet ---------------------------------------------------------------

// The directory of the running program, links followed; false if unknown.
static bool find_own_directory(char *path, size_t size) {
  ssize_t length = readlink("/proc/self/exe", path, size - 1);
  if (length <= 0)
    return false;
  path[length] = '\0';
  char *slash = strrchr(path, '/');
  if (slash == NULL)
    return false;
  *slash = '\0';
  return true;
}

const char *platform_find_fleet(void *context) {
  Arena *arena = context;
  const char *chosen = getenv("VX_FLEET");
  if (chosen != NULL && chosen[0] != '\0')
    return chosen;
  // Installed: PREFIX/bin/vxc. Built: build/vxc or build/PRESET/vxc.
  static const char *const places[] = {"../share/vx/fleet", "../fleet",
                                       "../../fleet", "../../../fleet"};
  char own[4096];
  if (!find_own_directory(own, sizeof own))
    return NULL;
  for (size_t i = 0; i < COUNT_OF(places); i++) {
    Str path = str_format(arena, "%s/%s", own, places[i]);
    const char *name = str_to_c(arena, path);
    char *resolved = io_is_directory(name) ? realpath(name, NULL) : NULL;
    if (resolved == NULL)
      continue;
    const char *copy = str_to_c(arena, str_from(resolved));
    free(resolved);
    return copy;
  }
  return NULL;
}

// --- The environment ---------------------------------------------------------

void platform_add_paths(Arena *arena, StrVec *paths) {
  const char *list = getenv("VX_PATH");
  while (list != NULL && *list != '\0') {
    size_t length = strcspn(list, ":");
    if (length != 0)
      VEC_PUSH(arena, paths, str_copy(arena, (Str){list, length}));
    list += length + (list[length] == ':');
  }
}

bool platform_has_no_color(void) {
  const char *value = getenv("NO_COLOR");
  return value != NULL && value[0] != '\0';
}
