// SPDX-License-Identifier: Apache-2.0
//
// Lowering of tensors: constructors, lists, indices, transfers; and of calls.

#include "ir/internal.h"

#include <string.h>

// --- Constructors ------------------------------------------------------------

static void collect_values(Builder *b, NodeId list, U32Vec *values) {
  NodeList elements = list_expr(b->tree, list).elements;
  for (uint32_t i = 0; i < elements.count; i++) {
    NodeId element = list_at(b->tree, elements, i);
    if (node_kind(b->tree, element) == NODE_ListExpr)
      collect_values(b, element, values);
    else
      VEC_PUSH(&b->scratch, values, lower_operand(b, element).index);
  }
}

static ValueId emit_new(Builder *b, NodeId at, TypeId type, NewFill fill,
                        const U32Vec *operands) {
  ValueId *values = ARENA_ARRAY(&b->scratch, ValueId, operands->count);
  for (uint32_t i = 0; i < operands->count; i++)
    values[i] = (ValueId){operands->items[i]};
  ValueId value = emit(b, OP_NEW, at, type, values, operands->count);
  last_op(b)->detail = (uint8_t)fill;
  return value;
}

ValueId lower_list(Builder *b, NodeId node, NodeId list, TypeId type) {
  U32Vec values = {0};
  collect_values(b, list, &values);
  return emit_new(b, node, type, NEW_VALUES, &values);
}

// One operand per dimension that is known at run time only.
static void collect_extents(Builder *b, NodeId list, const TypeInfo *info,
                            U32Vec *operands) {
  NodeList elements = list_expr(b->tree, list).elements;
  for (uint32_t i = 0; i < elements.count && i < info->rank; i++)
    if (info->dims[i].kind == DIM_DYNAMIC)
      VEC_PUSH(&b->scratch, operands,
               lower_operand(b, list_at(b->tree, elements, i)).index);
}

// Extents that stand in the type itself: Tensor<f32, [n, 128]>::new().
static void collect_type_extents(Builder *b, NodeId type_node,
                                 U32Vec *operands) {
  NodeId dims = tensor_type(b->tree, type_node).dims;
  if (dims.index == 0)
    return;
  NodeList list = dim_list(b->tree, dims).dims;
  TypeId type = built_type(b, type_node);
  const TypeInfo *info = built_info(b, type);
  for (uint32_t i = 0; i < list.count && i < info->rank; i++) {
    NodeId dim = list_at(b->tree, list, i);
    if (info->dims[i].kind == DIM_DYNAMIC &&
        node_kind(b->tree, dim) != NODE_DynamicDim)
      VEC_PUSH(&b->scratch, operands, lower_operand(b, dim).index);
  }
}

ValueId lower_constructor(Builder *b, NodeId node, TypeId type) {
  CallExpr call = call_expr(b->tree, node);
  NodeId callee = node_unparen(b->tree, call.callee);
  const TypeInfo *info = built_info(b, type);
  U32Vec operands = {0};
  if (node_kind(b->tree, callee) == NODE_TypeExpr) {
    NodeId list = list_at(b->tree, call.args, 0);
    NodeList elements = list_expr(b->tree, list).elements;
    bool has_dims =
        tensor_type(b->tree, type_expr(b->tree, callee).type).dims.index != 0;
    bool is_nested =
        elements.count &&
        node_kind(b->tree, list_at(b->tree, elements, 0)) == NODE_ListExpr;
    if (has_dims || is_nested)
      return lower_list(b, node, list, type);
    collect_extents(b, list, info, &operands);
    return emit_new(b, node, type, NEW_ZERO, &operands);
  }
  TypeMember member = type_member(b->tree, callee);
  Str name = token_text(b->tree, member.name);
  if (str_equal(name, STR("fill"))) {
    VEC_PUSH(&b->scratch, &operands,
             lower_operand(b, list_at(b->tree, call.args, 0)).index);
    return emit_new(b, node, type, NEW_FILL, &operands);
  }
  if (call.args.count)
    collect_extents(b, list_at(b->tree, call.args, 0), info, &operands);
  else
    collect_type_extents(b, member.type, &operands);
  return emit_new(b, node, type,
                  str_equal(name, STR("uninit")) ? NEW_UNINIT : NEW_ZERO,
                  &operands);
}

// --- Calls -------------------------------------------------------------------

static ValueId lower_user_call(Builder *b, NodeId node, uint32_t function) {
  NodeList args = call_expr(b->tree, node).args;
  const FunctionDecl *decl = &b->program->functions.items[function];
  ValueId *operands = ARENA_ARRAY(&b->scratch, ValueId, args.count);
  for (uint32_t i = 0; i < args.count; i++) {
    NodeId argument = list_at(b->tree, args, i);
    TypeId wanted = b->program->locals.items[decl->first_param + i].type;
    bool is_scalar = built_info(b, wanted)->kind == TYPE_SCALAR;
    operands[i] =
        is_scalar ? lower_operand(b, argument) : lower_expr(b, argument);
  }
  bool is_void = built_info(b, decl->result)->kind == TYPE_VOID;
  ValueId value = emit(b, OP_CALL, node, is_void ? (TypeId){0} : decl->result,
                       operands, args.count);
  VEC_PUSH(&b->scratch, &b->f->callees, decl->name);
  last_op(b)->aux = b->f->callees.count - 1;
  return value;
}

static ReduceKind reduction_named(Str name) {
  for (unsigned i = 0; i <= REDUCE_MEAN; i++)
    if (str_equal(name, str_from(reduce_kind_texts[i])))
      return (ReduceKind)i;
  PANIC("no such reduction");
}

static ValueId lower_reduction(Builder *b, NodeId node, Str name,
                               ValueId tensor) {
  ValueId value = emit1(b, OP_REDUCE, node, built_type(b, node), tensor);
  last_op(b)->detail = (uint8_t)reduction_named(name);
  return value;
}

ValueId lower_call(Builder *b, NodeId node) {
  CallExpr call = call_expr(b->tree, node);
  Symbol symbol = sema_symbol(b->program, b->unit, node);
  if (symbol.kind == SYMBOL_FUNCTION)
    return lower_user_call(b, node, symbol.index);
  NodeId callee = node_unparen(b->tree, call.callee);
  if (node_kind(b->tree, callee) != NODE_Ident)
    return lower_constructor(b, node, built_type(b, node));
  Str name = token_text(b->tree, ident(b->tree, callee).name);
  ValueId value = lower_operand(b, list_at(b->tree, call.args, 0));
  if (str_equal(name, STR("print")) || str_equal(name, STR("println")))
    return emit1(b, OP_PRINT, node, (TypeId){0}, value);
  return lower_reduction(b, node, name, value);
}

// --- Methods -----------------------------------------------------------------

static ValueId emit_extent(Builder *b, NodeId node, ValueId tensor,
                           uint32_t dim) {
  TypeId type = built_type(b, node);
  Constant constant = {.kind = CONSTANT_INTEGER, .integer = dim};
  ValueId operands[] = {tensor, emit_constant(b, node, type, constant)};
  return emit(b, OP_EXTENT, node, type, operands, 2);
}

static ValueId lower_length(Builder *b, NodeId node, ValueId tensor) {
  TypeId type = built_type(b, node);
  uint32_t rank =
      built_info(b, type_strip(b->module->types, value_type(b, tensor)))->rank;
  Constant one = {.kind = CONSTANT_INTEGER, .integer = 1};
  ValueId length = emit_constant(b, node, type, one);
  for (uint32_t i = 0; i < rank; i++) {
    ValueId operands[] = {length, emit_extent(b, node, tensor, i)};
    length = emit(b, OP_MUL, node, type, operands, 2);
  }
  return length;
}

// A constructor makes its tensor where `.with_memory` says.
static ValueId lower_with_memory(Builder *b, NodeId node) {
  NodeId receiver = node_unparen(b->tree, method_call(b->tree, node).receiver);
  if (node_kind(b->tree, receiver) == NODE_ListExpr)
    return lower_list(b, receiver, receiver, built_type(b, node));
  if (node_kind(b->tree, receiver) == NODE_CallExpr &&
      sema_symbol(b->program, b->unit, receiver).kind != SYMBOL_FUNCTION) {
    NodeId callee = node_unparen(b->tree, call_expr(b->tree, receiver).callee);
    if (node_kind(b->tree, callee) != NODE_Ident)
      return lower_constructor(b, receiver, built_type(b, node));
  }
  return lower_expr(b, receiver);
}

ValueId lower_method(Builder *b, NodeId node) {
  MethodCall call = method_call(b->tree, node);
  Str name = token_text(b->tree, call.name);
  if (str_equal(name, STR("with_memory")))
    return lower_with_memory(b, node);
  ValueId tensor = lower_expr(b, call.receiver);
  if (str_equal(name, STR("clone")))
    return emit1(b, OP_COPY, node, built_type(b, node), tensor);
  if (str_equal(name, STR("len")))
    return lower_length(b, node, tensor);
  if (str_equal(name, STR("extent"))) {
    ValueId operands[] = {tensor,
                          lower_operand(b, list_at(b->tree, call.args, 0))};
    return emit(b, OP_EXTENT, node, built_type(b, node), operands, 2);
  }
  return lower_reduction(b, node, name, tensor);
}

// --- Indices -----------------------------------------------------------------

ValueId lower_index(Builder *b, NodeId node) {
  IndexExpr index = index_expr(b->tree, node);
  uint32_t count = index.indices.count;
  ValueId *operands = ARENA_ARRAY(&b->scratch, ValueId, count + 1);
  operands[0] = lower_base(b, index.base);
  for (uint32_t i = 0; i < count; i++)
    operands[i + 1] = lower_operand(b, list_at(b->tree, index.indices, i));
  TypeId type = built_type(b, node);
  bool is_row = built_info(b, type)->kind == TYPE_REF;
  return emit(b, is_row ? OP_ROW : OP_ELEMENT, node, type, operands, count + 1);
}

// --- Transfers ---------------------------------------------------------------

static void add_hop(Builder *b, const StagedTransfer *staged, uint32_t step) {
  IrHop hop = {.hop = staged->route.hops[step],
               .step = step,
               .steps = staged->route.hop_count,
               .has_bytes = staged->has_bytes,
               .bytes = staged->bytes};
  if (step + 1 == hop.steps)
    hop.total = staged->route.total;
  VEC_PUSH(&b->scratch, &b->f->hops, hop);
  last_op(b)->aux = b->f->hops.count - 1;
}

static ValueId lower_hops(Builder *b, NodeId node, ValueId value,
                          const StagedTransfer *staged, ValueId into) {
  TypeTable *types = b->module->types;
  TypeId type = type_strip(types, value_type(b, value));
  for (uint32_t i = 0; i < staged->route.hop_count; i++) {
    bool is_last = i + 1 == staged->route.hop_count;
    if (is_last && into.index) {
      emit(b, OP_HOP_INTO, node, (TypeId){0}, (ValueId[]){into, value}, 2);
      add_hop(b, staged, i);
      return (ValueId){0};
    }
    type = type_with_placement(types, type, staged->route.hops[i].to);
    bool is_renamed = staged->route.hops[i].is_renamed;
    value = emit1(b, is_renamed ? OP_RENAME : OP_HOP, node, type, value);
    if (!is_last && !is_renamed)
      last_op(b)->flags = OP_FLAG_TRANSIT;
    add_hop(b, staged, i);
  }
  return value;
}

ValueId lower_transfer(Builder *b, NodeId node) {
  TransferExpr transfer = transfer_expr(b->tree, node);
  TypeId type = built_type(b, node);
  bool has_result = built_info(b, type)->kind != TYPE_VOID;
  ValueId source = lower_expr(b, transfer.value);
  if (built_info(b, type)->kind == TYPE_SCALAR)
    return source; // a pinned scalar comes home
  const StagedTransfer *staged = place_transfer(b->placements, b->unit, node);
  CHECK(staged != NULL);
  ValueId into = has_result ? (ValueId){0} : lower_expr(b, transfer.target);
  if (staged->route.status == ROUTE_SAME_MEMORY) {
    if (has_result) {
      ValueId copy = emit1(b, OP_COPY, node, type, source);
      last_op(b)->flags = OP_FLAG_TRANSFER;
      return copy;
    }
    return emit(b, OP_COPY_INTO, node, (TypeId){0}, (ValueId[]){into, source},
                2);
  }
  return lower_hops(b, node, source, staged, into);
}
