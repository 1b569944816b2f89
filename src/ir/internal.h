// SPDX-License-Identifier: Apache-2.0
//
// What the files of ir/ share: the columns of op.def, and the reader of the
// text form.

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
char peek(const IrParser *p); // 0 at the end
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

#endif
