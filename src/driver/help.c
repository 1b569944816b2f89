// SPDX-License-Identifier: Apache-2.0
//
// Help texts, from the table in options.def.

#include "driver/driver.h"

enum { HELP_WIDTH = 80 };

// `text` in lines of HELP_WIDTH; the cursor stands at `column`, further lines
// begin at `indent`.
static void put_wrapped(Text *out, size_t column, size_t indent, Str text) {
  for (size_t at = 0; at < text.length;) {
    size_t end = at;
    while (end < text.length && text.data[end] != ' ')
      end++;
    if (column != indent && column + 1 + (end - at) > HELP_WIDTH) {
      text_char(out, '\n');
      text_repeat(out, ' ', indent);
      column = indent;
    } else if (column != indent) {
      text_char(out, ' ');
      column++;
    }
    text_put(out, str_slice(text, at, end - at));
    column += end - at;
    at = end + 1;
  }
  text_char(out, '\n');
}

// "  LEFT" padded to `indent`, then the help.
static void put_row(Text *out, Str left, const char *help, size_t indent) {
  text_puts(out, "  ");
  text_put(out, left);
  size_t column = 2 + left.length;
  if (column + 2 > indent) {
    text_char(out, '\n');
    column = 0;
  }
  text_repeat(out, ' ', indent - column);
  put_wrapped(out, indent, indent, str_from(help));
}

static void put_commands(Text *out) {
  text_puts(out, "commands:\n");
  for (int i = 0; i < COMMAND_COUNT; i++) {
    const CommandRow *row = command_row((Command)i);
    Str left = str_format(out->arena, "%s %s", row->words, row->operands);
    put_row(out, left, row->help, 34);
  }
}

static Str option_left(Arena *arena, const OptionRow *row) {
  Text left = text_new(arena);
  if (row->letter != 0)
    text_format(&left, "-%c, ", row->letter);
  else
    text_puts(&left, "    ");
  text_format(&left, "--%s", row->name);
  if (row->kind == KIND_VALUE)
    text_format(&left, " %s", row->argument);
  if (row->kind == KIND_OPTIONAL)
    text_format(&left, "[=%s]", row->argument);
  return text_str(&left);
}

static void put_options(Text *out, Command command) {
  for (int i = 0; i < OPTION_COUNT; i++) {
    const OptionRow *row = option_row((Option)i);
    if ((row->commands >> command & 1) != 0)
      put_row(out, option_left(out->arena, row), row->help, 34);
  }
}

static void put_passes(Text *out) {
  text_puts(out, "passes:");
  for (size_t i = 0; i < session_pass_count(); i++)
    text_format(out, " %s", session_pass_name(i));
  text_char(out, '\n');
}

void help_usage(Text *out) {
  text_puts(out, "usage: vxc [--machine FILE|NAME] [--host FILE|NAME|default] "
                 "FILE...\n"
                 "       vxc COMMAND ...; `vxc --help` lists the commands\n");
}

void help_command(Text *out, Command command) {
  const CommandRow *row = command_row(command);
  text_format(out, "usage: vxc %s [OPTIONS]%s%s\n\n", row->words,
              row->operands[0] == '\0' ? "" : " ", row->operands);
  put_wrapped(out, 0, 0, str_from(row->help));
  text_puts(out, "\noptions:\n");
  put_options(out, command);
  if (command == COMMAND_CHECK)
    put_passes(out);
}

void help_overview(Text *out) {
  text_puts(out, "vxc " VX_VERSION
                 ": checks programs against the memories of a machine\n\n");
  help_usage(out);
  text_char(out, '\n');
  put_commands(out);
  text_puts(out, "\noptions of check:\n");
  put_options(out, COMMAND_CHECK);
  put_passes(out);
  text_puts(out, "\nexit status: 0 nothing wrong, 1 errors found, 2 wrong "
                 "usage or unreadable input,\n3 something unverified "
                 "(--strict), 70 a bug in vxc\n");
}
