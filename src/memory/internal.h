// SPDX-License-Identifier: Apache-2.0
//
// What the files of memory/ share: the state of one function's check, verdicts
// on single placements, and sums over time.

#ifndef VX_MEMORY_INTERNAL_H
#define VX_MEMORY_INTERNAL_H

#include "memory/memory.h"

// --- Verdicts on one placement (verdict.c) -----------------------------------

typedef enum {
  VERDICT_FITS,
  VERDICT_OVER_CAPACITY,  // E6009
  VERDICT_OVER_LIMIT,     // E6104
  VERDICT_OVER_MAX_ALLOC, // E6105
  VERDICT_BEYOND,         // E6111
} VerdictKind;

typedef struct {
  VerdictKind kind;
  MemoryId memory; // the one that refuses: the placement's, or one that it is
                   // part of
} Verdict;

// The memory, then what it is part of, outward; the first refusal counts.
Verdict judge_bytes(const Machine *machine, MemoryId memory, Bytes bytes);
// Is it, or what it is part of, `access: read`?
bool is_read_only(const Machine *machine, MemoryId memory);
// Does any memory of that chain have a limit?
bool is_limited(const Machine *machine, MemoryId memory);
// The same instance of a memory that `place` is part of.
Placement outer_placement(const Machine *machine, Placement place);

// One placement as messages speak of it.
typedef struct {
  TypeId type; // a tensor
  Span span;
  Str context; // "variable 'w'"
  Str name;    // "w", or empty
  Bytes bare;
  Bytes bytes;     // padded; or what a transfer holds in passing
  bool is_transit; // `bytes` is not that of the type
} Placed;

// Reports a verdict that is not FITS.
Diagnostic *report_verdict(Arena *scratch, const TypeTable *types,
                           const Placed *placed, Verdict verdict,
                           DiagSink *sink);
// W1029, and the entry of report->unverified.
void report_unverified(Arena *arena, const TypeTable *types,
                       const Placed *placed, DiagSink *sink,
                       MemoryReport *report);
// "227 KiB one block gets": the limit and what makes it.
void put_limit(Text *text, const Memory *memory);
// "3 MiB (3145728)".
void put_exact_size(Text *text, Bytes bytes);

// --- The check of one function -----------------------------------------------

typedef struct {
  Bytes bare;
  Bytes bytes; // one copy: padded, or what is held in passing
  Bytes held;  // all copies
  bool is_known;
  bool counts; // takes part in sums
} BufferSize;

typedef struct {
  Arena *arena; // owns the report
  Arena *scratch;
  const IrModule *module;
  const Machine *machine;
  TypeTable *types;
  const IrFunction *function;
  const OwnResult *own;
  DiagSink *sink;
  MemoryReport *report;
  BufferSize *sizes;        // per buffer
  uint32_t advice_left;     // refusals that still get ways out
  Bitset written_elsewhere; // values that become fields or results; made at
                            // the first question
} MemoryCheck;

// Ways out cost a walk over the function each; the first refusals get them.
enum { ADVISED_REFUSALS = 20, MAX_WAYS_OUT = 3 };

Placement buffer_placement(const MemoryCheck *check, uint32_t buffer);
const Op *birth_op(const MemoryCheck *check, uint32_t buffer);
// "variable 'w'", "transferred tensor"; "w", "result of '@'".
Str buffer_context(const MemoryCheck *check, uint32_t buffer);
Str buffer_name(const MemoryCheck *check, uint32_t buffer);
// Where it is used last; never before where it is made, also when the
// expression that takes it begins earlier.
Span last_use_span(const MemoryCheck *check, uint32_t buffer);
// Made or brought there by name, so that it could be of another size or stand
// elsewhere: the result of an operator stands where its operands stand.
bool is_placed_by_name(const Buffer *buffer);

// Fills check->sizes and reports buffers that are refused alone (buffer.c).
void check_buffers(MemoryCheck *check);
// Sums per memory instance (working_set.c).
void check_working_sets(MemoryCheck *check);
// Transfers and calls (transfers.c).
void record_transfers(MemoryCheck *check);

// --- Sums over time (timeline.c) ---------------------------------------------

// From operation `op` on, `bytes` more, or less at an end.
typedef struct {
  uint64_t bytes;
  uint32_t op;
  bool is_end;
} Step;

typedef VEC(Step) StepVec;

typedef struct {
  Uint128 bytes;
  uint32_t op; // the first with that sum
} HighWater;

// The steps of something that is alive as `buffer` is, inside `clip` only
// (NULL: everywhere).
void add_steps(Arena *scratch, const Buffer *buffer, uint64_t bytes,
               const Buffer *clip, StepVec *steps);
// Sorts the steps; the highest sum. 0 bytes when there are none.
HighWater find_high_water(Arena *scratch, StepVec *steps);
bool is_alive_at(const Buffer *buffer, uint32_t op);
Bytes bytes_from_sum(Uint128 sum);

// --- Budgets (working_set.c) -------------------------------------------------

// Does the buffer count in the budget of this memory instance?
bool counts_in(const MemoryCheck *check, uint32_t buffer, Placement budget);

typedef struct {
  Placement place;
  const uint32_t *members; // buffers
  uint32_t member_count;
  HighWater peak;
  uint64_t tiles;
  uint32_t *alive; // at the peak, largest first, then by birth
  uint32_t alive_count;
  uint32_t last_born;  // of those alive
  bool has_unverified; // something there has a run-time shape
  bool is_refused;     // or a part of it is
} Budget;

// E6010, E6104 or W1028 (peak.c).
void report_peak(MemoryCheck *check, const Budget *budget);

// --- Ways out (advice.c) -----------------------------------------------------

typedef struct {
  Arena *scratch;
  Str ways[MAX_WAYS_OUT];
  uint32_t count;
} Advice;

// Largest first extent and smaller element type that fit: needs no function.
void advise_on_shape(Advice *advice, const TypeTable *types,
                     const Placed *placed);
// Another memory with room for a refused buffer.
void advise_on_memory(Advice *advice, const MemoryCheck *check,
                      uint32_t buffer);
void advise_on_peak(Advice *advice, const MemoryCheck *check,
                    const Budget *budget);
// Adds what was found as one help line.
void give_advice(const Advice *advice, DiagSink *sink, Diagnostic *d);

#endif
