// SPDX-License-Identifier: Apache-2.0
//
// Arenas: bump allocation from chunks of growing size. A block above
// LARGE_BLOCK has a chunk of its own, so that growing it is a realloc and not a
// copy that leaves the old block behind. Other chunks are cleared block by
// block as they are used, so that a short-lived arena touches little memory.
// With VX_STRESS every block is large, and with the address sanitizer the
// unused part of a chunk is poisoned.

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif
#ifndef HAS_ASAN
#define HAS_ASAN 0
#endif

#if HAS_ASAN
#include <sanitizer/asan_interface.h>
#endif

#ifdef VX_STRESS
enum { LARGE_BLOCK = 0 };
#else
enum { LARGE_BLOCK = 64 * 1024 };
#endif

enum {
  HEADER_ALIGN = 16,
  // Unused bytes behind each small block and the least alignment, which let
  // the address sanitizer see an overrun.
  RED_ZONE = HAS_ASAN ? 8 : 0,
  LEAST_ALIGN = HAS_ASAN ? 8 : 1,
  FIRST_CHUNK = 16 * 1024,
  LAST_CHUNK = 256 * 1024,
};

struct ArenaChunk {
  _Alignas(HEADER_ALIGN) ArenaChunk *older;
  ArenaChunk *newer;
  size_t bytes; // with this header
};

static void poison(void *start, size_t bytes) {
#if HAS_ASAN
  __asan_poison_memory_region(start, bytes);
#else
  (void)start;
  (void)bytes;
#endif
}

static void unpoison(void *start, size_t bytes) {
#if HAS_ASAN
  __asan_unpoison_memory_region(start, bytes);
#else
  (void)start;
  (void)bytes;
#endif
}

static size_t sum_or_panic(size_t a, size_t b) {
  CHECK(a <= SIZE_MAX - b);
  return a + b;
}

static char *align_up(char *pointer, size_t align) {
  size_t over = (uintptr_t)pointer & (align - 1);
  return over == 0 ? pointer : pointer + (align - over);
}

// Puts the chunk in front of the list.
static void link_chunk(Arena *arena, ArenaChunk *chunk) {
  chunk->newer = NULL;
  chunk->older = arena->chunks;
  if (arena->chunks != NULL)
    arena->chunks->newer = chunk;
  arena->chunks = chunk;
}

// Makes the neighbours of a moved chunk point at its new place.
static void relink_chunk(Arena *arena, ArenaChunk *chunk) {
  if (chunk->older != NULL)
    chunk->older->newer = chunk;
  if (chunk->newer != NULL)
    chunk->newer->older = chunk;
  else
    arena->chunks = chunk;
}

static ArenaChunk *new_chunk(Arena *arena, size_t payload, bool is_zeroed) {
  size_t bytes = sum_or_panic(sizeof(ArenaChunk), payload);
  ArenaChunk *chunk = is_zeroed ? calloc(1, bytes) : malloc(bytes);
  if (chunk == NULL)
    memory_exhausted();
  chunk->bytes = bytes;
  arena->total += bytes;
  link_chunk(arena, chunk);
  return chunk;
}

// A block in a chunk of its own. Up to HEADER_ALIGN it follows the header
// directly, which is how arena_grow finds the header again.
static void *alloc_large(Arena *arena, size_t bytes, size_t align) {
  size_t slack = align > HEADER_ALIGN ? align : 0;
  ArenaChunk *chunk = new_chunk(arena, sum_or_panic(bytes, slack), true);
  char *data = (char *)(chunk + 1);
  return slack == 0 ? data : align_up(data, align);
}

static void start_small_chunk(Arena *arena, size_t at_least) {
  size_t bytes = arena->total;
  if (bytes < FIRST_CHUNK)
    bytes = FIRST_CHUNK;
  if (bytes > LAST_CHUNK)
    bytes = LAST_CHUNK;
  if (bytes < at_least)
    bytes = at_least;
  ArenaChunk *chunk = new_chunk(arena, bytes, false);
  arena->next = (char *)(chunk + 1);
  arena->end = arena->next + bytes;
  poison(arena->next, bytes);
}

void *arena_alloc(Arena *arena, size_t bytes, size_t align) {
  CHECK(align != 0 && (align & (align - 1)) == 0);
  if (bytes > LARGE_BLOCK || align > LAST_CHUNK / 2)
    return alloc_large(arena, bytes, align);
  if (align < LEAST_ALIGN)
    align = LEAST_ALIGN;
  size_t worst = bytes + RED_ZONE + align;
  if (arena->next == NULL || (size_t)(arena->end - arena->next) < worst)
    start_small_chunk(arena, worst);
  char *block = align_up(arena->next, align);
  arena->next = block + bytes + RED_ZONE;
  unpoison(block, bytes);
  memset(block, 0, bytes);
  return block;
}

static void *grow_large(Arena *arena, void *old, size_t old_bytes,
                        size_t new_bytes) {
  ArenaChunk *chunk = (ArenaChunk *)old - 1;
  size_t old_total = chunk->bytes;
  size_t new_total = sum_or_panic(sizeof(ArenaChunk), new_bytes);
#ifdef VX_STRESS
  // A fresh place each time, and the old one made useless.
  ArenaChunk *moved = malloc(new_total);
  if (moved != NULL) {
    memcpy(moved, chunk, sizeof(ArenaChunk) + old_bytes);
    memset(chunk, 0xDD, old_total);
    free(chunk);
  }
#else
  ArenaChunk *moved = realloc(chunk, new_total);
#endif
  if (moved == NULL)
    memory_exhausted();
  moved->bytes = new_total;
  arena->total = arena->total - old_total + new_total;
  relink_chunk(arena, moved);
  char *data = (char *)(moved + 1);
  memset(data + old_bytes, 0, new_bytes - old_bytes);
  return data;
}

void *arena_grow(Arena *arena, void *old, size_t old_bytes, size_t new_bytes,
                 size_t align) {
  CHECK(new_bytes >= old_bytes);
  if (old == NULL)
    return arena_alloc(arena, new_bytes, align);
  if (old_bytes > LARGE_BLOCK && align <= HEADER_ALIGN)
    return grow_large(arena, old, old_bytes, new_bytes);
  char *old_end = (char *)old + old_bytes + RED_ZONE;
  if (old_end == arena->next && new_bytes <= LARGE_BLOCK &&
      (size_t)(arena->end - old_end) >= new_bytes - old_bytes) {
    arena->next += new_bytes - old_bytes;
    unpoison(old, new_bytes);
    memset((char *)old + old_bytes, 0, new_bytes - old_bytes);
    return old;
  }
  void *moved = arena_alloc(arena, new_bytes, align);
  if (old_bytes != 0) {
    memcpy(moved, old, old_bytes);
    poison(old, old_bytes);
  }
  return moved;
}

void *arena_array(Arena *arena, size_t count, size_t size, size_t align) {
  CHECK(size == 0 || count <= SIZE_MAX / size);
  return arena_alloc(arena, count * size, align);
}

void arena_free(Arena *arena) {
  ArenaChunk *chunk = arena->chunks;
  while (chunk != NULL) {
    ArenaChunk *older = chunk->older;
    unpoison(chunk + 1, chunk->bytes - sizeof(ArenaChunk));
    free(chunk);
    chunk = older;
  }
  *arena = (Arena){0};
}
