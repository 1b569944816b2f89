// SPDX-License-Identifier: Apache-2.0
//
// `check --routes`: the way of every transfer, hop by hop, and what each link
// carries in all.
//
//   tile.vx:6:14 in main: transfer(host, Memory::SMEM)
//     CPU_DRAM -> HBM  64 KiB  1.04 us (1040254 ps)  link rate 63 GB/s
//     HBM -> L2        64 KiB  25 ns (25025 ps)      HBM 3.35 TB/s + L2 12 TB/s

#include "report/report.h"

typedef struct {
  Str cells[4]; // link, bytes, cost, where the cost comes from
} Row;

typedef VEC(Row) RowVec;

enum { CELL_LINK, CELL_BYTES, CELL_COST, CELL_SOURCE };

static void put_rows(Text *out, const RowVec *rows) {
  size_t widths[COUNT_OF(rows->items->cells)] = {0};
  for (uint32_t i = 0; i < rows->count; i++) {
    for (size_t k = 0; k < COUNT_OF(widths); k++) {
      size_t length = rows->items[i].cells[k].length;
      widths[k] = length > widths[k] ? length : widths[k];
    }
  }
  for (uint32_t i = 0; i < rows->count; i++) {
    size_t pending = 2; // blanks before the next cell, none at the end
    for (size_t k = 0; k < COUNT_OF(widths); k++) {
      Str cell = rows->items[i].cells[k];
      if (cell.length != 0) {
        text_repeat(out, ' ', pending);
        text_put(out, cell);
        pending = 0;
      }
      pending += widths[k] - cell.length + (widths[k] != 0 ? 2 : 0);
    }
    text_char(out, '\n');
  }
}

// --- Cells -------------------------------------------------------------------

static Str link_text(const Report *report, Placement from, Placement to,
                     Arena *scratch) {
  Str a = machine_placement_text(scratch, report->machine, from);
  Str b = machine_placement_text(scratch, report->machine, to);
  return str_format(scratch, "%.*s -> %.*s", STR_ARG(a), STR_ARG(b));
}

static Str bytes_text(bool has_bytes, Bytes bytes, Arena *scratch) {
  Text text = text_new(scratch);
  if (!has_bytes) {
    text_puts(&text, "run-time size, priced at 1 MiB");
    return text_str(&text);
  }
  report_bytes(&text, bytes);
  return text_str(&text);
}

// "1.04 us (1040254 ps)", "12 cyc", "weight 50", "unknown"; then how often.
static Str cost_text(const RouteRecord *record, const HopCost *cost,
                     Arena *scratch) {
  Text text = text_new(scratch);
  if (cost->kind == COST_WEIGHT)
    text_puts(&text, "weight ");
  text_put(&text, machine_cost_text(scratch, *cost));
  if (cost->kind == COST_TIME)
    text_format(&text, " (%llu ps)", (unsigned long long)cost->value);
  bool is_once = record->has_times && record->times == 1;
  if (!is_once) {
    text_puts(&text, " x ");
    text_put(&text, record->times_text);
  }
  return text_str(&text);
}

// A figure as its file has it: "3.35 TB/s".
static void put_written(Text *out, const Report *report, const Figure *figure) {
  text_put(out, source_text(report->sources, figure->span));
}

static bool is_inside(const Machine *machine, MemoryId memory,
                      MemoryId container) {
  // `within` has no cycle in a coherent machine.
  for (; memory.index != 0; memory = machine_memory(machine, memory)->within) {
    if (memory.index == container.index)
      return true;
  }
  return false;
}

typedef VEC(MemoryId) LegVec;

// The memories between one end and what contains both, as the price counts
// them: without the container, unless it is an end itself.
static void add_legs(Arena *scratch, LegVec *legs, const Machine *machine,
                     MemoryId from, MemoryId other) {
  MemoryId at = from;
  for (; at.index != 0 && !is_inside(machine, other, at);
       at = machine_memory(machine, at)->within)
    VEC_PUSH(scratch, legs, at);
  if (at.index == from.index)
    VEC_PUSH(scratch, legs, at);
}

// "HBM 3.35 TB/s", "L2 12 TB/s / 132": a memory with fewer replicas than
// another one on the way is shared by them.
static void put_leg(Text *out, const Report *report, const Memory *memory,
                    uint64_t most_replicas) {
  text_put(out, name_text(report->interner, memory->name));
  text_char(out, ' ');
  put_written(out, report, &memory->bandwidth);
  uint64_t own = memory->replicas.value;
  if (own == most_replicas)
    return;
  if (own != 1)
    text_format(out, " x %llu", (unsigned long long)own);
  text_format(out, " / %llu", (unsigned long long)most_replicas);
}

static void put_legs(Text *out, const Report *report, const Hop *hop,
                     Arena *scratch) {
  const Machine *machine = report->machine;
  LegVec legs = {0};
  add_legs(scratch, &legs, machine, hop->from.memory, hop->to.memory);
  add_legs(scratch, &legs, machine, hop->to.memory, hop->from.memory);
  uint64_t most_replicas = 1;
  for (uint32_t i = 0; i < legs.count; i++) {
    uint64_t own = machine_memory(machine, legs.items[i])->replicas.value;
    most_replicas = own > most_replicas ? own : most_replicas;
  }
  for (uint32_t i = 0; i < legs.count; i++) {
    text_puts(out, i == 0 ? "" : " + ");
    put_leg(out, report, machine_memory(machine, legs.items[i]), most_replicas);
  }
}

// Between parts of one memory: "within UNIFIED 120 GB/s".
static void put_common_part(Text *text, const Report *report, const Hop *hop) {
  const Memory *from = machine_memory(report->machine, hop->from.memory);
  const Memory *to = machine_memory(report->machine, hop->to.memory);
  const Memory *whole = from->part_of.index == 0 ? from
                        : from->part_of.index == hop->to.memory.index
                            ? to
                            : machine_memory(report->machine, from->part_of);
  text_puts(text, "within ");
  text_put(text, name_text(report->interner, whole->name));
  text_char(text, ' ');
  put_written(text, report, &whole->bandwidth);
}

static Str source_cell(const Report *report, const Hop *hop, Arena *scratch) {
  const HopCost *cost = &hop->cost;
  Text text = text_new(scratch);
  switch (cost->source) {
  case COST_FROM_NOTHING:
    if (hop->is_renamed)
      text_puts(&text, "nothing moves: parts of one memory");
    break;
  case COST_FROM_LINK_RATE:
    if (hop->link.index == 0)
      break;
    text_puts(&text, "link rate ");
    put_written(&text, report, &report->machine->links[hop->link.index].rate);
    break;
  case COST_FROM_CONTAINMENT:
    if (hop->link.index == 0)
      put_common_part(&text, report, hop);
    else
      put_legs(&text, report, hop, scratch);
    if (cost->is_bottleneck)
      text_puts(&text, ", the slowest");
    break;
  }
  if (cost->has_latency && cost->latency != 0) {
    text_puts(&text, text.length == 0 ? "latency " : ", latency ");
    if (cost->kind == COST_CYCLES)
      text_format(&text, "%llu cyc", (unsigned long long)cost->latency);
    else
      text_duration(&text, cost->latency);
  }
  return text_str(&text);
}

// --- Transfers ---------------------------------------------------------------

static void put_place(Text *out, const Report *report,
                      const RouteRecord *record) {
  Location at = source_locate(report->sources, record->span.start);
  if (at.file.index != 0) {
    text_put(out, source_file(report->sources, at.file)->path);
    text_format(out, ":%u:%u ", at.line, at.column);
  }
  text_puts(out, "in ");
  text_put(out, name_text(report->interner, record->function));
  text_puts(out, ": ");
  Str written = source_text(report->sources, record->span);
  size_t length = 0;
  while (length < written.length && written.data[length] != '\n' &&
         written.data[length] != '\r')
    length++;
  text_put(out, str_slice(written, 0, length));
  text_puts(out, length < written.length ? " ..\n" : "\n");
}

// What the hops of a staged transfer cost together.
static void add_total(RowVec *rows, const RouteRecord *last, uint64_t chunk,
                      Arena *scratch) {
  const HopCost *total = &last->hop.total;
  if (total->kind == COST_UNKNOWN)
    return;
  Text note = text_new(scratch);
  if (chunk != 0) {
    text_puts(&note, "hops overlap, chunks of ");
    text_size(&note, BYTES(chunk));
  }
  Row row = {{STR("in all"), STR(""), cost_text(last, total, scratch),
              text_str(&note)}};
  VEC_PUSH(scratch, rows, row);
}

// Hops from `first` that belong to one transfer; returns the index behind them.
static uint32_t put_transfer(Text *out, const Report *report, uint32_t first,
                             Arena *scratch) {
  const MemoryReport *memory = report->memory;
  put_place(out, report, &memory->routes.items[first]);
  RowVec rows = {0};
  uint64_t chunk = 0; // the largest in which bytes pass through
  uint32_t i = first;
  do {
    const RouteRecord *record = &memory->routes.items[i];
    const Hop *hop = &record->hop.hop;
    Row row = {{link_text(report, hop->from, hop->to, scratch),
                bytes_text(record->hop.has_bytes, record->hop.bytes, scratch),
                cost_text(record, &hop->cost, scratch),
                source_cell(report, hop, scratch)}};
    VEC_PUSH(scratch, &rows, row);
    chunk = hop->chunk > chunk ? hop->chunk : chunk;
    i++;
  } while (i < memory->routes.count && memory->routes.items[i].hop.step != 0);
  if (rows.count > 1)
    add_total(&rows, &memory->routes.items[i - 1], chunk, scratch);
  put_rows(out, &rows);
  return i;
}

// --- Links -------------------------------------------------------------------

static uint64_t saturate(Uint128 value) {
  return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

static void put_links(Text *out, const Report *report, Arena *scratch) {
  const MemoryReport *memory = report->memory;
  RowVec rows = {0};
  for (uint32_t i = 0; i < memory->links.count; i++) {
    const LinkTotal *total = &memory->links.items[i];
    Text count = text_new(scratch);
    text_u128(&count, total->transfers);
    text_puts(&count, total->transfers == 1 ? " transfer" : " transfers");
    Text time = text_new(scratch);
    if (total->has_time)
      text_duration(&time, saturate(total->time_ps));
    Bytes bytes = {saturate(total->bytes), total->bytes > UINT64_MAX};
    Str moved = bytes_text(true, bytes, scratch);
    if (!total->has_bytes)
      moved = total->bytes == 0
                  ? STR("run-time size")
                  : str_format(scratch, "at least %.*s", STR_ARG(moved));
    Row row = {{link_text(report, total->from, total->to, scratch),
                text_str(&count), moved, text_str(&time)}};
    VEC_PUSH(scratch, &rows, row);
  }
  text_puts(out, "links in all:\n");
  put_rows(out, &rows);
}

// Run-time trip counts have names in the lists above.
static bool has_run_time_counts(const MemoryReport *memory) {
  for (uint32_t i = 0; i < memory->routes.count; i++) {
    if (!memory->routes.items[i].has_times)
      return true;
  }
  return false;
}

void report_routes(Text *out, const Report *report, Arena *scratch) {
  const MemoryReport *memory = report->memory;
  if (memory == NULL || report->machine == NULL || memory->routes.count == 0)
    return;
  for (uint32_t i = 0; i < memory->routes.count;)
    i = put_transfer(out, report, i, scratch);
  if (memory->links.count != 0)
    put_links(out, report, scratch);
  if (has_run_time_counts(memory))
    text_puts(out, "note: n1, n2 .. are trip counts known at run time; the "
                   "totals count them once\n");
  if (memory->callees_not_counted)
    text_puts(out, "note: calls are not counted: the transfers of a function "
                   "count once, however often it is called\n");
}
