// SPDX-License-Identifier: Apache-2.0
//
// base: the ground floor. Arenas, growing arrays, hash maps, bit sets, text
// building, interned names, exact integers, files. Knows nothing of Vx.
//
// Ownership: everything that allocates takes the Arena that owns the result;
// nothing is freed singly. Out of memory and broken invariants end the process
// (panic, exit 70); all other failures are return values.

#ifndef VX_BASE_BASE_H
#define VX_BASE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --- Compiler attributes -----------------------------------------------------

#if defined(__GNUC__)
#define VX_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define VX_UNUSED __attribute__((unused))
#else
#define VX_PRINTF(text, first)
#define VX_UNUSED
#endif

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// --- Panic: our own faults ---------------------------------------------------

// Ends the process with exit status 70 and a request to report the bug.
_Noreturn void panic(const char *file, int line, const char *function,
                     const char *what);

// Ends the process with exit status 2: there is no memory to go on with.
_Noreturn void memory_exhausted(void);

#define PANIC(what) panic(__FILE__, __LINE__, __func__, (what))
// Stays on in release builds.
#define CHECK(condition)                                                       \
  ((condition) ? (void)0 : panic(__FILE__, __LINE__, __func__, #condition))

// --- Arena -------------------------------------------------------------------

typedef struct ArenaChunk ArenaChunk;

// Memory that is released all at once. Zero-initialise to create.
typedef struct {
  ArenaChunk *chunks; // newest first
  char *next;         // first free byte of the newest small chunk
  char *end;
  size_t total; // bytes obtained from the system
} Arena;

// `bytes` zeroed bytes at a multiple of `align` (a power of two). Never NULL,
// also for 0 bytes.
void *arena_alloc(Arena *arena, size_t bytes, size_t align);
// Moves or extends a block that `arena` handed out; new bytes are zero.
void *arena_grow(Arena *arena, void *old, size_t old_bytes, size_t new_bytes,
                 size_t align);
void arena_free(Arena *arena);

#define ARENA_NEW(arena, Type)                                                 \
  ((Type *)arena_alloc((arena), sizeof(Type), _Alignof(Type)))
#define ARENA_ARRAY(arena, Type, count)                                        \
  ((Type *)arena_array((arena), (count), sizeof(Type), _Alignof(Type)))

// As arena_alloc; the product is checked.
void *arena_array(Arena *arena, size_t count, size_t size, size_t align);

// --- Str: a slice of bytes, not NUL-terminated, not owned --------------------

typedef struct {
  const char *data;
  size_t length;
} Str;

#define STR(literal) ((Str){(literal), sizeof(literal) - 1})
// For printf's "%.*s".
#define STR_ARG(s) (int)(s).length, (s).data

Str str_from(const char *text); // strlen
bool str_equal(Str a, Str b);
int str_compare(Str a, Str b); // by bytes, then by length
bool str_starts_with(Str s, Str prefix);
bool str_ends_with(Str s, Str suffix);
Str str_slice(Str s, size_t start, size_t length);
Str str_copy(Arena *arena, Str s);
// A NUL-terminated copy.
char *str_to_c(Arena *arena, Str s);
Str str_format(Arena *arena, const char *format, ...) VX_PRINTF(2, 3);
// Damerau-Levenshtein distance, at most `limit` + 1; for "did you mean". Texts
// of more than 200 bytes are never near.
size_t str_distance(Arena *scratch, Str a, Str b, size_t limit);

// --- Vec: a growing array ----------------------------------------------------

// typedef VEC(int) IntVec; IntVec v = {0}; VEC_PUSH(&arena, &v, 3);
// A push may move the items: keep indices, not pointers. A build with
// VX_STRESS moves them at every push and poisons the old place.
#define VEC(Type)                                                              \
  struct {                                                                     \
    Type *items;                                                               \
    uint32_t count;                                                            \
    uint32_t capacity;                                                         \
  }

#ifdef VX_STRESS
#define VEC_MUST_GROW(vec) true
#else
#define VEC_MUST_GROW(vec) ((vec)->count == (vec)->capacity)
#endif

#define VEC_PUSH(arena, vec, ...)                                              \
  (VEC_MUST_GROW(vec)                                                          \
       ? (void)((vec)->items =                                                 \
                    vec_reserve((arena), (vec)->items, (vec)->count,           \
                                &(vec)->capacity, 1, sizeof(*(vec)->items)))   \
       : (void)0,                                                              \
   (vec)->items[(vec)->count++] = (__VA_ARGS__))

// Appends `n` zeroed items; their first index is the old count.
#define VEC_EXTEND(arena, vec, n)                                              \
  ((vec)->items = vec_reserve((arena), (vec)->items, (vec)->count,             \
                              &(vec)->capacity, (n), sizeof(*(vec)->items)),   \
   (vec)->count += (n))

#define VEC_LAST(vec) ((vec)->items[(vec)->count - 1])

// Room for `more` items behind `count`; returns the (possibly moved) items.
void *vec_reserve(Arena *arena, void *items, uint32_t count, uint32_t *capacity,
                  uint32_t more, size_t size);

typedef VEC(uint32_t) U32Vec;
typedef VEC(Str) StrVec;

// --- Map: 64-bit keys to 64-bit values, open addressing ----------------------

// No iteration on purpose: nothing may depend on hash order.
typedef struct {
  uint64_t *keys;
  uint64_t *values;
  uint8_t *used;
  uint32_t count;
  uint32_t capacity; // 0 or a power of two
} Map;

bool map_get(const Map *map, uint64_t key, uint64_t *value);
// Inserts or replaces.
void map_put(Arena *arena, Map *map, uint64_t key, uint64_t value);

uint64_t hash_bytes(const void *data, size_t length, uint64_t seed);

// --- Bitset ------------------------------------------------------------------

typedef struct {
  uint64_t *words;
  uint32_t bit_count;
} Bitset;

Bitset bitset_new(Arena *arena, uint32_t bit_count); // all clear
bool bitset_has(const Bitset *set, uint32_t bit);
void bitset_add(Bitset *set, uint32_t bit);
void bitset_remove(Bitset *set, uint32_t bit);
void bitset_clear(Bitset *set);
// Both sets have the same bit_count. Returns whether `into` grew.
bool bitset_union(Bitset *into, const Bitset *from);
void bitset_copy(Bitset *into, const Bitset *from);
uint32_t bitset_count(const Bitset *set);
// The first member at or after `from`, or bit_count.
uint32_t bitset_next(const Bitset *set, uint32_t from);

// --- Text: a string builder --------------------------------------------------

typedef struct {
  Arena *arena;
  char *data;
  size_t length;
  size_t capacity;
} Text;

Text text_new(Arena *arena);
void text_put(Text *text, Str s);
void text_puts(Text *text, const char *s);
void text_char(Text *text, char c);
void text_repeat(Text *text, char c, size_t times);
void text_format(Text *text, const char *format, ...) VX_PRINTF(2, 3);
void text_format_list(Text *text, const char *format, va_list arguments)
    VX_PRINTF(2, 0);
// The bytes so far; valid until the next append.
Str text_str(const Text *text);
// `s` as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
void text_json_string(Text *text, Str s);

// --- Interned names ----------------------------------------------------------

// 0 is "no name".
typedef struct {
  uint32_t index;
} Name;

typedef struct {
  Arena *arena; // owns the texts
  VEC(Str) texts;
  uint32_t *slots; // open addressing over texts; 0 is empty
  uint32_t slot_count;
} Interner;

void interner_init(Interner *interner, Arena *arena);
Name intern(Interner *interner, Str text);
Name intern_c(Interner *interner, const char *text);
Str name_text(const Interner *interner, Name name);

static inline bool name_equal(Name a, Name b) { return a.index == b.index; }

// --- Exact integers ----------------------------------------------------------

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

// Each returns false on overflow and then leaves *result alone.
bool add_u64(uint64_t a, uint64_t b, uint64_t *result);
bool sub_u64(uint64_t a, uint64_t b, uint64_t *result);
bool mul_u64(uint64_t a, uint64_t b, uint64_t *result);
bool add_u128(Uint128 a, Uint128 b, Uint128 *result);
bool mul_u128(Uint128 a, Uint128 b, Uint128 *result);
bool add_i128(Int128 a, Int128 b, Int128 *result);
bool sub_i128(Int128 a, Int128 b, Int128 *result);
bool mul_i128(Int128 a, Int128 b, Int128 *result);
// ceil(a * b / c), exact also where a * b needs up to 128 bits; c > 0. False
// when the result does not fit.
bool mul_div_ceil(uint64_t a, uint64_t b, uint64_t c, uint64_t *result);
// a rounded up to a multiple of step > 0.
bool round_up_u64(uint64_t a, uint64_t step, uint64_t *result);
uint64_t round_down_u64(uint64_t a, uint64_t step);

void text_u128(Text *text, Uint128 value);
void text_i128(Text *text, Int128 value);

// A number of bytes that may lie beyond 64 bits. Saturates, never wraps.
typedef struct {
  uint64_t count; // UINT64_MAX when beyond
  bool beyond;    // more than 2^64 - 1
} Bytes;

#define BYTES(n) ((Bytes){(n), false})
Bytes bytes_add(Bytes a, Bytes b);
Bytes bytes_mul(Bytes a, uint64_t times);
Bytes bytes_round_up(Bytes a, uint64_t step);
bool bytes_over(Bytes a, uint64_t limit); // a > limit
// "262144", or "more than 18446744073709551615".
void text_bytes(Text *text, Bytes bytes);
// For people: "256 KiB", "1.2 GiB", "227.5 KiB", "100 B"; exact when it can be.
void text_size(Text *text, Bytes bytes);
// For people, three digits: "1.04 us", "979 ns", "5 ps".
void text_duration(Text *text, uint64_t picoseconds);

// --- UTF-8 -------------------------------------------------------------------

// Decodes one code point at `s` (length > 0). Returns its length in bytes, or 0
// if the bytes are not UTF-8 (overlong forms and surrogates included).
size_t utf8_decode(const char *s, size_t length, uint32_t *code_point);
// Columns that a terminal gives the code point: 0, 1 or 2.
unsigned utf8_width(uint32_t code_point);
bool utf8_is_letter(uint32_t code_point); // may begin an identifier
bool utf8_is_word(uint32_t code_point);   // may continue one

// --- Files -------------------------------------------------------------------

// Reads a whole file ("-" is standard input). On failure returns false and
// *error is the system's own word ("No such file or directory").
bool io_read_file(Arena *arena, const char *path, Str *bytes, Str *error);
// Writes beside the target and renames, so that no half-written file is left.
bool io_write_file(const char *path, Str bytes, Arena *scratch, Str *error);
bool io_is_directory(const char *path);
// Names in a directory, sorted by bytes, without "." and "..".
bool io_list_directory(Arena *arena, const char *path, StrVec *names,
                       Str *error);

#endif
