// SPDX-License-Identifier: Apache-2.0
//
// The summary of an admitted program: one line per memory that holds anything.
//
//   SMEM      64 KiB (65536 B) of 227 KiB  28.1 %  tile.vx:6:14 in main
//   CPU_DRAM  64 KiB (65536 B), no limit           tile.vx:5:38 in main

#include "report/report.h"

#include <stdlib.h>

// A memory instance with the function that fills it most.
typedef struct {
  const ResidentSet *set;
  bool has_unverified; // in any function
  Str name, load, percent, where;
} Line;

typedef VEC(Line) LineVec;

// A check that was stopped early has no figures and proves nothing.
bool report_is_proved(const Report *report) {
  return report->memory != NULL && report->memory->unverified.count == 0 &&
         report->sink->error_count == 0;
}

void report_percent(Text *out, uint64_t part, uint64_t whole) {
  if (whole == 0) {
    text_puts(out, "100 %");
    return;
  }
  uint64_t tenths = (uint64_t)((Uint128)part * 1000 / whole);
  if (tenths == 0 && part != 0)
    text_puts(out, "<0.1 %");
  else
    text_format(out, "%llu.%llu %%", (unsigned long long)(tenths / 10),
                (unsigned long long)(tenths % 10));
}

// --- Lines -------------------------------------------------------------------

static bool is_larger(Bytes a, Bytes b) {
  return a.beyond ? !b.beyond : bytes_over(a, b.count);
}

static int compare_lines(const void *left, const void *right) {
  Placement a = ((const Line *)left)->set->placement;
  Placement b = ((const Line *)right)->set->placement;
  if (a.memory.index != b.memory.index)
    return a.memory.index < b.memory.index ? -1 : 1;
  return (a.instance > b.instance) - (a.instance < b.instance);
}

// In the order in which the memories are declared.
static LineVec collect_lines(const MemoryReport *memory, Arena *scratch) {
  LineVec lines = {0};
  Map known = {0};
  for (uint32_t i = 0; i < memory->sets.count; i++) {
    const ResidentSet *set = &memory->sets.items[i];
    uint64_t key =
        (uint64_t)set->placement.memory.index << 32 | set->placement.instance;
    uint64_t index;
    if (!map_get(&known, key, &index)) {
      index = lines.count;
      map_put(scratch, &known, key, index);
      VEC_PUSH(scratch, &lines, (Line){.set = set});
    }
    Line *line = &lines.items[index];
    line->has_unverified |= set->has_unverified;
    if (is_larger(set->peak, line->set->peak))
      line->set = set;
  }
  if (lines.count > 1)
    qsort(lines.items, lines.count, sizeof(Line), compare_lines);
  return lines;
}

void report_bytes(Text *out, Bytes bytes) {
  text_size(out, bytes);
  if (!bytes_over(bytes, 1023))
    return; // exact already
  text_puts(out, " (");
  text_bytes(out, bytes);
  text_puts(out, " B)");
}

// Nothing there has a size that is known before the program runs.
static bool is_unknown(const Line *line) {
  return line->has_unverified && line->set->peak.count == 0;
}

static Str peak_text(const Report *report, const Line *line, Arena *scratch) {
  const Memory *memory =
      machine_memory(report->machine, line->set->placement.memory);
  Text text = text_new(scratch);
  if (is_unknown(line)) {
    text_puts(&text, "not known");
  } else {
    if (line->has_unverified)
      text_puts(&text, "at least ");
    report_bytes(&text, line->set->peak);
  }
  if (!memory->has_limit) {
    text_puts(&text, ", no limit");
    return text_str(&text);
  }
  text_puts(&text, " of ");
  text_size(&text, BYTES(memory->limit));
  return text_str(&text);
}

static Str percent_text(const Report *report, const Line *line,
                        Arena *scratch) {
  const Memory *memory =
      machine_memory(report->machine, line->set->placement.memory);
  Text text = text_new(scratch);
  if (memory->has_limit && !is_unknown(line))
    report_percent(&text, line->set->peak.count, memory->limit);
  return text_str(&text);
}

static Str where_text(const Report *report, const Line *line, Arena *scratch) {
  Text text = text_new(scratch);
  Location at = source_locate(report->sources, line->set->peak_at.start);
  if (at.file.index != 0) {
    text_put(&text, source_file(report->sources, at.file)->path);
    text_format(&text, ":%u:%u ", at.line, at.column);
  }
  text_puts(&text, "in ");
  text_put(&text, name_text(report->interner, line->set->function));
  return text_str(&text);
}

static void fill_line(const Report *report, Line *line, Arena *scratch) {
  line->name =
      machine_placement_text(scratch, report->machine, line->set->placement);
  line->load = peak_text(report, line, scratch);
  line->percent = percent_text(report, line, scratch);
  line->where = where_text(report, line, scratch);
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static void put_lines(Text *out, const LineVec *lines) {
  size_t name = 0;
  size_t load = 0;
  size_t percent = 0;
  for (uint32_t i = 0; i < lines->count; i++) {
    name = larger(name, lines->items[i].name.length);
    load = larger(load, lines->items[i].load.length);
    percent = larger(percent, lines->items[i].percent.length);
  }
  for (uint32_t i = 0; i < lines->count; i++) {
    const Line *line = &lines->items[i];
    text_put(out, line->name);
    text_repeat(out, ' ', name - line->name.length + 2);
    text_put(out, line->load);
    text_repeat(out, ' ', load - line->load.length + 2);
    text_repeat(out, ' ', percent - line->percent.length);
    text_put(out, line->percent);
    text_repeat(out, ' ', percent == 0 ? 0 : 2);
    text_put(out, line->where);
    text_char(out, '\n');
  }
}

// --- All ---------------------------------------------------------------------

void report_summary(Text *out, const Report *report, Arena *scratch) {
  if (report->memory == NULL || report->machine == NULL)
    return;
  LineVec lines = collect_lines(report->memory, scratch);
  for (uint32_t i = 0; i < lines.count; i++)
    fill_line(report, &lines.items[i], scratch);
  put_lines(out, &lines);
  if (lines.count != 0 && report->memory->callees_not_counted)
    text_puts(out, "note: callees are not counted: each peak is that of one "
                   "function alone\n");
  uint32_t unverified = report->memory->unverified.count;
  if (unverified != 0)
    text_format(out, "note: %u placement%s not verified\n", unverified,
                unverified == 1 ? " is" : "s are");
}
