// SPDX-License-Identifier: Apache-2.0
//
// Interned types: a hash over the fields of TypeInfo, open addressing.

#include "types/types.h"

#include <string.h>

typedef struct {
  const char *name;
  uint8_t bits;
  uint8_t class;
} ElementRow;

static const ElementRow element_rows[] = {
#define ELEMENT(NAME, text, bits, class) {text, bits, CLASS_##class},
#include "machine/element.def"
#undef ELEMENT
    {"block", 0, CLASS_STORAGE},
};

uint32_t element_bits(Element element) { return element_rows[element].bits; }

ElementClass element_class(Element element) {
  return (ElementClass)element_rows[element].class;
}

const char *element_name(Element element) { return element_rows[element].name; }

bool element_is_integer(Element element) {
  ElementClass class = element_class(element);
  return class == CLASS_SIGNED || class == CLASS_UNSIGNED;
}

bool element_is_number(Element element) {
  return element_is_integer(element) || element_class(element) == CLASS_FLOAT;
}

Element element_from_name(Str name) {
  for (unsigned i = 0; i < ELEMENT_BLOCK; i++)
    if (str_equal(name, str_from(element_rows[i].name)))
      return (Element)i;
  return ELEMENT_COUNT;
}

Int128 element_min(Element element) {
  if (element_class(element) != CLASS_SIGNED)
    return 0;
  return -(Int128)(element_max(element)) - 1;
}

Uint128 element_max(Element element) {
  uint32_t bits = element_bits(element);
  if (element_class(element) == CLASS_SIGNED)
    bits--;
  return bits >= 128 ? ~(Uint128)0 : ((Uint128)1 << bits) - 1;
}

// --- The table ---------------------------------------------------------------

static uint64_t mix(uint64_t hash, uint64_t value) {
  return (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15) ^ (hash >> 29);
}

static uint32_t info_hash(const TypeInfo *info) {
  uint64_t hash = mix(info->kind, info->element);
  hash = mix(hash, ((uint64_t)info->block_elements << 32) | info->block_bytes);
  hash = mix(hash, ((uint64_t)info->placement.memory.index << 32) |
                       info->placement.instance);
  hash = mix(hash, ((uint64_t)info->target.index << 1) | info->is_mut);
  hash = mix(hash, ((uint64_t)info->topology.index << 32) | info->instance);
  hash = mix(hash, ((uint64_t)info->struct_index << 32) | info->index_id);
  for (uint32_t i = 0; i < info->rank; i++) {
    const Dim *dim = &info->dims[i];
    hash = mix(hash, dim->extent);
    hash = mix(hash, ((uint64_t)dim->symbol.index << 8) |
                         ((uint64_t)dim->kind << 1) | dim->has_bound);
  }
  return (uint32_t)(hash ^ (hash >> 32));
}

static bool dims_equal(const Dim *a, const Dim *b, uint32_t rank) {
  for (uint32_t i = 0; i < rank; i++)
    if (a[i].kind != b[i].kind || a[i].has_bound != b[i].has_bound ||
        a[i].extent != b[i].extent || !name_equal(a[i].symbol, b[i].symbol))
      return false;
  return true;
}

static bool info_equal(const TypeInfo *a, const TypeInfo *b) {
  return a->kind == b->kind && a->element == b->element &&
         a->block_elements == b->block_elements &&
         a->block_bytes == b->block_bytes && a->rank == b->rank &&
         placement_equal(a->placement, b->placement) &&
         a->is_mut == b->is_mut && type_equal(a->target, b->target) &&
         a->topology.index == b->topology.index && a->instance == b->instance &&
         a->struct_index == b->struct_index && a->index_id == b->index_id &&
         dims_equal(a->dims, b->dims, a->rank);
}

static void insert_slot(TypeTable *types, uint32_t index) {
  uint32_t mask = types->slot_count - 1;
  uint32_t slot = types->hashes.items[index] & mask;
  while (types->slots[slot])
    slot = (slot + 1) & mask;
  types->slots[slot] = index;
}

static void grow_slots(TypeTable *types) {
  types->slot_count = types->slot_count ? types->slot_count * 2 : 256;
  types->slots = ARENA_ARRAY(types->arena, uint32_t, types->slot_count);
  for (uint32_t i = 1; i < types->infos.count; i++)
    insert_slot(types, i);
}

static TypeId intern_type(TypeTable *types, TypeInfo info) {
  uint32_t hash = info_hash(&info);
  uint32_t mask = types->slot_count - 1;
  for (uint32_t slot = hash & mask; types->slots[slot];
       slot = (slot + 1) & mask) {
    uint32_t index = types->slots[slot];
    if (types->hashes.items[index] == hash &&
        info_equal(&types->infos.items[index], &info))
      return (TypeId){index};
  }
  Dim *dims = ARENA_ARRAY(types->arena, Dim, info.rank);
  if (info.rank)
    memcpy(dims, info.dims, info.rank * sizeof(Dim));
  info.dims = dims;
  VEC_PUSH(types->arena, &types->infos, info);
  VEC_PUSH(types->arena, &types->hashes, hash);
  if (types->infos.count * 2 > types->slot_count)
    grow_slots(types);
  else
    insert_slot(types, types->infos.count - 1);
  return (TypeId){types->infos.count - 1};
}

void types_init(TypeTable *types, Arena *arena, Interner *interner,
                const Machine *machine) {
  *types =
      (TypeTable){.arena = arena, .machine = machine, .interner = interner};
  VEC_PUSH(arena, &types->infos, (TypeInfo){0});
  VEC_PUSH(arena, &types->hashes, 0);
  VEC_PUSH(arena, &types->struct_names, (Name){0});
  grow_slots(types);
  types->error = intern_type(types, (TypeInfo){.kind = TYPE_ERROR});
  types->never = intern_type(types, (TypeInfo){.kind = TYPE_NEVER});
  types->void_ = intern_type(types, (TypeInfo){.kind = TYPE_VOID});
  types->string = intern_type(types, (TypeInfo){.kind = TYPE_STRING});
  for (unsigned i = 0; i < ELEMENT_BLOCK; i++)
    types->scalars[i] = intern_type(
        types, (TypeInfo){.kind = TYPE_SCALAR, .element = (Element)i});
  types->scalars[ELEMENT_BLOCK] = types->error;
}

const TypeInfo *type_info(const TypeTable *types, TypeId type) {
  CHECK(type.index < types->infos.count);
  return &types->infos.items[type.index];
}

TypeId type_scalar(const TypeTable *types, Element element) {
  CHECK(element < ELEMENT_BLOCK);
  return types->scalars[element];
}

TypeId type_tensor(TypeTable *types, Element element, const Dim *dims,
                   uint32_t rank, Placement placement) {
  return intern_type(types, (TypeInfo){.kind = TYPE_TENSOR,
                                       .element = element,
                                       .dims = dims,
                                       .rank = rank,
                                       .placement = placement});
}

TypeId type_block_tensor(TypeTable *types, uint32_t elements, uint32_t bytes,
                         const Dim *dims, uint32_t rank, Placement placement) {
  return intern_type(types, (TypeInfo){.kind = TYPE_TENSOR,
                                       .element = ELEMENT_BLOCK,
                                       .block_elements = elements,
                                       .block_bytes = bytes,
                                       .dims = dims,
                                       .rank = rank,
                                       .placement = placement});
}

TypeId type_ref(TypeTable *types, TypeId target, bool is_mut) {
  return intern_type(
      types, (TypeInfo){.kind = TYPE_REF, .target = target, .is_mut = is_mut});
}

TypeId type_pinned(TypeTable *types, TypeId target, TopologyId topology,
                   uint32_t instance) {
  return intern_type(types, (TypeInfo){.kind = TYPE_PINNED,
                                       .target = target,
                                       .topology = topology,
                                       .instance = instance});
}

TypeId type_range(TypeTable *types, Element element) {
  return intern_type(types, (TypeInfo){.kind = TYPE_RANGE, .element = element});
}

TypeId type_add_struct(TypeTable *types, Name name) {
  VEC_PUSH(types->arena, &types->struct_names, name);
  return intern_type(types,
                     (TypeInfo){.kind = TYPE_STRUCT,
                                .struct_index = types->struct_names.count - 1});
}

TypeId type_with_placement(TypeTable *types, TypeId tensor, Placement place) {
  TypeInfo info = *type_info(types, tensor);
  CHECK(info.kind == TYPE_TENSOR);
  info.placement = place;
  info.index_id = 0;
  return intern_type(types, info);
}

TypeId type_with_index(TypeTable *types, TypeId tensor, uint32_t index_id) {
  TypeInfo info = *type_info(types, tensor);
  CHECK(info.kind == TYPE_TENSOR);
  info.index_id = index_id;
  return intern_type(types, info);
}

TypeId type_with_dims(TypeTable *types, TypeId tensor, const Dim *dims,
                      uint32_t rank) {
  TypeInfo info = *type_info(types, tensor);
  CHECK(info.kind == TYPE_TENSOR);
  info.dims = dims;
  info.rank = rank;
  return intern_type(types, info);
}

// --- Questions ---------------------------------------------------------------

TypeId type_strip(const TypeTable *types, TypeId type) {
  for (;;) {
    const TypeInfo *info = type_info(types, type);
    if (info->kind != TYPE_REF && info->kind != TYPE_PINNED)
      return type;
    type = info->target;
  }
}

bool type_is_tensor(const TypeTable *types, TypeId type) {
  return type_kind(types, type_strip(types, type)) == TYPE_TENSOR;
}

bool type_is_integer(const TypeTable *types, TypeId type) {
  const TypeInfo *info = type_info(types, type);
  return info->kind == TYPE_SCALAR && element_is_integer(info->element);
}

bool type_is_number(const TypeTable *types, TypeId type) {
  const TypeInfo *info = type_info(types, type);
  return info->kind == TYPE_SCALAR && element_is_number(info->element);
}

bool type_is_bool(const TypeTable *types, TypeId type) {
  const TypeInfo *info = type_info(types, type);
  return info->kind == TYPE_SCALAR && info->element == ELEMENT_BOOL;
}

static bool dim_fits(const Dim *wanted, const Dim *found) {
  if (wanted->kind != DIM_DYNAMIC)
    return found->kind == wanted->kind && found->extent == wanted->extent;
  if (!wanted->has_bound)
    return true;
  if (found->kind == DIM_STATIC ||
      (found->kind == DIM_DYNAMIC && found->has_bound))
    return found->extent <= wanted->extent;
  return false;
}

static TypeFit tensor_fits(const TypeInfo *wanted, const TypeInfo *found) {
  if (wanted->element != found->element || wanted->rank != found->rank ||
      wanted->block_elements != found->block_elements ||
      wanted->block_bytes != found->block_bytes)
    return FIT_NO;
  for (uint32_t i = 0; i < wanted->rank; i++)
    if (!dim_fits(&wanted->dims[i], &found->dims[i]))
      return FIT_NO;
  bool is_same = placement_equal(wanted->placement, found->placement) &&
                 (wanted->placement.instance != INSTANCE_DYNAMIC ||
                  (wanted->index_id && wanted->index_id == found->index_id));
  return is_same ? FIT_YES : FIT_PLACE;
}

// Pinned<T, D> holds what D's own memory holds.
static TypeFit pinned_fits(const TypeTable *types, const TypeInfo *wanted,
                           const TypeInfo *found) {
  TypeFit fit = type_fits(types, wanted->target, found->target);
  bool same = wanted->topology.index == found->topology.index &&
              wanted->instance == found->instance;
  return fit == FIT_YES && !same ? FIT_PLACE : fit;
}

TypeFit type_fits(const TypeTable *types, TypeId wanted, TypeId found) {
  if (type_equal(wanted, found))
    return FIT_YES;
  const TypeInfo *w = type_info(types, wanted);
  const TypeInfo *f = type_info(types, found);
  if (w->kind == TYPE_ERROR || f->kind == TYPE_ERROR || f->kind == TYPE_NEVER)
    return FIT_YES;
  if (w->kind == TYPE_TENSOR && f->kind == TYPE_TENSOR)
    return tensor_fits(w, f);
  if (w->kind == TYPE_REF && f->kind == TYPE_REF)
    return w->is_mut && !f->is_mut ? FIT_NO
                                   : type_fits(types, w->target, f->target);
  if (w->kind == TYPE_PINNED && f->kind == TYPE_PINNED)
    return pinned_fits(types, w, f);
  if (w->kind == TYPE_PINNED && type_is_tensor(types, wanted))
    return type_fits(types, w->target, found);
  if (f->kind == TYPE_PINNED && type_is_tensor(types, found))
    return type_fits(types, wanted, f->target);
  return FIT_NO;
}

// --- Shapes and bytes --------------------------------------------------------

bool type_shape(Arena *arena, const TypeTable *types, TypeId tensor,
                TensorShape *shape, bool *is_huge) {
  const TypeInfo *info = type_info(types, tensor);
  CHECK(info->kind == TYPE_TENSOR);
  uint64_t *extents = ARENA_ARRAY(arena, uint64_t, info->rank);
  bool is_known = true, has_huge = false, has_zero = false;
  for (uint32_t i = 0; i < info->rank; i++) {
    const Dim *dim = &info->dims[i];
    has_huge |= dim->kind == DIM_HUGE;
    is_known &= dim->kind != DIM_DYNAMIC || dim->has_bound;
    has_zero |= dim->kind == DIM_STATIC && dim->extent == 0;
    extents[i] = dim->kind == DIM_HUGE ? UINT64_MAX : dim->extent;
  }
  *is_huge = has_huge && !has_zero;
  *shape = (TensorShape){.element_bits = element_bits(info->element),
                         .block_elements = info->block_elements,
                         .block_bytes = info->block_bytes,
                         .extents = extents,
                         .rank = info->rank};
  return is_known;
}

bool type_bytes(Arena *scratch, const TypeTable *types, TypeId tensor,
                Bytes *bare, Bytes *padded) {
  TensorShape shape;
  bool is_huge;
  if (!type_shape(scratch, types, tensor, &shape, &is_huge))
    return false;
  const TypeInfo *info = type_info(types, tensor);
  if (is_huge) {
    *bare = *padded = (Bytes){UINT64_MAX, true};
    return true;
  }
  *bare = machine_bare_bytes(&shape);
  *padded = machine_padded_bytes(
      machine_memory(types->machine, info->placement.memory), &shape);
  return true;
}

// --- Text --------------------------------------------------------------------

static void put_dims(Text *text, const TypeTable *types, const TypeInfo *info) {
  text_char(text, '[');
  for (uint32_t i = 0; i < info->rank; i++) {
    const Dim *dim = &info->dims[i];
    if (i)
      text_puts(text, ", ");
    if (dim->kind == DIM_STATIC) {
      text_u128(text, dim->extent);
    } else if (dim->kind == DIM_HUGE) {
      text_puts(text, "more than 18446744073709551615");
    } else if (dim->symbol.index) {
      text_put(text, name_text(types->interner, dim->symbol));
    } else {
      text_char(text, '?');
      if (dim->has_bound) {
        text_puts(text, "<=");
        text_u128(text, dim->extent);
      }
    }
  }
  text_char(text, ']');
}

static void put_element(Text *text, const TypeInfo *info) {
  if (info->element == ELEMENT_BLOCK)
    text_format(text, "block<%u, %u>", info->block_elements, info->block_bytes);
  else
    text_puts(text, element_name(info->element));
}

static void put_type(Text *text, const TypeTable *types, TypeId type) {
  const TypeInfo *info = type_info(types, type);
  switch (info->kind) {
  case TYPE_NONE:
  case TYPE_ERROR:
    text_puts(text, "?");
    return;
  case TYPE_NEVER:
    text_puts(text, "never");
    return;
  case TYPE_VOID:
    text_puts(text, "void");
    return;
  case TYPE_STRING:
    text_puts(text, "*const i8");
    return;
  case TYPE_SCALAR:
    text_puts(text, element_name(info->element));
    return;
  case TYPE_RANGE:
    text_format(text, "range of %s", element_name(info->element));
    return;
  case TYPE_STRUCT:
    text_put(text, name_text(types->interner,
                             types->struct_names.items[info->struct_index]));
    return;
  case TYPE_REF:
    text_puts(text, info->is_mut ? "&mut " : "&");
    put_type(text, types, info->target);
    return;
  case TYPE_PINNED:
    text_puts(text, "Pinned<");
    put_type(text, types, info->target);
    text_puts(text, ", Topology::");
    text_put(text, machine_topology_text(text->arena, types->machine,
                                         info->topology, info->instance));
    text_char(text, '>');
    return;
  case TYPE_TENSOR:
    text_puts(text, "Tensor<");
    put_element(text, info);
    text_puts(text, ", ");
    put_dims(text, types, info);
    if (info->placement.memory.index != types->machine->host_memory.index) {
      text_puts(text, ", Memory::");
      text_put(text, machine_placement_text(text->arena, types->machine,
                                            info->placement));
    }
    text_char(text, '>');
    return;
  }
}

Str type_text(Arena *arena, const TypeTable *types, TypeId type) {
  Text text = text_new(arena);
  put_type(&text, types, type);
  return text_str(&text);
}

Str type_dims_text(Arena *arena, const TypeTable *types, TypeId tensor) {
  Text text = text_new(arena);
  put_dims(&text, types, type_info(types, tensor));
  return text_str(&text);
}

Str type_short_text(Arena *arena, const TypeTable *types, TypeId type) {
  const TypeInfo *info = type_info(types, type);
  if (info->kind != TYPE_TENSOR)
    return type_text(arena, types, type);
  Text text = text_new(arena);
  for (uint32_t i = 0; i < info->rank; i++) {
    const Dim *dim = &info->dims[i];
    if (i)
      text_char(&text, 'x');
    if (dim->kind == DIM_STATIC)
      text_u128(&text, dim->extent);
    else if (dim->kind == DIM_HUGE)
      text_puts(&text, "(beyond 2^64)");
    else if (dim->symbol.index)
      text_put(&text, name_text(types->interner, dim->symbol));
    else
      text_char(&text, '?');
  }
  text_char(&text, ' ');
  put_element(&text, info);
  return text_str(&text);
}
