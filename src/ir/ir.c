// SPDX-License-Identifier: Apache-2.0
//
// ir: making functions, and the few questions that every reader of the IR asks.
//
// Input: operations in program order. Output: an IrFunction. Cost: constant
// per operation. Nothing is checked here; see verify.c.

#include "ir/internal.h"

static const char *const kind_texts[] = {
#define OP(KIND, text, result, shape) [OP_##KIND] = text,
#include "ir/op.def"
#undef OP
};

const char *op_kind_text(OpKind kind) {
  CHECK(kind < OP_KIND_COUNT);
  return kind_texts[kind];
}

static const uint8_t shapes[] = {
#define OP(KIND, text, result, shape) [OP_##KIND] = SHAPE_##shape,
#include "ir/op.def"
#undef OP
};

static const uint8_t result_rules[] = {
#define OP(KIND, text, result, shape) [OP_##KIND] = RESULT_##result,
#include "ir/op.def"
#undef OP
};

const char *const new_fill_texts[] = {"zero", "uninit", "fill", "values"};
const char *const reduce_kind_texts[] = {"sum", "max", "min", "mean"};

OpShape op_shape(OpKind kind) { return (OpShape)shapes[kind]; }

ResultRule op_result_rule(OpKind kind) {
  return (ResultRule)result_rules[kind];
}

OpKind op_kind_from_text(Str text) {
  for (unsigned i = 0; i < OP_KIND_COUNT; i++)
    if (str_equal(text, str_from(kind_texts[i])))
      return (OpKind)i;
  return OP_KIND_COUNT;
}

bool op_opens_bracket(OpKind kind) {
  return kind == OP_IF || kind == OP_LOOP || kind == OP_FOR ||
         kind == OP_REGION;
}

// Only appends to the operand list: earlier operations keep their places.
static uint32_t add_operands(Arena *arena, IrFunction *f,
                             const ValueId *operands, uint32_t count) {
  uint32_t first = f->operands.count;
  for (uint32_t i = 0; i < count; i++)
    VEC_PUSH(arena, &f->operands, operands[i].index);
  return first;
}

static ValueId add_value(Arena *arena, IrFunction *f, TypeId type, Span span,
                         uint32_t op) {
  if (f->values.count == 0)
    VEC_PUSH(arena, &f->values, (Value){.type = {0}});
  ValueId value = {f->values.count};
  VEC_PUSH(arena, &f->values, (Value){.type = type, .span = span, .op = op});
  return value;
}

uint32_t ir_add(Arena *arena, IrFunction *f, OpKind kind, Span span,
                TypeId result_type, const ValueId *operands, uint32_t count) {
  uint32_t index = f->ops.count;
  Op op = {.kind = (uint8_t)kind, .count = count, .span = span};
  op.first = add_operands(arena, f, operands, count);
  if (result_type.index != 0)
    op.result = add_value(arena, f, result_type, span, index);
  VEC_PUSH(arena, &f->ops, op);
  return index;
}

// --- Brackets ----------------------------------------------------------------

// ELSE or END at `index`, inside the bracket that `open` holds on top.
static bool close_bracket(IrFunction *f, U32Vec *open, uint32_t index) {
  if (open->count == 0)
    return false;
  uint32_t opener_index = VEC_LAST(open);
  Op *opener = &f->ops.items[opener_index];
  Op *closer = &f->ops.items[index];
  if (closer->kind == OP_ELSE) {
    bool is_first = opener->kind == OP_IF && opener->match == 0;
    opener->match = index;
    return is_first;
  }
  if (opener->kind == OP_IF) {
    if (opener->match == 0)
      return false;
    f->ops.items[opener->match].match = index;
  } else {
    opener->match = index;
  }
  closer->match = opener_index;
  open->count--;
  return true;
}

bool ir_match_brackets(Arena *scratch, IrFunction *f) {
  U32Vec open = {0};
  for (uint32_t i = 0; i < f->ops.count; i++) {
    OpKind kind = (OpKind)f->ops.items[i].kind;
    if (op_opens_bracket(kind)) {
      f->ops.items[i].match = 0;
      VEC_PUSH(scratch, &open, i);
    } else if (kind == OP_ELSE || kind == OP_END) {
      if (!close_bracket(f, &open, i))
        return false;
    }
  }
  return open.count == 0;
}

// --- Buffers -----------------------------------------------------------------

// Views hold what others own; a slot and a struct hold what was put in.
static bool is_view(OpKind kind) {
  return kind == OP_VAR || kind == OP_LOAD || kind == OP_ROW ||
         kind == OP_BORROW || kind == OP_DEREF || kind == OP_STRUCT ||
         kind == OP_FIELD;
}

enum { MAX_STRUCT_DEPTH = 64 };

static bool owns_tensor(const IrModule *module, TypeId type, uint32_t depth) {
  const TypeInfo *info = type_info(module->types, type);
  if (info->kind == TYPE_PINNED)
    return owns_tensor(module, info->target, depth);
  if (info->kind == TYPE_TENSOR)
    return true;
  if (info->kind != TYPE_STRUCT || depth >= MAX_STRUCT_DEPTH ||
      info->struct_index >= module->structs.count)
    return false;
  const IrStruct *s = &module->structs.items[info->struct_index];
  for (uint32_t i = 0; i < s->field_count; i++)
    if (owns_tensor(module, s->field_types[i], depth + 1))
      return true;
  return false;
}

bool ir_value_bears_buffer(const IrModule *module, const IrFunction *f,
                           ValueId value) {
  if (value.index == 0)
    return false;
  const Value *v = ir_value(f, value);
  return !is_view((OpKind)f->ops.items[v->op].kind) &&
         owns_tensor(module, v->type, 0);
}
