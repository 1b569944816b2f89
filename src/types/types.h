// SPDX-License-Identifier: Apache-2.0
//
// types: every type of a session, made once, so that equality is `==` on the
// handle. Where a tensor lives is part of its type.

#ifndef VX_TYPES_TYPES_H
#define VX_TYPES_TYPES_H

#include "base/base.h"
#include "machine/machine.h"

// 0 is "no type" (not yet known).
typedef struct {
  uint32_t index;
} TypeId;

static inline bool type_equal(TypeId a, TypeId b) { return a.index == b.index; }

typedef enum {
  TYPE_NONE,
  TYPE_ERROR, // absorbs everything, reported already
  TYPE_NEVER, // return, break, continue: fits any type
  TYPE_VOID,
  TYPE_SCALAR, // bool, integers, floats and storage-only elements
  TYPE_STRING, // *const i8, as string literals have it
  TYPE_TENSOR,
  TYPE_REF,
  TYPE_STRUCT,
  TYPE_PINNED,
  TYPE_RANGE, // a..b over a scalar
} TypeKind;

typedef enum {
#define ELEMENT(NAME, text, bits, class) ELEMENT_##NAME,
#include "machine/element.def"
#undef ELEMENT
  ELEMENT_BLOCK, // block<E, B>; only as the element of a tensor
  ELEMENT_COUNT
} Element;

typedef enum {
  CLASS_BOOL,
  CLASS_SIGNED,
  CLASS_UNSIGNED,
  CLASS_FLOAT,
  CLASS_STORAGE
} ElementClass;

uint32_t element_bits(Element element);
ElementClass element_class(Element element);
const char *element_name(Element element);
bool element_is_integer(Element element);
bool element_is_number(Element element); // integers and floats
// ELEMENT_COUNT when there is none of that name.
Element element_from_name(Str name);
// The range of an integer element.
Int128 element_min(Element element);
Uint128 element_max(Element element);

typedef enum {
  DIM_STATIC,
  DIM_HUGE,    // a constant beyond 64 bits
  DIM_DYNAMIC, // ?, ?<=K, or the value of a variable
} DimKind;

typedef struct {
  DimKind kind;
  bool has_bound;  // DYNAMIC: ?<=bound
  uint64_t extent; // STATIC: the extent; DYNAMIC with has_bound: the bound
  Name symbol;     // DYNAMIC: the variable it comes from, or 0
} Dim;

// What a type says; read with type_info, never kept across type_* makers.
typedef struct {
  TypeKind kind;
  Element element;                      // SCALAR, TENSOR; RANGE: of its ends
  uint32_t block_elements, block_bytes; // TENSOR of ELEMENT_BLOCK
  const Dim *dims;                      // TENSOR
  uint32_t rank;                        // TENSOR
  Placement placement;                  // TENSOR
  bool is_mut;                          // REF
  TypeId target;                        // REF, PINNED
  TopologyId topology;                  // PINNED
  uint32_t instance;                    // PINNED
  uint32_t index_id;     // TENSOR in an instance known at run time: which
                         // immutable index names it; 0: none does
  uint32_t struct_index; // STRUCT: an index given by sema
} TypeInfo;

typedef struct {
  Arena *arena;
  const Machine *machine; // for names of places
  Interner *interner;
  VEC(TypeInfo) infos;
  U32Vec hashes;
  uint32_t *slots;
  uint32_t slot_count;
  VEC(Name) struct_names; // by struct_index; set by type_add_struct
  TypeId error, never, void_, string;
  TypeId scalars[ELEMENT_COUNT];
} TypeTable;

void types_init(TypeTable *types, Arena *arena, Interner *interner,
                const Machine *machine);

const TypeInfo *type_info(const TypeTable *types, TypeId type);
static inline TypeKind type_kind(const TypeTable *t, TypeId id) {
  return t->infos.items[id.index].kind;
}

TypeId type_scalar(const TypeTable *types, Element element);
TypeId type_tensor(TypeTable *types, Element element, const Dim *dims,
                   uint32_t rank, Placement placement);
TypeId type_block_tensor(TypeTable *types, uint32_t elements, uint32_t bytes,
                         const Dim *dims, uint32_t rank, Placement placement);
TypeId type_ref(TypeTable *types, TypeId target, bool is_mut);
TypeId type_pinned(TypeTable *types, TypeId target, TopologyId topology,
                   uint32_t instance);
TypeId type_range(TypeTable *types, Element element);
// A new struct type, different from all others.
TypeId type_add_struct(TypeTable *types, Name name);
// The same tensor type in another place (index_id 0), with an index, or other
// dims.
TypeId type_with_index(TypeTable *types, TypeId tensor, uint32_t index_id);
TypeId type_with_placement(TypeTable *types, TypeId tensor, Placement place);
TypeId type_with_dims(TypeTable *types, TypeId tensor, const Dim *dims,
                      uint32_t rank);

// The type below references and Pinned.
TypeId type_strip(const TypeTable *types, TypeId type);
bool type_is_tensor(const TypeTable *types, TypeId type); // after type_strip
bool type_is_integer(const TypeTable *types, TypeId type);
bool type_is_number(const TypeTable *types, TypeId type);
bool type_is_bool(const TypeTable *types, TypeId type);

typedef enum {
  FIT_YES,
  FIT_NO,
  FIT_PLACE, // all agrees but the place of a tensor: E6003
} TypeFit;
// May a value of type `found` stand where `wanted` is written? Static extents
// widen to `?`; &mut T serves as &T; Pinned<T, D> and T are one another where
// the place agrees.
TypeFit type_fits(const TypeTable *types, TypeId wanted, TypeId found);

// The shape for the machine; false when a dim is dynamic without bound. Dynamic
// dims with a bound count at the bound. is_huge: some dim is beyond 64 bits.
bool type_shape(Arena *arena, const TypeTable *types, TypeId tensor,
                TensorShape *shape, bool *is_huge);
// Bytes of a tensor in its memory: bare, and padded (memory-model.md 1). False
// when the shape is dynamic without a bound.
bool type_bytes(Arena *scratch, const TypeTable *types, TypeId tensor,
                Bytes *bare, Bytes *padded);

// "Tensor<f32, [128, ?], Memory::HBM>", "&mut i32", "Pinned<i32, GPU[0]>".
// Host placement is left out.
Str type_text(Arena *arena, const TypeTable *types, TypeId type);
// "256x256 f32", "i8 scalar": short, for labels.
Str type_short_text(Arena *arena, const TypeTable *types, TypeId type);
// "[128, ?, n]".
Str type_dims_text(Arena *arena, const TypeTable *types, TypeId tensor);

#endif
