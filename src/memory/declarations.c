// SPDX-License-Identifier: Apache-2.0
//
// declarations: placements that are written in signatures, structs and
// constants, at their types.
//
// Input: a checked program. Output: E6009, E6104, E6105, E6111, E6110, W1029.
// References count too: what cannot exist there cannot be lent either.
// Cost: linear.

#include "memory/internal.h"

typedef struct {
  Arena *arena;
  Arena *scratch;
  const Program *program;
  DiagSink *sink;
  MemoryReport *report;
  uint32_t advice_left;
} Declarations;

// `&` only looks; `&mut` writes; what is owned here is made here.
static bool check_read_only(Declarations *c, const Placed *placed,
                            const TypeInfo *written) {
  Placement place = type_info(c->program->types, placed->type)->placement;
  const Machine *machine = c->program->machine;
  bool is_ref = written->kind == TYPE_REF;
  if ((is_ref && !written->is_mut) || !is_read_only(machine, place.memory))
    return false;
  diag_read_only_memory(c->sink, placed->span, placed->context,
                        is_ref ? STR("written") : STR("not constant"),
                        machine_placement_text(c->scratch, machine, place));
  return true;
}

static void refuse(Declarations *c, const Placed *placed, Verdict verdict) {
  Diagnostic *d =
      report_verdict(c->scratch, c->program->types, placed, verdict, c->sink);
  if (c->advice_left == 0)
    return;
  c->advice_left--;
  Advice advice = {.scratch = c->scratch};
  advise_on_shape(&advice, c->program->types, placed);
  give_advice(&advice, c->sink, d);
}

// One written type; anything but a tensor is passed over.
static void check_written(Declarations *c, TypeId written, Span span,
                          Str context) {
  const TypeTable *types = c->program->types;
  Placed placed = {.span = span, .context = context};
  placed.type = type_strip(types, written);
  const TypeInfo *info = type_info(types, placed.type);
  if (info->kind != TYPE_TENSOR ||
      check_read_only(c, &placed, type_info(types, written)))
    return;
  MemoryId memory = info->placement.memory;
  if (!type_bytes(c->scratch, types, placed.type, &placed.bare,
                  &placed.bytes)) {
    if (is_limited(types->machine, memory))
      report_unverified(c->arena, types, &placed, c->sink, c->report);
    return;
  }
  Verdict verdict = judge_bytes(types->machine, memory, placed.bytes);
  if (verdict.kind != VERDICT_FITS)
    refuse(c, &placed, verdict);
}

static Str name_of(const Declarations *c, Name name) {
  return name_text(c->program->interner, name);
}

static void check_struct(Declarations *c, const StructDecl *decl) {
  for (uint32_t i = 0; decl->is_supported && i < decl->field_count; i++) {
    const FieldInfo *field = &decl->fields[i];
    if (!type_is_tensor(c->program->types, field->type))
      continue;
    Str context = str_format(c->scratch, "field '%.*s' of struct '%.*s'",
                             STR_ARG(name_of(c, field->name)),
                             STR_ARG(name_of(c, decl->name)));
    check_written(c, field->type, field->type_span, context);
  }
}

static void check_function(Declarations *c, const FunctionDecl *decl) {
  if (!decl->is_supported)
    return;
  Str context = STR("");
  for (uint32_t i = 0; i <= decl->param_count; i++) {
    bool is_result = i == decl->param_count;
    uint32_t param = decl->first_param + i;
    TypeId type =
        is_result ? decl->result : c->program->locals.items[param].type;
    if (!type_is_tensor(c->program->types, type))
      continue;
    if (context.length == 0)
      context = str_format(c->scratch, "function '%.*s'",
                           STR_ARG(name_of(c, decl->name)));
    check_written(c, type,
                  is_result ? decl->result_span : decl->param_type_spans[i],
                  context);
  }
}

void memory_check_declarations(Arena *arena, const Program *program,
                               DiagSink *sink, MemoryReport *report) {
  Arena scratch = {0};
  Declarations c = {.arena = arena,
                    .scratch = &scratch,
                    .program = program,
                    .sink = sink,
                    .report = report,
                    .advice_left = ADVISED_REFUSALS};
  for (uint32_t i = 1; i < program->structs.count; i++)
    check_struct(&c, &program->structs.items[i]);
  for (uint32_t i = 0; i < program->functions.count; i++)
    check_function(&c, &program->functions.items[i]);
  for (uint32_t i = 0; i < program->consts.count; i++) {
    const ConstDecl *decl = &program->consts.items[i];
    if (type_is_tensor(program->types, decl->type))
      check_written(&c, decl->type, decl->span,
                    str_format(&scratch, "constant '%.*s'",
                               STR_ARG(name_of(&c, decl->name))));
  }
  arena_free(&scratch);
}
