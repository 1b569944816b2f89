// SPDX-License-Identifier: Apache-2.0
//
// The passes of sema: collect the names of all units, resolve the types of
// declarations, evaluate constants, check bodies.

#include "sema/internal.h"

#include <stdlib.h>

static const char *const builtin_memories[] = {
    "CPU_DRAM", "NPU_HBM", "GPU_HBM", "Local_SRAM", "NIC_RAM", "Remote_HBM",
};

static uint8_t *find_held(Arena *arena, Interner *interner,
                          const Machine *machine) {
  uint8_t *is_held = ARENA_ARRAY(arena, uint8_t, machine->memory_count + 1u);
  for (uint32_t i = 1; i < machine->topology_count; i++) {
    const Topology *topology = &machine->topologies[i];
    is_held[topology->memory.index] = 1;
    for (uint32_t j = 0; j < topology->visible_count; j++)
      is_held[topology->visible[j].memory.index] = 1;
  }
  for (size_t i = 0; i < COUNT_OF(builtin_memories); i++) {
    Name name = intern_c(interner, builtin_memories[i]);
    is_held[machine_find_memory(machine, name).index] = 1;
  }
  return is_held;
}

Program *sema_new(Arena *arena, Interner *interner, SourceMap *sources,
                  const Machine *machine, TypeTable *types, DiagSink *sink) {
  Program *program = ARENA_NEW(arena, Program);
  *program = (Program){.arena = arena,
                       .interner = interner,
                       .sources = sources,
                       .machine = machine,
                       .types = types,
                       .sink = sink};
  program->is_held = find_held(arena, interner, machine);
  VEC_PUSH(arena, &program->structs, (StructDecl){0});
  program->host.topology =
      machine_find_topology(machine, intern_c(interner, "CPU"));
  return program;
}

uint32_t sema_add_unit(Program *program, const Tree *tree, Name name) {
  Arena *arena = program->arena;
  Unit unit = {.tree = tree, .name = name};
  unit.types = ARENA_ARRAY(arena, TypeId, tree->nodes.count);
  unit.symbols = ARENA_ARRAY(arena, Symbol, tree->nodes.count);
  VEC_PUSH(arena, &program->units, unit);
  return program->units.count - 1;
}

void sema_add_import(Program *program, uint32_t importer, uint32_t imported) {
  VEC_PUSH(program->arena, &program->units.items[importer].imports, imported);
}

// --- Collecting names --------------------------------------------------------

static Span declared_span(const Program *p, Symbol symbol) {
  switch ((SymbolKind)symbol.kind) {
  case SYMBOL_CONST:
    return p->consts.items[symbol.index].span;
  case SYMBOL_FUNCTION:
    return p->functions.items[symbol.index].span;
  case SYMBOL_STRUCT:
    return p->structs.items[symbol.index].span;
  case SYMBOL_LOCAL:
  case SYMBOL_UNSUPPORTED:
  case SYMBOL_NONE:
  case SYMBOL_REGION:
  case SYMBOL_LOOP:
  case SYMBOL_VALUE:
    break;
  }
  return NO_SPAN;
}

static void report_twice(Checker *c, Span span, const char *what, Name name,
                         Span first) {
  DiagSink *sink = c->program->sink;
  Diagnostic *d =
      diag_declared_twice(sink, span, str_from(what), name_of(c, name));
  if (!span_is_none(first))
    diag_add_label(sink, d, first, STR("first declared here"));
}

static bool is_type_name(Str name) {
  static const char *const names[] = {"void", "Tensor",   "Pinned", "On",
                                      "Ref",  "Verified", "block"};
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (str_equal(name, str_from(names[i])))
      return true;
  return element_from_name(name) != ELEMENT_COUNT;
}

bool check_free_name(Checker *c, Span span, Name name, bool is_type) {
  Str text = name_of(c, name);
  bool is_fixed = str_equal(text, STR("true")) ||
                  str_equal(text, STR("false")) ||
                  str_equal(text, STR("self")) || str_equal(text, STR("Self"));
  if (!is_fixed && !(is_type && is_type_name(text)))
    return true;
  Diagnostic *d =
      diag_declared_twice(c->program->sink, span, STR("built-in name"), text);
  diag_add_help(c->program->sink, d,
                STR("this name has a fixed meaning in the language"));
  return false;
}

static void declare(Checker *c, TokenId token, SymbolKind kind,
                    uint32_t index) {
  Name name = token_name(c->tree, token);
  if (name.index == 0 || !check_free_name(c, token_span(c->tree, token), name,
                                          kind == SYMBOL_STRUCT))
    return;
  Symbol before = find_in_unit(c->program, c->unit, name);
  if (before.kind != SYMBOL_NONE) {
    report_twice(c, token_span(c->tree, token), "item", name,
                 declared_span(c->program, before));
    return;
  }
  map_put(c->program->arena, &c->program->units.items[c->unit].names,
          name.index, ((uint64_t)kind << 32) | index);
}

static void collect_function(Checker *c, NodeId node) {
  FnItem item = fn_item(c->tree, node);
  FunctionDecl decl = {.name = token_name(c->tree, item.name),
                       .span = token_span(c->tree, item.name),
                       .unit = c->unit,
                       .node = node,
                       .is_supported = true};
  VEC_PUSH(c->program->arena, &c->program->functions, decl);
  declare(c, item.name, SYMBOL_FUNCTION, c->program->functions.count - 1);
}

static void collect_const(Checker *c, NodeId node) {
  ConstItem item = const_item(c->tree, node);
  ConstDecl decl = {.name = token_name(c->tree, item.name),
                    .span = token_span(c->tree, item.name),
                    .unit = c->unit,
                    .node = node};
  VEC_PUSH(c->program->arena, &c->program->consts, decl);
  declare(c, item.name, SYMBOL_CONST, c->program->consts.count - 1);
}

static void collect_struct(Checker *c, NodeId node) {
  StructItem item = struct_item(c->tree, node);
  Name name = token_name(c->tree, item.name);
  StructDecl decl = {.name = name,
                     .span = token_span(c->tree, item.name),
                     .unit = c->unit,
                     .node = node,
                     .type = type_add_struct(c->program->types, name),
                     .is_supported = true};
  VEC_PUSH(c->program->arena, &c->program->structs, decl);
  declare(c, item.name, SYMBOL_STRUCT, c->program->structs.count - 1);
}

// Names of what is not supported yet, so that their uses are not reported too.
static void collect_unsupported(Checker *c, NodeId node, TokenId name,
                                const char *feature) {
  if (feature)
    unsupported(c, node, feature);
  if (name.index)
    declare(c, name, SYMBOL_UNSUPPORTED, 0);
}

static void collect_extern(Checker *c, NodeId node) {
  NodeList items = extern_block(c->tree, node).items;
  unsupported(c, node, "extern");
  for (uint32_t i = 0; i < items.count; i++) {
    NodeId item = list_at(c->tree, items, i);
    if (node_kind(c->tree, item) == NODE_FnItem)
      collect_unsupported(c, item, fn_item(c->tree, item).name, NULL);
  }
}

static void collect_item(Checker *c, NodeId node) {
  switch ((int)node_kind(c->tree, node)) {
  case NODE_FnItem:
    if (fn_item(c->tree, node).flags & FN_EXTERN)
      collect_unsupported(c, node, fn_item(c->tree, node).name, "extern");
    else if (fn_item(c->tree, node).flags & FN_UNSAFE)
      collect_unsupported(c, node, fn_item(c->tree, node).name, "unsafe fn");
    else
      collect_function(c, node);
    return;
  case NODE_ConstItem:
    collect_const(c, node);
    return;
  case NODE_StructItem:
    collect_struct(c, node);
    return;
  case NODE_EnumItem:
    collect_unsupported(c, node, enum_item(c->tree, node).name, "enums");
    return;
  case NODE_ExternBlock:
    collect_extern(c, node);
    return;
  case NODE_ImplItem:
    unsupported(c, node, "impl");
    return;
  case NODE_OpaqueItem: // E1014 by the parser
    collect_unsupported(c, node, opaque_item(c->tree, node).name, NULL);
    return;
  default: // imports, machine items, ErrorNodes: not sema's
    return;
  }
}

// --- Declarations ------------------------------------------------------------

static TypeId declared_type(Checker *c, NodeId node, Context context) {
  return node.index ? resolve_type(c, node, context) : type_error(c);
}

// The type of a parameter or a field: something, not nothing.
static TypeId value_type(Checker *c, NodeId node, Context context) {
  TypeId type = declared_type(c, node, context);
  if (info_of(c, type_strip(c->program->types, type))->kind != TYPE_VOID)
    return type;
  diag_not_a_value(c->program->sink, span_of(c, node), STR("`void`"),
                   STR("it stands for no value, as the result of a function"));
  return type_error(c);
}

static void resolve_struct(Checker *c, StructDecl *decl) {
  StructItem item = struct_item(c->tree, decl->node);
  if (item.generics.count) {
    unsupported(c, list_at(c->tree, item.generics, 0), "generic structs");
    decl->is_supported = false;
    return;
  }
  decl->field_count = item.fields.count;
  decl->fields = ARENA_ARRAY(c->program->arena, FieldInfo, item.fields.count);
  for (uint32_t i = 0; i < item.fields.count; i++) {
    NodeId node = list_at(c->tree, item.fields, i);
    if (node_kind(c->tree, node) != NODE_FieldDecl) {
      decl->fields[i].type = type_error(c);
      continue;
    }
    FieldDecl field = field_decl(c->tree, node);
    Name name = token_name(c->tree, field.name);
    Context context = {CONTEXT_FIELD, name, decl->name};
    TypeId type = value_type(c, field.type, context);
    if (info_of(c, type)->kind == TYPE_REF)
      type = unsupported(c, field.type, "references in structs");
    decl->fields[i] = (FieldInfo){name, token_span(c->tree, field.name), type,
                                  span_of(c, field.type)};
    uint64_t first;
    if (map_get(&decl->by_name, name.index, &first))
      report_twice(c, decl->fields[i].span, "field", name,
                   decl->fields[first].span);
    else
      map_put(c->program->arena, &decl->by_name, name.index, i);
  }
}

#define MAX_STRUCT_DEPTH 64
#define MAX_STRUCT_TENSORS 4096
enum { DEPTH_UNKNOWN = 0, DEPTH_RUNNING = 255 };

typedef struct {
  uint8_t depth;    // levels of structs, at least 1 for a struct
  uint16_t tensors; // in all levels together
} StructSize;

static StructSize measure_struct(Checker *c, uint32_t index, StructSize *sizes,
                                 unsigned level);

static StructSize measure_field(Checker *c, TypeId type, StructSize *sizes,
                                unsigned level) {
  const TypeInfo *info = info_of(c, type_strip(c->program->types, type));
  if (info->kind != TYPE_STRUCT)
    return (StructSize){0, info->kind == TYPE_TENSOR};
  if (level == MAX_STRUCT_DEPTH)
    return (StructSize){MAX_STRUCT_DEPTH, 0};
  return measure_struct(c, info->struct_index, sizes, level + 1);
}

// Why a struct cannot have one more field; empty where it can.
static Str excess_of(Checker *c, const StructDecl *decl, StructSize field,
                     unsigned tensors) {
  if (field.depth == DEPTH_RUNNING)
    return str_format(message_arena(c), "struct `%.*s` would contain itself",
                      STR_ARG(name_of(c, decl->name)));
  if (field.depth >= MAX_STRUCT_DEPTH)
    return str_format(message_arena(c), "structs nest at most %d levels deep",
                      MAX_STRUCT_DEPTH);
  if (tensors + field.tensors > MAX_STRUCT_TENSORS)
    return str_format(message_arena(c), "a struct holds at most %d tensors",
                      MAX_STRUCT_TENSORS);
  return (Str){0};
}

// A field through which a struct would contain itself, nest too deep or hold
// too many tensors is refused.
static StructSize measure_struct(Checker *c, uint32_t index, StructSize *sizes,
                                 unsigned level) {
  if (sizes[index].depth != DEPTH_UNKNOWN)
    return sizes[index];
  const StructDecl *decl = &c->program->structs.items[index];
  StructSize size = {1, 0};
  sizes[index].depth = DEPTH_RUNNING;
  for (uint32_t i = 0; i < decl->field_count; i++) {
    FieldInfo *field = &decl->fields[i];
    StructSize inner = measure_field(c, field->type, sizes, level);
    Str why = excess_of(c, decl, inner, size.tensors);
    if (why.length > 0) {
      diag_not_a_value(c->program->sink, field->type_span, STR("this type"),
                       why);
      field->type = type_error(c);
      continue;
    }
    if (inner.depth >= size.depth)
      size.depth = (uint8_t)(inner.depth + 1);
    size.tensors = (uint16_t)(size.tensors + inner.tensors);
  }
  return sizes[index] = size;
}

static void resolve_params(Checker *c, FunctionDecl *decl, NodeList params) {
  Program *program = c->program;
  decl->first_param = program->locals.count;
  decl->param_count = params.count;
  decl->param_type_spans = ARENA_ARRAY(program->arena, Span, params.count);
  Map seen = {0};
  for (uint32_t i = 0; i < params.count; i++) {
    NodeId node = list_at(c->tree, params, i);
    Local local = {.type = type_error(c), .is_param = true};
    if (node_kind(c->tree, node) == NODE_Param) {
      Param written = param(c->tree, node);
      Context context = {CONTEXT_FUNCTION, decl->name, {0}};
      local.name = token_name(c->tree, written.name);
      local.span = token_span(c->tree, written.name);
      local.type = value_type(c, written.type, context);
      local.is_mut = written.flags & PARAM_MUT;
      decl->param_type_spans[i] =
          written.type.index ? span_of(c, written.type) : local.span;
    }
    uint64_t first;
    uint32_t index = add_local(c, local);
    if (local.name.index && map_get(&seen, local.name.index, &first))
      report_twice(c, local.span, "parameter", local.name,
                   program->locals.items[first].span);
    else
      map_put(&c->scratch, &seen, local.name.index, index);
  }
}

static void resolve_on(Checker *c, FunctionDecl *decl, NodeId on) {
  Active active = c->program->host;
  Context context = {CONTEXT_FUNCTION, decl->name, {0}};
  if (on.index && resolve_topology(c, on, context, &active)) {
    decl->on = active.topology;
    decl->on_instance = active.instance;
  }
}

// `main` returns i32, its exit status, and takes nothing; its other form needs
// raw pointers.
static void check_main(Checker *c, const FunctionDecl *decl) {
  DiagSink *sink = c->program->sink;
  TypeId status = type_scalar(c->program->types, ELEMENT_I32);
  if (!is_error(c, decl->result) && !type_equal(decl->result, status)) {
    Diagnostic *d = diag_return_type(sink, decl->result_span, STR("main"),
                                     STR("i32"), text_of_type(c, decl->result));
    diag_add_help(sink, d,
                  STR("the result of `main` is the exit status: `-> i32`"));
  }
  if (decl->param_count && !decl->has_errors)
    diag_argument_count(
        sink, decl->span, STR("main"),
        STR("nothing, or `(argc: i32, argv: *const *const i8)`"),
        str_format(message_arena(c), "%u %s declared", decl->param_count,
                   decl->param_count == 1 ? "is" : "are"));
}

static void resolve_function(Checker *c, FunctionDecl *decl) {
  FnItem item = fn_item(c->tree, decl->node);
  if (item.generics.count) {
    unsupported(c, list_at(c->tree, item.generics, 0), "generic functions");
    decl->is_supported = false;
    return;
  }
  for (uint32_t i = 0; i < item.where.count; i++)
    unsupported(c, list_at(c->tree, item.where, i), "where clauses");
  resolve_on(c, decl, item.on);
  c->active = decl->on.index ? (Active){.topology = decl->on,
                                        .instance = decl->on_instance}
                             : c->program->host;
  resolve_params(c, decl, item.params);
  Context context = {CONTEXT_FUNCTION, decl->name, {0}};
  decl->result = declared_type(c, item.result, context);
  decl->result_span = item.result.index ? span_of(c, item.result) : decl->span;
  decl->has_errors = is_error(c, decl->result);
  for (uint32_t i = 0; i < decl->param_count; i++)
    decl->has_errors |=
        is_error(c, c->program->locals.items[decl->first_param + i].type);
  if (str_equal(name_of(c, decl->name), STR("main")) && decl->unit == 0)
    check_main(c, decl);
}

static void resolve_const(Checker *c, ConstDecl *decl) {
  ConstItem item = const_item(c->tree, decl->node);
  Context context = {CONTEXT_CONST, decl->name, {0}};
  decl->type = declared_type(c, item.type, context);
  TypeKind kind = info_of(c, decl->type)->kind;
  if (kind != TYPE_SCALAR && kind != TYPE_ERROR)
    decl->type = unsupported(c, item.type, "constants that are not scalars");
  if (is_error(c, decl->type) || item.value.index == 0)
    decl->state = CONST_DONE;
}

// --- -D NAME=VALUE -----------------------------------------------------------

static bool define_value(Checker *c, Str text, ConstValue *value) {
  bool is_negative = text.length > 1 && text.data[0] == '-';
  Str digits = is_negative ? str_slice(text, 1, text.length - 1) : text;
  *value = (ConstValue){0};
  if (str_equal(text, STR("true")) || str_equal(text, STR("false"))) {
    *value = (ConstValue){.kind = CONST_BOOL, .integer = text.data[0] == 't'};
    return true;
  }
  Int128 integer = 0;
  size_t i = 0;
  for (; i < digits.length; i++) {
    char digit = digits.data[i];
    if (digit == '_' && i)
      continue;
    if (digit < '0' || digit > '9' || !mul_i128(integer, 10, &integer) ||
        !add_i128(integer, digit - '0', &integer))
      break;
  }
  if (i == digits.length && i > 0) {
    *value = (ConstValue){.kind = CONST_INTEGER,
                          .integer = is_negative ? -integer : integer};
    return true;
  }
  char *end;
  char *copy = str_to_c(&c->scratch, text);
  double number = strtod(copy, &end);
  bool is_number = *end == '\0' && text.length &&
                   (digits.data[0] >= '0' && digits.data[0] <= '9');
  *value = (ConstValue){.kind = CONST_FLOAT, .number = number};
  return is_number;
}

static bool define_fits(Checker *c, const ConstDecl *decl,
                        const ConstValue *value) {
  const TypeInfo *info = info_of(c, decl->type);
  if (info->kind != TYPE_SCALAR)
    return true;
  switch (element_class(info->element)) {
  case CLASS_BOOL:
    return value->kind == CONST_BOOL;
  case CLASS_SIGNED:
  case CLASS_UNSIGNED:
    return value->kind == CONST_INTEGER;
  case CLASS_FLOAT:
    return value->kind == CONST_INTEGER || value->kind == CONST_FLOAT;
  case CLASS_STORAGE:
    return false;
  }
  PANIC("unknown class");
}

// Replaces every const of that name in the inputs; false when there is none.
static bool apply_define(Checker *c, const Define *define) {
  Program *program = c->program;
  bool is_used = false;
  for (uint32_t i = 0; i < program->consts.count; i++) {
    ConstDecl *decl = &program->consts.items[i];
    if (!str_equal(name_of(c, decl->name), define->name))
      continue;
    is_used = true;
    const Unit *unit = &program->units.items[decl->unit];
    c->tree = unit->tree;
    NodeId node = const_item(unit->tree, decl->node).value;
    ConstValue value;
    if (!define_value(c, define->value, &value))
      return false;
    decl->state = CONST_DONE;
    if (!define_fits(c, decl, &value)) {
      Str type = text_of_type(c, decl->type);
      diag_constant_fails(
          program->sink, decl->span,
          str_format(message_arena(c),
                     "`-D` gives it `%.*s`, which is not a value of `%.*s`",
                     STR_ARG(define->value), STR_ARG(type)));
      continue;
    }
    if (node.index == 0 || !check_const_range(c, node, decl->type, &value))
      continue;
    if (element_class(info_of(c, decl->type)->element) == CLASS_FLOAT &&
        value.kind == CONST_INTEGER)
      value =
          (ConstValue){.kind = CONST_FLOAT, .number = (double)value.integer};
    decl->value = value;
  }
  return is_used;
}

// --- The passes --------------------------------------------------------------

static void enter_unit(Checker *c, uint32_t unit) {
  Unit *u = &c->program->units.items[unit];
  c->unit = unit;
  c->tree = u->tree;
  c->types = u->types;
  c->symbols = u->symbols;
  c->active = c->program->host;
}

static void collect_units(Checker *c) {
  for (uint32_t i = 0; i < c->program->units.count; i++) {
    enter_unit(c, i);
    NodeList items = module(c->tree, c->tree->root).items;
    for (uint32_t j = 0; j < items.count; j++)
      collect_item(c, list_at(c->tree, items, j));
  }
}

static void resolve_declarations(Checker *c) {
  Program *p = c->program;
  for (uint32_t i = 0; i < p->consts.count; i++) {
    enter_unit(c, p->consts.items[i].unit);
    resolve_const(c, &p->consts.items[i]);
  }
}

static void resolve_types(Checker *c) {
  Program *p = c->program;
  for (uint32_t i = 1; i < p->structs.count; i++) {
    enter_unit(c, p->structs.items[i].unit);
    resolve_struct(c, &p->structs.items[i]);
  }
  StructSize *sizes = ARENA_ARRAY(&c->scratch, StructSize, p->structs.count);
  for (uint32_t i = 1; i < p->structs.count; i++)
    measure_struct(c, i, sizes, 0);
  for (uint32_t i = 0; i < p->functions.count; i++) {
    enter_unit(c, p->functions.items[i].unit);
    resolve_function(c, &p->functions.items[i]);
  }
}

static void check_bodies(Checker *c) {
  Program *p = c->program;
  for (uint32_t i = 0; i < p->functions.count; i++) {
    FunctionDecl *decl = &p->functions.items[i];
    if (!decl->is_supported)
      continue;
    enter_unit(c, decl->unit);
    uint32_t errors = p->sink->error_count;
    check_body(c, decl);
    decl->has_errors |= p->sink->error_count != errors;
    if (c->scratch.total > (1u << 20))
      arena_free(&c->scratch), c->bindings = (BindingVec){0};
  }
}

void sema_check(Program *program, const Define *defines, size_t define_count,
                const Define **unknown_define) {
  size_t name_count = program->interner->texts.count + 1u;
  Arena names = {0};
  Checker c = {.program = program,
               .bound = ARENA_ARRAY(&names, uint32_t, name_count),
               .unbound = ARENA_ARRAY(&names, uint32_t, name_count)};
  *unknown_define = NULL;
  collect_units(&c);
  resolve_declarations(&c);
  for (size_t i = 0; i < define_count; i++)
    if (!apply_define(&c, &defines[i]) && *unknown_define == NULL)
      *unknown_define = &defines[i];
  for (uint32_t i = 0; i < program->consts.count; i++) {
    ConstValue value;
    enter_unit(&c, program->consts.items[i].unit);
    const_value(&c, i, &value);
  }
  resolve_types(&c);
  check_bodies(&c);
  arena_free(&c.scratch);
  arena_free(&names);
}
