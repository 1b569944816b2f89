// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as the text form of the IR: parse, print, verify, lifetimes,
// memory. What parses must print to a fixpoint; what verifies must be analysed.

#include "ir/ir.h"
#include "diag/diag.h"
#include "memory/memory.h"
#include "own/own.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char machine_text[] =
    "Memory H { capacity: 1 MiB }\n"
    "Memory W { within: Memory::H, capacity: 4 KiB, granule: 16 B }\n"
    "Memory P { part_of: Memory::W, capacity: 3 KiB }\n"
    "Topology D { memory: Memory::H, count: 4, visible: [Memory::H, Memory::W, "
    "Memory::P] }\n";

static Machine *make_machine(Arena *arena, Interner *interner,
                             SourceMap *sources, DiagSink *sink) {
  FileId file = source_add(sources, STR("machine.vx"), str_from(machine_text));
  MachineInput input = {.kind = MACHINE_INPUT_FILE};
  input.tree = parse_file(arena, interner, sources, file, PARSE_MACHINE, sink);
  return machine_build(arena, interner, sources, &input, 1, sink);
}

static void check_fixpoint(Arena *arena, const IrModule *module) {
  Text first = text_new(arena), second = text_new(arena);
  Str error;
  ir_print(&first, module);
  TypeTable types;
  types_init(&types, arena, module->interner, module->machine);
  IrModule *again = ir_parse(arena, module->interner, &types, module->machine,
                             text_str(&first), &error);
  CHECK(again != NULL);
  ir_print(&second, again);
  CHECK(str_equal(text_str(&first), text_str(&second)));
}

static void analyze(Arena *arena, const IrModule *module, DiagSink *sink) {
  MemoryReport report = {.callees_not_counted = false};
  Str error;
  for (uint32_t i = 0; i < module->functions.count; i++) {
    const IrFunction *f = &module->functions.items[i];
    OwnResult own;
    if (!ir_verify(module, f, arena, &error))
      continue;
    own_analyze(arena, arena, module, f, &own);
    Text dump = text_new(arena);
    own_dump(&dump, module, f, &own);
    memory_check_function(arena, module, f, &own, sink, &report);
  }
  memory_finish(&report, module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena arena = {0};
  Interner interner;
  SourceMap sources;
  DiagSink sink;
  TypeTable types;
  Str error;
  interner_init(&interner, &arena);
  source_init(&sources, &arena);
  diag_init(&sink, &arena);
  const Machine *machine = make_machine(&arena, &interner, &sources, &sink);
  types_init(&types, &arena, &interner, machine);
  Str text = {(const char *)data, size};
  IrModule *module = ir_parse(&arena, &interner, &types, machine, text, &error);
  if (module != NULL) {
    check_fixpoint(&arena, module);
    analyze(&arena, module, &sink);
  }
  diag_finish(&sink, &sources);
  arena_free(&arena);
  return 0;
}
