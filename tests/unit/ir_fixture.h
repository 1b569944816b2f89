// SPDX-License-Identifier: Apache-2.0
//
// What tests of ir, own and memory start from: a machine from the text of a
// machine file, and a module from the text of the IR.

#ifndef VX_UNIT_IR_FIXTURE_H
#define VX_UNIT_IR_FIXTURE_H

#include "diag/diag.h"
#include "ir/ir.h"
#include "machine/machine.h"
#include "types/types.h"
#include "unit/test.h"

typedef struct {
  Arena arena;
  Interner interner;
  SourceMap sources;
  DiagSink sink;
  Machine *machine;
  TypeTable types;
  IrModule *module;
} Fixture;

// An empty `machine` leaves the built-in memories alone.
static inline void fixture_open(Fixture *x, const char *machine) {
  *x = (Fixture){.machine = NULL};
  interner_init(&x->interner, &x->arena);
  source_init(&x->sources, &x->arena);
  diag_init(&x->sink, &x->arena);
  x->sink.phase = PHASE_MACHINE;
  FileId file = source_add(&x->sources, STR("machine.vx"), str_from(machine));
  MachineInput input = {.kind = MACHINE_INPUT_FILE};
  input.tree = parse_file(&x->arena, &x->interner, &x->sources, file,
                          PARSE_MACHINE, &x->sink);
  x->machine =
      machine_build(&x->arena, &x->interner, &x->sources, &input, 1, &x->sink);
  types_init(&x->types, &x->arena, &x->interner, x->machine);
  x->sink.phase = PHASE_MEMORY;
}

// Reads and verifies; on failure prints why and returns false.
static inline bool fixture_read(Fixture *x, Str text) {
  Str error = STR("");
  x->module =
      ir_parse(&x->arena, &x->interner, &x->types, x->machine, text, &error);
  bool is_right = x->module != NULL;
  for (uint32_t i = 0; is_right && i < x->module->functions.count; i++)
    is_right =
        ir_verify(x->module, &x->module->functions.items[i], &x->arena, &error);
  if (!is_right)
    printf("  %.*s\n", STR_ARG(error));
  return is_right;
}

// Does a line of IR text hold an operation?
static inline bool fixture_is_op(Str line) {
  size_t i = 0;
  while (i < line.length && line.data[i] == ' ')
    i++;
  Str rest = str_slice(line, i, line.length - i);
  return rest.length > 0 && !str_starts_with(rest, STR("fn ")) &&
         !str_starts_with(rest, STR("struct ")) &&
         !str_starts_with(rest, STR("}")) && !str_starts_with(rest, STR("//"));
}

// As fixture_read; each operation gets the span of its line in "test.ir".
static inline bool fixture_read_lines(Fixture *x, Str text) {
  if (!fixture_read(x, text))
    return false;
  FileId file = source_add(&x->sources, STR("test.ir"), text);
  uint32_t start = source_file(&x->sources, file)->start;
  uint32_t function = 0, op = 0;
  for (size_t at = 0; at < text.length; at++) {
    size_t end = at;
    while (end < text.length && text.data[end] != '\n')
      end++;
    Str line = str_slice(text, at, end - at);
    if (str_starts_with(line, STR("}"))) {
      function++;
      op = 0;
    } else if (fixture_is_op(line)) {
      IrFunction *f = &x->module->functions.items[function];
      size_t indent = 0;
      while (line.data[indent] == ' ')
        indent++;
      f->ops.items[op++].span = (Span){start + (uint32_t)(at + indent),
                                       (uint32_t)(line.length - indent)};
    }
    at = end;
  }
  return true;
}

static inline void fixture_close(Fixture *x) { arena_free(&x->arena); }

#endif
