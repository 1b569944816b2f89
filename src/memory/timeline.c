// SPDX-License-Identifier: Apache-2.0
//
// timeline: sums of what is alive, over the operations of a function.
//
// Input: ranges with bytes. Output: the highest sum and where it is reached
// first. Algorithm: sweep over the sorted beginnings and ends; all of one
// operation count together, so that an operand that dies and a result that is
// born there coexist. Cost: linear, by radix sort.

#include "memory/internal.h"

static void add_range(Arena *scratch, LiveRange range, uint64_t bytes,
                      StepVec *steps) {
  VEC_PUSH(scratch, steps, (Step){bytes, range.from, false});
  VEC_PUSH(scratch, steps, (Step){bytes, range.to, true});
}

static void add_clipped(Arena *scratch, LiveRange range, uint64_t bytes,
                        const Buffer *clip, StepVec *steps) {
  for (uint32_t i = 0; i < clip->range_count; i++) {
    LiveRange part = clip->ranges[i];
    if (part.from < range.from)
      part.from = range.from;
    if (part.to > range.to)
      part.to = range.to;
    if (part.from < part.to)
      add_range(scratch, part, bytes, steps);
  }
}

void add_steps(Arena *scratch, const Buffer *buffer, uint64_t bytes,
               const Buffer *clip, StepVec *steps) {
  for (uint32_t i = 0; i < buffer->range_count; i++) {
    if (clip != NULL)
      add_clipped(scratch, buffer->ranges[i], bytes, clip, steps);
    else
      add_range(scratch, buffer->ranges[i], bytes, steps);
  }
}

// --- Sorting -----------------------------------------------------------------

enum { FEW = 24, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

static void sort_few(Step *steps, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    Step step = steps[i];
    uint32_t k = i;
    for (; k > 0 && steps[k - 1].op > step.op; k--)
      steps[k] = steps[k - 1];
    steps[k] = step;
  }
}

// One pass of the radix sort, by the digit at `shift`.
static void sort_digit(const Step *from, Step *to, uint32_t count,
                       uint32_t shift) {
  uint32_t first[DIGITS] = {0};
  for (uint32_t i = 0; i < count; i++)
    first[from[i].op >> shift & (DIGITS - 1)]++;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < DIGITS; i++) {
    uint32_t own = first[i];
    first[i] = sum;
    sum += own;
  }
  for (uint32_t i = 0; i < count; i++)
    to[first[from[i].op >> shift & (DIGITS - 1)]++] = from[i];
}

static void sort_steps(Arena *scratch, StepVec *steps) {
  if (steps->count <= FEW) {
    sort_few(steps->items, steps->count);
    return;
  }
  uint32_t highest = 0;
  for (uint32_t i = 0; i < steps->count; i++)
    if (steps->items[i].op > highest)
      highest = steps->items[i].op;
  Step *other = ARENA_ARRAY(scratch, Step, steps->capacity);
  for (uint32_t shift = 0; shift < 32 && highest >> shift != 0;
       shift += DIGIT_BITS) {
    sort_digit(steps->items, other, steps->count, shift);
    Step *sorted = other;
    other = steps->items;
    steps->items = sorted;
  }
}

// --- Sweeping ----------------------------------------------------------------

HighWater find_high_water(Arena *scratch, StepVec *steps) {
  sort_steps(scratch, steps);
  HighWater highest = {0, 0};
  Uint128 sum = 0;
  for (uint32_t i = 0; i < steps->count;) {
    uint32_t op = steps->items[i].op;
    for (; i < steps->count && steps->items[i].op == op; i++) {
      const Step *step = &steps->items[i];
      sum = step->is_end ? sum - step->bytes : sum + step->bytes;
    }
    if (sum > highest.bytes)
      highest = (HighWater){sum, op};
  }
  return highest;
}

bool is_alive_at(const Buffer *buffer, uint32_t op) {
  uint32_t low = 0, high = buffer->range_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (buffer->ranges[middle].to <= op)
      low = middle + 1;
    else
      high = middle;
  }
  return low < buffer->range_count && buffer->ranges[low].from <= op;
}

Bytes bytes_from_sum(Uint128 sum) {
  return sum > UINT64_MAX ? (Bytes){UINT64_MAX, true} : BYTES((uint64_t)sum);
}
