// SPDX-License-Identifier: Apache-2.0
//
// Building a machine from several inputs: what collapses, what is replaced,
// whose instances a memory has, what code sees, where figures come from.

#include "unit/machine_fixture.h"
#include "unit/test.h"

static const Memory *find_memory(Fixture *f, const char *name) {
  return machine_memory(f->machine, fixture_memory(f, name));
}

static const Topology *find_topology(Fixture *f, const char *name) {
  return machine_topology(f->machine, fixture_topology(f, name));
}

TEST(nothing_declared) {
  Fixture f;
  fixture_text(&f, "");
  EXPECT_EQ(f.sink.records.count, 0);
  EXPECT(!f.machine->has_host);
  EXPECT(find_memory(&f, "CPU_DRAM")->is_builtin);
  EXPECT_EQ(fixture_memory(&f, "CPU_DRAM").index, f.machine->host_memory.index);
  EXPECT(!find_memory(&f, "CPU_DRAM")->has_limit);
  EXPECT_EQ(find_topology(&f, "GPU")->instances, INSTANCES_OPEN);
  EXPECT_EQ(find_topology(&f, "CPU")->instances, 1);
  EXPECT_EQ(find_memory(&f, "NPU_HBM")->instances, INSTANCES_OPEN);
  EXPECT_EQ(find_memory(&f, "Remote_HBM")->instances, 1);
  EXPECT_EQ(fixture_memory(&f, "HBM").index, 0);
  EXPECT_EQ(fixture_topology(&f, "Device").index, 0);
  fixture_end(&f);
}

TEST(defaults_of_absent_fields) {
  Fixture f;
  fixture_text(&f, "Memory S { capacity: 4 KiB }");
  const Memory *s = find_memory(&f, "S");
  EXPECT_EQ(s->usable.value, 4096);
  EXPECT(!s->usable.is_set);
  EXPECT_EQ(s->granule.value, 1);
  EXPECT_EQ(s->replicas.value, 1);
  EXPECT_EQ(s->lanes.value, 1);
  EXPECT_EQ(s->instances, 1);
  EXPECT_EQ(s->owner.index, 0);
  fixture_end(&f);
}

static const char part[] =
    "// spec: of the whole item\n"
    "Memory HBM {\n"
    "  // measured(bandwidth): 2.9 TB/s, mt4g\n"
    "  bandwidth: 3.35 TB/s, // spec: whitepaper, table 3\n"
    "  capacity: 80 GiB,\n"
    "  page: 2 MiB, // derived: a page\n"
    "  scope: device\n"
    "}\n"
    "Memory SMEM { within: Memory::HBM }\n"
    "// spec(transfer): PCIe 5\n"
    "Topology Device { memory: Memory::HBM, count: 8,\n"
    "  visible: [Memory::HBM, Memory::SMEM, Memory::CPU_DRAM],\n"
    "  // measured(transfer): 55 GB/s\n"
    "  transfer Memory::CPU_DRAM -> Memory::HBM : 63 GB/s,\n"
    "\n"
    "  transfer Memory::HBM -> Memory::HBM : 450 GB/s }\n";

TEST(instances_and_sight) {
  Fixture f;
  fixture_start(&f);
  fixture_add(&f, MACHINE_INPUT_FILE, "part.vx", str_from(part));
  fixture_add(&f, MACHINE_INPUT_FILE, "host.vx",
              STR("extend Topology CPU { visible: [Memory::SMEM[..], "
                  "Memory::HBM] }"));
  fixture_build(&f);
  EXPECT_EQ(f.sink.records.count, 0);
  EXPECT_EQ(find_memory(&f, "SMEM")->instances, 8);
  EXPECT_EQ(find_memory(&f, "CPU_DRAM")->instances, 1);
  TopologyId device = fixture_topology(&f, "Device");
  TopologyId cpu = fixture_topology(&f, "CPU");
  Placement own = machine_own_memory(f.machine, device, 3);
  EXPECT_EQ(own.instance, 3);
  EXPECT(machine_sees(f.machine, device, 3, own));
  EXPECT(!machine_sees(f.machine, device, 2, own));
  EXPECT(machine_sees(f.machine, device, 3, fixture_place(&f, "SMEM", 3)));
  EXPECT(machine_sees(f.machine, device, 3, fixture_place(&f, "CPU_DRAM", 0)));
  EXPECT(
      !machine_sees(f.machine, device, 3, fixture_place(&f, "Remote_HBM", 0)));
  EXPECT(machine_sees(f.machine, device, INSTANCE_DYNAMIC,
                      fixture_place(&f, "HBM", INSTANCE_DYNAMIC)));
  // All instances, and instance 0 of another device.
  EXPECT(machine_sees(f.machine, cpu, 0, fixture_place(&f, "SMEM", 7)));
  EXPECT(machine_sees(f.machine, cpu, 0, fixture_place(&f, "HBM", 0)));
  EXPECT(!machine_sees(f.machine, cpu, 0, fixture_place(&f, "HBM", 1)));
  EXPECT(machine_sees(f.machine, cpu, 0, fixture_place(&f, "NPU_HBM", 5)));
  EXPECT_STR(machine_visible_text(&f.arena, f.machine, device, 3),
             "HBM[3], SMEM[3], CPU_DRAM");
  EXPECT_STR(machine_visible_text(&f.arena, f.machine, cpu, 0),
             "CPU_DRAM, NPU_HBM, SMEM[..], HBM[0]");
  fixture_end(&f);
}

TEST(texts_of_places) {
  Fixture f;
  fixture_text(&f, part);
  Arena *a = &f.arena;
  const Machine *m = f.machine;
  EXPECT_STR(machine_placement_text(a, m, fixture_place(&f, "HBM", 0)),
             "HBM[0]");
  EXPECT_STR(machine_placement_text(a, m, fixture_place(&f, "GPU_HBM", 0)),
             "GPU_HBM");
  EXPECT_STR(machine_placement_text(a, m, fixture_place(&f, "GPU_HBM", 1)),
             "GPU_HBM[1]");
  EXPECT_STR(
      machine_placement_text(a, m, fixture_place(&f, "HBM", INSTANCE_DYNAMIC)),
      "HBM[?]");
  EXPECT_STR(machine_placement_text(a, m, fixture_place(&f, "CPU_DRAM", 0)),
             "CPU_DRAM");
  EXPECT_STR(machine_topology_text(a, m, fixture_topology(&f, "NPU"), 0),
             "NPU[0]");
  EXPECT_STR(machine_topology_text(a, m, fixture_topology(&f, "Device"), 3),
             "Device[3]");
  EXPECT_STR(machine_topology_text(a, m, fixture_topology(&f, "CPU"), 0),
             "CPU");
  EXPECT_STR(machine_suggest_memory(a, m, STR("HMB")), "HBM");
  EXPECT_STR(machine_suggest_memory(a, m, STR("Unrelated")), "");
  EXPECT_STR(machine_suggest_topology(a, m, STR("Devise")), "Device");
  fixture_end(&f);
}

TEST(citations) {
  Fixture f;
  fixture_text(&f, part);
  const Memory *hbm = find_memory(&f, "HBM");
  EXPECT_STR(figure_provenance(&f.arena, &hbm->bandwidth),
             "spec: whitepaper, table 3; measured: 2.9 TB/s, mt4g");
  EXPECT_STR(figure_provenance(&f.arena, &hbm->capacity),
             "spec: of the whole item; not measured on hardware");
  EXPECT_STR(figure_provenance(&f.arena, &hbm->pages[0]),
             "derived: a page; not measured on hardware");
  const Link *links = f.machine->links;
  uint32_t last = f.machine->link_count - 1;
  EXPECT_STR(figure_provenance(&f.arena, &links[last - 1].rate),
             "measured: 55 GB/s");
  EXPECT_STR(figure_provenance(&f.arena, &links[last].rate),
             "spec: PCIe 5; not measured on hardware");
  // `spec(transfer)` does not speak of `count`.
  EXPECT_STR(figure_provenance(&f.arena, &find_topology(&f, "Device")->count),
             "no citation");
  fixture_end(&f);
}

TEST(identical_bodies_collapse) {
  Fixture f;
  fixture_start(&f);
  fixture_add(&f, MACHINE_INPUT_FILE, "a.vx",
              STR("Memory S { capacity: 4 KiB, page: [1 KiB] }"));
  fixture_add(&f, MACHINE_INPUT_FILE, "b.vx",
              STR("Memory S {\n // twice\n capacity: 4 KiB, page: [1 KiB,],\n"
                  "}"));
  fixture_add(&f, MACHINE_INPUT_HOST, "c.vx",
              STR("Memory S { capacity: "
                  "4096 B, page: [1 KiB] }"));
  fixture_build(&f);
  EXPECT_EQ(f.sink.records.count, 1);
  EXPECT_STR(fixture_message(&f, DIAG_E6012),
             "memory space 'S' is declared in more than one input (also in "
             "'a.vx'); remove one or rename it -- a duplicate declaration "
             "would silently shadow the other");
  fixture_end(&f);
}

TEST(extend_replaces_and_adds) {
  Fixture f;
  fixture_start(&f);
  fixture_add(&f, MACHINE_INPUT_FILE, "part.vx", str_from(part));
  fixture_add(&f, MACHINE_INPUT_FILE, "node.vx",
              STR("extend Memory HBM { usable: 76 GiB, capacity: 96 GiB }\n"
                  "extend Topology Device { count: 2, dtypes: [f32],\n"
                  "  peak: { f32: 67 TFLOP/s },\n"
                  "  transfer Memory::HBM -> Memory::HBM : 1 TB/s }\n"
                  "extend Topology Device { dtypes: [f32, bf16],\n"
                  "  peak: { bf16: 990 TFLOP/s } }\n"));
  fixture_add(&f, MACHINE_INPUT_FILE, "same.vx",
              STR("extend Memory HBM { usable: 77824 MiB }\n"
                  "extend Topology Device {\n"
                  "  transfer Memory::HBM -> Memory::HBM : 1000 GB/s }\n"));
  fixture_build(&f);
  EXPECT_EQ(f.sink.records.count, 0);
  const Memory *hbm = find_memory(&f, "HBM");
  EXPECT_EQ(hbm->limit, UINT64_C(76) << 30);
  EXPECT(hbm->usable.replaced == NULL);
  if (EXPECT(hbm->capacity.replaced != NULL))
    EXPECT_STR(hbm->capacity.replaced->value, "80 GiB");
  const Topology *device = find_topology(&f, "Device");
  EXPECT_EQ(device->instances, 2);
  EXPECT_EQ(device->dtype_count, 2);
  EXPECT_EQ(device->peak_count, 2);
  const Link *last = &f.machine->links[f.machine->link_count - 1];
  EXPECT_EQ(last->rate.value, 1000000000000);
  if (EXPECT(last->rate.replaced != NULL))
    EXPECT_STR(last->rate.replaced->value, "450 GB/s");
  Route r = fixture_route(&f, fixture_place(&f, "HBM", 0),
                          fixture_place(&f, "HBM", 1), 1000);
  EXPECT_EQ(r.total.value, 1000);
  fixture_end(&f);
}

TEST(command_line_wins) {
  Fixture f;
  fixture_start(&f);
  fixture_add(&f, MACHINE_INPUT_OVERRIDE, "--set",
              STR("extend Memory HBM { usable: 40 GiB }"));
  fixture_add(&f, MACHINE_INPUT_FILE, "part.vx", str_from(part));
  fixture_add(&f, MACHINE_INPUT_FILE, "node.vx",
              STR("extend Memory HBM { usable: 76 GiB }"));
  fixture_add(&f, MACHINE_INPUT_OVERRIDE, "--set",
              STR("extend Memory HBM { usable: 41 GiB }"));
  fixture_build(&f);
  EXPECT_EQ(f.sink.records.count, 0);
  const Figure *usable = &find_memory(&f, "HBM")->usable;
  EXPECT_EQ(usable->value, UINT64_C(41) << 30);
  EXPECT_STR(figure_provenance(&f.arena, usable), "policy: command line");
  EXPECT_STR(usable->replaced->value, "40 GiB");
  EXPECT_STR(usable->replaced->next->value, "76 GiB");
  EXPECT(usable->replaced->next->next == NULL);
  fixture_end(&f);
}

TEST(declared_link_replaces_built_in_one) {
  Fixture f;
  fixture_text(&f, "Memory GPU_HBM { capacity: 24 GiB }\n"
                   "Memory S {}\n"
                   "Topology T { memory: Memory::S,\n"
                   "  transfer Memory::CPU_DRAM -> Memory::S : 1,\n"
                   "  transfer Memory::CPU_DRAM -> Memory::GPU_HBM : 70 }\n");
  EXPECT_EQ(f.sink.records.count, 0);
  Route r = fixture_route(&f, fixture_place(&f, "CPU_DRAM", 0),
                          fixture_place(&f, "GPU_HBM", 0), 64);
  EXPECT_EQ(r.total.value, 70);
  r = fixture_route(&f, fixture_place(&f, "GPU_HBM", 0),
                    fixture_place(&f, "CPU_DRAM", 0), 64);
  EXPECT_EQ(r.total.value, 50); // the other direction stays
  fixture_end(&f);
}

TEST(host_and_device_scope) {
  Fixture f;
  fixture_start(&f);
  fixture_add(&f, MACHINE_INPUT_HOST, "host", STR("Memory CPU_DRAM {}"));
  fixture_add(&f, MACHINE_INPUT_FILE, "part.vx", str_from(part));
  fixture_build(&f);
  EXPECT(f.machine->has_host);
  EXPECT(f.machine->has_device_scope);
  EXPECT(!find_memory(&f, "CPU_DRAM")->is_builtin);
  fixture_end(&f);
}

TEST(a_part_without_host_is_no_fault) {
  static const char text[] = "Memory S { capacity: 1 KiB }\n"
                             "Topology Core { memory: Memory::S }\n";
  Fixture f;
  fixture_text(&f, text);
  EXPECT_EQ(fixture_count(&f, DIAG_W1026), 0);
  fixture_end(&f);
  // As soon as a program or a host is there, it is.
  fixture_start(&f);
  fixture_add(&f, MACHINE_INPUT_FILE, "part.vx", str_from(text));
  fixture_add(&f, MACHINE_INPUT_PROGRAM, "main.vx", STR("fn main() {}"));
  fixture_build(&f);
  EXPECT_EQ(fixture_count(&f, DIAG_W1026), 1);
  fixture_end(&f);
  fixture_start(&f);
  fixture_add(&f, MACHINE_INPUT_FILE, "part.vx", str_from(text));
  fixture_add(&f, MACHINE_INPUT_HOST, "host", STR("Memory CPU_DRAM {}"));
  fixture_build(&f);
  EXPECT_EQ(fixture_count(&f, DIAG_W1026), 1);
  fixture_end(&f);
}

TEST(capacity_notes) {
  Fixture f;
  fixture_start(&f);
  fixture_add(&f, MACHINE_INPUT_FILE, "part.vx", str_from(part));
  fixture_add(&f, MACHINE_INPUT_FILE, "more.vx",
              STR("extend Memory HBM { usable: 76 GiB }"));
  fixture_build(&f);
  MemoryId hbm = fixture_memory(&f, "HBM");
  Diagnostic *d = diag_not_constant(&f.sink, (Span){1, 1}, STR("x"));
  machine_note_capacity(&f.sink, d, f.machine, hbm);
  machine_note_limit(&f.sink, d, f.machine, hbm);
  if (EXPECT(d->remarks.count == 2)) {
    EXPECT_STR(d->remarks.items[0].text,
               "capacity 80 GiB declared\n(spec: of the whole item; not "
               "measured on hardware)");
    EXPECT_STR(d->remarks.items[1].text,
               "usable 76 GiB declared\n(no citation)");
  }
  // Nothing is said of a memory without figures.
  machine_note_capacity(&f.sink, d, f.machine, f.machine->host_memory);
  EXPECT_EQ(d->remarks.count, 2);
  fixture_end(&f);
}

TEST(sizes_in_programs) {
  Fixture f;
  fixture_start(&f);
  fixture_add(&f, MACHINE_INPUT_FILE, "m.vx",
              STR("Memory A { capacity: 40KiB } Memory B { capacity: 5 s }"));
  const Tree *tree = f.inputs[0].tree;
  uint64_t bytes = 0;
  bool results[2] = {false, false};
  for (uint32_t i = 0; i < 2; i++) {
    NodeId item = list_at(tree, module(tree, tree->root).items, i);
    NodeId field = list_at(tree, memory_item(tree, item).fields, 0);
    results[i] =
        machine_read_size(&f.arena, tree, machine_field(tree, field).value,
                          STR("function 'f'"), STR("where"), &f.sink, &bytes);
  }
  EXPECT(results[0]);
  EXPECT(!results[1]);
  EXPECT_EQ(bytes, 40960);
  EXPECT_STR(fixture_message(&f, DIAG_E6108),
             "function 'f': `5 s` in `where` is a duration, not a size; write "
             "for example `80 GiB`");
  fixture_end(&f);
}

int main(void) {
  return RUN_TESTS(
      CASE(nothing_declared), CASE(defaults_of_absent_fields),
      CASE(instances_and_sight), CASE(texts_of_places), CASE(citations),
      CASE(identical_bodies_collapse), CASE(extend_replaces_and_adds),
      CASE(command_line_wins), CASE(declared_link_replaces_built_in_one),
      CASE(host_and_device_scope), CASE(a_part_without_host_is_no_fault),
      CASE(capacity_notes), CASE(sizes_in_programs));
}
