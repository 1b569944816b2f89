// SPDX-License-Identifier: Apache-2.0
//
// Which placements the code of a topology can address. A bare memory of the
// device itself means the device's own instance; a bare memory of another
// counted device means its instance 0, as everywhere.

#include "machine/internal.h"

// Do the instances of the memory go with those of the topology?
static bool is_of_device(const Machine *machine, TopologyId topology,
                         MemoryId memory) {
  TopologyId owner = machine->memories[memory.index].owner;
  if (owner.index == 0)
    return false;
  return owner.index == topology.index ||
         machine->topologies[owner.index].memory.index ==
             machine->topologies[topology.index].memory.index;
}

static uint32_t seen_instance(const Machine *machine, TopologyId topology,
                              uint32_t instance, MemoryId memory) {
  if (machine->memories[memory.index].instances == 1)
    return 0;
  return is_of_device(machine, topology, memory) ? instance : 0;
}

Placement machine_own_memory(const Machine *machine, TopologyId topology,
                             uint32_t instance) {
  MemoryId memory = machine->topologies[topology.index].memory;
  uint32_t own = seen_instance(machine, topology, instance, memory);
  return (Placement){memory, own};
}

bool machine_sees(const Machine *machine, TopologyId topology,
                  uint32_t instance, Placement placement) {
  const Topology *t = &machine->topologies[topology.index];
  for (uint32_t i = 0; i < t->visible_count; i++) {
    const Visible *entry = &t->visible[i];
    if (entry->memory.index != placement.memory.index)
      continue;
    if (entry->all_instances ||
        machine->memories[placement.memory.index].instances == 1)
      return true;
    return placement.instance ==
           seen_instance(machine, topology, instance, entry->memory);
  }
  return false;
}

Str machine_visible_text(Arena *arena, const Machine *machine,
                         TopologyId topology, uint32_t instance) {
  const Topology *t = &machine->topologies[topology.index];
  Text text = text_new(arena);
  for (uint32_t i = 0; i < t->visible_count; i++) {
    MemoryId memory = t->visible[i].memory;
    bool is_open = machine->memories[memory.index].instances == INSTANCES_OPEN;
    Placement p = {memory, seen_instance(machine, topology, instance, memory)};
    if (t->visible[i].all_instances)
      p.instance = is_open ? 0 : INSTANCE_EACH;
    if (i > 0)
      text_puts(&text, ", ");
    text_put(&text, machine_placement_text(arena, machine, p));
  }
  return text_str(&text);
}
