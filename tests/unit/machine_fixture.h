// SPDX-License-Identifier: Apache-2.0
//
// A machine from text, for tests of the machine layer.

#ifndef VX_TESTS_UNIT_MACHINE_FIXTURE_H
#define VX_TESTS_UNIT_MACHINE_FIXTURE_H

#include "machine/machine.h"

#include <string.h>

enum { MOST_INPUTS = 4 };

typedef struct {
  Arena arena;
  Interner interner;
  SourceMap sources;
  DiagSink sink;
  MachineInput inputs[MOST_INPUTS];
  size_t input_count;
  Machine *machine;
} Fixture;

static inline void fixture_start(Fixture *f) {
  *f = (Fixture){0};
  interner_init(&f->interner, &f->arena);
  source_init(&f->sources, &f->arena);
  diag_init(&f->sink, &f->arena);
}

static inline void fixture_add(Fixture *f, MachineInputKind kind,
                               const char *path, Str text) {
  CHECK(f->input_count < MOST_INPUTS);
  FileId file = source_add(&f->sources, str_from(path), text);
  ParseMode mode =
      kind == MACHINE_INPUT_PROGRAM ? PARSE_PROGRAM : PARSE_MACHINE;
  const Tree *tree =
      parse_file(&f->arena, &f->interner, &f->sources, file, mode, &f->sink);
  f->inputs[f->input_count++] = (MachineInput){tree, kind};
}

static inline const Machine *fixture_build(Fixture *f) {
  f->machine = machine_build(&f->arena, &f->interner, &f->sources, f->inputs,
                             f->input_count, &f->sink);
  diag_finish(&f->sink, &f->sources);
  return f->machine;
}

// One machine file.
static inline const Machine *fixture_text(Fixture *f, const char *text) {
  fixture_start(f);
  fixture_add(f, MACHINE_INPUT_FILE, "machine.vx", str_from(text));
  return fixture_build(f);
}

static inline MemoryId fixture_memory(Fixture *f, const char *name) {
  return machine_find_memory(f->machine, intern_c(&f->interner, name));
}

static inline TopologyId fixture_topology(Fixture *f, const char *name) {
  return machine_find_topology(f->machine, intern_c(&f->interner, name));
}

static inline Placement fixture_place(Fixture *f, const char *name,
                                      uint32_t instance) {
  return (Placement){fixture_memory(f, name), instance};
}

// The cheapest way for `bytes` bytes.
static inline Route fixture_route(Fixture *f, Placement from, Placement to,
                                  uint64_t bytes) {
  TensorShape shape = {.element_bits = 8, .extents = &bytes, .rank = 1};
  RouteRequest request = {.from = from, .to = to, .shape = &shape};
  Route route;
  machine_route(&f->arena, f->machine, &request, &route);
  return route;
}

// "A -> B -> C", or "" without hops.
static inline Str fixture_path(Fixture *f, const Route *route) {
  Text text = text_new(&f->arena);
  for (uint32_t i = 0; i < route->hop_count; i++) {
    if (i == 0)
      text_put(&text, machine_placement_text(&f->arena, f->machine,
                                             route->hops[0].from));
    text_puts(&text, " -> ");
    text_put(&text,
             machine_placement_text(&f->arena, f->machine, route->hops[i].to));
  }
  return text_str(&text);
}

// Records with this code.
static inline uint32_t fixture_count(const Fixture *f, DiagCode code) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->sink.records.count; i++) {
    const Diagnostic *d = f->sink.records.items[i];
    count += d->code == code && !d->is_dropped;
  }
  return count;
}

// The message of the first record with this code; "" without one.
static inline Str fixture_message(const Fixture *f, DiagCode code) {
  for (uint32_t i = 0; i < f->sink.records.count; i++) {
    if (f->sink.records.items[i]->code == code)
      return f->sink.records.items[i]->message;
  }
  return (Str){"", 0};
}

static inline void fixture_end(Fixture *f) { arena_free(&f->arena); }

#endif
