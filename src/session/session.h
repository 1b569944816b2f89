// SPDX-License-Identifier: Apache-2.0
//
// session: one check of one program on one machine, from names of files to
// records and figures. A Session is a value: the command line, libvx (vx.h),
// tests and fuzzers each make one, run the pass table over it, and read what
// the passes have left in its fields.

#ifndef VX_SESSION_SESSION_H
#define VX_SESSION_SESSION_H

#include "base/base.h"
#include "diag/diag.h"
#include "ir/ir.h"
#include "machine/machine.h"
#include "memory/memory.h"
#include "own/own.h"
#include "place/place.h"
#include "report/report.h"
#include "sema/sema.h"
#include "source/source.h"
#include "syntax/syntax.h"
#include "types/types.h"

// --- What a session is asked to do -------------------------------------------

// A text with its name, or a name under which it is read.
typedef struct {
  Str name;
  bool has_text;
  Str text;
} NamedText;

// How a session reaches files. `read` leaves the bytes in `arena`, or returns
// false with the system's word. NULL: the file system; no fleet.
typedef struct {
  bool (*read)(void *context, Arena *arena, const char *path, Str *bytes,
               Str *error);
  const char *(*find_fleet)(void *context); // called at most once
  void *context;
} SessionFiles;

// The caller keeps all texts alive as long as the session.
typedef struct {
  VEC(NamedText) programs;
  VEC(NamedText) machines; // --machine
  bool has_host;
  NamedText host;   // --host; "default" without text: this computer
  StrVec overrides; // --set: "Memory::S.FIELD=VALUE"
  StrVec defines;   // -D: "NAME=VALUE"
  StrVec warnings;  // -W: "error", "no-CODE", "CODE"
  StrVec paths;     // --path
  SessionFiles files;
  uint64_t byte_limit;    // of all texts together; 0: 4 GiB
  const char *stop_after; // name of a pass, or NULL
  const char *dump;       // name of a pass, or NULL
  bool has_timings;       // fill Session.timings
} SessionOptions;

// --- Inputs ------------------------------------------------------------------

typedef enum {
  INPUT_PROGRAM,
  INPUT_MACHINE,
  INPUT_HOST,
  INPUT_OVERRIDE,
} InputKind;

// One text of the session, named by the user or found by an import.
typedef struct {
  InputKind kind;
  Str path;     // as messages name it
  Str location; // as it was read
  FileId file;
  Name name;            // of an imported module; 0 for what the user named
  const Tree *tree;     // after pass `parse`
  bool is_named;        // by the user
  bool is_default_host; // gives way to a CPU_DRAM that another input declares
} Input;

// The program `importer` imports the program `imported` (indices of inputs).
typedef struct {
  uint32_t importer, imported;
} ImportEdge;

// --- The session -------------------------------------------------------------

// What is known so far; passes need and give these.
enum {
  FACT_SOURCES = 1,     // inputs: every named text is there
  FACT_TREES = 2,       // inputs: parsed, imports followed, no syntax errors
  FACT_MACHINE = 4,     // machine: coherent
  FACT_PROGRAM = 8,     // types, program: names, types, constants
  FACT_PLACEMENTS = 16, // placements: a way for every transfer
  FACT_IR = 32,         // ir: of every function without errors
  FACT_LIFETIMES = 64,  // lifetimes: of every function of `ir`
  FACT_REPORT = 128,    // memory: figures of every function of `ir`
};

typedef struct Session Session;
struct Session {
  Arena arena; // owns everything below
  SessionOptions options;
  Interner interner;
  SourceMap sources;
  DiagSink sink;
  uint32_t facts;      // FACT_*
  Str machine_names;   // as the user named them, joined by ", "
  Str usage_error;     // what is wrong with the options; empty: nothing
  bool has_unreadable; // E9001 was said

  VEC(Input) inputs;
  VEC(ImportEdge) imports;
  Map known_inputs; // resolved path and kind -> index into inputs
  uint64_t bytes_read;
  const char *fleet; // after it was looked for; NULL: none
  bool is_fleet_known;

  VEC(MachineInput) machine_inputs;
  Machine *machine;
  TypeTable types;
  Program *program;
  Placements *placements;
  IrModule *ir;
  OwnResult *lifetimes; // by function of `ir`
  MemoryReport memory;

  Text dump;         // of the pass options.dump
  uint64_t *timings; // nanoseconds by pass; 0: did not run
};

// Checks `options` as far as that needs no input: see usage_error.
void session_init(Session *session, const SessionOptions *options);
void session_free(Session *session);

// Runs the pass table up to the end, to options.stop_after, or to the first
// pass whose faults leave nothing to go on with; then sorts the records. Runs
// nothing when there is a usage_error.
void session_run(Session *session);

// The passes, in the order in which they run.
size_t session_pass_count(void);
const char *session_pass_name(size_t pass);
bool session_has_pass(Str name);
// `--time-passes`: one line per pass that ran.
void session_render_timings(Text *out, const Session *session);

// What the report layer needs, after session_run.
Report session_report(Session *session);

// --- Loading (load.c) --------------------------------------------------------

// Reads what the options name: programs, machines, host, overrides. False when
// one of them could not be read (E9001).
bool session_read_inputs(Session *session);
// Parses every input and, as they turn up, what they import (E9003).
void session_parse_inputs(Session *session);

// "<stdin>" for "-".
Str session_display_path(Str path);
// The fleet's directory, or NULL.
const char *session_fleet(Session *session);

// --- Options (options.c) -----------------------------------------------------

// Sets session->usage_error when an override, a define or a warning flag is
// malformed; applies the warning flags to the sink.
void session_apply_options(Session *session);
// "NAME=VALUE" in two; false when malformed.
bool session_split_define(Str text, Define *define);
// The `--set`s as the text of a machine input; later ones replace earlier ones
// of the same field.
Str session_overrides_text(Arena *arena, const StrVec *overrides);

#endif
