// SPDX-License-Identifier: Apache-2.0
//
// What the files of ir/ share: the columns of op.def, the reader of the text
// form, and the lowering of one function from its tree.

#ifndef VX_IR_INTERNAL_H
#define VX_IR_INTERNAL_H

#include "ir/ir.h"

// --- Columns of op.def (ir.c) ------------------------------------------------

typedef enum {
  SHAPE_PARAM,
  SHAPE_CONST,
  SHAPE_OPERANDS,
  SHAPE_NEW,
  SHAPE_HOP,
  SHAPE_REDUCE,
  SHAPE_FIELD,
  SHAPE_CALL,
  SHAPE_LOOP,
  SHAPE_REGION,
} OpShape;

typedef enum { RESULT_R, RESULT_N, RESULT_M } ResultRule; // always, never, may

OpShape op_shape(OpKind kind);
ResultRule op_result_rule(OpKind kind);
// IF, LOOP, FOR, REGION.
bool op_opens_bracket(OpKind kind);
// OP_KIND_COUNT when there is none of that name.
OpKind op_kind_from_text(Str text);

// Words behind `new` and `reduce`, in the order of NewFill and ReduceKind.
extern const char *const new_fill_texts[NEW_VALUES + 1];
extern const char *const reduce_kind_texts[REDUCE_MEAN + 1];

// --- Reading text (parse.c, parse_type.c) ------------------------------------

typedef struct {
  Arena *arena;
  IrModule *module;
  IrFunction *function; // being read
  Str text;
  size_t at;
  uint32_t line;
  Map values;  // number as written -> ValueId, of this function
  Map structs; // name -> struct_index
  Str error;   // the first one; empty: none
} IrParser;

// Spaces, tabs, comments (`//`); not line ends.
void skip_blanks(IrParser *p);
char peek(const IrParser *p);             // 0 at the end
bool fail(IrParser *p, const char *what); // always false
// Takes `mark` if it stands here.
bool take(IrParser *p, const char *mark);
bool expect(IrParser *p, const char *mark);
// Takes the word `word`, and no longer one.
bool take_word(IrParser *p, const char *word);
// The word at hand without taking it; may be empty.
Str peek_word(IrParser *p);
bool read_u64(IrParser *p, uint64_t *value);
bool read_u32(IrParser *p, uint32_t *value);
bool read_quoted(IrParser *p, Str *text);
// A word, or any text in quotes.
bool read_name(IrParser *p, Name *name);
// `[3]`, `[?]`, `[..]`, or nothing for 0.
bool read_instance(IrParser *p, uint32_t *instance);
bool read_placement(IrParser *p, Placement *place);
bool read_topology(IrParser *p, TopologyId *topology, uint32_t *instance);
bool read_type(IrParser *p, TypeId *type);
// The name of a struct type, with the `#2` that tells it from its namesakes.
bool read_struct_name(IrParser *p, Name *name);

// --- Lowering one function from its tree (build*.c) --------------------------

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
  IrFunction *f; // being built; its lists live in `scratch`
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

// --- build_expr.c ------------------------------------------------------------

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
