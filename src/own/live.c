// SPDX-License-Identifier: Apache-2.0
//
// live: where one track is alive.
//
// Input: the events of a track (uses, definitions) and the structure of its
// function. Output: ranges. Algorithm: backward data flow with one bit, over
// the events, the brackets of the constructs that hold events, and the
// obstacles between (structure.c); everything else is passed at one stroke. At
// the END of a loop the bit at its head is first taken to be 0; when the walk
// arrives at the head with 1, it goes back to the END once and takes 1, which
// is then the least fixpoint. Cost: per track linear in what it visits, times
// the depth of loops at most, plus sorting.

#include "own/internal.h"

#include <stdlib.h>

// What the walk must stop at: an event, or the END of a construct around one.
typedef struct {
  uint32_t op;
  uint8_t kinds; // bits 1 << EventKind; 0: no event
} Stop;

// An open construct, from its END to its opener.
typedef struct {
  uint32_t opener, end;
  uint32_t next; // its bracket below the block at hand: ELSE or the opener
  uint32_t block, obstacle; // outside, to go on with
  uint32_t stop_count;      // behind END, for a second walk through a loop
  uint32_t range_count;
  bool after; // alive behind END
  bool other; // IF: alive at the beginning of the other arm
} Frame;

struct LiveScan {
  const Structure *structure;
  const Op *ops;
  Arena *scratch;
  uint32_t *seen; // per operation: the serial of the track that marked it
  uint32_t serial;
  uint32_t *after_serial,
      *head_serial; // per loop: alive behind it, at its head
  VEC(Stop) stops;  // of the track; consumed from the end
  VEC(Frame) frames;
  RangeVec found; // descending
  uint32_t scope, start;
  uint32_t block, obstacle; // the block at hand; its obstacles below `obstacle`
                            // are still ahead
  uint32_t above;           // the operation visited last
  uint32_t live_exits;      // open loops that are alive at their head or behind
  bool is_live;             // before `above`
};

LiveScan *live_new(Arena *scratch, const Structure *structure) {
  LiveScan *scan = ARENA_NEW(scratch, LiveScan);
  scan->structure = structure;
  scan->ops = structure->function->ops.items;
  scan->scratch = scratch;
  return scan;
}

// --- Stops -------------------------------------------------------------------

static void add_stop(LiveScan *s, uint32_t op, unsigned kinds) {
  VEC_PUSH(s->scratch, &s->stops, (Stop){op, (uint8_t)kinds});
}

// The constructs around an event, up to the scope.
static void mark_around(LiveScan *s, uint32_t op) {
  uint32_t block = s->structure->block[op];
  while (block != s->scope && block < s->structure->op_count) {
    uint32_t opener = block_opener(s->structure, block);
    if (s->seen[opener] == s->serial)
      return;
    s->seen[opener] = s->serial;
    add_stop(s, construct_end(s->structure, opener), 0);
    block = s->structure->block[opener];
  }
}

static int compare_stops(const void *a, const void *b) {
  const Stop *x = a, *y = b;
  return (x->op > y->op) - (x->op < y->op);
}

static void collect_stops(LiveScan *s, const Event *events, uint32_t count) {
  s->stops.count = 0;
  for (uint32_t i = 0; i < count; i++) {
    unsigned kind = 1U << events[i].kind;
    if (s->stops.count > 0 && VEC_LAST(&s->stops).op == events[i].op)
      VEC_LAST(&s->stops).kinds |= (uint8_t)kind;
    else
      add_stop(s, events[i].op, kind);
  }
  uint32_t event_count = s->stops.count;
  for (uint32_t i = 0; i < event_count; i++)
    mark_around(s, s->stops.items[i].op);
  if (s->stops.count > event_count)
    qsort(s->stops.items, s->stops.count, sizeof(Stop), compare_stops);
}

// --- Obstacles ---------------------------------------------------------------

// How many obstacles of the block lie below operation `op`.
static uint32_t obstacles_below(const Structure *s, uint32_t block,
                                uint32_t op) {
  uint32_t low = s->first_obstacle[block];
  uint32_t high = s->first_obstacle[block + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s->obstacles[middle] < op)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool has_obstacle_ahead(const LiveScan *s, uint32_t *op) {
  if (s->obstacle == s->structure->first_obstacle[s->block])
    return false;
  *op = s->structure->obstacles[s->obstacle - 1];
  return true;
}

static void enter_block(LiveScan *s, uint32_t block) {
  s->block = block;
  s->obstacle = s->structure->first_obstacle[block + 1];
}

// The next stop or bracket, downwards. False when the lowest is behind.
static bool find_known(const LiveScan *s, Stop *next) {
  *next = (Stop){0, 0};
  if (s->stops.count > 0)
    *next = VEC_LAST(&s->stops);
  else if (s->frames.count == 0)
    return false;
  if (s->frames.count == 0)
    return true;
  uint32_t bracket = VEC_LAST(&s->frames).next;
  if (s->stops.count == 0 || bracket > next->op)
    *next = (Stop){bracket, 0};
  return true;
}

// The next place to visit, obstacles included.
static bool take_next(LiveScan *s, Stop *next) {
  if (!find_known(s, next))
    return false;
  uint32_t obstacle;
  bool has_obstacle = has_obstacle_ahead(s, &obstacle);
  if (has_obstacle && obstacle > next->op) {
    // Where nothing is alive, nothing between matters.
    if (s->is_live || s->live_exits > 0) {
      s->obstacle--;
      *next = (Stop){obstacle, 0};
      return true;
    }
    s->obstacle = obstacles_below(s->structure, s->block, next->op + 1);
    has_obstacle = has_obstacle_ahead(s, &obstacle);
  }
  if (has_obstacle && obstacle == next->op)
    s->obstacle--;
  if (s->stops.count > 0 && VEC_LAST(&s->stops).op == next->op)
    s->stops.count--;
  return true;
}

// --- Ranges ------------------------------------------------------------------

static void add_range(LiveScan *s, uint32_t from, uint32_t to) {
  VEC_PUSH(s->scratch, &s->found, (LiveRange){from, to});
}

static void add_point_if_live(LiveScan *s, uint32_t op) {
  if (s->is_live)
    add_range(s, op, op + 1);
}

// --- Brackets and exits ------------------------------------------------------

static bool is_alive_at(const LiveScan *s, const uint32_t *serials,
                        uint32_t loop) {
  return loop != NO_OP && loop >= s->start && serials[loop] == s->serial;
}

static void visit_end(LiveScan *s, uint32_t op) {
  uint32_t opener = s->ops[op].match;
  VEC_PUSH(s->scratch, &s->frames,
           (Frame){.opener = opener,
                   .end = op,
                   .next = opener,
                   .block = s->block,
                   .obstacle = s->obstacle,
                   .stop_count = s->stops.count,
                   .range_count = s->found.count,
                   .after = s->is_live});
  if (s->ops[opener].kind == OP_IF) {
    VEC_LAST(&s->frames).next = s->ops[opener].match;
    enter_block(s, s->ops[opener].match);
  } else {
    s->after_serial[opener] = s->is_live ? s->serial : 0;
    s->is_live = s->head_serial[opener] == s->serial;
    s->live_exits += s->is_live || VEC_LAST(&s->frames).after;
    enter_block(s, opener);
  }
  add_point_if_live(s, op);
}

static void visit_else(LiveScan *s, uint32_t op) {
  Frame *frame = &VEC_LAST(&s->frames);
  frame->other = s->is_live;
  frame->next = frame->opener;
  s->is_live = frame->after;
  enter_block(s, frame->opener);
  add_point_if_live(s, op);
}

static void leave_construct(LiveScan *s, uint32_t op) {
  Frame frame = s->frames.items[--s->frames.count];
  s->block = frame.block;
  s->obstacle = frame.obstacle;
  add_point_if_live(s, op);
}

static void visit_if(LiveScan *s, uint32_t op) {
  s->is_live = s->is_live || VEC_LAST(&s->frames).other;
  leave_construct(s, op);
}

// Walks through the loop again, now with its head alive.
static void repeat_loop(LiveScan *s, uint32_t opener) {
  Frame *frame = &VEC_LAST(&s->frames);
  s->head_serial[opener] = s->serial;
  s->live_exits += !frame->after;
  s->stops.count = frame->stop_count;
  s->found.count = frame->range_count;
  s->is_live = true;
  s->above = frame->end;
  enter_block(s, opener);
  add_point_if_live(s, frame->end);
}

static void visit_loop(LiveScan *s, uint32_t op) {
  const Frame *frame = &VEC_LAST(&s->frames);
  s->is_live = s->is_live || (s->ops[op].kind == OP_FOR && frame->after);
  if (s->is_live && s->head_serial[op] != s->serial) {
    repeat_loop(s, op);
    return;
  }
  s->live_exits -= s->is_live || frame->after;
  leave_construct(s, op);
}

static void visit_exit(LiveScan *s, uint32_t op) {
  OpKind kind = (OpKind)s->ops[op].kind;
  if (kind == OP_RETURN) {
    s->is_live = false;
    return;
  }
  uint32_t loop = enclosing_loop(s->structure, s->structure->block[op]);
  s->is_live =
      is_alive_at(s, kind == OP_BREAK ? s->after_serial : s->head_serial, loop);
  add_point_if_live(s, op);
}

static void visit_event(LiveScan *s, uint32_t op, unsigned kinds) {
  bool is_used = kinds & (1U << EVENT_USE);
  bool is_defined = kinds & (1U << EVENT_DEF);
  bool is_handed_off = kinds & (1U << EVENT_HANDOFF);
  if (is_used || is_defined || (s->is_live && !is_handed_off))
    add_range(s, op, op + 1);
  s->is_live = is_used || is_handed_off || (s->is_live && !is_defined);
}

static void visit(LiveScan *s, Stop stop) {
  if (s->is_live && stop.op + 1 < s->above)
    add_range(s, stop.op + 1, s->above);
  s->above = stop.op;
  OpKind kind = (OpKind)s->ops[stop.op].kind;
  if (kind == OP_BREAK || kind == OP_CONTINUE || kind == OP_RETURN)
    visit_exit(s, stop.op);
  if (stop.kinds != 0)
    visit_event(s, stop.op, stop.kinds);
  else if (kind == OP_END)
    visit_end(s, stop.op);
  else if (kind == OP_ELSE)
    visit_else(s, stop.op);
  else if (kind == OP_IF)
    visit_if(s, stop.op);
  else if (kind == OP_LOOP || kind == OP_FOR)
    visit_loop(s, stop.op);
}

// --- One track ---------------------------------------------------------------

// Turns what was found, descending, into ranges, ascending and apart.
static void give_ranges(LiveScan *s, RangeVec *ranges) {
  uint32_t first = ranges->count;
  for (uint32_t i = s->found.count; i-- > 0;) {
    LiveRange range = s->found.items[i];
    if (ranges->count > first && VEC_LAST(ranges).to == range.from)
      VEC_LAST(ranges).to = range.to;
    else
      VEC_PUSH(s->scratch, ranges, range);
  }
}

// A track of one definition and uses in its own block with nothing between.
static bool is_simple(const LiveScan *s, const Event *events, uint32_t count) {
  const Structure *structure = s->structure;
  if (events[0].kind != EVENT_DEF)
    return false;
  for (uint32_t i = 1; i < count; i++)
    if (structure->block[events[i].op] != s->scope ||
        events[i].kind == EVENT_DEF)
      return false;
  uint32_t first = structure->first_obstacle[s->scope];
  uint32_t end = structure->first_obstacle[s->scope + 1];
  if (first == end)
    return true;
  return obstacles_below(structure, s->scope, events[0].op) ==
         obstacles_below(structure, s->scope, events[count - 1].op);
}

static void walk_back(LiveScan *s, const Event *events, uint32_t count) {
  if (s->seen == NULL) {
    s->seen = ARENA_ARRAY(s->scratch, uint32_t, s->structure->op_count);
    s->after_serial = ARENA_ARRAY(s->scratch, uint32_t, s->structure->op_count);
    s->head_serial = ARENA_ARRAY(s->scratch, uint32_t, s->structure->op_count);
  }
  s->serial++;
  collect_stops(s, events, count);
  s->frames.count = 0;
  s->found.count = 0;
  s->above = VEC_LAST(&s->stops).op + 1;
  s->block = s->scope;
  s->obstacle = obstacles_below(s->structure, s->scope, s->above);
  s->live_exits = 0;
  s->is_live = false;
  Stop next;
  while (take_next(s, &next))
    visit(s, next);
}

void live_ranges(LiveScan *s, uint32_t start, const Event *events,
                 uint32_t event_count, RangeVec *ranges) {
  if (event_count == 0)
    return;
  s->start = start;
  s->scope = s->structure->block[start];
  if (is_simple(s, events, event_count)) {
    const Event *last = &events[event_count - 1];
    uint32_t to = last->kind == EVENT_HANDOFF ? last->op : last->op + 1;
    VEC_PUSH(s->scratch, ranges, (LiveRange){events[0].op, to});
    return;
  }
  walk_back(s, events, event_count);
  give_ranges(s, ranges);
}
