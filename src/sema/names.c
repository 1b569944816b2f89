// SPDX-License-Identifier: Apache-2.0
//
// Scopes of a function body, and the declarations that a unit sees.

#include "sema/internal.h"

void scope_bind(Checker *c, Name name, uint32_t local) {
  VEC_PUSH(&c->scratch, &c->bindings,
           (Binding){name, local, c->bound[name.index]});
  c->bound[name.index] = c->bindings.count;
}

uint32_t scope_mark(const Checker *c) { return c->bindings.count; }

void scope_leave(Checker *c, uint32_t mark) {
  while (c->bindings.count > mark) {
    const Binding *binding = &c->bindings.items[--c->bindings.count];
    c->bound[binding->name.index] = binding->shadowed;
  }
}

uint32_t scope_find(const Checker *c, Name name) {
  uint32_t binding = c->bound[name.index];
  return binding ? c->bindings.items[binding - 1].local : UINT32_MAX;
}

uint32_t add_local(Checker *c, Local local) {
  VEC_PUSH(c->program->arena, &c->program->locals, local);
  return c->program->locals.count - 1;
}

Symbol find_in_unit(const Program *program, uint32_t unit, Name name) {
  uint64_t value;
  if (!map_get(&program->units.items[unit].names, name.index, &value))
    return (Symbol){0};
  return symbol_make((SymbolKind)(value >> 32), (uint32_t)value);
}

Symbol find_global(Checker *c, Name name, Span span) {
  Symbol found = find_in_unit(c->program, c->unit, name);
  if (found.kind != SYMBOL_NONE)
    return found;
  const Unit *unit = &c->program->units.items[c->unit];
  uint32_t from = 0;
  for (uint32_t i = 0; i < unit->imports.count; i++) {
    uint32_t imported = unit->imports.items[i];
    Symbol symbol = find_in_unit(c->program, imported, name);
    if (symbol.kind == SYMBOL_NONE)
      continue;
    if (found.kind != SYMBOL_NONE && imported != from) {
      Diagnostic *d = diag_declared_twice(
          c->program->sink, span, STR("imported name"), name_of(c, name));
      diag_add_help(c->program->sink, d,
                    STR("two imports give this name; write which one: "
                        "`module::name`"));
      return found;
    }
    found = symbol;
    from = imported;
  }
  return found;
}

uint32_t find_import(const Checker *c, Name name) {
  const Unit *unit = &c->program->units.items[c->unit];
  for (uint32_t i = 0; i < unit->imports.count; i++)
    if (name_equal(c->program->units.items[unit->imports.items[i]].name, name))
      return unit->imports.items[i];
  return UINT32_MAX;
}

// --- Did you mean ------------------------------------------------------------

// Nobody reads the thousandth suggestion, and each is a search.
enum { MOST_SUGGESTIONS = 200 };

typedef struct {
  Arena scratch;
  Str wanted;
  Str best;
  size_t distance;
} Suggestion;

static void consider(Checker *c, Suggestion *s, Name name) {
  Str text = name_of(c, name);
  size_t distance = str_distance(&s->scratch, s->wanted, text, s->distance);
  if (distance < s->distance) {
    s->best = text;
    s->distance = distance;
  }
}

Str suggest_name(Checker *c, Str name, unsigned kinds) {
  const Program *p = c->program;
  Suggestion s = {.wanted = name, .distance = name.length / 3 + 1};
  if (s.distance > 3)
    s.distance = 3;
  if (p->sink->records.count > MOST_SUGGESTIONS)
    return s.best;
  if (kinds & (1u << SYMBOL_LOCAL))
    for (uint32_t i = c->bindings.count; i > 0 && c->bindings.count - i < 200;
         i--)
      consider(c, &s, c->bindings.items[i - 1].name);
  if (kinds & (1u << SYMBOL_CONST))
    for (uint32_t i = 0; i < p->consts.count && i < 1000; i++)
      consider(c, &s, p->consts.items[i].name);
  if (kinds & (1u << SYMBOL_FUNCTION))
    for (uint32_t i = 0; i < p->functions.count && i < 1000; i++)
      consider(c, &s, p->functions.items[i].name);
  if (kinds & (1u << SYMBOL_STRUCT))
    for (uint32_t i = 1; i < p->structs.count && i < 1000; i++)
      consider(c, &s, p->structs.items[i].name);
  arena_free(&s.scratch);
  return s.best;
}
