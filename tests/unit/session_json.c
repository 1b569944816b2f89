// SPDX-License-Identifier: Apache-2.0
//
// vx-diagnostics-v1: valid, with its keys in their order, whatever happens.
// With arguments it judges files instead: exit status 1 for the first that is
// no JSON. Tests of the command line use it so.

#include "unit/article.h"
#include "unit/json.h"
#include "unit/test.h"
#include "vx.h"

#include <string.h>

static const char object_keys[] =
    "schema file machine host verdict error_count warning_count proved "
    "unverified diagnostics routes links resident_sets plan";

// The JSON of one check on the article's machine, kept in `arena`.
static Str check(Arena *arena, const char *text) {
  VxSource machine = {"h100.vx", article_machine, strlen(article_machine)};
  VxSource host = {.name = "default"};
  VxOptions options = {.machines = &machine, .machine_count = 1, .host = &host};
  VxSource program = {"p.vx", text, strlen(text)};
  VxSession *session = vx_session_new(&options);
  VxText json = vx_render_json(vx_check(session, &program, 1));
  Str copy = str_copy(arena, (Str){json.data, json.length});
  vx_session_free(session);
  return copy;
}

TEST(every_text_is_an_object_of_the_same_keys) {
  static const char *const texts[] = {
      "",
      article_tile,
      article_small_tile,
      "fn main() -> i32 { return x }\n",
      "fn \x80\xff\x01 \"\\q",
      "Memory S { within: Memory::S }\n",
      "import nothing;\nfn main() -> i32 { return 0; }\n",
      "fn main() -> i32 { let \xc3\xa4 = 1; let b = \"\\xZZ\"; return 0; }\n",
  };
  Arena arena = {0};
  for (size_t i = 0; i < COUNT_OF(texts); i++) {
    Str json = check(&arena, texts[i]);
    if (!EXPECT(json_is_valid(json)))
      printf("%.*s\n", STR_ARG(json));
    EXPECT_STR(json_keys(&arena, json), object_keys);
    EXPECT_STR(json_get(json, "schema"), "\"vx-diagnostics-v1\"");
    EXPECT_STR(json_get(json, "plan"), "[]");
  }
  arena_free(&arena);
}

TEST(a_refusal_carries_its_figures) {
  Arena arena = {0};
  Str json = check(&arena, article_tile);
  EXPECT_STR(json_get(json, "verdict"), "\"rejected\"");
  EXPECT_STR(json_get(json, "file"), "\"p.vx\"");
  EXPECT_STR(json_get(json, "machine"), "\"h100.vx\"");
  EXPECT_STR(json_get(json, "host"), "\"default\"");
  EXPECT_STR(json_get(json, "error_count"), "1");
  EXPECT_STR(json_get(json, "proved"), "false");
  Str first = json_at(json_get(json, "diagnostics"), 0);
  EXPECT(str_starts_with(json_keys(&arena, first),
                         STR("level code message file line column end_line "
                             "end_column notes fixits capacity")));
  Str capacity = json_get(first, "capacity");
  EXPECT_STR(json_get(capacity, "space"), "\"SMEM\"");
  EXPECT_STR(json_get(capacity, "required_bytes"), "262144");
  EXPECT_STR(json_get(capacity, "available_bytes"), "233472");
  EXPECT_STR(json_get(capacity, "margin_bytes"), "-28672");
  EXPECT_STR(json_get(capacity, "tiles"), "null");
  arena_free(&arena);
}

TEST(an_admission_carries_routes_links_and_sets) {
  Arena arena = {0};
  Str json = check(&arena, article_small_tile);
  EXPECT_STR(json_get(json, "verdict"), "\"admitted\"");
  EXPECT_STR(json_get(json, "proved"), "true");
  static const char *const costs[] = {"1040254", "25025", "979483"};
  static const char *const sources[] = {"\"link_rate\"", "\"containment\"",
                                        "\"containment\""};
  Str routes = json_get(json, "routes");
  for (size_t i = 0; i < 3; i++) {
    Str route = json_at(routes, i);
    EXPECT_STR(json_keys(&arena, route),
               "path edges total_cost bytes derived_cost derived_unit "
               "cost_source composition latency times times_text file line");
    EXPECT_STR(json_get(route, "bytes"), "65536");
    EXPECT_STR(json_get(route, "derived_cost"), costs[i]);
    EXPECT_STR(json_get(route, "derived_unit"), "\"ps\"");
    EXPECT_STR(json_get(route, "cost_source"), sources[i]);
    EXPECT_STR(json_get(route, "times"), "1");
    EXPECT_STR(json_get(route, "line"), "3");
  }
  EXPECT_EQ(json_at(routes, 3).length, 0);
  Str link = json_at(json_get(json, "links"), 0);
  EXPECT_STR(json_keys(&arena, link), "from to transfers bytes time_ps");
  EXPECT_STR(json_get(link, "from"), "\"CPU_DRAM\"");
  EXPECT_STR(json_get(link, "time_ps"), "1040254");
  Str set = json_at(json_get(json, "resident_sets"), 0);
  EXPECT_STR(json_keys(&arena, set),
             "function space total_bytes own_bytes capacity_bytes limit_bytes "
             "utilization tiles overcommit peak_at alive");
  EXPECT_STR(json_get(set, "function"), "\"main\"");
  EXPECT_STR(json_get(set, "space"), "\"CPU_DRAM\"");
  EXPECT_STR(json_get(set, "capacity_bytes"), "null");
  EXPECT_STR(json_get(set, "utilization"), "null");
  arena_free(&arena);
}

static int judge_files(int count, char **paths) {
  for (int i = 1; i < count; i++) {
    Arena arena = {0};
    Str text;
    Str error;
    bool is_valid =
        io_read_file(&arena, paths[i], &text, &error) && json_is_valid(text);
    arena_free(&arena);
    if (!is_valid) {
      printf("%s: no JSON\n", paths[i]);
      return 1;
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return judge_files(argc, argv);
  return RUN_TESTS(CASE(every_text_is_an_object_of_the_same_keys),
                   CASE(a_refusal_carries_its_figures),
                   CASE(an_admission_carries_routes_links_and_sets));
}
