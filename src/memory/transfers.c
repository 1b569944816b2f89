// SPDX-License-Identifier: Apache-2.0
//
// transfers: what moves, how often, over which links.
//
// Input: the hops of a function and the loops around them. Output: one
// RouteRecord per hop; at the end of the program the totals per link. Constant
// trip counts multiply; those known at run time only are named n1, n2, ... in
// the order of their loops. Cost: linear, times the depth of loops at hops.

#include "memory/internal.h"

typedef struct {
  MemoryCheck *check;
  U32Vec loops; // open LOOPs and FORs, outermost first
  Map symbols;  // loop -> its number among run-time loops
  uint32_t symbol_count;
} Walk;

// --- How often ---------------------------------------------------------------

static uint32_t symbol_of(Walk *w, uint32_t loop) {
  uint64_t symbol;
  if (!map_get(&w->symbols, loop, &symbol)) {
    symbol = ++w->symbol_count;
    map_put(w->check->scratch, &w->symbols, loop, symbol);
  }
  return (uint32_t)symbol;
}

static uint64_t multiply(uint64_t a, uint64_t b) {
  uint64_t product = UINT64_MAX;
  return mul_u64(a, b, &product) ? product : UINT64_MAX;
}

static void count_times(Walk *w, RouteRecord *record) {
  const IrFunction *f = w->check->function;
  Text text = text_new(w->check->scratch);
  record->has_times = true;
  record->times = 1;
  for (uint32_t i = 0; i < w->loops.count; i++) {
    const Op *op = &f->ops.items[w->loops.items[i]];
    const IrLoop *loop = &f->loops.items[op->aux];
    if (op->kind == OP_FOR && loop->is_constant) {
      record->times = multiply(record->times, loop->trips);
      continue;
    }
    text_format(&text, text.length == 0 ? "n%u" : " x n%u",
                symbol_of(w, w->loops.items[i]));
    record->has_times = false;
  }
  if (text.length == 0 || record->times != 1) {
    text_puts(&text, text.length == 0 ? "" : " x ");
    text_u128(&text, record->times);
  }
  record->times_text = str_copy(w->check->arena, text_str(&text));
}

static void record_hop(Walk *w, const Op *op) {
  const MemoryCheck *check = w->check;
  RouteRecord record = {.function = check->function->name,
                        .hop = check->function->hops.items[op->aux],
                        .span = op->span};
  count_times(w, &record);
  VEC_PUSH(check->arena, &check->report->routes, record);
}

// A rename that a transfer made; IR text does not carry its hop.
static bool is_priced_rename(const IrFunction *f, const Op *op) {
  return op->kind == OP_RENAME && op->aux < f->hops.count &&
         f->hops.items[op->aux].hop.is_renamed;
}

void record_transfers(MemoryCheck *check) {
  Walk w = {.check = check};
  const IrFunction *f = check->function;
  for (uint32_t i = 0; i < f->ops.count; i++) {
    const Op *op = &f->ops.items[i];
    if (op->kind == OP_LOOP || op->kind == OP_FOR)
      VEC_PUSH(check->scratch, &w.loops, i);
    else if (op->kind == OP_END && w.loops.count > 0 &&
             VEC_LAST(&w.loops) == op->match)
      w.loops.count--;
    else if (op->kind == OP_HOP || op->kind == OP_HOP_INTO ||
             is_priced_rename(f, op))
      record_hop(&w, op);
    else if (op->kind == OP_CALL)
      check->report->callees_not_counted = true;
  }
}
