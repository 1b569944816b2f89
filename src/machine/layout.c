// SPDX-License-Identifier: Apache-2.0
//
// Bytes of a tensor (machine-files.md 1.3, memory-model.md 1): extents padded
// by `lanes`, then by `tiling`, the product in 128 bits, blocks at their bytes
// per block, the granule last. An extent of 0 stays 0 bytes.

#include "machine/internal.h"

// --- Products ----------------------------------------------------------------

static bool is_blocked(const TensorShape *shape) {
  return shape->block_elements > 1;
}

// Number of units (elements or blocks) of a product of extents. False when it
// is beyond 128 bits.
static bool count_units(const TensorShape *shape, const uint64_t *extents,
                        Uint128 *count) {
  *count = 1;
  for (uint32_t i = 0; i < shape->rank; i++) {
    if (extents[i] == 0) {
      *count = 0;
      return true;
    }
  }
  bool fits = true;
  for (uint32_t i = 0; i < shape->rank; i++) {
    uint64_t extent = extents[i];
    if (is_blocked(shape) && i + 1 == shape->rank)
      extent = (extent - 1) / shape->block_elements + 1;
    fits = fits && mul_u128(*count, extent, count);
  }
  return fits;
}

static Bytes bytes_of(const TensorShape *shape, const uint64_t *extents) {
  const Bytes beyond = {UINT64_MAX, true};
  Uint128 count;
  if (!count_units(shape, extents, &count))
    return beyond;
  Uint128 bits =
      is_blocked(shape) ? (Uint128)shape->block_bytes * 8 : shape->element_bits;
  Uint128 total;
  if (!mul_u128(count, bits, &total) || !add_u128(total, 7, &total))
    return beyond;
  total /= 8;
  return total > UINT64_MAX ? beyond : BYTES((uint64_t)total);
}

Bytes machine_bare_bytes(const TensorShape *shape) {
  return bytes_of(shape, shape->extents);
}

// --- Padding -----------------------------------------------------------------

// Bits of an element as a fraction: a block's may be no whole number.
typedef struct {
  uint64_t bits;
  uint64_t per; // elements
} ElementBits;

static ElementBits element_bits(const TensorShape *shape) {
  if (is_blocked(shape))
    return (ElementBits){(uint64_t)shape->block_bytes * 8,
                         shape->block_elements};
  return (ElementBits){shape->element_bits, 1};
}

// ceil(n x 32 / bits), n for elements of 32 bits and more: how many 32-bit rows
// (or columns) n of them stand for.
static Uint128 in_words(uint64_t n, ElementBits e) {
  if (e.bits == 0 || (Uint128)e.bits >= (Uint128)e.per * 32)
    return n;
  Uint128 product = (Uint128)n * 32;
  // Below 2^69 x 2^32: no overflow.
  return (product * e.per + e.bits - 1) / e.bits;
}

static Uint128 round_up(Uint128 n, Uint128 step) {
  return (n + step - 1) / step * step;
}

// Rows of the last dim but one.
static Uint128 padded_rows(const Memory *memory, uint64_t rows, ElementBits e) {
  uint64_t most = memory->tile_rows.value;
  if (memory->is_packed)
    return round_up(rows, in_words(most, e));
  Uint128 needed = in_words(rows, e);
  if (needed > most)
    return round_up(rows, most);
  Uint128 power = 1;
  while (power < needed)
    power *= 2;
  return power < most ? power : most;
}

static Uint128 padded_vector(const Memory *memory, uint64_t length,
                             ElementBits e) {
  Uint128 tile = (Uint128)memory->tile_rows.value * memory->tile_columns.value;
  if (length > tile)
    return round_up(length, tile);
  return round_up(length, in_words(memory->tile_columns.value, e));
}

static bool store(Uint128 value, uint64_t *slot) {
  *slot = (uint64_t)value;
  return value <= UINT64_MAX;
}

bool machine_padded_extents(const Memory *memory, const TensorShape *shape,
                            uint64_t *padded) {
  uint32_t rank = shape->rank;
  for (uint32_t i = 0; i < rank; i++)
    padded[i] = shape->extents[i];
  for (uint32_t i = 0; i < rank; i++) {
    if (padded[i] == 0)
      return true;
  }
  if (rank == 0)
    return true;
  if (memory->lanes.is_set &&
      !store(round_up(padded[0], memory->lanes.value), &padded[0]))
    return false;
  if (!memory->tile_rows.is_set)
    return true;
  ElementBits e = element_bits(shape);
  uint64_t *last = &padded[rank - 1];
  if (rank == 1)
    return store(padded_vector(memory, *last, e), last);
  uint64_t *rows = &padded[rank - 2];
  return store(padded_rows(memory, *rows, e), rows) &&
         store(round_up(*last, memory->tile_columns.value), last);
}

enum { USUAL_RANK = 16 };

static Bytes padded_bytes(const Memory *memory, const TensorShape *shape,
                          uint64_t *extents) {
  if (!machine_padded_extents(memory, shape, extents))
    return (Bytes){UINT64_MAX, true};
  Bytes bytes = bytes_of(shape, extents);
  uint64_t granule = memory->granule.is_set ? memory->granule.value : 1;
  return bytes_round_up(bytes, granule);
}

Bytes machine_padded_bytes(const Memory *memory, const TensorShape *shape) {
  uint64_t extents[USUAL_RANK];
  static const uint64_t one[] = {1};
  TensorShape vector = *shape;
  if (shape->rank == 0) {
    vector.rank = 1;
    vector.extents = one;
  }
  if (vector.rank <= USUAL_RANK)
    return padded_bytes(memory, &vector, extents);
  Arena scratch = {0};
  uint64_t *many = ARENA_ARRAY(&scratch, uint64_t, vector.rank);
  Bytes bytes = padded_bytes(memory, &vector, many);
  arena_free(&scratch);
  return bytes;
}
