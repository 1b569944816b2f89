// SPDX-License-Identifier: Apache-2.0
//
// Machine items. Field names, words and units are not judged here: any name is
// a field, any word a value, any word behind a number its unit.

#include "syntax/internal.h"

// --- Figures -----------------------------------------------------------------

static bool at_link_word(const Parser *p) {
  return parser_at_word(p, p->known.latency) ||
         parser_at_word(p, p->known.relaxed) ||
         parser_at_word(p, p->known.sync) ||
         parser_at_word(p, p->known.copy_engine);
}

// A word that belongs to what is before it, and is not the next field: that
// may have lost its comma, so a field's words stand on one line.
static bool at_trailing_word(const Parser *p) {
  return !p->is_panicking && parser_at(p, TOKEN_IDENT) && !at_link_word(p) &&
         parser_peek(p, 1) != TOKEN_COLON &&
         (p->owner == OWNER_NONE || !parser_starts_line(p));
}

// Quantity = "-"? Number ( Unit ( "/" Unit )? )?
NodeId parse_quantity(Parser *p) {
  uint32_t start = p->token.start;
  Quantity view = {.flags =
                       parser_accept(p, TOKEN_MINUS) ? QUANTITY_NEGATIVE : 0};
  if (p->is_panicking ||
      (!parser_at(p, TOKEN_INTEGER) && !parser_at(p, TOKEN_FLOAT))) {
    parser_error(p, EXPECTED_TOKEN, "a figure");
    return parser_error_node(p);
  }
  char last = p->text.data[p->token.start + p->token.length - 1 - p->base];
  view.number = parser_take(p);
  if (last >= '0' && last <= '9' && at_trailing_word(p))
    view.unit = parser_take(p);
  if (parser_accept(p, TOKEN_SLASH))
    view.per = parser_expect_name(p, "`s` or `cyc`");
  return add_quantity(p, start, view);
}

// --- Values ------------------------------------------------------------------

static NodeId parse_simple_value(Parser *p) {
  switch (parser_kind(p)) {
  case TOKEN_MINUS:
  case TOKEN_INTEGER:
  case TOKEN_FLOAT:
    return parse_quantity(p);
  case TOKEN_MEMORY:
  case TOKEN_TOPOLOGY:
    return parse_place(p);
  default:
    if (parser_at_name(p))
      return parse_ident(p, "a value");
    parser_error(p, EXPECTED_TOKEN, "a value");
    return parser_error_node(p);
  }
}

// ListEntry = Value ( ":" Quantity )?
static NodeId parse_list_entry(Parser *p) {
  uint32_t start = p->token.start;
  NodeId key = parse_simple_value(p);
  if (!parser_accept(p, TOKEN_COLON))
    return key;
  WeightedEntry view = {.key = key, .weight = parse_quantity(p)};
  return add_weighted_entry(p, start, view);
}

// ValueList = "[" ( ListEntry ( "," ListEntry )* ","? )? "]"
static NodeId parse_value_list(Parser *p) {
  uint32_t start = p->token.start;
  Bracket bracket = parser_open(p);
  ListStart entries = list_start(p);
  if (!parser_at(p, TOKEN_RBRACKET)) {
    do
      list_push(p, parse_list_entry(p));
    while (parser_next_element(p, bracket, "value"));
  }
  parser_close(p, bracket, "value", true);
  return add_list_expr(p, start, (ListExpr){list_end(p, entries)});
}

// PeakEntry = Name ":" Quantity
static NodeId parse_peak_entry(Parser *p) {
  uint32_t start = p->token.start;
  PeakEntry view = {.name = parser_expect_name(p, "an element type")};
  if (view.name.index == 0)
    return parser_error_node(p);
  parser_expect(p, TOKEN_COLON);
  view.value = parse_quantity(p);
  return add_peak_entry(p, start, view);
}

// PeakMap = "{" ( PeakEntry ( "," PeakEntry )* ","? )? "}"
static NodeId parse_peak_map(Parser *p) {
  uint32_t start = p->token.start;
  Bracket bracket = parser_open(p);
  ListStart entries = list_start(p);
  if (!parser_at(p, TOKEN_RBRACE)) {
    do
      list_push(p, parse_peak_entry(p));
    while (parser_next_element(p, bracket, "entry"));
  }
  parser_close(p, bracket, "entry", true);
  return add_peak_map(p, start, (PeakMap){list_end(p, entries)});
}

// Value = Quantity | Place | Name | ValueList | PeakMap
static NodeId parse_value(Parser *p) {
  if (p->is_panicking)
    return parser_error_node(p);
  if (parser_at(p, TOKEN_LBRACKET))
    return parse_value_list(p);
  if (parser_at(p, TOKEN_LBRACE))
    return parse_peak_map(p);
  return parse_simple_value(p);
}

// --- Fields ------------------------------------------------------------------

// MachineField = Name ( ":" Value Word? )?
static NodeId parse_machine_field(Parser *p) {
  uint32_t start = p->token.start;
  MachineField view = {.name = parser_expect_name(p, "a field")};
  if (view.name.index == 0)
    return parser_error_node(p);
  if (parser_accept(p, TOKEN_COLON)) {
    view.value = parse_value(p);
    if (at_trailing_word(p))
      view.modifier = parser_take(p);
  }
  return add_machine_field(p, start, view);
}

// LinkWord = "latency" Quantity | "relaxed" | "sync" | "copy_engine"
static void parse_link_word(Parser *p, LinkField *view) {
  if (parser_at_word(p, p->known.latency)) {
    parser_take(p);
    view->latency = parse_quantity(p);
    return;
  }
  if (parser_at_word(p, p->known.relaxed))
    view->flags |= LINK_RELAXED;
  else if (parser_at_word(p, p->known.sync))
    view->flags |= LINK_SYNC;
  else
    view->flags |= LINK_COPY_ENGINE;
  parser_take(p);
}

// LinkField = "transfer" Place "->" Place ( ":" Quantity )? LinkWord*
static NodeId parse_link(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  LinkField view = {.from = parse_place(p)};
  parser_expect(p, TOKEN_ARROW);
  view.to = parse_place(p);
  if (parser_accept(p, TOKEN_COLON))
    view.cost = parse_quantity(p);
  while (!p->is_panicking && at_link_word(p) &&
         !(parser_starts_line(p) && parser_peek(p, 1) == TOKEN_COLON))
    parse_link_word(p, &view);
  return add_link_field(p, start, view);
}

static NodeId parse_field(Parser *p) {
  bool is_link = p->owner == OWNER_TOPOLOGY && parser_at(p, TOKEN_TRANSFER) &&
                 parser_peek(p, 1) != TOKEN_COLON;
  return is_link ? parse_link(p) : parse_machine_field(p);
}

// --- Items -------------------------------------------------------------------

// "{" ( Field ( "," Field )* ","? )? "}"
static NodeList parse_fields(Parser *p) {
  if (p->is_panicking || !parser_at(p, TOKEN_LBRACE)) {
    parser_error(p, EXPECTED_TOKEN, "`{`");
    return (NodeList){0};
  }
  Bracket bracket = parser_open(p);
  ListStart fields = list_start(p);
  if (!parser_at(p, TOKEN_RBRACE)) {
    do
      list_push(p, parse_field(p));
    while (parser_next_element(p, bracket, "field"));
  }
  parser_close(p, bracket, "field", true);
  return list_end(p, fields);
}

// MachineItem = "extend"? ( "Memory" | "Topology" ) Name Fields
NodeId parse_machine_item(Parser *p) {
  uint32_t start = p->token.start;
  uint32_t flags = parser_accept(p, TOKEN_EXTEND) ? MACHINE_EXTEND : 0;
  bool is_memory = parser_at(p, TOKEN_MEMORY);
  if (!is_memory && !parser_at(p, TOKEN_TOPOLOGY)) {
    parser_error(p, EXPECTED_TOKEN, "`Memory` or `Topology`");
    return parser_error_node(p);
  }
  parser_take(p);
  p->owner = is_memory ? OWNER_MEMORY : OWNER_TOPOLOGY;
  TokenId name = parser_expect_name(p, is_memory ? "the name of a memory"
                                                 : "the name of a topology");
  NodeList fields = {0};
  if (name.index != 0)
    fields = parse_fields(p);
  p->owner = OWNER_NONE;
  if (name.index == 0)
    return parser_error_node(p);
  if (is_memory)
    return add_memory_item(p, start, (MemoryItem){name, flags, fields});
  return add_topology_item(p, start, (TopologyItem){name, flags, fields});
}
