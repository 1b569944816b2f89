// SPDX-License-Identifier: Apache-2.0
//
// The examples in the documents. A fenced block is a test by its info string:
//
//   ```vx                     must check without errors
//   ```vx fail=E6009          must report that code and no other
//   ```vx fail, ```vx pass    on docs/errors/CODE.md: exactly CODE; nothing
//   ```vx args="WORDS"        with these arguments
//   ```vx file=NAME           and stays under this name for later blocks
//   ```machine ...            likewise, by `vxc machine show`
//   ```console                `$ vxc ...` must print the lines that follow it
//                             (stderr, then stdout); `...` stands for any
//                             lines. `$ echo $?` prints the last exit status,
//                             `$ printf ...` feeds a pipe; other commands are
//                             not run
//   ```console fail, pass     and must report exactly CODE; nothing
//
// Blocks of a page see examples/, fleet/ and lib/ of the repository. Each block
// counts as one test, each command of a console as one.

#define _XOPEN_SOURCE 700

#include "runner/runner.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const Settings *settings;
  Report *report;
  Arena *arena;
  Str path;
  Str page_code; // of docs/errors/CODE.md, else empty
  const char *directory;
  unsigned fails;
  unsigned passes;
  int last_status;
} Page;

typedef struct {
  uint32_t line; // of the opening fence
  Str language;
  Str body;
  bool must_fail;
  bool must_pass;
  Str code;
  Str arguments;
  Str file;
} Block;

static void fail(Page *page, uint32_t line, Str reason) {
  text_format(&page->report->text, "FAILED %.*s:%u\n  %.*s\n",
              STR_ARG(page->path), line, STR_ARG(reason));
  page->report->failed++;
}

// --- Blocks ------------------------------------------------------------------

// `WORD` or `KEY=VALUE` or `KEY="VALUE"` off the front of an info string.
static bool take_attribute(Str *info, Str *key, Str *value) {
  *info = trim(*info);
  if (info->length == 0)
    return false;
  size_t at = 0;
  while (at < info->length && info->data[at] != ' ' && info->data[at] != '=')
    at++;
  *key = str_slice(*info, 0, at);
  *value = STR("");
  if (at < info->length && info->data[at] == '=') {
    char end = ' ';
    at++;
    if (at < info->length && info->data[at] == '"') {
      end = '"';
      at++;
    }
    size_t start = at;
    while (at < info->length && info->data[at] != end)
      at++;
    *value = str_slice(*info, start, at - start);
    at += at < info->length;
  }
  *info = str_slice(*info, at, info->length - at);
  return true;
}

static bool read_attribute(const Page *page, Block *block, Str key, Str value) {
  if (str_equal(key, STR("fail"))) {
    block->must_fail = true;
    block->code = value.length != 0 ? value : page->page_code;
  } else if (str_equal(key, STR("pass"))) {
    block->must_pass = true;
  } else if (str_equal(key, STR("args"))) {
    block->arguments = value;
  } else if (str_equal(key, STR("file"))) {
    block->file = value;
  } else {
    return false;
  }
  return true;
}

static void read_info(Page *page, Block *block, Str info) {
  Str key;
  Str value;
  if (!take_attribute(&info, &block->language, &value))
    return;
  bool is_tested = str_equal(block->language, STR("vx")) ||
                   str_equal(block->language, STR("machine")) ||
                   str_equal(block->language, STR("console"));
  while (is_tested && take_attribute(&info, &key, &value)) {
    if (!read_attribute(page, block, key, value))
      fail(page, block->line,
           str_format(page->arena, "unknown attribute `%.*s`", STR_ARG(key)));
  }
  if (block->must_fail && block->code.length == 0)
    fail(page, block->line, STR("`fail` needs a code: `fail=E6009`"));
}

static bool next_block(Page *page, Str *rest, uint32_t *number, Block *block) {
  Str line;
  const Str fence = STR("```");
  do {
    if (!next_line(rest, &line))
      return false;
    ++*number;
  } while (!str_starts_with(line, fence));
  *block = (Block){.line = *number};
  read_info(page, block, str_slice(line, 3, line.length - 3));
  const char *start = rest->data;
  size_t length = 0;
  while (next_line(rest, &line)) {
    ++*number;
    if (str_starts_with(line, fence)) {
      block->body = (Str){start, length};
      return true;
    }
    length = (size_t)(rest->data - start);
  }
  fail(page, block->line, STR("this block is never closed"));
  return false;
}

// --- Programs ----------------------------------------------------------------

static Outcome run_shell(const Page *page, Str line) {
  char shell[] = "sh";
  char option[] = "-c";
  char *arguments[] = {shell, option, str_to_c(page->arena, line), NULL};
  const Command command = {.arguments = arguments,
                           .directory = page->directory,
                           .limits_memory = !page->settings->is_sanitized};
  return run_command(page->arena, &command);
}

static void write_block(Page *page, Block *block) {
  if (block->file.length == 0)
    block->file = str_equal(block->language, STR("machine"))
                      ? STR("page-machine.vx")
                      : STR("page.vx");
  Str path =
      str_format(page->arena, "%s/%.*s", page->directory, STR_ARG(block->file));
  Str error;
  if (!io_write_file(path.data, block->body, page->arena, &error))
    fail(page, block->line, error);
}

// Why the findings are not what the block promises; empty if they are.
static Str judge_findings(const Page *page, const Block *block, Str text) {
  FindingVec findings = {0};
  read_findings(page->arena, text, &findings);
  bool has_code = false;
  for (uint32_t i = 0; i < findings.count; i++) {
    const Finding *finding = &findings.items[i];
    bool is_code = str_equal(finding->code, block->code);
    has_code = has_code || is_code;
    if (block->must_fail ? !is_code : block->must_pass || finding->is_error)
      return str_format(page->arena, "unexpected %.*s", STR_ARG(finding->code));
  }
  if (block->must_fail && !has_code)
    return str_format(page->arena, "%.*s is not reported",
                      STR_ARG(block->code));
  return STR("");
}

static Str judge(const Page *page, const Block *block, const Outcome *outcome) {
  Str reason = judge_findings(page, block, outcome->err);
  if (reason.length != 0)
    return reason;
  if (outcome->is_timed_out)
    return STR("ran out of time");
  bool is_error = block->must_fail && block->code.data[0] == 'E';
  if (outcome->status != (is_error ? 1 : 0))
    return str_format(page->arena, "exit status %d", outcome->status);
  return STR("");
}

static void run_program(Page *page, Block *block) {
  write_block(page, block);
  bool is_machine = str_equal(block->language, STR("machine"));
  Str line = str_format(page->arena, "vxc %s %.*s %.*s",
                        is_machine ? "machine show" : "check",
                        STR_ARG(block->arguments), STR_ARG(block->file));
  Outcome outcome = run_shell(page, line);
  Str reason = judge(page, block, &outcome);
  page->fails += block->must_fail;
  page->passes += block->must_pass;
  if (reason.length == 0) {
    page->report->passed++;
    return;
  }
  fail(page, block->line, reason);
  text_format(&page->report->text, "  $ %.*s\n%.*s", STR_ARG(line),
              STR_ARG(outcome.err));
}

// --- Consoles ----------------------------------------------------------------

// Whether the lines of `actual` are those of `pattern`, where `...` stands for
// any lines. The usual two-pointer match: on a mismatch the last `...` takes
// one line more.
static bool matches(Str pattern, Str actual) {
  Str after_dots = {NULL, 0};
  Str retry = actual;
  bool has_dots = false;
  while (actual.length != 0 || pattern.length != 0) {
    Str pattern_rest = pattern;
    Str actual_rest = actual;
    Str wanted;
    Str line;
    bool has_wanted = next_line(&pattern_rest, &wanted);
    if (has_wanted && str_equal(trim(wanted), STR("..."))) {
      has_dots = true;
      after_dots = pattern = pattern_rest;
      retry = actual;
    } else if (has_wanted && next_line(&actual_rest, &line) &&
               str_equal(wanted, line)) {
      pattern = pattern_rest;
      actual = actual_rest;
    } else {
      if (!has_dots || !next_line(&retry, &line))
        return false;
      pattern = after_dots;
      actual = retry;
    }
  }
  return true;
}

static Str console_output(Page *page, Str command) {
  if (str_equal(command, STR("echo $?")))
    return str_format(page->arena, "%d\n", page->last_status);
  Outcome outcome = run_shell(page, command);
  page->last_status = outcome.status;
  Text both = text_new(page->arena);
  text_put(&both, outcome.err);
  text_put(&both, outcome.out);
  return text_str(&both);
}

static void run_console_command(Page *page, const Block *block, uint32_t line,
                                Str command, Str expected) {
  bool is_status = str_equal(command, STR("echo $?"));
  bool is_ours = is_status || str_equal(command, STR("vxc")) ||
                 str_starts_with(command, STR("vxc ")) ||
                 str_starts_with(command, STR("printf "));
  if (!is_ours)
    return;
  Str actual = console_output(page, command);
  Str reason = STR("");
  if (!is_status && (block->must_fail || block->must_pass))
    reason = judge_findings(page, block, actual);
  if (reason.length == 0 && matches(expected, actual)) {
    page->report->passed++;
    return;
  }
  fail(page, line,
       str_format(page->arena, "$ %.*s%s%.*s", STR_ARG(command),
                  reason.length != 0 ? ": " : "", STR_ARG(reason)));
  text_format(&page->report->text, "expected:\n%.*sis:\n%.*s",
              STR_ARG(expected), STR_ARG(actual));
}

// A command, with the lines that `\` continues.
static Str read_command(const Page *page, Str *rest, Str line,
                        uint32_t *number) {
  Text command = text_new(page->arena);
  while (str_ends_with(line, STR("\\"))) {
    text_put(&command, str_slice(line, 0, line.length - 1));
    if (!next_line(rest, &line))
      break;
    ++*number;
  }
  text_put(&command, line);
  return trim(text_str(&command));
}

static void run_console(Page *page, const Block *block) {
  page->fails += block->must_fail;
  page->passes += block->must_pass;
  Str rest = block->body;
  uint32_t number = block->line;
  Str line;
  const Str prompt = STR("$ ");
  while (next_line(&rest, &line)) {
    number++;
    if (!str_starts_with(line, prompt))
      continue;
    uint32_t at = number;
    line = str_slice(line, 2, line.length - 2);
    Str command = read_command(page, &rest, line, &number);
    const char *start = rest.data;
    while (rest.length != 0 && !str_starts_with(rest, prompt)) {
      (void)next_line(&rest, &line);
      number++;
    }
    Str expected = {start, (size_t)(rest.data - start)};
    run_console_command(page, block, at, command, expected);
  }
}

// --- Pages -------------------------------------------------------------------

static Str code_of_page(Str path) {
  const Str directory = STR("docs/errors/");
  if (!str_starts_with(path, directory) || path.length != directory.length + 8)
    return STR("");
  Str code = str_slice(path, directory.length, 5);
  bool is_code = (code.data[0] == 'E' || code.data[0] == 'W') &&
                 code.data[1] >= '0' && code.data[1] <= '9';
  return is_code ? code : STR("");
}

static Str linked_name(const Page *page, const char *name) {
  return str_format(page->arena, "%s/%s", page->directory, name);
}

static const char *const linked[] = {"examples", "fleet", "lib", "docs"};

static void enter_directory(Page *page) {
  char *path = str_to_c(page->arena, STR("/tmp/vx-docs-XXXXXX"));
  CHECK(mkdtemp(path) != NULL);
  page->directory = path;
  for (size_t i = 0; i < COUNT_OF(linked); i++) {
    Str target =
        str_format(page->arena, "%s/%s", page->settings->root, linked[i]);
    (void)symlink(target.data, linked_name(page, linked[i]).data);
  }
}

// Programs may have left files of their own.
static void leave_directory(Page *page) {
  StrVec names;
  Str error;
  if (io_list_directory(page->arena, page->directory, &names, &error)) {
    for (uint32_t i = 0; i < names.count; i++) {
      Str name = str_copy(page->arena, names.items[i]);
      (void)unlink(linked_name(page, name.data).data);
    }
  }
  (void)rmdir(page->directory);
}

void run_document(const Settings *settings, Str path, Report *report) {
  Page page = {.settings = settings,
               .report = report,
               .arena = report->arena,
               .path = path,
               .page_code = code_of_page(path)};
  Str rest;
  Str error;
  if (!io_read_file(page.arena, str_to_c(page.arena, path), &rest, &error)) {
    fail(&page, 0, error);
    return;
  }
  enter_directory(&page);
  uint32_t number = 0;
  for (Block block; next_block(&page, &rest, &number, &block);) {
    if (str_equal(block.language, STR("vx")) ||
        str_equal(block.language, STR("machine")))
      run_program(&page, &block);
    else if (str_equal(block.language, STR("console")))
      run_console(&page, &block);
  }
  if (page.page_code.length != 0 && (page.fails == 0 || page.passes == 0))
    fail(&page, 1, STR("an error page needs a `fail` and a `pass` block"));
  leave_directory(&page);
}
