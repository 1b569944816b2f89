// SPDX-License-Identifier: Apache-2.0
//
// Items of a program: functions, types, constants, imports, blocks of them.

#include "syntax/internal.h"

// --- Generic parameters ------------------------------------------------------

// GenericParam = "const" Name ":" Type | Name ( ":" ( "Topology" | Type ) )?
static NodeId parse_generic_param(Parser *p) {
  uint32_t start = p->token.start;
  GenericParam view = {0};
  if (parser_accept(p, TOKEN_CONST))
    view.flags = GENERIC_CONST;
  view.name = parser_expect_name(p, "a generic parameter");
  if (view.name.index == 0)
    return parser_error_node(p);
  if (view.flags == GENERIC_CONST) {
    parser_expect(p, TOKEN_COLON);
    view.bound = parse_type(p);
  } else if (parser_accept(p, TOKEN_COLON)) {
    if (parser_accept(p, TOKEN_TOPOLOGY))
      view.flags = GENERIC_TOPOLOGY;
    else
      view.bound = parse_type(p);
  }
  return add_generic_param(p, start, view);
}

// Generics = ( "<" GenericParam ( "," GenericParam )* ","? ">" )?
static NodeList parse_generics(Parser *p) {
  if (!parser_accept(p, TOKEN_LT))
    return (NodeList){0};
  ListStart params = list_start(p);
  do
    list_push(p, parse_generic_param(p));
  while (parser_next_argument(p, "parameter"));
  parser_close_angle(p, "parameter");
  return list_end(p, params);
}

// --- Where clauses -----------------------------------------------------------

// "Reachable" "<" PlaceOrName "," PlaceOrName ","? ">"
static NodeId parse_where_reachable(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  parser_expect(p, TOKEN_LT);
  WhereReachable view = {.from = parse_place_or_name(p)};
  parser_expect(p, TOKEN_COMMA);
  view.to = parse_place_or_name(p);
  parser_accept(p, TOKEN_COMMA);
  parser_close_angle(p, "memory");
  return add_where_reachable(p, start, view);
}

// "copies" "(" Place ")" ">=" Bound
static NodeId parse_where_copies(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  Bracket bracket = parser_open(p);
  WhereCopies view = {.memory = parse_place(p)};
  parser_close(p, bracket, "memory", false);
  parser_expect(p, TOKEN_GE);
  view.count = parse_bound(p);
  return add_where_copies(p, start, view);
}

// Place "<=" Quantity
static NodeId parse_where_budget(Parser *p) {
  uint32_t start = p->token.start;
  WhereBudget view = {.memory = parse_place(p)};
  parser_expect(p, TOKEN_LE);
  view.size = parse_quantity(p);
  return add_where_budget(p, start, view);
}

// Bound "<=" Bound
static NodeId parse_where_bound(Parser *p) {
  uint32_t start = p->token.start;
  WhereBound view = {.lower = parse_bound(p), .op = parser_token_id(p)};
  parser_expect(p, TOKEN_LE);
  view.upper = parse_bound(p);
  return add_where_bound(p, start, view);
}

// WhereClause = Reachable | Copies | Budget | Bound
static NodeId parse_where_clause(Parser *p) {
  switch (parser_kind(p)) {
  case TOKEN_MEMORY:
    return parse_where_budget(p);
  case TOKEN_INTEGER:
  case TOKEN_MINUS:
    return parse_where_bound(p);
  default:
    break;
  }
  if (parser_at_word(p, p->known.reachable))
    return parse_where_reachable(p);
  if (parser_at_word(p, p->known.copies) && parser_peek(p, 1) == TOKEN_LPAREN)
    return parse_where_copies(p);
  if (parser_at_name(p))
    return parse_where_bound(p);
  parser_error(p, EXPECTED_TOKEN,
               "`Reachable<..>`, `copies(..)`, a bound or a memory budget");
  return parser_error_node(p);
}

// Where = ( "where" WhereClause ( "," WhereClause )* ","? )?
static NodeList parse_where(Parser *p) {
  if (!parser_accept(p, TOKEN_WHERE))
    return (NodeList){0};
  ListStart clauses = list_start(p);
  do
    list_push(p, parse_where_clause(p));
  while (parser_accept(p, TOKEN_COMMA) && !parser_at(p, TOKEN_LBRACE));
  return list_end(p, clauses);
}

// --- Functions ---------------------------------------------------------------

static const char *param_help(const Parser *p) {
  if (parser_at(p, TOKEN_AND) ||
      (parser_before(p, 1).kind == TOKEN_IDENT &&
       (parser_at(p, TOKEN_COMMA) || parser_at(p, TOKEN_RPAREN))))
    return "every parameter has a type, also the receiver: `self: &T`";
  if (parser_at_name(p))
    return "the name comes first: `x: i32`";
  return NULL;
}

// Param = "mut"? Name ":" Type
static NodeId parse_param(Parser *p) {
  uint32_t start = p->token.start;
  Param view = {.flags = parser_accept(p, TOKEN_MUT) ? PARAM_MUT : 0};
  const char *help = param_help(p);
  if (parser_at_name(p)) {
    view.name = parser_take(p);
    help = param_help(p);
    if (parser_accept(p, TOKEN_COLON)) {
      view.type = parse_type(p);
      return add_param(p, start, view);
    }
  }
  Diagnostic *d = view.name.index == 0
                      ? parser_error(p, EXPECTED_NAME, "a parameter")
                      : parser_error(p, EXPECTED_TOKEN, "`:`");
  if (help != NULL)
    parser_help(p, d, help);
  return parser_error_node(p);
}

// Params = "(" ( Param ( "," Param )* ","? )? ")"
static NodeList parse_params(Parser *p) {
  if (p->is_panicking || !parser_at(p, TOKEN_LPAREN)) {
    parser_error(p, EXPECTED_TOKEN, "`(`");
    return (NodeList){0};
  }
  Bracket bracket = parser_open(p);
  ListStart params = list_start(p);
  if (!parser_at(p, TOKEN_RPAREN)) {
    do
      list_push(p, parse_param(p));
    while (parser_next_element(p, bracket, "parameter"));
  }
  parser_close(p, bracket, "parameter", true);
  return list_end(p, params);
}

// Result = "->" Type
static NodeId parse_result(Parser *p) {
  if (parser_accept(p, TOKEN_ARROW))
    return parse_type(p);
  if (!p->is_panicking && (parser_at(p, TOKEN_COLON) || parser_at_name(p) ||
                           parser_at(p, TOKEN_FAT_ARROW))) {
    parser_help(p, parser_error(p, EXPECTED_TOKEN, "`->`"),
                "the result type follows `->`");
    return parser_error_node(p);
  }
  bool was_panicking = p->is_panicking;
  parser_help(p, parser_error(p, EXPECTED_TYPE, "`->`"),
              "write `-> void` for a function that gives nothing");
  NodeId node = parser_error_node(p);
  bool goes_on = parser_at(p, TOKEN_LBRACE) || parser_at(p, TOKEN_WHERE);
  p->is_panicking = was_panicking || !goes_on;
  return node;
}

// Contracts are not supported yet; their conditions are read and dropped.
static void parse_contracts(Parser *p) {
  while (!p->is_panicking &&
         (parser_at(p, TOKEN_REQUIRES) || parser_at(p, TOKEN_ENSURES) ||
          parser_at(p, TOKEN_INVARIANT))) {
    parser_unsupported(p, (Span){p->token.start, p->token.length},
                       str_from(token_kind_text(parser_kind(p))));
    parser_take(p);
    parse_head(p);
    parser_accept(p, TOKEN_COMMA);
  }
}

// FnItem = "fn" Name Generics Params ( "on" Place )? Result Where
//          ( Block | ";" ), from the `fn`
static NodeId parse_fn(Parser *p, uint32_t start, uint32_t flags) {
  parser_expect(p, TOKEN_FN);
  FnItem view = {.name = parser_expect_name(p, "the name of a function"),
                 .flags = flags};
  if (view.name.index == 0)
    return parser_error_node(p);
  view.generics = parse_generics(p);
  view.params = parse_params(p);
  if (parser_accept(p, TOKEN_ON))
    view.on = parse_place(p);
  view.result = parse_result(p);
  view.where = parse_where(p);
  parse_contracts(p);
  if ((flags & FN_DECLARED) != 0)
    parser_semicolon(p, "this declaration", false);
  else
    view.body = parse_block(p);
  return add_fn_item(p, start, view);
}

// --- Types and constants -----------------------------------------------------

// FieldDecl = Name ":" Type
static NodeId parse_field_decl(Parser *p) {
  uint32_t start = p->token.start;
  FieldDecl view = {.name = parser_expect_name(p, "the name of a field")};
  if (view.name.index == 0)
    return parser_error_node(p);
  parser_expect(p, TOKEN_COLON);
  view.type = parse_type(p);
  return add_field_decl(p, start, view);
}

// VariantDecl = Name ( "(" Type ( "," Type )* ","? ")" )?
static NodeId parse_variant_decl(Parser *p) {
  uint32_t start = p->token.start;
  VariantDecl view = {.name = parser_expect_name(p, "the name of a variant")};
  if (view.name.index == 0)
    return parser_error_node(p);
  if (!parser_at(p, TOKEN_LPAREN))
    return add_variant_decl(p, start, view);
  Bracket bracket = parser_open(p);
  ListStart payload = list_start(p);
  if (!parser_at(p, TOKEN_RPAREN)) {
    do
      list_push(p, parse_type(p));
    while (parser_next_element(p, bracket, "type"));
  }
  parser_close(p, bracket, "type", true);
  view.payload = list_end(p, payload);
  return add_variant_decl(p, start, view);
}

// "{" ( Member ( "," Member )* ","? )? "}"
static NodeList parse_members(Parser *p, NodeId (*parse_member)(Parser *),
                              const char *what) {
  if (!p->is_panicking && !parser_at(p, TOKEN_LBRACE))
    parser_error(p, EXPECTED_TOKEN, "`{`");
  parser_recover_head(p);
  if (p->is_panicking)
    return (NodeList){0};
  Bracket bracket = parser_open(p);
  ListStart members = list_start(p);
  if (!parser_at(p, TOKEN_RBRACE)) {
    do
      list_push(p, parse_member(p));
    while (parser_next_element(p, bracket, what));
  }
  parser_close(p, bracket, what, true);
  return list_end(p, members);
}

// StructItem = "struct" Name Generics "{" FieldDecls "}"
static NodeId parse_struct(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  StructItem view = {.name = parser_expect_name(p, "the name of a struct")};
  if (view.name.index == 0)
    return parser_error_node(p);
  view.generics = parse_generics(p);
  view.fields = parse_members(p, parse_field_decl, "field");
  return add_struct_item(p, start, view);
}

// EnumItem = "enum" Name Generics "{" VariantDecls "}"
static NodeId parse_enum(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  EnumItem view = {.name = parser_expect_name(p, "the name of an enum")};
  if (view.name.index == 0)
    return parser_error_node(p);
  view.generics = parse_generics(p);
  view.variants = parse_members(p, parse_variant_decl, "variant");
  return add_enum_item(p, start, view);
}

// ConstItem = "const" Name ":" Type "=" Expr ";"
static NodeId parse_const(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  ConstItem view = {.name = parser_expect_name(p, "the name of a constant")};
  if (view.name.index == 0)
    return parser_error_node(p);
  if (!p->is_panicking && parser_at(p, TOKEN_EQ))
    parser_help(p, parser_error(p, EXPECTED_TOKEN, "`:`"),
                "a constant states its type: `const N: i32 = 64;`");
  parser_expect(p, TOKEN_COLON);
  view.type = parse_type(p);
  parser_expect(p, TOKEN_EQ);
  view.value = parse_expr(p);
  parser_semicolon(p, "this constant", true);
  return add_const_item(p, start, view);
}

// ImportItem = "import" Name ( "::" Name )* ";"
static NodeId parse_import(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  ListStart path = list_start(p);
  do
    list_push(p, parse_ident(p, "the name of a module"));
  while (parser_accept(p, TOKEN_COLON_COLON));
  ImportItem view = {.path = list_end(p, path)};
  if (!p->is_panicking && parser_at(p, TOKEN_DOT))
    parser_help(p, parser_error(p, EXPECTED_TOKEN, "`::` or `;`"),
                "a path is written `a::b`");
  bool is_whole = !p->is_panicking;
  parser_semicolon(p, "this `import`", false);
  return is_whole ? add_import_item(p, start, view) : parser_error_node(p);
}

// --- Blocks of items ---------------------------------------------------------

// Goes to the next member, or to the brace that ends them.
static void recover_member(Parser *p, Bracket bracket, uint32_t start) {
  if (!p->is_panicking || !parser_is_closed(p, bracket))
    return;
  uint32_t end = p->partner[bracket.index];
  while (p->at < end) {
    TokenKind kind = parser_kind(p);
    bool begins = kind == TOKEN_FN || kind == TOKEN_UNSAFE ||
                  kind == TOKEN_SAFE || kind == TOKEN_TYPE;
    if (begins && p->at > start && parser_starts_line(p))
      break;
    bool is_end = kind == TOKEN_SEMICOLON || kind == TOKEN_LBRACE;
    parser_skip_group(p);
    if (is_end)
      break;
  }
  p->is_panicking = false;
}

// "{" Member* "}"
static NodeList parse_item_block(Parser *p, NodeId (*parse_member)(Parser *)) {
  if (!p->is_panicking && !parser_at(p, TOKEN_LBRACE))
    parser_error(p, EXPECTED_TOKEN, "`{`");
  parser_recover_head(p);
  if (p->is_panicking)
    return (NodeList){0};
  Bracket bracket = parser_open(p);
  ListStart members = list_start(p);
  while (!parser_at(p, TOKEN_RBRACE) && !parser_at(p, TOKEN_END) &&
         !p->is_panicking) {
    uint32_t start = p->at;
    list_push(p, parse_member(p));
    recover_member(p, bracket, start);
  }
  parser_close(p, bracket, "member", false);
  return list_end(p, members);
}

// ExternMember = ( "safe" | "unsafe" )? "fn" ..
static NodeId parse_extern_member(Parser *p) {
  uint32_t start = p->token.start;
  uint32_t flags = FN_DECLARED;
  if (parser_peek(p, 1) == TOKEN_FN) {
    if (parser_accept(p, TOKEN_SAFE))
      flags |= FN_SAFE;
    else if (parser_accept(p, TOKEN_UNSAFE))
      flags |= FN_UNSAFE;
  }
  return parse_fn(p, start, flags);
}

// ExternBlock = "extern" String ( "{" ExternMember* "}" | "unsafe"? FnItem )
static NodeId parse_extern(Parser *p, uint32_t start, uint32_t flags) {
  parser_take(p);
  ExternBlock view = {.abi = parser_token_id(p)};
  if (!parser_accept(p, TOKEN_STRING)) {
    parser_error(p, EXPECTED_TOKEN, "`\"C\"`");
    return parser_error_node(p);
  }
  uint32_t first = p->token.start;
  if (flags == 0 && parser_peek(p, 1) == TOKEN_FN &&
      parser_accept(p, TOKEN_UNSAFE))
    flags = FN_UNSAFE;
  if (flags == 0 && !parser_at(p, TOKEN_FN)) {
    view.items = parse_item_block(p, parse_extern_member);
  } else {
    ListStart items = list_start(p);
    list_push(p, parse_fn(p, first, flags | FN_EXTERN));
    view.items = list_end(p, items);
  }
  return add_extern_block(p, start, view);
}

// ImplMember = "unsafe"? FnItem; associated types are not supported yet
static NodeId parse_impl_member(Parser *p) {
  uint32_t start = p->token.start;
  if (parser_at(p, TOKEN_TYPE)) {
    parser_unsupported(p, (Span){start, p->token.length},
                       STR("associated type"));
    NodeId node = parser_error_node(p);
    p->is_panicking = true; // already said: skip to the next member
    return node;
  }
  uint32_t flags = parser_accept(p, TOKEN_UNSAFE) ? FN_UNSAFE : 0;
  return parse_fn(p, start, flags);
}

static bool at_transfer_trait(const Parser *p) {
  return str_equal(parser_text(p), STR("Transfer"));
}

// ImplItem = "impl" Generics ( Type "for" )? ( Type | Place )
//            "{" ImplMember* "}"
static NodeId parse_impl(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  ImplItem view = {.generics = parse_generics(p)};
  bool is_transfer = at_transfer_trait(p);
  view.type = parse_type(p);
  if (parser_accept(p, TOKEN_FOR)) {
    view.trait = view.type;
    view.type = parser_at(p, TOKEN_TOPOLOGY) || parser_at(p, TOKEN_MEMORY)
                    ? parse_place(p)
                    : parse_type(p);
  }
  if (!p->is_panicking && is_transfer && parser_at(p, TOKEN_LBRACE))
    parser_skip_group(p); // [full]: its body is kept as text
  else
    view.items = parse_item_block(p, parse_impl_member);
  return add_impl_item(p, start, view);
}

// OpaqueItem = ( "trait" | "macro_rules" "!" | "async" "fn" ) Name ..
static NodeId parse_opaque(Parser *p) {
  uint32_t start = p->token.start;
  Str feature = parser_text(p);
  parser_unsupported(p, (Span){start, p->token.length}, feature);
  OpaqueItem view = {.keyword = parser_take(p)};
  if (!parser_accept(p, TOKEN_NOT))
    parser_accept(p, TOKEN_FN);
  view.name = parser_expect_name(p, "a name");
  while (!p->is_panicking && !parser_at(p, TOKEN_END)) {
    bool is_body = parser_at(p, TOKEN_LBRACE) || parser_at(p, TOKEN_SEMICOLON);
    parser_skip_group(p);
    if (is_body)
      break;
  }
  return add_opaque_item(p, start, view);
}

// --- Files -------------------------------------------------------------------

static bool at_text(const Parser *p, const char *text) {
  return str_equal(parser_text(p), str_from(text));
}

static const char *item_help(const Parser *p) {
  if (!parser_at_name(p))
    return parser_at(p, TOKEN_SEMICOLON) ? "no `;` follows a closing brace"
                                         : NULL;
  if (at_text(p, "pub"))
    return "every item of a file can be imported; `pub` is not needed";
  if (at_text(p, "use") || at_text(p, "mod") || at_text(p, "include"))
    return "another file is brought in with `import a::b;`";
  if (at_text(p, "static") || at_text(p, "let"))
    return "a constant is written `const N: i32 = 64;`";
  TokenKind next = parser_peek(p, 1);
  if (next == TOKEN_LPAREN || next == TOKEN_LT ||
      (token_kind_is_name(next) && parser_peek(p, 2) == TOKEN_LPAREN))
    return "a function begins with `fn`";
  return NULL;
}

static NodeId parse_no_item(Parser *p) {
  const char *help = item_help(p);
  bool is_machine = p->mode == PARSE_MACHINE;
  Diagnostic *d = parser_error(
      p, EXPECTED_TOKEN,
      is_machine ? "`Memory`, `Topology`, `extend` or `import`" : "an item");
  if (is_machine)
    parser_help(p, d, "a machine file holds declarations only");
  else if (help != NULL)
    parser_help(p, d, help);
  NodeId node = parser_error_node(p);
  parser_skip_group(p);
  return node;
}

static NodeId parse_unsafe_item(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  if (parser_at(p, TOKEN_EXTERN))
    return parse_extern(p, start, FN_UNSAFE);
  return parse_fn(p, start, FN_UNSAFE);
}

static NodeId parse_program_item(Parser *p) {
  uint32_t start = p->token.start;
  switch (parser_kind(p)) {
  case TOKEN_FN:
    return parse_fn(p, start, 0);
  case TOKEN_UNSAFE:
    return parse_unsafe_item(p);
  case TOKEN_EXTERN:
    return parse_extern(p, start, 0);
  case TOKEN_CONST:
    return parse_const(p);
  case TOKEN_STRUCT:
    return parse_struct(p);
  case TOKEN_ENUM:
    return parse_enum(p);
  case TOKEN_IMPL:
    return parse_impl(p);
  case TOKEN_TRAIT:
  case TOKEN_MACRO_RULES:
    return parse_opaque(p);
  default:
    if (at_text(p, "async") && parser_peek(p, 1) == TOKEN_FN)
      return parse_opaque(p);
    return parse_no_item(p);
  }
}

// Item = ImportItem | MachineItem | FnItem | ConstItem | StructItem | ..
static NodeId parse_item(Parser *p) {
  switch (parser_kind(p)) {
  case TOKEN_IMPORT:
    return parse_import(p);
  case TOKEN_MEMORY:
  case TOKEN_TOPOLOGY:
  case TOKEN_EXTEND:
    return parse_machine_item(p);
  default:
    if (p->mode == PARSE_MACHINE)
      return parse_no_item(p);
    return parse_program_item(p);
  }
}

NodeList parse_items(Parser *p) {
  ListStart items = list_start(p);
  while (!parser_at(p, TOKEN_END)) {
    list_push(p, parse_item(p));
    parser_recover_item(p);
  }
  return list_end(p, items);
}
