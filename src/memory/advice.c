// SPDX-License-Identifier: Apache-2.0
//
// advice: ways out of a refusal, each computed and found to fit.
//
// Input: a refused placement or peak. Output: at most three, cheapest first: an
// earlier release and fewer stages cost nothing, another memory its route, a
// smaller element or extent changes the program. Nothing is said that a second
// run of the analysis would not admit. Cost: a few sweeps over the function;
// only the first refusals of a function ask.

#include "memory/internal.h"

enum { TRIED_BUFFERS = 8, TRIED_MEMORIES = 64 };

static void add_way(Advice *advice, Str way) {
  if (advice->count < MAX_WAYS_OUT)
    advice->ways[advice->count++] = way;
}

void give_advice(const Advice *advice, DiagSink *sink, Diagnostic *d) {
  if (advice->count == 0)
    return;
  Text text = text_new(advice->scratch);
  for (uint32_t i = 0; i < advice->count; i++) {
    text_puts(&text, i == 0 ? "" : "; ");
    text_put(&text, advice->ways[i]);
  }
  diag_add_help(sink, d, text_str(&text));
}

// --- Shapes ------------------------------------------------------------------

static bool shape_fits(const TypeTable *types, MemoryId memory,
                       const TensorShape *shape) {
  Bytes bytes =
      machine_padded_bytes(machine_memory(types->machine, memory), shape);
  return judge_bytes(types->machine, memory, bytes).kind == VERDICT_FITS;
}

// " (224 = 14 x 16)": the largest multiple of a size that hardware likes.
static void put_round_extent(Text *text, uint64_t extent) {
  uint64_t unit = extent < 1024 ? 16 : 128;
  uint64_t rounded = round_down_u64(extent, unit);
  if (rounded == 0 || rounded == extent)
    return;
  text_puts(text, " (");
  text_u128(text, rounded);
  text_puts(text, " = ");
  text_u128(text, rounded / unit);
  text_puts(text, " x ");
  text_u128(text, unit);
  text_char(text, ')');
}

static void put_largest(Text *text, const TypeInfo *info, uint64_t extent) {
  if (info->rank == 2) {
    text_puts(text, "with ");
    text_u128(text, info->dims[1].extent);
    text_puts(text, " columns at most ");
  } else {
    text_puts(text, info->rank == 1 ? "at most "
                                    : "with the other dimensions at most ");
  }
  text_u128(text, extent);
  text_puts(text, info->rank == 1   ? " elements fit"
                  : info->rank == 2 ? " rows fit"
                                    : " fit in dimension 0");
}

// The largest first extent that fits with the others as they are.
static void advise_on_extent(Advice *advice, const TypeTable *types,
                             const TypeInfo *info, const TensorShape *shape) {
  uint64_t *extents = ARENA_ARRAY(advice->scratch, uint64_t, shape->rank);
  for (uint32_t i = 0; i < shape->rank; i++)
    extents[i] = shape->extents[i];
  TensorShape tried = *shape;
  tried.extents = extents;
  uint64_t fits = 0, fails = shape->extents[0];
  while (fails - fits > 1) {
    extents[0] = fits + (fails - fits) / 2;
    if (shape_fits(types, info->placement.memory, &tried))
      fits = extents[0];
    else
      fails = extents[0];
  }
  if (fits == 0)
    return;
  Text text = text_new(advice->scratch);
  put_largest(&text, info, fits);
  put_round_extent(&text, fits);
  add_way(advice, text_str(&text));
}

// The largest smaller element of the same class for which `shape` fits; bf16
// before f16.
static Element smaller_element(const TypeTable *types, const TypeInfo *info,
                               TensorShape shape) {
  Element best = ELEMENT_COUNT;
  if (info->element >= ELEMENT_BLOCK)
    return best;
  for (unsigned i = 0; i < ELEMENT_BLOCK; i++) {
    Element element = (Element)i;
    if (element_class(element) != element_class(info->element) ||
        element_bits(element) >= element_bits(info->element))
      continue;
    bool is_better = best == ELEMENT_COUNT || element == ELEMENT_BF16 ||
                     element_bits(element) > element_bits(best);
    if (best != ELEMENT_COUNT && element_bits(element) < element_bits(best))
      is_better = false;
    shape.element_bits = element_bits(element);
    if (is_better && shape_fits(types, info->placement.memory, &shape))
      best = element;
  }
  return best;
}

static Bytes bytes_as(const TypeTable *types, const TypeInfo *info,
                      TensorShape shape, Element element) {
  shape.element_bits = element_bits(element);
  return machine_padded_bytes(
      machine_memory(types->machine, info->placement.memory), &shape);
}

static void advise_on_element(Advice *advice, const TypeTable *types,
                              const TypeInfo *info, const TensorShape *shape) {
  Element element = smaller_element(types, info, *shape);
  if (element == ELEMENT_COUNT)
    return;
  const Memory *memory = machine_memory(types->machine, info->placement.memory);
  Text text = text_new(advice->scratch);
  text_format(&text, "as %s %s fits (", element_name(element),
              memory->scope >= SCOPE_SM ? "the tile" : "it");
  text_size(&text, bytes_as(types, info, *shape, element));
  text_char(&text, ')');
  add_way(advice, text_str(&text));
}

void advise_on_shape(Advice *advice, const TypeTable *types,
                     const Placed *placed) {
  const TypeInfo *info = type_info(types, placed->type);
  TensorShape shape;
  bool is_huge;
  if (!type_shape(advice->scratch, types, placed->type, &shape, &is_huge) ||
      is_huge || shape.rank == 0)
    return;
  if (info->dims[0].kind != DIM_HUGE)
    advise_on_extent(advice, types, info, &shape);
  advise_on_element(advice, types, info, &shape);
}

// --- Other memories ----------------------------------------------------------

typedef struct {
  Placement place;
  uint64_t free;
  HopCost cost;
  bool is_last_resort; // the host, and what contains the refusing memory
} Refuge;

static bool is_ancestor(const Machine *machine, MemoryId outer,
                        MemoryId inner) {
  for (MemoryId at = inner; at.index != 0;
       at = machine_memory(machine, at)->within)
    if (at.index == outer.index)
      return true;
  return false;
}

// Where the bytes of a buffer come from.
static Placement source_of(const MemoryCheck *check, uint32_t buffer) {
  const IrFunction *f = check->function;
  uint32_t at = check->own->buffers[buffer].birth;
  if (f->ops.items[at].kind != OP_HOP)
    return buffer_placement(check, buffer);
  const IrHop *hop = &f->hops.items[f->ops.items[at].aux];
  uint32_t back = hop->step;
  while (back > 0 && at > 0 && f->ops.items[at - 1].kind == OP_HOP) {
    at--;
    back--;
  }
  return f->hops.items[f->ops.items[at].aux].hop.from;
}

// The topology whose code makes the buffer.
static IrRegion user_of(const MemoryCheck *check, uint32_t buffer) {
  const IrFunction *f = check->function;
  uint32_t depth = 0;
  for (uint32_t at = check->own->buffers[buffer].birth; at-- > 0;) {
    const Op *op = &f->ops.items[at];
    if (op->kind == OP_END && f->ops.items[op->match].kind == OP_REGION)
      depth++;
    else if (op->kind == OP_REGION && depth-- == 0)
      return f->regions.items[op->aux];
  }
  Placement place = buffer_placement(check, buffer);
  TopologyId owner = machine_memory(check->machine, place.memory)->owner;
  return (IrRegion){owner, place.instance};
}

// What is left of a memory while the buffer is alive.
static bool find_room(const MemoryCheck *check, uint32_t buffer, Refuge *refuge,
                      uint64_t needed) {
  const Memory *memory = machine_memory(check->machine, refuge->place.memory);
  refuge->free = UINT64_MAX;
  for (Placement place = refuge->place; place.memory.index != 0;
       place = outer_placement(check->machine, place)) {
    memory = machine_memory(check->machine, place.memory);
    if (!memory->has_limit)
      continue;
    StepVec steps = {0};
    for (uint32_t i = 0; i < check->own->buffer_count; i++)
      if (i != buffer && counts_in(check, i, place))
        add_steps(check->scratch, &check->own->buffers[i],
                  check->sizes[i].held.count, &check->own->buffers[buffer],
                  &steps);
    Uint128 used = find_high_water(check->scratch, &steps).bytes;
    uint64_t left = used >= memory->limit ? 0 : memory->limit - (uint64_t)used;
    if (left < refuge->free)
      refuge->free = left;
  }
  return refuge->free >= needed;
}

static bool may_hold(const MemoryCheck *check, uint32_t index,
                     Placement refused) {
  const Memory *memory = &check->machine->memories[index];
  bool is_relative = index == refused.memory.index ||
                     memory->part_of.index == refused.memory.index;
  return !memory->is_builtin && !memory->is_cached && !memory->is_read_only &&
         !is_relative;
}

static Placement same_instance(const MemoryCheck *check, uint32_t index,
                               Placement refused) {
  const Memory *memory = &check->machine->memories[index];
  const Memory *old = machine_memory(check->machine, refused.memory);
  bool is_same = memory->instances != 1 &&
                 memory->owner.index == old->owner.index &&
                 refused.instance < INSTANCE_EACH;
  return (Placement){{index}, is_same ? refused.instance : 0};
}

// Whatever code may read the buffer where it is must be able to read it there.
static bool is_seen_alike(const Machine *machine, Placement refused,
                          Placement refuge) {
  for (uint32_t i = 1; i < machine->topology_count; i++) {
    TopologyId topology = {i};
    uint32_t instance = refused.instance < INSTANCE_EACH ? refused.instance : 0;
    if (instance >= machine->topologies[i].instances)
      instance = 0;
    if (machine_sees(machine, topology, instance, refused) &&
        !machine_sees(machine, topology, instance, refuge))
      return false;
  }
  return true;
}

// Can the bytes get there, or the code that makes them write there?
static bool can_serve(const MemoryCheck *check, uint32_t buffer,
                      const TensorShape *shape, Refuge *refuge) {
  RouteRequest request = {
      .from = source_of(check, buffer), .to = refuge->place, .shape = shape};
  Route route = {.status = ROUTE_NONE};
  refuge->cost = (HopCost){.kind = COST_UNKNOWN};
  if (request.from.instance < INSTANCE_EACH)
    machine_route(check->scratch, check->machine, &request, &route);
  if (route.status == ROUTE_FOUND) {
    refuge->cost = route.total;
    return true;
  }
  if (route.status == ROUTE_SAME_MEMORY)
    return true;
  IrRegion user = user_of(check, buffer);
  return user.topology.index != 0 && user.instance < INSTANCE_EACH &&
         machine_sees(check->machine, user.topology, user.instance,
                      refuge->place);
}

static bool is_cheaper(const Refuge *a, const Refuge *b) {
  if (a->is_last_resort != b->is_last_resort)
    return !a->is_last_resort;
  bool a_is_priced = a->cost.kind == COST_TIME;
  bool b_is_priced = b->cost.kind == COST_TIME;
  if (a_is_priced != b_is_priced)
    return a_is_priced;
  return a_is_priced && a->cost.value < b->cost.value;
}

// The cheapest memory that can take the buffer.
static bool find_refuge(const MemoryCheck *check, uint32_t buffer,
                        Refuge *best) {
  TypeId type = check->own->buffers[buffer].type;
  Placement refused = buffer_placement(check, buffer);
  TensorShape shape;
  bool is_huge, is_found = false;
  if (!is_placed_by_name(&check->own->buffers[buffer]) ||
      !type_shape(check->scratch, check->types, type, &shape, &is_huge) ||
      is_huge)
    return false;
  uint32_t tries = 0;
  for (uint32_t i = 1; i < check->machine->memory_count; i++) {
    if (!may_hold(check, i, refused))
      continue;
    Refuge refuge = {.place = same_instance(check, i, refused)};
    refuge.is_last_resort =
        i == check->machine->host_memory.index ||
        is_ancestor(check->machine, (MemoryId){i}, refused.memory);
    Bytes bytes = machine_padded_bytes(&check->machine->memories[i], &shape);
    bytes = bytes_mul(bytes, check->own->buffers[buffer].copies);
    bool fits =
        judge_bytes(check->machine, (MemoryId){i}, bytes).kind == VERDICT_FITS;
    if (!fits || !is_seen_alike(check->machine, refused, refuge.place) ||
        tries++ >= TRIED_MEMORIES ||
        !find_room(check, buffer, &refuge, bytes.count) ||
        !can_serve(check, buffer, &shape, &refuge))
      continue;
    if (!is_found || is_cheaper(&refuge, best))
      *best = refuge;
    is_found = true;
  }
  return is_found;
}

// "fits in DTCM, 120 KiB (122880) free there, +4.3 us".
static Str refuge_text(Advice *advice, const MemoryCheck *check,
                       const Refuge *refuge) {
  Text text = text_new(advice->scratch);
  Str space =
      machine_placement_text(advice->scratch, check->machine, refuge->place);
  text_format(&text, "fits in %.*s", STR_ARG(space));
  if (refuge->free != UINT64_MAX) {
    text_puts(&text, ", ");
    put_exact_size(&text, BYTES(refuge->free));
    text_puts(&text, " free there");
  }
  if (refuge->cost.kind == COST_TIME || refuge->cost.kind == COST_CYCLES) {
    Str cost = machine_cost_text(advice->scratch, refuge->cost);
    text_format(&text, ", +%.*s", STR_ARG(cost));
  }
  return text_str(&text);
}

void advise_on_memory(Advice *advice, const MemoryCheck *check,
                      uint32_t buffer) {
  Refuge refuge;
  if (!find_refuge(check, buffer, &refuge) ||
      (refuge.is_last_resort && advice->count > 0))
    return;
  Str way = refuge_text(advice, check, &refuge);
  add_way(advice, str_format(advice->scratch, "it %.*s", STR_ARG(way)));
}

// --- Peaks -------------------------------------------------------------------

// What a budget would come to if one buffer took `bytes`, and from operation
// `until` on nothing.
static Uint128 peak_with(const MemoryCheck *check, const Budget *budget,
                         uint32_t changed, uint64_t bytes, uint32_t until) {
  StepVec steps = {0};
  LiveRange before = {0, until};
  Buffer clip = {.ranges = &before, .range_count = 1};
  for (uint32_t i = 0; i < budget->member_count; i++) {
    uint32_t member = budget->members[i];
    const Buffer *buffer = &check->own->buffers[member];
    if (member == changed)
      add_steps(check->scratch, buffer, bytes, &clip, &steps);
    else
      add_steps(check->scratch, buffer, check->sizes[member].held.count, NULL,
                &steps);
  }
  return find_high_water(check->scratch, &steps).bytes;
}

static uint64_t limit_of(const MemoryCheck *check, const Budget *budget) {
  return machine_memory(check->machine, budget->place.memory)->limit;
}

static bool is_operand_at(const MemoryCheck *check, uint32_t buffer,
                          uint32_t op_index) {
  const Op *op = &check->function->ops.items[op_index];
  for (uint32_t i = 0; i < op->count; i++)
    if (op_operand(check->function, op, i).index ==
        check->own->buffers[buffer].value.index)
      return true;
  return false;
}

static void advise_on_release(Advice *advice, const MemoryCheck *check,
                              const Budget *budget) {
  uint32_t peak = budget->peak.op;
  for (uint32_t i = 0; i < budget->alive_count && i < TRIED_BUFFERS; i++) {
    uint32_t buffer = budget->alive[i];
    const Buffer *b = &check->own->buffers[buffer];
    if (buffer == budget->last_born || b->last_use <= peak ||
        is_operand_at(check, buffer, peak) ||
        peak_with(check, budget, buffer, check->sizes[buffer].held.count,
                  peak) > limit_of(check, budget))
      continue;
    Span span = last_use_span(check, buffer);
    if (span_is_none(span))
      continue;
    Location at = source_locate(check->machine->sources, span.start);
    Str name = buffer_name(check, buffer);
    add_way(advice,
            str_format(advice->scratch,
                       "give back '%.*s' earlier: it is last used at line %u",
                       STR_ARG(name), at.line));
    return;
  }
}

// What the budget comes to when every staged buffer exists `stages` times.
static Uint128 peak_with_stages(const MemoryCheck *check, const Budget *budget,
                                uint32_t stages) {
  StepVec steps = {0};
  for (uint32_t i = 0; i < budget->member_count; i++) {
    uint32_t member = budget->members[i];
    const Buffer *buffer = &check->own->buffers[member];
    Bytes bytes = check->sizes[member].held;
    if (buffer->copies > 1)
      bytes = bytes_mul(check->sizes[member].bytes, stages);
    add_steps(check->scratch, buffer, bytes.count, NULL, &steps);
  }
  return find_high_water(check->scratch, &steps).bytes;
}

static void advise_on_stages(Advice *advice, const MemoryCheck *check,
                             const Budget *budget) {
  uint32_t stages = 1;
  for (uint32_t i = 0; i < budget->alive_count; i++) {
    uint32_t copies = check->own->buffers[budget->alive[i]].copies;
    if (copies > 1 && stages > 1 && copies != stages)
      return; // of several loops
    stages = copies > stages ? copies : stages;
  }
  uint64_t limit = limit_of(check, budget);
  uint32_t fits = 0, fails = stages;
  while (fails - fits > 1) {
    uint32_t middle = fits + (fails - fits) / 2;
    if (peak_with_stages(check, budget, middle) <= limit)
      fits = middle;
    else
      fails = middle;
  }
  if (fits > 0)
    add_way(advice, str_format(advice->scratch, "`stages %u` fits", fits));
}

static void advise_on_move(Advice *advice, const MemoryCheck *check,
                           const Budget *budget) {
  for (uint32_t i = 0; i <= budget->alive_count && i < TRIED_BUFFERS; i++) {
    uint32_t buffer = i == 0 ? budget->last_born : budget->alive[i - 1];
    Refuge refuge;
    if (peak_with(check, budget, buffer, 0, UINT32_MAX) >
            limit_of(check, budget) ||
        !find_refuge(check, buffer, &refuge) ||
        (refuge.is_last_resort && advice->count > 0))
      continue;
    Str way = refuge_text(advice, check, &refuge);
    Str name = buffer_name(check, buffer);
    add_way(advice, str_format(advice->scratch, "'%.*s' %.*s", STR_ARG(name),
                               STR_ARG(way)));
    return;
  }
}

static void advise_on_smaller(Advice *advice, const MemoryCheck *check,
                              const Budget *budget) {
  for (uint32_t i = 0; i < budget->alive_count && i < TRIED_BUFFERS; i++) {
    uint32_t buffer = budget->alive[i];
    const Buffer *b = &check->own->buffers[buffer];
    const TypeInfo *info = type_info(check->types, b->type);
    TensorShape shape;
    bool is_huge;
    if (!is_placed_by_name(b) ||
        !type_shape(check->scratch, check->types, b->type, &shape, &is_huge))
      continue;
    Element element = smaller_element(check->types, info, shape);
    if (element == ELEMENT_COUNT)
      continue;
    Bytes bytes =
        bytes_mul(bytes_as(check->types, info, shape, element), b->copies);
    if (peak_with(check, budget, buffer, bytes.count, UINT32_MAX) >
        limit_of(check, budget))
      continue;
    Text text = text_new(advice->scratch);
    text_format(&text, "as %s '%.*s' takes ", element_name(element),
                STR_ARG(buffer_name(check, buffer)));
    text_size(&text, bytes);
    text_puts(&text, ", and all fit");
    add_way(advice, text_str(&text));
    return;
  }
}

void advise_on_peak(Advice *advice, const MemoryCheck *check,
                    const Budget *budget) {
  advise_on_release(advice, check, budget);
  advise_on_stages(advice, check, budget);
  advise_on_move(advice, check, budget);
  advise_on_smaller(advice, check, budget);
}
