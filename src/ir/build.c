// SPDX-License-Identifier: Apache-2.0
//
// Lowering: tree and side tables to IR, one function at a time.
// Input: a checked program and its staged transfers. Output: an IrModule of
// the functions without faults. Cost: linear in the tree. It decides nothing:
// types, routes and constants are sema's and place's.

#include "ir/internal.h"

#include <string.h>

ValueId emit(Builder *b, OpKind kind, NodeId at, TypeId type,
             const ValueId *operands, uint32_t count) {
  uint32_t index = ir_add(&b->scratch, b->f, kind, node_span(b->tree, at), type,
                          operands, count);
  return b->f->ops.items[index].result;
}

ValueId emit1(Builder *b, OpKind kind, NodeId at, TypeId type,
              ValueId operand) {
  return emit(b, kind, at, type, &operand, 1);
}

Op *last_op(Builder *b) { return &VEC_LAST(&b->f->ops); }

ValueId emit_constant(Builder *b, NodeId at, TypeId type, Constant constant) {
  VEC_PUSH(&b->scratch, &b->f->constants, constant);
  ValueId value = emit(b, OP_CONST, at, type, NULL, 0);
  last_op(b)->aux = b->f->constants.count - 1;
  return value;
}

// A variable that may change and is no buffer of its own needs a slot.
static bool needs_slot(const Builder *b, const Local *local) {
  TypeKind kind = built_info(b, local->type)->kind;
  return local->is_mut &&
         (kind == TYPE_SCALAR || kind == TYPE_STRING || kind == TYPE_REF);
}

static void lower_params(Builder *b, const FunctionDecl *decl) {
  NodeList params = fn_item(b->tree, decl->node).params;
  for (uint32_t i = 0; i < decl->param_count; i++) {
    const Local *local = &b->program->locals.items[decl->first_param + i];
    NodeId node = list_at(b->tree, params, i);
    ValueId value = emit(b, OP_PARAM, node, local->type, NULL, 0);
    last_op(b)->aux = i;
    b->f->values.items[value.index].name = local->name;
    *home_of(b, decl->first_param + i) = (Home){value, false};
  }
  for (uint32_t i = 0; i < decl->param_count; i++) {
    const Local *local = &b->program->locals.items[decl->first_param + i];
    if (!needs_slot(b, local))
      continue;
    NodeId node = list_at(b->tree, params, i);
    Home *home = home_of(b, decl->first_param + i);
    ValueId slot = emit(b, OP_VAR, node, local->type, NULL, 0);
    b->f->values.items[slot.index].name = local->name;
    emit(b, OP_STORE, node, (TypeId){0}, (ValueId[]){slot, home->value}, 2);
    *home = (Home){slot, true};
  }
}

static void lower_body(Builder *b, const FunctionDecl *decl) {
  NodeId body = fn_item(b->tree, decl->node).body;
  lower_params(b, decl);
  ValueId value = lower_block(b, body);
  bool is_open = b->f->ops.count == 0 || last_op(b)->kind != OP_RETURN;
  if (type_equal(built_type(b, body), b->module->types->never) || !is_open)
    return;
  if (value.index && built_info(b, decl->result)->kind != TYPE_VOID)
    emit1(b, OP_RETURN, body, (TypeId){0}, value);
  else
    emit(b, OP_RETURN, body, (TypeId){0}, NULL, 0);
}

// Locals of a function are those that sema added while it checked the body;
// parameters came before all bodies.
static void allocate_homes(Builder *b) {
  b->first_local = 0;
  b->homes = ARENA_ARRAY(&b->scratch, Home, b->program->locals.count + 1);
}

// The list of a finished function, exactly as long as it is.
#define KEEP(list)                                                             \
  do {                                                                         \
    size_t size = sizeof(*(list)->items);                                      \
    void *items = arena_array(b->arena, (list)->count, size, sizeof(Int128));  \
    if ((list)->count)                                                         \
      memcpy(items, (list)->items, (list)->count *size);                       \
    (list)->items = items;                                                     \
    (list)->capacity = (list)->count;                                          \
  } while (0)

static void keep_function(Builder *b) {
  IrFunction kept = *b->f;
  KEEP(&kept.ops);
  KEEP(&kept.operands);
  KEEP(&kept.values);
  KEEP(&kept.constants);
  KEEP(&kept.hops);
  KEEP(&kept.loops);
  KEEP(&kept.regions);
  KEEP(&kept.callees);
  VEC_PUSH(b->arena, &b->module->functions, kept);
}

// Lists are emptied, not made anew: their space serves the next function.
static void begin_function(Builder *b, const FunctionDecl *decl) {
  IrFunction *f = b->f;
  f->name = decl->name;
  f->span = decl->span;
  f->result = decl->result;
  f->ops.count = f->operands.count = f->values.count = 0;
  f->constants.count = f->hops.count = f->loops.count = 0;
  f->regions.count = f->callees.count = 0;
  b->unit = decl->unit;
  b->tree = b->program->units.items[decl->unit].tree;
}

static void lower_function(Builder *b, const FunctionDecl *decl) {
  begin_function(b, decl);
  lower_body(b, decl);
  if (!ir_match_brackets(&b->scratch, b->f))
    PANIC("unbalanced brackets");
  keep_function(b);
}

static void lower_structs(Builder *b) {
  const Program *p = b->program;
  for (uint32_t i = 0; i < p->structs.count; i++) {
    const StructDecl *decl = &p->structs.items[i];
    Name *names = ARENA_ARRAY(b->arena, Name, decl->field_count);
    TypeId *types = ARENA_ARRAY(b->arena, TypeId, decl->field_count);
    for (uint32_t j = 0; j < decl->field_count; j++) {
      names[j] = decl->fields[j].name;
      types[j] = decl->fields[j].type;
    }
    VEC_PUSH(b->arena, &b->module->structs,
             (IrStruct){decl->type, names, types, decl->field_count});
  }
}

IrModule *ir_build(Arena *arena, const Program *program,
                   const Placements *placements) {
  IrModule *module = ARENA_NEW(arena, IrModule);
  *module = (IrModule){.arena = arena,
                       .types = program->types,
                       .machine = program->machine,
                       .interner = program->interner};
  IrFunction function = {0};
  Builder b = {.arena = arena,
               .f = &function,
               .program = program,
               .placements = placements,
               .module = module};
  lower_structs(&b);
  allocate_homes(&b);
  for (uint32_t i = 0; i < program->functions.count; i++) {
    const FunctionDecl *decl = &program->functions.items[i];
    NodeId body =
        fn_item(program->units.items[decl->unit].tree, decl->node).body;
    if (decl->is_supported && !decl->has_errors && body.index)
      lower_function(&b, decl);
  }
  arena_free(&b.scratch);
  return module;
}
