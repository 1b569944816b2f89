// SPDX-License-Identifier: Apache-2.0
//
// sets: which buffers a variable or value of reference type may refer to, from
// operation to operation.
//
// Input: tracks and their sources. Output: pieces (from this operation on, this
// set). Algorithm: forward data flow along the brackets. At an ELSE the changes
// of the first arm are undone and kept, at the END of the IF both are united;
// the set at the head of a loop unites those before it, at its END and at its
// CONTINUEs, and the whole walk is repeated until no head grows. Sets are
// sorted lists. Cost: linear in operations and set sizes, times the walks: two
// in all but contrived functions. Not done when all tracks are buffers.

#include "own/internal.h"

#include <stdlib.h>
#include <string.h>

// What a loop does to a slot from outside of it.
typedef struct {
  uint32_t loop, track;
  uint32_t head; // its set at the head; only grows
  uint32_t exit; // united over the BREAKs
} LoopSlot;

typedef struct {
  uint32_t track, set;
} Change;

typedef struct {
  uint32_t opener;
  uint32_t log_count;    // at the beginning of the arm
  uint32_t change_count; // before those of the first arm
  bool entry_is_reached, then_is_reached, has_break;
} Frame;

typedef struct {
  OwnContext *c;
  VEC(LoopSlot) loop_slots; // by loop
  Map slots_of_loop;        // loop -> first index + 1
  VEC(Change) log;          // what was before each change, oldest first
  VEC(Change) changes;      // of first arms
  VEC(Frame) frames;
  Change *side; // per track: of the second arm; valid with the serial
  uint32_t *side_serial, serial;
  uint32_t at;
  uint32_t next_source;
  bool is_reached;
  bool has_grown; // the head of a loop
} Walk;

// --- Sets --------------------------------------------------------------------

static uint32_t set_size(const OwnContext *c, uint32_t set) {
  return c->set_first.items[set + 1] - c->set_first.items[set];
}

static const uint32_t *set_items(const OwnContext *c, uint32_t set) {
  return c->set_items.items + c->set_first.items[set];
}

static uint32_t close_set(OwnContext *c) {
  VEC_PUSH(c->scratch, &c->set_first, c->set_items.count);
  return c->set_first.count - 2;
}

static uint32_t single_set(OwnContext *c, uint32_t item) {
  VEC_PUSH(c->scratch, &c->set_items, item);
  return close_set(c);
}

static bool set_includes(const OwnContext *c, uint32_t large, uint32_t small) {
  const uint32_t *a = set_items(c, large), *b = set_items(c, small);
  uint32_t i = 0, count = set_size(c, large);
  for (uint32_t k = 0; k < set_size(c, small); k++) {
    while (i < count && a[i] < b[k])
      i++;
    if (i == count || a[i] != b[k])
      return false;
  }
  return true;
}

// Gives `a` itself when it includes `b`, so that growth shows.
static uint32_t unite(OwnContext *c, uint32_t a, uint32_t b) {
  if (a == b || set_includes(c, a, b))
    return a;
  if (set_includes(c, b, a))
    return b;
  uint32_t a_count = set_size(c, a), b_count = set_size(c, b);
  uint32_t start = c->set_items.count;
  VEC_EXTEND(c->scratch, &c->set_items, a_count + b_count);
  const uint32_t *x = set_items(c, a), *y = set_items(c, b);
  uint32_t i = 0, k = 0, count = start;
  while (i < a_count || k < b_count) {
    bool takes_x = k == b_count || (i < a_count && x[i] <= y[k]);
    uint32_t item = takes_x ? x[i] : y[k];
    i += i < a_count && x[i] == item;
    k += k < b_count && y[k] == item;
    c->set_items.items[count++] = item;
  }
  c->set_items.count = count;
  return close_set(c);
}

// --- State -------------------------------------------------------------------

static Track *track_at(const Walk *w, uint32_t track) {
  return &w->c->tracks.items[track];
}

static void assign(Walk *w, uint32_t track, uint32_t set, uint32_t op) {
  uint32_t old = track_at(w, track)->set;
  VEC_PUSH(w->c->scratch, &w->log, (Change){track, old});
  track_at(w, track)->set = set;
  VEC_PUSH(w->c->scratch, &w->c->pieces, (Piece){track, op, set});
}

static uint32_t set_now(Walk *w, uint32_t track) {
  track = track_root(w->c, track);
  Track *t = track_at(w, track);
  if (t->kind == TRACK_BUFFER && t->set == 0) {
    uint32_t set = single_set(w->c, track);
    track_at(w, track)->set = set;
  }
  return track_at(w, track)->set;
}

static void visit_sources(Walk *w) {
  OwnContext *c = w->c;
  for (; w->next_source < c->sources.count; w->next_source++) {
    Source source = c->sources.items[w->next_source];
    if (source.op != w->at)
      return;
    uint32_t set = 0;
    for (uint32_t i = 0; i < source.count; i++)
      set = unite(c, set, set_now(w, c->source_tracks.items[source.first + i]));
    if (w->is_reached)
      assign(w, source.track, set, w->at);
  }
}

// --- IF ----------------------------------------------------------------------

// Undoes the changes since `log_count`; what they had led to is put into
// w->side, and each track once into w->changes.
static void undo(Walk *w, uint32_t log_count) {
  w->serial++;
  while (w->log.count > log_count) {
    Change change = w->log.items[--w->log.count];
    Track *track = track_at(w, change.track);
    if (w->side_serial[change.track] != w->serial) {
      w->side_serial[change.track] = w->serial;
      VEC_PUSH(w->c->scratch, &w->changes, (Change){change.track, track->set});
    }
    track->set = change.set;
  }
}

static void switch_arm(Walk *w) {
  Frame *frame = &VEC_LAST(&w->frames);
  undo(w, frame->log_count);
  for (uint32_t i = frame->change_count; i < w->changes.count; i++) {
    uint32_t track = w->changes.items[i].track;
    VEC_PUSH(w->c->scratch, &w->c->pieces,
             (Piece){track, w->at + 1, track_at(w, track)->set});
  }
  frame->then_is_reached = w->is_reached;
  w->is_reached = frame->entry_is_reached;
}

// `then_set` and `else_set` meet in `track`.
static void join(Walk *w, const Frame *frame, Change then_end,
                 uint32_t else_set) {
  bool then_counts = frame->then_is_reached, else_counts = w->is_reached;
  uint32_t set = then_counts && else_counts
                     ? unite(w->c, then_end.set, else_set)
                     : (then_counts ? then_end.set : else_set);
  assign(w, then_end.track, set, w->at);
}

static void close_if(Walk *w, const Frame *frame) {
  uint32_t then_end = w->changes.count;
  undo(w, frame->log_count);
  uint32_t serial = w->serial;
  for (uint32_t i = then_end; i < w->changes.count; i++)
    w->side[w->changes.items[i].track] = w->changes.items[i];
  for (uint32_t i = frame->change_count; i < then_end; i++) {
    Change change = w->changes.items[i];
    bool is_in_both = w->side_serial[change.track] == serial;
    uint32_t else_set =
        is_in_both ? w->side[change.track].set : track_at(w, change.track)->set;
    w->side_serial[change.track] = 0;
    join(w, frame, change, else_set);
  }
  for (uint32_t i = then_end; i < w->changes.count; i++) {
    Change change = w->changes.items[i];
    if (w->side_serial[change.track] != serial)
      continue; // joined above
    Change before = {change.track, track_at(w, change.track)->set};
    join(w, frame, before, change.set);
  }
  w->changes.count = frame->change_count;
  w->is_reached = w->is_reached || frame->then_is_reached;
}

// --- Loops -------------------------------------------------------------------

// The slots of a loop; empty when it stores into none.
static LoopSlot *first_slot(Walk *w, uint32_t loop, uint32_t *count) {
  uint64_t first = 0;
  *count = 0;
  if (!map_get(&w->slots_of_loop, loop, &first))
    return NULL;
  while (first + *count < w->loop_slots.count &&
         w->loop_slots.items[first + *count].loop == loop)
    ++*count;
  return &w->loop_slots.items[first];
}

static void open_loop(Walk *w) {
  uint32_t count;
  LoopSlot *slots = first_slot(w, w->at, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (w->is_reached)
      slots[i].head =
          unite(w->c, slots[i].head, track_at(w, slots[i].track)->set);
    slots[i].exit = 0;
    assign(w, slots[i].track, slots[i].head, w->at);
  }
}

// Control goes back to the head from here.
static void go_back(Walk *w, uint32_t loop) {
  uint32_t count;
  LoopSlot *slots = first_slot(w, loop, &count);
  for (uint32_t i = 0; w->is_reached && i < count; i++) {
    uint32_t head =
        unite(w->c, slots[i].head, track_at(w, slots[i].track)->set);
    w->has_grown |= head != slots[i].head;
    slots[i].head = head;
  }
}

static void visit_break(Walk *w, uint32_t loop) {
  uint32_t count;
  LoopSlot *slots = first_slot(w, loop, &count);
  for (uint32_t i = 0; w->is_reached && i < count; i++)
    slots[i].exit =
        unite(w->c, slots[i].exit, track_at(w, slots[i].track)->set);
  for (uint32_t i = w->frames.count; i-- > 0;)
    if (w->frames.items[i].opener == loop)
      w->frames.items[i].has_break |= w->is_reached;
}

static void close_loop(Walk *w, const Frame *frame, bool is_for) {
  go_back(w, frame->opener);
  uint32_t count;
  LoopSlot *slots = first_slot(w, frame->opener, &count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t set =
        is_for ? unite(w->c, slots[i].head, slots[i].exit) : slots[i].exit;
    assign(w, slots[i].track, set, w->at + 1);
  }
  w->is_reached = frame->has_break || (is_for && frame->entry_is_reached);
}

// --- The walk ----------------------------------------------------------------

static void close_construct(Walk *w, const Op *op) {
  OpKind opener = (OpKind)w->c->function->ops.items[op->match].kind;
  if (opener == OP_REGION)
    return;
  Frame frame = w->frames.items[--w->frames.count];
  if (opener == OP_IF)
    close_if(w, &frame);
  else
    close_loop(w, &frame, opener == OP_FOR);
}

static void visit(Walk *w, const Op *op) {
  OpKind kind = (OpKind)op->kind;
  visit_sources(w);
  if (kind == OP_ELSE)
    switch_arm(w);
  else if (kind == OP_END)
    close_construct(w, op);
  if (kind == OP_LOOP || kind == OP_FOR)
    open_loop(w);
  if (kind == OP_IF || kind == OP_LOOP || kind == OP_FOR)
    VEC_PUSH(w->c->scratch, &w->frames,
             (Frame){.opener = w->at,
                     .log_count = w->log.count,
                     .change_count = w->changes.count,
                     .entry_is_reached = w->is_reached});
  if (kind == OP_BREAK || kind == OP_CONTINUE) {
    uint32_t loop =
        enclosing_loop(&w->c->structure, w->c->structure.block[w->at]);
    if (kind == OP_BREAK)
      visit_break(w, loop);
    else
      go_back(w, loop);
  }
  if (kind == OP_BREAK || kind == OP_CONTINUE || kind == OP_RETURN)
    w->is_reached = false;
}

static void walk_once(Walk *w) {
  OwnContext *c = w->c;
  for (uint32_t i = 1; i < c->tracks.count; i++)
    if (c->tracks.items[i].kind != TRACK_BUFFER)
      c->tracks.items[i].set = 0;
  c->pieces.count = 0;
  w->log.count = 0;
  w->next_source = 0;
  w->is_reached = true;
  w->has_grown = false;
  for (w->at = 0; w->at < c->function->ops.count; w->at++)
    visit(w, &c->function->ops.items[w->at]);
}

// --- Preparation and result --------------------------------------------------

static int compare_loop_slots(const void *a, const void *b) {
  const LoopSlot *x = a, *y = b;
  if (x->loop != y->loop)
    return x->loop < y->loop ? -1 : 1;
  return (x->track > y->track) - (x->track < y->track);
}

// Which loops store into which slots from outside of them?
static void find_loop_slots(Walk *w) {
  OwnContext *c = w->c;
  Map known = {0};
  for (uint32_t i = 0; i < c->sources.count; i++) {
    const Source *source = &c->sources.items[i];
    const Track *track = &c->tracks.items[source->track];
    uint32_t loop =
        enclosing_loop(&c->structure, c->structure.block[source->op]);
    while (loop != NO_OP && loop > track->start) {
      uint64_t key = (uint64_t)loop << 32 | source->track, ignored;
      if (map_get(&known, key, &ignored))
        break;
      map_put(c->scratch, &known, key, 1);
      VEC_PUSH(c->scratch, &w->loop_slots,
               (LoopSlot){loop, source->track, 0, 0});
      loop = enclosing_loop(&c->structure, c->structure.block[loop]);
    }
  }
  if (w->loop_slots.count > 0)
    qsort(w->loop_slots.items, w->loop_slots.count, sizeof(LoopSlot),
          compare_loop_slots);
  for (uint32_t i = w->loop_slots.count; i-- > 0;)
    map_put(c->scratch, &w->slots_of_loop, w->loop_slots.items[i].loop, i);
}

static int compare_pieces(const void *a, const void *b) {
  const Piece *x = a, *y = b;
  if (x->track != y->track)
    return x->track < y->track ? -1 : 1;
  return (x->op > y->op) - (x->op < y->op);
}

// Sorts the pieces; of several at one operation the last made is kept.
static void list_pieces(OwnContext *c) {
  uint32_t *first = ARENA_ARRAY(c->scratch, uint32_t, c->tracks.count + 1);
  for (uint32_t i = 0; i < c->pieces.count; i++)
    first[c->pieces.items[i].track]++;
  uint32_t sum = 0;
  for (uint32_t i = 0; i <= c->tracks.count; i++) {
    uint32_t count = first[i];
    first[i] = sum;
    sum += count;
  }
  Piece *sorted = ARENA_ARRAY(c->scratch, Piece, c->pieces.count);
  for (uint32_t i = 0; i < c->pieces.count; i++) {
    Piece piece = c->pieces.items[i];
    Track *track = &c->tracks.items[piece.track];
    if (track->piece_count == 0)
      track->first_piece = first[piece.track];
    uint32_t last = track->first_piece + track->piece_count;
    if (track->piece_count > 0 &&
        compare_pieces(&sorted[last - 1], &piece) == 0)
      sorted[last - 1] = piece;
    else {
      sorted[last] = piece;
      track->piece_count++;
    }
  }
  c->pieces.items = sorted;
}

void sets_find(OwnContext *context) {
  OwnContext *c = context;
  VEC_PUSH(c->scratch, &c->set_first, 0);
  VEC_PUSH(c->scratch, &c->set_first, 0); // set 0, empty
  Walk w = {.c = c};
  w.side = ARENA_ARRAY(c->scratch, Change, c->tracks.count);
  w.side_serial = ARENA_ARRAY(c->scratch, uint32_t, c->tracks.count);
  find_loop_slots(&w);
  do
    walk_once(&w);
  while (w.has_grown);
  list_pieces(c);
}
