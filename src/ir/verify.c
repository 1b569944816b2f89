// SPDX-License-Identifier: Apache-2.0
//
// verify: is a function what every later pass takes for granted?
//
// Input: a function, built or parsed. Output: true, or the first fault.
// Algorithm: one walk in program order with the open brackets on a stack; a
// value is visible from its operation to the end of the block that holds it,
// the value of an IF from its END on; REGION is no block. Cost: linear. It does
// not check shapes, elements or places of tensors, which are sema's.

#include "ir/internal.h"

typedef struct {
  uint32_t op;           // IF, LOOP, FOR, REGION
  uint32_t first_shown;  // values shown before the block at hand
  bool entry_is_reached; // can the opening operation be reached?
  bool then_falls;       // IF: can the end of its first arm be reached?
  bool has_break;        // LOOP, FOR: a BREAK that can be reached
  bool in_else;
} Frame;

typedef struct {
  const IrModule *module;
  const IrFunction *function;
  Arena *scratch;
  VEC(Frame) frames;
  U32Vec shown;    // values visible now, in order of becoming so
  Bitset is_shown; // the same as a set
  uint32_t loops;  // open LOOP and FOR
  bool is_reached; // can the operation at hand be reached?
  uint32_t at;     // its index
  const char *fault;
} Verifier;

// --- Helpers -----------------------------------------------------------------

static bool refuse(Verifier *v, const char *fault) {
  v->fault = fault;
  return false;
}

static TypeKind kind_of(const Verifier *v, ValueId value) {
  TypeId type = ir_value(v->function, value)->type;
  return type_kind(v->module->types, type);
}

static bool is_tensor(const Verifier *v, ValueId value) {
  TypeId type = ir_value(v->function, value)->type;
  return type_is_tensor(v->module->types, type);
}

static OpKind maker_of(const Verifier *v, ValueId value) {
  return (OpKind)v->function->ops.items[ir_value(v->function, value)->op].kind;
}

static void show(Verifier *v, ValueId value) {
  VEC_PUSH(v->scratch, &v->shown, value.index);
  bitset_add(&v->is_shown, value.index);
}

static void hide_down_to(Verifier *v, uint32_t count) {
  while (v->shown.count > count)
    bitset_remove(&v->is_shown, v->shown.items[--v->shown.count]);
}

// --- Counts and tables -------------------------------------------------------

typedef struct {
  uint8_t least;
  uint32_t most;
} Count;

static Count operand_count(OpKind kind) {
  switch (kind) {
  case OP_PARAM:
  case OP_CONST:
  case OP_VAR:
  case OP_ELSE:
  case OP_LOOP:
  case OP_REGION:
  case OP_BREAK:
  case OP_CONTINUE:
  case OP_END:
    return (Count){0, 0};
  case OP_NEG:
  case OP_NOT:
  case OP_CAST:
  case OP_LOAD:
  case OP_HOP:
  case OP_COPY:
  case OP_RENAME:
  case OP_REDUCE:
  case OP_BORROW:
  case OP_DEREF:
  case OP_FIELD:
  case OP_MOVE:
  case OP_IF:
  case OP_YIELD:
    return (Count){1, 1};
  case OP_ADD:
  case OP_SUB:
  case OP_MUL:
  case OP_DIV:
  case OP_REM:
  case OP_AND:
  case OP_OR:
  case OP_XOR:
  case OP_SHL:
  case OP_SHR:
  case OP_EQ:
  case OP_NE:
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
  case OP_STORE:
  case OP_MATMUL:
  case OP_HOP_INTO:
  case OP_COPY_INTO:
  case OP_ASSIGN:
  case OP_ADD_INTO:
  case OP_SUB_INTO:
  case OP_MUL_INTO:
  case OP_DIV_INTO:
  case OP_EXTENT:
  case OP_STORE_REF:
  case OP_SET_FIELD:
  case OP_FOR:
    return (Count){2, 2};
  case OP_MATMUL_ADD:
  case OP_MATMUL_SUB:
    return (Count){3, 3};
  case OP_ROW:
    return (Count){2, UINT32_MAX};
  case OP_ELEMENT:
    return (Count){1, UINT32_MAX};
  case OP_SET_ELEMENT:
    return (Count){2, UINT32_MAX};
  case OP_ASSERT:
    return (Count){1, UINT32_MAX};
  case OP_RETURN:
    return (Count){0, 1};
  case OP_NEW:
  case OP_STRUCT:
  case OP_CALL:
  case OP_PRINT:
  case OP_USE:
    return (Count){0, UINT32_MAX};
  case OP_KIND_COUNT:
    break;
  }
  return (Count){0, 0};
}

// Does `aux` lie in the list that it indexes?
static bool aux_is_valid(const Verifier *v, const Op *op) {
  const IrFunction *f = v->function;
  switch (op_shape((OpKind)op->kind)) {
  case SHAPE_PARAM:
  case SHAPE_OPERANDS:
  case SHAPE_FIELD:
    return true;
  case SHAPE_NEW:
    return op->detail <= NEW_VALUES;
  case SHAPE_REDUCE:
    return op->detail <= REDUCE_MEAN;
  case SHAPE_CONST:
    return op->aux < f->constants.count;
  case SHAPE_HOP:
    return op->aux < f->hops.count && f->hops.items[op->aux].steps > 0;
  case SHAPE_CALL:
    return op->aux < f->callees.count;
  case SHAPE_LOOP:
    return op->aux < f->loops.count && f->loops.items[op->aux].stages > 0;
  case SHAPE_REGION:
    return op->aux < f->regions.count;
  }
  return false;
}

static bool check_result(Verifier *v, const Op *op) {
  const IrFunction *f = v->function;
  ResultRule rule = op_result_rule((OpKind)op->kind);
  bool has_result = op->result.index != 0;
  if (has_result && op->result.index >= f->values.count)
    return refuse(v, "result out of range");
  if (has_result && ir_value(f, op->result)->op != v->at)
    return refuse(v, "result belongs to another operation");
  if (has_result && kind_of(v, op->result) == TYPE_NONE)
    return refuse(v, "result without type");
  if (rule == RESULT_R && !has_result)
    return refuse(v, "result missing");
  if (rule == RESULT_N && has_result)
    return refuse(v, "result where none is given");
  return true;
}

static bool check_operands(Verifier *v, const Op *op) {
  const IrFunction *f = v->function;
  Count count = operand_count((OpKind)op->kind);
  if (op->count < count.least || op->count > count.most)
    return refuse(v, "wrong number of operands");
  if (op->first > f->operands.count ||
      op->count > f->operands.count - op->first)
    return refuse(v, "operands out of range");
  for (uint32_t i = 0; i < op->count; i++) {
    uint32_t value = op_operand(f, op, i).index;
    if (value == 0 || value >= f->values.count)
      return refuse(v, "operand out of range");
    if (!bitset_has(&v->is_shown, value))
      return refuse(v, "operand is not visible here");
  }
  return true;
}

// --- Types -------------------------------------------------------------------

// The struct behind references and Pinned, or NULL.
static const IrStruct *struct_of(const Verifier *v, ValueId value) {
  TypeTable *types = v->module->types;
  TypeId type = type_strip(types, ir_value(v->function, value)->type);
  const TypeInfo *info = type_info(types, type);
  bool is_known = info->kind == TYPE_STRUCT &&
                  info->struct_index < v->module->structs.count;
  return is_known ? &v->module->structs.items[info->struct_index] : NULL;
}

static bool check_struct(Verifier *v, const Op *op) {
  const IrStruct *s = struct_of(v, op->result);
  if (s == NULL || s->field_count != op->count)
    return refuse(v, "operands are not the fields of the struct");
  return true;
}

static bool check_field(Verifier *v, const Op *op) {
  const IrStruct *s = struct_of(v, op_operand(v->function, op, 0));
  if (s == NULL || op->aux >= s->field_count)
    return refuse(v, "no such field");
  return true;
}

static bool check_types(Verifier *v, const Op *op) {
  const IrFunction *f = v->function;
  ValueId first = op->count > 0 ? op_operand(f, op, 0) : (ValueId){0};
  OpKind kind = (OpKind)op->kind;
  if (kind == OP_STRUCT)
    return check_struct(v, op);
  if (kind == OP_FIELD || kind == OP_SET_FIELD)
    return check_field(v, op);
  if ((kind == OP_LOAD || kind == OP_STORE) && maker_of(v, first) != OP_VAR)
    return refuse(v, "first operand is not a variable");
  if (kind == OP_BORROW && kind_of(v, op->result) != TYPE_REF)
    return refuse(v, "a borrow gives a reference");
  if ((kind == OP_DEREF || kind == OP_STORE_REF) &&
      kind_of(v, first) != TYPE_REF)
    return refuse(v, "operand is not a reference");
  bool takes_tensor =
      kind == OP_MATMUL || kind == OP_COPY_INTO || kind == OP_HOP_INTO ||
      kind == OP_ELEMENT || kind == OP_SET_ELEMENT || kind == OP_ROW ||
      kind == OP_EXTENT || kind == OP_REDUCE || kind == OP_RENAME;
  if (takes_tensor && !is_tensor(v, first))
    return refuse(v, "operand is not a tensor");
  bool gives_tensor = kind == OP_MATMUL || kind == OP_NEW ||
                      kind == OP_RENAME || kind == OP_ROW;
  if (gives_tensor && !is_tensor(v, op->result))
    return refuse(v, "result is not a tensor");
  bool takes_scalar = kind == OP_IF || kind == OP_ASSERT || kind == OP_FOR;
  for (uint32_t i = 0; takes_scalar && i < op->count; i++)
    if (type_is_tensor(v->module->types,
                       ir_value(f, op_operand(f, op, i))->type))
      return refuse(v, "operand is a tensor");
  return true;
}

// --- Brackets ----------------------------------------------------------------

static void open_bracket(Verifier *v, const Op *op) {
  bool is_loop = op->kind == OP_LOOP || op->kind == OP_FOR;
  v->loops += is_loop;
  VEC_PUSH(v->scratch, &v->frames,
           (Frame){.op = v->at,
                   .first_shown = v->shown.count,
                   .entry_is_reached = v->is_reached});
  if (op->kind == OP_FOR)
    show(v, op->result);
}

// At ELSE or END of an IF: does the arm give what the IF stands for?
static bool check_arm_end(Verifier *v, const Op *opener) {
  bool has_yield = v->function->ops.items[v->at - 1].kind == OP_YIELD;
  if (opener->result.index == 0 && has_yield)
    return refuse(v, "yield in an arm of an `if` without value");
  if (opener->result.index != 0 && v->is_reached && !has_yield)
    return refuse(v, "arm of an `if` without yield");
  return true;
}

static bool switch_arm(Verifier *v) {
  if (v->frames.count == 0)
    return refuse(v, "else without if");
  Frame *frame = &VEC_LAST(&v->frames);
  const Op *opener = &v->function->ops.items[frame->op];
  if (opener->kind != OP_IF || opener->match != v->at || frame->in_else)
    return refuse(v, "else without if");
  if (!check_arm_end(v, opener))
    return false;
  frame->in_else = true;
  frame->then_falls = v->is_reached;
  v->is_reached = frame->entry_is_reached;
  hide_down_to(v, frame->first_shown);
  return true;
}

static bool close_if(Verifier *v, Frame frame) {
  const Op *opener = &v->function->ops.items[frame.op];
  if (!frame.in_else || v->function->ops.items[opener->match].match != v->at)
    return refuse(v, "`if` without else");
  if (!check_arm_end(v, opener))
    return false;
  v->is_reached = v->is_reached || frame.then_falls;
  hide_down_to(v, frame.first_shown);
  if (opener->result.index != 0)
    show(v, opener->result);
  return true;
}

static bool close_bracket(Verifier *v, const Op *op) {
  if (v->frames.count == 0)
    return refuse(v, "end without beginning");
  Frame frame = v->frames.items[--v->frames.count];
  const Op *opener = &v->function->ops.items[frame.op];
  if (op->match != frame.op)
    return refuse(v, "end of another bracket");
  if (opener->kind == OP_IF)
    return close_if(v, frame);
  if (opener->match != v->at)
    return refuse(v, "end of another bracket");
  if (opener->kind == OP_REGION)
    return true;
  v->loops--;
  v->is_reached = opener->kind == OP_FOR
                      ? frame.entry_is_reached || frame.has_break
                      : frame.has_break;
  hide_down_to(v, frame.first_shown);
  return true;
}

static bool leave(Verifier *v, OpKind kind) {
  if (kind != OP_RETURN && v->loops == 0)
    return refuse(v, "break or continue outside of loops");
  for (uint32_t i = v->frames.count; kind == OP_BREAK && i-- > 0;) {
    Frame *frame = &v->frames.items[i];
    OpKind opener = (OpKind)v->function->ops.items[frame->op].kind;
    if (opener != OP_LOOP && opener != OP_FOR)
      continue;
    frame->has_break = frame->has_break || v->is_reached;
    break;
  }
  v->is_reached = false;
  return true;
}

static bool check_yield(Verifier *v) {
  const IrFunction *f = v->function;
  if (v->frames.count == 0 || v->at + 1 >= f->ops.count ||
      f->ops.items[VEC_LAST(&v->frames).op].kind != OP_IF)
    return refuse(v, "yield outside of an `if`");
  OpKind next = (OpKind)f->ops.items[v->at + 1].kind;
  if (next != OP_ELSE && next != OP_END)
    return refuse(v, "yield is not last in its arm");
  return true;
}

// --- The walk ----------------------------------------------------------------

static bool check_structure(Verifier *v, const Op *op) {
  OpKind kind = (OpKind)op->kind;
  if (op_opens_bracket(kind))
    return open_bracket(v, op), true;
  if (kind == OP_ELSE)
    return switch_arm(v);
  if (kind == OP_END)
    return close_bracket(v, op);
  if (kind == OP_BREAK || kind == OP_CONTINUE || kind == OP_RETURN)
    return leave(v, kind);
  if (kind == OP_YIELD && !check_yield(v))
    return false;
  if (op->result.index != 0)
    show(v, op->result);
  return true;
}

static bool check_op(Verifier *v, const Op *op) {
  if (op->kind >= OP_KIND_COUNT)
    return refuse(v, "unknown operation");
  if (!aux_is_valid(v, op))
    return refuse(v, "attribute out of range");
  return check_result(v, op) && check_operands(v, op) && check_types(v, op) &&
         check_structure(v, op);
}

bool ir_verify(const IrModule *module, const IrFunction *f, Arena *scratch,
               Str *error) {
  Verifier v = {.module = module,
                .function = f,
                .scratch = scratch,
                .is_shown = bitset_new(scratch, f->values.count + 1),
                .is_reached = true};
  bool is_right = true;
  for (; is_right && v.at < f->ops.count; v.at++)
    is_right = check_op(&v, &f->ops.items[v.at]);
  if (is_right && v.frames.count > 0)
    is_right = refuse(&v, "bracket without end");
  if (is_right)
    return true;
  uint32_t at = v.at == 0 ? 0 : v.at - 1;
  const char *kind = at < f->ops.count && f->ops.items[at].kind < OP_KIND_COUNT
                         ? op_kind_text((OpKind)f->ops.items[at].kind)
                         : "?";
  *error = str_format(scratch, "function '%.*s', operation %u (%s): %s",
                      STR_ARG(name_text(module->interner, f->name)), at, kind,
                      v.fault);
  return false;
}
