// SPDX-License-Identifier: Apache-2.0
//
// The formatter's types and places. They are never broken into lines.

#include "syntax/internal.h"

// `<args>`, with the `::` that may stand before it.
void print_generic_args(Printer *p, NodeList args) {
  print_optional(p, TOKEN_COLON_COLON);
  print_token(p, TOKEN_LT);
  print_flat(p, args, print_type);
  print_token(p, TOKEN_GT);
}

static void print_place_index(Printer *p, NodeId index) {
  if (index.index == 0)
    return;
  print_token(p, TOKEN_LBRACKET);
  print_expr(p, index);
  print_token(p, TOKEN_RBRACKET);
}

static void print_place(Printer *p, NodeId node) {
  Place view = place(p->tree, node);
  print_any(p);
  print_token(p, TOKEN_COLON_COLON);
  print_any(p);
  print_place_index(p, view.index);
}

static void print_memory_of(Printer *p, NodeId node) {
  MemoryOf view = memory_of(p->tree, node);
  print_token(p, TOKEN_MEMORY);
  print_token(p, TOKEN_COLON_COLON);
  print_any(p);
  print_token(p, TOKEN_LT);
  print_type(p, view.topology);
  print_token(p, TOKEN_GT);
  print_place_index(p, view.index);
}

static void print_dims(Printer *p, NodeId node) {
  print_token(p, TOKEN_LBRACKET);
  print_flat(p, dim_list(p->tree, node).dims, print_type);
  print_token(p, TOKEN_RBRACKET);
}

static void print_tensor_type(Printer *p, NodeId node) {
  TensorType view = tensor_type(p->tree, node);
  const NodeId parts[] = {view.element, view.dims, view.place};
  print_any(p);
  print_token(p, TOKEN_LT);
  for (size_t i = 0; i < COUNT_OF(parts); i++) {
    if (parts[i].index == 0)
      continue;
    if (i > 0) {
      print_token(p, TOKEN_COMMA);
      print_space(p);
    }
    print_type(p, parts[i]);
  }
  print_flat(p, (NodeList){0}, print_type); // a comma at the end
  print_token(p, TOKEN_GT);
}

static void print_named_type(Printer *p, NodeId node) {
  NamedType view = named_type(p->tree, node);
  NodeId last = list_at(p->tree, view.path, view.path.count - 1);
  print_words(p, span_end(node_span(p->tree, last)));
  if (view.args.count > 0)
    print_generic_args(p, view.args);
}

static void print_tuple_type(Printer *p, NodeId node) {
  NodeList elements = tuple_type(p->tree, node).elements;
  print_token(p, TOKEN_LPAREN);
  if (elements.count == 1) { // its comma makes it a tuple
    print_type(p, list_at(p->tree, elements, 0));
    print_token(p, TOKEN_COMMA);
  } else {
    print_flat(p, elements, print_type);
  }
  print_token(p, TOKEN_RPAREN);
}

static void print_fn_type(Printer *p, NodeId node) {
  FnType view = fn_type(p->tree, node);
  print_token(p, TOKEN_FN);
  print_token(p, TOKEN_LPAREN);
  print_flat(p, view.params, print_type);
  print_token(p, TOKEN_RPAREN);
  print_space(p);
  print_token(p, TOKEN_ARROW);
  print_space(p);
  print_type(p, view.result);
}

static void print_array_type(Printer *p, NodeId node) {
  ArrayType view = array_type(p->tree, node);
  print_token(p, TOKEN_LBRACKET);
  print_type(p, view.element);
  print_token(p, TOKEN_SEMICOLON);
  print_space(p);
  print_expr(p, view.length);
  print_token(p, TOKEN_RBRACKET);
}

// A type, or what stands between types: a place, a dimension, a constant.
void print_type(Printer *p, NodeId node) {
  switch (node_kind(p->tree, node)) {
  case NODE_NamedType:
    print_named_type(p, node);
    break;
  case NODE_TensorType:
    print_tensor_type(p, node);
    break;
  case NODE_DimList:
    print_dims(p, node);
    break;
  case NODE_DynamicDim:
    print_token(p, TOKEN_QUESTION);
    if (print_optional(p, TOKEN_LE))
      print_expr(p, dynamic_dim(p->tree, node).bound);
    break;
  case NODE_ArrayType:
    print_array_type(p, node);
    break;
  case NODE_RefType:
    print_token(p, TOKEN_AND);
    if (print_optional(p, TOKEN_MUT))
      print_space(p);
    print_type(p, ref_type(p->tree, node).target);
    break;
  case NODE_PointerType:
    print_token(p, TOKEN_STAR);
    print_any(p);
    print_space(p);
    print_type(p, pointer_type(p->tree, node).target);
    break;
  case NODE_TupleType:
    print_tuple_type(p, node);
    break;
  case NODE_FnType:
    print_fn_type(p, node);
    break;
  case NODE_Place:
    print_place(p, node);
    break;
  case NODE_MemoryOf:
    print_memory_of(p, node);
    break;
  default:
    print_expr(p, node);
    break;
  }
}
