// SPDX-License-Identifier: Apache-2.0
//
// The formatter's machine items: values, links and the citations behind them
// stand in columns.

#include "syntax/internal.h"

// --- Figures and values ------------------------------------------------------

void print_quantity(Printer *p, NodeId node) {
  if (node_kind(p->tree, node) == NODE_WeightedEntry) {
    WeightedEntry view = weighted_entry(p->tree, node);
    print_expr(p, view.key);
    print_token(p, TOKEN_COLON);
    print_space(p);
    print_quantity(p, view.weight);
    return;
  }
  Quantity view = quantity(p->tree, node);
  print_optional(p, TOKEN_MINUS);
  print_any(p);
  if (view.unit.index != 0) {
    print_space(p);
    print_any(p);
  }
  if (print_optional(p, TOKEN_SLASH))
    print_any(p);
}

static void print_peak_entry(Printer *p, NodeId node) {
  print_any(p);
  print_token(p, TOKEN_COLON);
  print_space(p);
  print_quantity(p, peak_entry(p->tree, node).value);
}

static void print_value(Printer *p, NodeId node) {
  if (node_kind(p->tree, node) == NODE_PeakMap)
    print_list(p, peak_map(p->tree, node).entries, print_peak_entry,
               LAYOUT_LINE);
  else
    print_expr(p, node);
}

// --- Columns -----------------------------------------------------------------

static uint32_t token_width(const Printer *p, TokenId token) {
  return token_span(p->tree, token).length;
}

// The first token at or behind `offset`.
static uint32_t find_token(const Printer *p, uint32_t offset) {
  uint32_t low = p->token;
  uint32_t high = p->tree->tokens.items.count - 1;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->tree->tokens.items.items[middle].start < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Of the tokens alone, so that it does not depend on how they are spaced.
static uint32_t place_width(const Printer *p, NodeId node) {
  Span span = node_span(p->tree, node);
  const Token *tokens = p->tree->tokens.items.items;
  uint32_t width = 0;
  for (uint32_t i = find_token(p, span.start); tokens[i].start < span_end(span);
       i++)
    width += tokens[i].length;
  return width;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

typedef struct {
  uint32_t name; // of fields with a value
  uint32_t from; // of links
  uint32_t to;   // of links with a cost
} Columns;

// Whether an empty line stands between two fields: columns end there.
static bool has_blank_between(const Printer *p, NodeId before, NodeId after) {
  return print_has_blank(p, span_end(node_span(p->tree, before)),
                         node_span(p->tree, after).start);
}

// The columns of the fields from the i-th to the next empty line.
static Columns measure_columns(const Printer *p, NodeList fields, uint32_t i) {
  Columns columns = {0};
  for (uint32_t first = i; i < fields.count; i++) {
    NodeId node = list_at(p->tree, fields, i);
    if (i > first &&
        has_blank_between(p, list_at(p->tree, fields, i - 1), node))
      break;
    if (node_kind(p->tree, node) == NODE_LinkField) {
      LinkField view = link_field(p->tree, node);
      columns.from = larger(columns.from, place_width(p, view.from));
      if (view.cost.index != 0)
        columns.to = larger(columns.to, place_width(p, view.to));
    } else if (machine_field(p->tree, node).value.index != 0) {
      TokenId name = machine_field(p->tree, node).name;
      columns.name = larger(columns.name, token_width(p, name));
    }
  }
  return columns;
}

// --- Fields ------------------------------------------------------------------

static void pad(Printer *p, uint32_t width, uint32_t column) {
  if (width < column)
    layout_pad(&p->layout, column - width);
}

static void print_machine_field(Printer *p, NodeId node, Columns columns) {
  MachineField view = machine_field(p->tree, node);
  print_any(p);
  if (view.value.index != 0) {
    print_token(p, TOKEN_COLON);
    pad(p, token_width(p, view.name), columns.name);
    print_space(p);
    print_value(p, view.value);
  }
  if (view.modifier.index != 0) {
    print_space(p);
    print_any(p);
  }
}

static void print_link_words(Printer *p, LinkField view, uint32_t end) {
  Span latency =
      view.latency.index == 0 ? NO_SPAN : node_span(p->tree, view.latency);
  while (p->tree->tokens.items.items[p->token].start < end) {
    print_space(p);
    if (p->tree->tokens.items.items[p->token].start == latency.start)
      print_quantity(p, view.latency);
    else
      print_any(p);
  }
}

static void print_link(Printer *p, NodeId node, Columns columns) {
  LinkField view = link_field(p->tree, node);
  print_token(p, TOKEN_TRANSFER);
  print_space(p);
  uint32_t from = place_width(p, view.from);
  uint32_t to = place_width(p, view.to);
  print_type(p, view.from);
  pad(p, from, columns.from);
  print_space(p);
  print_token(p, TOKEN_ARROW);
  print_space(p);
  print_type(p, view.to);
  if (view.cost.index != 0) {
    pad(p, to, columns.to);
    print_space(p);
    print_token(p, TOKEN_COLON);
    print_space(p);
    print_quantity(p, view.cost);
  }
  print_link_words(p, view, span_end(node_span(p->tree, node)));
}

static void print_field(Printer *p, NodeId node, Columns columns) {
  if (node_kind(p->tree, node) == NODE_LinkField)
    print_link(p, node, columns);
  else
    print_machine_field(p, node, columns);
}

// --- Items -------------------------------------------------------------------

static void print_fields(Printer *p, NodeList fields, bool is_on_one_line) {
  Columns columns = {0};
  for (uint32_t i = 0; i < fields.count; i++) {
    NodeId node = list_at(p->tree, fields, i);
    if (i == 0 || has_blank_between(p, list_at(p->tree, fields, i - 1), node))
      columns = measure_columns(p, fields, i);
    if (is_on_one_line)
      print_line(p, LAYOUT_LINE);
    else
      print_separator(p);
    p->is_aligned = true;
    print_field(p, node, columns);
    bool is_last = i + 1 == fields.count;
    if (is_last && is_on_one_line)
      print_flat(p, (NodeList){0}, print_expr); // a comma at the end
    if (is_last && is_on_one_line)
      layout_add(&p->layout, LAYOUT_COMMA);
    else if (!print_optional(p, TOKEN_COMMA))
      layout_text(&p->layout, LAYOUT_TEXT, STR(","));
  }
}

// An item that was written on one line stays there if it fits: a citation
// behind it covers what stands on its line.
static void print_body(Printer *p, NodeList fields, bool is_on_one_line) {
  LayoutKind edge = is_on_one_line ? LAYOUT_LINE : LAYOUT_HARD_LINE;
  print_open(p);
  print_token(p, TOKEN_LBRACE);
  print_indent(p);
  print_fields(p, fields, is_on_one_line);
  print_line(p, edge);
  print_comments_before_closer(p);
  p->is_aligned = false;
  print_dedent(p);
  print_line(p, edge);
  print_token(p, TOKEN_RBRACE);
  print_close(p);
}

static bool is_on_one_line(const Printer *p, NodeId node) {
  Str text = source_text(p->tree->sources, node_span(p->tree, node));
  for (size_t i = 0; i < text.length; i++) {
    if (text.data[i] == '\n')
      return false;
  }
  return true;
}

void print_machine_item(Printer *p, NodeId node) {
  bool is_memory = node_kind(p->tree, node) == NODE_MemoryItem;
  NodeList fields = is_memory ? memory_item(p->tree, node).fields
                              : topology_item(p->tree, node).fields;
  layout_add(&p->layout, LAYOUT_RUN);
  if (print_optional(p, TOKEN_EXTEND))
    print_space(p);
  print_any(p);
  print_space(p);
  print_any(p);
  print_space(p);
  if (fields.count == 0 && print_is_bare(p, node))
    print_words(p, span_end(node_span(p->tree, node)));
  else
    print_body(p, fields, is_on_one_line(p, node));
}
