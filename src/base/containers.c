// SPDX-License-Identifier: Apache-2.0
//
// The growing array, the hash map and the bit set.

#include "base/base.h"

#include <string.h>

// --- Vec ---------------------------------------------------------------------

enum { FIRST_CAPACITY = 8 };

#ifdef VX_STRESS
// Moving at every append makes n appends cost n * n bytes; above STRESS_ALWAYS
// items every STRESS_STRIDE-th append is enough to find a kept pointer, and
// above STRESS_NEVER growth alone moves.
enum { STRESS_ALWAYS = 4096, STRESS_STRIDE = 256, STRESS_NEVER = 65536 };

static bool must_move(uint32_t count) {
  return count < STRESS_ALWAYS ||
         (count < STRESS_NEVER && count % STRESS_STRIDE == 0);
}
#else
static bool must_move(uint32_t count) {
  (void)count;
  return false;
}
#endif

static uint32_t larger_capacity(uint32_t capacity, uint64_t needed) {
  uint64_t larger = capacity < FIRST_CAPACITY ? FIRST_CAPACITY : capacity;
  while (larger < needed)
    larger *= 2;
  return larger > UINT32_MAX ? UINT32_MAX : (uint32_t)larger;
}

// The alignment of items of this size: the largest power of two in it.
static size_t item_align(size_t size) {
  size_t align = size & (~size + 1);
  size_t most = _Alignof(max_align_t);
  return align == 0 || align > most ? most : align;
}

void *vec_reserve(Arena *arena, void *items, uint32_t count, uint32_t *capacity,
                  uint32_t more, size_t size) {
  uint64_t needed = (uint64_t)count + more;
  CHECK(needed <= UINT32_MAX);
  bool grows = needed > *capacity;
  if (!grows && !must_move(count))
    return items;
  size_t old_bytes = (size_t)*capacity * size;
  if (!grows) { // under stress: only what is in use moves
    old_bytes = (size_t)count * size;
    *capacity = larger_capacity(0, needed);
  } else {
    *capacity = larger_capacity(*capacity, needed);
  }
  CHECK(size == 0 || *capacity <= SIZE_MAX / size);
  size_t new_bytes = (size_t)*capacity * size;
  return arena_grow(arena, items, old_bytes, new_bytes, item_align(size));
}

// --- Map ---------------------------------------------------------------------

enum { FIRST_SLOTS = 16 };

// The finaliser of splitmix64: every bit of the key reaches every bit.
static uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= UINT64_C(0xbf58476d1ce4e5b9);
  x ^= x >> 27;
  x *= UINT64_C(0x94d049bb133111eb);
  x ^= x >> 31;
  return x;
}

// The slot that holds `key`, or the free one where it belongs.
static uint32_t find_slot(const Map *map, uint64_t key) {
  uint32_t mask = map->capacity - 1;
  uint32_t slot = (uint32_t)mix(key) & mask;
  while (map->used[slot] != 0 && map->keys[slot] != key)
    slot = (slot + 1) & mask;
  return slot;
}

bool map_get(const Map *map, uint64_t key, uint64_t *value) {
  if (map->capacity == 0)
    return false;
  uint32_t slot = find_slot(map, key);
  if (map->used[slot] == 0)
    return false;
  *value = map->values[slot];
  return true;
}

static void insert_at(Map *map, uint32_t slot, uint64_t key, uint64_t value) {
  map->keys[slot] = key;
  map->values[slot] = value;
  map->used[slot] = 1;
}

static void rehash(Arena *arena, Map *map) {
  Map larger = {.count = map->count};
  CHECK(map->capacity <= UINT32_MAX / 2);
  larger.capacity = map->capacity == 0 ? FIRST_SLOTS : map->capacity * 2;
  larger.keys = ARENA_ARRAY(arena, uint64_t, larger.capacity);
  larger.values = ARENA_ARRAY(arena, uint64_t, larger.capacity);
  larger.used = ARENA_ARRAY(arena, uint8_t, larger.capacity);
  for (uint32_t i = 0; i < map->capacity; i++) {
    if (map->used[i] != 0)
      insert_at(&larger, find_slot(&larger, map->keys[i]), map->keys[i],
                map->values[i]);
  }
  *map = larger;
}

void map_put(Arena *arena, Map *map, uint64_t key, uint64_t value) {
  // At most three quarters full.
  if ((uint64_t)map->count * 4 + 4 > (uint64_t)map->capacity * 3)
    rehash(arena, map);
  uint32_t slot = find_slot(map, key);
  if (map->used[slot] == 0)
    map->count++;
  insert_at(map, slot, key, value);
}

static uint64_t multiply_fold(uint64_t a, uint64_t b) {
  Uint128 product = (Uint128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t hash_bytes(const void *data, size_t length, uint64_t seed) {
  const unsigned char *bytes = data;
  uint64_t hash = seed ^ UINT64_C(0x9e3779b97f4a7c15);
  size_t left = length;
  while (left >= 8) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    hash = multiply_fold(hash ^ word, UINT64_C(0xa0761d6478bd642f));
    bytes += 8;
    left -= 8;
  }
  uint64_t tail = 0;
  for (size_t i = 0; i < left; i++)
    tail |= (uint64_t)bytes[i] << (8 * i);
  hash = multiply_fold(hash ^ tail, UINT64_C(0xe7037ed1a0b428db));
  return mix(hash ^ (uint64_t)length);
}

// --- Bitset ------------------------------------------------------------------

static uint32_t word_count(const Bitset *set) {
  return set->bit_count / 64 + (set->bit_count % 64 != 0);
}

static uint64_t bit_mask(uint32_t bit) { return UINT64_C(1) << (bit % 64); }

static uint32_t lowest_bit(uint64_t word) {
  return (uint32_t)__builtin_ctzll(word);
}

Bitset bitset_new(Arena *arena, uint32_t bit_count) {
  Bitset set = {.bit_count = bit_count};
  set.words = ARENA_ARRAY(arena, uint64_t, word_count(&set));
  return set;
}

bool bitset_has(const Bitset *set, uint32_t bit) {
  CHECK(bit < set->bit_count);
  return (set->words[bit / 64] & bit_mask(bit)) != 0;
}

void bitset_add(Bitset *set, uint32_t bit) {
  CHECK(bit < set->bit_count);
  set->words[bit / 64] |= bit_mask(bit);
}

void bitset_remove(Bitset *set, uint32_t bit) {
  CHECK(bit < set->bit_count);
  set->words[bit / 64] &= ~bit_mask(bit);
}

void bitset_clear(Bitset *set) {
  for (uint32_t i = 0; i < word_count(set); i++)
    set->words[i] = 0;
}

bool bitset_union(Bitset *into, const Bitset *from) {
  CHECK(into->bit_count == from->bit_count);
  uint64_t added = 0;
  for (uint32_t i = 0; i < word_count(into); i++) {
    added |= from->words[i] & ~into->words[i];
    into->words[i] |= from->words[i];
  }
  return added != 0;
}

void bitset_copy(Bitset *into, const Bitset *from) {
  CHECK(into->bit_count == from->bit_count);
  for (uint32_t i = 0; i < word_count(into); i++)
    into->words[i] = from->words[i];
}

uint32_t bitset_count(const Bitset *set) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < word_count(set); i++)
    count += (uint32_t)__builtin_popcountll(set->words[i]);
  return count;
}

uint32_t bitset_next(const Bitset *set, uint32_t from) {
  if (from >= set->bit_count)
    return set->bit_count;
  uint32_t word = from / 64;
  uint64_t rest = set->words[word] & (UINT64_MAX << (from % 64));
  while (rest == 0) {
    if (++word == word_count(set))
      return set->bit_count;
    rest = set->words[word];
  }
  return word * 64 + lowest_bit(rest);
}
