// SPDX-License-Identifier: Apache-2.0
//
// Inside ir: the state of lowering one function from its tree.

#ifndef VX_IR_BUILD_H
#define VX_IR_BUILD_H

#include "ir/internal.h"
#include "ir/ir.h"

// Where a local lives: a slot (VAR), or the value itself.
typedef struct {
  ValueId value;
  bool is_slot;
} Home;

typedef struct {
  Arena *arena;
  Arena scratch;
  const Program *program;
  const Placements *placements;
  IrModule *module;
  IrFunction *f;   // being built; its lists live in `scratch`
  uint32_t unit;
  const Tree *tree;
  Home *homes; // by local index, less first_local
  uint32_t first_local;
} Builder;

static inline TypeId built_type(const Builder *b, NodeId node) {
  return sema_type(b->program, b->unit, node);
}
static inline const TypeInfo *built_info(const Builder *b, TypeId type) {
  return type_info(b->module->types, type);
}
static inline TypeId value_type(const Builder *b, ValueId value) {
  return b->f->values.items[value.index].type;
}
static inline Home *home_of(Builder *b, uint32_t local) {
  return &b->homes[local - b->first_local];
}

// Appends an operation; gives its result, or no value.
ValueId emit(Builder *b, OpKind kind, NodeId at, TypeId type,
             const ValueId *operands, uint32_t count);
ValueId emit1(Builder *b, OpKind kind, NodeId at, TypeId type, ValueId operand);
Op *last_op(Builder *b);
ValueId emit_constant(Builder *b, NodeId at, TypeId type, Constant constant);

// --- build_expr.c: values ----------------------------------------------------

// The value of an expression; 0 for void ones.
ValueId lower_expr(Builder *b, NodeId node);
// As lower_expr, with references to scalars read through.
ValueId lower_operand(Builder *b, NodeId node);
// The slot, tensor, struct or reference that an assignable expression names.
ValueId lower_place(Builder *b, NodeId node);
// What an IDENT, FIELD or INDEX base refers to, references to structs followed.
ValueId lower_base(Builder *b, NodeId node);

// --- build_tensor.c ----------------------------------------------------------

ValueId lower_constructor(Builder *b, NodeId call, TypeId type);
ValueId lower_transfer(Builder *b, NodeId node);
ValueId lower_method(Builder *b, NodeId node);
ValueId lower_call(Builder *b, NodeId node);
ValueId lower_index(Builder *b, NodeId node);
ValueId lower_list(Builder *b, NodeId node, NodeId list, TypeId type);

// --- build_statement.c -------------------------------------------------------

ValueId lower_block(Builder *b, NodeId node);
ValueId lower_if(Builder *b, NodeId node);
void lower_for(Builder *b, NodeId node);
void lower_while(Builder *b, NodeId node);
void lower_loop(Builder *b, NodeId node);
void lower_return(Builder *b, NodeId node);
void lower_assign(Builder *b, NodeId node);
ValueId lower_spawn(Builder *b, NodeId node);

#endif
