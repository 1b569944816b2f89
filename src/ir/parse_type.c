// SPDX-License-Identifier: Apache-2.0
//
// parse_type: names, numbers, places and types in the text form of the IR.
//
// Input: the text at hand. Output: handles of the session's tables. Any bytes
// are refused or read, none crash. Cost: linear. See parse.c.

#include "ir/internal.h"

enum { MAX_TYPE_DEPTH = 64, MAX_RANK = 1024 };

// --- Marks and words ---------------------------------------------------------

char peek(const IrParser *p) {
  return p->at < p->text.length ? p->text.data[p->at] : '\0';
}

void skip_blanks(IrParser *p) {
  for (;;) {
    char c = peek(p);
    if (c == ' ' || c == '\t' || c == '\r') {
      p->at++;
    } else if (c == '/' && p->at + 1 < p->text.length &&
               p->text.data[p->at + 1] == '/') {
      while (p->at < p->text.length && p->text.data[p->at] != '\n')
        p->at++;
    } else {
      return;
    }
  }
}

bool fail(IrParser *p, const char *what) {
  if (p->error.length == 0)
    p->error = str_format(p->arena, "line %u: %s", p->line, what);
  return false;
}

bool take(IrParser *p, const char *mark) {
  skip_blanks(p);
  Str wanted = str_from(mark);
  Str rest = str_slice(p->text, p->at, p->text.length - p->at);
  if (!str_starts_with(rest, wanted))
    return false;
  p->at += wanted.length;
  return true;
}

bool expect(IrParser *p, const char *mark) {
  if (take(p, mark))
    return true;
  Str what = str_format(p->arena, "`%s` expected", mark);
  return fail(p, str_to_c(p->arena, what));
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (unsigned char)c >= 0x80;
}

Str peek_word(IrParser *p) {
  skip_blanks(p);
  size_t end = p->at;
  if (end < p->text.length && is_letter(p->text.data[end]))
    while (end < p->text.length &&
           (is_letter(p->text.data[end]) || is_digit(p->text.data[end])))
      end++;
  return str_slice(p->text, p->at, end - p->at);
}

bool take_word(IrParser *p, const char *word) {
  Str found = peek_word(p);
  if (!str_equal(found, str_from(word)))
    return false;
  p->at += found.length;
  return true;
}

// --- Numbers and quoted text -------------------------------------------------

bool read_u64(IrParser *p, uint64_t *value) {
  skip_blanks(p);
  if (!is_digit(peek(p)))
    return fail(p, "number expected");
  *value = 0;
  for (; is_digit(peek(p)); p->at++)
    if (!mul_u64(*value, 10, value) ||
        !add_u64(*value, (uint64_t)(peek(p) - '0'), value))
      return fail(p, "number beyond 64 bits");
  return true;
}

bool read_u32(IrParser *p, uint32_t *value) {
  uint64_t wide;
  if (!read_u64(p, &wide))
    return false;
  if (wide >= INSTANCE_EACH)
    return fail(p, "number beyond 32 bits");
  *value = (uint32_t)wide;
  return true;
}

static int hex_digit(char c) {
  if (is_digit(c))
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// One character behind a backslash.
static bool read_escape(IrParser *p, Text *out) {
  char c = peek(p);
  if (c == '"' || c == '\\') {
    text_char(out, c);
    p->at++;
    return true;
  }
  if (c != 'x' || p->text.length - p->at < 3)
    return fail(p, "bad escape");
  int high = hex_digit(p->text.data[p->at + 1]);
  int low = hex_digit(p->text.data[p->at + 2]);
  if (high < 0 || low < 0)
    return fail(p, "bad escape");
  text_char(out, (char)(unsigned char)(high * 16 + low));
  p->at += 3;
  return true;
}

bool read_quoted(IrParser *p, Str *text) {
  if (!expect(p, "\""))
    return false;
  Text out = text_new(p->arena);
  while (peek(p) != '"') {
    if (p->at >= p->text.length || peek(p) == '\n')
      return fail(p, "text without end");
    char c = p->text.data[p->at++];
    if (c != '\\')
      text_char(&out, c);
    else if (!read_escape(p, &out))
      return false;
  }
  p->at++;
  *text = text_str(&out);
  return true;
}

bool read_name(IrParser *p, Name *name) {
  Str text = peek_word(p);
  p->at += text.length;
  if (text.length == 0) {
    if (peek(p) != '"')
      return fail(p, "name expected");
    if (!read_quoted(p, &text))
      return false;
    if (text.length == 0)
      return fail(p, "empty name");
  }
  *name = intern(p->module->interner, text);
  return true;
}

// --- Places ------------------------------------------------------------------

bool read_instance(IrParser *p, uint32_t *instance) {
  *instance = 0;
  if (!take(p, "["))
    return true;
  if (take(p, "?"))
    *instance = INSTANCE_DYNAMIC;
  else if (take(p, ".."))
    *instance = INSTANCE_EACH;
  else if (!read_u32(p, instance))
    return false;
  return expect(p, "]");
}

bool read_placement(IrParser *p, Placement *place) {
  Name name;
  if (!read_name(p, &name))
    return false;
  place->memory = machine_find_memory(p->module->machine, name);
  if (place->memory.index == 0)
    return fail(p, "no memory of that name");
  return read_instance(p, &place->instance);
}

bool read_topology(IrParser *p, TopologyId *topology, uint32_t *instance) {
  Name name;
  if (!read_name(p, &name))
    return false;
  *topology = machine_find_topology(p->module->machine, name);
  if (topology->index == 0)
    return fail(p, "no topology of that name");
  return read_instance(p, instance);
}

// --- Types -------------------------------------------------------------------

static bool read_type_at(IrParser *p, TypeId *type, uint32_t depth);

// `4`, `?`, `?<=8`, `n`, `n<=8`, `!huge`.
static bool read_dim(IrParser *p, Dim *dim) {
  *dim = (Dim){.kind = DIM_STATIC};
  skip_blanks(p);
  if (is_digit(peek(p)))
    return read_u64(p, &dim->extent);
  if (take(p, "!huge")) {
    dim->kind = DIM_HUGE;
    return true;
  }
  dim->kind = DIM_DYNAMIC;
  if (!take(p, "?") && !read_name(p, &dim->symbol))
    return false;
  dim->has_bound = take(p, "<=");
  return !dim->has_bound || read_u64(p, &dim->extent);
}

typedef VEC(Dim) DimVec;

static bool read_dims(IrParser *p, DimVec *dims) {
  if (!expect(p, "["))
    return false;
  while (!take(p, "]")) {
    Dim dim;
    if (dims->count > 0 && !expect(p, ","))
      return false;
    if (dims->count >= MAX_RANK)
      return fail(p, "too many dimensions");
    if (!read_dim(p, &dim))
      return false;
    VEC_PUSH(p->arena, dims, dim);
  }
  return true;
}

static bool read_block(IrParser *p, uint32_t *elements, uint32_t *bytes) {
  if (!expect(p, "<") || !read_u32(p, elements) || !expect(p, ",") ||
      !read_u32(p, bytes) || !expect(p, ">"))
    return false;
  return (*elements > 0 && *bytes > 0) || fail(p, "empty block");
}

static bool read_element(IrParser *p, Element *element) {
  Str word = peek_word(p);
  *element = element_from_name(word);
  p->at += word.length;
  return *element < ELEMENT_BLOCK || fail(p, "element type expected");
}

static bool read_tensor(IrParser *p, TypeId *type) {
  uint32_t elements = 0, bytes = 0;
  Element element = ELEMENT_BLOCK;
  DimVec dims = {0};
  Placement place = {p->module->machine->host_memory, 0};
  if (!expect(p, "<"))
    return false;
  bool is_block = take_word(p, "block");
  if (is_block ? !read_block(p, &elements, &bytes) : !read_element(p, &element))
    return false;
  if (!expect(p, ",") || !read_dims(p, &dims))
    return false;
  if (take(p, ",") && (!expect(p, "Memory::") || !read_placement(p, &place)))
    return false;
  if (!expect(p, ">"))
    return false;
  TypeTable *types = p->module->types;
  *type = is_block ? type_block_tensor(types, elements, bytes, dims.items,
                                       dims.count, place)
                   : type_tensor(types, element, dims.items, dims.count, place);
  return true;
}

static bool read_pinned(IrParser *p, TypeId *type, uint32_t depth) {
  TypeId target;
  TopologyId topology;
  uint32_t instance;
  if (!expect(p, "<") || !read_type_at(p, &target, depth) || !expect(p, ",") ||
      !expect(p, "Topology::") || !read_topology(p, &topology, &instance) ||
      !expect(p, ">"))
    return false;
  *type = type_pinned(p->module->types, target, topology, instance);
  return true;
}

static bool read_range(IrParser *p, TypeId *type) {
  Element element;
  if (!expect(p, "<") || !read_element(p, &element) || !expect(p, ">"))
    return false;
  *type = type_range(p->module->types, element);
  return true;
}

bool read_struct_name(IrParser *p, Name *name) {
  uint32_t index;
  if (!read_name(p, name))
    return false;
  if (!take(p, "#"))
    return true;
  if (!read_u32(p, &index))
    return false;
  Str text = name_text(p->module->interner, *name);
  text = str_format(p->arena, "%.*s#%u", STR_ARG(text), index);
  *name = intern(p->module->interner, text);
  return true;
}

static bool read_struct(IrParser *p, TypeId *type) {
  Name name;
  uint64_t found;
  if (!read_struct_name(p, &name))
    return false;
  if (!map_get(&p->structs, name.index, &found))
    return fail(p, "no type of that name");
  *type = p->module->structs.items[found].type;
  return true;
}

static bool read_reference(IrParser *p, TypeId *type, uint32_t depth) {
  bool is_mut = take_word(p, "mut");
  TypeId target;
  if (!read_type_at(p, &target, depth))
    return false;
  *type = type_ref(p->module->types, target, is_mut);
  return true;
}

static bool read_type_at(IrParser *p, TypeId *type, uint32_t depth) {
  TypeTable *types = p->module->types;
  if (depth >= MAX_TYPE_DEPTH)
    return fail(p, "type nested too deep");
  if (take(p, "&"))
    return read_reference(p, type, depth + 1);
  if (take(p, "*")) {
    *type = types->string;
    return (take_word(p, "const") && take_word(p, "i8")) ||
           fail(p, "`*const i8` expected");
  }
  Str word = peek_word(p);
  Element element = element_from_name(word);
  if (element < ELEMENT_BLOCK) {
    p->at += word.length;
    *type = type_scalar(types, element);
    return true;
  }
  if (take_word(p, "Tensor"))
    return read_tensor(p, type);
  if (take_word(p, "Pinned"))
    return read_pinned(p, type, depth + 1);
  if (take_word(p, "range"))
    return read_range(p, type);
  if (take_word(p, "void"))
    return *type = types->void_, true;
  if (take_word(p, "never"))
    return *type = types->never, true;
  if (take_word(p, "error"))
    return *type = types->error, true;
  return read_struct(p, type);
}

bool read_type(IrParser *p, TypeId *type) { return read_type_at(p, type, 0); }
