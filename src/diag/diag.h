// SPDX-License-Identifier: Apache-2.0
//
// diag: what the checker has to say. One catalogue (diag.def), one typed
// emitter per row, records, and their rendering as text and JSON.
//
// A record and everything in it lives in the sink's arena. Emitters copy their
// string arguments. Nothing here prints: renderers append to a Text.

#ifndef VX_DIAG_DIAG_H
#define VX_DIAG_DIAG_H

#include "base/base.h"
#include "source/source.h"

typedef enum { SEVERITY_ERROR, SEVERITY_WARNING } Severity;

typedef enum {
  DIAG_NONE,
#define DIAG(code, severity, name, text, params) DIAG_##code,
#define DIAG_ALSO(code, severity, name, text, params)
#include "diag/diag.def"
#undef DIAG
#undef DIAG_ALSO
  DIAG_CODE_COUNT
} DiagCode;

// One text of the catalogue; a code may have several (DIAG_ALSO).
typedef enum {
#define DIAG(code, severity, name, text, params) DIAG_TEXT_##name,
#define DIAG_ALSO(code, severity, name, text, params) DIAG_TEXT_##name,
#include "diag/diag.def"
#undef DIAG
#undef DIAG_ALSO
  DIAG_TEXT_COUNT
} DiagText;

// Where a span lies, filled in by diag_finish for consumers without a
// SourceMap. No file (empty) for NO_SPAN.
typedef struct {
  Str file;
  Location start;
  Location end;
} DiagPlace;

// A second place in the picture, with its text.
typedef struct {
  Span span;
  Str text;
  DiagPlace place;
} DiagLabel;

typedef enum { REMARK_NOTE, REMARK_HELP } RemarkKind;

// A note or a help below the picture; `span` may be NO_SPAN. Lines of `text`
// after the first are indented under it.
typedef struct {
  RemarkKind kind;
  Str text;
  Span span; // the place a note speaks of: " at file:line:column" is put
             // behind the first line of the text
  DiagPlace place;
} DiagRemark;

// Replace the bytes of `span` (length 0: insert) by `replacement`.
typedef struct {
  Span span;
  Str replacement;
  Str title;
  DiagPlace place;
} DiagFixit;

// The figures behind a capacity diagnostic, for machines.
typedef struct {
  Str space; // with its instance: "HBM[3]"
  Bytes required;
  uint64_t available;
  bool has_tiles;
  uint64_t tiles;
} DiagCapacity;

// Ordered as the passes run; records are sorted by position within a phase.
typedef enum {
  PHASE_INPUT,
  PHASE_SYNTAX,
  PHASE_MACHINE,
  PHASE_SEMA,
  PHASE_PLACE,
  PHASE_MEMORY,
} DiagPhase;

typedef struct {
  DiagCode code;
  Severity severity; // as reported: -W error raises warnings
  DiagPhase phase;
  Span span;
  Str message; // the first line, without "Error[..]: "
  Str label;   // under the carets; may be empty
  VEC(DiagLabel) labels;
  VEC(DiagRemark) remarks;
  VEC(DiagFixit) fixits;
  bool has_capacity;
  DiagCapacity capacity;
  uint32_t order;       // as emitted
  bool is_dropped;      // same code and span again, or switched off
  bool is_counted_only; // the one that stands for all beyond MAX_RECORDS
  // Filled from span by diag_finish: for consumers without a SourceMap.
  Str file;
  Location start;
  Location end;
} Diagnostic;

// A file can have millions of faults; beyond this many they are only counted.
#define MAX_RECORDS 10000

typedef struct {
  Arena *arena;
  Diagnostic *counted_only;
  DiagPhase phase; // of records emitted from now on
  VEC(Diagnostic *) records;
  Map seen;                          // (code, span) already emitted
  bool warnings_are_errors;          // -W error
  bool is_silenced[DIAG_CODE_COUNT]; // -W no-CODE
  uint32_t error_count;              // not dropped
  uint32_t warning_count;
} DiagSink;

void diag_init(DiagSink *sink, Arena *arena);
// Sorts by (phase, position, order), fills file and locations.
void diag_finish(DiagSink *sink, SourceMap *sources);

// --- What to add to a record; `text` is copied -------------------------------

void diag_set_label(DiagSink *sink, Diagnostic *d, Str text);
void diag_add_label(DiagSink *sink, Diagnostic *d, Span span, Str text);
void diag_add_note(DiagSink *sink, Diagnostic *d, Span span, Str text);
void diag_add_help(DiagSink *sink, Diagnostic *d, Str text);
void diag_add_fixit(DiagSink *sink, Diagnostic *d, Span span, Str replacement,
                    Str title);
void diag_set_capacity(DiagSink *sink, Diagnostic *d, Str space, Bytes required,
                       uint64_t available);
void diag_set_tiles(Diagnostic *d, uint64_t tiles);

// --- The catalogue -----------------------------------------------------------

// "E6009"; the code of a name, or DIAG_NONE; its severity in the catalogue.
const char *diag_code_name(DiagCode code);
DiagCode diag_code_from_name(Str name);
Severity diag_code_severity(DiagCode code);
// The text with its {parameters}.
const char *diag_code_text(DiagCode code);
// The page docs/errors/CODE.md, embedded; empty when there is none.
Str diag_code_page(DiagCode code);

// --- Rendering ---------------------------------------------------------------

// All records that are not dropped, then "N errors, M warnings" if any error;
// at most `limit` records, then a count (0: no limit). Needs diag_finish.
void diag_render_text(Text *out, const DiagSink *sink, SourceMap *sources,
                      bool use_color, uint32_t limit);
// The JSON array `diagnostics` of vx-diagnostics-v1, one record per line,
// `indent` spaces before each.
void diag_render_json(Text *out, const DiagSink *sink, unsigned indent);

// --- Emitters ----------------------------------------------------------------

typedef struct {
  const char *name;
  enum { DIAG_ARG_TEXT, DIAG_ARG_NUMBER, DIAG_ARG_BYTES } kind;
  Str text;
  uint64_t number;
  Bytes bytes;
} DiagArg;

// Used by the typed emitters only. Always returns a record that may be added
// to, also when it is dropped.
Diagnostic *diag_emit(DiagSink *sink, DiagText text, Span span,
                      const DiagArg *args, size_t arg_count);

static inline DiagArg diag_arg_S(const char *name, Str value) {
  return (DiagArg){.name = name, .kind = DIAG_ARG_TEXT, .text = value};
}
static inline DiagArg diag_arg_N(const char *name, uint64_t value) {
  return (DiagArg){.name = name, .kind = DIAG_ARG_NUMBER, .number = value};
}
static inline DiagArg diag_arg_B(const char *name, Bytes value) {
  return (DiagArg){.name = name, .kind = DIAG_ARG_BYTES, .bytes = value};
}

#define DIAG_TYPE_S Str
#define DIAG_TYPE_N uint64_t
#define DIAG_TYPE_B Bytes

#define DIAG_PARAMS_P0()
#define DIAG_PARAMS_P1(k1, n1) , DIAG_TYPE_##k1 n1
#define DIAG_PARAMS_P2(k1, n1, ...)                                            \
  , DIAG_TYPE_##k1 n1 DIAG_PARAMS_P1(__VA_ARGS__)
#define DIAG_PARAMS_P3(k1, n1, ...)                                            \
  , DIAG_TYPE_##k1 n1 DIAG_PARAMS_P2(__VA_ARGS__)
#define DIAG_PARAMS_P4(k1, n1, ...)                                            \
  , DIAG_TYPE_##k1 n1 DIAG_PARAMS_P3(__VA_ARGS__)
#define DIAG_PARAMS_P5(k1, n1, ...)                                            \
  , DIAG_TYPE_##k1 n1 DIAG_PARAMS_P4(__VA_ARGS__)
#define DIAG_PARAMS_P6(k1, n1, ...)                                            \
  , DIAG_TYPE_##k1 n1 DIAG_PARAMS_P5(__VA_ARGS__)

#define DIAG_ARGS_P0()
#define DIAG_ARGS_P1(k1, n1) diag_arg_##k1(#n1, n1),
#define DIAG_ARGS_P2(k1, n1, ...)                                              \
  diag_arg_##k1(#n1, n1), DIAG_ARGS_P1(__VA_ARGS__)
#define DIAG_ARGS_P3(k1, n1, ...)                                              \
  diag_arg_##k1(#n1, n1), DIAG_ARGS_P2(__VA_ARGS__)
#define DIAG_ARGS_P4(k1, n1, ...)                                              \
  diag_arg_##k1(#n1, n1), DIAG_ARGS_P3(__VA_ARGS__)
#define DIAG_ARGS_P5(k1, n1, ...)                                              \
  diag_arg_##k1(#n1, n1), DIAG_ARGS_P4(__VA_ARGS__)
#define DIAG_ARGS_P6(k1, n1, ...)                                              \
  diag_arg_##k1(#n1, n1), DIAG_ARGS_P5(__VA_ARGS__)

#define DIAG(code, severity, name, text, params)                               \
  static inline Diagnostic *diag_##name(DiagSink *sink,                        \
                                        Span span DIAG_PARAMS_##params) {      \
    const DiagArg args[] = {DIAG_ARGS_##params{0}};                            \
    return diag_emit(sink, DIAG_TEXT_##name, span, args, COUNT_OF(args) - 1);  \
  }
#define DIAG_ALSO(code, severity, name, text, params)                          \
  DIAG(code, severity, name, text, params)
#include "diag/diag.def"
#undef DIAG
#undef DIAG_ALSO

#endif
