// SPDX-License-Identifier: Apache-2.0
//
// place: who may touch which value where, and by which way each transfer goes.
// Walks the bodies of a program that sema has checked, once per topology that
// a function runs on.

#ifndef VX_PLACE_PLACE_H
#define VX_PLACE_PLACE_H

#include "base/base.h"
#include "diag/diag.h"
#include "machine/machine.h"
#include "sema/sema.h"

// The way of one TransferExpr.
typedef struct {
  Route route;
  bool has_bytes; // false: run-time extents without a bound
  Bytes bytes;    // bare bytes moved by each hop
} StagedTransfer;

typedef struct {
  Map index; // (unit << 32 | node) of the TransferExpr -> index into transfers
  VEC(StagedTransfer) transfers;
} Placements;

// Checks every supported body: E6001, E6003 (with a fix-it that inserts the
// transfer), E6026, W1030; stages every transfer: E6002, E6014, W1022. Sets
// FunctionDecl.has_errors where it finds errors. Cost: linear in the tree,
// times the topologies a function is called from, plus the routes.
Placements *place_check(Arena *arena, Program *program);

// The way of a TransferExpr, or NULL when it was refused.
const StagedTransfer *place_transfer(const Placements *placements,
                                     uint32_t unit, NodeId node);

#endif
