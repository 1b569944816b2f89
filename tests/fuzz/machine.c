// SPDX-License-Identifier: Apache-2.0
//
// Machine files: parse, build, lint, show, and some routes. The first byte says
// whether the text is a machine file, a program, or an override.

#include "machine/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_MEMORIES = 12 };

static void try_routes(Arena *arena, const Machine *machine) {
  static const uint64_t extents[] = {3, 5000};
  TensorShape shape = {.element_bits = 16, .extents = extents, .rank = 2};
  uint32_t first = machine->memory_count > MOST_MEMORIES
                       ? machine->memory_count - MOST_MEMORIES
                       : 1;
  for (uint32_t i = first; i < machine->memory_count; i++) {
    for (uint32_t k = first; k < machine->memory_count; k++) {
      RouteRequest request = {.from = {{i}, 0},
                              .to = {{k}, k % 3 == 0 ? INSTANCE_DYNAMIC : 0},
                              .shape = &shape,
                              .source_dies = k % 2 == 0};
      Route route;
      machine_route(arena, machine, &request, &route);
      CHECK(route.status != ROUTE_FOUND || route.hop_count > 0);
    }
  }
}

static void build(Arena *arena, const uint8_t *data, size_t size) {
  Interner interner;
  SourceMap sources;
  DiagSink sink;
  interner_init(&interner, arena);
  source_init(&sources, arena);
  diag_init(&sink, arena);
  MachineInputKind kind = MACHINE_INPUT_FILE;
  if (size > 0 && data[0] % 4 == 1)
    kind = MACHINE_INPUT_PROGRAM;
  if (size > 0 && data[0] % 4 == 2)
    kind = MACHINE_INPUT_OVERRIDE;
  Str text = {size == 0 ? "" : (const char *)data, size};
  FileId file = source_add(&sources, STR("fuzz.vx"), text);
  ParseMode mode =
      kind == MACHINE_INPUT_PROGRAM ? PARSE_PROGRAM : PARSE_MACHINE;
  MachineInput input = {
      parse_file(arena, &interner, &sources, file, mode, &sink), kind};
  Machine *machine =
      machine_build(arena, &interner, &sources, &input, 1, &sink);
  machine_lint(machine, &input, 1, &sink);
  try_routes(arena, machine);
  Text out = text_new(arena);
  machine_show_text(&out, machine, arena, true, 80);
  machine_show_json(&out, machine, arena);
  diag_finish(&sink, &sources);
  diag_render_text(&out, &sink, &sources, false, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena arena = {0};
  build(&arena, data, size);
  arena_free(&arena);
  return 0;
}
