// SPDX-License-Identifier: Apache-2.0
//
// The catalogue: every row is sound, and records are kept, dropped, counted and
// sorted as diag.h says.

#include "diag/diag.h"
#include "unit/test.h"

#include <string.h>

typedef struct {
  const char *code;
  const char *text;
  const char *params; // "P2(S, expected, S, found)"
} Row;

static const Row rows[] = {
#define DIAG(code, severity, name, text, params) {#code, text, #params},
#define DIAG_ALSO(code, severity, name, text, params) {#code, text, #params},
#include "diag/diag.def"
#undef DIAG
#undef DIAG_ALSO
};

// Whether `name` is a parameter of the row.
static bool has_parameter(const Row *row, Str name) {
  const char *at = row->params;
  while ((at = strchr(at, ',')) != NULL) {
    at++;
    while (*at == ' ')
      at++;
    if (str_starts_with(str_from(at), name) &&
        (at[name.length] == ',' || at[name.length] == ')'))
      return true;
  }
  return false;
}

TEST(texts_use_the_parameters_of_their_row) {
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    const Row *row = &rows[i];
    const char *at = row->text;
    while ((at = strchr(at, '{')) != NULL) {
      const char *end = strchr(at, '}');
      EXPECT(end != NULL);
      Str name = {at + 1, (size_t)(end - at - 1)};
      if (!EXPECT(has_parameter(row, name)))
        printf("  %s has no {%.*s}\n", row->code, STR_ARG(name));
      at = end;
    }
  }
}

TEST(codes_and_names_agree) {
  for (unsigned code = 1; code < DIAG_CODE_COUNT; code++) {
    const char *name = diag_code_name((DiagCode)code);
    EXPECT_EQ(strlen(name), 5);
    EXPECT_EQ(diag_code_from_name(str_from(name)), code);
    bool is_warning = diag_code_severity((DiagCode)code) == SEVERITY_WARNING;
    EXPECT_EQ(name[0] == 'W', is_warning);
    EXPECT(diag_code_text((DiagCode)code)[0] != '\0');
  }
  EXPECT_EQ(diag_code_from_name(STR("E0000")), DIAG_NONE);
  EXPECT_EQ(diag_code_from_name(STR("")), DIAG_NONE);
}

TEST(arguments_fill_the_text) {
  Arena arena = {0};
  DiagSink sink;
  diag_init(&sink, &arena);
  Bytes beyond = bytes_mul(BYTES(UINT64_MAX), 2);
  Diagnostic *d = diag_over_capacity(&sink, (Span){1, 2}, STR("variable 'w'"),
                                     beyond, STR("HBM"), 5);
  EXPECT_STR(d->message,
             "variable 'w' needs more than 18446744073709551615 bytes but "
             "memory space 'HBM' has capacity 5 bytes");
  arena_free(&arena);
}

TEST(the_same_code_and_span_is_reported_once) {
  Arena arena = {0};
  DiagSink sink;
  diag_init(&sink, &arena);
  EXPECT(!diag_unknown_type(&sink, (Span){1, 2}, STR("a"))->is_dropped);
  EXPECT(diag_unknown_type(&sink, (Span){1, 2}, STR("b"))->is_dropped);
  EXPECT(!diag_unknown_type(&sink, (Span){1, 3}, STR("b"))->is_dropped);
  EXPECT(!diag_unknown_variable(&sink, (Span){1, 2}, STR("b"))->is_dropped);
  // Without a place the words decide.
  EXPECT(!diag_unknown_type(&sink, NO_SPAN, STR("a"))->is_dropped);
  EXPECT(!diag_unknown_type(&sink, NO_SPAN, STR("b"))->is_dropped);
  EXPECT(diag_unknown_type(&sink, NO_SPAN, STR("b"))->is_dropped);
  EXPECT_EQ(sink.error_count, 5);
  EXPECT_EQ(sink.records.count, 7);
  arena_free(&arena);
}

TEST(warnings_can_be_silenced_and_raised) {
  Arena arena = {0};
  DiagSink sink;
  diag_init(&sink, &arena);
  EXPECT_EQ(diag_same_memory(&sink, (Span){1, 1}, STR("HBM"))->severity,
            SEVERITY_WARNING);
  sink.is_silenced[DIAG_W1022] = true;
  EXPECT(diag_same_memory(&sink, (Span){2, 1}, STR("HBM"))->is_dropped);
  sink.is_silenced[DIAG_W1022] = false;
  sink.warnings_are_errors = true;
  EXPECT_EQ(diag_same_memory(&sink, (Span){3, 1}, STR("HBM"))->severity,
            SEVERITY_ERROR);
  EXPECT_EQ(sink.warning_count, 1);
  EXPECT_EQ(sink.error_count, 1);
  arena_free(&arena);
}

TEST(records_are_sorted_by_phase_and_position) {
  Arena arena = {0};
  SourceMap sources;
  source_init(&sources, &arena);
  (void)source_add(&sources, STR("a.vx"), STR("one\ntwo three\n"));
  DiagSink sink;
  diag_init(&sink, &arena);
  sink.phase = PHASE_SEMA;
  Diagnostic *third = diag_unknown_type(&sink, (Span){9, 5}, STR("three"));
  Diagnostic *second = diag_unknown_type(&sink, (Span){5, 3}, STR("two"));
  Diagnostic *fourth = diag_unknown_variable(&sink, (Span){9, 1}, STR("t"));
  sink.phase = PHASE_SYNTAX;
  Diagnostic *first =
      diag_unexpected_token(&sink, (Span){12, 1}, STR("a"), STR("b"));
  diag_finish(&sink, &sources);
  EXPECT(sink.records.items[0] == first && sink.records.items[1] == second);
  EXPECT(sink.records.items[2] == third && sink.records.items[3] == fourth);
  EXPECT_STR(third->file, "a.vx");
  EXPECT(third->start.line == 2 && third->start.column == 5);
  EXPECT(third->end.line == 2 && third->end.column == 10);
  arena_free(&arena);
}

int main(void) {
  return RUN_TESTS(CASE(texts_use_the_parameters_of_their_row),
                   CASE(codes_and_names_agree), CASE(arguments_fill_the_text),
                   CASE(the_same_code_and_span_is_reported_once),
                   CASE(warnings_can_be_silenced_and_raised),
                   CASE(records_are_sorted_by_phase_and_position));
}
