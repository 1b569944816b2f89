// SPDX-License-Identifier: Apache-2.0
//
// The runner of the tests that need the whole program: golden files
// (golden.c) and the examples in the documents (documents.c). Cases run in
// parallel processes (pool.c) and call vxc as users do (process.c).

#ifndef VX_RUNNER_H
#define VX_RUNNER_H

#include "base/base.h"

typedef struct {
  const char *root;  // the repository, absolute; also the working directory
  const char *vxc;   // absolute
  bool is_sanitized; // vxc reserves more address space than any limit allows
  bool is_blessing;  // rewrite snapshots
  StrVec filters;    // run what contains one of them; all if empty
} Settings;

// What one case or one document has to say.
typedef struct {
  Arena *arena;
  Text text; // reasons of failures
  unsigned passed;
  unsigned failed;
  unsigned skipped;
} Report;

// Whether a path passes the filters.
bool is_selected(const Settings *settings, Str path);
// Paths relative to the root of all files below `directory` with this ending,
// sorted. A directory that does not exist holds nothing.
void find_files(Arena *arena, const char *directory, Str ending, StrVec *paths);

// --- process.c ---------------------------------------------------------------

typedef struct {
  char *const *arguments; // NULL-terminated, [0] is looked up in PATH
  const char *directory;
  bool limits_memory;
} Command;

typedef struct {
  int status; // exit status, or 128 + signal
  bool is_timed_out;
  Str out;
  Str err;
} Outcome;

Outcome run_command(Arena *arena, const Command *command);

// --- diagnostics.c -----------------------------------------------------------

// What vxc printed about one finding.
typedef struct {
  Str code;
  Str message;
  Str file; // empty without a place
  uint32_t line;
  bool is_error;
  bool is_expected; // for the caller
} Finding;

typedef VEC(Finding) FindingVec;

void read_findings(Arena *arena, Str text, FindingVec *findings);
// Takes the next line off `rest`, without its line end; false at the end.
bool next_line(Str *rest, Str *line);
Str trim(Str s);
bool str_contains(Str s, Str part);

// --- golden.c, documents.c ---------------------------------------------------

void run_golden_case(const Settings *settings, Str path, Report *report);
void run_document(const Settings *settings, Str path, Report *report);

// --- pool.c ------------------------------------------------------------------

typedef void RunCase(const Settings *settings, Str path, Report *report);

typedef struct {
  unsigned passed;
  unsigned failed;
  unsigned skipped;
} Totals;

// Runs every case in one of `jobs` processes; prints the texts in order.
Totals run_pool(const Settings *settings, const StrVec *paths, unsigned jobs,
                RunCase *run);

#endif
