// SPDX-License-Identifier: Apache-2.0
//
// peak: a working set over its limit, in words.
//
// Input: a budget whose peak is too high. Output: E6010, or E6104 between limit
// and capacity, or W1028 under `overcommit`, at the buffer whose birth makes
// the peak, with the buffers alive there and ways out. Cost: linear in what is
// alive, but for advice.

#include "memory/internal.h"

enum { LISTED_BUFFERS = 8, LABELLED_BUFFERS = 2, NEAR_LINES = 6 };

// --- Places ------------------------------------------------------------------

// 0 when the span is nowhere.
static uint32_t line_of(const MemoryCheck *check, Span span) {
  if (span_is_none(span))
    return 0;
  return source_locate(check->machine->sources, span.start).line;
}

static uint32_t birth_line(const MemoryCheck *check, uint32_t buffer) {
  return line_of(check, birth_op(check, buffer)->span);
}

static uint32_t last_use_line(const MemoryCheck *check, uint32_t buffer) {
  return line_of(check, last_use_span(check, buffer));
}

// --- The list of what is alive -----------------------------------------------

static void put_percentage(Text *text, Bytes bytes, uint64_t limit) {
  if (limit == 0) {
    text_puts(text, "- %");
    return;
  }
  Uint128 tenths = ((Uint128)bytes.count * 1000 + limit / 2) / limit;
  text_u128(text, tenths / 10);
  text_char(text, '.');
  text_u128(text, tenths % 10);
  text_puts(text, " %");
}

typedef struct {
  Str name, size, share;
  uint32_t buffer;
} Row;

static Row make_row(const MemoryCheck *check, const Budget *budget,
                    uint32_t buffer) {
  const Memory *memory = machine_memory(check->machine, budget->place.memory);
  Row row = {.name = buffer_name(check, buffer), .buffer = buffer};
  Placement place = buffer_placement(check, buffer);
  if (place.memory.index != budget->place.memory.index) {
    Str part = machine_placement_text(check->scratch, check->machine, place);
    row.name = str_format(check->scratch, "%.*s in %.*s", STR_ARG(row.name),
                          STR_ARG(part));
  }
  Text size = text_new(check->scratch);
  put_exact_size(&size, check->sizes[buffer].held);
  uint32_t copies = check->own->buffers[buffer].copies;
  if (copies > 1)
    text_format(&size, " in %u copies", copies);
  row.size = text_str(&size);
  Text share = text_new(check->scratch);
  put_percentage(&share, check->sizes[buffer].held, memory->limit);
  row.share = text_str(&share);
  return row;
}

static void put_lines(Text *text, const MemoryCheck *check, uint32_t buffer) {
  uint32_t born = birth_line(check, buffer);
  uint32_t used = last_use_line(check, buffer);
  if (born != 0)
    text_format(text, "  born line %u", born);
  const Buffer *b = &check->own->buffers[buffer];
  if (b->origin == BUFFER_LENT)
    text_puts(text, ", lent by the caller");
  else if (b->last_use == b->birth)
    text_puts(text, ", never used");
  else if (born != 0)
    text_format(text, ", last used line %u", used);
}

static size_t wider(size_t width, Str text) {
  return text.length > width ? text.length : width;
}

static void put_row(Text *text, const Row *row, size_t name_width,
                    size_t size_width) {
  text_puts(text, "\n  ");
  text_put(text, row->name);
  text_repeat(text, ' ', name_width - row->name.length + 2);
  text_put(text, row->size);
  text_repeat(text, ' ', size_width - row->size.length + 2);
  text_repeat(text, ' ', row->share.length < 7 ? 7 - row->share.length : 0);
  text_put(text, row->share);
}

static void put_rest(Text *text, const MemoryCheck *check, const Budget *budget,
                     uint32_t from) {
  Uint128 sum = 0;
  for (uint32_t i = from; i < budget->alive_count; i++)
    sum += check->sizes[budget->alive[i]].held.count;
  text_format(text, "\n  and %u smaller, ", budget->alive_count - from);
  text_size(text, bytes_from_sum(sum));
}

static void note_alive(const MemoryCheck *check, const Budget *budget,
                       Diagnostic *d) {
  Row rows[LISTED_BUFFERS];
  uint32_t count = budget->alive_count < LISTED_BUFFERS ? budget->alive_count
                                                        : LISTED_BUFFERS;
  size_t name_width = 0, size_width = 0;
  for (uint32_t i = 0; i < count; i++) {
    rows[i] = make_row(check, budget, budget->alive[i]);
    name_width = wider(name_width, rows[i].name);
    size_width = wider(size_width, rows[i].size);
  }
  Text text = text_new(check->scratch);
  text_puts(&text, "alive at this point, largest first:");
  for (uint32_t i = 0; i < count; i++) {
    put_row(&text, &rows[i], name_width, size_width);
    put_lines(&text, check, rows[i].buffer);
  }
  if (count < budget->alive_count)
    put_rest(&text, check, budget, count);
  diag_add_note(check->sink, d, NO_SPAN, text_str(&text));
}

// --- Labels ------------------------------------------------------------------

static void label_birth(const MemoryCheck *check, const Budget *budget,
                        Diagnostic *d) {
  const Memory *memory = machine_memory(check->machine, budget->place.memory);
  Text text = text_new(check->scratch);
  text_format(&text,
              "%.*s: ", STR_ARG(buffer_context(check, budget->last_born)));
  text_size(&text, check->sizes[budget->last_born].held);
  text_puts(&text, " more make ");
  text_size(&text, bytes_from_sum(budget->peak.bytes));
  text_puts(&text, "; ");
  text_size(&text, bytes_from_sum(budget->peak.bytes - memory->limit));
  text_puts(&text, " over the ");
  put_limit(&text, memory);
  diag_set_label(check->sink, d, text_str(&text));
}

// The largest others, where they stand in the same picture.
static void label_others(const MemoryCheck *check, const Budget *budget,
                         Diagnostic *d) {
  uint32_t line = birth_line(check, budget->last_born);
  uint32_t given = 0;
  for (uint32_t i = 0; i < budget->alive_count && given < LABELLED_BUFFERS;
       i++) {
    uint32_t buffer = budget->alive[i];
    uint32_t born = birth_line(check, buffer);
    bool is_near = born != 0 && born < line && line - born <= NEAR_LINES;
    if (buffer == budget->last_born || !is_near)
      continue;
    Text text = text_new(check->scratch);
    text_size(&text, check->sizes[buffer].held);
    if (check->own->buffers[buffer].origin == BUFFER_LENT)
      text_puts(&text, ", lent by the caller");
    else
      text_format(&text, ", alive to line %u", last_use_line(check, buffer));
    diag_add_label(check->sink, d, birth_op(check, buffer)->span,
                   text_str(&text));
    given++;
  }
}

// --- The report --------------------------------------------------------------

static Diagnostic *emit(const MemoryCheck *check, const Budget *budget,
                        const Memory *memory, Str space) {
  Span at = birth_op(check, budget->last_born)->span;
  Bytes sum = bytes_from_sum(budget->peak.bytes);
  uint64_t tiles = budget->tiles;
  Str rounding = STR("");
  if (memory->granule.is_set)
    rounding = str_format(check->scratch,
                          " (each rounded up to the %llu-byte granule)",
                          (unsigned long long)memory->granule.value);
  bool is_over_capacity =
      memory->capacity.is_set && bytes_over(sum, memory->capacity.value);
  uint64_t capacity =
      memory->capacity.is_set ? memory->capacity.value : memory->limit;
  if (is_over_capacity && memory->is_overcommit)
    return diag_overcommitted(check->sink, at, space, tiles, rounding, sum,
                              capacity);
  if (is_over_capacity)
    return diag_working_set(check->sink, at, space, tiles, rounding, sum,
                            capacity);
  if (memory->is_overcommit)
    return diag_overcommitted_limit(check->sink, at, space, tiles, rounding,
                                    sum, memory->limit, capacity);
  return diag_working_set_over_limit(check->sink, at, space, tiles, rounding,
                                     sum, memory->limit, capacity);
}

void report_peak(MemoryCheck *check, const Budget *budget) {
  const Memory *memory = machine_memory(check->machine, budget->place.memory);
  Str space =
      machine_placement_text(check->scratch, check->machine, budget->place);
  Diagnostic *d = emit(check, budget, memory, space);
  diag_set_capacity(check->sink, d, space, bytes_from_sum(budget->peak.bytes),
                    memory->limit);
  diag_set_tiles(d, budget->tiles);
  label_birth(check, budget, d);
  label_others(check, budget, d);
  note_alive(check, budget, d);
  machine_note_capacity(check->sink, d, check->machine, budget->place.memory);
  bool binds_otherwise = memory->limit_field != LIMIT_CAPACITY;
  if (binds_otherwise && d->code == DIAG_E6104)
    machine_note_limit(check->sink, d, check->machine, budget->place.memory);
  if (check->advice_left == 0)
    return;
  check->advice_left--;
  Advice advice = {.scratch = check->scratch};
  advise_on_peak(&advice, check, budget);
  give_advice(&advice, check->sink, d);
}
