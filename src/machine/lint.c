// SPDX-License-Identifier: Apache-2.0
//
// `vxc machine lint`: figures without a source (W6201), not yet measured
// (W6202), that cannot be right (W6203), worth a look (W6204). Only what stands
// in the files that were asked about is judged.

#include "machine/internal.h"

#include <string.h>

typedef struct {
  const Machine *machine;
  DiagSink *sink;
  Arena scratch;
  const MachineInput *inputs;
  size_t input_count;
  FigureEntries figures;
} Linter;

static bool stands_in_inputs(const Linter *l, Span span) {
  FileId file = source_file_at(l->machine->sources, span.start);
  for (size_t i = 0; i < l->input_count; i++) {
    if (file.index != 0 && l->inputs[i].tree->file.index == file.index)
      return true;
  }
  return false;
}

static Str written(const Linter *l, Span span) {
  return source_text(l->machine->sources, span);
}

// --- W6201: no citation ------------------------------------------------------

static void lint_citations(Linter *l) {
  for (uint32_t i = 0; i < l->figures.count; i++) {
    const FigureEntry *entry = &l->figures.items[i];
    if (entry->figure->citations != NULL ||
        !stands_in_inputs(l, entry->figure->span))
      continue;
    Str owner = figure_owner_words(&l->scratch, l->machine, entry);
    const char *field = entry->part != NULL ? entry->part : entry->field;
    diag_uncited(l->sink, entry->figure->span, str_from(field), owner);
  }
}

// --- W6202: not measured -----------------------------------------------------

// Claims about the part that no instrument has confirmed; a policy is no claim.
static bool is_unmeasured(const Figure *figure) {
  return figure->citations != NULL &&
         figure->citations->kind != CITATION_POLICY &&
         find_citation(figure, CITATION_MEASURED) == NULL;
}

// One report for each memory, topology and link, at its first such figure.
static bool same_owner(const FigureEntry *a, const FigureEntry *b) {
  return a->memory.index == b->memory.index &&
         a->topology.index == b->topology.index &&
         a->link.index == b->link.index;
}

static void lint_measurements(Linter *l) {
  for (uint32_t i = 0; i < l->figures.count;) {
    const FigureEntry *first = &l->figures.items[i];
    const FigureEntry *shown = NULL;
    Text fields = text_new(&l->scratch);
    const char *last = "";
    for (; i < l->figures.count && same_owner(first, &l->figures.items[i]);
         i++) {
      const FigureEntry *entry = &l->figures.items[i];
      const char *field = entry->part != NULL ? entry->part : entry->field;
      if (!is_unmeasured(entry->figure) || strcmp(field, last) == 0 ||
          !stands_in_inputs(l, entry->figure->span))
        continue;
      text_format(&fields, "%s%s", shown == NULL ? "" : ", ", field);
      last = field;
      shown = shown == NULL ? entry : shown;
    }
    if (shown != NULL)
      diag_not_measured(l->sink, shown->figure->span,
                        figure_owner_words(&l->scratch, l->machine, shown),
                        text_str(&fields));
  }
}

// --- W6203: impossible -------------------------------------------------------

// Bytes per second that all replicas move together; 0: unknown.
static Uint128 total_rate(const Memory *memory) {
  Uint128 rate = memory->bandwidth.is_set ? memory->bandwidth.value : 0;
  if (memory->bandwidth.unit == UNIT_CYCLES &&
      !mul_u128(rate, memory->clock.is_set ? memory->clock.value : 0, &rate))
    return 0;
  return mul_u128(rate, memory->replicas.value, &rate) ? rate : 0;
}

static void lint_link_rate(Linter *l, const Link *link) {
  const Memory *from = &l->machine->memories[link->from.memory.index];
  const Memory *to = &l->machine->memories[link->to.memory.index];
  Uint128 rate = link->rate.value;
  if (!link->rate.is_set || !stands_in_inputs(l, link->rate.span) ||
      (link->rate.unit == UNIT_CYCLES &&
       !mul_u128(rate, to->clock.is_set ? to->clock.value : 0, &rate)))
    return;
  Uint128 source = total_rate(from);
  Uint128 target = total_rate(to);
  if (source == 0 || target == 0 || rate <= source || rate <= target)
    return;
  Diagnostic *d = diag_impossible_figure(
      l->sink, link->rate.span, link_words(&l->scratch, l->machine, link),
      str_format(&l->scratch, "%.*s is faster than both its ends",
                 STR_ARG(written(l, link->rate.span))));
  diag_add_label(l->sink, d, from->bandwidth.span, STR("what one end moves"));
  diag_add_label(l->sink, d, to->bandwidth.span, STR("what the other moves"));
}

static void lint_pages(Linter *l, MemoryId id) {
  const Memory *memory = &l->machine->memories[id.index];
  if (!memory->has_limit || memory->limit != 0 || memory->page_count == 0 ||
      !stands_in_inputs(l, memory->pages[0].span))
    return;
  diag_impossible_figure(
      l->sink, memory->pages[0].span, memory_words(&l->scratch, l->machine, id),
      STR("`page` is larger than what can be used, so nothing fits"));
}

// --- W6204: doubtful ---------------------------------------------------------

typedef enum { SYSTEM_NONE, SYSTEM_DECIMAL, SYSTEM_BINARY } UnitSystem;

static UnitSystem unit_system(Str text) {
  bool ends_in_b = text.length > 1 && text.data[text.length - 1] == 'B';
  if (!ends_in_b)
    return SYSTEM_NONE;
  char before = text.data[text.length - 2];
  if (before == 'i')
    return SYSTEM_BINARY;
  return strchr("KMGTP", before) != NULL ? SYSTEM_DECIMAL : SYSTEM_NONE;
}

// Up to three significant digits, in units of at least a thousand.
static bool is_round(uint64_t value, uint64_t step) {
  while (value >= step * step && value % step == 0)
    value /= step;
  return value % step == 0 && value / step < 1000;
}

static void lint_capacity(Linter *l, MemoryId id) {
  const Memory *memory = &l->machine->memories[id.index];
  const Figure *capacity = &memory->capacity;
  if (!capacity->is_set || !stands_in_inputs(l, capacity->span))
    return;
  Str text = written(l, capacity->span);
  UnitSystem system = unit_system(text);
  const char *doubt = NULL;
  if (system == SYSTEM_BINARY && !is_round(capacity->value, 1024) &&
      is_round(capacity->value, 1000))
    doubt = "is a round number of decimal bytes";
  else if (system == SYSTEM_DECIMAL && is_round(capacity->value, 1024))
    doubt = "is a round number of binary bytes";
  else if (system == SYSTEM_DECIMAL && is_round(capacity->value, 1000))
    doubt = "is decimal, but memories are built in binary sizes";
  if (doubt == NULL)
    return;
  diag_doubtful_figure(
      l->sink, capacity->span, memory_words(&l->scratch, l->machine, id),
      str_format(&l->scratch, "`capacity` %.*s %s", STR_ARG(text), doubt));
}

// Apart by more than 1.2.
static bool is_far(uint64_t a, uint64_t b) {
  uint64_t low = a < b ? a : b;
  uint64_t high = a < b ? b : a;
  return (Uint128)high * 5 > (Uint128)low * 6;
}

// A figure at the head of a citation against the one that is declared.
static void lint_disagreement(Linter *l, const FigureEntry *entry) {
  const Figure *figure = entry->figure;
  for (const Citation *c = figure->citations; c != NULL; c = c->next) {
    Measure head;
    bool compares = c->kind == CITATION_MEASURED || c->kind == CITATION_SPEC;
    if (!compares || !measure_at_head(&l->scratch, c->text, &head) ||
        head.dimension != entry->dimension || head.unit != figure->unit ||
        !is_far(figure->value, head.value))
      continue;
    uint64_t low = figure->value < head.value ? figure->value : head.value;
    uint64_t high = figure->value < head.value ? head.value : figure->value;
    uint64_t tenths =
        low == 0 ? 0 : (uint64_t)(((Uint128)high * 10 + low / 2) / low);
    Str declared = written(l, figure->span);
    Text why = text_new(&l->scratch);
    text_format(&why, "`%s` %.*s is declared, but ",
                entry->part != NULL ? entry->part : entry->field,
                STR_ARG(declared));
    text_measure(&why, head);
    text_puts(&why,
              c->kind == CITATION_MEASURED ? " was measured" : " is specified");
    if (low != 0)
      text_format(&why, ", %llu.%llu apart", (unsigned long long)(tenths / 10),
                  (unsigned long long)(tenths % 10));
    Diagnostic *d = diag_doubtful_figure(
        l->sink, figure->span,
        figure_owner_words(&l->scratch, l->machine, entry), text_str(&why));
    diag_add_label(l->sink, d, c->span, STR("the citation"));
    return;
  }
}

static void lint_device_memory(Linter *l, MemoryId id) {
  const Memory *memory = &l->machine->memories[id.index];
  bool lacks_usable = memory->capacity.is_set && !memory->usable.is_set;
  bool lacks_latency = !memory->latency.is_set;
  if ((!lacks_usable && !lacks_latency) || !stands_in_inputs(l, memory->span))
    return;
  diag_doubtful_figure(
      l->sink, memory->span, memory_words(&l->scratch, l->machine, id),
      lacks_usable && lacks_latency
          ? STR("a device's memory without `usable` and `latency`")
      : lacks_usable ? STR("a device's memory without `usable`")
                     : STR("a device's memory without `latency`"));
}

// --- All ---------------------------------------------------------------------

void machine_lint(const Machine *machine, const MachineInput *inputs,
                  size_t input_count, DiagSink *sink) {
  Linter l = {.machine = machine,
              .sink = sink,
              .inputs = inputs,
              .input_count = input_count};
  collect_figures(&l.scratch, machine, &l.figures);
  lint_citations(&l);
  lint_measurements(&l);
  for (uint32_t i = 1; i < machine->memory_count; i++) {
    lint_pages(&l, (MemoryId){i});
    lint_capacity(&l, (MemoryId){i});
  }
  for (uint32_t i = 1; i < machine->link_count; i++)
    lint_link_rate(&l, &machine->links[i]);
  for (uint32_t i = 0; i < l.figures.count; i++) {
    if (stands_in_inputs(&l, l.figures.items[i].figure->span))
      lint_disagreement(&l, &l.figures.items[i]);
  }
  for (uint32_t i = 1; i < machine->topology_count; i++) {
    const Topology *topology = &machine->topologies[i];
    if (!topology->is_builtin)
      lint_device_memory(&l, topology->memory);
  }
  arena_free(&l.scratch);
}
