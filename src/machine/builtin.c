// SPDX-License-Identifier: Apache-2.0
//
// The names that small programs use without a machine file (machine-files.md
// section 3), as tables: nothing is parsed at start.

#include "machine/internal.h"

// Order of the rows: numbers of the memories, from 1.
static const char *const memory_rows[] = {
    "CPU_DRAM", "NPU_HBM", "GPU_HBM", "Local_SRAM", "NIC_RAM", "Remote_HBM"};

enum { CPU_DRAM = 1, NPU_HBM, GPU_HBM, LOCAL_SRAM, NIC_RAM, REMOTE_HBM };

// `sees` is a second visible memory, 0 for none. Of several topologies with one
// memory the first owns it.
static const struct {
  const char *name;
  uint32_t memory;
  uint32_t sees;
  bool is_indexed;
} topology_rows[] = {
    {"CPU", CPU_DRAM, NPU_HBM, false}, {"GPU", GPU_HBM, CPU_DRAM, true},
    {"NPU", NPU_HBM, 0, true},         {"ANE", NPU_HBM, CPU_DRAM, false},
    {"AccCore", LOCAL_SRAM, 0, true},  {"AMX", CPU_DRAM, 0, false},
    {"CpuAvx512", CPU_DRAM, 0, false}, {"CpuNeon", CPU_DRAM, 0, false},
};

static const struct {
  uint32_t from;
  uint32_t to;
  uint64_t weight;
} link_rows[] = {
    {CPU_DRAM, NPU_HBM, 50},     {NPU_HBM, CPU_DRAM, 50},
    {CPU_DRAM, GPU_HBM, 50},     {GPU_HBM, CPU_DRAM, 50},
    {NPU_HBM, LOCAL_SRAM, 10},   {LOCAL_SRAM, NPU_HBM, 10},
    {CPU_DRAM, REMOTE_HBM, 300}, {NPU_HBM, NIC_RAM, 5},
    {NIC_RAM, REMOTE_HBM, 20},
};

bool builtin_has_memory(MemoryId memory) {
  return memory.index <= COUNT_OF(memory_rows);
}

bool builtin_is_indexed(Str topology) {
  for (size_t i = 0; i < COUNT_OF(topology_rows); i++) {
    if (str_equal(topology, str_from(topology_rows[i].name)))
      return topology_rows[i].is_indexed;
  }
  return false;
}

static void add_memories(Builder *b) {
  for (size_t i = 0; i < COUNT_OF(memory_rows); i++) {
    Memory memory = {.name = intern_c(b->interner, memory_rows[i]),
                     .is_builtin = true};
    memory_set_defaults(&memory);
    map_put(&b->scratch, &b->memory_names, memory.name.index,
            b->memories.count);
    VEC_PUSH(b->arena, &b->memories, memory);
    VEC_PUSH(&b->scratch, &b->memory_places, (ItemPlace){0});
  }
}

static void add_topologies(Builder *b) {
  for (size_t i = 0; i < COUNT_OF(topology_rows); i++) {
    Topology topology = {.name = intern_c(b->interner, topology_rows[i].name),
                         .is_builtin = true,
                         .memory = {topology_rows[i].memory},
                         .count = {.value = 1}};
    topology.visible_count = topology_rows[i].sees == 0 ? 1 : 2;
    topology.visible = ARENA_ARRAY(b->arena, Visible, topology.visible_count);
    topology.visible[0].memory = topology.memory;
    // The host sees every NPU.
    if (topology_rows[i].sees != 0)
      topology.visible[1] =
          (Visible){.memory = {topology_rows[i].sees},
                    .all_instances = topology_rows[i].sees == NPU_HBM};
    map_put(&b->scratch, &b->topology_names, topology.name.index,
            b->topologies.count);
    VEC_PUSH(b->arena, &b->topologies, topology);
    VEC_PUSH(&b->scratch, &b->topology_places, (ItemPlace){0});
  }
}

void builtin_add(Builder *b) {
  add_memories(b);
  add_topologies(b);
  for (size_t i = 0; i < COUNT_OF(link_rows); i++) {
    Link link = {.from = {.memory = {link_rows[i].from}},
                 .to = {.memory = {link_rows[i].to}},
                 .weight = {.is_set = true, .value = link_rows[i].weight}};
    VEC_PUSH(&b->scratch, &b->links, link);
    VEC_PUSH(&b->scratch, &b->link_sources, (LinkSource){0});
  }
}
