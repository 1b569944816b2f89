// SPDX-License-Identifier: Apache-2.0
//
// Types, places, and the arguments between `<` and `>`.

#include "syntax/internal.h"

bool name_is_scalar(Str name) {
  static const char *const words[] = {
      "bool",   "void",   "i4",     "i8",     "i16",    "i32",
      "i64",    "i128",   "u4",     "u8",     "u16",    "u32",
      "u64",    "u128",   "f16",    "bf16",   "f32",    "f64",
      "f8e4m3", "f8e5m2", "f8e8m0", "f6e2m3", "f6e3m2", "f4e2m1"};
  for (size_t i = 0; i < COUNT_OF(words); i++) {
    if (str_equal(name, str_from(words[i])))
      return true;
  }
  return false;
}

NodeId parse_ident(Parser *p, const char *what) {
  uint32_t start = p->token.start;
  TokenId name = parser_expect_name(p, what);
  if (name.index == 0)
    return parser_error_node(p);
  return add_ident(p, start, (Ident){.name = name});
}

// --- Places ------------------------------------------------------------------

// PlaceIndex = "[" ( ".." | Expr ) "]"
static NodeId parse_place_index(Parser *p) {
  if (p->is_panicking || !parser_at(p, TOKEN_LBRACKET))
    return (NodeId){0};
  Bracket bracket = parser_open(p);
  NodeId index;
  if (parser_at(p, TOKEN_DOT_DOT) && parser_peek(p, 1) == TOKEN_RBRACKET) {
    uint32_t start = p->token.start;
    TokenId dots = parser_take(p);
    index = add_all_instances(p, start, (AllInstances){.dots = dots});
  } else {
    index = parse_expr(p);
  }
  parser_close(p, bracket, "index", false);
  return index;
}

// "Memory" "::" "of" "<" PlaceOrName ">" PlaceIndex?, from the `<`
static NodeId parse_memory_of(Parser *p, uint32_t start) {
  parser_take(p);
  MemoryOf view = {.topology = parse_place_or_name(p)};
  parser_close_angle(p, "topology");
  view.index = parse_place_index(p);
  return add_memory_of(p, start, view);
}

static NodeId parse_place_here(Parser *p) {
  uint32_t start = p->token.start;
  bool is_memory = parser_at(p, TOKEN_MEMORY);
  parser_take(p);
  parser_expect(p, TOKEN_COLON_COLON);
  bool is_of = is_memory && parser_at_word(p, p->known.of);
  Place view = {
      .name = parser_expect_name(p, is_memory ? "the name of a memory"
                                              : "the name of a topology"),
      .flags = is_memory ? PLACE_MEMORY : PLACE_TOPOLOGY,
  };
  if (is_of && parser_at(p, TOKEN_LT))
    return parse_memory_of(p, start);
  view.index = parse_place_index(p);
  if (view.name.index == 0)
    return parser_error_node(p);
  return add_place(p, start, view);
}

// Place = ( "Memory" | "Topology" ) "::" Name PlaceIndex?
NodeId parse_place(Parser *p) {
  if (!parser_at(p, TOKEN_MEMORY) && !parser_at(p, TOKEN_TOPOLOGY))
    parser_error(p, EXPECTED_TOKEN, "`Memory::` or `Topology::`");
  if (p->is_panicking || !parser_enter(p))
    return parser_error_node(p);
  NodeId place = parse_place_here(p);
  parser_leave(p);
  return place;
}

// PlaceOrName = Place | Name
NodeId parse_place_or_name(Parser *p) {
  if (parser_at(p, TOKEN_MEMORY) || parser_at(p, TOKEN_TOPOLOGY))
    return parse_place(p);
  return parse_ident(p, "a topology or a memory");
}

// --- Generic arguments -------------------------------------------------------

// Whether the name or path here is an operand of a constant expression rather
// than a type: an operator or a call follows it.
static bool at_constant_path(Parser *p) {
  uint32_t n = 1;
  while (parser_peek(p, n) == TOKEN_COLON_COLON &&
         token_kind_is_name(parser_peek(p, n + 1)))
    n += 2;
  switch (parser_peek(p, n)) {
  case TOKEN_PLUS:
  case TOKEN_MINUS:
  case TOKEN_STAR:
  case TOKEN_SLASH:
  case TOKEN_PERCENT:
  case TOKEN_LPAREN:
  case TOKEN_DOT:
  case TOKEN_AS:
    return true;
  default:
    return false;
  }
}

// GenericArg = Type | Place | ConstantArgument
static NodeId parse_generic_arg(Parser *p) {
  switch (parser_kind(p)) {
  case TOKEN_INTEGER:
  case TOKEN_FLOAT:
  case TOKEN_STRING:
  case TOKEN_MINUS:
  case TOKEN_NOT:
  case TOKEN_MEMORY:
  case TOKEN_TOPOLOGY:
    return parse_constant_argument(p);
  case TOKEN_LPAREN:
    return parser_at_tuple(p) ? parse_type(p) : parse_constant_argument(p);
  case TOKEN_IDENT:
    if (parser_at_word(p, p->known.true_) ||
        parser_at_word(p, p->known.false_) ||
        parser_at_word(p, p->known.sizeof_) ||
        parser_at_word(p, p->known.reachable) || at_constant_path(p))
      return parse_constant_argument(p);
    return parse_type(p);
  default:
    return parse_type(p);
  }
}

// GenericArgs = "<" GenericArg ( "," GenericArg )* ","? ">", from the `<`
NodeList parse_generic_args(Parser *p) {
  parser_take(p);
  ListStart args = list_start(p);
  do
    list_push(p, parse_generic_arg(p));
  while (parser_next_argument(p, "argument"));
  parser_close_angle(p, "argument");
  return list_end(p, args);
}

// --- Tensors -----------------------------------------------------------------

// Dim = "?" ( "<=" Expr )? | Expr
static NodeId parse_dim(Parser *p) {
  uint32_t start = p->token.start;
  if (!parser_at(p, TOKEN_QUESTION))
    return parse_expr(p);
  DynamicDim view = {.question = parser_take(p)};
  if (parser_accept(p, TOKEN_LE))
    view.bound = parse_expr(p);
  return add_dynamic_dim(p, start, view);
}

// Dims = "[" ( Dim ( "," Dim )* ","? )? "]"
static NodeId parse_dims(Parser *p) {
  uint32_t start = p->token.start;
  if (p->is_panicking || !parser_at(p, TOKEN_LBRACKET)) {
    parser_error(p, EXPECTED_TOKEN, "`[`");
    return parser_error_node(p);
  }
  Bracket bracket = parser_open(p);
  ListStart dims = list_start(p);
  if (!parser_at(p, TOKEN_RBRACKET)) {
    do
      list_push(p, parse_dim(p));
    while (parser_next_element(p, bracket, "dimension"));
  }
  parser_close(p, bracket, "dimension", true);
  return add_dim_list(p, start, (DimList){.dims = list_end(p, dims)});
}

// TensorType = "Tensor" "<" Type ( "," Dims ( "," Place )? )? ","? ">"
NodeId parse_tensor_type(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  TensorType view = {0};
  if (!parser_expect(p, TOKEN_LT))
    return parser_error_node(p);
  view.element = parse_type(p);
  if (parser_next_argument(p, "element type")) {
    view.dims = parse_dims(p);
    if (parser_next_argument(p, "dimensions")) {
      view.place = parse_place(p);
      parser_next_argument(p, "place");
    }
  }
  parser_close_angle(p, "place");
  return add_tensor_type(p, start, view);
}

// --- Other types -------------------------------------------------------------

// NamedType = Name ( "::" Name )* ( "::"? GenericArgs )?
static NodeId parse_named_type(Parser *p) {
  uint32_t start = p->token.start;
  NamedType view = {0};
  Str first = parser_text(p);
  ListStart path = list_start(p);
  list_push(p, parse_ident(p, "a type"));
  while (!p->is_panicking && parser_at(p, TOKEN_COLON_COLON) &&
         parser_peek(p, 1) != TOKEN_LT) {
    parser_take(p);
    list_push(p, parse_ident(p, "a type"));
  }
  view.path = list_end(p, path);
  if (p->is_panicking)
    return add_named_type(p, start, view);
  if (parser_accept(p, TOKEN_COLON_COLON) ||
      (parser_at(p, TOKEN_LT) && !name_is_scalar(first)))
    view.args = parse_generic_args(p);
  return add_named_type(p, start, view);
}

// RefType = "&" "mut"? Type
static NodeId parse_ref_type(Parser *p) {
  uint32_t start = p->token.start;
  if (parser_at(p, TOKEN_AND_AND))
    parser_split(p, TOKEN_AND, TOKEN_AND);
  else
    parser_take(p);
  RefType view = {.flags = parser_accept(p, TOKEN_MUT) ? REF_MUT : 0};
  view.target = parse_type(p);
  return add_ref_type(p, start, view);
}

// PointerType = "*" ( "const" | "mut" ) Type
static NodeId parse_pointer_type(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  PointerType view = {.flags = parser_at(p, TOKEN_MUT) ? REF_MUT : 0};
  if (!parser_accept(p, TOKEN_MUT) && !parser_accept(p, TOKEN_CONST))
    parser_error(p, EXPECTED_TOKEN, "`const` or `mut`");
  view.target = parse_type(p);
  return add_pointer_type(p, start, view);
}

// ArrayType = "[" Type ";" Expr "]"
static NodeId parse_array_type(Parser *p) {
  uint32_t start = p->token.start;
  Bracket bracket = parser_open(p);
  ArrayType view = {.element = parse_type(p)};
  parser_expect(p, TOKEN_SEMICOLON);
  view.length = parse_expr(p);
  parser_close(p, bracket, "length", false);
  return add_array_type(p, start, view);
}

// TupleType = "(" ( Type "," ( Type ( "," Type )* ","? )? )? ")"
static NodeId parse_tuple_type(Parser *p) {
  uint32_t start = p->token.start;
  bool is_tuple = parser_at_tuple(p);
  Bracket bracket = parser_open(p);
  ListStart elements = list_start(p);
  if (!parser_at(p, TOKEN_RPAREN)) {
    do
      list_push(p, parse_type(p));
    while (parser_next_element(p, bracket, "type"));
  }
  if (!is_tuple && parser_at(p, TOKEN_RPAREN))
    parser_help(p, parser_error(p, EXPECTED_TOKEN, "`,`"),
                "a tuple type of one element is written `(T,)`");
  parser_close(p, bracket, "type", true);
  return add_tuple_type(p, start, (TupleType){list_end(p, elements)});
}

// FnType = "fn" "(" ( Type ( "," Type )* ","? )? ")" "->" Type
static NodeId parse_fn_type(Parser *p) {
  uint32_t start = p->token.start;
  parser_take(p);
  FnType view = {0};
  if (!parser_at(p, TOKEN_LPAREN)) {
    parser_error(p, EXPECTED_TOKEN, "`(`");
    return parser_error_node(p);
  }
  Bracket bracket = parser_open(p);
  ListStart params = list_start(p);
  if (!parser_at(p, TOKEN_RPAREN)) {
    do
      list_push(p, parse_type(p));
    while (parser_next_element(p, bracket, "type"));
  }
  parser_close(p, bracket, "type", true);
  view.params = list_end(p, params);
  parser_expect(p, TOKEN_ARROW);
  view.result = parse_type(p);
  return add_fn_type(p, start, view);
}

static NodeId parse_type_here(Parser *p) {
  switch (parser_kind(p)) {
  case TOKEN_AND:
  case TOKEN_AND_AND:
    return parse_ref_type(p);
  case TOKEN_STAR:
    return parse_pointer_type(p);
  case TOKEN_LBRACKET:
    return parse_array_type(p);
  case TOKEN_LPAREN:
    return parse_tuple_type(p);
  case TOKEN_FN:
    return parse_fn_type(p);
  default:
    if (parser_at_word(p, p->known.tensor))
      return parse_tensor_type(p);
    if (parser_at_name(p))
      return parse_named_type(p);
    parser_error(p, EXPECTED_TYPE, "a type");
    return parser_error_node(p);
  }
}

// Type = RefType | PointerType | ArrayType | TupleType | FnType | TensorType
//      | NamedType
NodeId parse_type(Parser *p) {
  if (p->is_panicking || !parser_enter(p))
    return parser_error_node(p);
  NodeId type = parse_type_here(p);
  parser_leave(p);
  return type;
}
