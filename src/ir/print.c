// SPDX-License-Identifier: Apache-2.0
//
// print: the text form of the IR.
//
// Input: a module or a function. Output: one operation per line, two more
// spaces inside each bracket, types in the words of the language, struct types
// as declarations on top. Everything is there but spans and what a hop carries
// only for reports (its link, the parts of its cost). Cost: linear.
//
//   struct P { x: f32, w: Tensor<f32, [4, 4]> }
//   fn @main() -> i32 {
//     %1 "a" = new zero : Tensor<f32, [256, 256]>
//     %2 "b" = hop %1 CPU_DRAM -> HBM step 1/1 bytes 262144 : Tensor<..>
//     loop while
//       break
//     end
//   }

#include "ir/internal.h"

typedef struct {
  Text *out;
  const IrModule *module;
  const IrFunction *function;
  Map first_of_name; // name of a struct -> the first struct_index of it
} Printer;

// --- Names and places --------------------------------------------------------

static bool is_word(Str text) {
  for (size_t i = 0; i < text.length; i++) {
    char c = text.data[i];
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                     c == '_' || (unsigned char)c >= 0x80;
    if (!is_letter && !(i > 0 && c >= '0' && c <= '9'))
      return false;
  }
  return text.length > 0;
}

static void put_quoted(Text *out, Str text) {
  text_char(out, '"');
  for (size_t i = 0; i < text.length; i++) {
    unsigned char c = (unsigned char)text.data[i];
    if (c == '"' || c == '\\')
      text_format(out, "\\%c", c);
    else if (c < 0x20 || c >= 0x7f)
      text_format(out, "\\x%02x", c);
    else
      text_char(out, (char)c);
  }
  text_char(out, '"');
}

static Str name_of(const Printer *p, Name name) {
  return name_text(p->module->interner, name);
}

// A word as it is, anything else in quotes.
static void put_name(const Printer *p, Name name) {
  Str text = name_of(p, name);
  if (is_word(text))
    text_put(p->out, text);
  else
    put_quoted(p->out, text);
}

static void put_instance(const Printer *p, uint32_t instance) {
  if (instance == INSTANCE_DYNAMIC)
    text_puts(p->out, "[?]");
  else if (instance == INSTANCE_EACH)
    text_puts(p->out, "[..]");
  else if (instance != 0)
    text_format(p->out, "[%u]", instance);
}

static void put_placement(const Printer *p, Placement place) {
  put_name(p, machine_memory(p->module->machine, place.memory)->name);
  put_instance(p, place.instance);
}

static void put_topology(const Printer *p, TopologyId id, uint32_t instance) {
  put_name(p, machine_topology(p->module->machine, id)->name);
  put_instance(p, instance);
}

// --- Types -------------------------------------------------------------------

static void put_dim(const Printer *p, const Dim *dim) {
  if (dim->kind == DIM_STATIC) {
    text_u128(p->out, dim->extent);
    return;
  }
  if (dim->kind == DIM_HUGE) {
    text_puts(p->out, "!huge");
    return;
  }
  if (dim->symbol.index != 0)
    put_name(p, dim->symbol);
  else
    text_char(p->out, '?');
  if (dim->has_bound) {
    text_puts(p->out, "<=");
    text_u128(p->out, dim->extent);
  }
}

static void put_tensor(const Printer *p, const TypeInfo *info) {
  text_puts(p->out, "Tensor<");
  if (info->element == ELEMENT_BLOCK)
    text_format(p->out, "block<%u, %u>", info->block_elements,
                info->block_bytes);
  else
    text_puts(p->out, element_name(info->element));
  text_puts(p->out, ", [");
  for (uint32_t i = 0; i < info->rank; i++) {
    if (i > 0)
      text_puts(p->out, ", ");
    put_dim(p, &info->dims[i]);
  }
  text_char(p->out, ']');
  Placement host = {p->module->machine->host_memory, 0};
  if (!placement_equal(info->placement, host)) {
    text_puts(p->out, ", Memory::");
    put_placement(p, info->placement);
  }
  text_char(p->out, '>');
}

// Two struct types may have one name: all but the first show their index.
static void put_struct_name(const Printer *p, uint32_t index) {
  Name name = p->module->types->struct_names.items[index];
  put_name(p, name);
  uint64_t first = index;
  if (map_get(&p->first_of_name, name.index, &first) && first != index)
    text_format(p->out, "#%u", index);
}

static void put_type(const Printer *p, TypeId type) {
  const TypeInfo *info = type_info(p->module->types, type);
  switch (info->kind) {
  case TYPE_NONE:
  case TYPE_ERROR:
    text_puts(p->out, "error");
    return;
  case TYPE_NEVER:
    text_puts(p->out, "never");
    return;
  case TYPE_VOID:
    text_puts(p->out, "void");
    return;
  case TYPE_SCALAR:
    text_puts(p->out, element_name(info->element));
    return;
  case TYPE_STRING:
    text_puts(p->out, "*const i8");
    return;
  case TYPE_TENSOR:
    put_tensor(p, info);
    return;
  case TYPE_REF:
    text_puts(p->out, info->is_mut ? "&mut " : "&");
    put_type(p, info->target);
    return;
  case TYPE_STRUCT:
    put_struct_name(p, info->struct_index);
    return;
  case TYPE_PINNED:
    text_puts(p->out, "Pinned<");
    put_type(p, info->target);
    text_puts(p->out, ", Topology::");
    put_topology(p, info->topology, info->instance);
    text_char(p->out, '>');
    return;
  case TYPE_RANGE:
    text_format(p->out, "range<%s>", element_name(info->element));
    return;
  }
}

// --- Attributes --------------------------------------------------------------

static void put_operands(const Printer *p, const Op *op, uint32_t from) {
  for (uint32_t i = from; i < op->count; i++)
    text_format(p->out, i == from ? " %%%u" : ", %%%u",
                op_operand(p->function, op, i).index);
}

static void put_flags(const Printer *p, const Op *op) {
  if (op->flags & OP_FLAG_MUT)
    text_puts(p->out, " mut");
  if (op->flags & OP_FLAG_WHILE)
    text_puts(p->out, " while");
  if (op->flags & OP_FLAG_TRANSIT)
    text_puts(p->out, " transit");
  if (op->flags & OP_FLAG_TRANSFER)
    text_puts(p->out, " transfer");
}

static void put_constant(const Printer *p, const Constant *constant) {
  switch (constant->kind) {
  case CONSTANT_INTEGER:
    text_char(p->out, ' ');
    text_i128(p->out, constant->integer);
    return;
  case CONSTANT_FLOAT:
    text_puts(p->out, " float ");
    put_quoted(p->out, constant->text);
    return;
  case CONSTANT_BOOL:
    text_puts(p->out, constant->integer != 0 ? " true" : " false");
    return;
  case CONSTANT_TEXT:
    text_puts(p->out, " text ");
    put_quoted(p->out, constant->text);
    return;
  }
}

static void put_bytes(const Printer *p, const char *what, Bytes bytes) {
  text_format(p->out, " %s ", what);
  if (bytes.beyond)
    text_puts(p->out, "beyond");
  else
    text_u128(p->out, bytes.count);
}

static void put_cost(const Printer *p, HopCost cost) {
  if (cost.kind == COST_UNKNOWN)
    return;
  text_puts(p->out, " cost ");
  text_u128(p->out, cost.value);
  text_puts(p->out, cost.kind == COST_TIME     ? " ps"
                    : cost.kind == COST_CYCLES ? " cyc"
                                               : " weight");
}

static void put_hop(const Printer *p, const IrHop *hop) {
  text_char(p->out, ' ');
  put_placement(p, hop->hop.from);
  text_puts(p->out, " -> ");
  put_placement(p, hop->hop.to);
  text_format(p->out, " step %u/%u", hop->step + 1, hop->steps);
  if (hop->has_bytes)
    put_bytes(p, "bytes", hop->bytes);
  if (hop->hop.chunk != 0)
    put_bytes(p, "chunk", BYTES(hop->hop.chunk));
  if (hop->hop.transit.beyond || hop->hop.transit.count != 0)
    put_bytes(p, "held", hop->hop.transit);
  put_cost(p, hop->hop.cost);
}

static void put_loop(const Printer *p, const IrLoop *loop) {
  if (loop->is_constant) {
    text_puts(p->out, " trips ");
    text_u128(p->out, loop->trips);
  }
  if (loop->stages != 1)
    text_format(p->out, " stages %u", loop->stages);
  if (loop->symbol.index != 0) {
    text_puts(p->out, " until ");
    put_quoted(p->out, name_of(p, loop->symbol));
  }
}

// --- Operations --------------------------------------------------------------

static void put_field(const Printer *p, const Op *op) {
  if (op->count > 0)
    text_format(p->out, " %%%u", op_operand(p->function, op, 0).index);
  text_format(p->out, " .%u", op->aux);
  if (op->count > 1)
    text_char(p->out, ',');
  put_operands(p, op, 1);
}

static void put_call(const Printer *p, const Op *op) {
  text_puts(p->out, " @");
  put_name(p, p->function->callees.items[op->aux]);
  text_char(p->out, '(');
  for (uint32_t i = 0; i < op->count; i++)
    text_format(p->out, i == 0 ? "%%%u" : ", %%%u",
                op_operand(p->function, op, i).index);
  text_char(p->out, ')');
}

static void put_body(const Printer *p, const Op *op) {
  const IrFunction *f = p->function;
  switch (op_shape((OpKind)op->kind)) {
  case SHAPE_PARAM:
    text_format(p->out, " %u", op->aux);
    return;
  case SHAPE_CONST:
    put_constant(p, &f->constants.items[op->aux]);
    return;
  case SHAPE_OPERANDS:
    put_operands(p, op, 0);
    return;
  case SHAPE_NEW:
    text_format(p->out, " %s", new_fill_texts[op->detail]);
    put_operands(p, op, 0);
    return;
  case SHAPE_HOP:
    put_operands(p, op, 0);
    put_hop(p, &f->hops.items[op->aux]);
    return;
  case SHAPE_REDUCE:
    text_format(p->out, " %s", reduce_kind_texts[op->detail]);
    put_operands(p, op, 0);
    return;
  case SHAPE_FIELD:
    put_field(p, op);
    return;
  case SHAPE_CALL:
    put_call(p, op);
    return;
  case SHAPE_LOOP:
    put_operands(p, op, 0);
    put_loop(p, &f->loops.items[op->aux]);
    return;
  case SHAPE_REGION: {
    const IrRegion *region = &f->regions.items[op->aux];
    text_puts(p->out, " ");
    put_topology(p, region->topology, region->instance);
    return;
  }
  }
}

// Text stays linear in the operations, however deep they nest.
enum { MAX_INDENT = 64 };

static void put_op(const Printer *p, const Op *op, uint32_t depth) {
  text_repeat(p->out, ' ', depth < MAX_INDENT ? 2 * depth : 2 * MAX_INDENT);
  if (op->result.index != 0) {
    text_format(p->out, "%%%u ", op->result.index);
    Name name = ir_value(p->function, op->result)->name;
    if (name.index != 0) {
      put_quoted(p->out, name_of(p, name));
      text_char(p->out, ' ');
    }
    text_puts(p->out, "= ");
  }
  text_puts(p->out, op_kind_text((OpKind)op->kind));
  put_flags(p, op);
  put_body(p, op);
  if (op->result.index != 0) {
    text_puts(p->out, " : ");
    put_type(p, ir_value(p->function, op->result)->type);
  }
  text_char(p->out, '\n');
}

// --- Functions ---------------------------------------------------------------

static void put_function(Printer *p, const IrFunction *f) {
  p->function = f;
  text_puts(p->out, f->is_extern ? "extern fn @" : "fn @");
  put_name(p, f->name);
  text_puts(p->out, "() -> ");
  put_type(p, f->result);
  text_puts(p->out, " {\n");
  uint32_t depth = 1;
  for (uint32_t i = 0; i < f->ops.count; i++) {
    const Op *op = &f->ops.items[i];
    OpKind kind = (OpKind)op->kind;
    if ((kind == OP_ELSE || kind == OP_END) && depth > 1)
      depth--;
    put_op(p, op, depth);
    if (kind == OP_ELSE || op_opens_bracket(kind))
      depth++;
  }
  text_puts(p->out, "}\n");
}

static void put_struct(const Printer *p, const IrStruct *s) {
  text_puts(p->out, "struct ");
  put_type(p, s->type);
  text_puts(p->out, s->field_count == 0 ? " {" : " { ");
  for (uint32_t i = 0; i < s->field_count; i++) {
    if (i > 0)
      text_puts(p->out, ", ");
    put_name(p, s->field_names[i]);
    text_puts(p->out, ": ");
    put_type(p, s->field_types[i]);
  }
  text_puts(p->out, s->field_count == 0 ? "}\n" : " }\n");
}

static Printer new_printer(Text *out, const IrModule *module) {
  Printer p = {.out = out, .module = module};
  for (uint32_t i = 1; i < module->structs.count; i++) {
    Name name = module->types->struct_names.items[i];
    uint64_t first;
    if (!map_get(&p.first_of_name, name.index, &first))
      map_put(out->arena, &p.first_of_name, name.index, i);
  }
  return p;
}

void ir_print_function(Text *out, const IrModule *module, const IrFunction *f) {
  Printer p = new_printer(out, module);
  put_function(&p, f);
}

void ir_print(Text *out, const IrModule *module) {
  Printer p = new_printer(out, module);
  for (uint32_t i = 1; i < module->structs.count; i++)
    if (module->structs.items[i].type.index != 0)
      put_struct(&p, &module->structs.items[i]);
  for (uint32_t i = 0; i < module->functions.count; i++) {
    if (i > 0 || module->structs.count > 1)
      text_char(out, '\n');
    put_function(&p, &module->functions.items[i]);
  }
}
