// SPDX-License-Identifier: Apache-2.0
//
// own: the buffers of a function and their lifetimes.
//
// Input: a verified function. Output: its buffers in order of birth, each with
// the ranges of operations over which it is alive. Algorithm: structure.c finds
// the blocks, tracks.c what uses what, sets.c to what references refer, live.c
// the ranges of one track; here each buffer gets its own ranges, those of the
// references to it, and under `stages` the whole loop. Source: the rules of the
// memory model. Cost: n log n in operations, plus the ranges given. What may
// reuse a dying operand is not decided here.

#include "own/internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  OwnContext c;
  Arena *arena;          // owns the result
  Event *events;         // by track, then operation
  uint32_t *first_event; // per track, count + 1 entries
  RangeVec ranges;       // of one track
  VEC(Buffer) buffers;
  uint32_t *buffer_of; // per track: index + 1
  // Ranges that references add: (buffer, range).
  VEC(uint32_t) added_to;
  RangeVec added;
} Analysis;

// --- Events by track ---------------------------------------------------------

static void sort_events(Analysis *a) {
  OwnContext *c = &a->c;
  uint32_t tracks = c->tracks.count, count = c->events.count;
  a->first_event = ARENA_ARRAY(c->scratch, uint32_t, tracks + 2);
  a->events = ARENA_ARRAY(c->scratch, Event, count);
  uint32_t *next = a->first_event + 1;
  for (uint32_t i = 0; i < count; i++) {
    Event *event = &c->events.items[i];
    event->track = track_root(c, event->track);
    next[event->track]++;
  }
  uint32_t sum = 0;
  for (uint32_t i = 0; i <= tracks; i++) {
    uint32_t own = next[i];
    next[i] = sum; // becomes the end of track i as it is filled
    sum += own;
  }
  for (uint32_t i = 0; i < count; i++) {
    const Event *event = &c->events.items[i];
    a->events[next[event->track]++] = *event;
  }
}

static const Event *events_of(const Analysis *a, uint32_t track,
                              uint32_t *count) {
  *count = a->first_event[track + 1] - a->first_event[track];
  return a->events + a->first_event[track];
}

// --- Buffers -----------------------------------------------------------------

// Sets birth and last use. False for the value of an IF that no arm yields.
static bool date_buffer(const Analysis *a, uint32_t track, Buffer *buffer) {
  uint32_t count;
  const Event *events = events_of(a, track, &count);
  uint32_t i = 0;
  while (i < count && events[i].kind != EVENT_DEF)
    i++;
  if (i == count)
    return false;
  buffer->birth = buffer->last_use = events[i].op;
  for (i = count; i-- > 0;) {
    if (events[i].kind == EVENT_DEF)
      continue;
    if (events[i].op > buffer->birth)
      buffer->last_use = events[i].op;
    break;
  }
  return true;
}

static void list_buffers(Analysis *a) {
  OwnContext *c = &a->c;
  a->buffer_of = ARENA_ARRAY(c->scratch, uint32_t, c->tracks.count);
  for (uint32_t i = 1; i < c->tracks.count; i++) {
    const Track *track = &c->tracks.items[i];
    if (track->kind != TRACK_BUFFER || track->parent != i)
      continue;
    Buffer buffer = {.value = track->value,
                     .field = track->leaf,
                     .type = track->type,
                     .origin = track->origin,
                     .copies = 1};
    if (!date_buffer(a, i, &buffer))
      continue;
    VEC_PUSH(a->arena, &a->buffers, buffer);
    a->buffer_of[i] = a->buffers.count;
  }
}

// --- Ranges ------------------------------------------------------------------

static void add_range(Analysis *a, uint32_t track, LiveRange range) {
  uint32_t buffer = a->buffer_of[track];
  if (buffer == 0 || range.from >= range.to)
    return;
  VEC_PUSH(a->c.scratch, &a->added_to, buffer - 1);
  VEC_PUSH(a->c.scratch, &a->added, range);
}

static uint32_t piece_at(const OwnContext *c, const Track *track, uint32_t op) {
  uint32_t low = track->first_piece;
  uint32_t high = low + track->piece_count;
  while (low + 1 < high) {
    uint32_t middle = low + (high - low) / 2;
    if (c->pieces.items[middle].op <= op)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// While a reference is alive, so is what it refers to at that time.
static void add_through_pieces(Analysis *a, const Track *track,
                               LiveRange range) {
  OwnContext *c = &a->c;
  if (track->piece_count == 0)
    return;
  uint32_t end = track->first_piece + track->piece_count;
  for (uint32_t i = piece_at(c, track, range.from); i < end; i++) {
    const Piece *piece = &c->pieces.items[i];
    if (piece->op >= range.to)
      return;
    LiveRange part = range;
    if (piece->op > part.from)
      part.from = piece->op;
    if (i + 1 < end && c->pieces.items[i + 1].op < part.to)
      part.to = c->pieces.items[i + 1].op;
    for (uint32_t k = c->set_first.items[piece->set];
         k < c->set_first.items[piece->set + 1]; k++)
      add_range(a, c->set_items.items[k], part);
  }
}

static void note_last_uses(Analysis *a, const Track *track, const Event *events,
                           uint32_t count) {
  OwnContext *c = &a->c;
  for (uint32_t i = 0; i < count; i++) {
    if (events[i].kind != EVENT_USE || track->piece_count == 0)
      continue;
    uint32_t op = events[i].op;
    uint32_t set = c->pieces.items[piece_at(c, track, op)].set;
    for (uint32_t k = c->set_first.items[set]; k < c->set_first.items[set + 1];
         k++) {
      uint32_t buffer = a->buffer_of[c->set_items.items[k]];
      if (buffer != 0 && a->buffers.items[buffer - 1].last_use < op)
        a->buffers.items[buffer - 1].last_use = op;
    }
  }
}

// The outermost loop with stages around a transfer, and how often each buffer
// in it exists.
static uint32_t staged_loop(const OwnContext *c, uint32_t birth,
                            uint32_t *copies) {
  const Structure *s = &c->structure;
  uint32_t found = NO_OP;
  uint32_t loop = enclosing_loop(s, s->block[birth]);
  for (*copies = 1; loop != NO_OP; loop = enclosing_loop(s, s->block[loop])) {
    uint32_t stages =
        c->function->loops.items[c->function->ops.items[loop].aux].stages;
    if (stages <= 1)
      continue;
    found = loop;
    *copies = *copies > UINT32_MAX / stages ? UINT32_MAX : *copies * stages;
  }
  return found;
}

static void add_stages(Analysis *a, uint32_t track) {
  uint32_t index = a->buffer_of[track];
  if (index == 0 || !a->c.tracks.items[track].is_staged)
    return;
  Buffer *buffer = &a->buffers.items[index - 1];
  uint32_t loop = staged_loop(&a->c, buffer->birth, &buffer->copies);
  if (loop != NO_OP)
    add_range(a, track,
              (LiveRange){loop, construct_end(&a->c.structure, loop) + 1});
}

static void find_ranges(Analysis *a) {
  OwnContext *c = &a->c;
  LiveScan *scan = live_new(c->scratch, &c->structure);
  for (uint32_t i = 1; i < c->tracks.count; i++) {
    const Track *track = &c->tracks.items[i];
    if (track->parent != i)
      continue;
    uint32_t count;
    const Event *events = events_of(a, i, &count);
    a->ranges.count = 0;
    live_ranges(scan, track->start, events, count, &a->ranges);
    for (uint32_t k = 0; k < a->ranges.count; k++) {
      if (track->kind == TRACK_BUFFER)
        add_range(a, i, a->ranges.items[k]);
      else
        add_through_pieces(a, track, a->ranges.items[k]);
    }
    if (track->kind == TRACK_BUFFER)
      add_stages(a, i);
    else
      note_last_uses(a, track, events, count);
  }
}

// --- The result --------------------------------------------------------------

static int compare_ranges(const void *a, const void *b) {
  const LiveRange *x = a, *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

// Makes the ranges ascending and apart; returns how many remain.
static uint32_t merge_ranges(LiveRange *ranges, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    if (ranges[i].from >= ranges[i - 1].from)
      continue;
    qsort(ranges, count, sizeof(LiveRange), compare_ranges);
    break;
  }
  uint32_t kept = 0;
  for (uint32_t i = 1; i < count; i++) {
    if (ranges[i].from > ranges[kept].to)
      ranges[++kept] = ranges[i];
    else if (ranges[i].to > ranges[kept].to)
      ranges[kept].to = ranges[i].to;
  }
  return count == 0 ? 0 : kept + 1;
}

static void give_ranges(Analysis *a) {
  uint32_t buffers = a->buffers.count, total = a->added.count;
  uint32_t *next = ARENA_ARRAY(a->c.scratch, uint32_t, buffers + 1);
  LiveRange *all = ARENA_ARRAY(a->arena, LiveRange, total);
  for (uint32_t i = 0; i < total; i++)
    next[a->added_to.items[i]]++;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < buffers; i++) {
    uint32_t own = next[i];
    a->buffers.items[i].ranges = all + sum;
    a->buffers.items[i].range_count = own;
    next[i] = sum;
    sum += own;
  }
  for (uint32_t i = 0; i < total; i++)
    all[next[a->added_to.items[i]]++] = a->added.items[i];
  for (uint32_t i = 0; i < buffers; i++) {
    Buffer *buffer = &a->buffers.items[i];
    buffer->range_count = merge_ranges(buffer->ranges, buffer->range_count);
    CHECK(buffer->range_count > 0);
  }
}

static int compare_births(const void *a, const void *b) {
  const Buffer *x = a, *y = b;
  if (x->birth != y->birth)
    return x->birth < y->birth ? -1 : 1;
  if (x->value.index != y->value.index)
    return x->value.index < y->value.index ? -1 : 1;
  return (x->field > y->field) - (x->field < y->field);
}

static void sort_by_birth(Analysis *a) {
  for (uint32_t i = 1; i < a->buffers.count; i++) {
    if (a->buffers.items[i].birth >= a->buffers.items[i - 1].birth)
      continue;
    qsort(a->buffers.items, a->buffers.count, sizeof(Buffer), compare_births);
    return;
  }
}

void own_analyze(Arena *arena, Arena *scratch, const IrModule *module,
                 const IrFunction *function, OwnResult *result) {
  Analysis a = {.arena = arena};
  a.c.scratch = scratch;
  a.c.module = module;
  a.c.function = function;
  *result = (OwnResult){.buffers = NULL};
  structure_find(scratch, function, &a.c.structure);
  tracks_find(&a.c);
  if (a.c.tracks.count == 1)
    return;
  sort_events(&a);
  if (a.c.has_sets)
    sets_find(&a.c);
  list_buffers(&a);
  find_ranges(&a);
  give_ranges(&a);
  sort_by_birth(&a);
  result->buffers = a.buffers.items;
  result->buffer_count = a.buffers.count;
}

// --- Dump --------------------------------------------------------------------

static void dump_buffer(Text *out, const IrModule *module,
                        const IrFunction *function, const Buffer *buffer) {
  static const char *const origins[] = {
      [BUFFER_NEW] = "new",         [BUFFER_TRANSFER] = "transfer",
      [BUFFER_TRANSIT] = "transit", [BUFFER_RESULT] = "result",
      [BUFFER_PARAM] = "param",     [BUFFER_LENT] = "lent",
      [BUFFER_JOIN] = "join",       [BUFFER_RENAMED] = "renamed"};
  Name name = ir_value(function, buffer->value)->name;
  text_format(out, "%%%u", buffer->value.index);
  if (name.index != 0)
    text_format(out, " '%.*s'", STR_ARG(name_text(module->interner, name)));
  if (buffer->field != 0)
    text_format(out, " part %u", buffer->field);
  text_format(out, " %s ", origins[buffer->origin]);
  text_put(out, type_text(out->arena, module->types, buffer->type));
  if (buffer->copies > 1)
    text_format(out, " x%u", buffer->copies);
  for (uint32_t i = 0; i < buffer->range_count; i++)
    text_format(out, " [%u,%u)", buffer->ranges[i].from, buffer->ranges[i].to);
  text_format(out, " last %u\n", buffer->last_use);
}

void own_dump(Text *out, const IrModule *module, const IrFunction *function,
              const OwnResult *result) {
  for (uint32_t i = 0; i < result->buffer_count; i++)
    dump_buffer(out, module, function, &result->buffers[i]);
}
