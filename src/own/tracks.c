// SPDX-License-Identifier: Apache-2.0
//
// tracks: which buffers and variables a function has, and which operations use
// or define each.
//
// Input: a verified function and its structure. Output: tracks, events, and for
// results of reference type their sources. Algorithm: one walk in program
// order. Views (BORROW, DEREF, ROW, FIELD, STRUCT) name the tracks of their
// operands, tensor by tensor. A value born in an arm and yielded by it becomes
// part of the buffer of the IF; any other is copied into that buffer, which is
// then defined at the YIELD. RENAME hands its bytes over: the source ends where
// the result begins. Cost: linear in operations and leaves.

#include "own/internal.h"

enum { MAX_STRUCT_DEPTH = 64 };

typedef struct {
  OwnContext *context;
  const Op *op;
  uint32_t at;
  U32Vec open_ifs; // IFs around the operation at hand, outermost first
} Walk;

// --- Leaves of types ---------------------------------------------------------

static uint32_t count_leaves(OwnContext *c, TypeId type, uint32_t depth);

static uint32_t count_struct_leaves(OwnContext *c, uint32_t index,
                                    uint32_t depth) {
  uint64_t known = 0;
  if (depth >= MAX_STRUCT_DEPTH || index >= c->module->structs.count)
    return 0;
  if (map_get(&c->struct_leaves, index, &known))
    return (uint32_t)known;
  const IrStruct *s = &c->module->structs.items[index];
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->field_count; i++)
    count += count_leaves(c, s->field_types[i], depth + 1);
  map_put(c->scratch, &c->struct_leaves, index, count);
  return count;
}

// Tensors in a value of this type, and those that references in it lead to.
static uint32_t count_leaves(OwnContext *c, TypeId type, uint32_t depth) {
  type = type_strip(c->module->types, type);
  const TypeInfo *info = type_info(c->module->types, type);
  if (info->kind == TYPE_TENSOR)
    return 1;
  if (info->kind == TYPE_STRUCT)
    return count_struct_leaves(c, info->struct_index, depth);
  return 0;
}

typedef struct {
  TypeId type; // of the tensor
  bool is_ref; // behind a reference
} Leaf;

// The `wanted`-th leaf of a type.
static Leaf find_leaf(OwnContext *c, TypeId type, uint32_t wanted) {
  Leaf leaf = {.is_ref = false};
  for (uint32_t depth = 0; depth <= MAX_STRUCT_DEPTH;) {
    const TypeInfo *info = type_info(c->module->types, type);
    if (info->kind == TYPE_REF || info->kind == TYPE_PINNED) {
      leaf.is_ref |= info->kind == TYPE_REF;
      type = info->target;
      continue;
    }
    if (info->kind != TYPE_STRUCT)
      break;
    const IrStruct *s = &c->module->structs.items[info->struct_index];
    depth++;
    for (uint32_t i = 0; i < s->field_count; i++) {
      uint32_t count = count_leaves(c, s->field_types[i], depth);
      if (wanted < count) {
        type = s->field_types[i];
        break;
      }
      wanted -= count;
    }
  }
  leaf.type = type;
  return leaf;
}

// --- Leaves of values --------------------------------------------------------

static uint32_t leaf_count(const OwnContext *c, ValueId value) {
  return c->first_leaf[value.index + 1] - c->first_leaf[value.index];
}

static uint32_t leaf_entry(const OwnContext *c, ValueId value, uint32_t i) {
  return i < leaf_count(c, value)
             ? c->leaves.items[c->first_leaf[value.index] + i]
             : 0;
}

static void set_leaf(OwnContext *c, ValueId value, uint32_t i, uint32_t entry) {
  c->leaves.items[c->first_leaf[value.index] + i] = entry;
}

static void lay_out_leaves(OwnContext *c) {
  uint32_t count = c->function->values.count;
  c->first_leaf = ARENA_ARRAY(c->scratch, uint32_t, count + 1);
  uint32_t total = 0;
  for (uint32_t i = 1; i < count; i++) {
    c->first_leaf[i] = total;
    total += count_leaves(c, c->function->values.items[i].type, 0);
  }
  c->first_leaf[count] = total;
  VEC_EXTEND(c->scratch, &c->leaves, total);
}

// --- Tracks and events -------------------------------------------------------

uint32_t track_root(const OwnContext *context, uint32_t track) {
  while (context->tracks.items[track].parent != track)
    track = context->tracks.items[track].parent;
  return track;
}

// A part has a higher number than what it became part of.
static void shorten_ways_to_roots(OwnContext *c) {
  for (uint32_t i = 1; i < c->tracks.count; i++) {
    Track *track = &c->tracks.items[i];
    track->parent = c->tracks.items[track->parent].parent;
  }
}

static uint32_t add_track(Walk *w, TrackKind kind, uint32_t leaf, TypeId type) {
  OwnContext *c = w->context;
  uint32_t track = c->tracks.count;
  VEC_PUSH(c->scratch, &c->tracks,
           (Track){.kind = kind,
                   .parent = track,
                   .start = w->at,
                   .value = w->op->result,
                   .leaf = leaf,
                   .type = type});
  c->has_sets |= kind != TRACK_BUFFER;
  return track;
}

static void add_event(Walk *w, uint32_t entry, EventKind kind) {
  uint32_t track = entry & ~LEAF_OWNS;
  if (track != 0)
    VEC_PUSH(w->context->scratch, &w->context->events,
             (Event){track, w->at, kind});
}

static void use_value(Walk *w, ValueId value) {
  for (uint32_t i = 0; i < leaf_count(w->context, value); i++)
    add_event(w, leaf_entry(w->context, value, i), EVENT_USE);
}

static BufferOrigin origin_of(const Op *op) {
  OpKind kind = (OpKind)op->kind;
  if (kind == OP_HOP)
    return op->flags & OP_FLAG_TRANSIT ? BUFFER_TRANSIT : BUFFER_TRANSFER;
  if (kind == OP_NEW)
    return BUFFER_NEW;
  if (kind == OP_COPY)
    return BUFFER_TRANSFER;
  if (kind == OP_PARAM)
    return BUFFER_PARAM;
  if (kind == OP_IF)
    return BUFFER_JOIN;
  return kind == OP_RENAME ? BUFFER_RENAMED : BUFFER_RESULT;
}

static bool is_transfer(const Op *op) {
  return op->kind == OP_HOP ||
         (op->kind == OP_COPY && (op->flags & OP_FLAG_TRANSFER) != 0);
}

static uint32_t bear_buffer(Walk *w, uint32_t leaf, TypeId type) {
  uint32_t track = add_track(w, TRACK_BUFFER, leaf, type);
  Track *t = &w->context->tracks.items[track];
  t->origin = origin_of(w->op);
  t->is_staged = w->context->structure.has_stages && is_transfer(w->op);
  set_leaf(w->context, w->op->result, leaf, track | LEAF_OWNS);
  return track;
}

// --- Results of reference type -----------------------------------------------

// Everything that the references among the operands refer to.
static void list_sources(Walk *w, Source *source) {
  OwnContext *c = w->context;
  source->first = c->source_tracks.count;
  for (uint32_t i = 0; i < w->op->count; i++) {
    ValueId value = op_operand(c->function, w->op, i);
    for (uint32_t k = 0; k < leaf_count(c, value); k++) {
      uint32_t entry = leaf_entry(c, value, k);
      TypeId type = ir_value(c->function, value)->type;
      if (entry != 0 && find_leaf(c, type, k).is_ref)
        VEC_PUSH(c->scratch, &c->source_tracks, entry & ~LEAF_OWNS);
    }
  }
  source->count = c->source_tracks.count - source->first;
}

static void bear_reference(Walk *w, uint32_t leaf, TypeId type) {
  OwnContext *c = w->context;
  Source source = {.op = w->at};
  list_sources(w, &source);
  if (source.count == 0)
    return; // what the caller owns
  bool is_one = true;
  uint32_t first = c->source_tracks.items[source.first];
  for (uint32_t i = 1; i < source.count; i++)
    is_one &= c->source_tracks.items[source.first + i] == first;
  if (is_one) {
    set_leaf(c, w->op->result, leaf, first);
    return;
  }
  source.track = add_track(w, TRACK_REFERENCE, leaf, type);
  VEC_PUSH(c->scratch, &c->sources, source);
  set_leaf(c, w->op->result, leaf, source.track);
  add_event(w, source.track, EVENT_DEF);
}

// --- One function per kind ---------------------------------------------------

// Each tensor of the result is a buffer; each one behind a reference is what
// the operands refer to.
static void visit_bearing(Walk *w) {
  OwnContext *c = w->context;
  for (uint32_t i = 0; i < w->op->count; i++)
    use_value(w, op_operand(c->function, w->op, i));
  ValueId result = w->op->result;
  if (result.index == 0)
    return;
  TypeId type = ir_value(c->function, result)->type;
  for (uint32_t i = 0; i < leaf_count(c, result); i++) {
    Leaf leaf = find_leaf(c, type, i);
    if (leaf.is_ref)
      bear_reference(w, i, leaf.type);
    else
      add_event(w, bear_buffer(w, i, leaf.type), EVENT_DEF);
  }
}

static void visit_rename(Walk *w) {
  OwnContext *c = w->context;
  uint32_t source = leaf_entry(c, op_operand(c->function, w->op, 0), 0);
  if (source != 0) {
    uint32_t root = track_root(c, source & ~LEAF_OWNS);
    bool hands_off = c->tracks.items[root].kind == TRACK_BUFFER;
    add_event(w, source, hands_off ? EVENT_HANDOFF : EVENT_USE);
  }
  TypeId type = ir_value(c->function, w->op->result)->type;
  if (leaf_count(c, w->op->result) > 0)
    add_event(w, bear_buffer(w, 0, find_leaf(c, type, 0).type), EVENT_DEF);
}

// The result looks at its first operand, from its leaf `from` on.
static void alias_operand(Walk *w, uint32_t from, bool keeps_owner) {
  OwnContext *c = w->context;
  ValueId operand = op_operand(c->function, w->op, 0);
  for (uint32_t i = 0; i < leaf_count(c, w->op->result); i++) {
    uint32_t entry = leaf_entry(c, operand, from + i);
    set_leaf(c, w->op->result, i, keeps_owner ? entry : entry & ~LEAF_OWNS);
  }
}

static void visit_view(Walk *w) {
  for (uint32_t i = 0; i < w->op->count; i++)
    use_value(w, op_operand(w->context->function, w->op, i));
  alias_operand(w, 0, false);
}

static void visit_struct(Walk *w) {
  OwnContext *c = w->context;
  uint32_t next = 0;
  for (uint32_t i = 0; i < w->op->count; i++) {
    ValueId operand = op_operand(c->function, w->op, i);
    use_value(w, operand);
    for (uint32_t k = 0; k < leaf_count(c, operand); k++, next++)
      if (next < leaf_count(c, w->op->result))
        set_leaf(c, w->op->result, next, leaf_entry(c, operand, k));
  }
}

// Is the operation a step on the way to a part of a struct?
static bool names_struct(const Walk *w) {
  const OwnContext *c = w->context;
  if (w->op->result.index == 0)
    return false;
  TypeId type = ir_value(c->function, w->op->result)->type;
  return type_kind(c->module->types, type) == TYPE_STRUCT;
}

// FIELD and SET_FIELD touch only the leaves of their field. To name a struct
// inside a struct touches none: what is read of it says which.
static void visit_field(Walk *w) {
  OwnContext *c = w->context;
  ValueId base = op_operand(c->function, w->op, 0);
  TypeId type = type_strip(c->module->types, ir_value(c->function, base)->type);
  const TypeInfo *info = type_info(c->module->types, type);
  const IrStruct *s = &c->module->structs.items[info->struct_index];
  uint32_t from = 0;
  for (uint32_t i = 0; i < w->op->aux; i++)
    from += count_leaves(c, s->field_types[i], 1);
  uint32_t count = count_leaves(c, s->field_types[w->op->aux], 1);
  for (uint32_t i = 0; i < count && !names_struct(w); i++)
    add_event(w, leaf_entry(c, base, from + i), EVENT_USE);
  if (w->op->result.index != 0)
    alias_operand(w, from, true);
  else
    use_value(w, op_operand(c->function, w->op, 1));
}

static void visit_var(Walk *w) {
  OwnContext *c = w->context;
  TypeId type = ir_value(c->function, w->op->result)->type;
  for (uint32_t i = 0; i < leaf_count(c, w->op->result); i++) {
    uint32_t track = add_track(w, TRACK_SLOT, i, find_leaf(c, type, i).type);
    set_leaf(c, w->op->result, i, track);
    add_event(w, track, EVENT_DEF);
  }
}

static void visit_load(Walk *w) {
  OwnContext *c = w->context;
  ValueId slot = op_operand(c->function, w->op, 0);
  use_value(w, slot);
  for (uint32_t i = 0; i < leaf_count(c, w->op->result); i++) {
    uint32_t entry = leaf_entry(c, slot, i);
    if (entry == 0)
      continue;
    TypeId type = c->tracks.items[entry].type;
    Source source = {.op = w->at, .first = c->source_tracks.count, .count = 1};
    VEC_PUSH(c->scratch, &c->source_tracks, entry);
    source.track = add_track(w, TRACK_REFERENCE, i, type);
    VEC_PUSH(c->scratch, &c->sources, source);
    set_leaf(c, w->op->result, i, source.track);
    add_event(w, source.track, EVENT_DEF);
  }
}

// Defines what `target` names as what `value` names.
static void define_leaf(Walk *w, uint32_t target, uint32_t value) {
  OwnContext *c = w->context;
  add_event(w, target, EVENT_DEF);
  Source source = {.track = target, .op = w->at};
  source.first = c->source_tracks.count;
  if (value != 0) {
    VEC_PUSH(c->scratch, &c->source_tracks, value & ~LEAF_OWNS);
    source.count = 1;
  }
  VEC_PUSH(c->scratch, &c->sources, source);
}

static void visit_store(Walk *w) {
  OwnContext *c = w->context;
  ValueId slot = op_operand(c->function, w->op, 0);
  ValueId value = op_operand(c->function, w->op, 1);
  use_value(w, value);
  for (uint32_t i = 0; i < leaf_count(c, slot); i++)
    if (leaf_entry(c, slot, i) != 0)
      define_leaf(w, leaf_entry(c, slot, i), leaf_entry(c, value, i));
}

// --- IF and YIELD ------------------------------------------------------------

static void visit_if(Walk *w) {
  OwnContext *c = w->context;
  VEC_PUSH(c->scratch, &w->open_ifs, w->at);
  ValueId result = w->op->result;
  if (result.index == 0)
    return;
  TypeId type = ir_value(c->function, result)->type;
  for (uint32_t i = 0; i < leaf_count(c, result); i++) {
    Leaf leaf = find_leaf(c, type, i);
    if (!leaf.is_ref) {
      bear_buffer(w, i, leaf.type);
    } else {
      uint32_t track = add_track(w, TRACK_REFERENCE, i, leaf.type);
      set_leaf(c, result, i, track);
    }
  }
}

// Was the value born in the arm that the YIELD ends, and does it own its bytes?
static bool is_born_in_arm(const Walk *w, uint32_t entry) {
  const OwnContext *c = w->context;
  if ((entry & LEAF_OWNS) == 0)
    return false;
  const Track *track = &c->tracks.items[track_root(c, entry & ~LEAF_OWNS)];
  uint32_t arm = c->structure.block[w->at];
  return track->kind == TRACK_BUFFER && track->start > arm;
}

static void yield_leaf(Walk *w, uint32_t target, uint32_t entry) {
  OwnContext *c = w->context;
  uint32_t joined = target & ~LEAF_OWNS;
  if (c->tracks.items[joined].kind == TRACK_REFERENCE) {
    define_leaf(w, joined, entry);
  } else if (is_born_in_arm(w, entry)) {
    uint32_t root = track_root(c, entry & ~LEAF_OWNS);
    c->tracks.items[root].parent = joined;
    c->tracks.items[joined].is_staged |= c->tracks.items[root].is_staged;
  } else {
    add_event(w, joined, EVENT_DEF);
  }
}

static void visit_yield(Walk *w) {
  OwnContext *c = w->context;
  ValueId value = op_operand(c->function, w->op, 0);
  use_value(w, value);
  uint32_t opener = VEC_LAST(&w->open_ifs);
  ValueId result = c->function->ops.items[opener].result;
  for (uint32_t i = 0; i < leaf_count(c, result); i++)
    yield_leaf(w, leaf_entry(c, result, i), leaf_entry(c, value, i));
}

// --- The walk ----------------------------------------------------------------

static void visit(Walk *w) {
  switch ((OpKind)w->op->kind) {
  case OP_CONST:
  case OP_ELSE:
  case OP_LOOP:
  case OP_FOR:
  case OP_REGION:
  case OP_BREAK:
  case OP_CONTINUE:
    return;
  case OP_END:
    if (w->context->function->ops.items[w->op->match].kind == OP_IF)
      w->open_ifs.count--;
    return;
  case OP_PARAM:
  case OP_NEG:
  case OP_NOT:
  case OP_ADD:
  case OP_SUB:
  case OP_MUL:
  case OP_DIV:
  case OP_REM:
  case OP_AND:
  case OP_OR:
  case OP_XOR:
  case OP_SHL:
  case OP_SHR:
  case OP_EQ:
  case OP_NE:
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
  case OP_CAST:
  case OP_NEW:
  case OP_MATMUL:
  case OP_HOP:
  case OP_HOP_INTO:
  case OP_COPY:
  case OP_COPY_INTO:
  case OP_ASSIGN:
  case OP_ADD_INTO:
  case OP_SUB_INTO:
  case OP_MUL_INTO:
  case OP_DIV_INTO:
  case OP_MATMUL_ADD:
  case OP_MATMUL_SUB:
  case OP_ELEMENT:
  case OP_SET_ELEMENT:
  case OP_EXTENT:
  case OP_REDUCE:
  case OP_STORE_REF:
  case OP_CALL:
  case OP_PRINT:
  case OP_ASSERT:
  case OP_USE:
  case OP_MOVE:
  case OP_RETURN:
    visit_bearing(w);
    return;
  case OP_RENAME:
    visit_rename(w);
    return;
  case OP_BORROW:
  case OP_DEREF:
  case OP_ROW:
    visit_view(w);
    return;
  case OP_STRUCT:
    visit_struct(w);
    return;
  case OP_FIELD:
  case OP_SET_FIELD:
    visit_field(w);
    return;
  case OP_VAR:
    visit_var(w);
    return;
  case OP_LOAD:
    visit_load(w);
    return;
  case OP_STORE:
    visit_store(w);
    return;
  case OP_IF:
    visit_if(w);
    return;
  case OP_YIELD:
    visit_yield(w);
    return;
  case OP_KIND_COUNT:
    break;
  }
  PANIC("unknown operation");
}

void tracks_find(OwnContext *context) {
  lay_out_leaves(context);
  VEC_PUSH(context->scratch, &context->tracks, (Track){.parent = 0});
  Walk w = {.context = context};
  const IrFunction *f = context->function;
  for (w.at = 0; w.at < f->ops.count; w.at++) {
    w.op = &f->ops.items[w.at];
    visit(&w);
  }
  shorten_ways_to_roots(context);
}
