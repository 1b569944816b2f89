// SPDX-License-Identifier: Apache-2.0
//
// vx-diagnostics-v1: one object, keys in a fixed order, one record of a list
// per line. Keys are only ever added; figures that no pass computes yet are
// left out. Numbers beyond 64 bits are null.

#include "report/report.h"

static void put_key(Text *out, const char *key) {
  text_format(out, ", \"%s\": ", key);
}

static void put_u64(Text *out, uint64_t value) { text_u128(out, value); }

static void put_bytes(Text *out, bool has_bytes, Bytes bytes) {
  if (has_bytes && !bytes.beyond)
    put_u64(out, bytes.count);
  else
    text_puts(out, "null");
}

static void put_bool(Text *out, bool value) {
  text_puts(out, value ? "true" : "false");
}

static void put_text_or_null(Text *out, Str s) {
  if (s.length == 0)
    text_puts(out, "null");
  else
    text_json_string(out, s);
}

static void put_placement(Text *out, const Report *report, Placement placement,
                          Arena *scratch) {
  text_json_string(out,
                   machine_placement_text(scratch, report->machine, placement));
}

static void put_name(Text *out, const Report *report, Name name) {
  text_json_string(out, name_text(report->interner, name));
}

// `"file": .., "line": ..`, null where there is no place.
static void put_file_line(Text *out, const Report *report, Span span) {
  Location at = source_locate(report->sources, span.start);
  if (at.file.index == 0) {
    text_puts(out, "\"file\": null, \"line\": null");
    return;
  }
  text_puts(out, "\"file\": ");
  text_json_string(out, source_file(report->sources, at.file)->path);
  text_format(out, ", \"line\": %u", at.line);
}

static void put_line(Text *out, const Report *report, Span span) {
  if (span_is_none(span))
    text_puts(out, "null");
  else
    text_format(out, "%u", source_locate(report->sources, span.start).line);
}

// --- Lists -------------------------------------------------------------------

static void begin_list(Text *out, const char *key) {
  text_format(out, ",\n  \"%s\": [", key);
}

static void begin_record(Text *out, bool is_first) {
  text_puts(out, is_first ? "\n    " : ",\n    ");
}

static void end_list(Text *out, bool is_empty) {
  text_puts(out, is_empty ? "]" : "\n  ]");
}

// --- routes ------------------------------------------------------------------

static void put_derived(Text *out, const HopCost *cost) {
  bool is_derived = cost->kind == COST_TIME || cost->kind == COST_CYCLES;
  put_key(out, "derived_cost");
  if (is_derived)
    put_u64(out, cost->value);
  else
    text_puts(out, "null");
  put_key(out, "derived_unit");
  if (is_derived)
    text_puts(out, cost->kind == COST_TIME ? "\"ps\"" : "\"cyc\"");
  else
    text_puts(out, "null");
  put_key(out, "cost_source");
  switch (cost->source) {
  case COST_FROM_NOTHING:
    text_puts(out, "null");
    break;
  case COST_FROM_LINK_RATE:
    text_puts(out, "\"link_rate\"");
    break;
  case COST_FROM_CONTAINMENT:
    text_puts(out, "\"containment\"");
    break;
  }
  put_key(out, "composition");
  if (cost->source != COST_FROM_CONTAINMENT)
    text_puts(out, "null");
  else
    text_puts(out, cost->is_bottleneck ? "\"bottleneck\"" : "\"sum\"");
  put_key(out, "latency");
  if (is_derived && cost->has_latency)
    put_u64(out, cost->latency);
  else
    text_puts(out, "null");
}

// The weight by which a route without prices is chosen; 1 where none stands.
static uint64_t hop_weight(const HopCost *cost) {
  return cost->has_weight ? cost->weight : 1;
}

static void put_route(Text *out, const Report *report,
                      const RouteRecord *record, Arena *scratch) {
  const Hop *hop = &record->hop.hop;
  text_puts(out, "{\"path\": [");
  put_placement(out, report, hop->from, scratch);
  text_puts(out, ", ");
  put_placement(out, report, hop->to, scratch);
  text_puts(out, "], \"edges\": [{\"from\": ");
  put_placement(out, report, hop->from, scratch);
  text_puts(out, ", \"to\": ");
  put_placement(out, report, hop->to, scratch);
  put_key(out, "cost");
  if (hop->cost.has_weight)
    put_u64(out, hop->cost.weight);
  else
    text_puts(out, "null");
  text_puts(out, "}]");
  put_key(out, "total_cost");
  put_u64(out, hop_weight(&hop->cost));
  put_key(out, "bytes");
  put_bytes(out, record->hop.has_bytes, record->hop.bytes);
  put_derived(out, &hop->cost);
  put_key(out, "times");
  if (record->has_times)
    put_u64(out, record->times);
  else
    text_puts(out, "null");
  put_key(out, "times_text");
  text_json_string(out, record->times_text);
  text_puts(out, ", ");
  put_file_line(out, report, record->span);
  text_char(out, '}');
}

static void put_routes(Text *out, const Report *report, Arena *scratch) {
  uint32_t count = report->memory == NULL ? 0 : report->memory->routes.count;
  begin_list(out, "routes");
  for (uint32_t i = 0; i < count; i++) {
    begin_record(out, i == 0);
    put_route(out, report, &report->memory->routes.items[i], scratch);
  }
  end_list(out, count == 0);
}

// --- links -------------------------------------------------------------------

static void put_link(Text *out, const Report *report, const LinkTotal *total,
                     Arena *scratch) {
  text_puts(out, "{\"from\": ");
  put_placement(out, report, total->from, scratch);
  put_key(out, "to");
  put_placement(out, report, total->to, scratch);
  put_key(out, "transfers");
  text_u128(out, total->transfers);
  put_key(out, "bytes");
  if (total->has_bytes)
    text_u128(out, total->bytes);
  else
    text_puts(out, "null");
  put_key(out, "time_ps");
  if (total->has_time)
    text_u128(out, total->time_ps);
  else
    text_puts(out, "null");
  text_char(out, '}');
}

static void put_links(Text *out, const Report *report, Arena *scratch) {
  uint32_t count = report->memory == NULL ? 0 : report->memory->links.count;
  begin_list(out, "links");
  for (uint32_t i = 0; i < count; i++) {
    begin_record(out, i == 0);
    put_link(out, report, &report->memory->links.items[i], scratch);
  }
  end_list(out, count == 0);
}

// --- resident_sets -----------------------------------------------------------

// Four decimals, rounded down: 1.0000 is full.
static void put_utilization(Text *out, const Memory *memory, Bytes peak) {
  uint64_t capacity = memory->capacity.value;
  if (!memory->capacity.is_set || capacity == 0 || peak.beyond) {
    text_puts(out, "null");
    return;
  }
  Uint128 parts = (Uint128)peak.count * 10000 / capacity;
  text_u128(out, parts / 10000);
  text_format(out, ".%04u", (unsigned)(parts % 10000));
}

static void put_alive(Text *out, const Report *report, const ResidentSet *set) {
  put_key(out, "alive");
  text_char(out, '[');
  for (uint32_t i = 0; i < set->alive_count; i++) {
    const AliveBuffer *buffer = &set->alive[i];
    text_puts(out, i == 0 ? "{\"name\": " : ", {\"name\": ");
    text_json_string(out, buffer->name);
    put_key(out, "bytes");
    put_bytes(out, true, buffer->bytes);
    put_key(out, "line");
    put_line(out, report, buffer->birth);
    put_key(out, "last_use_line");
    put_line(out, report, buffer->last_use);
    text_char(out, '}');
  }
  text_char(out, ']');
}

static void put_resident_set(Text *out, const Report *report,
                             const ResidentSet *set, Arena *scratch) {
  const Memory *memory = machine_memory(report->machine, set->placement.memory);
  text_puts(out, "{\"function\": ");
  put_name(out, report, set->function);
  put_key(out, "space");
  put_placement(out, report, set->placement, scratch);
  // All sizes there may be known at run time only.
  bool is_known = !set->has_unverified || set->peak.count != 0;
  put_key(out, "total_bytes");
  put_bytes(out, is_known, set->peak);
  put_key(out, "own_bytes");
  put_bytes(out, is_known, set->peak);
  put_key(out, "capacity_bytes");
  put_bytes(out, memory->capacity.is_set, BYTES(memory->capacity.value));
  put_key(out, "limit_bytes");
  put_bytes(out, memory->has_limit, BYTES(memory->limit));
  put_key(out, "utilization");
  if (is_known)
    put_utilization(out, memory, set->peak);
  else
    text_puts(out, "null");
  put_key(out, "tiles");
  put_u64(out, set->tiles);
  put_key(out, "overcommit");
  put_bool(out, memory->is_overcommit);
  put_key(out, "peak_at");
  text_char(out, '{');
  put_file_line(out, report, set->peak_at);
  text_char(out, '}');
  put_alive(out, report, set);
  text_char(out, '}');
}

static void put_resident_sets(Text *out, const Report *report, Arena *scratch) {
  uint32_t count = report->memory == NULL ? 0 : report->memory->sets.count;
  begin_list(out, "resident_sets");
  for (uint32_t i = 0; i < count; i++) {
    begin_record(out, i == 0);
    put_resident_set(out, report, &report->memory->sets.items[i], scratch);
  }
  end_list(out, count == 0);
}

// --- The object --------------------------------------------------------------

static void put_head(Text *out, const Report *report) {
  bool is_admitted = report->sink->error_count == 0;
  text_puts(out, "{\n  \"schema\": \"vx-diagnostics-v1\",\n  \"file\": ");
  put_text_or_null(out, report->file);
  text_puts(out, ",\n  \"machine\": ");
  put_text_or_null(out, report->machine_name);
  text_puts(out, ",\n  \"host\": ");
  put_text_or_null(out, report->host_name);
  text_format(out, ",\n  \"verdict\": \"%s\"",
              is_admitted ? "admitted" : "rejected");
  text_format(out, ",\n  \"error_count\": %u,\n  \"warning_count\": %u",
              report->sink->error_count, report->sink->warning_count);
  text_puts(out, ",\n  \"proved\": ");
  put_bool(out, report_is_proved(report));
}

static void put_unverified(Text *out, const Report *report) {
  uint32_t count =
      report->memory == NULL ? 0 : report->memory->unverified.count;
  begin_list(out, "unverified");
  for (uint32_t i = 0; i < count; i++) {
    begin_record(out, i == 0);
    text_json_string(out, report->memory->unverified.items[i]);
  }
  end_list(out, count == 0);
}

void report_json(Text *out, const Report *report, Arena *scratch) {
  put_head(out, report);
  put_unverified(out, report);
  text_puts(out, ",\n  \"diagnostics\": ");
  diag_render_json(out, report->sink, 4);
  put_routes(out, report, scratch);
  put_links(out, report, scratch);
  put_resident_sets(out, report, scratch);
  text_puts(out, ",\n  \"plan\": []\n}\n");
}
