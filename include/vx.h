// SPDX-License-Identifier: Apache-2.0
//
// libvx: checks Vx programs against a machine, inside another program: an
// editor, a build tool, a test.
//
//   VxSource machine = {.name = "fleet/h100-sxm.vx"};
//   VxSource host = {.name = "default"};
//   VxOptions options = {.machines = &machine, .machine_count = 1,
//                        .host = &host};
//   VxSession *session = vx_session_new(&options);
//   VxSource program = {"tile.vx", text, text_length};
//   VxResult *result = vx_check(session, &program, 1);
//   for (size_t i = 0; i < vx_diagnostic_count(result); i++)
//     puts(vx_diagnostic(result, i)->message.data);
//   vx_session_free(session);
//
// Ownership: what is passed in is copied where it is kept; everything that is
// returned lives until vx_session_free. Nothing prints and nothing exits,
// except when memory runs out or libvx finds itself at fault (exit status 70).
//
// Threads: there is no state outside a session. One thread at a time may use a
// session; several threads may use a session each.

#ifndef VX_H
#define VX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// "0.1.0".
const char *vx_version(void);

// A text that libvx owns. `data` is also NUL-terminated, never NULL.
typedef struct {
  const char *data;
  size_t length;
} VxText;

// --- Inputs ------------------------------------------------------------------

// A text with its name, or the name alone.
typedef struct {
  const char *name; // in messages; without `data`, the path to read. A machine
                    // or host may be a bare name from the fleet: "h100-sxm"
  const char *data; // the bytes; NULL: read the file `name`
  size_t length;
} VxSource;

// Where a VxRead leaves the bytes it has read.
typedef struct VxReply VxReply;
void vx_reply(VxReply *reply, const void *bytes, size_t length); // copies

// Reads a file: calls vx_reply and returns true, or returns false when there is
// no such file.
typedef bool (*VxRead)(void *context, const char *path, VxReply *reply);

// The directory that holds the fleet, or NULL. Called at most once in a check,
// and only when a bare name or an `import fleet::..` has to be found.
typedef const char *(*VxFindFleet)(void *context);

// Zero-initialise; every field may stay zero.
typedef struct {
  const VxSource *machines; // --machine
  size_t machine_count;
  const VxSource *host; // --host; the name "default" without data stands for
                        // the computer that runs the check
  const char *const *overrides; // --set, "Memory::HBM.capacity=40 GiB"
  size_t override_count;
  const char *const *defines; // -D, "N=128"
  size_t define_count;
  const char *const *warnings; // -W: "error", "no-W1029", "W1029"
  size_t warning_count;
  const char *const *paths; // where `import a::b;` looks for a/b.vx, before
  size_t path_count;        // the directory of the importing file
  VxRead read;              // NULL: the file system
  VxFindFleet find_fleet;   // NULL: there is no fleet
  void *context;            // handed to both
  uint64_t byte_limit;      // of all texts of one check together; 0: 4 GiB
  uint32_t text_limit;      // diagnostics in vx_render_text; 0: 50
} VxOptions;

// --- Sessions ----------------------------------------------------------------

typedef struct VxSession VxSession;
typedef struct VxResult VxResult;

VxSession *vx_session_new(const VxOptions *options); // NULL: all defaults
// Ends the life of the session and of everything it has returned.
void vx_session_free(VxSession *session);

// Checks programs together, as `vxc check` does. Without programs it checks the
// machine alone.
VxResult *vx_check(VxSession *session, const VxSource *programs,
                   size_t program_count);

// --- Results -----------------------------------------------------------------

typedef enum {
  VX_ADMITTED,    // no errors
  VX_REJECTED,    // errors in a program or in the machine
  VX_UNREADABLE,  // an input could not be read
  VX_WRONG_USAGE, // an override, a define or a warning flag makes no sense
} VxVerdict;

VxVerdict vx_verdict(const VxResult *result);
// What is wrong with the options; empty unless VX_WRONG_USAGE.
VxText vx_usage_error(const VxResult *result);
// Admitted, and every placement was checked against a known size.
bool vx_is_proved(const VxResult *result);

typedef enum { VX_ERROR, VX_WARNING } VxLevel;

// A stretch of a file. Lines and columns count from 1, columns in code points;
// the UTF-16 columns count from 0, as editors want them. `file` is empty where
// there is no place.
typedef struct {
  VxText file;
  uint32_t line, column;
  uint32_t end_line, end_column;
  uint32_t utf16_column, end_utf16_column;
} VxPlace;

typedef struct {
  VxPlace place;
  VxText text;
} VxLabel;

typedef struct {
  bool is_help; // a way out; else a note
  VxText text;
  VxPlace place;
} VxNote;

// Replace what stands at `place` (an empty stretch: insert).
typedef struct {
  VxText title;
  VxText replacement;
  VxPlace place;
} VxFixit;

// The figures behind a verdict about a memory.
typedef struct {
  VxText space;            // "HBM[3]"
  uint64_t required_bytes; // UINT64_MAX with `is_beyond`
  bool is_beyond;          // more than 64 bits hold
  uint64_t available_bytes;
  bool has_tiles;
  uint64_t tiles; // buffers that are alive together
} VxCapacity;

typedef struct {
  VxLevel level;
  VxText code;    // "E6009"
  VxText message; // the first line, without "Error[E6009]: "
  VxPlace place;
  VxText label; // under the mark in the picture; may be empty
  const VxLabel *labels;
  size_t label_count;
  const VxNote *notes;
  size_t note_count;
  const VxFixit *fixits;
  size_t fixit_count;
  const VxCapacity *capacity; // NULL: not about a capacity
} VxDiagnostic;

// In the order in which they are printed; NULL for an index out of range.
size_t vx_diagnostic_count(const VxResult *result);
const VxDiagnostic *vx_diagnostic(const VxResult *result, size_t index);

// What `vxc check` prints about faults, and about an admitted program.
VxText vx_render_text(VxResult *result, bool use_color);
VxText vx_render_summary(VxResult *result);
// The object vx-diagnostics-v1.
VxText vx_render_json(VxResult *result);

// The page about a code, in Markdown; empty for an unknown one. Needs no
// session and lives as long as the program.
VxText vx_explain(const char *code);

#ifdef __cplusplus
}
#endif

#endif
