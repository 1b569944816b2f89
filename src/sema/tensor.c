// SPDX-License-Identifier: Apache-2.0
//
// Tensors: constructors, lists, indices, operators, transfers.

#include "sema/internal.h"

#include <string.h>

static TypeId tensor_of(Checker *c, const TypeInfo *like, const Dim *dims,
                        uint32_t rank, Placement placement) {
  TypeTable *types = c->program->types;
  if (like->element == ELEMENT_BLOCK)
    return type_block_tensor(types, like->block_elements, like->block_bytes,
                             dims, rank, placement);
  return type_tensor(types, like->element, dims, rank, placement);
}

static Placement host_placement(const Checker *c) {
  return (Placement){c->program->machine->host_memory, 0};
}

// --- Operators ---------------------------------------------------------------

static TypeId binary_fault(Checker *c, NodeId node, TypeId left, TypeId right) {
  BinaryExpr binary = binary_expr(c->tree, node);
  DiagSink *sink = c->program->sink;
  Str l = text_of_type(c, left), r = text_of_type(c, right);
  Diagnostic *d = diag_binary_operands(sink, token_span(c->tree, binary.op),
                                       token_text(c->tree, binary.op), l, r);
  diag_add_label(sink, d, span_of(c, binary.left), l);
  diag_add_label(sink, d, span_of(c, binary.right), r);
  return set_type(c, node, type_error(c));
}

// May two extents be the same at run time? Takes the more telling one.
static bool merge_dims(const Dim *a, const Dim *b, Dim *merged) {
  *merged = a->kind == DIM_DYNAMIC ? *b : *a;
  if (a->kind == DIM_DYNAMIC && b->kind == DIM_DYNAMIC)
    *merged = a->symbol.index || a->has_bound ? *a : *b;
  if (a->kind == DIM_DYNAMIC || b->kind == DIM_DYNAMIC)
    return true;
  return a->kind == b->kind && a->extent == b->extent;
}

// Operands of one operator share one memory instance.
static void check_same_place(Checker *c, NodeId right_node, TypeId left,
                             TypeId right) {
  Placement needed = info_of(c, left)->placement;
  bool is_same = placement_equal(needed, info_of(c, right)->placement) &&
                 info_of(c, left)->index_id == info_of(c, right)->index_id;
  if (!is_same)
    sema_report_place(c->program, c->unit, right_node, right, c->active,
                      PLACE_ELSEWHERE, needed);
}

static bool is_numeric_tensor(const TypeInfo *info) {
  return info->kind == TYPE_TENSOR && info->element < ELEMENT_BLOCK &&
         element_is_number(info->element);
}

static TypeId with_scalar(Checker *c, NodeId node, TypeId left, TypeId right) {
  bool is_left = info_of(c, left)->kind == TYPE_TENSOR;
  TypeId tensor = is_left ? left : right;
  const TypeInfo *info = info_of(c, tensor);
  const TypeInfo *scalar = info_of(c, is_left ? right : left);
  if (scalar->kind != TYPE_SCALAR || !is_numeric_tensor(info) ||
      scalar->element != info->element)
    return binary_fault(c, node, left, right);
  return set_type(c, node, tensor);
}

// Same shape; or a row over the last axis.
static TypeId elementwise(Checker *c, NodeId node, TypeId left, TypeId right) {
  const TypeInfo *l = info_of(c, left), *r = info_of(c, right);
  if (l->element != r->element || !is_numeric_tensor(l))
    return binary_fault(c, node, left, right);
  if (l->rank < r->rank && l->rank == 1) {
    const TypeInfo *swapped = l;
    l = r;
    r = swapped;
  }
  bool is_row = r->rank == 1 && l->rank > 1;
  if (!is_row && l->rank != r->rank)
    return binary_fault(c, node, left, right);
  uint32_t rank = l->rank;
  Dim *dims = ARENA_ARRAY(&c->scratch, Dim, rank);
  if (rank)
    memcpy(dims, l->dims, rank * sizeof(Dim));
  for (uint32_t i = is_row ? rank - 1 : 0; i < rank; i++)
    if (!merge_dims(&l->dims[i], &r->dims[is_row ? 0 : i], &dims[i]))
      return binary_fault(c, node, left, right);
  check_same_place(c, binary_expr(c->tree, node).right, left, right);
  l = info_of(c, left);
  return set_type(c, node, tensor_of(c, l, dims, rank, l->placement));
}

static TypeId matmul_fault(Checker *c, NodeId node, TypeId left, TypeId right) {
  BinaryExpr binary = binary_expr(c->tree, node);
  DiagSink *sink = c->program->sink;
  Arena *arena = sink->arena;
  Str l = type_dims_text(arena, c->program->types, left);
  Str r = type_dims_text(arena, c->program->types, right);
  Diagnostic *d = diag_matmul_shape(sink, token_span(c->tree, binary.op), l, r);
  diag_add_label(sink, d, span_of(c, binary.left), l);
  diag_add_label(sink, d, span_of(c, binary.right), r);
  return set_type(c, node, type_error(c));
}

// [.., m, k] @ [.., k, n], the leading extents equal.
static TypeId matmul(Checker *c, NodeId node, TypeId left, TypeId right) {
  const TypeInfo *l = info_of(c, left), *r = info_of(c, right);
  BinaryExpr binary = binary_expr(c->tree, node);
  if (l->element != r->element || !is_numeric_tensor(l)) {
    diag_matmul_element(c->program->sink, token_span(c->tree, binary.op),
                        text_of_type(c, left), text_of_type(c, right));
    return set_type(c, node, type_error(c));
  }
  uint32_t rank = l->rank;
  Dim inner;
  if (rank < 2 || r->rank != rank ||
      !merge_dims(&l->dims[rank - 1], &r->dims[rank - 2], &inner))
    return matmul_fault(c, node, left, right);
  Dim *dims = ARENA_ARRAY(&c->scratch, Dim, rank);
  for (uint32_t i = 0; i + 2 < rank; i++)
    if (!merge_dims(&l->dims[i], &r->dims[i], &dims[i]))
      return matmul_fault(c, node, left, right);
  dims[rank - 2] = l->dims[rank - 2];
  dims[rank - 1] = r->dims[rank - 1];
  check_same_place(c, binary.right, left, right);
  TypeInfo result = *info_of(c, left);
  if (result.element == ELEMENT_I8)
    result.element = ELEMENT_I32;
  return set_type(c, node, tensor_of(c, &result, dims, rank, result.placement));
}

TypeId check_tensor_binary(Checker *c, NodeId node, TypeId left, TypeId right) {
  TokenKind op = token_kind(c->tree, binary_expr(c->tree, node).op);
  bool are_tensors = info_of(c, left)->kind == TYPE_TENSOR &&
                     info_of(c, right)->kind == TYPE_TENSOR;
  switch ((int)op) {
  case TOKEN_AT:
    if (!are_tensors)
      return binary_fault(c, node, left, right);
    return matmul(c, node, left, right);
  case TOKEN_PLUS:
  case TOKEN_MINUS:
  case TOKEN_STAR:
  case TOKEN_SLASH:
    return are_tensors ? elementwise(c, node, left, right)
                       : with_scalar(c, node, left, right);
  case TOKEN_EQ_EQ:
  case TOKEN_NOT_EQ:
  case TOKEN_LT:
  case TOKEN_LE:
  case TOKEN_GT:
  case TOKEN_GE: {
    BinaryExpr binary = binary_expr(c->tree, node);
    diag_comparison_operands(c->program->sink, token_span(c->tree, binary.op),
                             token_text(c->tree, binary.op),
                             text_of_type(c, left), text_of_type(c, right));
    return set_type(c, node, type_error(c));
  }
  default: {
    BinaryExpr binary = binary_expr(c->tree, node);
    diag_operand_kind(
        c->program->sink, token_span(c->tree, binary.op),
        token_text(c->tree, binary.op),
        text_of_type(c, info_of(c, left)->kind == TYPE_TENSOR ? left : right));
    return set_type(c, node, type_error(c));
  }
  }
}

// --- Indices -----------------------------------------------------------------

static TypeId index_fault(Checker *c, NodeId node, Span span, Str why) {
  diag_bad_indices(c->program->sink, span, why);
  return set_type(c, node, type_error(c));
}

static bool check_indices(Checker *c, NodeList indices) {
  bool is_good = true;
  for (uint32_t i = 0; i < indices.count; i++) {
    NodeId index = list_at(c->tree, indices, i);
    TypeId type = check_operand(c, index, NO_TYPE);
    if (is_error(c, type)) {
      is_good = false;
    } else if (!type_is_integer(c->program->types, type)) {
      Str found = text_of_type(c, type);
      diag_bad_indices(c->program->sink, span_of(c, index),
                       str_format(message_arena(c),
                                  "an index is an integer, not `%.*s`",
                                  STR_ARG(found)));
      is_good = false;
    }
  }
  return is_good;
}

// Is a value of this base writable through references?
static bool is_mutable_view(const Checker *c, NodeId base) {
  TypeId type = c->types[base.index];
  const TypeInfo *info = info_of(c, type);
  if (info->kind == TYPE_REF)
    return info->is_mut;
  NodeId inner = node_unparen(c->tree, base);
  Symbol symbol = c->symbols[inner.index];
  if (node_kind(c->tree, inner) == NODE_Ident && symbol.kind == SYMBOL_LOCAL)
    return c->program->locals.items[symbol.index].is_mut;
  return node_kind(c->tree, inner) == NODE_FieldExpr &&
         is_mutable_view(c, field_expr(c->tree, inner).base);
}

TypeId check_index(Checker *c, NodeId node) {
  IndexExpr index = index_expr(c->tree, node);
  TypeId type = check_operand(c, index.base, NO_TYPE);
  bool is_good = check_indices(c, index.indices);
  TypeInfo info = *info_of(c, type);
  if (info.kind == TYPE_ERROR || !is_good)
    return set_type(c, node, type_error(c));
  if (info.kind != TYPE_TENSOR) {
    Str found = text_of_type(c, type);
    return index_fault(c, node, span_of(c, index.base),
                       str_format(message_arena(c), "`%.*s` cannot be indexed",
                                  STR_ARG(found)));
  }
  uint32_t count = index.indices.count;
  if (count == info.rank && count > 0) {
    if (info.element == ELEMENT_BLOCK)
      return unsupported(c, node, "elements of blocks");
    return set_type(c, node, type_scalar(c->program->types, info.element));
  }
  if (count == 1 && info.rank > 1) {
    TypeId row =
        tensor_of(c, &info, info.dims + 1, info.rank - 1, info.placement);
    return set_type(
        c, node,
        type_ref(c->program->types, row, is_mutable_view(c, index.base)));
  }
  return index_fault(
      c, node, span_of(c, node),
      str_format(message_arena(c), "this tensor has rank %u, but %u %s given",
                 info.rank, count, count == 1 ? "index is" : "indices are"));
}

// --- Constructors ------------------------------------------------------------

// The run-time extents of ::new([n, 8]): one for each dim of the type.
static bool given_extents(Checker *c, NodeId list, const TypeInfo *info,
                          Dim *dims) {
  if (node_kind(c->tree, list) != NODE_ListExpr ||
      list_expr(c->tree, list).elements.count != info->rank) {
    diag_list_shape(c->program->sink, span_of(c, list),
                    str_format(message_arena(c),
                               "the extents are a list of %u integers",
                               info->rank));
    return false;
  }
  NodeList elements = list_expr(c->tree, list).elements;
  bool is_good = true;
  for (uint32_t i = 0; i < info->rank; i++) {
    NodeId element = list_at(c->tree, elements, i);
    Dim given, declared = info->dims[i];
    if (!resolve_dim(c, element, &given)) {
      is_good = false;
      continue;
    }
    check_operand(c, element, NO_TYPE);
    dims[i] = declared;
    if (declared.kind != DIM_DYNAMIC) {
      if (given.kind == declared.kind && given.extent == declared.extent)
        continue;
      diag_bad_indices(c->program->sink, span_of(c, element),
                       STR("this extent differs from the one in the type"));
      is_good = false;
    } else if (given.kind == DIM_DYNAMIC) {
      dims[i].symbol = given.symbol;
    } else if (declared.has_bound && given.extent > declared.extent) {
      diag_bad_indices(c->program->sink, span_of(c, element),
                       STR("this extent is over the bound in the type"));
      is_good = false;
    } else {
      dims[i] = given;
    }
  }
  set_type(c, list, c->program->types->void_);
  return is_good;
}

static bool has_runtime_extent(const TypeInfo *info) {
  for (uint32_t i = 0; i < info->rank; i++)
    if (info->dims[i].kind == DIM_DYNAMIC && !info->dims[i].symbol.index)
      return true;
  return false;
}

static TypeId argument_count(Checker *c, NodeId node, const char *name,
                             uint64_t expected, uint64_t found) {
  report_argument_count(c, node, str_from(name), expected, found);
  return set_type(c, node, type_error(c));
}

// ::new(), ::new([n, 8]), ::uninit(..).
static TypeId construct_empty(Checker *c, NodeId node, const char *name,
                              TypeId type, NodeList args) {
  TypeInfo info = *info_of(c, type);
  if (args.count > 1 || (args.count == 0 && has_runtime_extent(&info)))
    return argument_count(c, node, name, has_runtime_extent(&info), args.count);
  if (args.count == 0)
    return set_type(c, node, type);
  Dim *dims = ARENA_ARRAY(&c->scratch, Dim, info.rank);
  if (!given_extents(c, list_at(c->tree, args, 0), &info, dims))
    return set_type(c, node, type_error(c));
  return set_type(c, node,
                  type_with_dims(c->program->types, type, dims, info.rank));
}

static TypeId construct_filled(Checker *c, NodeId node, TypeId type,
                               NodeList args) {
  TypeInfo info = *info_of(c, type);
  if (args.count != 1)
    return argument_count(c, node, "fill", 1, args.count);
  if (info.element == ELEMENT_BLOCK)
    return unsupported(c, node, "filling tensors of blocks");
  if (has_runtime_extent(&info))
    return unsupported(c, node, "filling tensors of run-time extents");
  NodeId value = list_at(c->tree, args, 0);
  TypeId wanted = type_scalar(c->program->types, info.element);
  TypeId found = check_operand(c, value, wanted);
  if (type_fits(c->program->types, wanted, found) != FIT_YES)
    diag_argument_type(c->program->sink, span_of(c, value), STR("the value"),
                       STR("fill"), text_of_type(c, wanted),
                       text_of_type(c, found));
  return set_type(c, node, type);
}

static Element element_of_type_node(Checker *c, NodeId node) {
  Span span = span_of(c, node);
  Str text = source_text(c->program->sources, span);
  Element element = element_from_name(text);
  if (element == ELEMENT_COUNT)
    diag_unknown_element(c->program->sink, span, text);
  return element;
}

// --- Lists -------------------------------------------------------------------

typedef struct {
  TypeId element; // 0: taken from the first one
  Dim *dims;
  uint32_t rank; // found at the first descent
  bool is_good;
} ListShape;

static void list_fault(Checker *c, NodeId node, const char *why) {
  diag_list_shape(c->program->sink, span_of(c, node), str_from(why));
}

// Nested lists of equal lengths down to scalars.
static void measure_list(Checker *c, NodeId node, uint32_t depth,
                         ListShape *shape) {
  NodeList elements = list_expr(c->tree, node).elements;
  set_type(c, node, c->program->types->void_);
  if (depth == shape->rank) {
    shape->dims[shape->rank++] =
        (Dim){.kind = DIM_STATIC, .extent = elements.count};
  } else if (shape->dims[depth].extent != elements.count) {
    list_fault(c, node, "its rows have different lengths");
    shape->is_good = false;
    return;
  }
  for (uint32_t i = 0; i < elements.count && shape->is_good; i++) {
    NodeId element = list_at(c->tree, elements, i);
    if (node_kind(c->tree, element) == NODE_ListExpr) {
      measure_list(c, element, depth + 1, shape);
      continue;
    }
    if (depth + 1 < shape->rank) {
      list_fault(c, element, "a scalar stands among rows");
      shape->is_good = false;
      continue;
    }
    TypeId found = check_operand(c, element, shape->element);
    if (is_error(c, found)) {
      shape->is_good = false;
    } else if (shape->element.index == 0) {
      shape->element = found;
    } else if (!type_equal(shape->element, found)) {
      const TypeTable *types = c->program->types;
      Str why = str_format(
          message_arena(c), "this element is `%.*s`, not `%.*s`",
          STR_ARG(type_text(message_arena(c), types, found)),
          STR_ARG(type_text(message_arena(c), types, shape->element)));
      diag_list_shape(c->program->sink, span_of(c, element), why);
      shape->is_good = false;
    }
  }
}

static TypeId list_tensor(Checker *c, NodeId list, NodeId node, TypeId element,
                          Placement placement) {
  ListShape shape = {.element = element, .is_good = true};
  shape.dims = ARENA_ARRAY(&c->scratch, Dim, MAX_TREE_DEPTH + 1);
  measure_list(c, list, 0, &shape);
  if (!shape.is_good)
    return set_type(c, node, type_error(c));
  const TypeInfo *info = shape.element.index ? info_of(c, shape.element) : NULL;
  if (!info || info->kind != TYPE_SCALAR) {
    list_fault(c, list,
               info ? "its elements are not scalars"
                    : "an empty list has no element type");
    return set_type(c, node, type_error(c));
  }
  TypeId type = type_tensor(c->program->types, info->element, shape.dims,
                            shape.rank, placement);
  set_type(c, list, type);
  return set_type(c, node, type);
}

TypeId check_list(Checker *c, NodeId node, TypeId expected) {
  TypeId element = NO_TYPE;
  if (expected.index && info_of(c, expected)->kind == TYPE_TENSOR &&
      info_of(c, expected)->element < ELEMENT_BLOCK)
    element = type_scalar(c->program->types, info_of(c, expected)->element);
  return list_tensor(c, node, node, element, host_placement(c));
}

// Tensor<T>([m, n]): zeros of that shape.
static TypeId construct_shape(Checker *c, NodeId node, NodeId list,
                              Element element, Placement placement) {
  NodeList elements = list_expr(c->tree, list).elements;
  Dim *dims = ARENA_ARRAY(&c->scratch, Dim, elements.count);
  bool is_good = true;
  for (uint32_t i = 0; i < elements.count; i++) {
    NodeId extent = list_at(c->tree, elements, i);
    is_good &= resolve_dim(c, extent, &dims[i]);
    if (is_good)
      check_operand(c, extent, NO_TYPE);
  }
  set_type(c, list, c->program->types->void_);
  if (!is_good)
    return set_type(c, node, type_error(c));
  return set_type(
      c, node,
      type_tensor(c->program->types, element, dims, elements.count, placement));
}

// Tensor<T>(list): a flat list is a shape, a nested one gives the values.
static TypeId construct_list(Checker *c, NodeId node, NodeId type_node,
                             NodeList args) {
  TensorType written = tensor_type(c->tree, type_node);
  Placement placement = host_placement(c);
  Element element = element_of_type_node(c, written.element);
  Context context = {.kind = CONTEXT_EXPRESSION};
  if (written.place.index &&
      !resolve_memory(c, written.place, context, &placement))
    return set_type(c, node, type_error(c));
  if (element == ELEMENT_COUNT)
    return set_type(c, node, type_error(c));
  if (args.count != 1)
    return argument_count(c, node, "Tensor", 1, args.count);
  NodeId list = list_at(c->tree, args, 0);
  if (node_kind(c->tree, list) != NODE_ListExpr) {
    list_fault(c, list, "`Tensor<T>(..)` takes a list, written out");
    return set_type(c, node, type_error(c));
  }
  NodeList elements = list_expr(c->tree, list).elements;
  bool is_nested =
      elements.count &&
      node_kind(c->tree, list_at(c->tree, elements, 0)) == NODE_ListExpr;
  if (!is_nested)
    return construct_shape(c, node, list, element, placement);
  return list_tensor(c, list, node, type_scalar(c->program->types, element),
                     placement);
}

// Tensor<T, [2, 2]>([[1.0, 2.0], [3.0, 4.0]]): values of a written shape.
static TypeId construct_values(Checker *c, NodeId node, TypeId type,
                               NodeList args) {
  if (args.count != 1)
    return argument_count(c, node, "Tensor", 1, args.count);
  NodeId list = list_at(c->tree, args, 0);
  TypeInfo info = *info_of(c, type);
  if (node_kind(c->tree, list) != NODE_ListExpr ||
      info.element == ELEMENT_BLOCK) {
    list_fault(c, list, "the values of a tensor are a list, written out");
    return set_type(c, node, type_error(c));
  }
  TypeId found =
      list_tensor(c, list, node, type_scalar(c->program->types, info.element),
                  info.placement);
  if (is_error(c, found) ||
      type_fits(c->program->types, type, found) == FIT_YES)
    return found;
  Arena *arena = message_arena(c);
  Str declared = type_dims_text(arena, c->program->types, type);
  Str given = type_dims_text(arena, c->program->types, found);
  diag_list_shape(c->program->sink, span_of(c, list),
                  str_format(arena, "it has the shape %.*s, not %.*s",
                             STR_ARG(given), STR_ARG(declared)));
  return set_type(c, node, type_error(c));
}

TypeId check_constructor(Checker *c, NodeId node, NodeId type_node,
                         TokenId member, NodeList args, TypeId expected) {
  (void)expected;
  if (node_kind(c->tree, type_node) != NODE_TensorType)
    return unsupported(c, node, "associated functions");
  if (member.index == 0 && tensor_type(c->tree, type_node).dims.index == 0)
    return construct_list(c, node, type_node, args);
  TypeId type =
      resolve_type(c, type_node, (Context){.kind = CONTEXT_EXPRESSION});
  if (is_error(c, type))
    return set_type(c, node, type);
  if (member.index == 0)
    return construct_values(c, node, type, args);
  Str name = token_text(c->tree, member);
  if (str_equal(name, STR("new")))
    return construct_empty(c, node, "new", type, args);
  if (str_equal(name, STR("uninit")))
    return construct_empty(c, node, "uninit", type, args);
  if (str_equal(name, STR("fill")))
    return construct_filled(c, node, type, args);
  Diagnostic *d = diag_unknown_method(
      c->program->sink, token_span(c->tree, member), STR("Tensor"), name);
  diag_add_help(c->program->sink, d,
                STR("a tensor is made by `::new()`, `::uninit()` or "
                    "`::fill(value)`"));
  return set_type(c, node, type_error(c));
}

// --- Transfers ---------------------------------------------------------------

// Into existing storage: transfer(e, &mut v).
static TypeId transfer_into(Checker *c, NodeId node, TypeId source,
                            NodeId target) {
  TypeId type = check_value(c, target, NO_TYPE);
  const TypeInfo *info = info_of(c, type);
  TypeTable *types = c->program->types;
  if (info->kind == TYPE_ERROR)
    return set_type(c, node, type_error(c));
  if (info->kind != TYPE_REF || !info->is_mut ||
      info_of(c, type_strip(types, type))->kind != TYPE_TENSOR) {
    diag_argument_type(c->program->sink, span_of(c, target), STR("the target"),
                       STR("transfer"), STR("Memory::S, or &mut of a tensor"),
                       text_of_type(c, type));
    return set_type(c, node, type_error(c));
  }
  if (type_fits(types, type_strip(types, type), source) == FIT_NO) {
    diag_argument_type(c->program->sink, span_of(c, target), STR("the target"),
                       STR("transfer"), text_of_type(c, source),
                       text_of_type(c, type_strip(types, type)));
    return set_type(c, node, type_error(c));
  }
  return set_type(c, node, types->void_);
}

TypeId check_transfer(Checker *c, NodeId node) {
  TransferExpr transfer = transfer_expr(c->tree, node);
  TypeTable *types = c->program->types;
  TypeId written = check_value(c, transfer.value, NO_TYPE);
  TypeId source = type_strip(types, written);
  const TypeInfo *info = info_of(c, source);
  bool is_scalar =
      info->kind == TYPE_SCALAR && info_of(c, written)->kind == TYPE_PINNED;
  if (info->kind != TYPE_TENSOR && info->kind != TYPE_ERROR && !is_scalar) {
    diag_argument_type(c->program->sink, span_of(c, transfer.value),
                       STR("the value"), STR("transfer"), STR("a tensor"),
                       text_of_type(c, written));
    source = type_error(c);
  }
  NodeKind target = node_kind(c->tree, transfer.target);
  if (target != NODE_Place && target != NODE_MemoryOf) {
    if (is_error(c, source) || is_scalar) {
      check_expr(c, transfer.target, NO_TYPE);
      return set_type(c, node, type_error(c));
    }
    return transfer_into(c, node, source, transfer.target);
  }
  Placement placement;
  if (!resolve_memory(c, transfer.target, (Context){.kind = CONTEXT_TRANSFER},
                      &placement) ||
      is_error(c, source))
    return set_type(c, node, type_error(c));
  if (is_scalar)
    return set_type(c, node, source);
  return set_type(c, node,
                  placed(c, type_with_placement(types, source, placement)));
}
