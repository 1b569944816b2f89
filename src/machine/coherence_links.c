// SPDX-License-Identifier: Apache-2.0
//
// The rules that links must obey: instances that exist (E6113), one source of
// the cost (E6013), writes that become visible (W1027), a way from the host to
// every topology (W1026).

#include "machine/internal.h"

// --- Instances: E6113 --------------------------------------------------------

// "topology 'Device' has 8 instances", "memory space 'L3' has one instance".
static Str instances_text(Builder *b, MemoryId memory) {
  const Memory *m = &b->machine->memories[memory.index];
  Str name = memory_name(b->machine, memory);
  if (m->owner.index == 0)
    return str_format(&b->scratch, "memory space '%.*s' has one instance",
                      STR_ARG(name));
  Str owner = topology_words(&b->scratch, b->machine, m->owner);
  return str_format(&b->scratch, "`count` of %.*s is %u", STR_ARG(owner),
                    m->instances);
}

static bool check_end(Builder *b, const LinkSource *source, LinkEnd end,
                      NodeId node) {
  uint32_t instances = b->machine->memories[end.memory.index].instances;
  if (!end.has_range || end.to <= instances)
    return true;
  const Tree *tree = source->place.tree;
  Str written = source_text(b->sources, node_span(tree, node));
  Str have = instances_text(b, end.memory);
  diag_bad_instance(b->sink, node_span(tree, place(tree, node).index),
                    str_format(&b->scratch,
                               "`%.*s` is beyond the last instance: %.*s",
                               STR_ARG(written), STR_ARG(have)));
  return false;
}

static bool check_self(Builder *b, const Link *link) {
  uint32_t memory = link->from.memory.index;
  if (memory != link->to.memory.index)
    return true;
  bool is_single = b->machine->memories[memory].instances == 1;
  bool is_one_pair = link->from.has_range && link->to.has_range &&
                     link->from.to - link->from.from == 1 &&
                     link->to.to - link->to.from == 1 &&
                     link->from.from == link->to.from;
  if (!is_single && !is_one_pair)
    return true;
  Str words = link_words(&b->scratch, b->machine, link);
  Str have = is_single ? instances_text(b, link->from.memory)
                       : STR("it names two different ones for a peer link");
  diag_bad_instance(b->sink, link->span,
                    str_format(&b->scratch,
                               "%.*s joins an instance with itself: %.*s",
                               STR_ARG(words), STR_ARG(have)));
  return false;
}

void check_link_ends(Builder *b) {
  for (uint32_t i = 1; i < b->links.count; i++) {
    const Link *link = &b->links.items[i];
    LinkSource *source = &b->link_sources.items[i];
    if (source->is_dropped || source->place.tree == NULL)
      continue;
    LinkField view = link_field(source->place.tree, source->node);
    bool is_good = check_end(b, source, link->from, view.from);
    is_good &= check_end(b, source, link->to, view.to);
    source->is_dropped = !is_good || !check_self(b, link);
  }
}

// --- Costs: E6013 ------------------------------------------------------------

void check_link_costs(Builder *b) {
  Machine *machine = b->machine;
  for (uint32_t i = 1; i < machine->link_count; i++) {
    Link *link = &machine->links[i];
    const Figure *cost = link->rate.is_set ? &link->rate : &link->weight;
    if (!cost->is_set || link->topology.index == 0 ||
        !graph_is_derivable(machine, link))
      continue;
    Str from = link_end_text(&b->scratch, machine, link->from);
    Str to = link_end_text(&b->scratch, machine, link->to);
    Str written = source_text(b->sources, cost->span);
    Diagnostic *d = diag_two_cost_sources(
        b->sink, cost->span, from, to,
        str_format(&b->scratch, "%s %.*s",
                   link->rate.is_set ? "rate" : "weight", STR_ARG(written)));
    const Memory *source = &machine->memories[link->from.memory.index];
    const Memory *target = &machine->memories[link->to.memory.index];
    const Memory *shown = target->bandwidth.is_set ? target : source;
    if (shown->bandwidth.is_set)
      diag_add_label(b->sink, d, shown->bandwidth.span,
                     STR("one of the bandwidths that give it a cost"));
    link->rate = (Figure){0};
    link->weight = (Figure){0};
  }
}

// --- Visibility of writes: W1027 ---------------------------------------------

static void check_relaxed(Builder *b) {
  const Machine *machine = b->machine;
  for (uint32_t i = 1; i < machine->link_count; i++) {
    const Link *link = &machine->links[i];
    if (link->is_relaxed && !machine->memories[link->to.memory.index].is_cached)
      diag_relaxed_visibility(b->sink, link->span,
                              link_end_text(&b->scratch, machine, link->from),
                              link_end_text(&b->scratch, machine, link->to));
  }
}

// --- A way from the host: W1026 ----------------------------------------------

// Does anything that is declared speak of the host? If not, machine files
// without a program describe a part that is yet to be plugged in.
static bool is_tied_to_host(const Machine *machine) {
  uint32_t host = machine->host_memory.index;
  for (uint32_t i = 1; i < machine->link_count; i++) {
    const Link *link = &machine->links[i];
    if (link->topology.index != 0 &&
        (link->from.memory.index == host || link->to.memory.index == host))
      return true;
  }
  for (uint32_t i = 1; i < machine->topology_count; i++) {
    const Topology *topology = &machine->topologies[i];
    for (uint32_t k = 0; k < topology->visible_count; k++) {
      if (!topology->is_builtin && topology->visible[k].memory.index == host)
        return true;
    }
  }
  return machine->has_host;
}

typedef struct {
  const Machine *machine;
  Arena *arena;
  Bitset reached;
  Bitset families; // whose members are all reached
  U32Vec queue;
} Flood;

static void flood_to(Flood *flood, uint32_t memory) {
  if (bitset_has(&flood->reached, memory))
    return;
  bitset_add(&flood->reached, memory);
  VEC_PUSH(flood->arena, &flood->queue, memory);
}

static void flood_from(Flood *flood, uint32_t memory) {
  const Machine *machine = flood->machine;
  const RouteGraph *graph = machine->graph;
  const LinkIndex *leaving = &graph->leaving;
  for (uint32_t i = leaving->first[memory]; i < leaving->first[memory + 1]; i++)
    flood_to(flood, machine->links[leaving->links[i]].to.memory.index);
  uint32_t index = graph->family[memory];
  if (bitset_has(&flood->families, index))
    return;
  bitset_add(&flood->families, index);
  const PartFamily *family = &graph->families[index];
  for (uint32_t i = 0; i < family->members.count; i++)
    flood_to(flood, family->members.items[i]);
}

// Everything that the host can fill: its own memory, what code on it sees, and
// what links lead to from there.
static Bitset flood_from_host(const Machine *machine, Arena *arena) {
  Flood flood = {.machine = machine,
                 .arena = arena,
                 .reached = bitset_new(arena, machine->memory_count),
                 .families = bitset_new(arena, machine->graph->family_count)};
  flood_to(&flood, machine->host_memory.index);
  for (uint32_t i = 1; i < machine->topology_count; i++) {
    const Topology *topology = &machine->topologies[i];
    for (uint32_t k = 0; k < topology->visible_count; k++) {
      if (topology->memory.index == machine->host_memory.index)
        flood_to(&flood, topology->visible[k].memory.index);
    }
  }
  for (uint32_t i = 0; i < flood.queue.count; i++)
    flood_from(&flood, flood.queue.items[i]);
  return flood.reached;
}

static void check_reachable(Builder *b) {
  const Machine *machine = b->machine;
  if (!b->has_program && !is_tied_to_host(machine))
    return;
  if (b->sink->error_count != b->errors_before)
    return; // a link that was refused may be the one that is missing
  Bitset reached = flood_from_host(machine, &b->scratch);
  for (uint32_t i = 1; i < machine->topology_count; i++) {
    const Topology *topology = &machine->topologies[i];
    if (topology->is_builtin || bitset_has(&reached, topology->memory.index))
      continue;
    Diagnostic *d = diag_unreachable_from_host(
        b->sink, topology->span, topology_name(machine, (TopologyId){i}));
    Str memory = memory_name(machine, topology->memory);
    diag_add_help(b->sink, d,
                  str_format(&b->scratch,
                             "for example `transfer Memory::CPU_DRAM -> "
                             "Memory::%.*s : 63 GB/s`",
                             STR_ARG(memory)));
  }
}

void check_links(Builder *b) {
  check_relaxed(b);
  check_reachable(b);
}
