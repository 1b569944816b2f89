// SPDX-License-Identifier: Apache-2.0
//
// `vxc fmt`: files in the one format. A file with errors is left alone.

#include "driver/driver.h"

// What is needed to parse one file, and its formatted text.
typedef struct {
  Arena arena;
  Interner interner;
  SourceMap sources;
  DiagSink sink;
  Str before;
  Str after;
} Formatting;

// False: it cannot be read or has errors; told, with the status.
static bool format_file(Arguments *arguments, Str path, Formatting *formatting,
                        int *status) {
  Arena *arena = &formatting->arena;
  Str error;
  *status = STATUS_USAGE;
  if (!io_read_file(arena, str_to_c(arena, path), &formatting->before,
                    &error)) {
    tell_unreadable(arena, session_display_path(path), error);
    return false;
  }
  interner_init(&formatting->interner, arena);
  source_init(&formatting->sources, arena);
  diag_init(&formatting->sink, arena);
  FileId file = source_add(&formatting->sources, session_display_path(path),
                           formatting->before);
  if (file.index == 0) {
    tell_unreadable(arena, path, STR("the file is too large"));
    return false;
  }
  Tree *tree = parse_file(arena, &formatting->interner, &formatting->sources,
                          file, PARSE_PROGRAM, &formatting->sink);
  Text text = text_new(arena);
  if (!tree->has_errors) {
    format_tree(&text, tree);
    formatting->after = text_str(&text);
    return true;
  }
  *status = STATUS_REFUSED;
  diag_finish(&formatting->sink, &formatting->sources);
  diag_render_text(&text, &formatting->sink, &formatting->sources,
                   wants_color(arguments, STANDARD_ERROR), 50);
  if (!print_error(text_str(&text)))
    *status = STATUS_USAGE;
  return false;
}

static Str line_at(Str text, size_t start) {
  size_t end = start;
  while (end < text.length && text.data[end] != '\n')
    end++;
  return str_slice(text, start, end - start);
}

// The first line that would change, before and after.
static void put_difference(Text *out, Str path, Str before, Str after) {
  size_t start = 0; // of the line
  uint32_t line = 1;
  for (size_t i = 0; i < before.length && i < after.length; i++) {
    if (before.data[i] != after.data[i])
      break;
    if (before.data[i] == '\n') {
      start = i + 1;
      line++;
    }
  }
  text_format(out, "%.*s:%u\n- %.*s\n+ %.*s\n", STR_ARG(path), line,
              STR_ARG(line_at(before, start)), STR_ARG(line_at(after, start)));
}

static int write_result(Arguments *arguments, Str path, Formatting *formatting,
                        Text *list) {
  Arena *arena = &formatting->arena;
  bool is_changed = !str_equal(formatting->before, formatting->after);
  if (arguments_has(arguments, OPTION_CHECK_FORMAT)) {
    if (!is_changed)
      return STATUS_FINE;
    put_difference(list, session_display_path(path), formatting->before,
                   formatting->after);
    return STATUS_REFUSED;
  }
  if (str_equal(path, STR("-")) || arguments_has(arguments, OPTION_STDOUT))
    return print_output(arena, formatting->after) ? STATUS_FINE : STATUS_USAGE;
  Str error;
  if (!is_changed ||
      io_write_file(str_to_c(arena, path), formatting->after, arena, &error))
    return STATUS_FINE;
  tell_unwritable(arena, path, error);
  return STATUS_USAGE;
}

static int format_one(Arguments *arguments, Str path, Text *list) {
  Formatting formatting = {0};
  int status;
  if (format_file(arguments, path, &formatting, &status))
    status = write_result(arguments, path, &formatting, list);
  arena_free(&formatting.arena);
  return status;
}

// The status that tells more: 2 before 1 before 0.
int command_fmt(Arguments *arguments) {
  if (!check_color(arguments))
    return STATUS_USAGE;
  if (arguments->operands.count == 0)
    return usage_error(arguments, STR("fmt: no file named"));
  StrVec files = {0};
  if (!expand_operands(arguments, &files))
    return STATUS_USAGE;
  int worst = STATUS_FINE;
  Text list = text_new(arguments->arena); // of --check
  for (uint32_t i = 0; i < files.count; i++) {
    int status = format_one(arguments, files.items[i], &list);
    worst = status > worst ? status : worst;
  }
  if (list.length != 0 && !print_output(arguments->arena, text_str(&list)))
    return STATUS_USAGE;
  return worst;
}
