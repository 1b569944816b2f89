// SPDX-License-Identifier: Apache-2.0
//
// Interned names: equal texts have equal numbers.

#include "base/base.h"

enum { FIRST_SLOTS = 256 };

void interner_init(Interner *interner, Arena *arena) {
  *interner = (Interner){.arena = arena, .slot_count = FIRST_SLOTS};
  interner->slots = ARENA_ARRAY(arena, uint32_t, FIRST_SLOTS);
  VEC_PUSH(arena, &interner->texts, (Str){"", 0}); // index 0: no name
}

// The slot of the text, or the free one where it belongs.
static uint32_t find_slot(const Interner *interner, Str text) {
  uint32_t mask = interner->slot_count - 1;
  uint32_t slot = (uint32_t)hash_bytes(text.data, text.length, 0) & mask;
  while (interner->slots[slot] != 0 &&
         !str_equal(interner->texts.items[interner->slots[slot]], text))
    slot = (slot + 1) & mask;
  return slot;
}

static void double_slots(Interner *interner) {
  CHECK(interner->slot_count <= UINT32_MAX / 2);
  interner->slot_count *= 2;
  interner->slots =
      ARENA_ARRAY(interner->arena, uint32_t, interner->slot_count);
  for (uint32_t i = 1; i < interner->texts.count; i++)
    interner->slots[find_slot(interner, interner->texts.items[i])] = i;
}

Name intern(Interner *interner, Str text) {
  uint32_t slot = find_slot(interner, text);
  if (interner->slots[slot] != 0)
    return (Name){interner->slots[slot]};
  uint32_t index = interner->texts.count;
  interner->slots[slot] = index;
  Str copy = str_copy(interner->arena, text);
  VEC_PUSH(interner->arena, &interner->texts, copy);
  if (interner->texts.count > interner->slot_count / 2)
    double_slots(interner);
  return (Name){index};
}

Name intern_c(Interner *interner, const char *text) {
  return intern(interner, str_from(text));
}

Str name_text(const Interner *interner, Name name) {
  CHECK(name.index < interner->texts.count);
  return interner->texts.items[name.index];
}
