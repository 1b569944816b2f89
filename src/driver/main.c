// SPDX-License-Identifier: Apache-2.0
//
// vxc: the command line.

#include "driver/driver.h"

static int print_help(Arguments *arguments) {
  Text text = text_new(arguments->arena);
  if (arguments->has_command && arguments->command != COMMAND_HELP)
    help_command(&text, arguments->command);
  else
    help_overview(&text);
  return print_output(arguments->arena, text_str(&text)) ? STATUS_FINE
                                                         : STATUS_USAGE;
}

static int print_version(Arguments *arguments) {
  return print_output(arguments->arena, STR("vxc " VX_VERSION "\n"))
             ? STATUS_FINE
             : STATUS_USAGE;
}

// The words behind `help` name a command: "check", "machine show".
int command_help(Arguments *arguments) {
  Text words = text_new(arguments->arena);
  for (uint32_t i = 0; i < arguments->operands.count; i++) {
    text_puts(&words, i == 0 ? "" : " ");
    text_put(&words, arguments->operands.items[i]);
  }
  if (words.length == 0)
    return print_help(arguments);
  Text text = text_new(arguments->arena);
  Str prefix = str_format(arguments->arena, "%.*s ", STR_ARG(text_str(&words)));
  for (int i = 0; i < COMMAND_COUNT; i++) {
    Str known = str_from(command_row((Command)i)->words);
    if (!str_equal(known, text_str(&words)) && !str_starts_with(known, prefix))
      continue;
    text_puts(&text, text.length == 0 ? "" : "\n");
    help_command(&text, (Command)i);
  }
  if (text.length == 0)
    return usage_error(arguments,
                       str_format(arguments->arena, "help: no command '%.*s'",
                                  STR_ARG(text_str(&words))));
  return print_output(arguments->arena, text_str(&text)) ? STATUS_FINE
                                                         : STATUS_USAGE;
}

static int run_command(Arguments *arguments) {
  switch (arguments->command) {
  case COMMAND_CHECK:
    return command_check(arguments);
  case COMMAND_MACHINE_SHOW:
    return command_machine_show(arguments);
  case COMMAND_MACHINE_LINT:
    return command_machine_lint(arguments);
  case COMMAND_MACHINE_LIST:
    return command_machine_list(arguments);
  case COMMAND_FMT:
    return command_fmt(arguments);
  case COMMAND_EXPLAIN:
    return command_explain(arguments, &arguments->operands);
  case COMMAND_HELP:
    return command_help(arguments);
  case COMMAND_COUNT:
    break;
  }
  PANIC("unknown command");
}

static int run(Arena *arena, int count, char **texts) {
  Arguments arguments;
  if (count < 2) {
    Text text = text_new(arena);
    help_usage(&text);
    (void)print_error(text_str(&text));
    return STATUS_USAGE;
  }
  if (!arguments_parse(&arguments, arena, count, texts))
    return STATUS_USAGE;
  if (arguments_has(&arguments, OPTION_HELP))
    return arguments.command == COMMAND_HELP ? command_help(&arguments)
                                             : print_help(&arguments);
  if (arguments_has(&arguments, OPTION_VERSION))
    return print_version(&arguments);
  if (arguments_has(&arguments, OPTION_EXPLAIN_CODE))
    return command_explain(&arguments, &arguments.values[OPTION_EXPLAIN_CODE]);
  return run_command(&arguments);
}

int main(int argc, char **argv) {
  platform_prepare();
  Arena arena = {0};
  int status = run(&arena, argc, argv);
  arena_free(&arena);
  return status;
}
