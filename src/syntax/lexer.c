// SPDX-License-Identifier: Apache-2.0
//
// Text to tokens and comments, in one walk. Words are interned; a table that
// maps their names to keywords is made anew for each file, because an interner
// is a session's. Numbers may carry any suffix here: units are known only to
// the parser, which refuses what is neither a suffix nor a unit.

#include "syntax/internal.h"

#include <string.h>

// --- Words about kinds -------------------------------------------------------

static const char *const kind_words[] = {
#define TOKEN(kind, text) text,
#define KEYWORD(kind, text) "`" text "`",
#define SOFT_KEYWORD(kind, text) "`" text "`",
#define PUNCT(kind, text) "`" text "`",
#include "syntax/token.def"
#undef TOKEN
#undef KEYWORD
#undef SOFT_KEYWORD
#undef PUNCT
};

static const char *const kind_texts[] = {
#define TOKEN(kind, text) NULL,
#define KEYWORD(kind, text) text,
#define SOFT_KEYWORD(kind, text) text,
#define PUNCT(kind, text) text,
#include "syntax/token.def"
#undef TOKEN
#undef KEYWORD
#undef SOFT_KEYWORD
#undef PUNCT
};

const char *token_kind_words(TokenKind kind) {
  CHECK(kind < TOKEN_KIND_COUNT);
  return kind_words[kind];
}

const char *token_kind_text(TokenKind kind) {
  CHECK(kind < TOKEN_KIND_COUNT);
  return kind_texts[kind];
}

bool token_kind_is_name(TokenKind kind) {
  switch (kind) {
  case TOKEN_IDENT:
#define TOKEN(kind, text)
#define KEYWORD(kind, text)
#define SOFT_KEYWORD(kind, text) case TOKEN_##kind:
#define PUNCT(kind, text)
#include "syntax/token.def"
#undef TOKEN
#undef KEYWORD
#undef SOFT_KEYWORD
#undef PUNCT
    return true;
  default:
    return false;
  }
}

// --- State -------------------------------------------------------------------

typedef struct {
  char text[4];
  uint8_t length;
  uint8_t kind;
} Operator;

// In the order of token.def: longest first.
static const Operator operators[] = {
#define TOKEN(kind, text)
#define KEYWORD(kind, text)
#define SOFT_KEYWORD(kind, text)
#define PUNCT(kind, text) {text, sizeof(text) - 1, TOKEN_##kind},
#include "syntax/token.def"
#undef TOKEN
#undef KEYWORD
#undef SOFT_KEYWORD
#undef PUNCT
};

enum {
  WORD_SLOTS = 128, // a power of two, over twice the keywords
  ASCII_COUNT = 128,
  OPERATOR_COUNT = COUNT_OF(operators),
};

typedef struct {
  Arena *arena;
  Interner *interner;
  DiagSink *sink;
  LexedFile out;
  const char *text;
  uint32_t length;
  uint32_t base;                   // of the text in the source space
  uint32_t at;                     // next byte
  bool line_used;                  // a token stands on this line already
  uint32_t word_names[WORD_SLOTS]; // keywords by name, open addressing
  uint8_t word_kinds[WORD_SLOTS];
  // Operators by first character: 1 + index in `operators`, 0 for none.
  uint8_t first_operator[ASCII_COUNT];
  uint8_t next_operator[OPERATOR_COUNT];
} Lexer;

static void add_word(Lexer *l, TokenKind kind) {
  uint32_t name = intern_c(l->interner, kind_texts[kind]).index;
  uint32_t slot = name % WORD_SLOTS;
  while (l->word_names[slot] != 0)
    slot = (slot + 1) % WORD_SLOTS;
  l->word_names[slot] = name;
  l->word_kinds[slot] = (uint8_t)kind;
}

static void add_words(Lexer *l) {
#define TOKEN(kind, text)
#define KEYWORD(kind, text) add_word(l, TOKEN_##kind);
#define SOFT_KEYWORD(kind, text) add_word(l, TOKEN_##kind);
#define PUNCT(kind, text)
#include "syntax/token.def"
#undef TOKEN
#undef KEYWORD
#undef SOFT_KEYWORD
#undef PUNCT
}

static void add_operators(Lexer *l) {
  for (uint8_t i = OPERATOR_COUNT; i > 0; i--) {
    uint8_t *first =
        &l->first_operator[(unsigned char)operators[i - 1].text[0]];
    l->next_operator[i - 1] = *first;
    *first = i;
  }
}

static TokenKind word_kind(const Lexer *l, Name name) {
  uint32_t slot = name.index % WORD_SLOTS;
  while (l->word_names[slot] != 0) {
    if (l->word_names[slot] == name.index)
      return (TokenKind)l->word_kinds[slot];
    slot = (slot + 1) % WORD_SLOTS;
  }
  return TOKEN_IDENT;
}

static char byte_at(const Lexer *l, uint32_t at) {
  return at < l->length ? l->text[at] : '\0';
}

static Span span_of(const Lexer *l, uint32_t start, uint32_t end) {
  return (Span){l->base + start, end - start};
}

// The token from `start` to here.
static void bad_literal(Lexer *l, Span span, const char *why);

static void push(Lexer *l, TokenKind kind, uint32_t start, Name name) {
  uint32_t length = l->at - start;
  if (length > MAX_TOKEN_LENGTH) {
    bad_literal(l, (Span){l->base + start, 1}, "it is longer than 16 MiB");
    length = MAX_TOKEN_LENGTH;
  }
  Token token = {.start = l->base + start,
                 .length = length & MAX_TOKEN_LENGTH,
                 .kind = (uint8_t)kind,
                 .name = name};
  VEC_PUSH(l->arena, &l->out.tokens.items, token);
  l->line_used = true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// --- Words -------------------------------------------------------------------

// ASCII letters, digits and `_`.
static const bool is_word_byte[256] = {
    ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true,
    ['5'] = true, ['6'] = true, ['7'] = true, ['8'] = true, ['9'] = true,
    ['a'] = true, ['b'] = true, ['c'] = true, ['d'] = true, ['e'] = true,
    ['f'] = true, ['g'] = true, ['h'] = true, ['i'] = true, ['j'] = true,
    ['k'] = true, ['l'] = true, ['m'] = true, ['n'] = true, ['o'] = true,
    ['p'] = true, ['q'] = true, ['r'] = true, ['s'] = true, ['t'] = true,
    ['u'] = true, ['v'] = true, ['w'] = true, ['x'] = true, ['y'] = true,
    ['z'] = true, ['A'] = true, ['B'] = true, ['C'] = true, ['D'] = true,
    ['E'] = true, ['F'] = true, ['G'] = true, ['H'] = true, ['I'] = true,
    ['J'] = true, ['K'] = true, ['L'] = true, ['M'] = true, ['N'] = true,
    ['O'] = true, ['P'] = true, ['Q'] = true, ['R'] = true, ['S'] = true,
    ['T'] = true, ['U'] = true, ['V'] = true, ['W'] = true, ['X'] = true,
    ['Y'] = true, ['Z'] = true, ['_'] = true};

// Length of the letter or digit here that may continue a word, else 0.
static uint32_t word_byte(const Lexer *l) {
  char c = byte_at(l, l->at);
  if (is_ascii_letter(c) || is_digit(c))
    return 1;
  if ((unsigned char)c < 0x80)
    return 0;
  uint32_t code_point = 0;
  size_t taken = utf8_decode(l->text + l->at, l->length - l->at, &code_point);
  return utf8_is_word(code_point) ? (uint32_t)taken : 0;
}

static void skip_word(Lexer *l) {
  while (l->at < l->length && is_word_byte[(unsigned char)l->text[l->at]])
    l->at++;
  for (uint32_t taken = word_byte(l); taken != 0; taken = word_byte(l))
    l->at += taken;
}

static void lex_word(Lexer *l) {
  uint32_t start = l->at;
  skip_word(l);
  Name name = intern(l->interner, (Str){l->text + start, l->at - start});
  push(l, word_kind(l, name), start, name);
}

// --- Literals ----------------------------------------------------------------

static void bad_literal(Lexer *l, Span span, const char *why) {
  l->out.has_errors = true;
  diag_malformed_literal(l->sink, span, str_from(why));
}

// digits and `_`; returns whether there was a digit.
static bool skip_digits(Lexer *l, bool (*is_one)(char)) {
  bool found = false;
  while (is_one(byte_at(l, l->at)) || byte_at(l, l->at) == '_') {
    found |= byte_at(l, l->at) != '_';
    l->at++;
  }
  return found;
}

static bool is_binary_digit(char c) { return c == '0' || c == '1'; }
static bool is_octal_digit(char c) { return c >= '0' && c <= '7'; }

// 0x.. 0b.. 0o..
static void lex_based_number(Lexer *l) {
  uint32_t start = l->at;
  char base = byte_at(l, start + 1);
  l->at += 2;
  bool (*is_one)(char) = base == 'x'   ? is_hex_digit
                         : base == 'b' ? is_binary_digit
                                       : is_octal_digit;
  const char *wrong = NULL;
  if (!skip_digits(l, is_one))
    wrong = "digits are missing after the prefix";
  if (is_digit(byte_at(l, l->at)))
    wrong =
        base == 'b' ? "a binary digit is 0 or 1" : "an octal digit is 0 to 7";
  uint32_t suffix = l->at;
  skip_word(l);
  Str text = {l->text + suffix, l->at - suffix};
  if (wrong == NULL && text.length > 0 && !literal_suffix_is_integer(text))
    wrong = "this is no suffix of an integer";
  if (wrong != NULL)
    bad_literal(l, span_of(l, start, l->at), wrong);
  push(l, TOKEN_INTEGER, start, (Name){0});
}

// `e-3`; returns whether an exponent stands here.
static bool skip_exponent(Lexer *l) {
  char c = byte_at(l, l->at);
  if (c != 'e' && c != 'E')
    return false;
  uint32_t after = l->at + 1;
  if (byte_at(l, after) == '+' || byte_at(l, after) == '-')
    after++;
  if (!is_digit(byte_at(l, after)))
    return false;
  l->at = after;
  skip_digits(l, is_digit);
  return true;
}

// After `.` a number is the index of a tuple element: `t.0.1`.
static bool is_tuple_index(const Lexer *l) {
  const TokenList *tokens = &l->out.tokens;
  return VEC_LAST(&tokens->items).kind == TOKEN_DOT;
}

static void lex_number(Lexer *l) {
  uint32_t start = l->at;
  char next = byte_at(l, start + 1);
  if (byte_at(l, start) == '0' && (next == 'x' || next == 'b' || next == 'o')) {
    lex_based_number(l);
    return;
  }
  bool is_index = is_tuple_index(l);
  skip_digits(l, is_digit);
  bool is_float = false;
  if (!is_index && byte_at(l, l->at) == '.' &&
      is_digit(byte_at(l, l->at + 1))) {
    is_float = true;
    l->at++;
    skip_digits(l, is_digit);
  }
  is_float |= !is_index && skip_exponent(l);
  uint32_t suffix = l->at;
  skip_word(l);
  Str text = {l->text + suffix, l->at - suffix};
  is_float |= literal_suffix_is_float(text);
  if (text.length > 0 && (text.data[0] == 'e' || text.data[0] == 'E'))
    bad_literal(l, span_of(l, start, l->at), "the exponent has no digits");
  push(l, is_float ? TOKEN_FLOAT : TOKEN_INTEGER, start, (Name){0});
}

// One escape, from its backslash.
static void lex_escape(Lexer *l) {
  uint32_t start = l->at;
  char c = byte_at(l, start + 1);
  l->at += 2;
  if (c == 'x' && is_hex_digit(byte_at(l, l->at)) &&
      is_hex_digit(byte_at(l, l->at + 1))) {
    l->at += 2;
    return;
  }
  if (c == 'x')
    bad_literal(l, span_of(l, start, l->at), "`\\x` takes two hex digits");
  else if (c == '\0' || strchr("ntr\"\\0", c) == NULL)
    bad_literal(l, span_of(l, start, l->at), "unknown escape");
  // The rest of a character of several bytes is part of the string.
}

static bool at_line_end(const Lexer *l) {
  char c = byte_at(l, l->at);
  return l->at >= l->length || c == '\n' ||
         (c == '\r' && byte_at(l, l->at + 1) == '\n');
}

static void lex_string(Lexer *l) {
  uint32_t start = l->at++;
  while (!at_line_end(l) && byte_at(l, l->at) != '"') {
    bool escapes = byte_at(l, l->at) == '\\';
    l->at++;
    if (escapes && !at_line_end(l)) {
      l->at--;
      lex_escape(l);
    }
  }
  if (at_line_end(l)) { // no string: what it swallowed is not missed again
    bad_literal(l, span_of(l, start, l->at),
                "this string does not end on its line");
    push(l, TOKEN_BAD, start, (Name){0});
    return;
  }
  l->at++;
  push(l, TOKEN_STRING, start, (Name){0});
}

// --- Comments, operators, the rest -------------------------------------------

static void lex_comment(Lexer *l) {
  uint32_t start = l->at;
  const char *end = memchr(l->text + start, '\n', l->length - start);
  l->at = end == NULL ? l->length : (uint32_t)(end - l->text);
  uint32_t last = l->at;
  while (last > start && strchr(" \t\r", l->text[last - 1]) != NULL)
    last--;
  Comment comment = {
      .span = span_of(l, start, last),
      .is_doc = byte_at(l, start + 2) == '/' && byte_at(l, start + 3) != '/',
      .is_alone = !l->line_used,
  };
  VEC_PUSH(l->arena, &l->out.comments.items, comment);
}

// Reports a character that begins no token; a character in quotes is one fault.
static void lex_stray(Lexer *l) {
  uint32_t start = l->at;
  uint32_t code_point = 0;
  size_t taken = utf8_decode(l->text + start, l->length - start, &code_point);
  l->at += taken == 0 ? 1 : (uint32_t)taken;
  uint32_t end = l->at;
  while (l->length - l->at >= end - start && code_point != '\'' &&
         memcmp(l->text + l->at, l->text + start, end - start) == 0)
    l->at += end - start; // one message for a run of the same
  if (code_point == '\'') {
    uint32_t close = byte_at(l, end) == '\\' ? end + 2 : end + 1;
    if (byte_at(l, close) == '\'')
      l->at = close + 1;
  }
  l->out.has_errors = true;
  Str found =
      str_format(l->arena, "`%.*s`", (int)(end - start), l->text + start);
  Diagnostic *d = diag_unexpected_token(l->sink, span_of(l, start, l->at),
                                        STR("a token"), found);
  if (code_point == '\'')
    diag_add_help(l->sink, d, STR("text is written in double quotes"));
  push(l, TOKEN_BAD, start, (Name){0});
}

static void lex_operator(Lexer *l) {
  uint32_t start = l->at;
  unsigned char c = (unsigned char)l->text[start];
  uint8_t i = c < ASCII_COUNT ? l->first_operator[c] : 0;
  for (; i != 0; i = l->next_operator[i - 1]) {
    const Operator *op = &operators[i - 1];
    if ((op->length < 2 || byte_at(l, start + 1) == op->text[1]) &&
        (op->length < 3 || byte_at(l, start + 2) == op->text[2])) {
      l->at += op->length;
      if (c == '>' || c == '&')
        l->out.split_count += op->length - 1u;
      push(l, (TokenKind)op->kind, start, (Name){0});
      return;
    }
  }
  lex_stray(l);
}

static bool begins_word(const Lexer *l) {
  char c = l->text[l->at];
  if ((unsigned char)c < 0x80)
    return is_ascii_letter(c);
  uint32_t code_point = 0;
  utf8_decode(l->text + l->at, l->length - l->at, &code_point);
  return utf8_is_letter(code_point);
}

static void lex_text(Lexer *l) {
  while (l->at < l->length) {
    char c = l->text[l->at];
    if (c == '\n') {
      l->line_used = false;
      l->at++;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      l->at++;
    } else if (begins_word(l)) {
      lex_word(l);
    } else if (is_digit(c)) {
      lex_number(l);
    } else if (c == '/' && byte_at(l, l->at + 1) == '/') {
      lex_comment(l);
    } else if (c == '"') {
      lex_string(l);
    } else {
      lex_operator(l);
    }
  }
}

// --- What is not text --------------------------------------------------------

// The first byte that is NUL or not UTF-8, or the length. Eight ASCII bytes at
// a time, because nearly all text is that.
static size_t find_bad_byte(Str text) {
  const uint64_t ones = UINT64_C(0x0101010101010101);
  const uint64_t highs = UINT64_C(0x8080808080808080);
  size_t at = 0;
  while (at < text.length) {
    uint64_t word = 0;
    if (text.length - at >= sizeof word) {
      memcpy(&word, text.data + at, sizeof word);
      if (((word | (word - ones)) & highs) == 0) {
        at += sizeof word;
        continue;
      }
    }
    uint32_t code_point = 0;
    size_t taken = utf8_decode(text.data + at, text.length - at, &code_point);
    if (taken == 0 || code_point == 0)
      return at;
    at += taken;
  }
  return at;
}

// A file that is not text has no tokens, so that one message is all it gives.
static bool check_text(Lexer *l, Str text) {
  size_t bad = find_bad_byte(text);
  if (bad == text.length)
    return true;
  uint32_t at = (uint32_t)bad;
  diag_bad_text(l->sink, span_of(l, at, at + 1),
                text.data[bad] == '\0' ? STR("it holds a NUL byte")
                                       : STR("this byte is not UTF-8"));
  l->out.has_errors = true;
  l->at = l->length;
  return false;
}

LexedFile lex_file(Arena *arena, Interner *interner, const SourceMap *sources,
                   FileId file, DiagSink *sink) {
  const SourceFile *source = source_file(sources, file);
  Lexer lexer = {.arena = arena,
                 .interner = interner,
                 .sink = sink,
                 .text = source->text.data,
                 .length = (uint32_t)source->text.length,
                 .base = source->start};
  TokenList *tokens = &lexer.out.tokens;
  tokens->items.items = vec_reserve(arena, NULL, 0, &tokens->items.capacity,
                                    lexer.length / 2 + 16, sizeof(Token));
  VEC_PUSH(arena, &tokens->items, (Token){0});
  add_words(&lexer);
  add_operators(&lexer);
  if (check_text(&lexer, source->text))
    lex_text(&lexer);
  lexer.at = lexer.length;
  push(&lexer, TOKEN_END, lexer.length, (Name){0});
  return lexer.out;
}

void lex(Arena *arena, Interner *interner, const SourceMap *sources,
         FileId file, DiagSink *sink, TokenList *tokens,
         CommentList *comments) {
  LexedFile lexed = lex_file(arena, interner, sources, file, sink);
  *tokens = lexed.tokens;
  *comments = lexed.comments;
}
