// SPDX-License-Identifier: Apache-2.0
//
// Inside sema: the state of checking one unit, and what its files give one
// another. Every check_* function stores the type of its node and returns it;
// on a fault it reports once and gives the error type, which absorbs the rest.

#ifndef VX_SEMA_INTERNAL_H
#define VX_SEMA_INTERNAL_H

#include "sema/sema.h"

typedef struct {
  Name name;
  uint32_t local;
  uint32_t shadowed; // binding of the name before, + 1; 0: none
} Binding;
typedef VEC(Binding) BindingVec;

typedef struct {
  Program *program;
  uint32_t unit;
  const Tree *tree;
  TypeId *types;
  Symbol *symbols;
  FunctionDecl *function; // NULL in constants and declarations
  Active active;
  uint32_t index_id; // of the run-time instance that was resolved last
  BindingVec bindings;
  uint32_t *bound; // by Name: binding index + 1, or 0
  uint32_t loop_depth;
  bool is_in_region;
  uint32_t *unbound;    // all zero: the `bound` of constants
  uint32_t const_depth; // of constants that ask for constants
  Arena scratch;
} Checker;

// What a type is written for: the {context} of E6025.
typedef enum {
  CONTEXT_VARIABLE,
  CONTEXT_FUNCTION,
  CONTEXT_FIELD,
  CONTEXT_CONST,
  CONTEXT_TRANSFER,
  CONTEXT_REGION,
  CONTEXT_EXPRESSION,
} ContextKind;

typedef struct {
  ContextKind kind;
  Name name;  // of the variable, function, field
  Name owner; // of the struct
} Context;

#define NO_TYPE ((TypeId){0})

static inline TypeId type_error(const Checker *c) {
  return c->program->types->error;
}
static inline bool is_error(const Checker *c, TypeId type) {
  return type.index == c->program->types->error.index;
}
// A body that holds an error type anywhere is not lowered.
static inline TypeId set_type(Checker *c, NodeId node, TypeId type) {
  c->types[node.index] = type;
  if (c->function != NULL && is_error(c, type))
    c->function->has_errors = true;
  return type;
}
static inline Span span_of(const Checker *c, NodeId node) {
  return node_span(c->tree, node);
}
static inline Str name_of(const Checker *c, Name name) {
  return name_text(c->program->interner, name);
}
static inline Str text_of_type(const Checker *c, TypeId type) {
  return type_text(c->program->sink->arena, c->program->types, type);
}
static inline const TypeInfo *info_of(const Checker *c, TypeId type) {
  return type_info(c->program->types, type);
}
static inline Arena *message_arena(const Checker *c) {
  return c->program->sink->arena;
}

// `feature` is not supported yet: E1014, and the error type.
TypeId unsupported(Checker *c, NodeId node, const char *feature);

// --- names.c -----------------------------------------------------------------

// E2008 for a name that the language itself has given a meaning.
bool check_free_name(Checker *c, Span span, Name name, bool is_type);
void scope_bind(Checker *c, Name name, uint32_t local);
uint32_t scope_mark(const Checker *c);
void scope_leave(Checker *c, uint32_t mark);
// The local of that name, or UINT32_MAX.
uint32_t scope_find(const Checker *c, Name name);
// A declaration of the unit or of what it imports; reports E2008 when two
// imports give it.
Symbol find_global(Checker *c, Name name, Span span);
// A declaration of exactly that unit.
Symbol find_in_unit(const Program *program, uint32_t unit, Name name);
// The imported unit of that name, or UINT32_MAX.
uint32_t find_import(const Checker *c, Name name);
// The closest name in scope of the given kinds (bits 1 << SymbolKind).
Str suggest_name(Checker *c, Str name, unsigned kinds);
uint32_t add_local(Checker *c, Local local);

// --- resolve.c: types and places ---------------------------------------------

TypeId resolve_type(Checker *c, NodeId node, Context context);
// Right after resolve_memory: the tensor type keeps which run-time index it
// was.
TypeId placed(Checker *c, TypeId tensor);
// One dim of a type or of a list of extents.
bool resolve_dim(Checker *c, NodeId node, Dim *dim);
// A Place or MemoryOf as a memory; reports what is wrong and gives false.
bool resolve_memory(Checker *c, NodeId node, Context context,
                    Placement *placement);
bool resolve_topology(Checker *c, NodeId node, Context context, Active *active);
Str context_text(const Checker *c, Context context);

// --- constant.c --------------------------------------------------------------

// Evaluates an expression that has been checked. EVAL_RUNTIME: not a constant;
// EVAL_FAILED: reported.
typedef enum { EVAL_OK, EVAL_RUNTIME, EVAL_FAILED } EvalStatus;
EvalStatus evaluate(Checker *c, NodeId node, ConstValue *value);
// The value of a const declaration, evaluated at the first question.
EvalStatus const_value(Checker *c, uint32_t index, ConstValue *value);
// Does the value fit the scalar type? Reports E8003 otherwise.
bool check_const_range(Checker *c, NodeId node, TypeId type,
                       const ConstValue *value);

// --- expr.c, tensor.c, statement.c, call.c -----------------------------------

TypeId check_expr(Checker *c, NodeId node, TypeId expected);
// As check_expr where a value is needed to go on: `f(return 3)` is E1014.
TypeId check_value(Checker *c, NodeId node, TypeId expected);
// As check_value, with references and Pinned read through.
TypeId check_operand(Checker *c, NodeId node, TypeId expected);
// A literal, or an expression of literals, whose type comes from elsewhere.
bool is_untyped(const Checker *c, NodeId node);
TypeId check_block(Checker *c, NodeId node, TypeId expected);
TypeId check_call(Checker *c, NodeId node, TypeId expected);
TypeId check_method(Checker *c, NodeId node, TypeId expected);
TypeId check_macro(Checker *c, NodeId node);
TypeId check_index(Checker *c, NodeId node);
TypeId check_transfer(Checker *c, NodeId node);
TypeId check_list(Checker *c, NodeId node, TypeId expected);
TypeId check_constructor(Checker *c, NodeId node, NodeId type_node,
                         TokenId member, NodeList args, TypeId expected);
TypeId check_tensor_binary(Checker *c, NodeId node, TypeId left, TypeId right);
TypeId check_struct_literal(Checker *c, NodeId node);
TypeId check_field(Checker *c, NodeId node);
TypeId check_assign(Checker *c, NodeId node);
TypeId check_if(Checker *c, NodeId node, TypeId expected);
TypeId check_for(Checker *c, NodeId node);
TypeId check_while(Checker *c, NodeId node);
TypeId check_loop(Checker *c, NodeId node);
TypeId check_return(Checker *c, NodeId node);
TypeId check_spawn(Checker *c, NodeId node);
void check_body(Checker *c, FunctionDecl *function);

// Does `found` fit where `wanted` is written? Reports a mismatch of place as
// E6003 and a scalar for a tensor as E3023 and gives FIT_YES for both; FIT_NO
// is for the caller to report with its own code.
TypeFit fit_value(Checker *c, NodeId node, TypeId wanted, TypeId found);
// E3010, in proper English.
Diagnostic *report_argument_count(Checker *c, NodeId node, Str function,
                                  uint64_t expected, uint64_t found);
// E4010 when what `place` names may not be changed.
void check_mutable(Checker *c, NodeId place, const char *action);

#endif
