// SPDX-License-Identifier: Apache-2.0
//
// own: which buffers a function has, who may refer to each, and when each is
// alive. A pure function of the IR.
//
// Lifetimes are sorted lists of half-open ranges of operation indices; an
// operation p occupies [p, p+1), so an operand that dies at p and a result
// that is born at p coexist. The rules are those of the memory model: to the
// last use (through references, views, structs and variables of reference
// type) along the control flow; born outside a loop and used inside: to the
// end of the loop; carried around the back edge: the whole loop; a death is
// counted on the edge where liveness ends.

#ifndef VX_OWN_OWN_H
#define VX_OWN_OWN_H

#include "base/base.h"
#include "ir/ir.h"

typedef struct {
  uint32_t from, to; // half-open
} LiveRange;

typedef enum {
  BUFFER_NEW,      // a constructor
  BUFFER_TRANSFER, // the last hop of a transfer, or a copy
  BUFFER_TRANSIT,  // a hop that only passes through
  BUFFER_RESULT,   // an operation or a call
  BUFFER_PARAM,    // handed in by the caller
  BUFFER_LENT, // borrowed from the unseen caller of an entry: alive throughout
  BUFFER_JOIN, // the result of an `if`
  BUFFER_RENAMED, // the bytes of a buffer that ends at its birth, under the
                  // budget of another part of the same memory
} BufferOrigin;

typedef struct {
  ValueId value;  // the value it is born with
  uint32_t field; // of PARAM, CALL and JOIN of struct type: which tensor of it
                  // (depth-first), else 0
  TypeId type;    // a tensor type
  BufferOrigin origin;
  uint32_t birth;    // operation
  uint32_t last_use; // the operation of the last use in program order
  LiveRange *ranges; // never empty: at least [birth, birth + 1)
  uint32_t range_count;
  uint32_t copies; // `stages S`: S; else 1
} Buffer;

typedef struct {
  Buffer *buffers; // in order of birth
  uint32_t buffer_count;
} OwnResult;

// Uses after a move (E4001) are sema's; this finds lifetimes only. Cost:
// n log n in the operations, plus the ranges given.
void own_analyze(Arena *arena, Arena *scratch, const IrModule *module,
                 const IrFunction *function, OwnResult *result);

// Adds what the caller of an entry lends it: for a function that nobody in the
// program calls, each tensor behind a parameter of reference type.
void own_add_lent(Arena *arena, const IrModule *module,
                  const IrFunction *function, OwnResult *result);

// Text for tests and --dump=own: one buffer per line, "name bytes-type
// [from,to) ..".
void own_dump(Text *out, const IrModule *module, const IrFunction *function,
              const OwnResult *result);

#endif
