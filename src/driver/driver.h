// SPDX-License-Identifier: Apache-2.0
//
// driver: the command line `vxc`. The only part that prints and exits; all else
// is asked of the library below it.

#ifndef VX_DRIVER_DRIVER_H
#define VX_DRIVER_DRIVER_H

#include "base/base.h"
#include "session/session.h"

// --- Commands and options (options.def) --------------------------------------

typedef enum {
#define COMMAND(id, words, operands, help) COMMAND_##id,
#include "driver/options.def"
  COMMAND_COUNT
} Command;

typedef enum {
#define OPTION(id, long, short, kind, argument, commands, help) OPTION_##id,
#include "driver/options.def"
  OPTION_COUNT
} Option;

enum {
#define COMMAND(id, words, operands, help) IN_##id = 1 << COMMAND_##id,
#include "driver/options.def"
  IN_ALL = (1 << COMMAND_COUNT) - 1
};

// Streams by number.
enum { STANDARD_OUTPUT = 1, STANDARD_ERROR = 2 };

// Exit statuses; 70 is panic's.
enum {
  STATUS_FINE = 0,
  STATUS_REFUSED = 1,    // errors found
  STATUS_USAGE = 2,      // wrong usage, unreadable input, unwritable output
  STATUS_UNVERIFIED = 3, // --strict: nothing refused, something unverified
};

// --- The parsed command line -------------------------------------------------

typedef struct {
  Arena *arena;
  bool has_command; // one was written; else it is `check`
  Command command;
  StrVec operands;
  StrVec values[OPTION_COUNT]; // by option, as often as it was given; flags
                               // have an empty one
} Arguments;

// False when the usage is wrong: told on standard error.
bool arguments_parse(Arguments *arguments, Arena *arena, int count,
                     char **texts);
static inline bool arguments_has(const Arguments *a, Option option) {
  return a->values[option].count != 0;
}
// The last value given, or empty.
Str arguments_value(const Arguments *arguments, Option option);

typedef struct {
  const char *name;
  char letter; // 0: none
  enum { KIND_FLAG, KIND_VALUE, KIND_OPTIONAL } kind;
  const char *argument;
  unsigned commands; // IN_*
  const char *help;
} OptionRow;

typedef struct {
  const char *words;
  const char *operands;
  const char *help;
} CommandRow;

const OptionRow *option_row(Option option);
const CommandRow *command_row(Command command);

// --- Help --------------------------------------------------------------------

void help_overview(Text *out);
void help_command(Text *out, Command command);
void help_usage(Text *out); // for `vxc` alone

// --- Commands: each returns the exit status ----------------------------------

int command_check(Arguments *arguments);
int command_machine_show(Arguments *arguments);
int command_machine_lint(Arguments *arguments);
int command_machine_list(Arguments *arguments);
int command_fmt(Arguments *arguments);
int command_explain(Arguments *arguments, const StrVec *codes);
int command_help(Arguments *arguments);

// --- What commands share (common.c) ------------------------------------------

// "vxc: WHAT" and where to read on; returns STATUS_USAGE.
int usage_error(Arguments *arguments, Str what);
// "Did you mean": the one that differs least from `name`, or empty.
Str nearest_name(Arena *scratch, Str name, const StrVec *known);
// Prints to standard output or error. False when that fails: told on standard
// error as E9002, and the status is STATUS_USAGE.
bool print_output(Arena *scratch, Str text);
bool print_error(Str text);
// "Error[E9002]: cannot write 'PATH': WHY".
void tell_unwritable(Arena *scratch, Str path, Str why);
// "Error[E9001]: cannot read 'PATH': WHY".
void tell_unreadable(Arena *scratch, Str path, Str why);

// Checks the value of --color; false: usage error was told.
bool check_color(Arguments *arguments);
// Colour for what goes to a stream.
bool wants_color(const Arguments *arguments, int stream);
// The value of --width; false: usage error was told.
bool read_width(Arguments *arguments, uint32_t *width);

// Machines, host, overrides, warnings and paths of the command line, and the
// way to the fleet.
void fill_options(Arguments *arguments, SessionOptions *options);
// Prints the records of a session, at most 50. False when that fails.
bool print_diagnostics(const Arguments *arguments, Session *session);

// Operands with each directory replaced by the .vx files in it. False when a
// directory cannot be read: told.
bool expand_operands(Arguments *arguments, StrVec *files);

// --- The operating system (platform.c) ---------------------------------------

// Standard streams that are closed fail instead of meeting another file; a
// closed pipe is an error like any other, not a signal.
void platform_prepare(void);
bool platform_is_terminal(int stream);
bool platform_write(Arena *arena, int stream, Str text, Str *error);
// Do both paths name one existing file?
bool platform_is_same_file(const char *a, const char *b);
bool platform_exists(const char *path);
// The directory that holds the fleet, or NULL: VX_FLEET, the installed one, the
// one of the build tree. `context` is an Arena. For SessionFiles.find_fleet.
const char *platform_find_fleet(void *context);
// The directories of VX_PATH.
void platform_add_paths(Arena *arena, StrVec *paths);
bool platform_has_no_color(void);

#endif
