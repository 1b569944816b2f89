// SPDX-License-Identifier: Apache-2.0
//
// verdict: one placement against the limits of its memory, and how a refusal
// is worded.
//
// Input: bytes and a memory. Output: the first rule that is broken (capacity,
// limit, max_alloc; in the memory itself, then in what it is part of), and its
// diagnostic. Source: machine-files.md, "The limit". Cost: constant per memory
// of the chain.

#include "memory/internal.h"

// --- Judging -----------------------------------------------------------------

static VerdictKind judge_here(const Memory *memory, Bytes bytes) {
  if (memory->capacity.is_set && bytes_over(bytes, memory->capacity.value))
    return VERDICT_OVER_CAPACITY;
  if (memory->has_limit && bytes_over(bytes, memory->limit))
    return VERDICT_OVER_LIMIT;
  if (memory->max_alloc.is_set && bytes_over(bytes, memory->max_alloc.value))
    return VERDICT_OVER_MAX_ALLOC;
  return VERDICT_FITS;
}

Verdict judge_bytes(const Machine *machine, MemoryId memory, Bytes bytes) {
  for (MemoryId at = memory; at.index != 0;
       at = machine_memory(machine, at)->part_of) {
    VerdictKind kind = judge_here(machine_memory(machine, at), bytes);
    if (kind != VERDICT_FITS)
      return (Verdict){kind, at};
  }
  return (Verdict){bytes.beyond ? VERDICT_BEYOND : VERDICT_FITS, memory};
}

bool is_read_only(const Machine *machine, MemoryId memory) {
  for (; memory.index != 0; memory = machine_memory(machine, memory)->part_of)
    if (machine_memory(machine, memory)->is_read_only)
      return true;
  return false;
}

bool is_limited(const Machine *machine, MemoryId memory) {
  for (MemoryId at = memory; at.index != 0;
       at = machine_memory(machine, at)->part_of)
    if (machine_memory(machine, at)->has_limit)
      return true;
  return false;
}

static Placement placement_in(const Machine *machine, MemoryId memory,
                              uint32_t instance) {
  bool is_shared = machine_memory(machine, memory)->instances == 1;
  return (Placement){memory, is_shared ? 0 : instance};
}

Placement outer_placement(const Machine *machine, Placement place) {
  MemoryId outer = machine_memory(machine, place.memory)->part_of;
  return placement_in(machine, outer, place.instance);
}

// --- Words -------------------------------------------------------------------

void put_exact_size(Text *text, Bytes bytes) {
  text_size(text, bytes);
  if (bytes.beyond || bytes.count < 1024)
    return;
  text_puts(text, " (");
  text_bytes(text, bytes);
  text_char(text, ')');
}

void put_limit(Text *text, const Memory *memory) {
  text_size(text, BYTES(memory->limit));
  switch (memory->limit_field) {
  case LIMIT_NONE:
  case LIMIT_CAPACITY:
    text_puts(text, " capacity");
    return;
  case LIMIT_USABLE:
    text_puts(text, " usable");
    return;
  case LIMIT_RESERVE:
    text_puts(text, " that `reserve` leaves");
    return;
  case LIMIT_BLOCK:
    text_puts(text, " one block gets");
    return;
  case LIMIT_PAGE:
    text_puts(text, " that whole pages give");
    return;
  }
}

// Run-time extents count at their bounds.
static bool is_bounded(const TypeInfo *info) {
  for (uint32_t i = 0; i < info->rank; i++)
    if (info->dims[i].kind == DIM_DYNAMIC)
      return true;
  return false;
}

static Bytes bytes_less(Bytes bytes, uint64_t limit) {
  return bytes.beyond ? bytes : BYTES(bytes.count - limit);
}

// "256x256 f32 = 256 KiB; 29 KiB over the 227 KiB one block gets".
static void put_label(Text *text, const TypeTable *types, const Placed *placed,
                      Verdict verdict) {
  const Memory *memory = machine_memory(types->machine, verdict.memory);
  if (placed->name.length > 0)
    text_format(text, "'%.*s': ", STR_ARG(placed->name));
  text_put(text, type_short_text(text->arena, types, placed->type));
  text_puts(text, placed->is_transit ? ", holding " : " = ");
  text_size(text, placed->bytes);
  if (is_bounded(type_info(types, placed->type)))
    text_puts(text, " at its bounds");
  bool is_padded = !placed->is_transit && !placed->bytes.beyond &&
                   placed->bare.count != placed->bytes.count;
  if (is_padded) {
    text_puts(text, " padded (");
    text_size(text, placed->bare);
    text_puts(text, " bare: ");
    text_bytes(text, placed->bare);
    text_puts(text, " bytes)");
  }
  if (verdict.kind == VERDICT_BEYOND)
    return;
  bool is_reservation = verdict.kind == VERDICT_OVER_MAX_ALLOC;
  uint64_t limit = is_reservation ? memory->max_alloc.value : memory->limit;
  text_puts(text, "; ");
  text_size(text, bytes_less(placed->bytes, limit));
  text_puts(text, " over the ");
  if (!is_reservation) {
    put_limit(text, memory);
    return;
  }
  text_size(text, BYTES(limit));
  text_puts(text, " of one reservation");
}

// --- Reports -----------------------------------------------------------------

static uint64_t stated_capacity(const Memory *memory) {
  return memory->capacity.is_set ? memory->capacity.value : memory->limit;
}

static Diagnostic *emit(DiagSink *sink, const Placed *placed, Verdict verdict,
                        const Memory *memory, Str space) {
  switch (verdict.kind) {
  case VERDICT_OVER_CAPACITY:
    return diag_over_capacity(sink, placed->span, placed->context,
                              placed->bytes, space, memory->capacity.value);
  case VERDICT_OVER_LIMIT:
    return diag_over_limit(sink, placed->span, placed->context, placed->bytes,
                           memory->limit, stated_capacity(memory), space);
  case VERDICT_OVER_MAX_ALLOC:
    return diag_over_max_alloc(sink, placed->span, placed->context,
                               placed->bytes, space, memory->max_alloc.value);
  case VERDICT_BEYOND:
    return diag_beyond_64_bits(sink, placed->span, placed->context);
  case VERDICT_FITS:
    break;
  }
  PANIC("nothing to report");
}

static Str space_text(Arena *scratch, const TypeTable *types,
                      const Placed *placed, MemoryId memory) {
  Placement place = type_info(types, placed->type)->placement;
  place = placement_in(types->machine, memory, place.instance);
  return machine_placement_text(scratch, types->machine, place);
}

Diagnostic *report_verdict(Arena *scratch, const TypeTable *types,
                           const Placed *placed, Verdict verdict,
                           DiagSink *sink) {
  const Memory *memory = machine_memory(types->machine, verdict.memory);
  Str space = space_text(scratch, types, placed, verdict.memory);
  Diagnostic *d = emit(sink, placed, verdict, memory, space);
  Text label = text_new(scratch);
  put_label(&label, types, placed, verdict);
  diag_set_label(sink, d, text_str(&label));
  if (verdict.kind == VERDICT_OVER_CAPACITY ||
      verdict.kind == VERDICT_OVER_LIMIT) {
    diag_set_capacity(sink, d, space, placed->bytes, memory->limit);
    machine_note_capacity(sink, d, types->machine, verdict.memory);
  }
  if (verdict.kind == VERDICT_OVER_LIMIT && memory->capacity.is_set)
    machine_note_limit(sink, d, types->machine, verdict.memory);
  return d;
}

void report_unverified(Arena *arena, const TypeTable *types,
                       const Placed *placed, DiagSink *sink,
                       MemoryReport *report) {
  const TypeInfo *info = type_info(types, placed->type);
  Str space = machine_placement_text(arena, types->machine, info->placement);
  Diagnostic *d = diag_unverified(sink, placed->span, space, placed->context);
  for (uint32_t i = 0; i < info->rank; i++) {
    const Dim *dim = &info->dims[i];
    if (dim->kind != DIM_DYNAMIC || dim->has_bound)
      continue;
    Str text =
        dim->symbol.index != 0
            ? str_format(arena, "dimension %u is the runtime value '%.*s'", i,
                         STR_ARG(name_text(types->interner, dim->symbol)))
            : str_format(arena, "dimension %u is not a compile-time constant",
                         i);
    diag_add_note(sink, d, NO_SPAN, text);
  }
  VEC_PUSH(arena, &report->unverified,
           str_format(arena, "capacity of '%.*s': %.*s has a dynamic shape",
                      STR_ARG(space), STR_ARG(placed->context)));
}
