// SPDX-License-Identifier: Apache-2.0
//
// Lifetimes against two slow ways to find them, on random small functions:
// plain data flow over single operations (which value refers to what, forward;
// which value is needed, backward), and, without loops, the enumeration of all
// paths. Both know nothing of tracks, obstacles and pieces.

#include "own/own.h"
#include "unit/ir_fixture.h"

enum { MAX_OPS = 512, MAX_VARS = 1024, MAX_NEXT = 2 };

// --- Random functions --------------------------------------------------------

typedef struct {
  uint32_t number; // of the value
  char kind;       // t: tensor, r: reference, s: struct, v: slot, x: moved away
} Thing;

typedef struct {
  Text text;
  uint64_t random;
  uint32_t next;                        // value
  VEC(Thing) things;                    // in scope
  uint32_t budget;                      // operations left
  uint32_t loops;                       // around
  bool has_loops, has_exits, has_slots; // allowed
} Generator;

static uint32_t pick(Generator *g, uint32_t below) {
  return (uint32_t)(test_random(&g->random) % below);
}

static uint32_t add_thing(Generator *g, char kind) {
  VEC_PUSH(g->text.arena, &g->things, (Thing){g->next, kind});
  return g->next++;
}

// A thing of one of these kinds, or 0.
static uint32_t find_thing(Generator *g, const char *kinds) {
  uint32_t count = g->things.count;
  for (uint32_t tries = 0; count > 0 && tries < 8; tries++) {
    Thing thing = g->things.items[pick(g, count)];
    for (const char *k = kinds; *k != '\0'; k++)
      if (*k == thing.kind)
        return thing.number;
  }
  return 0;
}

static void forget(Generator *g, uint32_t number) {
  for (uint32_t i = 0; i < g->things.count; i++)
    if (g->things.items[i].number == number)
      g->things.items[i].kind = 'x'; // gone
}

#define TENSOR "Tensor<f32, [4]>"
#define REF "&Tensor<f32, [4]>"

static uint32_t put_new(Generator *g) {
  text_format(&g->text, "%%%u = new zero : " TENSOR "\n", g->next);
  return add_thing(g, 't');
}

static uint32_t put_borrow(Generator *g) {
  uint32_t tensor = find_thing(g, "t");
  if (tensor == 0)
    tensor = put_new(g);
  text_format(&g->text, "%%%u = borrow %%%u : " REF "\n", g->next, tensor);
  return add_thing(g, 'r');
}

static void put_print(Generator *g) {
  uint32_t thing = find_thing(g, "trs");
  if (thing != 0)
    text_format(&g->text, "print %%%u\n", thing);
}

static void put_deref(Generator *g) {
  uint32_t ref = find_thing(g, "r");
  if (ref == 0)
    return;
  text_format(&g->text, "%%%u = deref %%%u : " TENSOR "\n", g->next, ref);
  add_thing(g, 't');
}

static void put_call(Generator *g) {
  uint32_t a = find_thing(g, "tr"), b = find_thing(g, "tr");
  if (a == 0 || b == 0)
    return;
  bool gives_ref = pick(g, 2) == 0;
  text_format(&g->text, "%%%u = call @f(%%%u, %%%u) : %s\n", g->next, a, b,
              gives_ref ? REF : TENSOR);
  add_thing(g, gives_ref ? 'r' : 't');
}

static void put_struct(Generator *g) {
  uint32_t a = put_new(g), b = pick(g, 2) ? put_new(g) : find_thing(g, "t");
  if (b == a || b == 0)
    b = put_new(g);
  text_format(&g->text, "%%%u = struct %%%u, %%%u : S\n", g->next, a, b);
  forget(g, a);
  forget(g, b);
  add_thing(g, 's');
}

static void put_field(Generator *g) {
  uint32_t s = find_thing(g, "s");
  if (s == 0)
    return;
  text_format(&g->text, "%%%u = field %%%u .%u : " TENSOR "\n", g->next, s,
              pick(g, 2));
  add_thing(g, 't');
}

static void put_rename(Generator *g) {
  uint32_t a = put_new(g);
  text_format(&g->text, "%%%u = rename %%%u : " TENSOR "\n", g->next, a);
  forget(g, a);
  add_thing(g, 't');
}

static void put_slot(Generator *g) {
  if (!g->has_slots)
    return;
  uint32_t slot = find_thing(g, "v"), choice = pick(g, 5);
  if (slot == 0 || choice == 0) {
    text_format(&g->text, "%%%u = var : " REF "\n", g->next);
    slot = add_thing(g, 'v');
    choice = 1;
  }
  if (choice < 3) {
    uint32_t ref = find_thing(g, "r");
    if (ref == 0)
      ref = put_borrow(g);
    text_format(&g->text, "store %%%u, %%%u\n", slot, ref);
  } else {
    text_format(&g->text, "%%%u = load %%%u : " REF "\n", g->next, slot);
    add_thing(g, 'r');
  }
}

// Returns false when the block ends here.
static bool put_statement(Generator *g);

static bool put_block(Generator *g) {
  uint32_t length = 1 + pick(g, 5);
  for (uint32_t i = 0; i < length && g->budget > 0; i++)
    if (!put_statement(g) && pick(g, 8) != 0)
      return false;
  return true;
}

static void put_yield(Generator *g, char kind) {
  uint32_t value = 0;
  if (kind == 't')
    value = pick(g, 2) ? put_new(g) : find_thing(g, "t");
  else if (kind == 'r')
    value = find_thing(g, "r");
  else if (kind == 's')
    value = find_thing(g, "s");
  if (kind == 's' && value == 0) {
    put_struct(g);
    value = g->next - 1;
  }
  if (value == 0)
    value = kind == 'r' ? put_borrow(g) : put_new(g);
  text_format(&g->text, "yield %%%u\n", value);
}

static void put_if(Generator *g) {
  static const char kinds[] = {'-', '-', 't', 't', 'r', 's'};
  static const char *const types[] = {"", "", TENSOR, TENSOR, REF, "S"};
  uint32_t choice = pick(g, COUNT_OF(kinds));
  char kind = kinds[choice];
  uint32_t result = 0;
  if (kind == '-') {
    text_puts(&g->text, "if %1\n");
  } else {
    result = g->next++;
    text_format(&g->text, "%%%u = if %%1 : %s\n", result, types[choice]);
  }
  uint32_t outside = g->things.count;
  for (int arm = 0; arm < 2; arm++) {
    if (arm == 1)
      text_puts(&g->text, "else\n");
    bool falls = put_block(g);
    if (kind != '-' && falls)
      put_yield(g, kind);
    g->things.count = outside;
  }
  text_puts(&g->text, "end\n");
  if (kind != '-')
    VEC_PUSH(g->text.arena, &g->things, (Thing){result, kind});
}

static void put_loop(Generator *g) {
  uint32_t outside = g->things.count, choice = pick(g, 4);
  if (choice < 2) {
    text_format(&g->text, "%%%u = for %%2, %%2 : i32\n", g->next++);
  } else {
    text_puts(&g->text, "loop\n");
    if (choice == 2)
      text_puts(&g->text, "if %1\nelse\nbreak\nend\n");
  }
  g->loops++;
  put_block(g);
  g->loops--;
  g->things.count = outside;
  text_puts(&g->text, "end\n");
}

static bool put_exit(Generator *g) {
  uint32_t choice = pick(g, 3);
  if (!g->has_exits || (choice < 2 && g->loops == 0))
    return true;
  text_puts(&g->text, choice == 0   ? "break\n"
                      : choice == 1 ? "continue\n"
                                    : "return\n");
  return false;
}

static bool put_statement(Generator *g) {
  g->budget--;
  switch (pick(g, 18)) {
  case 0:
  case 1:
    put_new(g);
    return true;
  case 2:
    put_borrow(g);
    return true;
  case 3:
    put_deref(g);
    return true;
  case 4:
  case 5:
    put_call(g);
    return true;
  case 6:
    put_struct(g);
    return true;
  case 7:
    put_field(g);
    return true;
  case 8:
    put_rename(g);
    return true;
  case 9:
  case 10:
    put_slot(g);
    return true;
  case 11:
  case 12:
    put_if(g);
    return true;
  case 13:
    if (g->has_loops)
      put_loop(g);
    return true;
  case 14:
    return put_exit(g);
  default:
    put_print(g);
    return true;
  }
}

static Str random_function(Generator *g, Arena *arena, uint64_t seed) {
  *g = (Generator){.text = text_new(arena), .random = seed, .next = 3};
  g->budget = 6 + pick(g, 40);
  g->has_loops = pick(g, 4) != 0;
  g->has_exits = pick(g, 4) != 0;
  g->has_slots = pick(g, 2) != 0;
  text_puts(&g->text, "struct S { a: " TENSOR ", b: " TENSOR " }\n"
                      "fn @main() -> void {\n"
                      "%1 = const true : bool\n%2 = const 0 : i32\n");
  while (g->budget > 0)
    put_statement(g);
  text_puts(&g->text, "return\n}\n");
  return text_str(&g->text);
}

// --- The graph of single operations ------------------------------------------

typedef struct {
  const IrModule *module;
  const IrFunction *f;
  uint32_t count;
  uint32_t next[MAX_OPS][MAX_NEXT]; // operations that may follow
  uint32_t next_count[MAX_OPS];
  uint32_t around[MAX_OPS]; // the loop around, or MAX_OPS
  bool is_reached[MAX_OPS];
  bool has_loops;
} Graph;

static void add_next(Graph *g, uint32_t from, uint32_t to) {
  if (to < g->count)
    g->next[from][g->next_count[from]++] = to;
}

static void link_op(Graph *g, uint32_t i) {
  const Op *ops = g->f->ops.items;
  const Op *op = &ops[i];
  uint32_t loop = g->around[i];
  OpKind opener = op->kind == OP_END ? (OpKind)ops[op->match].kind : OP_END;
  if (op->kind == OP_RETURN)
    return;
  if (op->kind == OP_BREAK) {
    add_next(g, i, ops[loop].match + 1);
  } else if (op->kind == OP_CONTINUE) {
    add_next(g, i, loop);
  } else if (op->kind == OP_ELSE) {
    add_next(g, i, op->match);
  } else if (opener == OP_LOOP || opener == OP_FOR) {
    add_next(g, i, op->match);
  } else {
    add_next(g, i, i + 1);
    if (op->kind == OP_IF || op->kind == OP_FOR)
      add_next(g, i, op->match + 1);
  }
}

static void find_loops(Graph *g) {
  const Op *ops = g->f->ops.items;
  for (uint32_t i = 0; i < g->count; i++)
    g->around[i] = MAX_OPS;
  for (uint32_t i = 0; i < g->count; i++) {
    if (ops[i].kind != OP_LOOP && ops[i].kind != OP_FOR)
      continue;
    g->has_loops = true;
    for (uint32_t k = i + 1; k < ops[i].match; k++)
      g->around[k] = i; // inner loops come later
  }
}

static void reach(Graph *g) {
  bool has_changed = true;
  g->is_reached[0] = true;
  while (has_changed) {
    has_changed = false;
    for (uint32_t i = 0; i < g->count; i++) {
      for (uint32_t k = 0; g->is_reached[i] && k < g->next_count[i]; k++) {
        has_changed |= !g->is_reached[g->next[i][k]];
        g->is_reached[g->next[i][k]] = true;
      }
    }
  }
}

// --- What an operation does to the variables ---------------------------------

// A variable is a tensor of a value: 2 * value + number of the tensor.
typedef struct {
  uint32_t used[16];
  uint32_t used_count;
  uint32_t defined[2];
  uint32_t defined_count;
  uint32_t from[2][16];   // what each defined one refers to afterwards: what
  uint32_t from_count[2]; // these refer to,
  uint32_t born[2];       // or this buffer (a variable), if not 0
} Effect;

static bool is_type(const Graph *g, ValueId value, TypeKind kind) {
  return type_kind(g->module->types, ir_value(g->f, value)->type) == kind;
}

// Scalars have none.
static uint32_t tensors_in(const Graph *g, ValueId value) {
  if (is_type(g, value, TYPE_STRUCT))
    return 2;
  return is_type(g, value, TYPE_TENSOR) || is_type(g, value, TYPE_REF) ? 1 : 0;
}

static uint32_t var(ValueId value, uint32_t tensor) {
  return 2 * value.index + tensor;
}

// The variable whose operation made these bytes, or 0 for a view.
static uint32_t maker(const Graph *g, uint32_t variable) {
  ValueId value = {variable / 2};
  const Op *op = &g->f->ops.items[ir_value(g->f, value)->op];
  if (op->kind == OP_STRUCT)
    return maker(g, var(op_operand(g->f, op, variable % 2), 0));
  if (op->kind == OP_FIELD)
    return maker(g, var(op_operand(g->f, op, 0), op->aux));
  return ir_value_bears_buffer(g->module, g->f, value) ? variable : 0;
}

typedef struct {
  uint32_t joined[MAX_VARS]; // buffer -> the buffer of the IF it is part of
} Joins;

static uint32_t buffer_of(const Joins *j, uint32_t variable) {
  while (j->joined[variable] != 0)
    variable = j->joined[variable];
  return variable;
}

static uint32_t if_around_yield(const Graph *g, uint32_t at) {
  const Op *ops = g->f->ops.items;
  return ops[at + 1].kind == OP_ELSE ? ops[ops[at + 1].match].match
                                     : ops[at + 1].match;
}

static void find_joins(const Graph *g, Joins *j) {
  const Op *ops = g->f->ops.items;
  for (uint32_t i = 0; i < g->count; i++) {
    if (ops[i].kind != OP_YIELD)
      continue;
    uint32_t opener = if_around_yield(g, i);
    uint32_t arm = ops[i + 1].kind == OP_ELSE ? opener : ops[opener].match;
    ValueId result = ops[opener].result, value = op_operand(g->f, &ops[i], 0);
    for (uint32_t k = 0; k < tensors_in(g, result); k++) {
      uint32_t made = maker(g, var(value, k));
      if (is_type(g, result, TYPE_REF) || made == 0 || j->joined[made] != 0)
        continue;
      if (ir_value(g->f, (ValueId){made / 2})->op > arm)
        j->joined[made] = var(result, k);
    }
  }
}

static void use_all(const Graph *g, Effect *e, ValueId value) {
  for (uint32_t k = 0; k < tensors_in(g, value); k++)
    e->used[e->used_count++] = var(value, k);
}

static void define(Effect *e, uint32_t variable, uint32_t born) {
  e->defined[e->defined_count] = variable;
  e->born[e->defined_count++] = born;
}

static void define_as(Effect *e, uint32_t variable, uint32_t source) {
  e->from[e->defined_count][0] = source;
  e->from_count[e->defined_count] = 1;
  define(e, variable, 0);
}

static void effect_of_call(const Graph *g, const Op *op, Effect *e) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < op->count; i++)
    if (is_type(g, op_operand(g->f, op, i), TYPE_REF))
      e->from[0][n++] = var(op_operand(g->f, op, i), 0);
  e->from_count[0] = n;
  define(e, var(op->result, 0), 0);
}

static void effect_of_yield(const Graph *g, const Joins *j, uint32_t at,
                            Effect *e) {
  const Op *op = &g->f->ops.items[at];
  ValueId value = op_operand(g->f, op, 0);
  ValueId result = g->f->ops.items[if_around_yield(g, at)].result;
  for (uint32_t k = 0; k < tensors_in(g, result); k++) {
    if (is_type(g, result, TYPE_REF))
      define_as(e, var(result, k), var(value, k));
    else
      define(e, var(result, k), buffer_of(j, var(result, k)));
  }
}

static Effect effect_of(const Graph *g, const Joins *j, uint32_t at) {
  const Op *op = &g->f->ops.items[at];
  Effect e = {.used_count = 0};
  OpKind kind = (OpKind)op->kind;
  ValueId first = op->count > 0 ? op_operand(g->f, op, 0) : (ValueId){0};
  if (kind == OP_FIELD) {
    e.used[e.used_count++] = var(first, op->aux);
    define_as(&e, var(op->result, 0), var(first, op->aux));
    return e;
  }
  if (kind == OP_STORE) {
    use_all(g, &e, op_operand(g->f, op, 1));
    define_as(&e, var(first, 0), var(op_operand(g->f, op, 1), 0));
    return e;
  }
  for (uint32_t i = 0; i < op->count; i++)
    use_all(g, &e, op_operand(g->f, op, i));
  if (kind == OP_YIELD)
    effect_of_yield(g, j, at, &e);
  else if (kind == OP_STRUCT)
    for (uint32_t k = 0; k < 2; k++)
      define_as(&e, var(op->result, k), var(op_operand(g->f, op, k), 0));
  else if (kind == OP_BORROW || kind == OP_DEREF || kind == OP_LOAD)
    define_as(&e, var(op->result, 0), var(first, 0));
  else if (kind == OP_VAR)
    define(&e, var(op->result, 0), 0);
  else if (kind == OP_CALL && is_type(g, op->result, TYPE_REF))
    effect_of_call(g, op, &e);
  else if (kind != OP_IF && op->result.index != 0)
    for (uint32_t k = 0; k < tensors_in(g, op->result); k++)
      define(&e, var(op->result, k), buffer_of(j, var(op->result, k)));
  return e;
}

// --- Data flow ---------------------------------------------------------------

// Sets of buffers, by number in the list of buffers: at most 64.
typedef struct {
  Graph graph;
  Joins joins;
  Effect effects[MAX_OPS];
  uint32_t vars;
  uint64_t (*refers)[MAX_VARS]; // before each operation
  Bitset *needed;               // before each operation
  uint32_t buffers[64];         // variables
  uint32_t buffer_count;
  bool alive[64][MAX_OPS];
} Oracle;

static uint64_t buffer_bit(Oracle *o, uint32_t variable) {
  for (uint32_t i = 0; i < o->buffer_count; i++)
    if (o->buffers[i] == variable)
      return UINT64_C(1) << i;
  CHECK(o->buffer_count < 64);
  o->buffers[o->buffer_count] = variable;
  return UINT64_C(1) << o->buffer_count++;
}

// What a defined variable refers to behind the operation.
static uint64_t refers_after(Oracle *o, const uint64_t *before, const Effect *e,
                             uint32_t k) {
  uint64_t set = e->born[k] != 0 ? buffer_bit(o, e->born[k]) : 0;
  for (uint32_t i = 0; i < e->from_count[k]; i++)
    set |= before[e->from[k][i]];
  return set;
}

static bool flow_forward(Oracle *o, uint32_t at) {
  const Effect *e = &o->effects[at];
  bool has_changed = false;
  for (uint32_t n = 0; n < o->graph.next_count[at]; n++) {
    uint64_t *after = o->refers[o->graph.next[at][n]];
    for (uint32_t v = 0; v < o->vars; v++) {
      uint64_t set = o->refers[at][v];
      for (uint32_t k = 0; k < e->defined_count; k++)
        if (e->defined[k] == v)
          set = refers_after(o, o->refers[at], e, k);
      has_changed |= (set & ~after[v]) != 0;
      after[v] |= set;
    }
  }
  return has_changed;
}

static bool flow_backward(Oracle *o, uint32_t at, Bitset *set) {
  const Effect *e = &o->effects[at];
  bitset_clear(set);
  for (uint32_t n = 0; n < o->graph.next_count[at]; n++)
    bitset_union(set, &o->needed[o->graph.next[at][n]]);
  for (uint32_t k = 0; k < e->defined_count; k++)
    bitset_remove(set, e->defined[k]);
  for (uint32_t k = 0; k < e->used_count; k++)
    bitset_add(set, e->used[k]);
  return bitset_union(&o->needed[at], set);
}

static void mark_alive(Oracle *o, uint32_t at, uint64_t set) {
  for (uint32_t b = 0; b < o->buffer_count; b++)
    o->alive[b][at] |= (set >> b & 1) != 0;
}

static void mark_op(Oracle *o, uint32_t at) {
  const Effect *e = &o->effects[at];
  for (uint32_t v = 0; v < o->vars; v++)
    if (bitset_has(&o->needed[at], v))
      mark_alive(o, at, o->refers[at][v]);
  if (o->graph.f->ops.items[at].kind == OP_RENAME) {
    uint64_t source = o->refers[at][e->used[0]];
    for (uint32_t b = 0; b < o->buffer_count; b++)
      if (source >> b & 1)
        o->alive[b][at] = false;
  }
  for (uint32_t k = 0; k < e->defined_count; k++)
    mark_alive(o, at, refers_after(o, o->refers[at], e, k));
}

static Oracle *solve(Arena *arena, const IrModule *module,
                     const IrFunction *f) {
  Oracle *o = ARENA_NEW(arena, Oracle);
  o->graph.module = module;
  o->graph.f = f;
  o->graph.count = f->ops.count;
  o->vars = 2 * f->values.count;
  CHECK(f->ops.count <= MAX_OPS && o->vars <= MAX_VARS);
  find_loops(&o->graph);
  for (uint32_t i = 0; i < f->ops.count; i++)
    link_op(&o->graph, i);
  reach(&o->graph);
  find_joins(&o->graph, &o->joins);
  o->refers = arena_array(arena, f->ops.count, sizeof(*o->refers), 8);
  o->needed = ARENA_ARRAY(arena, Bitset, f->ops.count);
  for (uint32_t i = 0; i < f->ops.count; i++) {
    o->effects[i] = effect_of(&o->graph, &o->joins, i);
    o->needed[i] = bitset_new(arena, o->vars);
  }
  Bitset set = bitset_new(arena, o->vars);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (uint32_t i = 0; i < f->ops.count; i++) {
      if (o->graph.is_reached[i])
        has_changed |= flow_forward(o, i);
      has_changed |= flow_backward(o, f->ops.count - 1 - i, &set);
    }
  }
  for (uint32_t i = 0; i < f->ops.count; i++)
    mark_op(o, i);
  return o;
}

// --- Paths -------------------------------------------------------------------

typedef struct {
  Oracle *o;
  uint32_t path[MAX_OPS];
  uint32_t length;
  uint32_t paths_left;
  bool alive[64][MAX_OPS];
} Walk;

// Replays one path: each buffer is alive from its birth to its last use on it.
static void replay(Walk *w) {
  static const uint32_t none = MAX_OPS;
  Oracle *o = w->o;
  uint64_t refers[MAX_VARS] = {0};
  uint32_t birth[64], last[64];
  for (uint32_t b = 0; b < 64; b++)
    birth[b] = last[b] = none;
  for (uint32_t p = 0; p < w->length; p++) {
    const Effect *e = &o->effects[w->path[p]];
    bool is_rename = o->graph.f->ops.items[w->path[p]].kind == OP_RENAME;
    uint64_t used = 0, after[2] = {0, 0};
    for (uint32_t k = 0; k < e->used_count; k++)
      used |= refers[e->used[k]];
    for (uint32_t k = 0; k < e->defined_count; k++)
      after[k] = refers_after(o, refers, e, k);
    for (uint32_t k = 0; k < e->defined_count; k++)
      refers[e->defined[k]] = after[k];
    for (uint32_t b = 0; b < o->buffer_count; b++) {
      if ((after[0] | after[1]) >> b & 1) {
        birth[b] = birth[b] == none ? p : birth[b];
        last[b] = p;
      }
      if (used >> b & 1)
        last[b] = is_rename ? p - 1 : p;
    }
  }
  for (uint32_t b = 0; b < o->buffer_count; b++)
    for (uint32_t p = birth[b]; p < w->length && p <= last[b]; p++)
      w->alive[b][w->path[p]] = true;
}

static void walk_paths(Walk *w, uint32_t at) {
  if (w->paths_left == 0)
    return;
  w->path[w->length++] = at;
  const Graph *g = &w->o->graph;
  if (g->next_count[at] == 0) {
    w->paths_left--;
    replay(w);
  }
  for (uint32_t n = 0; n < g->next_count[at]; n++)
    walk_paths(w, g->next[at][n]);
  w->length--;
}

// --- Comparing ---------------------------------------------------------------

static const Buffer *find_buffer(const OwnResult *own, uint32_t variable) {
  for (uint32_t i = 0; i < own->buffer_count; i++)
    if (var(own->buffers[i].value, own->buffers[i].field) == variable)
      return &own->buffers[i];
  return NULL;
}

// One that is never born has no ranges.
static bool is_in_ranges(const Buffer *buffer, uint32_t at) {
  for (uint32_t i = 0; buffer != NULL && i < buffer->range_count; i++)
    if (buffer->ranges[i].from <= at && at < buffer->ranges[i].to)
      return true;
  return false;
}

static bool ranges_are_tidy(const Buffer *buffer) {
  for (uint32_t i = 0; i < buffer->range_count; i++) {
    if (buffer->ranges[i].from >= buffer->ranges[i].to)
      return false;
    if (i > 0 && buffer->ranges[i - 1].to >= buffer->ranges[i].from)
      return false;
  }
  return buffer->range_count > 0;
}

// Not compared in dead code behind an exit: no value reaches it.
static bool same_lives(const Oracle *o, const OwnResult *own,
                       const bool (*alive)[MAX_OPS]) {
  for (uint32_t b = 0; b < o->buffer_count; b++) {
    const Buffer *buffer = find_buffer(own, o->buffers[b]);
    if (buffer != NULL && !ranges_are_tidy(buffer))
      return false;
    for (uint32_t at = 0; at < o->graph.count; at++) {
      if (o->graph.is_reached[at] && alive[b][at] != is_in_ranges(buffer, at)) {
        printf("  buffer %%%u.%u at %u\n", o->buffers[b] / 2, o->buffers[b] % 2,
               at);
        return false;
      }
    }
  }
  return true;
}

static void show(const Fixture *x, const IrFunction *f, const OwnResult *own) {
  Arena arena = {0};
  Text out = text_new(&arena);
  ir_print_function(&out, x->module, f);
  own_dump(&out, x->module, f, own);
  printf("%.*s\n", STR_ARG(text_str(&out)));
  arena_free(&arena);
}

// Returns how many acyclic functions were compared with their paths.
static uint32_t compare_one(Test *test, uint64_t seed) {
  Fixture x;
  Generator g;
  uint32_t compared = 0;
  fixture_open(&x, "");
  Str text = random_function(&g, &x.arena, seed);
  if (!EXPECT(fixture_read(&x, text))) {
    printf("%.*s", STR_ARG(text));
    fixture_close(&x);
    return 0;
  }
  const IrFunction *f = &x.module->functions.items[0];
  OwnResult own;
  own_analyze(&x.arena, &x.arena, x.module, f, &own);
  Oracle *o = solve(&x.arena, x.module, f);
  bool is_same = same_lives(o, &own, (const bool(*)[MAX_OPS])o->alive);
  if (!o->graph.has_loops) {
    Walk *w = ARENA_NEW(&x.arena, Walk);
    w->o = o;
    w->paths_left = 5000;
    walk_paths(w, 0);
    compared = w->paths_left > 0;
    if (compared)
      is_same =
          is_same && same_lives(o, &own, (const bool(*)[MAX_OPS])w->alive);
  }
  if (!EXPECT(is_same)) {
    printf("seed %" PRIu64 "\n", seed);
    show(&x, f, &own);
  }
  fixture_close(&x);
  return compared;
}

TEST(lifetimes_equal_data_flow_and_paths) {
  uint32_t compared = 0;
  for (uint64_t seed = 1; seed <= 3000 && test->failures == 0; seed++)
    compared += compare_one(test, seed);
  EXPECT(compared > 200);
}

int main(void) { return RUN_TESTS(CASE(lifetimes_equal_data_flow_and_paths)); }
