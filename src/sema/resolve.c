// SPDX-License-Identifier: Apache-2.0
//
// Types as written: names, dims and places to interned types. Everything that
// names a memory or a topology goes through resolve_memory and
// resolve_topology, so that E6025 and E6113 are said in every position.

#include "sema/internal.h"

Str context_text(const Checker *c, Context context) {
  Arena *arena = message_arena(c);
  Str name = name_of(c, context.name);
  switch (context.kind) {
  case CONTEXT_VARIABLE:
    return str_format(arena, "variable '%.*s'", STR_ARG(name));
  case CONTEXT_FUNCTION:
    return str_format(arena, "function '%.*s'", STR_ARG(name));
  case CONTEXT_FIELD: {
    Str owner = name_of(c, context.owner);
    return str_format(arena, "field '%.*s' of struct '%.*s'", STR_ARG(name),
                      STR_ARG(owner));
  }
  case CONTEXT_CONST:
    return str_format(arena, "constant '%.*s'", STR_ARG(name));
  case CONTEXT_TRANSFER:
    return STR("this transfer");
  case CONTEXT_REGION:
    return STR("this region");
  case CONTEXT_EXPRESSION:
    return STR("this expression");
  }
  PANIC("unknown context");
}

// --- Places ------------------------------------------------------------------

static bool has_machine(const Machine *machine) {
  for (uint32_t i = 1; i < machine->topology_count; i++)
    if (!machine->topologies[i].is_builtin)
      return true;
  return false;
}

static void no_location(Checker *c, NodeId node, Context context, Str why,
                        Str suggestion) {
  DiagSink *sink = c->program->sink;
  Span span = span_of(c, node);
  Diagnostic *d =
      diag_no_location(sink, span, source_text(c->program->sources, span),
                       context_text(c, context), why);
  if (suggestion.length)
    diag_add_help(
        sink, d,
        str_format(sink->arena, "did you mean `%.*s`?", STR_ARG(suggestion)));
  if (!has_machine(c->program->machine))
    diag_add_help(sink, d,
                  STR("no machine is described: pass one with `--machine`; "
                      "`vxc machine list` names those of the fleet"));
}

static bool instance_out_of_range(Checker *c, NodeId node, Str what,
                                  const ConstValue *index, uint32_t count) {
  Text why = text_new(message_arena(c));
  text_puts(&why, "instance index ");
  text_i128(&why, index->integer);
  text_format(&why, " of '%.*s' is at or beyond its count of %u", STR_ARG(what),
              count);
  diag_bad_instance(c->program->sink, span_of(c, node), text_str(&why));
  return false;
}

// A device index that is not a constant.
static bool runtime_instance(Checker *c, NodeId index, Str topology,
                             uint32_t *instance) {
  Symbol symbol = c->symbols[node_unparen(c->tree, index).index];
  if (symbol.kind == SYMBOL_LOCAL &&
      c->program->locals.items[symbol.index].is_short_loop) {
    unsupported(c, index, "device index by an unrolled loop variable");
    return false;
  }
  c->index_id = 0;
  if (symbol.kind == SYMBOL_LOCAL &&
      !c->program->locals.items[symbol.index].is_mut)
    c->index_id = symbol.index + 1;
  Str written = source_text(c->program->sources, span_of(c, index));
  diag_dynamic_index(c->program->sink, span_of(c, index), topology, written);
  *instance = INSTANCE_DYNAMIC;
  return true;
}

// The `[i]` behind a place, or what stands for its absence.
static bool resolve_instance(Checker *c, NodeId index, TopologyId owner,
                             uint32_t count, Str what, uint32_t *instance) {
  if (index.index == 0) {
    bool is_inside = owner.index && c->active.topology.index == owner.index;
    *instance = is_inside && count > 1 ? c->active.instance : 0;
    c->index_id = c->active.index_id;
    return true;
  }
  NodeKind kind = node_kind(c->tree, index);
  if (kind == NODE_RangeExpr || kind == NODE_AllInstances) {
    unsupported(c, index,
                kind == NODE_RangeExpr ? "slices of instances"
                                       : "arrays over instances");
    return false;
  }
  TypeId type = check_operand(c, index, NO_TYPE);
  if (is_error(c, type))
    return false;
  if (!type_is_integer(c->program->types, type)) {
    diag_bad_indices(c->program->sink, span_of(c, index),
                     str_format(message_arena(c),
                                "a device index is an integer, not `%.*s`",
                                STR_ARG(text_of_type(c, type))));
    return false;
  }
  ConstValue value;
  switch (evaluate(c, index, &value)) {
  case EVAL_FAILED:
    return false;
  case EVAL_RUNTIME:
    return runtime_instance(c, index, what, instance);
  case EVAL_OK:
    break;
  }
  if (value.integer < 0 || value.integer >= (Int128)count)
    return instance_out_of_range(c, index, what, &value, count);
  *instance = (uint32_t)value.integer;
  return true;
}

bool resolve_topology(Checker *c, NodeId node, Context context,
                      Active *active) {
  const Machine *machine = c->program->machine;
  if (node_kind(c->tree, node) != NODE_Place)
    return false; // an ErrorNode: reported by the parser
  Place written = place(c->tree, node);
  Name name = token_name(c->tree, written.name);
  Str text = name_of(c, name);
  if (!(written.flags & PLACE_TOPOLOGY)) {
    no_location(c, node, context, STR("a topology is needed here"), (Str){0});
    return false;
  }
  if (str_equal(text, STR("Current"))) {
    *active = c->active;
    return true;
  }
  TopologyId topology = machine_find_topology(machine, name);
  if (topology.index == 0) {
    no_location(c, node, context, STR("no topology of that name is declared"),
                machine_suggest_topology(message_arena(c), machine, text));
    return false;
  }
  active->topology = topology;
  bool is_good = resolve_instance(
      c, written.index, topology,
      machine_topology(machine, topology)->instances, text, &active->instance);
  active->index_id = active->instance == INSTANCE_DYNAMIC ? c->index_id : 0;
  return is_good;
}

static bool resolve_memory_of(Checker *c, NodeId node, Context context,
                              Placement *placement) {
  MemoryOf of = memory_of(c->tree, node);
  Active active;
  if (node_kind(c->tree, of.topology) != NODE_Place) {
    unsupported(c, node, "Memory::of a generic topology");
    return false;
  }
  if (!resolve_topology(c, of.topology, context, &active))
    return false;
  *placement =
      machine_own_memory(c->program->machine, active.topology, active.instance);
  return true;
}

bool resolve_memory(Checker *c, NodeId node, Context context,
                    Placement *placement) {
  const Machine *machine = c->program->machine;
  if (node_kind(c->tree, node) == NODE_MemoryOf)
    return resolve_memory_of(c, node, context, placement);
  if (node_kind(c->tree, node) != NODE_Place)
    return false;
  Place written = place(c->tree, node);
  if (written.flags & PLACE_TOPOLOGY) {
    Active active;
    if (!resolve_topology(c, node, context, &active))
      return false;
    *placement = machine_own_memory(machine, active.topology, active.instance);
    return true;
  }
  Name name = token_name(c->tree, written.name);
  Str text = name_of(c, name);
  MemoryId memory = machine_find_memory(machine, name);
  if (memory.index == 0 || !c->program->is_held[memory.index]) {
    Str why = str_format(message_arena(c),
                         "no declared topology holds `Memory::%.*s`, as its "
                         "own memory or in its `visible:` list",
                         STR_ARG(text));
    no_location(c, node, context, why,
                memory.index
                    ? (Str){0}
                    : machine_suggest_memory(message_arena(c), machine, text));
    return false;
  }
  const Memory *info = machine_memory(machine, memory);
  placement->memory = memory;
  return resolve_instance(c, written.index, info->owner, info->instances, text,
                          &placement->instance);
}

// --- Dims --------------------------------------------------------------------

static bool constant_dim(Checker *c, NodeId node, const ConstValue *value,
                         Dim *dim) {
  if (value->kind != CONST_INTEGER) {
    diag_bad_indices(c->program->sink, span_of(c, node),
                     STR("an extent is an integer"));
    return false;
  }
  if (value->integer < 0) {
    diag_constant_fails(c->program->sink, span_of(c, node),
                        STR("an extent cannot be negative"));
    return false;
  }
  if (value->integer > (Int128)UINT64_MAX)
    *dim = (Dim){.kind = DIM_HUGE, .extent = UINT64_MAX};
  else
    *dim = (Dim){.kind = DIM_STATIC, .extent = (uint64_t)value->integer};
  return true;
}

static bool runtime_dim(Checker *c, NodeId node, Dim *dim) {
  TypeId type = check_operand(c, node, NO_TYPE);
  if (is_error(c, type))
    return false;
  if (!type_is_integer(c->program->types, type)) {
    diag_bad_indices(c->program->sink, span_of(c, node),
                     str_format(message_arena(c),
                                "an extent is an integer, not `%.*s`",
                                STR_ARG(text_of_type(c, type))));
    return false;
  }
  *dim = (Dim){.kind = DIM_DYNAMIC};
  NodeId inner = node_unparen(c->tree, node);
  if (c->symbols[inner.index].kind == SYMBOL_LOCAL)
    dim->symbol = c->program->locals.items[c->symbols[inner.index].index].name;
  return true;
}

static bool bounded_dim(Checker *c, NodeId bound, Dim *dim) {
  ConstValue value;
  EvalStatus status = evaluate(c, bound, &value);
  if (status == EVAL_RUNTIME)
    diag_not_constant(c->program->sink, span_of(c, bound),
                      STR("the bound of a dimension"));
  if (status != EVAL_OK || !constant_dim(c, bound, &value, dim))
    return false;
  dim->kind = DIM_DYNAMIC;
  dim->has_bound = true;
  return true;
}

bool resolve_dim(Checker *c, NodeId node, Dim *dim) {
  NodeKind kind = node_kind(c->tree, node);
  if (kind == NODE_ErrorNode)
    return false;
  if (kind == NODE_DynamicDim) {
    NodeId bound = dynamic_dim(c->tree, node).bound;
    *dim = (Dim){.kind = DIM_DYNAMIC};
    return bound.index == 0 || bounded_dim(c, bound, dim);
  }
  ConstValue value;
  switch (evaluate(c, node, &value)) {
  case EVAL_OK:
    return constant_dim(c, node, &value, dim);
  case EVAL_RUNTIME:
    return runtime_dim(c, node, dim);
  case EVAL_FAILED:
    return false;
  }
  PANIC("unknown status");
}

// --- Types -------------------------------------------------------------------

static bool block_size(Checker *c, NodeId node, uint32_t *size) {
  ConstValue value;
  EvalStatus status = evaluate(c, node, &value);
  if (status == EVAL_RUNTIME)
    diag_not_constant(c->program->sink, span_of(c, node),
                      STR("a size of `block`"));
  if (status != EVAL_OK)
    return false;
  if (value.kind != CONST_INTEGER || value.integer < 1 ||
      value.integer > UINT32_MAX) {
    diag_constant_fails(c->program->sink, span_of(c, node),
                        STR("a size of `block` lies between 1 and 2^32 - 1"));
    return false;
  }
  *size = (uint32_t)value.integer;
  return true;
}

static bool resolve_element(Checker *c, NodeId node, TypeInfo *info) {
  if (node_kind(c->tree, node) == NODE_ErrorNode)
    return false;
  if (node_kind(c->tree, node) == NODE_NamedType) {
    NamedType named = named_type(c->tree, node);
    if (named.path.count == 1) {
      NodeId first = list_at(c->tree, named.path, 0);
      Str text = token_text(c->tree, ident(c->tree, first).name);
      info->element = element_from_name(text);
      if (info->element != ELEMENT_COUNT && named.args.count == 0)
        return true;
      if (str_equal(text, STR("block")) && named.args.count == 2) {
        info->element = ELEMENT_BLOCK;
        NodeId elements = list_at(c->tree, named.args, 0);
        NodeId bytes = list_at(c->tree, named.args, 1);
        return block_size(c, elements, &info->block_elements) &&
               block_size(c, bytes, &info->block_bytes);
      }
    }
  }
  Span span = span_of(c, node);
  diag_unknown_element(c->program->sink, span,
                       source_text(c->program->sources, span));
  return false;
}

// The last dim of a blocked tensor is a whole number of blocks.
static bool check_blocks(Checker *c, NodeId node, const TypeInfo *info,
                         const Dim *dims, uint32_t rank) {
  if (info->element != ELEMENT_BLOCK || rank == 0 ||
      dims[rank - 1].kind != DIM_STATIC ||
      dims[rank - 1].extent % info->block_elements == 0)
    return true;
  diag_constant_fails(
      c->program->sink, span_of(c, node),
      str_format(message_arena(c),
                 "the last extent is not a multiple of the %u elements of a "
                 "block",
                 info->block_elements));
  return false;
}

// A tensor that was just placed where resolve_memory said.
TypeId placed(Checker *c, TypeId tensor) {
  TypeTable *types = c->program->types;
  const TypeInfo *info = type_info(types, tensor);
  if (info->kind != TYPE_TENSOR || info->placement.instance != INSTANCE_DYNAMIC)
    return tensor;
  return type_with_index(types, tensor, c->index_id);
}

static TypeId make_tensor(Checker *c, const TypeInfo *info, const Dim *dims,
                          uint32_t rank, Placement placement) {
  TypeTable *types = c->program->types;
  if (info->element == ELEMENT_BLOCK)
    return type_block_tensor(types, info->block_elements, info->block_bytes,
                             dims, rank, placement);
  return type_tensor(types, info->element, dims, rank, placement);
}

static TypeId resolve_tensor(Checker *c, NodeId node, Context context) {
  TensorType written = tensor_type(c->tree, node);
  TypeInfo info = {0};
  bool is_good = resolve_element(c, written.element, &info);
  if (written.dims.index == 0) {
    diag_type_expected(c->program->sink, span_of(c, node),
                       STR("a tensor without dimensions"));
    return type_error(c);
  }
  if (node_kind(c->tree, written.dims) == NODE_ErrorNode)
    return type_error(c);
  NodeList list = dim_list(c->tree, written.dims).dims;
  Dim *dims = ARENA_ARRAY(&c->scratch, Dim, list.count);
  for (uint32_t i = 0; i < list.count; i++)
    is_good &= resolve_dim(c, list_at(c->tree, list, i), &dims[i]);
  Placement placement = {c->program->machine->host_memory, 0};
  if (written.place.index)
    is_good &= resolve_memory(c, written.place, context, &placement);
  if (!is_good || !check_blocks(c, written.dims, &info, dims, list.count))
    return type_error(c);
  return placed(c, make_tensor(c, &info, dims, list.count, placement));
}

// Pinned<T, Topology::D>, On<T, Topology::D>.
static TypeId resolve_pinned(Checker *c, NodeId node, NodeList args,
                             Context context) {
  if (args.count != 2) {
    diag_type_expected(c->program->sink, span_of(c, node),
                       STR("`Pinned` without a type and a topology"));
    return type_error(c);
  }
  TypeId target = resolve_type(c, list_at(c->tree, args, 0), context);
  NodeId place_node = list_at(c->tree, args, 1);
  Active active;
  if (!resolve_topology(c, place_node, context, &active) || is_error(c, target))
    return type_error(c);
  TypeTable *types = c->program->types;
  if (type_kind(types, target) == TYPE_TENSOR)
    target =
        placed(c, type_with_placement(types, target,
                                      machine_own_memory(c->program->machine,
                                                         active.topology,
                                                         active.instance)));
  return type_pinned(types, target, active.topology, active.instance);
}

// Ref<Tensor<..>, Memory::S> means &Tensor<.., Memory::S>.
static TypeId resolve_placed_ref(Checker *c, NodeId node, NodeList args,
                                 Context context) {
  if (args.count != 2) {
    diag_type_expected(c->program->sink, span_of(c, node),
                       STR("`Ref` without a type and a memory"));
    return type_error(c);
  }
  TypeId target = resolve_type(c, list_at(c->tree, args, 0), context);
  Placement placement;
  if (!resolve_memory(c, list_at(c->tree, args, 1), context, &placement) ||
      is_error(c, target))
    return type_error(c);
  TypeTable *types = c->program->types;
  if (type_kind(types, target) != TYPE_TENSOR) {
    unsupported(c, node, "placed references to other things than tensors");
    return type_error(c);
  }
  return type_ref(
      types, placed(c, type_with_placement(types, target, placement)), false);
}

static TypeId unknown_type(Checker *c, NodeId node, Str name) {
  DiagSink *sink = c->program->sink;
  Diagnostic *d = diag_unknown_type(sink, span_of(c, node), name);
  Str near = suggest_name(c, name, 1u << SYMBOL_STRUCT);
  if (near.length)
    diag_add_help(
        sink, d,
        str_format(sink->arena, "did you mean `%.*s`?", STR_ARG(near)));
  return type_error(c);
}

// What a name of one or two segments declares.
static Symbol find_path(Checker *c, NodeList path, Span span, bool *is_known) {
  Name last = token_name(
      c->tree, ident(c->tree, list_at(c->tree, path, path.count - 1)).name);
  *is_known = true;
  if (path.count == 1)
    return find_global(c, last, span);
  Name module = token_name(
      c->tree, ident(c->tree, list_at(c->tree, path, path.count - 2)).name);
  uint32_t unit = find_import(c, module);
  if (unit == UINT32_MAX)
    return (Symbol){0};
  Symbol symbol = find_in_unit(c->program, unit, last);
  if (symbol.kind == SYMBOL_NONE) {
    diag_not_exported(c->program->sink, span, name_of(c, module),
                      name_of(c, last));
    *is_known = false;
  }
  return symbol;
}

static TypeId resolve_named(Checker *c, NodeId node, Context context) {
  NamedType named = named_type(c->tree, node);
  TypeTable *types = c->program->types;
  Str text = token_text(
      c->tree,
      ident(c->tree, list_at(c->tree, named.path, named.path.count - 1)).name);
  if (named.path.count == 1) {
    Element element = element_from_name(text);
    if (element != ELEMENT_COUNT && named.args.count == 0)
      return type_scalar(types, element);
    if (str_equal(text, STR("void")))
      return types->void_;
    if (str_equal(text, STR("Pinned")) || str_equal(text, STR("On")))
      return resolve_pinned(c, node, named.args, context);
    if (str_equal(text, STR("Ref")))
      return resolve_placed_ref(c, node, named.args, context);
    if (str_equal(text, STR("Verified")))
      return unsupported(c, node, "Verified");
    if (str_equal(text, STR("Self")))
      return unsupported(c, node, "Self");
  }
  bool is_known;
  Symbol symbol = find_path(c, named.path, span_of(c, node), &is_known);
  if (!is_known || symbol.kind == SYMBOL_UNSUPPORTED)
    return type_error(c);
  if (symbol.kind != SYMBOL_STRUCT)
    return unknown_type(c, node, text);
  if (named.args.count)
    return unsupported(c, node, "generic structs");
  const StructDecl *decl = &c->program->structs.items[symbol.index];
  return decl->is_supported ? decl->type : type_error(c);
}

TypeId resolve_type(Checker *c, NodeId node, Context context) {
  TypeTable *types = c->program->types;
  switch (node_kind(c->tree, node)) {
  case NODE_NamedType:
    return set_type(c, node, resolve_named(c, node, context));
  case NODE_TensorType:
    return set_type(c, node, resolve_tensor(c, node, context));
  case NODE_RefType: {
    RefType ref = ref_type(c->tree, node);
    TypeId target = resolve_type(c, ref.target, context);
    if (is_error(c, target))
      return set_type(c, node, target);
    return set_type(c, node, type_ref(types, target, ref.flags & REF_MUT));
  }
  case NODE_PointerType:
    return unsupported(c, node, "raw pointers");
  case NODE_ArrayType:
    return unsupported(c, node, "arrays");
  case NODE_TupleType:
    return unsupported(c, node, "tuples");
  case NODE_FnType:
    return unsupported(c, node, "function types");
  default: // an ErrorNode, or what only generic arguments may be
    if (node_kind(c->tree, node) != NODE_ErrorNode)
      diag_type_expected(c->program->sink, span_of(c, node),
                         STR("an expression"));
    return set_type(c, node, type_error(c));
  }
}
