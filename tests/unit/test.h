// SPDX-License-Identifier: Apache-2.0
//
// The frame of the unit tests. A program is a list of cases:
//
//   TEST(sum_is_exact) { EXPECT_EQ(1 + 1, 2); }
//   int main(void) { return RUN_TESTS(CASE(sum_is_exact)); }
//
// A case that is not listed does not compile (unused function), and a case that
// expects nothing fails. The last line is "N passed, N failed, N skipped".

#ifndef VX_UNIT_TEST_H
#define VX_UNIT_TEST_H

#include "base/base.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct {
  unsigned expectations;
  unsigned failures;
} Test;

typedef struct {
  const char *name;
  void (*run)(Test *test);
} TestCase;

#define TEST(name) static void test_##name(Test *test)
#define CASE(name)                                                             \
  { #name, test_##name }
#define RUN_TESTS(...)                                                         \
  test_run((const TestCase[]){__VA_ARGS__},                                    \
           COUNT_OF(((const TestCase[]){__VA_ARGS__})))

#define EXPECT(condition)                                                      \
  test_expect(test, (condition), __FILE__, __LINE__, #condition)
#define EXPECT_EQ(actual, expected)                                            \
  test_expect_equal(test, (uint64_t)(actual), (uint64_t)(expected), __FILE__,  \
                    __LINE__, #actual)
#define EXPECT_STR(actual, expected)                                           \
  test_expect_text(test, (actual), str_from(expected), __FILE__, __LINE__,     \
                   #actual)

static inline bool test_expect(Test *test, bool holds, const char *file,
                               int line, const char *what) {
  test->expectations++;
  if (holds)
    return true;
  test->failures++;
  printf("FAILED %s:%d: %s\n", file, line, what);
  return false;
}

static inline void test_expect_equal(Test *test, uint64_t actual,
                                     uint64_t expected, const char *file,
                                     int line, const char *what) {
  if (!test_expect(test, actual == expected, file, line, what))
    printf("  is %" PRIu64 ", expected %" PRIu64 "\n", actual, expected);
}

static inline void test_expect_text(Test *test, Str actual, Str expected,
                                    const char *file, int line,
                                    const char *what) {
  if (!test_expect(test, str_equal(actual, expected), file, line, what))
    printf("  is:\n%.*s\n  expected:\n%.*s\n", STR_ARG(actual),
           STR_ARG(expected));
}

static inline int test_run(const TestCase *cases, size_t count) {
  unsigned passed = 0;
  for (size_t i = 0; i < count; i++) {
    Test test = {0};
    cases[i].run(&test);
    if (test.expectations == 0)
      printf("FAILED %s expects nothing\n", cases[i].name);
    bool is_passed = test.expectations != 0 && test.failures == 0;
    passed += is_passed;
    printf("%s %s\n", is_passed ? "ok" : "FAILED", cases[i].name);
  }
  printf("%u passed, %u failed, 0 skipped\n", passed, (unsigned)count - passed);
  return passed == count ? 0 : 1;
}

// Splitmix64: the same numbers on every machine from a fixed seed.
static inline uint64_t test_random(uint64_t *state) {
  *state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t x = *state;
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

#endif
