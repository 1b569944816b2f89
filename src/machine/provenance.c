// SPDX-License-Identifier: Apache-2.0
//
// Where a figure comes from, in words.

#include "machine/internal.h"

static void put_citation(Text *text, const Citation *citation) {
  text_put(text, citation_kind_name(citation->kind));
  text_puts(text, ": ");
  text_put(text, citation->text);
}

// A claim about hardware that no instrument has confirmed.
static bool lacks_measurement(const Figure *figure) {
  return find_citation(figure, CITATION_MEASURED) == NULL &&
         figure->citations->kind != CITATION_POLICY;
}

Str figure_provenance(Arena *arena, const Figure *figure) {
  Text text = text_new(arena);
  if (figure->citations == NULL)
    return STR("no citation");
  put_citation(&text, figure->citations);
  const Citation *measured = find_citation(figure, CITATION_MEASURED);
  if (measured != NULL && measured != figure->citations) {
    text_puts(&text, "; ");
    put_citation(&text, measured);
  } else if (lacks_measurement(figure)) {
    text_puts(&text, "; not measured on hardware");
  }
  return text_str(&text);
}

// The figure that bounds a memory: the one that makes the limit, or the
// capacity.
static const Figure *bounding_figure(const Memory *memory, const char **name) {
  *name = "capacity";
  if (memory->capacity.is_set)
    return &memory->capacity;
  if (memory->usable.is_set) {
    *name = "usable";
    return &memory->usable;
  }
  *name = "block_limit";
  return &memory->block_limit;
}

static void note_figure(DiagSink *sink, Diagnostic *d, Arena *scratch,
                        const char *name, const Figure *figure) {
  Text text = text_new(scratch);
  text_format(&text, "%s ", name);
  text_size(&text, BYTES(figure->value));
  Str provenance = figure_provenance(scratch, figure);
  text_format(&text, " declared\n(%.*s)", STR_ARG(provenance));
  for (const Replaced *old = figure->replaced; old != NULL; old = old->next)
    text_format(&text, "\nit replaces %.*s", STR_ARG(old->value));
  diag_add_note(sink, d, figure->span, text_str(&text));
}

void machine_note_capacity(DiagSink *sink, Diagnostic *d,
                           const Machine *machine, MemoryId memory) {
  const Memory *m = &machine->memories[memory.index];
  Arena scratch = {0};
  const char *name;
  const Figure *figure = bounding_figure(m, &name);
  if (figure->is_set)
    note_figure(sink, d, &scratch, name, figure);
  arena_free(&scratch);
}

void machine_note_limit(DiagSink *sink, Diagnostic *d, const Machine *machine,
                        MemoryId memory) {
  const Memory *m = &machine->memories[memory.index];
  const Figure *figures[] = {
      [LIMIT_NONE] = NULL,
      [LIMIT_CAPACITY] = &m->capacity,
      [LIMIT_USABLE] = &m->usable,
      [LIMIT_RESERVE] = &m->reserve,
      [LIMIT_BLOCK] = &m->block_limit,
      [LIMIT_PAGE] = m->page_count > 0 ? &m->pages[m->page_count - 1] : NULL,
  };
  const Figure *figure = figures[m->limit_field];
  if (figure == NULL || !figure->is_set)
    return;
  Arena scratch = {0};
  note_figure(sink, d, &scratch, limit_field_name(m->limit_field), figure);
  arena_free(&scratch);
}
