// SPDX-License-Identifier: Apache-2.0
//
// libvx as a program uses it: through vx.h alone.

#include "unit/article.h"
#include "unit/test.h"
#include "vx.h"

#include <string.h>

// --- A file system in memory -------------------------------------------------

typedef struct {
  const char *path;
  const char *text;
} MemoryFile;

typedef struct {
  const MemoryFile *files;
  size_t file_count;
  unsigned reads;
  unsigned fleet_questions;
  const char *fleet;
} Files;

static bool read_memory_file(void *context, const char *path, VxReply *reply) {
  Files *files = context;
  for (size_t i = 0; i < files->file_count; i++) {
    if (strcmp(files->files[i].path, path) == 0) {
      files->reads++;
      vx_reply(reply, files->files[i].text, strlen(files->files[i].text));
      return true;
    }
  }
  return false;
}

static const char *find_memory_fleet(void *context) {
  Files *files = context;
  files->fleet_questions++;
  return files->fleet;
}

static VxSource source(const char *name, const char *text) {
  return (VxSource){name, text, strlen(text)};
}

static bool is_text(VxText text, const char *expected) {
  return strcmp(text.data, expected) == 0 && text.length == strlen(expected);
}

// The index of the first record of a code, or the count.
static size_t find_code(const VxResult *result, const char *code) {
  size_t i = 0;
  while (i < vx_diagnostic_count(result) &&
         !is_text(vx_diagnostic(result, i)->code, code))
    i++;
  return i;
}

static bool has_code(const VxResult *result, const char *code) {
  return find_code(result, code) < vx_diagnostic_count(result);
}

// --- Cases -------------------------------------------------------------------

TEST(defaults_check_a_program) {
  VxSession *session = vx_session_new(NULL);
  VxSource program = source("a.vx", "fn main() -> i32 { return 0; }\n");
  VxResult *result = vx_check(session, &program, 1);
  EXPECT_EQ(vx_verdict(result), VX_ADMITTED);
  EXPECT(vx_is_proved(result));
  EXPECT_EQ(vx_diagnostic_count(result), 0);
  EXPECT_EQ(vx_usage_error(result).length, 0);
  EXPECT_EQ(vx_render_text(result, false).length, 0);
  vx_session_free(session);
}

TEST(nothing_to_check_is_admitted) {
  VxSession *session = vx_session_new(NULL);
  VxResult *result = vx_check(session, NULL, 0);
  EXPECT_EQ(vx_verdict(result), VX_ADMITTED);
  vx_session_free(session);
  vx_session_free(NULL);
}

TEST(a_syntax_error_has_a_place) {
  VxSession *session = vx_session_new(NULL);
  VxSource program =
      source("a.vx", "fn main() -> i32 {\n  let \xf0\x9f\x98\x80 x;\n}\n");
  VxResult *result = vx_check(session, &program, 1);
  EXPECT_EQ(vx_verdict(result), VX_REJECTED);
  EXPECT(!vx_is_proved(result));
  if (EXPECT(vx_diagnostic_count(result) >= 1)) {
    const VxDiagnostic *d = vx_diagnostic(result, 0);
    EXPECT_EQ(d->level, VX_ERROR);
    EXPECT(is_text(d->place.file, "a.vx"));
    EXPECT_EQ(d->place.line, 2);
    EXPECT(d->capacity == NULL);
  }
  VxText text = vx_render_text(result, false);
  EXPECT(strstr(text.data, "  --> a.vx:2:") != NULL);
  EXPECT(strstr(text.data, " errors, 0 warnings\n") != NULL ||
         strstr(text.data, "1 errors, 0 warnings\n") != NULL);
  vx_session_free(session);
}

TEST(the_article_in_figures) {
  VxSource machine = source("h100.vx", article_machine);
  VxSource host = {.name = "default"};
  VxOptions options = {.machines = &machine, .machine_count = 1, .host = &host};
  VxSession *session = vx_session_new(&options);
  VxSource program = source("tile.vx", article_tile);
  VxResult *result = vx_check(session, &program, 1);
  EXPECT_EQ(vx_verdict(result), VX_REJECTED);
  if (EXPECT(vx_diagnostic_count(result) == 1)) {
    const VxDiagnostic *d = vx_diagnostic(result, 0);
    EXPECT(is_text(d->code, "E6009"));
    EXPECT(is_text(d->message,
                   "transferred tensor needs 262144 bytes but memory space "
                   "'SMEM' has capacity 233472 bytes"));
    EXPECT_EQ(d->place.line, 3);
    EXPECT_EQ(d->place.column, 14);
    EXPECT_EQ(d->place.utf16_column, 13);
    if (EXPECT(d->capacity != NULL)) {
      EXPECT(is_text(d->capacity->space, "SMEM"));
      EXPECT_EQ(d->capacity->required_bytes, 262144);
      EXPECT_EQ(d->capacity->available_bytes, 233472);
      EXPECT(!d->capacity->is_beyond);
    }
  }
  // The same session, another program.
  VxSource small = source("tile-128.vx", article_small_tile);
  VxResult *other = vx_check(session, &small, 1);
  EXPECT_EQ(vx_verdict(other), VX_ADMITTED);
  VxText summary = vx_render_summary(other);
  EXPECT(strstr(summary.data, "SMEM") != NULL);
  EXPECT(strstr(summary.data, "64 KiB (65536 B) of 228 KiB") != NULL);
  // The first result is as it was.
  EXPECT_EQ(vx_verdict(result), VX_REJECTED);
  vx_session_free(session);
}

TEST(files_come_through_the_callback) {
  static const MemoryFile list[] = {
      {"src/main.vx", "import util;\nfn main() -> i32 { return util::f(); }\n"},
      {"src/util.vx", "import main;\nfn f() -> i32 { return 0; }\n"},
  };
  Files files = {.files = list, .file_count = COUNT_OF(list)};
  VxOptions options = {.read = read_memory_file,
                       .find_fleet = find_memory_fleet,
                       .context = &files};
  VxSession *session = vx_session_new(&options);
  VxSource program = {.name = "src/main.vx"};
  VxResult *result = vx_check(session, &program, 1);
  EXPECT_EQ(vx_verdict(result), VX_ADMITTED);
  EXPECT_EQ(files.reads, 2); // a circle of imports ends
  EXPECT_EQ(files.fleet_questions, 0);
  vx_session_free(session);
}

TEST(what_is_missing_is_said) {
  Files files = {0};
  VxOptions options = {.read = read_memory_file, .context = &files};
  VxSession *session = vx_session_new(&options);
  VxSource missing = {.name = "no.vx"};
  VxResult *result = vx_check(session, &missing, 1);
  EXPECT_EQ(vx_verdict(result), VX_UNREADABLE);
  EXPECT(has_code(result, "E9001"));
  VxSource program =
      source("a/b.vx", "import x::y_z;\nfn main() -> i32 { return 0; }\n");
  result = vx_check(session, &program, 1);
  EXPECT_EQ(vx_verdict(result), VX_REJECTED);
  size_t at = find_code(result, "E9003");
  if (EXPECT(at < vx_diagnostic_count(result))) {
    const VxDiagnostic *d = vx_diagnostic(result, at);
    EXPECT(is_text(d->message, "no file for `import x::y_z`: looked for "
                               "a/x/y_z.vx, a/x/y-z.vx"));
    EXPECT_EQ(d->place.line, 1);
    EXPECT_EQ(d->place.column, 8);
  }
  vx_session_free(session);
}

TEST(bare_names_are_in_the_fleet) {
  static const MemoryFile list[] = {
      {"/fleet/gpu-1.vx", article_machine},
      {"/fleet/node.vx", "import fleet::gpu_1;\n"
                         "extend Topology Device { count: 2 }\n"},
      {"/fleet/host.vx", "Memory CPU_DRAM { scope: system }\n"},
  };
  Files files = {
      .files = list, .file_count = COUNT_OF(list), .fleet = "/fleet"};
  VxSource machine = {.name = "node"};
  VxSource host = {.name = "host"};
  VxOptions options = {.machines = &machine,
                       .machine_count = 1,
                       .host = &host,
                       .read = read_memory_file,
                       .find_fleet = find_memory_fleet,
                       .context = &files};
  VxSession *session = vx_session_new(&options);
  VxSource program = source("tile.vx", article_small_tile);
  VxResult *result = vx_check(session, &program, 1);
  EXPECT_EQ(vx_verdict(result), VX_ADMITTED);
  EXPECT_EQ(files.fleet_questions, 1);
  EXPECT_EQ(files.reads, 3);
  vx_session_free(session);

  machine.name = "unknown";
  session = vx_session_new(&options);
  result = vx_check(session, &program, 1);
  EXPECT_EQ(vx_verdict(result), VX_UNREADABLE);
  vx_session_free(session);
}

TEST(overrides_win_and_have_a_place) {
  VxSource machine = source("h100.vx", article_machine);
  VxSource host = {.name = "default"};
  const char *overrides[] = {"Memory::SMEM.capacity=1 MiB",
                             "Memory::SMEM.capacity = 300KiB"};
  VxOptions options = {.machines = &machine,
                       .machine_count = 1,
                       .host = &host,
                       .overrides = overrides,
                       .override_count = 2};
  VxSource program = source("tile.vx", article_tile);
  VxSession *session = vx_session_new(&options);
  VxResult *result = vx_check(session, &program, 1);
  EXPECT_EQ(vx_verdict(result), VX_ADMITTED);
  EXPECT(strstr(vx_render_summary(result).data, "of 300 KiB") != NULL);
  vx_session_free(session);

  overrides[1] = "Memory::SMEM.capacity=80 Gb";
  session = vx_session_new(&options);
  result = vx_check(session, &program, 1);
  size_t at = find_code(result, "E6109");
  if (EXPECT(at < vx_diagnostic_count(result)))
    EXPECT(is_text(vx_diagnostic(result, at)->place.file, "<command line>"));
  vx_session_free(session);
}

static void expect_usage(Test *test, const VxOptions *options,
                         const char *error) {
  VxSession *session = vx_session_new(options);
  VxSource program =
      source("a.vx", "const N: i32 = 1;\nfn main() -> i32 { return N; }\n");
  VxResult *result = vx_check(session, &program, 1);
  EXPECT_EQ(vx_verdict(result), VX_WRONG_USAGE);
  EXPECT_STR(str_from(vx_usage_error(result).data), error);
  vx_session_free(session);
}

TEST(wrong_options_are_told) {
  static const char *const bad_sets[] = {
      "HBM.capacity=1 GiB",          "Memory::HBM=1",
      "Memory::HBM.capacity=",       "Memory::HBM.a b=1",
      "Memory::HBM.capacity=1 // x", "Memory::HBM.capacity=1\n",
      "Memory::.capacity=1",
  };
  for (size_t i = 0; i < COUNT_OF(bad_sets); i++) {
    VxOptions options = {.overrides = &bad_sets[i], .override_count = 1};
    VxSession *session = vx_session_new(&options);
    EXPECT_EQ(vx_verdict(vx_check(session, NULL, 0)), VX_WRONG_USAGE);
    vx_session_free(session);
  }
  const char *define = "M=2";
  VxOptions options = {.defines = &define, .define_count = 1};
  expect_usage(test, &options, "-D M=2: no constant of that name");
  define = "N";
  expect_usage(test, &options, "-D N: expected NAME=VALUE");
  const char *warning = "W9999";
  options = (VxOptions){.warnings = &warning, .warning_count = 1};
  expect_usage(test, &options, "-W W9999: no code of that name");
  warning = "no-E6009";
  expect_usage(test, &options, "-W no-E6009: E6009 is an error, not a warning");
}

// A run-time shape in a memory with a capacity: W1029.
static const char dynamic_program[] =
    "fn f(n: i32) -> i32 {\n"
    "  let t = Tensor<f32, [?, 8], Memory::SMEM>::new([n, 8]);\n"
    "  return 0;\n"
    "}\n"
    "fn main() -> i32 { return f(4); }\n";

TEST(warnings_can_be_raised_and_silenced) {
  VxSource machine = source("h100.vx", article_machine);
  VxSource host = {.name = "default"};
  const char *flags[] = {"no-W1029", "W1029"};
  VxOptions options = {.machines = &machine, .machine_count = 1, .host = &host};
  VxSource program = source("a.vx", dynamic_program);

  VxSession *session = vx_session_new(&options);
  VxResult *result = vx_check(session, &program, 1);
  EXPECT_EQ(vx_verdict(result), VX_ADMITTED);
  EXPECT(has_code(result, "W1029"));
  EXPECT(!vx_is_proved(result));
  vx_session_free(session);

  options.warnings = flags;
  options.warning_count = 1;
  session = vx_session_new(&options);
  result = vx_check(session, &program, 1);
  EXPECT_EQ(vx_verdict(result), VX_ADMITTED);
  EXPECT(!has_code(result, "W1029"));
  EXPECT(!vx_is_proved(result)); // silence proves nothing
  vx_session_free(session);

  options.warning_count = 2;
  session = vx_session_new(&options);
  EXPECT(has_code(vx_check(session, &program, 1), "W1029"));
  vx_session_free(session);

  flags[0] = "error";
  options.warning_count = 1;
  session = vx_session_new(&options);
  result = vx_check(session, &program, 1);
  EXPECT_EQ(vx_verdict(result), VX_REJECTED);
  EXPECT(strstr(vx_render_text(result, false).data, "Error[W1029]") != NULL);
  vx_session_free(session);
}

TEST(defines_replace_constants) {
  const char *define = "N=512";
  VxSource machine = source("h100.vx", article_machine);
  VxSource host = {.name = "default"};
  VxOptions options = {.machines = &machine,
                       .machine_count = 1,
                       .host = &host,
                       .defines = &define,
                       .define_count = 1};
  VxSource program =
      source("a.vx", "const N: i32 = 4;\n"
                     "fn main() -> i32 {\n"
                     "  let t = Tensor<f32, [N, N], Memory::SMEM>::new();\n"
                     "  return 0;\n"
                     "}\n");
  VxSession *session = vx_session_new(&options);
  VxResult *result = vx_check(session, &program, 1);
  EXPECT(has_code(result, "E6009"));
  vx_session_free(session);
}

TEST(texts_are_limited) {
  VxOptions options = {.byte_limit = 10};
  VxSession *session = vx_session_new(&options);
  VxSource program = source("a.vx", "fn main() -> i32 { return 0; }\n");
  EXPECT_EQ(vx_verdict(vx_check(session, &program, 1)), VX_UNREADABLE);
  vx_session_free(session);
}

TEST(pages_are_embedded) {
  EXPECT_EQ(vx_explain("E0000").length, 0);
  EXPECT(strcmp(vx_explain("E0000").data, "") == 0);
  EXPECT(strcmp(vx_version(), "") != 0);
}

int main(void) {
  return RUN_TESTS(
      CASE(defaults_check_a_program), CASE(nothing_to_check_is_admitted),
      CASE(a_syntax_error_has_a_place), CASE(the_article_in_figures),
      CASE(files_come_through_the_callback), CASE(what_is_missing_is_said),
      CASE(bare_names_are_in_the_fleet), CASE(overrides_win_and_have_a_place),
      CASE(wrong_options_are_told), CASE(warnings_can_be_raised_and_silenced),
      CASE(defines_replace_constants), CASE(texts_are_limited),
      CASE(pages_are_embedded));
}
