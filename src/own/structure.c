// SPDX-License-Identifier: Apache-2.0
//
// structure: the blocks of a function and what hinders a walk through them.
//
// Input: a verified function. Output: a Structure. Algorithm: one walk with the
// open brackets on a stack. A construct (IF, LOOP, FOR) is no obstacle if no
// operation in it leaves by another way than its END: then whatever is not used
// in it is alive in all of it or in nothing of it. Cost: linear. It knows
// nothing of values.

#include "own/internal.h"

typedef struct {
  uint32_t opener;
  uint32_t outermost_exit; // the lowest target of BREAK and CONTINUE inside
  bool is_obstacle; // RETURN, a loop without way out, or dead code inside
  bool has_break;   // LOOP, FOR: a BREAK that can be reached
  bool entry_is_reached;
  bool then_falls; // IF: the end of its first arm can be reached
} Frame;

typedef struct {
  Structure *structure;
  const Op *ops;
  Arena *scratch;
  VEC(Frame) frames;
  uint8_t *is_obstacle; // per operation: exits, and END of constructs
  uint32_t block;
  bool is_reached;
} Walk;

// --- Questions ---------------------------------------------------------------

uint32_t block_opener(const Structure *s, uint32_t block) {
  const Op *ops = s->function->ops.items;
  return ops[block].kind == OP_ELSE ? ops[ops[block].match].match : block;
}

uint32_t construct_end(const Structure *s, uint32_t opener) {
  const Op *ops = s->function->ops.items;
  uint32_t match = ops[opener].match;
  return ops[opener].kind == OP_IF ? ops[match].match : match;
}

uint32_t enclosing_loop(const Structure *s, uint32_t block) {
  while (block < s->op_count) {
    OpKind kind = (OpKind)s->function->ops.items[block].kind;
    if (kind == OP_LOOP || kind == OP_FOR)
      return block;
    block = s->block[block_opener(s, block)];
  }
  return NO_OP;
}

// --- The walk ----------------------------------------------------------------

static void open_construct(Walk *w, uint32_t at) {
  OpKind kind = (OpKind)w->ops[at].kind;
  if ((kind == OP_LOOP || kind == OP_FOR) &&
      w->structure->function->loops.items[w->ops[at].aux].stages > 1)
    w->structure->has_stages = true;
  VEC_PUSH(w->scratch, &w->frames,
           (Frame){.opener = at,
                   .outermost_exit = NO_OP,
                   .entry_is_reached = w->is_reached});
  w->block = at;
}

static void switch_arm(Walk *w, uint32_t at) {
  Frame *frame = &VEC_LAST(&w->frames);
  w->structure->block[at] = w->structure->block[frame->opener];
  frame->then_falls = w->is_reached;
  w->is_reached = frame->entry_is_reached;
  w->block = at;
}

static bool falls_through(const Walk *w, const Frame *frame) {
  OpKind kind = (OpKind)w->ops[frame->opener].kind;
  if (kind == OP_IF)
    return w->is_reached || frame->then_falls;
  return frame->has_break || (kind == OP_FOR && frame->entry_is_reached);
}

static void close_construct(Walk *w, uint32_t at) {
  if (w->ops[w->ops[at].match].kind == OP_REGION)
    return;
  Frame frame = w->frames.items[--w->frames.count];
  w->block = w->structure->block[frame.opener];
  w->structure->block[at] = w->block;
  w->is_reached = falls_through(w, &frame);
  bool is_endless = w->ops[frame.opener].kind == OP_LOOP && !frame.has_break;
  frame.is_obstacle |= is_endless;
  w->is_obstacle[at] = frame.is_obstacle || frame.outermost_exit < frame.opener;
  if (w->frames.count == 0)
    return;
  Frame *outer = &VEC_LAST(&w->frames);
  outer->is_obstacle |= frame.is_obstacle;
  if (frame.outermost_exit < outer->outermost_exit)
    outer->outermost_exit = frame.outermost_exit;
}

static void leave(Walk *w, uint32_t at) {
  w->is_obstacle[at] = true;
  OpKind kind = (OpKind)w->ops[at].kind;
  if (kind == OP_RETURN) {
    if (w->frames.count > 0)
      VEC_LAST(&w->frames).is_obstacle = true;
  } else {
    uint32_t depth = w->frames.count;
    while (depth > 0 && w->ops[w->frames.items[depth - 1].opener].kind == OP_IF)
      depth--;
    CHECK(depth > 0);
    Frame *loop = &w->frames.items[depth - 1];
    loop->has_break |= kind == OP_BREAK && w->is_reached;
    if (loop->opener < VEC_LAST(&w->frames).outermost_exit)
      VEC_LAST(&w->frames).outermost_exit = loop->opener;
  }
  w->is_reached = false;
}

static void visit(Walk *w, uint32_t at) {
  OpKind kind = (OpKind)w->ops[at].kind;
  bool is_bracket = kind == OP_ELSE || kind == OP_END;
  if (!is_bracket && !w->is_reached && w->frames.count > 0)
    VEC_LAST(&w->frames).is_obstacle = true;
  w->structure->block[at] = w->block;
  if (kind == OP_IF || kind == OP_LOOP || kind == OP_FOR)
    open_construct(w, at);
  else if (kind == OP_ELSE)
    switch_arm(w, at);
  else if (kind == OP_END)
    close_construct(w, at);
  else if (kind == OP_BREAK || kind == OP_CONTINUE || kind == OP_RETURN)
    leave(w, at);
}

// Sorts the obstacles by block; within one they stay in order.
static void list_obstacles(Walk *w) {
  Structure *s = w->structure;
  s->first_obstacle = ARENA_ARRAY(w->scratch, uint32_t, s->op_count + 2);
  uint32_t *first = s->first_obstacle + 1;
  uint32_t total = 0;
  for (uint32_t i = 0; i < s->op_count; i++) {
    if (w->is_obstacle[i]) {
      first[s->block[i]]++;
      total++;
    }
  }
  if (total == 0)
    return;
  s->obstacles = ARENA_ARRAY(w->scratch, uint32_t, total);
  uint32_t sum = 0;
  for (uint32_t i = 0; i <= s->op_count; i++) {
    uint32_t count = first[i];
    first[i] = sum; // becomes the end of block i as it is filled
    sum += count;
  }
  for (uint32_t i = 0; i < s->op_count; i++)
    if (w->is_obstacle[i])
      s->obstacles[first[s->block[i]]++] = i;
}

void structure_find(Arena *scratch, const IrFunction *f, Structure *structure) {
  uint32_t count = f->ops.count;
  *structure = (Structure){.function = f, .op_count = count};
  structure->block = ARENA_ARRAY(scratch, uint32_t, count);
  Walk w = {.structure = structure,
            .ops = f->ops.items,
            .scratch = scratch,
            .block = count,
            .is_reached = true};
  w.is_obstacle = ARENA_ARRAY(scratch, uint8_t, count);
  for (uint32_t i = 0; i < count; i++)
    visit(&w, i);
  list_obstacles(&w);
}
