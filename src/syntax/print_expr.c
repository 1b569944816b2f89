// SPDX-License-Identifier: Apache-2.0
//
// The formatter's expressions and patterns.

#include "syntax/internal.h"

// --- Patterns ----------------------------------------------------------------

// "(" elements ")"; a tuple of one keeps its comma.
static void print_tuple(Printer *p, NodeList elements, PrintNode print) {
  if (elements.count != 1) {
    print_list(p, elements, print, LAYOUT_SOFT_LINE);
    return;
  }
  print_token(p, TOKEN_LPAREN);
  print(p, list_at(p->tree, elements, 0));
  print_optional(p, TOKEN_COMMA);
  print_token(p, TOKEN_RPAREN);
}

static void print_enum_pattern(Printer *p, NodeId node) {
  EnumPattern view = enum_pattern(p->tree, node);
  NodeId last = list_at(p->tree, view.path, view.path.count - 1);
  print_words(p, span_end(node_span(p->tree, last)));
  if (print_at(p, TOKEN_LPAREN))
    print_list(p, view.payload, print_pattern, LAYOUT_SOFT_LINE);
}

void print_pattern(Printer *p, NodeId node) {
  switch (node_kind(p->tree, node)) {
  case NODE_NamePattern:
    if (print_optional(p, TOKEN_MUT))
      print_space(p);
    print_any(p);
    break;
  case NODE_TuplePattern:
    print_tuple(p, tuple_pattern(p->tree, node).elements, print_pattern);
    break;
  case NODE_EnumPattern:
    print_enum_pattern(p, node);
    break;
  default: // literals, ranges, `_`
    print_words(p, span_end(node_span(p->tree, node)));
    break;
  }
}

// --- Operators ---------------------------------------------------------------

// Operators of one group are broken together.
static unsigned operator_group(TokenKind kind) {
  switch (kind) {
  case TOKEN_OR_OR:
    return 1;
  case TOKEN_AND_AND:
    return 2;
  case TOKEN_EQ_EQ:
  case TOKEN_NOT_EQ:
    return 3;
  case TOKEN_LT:
  case TOKEN_GT:
  case TOKEN_LE:
  case TOKEN_GE:
    return 4;
  case TOKEN_SHL:
  case TOKEN_SHR:
    return 5;
  case TOKEN_PLUS:
  case TOKEN_MINUS:
    return 6;
  case TOKEN_STAR:
  case TOKEN_SLASH:
  case TOKEN_PERCENT:
  case TOKEN_AT:
    return 7;
  default:
    return 8;
  }
}

// `a + b - c` without the group around it.
static void print_chain(Printer *p, NodeId node, unsigned group) {
  BinaryExpr view = binary_expr(p->tree, node);
  NodeId left = view.left;
  if (node_kind(p->tree, left) == NODE_BinaryExpr &&
      operator_group(token_kind(p->tree, binary_expr(p->tree, left).op)) ==
          group) {
    print_chain(p, left, group);
  } else {
    print_expr(p, left);
    print_indent(p);
  }
  print_line(p, LAYOUT_LINE);
  print_any(p);
  print_space(p);
  print_expr(p, view.right);
}

static void print_binary(Printer *p, NodeId node) {
  BinaryExpr view = binary_expr(p->tree, node);
  print_open(p);
  print_chain(p, node, operator_group(token_kind(p->tree, view.op)));
  print_dedent(p);
  print_close(p);
}

static void print_unary(Printer *p, NodeId node) {
  print_any(p);
  if (print_optional(p, TOKEN_MUT))
    print_space(p);
  print_expr(p, unary_expr(p->tree, node).operand);
}

static void print_range(Printer *p, NodeId node) {
  RangeExpr view = range_expr(p->tree, node);
  print_expr(p, view.from);
  print_token(p, TOKEN_DOT_DOT);
  print_expr(p, view.to);
}

static void print_assignment(Printer *p, NodeId node) {
  AssignExpr view = assign_expr(p->tree, node);
  print_expr(p, view.target);
  print_space(p);
  print_any(p);
  print_space(p);
  print_expr(p, view.value);
}

static void print_cast(Printer *p, NodeId node) {
  CastExpr view = cast_expr(p->tree, node);
  print_expr(p, view.operand);
  print_space(p);
  print_token(p, TOKEN_AS);
  print_space(p);
  print_type(p, view.type);
}

// --- Lists and calls ---------------------------------------------------------

// A single argument with brackets of its own is broken inside those alone.
static bool is_hugged(const Printer *p, NodeList args) {
  if (args.count != 1)
    return false;
  NodeKind kind = node_kind(p->tree, list_at(p->tree, args, 0));
  switch (kind) {
  case NODE_ListExpr:
  case NODE_RepeatExpr:
  case NODE_ComprehensionExpr:
  case NODE_StructExpr:
  case NODE_ClosureExpr:
    return true;
  default:
    return print_is_block_like(kind);
  }
}

static void print_args(Printer *p, NodeList args) {
  if (!is_hugged(p, args)) {
    print_list(p, args, print_expr, LAYOUT_SOFT_LINE);
    return;
  }
  print_token(p, TOKEN_LPAREN);
  print_flat(p, args, print_expr);
  print_token(p, TOKEN_RPAREN);
}

static void print_call(Printer *p, NodeId node) {
  CallExpr view = call_expr(p->tree, node);
  print_expr(p, view.callee);
  print_args(p, view.args);
}

// From the `.` to the arguments.
static void print_method(Printer *p, MethodCall view) {
  print_token(p, TOKEN_DOT);
  print_any(p);
  if (view.generics.count > 0)
    print_generic_args(p, view.generics);
  print_args(p, view.args);
}

static void print_member(Printer *p, FieldExpr view) {
  if (node_kind(p->tree, view.base) == NODE_IntegerLit)
    print_space(p); // `1 .0` is no float
  print_token(p, TOKEN_DOT);
  print_any(p);
}

static void print_field(Printer *p, NodeId node) {
  FieldExpr view = field_expr(p->tree, node);
  print_expr(p, view.base);
  print_member(p, view);
}

// `a.b().c().d()`, with places to break before its calls.
static void print_method_chain(Printer *p, NodeId node) {
  switch (node_kind(p->tree, node)) {
  case NODE_MethodCall: {
    MethodCall view = method_call(p->tree, node);
    print_method_chain(p, view.receiver);
    print_line(p, LAYOUT_SOFT_LINE);
    print_method(p, view);
    break;
  }
  case NODE_FieldExpr: {
    FieldExpr view = field_expr(p->tree, node);
    print_method_chain(p, view.base);
    print_member(p, view);
    break;
  }
  default:
    print_expr(p, node);
    print_indent(p);
    break;
  }
}

static uint32_t count_calls(const Printer *p, NodeId node) {
  uint32_t count = 0;
  for (;;) {
    switch (node_kind(p->tree, node)) {
    case NODE_MethodCall:
      node = method_call(p->tree, node).receiver;
      count++;
      break;
    case NODE_FieldExpr:
      node = field_expr(p->tree, node).base;
      break;
    default:
      return count;
    }
  }
}

enum { LEAST_CHAIN = 3 };

static void print_method_call(Printer *p, NodeId node) {
  if (count_calls(p, node) < LEAST_CHAIN) {
    MethodCall view = method_call(p->tree, node);
    print_expr(p, view.receiver);
    print_method(p, view);
    return;
  }
  print_open(p);
  print_method_chain(p, node);
  print_dedent(p);
  print_close(p);
}

static void print_macro_call(Printer *p, NodeId node) {
  print_any(p);
  print_token(p, TOKEN_NOT);
  print_args(p, macro_call(p->tree, node).args);
}

static void print_pair(Printer *p, NodeId first, NodeId second) {
  print_any(p); // the word
  print_token(p, TOKEN_LPAREN);
  print_open(p);
  print_indent(p);
  print_line(p, LAYOUT_SOFT_LINE);
  print_expr(p, first);
  if (second.index != 0) {
    print_token(p, TOKEN_COMMA);
    print_line(p, LAYOUT_LINE);
    print_expr(p, second);
  }
  print_flat(p, (NodeList){0}, print_expr); // a comma at the end
  layout_add(&p->layout, LAYOUT_COMMA);
  print_comments_before_closer(p);
  print_dedent(p);
  print_line(p, LAYOUT_SOFT_LINE);
  print_close(p);
  print_token(p, TOKEN_RPAREN);
}

static void print_field_init(Printer *p, NodeId node) {
  print_any(p);
  print_token(p, TOKEN_COLON);
  print_space(p);
  print_expr(p, field_init(p->tree, node).value);
}

static void print_struct(Printer *p, NodeId node) {
  StructExpr view = struct_expr(p->tree, node);
  print_type(p, view.type);
  print_space(p);
  print_list(p, view.fields, print_field_init, LAYOUT_LINE);
}

static void print_repeat(Printer *p, NodeId node) {
  RepeatExpr view = repeat_expr(p->tree, node);
  print_token(p, TOKEN_LBRACKET);
  print_expr(p, view.value);
  print_token(p, TOKEN_SEMICOLON);
  print_space(p);
  print_expr(p, view.count);
  print_token(p, TOKEN_RBRACKET);
}

static void print_comprehension(Printer *p, NodeId node) {
  ComprehensionExpr view = comprehension_expr(p->tree, node);
  print_token(p, TOKEN_LBRACKET);
  print_token(p, TOKEN_FOR);
  print_space(p);
  print_pattern(p, view.pattern);
  print_space(p);
  print_token(p, TOKEN_IN);
  print_space(p);
  print_expr(p, view.range);
  print_space(p);
  print_block_like(p, view.value, true);
  print_token(p, TOKEN_RBRACKET);
}

static void print_index(Printer *p, NodeId node) {
  IndexExpr view = index_expr(p->tree, node);
  print_expr(p, view.base);
  print_list(p, view.indices, print_expr, LAYOUT_SOFT_LINE);
}

static void print_closure(Printer *p, NodeId node) {
  ClosureExpr view = closure_expr(p->tree, node);
  if (!print_optional(p, TOKEN_OR_OR)) {
    print_token(p, TOKEN_OR);
    print_flat(p, view.params, print_pattern);
    print_token(p, TOKEN_OR);
  }
  print_space(p);
  print_expr(p, view.body);
}

static void print_parens(Printer *p, NodeId node) {
  print_token(p, TOKEN_LPAREN);
  print_open(p);
  print_indent(p);
  print_line(p, LAYOUT_SOFT_LINE);
  print_expr(p, paren_expr(p->tree, node).inner);
  print_line(p, LAYOUT_SOFT_LINE);
  print_comments_before_closer(p);
  print_dedent(p);
  print_close(p);
  print_token(p, TOKEN_RPAREN);
}

static void print_return(Printer *p, NodeId node) {
  ReturnExpr view = return_expr(p->tree, node);
  print_token(p, TOKEN_RETURN);
  if (view.value.index == 0)
    return;
  print_space(p);
  print_expr(p, view.value);
}

// --- All of them -------------------------------------------------------------

static void print_type_member(Printer *p, NodeId node) {
  print_type(p, type_member(p->tree, node).type);
  print_token(p, TOKEN_COLON_COLON);
  print_any(p);
}

static void print_generic_name(Printer *p, NodeId node) {
  GenericExpr view = generic_expr(p->tree, node);
  print_expr(p, view.base);
  print_generic_args(p, view.args);
}

// A flat switch over the kinds.
void print_expr(Printer *p, NodeId node) {
  NodeKind kind = node_kind(p->tree, node);
  switch (kind) {
  case NODE_BinaryExpr:
    print_binary(p, node);
    break;
  case NODE_UnaryExpr:
    print_unary(p, node);
    break;
  case NODE_RangeExpr:
    print_range(p, node);
    break;
  case NODE_AssignExpr:
    print_assignment(p, node);
    break;
  case NODE_CastExpr:
    print_cast(p, node);
    break;
  case NODE_CallExpr:
    print_call(p, node);
    break;
  case NODE_MethodCall:
    print_method_call(p, node);
    break;
  case NODE_MacroCall:
    print_macro_call(p, node);
    break;
  case NODE_TransferExpr: {
    TransferExpr view = transfer_expr(p->tree, node);
    print_pair(p, view.value, view.target);
    break;
  }
  case NODE_AssertExpr: {
    AssertExpr view = assert_expr(p->tree, node);
    print_pair(p, view.condition, view.message);
    break;
  }
  case NODE_FieldExpr:
    print_field(p, node);
    break;
  case NODE_IndexExpr:
    print_index(p, node);
    break;
  case NODE_ParenExpr:
    print_parens(p, node);
    break;
  case NODE_TupleExpr:
    print_tuple(p, tuple_expr(p->tree, node).elements, print_expr);
    break;
  case NODE_ListExpr:
    print_list(p, list_expr(p->tree, node).elements, print_expr,
               LAYOUT_SOFT_LINE);
    break;
  case NODE_RepeatExpr:
    print_repeat(p, node);
    break;
  case NODE_ComprehensionExpr:
    print_comprehension(p, node);
    break;
  case NODE_StructExpr:
    print_struct(p, node);
    break;
  case NODE_ClosureExpr:
    print_closure(p, node);
    break;
  case NODE_ReturnExpr:
    print_return(p, node);
    break;
  case NODE_GenericExpr:
    print_generic_name(p, node);
    break;
  case NODE_TypeMember:
    print_type_member(p, node);
    break;
  case NODE_TypeExpr:
    print_type(p, type_expr(p->tree, node).type);
    break;
  case NODE_Place:
  case NODE_MemoryOf:
    print_type(p, node);
    break;
  case NODE_Quantity:
  case NODE_WeightedEntry:
    print_quantity(p, node);
    break;
  default:
    if (print_is_block_like(kind))
      print_block_like(p, node, true);
    else // names, paths, literals, `break`, `continue`, `..`
      print_words(p, span_end(node_span(p->tree, node)));
    break;
  }
}
