// SPDX-License-Identifier: Apache-2.0
//
// Inputs for bench/run, on standard output. The same arguments give the same
// bytes everywhere.
//
//   generate program LINES        a Vx program for fleet/h100-sxm.vx
//   generate c-program LINES      a C program of the same shape
//   generate function KIND COUNT  one function that places COUNT buffers; KIND
//                                 is straight, loops or branches
//   generate calls COUNT          COUNT functions, each calls the next
//   generate machine chain COUNT  COUNT memories, each within the one before
//   generate machine star COUNT   COUNT memories, all within the first
//   generate machine mesh COUNT LINKS
//                                 trees of ten memories, LINKS links in all
//   generate transfers COUNT PLACES
//                                 a program that moves a tensor to PLACES of
//                                 the COUNT memories of a machine
//
// Nothing generated gives a diagnostic.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Random numbers: splitmix64 ----------------------------------------------

typedef struct {
  uint64_t state;
} Random;

static uint64_t random_next(Random *random) {
  uint64_t mixed = random->state += 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

static uint64_t random_below(Random *random, uint64_t limit) {
  return random_next(random) % limit;
}

// --- Programs: units of one or two functions
// ----------------------------------

// Signature of the function of a unit that others call.
typedef enum {
  TAKES_INTEGERS, // (i32, i32) -> i32
  TAKES_FLOAT,    // (f32) -> f32
} Signature;

// In a text stand `$n` for the number of the unit, `$a` and `$b` for small
// numbers, `$d` for an extent. Vx and C texts mean the same.
typedef struct {
  const char *name; // of the function that others call, without its number
  Signature signature;
  const char *vx;
  const char *c;
} Unit;

static const Unit units[] = {
    {"mix", TAKES_INTEGERS,
     "fn mix_$n(left: i32, right: i32) -> i32 {\n"
     "  let mut total = left * $a + right;\n"
     "  for i in 0..$d {\n"
     "    if i % $b == 0 {\n"
     "      total += i;\n"
     "    } else {\n"
     "      total = total ^ right;\n"
     "    }\n"
     "  }\n"
     "  return total;\n"
     "}\n",
     "static int mix_$n(int left, int right) {\n"
     "  int total = left * $a + right;\n"
     "  for (int i = 0; i < $d; i++) {\n"
     "    if (i % $b == 0) {\n"
     "      total += i;\n"
     "    } else {\n"
     "      total = total ^ right;\n"
     "    }\n"
     "  }\n"
     "  return total;\n"
     "}\n"},
    {"search", TAKES_INTEGERS,
     "fn search_$n(from: i32, to: i32) -> i32 {\n"
     "  let step = if from > to { from - to } else { $a };\n"
     "  let mut at = from;\n"
     "  let mut found = 0;\n"
     "  while at < to && found < $b {\n"
     "    at += step & 7;\n"
     "    if at % $d == 1 || at == step { found += 1; }\n"
     "  }\n"
     "  return found + (at << 1);\n"
     "}\n",
     "static int search_$n(int from, int to) {\n"
     "  int step = from > to ? from - to : $a;\n"
     "  int at = from;\n"
     "  int found = 0;\n"
     "  while (at < to && found < $b) {\n"
     "    at += step & 7;\n"
     "    if (at % $d == 1 || at == step) { found += 1; }\n"
     "  }\n"
     "  return found + (at << 1);\n"
     "}\n"},
    {"decay", TAKES_FLOAT,
     "fn decay_$n(start: f32) -> f32 {\n"
     "  let mut value = start * 0.$a;\n"
     "  let mut rounds = 0;\n"
     "  loop {\n"
     "    value = value * 0.$b + 1.$a;\n"
     "    rounds += 1;\n"
     "    if rounds == $d || value > 100.0 { break; }\n"
     "  }\n"
     "  return value;\n"
     "}\n",
     "static float decay_$n(float start) {\n"
     "  float value = start * 0.$af;\n"
     "  int rounds = 0;\n"
     "  for (;;) {\n"
     "    value = value * 0.$bf + 1.$af;\n"
     "    rounds += 1;\n"
     "    if (rounds == $d || value > 100.0f) { break; }\n"
     "  }\n"
     "  return value;\n"
     "}\n"},
    {"layer", TAKES_FLOAT,
     "struct Layer_$n { scale: f32, bias: f32, steps: i32,"
     " weight: Tensor<f32, [$d, $d]> }\n"
     "\n"
     "fn adjust_$n(layer: &mut Layer_$n, value: f32) -> f32 {\n"
     "  layer.scale += value;\n"
     "  layer.weight[$a, $b] = layer.scale * layer.bias;\n"
     "  layer.steps += $a;\n"
     "  let shared = &layer.weight;\n"
     "  return shared[0, $b] + layer.scale;\n"
     "}\n"
     "\n"
     "fn layer_$n(value: f32) -> f32 {\n"
     "  let weight = Tensor<f32, [$d, $d]>::fill(value);\n"
     "  let mut layer = Layer_$n { scale: value, bias: 0.$b, steps: $a,"
     " weight: weight };\n"
     "  let first = adjust_$n(&mut layer, value);\n"
     "  let second = adjust_$n(&mut layer, first);\n"
     "  if layer.steps > $b { return first; }\n"
     "  return first + second * layer.scale;\n"
     "}\n",
     "struct Layer_$n { float scale; float bias; int steps;"
     " float weight[$d][$d]; };\n"
     "\n"
     "static float adjust_$n(struct Layer_$n *layer, float value) {\n"
     "  layer->scale += value;\n"
     "  layer->weight[$a][$b] = layer->scale * layer->bias;\n"
     "  layer->steps += $a;\n"
     "  float (*shared)[$d] = layer->weight;\n"
     "  return shared[0][$b] + layer->scale;\n"
     "}\n"
     "\n"
     "static float layer_$n(float value) {\n"
     "  struct Layer_$n layer = { value, 0.$bf, $a, { { 0 } } };\n"
     "  fill(&layer.weight[0][0], $d * $d, value);\n"
     "  float first = adjust_$n(&layer, value);\n"
     "  float second = adjust_$n(&layer, first);\n"
     "  if (layer.steps > $b) { return first; }\n"
     "  return first + second * layer.scale;\n"
     "}\n"},
    {"stage", TAKES_FLOAT,
     "fn stage_$n(value: f32) -> f32 {\n"
     "  let mut host : Tensor<f32, [$d, $d]> ="
     " Tensor<f32, [$d, $d]>::fill(value);\n"
     "  host[$a, $b] = value + $a.0;\n"
     "  let far = transfer(&host, Memory::HBM);\n"
     "  let sum = spawn on(Topology::Device) {\n"
     "    let twice = &far + &far;\n"
     "    twice * 0.$b\n"
     "  };\n"
     "  let home = transfer(sum, Memory::CPU_DRAM);\n"
     "  return home[$a, $b];\n"
     "}\n",
     "static float stage_$n(float value) {\n"
     "  float host[$d][$d], far[$d][$d], sum[$d][$d], home[$d][$d];\n"
     "  fill(&host[0][0], $d * $d, value);\n"
     "  host[$a][$b] = value + $a.0f;\n"
     "  move(&far[0][0], &host[0][0], sizeof far);\n"
     "  for (int i = 0; i < $d * $d; i++) {\n"
     "    (&sum[0][0])[i] = ((&far[0][0])[i] + (&far[0][0])[i]) * 0.$bf;\n"
     "  }\n"
     "  move(&home[0][0], &sum[0][0], sizeof home);\n"
     "  return home[$a][$b];\n"
     "}\n"},
    {"kernel", TAKES_FLOAT,
     "fn tile_$n(far: &Tensor<f32, [$d, $d], Memory::HBM>, factor: f32)"
     " on Topology::Device -> f32 {\n"
     "  let tile = transfer(far, Memory::SMEM);\n"
     "  let scaled = &tile * factor;\n"
     "  let mut total = 0.$a;\n"
     "  for i in 0..$d {\n"
     "    total += scaled[i, $b] + tile[i, i];\n"
     "  }\n"
     "  return total;\n"
     "}\n"
     "\n"
     "fn kernel_$n(factor: f32) -> f32 {\n"
     "  let host = Tensor<f32, [$d, $d]>::fill(factor);\n"
     "  let far = transfer(host, Memory::HBM);\n"
     "  let total = spawn on(Topology::Device) { tile_$n(&far, factor) };\n"
     "  let home = transfer(total, Memory::CPU_DRAM);\n"
     "  return home * factor;\n"
     "}\n",
     "static float tile_$n(float (*far)[$d], float factor) {\n"
     "  float tile[$d][$d], scaled[$d][$d], total = 0.$af;\n"
     "  move(&tile[0][0], &far[0][0], sizeof tile);\n"
     "  for (int i = 0; i < $d * $d; i++)\n"
     "    (&scaled[0][0])[i] = (&tile[0][0])[i] * factor;\n"
     "  for (int i = 0; i < $d; i++) {\n"
     "    total += scaled[i][$b] + tile[i][i];\n"
     "  }\n"
     "  return total;\n"
     "}\n"
     "\n"
     "static float kernel_$n(float factor) {\n"
     "  float host[$d][$d], far[$d][$d];\n"
     "  fill(&host[0][0], $d * $d, factor);\n"
     "  move(&far[0][0], &host[0][0], sizeof far);\n"
     "  float total = tile_$n(far, factor);\n"
     "  return total * factor;\n"
     "}\n"},
    {"product", TAKES_FLOAT,
     "fn product_$n(value: f32) -> f32 {\n"
     "  let left = Tensor<f32, [$d, 8]>::fill(value);\n"
     "  let mut right = Tensor<f32, [8, $d]>::new();\n"
     "  for i in 0..8 {\n"
     "    right[i, $a] = value * 0.$b;\n"
     "  }\n"
     "  let both = left @ &right;\n"
     "  let next = &both - $a.$b;\n"
     "  let row = &next[$b];\n"
     "  return row[$a] + both[0, 0] + right[$a, $b];\n"
     "}\n",
     "static float product_$n(float value) {\n"
     "  float left[$d][8], right[8][$d] = { { 0 } }, both[$d][$d];\n"
     "  fill(&left[0][0], $d * 8, value);\n"
     "  for (int i = 0; i < 8; i++) {\n"
     "    right[i][$a] = value * 0.$bf;\n"
     "  }\n"
     "  multiply(&both[0][0], &left[0][0], &right[0][0], $d);\n"
     "  float *row = both[$b];\n"
     "  row[$a] -= $a.$bf;\n"
     "  return row[$a] + both[0][0] + right[$a][$b];\n"
     "}\n"},
    {"spread", TAKES_FLOAT,
     "fn write_$n(into: &mut Tensor<f32, [$d]>, value: f32) -> void {\n"
     "  for i in 0..$d {\n"
     "    into[i] = value * 0.$a;\n"
     "  }\n"
     "}\n"
     "\n"
     "fn spread_$n(value: f32) -> f32 {\n"
     "  let mut held = Tensor<f32, [$d]>::new();\n"
     "  let limit = $a.$b;\n"
     "  write_$n(&mut held, value);\n"
     "  let mut largest = held[0];\n"
     "  for i in 1..$d {\n"
     "    if held[i] > largest && largest < limit { largest = held[i]; }\n"
     "  }\n"
     "  return largest;\n"
     "}\n",
     "static void write_$n(float *into, float value) {\n"
     "  for (int i = 0; i < $d; i++) {\n"
     "    into[i] = value * 0.$af;\n"
     "  }\n"
     "}\n"
     "\n"
     "static float spread_$n(float value) {\n"
     "  float held[$d] = { 0 };\n"
     "  const float limit = $a.$bf;\n"
     "  write_$n(held, value);\n"
     "  float largest = held[0];\n"
     "  for (int i = 1; i < $d; i++) {\n"
     "    if (held[i] > largest && largest < limit) { largest = held[i]; }\n"
     "  }\n"
     "  return largest;\n"
     "}\n"},
};

// What the C texts call, where Vx has an operation for it.
static const char c_prelude[] =
    "void *memcpy(void *to, const void *from, unsigned long bytes);\n"
    "\n"
    "static void move(float *to, const float *from, unsigned long bytes) {\n"
    "  memcpy(to, from, bytes);\n"
    "}\n"
    "\n"
    "static void fill(float *to, int count, float value) {\n"
    "  for (int i = 0; i < count; i++)\n"
    "    to[i] = value;\n"
    "}\n"
    "\n"
    "static void multiply(float *to, const float *left, const float *right,"
    " int n) {\n"
    "  for (int i = 0; i < n; i++)\n"
    "    for (int j = 0; j < n; j++) {\n"
    "      to[i * n + j] = 0;\n"
    "      for (int k = 0; k < 8; k++)\n"
    "        to[i * n + j] += left[i * 8 + k] * right[k * n + j];\n"
    "    }\n"
    "}\n"
    "\n";

// A function that nothing calls yet.
typedef struct {
  const char *name;
  uint64_t number;
  Signature signature;
} Pending;

enum { CALLS_PER_FUNCTION = 8 };

typedef struct {
  Random random;
  int is_c;
  uint64_t lines;
  uint64_t numbers; // units so far
  Pending pending[2 * CALLS_PER_FUNCTION];
  unsigned pending_count;
} Writer;

static void put_text(Writer *writer, const char *text, const char *const *words,
                     const char *letters) {
  for (const char *at = text; *at != '\0'; at++) {
    const char *letter = *at == '$' ? strchr(letters, at[1]) : NULL;
    if (letter != NULL) {
      fputs(words[letter - letters], stdout);
      at++;
      continue;
    }
    writer->lines += *at == '\n';
    putchar(*at);
  }
}

static void put_unit(Writer *writer) {
  const Unit *unit =
      &units[random_below(&writer->random, sizeof units / sizeof *units)];
  char number[24], a[24], b[24], extent[24];
  snprintf(number, sizeof number, "%llu", (unsigned long long)writer->numbers);
  snprintf(a, sizeof a, "%u", 2 + (unsigned)random_below(&writer->random, 6));
  snprintf(b, sizeof b, "%u", 2 + (unsigned)random_below(&writer->random, 6));
  // Two tiles of 104 x 104 f32 fit the shared memory of an H100.
  snprintf(extent, sizeof extent, "%u",
           8 + 8 * (unsigned)random_below(&writer->random, 13));
  const char *words[] = {number, a, b, extent};
  put_text(writer, writer->is_c ? unit->c : unit->vx, words, "nabd");
  put_text(writer, "\n", words, "");
  Pending pending = {unit->name, writer->numbers++, unit->signature};
  writer->pending[writer->pending_count++] = pending;
}

// `result_type name(..) {` and variables `value` and `count`.
static void put_head(Writer *writer, const char *number) {
  const char *words[] = {number};
  put_text(writer,
           writer->is_c ? "static float run_$n(float start) {\n"
                          "  float value = start;\n"
                          "  int count = 1;\n"
                        : "fn run_$n(start: f32) -> f32 {\n"
                          "  let mut value = start;\n"
                          "  let mut count = 1;\n",
           words, "n");
}

static void put_call(Writer *writer, Pending callee) {
  char number[24];
  snprintf(number, sizeof number, "%llu", (unsigned long long)callee.number);
  const char *words[] = {callee.name, number};
  put_text(writer,
           callee.signature == TAKES_INTEGERS ? "  count += $f_$n(count, 7);\n"
                                              : "  value += $f_$n(value);\n",
           words, "fn");
}

// A function that calls all pending ones and is then the pending one itself.
static void put_calls(Writer *writer) {
  char number[24];
  snprintf(number, sizeof number, "%llu", (unsigned long long)writer->numbers);
  put_head(writer, number);
  for (unsigned i = 0; i < writer->pending_count; i++)
    put_call(writer, writer->pending[i]);
  const char *none[] = {NULL};
  put_text(writer,
           writer->is_c ? "  if (count > 9) { value += 0.5f; }\n"
                          "  return value;\n"
                          "}\n\n"
                        : "  if count > 9 { value += 0.5; }\n"
                          "  return value;\n"
                          "}\n\n",
           none, "");
  Pending self = {"run", writer->numbers++, TAKES_FLOAT};
  writer->pending[0] = self;
  writer->pending_count = 1;
}

static void generate_program(uint64_t lines, int is_c) {
  Writer writer = {.random = {20260801}, .is_c = is_c};
  const char *none[] = {NULL};
  put_text(&writer,
           is_c ? c_prelude : "// Generated: bench/generate program.\n\n", none,
           "");
  // The end: one more function of calls, and main.
  uint64_t end = CALLS_PER_FUNCTION + 12;
  while (writer.lines + end < lines) {
    put_unit(&writer);
    if (writer.pending_count == CALLS_PER_FUNCTION)
      put_calls(&writer);
  }
  put_calls(&writer);
  char number[24];
  snprintf(number, sizeof number, "%llu",
           (unsigned long long)writer.pending[0].number);
  const char *words[] = {number};
  put_text(&writer,
           is_c ? "int main(void) {\n"
                  "  return run_$n(1.0f) > 0.0f;\n"
                  "}\n"
                : "fn main() -> i32 {\n"
                  "  print(run_$n(1.0));\n"
                  "  return 0;\n"
                  "}\n",
           words, "n");
}

// --- One function with many buffers
// -------------------------------------------

// Each buffer is read once, up to sixteen buffers after its birth, or never.
static void generate_straight(uint64_t count) {
  Random random = {20260802};
  puts("fn work() on Topology::Device -> f32 {\n  let mut total = 0.0;");
  for (uint64_t i = 0; i < count; i++) {
    printf("  let t%llu = Tensor<f32, [%u, 64], Memory::HBM>::new();\n",
           (unsigned long long)i, 1 + (unsigned)random_below(&random, 64));
    uint64_t back = random_below(&random, 16);
    if (back <= i)
      printf("  total += t%llu[0, 1];\n", (unsigned long long)(i - back));
  }
  puts("  return total;\n}\n\n"
       "fn main() -> i32 {\n"
       "  let total = spawn on(Topology::Device) { work() };\n"
       "  print(transfer(total, Memory::CPU_DRAM));\n"
       "  return 0;\n"
       "}");
}

// Each nest holds eight buffers: two before it, two in each of three loops.
static void generate_loops(uint64_t count) {
  puts("fn main() -> i32 {\n  let mut total = 0.0;");
  for (uint64_t i = 0; i < count; i += 8) {
    unsigned long long n = i;
    printf("  let mut a%llu = Tensor<f32, [8, 8]>::new();\n"
           "  let b%llu = Tensor<f32, [8, 8]>::fill(0.5);\n"
           "  for i in 0..8 {\n"
           "    let c%llu = &a%llu + &b%llu;\n"
           "    let d%llu = &c%llu * 2.0;\n"
           "    for j in 0..8 {\n",
           n, n, n, n, n, n, n);
    printf("      let e%llu = &d%llu + &a%llu;\n"
           "      let f%llu = &e%llu @ &c%llu;\n"
           "      for k in 0..8 {\n"
           "        let g%llu = &f%llu * &e%llu;\n"
           "        let h%llu = &g%llu + &b%llu;\n"
           "        total += h%llu[i, k] + g%llu[j, k];\n"
           "      }\n"
           "    }\n"
           "    a%llu[i, 0] = total;\n"
           "  }\n",
           n, n, n, n, n, n, n, n, n, n, n, n, n, n, n);
  }
  puts("  print(total);\n  return 0;\n}");
}

// Chains of sixteen arms; each arm bears a buffer and reads one from before.
static void generate_branches(uint64_t count) {
  enum { ARMS = 16 };
  puts("fn choose(which: i32) -> f32 {\n  let mut total = 0.0;");
  for (uint64_t i = 0; i < count; i += ARMS) {
    unsigned long long n = i;
    printf("  let s%llu = Tensor<f32, [8, 8]>::fill(0.5);\n  ", n);
    for (unsigned arm = 1; arm < ARMS; arm++)
      printf("if which == %u {\n"
             "    let t = &s%llu * %u.0;\n"
             "    total += t[0, 1];\n"
             "  } else ",
             arm, n, arm);
    printf("{\n    total += s%llu[1, 1];\n  }\n", n);
  }
  puts("  return total;\n}\n\n"
       "fn main() -> i32 {\n  print(choose(3));\n  return 0;\n}");
}

static void generate_calls(uint64_t count) {
  puts("fn f0(value: f32) -> f32 {\n"
       "  let held = Tensor<f32, [8, 8]>::fill(value);\n"
       "  return held[0, 1];\n"
       "}\n");
  for (uint64_t i = 1; i < count; i++) {
    unsigned long long n = i;
    printf("fn f%llu(value: f32) -> f32 {\n"
           "  let held = Tensor<f32, [8, 8]>::fill(value);\n"
           "  let below = f%llu(value);\n"
           "  return held[0, 1] + below;\n"
           "}\n\n",
           n, n - 1);
  }
  printf("fn main() -> i32 {\n  print(f%llu(1.0));\n  return 0;\n}\n",
         (unsigned long long)(count - 1));
}

// --- Machines
// -------------------------------------------------------------------

// A memory within `parent`; none where `parent` is `self`.
static void put_memory(uint64_t self, uint64_t parent, uint64_t kibibytes) {
  printf("Memory M%llu {\n", (unsigned long long)self);
  if (self != parent)
    printf("  within:    Memory::M%llu,\n", (unsigned long long)parent);
  printf("  capacity:  %llu KiB,  // measured: generated\n"
         "  bandwidth: %llu GB/s,  // measured: generated\n"
         "  latency:   %llu ns,  // measured: generated\n"
         "  managed:   explicit,\n"
         "  scope:     device,\n"
         "}\n\n",
         (unsigned long long)kibibytes, 100 + (unsigned long long)(self % 900),
         (unsigned long long)(1000 - self % 900));
}

static void put_derived_link(uint64_t from, uint64_t to) {
  printf("  transfer Memory::M%llu -> Memory::M%llu,\n",
         (unsigned long long)from, (unsigned long long)to);
}

static void put_rated_link(uint64_t from, uint64_t to, uint64_t rate) {
  printf("  transfer Memory::M%llu -> Memory::M%llu : %llu GB/s,  // measured:"
         " generated\n",
         (unsigned long long)from, (unsigned long long)to,
         (unsigned long long)rate);
}

// The topology that holds M0, up to its links; it sees `count` memories.
static void put_topology(uint64_t first, uint64_t count) {
  printf("Topology T%llu {\n"
         "  memory:  Memory::M%llu,\n"
         "  visible: [Memory::M%llu",
         (unsigned long long)first, (unsigned long long)first,
         (unsigned long long)first);
  for (uint64_t i = 1; i < count; i++)
    printf(",%sMemory::M%llu", i % 8 == 0 ? "\n            " : " ",
           (unsigned long long)(first + i));
  puts("],");
}

// The host is farther away than anything else, so that the search for the way
// from there looks at the whole machine.
static void put_host_links(void) {
  puts("  transfer Memory::CPU_DRAM -> Memory::M0 : 64 GB/s latency 1 ms,"
       "  // measured: generated\n"
       "  transfer Memory::M0 -> Memory::CPU_DRAM : 64 GB/s latency 1 ms,"
       "  // measured: generated");
}

static void generate_chain(uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    put_memory(i, i == 0 ? 0 : i - 1, (count - i) * 4);
  put_topology(0, count);
  put_host_links();
  for (uint64_t i = 1; i < count; i++) {
    put_derived_link(i - 1, i);
    put_derived_link(i, i - 1);
  }
  puts("}");
}

static void generate_star(uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    put_memory(i, 0, i == 0 ? 4096 : 16 + 4 * (i % 60));
  put_topology(0, count);
  put_host_links();
  for (uint64_t i = 1; i < count; i++) {
    put_derived_link(0, i);
    put_derived_link(i, 0);
  }
  puts("}");
}

enum { TREE = 10 }; // memories of one tree of the mesh: a root, its children

// Links within a tree are priced by its memories, those between trees by a rate
// of their own: a ring of roots, then random ones from child to child.
static void generate_mesh(uint64_t count, uint64_t links) {
  Random random = {20260803};
  uint64_t trees = count / TREE;
  for (uint64_t i = 0; i < trees * TREE; i++)
    put_memory(i, i - i % TREE, i % TREE == 0 ? 1024 : 64);
  uint64_t fixed = 2 + trees * (2 * (TREE - 1) + 2);
  uint64_t random_links = links > fixed ? links - fixed : 0;
  for (uint64_t tree = 0; tree < trees; tree++) {
    uint64_t root = tree * TREE;
    put_topology(root, TREE);
    if (tree == 0)
      put_host_links();
    for (uint64_t i = 1; i < TREE; i++) {
      put_derived_link(root, root + i);
      put_derived_link(root + i, root);
    }
    uint64_t next = (tree + 1) % trees * TREE;
    put_rated_link(root, next, 50);
    put_rated_link(next, root, 50);
    uint64_t share = random_links / trees + (tree < random_links % trees);
    for (uint64_t i = 0; i < share; i++) {
      uint64_t other = (tree + 1 + random_below(&random, trees - 1)) % trees;
      put_rated_link(root + 1 + random_below(&random, TREE - 1),
                     other * TREE + 1 + random_below(&random, TREE - 1),
                     5 + random_below(&random, 20));
    }
    puts("}\n");
  }
}

// The places are evenly spread up to the last memory.
static void generate_transfers(uint64_t count, uint64_t places) {
  puts("fn main() -> i32 {\n"
       "  let host = Tensor<f32, [8, 8]>::fill(0.5);");
  for (uint64_t i = 1; i <= places; i++)
    printf("  let _far%llu = transfer(&host, Memory::M%llu);\n",
           (unsigned long long)i, (unsigned long long)(count * i / places - 1));
  puts("  return 0;\n}");
}

// --- Command line
// ---------------------------------------------------------------

static uint64_t number(const char *text) {
  char *end;
  unsigned long long value = strtoull(text, &end, 10);
  if (*text == '\0' || *end != '\0' || value == 0) {
    fprintf(stderr, "generate: not a positive number: %s\n", text);
    exit(2);
  }
  return value;
}

static int is(const char *text, const char *word) {
  return strcmp(text, word) == 0;
}

static int generate(int count, char **words) {
  if (count == 2 && is(words[0], "program"))
    generate_program(number(words[1]), 0);
  else if (count == 2 && is(words[0], "c-program"))
    generate_program(number(words[1]), 1);
  else if (count == 2 && is(words[0], "calls"))
    generate_calls(number(words[1]));
  else if (count == 3 && is(words[0], "transfers"))
    generate_transfers(number(words[1]), number(words[2]));
  else if (count == 3 && is(words[0], "function") && is(words[1], "straight"))
    generate_straight(number(words[2]));
  else if (count == 3 && is(words[0], "function") && is(words[1], "loops"))
    generate_loops(number(words[2]));
  else if (count == 3 && is(words[0], "function") && is(words[1], "branches"))
    generate_branches(number(words[2]));
  else if (count == 3 && is(words[0], "machine") && is(words[1], "chain"))
    generate_chain(number(words[2]));
  else if (count == 3 && is(words[0], "machine") && is(words[1], "star"))
    generate_star(number(words[2]));
  else if (count == 4 && is(words[0], "machine") && is(words[1], "mesh"))
    generate_mesh(number(words[2]), number(words[3]));
  else
    return 0;
  return 1;
}

int main(int argc, char **argv) {
  if (!generate(argc - 1, argv + 1)) {
    fputs("usage: generate program|c-program|calls COUNT\n"
          "       generate transfers COUNT PLACES\n"
          "       generate function straight|loops|branches COUNT\n"
          "       generate machine chain|star COUNT\n"
          "       generate machine mesh COUNT LINKS\n",
          stderr);
    return 2;
  }
  return ferror(stdout) || fflush(stdout) != 0;
}
