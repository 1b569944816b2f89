// SPDX-License-Identifier: Apache-2.0
//
// The whole checker on one screen: the table of passes and its runner.
//
//   files --read--> texts --parse--> trees --machine--> a machine
//     --sema--> names, types, constants --place--> a way for every transfer
//     --declare--> declared places judged --lower--> IR --verify, own-->
//     lifetimes --memory--> figures and verdicts
//
// Every pass reads what earlier ones have left in the Session, adds its own
// part, and says what is wrong in session->sink. A pass whose faults leave
// nothing to go on with returns false, and the run ends there: a program is
// judged only on a machine that does not contradict itself, and memory only
// where names, types and places are settled.

#include "session/session.h"

#include <time.h>

// clang-format off
// Each pass: its name, what must be known (FACT_*), what is known afterwards,
// and the phase of what it reports.
#define PASSES(PASS)                                                           \
  PASS(read,    0,                              FACT_SOURCES,    PHASE_INPUT)  \
  PASS(parse,   FACT_SOURCES,                   FACT_TREES,      PHASE_SYNTAX) \
  PASS(machine, FACT_TREES,                     FACT_MACHINE,    PHASE_MACHINE)\
  PASS(sema,    FACT_TREES | FACT_MACHINE,      FACT_PROGRAM,    PHASE_SEMA)   \
  PASS(place,   FACT_MACHINE | FACT_PROGRAM,    FACT_PLACEMENTS, PHASE_PLACE)  \
  PASS(declare, FACT_MACHINE | FACT_PROGRAM,    0,               PHASE_MEMORY) \
  PASS(lower,   FACT_PROGRAM | FACT_PLACEMENTS, FACT_IR,         PHASE_MEMORY) \
  PASS(verify,  FACT_IR,                        0,               PHASE_MEMORY) \
  PASS(own,     FACT_IR,                        FACT_LIFETIMES,  PHASE_MEMORY) \
  PASS(memory,  FACT_IR | FACT_LIFETIMES,       FACT_REPORT,     PHASE_MEMORY)
// clang-format on

typedef struct {
  const char *name;
  uint32_t needs, gives;
  DiagPhase phase;
  bool (*run)(Session *session); // false: nothing after it makes sense
  void (*dump)(Text *out, Session *session);
} Pass;

#define PASS(name, needs, gives, phase)                                        \
  static bool run_##name(Session *session);                                    \
  static void dump_##name(Text *out, Session *session);
PASSES(PASS)
#undef PASS

static const Pass passes[] = {
#define PASS(name, needs, gives, phase)                                        \
  {#name, needs, gives, phase, run_##name, dump_##name},
    PASSES(PASS)
#undef PASS
};

// --- The runner --------------------------------------------------------------

static uint64_t now_in_nanoseconds(void) {
  struct timespec now;
  if (timespec_get(&now, TIME_UTC) != TIME_UTC)
    return 0;
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static bool run_pass(Session *session, size_t index) {
  const Pass *pass = &passes[index];
  CHECK((session->facts & pass->needs) == pass->needs);
  session->sink.phase = pass->phase;
  uint64_t start = session->timings != NULL ? now_in_nanoseconds() : 0;
  bool is_useful = pass->run(session);
  if (session->timings != NULL)
    session->timings[index] = now_in_nanoseconds() - start;
  if (is_useful)
    session->facts |= pass->gives;
  return is_useful;
}

static bool is_word(const char *option, const char *name) {
  return option != NULL && str_equal(str_from(option), str_from(name));
}

void session_run(Session *session) {
  const SessionOptions *options = &session->options;
  if (options->has_timings)
    session->timings = ARENA_ARRAY(&session->arena, uint64_t, COUNT_OF(passes));
  for (size_t i = 0; i < COUNT_OF(passes); i++) {
    if (session->usage_error.length != 0)
      return;
    bool is_useful = run_pass(session, i);
    if (is_word(options->dump, passes[i].name))
      passes[i].dump(&session->dump, session);
    if (!is_useful || is_word(options->stop_after, passes[i].name))
      break;
  }
  diag_finish(&session->sink, &session->sources);
}

size_t session_pass_count(void) { return COUNT_OF(passes); }

const char *session_pass_name(size_t pass) {
  CHECK(pass < COUNT_OF(passes));
  return passes[pass].name;
}

bool session_has_pass(Str name) {
  for (size_t i = 0; i < COUNT_OF(passes); i++) {
    if (str_equal(name, str_from(passes[i].name)))
      return true;
  }
  return false;
}

void session_render_timings(Text *out, const Session *session) {
  uint64_t total = 0;
  for (size_t i = 0; i < COUNT_OF(passes) && session->timings != NULL; i++) {
    uint64_t spent = session->timings[i];
    total += spent;
    if (spent == 0)
      continue;
    text_format(out, "%-8s ", passes[i].name);
    text_duration(out, spent * 1000);
    text_char(out, '\n');
  }
  text_format(out, "%-8s ", "total");
  text_duration(out, total * 1000);
  text_char(out, '\n');
}

// Errors by the catalogue: warnings raised by `-W error` stop no pass, nor does
// what is merely not supported yet.
static bool has_faults(const Session *session) {
  for (uint32_t i = 0; i < session->sink.records.count; i++) {
    const Diagnostic *d = session->sink.records.items[i];
    if (!d->is_dropped && d->code != DIAG_E1014 &&
        diag_code_severity(d->code) == SEVERITY_ERROR)
      return true;
  }
  return false;
}

// --- read, parse -------------------------------------------------------------

static bool run_read(Session *session) { return session_read_inputs(session); }

static void dump_read(Text *out, Session *session) {
  for (uint32_t i = 0; i < session->inputs.count; i++) {
    const Input *input = &session->inputs.items[i];
    const SourceFile *file = source_file(&session->sources, input->file);
    text_put(out, input->path);
    text_format(out, ": %zu bytes\n", file->text.length);
  }
}

static bool run_parse(Session *session) {
  session_parse_inputs(session);
  return true;
}

static void dump_parse(Text *out, Session *session) {
  for (uint32_t i = 0; i < session->inputs.count; i++) {
    if (session->inputs.items[i].kind == INPUT_PROGRAM)
      dump_tree(out, session->inputs.items[i].tree, &session->sources);
  }
}

// --- machine -----------------------------------------------------------------

static MachineInputKind machine_kind(InputKind kind) {
  switch (kind) {
  case INPUT_PROGRAM:
    return MACHINE_INPUT_PROGRAM;
  case INPUT_MACHINE:
    return MACHINE_INPUT_FILE;
  case INPUT_HOST:
    return MACHINE_INPUT_HOST;
  case INPUT_OVERRIDE:
    return MACHINE_INPUT_OVERRIDE;
  }
  PANIC("unknown kind of input");
}

static bool declares_host(const Tree *tree, Interner *interner) {
  NodeList items = module(tree, tree->root).items;
  Name host = intern_c(interner, "CPU_DRAM");
  for (uint32_t i = 0; i < items.count; i++) {
    NodeId item = list_at(tree, items, i);
    if (node_kind(tree, item) != NODE_MemoryItem)
      continue;
    MemoryItem memory = memory_item(tree, item);
    if (!(memory.flags & MACHINE_EXTEND) &&
        name_equal(token_name(tree, memory.name), host))
      return true;
  }
  return false;
}

// `--host default` is for machines that do not bring a host of their own.
static bool is_superseded(Session *session, const Input *input) {
  for (uint32_t i = 0; i < session->inputs.count; i++) {
    const Input *other = &session->inputs.items[i];
    if (input->is_default_host && other != input &&
        declares_host(other->tree, &session->interner))
      return true;
  }
  return false;
}

// Builds the machine of what could be read, so that its own contradictions are
// told together with syntax errors in the program. A broken machine file is
// left alone: whatever is missing in it would be reported once more.
static bool run_machine(Session *session) {
  for (uint32_t i = 0; i < session->inputs.count; i++) {
    const Input *input = &session->inputs.items[i];
    if (input->tree->has_errors && input->kind != INPUT_PROGRAM)
      return false;
    if (input->tree->has_errors || is_superseded(session, input))
      continue;
    MachineInput part = {input->tree, machine_kind(input->kind)};
    VEC_PUSH(&session->arena, &session->machine_inputs, part);
  }
  session->machine =
      machine_build(&session->arena, &session->interner, &session->sources,
                    session->machine_inputs.items,
                    session->machine_inputs.count, &session->sink);
  return !has_faults(session);
}

static void dump_machine(Text *out, Session *session) {
  if (session->machine == NULL)
    return;
  Arena scratch = {0};
  machine_show_text(out, session->machine, &scratch, false, 100);
  arena_free(&scratch);
}

// --- sema, place, declare ----------------------------------------------------

static void add_units(Session *session) {
  uint32_t *units =
      ARENA_ARRAY(&session->arena, uint32_t, session->inputs.count);
  for (uint32_t i = 0; i < session->inputs.count; i++) {
    const Input *input = &session->inputs.items[i];
    if (input->kind == INPUT_PROGRAM)
      units[i] = sema_add_unit(session->program, input->tree, input->name);
  }
  for (uint32_t i = 0; i < session->imports.count; i++) {
    ImportEdge edge = session->imports.items[i];
    sema_add_import(session->program, units[edge.importer],
                    units[edge.imported]);
  }
}

static bool declares_constant(const Program *program, Str name) {
  for (uint32_t i = 0; i < program->consts.count; i++) {
    Name known = program->consts.items[i].name;
    if (str_equal(name_text(program->interner, known), name))
      return true;
  }
  return false;
}

static bool run_sema(Session *session) {
  const StrVec *texts = &session->options.defines;
  Define *defines = ARENA_ARRAY(&session->arena, Define, texts->count);
  for (uint32_t i = 0; i < texts->count; i++)
    CHECK(session_split_define(texts->items[i], &defines[i]));
  types_init(&session->types, &session->arena, &session->interner,
             session->machine);
  session->program =
      sema_new(&session->arena, &session->interner, &session->sources,
               session->machine, &session->types, &session->sink);
  add_units(session);
  const Define *unknown = NULL;
  sema_check(session->program, defines, texts->count, &unknown);
  if (unknown == NULL)
    return true;
  session->usage_error =
      str_format(&session->arena, "-D %.*s=%.*s: %s", STR_ARG(unknown->name),
                 STR_ARG(unknown->value),
                 declares_constant(session->program, unknown->name)
                     ? "the value must be a number, `true` or `false`"
                     : "no constant of that name");
  return false;
}

static void dump_sema(Text *out, Session *session) {
  const Program *program = session->program;
  for (uint32_t i = 0; program != NULL && i < program->functions.count; i++) {
    const FunctionDecl *function = &program->functions.items[i];
    text_format(out, "fn %.*s%s\n",
                STR_ARG(name_text(&session->interner, function->name)),
                function->has_errors ? " (errors)" : "");
  }
}

static bool run_place(Session *session) {
  session->placements = place_check(&session->arena, session->program);
  return true;
}

static void dump_place(Text *out, Session *session) {
  const Placements *placements = session->placements;
  for (uint32_t i = 0; i < placements->transfers.count; i++) {
    const Route *route = &placements->transfers.items[i].route;
    text_format(out, "transfer %u:", i);
    for (uint32_t k = 0; k < route->hop_count; k++) {
      const Hop *hop = &route->hops[k];
      Str from =
          machine_placement_text(&session->arena, session->machine, hop->from);
      Str to =
          machine_placement_text(&session->arena, session->machine, hop->to);
      Str cost = machine_cost_text(&session->arena, hop->cost);
      text_format(out, " %.*s -> %.*s (%.*s)", STR_ARG(from), STR_ARG(to),
                  STR_ARG(cost));
    }
    text_char(out, '\n');
  }
}

// Judges what is written in declarations, also where bodies have errors.
static bool run_declare(Session *session) {
  memory_check_declarations(&session->arena, session->program, &session->sink,
                            &session->memory);
  return true;
}

static void dump_declare(Text *out, Session *session) {
  for (uint32_t i = 0; i < session->memory.unverified.count; i++) {
    text_put(out, session->memory.unverified.items[i]);
    text_char(out, '\n');
  }
}

// --- lower, verify -----------------------------------------------------------

static bool run_lower(Session *session) {
  session->ir =
      ir_build(&session->arena, session->program, session->placements);
  return true;
}

static void dump_lower(Text *out, Session *session) {
  ir_print(out, session->ir);
}

#ifdef VX_VERIFY // debug builds
enum { ALWAYS_VERIFY = true };
#else
enum { ALWAYS_VERIFY = false };
#endif

// Nothing that a user writes may break a rule of the IR. Release builds look
// only when they are asked for this pass.
static bool run_verify(Session *session) {
  const SessionOptions *options = &session->options;
  bool is_asked = is_word(options->dump, "verify") ||
                  is_word(options->stop_after, "verify");
  if (!ALWAYS_VERIFY && !is_asked)
    return true;
  for (uint32_t i = 0; i < session->ir->functions.count; i++) {
    Arena scratch = {0};
    Str error = {0};
    if (!ir_verify(session->ir, &session->ir->functions.items[i], &scratch,
                   &error))
      PANIC(str_to_c(&session->arena, error));
    arena_free(&scratch);
  }
  return true;
}

static void dump_verify(Text *out, Session *session) {
  text_format(out, "%u functions\n", session->ir->functions.count);
}

// --- own, memory -------------------------------------------------------------

// The names of the functions that are called; nobody calls an entry.
static Map find_called(const IrModule *ir, Arena *scratch) {
  Map called = {0};
  for (uint32_t i = 0; i < ir->functions.count; i++) {
    const IrFunction *function = &ir->functions.items[i];
    for (uint32_t k = 0; k < function->callees.count; k++)
      map_put(scratch, &called, function->callees.items[k].index, 1);
  }
  return called;
}

static bool run_own(Session *session) {
  const IrModule *ir = session->ir;
  Arena names = {0};
  Map called = find_called(ir, &names);
  session->lifetimes =
      ARENA_ARRAY(&session->arena, OwnResult, ir->functions.count);
  for (uint32_t i = 0; i < ir->functions.count; i++) {
    Arena scratch = {0};
    own_analyze(&session->arena, &scratch, ir, &ir->functions.items[i],
                &session->lifetimes[i]);
    arena_free(&scratch);
    uint64_t ignored;
    if (!map_get(&called, ir->functions.items[i].name.index, &ignored))
      own_add_lent(&session->arena, ir, &ir->functions.items[i],
                   &session->lifetimes[i]);
  }
  arena_free(&names);
  return true;
}

static void dump_own(Text *out, Session *session) {
  for (uint32_t i = 0; i < session->ir->functions.count; i++)
    own_dump(out, session->ir, &session->ir->functions.items[i],
             &session->lifetimes[i]);
}

static bool run_memory(Session *session) {
  const IrModule *ir = session->ir;
  for (uint32_t i = 0; i < ir->functions.count; i++)
    memory_check_function(&session->arena, ir, &ir->functions.items[i],
                          &session->lifetimes[i], &session->sink,
                          &session->memory);
  memory_finish(&session->memory, ir);
  return true;
}

static void dump_memory(Text *out, Session *session) {
  Report report = session_report(session);
  Arena scratch = {0};
  report_summary(out, &report, &scratch);
  report_routes(out, &report, &scratch);
  arena_free(&scratch);
}
