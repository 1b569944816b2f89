// SPDX-License-Identifier: Apache-2.0
//
// What the commands share: printing, colours, options of a session.

#include "driver/driver.h"

enum { TEXT_LIMIT = 50 };

// --- Printing ----------------------------------------------------------------

bool print_error(Str text) {
  Arena scratch = {0};
  Str error;
  bool is_written = platform_write(&scratch, STANDARD_ERROR, text, &error);
  arena_free(&scratch);
  return is_written;
}

// A record without a place, alone: without the count behind it.
static void print_record(DiagSink *sink) {
  SourceMap no_sources = {0};
  Text text = text_new(sink->arena);
  sink->error_count = 0;
  source_init(&no_sources, sink->arena);
  diag_render_text(&text, sink, &no_sources, false, 0);
  (void)print_error(text_str(&text));
}

void tell_unwritable(Arena *scratch, Str path, Str why) {
  DiagSink sink;
  diag_init(&sink, scratch);
  diag_cannot_write(&sink, NO_SPAN, path, why);
  print_record(&sink);
}

void tell_unreadable(Arena *scratch, Str path, Str why) {
  DiagSink sink;
  diag_init(&sink, scratch);
  diag_cannot_read(&sink, NO_SPAN, path, why);
  print_record(&sink);
}

bool print_output(Arena *scratch, Str text) {
  Str error;
  if (platform_write(scratch, STANDARD_OUTPUT, text, &error))
    return true;
  tell_unwritable(scratch, STR("<standard output>"), error);
  return false;
}

int usage_error(Arguments *arguments, Str what) {
  Text text = text_new(arguments->arena);
  text_puts(&text, "vxc: ");
  text_put(&text, what);
  if (arguments->has_command)
    text_format(&text, "\nTry 'vxc help %s'.\n",
                command_row(arguments->command)->words);
  else
    text_puts(&text, "\nTry 'vxc --help'.\n");
  (void)print_error(text_str(&text));
  return STATUS_USAGE;
}

Str nearest_name(Arena *scratch, Str name, const StrVec *known) {
  Str best = STR("");
  size_t best_distance = 3;
  for (uint32_t i = 0; i < known->count; i++) {
    size_t distance =
        str_distance(scratch, name, known->items[i], best_distance);
    if (distance < best_distance) {
      best = known->items[i];
      best_distance = distance;
    }
  }
  return best;
}

// --- Values of options -------------------------------------------------------

bool check_color(Arguments *arguments) {
  Str when = arguments_value(arguments, OPTION_COLOR);
  if (!arguments_has(arguments, OPTION_COLOR) || str_equal(when, STR("auto")) ||
      str_equal(when, STR("always")) || str_equal(when, STR("never")))
    return true;
  (void)usage_error(arguments,
                    str_format(arguments->arena,
                               "--color %.*s: expected auto, always or never",
                               STR_ARG(when)));
  return false;
}

bool wants_color(const Arguments *arguments, int stream) {
  Str when = arguments_value(arguments, OPTION_COLOR);
  if (str_equal(when, STR("always")))
    return true;
  return !str_equal(when, STR("never")) && !platform_has_no_color() &&
         platform_is_terminal(stream);
}

bool read_width(Arguments *arguments, uint32_t *width) {
  Str text = arguments_value(arguments, OPTION_WIDTH);
  uint32_t value = arguments_has(arguments, OPTION_WIDTH) ? 0 : 100;
  for (size_t i = 0; i < text.length; i++) {
    bool is_digit = text.data[i] >= '0' && text.data[i] <= '9';
    value = is_digit && value < 100000
                ? value * 10 + (uint32_t)(text.data[i] - '0')
                : 1000000;
  }
  *width = value;
  if (value >= 40 && value <= 10000)
    return true;
  (void)usage_error(arguments, str_format(arguments->arena,
                                          "--width %.*s: expected a number "
                                          "from 40 to 10000",
                                          STR_ARG(text)));
  return false;
}

// --- Sessions ----------------------------------------------------------------

void fill_options(Arguments *arguments, SessionOptions *options) {
  *options = (SessionOptions){0};
  const StrVec *machines = &arguments->values[OPTION_MACHINE];
  for (uint32_t i = 0; i < machines->count; i++)
    VEC_PUSH(arguments->arena, &options->machines,
             (NamedText){.name = machines->items[i]});
  options->has_host = arguments_has(arguments, OPTION_HOST);
  options->host.name = arguments_value(arguments, OPTION_HOST);
  options->overrides = arguments->values[OPTION_SET];
  options->defines = arguments->values[OPTION_DEFINE];
  options->warnings = arguments->values[OPTION_WARNING];
  options->paths = arguments->values[OPTION_PATH];
  platform_add_paths(arguments->arena, &options->paths);
  options->files.find_fleet = platform_find_fleet;
  options->files.context = arguments->arena;
}

bool print_diagnostics(const Arguments *arguments, Session *session) {
  Text text = text_new(&session->arena);
  diag_render_text(&text, &session->sink, &session->sources,
                   wants_color(arguments, STANDARD_ERROR), TEXT_LIMIT);
  return text.length == 0 || print_error(text_str(&text));
}

static bool add_directory(Arguments *arguments, Str directory, StrVec *files) {
  Arena *arena = arguments->arena;
  StrVec names = {0};
  Str error;
  if (!io_list_directory(arena, str_to_c(arena, directory), &names, &error)) {
    tell_unreadable(arena, directory, error);
    return false;
  }
  const char *slash = str_ends_with(directory, STR("/")) ? "" : "/";
  for (uint32_t i = 0; i < names.count; i++) {
    if (str_ends_with(names.items[i], STR(".vx")))
      VEC_PUSH(arena, files,
               str_format(arena, "%.*s%s%.*s", STR_ARG(directory), slash,
                          STR_ARG(names.items[i])));
  }
  return true;
}

bool expand_operands(Arguments *arguments, StrVec *files) {
  Arena *arena = arguments->arena;
  for (uint32_t i = 0; i < arguments->operands.count; i++) {
    Str operand = arguments->operands.items[i];
    if (!io_is_directory(str_to_c(arena, operand)))
      VEC_PUSH(arena, files, operand);
    else if (!add_directory(arguments, operand, files))
      return false;
  }
  return true;
}
