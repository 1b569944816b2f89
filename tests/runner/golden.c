// SPDX-License-Identifier: Apache-2.0
//
// Golden files. A file says on top what to do with it and where diagnostics are
// expected; an unexpected one and a missing one both fail.
//
//   //! check                 vxc check [ARGS] FILE
//   //! run                   vxc run [ARGS] FILE
//   //! fmt                   vxc fmt --stdout FILE, with a snapshot
//   //! dump=PASS             vxc check --dump=PASS FILE, with a snapshot
//   //! routes                vxc check --routes FILE, with a snapshot
//   //! json                  vxc check --diagnostics-json FILE, likewise
//   //! vxc WORDS             vxc WORDS [ARGS] FILE, for every other command
//   //! helper                no case: a module or a machine of another case
//   //! args: WORDS           further arguments; %D is the file's directory
//   //! exit: N               exit status; else 1 with an expected error, or 0
//   //! snapshot              stderr, then stdout, must equal FILE.out
//   //! also: CODE text       expected in another file, or without a place
//
//   code  //~ CODE text       expected on this line; text is a part of it
//   //~^ CODE text            on the line above (each ^ one line more)
//   //~| CODE text            on the line of the previous expectation

#include "runner/runner.h"

#include <stdlib.h>

typedef struct {
  uint32_t line; // 0: elsewhere
  Str code;
  Str text;
  bool is_met;
} Expectation;

typedef VEC(Expectation) ExpectationVec;

typedef struct {
  const Settings *settings;
  Report *report;
  Arena *arena;
  Str path;
  StrVec words; // the command between vxc and the arguments
  StrVec arguments;
  ExpectationVec expectations;
  int status; // -1: from the expectations
  bool is_helper;
  bool has_snapshot;
  bool is_failed;
} Case;

// --- Reading the file --------------------------------------------------------

static void fail(Case *self, Str reason) {
  if (!self->is_failed)
    text_format(&self->report->text, "FAILED %.*s\n", STR_ARG(self->path));
  self->is_failed = true;
  text_format(&self->report->text, "  %.*s\n", STR_ARG(reason));
}

static Str directory_of(Str path) {
  while (path.length > 0 && path.data[path.length - 1] != '/')
    path.length--;
  return path.length == 0 ? STR(".") : str_slice(path, 0, path.length - 1);
}

static Str replace_directory(const Case *self, Str word) {
  Text out = text_new(self->arena);
  for (size_t i = 0; i < word.length; i++) {
    bool is_mark =
        i + 1 < word.length && word.data[i] == '%' && word.data[i + 1] == 'D';
    if (is_mark)
      text_put(&out, directory_of(self->path));
    else
      text_char(&out, word.data[i]);
    i += is_mark;
  }
  return text_str(&out);
}

static Str take_word(Str *rest) {
  *rest = trim(*rest);
  size_t length = 0;
  while (length < rest->length && rest->data[length] != ' ')
    length++;
  Str word = str_slice(*rest, 0, length);
  *rest = str_slice(*rest, length, rest->length - length);
  return word;
}

static void add_words(const Case *self, StrVec *words, Str text) {
  for (Str word; (word = take_word(&text)).length != 0;)
    VEC_PUSH(self->arena, words, replace_directory(self, word));
}

static void expect(Case *self, uint32_t line, Str text) {
  Str code = take_word(&text);
  Expectation expectation = {.line = line, .code = code, .text = trim(text)};
  VEC_PUSH(self->arena, &self->expectations, expectation);
  if (code.length != 5)
    fail(self, str_format(self->arena, "'%.*s' is not a code", STR_ARG(code)));
}

static bool take_prefix(Str *s, Str prefix) {
  if (!str_starts_with(*s, prefix))
    return false;
  *s = str_slice(*s, prefix.length, s->length - prefix.length);
  return true;
}

// What says which command to run; false if `text` is something else.
static bool read_mode(Case *self, Str text) {
  const char *words = NULL;
  Str pass = text;
  if (str_equal(text, STR("check")))
    words = "check";
  else if (str_equal(text, STR("run")))
    words = "run";
  else if (str_equal(text, STR("fmt")))
    words = "fmt --stdout";
  else if (str_equal(text, STR("routes")))
    words = "check --routes";
  else if (str_equal(text, STR("json")))
    words = "check --diagnostics-json";
  else if (take_prefix(&pass, STR("dump=")))
    words = str_format(self->arena, "check --dump=%.*s", STR_ARG(pass)).data;
  else if (take_prefix(&pass, STR("vxc ")))
    words = str_to_c(self->arena, pass);
  if (words == NULL)
    return false;
  if (self->words.count != 0)
    fail(self, STR("two commands in one file"));
  add_words(self, &self->words, str_from(words));
  self->has_snapshot = self->has_snapshot || str_equal(text, STR("fmt")) ||
                       str_equal(text, STR("routes")) ||
                       str_equal(text, STR("json")) ||
                       str_starts_with(text, STR("dump="));
  return true;
}

static void read_directive(Case *self, Str text) {
  if (read_mode(self, text))
    return;
  if (str_equal(text, STR("helper")))
    self->is_helper = true;
  else if (str_equal(text, STR("snapshot")))
    self->has_snapshot = true;
  else if (take_prefix(&text, STR("args:")))
    add_words(self, &self->arguments, text);
  else if (take_prefix(&text, STR("exit:")))
    self->status = atoi(str_to_c(self->arena, trim(text)));
  else if (take_prefix(&text, STR("also:")))
    expect(self, 0, text);
  else
    fail(self, str_format(self->arena, "unknown directive `//! %.*s`",
                          STR_ARG(text)));
}

static void read_expectation(Case *self, uint32_t line, Str text) {
  if (take_prefix(&text, STR("|"))) {
    if (self->expectations.count == 0)
      fail(self, STR("`//~|` without an expectation before it"));
    else
      expect(self, VEC_LAST(&self->expectations).line, text);
    return;
  }
  while (line > 0 && take_prefix(&text, STR("^")))
    line--;
  expect(self, line, text);
}

static void read_case(Case *self, Str source) {
  Str rest = source;
  uint32_t number = 0;
  for (Str line; next_line(&rest, &line);) {
    number++;
    Str text = trim(line);
    if (take_prefix(&text, STR("//!")))
      read_directive(self, trim(text));
    for (size_t at = 0; at + 3 <= line.length; at++) {
      if (!str_equal(str_slice(line, at, 3), STR("//~")))
        continue;
      Str after = str_slice(line, at + 3, line.length - at - 3);
      read_expectation(self, number, after);
      break;
    }
  }
}

// --- Running it --------------------------------------------------------------

static char **command_line(const Case *self) {
  size_t count = self->words.count + self->arguments.count + 3;
  char **line = ARENA_ARRAY(self->arena, char *, count);
  size_t at = 0;
  line[at++] = str_to_c(self->arena, str_from(self->settings->vxc));
  for (uint32_t i = 0; i < self->words.count; i++)
    line[at++] = str_to_c(self->arena, self->words.items[i]);
  for (uint32_t i = 0; i < self->arguments.count; i++)
    line[at++] = str_to_c(self->arena, self->arguments.items[i]);
  line[at] = str_to_c(self->arena, self->path);
  return line;
}

static bool is_met_by(const Case *self, const Expectation *expectation,
                      const Finding *finding) {
  bool is_here = str_equal(finding->file, self->path);
  if (expectation->is_met || (expectation->line != 0) != is_here)
    return false;
  if (is_here && expectation->line != finding->line)
    return false;
  return str_equal(expectation->code, finding->code) &&
         str_contains(finding->message, expectation->text);
}

static void match_finding(Case *self, const Finding *finding) {
  for (uint32_t i = 0; i < self->expectations.count; i++) {
    Expectation *expectation = &self->expectations.items[i];
    if (is_met_by(self, expectation, finding)) {
      expectation->is_met = true;
      return;
    }
  }
  fail(self, str_format(self->arena, "unexpected at %.*s:%u: %.*s %.*s",
                        STR_ARG(finding->file), finding->line,
                        STR_ARG(finding->code), STR_ARG(finding->message)));
}

static void check_findings(Case *self, const Outcome *outcome) {
  FindingVec findings = {0};
  read_findings(self->arena, outcome->err, &findings);
  read_findings(self->arena, outcome->out, &findings); // remarks of lint
  for (uint32_t i = 0; i < findings.count; i++)
    match_finding(self, &findings.items[i]);
  for (uint32_t i = 0; i < self->expectations.count; i++) {
    const Expectation *expectation = &self->expectations.items[i];
    if (!expectation->is_met)
      fail(self, str_format(self->arena, "missing at line %u: %.*s %.*s",
                            expectation->line, STR_ARG(expectation->code),
                            STR_ARG(expectation->text)));
  }
}

static int expected_status(const Case *self) {
  if (self->status >= 0)
    return self->status;
  for (uint32_t i = 0; i < self->expectations.count; i++) {
    if (self->expectations.items[i].code.data[0] == 'E')
      return 1;
  }
  return 0;
}

static void check_status(Case *self, const Outcome *outcome) {
  int expected = expected_status(self);
  if (outcome->is_timed_out)
    fail(self, STR("ran out of time"));
  else if (outcome->status != expected)
    fail(self, str_format(self->arena, "exit status %d, expected %d",
                          outcome->status, expected));
}

static void show_difference(Case *self, Str expected, Str actual) {
  uint32_t number = 0;
  bool has_expected;
  bool has_actual;
  Str a;
  Str b;
  do {
    number++;
    a = STR("(end)");
    b = STR("(end)");
    has_expected = next_line(&expected, &a);
    has_actual = next_line(&actual, &b);
  } while (has_expected && has_actual && str_equal(a, b));
  fail(self, str_format(self->arena,
                        "snapshot differs at line %u\n    expected: %.*s\n"
                        "    is:       %.*s",
                        number, STR_ARG(a), STR_ARG(b)));
}

static void check_snapshot(Case *self, const Outcome *outcome) {
  Text both = text_new(self->arena);
  text_put(&both, outcome->err);
  text_put(&both, outcome->out);
  Str actual = text_str(&both);
  Str name = str_format(self->arena, "%.*s.out", STR_ARG(self->path));
  Str expected;
  Str error;
  bool exists = io_read_file(self->arena, name.data, &expected, &error);
  if (exists && str_equal(expected, actual))
    return;
  if (self->settings->is_blessing) {
    if (!io_write_file(name.data, actual, self->arena, &error))
      fail(self, error);
  } else if (!exists) {
    fail(self, STR("no snapshot; --bless makes it"));
  } else {
    show_difference(self, expected, actual);
  }
}

static void show_command(Case *self, char *const *line,
                         const Outcome *outcome) {
  Text *text = &self->report->text;
  text_puts(text, "  $ vxc");
  for (size_t i = 1; line[i] != NULL; i++)
    text_format(text, " %s", line[i]);
  text_format(text, "\n%.*s\n", STR_ARG(outcome->err));
}

void run_golden_case(const Settings *settings, Str path, Report *report) {
  Case self = {.settings = settings,
               .report = report,
               .arena = report->arena,
               .path = path,
               .status = -1};
  Str source;
  Str error;
  if (io_read_file(self.arena, str_to_c(self.arena, path), &source, &error))
    read_case(&self, source);
  else
    fail(&self, error);
  if (self.is_helper && !self.is_failed)
    return;
  if (self.words.count == 0 && !self.is_failed)
    fail(&self, STR("no `//!` line says what to do"));
  if (!self.is_failed) {
    char **line = command_line(&self);
    const Command command = {.arguments = line,
                             .directory = settings->root,
                             .limits_memory = !settings->is_sanitized};
    Outcome outcome = run_command(self.arena, &command);
    check_status(&self, &outcome);
    check_findings(&self, &outcome);
    if (self.has_snapshot)
      check_snapshot(&self, &outcome);
    if (self.is_failed)
      show_command(&self, line, &outcome);
  }
  report->passed += !self.is_failed;
  report->failed += self.is_failed;
}
