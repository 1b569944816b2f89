// SPDX-License-Identifier: Apache-2.0
//
// From argv to Arguments, by the table in options.def.

#include "driver/driver.h"

#include <string.h>

static const OptionRow option_rows[] = {
#define OPTION(id, long, short, kind, argument, commands, help)                \
  {long, short, KIND_##kind, argument, commands, help},
#include "driver/options.def"
};

static const CommandRow command_rows[] = {
#define COMMAND(id, words, operands, help) {words, operands, help},
#include "driver/options.def"
};

const OptionRow *option_row(Option option) { return &option_rows[option]; }

const CommandRow *command_row(Command command) {
  return &command_rows[command];
}

Str arguments_value(const Arguments *arguments, Option option) {
  const StrVec *values = &arguments->values[option];
  return values->count == 0 ? STR("") : VEC_LAST(values);
}

// --- Options -----------------------------------------------------------------

// Where parsing stands in argv.
typedef struct {
  Arguments *arguments;
  int count;
  char **texts;
  int at;
} Parser;

static bool refuse(Parser *parser, Str what) {
  (void)usage_error(parser->arguments, what);
  return false;
}

static void add_value(Parser *parser, Option option, Str value) {
  VEC_PUSH(parser->arguments->arena, &parser->arguments->values[option], value);
}

static Option find_long(Str name) {
  for (int i = 0; i < OPTION_COUNT; i++) {
    if (str_equal(name, str_from(option_rows[i].name)))
      return (Option)i;
  }
  return OPTION_COUNT;
}

static Option find_short(char letter) {
  for (int i = 0; i < OPTION_COUNT; i++) {
    if (option_rows[i].letter != 0 && option_rows[i].letter == letter)
      return (Option)i;
  }
  return OPTION_COUNT;
}

static bool refuse_unknown(Parser *parser, Str name) {
  Arena *arena = parser->arguments->arena;
  StrVec known = {0};
  for (int i = 0; i < OPTION_COUNT; i++)
    VEC_PUSH(arena, &known, str_from(option_rows[i].name));
  Text text = text_new(arena);
  text_format(&text, "unknown option '--%.*s'", STR_ARG(name));
  Str near = nearest_name(arena, name, &known);
  if (near.length != 0)
    text_format(&text, "; did you mean '--%.*s'?", STR_ARG(near));
  return refuse(parser, text_str(&text));
}

// The next text as the argument of an option.
static bool take_next(Parser *parser, Option option) {
  if (parser->at == parser->count) {
    const OptionRow *row = &option_rows[option];
    return refuse(parser, str_format(parser->arguments->arena,
                                     "option '--%s' needs an argument: %s",
                                     row->name, row->argument));
  }
  add_value(parser, option, str_from(parser->texts[parser->at++]));
  return true;
}

// `--diagnostics-json PATH` takes what can only be meant for it.
static bool is_json_path(const Parser *parser, Option option) {
  if (option != OPTION_DIAGNOSTICS_JSON || parser->at == parser->count)
    return false;
  Str next = str_from(parser->texts[parser->at]);
  return str_equal(next, STR("-")) || str_ends_with(next, STR(".json"));
}

static bool parse_long(Parser *parser, Str text) {
  const char *equals = memchr(text.data, '=', text.length);
  size_t length = equals == NULL ? text.length : (size_t)(equals - text.data);
  Str name = str_slice(text, 0, length);
  Option option = find_long(name);
  if (option == OPTION_COUNT)
    return refuse_unknown(parser, name);
  const OptionRow *row = &option_rows[option];
  if (equals != NULL && row->kind == KIND_FLAG)
    return refuse(parser,
                  str_format(parser->arguments->arena,
                             "option '--%s' takes no argument", row->name));
  if (equals != NULL) {
    add_value(parser, option,
              str_slice(text, length + 1, text.length - length - 1));
    return true;
  }
  if (row->kind == KIND_VALUE || is_json_path(parser, option))
    return take_next(parser, option);
  add_value(parser, option, STR(""));
  return true;
}

// `-q`, `-DN=1`, `-D N=1`; several flags may stand together: `-qh`.
static bool parse_short(Parser *parser, Str text) {
  for (size_t i = 0; i < text.length; i++) {
    Option option = find_short(text.data[i]);
    if (option == OPTION_COUNT)
      return refuse(parser, str_format(parser->arguments->arena,
                                       "unknown option '-%c'", text.data[i]));
    if (option_rows[option].kind == KIND_FLAG) {
      add_value(parser, option, STR(""));
      continue;
    }
    if (i + 1 == text.length)
      return take_next(parser, option);
    add_value(parser, option, str_slice(text, i + 1, text.length - i - 1));
    return true;
  }
  return true;
}

// --- Commands ----------------------------------------------------------------

static Str first_word(Str words) {
  const char *blank = memchr(words.data, ' ', words.length);
  return blank == NULL ? words
                       : str_slice(words, 0, (size_t)(blank - words.data));
}

static bool is_first_word(Str text) {
  for (int i = 0; i < COMMAND_COUNT; i++) {
    if (str_equal(text, first_word(str_from(command_rows[i].words))))
      return true;
  }
  return false;
}

static Command find_command(Str words) {
  for (int i = 0; i < COMMAND_COUNT; i++) {
    if (str_equal(words, str_from(command_rows[i].words)))
      return (Command)i;
  }
  return COMMAND_COUNT;
}

static Str nearest_command(Arena *arena, Str words) {
  StrVec known = {0};
  for (int i = 0; i < COMMAND_COUNT; i++)
    VEC_PUSH(arena, &known, str_from(command_rows[i].words));
  return nearest_name(arena, words, &known);
}

static bool refuse_command(Parser *parser, Str words) {
  Arena *arena = parser->arguments->arena;
  Text text = text_new(arena);
  text_format(&text, "unknown command '%.*s'", STR_ARG(words));
  Str near = nearest_command(arena, words);
  if (near.length != 0)
    text_format(&text, "; did you mean '%.*s'?", STR_ARG(near));
  return refuse(parser, text_str(&text));
}

static void drop_operands(StrVec *operands, uint32_t count) {
  operands->count -= count;
  for (uint32_t i = 0; i < operands->count; i++)
    operands->items[i] = operands->items[i + count];
}

// The first operands name a command, unless they are files.
static bool choose_command(Parser *parser) {
  Arguments *arguments = parser->arguments;
  StrVec *operands = &arguments->operands;
  arguments->command = COMMAND_CHECK;
  if (operands->count == 0)
    return true;
  Str first = operands->items[0];
  if (!is_first_word(first)) {
    // A word that no file can be is a command mistyped.
    bool is_word = memchr(first.data, '.', first.length) == NULL &&
                   memchr(first.data, '/', first.length) == NULL;
    return !is_word || nearest_command(arguments->arena, first).length == 0 ||
           platform_exists(str_to_c(arguments->arena, first)) ||
           refuse_command(parser, first);
  }
  arguments->has_command = true;
  uint32_t used = 1;
  Command command = find_command(first);
  if (command == COMMAND_COUNT && operands->count > 1) {
    first = str_format(arguments->arena, "%.*s %.*s", STR_ARG(first),
                       STR_ARG(operands->items[1]));
    command = find_command(first);
    used = 2;
  }
  if (command == COMMAND_COUNT && used == 1 &&
      arguments_has(arguments, OPTION_HELP)) {
    arguments->command = COMMAND_HELP; // `vxc machine --help`
    return true;
  }
  if (command == COMMAND_COUNT && used == 1)
    return refuse(parser, STR("'machine' needs one of: show, lint, list"));
  if (command == COMMAND_COUNT)
    return refuse_command(parser, first);
  arguments->command = command;
  drop_operands(operands, used);
  return true;
}

static bool check_options(Parser *parser) {
  const Arguments *arguments = parser->arguments;
  for (int i = 0; i < OPTION_COUNT; i++) {
    bool is_known = (option_rows[i].commands >> arguments->command & 1) != 0;
    if (!arguments_has(arguments, (Option)i) || is_known)
      continue;
    return refuse(parser, str_format(arguments->arena,
                                     "command '%s' has no option '--%s'",
                                     command_rows[arguments->command].words,
                                     option_rows[i].name));
  }
  return true;
}

bool arguments_parse(Arguments *arguments, Arena *arena, int count,
                     char **texts) {
  *arguments = (Arguments){.arena = arena};
  Parser parser = {arguments, count, texts, 1};
  bool has_ended = false; // `--` was seen
  while (parser.at < count) {
    Str text = str_from(texts[parser.at++]);
    bool is_fine = true;
    if (has_ended || text.length < 2 || text.data[0] != '-')
      VEC_PUSH(arena, &arguments->operands, text);
    else if (str_equal(text, STR("--")))
      has_ended = true;
    else if (str_starts_with(text, STR("--")))
      is_fine = parse_long(&parser, str_slice(text, 2, text.length - 2));
    else
      is_fine = parse_short(&parser, str_slice(text, 1, text.length - 1));
    if (!is_fine)
      return false;
  }
  return choose_command(&parser) && check_options(&parser);
}
