// SPDX-License-Identifier: Apache-2.0
//
// Cases in parallel processes. Workers take the next case from a counter in
// shared memory and leave their texts in files, which are printed in order.

#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE // MAP_ANONYMOUS

#include "runner/runner.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  unsigned passed;
  unsigned failed;
  unsigned skipped;
  bool is_done;
} Result;

typedef struct {
  atomic_uint next;
  Result results[];
} Board;

static Str text_name(Arena *arena, const char *directory, uint32_t index) {
  return str_format(arena, "%s/%u", directory, index);
}

_Noreturn static void work(const Settings *settings, const StrVec *paths,
                           RunCase *run, Board *board, const char *directory) {
  for (;;) {
    uint32_t index = atomic_fetch_add(&board->next, 1);
    if (index >= paths->count)
      break;
    Arena arena = {0};
    Report report = {.arena = &arena, .text = text_new(&arena)};
    run(settings, paths->items[index], &report);
    Str error;
    if (report.text.length != 0)
      (void)io_write_file(text_name(&arena, directory, index).data,
                          text_str(&report.text), &arena, &error);
    board->results[index] =
        (Result){report.passed, report.failed, report.skipped, true};
    arena_free(&arena);
  }
  _exit(0);
}

static void print_text(const char *directory, uint32_t index) {
  Arena arena = {0};
  Str text;
  Str error;
  const char *name = text_name(&arena, directory, index).data;
  if (io_read_file(&arena, name, &text, &error)) {
    (void)fwrite(text.data, 1, text.length, stdout);
    (void)unlink(name);
  }
  arena_free(&arena);
}

Totals run_pool(const Settings *settings, const StrVec *paths, unsigned jobs,
                RunCase *run) {
  size_t size = sizeof(Board) + paths->count * sizeof(Result);
  Board *board = mmap(NULL, size, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(board != MAP_FAILED);
  char directory[] = "/tmp/vx-runner-XXXXXX";
  CHECK(mkdtemp(directory) != NULL);
  (void)fflush(stdout);
  for (unsigned i = 0; i < jobs; i++) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
      work(settings, paths, run, board, directory);
  }
  while (wait(NULL) > 0)
    continue;
  Totals totals = {0};
  for (uint32_t i = 0; i < paths->count; i++) {
    const Result *result = &board->results[i];
    print_text(directory, i);
    if (!result->is_done)
      printf("FAILED %.*s: the runner died\n", STR_ARG(paths->items[i]));
    totals.passed += result->passed;
    totals.failed += result->failed + !result->is_done;
    totals.skipped += result->skipped;
  }
  (void)rmdir(directory);
  (void)munmap(board, size);
  return totals;
}
