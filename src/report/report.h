// SPDX-License-Identifier: Apache-2.0
//
// report: what the analyses found, for people (a summary, the routes) and for
// machines (vx-diagnostics-v1). Appends to a Text; computes nothing that a pass
// has not decided.

#ifndef VX_REPORT_REPORT_H
#define VX_REPORT_REPORT_H

#include "base/base.h"
#include "diag/diag.h"
#include "machine/machine.h"
#include "memory/memory.h"
#include "source/source.h"

// What there is to report on. A run that stopped early leaves `machine` or
// `memory` NULL; lists that depend on them are then empty.
typedef struct {
  Str file;         // the first program, as the user named it; "" without one
  Str machine_name; // as the user named it; "" without a machine file
  Str host_name;    // likewise
  const DiagSink *sink; // after diag_finish
  SourceMap *sources;
  const Interner *interner;
  const Machine *machine;
  const MemoryReport *memory; // after memory_finish
} Report;

// No errors, and every placement was checked against a known size.
bool report_is_proved(const Report *report);

// One line per memory that holds anything: its peak over all functions, the
// limit, the percentage of the limit, where the peak is. Then notes on what was
// not counted or not verified. Nothing for a program that places nothing.
void report_summary(Text *out, const Report *report, Arena *scratch);

// `check --routes`: each transfer with its hops, then the totals per link.
void report_routes(Text *out, const Report *report, Arena *scratch);

// The object vx-diagnostics-v1, complete also for a run that stopped early.
void report_json(Text *out, const Report *report, Arena *scratch);

// "64 KiB (65536 B)", "64 B": for people first, then exactly.
void report_bytes(Text *out, Bytes bytes);
// "28.1 %": in tenths, rounded down, so that 100 means full; "<0.1 %".
void report_percent(Text *out, uint64_t part, uint64_t whole);

#endif
