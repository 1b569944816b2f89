// SPDX-License-Identifier: Apache-2.0

#include "unit/syntax_fixture.h"

typedef struct {
  Fixture fixture;
  TokenList tokens;
  CommentList comments;
} Lexed;

static void lex_text(Lexed *l, Str text) {
  Fixture *f = &l->fixture;
  fixture_open(f);
  FileId file = source_add(&f->sources, STR("t.vx"), text);
  lex(&f->arena, &f->interner, &f->sources, file, &f->sink, &l->tokens,
      &l->comments);
  diag_finish(&f->sink, &f->sources);
}

// The texts of all tokens, with `|` between them; `!` marks a BAD one.
static Str token_texts(Lexed *l) {
  Text text = text_new(&l->fixture.arena);
  for (uint32_t i = 1; i + 1 < l->tokens.items.count; i++) {
    const Token *token = &l->tokens.items.items[i];
    if (i > 1)
      text_char(&text, '|');
    if (token->kind == TOKEN_BAD)
      text_char(&text, '!');
    text_put(&text, source_text(&l->fixture.sources,
                                (Span){token->start, token->length}));
  }
  return text_str(&text);
}

#define EXPECT_TOKENS(source, expected)                                        \
  do {                                                                         \
    Lexed l;                                                                   \
    lex_text(&l, STR(source));                                                 \
    EXPECT_STR(token_texts(&l), expected);                                     \
    fixture_close(&l.fixture);                                                 \
  } while (0)

#define EXPECT_CODES(source, expected)                                         \
  do {                                                                         \
    Lexed l;                                                                   \
    lex_text(&l, STR(source));                                                 \
    EXPECT_STR(fixture_codes(&l.fixture), expected);                           \
    fixture_close(&l.fixture);                                                 \
  } while (0)

static TokenKind kind_of(const char *source) {
  Lexed l;
  lex_text(&l, str_from(source));
  TokenKind kind = l.tokens.items.count == 3
                       ? (TokenKind)l.tokens.items.items[1].kind
                       : TOKEN_BAD;
  fixture_close(&l.fixture);
  return kind;
}

TEST(operators_are_longest_first) {
  EXPECT_TOKENS("a<<=b>>=c", "a|<<=|b|>>=|c");
  EXPECT_TOKENS("a->b=>c::d..e", "a|->|b|=>|c|::|d|..|e");
  EXPECT_TOKENS("<=>=!===&&||", "<=|>=|!=|==|&&|||");
  EXPECT_TOKENS("|||", "||||");
  EXPECT_TOKENS("a>>>b", "a|>>|>|b");
}

TEST(every_operator_is_itself) {
  for (int kind = TOKEN_SHL_EQ; kind < TOKEN_KIND_COUNT; kind++)
    EXPECT_EQ(kind_of(token_kind_text((TokenKind)kind)), kind);
}

TEST(every_keyword_is_itself) {
  for (int kind = TOKEN_FN; kind < TOKEN_SHL_EQ; kind++) {
    EXPECT_EQ(kind_of(token_kind_text((TokenKind)kind)), kind);
    EXPECT_EQ(token_kind_is_name((TokenKind)kind),
              kind >= TOKEN_ON && kind <= TOKEN_SAFE);
  }
  EXPECT_EQ(kind_of("fnx"), TOKEN_IDENT);
  EXPECT_EQ(kind_of("_"), TOKEN_IDENT);
  EXPECT_EQ(kind_of("true"), TOKEN_IDENT);
}

TEST(names_may_have_letters_of_any_script) {
  EXPECT_EQ(kind_of("gr\xc3\xb6\xc3\x9f\x65_2"), TOKEN_IDENT);
  EXPECT_TOKENS("\xce\xb1+\xce\xb2", "\xce\xb1|+|\xce\xb2");
}

TEST(a_range_is_no_float) {
  EXPECT_TOKENS("0..4", "0|..|4");
  EXPECT_TOKENS("1.5..2.5", "1.5|..|2.5");
  EXPECT_TOKENS("1.foo", "1|.|foo");
  EXPECT_TOKENS("t.0.1", "t|.|0|.|1");
  EXPECT_TOKENS("t.0.1.5", "t|.|0|.|1|.|5");
}

TEST(kinds_of_numbers) {
  EXPECT_EQ(kind_of("1_000"), TOKEN_INTEGER);
  EXPECT_EQ(kind_of("0xff_u8"), TOKEN_INTEGER);
  EXPECT_EQ(kind_of("0b1010"), TOKEN_INTEGER);
  EXPECT_EQ(kind_of("0o17i128"), TOKEN_INTEGER);
  EXPECT_EQ(kind_of("1.5"), TOKEN_FLOAT);
  EXPECT_EQ(kind_of("2e-3"), TOKEN_FLOAT);
  EXPECT_EQ(kind_of("1.5e+3bf16"), TOKEN_FLOAT);
  EXPECT_EQ(kind_of("1f32"), TOKEN_FLOAT);
  EXPECT_EQ(kind_of("40KiB"), TOKEN_INTEGER);
  EXPECT_EQ(kind_of("1.98GHz"), TOKEN_FLOAT);
}

TEST(malformed_literals) {
  EXPECT_CODES("0b12", "E1015@1:1");
  EXPECT_CODES("0o8", "E1015@1:1");
  EXPECT_CODES("0x", "E1015@1:1");
  EXPECT_CODES("0xfg", "E1015@1:1");
  EXPECT_CODES("1e", "E1015@1:1");
  EXPECT_CODES("\"a\\q\"", "E1015@1:3");
  EXPECT_CODES("\"a\\x4\"", "E1015@1:3");
  EXPECT_CODES("\"abc\nx", "E1015@1:1");
  EXPECT_CODES("\"\\n\\t\\r\\\"\\\\\\0\\x41\"", "");
}

TEST(stray_characters) {
  EXPECT_CODES("a $ b", "E1001@1:3");
  EXPECT_CODES("'a'", "E1001@1:1");
  EXPECT_CODES("'\\n'", "E1001@1:1");
  EXPECT_CODES("\xe2\x82\xac", "E1001@1:1");
  EXPECT_TOKENS("a 'b' c", "a|!'b'|c");
}

TEST(bytes_that_are_no_text) {
  EXPECT_CODES("ab\0c\0 $", "E1017@1:3");
  EXPECT_CODES("a\n \xff \xfe", "E1017@2:2");
  EXPECT_CODES("\"\xc3\x28\"", "E1017@1:2");
  EXPECT_TOKENS("a b \xff c", "");
}

TEST(comments) {
  Lexed l;
  lex_text(&l, STR("/// doc\r\n//// no doc  \nx // behind\n  // alone"));
  EXPECT_EQ(l.comments.items.count, 4);
  const Comment *c = l.comments.items.items;
  EXPECT(c[0].is_doc && c[0].is_alone);
  EXPECT(!c[1].is_doc && c[1].is_alone);
  EXPECT(!c[2].is_doc && !c[2].is_alone);
  EXPECT(c[3].is_alone);
  EXPECT_STR(source_text(&l.fixture.sources, c[0].span), "/// doc");
  EXPECT_STR(source_text(&l.fixture.sources, c[1].span), "//// no doc");
  EXPECT_STR(token_texts(&l), "x");
  fixture_close(&l.fixture);
}

TEST(equal_names_are_equal) {
  Lexed l;
  lex_text(&l, STR("alpha beta alpha"));
  const Token *t = l.tokens.items.items;
  EXPECT(name_equal(t[1].name, t[3].name));
  EXPECT(!name_equal(t[1].name, t[2].name));
  EXPECT_STR(name_text(&l.fixture.interner, t[2].name), "beta");
  fixture_close(&l.fixture);
}

int main(void) {
  return RUN_TESTS(
      CASE(operators_are_longest_first), CASE(every_operator_is_itself),
      CASE(every_keyword_is_itself), CASE(names_may_have_letters_of_any_script),
      CASE(a_range_is_no_float), CASE(kinds_of_numbers),
      CASE(malformed_literals), CASE(stray_characters),
      CASE(bytes_that_are_no_text), CASE(comments),
      CASE(equal_names_are_equal));
}
