// SPDX-License-Identifier: Apache-2.0
//
// ir: one function as a flat list of operations. Loops, ifs and regions are
// bracketed, so that the index of an operation in the array is its place in
// the linear order of the memory model. Built from a checked tree, or read
// from its own text; constant afterwards.
//
// A value is made by one operation and never changes; what can change are
// slots (VAR) and the contents of buffers. A tensor variable is the value that
// first fills it: `let b = a` gives the same value a second name, `a = e`
// stores into its buffer (ASSIGN). Values of tensor type (also inside Pinned)
// own a buffer unless their operation is a view.

#ifndef VX_IR_IR_H
#define VX_IR_IR_H

#include "base/base.h"
#include "diag/diag.h"
#include "machine/machine.h"
#include "place/place.h"
#include "sema/sema.h"
#include "types/types.h"

typedef enum {
#define OP(KIND, text, result, shape) OP_##KIND,
#include "ir/op.def"
#undef OP
  OP_KIND_COUNT
} OpKind;

typedef struct {
  uint32_t index; // 0 is "no value"
} ValueId;

// NEW: how the buffer is filled.
typedef enum { NEW_ZERO, NEW_UNINIT, NEW_FILL, NEW_VALUES } NewFill;
// REDUCE.
typedef enum { REDUCE_SUM, REDUCE_MAX, REDUCE_MIN, REDUCE_MEAN } ReduceKind;

enum {
  OP_FLAG_MUT = 1,      // BORROW: &mut
  OP_FLAG_WHILE = 2,    // LOOP: from `while`; may run zero times
  OP_FLAG_TRANSIT = 4,  // HOP: its result only passes through
  OP_FLAG_TRANSFER = 8, // COPY: from a transfer inside one memory, not a clone
};

// One operation. `operands` are ValueIds in function->operands.
typedef struct {
  uint8_t kind;   // an OpKind
  uint8_t detail; // NewFill, ReduceKind
  uint16_t flags; // OP_FLAG_*
  uint32_t first; // of its operands
  uint32_t count;
  ValueId result;
  uint32_t aux;   // PARAM: its number; CONST: index into constants; HOP*: index
                  // into hops; FIELD, SET_FIELD: the field; CALL: index into
                  // callees; REGION: index into regions; LOOP, FOR: index into
                  // loops; IF, ELSE, LOOP, FOR, REGION: see `match`
  uint32_t match; // IF: its ELSE; ELSE, LOOP, FOR, REGION: their END;
                  // END: the IF, LOOP, FOR or REGION that it closes
  Span span;
} Op;

typedef struct {
  TypeId type;
  Name name;   // the variable it is first bound to, or 0
  Span span;   // where it is made
  uint32_t op; // the operation that makes it
} Value;

typedef enum {
  CONSTANT_INTEGER,
  CONSTANT_FLOAT,
  CONSTANT_BOOL,
  CONSTANT_TEXT
} ConstantKind;
typedef struct {
  ConstantKind kind;
  union {
    Int128 integer; // INTEGER, BOOL
    Str text;       // FLOAT: its digits as written; TEXT: the bytes
  };
} Constant;

// One hop of a transfer, as the plan will run it.
typedef struct {
  Hop hop;
  uint32_t step;  // 0-based, of
  uint32_t steps; // this many
  bool has_bytes; // false: run-time extents
  Bytes bytes;    // bare bytes moved, each time
  HopCost total;  // of the whole route, on its last hop
} IrHop;

typedef struct {
  bool is_constant; // trip count of a FOR over constants
  uint64_t trips;
  uint32_t stages; // 1 without `stages`
  Name symbol;     // the run-time end of a FOR, for messages; or 0
} IrLoop;

typedef struct {
  TopologyId topology;
  uint32_t instance;
} IrRegion;

typedef struct {
  Name name;
  Span span; // of the name
  TypeId result;
  bool is_extern;
  VEC(Op) ops;
  U32Vec operands;   // ValueId indices
  VEC(Value) values; // [0] is unused
  VEC(Constant) constants;
  VEC(IrHop) hops;
  VEC(IrLoop) loops;
  VEC(IrRegion) regions;
  VEC(Name) callees;
} IrFunction;

// Struct types: the field types that FIELD and the analyses need.
typedef struct {
  TypeId type;
  const Name *field_names;
  const TypeId *field_types;
  uint32_t field_count;
} IrStruct;

typedef struct {
  Arena *arena;
  TypeTable *types;
  const Machine *machine;
  Interner *interner;
  VEC(IrFunction) functions;
  VEC(IrStruct) structs; // by struct_index of types; [0] is unused
} IrModule;

const char *op_kind_text(OpKind kind);

static inline ValueId op_operand(const IrFunction *f, const Op *op,
                                 uint32_t i) {
  return (ValueId){f->operands.items[op->first + i]};
}
static inline const Value *ir_value(const IrFunction *f, ValueId v) {
  return &f->values.items[v.index];
}

// Does the operation of `value` bear a buffer: a tensor (or Pinned tensor) that
// is not a view, or a struct with tensors that arrives from elsewhere (PARAM,
// CALL, COPY)? Results of IF are joined buffers; RENAME takes its operand's
// bytes over into another budget.
bool ir_value_bears_buffer(const IrModule *module, const IrFunction *f,
                           ValueId value);

// --- Making functions --------------------------------------------------------

// Appends an operation; `operands` may be NULL when count is 0. With a type, a
// value is made for the result.
uint32_t ir_add(Arena *arena, IrFunction *f, OpKind kind, Span span,
                TypeId result_type, const ValueId *operands, uint32_t count);

// Fills `match` of every bracket. False when the brackets do not pair; nothing
// else is checked.
bool ir_match_brackets(Arena *scratch, IrFunction *f);

// Lowers every checked function of a program. Needs a program without errors
// in sema and place. Functions with ERROR types are left out.
IrModule *ir_build(Arena *arena, const Program *program,
                   const Placements *placements);

// --- Text --------------------------------------------------------------------

// print -> parse -> print is a fixpoint. Each op on a line, nested ops
// indented; types in the language's own words.
void ir_print_function(Text *out, const IrModule *module, const IrFunction *f);
void ir_print(Text *out, const IrModule *module);
// Reads what ir_print writes (and `struct` lines for struct types). On failure
// returns NULL and *error says line and reason.
IrModule *ir_parse(Arena *arena, Interner *interner, TypeTable *types,
                   const Machine *machine, Str text, Str *error);

// Checks brackets, operand counts, types of operands, definitions before uses
// and inside their scope. Returns true, or false with the reason.
bool ir_verify(const IrModule *module, const IrFunction *f, Arena *scratch,
               Str *error);

#endif
