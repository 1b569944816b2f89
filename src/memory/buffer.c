// SPDX-License-Identifier: Apache-2.0
//
// buffer: every buffer of a function alone.
//
// Input: the buffers of own. Output: their sizes, and E6009, E6104, E6105,
// E6110, E6111, W1029. What a signature has placed (parameters, results of
// calls) was judged where it is written, so it is only left out of sums here.
// Of a staged transfer the destination is judged first, and one verdict is
// enough. Cost: constant per buffer, but for advice.

#include "memory/internal.h"

// --- Names -------------------------------------------------------------------

Placement buffer_placement(const MemoryCheck *check, uint32_t buffer) {
  return type_info(check->types, check->own->buffers[buffer].type)->placement;
}

const Op *birth_op(const MemoryCheck *check, uint32_t buffer) {
  return &check->function->ops.items[check->own->buffers[buffer].birth];
}

static const char *operator_text(OpKind kind) {
  if (kind == OP_ADD)
    return "+";
  if (kind == OP_SUB || kind == OP_NEG)
    return "-";
  if (kind == OP_MUL)
    return "*";
  if (kind == OP_DIV)
    return "/";
  if (kind == OP_REM)
    return "%";
  if (kind == OP_MATMUL)
    return "@";
  if (kind == OP_CAST)
    return "as";
  if (kind == OP_COPY)
    return "clone";
  return kind == OP_YIELD ? "if" : op_kind_text(kind);
}

static bool is_transfer(const Op *op) {
  return op->kind == OP_HOP || op->kind == OP_RENAME ||
         (op->kind == OP_COPY && (op->flags & OP_FLAG_TRANSFER) != 0);
}

static Str unnamed_context(const MemoryCheck *check, const Op *op) {
  if (is_transfer(op))
    return STR("transferred tensor");
  if (op->kind == OP_NEW)
    return STR("tensor");
  Str name = str_from(operator_text((OpKind)op->kind));
  if (op->kind == OP_CALL)
    name = name_text(check->module->interner,
                     check->function->callees.items[op->aux]);
  return str_format(check->scratch, "result of '%.*s'", STR_ARG(name));
}

static Str bound_name(const MemoryCheck *check, uint32_t buffer) {
  Name name =
      ir_value(check->function, check->own->buffers[buffer].value)->name;
  return name.index == 0 ? STR("") : name_text(check->module->interner, name);
}

typedef VEC(Name) NameVec;

// The fields that lead to the `leaf`-th tensor of a struct, depth first, the
// innermost field first; counts `leaf` down past those that it does not find.
// True when it was found.
static bool find_leaf_path(const MemoryCheck *check, NameVec *path, TypeId type,
                           uint32_t *leaf) {
  const IrModule *module = check->module;
  const TypeInfo *info =
      type_info(module->types, type_strip(module->types, type));
  if (info->kind == TYPE_TENSOR)
    return (*leaf)-- == 0;
  if (info->kind != TYPE_STRUCT)
    return false;
  const IrStruct *s = &module->structs.items[info->struct_index];
  for (uint32_t i = 0; i < s->field_count; i++) {
    if (find_leaf_path(check, path, s->field_types[i], leaf)) {
      VEC_PUSH(check->scratch, path, s->field_names[i]);
      return true;
    }
  }
  return false;
}

// "w", or "p.w" for a tensor of a struct that came from elsewhere.
static Str leaf_name(const MemoryCheck *check, uint32_t buffer, Str name) {
  const Buffer *b = &check->own->buffers[buffer];
  TypeId type =
      type_strip(check->types, ir_value(check->function, b->value)->type);
  if (type_kind(check->types, type) != TYPE_STRUCT)
    return name;
  NameVec path = {0};
  uint32_t leaf = b->field;
  find_leaf_path(check, &path, type, &leaf);
  Text text = text_new(check->scratch);
  text_put(&text, name);
  for (uint32_t i = path.count; i-- > 0;) {
    text_char(&text, '.');
    text_put(&text, name_text(check->module->interner, path.items[i]));
  }
  return text_str(&text);
}

Str buffer_context(const MemoryCheck *check, uint32_t buffer) {
  const Op *op = birth_op(check, buffer);
  Str name = bound_name(check, buffer);
  if (is_transfer(op) || name.length == 0)
    return unnamed_context(check, op);
  return str_format(check->scratch, "variable '%.*s'", STR_ARG(name));
}

Str buffer_name(const MemoryCheck *check, uint32_t buffer) {
  Str name = bound_name(check, buffer);
  return name.length > 0 ? leaf_name(check, buffer, name)
                         : unnamed_context(check, birth_op(check, buffer));
}

Span last_use_span(const MemoryCheck *check, uint32_t buffer) {
  const Buffer *b = &check->own->buffers[buffer];
  if (b->origin == BUFFER_LENT)
    return NO_SPAN;
  Span birth = birth_op(check, buffer)->span;
  Span use = check->function->ops.items[b->last_use].span;
  return use.start < birth.start ? birth : use;
}

bool is_placed_by_name(const Buffer *buffer) {
  return buffer->origin == BUFFER_NEW || buffer->origin == BUFFER_TRANSFER;
}

// --- Sizes -------------------------------------------------------------------

// What a hop holds in passing is not what its type takes.
static void size_transit(const MemoryCheck *check, uint32_t buffer,
                         BufferSize *size) {
  const Op *op = birth_op(check, buffer);
  const IrHop *hop = &check->function->hops.items[op->aux];
  if (machine_memory(check->machine, hop->hop.to.memory)->is_cached)
    size->is_known = true; // holds nothing in passing, of whatever size
  if (!hop->has_bytes)
    return;
  size->bare = hop->bytes;
  size->bytes = hop->hop.transit;
  size->is_known = true;
}

static bool is_transit(const Buffer *buffer) {
  return buffer->origin == BUFFER_TRANSIT;
}

// Types repeat: the last one's bytes are kept.
typedef struct {
  TypeId type;
  BufferSize size;
} LastSize;

static void size_buffers(MemoryCheck *check) {
  LastSize last = {.type = {0}};
  for (uint32_t i = 0; i < check->own->buffer_count; i++) {
    const Buffer *buffer = &check->own->buffers[i];
    BufferSize *size = &check->sizes[i];
    if (is_transit(buffer)) {
      size_transit(check, i, size);
    } else {
      if (!type_equal(last.type, buffer->type)) {
        last = (LastSize){.type = buffer->type};
        last.size.is_known =
            type_bytes(check->scratch, check->types, buffer->type,
                       &last.size.bare, &last.size.bytes);
      }
      *size = last.size;
    }
    size->held = bytes_mul(size->bytes, buffer->copies);
    size->counts = size->is_known;
  }
}

// --- Verdicts ----------------------------------------------------------------

// Values that become fields or results: judged where those are written.
static void find_written_elsewhere(MemoryCheck *check) {
  const IrFunction *f = check->function;
  check->written_elsewhere = bitset_new(check->scratch, f->values.count + 1);
  for (uint32_t i = 0; i < f->ops.count; i++) {
    const Op *op = &f->ops.items[i];
    if (op->kind != OP_STRUCT && op->kind != OP_RETURN)
      continue;
    for (uint32_t k = 0; k < op->count; k++)
      bitset_add(&check->written_elsewhere, op_operand(f, op, k).index);
  }
}

// Judged where it is written, in a signature or a struct.
static bool is_declared(MemoryCheck *check, uint32_t buffer) {
  OpKind kind = (OpKind)birth_op(check, buffer)->kind;
  if (kind == OP_PARAM || kind == OP_CALL)
    return true;
  if (check->written_elsewhere.bit_count == 0)
    find_written_elsewhere(check);
  return bitset_has(&check->written_elsewhere,
                    check->own->buffers[buffer].value.index);
}

static Placed placed_of(const MemoryCheck *check, uint32_t buffer) {
  const BufferSize *size = &check->sizes[buffer];
  const Op *op = birth_op(check, buffer);
  return (Placed){.type = check->own->buffers[buffer].type,
                  .span = op->span,
                  .context = buffer_context(check, buffer),
                  .name = is_transfer(op) ? STR("") : bound_name(check, buffer),
                  .bare = size->bare,
                  .bytes = size->bytes,
                  .is_transit = is_transit(&check->own->buffers[buffer])};
}

static void report_refusal(MemoryCheck *check, uint32_t buffer,
                           Verdict verdict) {
  Placed placed = placed_of(check, buffer);
  Diagnostic *d = report_verdict(check->scratch, check->types, &placed, verdict,
                                 check->sink);
  if (check->advice_left == 0)
    return;
  check->advice_left--;
  Advice advice = {.scratch = check->scratch};
  if (is_placed_by_name(&check->own->buffers[buffer]))
    advise_on_shape(&advice, check->types, &placed);
  advise_on_memory(&advice, check, buffer);
  give_advice(&advice, check->sink, d);
}

// Returns whether something was said.
static bool check_known(MemoryCheck *check, uint32_t buffer) {
  MemoryId memory = buffer_placement(check, buffer).memory;
  Verdict verdict =
      judge_bytes(check->machine, memory, check->sizes[buffer].bytes);
  if (verdict.kind == VERDICT_FITS)
    return false;
  check->sizes[buffer].counts = false;
  if (is_declared(check, buffer))
    return false;
  report_refusal(check, buffer, verdict);
  return true;
}

static bool check_read_only(MemoryCheck *check, uint32_t buffer) {
  Placement place = buffer_placement(check, buffer);
  if (!is_read_only(check->machine, place.memory) || is_declared(check, buffer))
    return false;
  check->sizes[buffer].counts = false;
  Str space = machine_placement_text(check->scratch, check->machine, place);
  Diagnostic *d = diag_read_only_memory(
      check->sink, birth_op(check, buffer)->span, buffer_context(check, buffer),
      STR("not constant"), space);
  diag_add_help(check->sink, d,
                STR("only a constant tensor (`const .. = embed(..)`) lives "
                    "there, and `embed` is not supported yet"));
  return true;
}

static bool check_buffer(MemoryCheck *check, uint32_t buffer) {
  if (check_read_only(check, buffer))
    return true;
  if (check->sizes[buffer].is_known)
    return check_known(check, buffer);
  Placement place = buffer_placement(check, buffer);
  if (is_declared(check, buffer) || !is_limited(check->machine, place.memory))
    return false;
  Placed placed = placed_of(check, buffer);
  report_unverified(check->arena, check->types, &placed, check->sink,
                    check->report);
  return true;
}

// --- Staged transfers --------------------------------------------------------

// The operation behind that takes up what the hop at `at` brought, or `at`.
static uint32_t next_hop(const MemoryCheck *check, uint32_t at) {
  const IrFunction *f = check->function;
  const Op *op = &f->ops.items[at];
  if (at + 1 >= f->ops.count)
    return at;
  const Op *next = &f->ops.items[at + 1];
  bool is_hop = next->kind == OP_HOP || next->kind == OP_HOP_INTO;
  uint32_t source = next->kind == OP_HOP_INTO ? 1 : 0;
  if (!is_hop || next->count <= source ||
      op_operand(f, next, source).index != op->result.index)
    return at;
  return at + 1;
}

static uint32_t last_hop(const MemoryCheck *check, uint32_t at) {
  while (next_hop(check, at) != at)
    at = next_hop(check, at);
  return at;
}

// Judges what a transfer holds in passing; of a transfer that was spoken of it
// only takes no part in sums. `last` is its last hop; `is_spoken_of` is per
// operation: of transfers.
static void check_transit(MemoryCheck *check, uint32_t buffer, uint32_t last,
                          uint8_t *is_spoken_of) {
  if (is_spoken_of[last])
    check->sizes[buffer].counts = false;
  else
    is_spoken_of[last] = check_buffer(check, buffer);
}

void check_buffers(MemoryCheck *check) {
  uint32_t count = check->own->buffer_count;
  check->sizes = ARENA_ARRAY(check->scratch, BufferSize, count);
  size_buffers(check);
  bool has_transit = false;
  for (uint32_t i = 0; i < count; i++)
    has_transit |= is_transit(&check->own->buffers[i]);
  uint8_t *is_spoken_of = NULL;
  if (has_transit)
    is_spoken_of =
        ARENA_ARRAY(check->scratch, uint8_t, check->function->ops.count);
  for (uint32_t i = 0; i < count; i++) {
    if (is_transit(&check->own->buffers[i]))
      continue;
    bool has_spoken = check_buffer(check, i);
    if (has_transit && has_spoken)
      is_spoken_of[check->own->buffers[i].birth] = 1;
  }
  uint32_t last = 0; // hop of the transfer at hand
  for (uint32_t i = 0; has_transit && i < count; i++) {
    const Buffer *buffer = &check->own->buffers[i];
    if (!is_transit(buffer))
      continue;
    if (buffer->birth >= last)
      last = last_hop(check, buffer->birth);
    check_transit(check, i, last, is_spoken_of);
  }
}
