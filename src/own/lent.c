// SPDX-License-Identifier: Apache-2.0
//
// What the unseen caller of an entry lends it.
//
// Input: the lifetimes of a function that nobody calls. Output: the same with
// one more buffer for every tensor behind a parameter of reference type, alive
// throughout, because whoever calls the function holds it across the call.
// Cost: linear in buffers and parameters.

#include "own/internal.h"

typedef VEC(Buffer) BufferVec;

typedef struct {
  Arena *arena;
  const IrModule *module;
  const IrFunction *function;
  uint32_t param; // the operation at hand
  uint32_t leaf;  // of its tensors, depth first
  BufferVec lent;
} Lending;

static void lend_tensors(Lending *l, TypeId type, unsigned depth) {
  const TypeTable *types = l->module->types;
  type = type_strip(types, type);
  const TypeInfo *info = type_info(types, type);
  if (info->kind == TYPE_TENSOR) {
    LiveRange *range = ARENA_NEW(l->arena, LiveRange);
    *range = (LiveRange){l->param, l->function->ops.count};
    Buffer buffer = {.value = l->function->ops.items[l->param].result,
                     .field = l->leaf++,
                     .type = type,
                     .origin = BUFFER_LENT,
                     .birth = l->param,
                     .last_use = l->function->ops.count - 1,
                     .ranges = range,
                     .range_count = 1,
                     .copies = 1};
    VEC_PUSH(l->arena, &l->lent, buffer);
    return;
  }
  if (info->kind != TYPE_STRUCT || depth == 0)
    return;
  const IrStruct *s = &l->module->structs.items[info->struct_index];
  for (uint32_t i = 0; i < s->field_count; i++)
    lend_tensors(l, s->field_types[i], depth - 1);
}

void own_add_lent(Arena *arena, const IrModule *module,
                  const IrFunction *function, OwnResult *result) {
  enum { MAX_STRUCT_DEPTH = 64 };
  Lending l = {.arena = arena, .module = module, .function = function};
  for (uint32_t i = 0; i < function->ops.count; i++) {
    const Op *op = &function->ops.items[i];
    if (op->kind != OP_PARAM)
      break; // parameters come first
    TypeId type = ir_value(function, op->result)->type;
    l.param = i;
    l.leaf = 0;
    if (type_kind(module->types, type) == TYPE_REF)
      lend_tensors(&l, type, MAX_STRUCT_DEPTH);
  }
  if (l.lent.count == 0)
    return;
  uint32_t count = result->buffer_count + l.lent.count;
  Buffer *merged = ARENA_ARRAY(arena, Buffer, count);
  uint32_t own = 0, lent = 0;
  for (uint32_t i = 0; i < count; i++) {
    bool takes_lent = lent < l.lent.count &&
                      (own == result->buffer_count ||
                       l.lent.items[lent].birth < result->buffers[own].birth);
    merged[i] = takes_lent ? l.lent.items[lent++] : result->buffers[own++];
  }
  result->buffers = merged;
  result->buffer_count = count;
}
