// SPDX-License-Identifier: Apache-2.0
//
// `vxc check`, and `vxc FILE...`.
//
// Standard error takes what is wrong, standard output what was asked for: the
// summary, the routes, a dump. When the JSON goes to standard output, it has
// that stream alone, and the summary goes to standard error.

#include "driver/driver.h"

// --- Options -----------------------------------------------------------------

// `--emit=WHAT`: what a pass leaves behind, and no pass after it.
typedef struct {
  const char *what;
  const char *pass;
} Emit;

static const Emit emits[] = {
    {"tokens", "parse"}, {"ast", "parse"}, {"ir", "lower"}};

static const Emit *find_emit(Str what) {
  for (size_t i = 0; i < COUNT_OF(emits); i++) {
    if (str_equal(what, str_from(emits[i].what)))
      return &emits[i];
  }
  return NULL;
}

// The value of an option that names a pass; NULL when it is not given.
static bool read_pass(Arguments *arguments, Option option, const char **pass) {
  Str name = arguments_value(arguments, option);
  *pass = arguments_has(arguments, option) ? str_to_c(arguments->arena, name)
                                           : NULL;
  if (*pass == NULL || session_has_pass(name))
    return true;
  Text text = text_new(arguments->arena);
  text_format(&text, "--%s %.*s: no such pass; there are",
              option_row(option)->name, STR_ARG(name));
  for (size_t i = 0; i < session_pass_count(); i++)
    text_format(&text, "%s %s", i == 0 ? "" : ",", session_pass_name(i));
  (void)usage_error(arguments, text_str(&text));
  return false;
}

static bool read_emit(Arguments *arguments, SessionOptions *options) {
  if (!arguments_has(arguments, OPTION_EMIT))
    return true;
  Str what = arguments_value(arguments, OPTION_EMIT);
  const Emit *emit = find_emit(what);
  if (emit == NULL) {
    (void)usage_error(arguments, str_format(arguments->arena,
                                            "--emit %.*s: expected tokens, "
                                            "ast or ir",
                                            STR_ARG(what)));
    return false;
  }
  options->stop_after = emit->pass;
  options->dump = str_equal(what, STR("tokens")) ? NULL : emit->pass;
  return true;
}

static bool read_options(Arguments *arguments, SessionOptions *options) {
  fill_options(arguments, options);
  for (uint32_t i = 0; i < arguments->operands.count; i++)
    VEC_PUSH(arguments->arena, &options->programs,
             (NamedText){.name = arguments->operands.items[i]});
  options->has_timings = arguments_has(arguments, OPTION_TIME_PASSES);
  return check_color(arguments) &&
         read_pass(arguments, OPTION_DUMP, &options->dump) &&
         read_pass(arguments, OPTION_STOP_AFTER, &options->stop_after) &&
         read_emit(arguments, options);
}

// --- Output ------------------------------------------------------------------

// Where the JSON goes: nowhere, to standard output, or to a file.
typedef enum { JSON_NONE, JSON_OUTPUT, JSON_FILE } JsonTarget;

static JsonTarget json_target(const Arguments *arguments) {
  if (!arguments_has(arguments, OPTION_DIAGNOSTICS_JSON))
    return JSON_NONE;
  Str path = arguments_value(arguments, OPTION_DIAGNOSTICS_JSON);
  bool is_output = path.length == 0 || str_equal(path, STR("-"));
  return is_output ? JSON_OUTPUT : JSON_FILE;
}

static bool is_input(Arguments *arguments, const Session *session, Str path) {
  const char *target = str_to_c(arguments->arena, path);
  for (uint32_t i = 0; i < session->inputs.count; i++) {
    Str input = session->inputs.items[i].location;
    if (platform_is_same_file(target, str_to_c(arguments->arena, input)))
      return true;
  }
  return false;
}

// False: it cannot be written; told.
static bool write_json(Arguments *arguments, Session *session) {
  JsonTarget target = json_target(arguments);
  if (target == JSON_NONE)
    return true;
  Text text = text_new(&session->arena);
  Report report = session_report(session);
  report_json(&text, &report, &session->arena);
  if (target == JSON_OUTPUT)
    return print_output(&session->arena, text_str(&text));
  Str path = arguments_value(arguments, OPTION_DIAGNOSTICS_JSON);
  Str error;
  if (io_write_file(str_to_c(arguments->arena, path), text_str(&text),
                    &session->arena, &error))
    return true;
  tell_unwritable(&session->arena, path, error);
  return false;
}

static void put_tokens(Text *out, Session *session) {
  for (uint32_t i = 0; i < session->inputs.count; i++) {
    const Input *input = &session->inputs.items[i];
    if (input->kind == INPUT_PROGRAM && input->tree != NULL)
      dump_tokens(out, input->tree, &session->sources);
  }
}

// What people look at on standard output.
static bool print_result(Arguments *arguments, Session *session) {
  Text text = text_new(&session->arena);
  Str emit = arguments_value(arguments, OPTION_EMIT);
  if (str_equal(emit, STR("tokens")))
    put_tokens(&text, session);
  text_put(&text, text_str(&session->dump));
  Report report = session_report(session);
  if (arguments_has(arguments, OPTION_ROUTES))
    report_routes(&text, &report, &session->arena);
  bool is_quiet = arguments_has(arguments, OPTION_QUIET) ||
                  arguments_has(arguments, OPTION_EMIT);
  if (session->sink.error_count == 0 && !is_quiet)
    report_summary(&text, &report, &session->arena);
  if (text.length == 0)
    return true;
  if (json_target(arguments) == JSON_OUTPUT)
    return print_error(text_str(&text));
  return print_output(&session->arena, text_str(&text));
}

static bool print_timings(Session *session) {
  if (session->timings == NULL)
    return true;
  Text text = text_new(&session->arena);
  session_render_timings(&text, session);
  return print_error(text_str(&text));
}

// --- The command -------------------------------------------------------------

static int verdict(const Arguments *arguments, Session *session) {
  if (session->has_unreadable)
    return STATUS_USAGE;
  if (session->sink.error_count != 0)
    return STATUS_REFUSED;
  Report report = session_report(session);
  if (arguments_has(arguments, OPTION_STRICT) && !report_is_proved(&report))
    return STATUS_UNVERIFIED;
  return STATUS_FINE;
}

static int finish(Arguments *arguments, Session *session) {
  if (session->usage_error.length != 0)
    return usage_error(arguments, session->usage_error);
  Str json = arguments_value(arguments, OPTION_DIAGNOSTICS_JSON);
  if (json_target(arguments) == JSON_FILE && is_input(arguments, session, json))
    return usage_error(arguments,
                       str_format(arguments->arena,
                                  "--diagnostics-json %.*s: this is an input",
                                  STR_ARG(json)));
  bool is_printed = print_diagnostics(arguments, session);
  is_printed &= print_result(arguments, session);
  is_printed &= write_json(arguments, session);
  is_printed &= print_timings(session);
  return is_printed ? verdict(arguments, session) : STATUS_USAGE;
}

int command_check(Arguments *arguments) {
  if (arguments->operands.count == 0 &&
      !arguments_has(arguments, OPTION_MACHINE))
    return usage_error(arguments, STR("no file to check"));
  SessionOptions options;
  if (!read_options(arguments, &options))
    return STATUS_USAGE;
  Session session;
  session_init(&session, &options);
  session_run(&session);
  int status = finish(arguments, &session);
  session_free(&session);
  return status;
}
