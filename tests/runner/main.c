// SPDX-License-Identifier: Apache-2.0
//
// vx_runner golden|docs [--vxc PATH] [--root DIR] [-j N] [--bless] [FILTER...]

#define _XOPEN_SOURCE 700

#include "runner/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_USAGE = 2 };

bool is_selected(const Settings *settings, Str path) {
  for (uint32_t i = 0; i < settings->filters.count; i++) {
    if (str_contains(path, settings->filters.items[i]))
      return true;
  }
  return settings->filters.count == 0;
}

void find_files(Arena *arena, const char *directory, Str ending,
                StrVec *paths) {
  StrVec names;
  Str error;
  if (!io_list_directory(arena, directory, &names, &error))
    return;
  for (uint32_t i = 0; i < names.count; i++) {
    Str path = str_format(arena, "%s/%.*s", directory, STR_ARG(names.items[i]));
    if (io_is_directory(path.data))
      find_files(arena, path.data, ending, paths);
    else if (str_ends_with(path, ending))
      VEC_PUSH(arena, paths, path);
  }
}

static void select_paths(Arena *arena, const Settings *settings,
                         const StrVec *all, StrVec *selected) {
  for (uint32_t i = 0; i < all->count; i++) {
    if (is_selected(settings, all->items[i]))
      VEC_PUSH(arena, selected, all->items[i]);
  }
}

static const char *absolute_path(Arena *arena, const char *path) {
  char *resolved = realpath(path, NULL);
  if (resolved == NULL)
    return NULL;
  const char *copy = str_to_c(arena, str_from(resolved));
  free(resolved);
  return copy;
}

static bool is_sanitized(const char *program) {
  Arena arena = {0};
  Str bytes;
  Str error;
  bool is_found = io_read_file(&arena, program, &bytes, &error) &&
                  str_contains(bytes, STR("__asan_init"));
  arena_free(&arena);
  return is_found;
}

// vxc by its name for the commands in documents; limits for sanitizers.
static void set_environment(Arena *arena, const Settings *settings) {
  const char *slash = strrchr(settings->vxc, '/');
  Str directory = {settings->vxc, (size_t)(slash - settings->vxc)};
  const char *path = getenv("PATH");
  Str value = str_format(arena, "%.*s:%s", STR_ARG(directory),
                         path == NULL ? "/usr/bin:/bin" : path);
  (void)setenv("PATH", value.data, 1);
  (void)setenv("ASAN_OPTIONS", "hard_rss_limit_mb=4096:detect_leaks=1", 0);
  (void)unsetenv("NO_COLOR");
}

typedef struct {
  const char *kind;
  const char *vxc;
  const char *root;
  unsigned jobs;
} Options;

static bool read_options(Arena *arena, int count, char **words,
                         Options *options, Settings *settings) {
  for (int i = 1; i < count; i++) {
    bool has_value = i + 1 < count;
    if (strcmp(words[i], "--bless") == 0)
      settings->is_blessing = true;
    else if (strcmp(words[i], "--vxc") == 0 && has_value)
      options->vxc = words[++i];
    else if (strcmp(words[i], "--root") == 0 && has_value)
      options->root = words[++i];
    else if (strcmp(words[i], "-j") == 0 && has_value)
      options->jobs = (unsigned)strtoul(words[++i], NULL, 10);
    else if (words[i][0] == '-')
      return false;
    else if (options->kind == NULL)
      options->kind = words[i];
    else
      VEC_PUSH(arena, &settings->filters, str_from(words[i]));
  }
  return options->kind != NULL;
}

static Totals run_kind(Arena *arena, const Settings *settings,
                       const Options *options) {
  StrVec all = {0};
  StrVec selected = {0};
  bool is_golden = strcmp(options->kind, "golden") == 0;
  if (is_golden) {
    find_files(arena, "tests/golden", STR(".vx"), &all);
  } else {
    if (access("README.md", F_OK) == 0)
      VEC_PUSH(arena, &all, STR("README.md"));
    find_files(arena, "docs", STR(".md"), &all);
  }
  select_paths(arena, settings, &all, &selected);
  unsigned jobs = options->jobs == 0 ? 1 : options->jobs;
  return run_pool(settings, &selected, jobs,
                  is_golden ? run_golden_case : run_document);
}

int main(int count, char **words) {
  Arena arena = {0};
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  Options options = {.vxc = "build/dev/vxc", .root = "."};
  options.jobs = processors < 1 ? 1 : (unsigned)processors;
  Settings settings = {0};
  bool is_usable = read_options(&arena, count, words, &options, &settings) &&
                   (strcmp(options.kind, "golden") == 0 ||
                    strcmp(options.kind, "docs") == 0);
  if (!is_usable) {
    (void)fputs("usage: vx_runner golden|docs [--vxc PATH] [--root DIR] [-j N]"
                " [--bless] [FILTER...]\n",
                stderr);
    return EXIT_USAGE;
  }
  settings.vxc = absolute_path(&arena, options.vxc);
  settings.root = absolute_path(&arena, options.root);
  if (settings.vxc == NULL || settings.root == NULL ||
      chdir(settings.root) != 0) {
    (void)fprintf(stderr, "vx_runner: no %s\n", options.vxc);
    return EXIT_USAGE;
  }
  settings.is_sanitized = is_sanitized(settings.vxc);
  set_environment(&arena, &settings);
  Totals totals = run_kind(&arena, &settings, &options);
  printf("%u passed, %u failed, %u skipped\n", totals.passed, totals.failed,
         totals.skipped);
  arena_free(&arena);
  return totals.failed == 0 ? 0 : 1;
}
