// SPDX-License-Identifier: Apache-2.0
//
// Calls: declared functions, the functions and methods that the language
// itself has, and macros.

#include "sema/internal.h"

// --- What the language has ---------------------------------------------------

// Numerical functions of the language that are not checked yet, as functions
// and as methods.
static const char *const numerical[] = {
    "dot",       "exp",     "log",       "sqrt",    "rsqrt",   "tanh",
    "sigmoid",   "relu",    "gelu",      "silu",    "softmax", "rmsnorm",
    "layernorm", "conv2d",  "depthwise", "maxpool", "avgpool", "pad",
    "gather",    "reshape", "transpose", "tile",    "map",     "as_ptr",
    "swap",      "sizeof",  "load",      "embed",   "copies",  "Reachable",
};

static const char *const reductions[] = {"sum", "max", "min", "mean"};

static bool is_one_of(Str name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (str_equal(name, str_from(names[i])))
      return true;
  return false;
}

static void check_arguments(Checker *c, NodeList args) {
  for (uint32_t i = 0; i < args.count; i++)
    check_expr(c, list_at(c->tree, args, i), NO_TYPE);
}

static TypeId wrong_count(Checker *c, NodeId node, Str name, uint64_t expected,
                          uint64_t found) {
  report_argument_count(c, node, name, expected, found);
  return set_type(c, node, type_error(c));
}

// print(x), println(x): scalars, strings and tensors.
static TypeId check_print(Checker *c, NodeId node, Str name, NodeList args) {
  TypeTable *types = c->program->types;
  if (args.count != 1) {
    check_arguments(c, args);
    return wrong_count(c, node, name, 1, args.count);
  }
  NodeId value = list_at(c->tree, args, 0);
  TypeId type = check_operand(c, value, NO_TYPE);
  TypeKind kind = info_of(c, type)->kind;
  if (kind == TYPE_STRUCT || kind == TYPE_VOID || kind == TYPE_RANGE)
    diag_argument_type(c->program->sink, span_of(c, value), STR("the value"),
                       name, STR("a scalar, a text or a tensor"),
                       text_of_type(c, type));
  return set_type(c, node, types->void_);
}

TypeId check_macro(Checker *c, NodeId node) {
  MacroCall call = macro_call(c->tree, node);
  Str name = token_text(c->tree, call.name);
  if (!str_equal(name, STR("print")) && !str_equal(name, STR("println")))
    return unsupported(c, node, "macros");
  if (call.args.count != 1 ||
      node_kind(c->tree, list_at(c->tree, call.args, 0)) != NODE_StringLit) {
    check_arguments(c, call.args);
    Str full = str_format(message_arena(c), "%.*s!", STR_ARG(name));
    if (call.args.count != 1)
      return wrong_count(c, node, full, 1, call.args.count);
    NodeId value = list_at(c->tree, call.args, 0);
    TypeId type = c->types[value.index];
    if (!is_error(c, type)) {
      Diagnostic *d = diag_argument_type(
          c->program->sink, span_of(c, value), STR("the text"), full,
          STR("a text, written out"), text_of_type(c, type));
      diag_add_help(c->program->sink, d,
                    str_format(message_arena(c), "`%.*s(..)` prints a value",
                               STR_ARG(name)));
    }
    return set_type(c, node, type_error(c));
  }
  check_arguments(c, call.args);
  return set_type(c, node, c->program->types->void_);
}

// sum(t), t.sum(): over the whole tensor.
static TypeId check_reduction(Checker *c, NodeId node, Str name, TypeId type,
                              NodeId at, uint32_t more_arguments) {
  const TypeInfo *info = info_of(c, type);
  if (info->kind == TYPE_ERROR)
    return set_type(c, node, type_error(c));
  if (more_arguments)
    return unsupported(c, node, "reductions along an axis");
  if (info->kind != TYPE_TENSOR || !element_is_number(info->element)) {
    diag_argument_type(c->program->sink, span_of(c, at), STR("the value"), name,
                       STR("a tensor of numbers"), text_of_type(c, type));
    return set_type(c, node, type_error(c));
  }
  return set_type(c, node, type_scalar(c->program->types, info->element));
}

// --- Declared functions ------------------------------------------------------

static Str argument_words(Checker *c, const FunctionDecl *decl, uint32_t i) {
  const Local *local = &c->program->locals.items[decl->first_param + i];
  Str name = name_of(c, local->name);
  return str_format(message_arena(c), "argument `%.*s`", STR_ARG(name));
}

// A tensor where a reference to it is wanted: the missing `&`.
static void suggest_borrow(Checker *c, Diagnostic *d, NodeId argument,
                           TypeId wanted, TypeId found) {
  const TypeInfo *info = info_of(c, wanted);
  if (info->kind != TYPE_REF ||
      type_fits(c->program->types, info->target, found) != FIT_YES)
    return;
  Span span = span_of(c, argument);
  Str text = source_text(c->program->sources, span);
  diag_add_fixit(c->program->sink, d, span,
                 str_format(message_arena(c), "%s%.*s",
                            info->is_mut ? "&mut " : "&", STR_ARG(text)),
                 STR("borrow it"));
}

static TypeId call_function(Checker *c, NodeId node, uint32_t index) {
  CallExpr call = call_expr(c->tree, node);
  Program *program = c->program;
  FunctionDecl decl = program->functions.items[index];
  Str name = name_of(c, decl.name);
  c->symbols[node.index] = symbol_make(SYMBOL_FUNCTION, index);
  if (!decl.is_supported) {
    check_arguments(c, call.args);
    return set_type(c, node, type_error(c));
  }
  if (call.args.count != decl.param_count) {
    check_arguments(c, call.args);
    Diagnostic *d =
        report_argument_count(c, node, name, decl.param_count, call.args.count);
    diag_add_label(program->sink, d, decl.span, STR("declared here"));
    return set_type(c, node, decl.result);
  }
  for (uint32_t i = 0; i < decl.param_count; i++) {
    NodeId argument = list_at(c->tree, call.args, i);
    TypeId wanted = program->locals.items[decl.first_param + i].type;
    TypeId found = check_value(c, argument, wanted);
    const TypeInfo *info = info_of(c, found);
    if (info->kind == TYPE_REF && info_of(c, wanted)->kind == TYPE_SCALAR)
      found = type_strip(program->types, found);
    if (fit_value(c, argument, wanted, found) != FIT_NO)
      continue;
    Diagnostic *d = diag_argument_type(
        program->sink, span_of(c, argument), argument_words(c, &decl, i), name,
        text_of_type(c, wanted), text_of_type(c, found));
    diag_add_label(program->sink, d, decl.param_type_spans[i],
                   STR("declared here"));
    suggest_borrow(c, d, argument, wanted, found);
  }
  return set_type(c, node, decl.result);
}

static TypeId unknown_function(Checker *c, NodeId node, NodeId callee,
                               Str name) {
  DiagSink *sink = c->program->sink;
  Diagnostic *d = diag_unknown_function(sink, span_of(c, callee), name);
  Str near = suggest_name(c, name, 1u << SYMBOL_FUNCTION);
  if (near.length)
    diag_add_help(
        sink, d,
        str_format(sink->arena, "did you mean `%.*s`?", STR_ARG(near)));
  check_arguments(c, call_expr(c->tree, node).args);
  return set_type(c, node, type_error(c));
}

static TypeId call_builtin(Checker *c, NodeId node, NodeId callee, Str name) {
  NodeList args = call_expr(c->tree, node).args;
  if (str_equal(name, STR("print")) || str_equal(name, STR("println")))
    return check_print(c, node, name, args);
  if (is_one_of(name, reductions, COUNT_OF(reductions))) {
    if (args.count == 0)
      return wrong_count(c, node, name, 1, 0);
    NodeId value = list_at(c->tree, args, 0);
    TypeId type = check_operand(c, value, NO_TYPE);
    return check_reduction(c, node, name, type, value, args.count - 1);
  }
  if (is_one_of(name, numerical, COUNT_OF(numerical)))
    return unsupported(c, callee, str_to_c(message_arena(c), name));
  return unknown_function(c, node, callee, name);
}

static bool is_reserved(const Checker *c, NodeId callee) {
  TokenKind kind = token_kind(c->tree, ident(c->tree, callee).name);
  return kind == TOKEN_GRAD || kind == TOKEN_VJP || kind == TOKEN_JVP;
}

static TypeId call_named(Checker *c, NodeId node, NodeId callee) {
  if (is_reserved(c, callee)) {
    unsupported(
        c, callee,
        token_kind_text(token_kind(c->tree, ident(c->tree, callee).name)));
    return set_type(c, node, type_error(c));
  }
  Name name = token_name(c->tree, ident(c->tree, callee).name);
  NodeList args = call_expr(c->tree, node).args;
  if (scope_find(c, name) != UINT32_MAX) {
    check_arguments(c, args);
    unsupported(c, callee, "function values");
    return set_type(c, node, type_error(c));
  }
  Symbol symbol = find_global(c, name, span_of(c, callee));
  switch ((SymbolKind)symbol.kind) {
  case SYMBOL_FUNCTION:
    return call_function(c, node, symbol.index);
  case SYMBOL_UNSUPPORTED:
    check_arguments(c, args);
    return set_type(c, node, type_error(c));
  case SYMBOL_NONE:
    return call_builtin(c, node, callee, name_of(c, name));
  case SYMBOL_CONST:
  case SYMBOL_STRUCT:
  case SYMBOL_LOCAL:
  case SYMBOL_REGION:
  case SYMBOL_LOOP:
  case SYMBOL_VALUE:
    break;
  }
  return unknown_function(c, node, callee, name_of(c, name));
}

// module::function(..).
static TypeId call_path(Checker *c, NodeId node, NodeId callee) {
  NodeList path = path_expr(c->tree, callee).path;
  Name first =
      token_name(c->tree, ident(c->tree, list_at(c->tree, path, 0)).name);
  Name last = token_name(
      c->tree, ident(c->tree, list_at(c->tree, path, path.count - 1)).name);
  uint32_t unit = path.count == 2 ? find_import(c, first) : UINT32_MAX;
  NodeList args = call_expr(c->tree, node).args;
  if (unit == UINT32_MAX) {
    Symbol symbol = find_global(c, first, span_of(c, callee));
    check_arguments(c, args);
    if (symbol.kind == SYMBOL_UNSUPPORTED)
      return set_type(c, node, type_error(c));
    return unknown_function(
        c, node, callee, source_text(c->program->sources, span_of(c, callee)));
  }
  Symbol symbol = find_in_unit(c->program, unit, last);
  if (symbol.kind == SYMBOL_FUNCTION)
    return call_function(c, node, symbol.index);
  check_arguments(c, args);
  if (symbol.kind == SYMBOL_NONE)
    diag_not_exported(c->program->sink, span_of(c, callee), name_of(c, first),
                      name_of(c, last));
  else if (symbol.kind != SYMBOL_UNSUPPORTED)
    return unknown_function(c, node, callee, name_of(c, last));
  return set_type(c, node, type_error(c));
}

TypeId check_call(Checker *c, NodeId node, TypeId expected) {
  CallExpr call = call_expr(c->tree, node);
  NodeId callee = node_unparen(c->tree, call.callee);
  if (c->function == NULL) { // in a constant, or in the type of a declaration
    diag_not_constant(c->program->sink, span_of(c, node), STR("a call"));
    return set_type(c, node, type_error(c));
  }
  switch ((int)node_kind(c->tree, callee)) {
  case NODE_Ident:
    return call_named(c, node, callee);
  case NODE_PathExpr:
    return call_path(c, node, callee);
  case NODE_TypeMember: {
    TypeMember member = type_member(c->tree, callee);
    return check_constructor(c, node, member.type, member.name, call.args,
                             expected);
  }
  case NODE_TypeExpr:
    return check_constructor(c, node, type_expr(c->tree, callee).type,
                             (TokenId){0}, call.args, expected);
  case NODE_GenericExpr:
    check_arguments(c, call.args);
    unsupported(c, callee, "generic calls");
    return set_type(c, node, type_error(c));
  case NODE_ErrorNode:
    check_arguments(c, call.args);
    return set_type(c, node, type_error(c));
  default:
    check_arguments(c, call.args);
    if (!is_error(c, check_expr(c, callee, NO_TYPE)))
      unsupported(c, callee, "function values");
    return set_type(c, node, type_error(c));
  }
}

// --- Methods -----------------------------------------------------------------

static TypeId check_extent(Checker *c, NodeId node, const TypeInfo *info) {
  MethodCall call = method_call(c->tree, node);
  ConstValue value;
  uint32_t rank = info->rank;
  if (call.args.count == 1) {
    NodeId argument = list_at(c->tree, call.args, 0);
    check_operand(c, argument, NO_TYPE);
    if (evaluate(c, argument, &value) == EVAL_OK &&
        value.kind == CONST_INTEGER && value.integer >= 0 &&
        value.integer < (Int128)rank)
      return set_type(c, node, type_scalar(c->program->types, ELEMENT_I64));
  }
  diag_bad_extent(c->program->sink, span_of(c, node), rank);
  return set_type(c, node, type_error(c));
}

static bool is_constructor(const Checker *c, NodeId node) {
  node = node_unparen(c->tree, node);
  if (node_kind(c->tree, node) == NODE_ListExpr)
    return true;
  if (node_kind(c->tree, node) != NODE_CallExpr)
    return false;
  NodeKind callee = node_kind(
      c->tree, node_unparen(c->tree, call_expr(c->tree, node).callee));
  return callee == NODE_TypeMember || callee == NODE_TypeExpr;
}

// e.with_memory(Memory::S): where a constructor makes its tensor.
static TypeId check_with_memory(Checker *c, NodeId node, TypeId type) {
  MethodCall call = method_call(c->tree, node);
  if (call.args.count != 1)
    return wrong_count(c, node, STR("with_memory"), 1, call.args.count);
  Placement placement;
  if (!resolve_memory(c, list_at(c->tree, call.args, 0),
                      (Context){.kind = CONTEXT_EXPRESSION}, &placement))
    return set_type(c, node, type_error(c));
  TypeTable *types = c->program->types;
  if (!is_constructor(c, call.receiver) &&
      !placement_equal(info_of(c, type)->placement, placement))
    sema_report_place(c->program, c->unit, call.receiver, type, c->active,
                      PLACE_ELSEWHERE, placement);
  return set_type(c, node,
                  placed(c, type_with_placement(types, type, placement)));
}

static TypeId unknown_method(Checker *c, NodeId node, TypeId type, Str name) {
  static const char *const methods[] = {"extent", "len", "clone", "with_memory",
                                        "sum",    "max", "min",   "mean"};
  DiagSink *sink = c->program->sink;
  MethodCall call = method_call(c->tree, node);
  Diagnostic *d = diag_unknown_method(sink, token_span(c->tree, call.name),
                                      text_of_type(c, type), name);
  const char *near = NULL;
  size_t nearest = 3;
  for (size_t i = 0; i < COUNT_OF(methods); i++) {
    size_t distance =
        str_distance(&c->scratch, name, str_from(methods[i]), nearest);
    if (distance < nearest) {
      nearest = distance;
      near = methods[i];
    }
  }
  if (near && type_is_tensor(c->program->types, type))
    diag_add_help(sink, d, str_format(sink->arena, "did you mean `%s`?", near));
  return set_type(c, node, type_error(c));
}

static TypeId tensor_method(Checker *c, NodeId node, TypeId type, Str name) {
  MethodCall call = method_call(c->tree, node);
  TypeTable *types = c->program->types;
  if (str_equal(name, STR("with_memory")))
    return check_with_memory(c, node, type);
  if (str_equal(name, STR("extent")))
    return check_extent(c, node, info_of(c, type));
  if (is_one_of(name, numerical, COUNT_OF(numerical)))
    return unsupported(c, node, str_to_c(message_arena(c), name));
  check_arguments(c, call.args);
  if (str_equal(name, STR("len")) || str_equal(name, STR("clone"))) {
    if (call.args.count)
      return wrong_count(c, node, name, 0, call.args.count);
    return set_type(
        c, node,
        str_equal(name, STR("len")) ? type_scalar(types, ELEMENT_I64) : type);
  }
  if (is_one_of(name, reductions, COUNT_OF(reductions)))
    return check_reduction(c, node, name, type, call.receiver, call.args.count);
  return unknown_method(c, node, type, name);
}

TypeId check_method(Checker *c, NodeId node, TypeId expected) {
  (void)expected;
  MethodCall call = method_call(c->tree, node);
  TypeId type = check_operand(c, call.receiver, NO_TYPE);
  Str name = token_text(c->tree, call.name);
  const TypeInfo *info = info_of(c, type);
  if (info->kind == TYPE_ERROR) {
    for (uint32_t i = 0; i < call.args.count; i++) {
      NodeId argument = list_at(c->tree, call.args, i);
      if (node_kind(c->tree, argument) != NODE_Place)
        check_expr(c, argument, NO_TYPE);
    }
    return set_type(c, node, type_error(c));
  }
  if (info->kind == TYPE_TENSOR)
    return tensor_method(c, node, type, name);
  check_arguments(c, call.args);
  return unknown_method(c, node, type, name);
}
