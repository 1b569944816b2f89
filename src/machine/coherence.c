// SPDX-License-Identifier: Apache-2.0
//
// A machine that contradicts itself is refused before any program is looked at
// (machine-files.md section 4). Each check reports at the value at fault, shows
// the other place, and cuts the fault out, so that nothing follows from it.
// Links have their own file, coherence_links.c.

#include "machine/internal.h"

static Memory *memory_at(Builder *b, uint32_t index) {
  return &b->machine->memories[index];
}

static Str name_at(Builder *b, uint32_t index) {
  return memory_name(b->machine, (MemoryId){index});
}

// --- Cycles (E6006) ----------------------------------------------------------

typedef enum { UP_WITHIN, UP_PART_OF } Up;

static MemoryId *up_of(Memory *memory, Up up) {
  return up == UP_WITHIN ? &memory->within : &memory->part_of;
}

static Span up_span(const Memory *memory, Up up) {
  return up == UP_WITHIN ? memory->within_span : memory->part_of_span;
}

static const char *up_field(Up up) {
  return up == UP_WITHIN ? "within" : "part_of";
}

// "A -> B -> C -> A", at most eight names.
static Str cycle_text(Builder *b, uint32_t first, Up up) {
  enum { MOST_NAMES = 8 };
  Text text = text_new(&b->scratch);
  uint32_t at = first;
  unsigned shown = 0;
  do {
    if (shown++ < MOST_NAMES)
      text_format(&text, "%.*s -> ", STR_ARG(name_at(b, at)));
    at = up_of(memory_at(b, at), up)->index;
  } while (at != first);
  if (shown > MOST_NAMES)
    text_format(&text, "(%u more) -> ", shown - MOST_NAMES);
  text_put(&text, name_at(b, first));
  return text_str(&text);
}

static uint32_t up_from(Builder *b, uint32_t memory, Up up) {
  return up_of(memory_at(b, memory), up)->index;
}

// Reported at the member that is declared first. All its edges are cut, so that
// no other rule judges them.
static void report_cycle(Builder *b, uint32_t member, Up up) {
  uint32_t first = member;
  for (uint32_t at = up_from(b, member, up); at != member;
       at = up_from(b, at, up))
    first = at < first ? at : first;
  uint32_t before = first;
  while (up_from(b, before, up) != first)
    before = up_from(b, before, up);
  Memory *memory = memory_at(b, first);
  Diagnostic *d = diag_within_cycle(b->sink, up_span(memory, up),
                                    name_at(b, first), str_from(up_field(up)));
  if (before != first)
    diag_add_label(b->sink, d, up_span(memory_at(b, before), up),
                   STR("which closes the cycle"));
  Str cycle = cycle_text(b, first, up);
  diag_add_note(b->sink, d, NO_SPAN,
                str_format(&b->scratch, "the cycle is %.*s", STR_ARG(cycle)));
  for (uint32_t at = first; at != 0;) {
    MemoryId *edge = up_of(memory_at(b, at), up);
    at = edge->index;
    *edge = (MemoryId){0};
  }
}

// Every memory is left once: linear.
static void check_cycles(Builder *b, Up up) {
  uint32_t count = b->machine->memory_count;
  uint32_t *walk = ARENA_ARRAY(&b->scratch, uint32_t, count); // that came by
  for (uint32_t i = 1; i < count; i++) {
    uint32_t at = i;
    while (at != 0 && walk[at] == 0) {
      walk[at] = i;
      at = up_of(memory_at(b, at), up)->index;
    }
    if (at != 0 && walk[at] == i)
      report_cycle(b, at, up);
  }
}

// --- Cycles that need both kinds of edges ------------------------------------

typedef struct {
  uint32_t memory;
  uint32_t next; // 0: `within` is next, 1: `part_of`, 2: done
} Visit;

typedef VEC(Visit) Visits;

static void report_mixed_cycle(Builder *b, uint32_t memory, Up up) {
  Memory *m = memory_at(b, memory);
  diag_within_cycle(b->sink, up_span(m, up), name_at(b, memory),
                    str_from(up_field(up)));
  *up_of(m, up) = (MemoryId){0};
}

static void visit_upwards(Builder *b, Visits *stack, uint8_t *state,
                          uint32_t first) {
  enum { NEW, OPEN, DONE };
  VEC_PUSH(&b->scratch, stack, (Visit){first, 0});
  state[first] = OPEN;
  while (stack->count > 0) {
    Visit *visit = &VEC_LAST(stack);
    uint32_t memory = visit->memory;
    if (visit->next == 2) {
      state[memory] = DONE;
      stack->count--;
      continue;
    }
    Up up = visit->next++ == 0 ? UP_WITHIN : UP_PART_OF;
    uint32_t target = up_of(memory_at(b, memory), up)->index;
    if (target == 0)
      continue;
    if (state[target] == OPEN) {
      report_mixed_cycle(b, memory, up);
    } else if (state[target] == NEW) {
      state[target] = OPEN;
      VEC_PUSH(&b->scratch, stack, (Visit){target, 0});
    }
  }
}

static void check_mixed_cycles(Builder *b) {
  uint32_t count = b->machine->memory_count;
  uint8_t *state = ARENA_ARRAY(&b->scratch, uint8_t, count);
  Visits stack = {0};
  for (uint32_t i = 1; i < count; i++) {
    if (state[i] == 0)
      visit_upwards(b, &stack, state, i);
  }
}

// --- What contains a memory: E6007, E6011 ------------------------------------

typedef enum { CLIMB_ON, CLIMB_STOP, CLIMB_FOUND } Climb;

// The nearest ancestor by `up` that `judge` finds, for every memory: each one
// asks its parent first.
static uint32_t *nearest_ancestors(Builder *b, Up up,
                                   Climb (*judge)(const Memory *ancestor)) {
  uint32_t count = b->machine->memory_count;
  uint32_t *answer = ARENA_ARRAY(&b->scratch, uint32_t, count);
  bool *is_known = ARENA_ARRAY(&b->scratch, bool, count);
  U32Vec way = {0};
  is_known[0] = true;
  for (uint32_t i = 1; i < count; i++) {
    for (uint32_t at = i; !is_known[at];
         at = up_of(memory_at(b, at), up)->index)
      VEC_PUSH(&b->scratch, &way, at);
    while (way.count > 0) {
      uint32_t at = way.items[--way.count];
      uint32_t parent = up_of(memory_at(b, at), up)->index;
      Climb verdict = parent == 0 ? CLIMB_STOP : judge(memory_at(b, parent));
      answer[at] = verdict == CLIMB_FOUND  ? parent
                   : verdict == CLIMB_STOP ? 0
                                           : answer[parent];
      is_known[at] = true;
    }
  }
  return answer;
}

// A cache may be smaller than what it fronts, and says nothing of what is
// above it.
static Climb judge_capacity(const Memory *ancestor) {
  if (ancestor->is_cached)
    return CLIMB_STOP;
  return ancestor->capacity.is_set ? CLIMB_FOUND : CLIMB_ON;
}

static Climb judge_scope(const Memory *ancestor) {
  return ancestor->scope != SCOPE_UNSCOPED ? CLIMB_FOUND : CLIMB_ON;
}

static void check_containing_capacity(Builder *b, Up up) {
  const uint32_t *bound = nearest_ancestors(b, up, judge_capacity);
  for (uint32_t i = 1; i < b->machine->memory_count; i++) {
    const Memory *child = memory_at(b, i);
    const Memory *parent = memory_at(b, bound[i]);
    if (bound[i] == 0 || !child->capacity.is_set ||
        child->capacity.value <= parent->capacity.value)
      continue;
    Diagnostic *d = diag_larger_than_parent(
        b->sink, child->capacity.span, name_at(b, i), child->capacity.value,
        name_at(b, bound[i]), parent->capacity.value);
    diag_add_label(b->sink, d, parent->capacity.span,
                   STR("the capacity of what contains it"));
  }
}

static void check_containing_scope(Builder *b) {
  const uint32_t *bound = nearest_ancestors(b, UP_WITHIN, judge_scope);
  for (uint32_t i = 1; i < b->machine->memory_count; i++) {
    const Memory *child = memory_at(b, i);
    const Memory *parent = memory_at(b, bound[i]);
    if (bound[i] == 0 || child->scope == SCOPE_UNSCOPED ||
        child->scope >= parent->scope)
      continue;
    Diagnostic *d = diag_scope_widens(b->sink, child->scope_span, name_at(b, i),
                                      str_from(scope_name(child->scope)),
                                      name_at(b, bound[i]),
                                      str_from(scope_name(parent->scope)));
    diag_add_label(b->sink, d, parent->scope_span,
                   STR("the scope of what contains it"));
  }
}

void check_containment(Builder *b) {
  check_cycles(b, UP_WITHIN);
  check_cycles(b, UP_PART_OF);
  check_mixed_cycles(b);
  check_containing_capacity(b, UP_WITHIN);
  check_containing_capacity(b, UP_PART_OF);
  check_containing_scope(b);
}

// --- Sizes of one memory: E6106 ----------------------------------------------

static void contradict(Builder *b, uint32_t index, const char *field,
                       Figure *figure, const char *relation, const char *other,
                       const Figure *bound) {
  Diagnostic *d = diag_contradicts_capacity(
      b->sink, figure->span, name_at(b, index), str_from(field), figure->value,
      str_from(relation), str_from(other), bound->value);
  if (bound->is_set)
    diag_add_label(b->sink, d, bound->span,
                   str_format(&b->scratch, "its `%s`", other));
}

static void check_at_most_capacity(Builder *b, uint32_t index,
                                   MemoryField field) {
  Memory *memory = memory_at(b, index);
  Figure *figure = memory_figure(memory, field);
  if (!figure->is_set || !memory->capacity.is_set ||
      figure->value <= memory->capacity.value)
    return;
  contradict(b, index, memory_field_name(field), figure, "more than its",
             "capacity", &memory->capacity);
  uint64_t absent = field == MEMORY_FIELD_granule ? 1 : 0;
  *figure = (Figure){.value = absent};
}

static void check_reserve(Builder *b, uint32_t index) {
  Memory *memory = memory_at(b, index);
  bool has_usable = memory->usable.is_set;
  const Figure *bound = has_usable ? &memory->usable : &memory->capacity;
  if (!bound->is_set || memory->reserve.value < bound->value)
    return;
  if (memory->reserve.is_set)
    contradict(b, index, "reserve", &memory->reserve, "not less than its",
               has_usable ? "usable" : "capacity", bound);
  else
    contradict(b, index, "usable", &memory->usable, "not more than its",
               "reserve", &memory->reserve);
  memory->reserve = (Figure){0};
}

void check_sizes(Builder *b) {
  static const MemoryField bounded[] = {
      MEMORY_FIELD_usable, MEMORY_FIELD_block_limit, MEMORY_FIELD_max_alloc,
      MEMORY_FIELD_granule};
  for (uint32_t i = 1; i < b->machine->memory_count; i++) {
    for (size_t k = 0; k < COUNT_OF(bounded); k++)
      check_at_most_capacity(b, i, bounded[k]);
    check_reserve(b, i);
  }
}

// --- Topologies: E6108, E6005, E6113 -----------------------------------------

static bool lists_memory(const Topology *topology, MemoryId memory) {
  for (uint32_t i = 0; i < topology->visible_count; i++) {
    if (topology->visible[i].memory.index == memory.index)
      return true;
  }
  return false;
}

static void add_visible(Builder *b, Topology *topology, MemoryId memory) {
  uint32_t count = topology->visible_count;
  Visible *visible = ARENA_ARRAY(b->arena, Visible, count + 1);
  for (uint32_t i = 0; i < count; i++)
    visible[i] = topology->visible[i];
  visible[count] = (Visible){.memory = memory};
  topology->visible = visible;
  topology->visible_count = count + 1;
}

static void check_own_memory(Builder *b, uint32_t index) {
  Topology *topology = &b->machine->topologies[index];
  TopologyId id = {index};
  bool is_broken = topology->memory.index == 0;
  if (is_broken && span_is_none(topology->memory_span))
    diag_bad_field(b->sink, topology->span,
                   topology_words(&b->scratch, b->machine, id),
                   STR("the field `memory` is missing"));
  if (is_broken)
    topology->memory = topology->visible_count > 0 ? topology->visible[0].memory
                                                   : (MemoryId){1};
  if (lists_memory(topology, topology->memory))
    return;
  uint64_t ignored;
  bool lost_some = map_get(&b->broken_visible, index, &ignored);
  if (!is_broken && !lost_some && !span_is_none(topology->visible_span)) {
    Diagnostic *d = diag_incoherent_topology(b->sink, topology->span,
                                             topology_name(b->machine, id));
    diag_add_label(
        b->sink, d, topology->visible_span,
        str_format(&b->scratch, "does not list `Memory::%.*s`",
                   STR_ARG(memory_name(b->machine, topology->memory))));
  }
  add_visible(b, topology, topology->memory);
}

void check_topologies(Builder *b) {
  for (uint32_t i = 1; i < b->machine->topology_count; i++)
    check_own_memory(b, i);
}

static void report_counts(Builder *b, uint32_t index, uint32_t first) {
  const Topology *topology = &b->machine->topologies[index];
  const Topology *other = &b->machine->topologies[first];
  Str why = str_format(
      &b->scratch,
      "topologies '%.*s' and '%.*s' hold the same memory space '%.*s', but "
      "`count` is %llu here and %llu there",
      STR_ARG(topology_name(b->machine, (TopologyId){index})),
      STR_ARG(topology_name(b->machine, (TopologyId){first})),
      STR_ARG(memory_name(b->machine, topology->memory)),
      (unsigned long long)topology->count.value,
      (unsigned long long)other->count.value);
  bool has_count = topology->count.is_set;
  Diagnostic *d = diag_bad_instance(
      b->sink, has_count ? topology->count.span : topology->span, why);
  diag_add_label(b->sink, d,
                 other->count.is_set ? other->count.span : other->span,
                 STR("the other one"));
}

void check_counts(Builder *b) {
  Machine *machine = b->machine;
  uint32_t *first = ARENA_ARRAY(&b->scratch, uint32_t, machine->memory_count);
  for (uint32_t i = 1; i < machine->topology_count; i++) {
    Topology *topology = &machine->topologies[i];
    if (topology->is_builtin)
      continue;
    uint32_t *known = &first[topology->memory.index];
    if (*known == 0) {
      *known = i;
      continue;
    }
    const Topology *other = &machine->topologies[*known];
    bool was_refused = !topology->count.is_set && topology->count.value != 1;
    bool other_was = !other->count.is_set && other->count.value != 1;
    if (topology->count.value == other->count.value || was_refused || other_was)
      continue;
    report_counts(b, i, *known);
    topology->count.value = other->count.value;
    topology->instances = other->instances;
  }
}
