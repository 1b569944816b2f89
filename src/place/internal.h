// SPDX-License-Identifier: Apache-2.0
//
// What the files of place/ share: the walk in progress, and what is asked at
// each mention of a value and at each transfer.

#ifndef VX_PLACE_INTERNAL_H
#define VX_PLACE_INTERNAL_H

#include "place/place.h"

// What happens to the value of an expression.
typedef enum {
  USE_TOUCH, // read or written where the code runs
  USE_WRITE, // .. written
  USE_CARRY, // moved, borrowed, passed on: its bytes are not looked at
  USE_NAME,  // the operand of a transfer: any memory may be named
} Use;

typedef struct {
  uint32_t function;
  Active active;
} Job;

typedef VEC(Active) ActiveVec;

typedef struct {
  Program *program;
  Placements *placements;
  Arena *arena;
  Arena scratch;
  VEC(Job) jobs;
  ActiveVec *seen; // by function: the topologies it was queued for
  bool said_no_host;
  // The walk in progress.
  uint32_t unit;
  const Tree *tree;
  Active active;
  const RegionFacts *region; // the innermost one, or NULL
  uint32_t loop_depth;
} Walker;

static inline TypeId type_of(const Walker *w, NodeId node) {
  return sema_type(w->program, w->unit, node);
}

static inline const TypeInfo *info_of(const Walker *w, TypeId type) {
  return type_info(w->program->types, type);
}

static inline bool active_equal(Active a, Active b) {
  return a.topology.index == b.topology.index && a.instance == b.instance &&
         a.index_id == b.index_id;
}

// --- visibility.c ------------------------------------------------------------

// One mention of a value: E6003 when the code here may not do that with it.
void check_use(Walker *w, NodeId node, Use use);
// A host scalar is copied into a region; changing it there needs its memory.
void check_scalar_write(Walker *w, NodeId target);
// E6026: arithmetic on an element type that the silicon does not have. `op` is
// an operator or the name of a function. Integers count the loops of any code.
void check_element(Walker *w, TokenId op, NodeId operand);

// --- transfers.c -------------------------------------------------------------

// Finds the way of a TransferExpr, once: E6002, E6014, W1022.
void stage_transfer(Walker *w, NodeId node);

#endif
