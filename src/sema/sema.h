// SPDX-License-Identifier: Apache-2.0
//
// sema: names, types and constants of a program. Reads trees, never changes
// them; what it finds is in side tables indexed by node.

#ifndef VX_SEMA_SEMA_H
#define VX_SEMA_SEMA_H

#include "base/base.h"
#include "diag/diag.h"
#include "machine/machine.h"
#include "syntax/syntax.h"
#include "types/types.h"

// --- What names mean ---------------------------------------------------------

typedef enum {
  SYMBOL_NONE,
  SYMBOL_LOCAL,       // index into program->locals
  SYMBOL_CONST,       // index into program->consts
  SYMBOL_FUNCTION,    // index into program->functions
  SYMBOL_STRUCT,      // index into program->structs
  SYMBOL_UNSUPPORTED, // an item that E1014 was said about
  // Facts about nodes that are no names:
  SYMBOL_REGION, // a SpawnExpr: index into program->regions
  SYMBOL_LOOP,   // a ForExpr: index into program->loops
  SYMBOL_VALUE,  // Memory::S.limit and the like: index into program->values
} SymbolKind;

// One word, because every node has one.
typedef struct {
  uint32_t kind : 4; // a SymbolKind
  uint32_t index : 28;
} Symbol;

static inline Symbol symbol_make(SymbolKind kind, uint32_t index) {
  CHECK(index < 1u << 28);
  return (Symbol){kind & 15u, index & ((1u << 28) - 1)};
}

// A parameter or a variable.
typedef struct {
  Name name;
  Span span; // of the name
  TypeId type;
  bool is_mut;
  bool is_param;
  bool is_loop_variable; // of a `for`
  bool is_short_loop;    // .. over a constant range of at most 64
  uint32_t loop_depth;   // where it is declared
  uint32_t use_count;    // how often it is named
} Local;

typedef enum { CONST_NONE, CONST_INTEGER, CONST_FLOAT, CONST_BOOL } ConstKind;
typedef enum { CONST_FRESH, CONST_RUNNING, CONST_DONE } ConstState;

// The value of a constant expression.
typedef struct {
  ConstKind kind;
  Int128 integer; // INTEGER, BOOL
  double number;  // FLOAT
  Str digits;     // FLOAT: as written, when it is a literal
} ConstValue;

typedef struct {
  Name name;
  Span span;
  uint32_t unit;
  NodeId node; // ConstItem
  TypeId type;
  ConstValue value; // NONE: not yet evaluated, or failed
  uint8_t state;    // a ConstState
} ConstDecl;

typedef struct {
  Name name;
  Span span;
  TypeId type;
  Span type_span;
} FieldInfo;

typedef struct {
  Name name;
  Span span;
  uint32_t unit;
  NodeId node; // StructItem
  TypeId type;
  FieldInfo *fields;
  uint32_t field_count;
  Map by_name;       // Name -> index into fields
  bool is_supported; // false: E1014 was said, bodies that use it are skipped
} StructDecl;

typedef struct {
  Name name;
  Span span;
  uint32_t unit;
  NodeId node;          // FnItem
  uint32_t first_param; // into locals; parameters come first
  uint32_t param_count;
  Span *param_type_spans;
  TypeId result;
  Span result_span;
  TopologyId on; // 0: callable anywhere
  uint32_t on_instance;
  bool is_extern;    // declared only
  bool is_supported; // false: E1014 was said; the body is not checked
  bool has_errors;   // sema or place found faults in it: no IR is made
} FunctionDecl;

// One file.
typedef struct {
  const Tree *tree;
  Name name; // as imported: the last segment; 0 for inputs
  // Side tables by node index.
  TypeId *types;   // of expressions, patterns and type nodes
  Symbol *symbols; // of Ident, PathExpr, NamePattern, StructExpr, calls
  U32Vec imports;  // units that it imports
  Map names;       // of its declarations: Name -> (SymbolKind << 32 | index)
} Unit;

// Where code runs. The host is the built-in topology CPU.
typedef struct {
  TopologyId topology;
  uint32_t instance; // INSTANCE_DYNAMIC when known at run time only
  uint32_t index_id; // then: which immutable index it is (types.h), or 0
} Active;

typedef struct {
  Active active;
  uint32_t first_local, end_local; // those declared inside it
} RegionFacts;

typedef struct {
  bool is_constant; // both ends are
  uint64_t trips;   // then: how often the body runs, saturating
  uint32_t stages;  // 1 without `stages`
} LoopFacts;

typedef struct {
  Str name;  // -D NAME
  Str value; // =VALUE
} Define;

typedef struct {
  Arena *arena;
  Interner *interner;
  SourceMap *sources;
  const Machine *machine;
  TypeTable *types;
  DiagSink *sink;
  VEC(Unit) units;
  VEC(Local) locals;
  VEC(ConstDecl) consts;
  VEC(StructDecl) structs; // by struct_index of types; [0] is unused
  VEC(FunctionDecl) functions;
  VEC(RegionFacts) regions;
  VEC(LoopFacts) loops;
  VEC(ConstValue) values;
  Active host;
  Map misplaced;    // (unit << 32 | node) that E6003 was said about
  uint8_t *is_held; // by memory: some topology holds or sees it, or it is
                    // built in
} Program;

// --- Passes ------------------------------------------------------------------

// Makes an empty program. `machine` is complete.
Program *sema_new(Arena *arena, Interner *interner, SourceMap *sources,
                  const Machine *machine, TypeTable *types, DiagSink *sink);
// Adds a file; units are numbered in the order of adding. Imported units
// are given by index afterwards.
uint32_t sema_add_unit(Program *program, const Tree *tree, Name name);
void sema_add_import(Program *program, uint32_t importer, uint32_t imported);
// Collects all declarations of all units (E2008, E3029, E6025, E8003 in
// types and constants; -D replaces), then checks every body. A -D that names no
// constant is returned in *unknown_define (else NULL).
void sema_check(Program *program, const Define *defines, size_t define_count,
                const Define **unknown_define);

// --- Questions ---------------------------------------------------------------

static inline TypeId sema_type(const Program *p, uint32_t unit, NodeId node) {
  return p->units.items[unit].types[node.index];
}
static inline Symbol sema_symbol(const Program *p, uint32_t unit, NodeId node) {
  return p->units.items[unit].symbols[node.index];
}
// "weights", "p.w", "result of '+'": what messages call the value of a node.
Str sema_value_name(Arena *arena, const Program *program, uint32_t unit,
                    NodeId node);
// The field of that name, or field_count.
static inline uint32_t sema_find_field(const StructDecl *decl, Name name) {
  uint64_t index;
  return map_get(&decl->by_name, name.index, &index) ? (uint32_t)index
                                                     : decl->field_count;
}
// What is wrong with where a value stands.
typedef enum {
  PLACE_UNREADABLE, // `active` does not see it
  PLACE_UNWRITABLE, // .. and writes it: a transfer would lose the store
  PLACE_ELSEWHERE,  // it is needed in `to`
} PlaceFault;
// Reports E6003, once for a node, with its price and a fix-it.
void sema_report_place(Program *program, uint32_t unit, NodeId node,
                       TypeId type, Active active, PlaceFault fault,
                       Placement to);

#endif
