// SPDX-License-Identifier: Apache-2.0
//
// Sessions share nothing: what eight threads get at once is what one gets
// alone, byte by byte.

#include "unit/article.h"
#include "unit/test.h"
#include "vx.h"

#include <stdlib.h>
#include <string.h>
#include <threads.h>

enum { THREADS = 8, ROUNDS = 5 };

static const char *const programs[] = {
    article_tile,
    article_small_tile,
    "fn main() -> i32 { let x = ; return y }\n",
    "fn f(a: i32) -> i32 { return a + 1; }\n"
    "fn main() -> i32 {\n"
    "  let a = Tensor<f32, [64, 64], Memory::HBM>::new();\n"
    "  let b = transfer(a, Memory::SMEM);\n"
    "  return f(1);\n"
    "}\n",
    "Memory X { capacity: 1.1 KiB }\nfn main() -> i32 { return 0; }\n",
};

// Everything that a check says, as one text that the caller frees.
static char *check(size_t which) {
  VxSource machine = {"h100.vx", article_machine, strlen(article_machine)};
  VxSource host = {.name = "default"};
  VxOptions options = {.machines = &machine, .machine_count = 1, .host = &host};
  VxSource program = {"p.vx", programs[which], strlen(programs[which])};
  VxSession *session = vx_session_new(&options);
  VxResult *result = vx_check(session, &program, 1);
  VxText parts[] = {vx_render_text(result, true), vx_render_summary(result),
                    vx_render_json(result)};
  size_t length = 0;
  for (size_t i = 0; i < COUNT_OF(parts); i++)
    length += parts[i].length;
  char *all = calloc(length + 1, 1);
  CHECK(all != NULL);
  for (size_t i = 0; i < COUNT_OF(parts); i++)
    strcat(all, parts[i].data);
  vx_session_free(session);
  return all;
}

typedef struct {
  const char *expected[COUNT_OF(programs)];
  size_t first; // program
  unsigned differences;
} Work;

static int work(void *argument) {
  Work *own = argument;
  for (size_t round = 0; round < ROUNDS; round++) {
    for (size_t i = 0; i < COUNT_OF(programs); i++) {
      size_t which = (own->first + i) % COUNT_OF(programs);
      char *said = check(which);
      own->differences += strcmp(said, own->expected[which]) != 0;
      free(said);
    }
  }
  return 0;
}

TEST(threads_give_the_same_bytes) {
  char *expected[COUNT_OF(programs)];
  for (size_t i = 0; i < COUNT_OF(programs); i++)
    expected[i] = check(i);
  thrd_t threads[THREADS];
  Work works[THREADS] = {0};
  for (size_t i = 0; i < THREADS; i++) {
    works[i].first = i;
    memcpy(works[i].expected, expected, sizeof expected);
    EXPECT(thrd_create(&threads[i], work, &works[i]) == thrd_success);
  }
  for (size_t i = 0; i < THREADS; i++) {
    EXPECT(thrd_join(threads[i], NULL) == thrd_success);
    EXPECT_EQ(works[i].differences, 0);
  }
  for (size_t i = 0; i < COUNT_OF(programs); i++)
    free(expected[i]);
}

int main(void) { return RUN_TESTS(CASE(threads_give_the_same_bytes)); }
