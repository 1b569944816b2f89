// SPDX-License-Identifier: Apache-2.0
//
// A function of IR text, checked on a machine from text.

#ifndef VX_UNIT_MEMORY_FIXTURE_H
#define VX_UNIT_MEMORY_FIXTURE_H

#include "memory/memory.h"
#include "unit/ir_fixture.h"

#include <string.h>

typedef struct {
  Fixture x;
  MemoryReport report;
} Checked;

// `body`: the operations of `fn @main`, from line 2 of "test.ir" on.
static inline void check_text(Test *test, Checked *c, const char *machine,
                              const char *body) {
  *c = (Checked){.report = {.callees_not_counted = false}};
  fixture_open(&c->x, machine);
  EXPECT_EQ(c->x.sink.records.count, 0);
  Str text = str_format(&c->x.arena, "fn @main() -> void {\n%s}\n", body);
  if (!EXPECT(fixture_read_lines(&c->x, text)))
    return;
  const IrFunction *f = &c->x.module->functions.items[0];
  OwnResult own;
  own_analyze(&c->x.arena, &c->x.arena, c->x.module, f, &own);
  memory_check_function(&c->x.arena, c->x.module, f, &own, &c->x.sink,
                        &c->report);
  memory_finish(&c->report, c->x.module);
  diag_finish(&c->x.sink, &c->x.sources);
}

static inline void check_close(Checked *c) { fixture_close(&c->x); }

static inline void expect_admitted(Test *test, const Checked *c) {
  if (!EXPECT(c->x.sink.records.count == 0))
    printf("  %.*s\n", STR_ARG(c->x.sink.records.items[0]->message));
}

static inline void expect_only(Test *test, const Checked *c, DiagCode code,
                               const char *message) {
  EXPECT_EQ(c->x.sink.records.count, 1);
  if (c->x.sink.records.count == 0)
    return;
  EXPECT_EQ(c->x.sink.records.items[0]->code, code);
  EXPECT_STR(c->x.sink.records.items[0]->message, message);
}

static inline void expect_set(Test *test, const Checked *c, const char *space,
                              uint64_t peak, uint64_t tiles) {
  Arena scratch = {0};
  bool is_found = false;
  for (uint32_t i = 0; i < c->report.sets.count; i++) {
    const ResidentSet *set = &c->report.sets.items[i];
    Str name = machine_placement_text(&scratch, c->x.machine, set->placement);
    if (!str_equal(name, str_from(space)))
      continue;
    is_found = true;
    EXPECT_EQ(set->peak.count, peak);
    EXPECT_EQ(set->tiles, tiles);
  }
  EXPECT(is_found);
  arena_free(&scratch);
}

// Does a note or help of the record contain `text`?
static inline bool has_remark(const Diagnostic *d, const char *text) {
  size_t length = strlen(text);
  for (uint32_t i = 0; i < d->remarks.count; i++) {
    Str remark = d->remarks.items[i].text;
    for (size_t at = 0; at + length <= remark.length; at++)
      if (memcmp(remark.data + at, text, length) == 0)
        return true;
  }
  for (uint32_t i = 0; i < d->remarks.count; i++)
    printf("  remark: %.*s\n", STR_ARG(d->remarks.items[i].text));
  return false;
}

#endif
