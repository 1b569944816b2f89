// SPDX-License-Identifier: Apache-2.0
//
// Costs and routes with known answers (memory-model.md section 5).

#include "unit/machine_fixture.h"
#include "unit/test.h"

#define HOP_KIND(route, i) ((route).hops[i].cost.kind)

// The machine of the seed article.
static const char article[] =
    "Memory HBM { capacity: 80 GiB, bandwidth: 3.35 TB/s, scope: device }\n"
    "Memory L2 { within: Memory::HBM, capacity: 50 MiB, bandwidth: 12 TB/s,\n"
    "  managed: cached, scope: device }\n"
    "Memory SMEM { within: Memory::L2, capacity: 228 KiB, granule: 1 KiB,\n"
    "  bandwidth: 128 B/cyc, clock: 1.98 GHz, scope: sm, replicas: 132 }\n"
    "Topology Device { memory: Memory::HBM,\n"
    "  visible: [Memory::HBM, Memory::L2, Memory::SMEM],\n"
    "  transfer Memory::CPU_DRAM -> Memory::HBM : 63 GB/s,\n"
    "  transfer Memory::HBM -> Memory::CPU_DRAM : 63 GB/s,\n"
    "  transfer Memory::HBM -> Memory::L2,\n"
    "  transfer Memory::L2 -> Memory::SMEM copy_engine }\n";

TEST(article_costs) {
  Fixture f;
  fixture_text(&f, article);
  EXPECT_EQ(f.sink.records.count, 0);
  Route r = fixture_route(&f, fixture_place(&f, "CPU_DRAM", 0),
                          fixture_place(&f, "SMEM", 0), 65536);
  EXPECT_EQ(r.status, ROUTE_FOUND);
  EXPECT_STR(fixture_path(&f, &r), "CPU_DRAM -> HBM -> L2 -> SMEM");
  if (EXPECT(r.hop_count == 3)) {
    EXPECT_EQ(r.hops[0].cost.value, 1040254);
    EXPECT_EQ(r.hops[1].cost.value, 25025);
    EXPECT_EQ(r.hops[2].cost.value, 979483);
    EXPECT_EQ(r.hops[0].cost.source, COST_FROM_LINK_RATE);
    EXPECT_EQ(r.hops[1].cost.source, COST_FROM_CONTAINMENT);
    EXPECT_EQ(r.hops[0].transit.count, 65536);
    EXPECT_EQ(r.hops[1].transit.count, 0); // a cache holds nothing
    EXPECT_EQ(r.hops[2].transit.count, 0); // the destination
  }
  EXPECT_EQ(r.total.kind, COST_TIME);
  EXPECT_EQ(r.total.value, 1040254 + 25025 + 979483);
  EXPECT_STR(machine_cost_text(&f.arena, r.total), "2.04 us");
  fixture_end(&f);
}

TEST(no_way_back) {
  Fixture f;
  fixture_text(&f, article);
  Route r = fixture_route(&f, fixture_place(&f, "SMEM", 0),
                          fixture_place(&f, "HBM", 0), 64);
  EXPECT_EQ(r.status, ROUTE_NONE);
  EXPECT_EQ(r.hop_count, 0);
  EXPECT_STR(machine_reach_text(&f.arena, f.machine,
                                fixture_place(&f, "SMEM", 0), false),
             "nothing");
  EXPECT_STR(
      machine_reach_text(&f.arena, f.machine, fixture_place(&f, "L2", 0), true),
      "CPU_DRAM, NPU_HBM, GPU_HBM, Local_SRAM, HBM");
  fixture_end(&f);
}

TEST(same_memory) {
  Fixture f;
  fixture_text(&f, article);
  Route r = fixture_route(&f, fixture_place(&f, "HBM", 0),
                          fixture_place(&f, "HBM", 0), 64);
  EXPECT_EQ(r.status, ROUTE_SAME_MEMORY);
  fixture_end(&f);
}

TEST(built_in_weights) {
  Fixture f;
  fixture_text(&f, "");
  Route r = fixture_route(&f, fixture_place(&f, "CPU_DRAM", 0),
                          fixture_place(&f, "Remote_HBM", 0), 64);
  EXPECT_STR(fixture_path(&f, &r),
             "CPU_DRAM -> NPU_HBM -> NIC_RAM -> Remote_HBM");
  EXPECT_EQ(r.total.kind, COST_WEIGHT);
  EXPECT_EQ(r.total.value, 75);
  r = fixture_route(&f, fixture_place(&f, "CPU_DRAM", 0),
                    fixture_place(&f, "Local_SRAM", 3), 64);
  EXPECT_STR(fixture_path(&f, &r), "CPU_DRAM -> NPU_HBM -> Local_SRAM[3]");
  EXPECT_STR(machine_cost_text(&f.arena, r.total), "60");
  fixture_end(&f);
}

TEST(latency_decides_by_size) {
  Fixture f;
  fixture_text(&f, "Memory A {} Memory B {} Memory C {}\n"
                   "Topology T { memory: Memory::A,\n"
                   "  transfer Memory::CPU_DRAM -> Memory::A : 1 GB/s,\n"
                   "  transfer Memory::A -> Memory::C : 1 GB/s latency 10 us,\n"
                   "  transfer Memory::A -> Memory::B : 1 GB/s,\n"
                   "  transfer Memory::B -> Memory::C : 1 GB/s }\n");
  Route r = fixture_route(&f, fixture_place(&f, "A", 0),
                          fixture_place(&f, "C", 0), 1000);
  EXPECT_STR(fixture_path(&f, &r), "A -> B -> C");
  EXPECT_EQ(r.total.value, 2000000);
  r = fixture_route(&f, fixture_place(&f, "A", 0), fixture_place(&f, "C", 0),
                    100000);
  EXPECT_STR(fixture_path(&f, &r), "A -> C");
  EXPECT_EQ(r.total.value, 110000000);
  EXPECT(r.total.has_latency);
  EXPECT_EQ(r.total.latency, 10000000);
  // Equal: the fewer hops.
  r = fixture_route(&f, fixture_place(&f, "A", 0), fixture_place(&f, "C", 0),
                    10000);
  EXPECT_STR(fixture_path(&f, &r), "A -> C");
  fixture_end(&f);
}

TEST(declared_latency_of_host_link) {
  Fixture f;
  fixture_text(&f, "Memory HBM {}\n"
                   "Topology T { memory: Memory::HBM, transfer "
                   "Memory::CPU_DRAM -> Memory::HBM : 25.5 GB/s latency "
                   "9.79 us }\n");
  Route r = fixture_route(&f, fixture_place(&f, "CPU_DRAM", 0),
                          fixture_place(&f, "HBM", 0), 4096);
  EXPECT_EQ(r.total.value, 9790000 + 160628);
  fixture_end(&f);
}

TEST(latency_of_derived_hops) {
  Fixture f;
  fixture_text(
      &f, "Memory A { bandwidth: 1 TB/s, latency: 400 ns }\n"
          "Memory B { within: Memory::A, bandwidth: 1 TB/s, latency: 100 ns }\n"
          "Memory C { within: Memory::A, bandwidth: 2 TB/s, latency: 50 cyc,\n"
          "  clock: 1 GHz, crossing: streamed }\n"
          "Topology T { memory: Memory::A,\n"
          "  transfer Memory::CPU_DRAM -> Memory::A : 1 GB/s,\n"
          "  transfer Memory::A -> Memory::B,\n"
          "  transfer Memory::B -> Memory::C }\n");
  Route r = fixture_route(&f, fixture_place(&f, "A", 0),
                          fixture_place(&f, "B", 0), 1000);
  EXPECT_EQ(r.total.value, 2 * 1000 + 300000);
  // Siblings: the ancestor does not count; the slowest leg; 100 - 50 ns.
  r = fixture_route(&f, fixture_place(&f, "B", 0), fixture_place(&f, "C", 0),
                    1000);
  EXPECT_EQ(r.total.value, 1000 + 50000);
  EXPECT(r.total.is_bottleneck);
  fixture_end(&f);
}

TEST(cycles_without_clock) {
  Fixture f;
  fixture_text(&f, "Memory A { bandwidth: 64 B/cyc }\n"
                   "Memory B { within: Memory::A, bandwidth: 32 B/cyc,\n"
                   "  replicas: 4 }\n"
                   "Topology T { memory: Memory::A,\n"
                   "  transfer Memory::CPU_DRAM -> Memory::A : 16 B/cyc,\n"
                   "  transfer Memory::A -> Memory::B }\n");
  EXPECT_EQ(f.sink.records.count, 0);
  Route r = fixture_route(&f, fixture_place(&f, "A", 0),
                          fixture_place(&f, "B", 0), 100);
  EXPECT_EQ(r.total.kind, COST_CYCLES);
  EXPECT_EQ(r.total.value, 7 + 4); // shares: 16 and 32
  EXPECT_STR(machine_cost_text(&f.arena, r.total), "11 cyc");
  r = fixture_route(&f, fixture_place(&f, "CPU_DRAM", 0),
                    fixture_place(&f, "B", 0), 100);
  EXPECT_EQ(r.total.value, 7 + 7 + 4);
  fixture_end(&f);
}

TEST(unknown_costs_weigh_one) {
  Fixture f;
  fixture_text(&f, "Memory A {} Memory B { within: Memory::A }\n"
                   "Topology T { memory: Memory::A,\n"
                   "  transfer Memory::CPU_DRAM -> Memory::A : 1 GB/s,\n"
                   "  transfer Memory::A -> Memory::B }\n");
  Route r = fixture_route(&f, fixture_place(&f, "CPU_DRAM", 0),
                          fixture_place(&f, "B", 0), 100);
  EXPECT_EQ(r.status, ROUTE_FOUND);
  EXPECT_EQ(r.total.kind, COST_UNKNOWN);
  EXPECT_EQ(r.total.weight, 2);
  EXPECT_STR(machine_cost_text(&f.arena, r.total), "2");
  EXPECT_STR(machine_cost_text(&f.arena, r.hops[1].cost), "unknown");
  fixture_end(&f);
}

// The cheap way leads through a memory that is too small.
TEST(transits_must_be_held) {
  Fixture f;
  fixture_text(&f, "Memory A {} Memory S { capacity: 1 KiB, granule: 256 B }\n"
                   "Memory R { access: read } Memory C {}\n"
                   "Topology T { memory: Memory::A,\n"
                   "  transfer Memory::CPU_DRAM -> Memory::A : 1 GB/s,\n"
                   "  transfer Memory::A -> Memory::S : 9 GB/s,\n"
                   "  transfer Memory::S -> Memory::C : 9 GB/s,\n"
                   "  transfer Memory::A -> Memory::R : 90 GB/s,\n"
                   "  transfer Memory::R -> Memory::C : 90 GB/s,\n"
                   "  transfer Memory::A -> Memory::C : 1 GB/s }\n");
  Placement a = fixture_place(&f, "A", 0);
  Placement c = fixture_place(&f, "C", 0);
  Route r = fixture_route(&f, a, c, 1000);
  EXPECT_STR(fixture_path(&f, &r), "A -> S -> C");
  EXPECT_EQ(r.hops[0].transit.count, 1024);
  r = fixture_route(&f, a, c, 1025);
  EXPECT_STR(fixture_path(&f, &r), "A -> C");
  fixture_end(&f);
  fixture_text(&f, "Memory A {} Memory S { capacity: 1 KiB } Memory C {}\n"
                   "Topology T { memory: Memory::A,\n"
                   "  transfer Memory::CPU_DRAM -> Memory::A : 1 GB/s,\n"
                   "  transfer Memory::A -> Memory::S : 9 GB/s,\n"
                   "  transfer Memory::S -> Memory::C : 9 GB/s }\n");
  r = fixture_route(&f, fixture_place(&f, "A", 0), fixture_place(&f, "C", 0),
                    2000);
  EXPECT_EQ(r.status, ROUTE_TRANSIT_TOO_SMALL);
  EXPECT_EQ(r.failing_hop, 0);
  EXPECT_EQ(r.hops[0].transit.count, 2000);
  fixture_end(&f);
}

TEST(chunks_overlap) {
  Fixture f;
  fixture_text(&f, "Memory A {} Memory M { chunk: 1000 B, capacity: 4 KB }\n"
                   "Memory C {}\n"
                   "Topology T { memory: Memory::A,\n"
                   "  transfer Memory::CPU_DRAM -> Memory::A : 1 GB/s,\n"
                   "  transfer Memory::A -> Memory::M : 1 GB/s,\n"
                   "  transfer Memory::M -> Memory::C : 2 GB/s }\n");
  Placement a = fixture_place(&f, "A", 0);
  Placement c = fixture_place(&f, "C", 0);
  Route r = fixture_route(&f, a, c, 10000);
  // The slower hop for all bytes and the other for one chunk.
  EXPECT_EQ(r.total.value, 10000000 + 500000);
  EXPECT_EQ(r.hops[0].chunk, 1000);
  EXPECT_EQ(r.hops[1].chunk, 1000);
  EXPECT_EQ(r.hops[0].transit.count, 2000);
  EXPECT_EQ(r.hops[0].cost.value, 10000000);
  r = fixture_route(&f, a, c, 600);
  EXPECT_EQ(r.total.value, 600000 + 300000);
  EXPECT_EQ(r.hops[0].transit.count, 600);
  // At the ends of a transfer nothing is chunked.
  r = fixture_route(&f, a, fixture_place(&f, "M", 0), 10000);
  EXPECT_EQ(r.hops[0].chunk, 0);
  fixture_end(&f);
}

static const char node_of_eight[] =
    "Memory HBM { capacity: 80 GiB, bandwidth: 1 TB/s }\n"
    "Memory SMEM { within: Memory::HBM, bandwidth: 1 TB/s }\n"
    "Memory NIC {}\n"
    "Topology Device { memory: Memory::HBM, count: 8,\n"
    "  transfer Memory::CPU_DRAM -> Memory::HBM : 10 GB/s,\n"
    "  transfer Memory::HBM -> Memory::CPU_DRAM : 10 GB/s,\n"
    "  transfer Memory::HBM -> Memory::SMEM,\n"
    "  transfer Memory::HBM -> Memory::HBM : 100 GB/s,\n"
    "  transfer Memory::HBM[0..4] -> Memory::HBM[4..8] : 20 GB/s,\n"
    "  transfer Memory::HBM[3] -> Memory::HBM[4] : 400 GB/s,\n"
    "  transfer Memory::HBM[7] -> Memory::NIC : 50 GB/s }\n";

TEST(instances) {
  Fixture f;
  fixture_text(&f, node_of_eight);
  EXPECT_EQ(f.sink.records.count, 0);
  Placement first = fixture_place(&f, "HBM", 0);
  Route r = fixture_route(&f, first, fixture_place(&f, "HBM", 1), 1000);
  EXPECT_STR(fixture_path(&f, &r), "HBM[0] -> HBM[1]");
  EXPECT_EQ(r.total.value, 10000);
  // The link of a single pair wins over ranges, and beats the direct range.
  r = fixture_route(&f, first, fixture_place(&f, "HBM", 4), 1000);
  EXPECT_STR(fixture_path(&f, &r), "HBM[0] -> HBM[3] -> HBM[4]");
  EXPECT_EQ(r.total.value, 12500);
  // Back, only the general link exists.
  r = fixture_route(&f, fixture_place(&f, "HBM", 4), first, 1000);
  EXPECT_EQ(r.total.value, 10000);
  r = fixture_route(&f, first, fixture_place(&f, "NIC", 0), 1000);
  EXPECT_STR(fixture_path(&f, &r),
             "HBM[0] -> HBM[3] -> HBM[4] -> HBM[7] -> NIC");
  r = fixture_route(&f, fixture_place(&f, "CPU_DRAM", 0),
                    fixture_place(&f, "SMEM", 5), 1000);
  EXPECT_STR(fixture_path(&f, &r), "CPU_DRAM -> HBM[5] -> SMEM[5]");
  fixture_end(&f);
}

TEST(unknown_instances_cost_the_dearest) {
  Fixture f;
  fixture_text(&f, node_of_eight);
  Placement any = fixture_place(&f, "HBM", INSTANCE_DYNAMIC);
  Route r = fixture_route(&f, fixture_place(&f, "HBM", 0), any, 1000);
  EXPECT_EQ(r.total.value, 22500); // 0 -> 3 -> 4 -> 5
  EXPECT_STR(
      machine_placement_text(&f.arena, f.machine, r.hops[r.hop_count - 1].to),
      "HBM[?]");
  r = fixture_route(&f, any, any, 1000);
  EXPECT_EQ(r.status, ROUTE_SAME_MEMORY);
  r = fixture_route(&f, any, fixture_place(&f, "SMEM", INSTANCE_DYNAMIC), 1000);
  EXPECT_STR(fixture_path(&f, &r), "HBM[?] -> SMEM[?]");
  uint64_t bytes = 1000;
  TensorShape shape = {.element_bits = 8, .extents = &bytes, .rank = 1};
  RouteRequest request = {
      .from = any, .to = any, .shape = &shape, .indices_differ = true};
  machine_route(&f.arena, f.machine, &request, &r);
  EXPECT_EQ(r.total.value, 22500);
  fixture_end(&f);
}

// A ring of many: nothing may grow with the square of the count.
TEST(large_count) {
  Fixture f;
  fixture_text(&f, "Memory HBM { capacity: 80 GiB }\n"
                   "Topology Device { memory: Memory::HBM, count: 100000,\n"
                   "  transfer Memory::CPU_DRAM -> Memory::HBM : 10 GB/s,\n"
                   "  transfer Memory::HBM -> Memory::HBM : 100 GB/s,\n"
                   "  transfer Memory::HBM[7] -> Memory::HBM[99999] : 9 TB/s "
                   "}\n");
  Route r = fixture_route(&f, fixture_place(&f, "HBM", 50000),
                          fixture_place(&f, "HBM", 99999), 1000);
  EXPECT_EQ(r.total.value, 10000);
  r = fixture_route(&f, fixture_place(&f, "HBM", 7),
                    fixture_place(&f, "HBM", 99999), 9000);
  EXPECT_EQ(r.total.value, 1000);
  fixture_end(&f);
}

TEST(parts_of_one_memory) {
  Fixture f;
  fixture_text(&f, "Memory U { capacity: 36 GiB, bandwidth: 400 GB/s }\n"
                   "Memory HBM { part_of: Memory::U, capacity: 24 GiB }\n"
                   "Memory CPU_DRAM { part_of: Memory::U }\n"
                   "Memory T { part_of: Memory::U, tiling: [8, 128] }\n"
                   "Topology Device { memory: Memory::HBM }\n");
  EXPECT_EQ(f.sink.records.count, 0);
  uint64_t extents[] = {10, 100};
  TensorShape shape = {.element_bits = 32, .extents = extents, .rank = 2};
  RouteRequest request = {.from = fixture_place(&f, "CPU_DRAM", 0),
                          .to = fixture_place(&f, "HBM", 0),
                          .shape = &shape};
  Route r;
  machine_route(&f.arena, f.machine, &request, &r);
  EXPECT_EQ(r.total.value, 10000);
  EXPECT(!r.hops[0].is_renamed);
  request.source_dies = true;
  machine_route(&f.arena, f.machine, &request, &r);
  EXPECT_EQ(r.total.value, 0);
  EXPECT_EQ(r.total.kind, COST_TIME);
  EXPECT(r.hops[0].is_renamed);
  EXPECT_EQ(r.hop_count, 1);
  // Another layout: bytes move.
  request.to = fixture_place(&f, "T", 0);
  machine_route(&f.arena, f.machine, &request, &r);
  EXPECT(!r.hops[0].is_renamed);
  EXPECT_EQ(r.total.value, 10000);
  fixture_end(&f);
}

TEST(run_time_extents_are_priced_at_a_mebibyte) {
  Fixture f;
  fixture_text(&f, article);
  RouteRequest request = {.from = fixture_place(&f, "CPU_DRAM", 0),
                          .to = fixture_place(&f, "HBM", 0)};
  Route r;
  machine_route(&f.arena, f.machine, &request, &r);
  EXPECT_EQ(r.total.value, 16644064);
  fixture_end(&f);
}

int main(void) {
  return RUN_TESTS(CASE(article_costs), CASE(no_way_back), CASE(same_memory),
                   CASE(built_in_weights), CASE(latency_decides_by_size),
                   CASE(declared_latency_of_host_link),
                   CASE(latency_of_derived_hops), CASE(cycles_without_clock),
                   CASE(unknown_costs_weigh_one), CASE(transits_must_be_held),
                   CASE(chunks_overlap), CASE(instances),
                   CASE(unknown_instances_cost_the_dearest), CASE(large_count),
                   CASE(parts_of_one_memory),
                   CASE(run_time_extents_are_priced_at_a_mebibyte));
}
