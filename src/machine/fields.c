// SPDX-License-Identifier: Apache-2.0
//
// The tables of fields, and what the reading of every field has in common:
// figures, words, references, what an `extend` replaces. Every fault is
// reported where it stands; the field then keeps the value that it had.

#include "machine/internal.h"

// --- Tables ------------------------------------------------------------------

static const char *const memory_field_names[] = {
#define MEMORY_FIGURE(name, kind, absent, zero) #name,
#define MEMORY_FIELD(name, kind) #name,
#define TOPOLOGY_FIELD(name, kind)
#define FIELD_WORD(field, word, value)
#define SCOPE_WORD(scope, word)
#include "machine/field.def"
#undef MEMORY_FIGURE
#undef MEMORY_FIELD
#undef TOPOLOGY_FIELD
};

static const char *const topology_field_names[] = {
#define MEMORY_FIGURE(name, kind, absent, zero)
#define MEMORY_FIELD(name, kind)
#define TOPOLOGY_FIELD(name, kind) #name,
#include "machine/field.def"
#undef MEMORY_FIELD
#undef TOPOLOGY_FIELD
#undef SCOPE_WORD
};

static const char *const scope_names[] = {
    "unscoped",
#define TOPOLOGY_FIELD(name, kind)
#define MEMORY_FIELD(name, kind)
#define SCOPE_WORD(scope, word) #word,
#include "machine/field.def"
#undef MEMORY_FIELD
#undef MEMORY_FIGURE
#undef SCOPE_WORD
};

const char *scope_name(Scope scope) { return scope_names[scope]; }

const char *memory_field_name(MemoryField field) {
  return memory_field_names[field];
}

const char *topology_field_name(TopologyField field) {
  return topology_field_names[field];
}

#define MEMORY_FIELD(name, kind)
#define SCOPE_WORD(scope, word)

Figure *memory_figure(Memory *memory, MemoryField field) {
  switch (field) {
#define MEMORY_FIGURE(name, kind, absent, zero)                                \
  case MEMORY_FIELD_##name:                                                    \
    return &memory->name;
#include "machine/field.def"
#undef MEMORY_FIGURE
  default:
    return NULL;
  }
}

const Figure *memory_figure_const(const Memory *memory, MemoryField field) {
  switch (field) {
#define MEMORY_FIGURE(name, kind, absent, zero)                                \
  case MEMORY_FIELD_##name:                                                    \
    return &memory->name;
#include "machine/field.def"
#undef MEMORY_FIGURE
  default:
    return NULL;
  }
}

Dimension memory_field_dimension(MemoryField field) {
  switch (field) {
#define MEMORY_FIGURE(name, kind, absent, zero)                                \
  case MEMORY_FIELD_##name:                                                    \
    return DIMENSION_##kind;
#include "machine/field.def"
#undef MEMORY_FIGURE
  case MEMORY_FIELD_page:
    return DIMENSION_SIZE;
  default:
    return DIMENSION_NUMBER;
  }
}

bool memory_field_refuses_zero(MemoryField field) {
  enum { ZERO_ALLOWED, ZERO_REFUSED };
  switch (field) {
#define MEMORY_FIGURE(name, kind, absent, zero)                                \
  case MEMORY_FIELD_##name:                                                    \
    return zero == ZERO_REFUSED;
#include "machine/field.def"
#undef MEMORY_FIGURE
  default:
    return false;
  }
}

void memory_set_defaults(Memory *memory) {
#define MEMORY_FIGURE(name, kind, absent, zero) memory->name.value = absent;
#include "machine/field.def"
#undef MEMORY_FIGURE
}

#undef MEMORY_FIELD
#undef TOPOLOGY_FIELD
#undef FIELD_WORD
#undef SCOPE_WORD

// --- Reports -----------------------------------------------------------------

Diagnostic *report_field(ItemReader *r, Span span, Str why) {
  return diag_bad_field(r->builder->sink, span, r->owner, why);
}

static Str list_names(Arena *arena, const char *const *names, size_t count) {
  Text text = text_new(arena);
  for (size_t i = 0; i < count; i++)
    text_format(&text, "%s%s", i == 0 ? "" : ", ", names[i]);
  return text_str(&text);
}

static void add_known(ItemReader *r, Diagnostic *d, Span span, Str written,
                      const char *const *names, size_t count) {
  Builder *b = r->builder;
  Str known[MEMORY_FIELD_COUNT] = {{0}};
  CHECK(count <= COUNT_OF(known));
  for (size_t i = 0; i < count; i++)
    known[i] = str_from(names[i]);
  Str closest = closest_name(&b->scratch, written, known, count);
  if (closest.length != 0)
    diag_add_fixit(b->sink, d, span, closest, STR("did you mean"));
  Str list = list_names(&b->scratch, names, count);
  diag_add_note(b->sink, d, NO_SPAN,
                str_format(&b->scratch, "known are %.*s", STR_ARG(list)));
}

Diagnostic *report_unknown_field(ItemReader *r, TokenId name) {
  Str written = token_text(r->tree, name);
  Span span = token_span(r->tree, name);
  Diagnostic *d =
      report_field(r, span,
                   str_format(&r->builder->scratch, "no field is called `%.*s`",
                              STR_ARG(written)));
  if (r->is_topology)
    add_known(r, d, span, written, topology_field_names, TOPOLOGY_FIELD_COUNT);
  else
    add_known(r, d, span, written, memory_field_names, MEMORY_FIELD_COUNT);
  return d;
}

// --- Forms of values ---------------------------------------------------------

bool check_field_form(ItemReader *r, MachineField field, bool is_flag,
                      const char *modifier) {
  Arena *scratch = &r->builder->scratch;
  Str name = token_text(r->tree, field.name);
  if (field.modifier.index != 0) {
    Str word = token_text(r->tree, field.modifier);
    bool is_known = modifier != NULL && str_equal(word, str_from(modifier));
    if (!is_known) {
      report_field(r, token_span(r->tree, field.modifier),
                   str_format(scratch, "`%.*s` takes no `%.*s`", STR_ARG(name),
                              STR_ARG(word)));
      return false;
    }
  }
  if (is_flag && field.value.index != 0) {
    report_field(r, node_span(r->tree, field.value),
                 str_format(scratch, "`%.*s` is a flag and takes no value",
                            STR_ARG(name)));
    return false;
  }
  if (!is_flag && field.value.index == 0) {
    report_field(r, token_span(r->tree, field.name),
                 str_format(scratch, "`%.*s` needs a value", STR_ARG(name)));
    return false;
  }
  return is_flag || node_kind(r->tree, field.value) != NODE_ErrorNode;
}

void report_index(ItemReader *r, NodeId index, Str field) {
  Builder *b = r->builder;
  Span span = node_span(r->tree, index);
  NodeKind kind = node_kind(r->tree, index);
  if (kind == NODE_ErrorNode)
    return;
  if (kind == NODE_AllInstances || kind == NODE_RangeExpr) {
    Str written = source_text(b->sources, span);
    diag_unsupported(b->sink, span,
                     str_format(&b->scratch, "[%.*s] in %.*s", STR_ARG(written),
                                STR_ARG(field)));
    return;
  }
  report_field(r, span,
               str_format(&b->scratch, "`%.*s` takes no number of an instance",
                          STR_ARG(field)));
}

static size_t count_words(const char *const *words) {
  size_t count = 0;
  while (words[count] != NULL)
    count++;
  return count;
}

int read_word(ItemReader *r, NodeId node, Str field, const char *const *words) {
  Span span = node_span(r->tree, node);
  Arena *scratch = &r->builder->scratch;
  Str written = source_text(r->tree->sources, span);
  if (node_kind(r->tree, node) == NODE_Ident) {
    for (int i = 0; words[i] != NULL; i++) {
      if (str_equal(written, str_from(words[i])))
        return i;
    }
  }
  Diagnostic *d = report_field(r, span,
                               str_format(scratch, "`%.*s` cannot be `%.*s`",
                                          STR_ARG(field), STR_ARG(written)));
  add_known(r, d, span, written, words, count_words(words));
  return -1;
}

NodeList value_list(const Tree *tree, NodeId *value) {
  if (node_kind(tree, *value) != NODE_ListExpr)
    return (NodeList){0, 1};
  NodeList elements = list_expr(tree, *value).elements;
  *value = (NodeId){0};
  return elements;
}

NodeId value_at(const Tree *tree, NodeId value, NodeList list, uint32_t i) {
  return value.index != 0 ? value : list_at(tree, list, i);
}

// --- References --------------------------------------------------------------

static Diagnostic *report_undeclared(ItemReader *r, Span span, Str name,
                                     Str field) {
  Builder *b = r->builder;
  Diagnostic *d = diag_undeclared_machine_name(
      b->sink, span, STR("memory space"), name, field, r->owner);
  enum { MOST_SUGGESTIONS = 100 };
  if (b->suggestions++ >= MOST_SUGGESTIONS)
    return d;
  Str closest = machine_suggest_memory(&b->scratch, b->machine, name);
  if (closest.length != 0)
    diag_add_fixit(b->sink, d, span,
                   str_format(&b->scratch, "Memory::%.*s", STR_ARG(closest)),
                   STR("did you mean"));
  return d;
}

MemoryId read_memory_name(ItemReader *r, NodeId node, Str field) {
  Builder *b = r->builder;
  NodeKind kind = node_kind(r->tree, node);
  Span span = node_span(r->tree, node);
  if (kind == NODE_ErrorNode)
    return (MemoryId){0};
  if (kind != NODE_Place || place(r->tree, node).flags == PLACE_TOPOLOGY) {
    report_field(r, span,
                 str_format(&b->scratch,
                            "`%.*s` must name a memory such as `Memory::HBM`",
                            STR_ARG(field)));
    return (MemoryId){0};
  }
  TokenId token = place(r->tree, node).name;
  if (token.index == 0)
    return (MemoryId){0};
  uint64_t found;
  if (map_get(&b->memory_names, token_name(r->tree, token).index, &found))
    return (MemoryId){(uint32_t)found};
  // Without an index, so that the replacement keeps it.
  Span named = span_join(span, token_span(r->tree, token));
  report_undeclared(r, named, token_text(r->tree, token), field);
  return (MemoryId){0};
}

// --- Figures -----------------------------------------------------------------

const Replaced *replaced_by(ItemReader *r, const Figure *old) {
  if (!r->is_extend || !old->is_set)
    return NULL;
  Arena *arena = r->builder->arena;
  Replaced *replaced = ARENA_NEW(arena, Replaced);
  replaced->value = source_text(r->builder->sources, old->span);
  replaced->span = old->span;
  replaced->next = old->replaced;
  return replaced;
}

bool read_figure(ItemReader *r, NodeId node, Str field, Dimension wanted,
                 bool is_zero_refused, Figure *figure) {
  Builder *b = r->builder;
  Span span = node_span(r->tree, node);
  Measure measure;
  if (!read_measure(&b->scratch, b->sink, r->tree, node, r->owner, field,
                    wanted, &measure))
    return false;
  if (is_zero_refused && (measure.value == 0 || measure.is_negative)) {
    diag_non_positive(b->sink, span, r->owner, field);
    return false;
  }
  if (measure.is_negative) {
    report_field(
        r, span,
        str_format(&b->scratch, "`%.*s` cannot be negative", STR_ARG(field)));
    return false;
  }
  *figure = (Figure){.is_set = true,
                     .value = measure.value,
                     .unit = measure.unit,
                     .span = span};
  if (wanted == DIMENSION_DURATION && figure->unit == UNIT_NONE)
    figure->unit = UNIT_SECONDS; // a bare 0
  return true;
}

// --- Extensions --------------------------------------------------------------

bool note_extension(ItemReader *r, uint32_t field, uint32_t sub, Str field_name,
                    Str signature, Span span) {
  Builder *b = r->builder;
  if (!r->is_extend || r->place.kind == MACHINE_INPUT_OVERRIDE)
    return true;
  const uint32_t words[] = {r->is_topology, r->index, field, sub};
  uint64_t key = hash_bytes(words, sizeof words, 0);
  uint64_t found;
  if (!map_get(&b->field_extensions, key, &found)) {
    map_put(&b->scratch, &b->field_extensions, key, b->extensions.count);
    Extension extension = {signature, span, r->place};
    VEC_PUSH(&b->scratch, &b->extensions, extension);
    return true;
  }
  const Extension *first = &b->extensions.items[found];
  if (str_equal(first->signature, signature))
    return false;
  const SourceFile *file = source_file(b->sources, first->place.tree->file);
  Str name = r->is_topology ? topology_name(b->machine, (TopologyId){r->index})
                            : memory_name(b->machine, (MemoryId){r->index});
  Diagnostic *d = diag_extended_twice(
      b->sink, span, field_name,
      r->is_topology ? STR("topology") : STR("memory space"), name, file->path);
  diag_add_label(b->sink, d, first->span, STR("the other value"));
  return false;
}
