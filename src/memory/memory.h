// SPDX-License-Identifier: Apache-2.0
//
// memory: bytes against limits. Single buffers, declarations, and the working
// set of each function over time. Pure functions of IR and machine; findings
// go to a DiagSink, figures into a MemoryReport.

#ifndef VX_MEMORY_MEMORY_H
#define VX_MEMORY_MEMORY_H

#include "base/base.h"
#include "diag/diag.h"
#include "ir/ir.h"
#include "machine/machine.h"
#include "own/own.h"
#include "sema/sema.h"

// A buffer that is alive at a peak.
typedef struct {
  Str name;       // "a", or "result of '@'"
  Bytes bytes;    // all copies, padded
  uint64_t tiles; // buffers that it counts for
  Span birth;
  Span last_use; // NO_SPAN: alive to the end
} AliveBuffer;

// The working set of one function in one memory instance.
typedef struct {
  Name function;
  Placement placement;
  Bytes peak;     // live peak, own buffers (callees are not counted)
  uint64_t tiles; // buffers at the peak
  uint32_t peak_op;
  Span peak_at;       // where the last buffer of the peak is born
  AliveBuffer *alive; // at the peak, largest first, then by birth
  uint32_t alive_count;
  bool has_unverified; // some buffer there has a run-time shape
} ResidentSet;

// One hop in source order, with how often it runs.
typedef struct {
  Name function;
  IrHop hop;
  bool has_times;
  uint64_t times; // product of constant trip counts, saturating
  Str times_text; // "32", "n1 x 32" with run-time trip counts
  Span span;
} RouteRecord;

// Totals of the program per link.
typedef struct {
  Placement from, to;
  Uint128 transfers; // times summed; run-time counts count 1
  bool has_bytes;    // no hop over it has a run-time size
  Uint128 bytes;     // of those whose size is known
  bool has_time;     // every hop over it is priced in time
  Uint128 time_ps;
} LinkTotal;

typedef struct {
  VEC(ResidentSet) sets;    // sorted by function, then memory, by name
  VEC(RouteRecord) routes;  // in source order
  VEC(LinkTotal) links;     // sorted by names of ends
  StrVec unverified;        // "capacity of 'SMEM': variable 'x' has .."
  bool callees_not_counted; // some function calls another
} MemoryReport;

// Struct fields, parameters, results and constants as declared: E6009, E6104,
// E6105, E6111, E6110, W1029 at the written type.
void memory_check_declarations(Arena *arena, const Program *program,
                               DiagSink *sink, MemoryReport *report);

// One function: every buffer alone (E6009, E6104, E6105, E6110, E6111, W1029),
// then the working set of every memory instance that it uses (E6010, E6104,
// W1028), with lists of what is alive and ways out. A buffer that is refused
// alone takes no part in sums. Cost: n log n in buffers and ranges.
void memory_check_function(Arena *arena, const IrModule *module,
                           const IrFunction *function, const OwnResult *own,
                           DiagSink *sink, MemoryReport *report);

// Sorts the report's lists. Call once, at the end.
void memory_finish(MemoryReport *report, const IrModule *module);

#endif
