// SPDX-License-Identifier: Apache-2.0
//
// The formatter's items.

#include "syntax/internal.h"

// --- Parts -------------------------------------------------------------------

// Words before a name or a keyword: `unsafe `, `extern "C" `.
static void print_words_before(Printer *p, TokenKind kind) {
  while (!print_at(p, kind)) {
    print_any(p);
    print_space(p);
  }
}

static void print_generic_param(Printer *p, NodeId node) {
  GenericParam view = generic_param(p->tree, node);
  if (print_optional(p, TOKEN_CONST))
    print_space(p);
  print_any(p);
  if (!print_optional(p, TOKEN_COLON))
    return;
  print_space(p);
  if (view.bound.index == 0)
    print_token(p, TOKEN_TOPOLOGY);
  else
    print_type(p, view.bound);
}

static void print_generics(Printer *p, NodeList generics) {
  if (!print_optional(p, TOKEN_LT))
    return;
  print_flat(p, generics, print_generic_param);
  print_token(p, TOKEN_GT);
}

// name: type
static void print_typed_name(Printer *p, NodeId type) {
  print_any(p);
  print_token(p, TOKEN_COLON);
  print_space(p);
  print_type(p, type);
}

static void print_param(Printer *p, NodeId node) {
  if (print_optional(p, TOKEN_MUT))
    print_space(p);
  print_typed_name(p, param(p->tree, node).type);
}

static void print_member_comma(Printer *p) {
  if (!print_optional(p, TOKEN_COMMA))
    layout_text(&p->layout, LAYOUT_TEXT, STR(","));
}

// --- Where clauses -----------------------------------------------------------

static void print_reachable(Printer *p, NodeId node) {
  WhereReachable view = where_reachable(p->tree, node);
  print_any(p);
  print_token(p, TOKEN_LT);
  print_type(p, view.from);
  print_token(p, TOKEN_COMMA);
  print_space(p);
  print_type(p, view.to);
  print_flat(p, (NodeList){0}, print_type); // a comma at the end
  print_token(p, TOKEN_GT);
}

// left op right
static void print_comparison(Printer *p, NodeId left, NodeId right) {
  print_type(p, left);
  print_space(p);
  print_any(p);
  print_space(p);
  print_expr(p, right);
}

static void print_copies(Printer *p, NodeId node) {
  WhereCopies view = where_copies(p->tree, node);
  print_any(p);
  print_token(p, TOKEN_LPAREN);
  print_type(p, view.memory);
  print_token(p, TOKEN_RPAREN);
  print_space(p);
  print_any(p);
  print_space(p);
  print_expr(p, view.count);
}

static void print_where_clause(Printer *p, NodeId node) {
  switch (node_kind(p->tree, node)) {
  case NODE_WhereReachable:
    print_reachable(p, node);
    break;
  case NODE_WhereBound: {
    WhereBound view = where_bound(p->tree, node);
    print_comparison(p, view.lower, view.upper);
    break;
  }
  case NODE_WhereBudget: {
    WhereBudget view = where_budget(p->tree, node);
    print_comparison(p, view.memory, view.size);
    break;
  }
  default:
    print_copies(p, node);
    break;
  }
}

// On the line of the signature, or between it and the `{` on lines of its own.
static void print_where(Printer *p, NodeList clauses, bool has_body) {
  print_open(p);
  print_indent(p);
  print_line(p, LAYOUT_LINE);
  print_token(p, TOKEN_WHERE);
  print_space(p);
  print_open(p);
  print_indent(p);
  for (uint32_t i = 0; i < clauses.count; i++) {
    if (i > 0) {
      print_token(p, TOKEN_COMMA);
      print_line(p, LAYOUT_LINE);
    }
    print_where_clause(p, list_at(p->tree, clauses, i));
  }
  print_flat(p, (NodeList){0}, print_expr); // a comma at the end
  print_dedent(p);
  print_close(p);
  print_dedent(p);
  if (has_body)
    print_line(p, LAYOUT_LINE);
  print_close(p);
}

// --- Functions ---------------------------------------------------------------

static void print_fn(Printer *p, NodeId node) {
  FnItem view = fn_item(p->tree, node);
  print_words_before(p, TOKEN_FN);
  print_token(p, TOKEN_FN);
  print_space(p);
  print_any(p);
  print_generics(p, view.generics);
  print_list(p, view.params, print_param, LAYOUT_SOFT_LINE);
  if (view.on.index != 0) {
    print_space(p);
    print_token(p, TOKEN_ON);
    print_space(p);
    print_type(p, view.on);
  }
  print_space(p);
  print_token(p, TOKEN_ARROW);
  print_space(p);
  print_type(p, view.result);
  bool has_body = view.body.index != 0;
  if (view.where.count > 0)
    print_where(p, view.where, has_body);
  else if (has_body)
    print_space(p);
  if (has_body)
    print_block(p, view.body);
  else
    print_token(p, TOKEN_SEMICOLON);
}

// --- Types and constants -----------------------------------------------------

static void print_field_decl(Printer *p, NodeId node) {
  print_typed_name(p, field_decl(p->tree, node).type);
  print_member_comma(p);
}

static void print_variant_decl(Printer *p, NodeId node) {
  print_any(p);
  if (print_at(p, TOKEN_LPAREN))
    print_list(p, variant_decl(p->tree, node).payload, print_type,
               LAYOUT_SOFT_LINE);
  print_member_comma(p);
}

static void print_declaration(Printer *p, NodeList generics, NodeList members,
                              PrintNode print_member) {
  print_any(p);
  print_space(p);
  print_any(p);
  print_generics(p, generics);
  print_space(p);
  print_lines(p, members, print_member);
}

static void print_const(Printer *p, NodeId node) {
  ConstItem view = const_item(p->tree, node);
  print_any(p);
  print_space(p);
  print_typed_name(p, view.type);
  print_space(p);
  print_token(p, TOKEN_EQ);
  print_space(p);
  print_expr(p, view.value);
  print_token(p, TOKEN_SEMICOLON);
}

static void print_import(Printer *p, NodeId node) {
  print_any(p);
  print_space(p);
  print_words(p, span_end(node_span(p->tree, node)));
}

// --- Blocks of items ---------------------------------------------------------

static void print_extern(Printer *p, NodeId node) {
  ExternBlock view = extern_block(p->tree, node);
  print_words_before(p, TOKEN_STRING);
  print_token(p, TOKEN_STRING);
  print_space(p);
  if (print_at(p, TOKEN_LBRACE))
    print_lines(p, view.items, print_fn);
  else
    print_fn(p, list_at(p->tree, view.items, 0));
}

static void print_impl(Printer *p, NodeId node) {
  ImplItem view = impl_item(p->tree, node);
  print_any(p);
  print_generics(p, view.generics);
  print_space(p);
  if (view.trait.index != 0) {
    print_type(p, view.trait);
    print_space(p);
    print_token(p, TOKEN_FOR);
    print_space(p);
  }
  print_type(p, view.type);
  print_space(p);
  Span whole = node_span(p->tree, node);
  uint32_t body = p->tree->tokens.items.items[p->token].start;
  bool is_empty =
      p->tree->tokens.items.items[p->token + 1].start + 1 == span_end(whole);
  if (view.items.count == 0 && !is_empty) // its body is kept as text
    print_raw(p, (Span){body, span_end(whole) - body});
  else
    print_lines(p, view.items, print_fn);
}

void print_item(Printer *p, NodeId node) {
  switch (node_kind(p->tree, node)) {
  case NODE_ImportItem:
    print_import(p, node);
    break;
  case NODE_FnItem:
    print_fn(p, node);
    break;
  case NODE_ConstItem:
    print_const(p, node);
    break;
  case NODE_StructItem: {
    StructItem view = struct_item(p->tree, node);
    print_declaration(p, view.generics, view.fields, print_field_decl);
    break;
  }
  case NODE_EnumItem: {
    EnumItem view = enum_item(p->tree, node);
    print_declaration(p, view.generics, view.variants, print_variant_decl);
    break;
  }
  case NODE_ExternBlock:
    print_extern(p, node);
    break;
  case NODE_ImplItem:
    print_impl(p, node);
    break;
  case NODE_MemoryItem:
  case NODE_TopologyItem:
    print_machine_item(p, node);
    break;
  default:
    PANIC("an item that the parser does not make");
  }
}
