// SPDX-License-Identifier: Apache-2.0
//
// `vxc explain CODE` and `--explain CODE`: the pages of docs/errors/, which are
// inside the binary. Without a code: the index.

#include "driver/driver.h"

static Str upper_case(Arena *arena, Str s) {
  char *copy = str_to_c(arena, s);
  for (size_t i = 0; i < s.length; i++) {
    if (copy[i] >= 'a' && copy[i] <= 'z')
      copy[i] = (char)(copy[i] - 'a' + 'A');
  }
  return (Str){copy, s.length};
}

static void put_index(Text *out) {
  for (int i = DIAG_NONE + 1; i < DIAG_CODE_COUNT; i++)
    text_format(out, "%s  %s\n", diag_code_name((DiagCode)i),
                diag_code_text((DiagCode)i));
}

static Str nearest_code(Arena *arena, Str name) {
  StrVec known = {0};
  for (int i = DIAG_NONE + 1; i < DIAG_CODE_COUNT; i++)
    VEC_PUSH(arena, &known, str_from(diag_code_name((DiagCode)i)));
  return nearest_name(arena, name, &known);
}

static int refuse_code(Arguments *arguments, Str name) {
  Arena *arena = arguments->arena;
  Str near = nearest_code(arena, name);
  Text text = text_new(arena);
  text_format(&text, "no code '%.*s'", STR_ARG(name));
  if (near.length != 0)
    text_format(&text, "; did you mean '%.*s'?", STR_ARG(near));
  text_puts(&text, near.length != 0 ? " " : "; ");
  text_puts(&text, "`vxc explain` lists all codes");
  return usage_error(arguments, text_str(&text));
}

int command_explain(Arguments *arguments, const StrVec *codes) {
  Text text = text_new(arguments->arena);
  if (codes->count == 0)
    put_index(&text);
  for (uint32_t i = 0; i < codes->count; i++) {
    Str name = upper_case(arguments->arena, codes->items[i]);
    DiagCode code = diag_code_from_name(name);
    if (code == DIAG_NONE)
      return refuse_code(arguments, name);
    Str page = diag_code_page(code);
    text_puts(&text, i == 0 ? "" : "\n");
    if (page.length != 0)
      text_put(&text, page);
    else
      text_format(&text, "%s: %s\n", diag_code_name(code),
                  diag_code_text(code));
  }
  return print_output(arguments->arena, text_str(&text)) ? STATUS_FINE
                                                         : STATUS_USAGE;
}
