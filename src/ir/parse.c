// SPDX-License-Identifier: Apache-2.0
//
// parse: reads the text form of the IR, for tests, fuzzing and dumps.
//
// Input: text as print.c writes it, with comments and free spacing; values may
// be numbered at will. Output: a module, or the line and reason of the first
// fault. Any bytes are refused or read, none crash. Cost: linear. It checks
// what it needs to build the lists (names, numbers, brackets); whether the
// operations make sense is verify.c's.

#include "ir/internal.h"

enum { MAX_STRUCT_DEPTH = 64, MAX_STRUCT_TENSORS = 4096 };

typedef VEC(ValueId) OperandVec;

// --- Lines -------------------------------------------------------------------

static bool at_line_end(IrParser *p) {
  skip_blanks(p);
  return p->at >= p->text.length || peek(p) == '\n';
}

static void skip_line_ends(IrParser *p) {
  while (at_line_end(p) && p->at < p->text.length) {
    p->at++;
    p->line++;
  }
}

static bool end_line(IrParser *p) {
  return at_line_end(p) || fail(p, "end of the line expected");
}

// --- Operands ----------------------------------------------------------------

static bool read_value(IrParser *p, ValueId *value) {
  uint64_t number, found;
  if (!expect(p, "%") || !read_u64(p, &number))
    return false;
  if (!map_get(&p->values, number, &found))
    return fail(p, "value is not defined before");
  value->index = (uint32_t)found;
  return true;
}

// `%1, %2`, possibly none.
static bool read_operands(IrParser *p, OperandVec *operands) {
  skip_blanks(p);
  if (peek(p) != '%')
    return true;
  do {
    ValueId value;
    if (!read_value(p, &value))
      return false;
    VEC_PUSH(p->arena, operands, value);
  } while (take(p, ","));
  return true;
}

static uint16_t read_flags(IrParser *p) {
  unsigned flags = 0;
  if (take_word(p, "mut"))
    flags |= OP_FLAG_MUT;
  if (take_word(p, "while"))
    flags |= OP_FLAG_WHILE;
  if (take_word(p, "transit"))
    flags |= OP_FLAG_TRANSIT;
  if (take_word(p, "transfer"))
    flags |= OP_FLAG_TRANSFER;
  return (uint16_t)flags;
}

// --- Attributes --------------------------------------------------------------

// Digits with an optional minus; wraps beyond 128 bits.
static bool read_integer(IrParser *p, Int128 *value) {
  bool is_negative = take(p, "-");
  Uint128 magnitude = 0;
  skip_blanks(p);
  if (peek(p) < '0' || peek(p) > '9')
    return fail(p, "constant expected");
  for (; peek(p) >= '0' && peek(p) <= '9'; p->at++)
    magnitude = magnitude * 10 + (unsigned)(peek(p) - '0');
  *value = (Int128)(is_negative ? -magnitude : magnitude);
  return true;
}

static bool read_constant(IrParser *p, Op *op) {
  Constant constant = {.kind = CONSTANT_BOOL};
  if (take_word(p, "true")) {
    constant.integer = 1;
  } else if (take_word(p, "float")) {
    constant.kind = CONSTANT_FLOAT;
    if (!read_quoted(p, &constant.text))
      return false;
  } else if (take_word(p, "text")) {
    constant.kind = CONSTANT_TEXT;
    if (!read_quoted(p, &constant.text))
      return false;
  } else if (!take_word(p, "false")) {
    constant.kind = CONSTANT_INTEGER;
    if (!read_integer(p, &constant.integer))
      return false;
  }
  op->aux = p->function->constants.count;
  VEC_PUSH(p->arena, &p->function->constants, constant);
  return true;
}

// One of `count` words into op->detail.
static bool read_detail(IrParser *p, Op *op, const char *const *words,
                        unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    if (take_word(p, words[i])) {
      op->detail = (uint8_t)i;
      return true;
    }
  }
  return fail(p, "unknown kind of this operation");
}

static bool read_bytes(IrParser *p, Bytes *bytes) {
  if (take_word(p, "beyond")) {
    *bytes = (Bytes){UINT64_MAX, true};
    return true;
  }
  *bytes = BYTES(0);
  return read_u64(p, &bytes->count);
}

static bool read_cost(IrParser *p, HopCost *cost) {
  if (!read_u64(p, &cost->value))
    return false;
  cost->kind = take_word(p, "ps")    ? COST_TIME
               : take_word(p, "cyc") ? COST_CYCLES
                                     : COST_WEIGHT;
  if (cost->kind != COST_WEIGHT)
    return true;
  cost->has_weight = true;
  cost->weight = cost->value;
  return take_word(p, "weight") || fail(p, "`ps`, `cyc` or `weight` expected");
}

static bool read_hop_fields(IrParser *p, IrHop *hop) {
  while (!at_line_end(p) && peek(p) != ':') {
    bool is_read;
    if (take_word(p, "bytes")) {
      hop->has_bytes = true;
      is_read = read_bytes(p, &hop->bytes);
    } else if (take_word(p, "chunk")) {
      is_read = read_u64(p, &hop->hop.chunk);
    } else if (take_word(p, "held")) {
      is_read = read_bytes(p, &hop->hop.transit);
    } else if (take_word(p, "cost")) {
      is_read = read_cost(p, &hop->hop.cost);
    } else {
      return fail(p, "`bytes`, `chunk`, `held` or `cost` expected");
    }
    if (!is_read)
      return false;
  }
  return true;
}

static bool read_hop(IrParser *p, Op *op) {
  IrHop hop = {.step = 0};
  if (!read_placement(p, &hop.hop.from) || !expect(p, "->") ||
      !read_placement(p, &hop.hop.to))
    return false;
  if (!take_word(p, "step"))
    return fail(p, "`step` expected");
  if (!read_u32(p, &hop.step) || !expect(p, "/") || !read_u32(p, &hop.steps))
    return false;
  if (hop.step == 0 || hop.step > hop.steps)
    return fail(p, "no such step");
  hop.step--;
  if (!read_hop_fields(p, &hop))
    return false;
  op->aux = p->function->hops.count;
  VEC_PUSH(p->arena, &p->function->hops, hop);
  return true;
}

static bool read_loop(IrParser *p, Op *op) {
  IrLoop loop = {.stages = 1};
  if (take_word(p, "trips")) {
    loop.is_constant = true;
    if (!read_u64(p, &loop.trips))
      return false;
  }
  if (take_word(p, "stages") && !read_u32(p, &loop.stages))
    return false;
  if (loop.stages == 0)
    return fail(p, "no stages");
  if (take_word(p, "until") && !read_name(p, &loop.symbol))
    return false;
  op->aux = p->function->loops.count;
  VEC_PUSH(p->arena, &p->function->loops, loop);
  return true;
}

static bool read_region(IrParser *p, Op *op) {
  IrRegion region;
  if (!read_topology(p, &region.topology, &region.instance))
    return false;
  op->aux = p->function->regions.count;
  VEC_PUSH(p->arena, &p->function->regions, region);
  return true;
}

static bool read_call(IrParser *p, Op *op, OperandVec *operands) {
  Name name;
  if (!expect(p, "@") || !read_name(p, &name) || !expect(p, "(") ||
      !read_operands(p, operands) || !expect(p, ")"))
    return false;
  op->aux = p->function->callees.count;
  VEC_PUSH(p->arena, &p->function->callees, name);
  return true;
}

static bool read_field(IrParser *p, Op *op, OperandVec *operands) {
  ValueId base;
  if (!read_value(p, &base) || !expect(p, ".") || !read_u32(p, &op->aux))
    return false;
  VEC_PUSH(p->arena, operands, base);
  return !take(p, ",") || read_operands(p, operands);
}

// Everything behind the word of the operation up to the type.
static bool read_body(IrParser *p, Op *op, OperandVec *operands) {
  switch (op_shape((OpKind)op->kind)) {
  case SHAPE_PARAM:
    return read_u32(p, &op->aux);
  case SHAPE_CONST:
    return read_constant(p, op);
  case SHAPE_OPERANDS:
    return read_operands(p, operands);
  case SHAPE_NEW:
    return read_detail(p, op, new_fill_texts, NEW_VALUES + 1) &&
           read_operands(p, operands);
  case SHAPE_HOP:
    return read_operands(p, operands) && read_hop(p, op);
  case SHAPE_REDUCE:
    return read_detail(p, op, reduce_kind_texts, REDUCE_MEAN + 1) &&
           read_operands(p, operands);
  case SHAPE_FIELD:
    return read_field(p, op, operands);
  case SHAPE_CALL:
    return read_call(p, op, operands);
  case SHAPE_LOOP:
    return read_operands(p, operands) && read_loop(p, op);
  case SHAPE_REGION:
    return read_region(p, op);
  }
  return false;
}

// --- Operations --------------------------------------------------------------

typedef struct {
  bool is_given;
  uint64_t number;
  Name name;
} ResultText;

// `%5 "name" =`, or nothing.
static bool read_result(IrParser *p, ResultText *result) {
  *result = (ResultText){.is_given = take(p, "%")};
  if (!result->is_given)
    return true;
  uint64_t found;
  if (!read_u64(p, &result->number))
    return false;
  if (map_get(&p->values, result->number, &found))
    return fail(p, "value is defined twice");
  skip_blanks(p);
  if (peek(p) == '"' && !read_name(p, &result->name))
    return false;
  return expect(p, "=");
}

static bool check_result_rule(IrParser *p, OpKind kind, bool has_result) {
  ResultRule rule = op_result_rule(kind);
  if (rule == RESULT_R && !has_result)
    return fail(p, "this operation gives a value");
  if (rule == RESULT_N && has_result)
    return fail(p, "this operation gives no value");
  return true;
}

static bool read_op(IrParser *p) {
  ResultText result;
  if (!read_result(p, &result))
    return false;
  Str word = peek_word(p);
  OpKind kind = op_kind_from_text(word);
  if (kind == OP_KIND_COUNT)
    return fail(p, "unknown operation");
  p->at += word.length;
  Op op = {.kind = (uint8_t)kind, .flags = read_flags(p)};
  OperandVec operands = {0};
  TypeId type = {0};
  if (!check_result_rule(p, kind, result.is_given) ||
      !read_body(p, &op, &operands))
    return false;
  if (result.is_given && (!expect(p, ":") || !read_type(p, &type)))
    return false;
  IrFunction *f = p->function;
  uint32_t index =
      ir_add(p->arena, f, kind, NO_SPAN, type, operands.items, operands.count);
  f->ops.items[index].detail = op.detail;
  f->ops.items[index].flags = op.flags;
  f->ops.items[index].aux = op.aux;
  if (result.is_given) {
    ValueId value = f->ops.items[index].result;
    f->values.items[value.index].name = result.name;
    map_put(p->arena, &p->values, result.number, value.index);
  }
  return end_line(p);
}

static bool read_function(IrParser *p) {
  IrFunction f = {.is_extern = take_word(p, "extern")};
  if (!take_word(p, "fn"))
    return fail(p, "`fn` or `struct` expected");
  if (!expect(p, "@") || !read_name(p, &f.name) || !expect(p, "(") ||
      !expect(p, ")") || !expect(p, "->") || !read_type(p, &f.result) ||
      !expect(p, "{"))
    return false;
  p->function = &f;
  p->values = (Map){0};
  for (;;) {
    skip_line_ends(p);
    if (take(p, "}"))
      break;
    if (!read_op(p))
      return false;
  }
  p->function = NULL;
  if (!ir_match_brackets(p->arena, &f))
    return fail(p, "brackets do not pair in the function that ends here");
  VEC_PUSH(p->arena, &p->module->functions, f);
  return end_line(p);
}

// --- Structs -----------------------------------------------------------------

// Struct types may be used above their declaration: a first walk over the lines
// gives each its type.
static bool declare_struct(IrParser *p) {
  Name name;
  uint64_t found;
  if (!read_struct_name(p, &name))
    return false;
  if (map_get(&p->structs, name.index, &found))
    return fail(p, "struct is declared twice");
  TypeId type = type_add_struct(p->module->types, name);
  uint32_t index = type_info(p->module->types, type)->struct_index;
  while (p->module->structs.count <= index)
    VEC_PUSH(p->arena, &p->module->structs, (IrStruct){.field_count = 0});
  p->module->structs.items[index].type = type;
  map_put(p->arena, &p->structs, name.index, index);
  return true;
}

static bool declare_structs(IrParser *p) {
  while (p->at < p->text.length) {
    skip_line_ends(p);
    if (take_word(p, "struct") && !declare_struct(p))
      return false;
    while (p->at < p->text.length && peek(p) != '\n')
      p->at++;
  }
  p->at = 0;
  p->line = 1;
  return true;
}

static bool read_struct_item(IrParser *p) {
  Name name;
  uint64_t index = 0;
  VEC(Name) names = {0};
  VEC(TypeId) types = {0};
  if (!read_struct_name(p, &name) || !expect(p, "{"))
    return false;
  CHECK(map_get(&p->structs, name.index, &index));
  while (!take(p, "}")) {
    Name field;
    TypeId type;
    if (names.count > 0 && !expect(p, ","))
      return false;
    if (!read_name(p, &field) || !expect(p, ":") || !read_type(p, &type))
      return false;
    VEC_PUSH(p->arena, &names, field);
    VEC_PUSH(p->arena, &types, type);
  }
  IrStruct *s = &p->module->structs.items[index];
  s->field_names = names.items;
  s->field_types = types.items;
  s->field_count = names.count;
  return end_line(p);
}

// How deep structs nest in `type`, through references too, and how many tensors
// they reach, both cut off at their limits. A struct in itself is too deep.
typedef struct {
  uint32_t depth;
  uint32_t tensors;
  uint32_t steps; // guards the walk
} StructSize;

static void measure_struct(const IrModule *module, TypeId type, uint32_t depth,
                           StructSize *size) {
  type = type_strip(module->types, type);
  const TypeInfo *info = type_info(module->types, type);
  size->steps++;
  if (depth > size->depth)
    size->depth = depth;
  if (info->kind == TYPE_TENSOR)
    size->tensors++;
  if (info->kind != TYPE_STRUCT || depth > MAX_STRUCT_DEPTH ||
      size->steps > 4 * MAX_STRUCT_TENSORS)
    return;
  const IrStruct *s = &module->structs.items[info->struct_index];
  for (uint32_t i = 0; i < s->field_count; i++)
    measure_struct(module, s->field_types[i], depth + 1, size);
}

static bool check_structs(IrParser *p) {
  for (uint32_t i = 1; i < p->module->structs.count; i++) {
    TypeId type = p->module->structs.items[i].type;
    StructSize size = {0};
    if (type.index == 0)
      continue;
    measure_struct(p->module, type, 0, &size);
    if (size.depth > MAX_STRUCT_DEPTH || size.tensors > MAX_STRUCT_TENSORS ||
        size.steps > 4 * MAX_STRUCT_TENSORS)
      return fail(p, "a struct holds itself or too much");
  }
  return true;
}

// --- Modules -----------------------------------------------------------------

static bool read_items(IrParser *p) {
  if (!declare_structs(p))
    return false;
  for (;;) {
    skip_line_ends(p);
    if (p->at >= p->text.length)
      return check_structs(p);
    bool is_read =
        take_word(p, "struct") ? read_struct_item(p) : read_function(p);
    if (!is_read)
      return false;
  }
}

IrModule *ir_parse(Arena *arena, Interner *interner, TypeTable *types,
                   const Machine *machine, Str text, Str *error) {
  IrModule *module = ARENA_NEW(arena, IrModule);
  module->arena = arena;
  module->types = types;
  module->machine = machine;
  module->interner = interner;
  VEC_PUSH(arena, &module->structs, (IrStruct){.field_count = 0});
  IrParser p = {.arena = arena, .module = module, .text = text, .line = 1};
  if (read_items(&p))
    return module;
  *error = p.error;
  return NULL;
}
