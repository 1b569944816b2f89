// SPDX-License-Identifier: Apache-2.0
//
// Inputs and imports: which files are looked for, in which order, once.

#include "session/session.h"
#include "unit/test.h"

typedef struct {
  const char *path;
  const char *text;
} MemoryFile;

typedef struct {
  const MemoryFile *files;
  size_t file_count;
  Text log; // every path that was asked for
} Files;

static bool read_memory_file(void *context, Arena *arena, const char *path,
                             Str *bytes, Str *error) {
  Files *files = context;
  text_format(&files->log, "%s ", path);
  for (size_t i = 0; i < files->file_count; i++) {
    if (str_equal(str_from(path), str_from(files->files[i].path))) {
      *bytes = str_copy(arena, str_from(files->files[i].text));
      return true;
    }
  }
  *error = STR("No such file or directory");
  return false;
}

static const char *find_fleet(void *context) {
  (void)context;
  return "/F";
}

// Runs `read` and `parse`; what was asked for, and what came of it.
static void expect_log(Test *test, const MemoryFile *list, size_t count,
                       SessionOptions *options, const char *log,
                       const char *inputs) {
  Arena arena = {0};
  Files files = {list, count, text_new(&arena)};
  options->files = (SessionFiles){read_memory_file, find_fleet, &files};
  options->stop_after = "parse";
  options->dump = "read";
  Session session;
  session_init(&session, options);
  session_run(&session);
  Text names = text_new(&arena);
  for (uint32_t i = 0; i < session.inputs.count; i++) {
    text_put(&names, session.inputs.items[i].path);
    text_char(&names, ' ');
  }
  EXPECT_STR(text_str(&files.log), log);
  EXPECT_STR(text_str(&names), inputs);
  session_free(&session);
  arena_free(&arena);
}

static NamedText named(const char *path) {
  return (NamedText){.name = str_from(path)};
}

TEST(imports_stand_on_the_path_then_beside_their_importer) {
  static const MemoryFile list[] = {
      {"a/main.vx", "import b::c;\nimport d;\nimport e;\n"},
      {"a/b/c.vx", "import c2;\n"},
      {"a/b/c2.vx", ""},
      {"p/d.vx", ""},
      {"q/e.vx", ""},
  };
  Arena arena = {0};
  SessionOptions options = {0};
  VEC_PUSH(&arena, &options.programs, named("a/main.vx"));
  VEC_PUSH(&arena, &options.paths, STR("p"));
  VEC_PUSH(&arena, &options.paths, STR("q/"));
  expect_log(test, list, COUNT_OF(list), &options,
             "a/main.vx p/b/c.vx q/b/c.vx a/b/c.vx p/d.vx p/e.vx q/e.vx "
             "p/c2.vx q/c2.vx a/b/c2.vx ",
             "a/main.vx a/b/c.vx p/d.vx q/e.vx a/b/c2.vx ");
  arena_free(&arena);
}

TEST(one_file_is_read_once) {
  static const MemoryFile list[] = {
      {"./a.vx", "import b;\nimport b;\n"},
      {"./b.vx", "import a;\n"},
      {"c/../a.vx", ""},
  };
  Arena arena = {0};
  SessionOptions options = {0};
  VEC_PUSH(&arena, &options.programs, named("./a.vx"));
  VEC_PUSH(&arena, &options.programs, named("c/../a.vx"));
  VEC_PUSH(&arena, &options.programs, named(".//a.vx"));
  expect_log(test, list, COUNT_OF(list), &options, "./a.vx ./b.vx ",
             "./a.vx ./b.vx ");
  arena_free(&arena);
}

TEST(machines_are_looked_for_here_then_in_the_fleet) {
  static const MemoryFile list[] = {
      {"m/node.vx", "import fleet::gpu_x;\nimport fleet::cpu;\n"},
      {"m/gpu-x.vx", "import own;\n"},
      {"m/own.vx", ""},
      {"/F/cpu.vx", ""},
      {"/F/host-1.vx", ""},
  };
  Arena arena = {0};
  SessionOptions options = {.has_host = true, .host = named("host_1")};
  VEC_PUSH(&arena, &options.machines, named("m/node.vx"));
  expect_log(test, list, COUNT_OF(list), &options,
             "m/node.vx /F/host-1.vx m/gpu_x.vx m/gpu-x.vx m/cpu.vx "
             "m/fleet/cpu.vx /F/cpu.vx m/own.vx ",
             "m/node.vx fleet/host-1.vx m/gpu-x.vx fleet/cpu.vx m/own.vx ");
  arena_free(&arena);
}

TEST(a_program_may_import_a_machine) {
  static const MemoryFile list[] = {
      {"p/a.vx", "import fleet::gpu;\n"},
      {"/F/gpu.vx", ""},
  };
  Arena arena = {0};
  SessionOptions options = {0};
  VEC_PUSH(&arena, &options.programs, named("p/a.vx"));
  expect_log(test, list, COUNT_OF(list), &options,
             "p/a.vx p/fleet/gpu.vx /F/gpu.vx ", "p/a.vx fleet/gpu.vx ");
  arena_free(&arena);
}

TEST(overrides_become_one_text) {
  Arena arena = {0};
  StrVec overrides = {0};
  VEC_PUSH(&arena, &overrides, STR("Memory::A.capacity=1KiB"));
  VEC_PUSH(&arena, &overrides, STR("Topology::T.count = 4"));
  VEC_PUSH(&arena, &overrides, STR(" Memory::A.capacity = 2 KiB "));
  VEC_PUSH(&arena, &overrides, STR("nonsense"));
  EXPECT_STR(session_overrides_text(&arena, &overrides),
             "extend Topology T { count: 4 } // policy: command line\n"
             "extend Memory A { capacity: 2 KiB } // policy: command line\n");
  arena_free(&arena);
}

TEST(passes_have_names) {
  EXPECT(session_has_pass(STR("sema")));
  EXPECT(!session_has_pass(STR("semantics")));
  for (size_t i = 0; i < session_pass_count(); i++)
    EXPECT(session_has_pass(str_from(session_pass_name(i))));
}

int main(void) {
  return RUN_TESTS(CASE(imports_stand_on_the_path_then_beside_their_importer),
                   CASE(one_file_is_read_once),
                   CASE(machines_are_looked_for_here_then_in_the_fleet),
                   CASE(a_program_may_import_a_machine),
                   CASE(overrides_become_one_text), CASE(passes_have_names));
}
