// SPDX-License-Identifier: Apache-2.0
//
// The machine of the seed article and small programs for it, as texts.

#ifndef VX_UNIT_ARTICLE_H
#define VX_UNIT_ARTICLE_H

static const char article_machine[] =
    "Memory HBM {\n"
    "  capacity: 80 GiB, // spec: the article\n"
    "  bandwidth: 3.35 TB/s,\n"
    "  scope: device,\n"
    "}\n"
    "Memory L2 {\n"
    "  within: Memory::HBM, capacity: 50 MiB, bandwidth: 12 TB/s,\n"
    "  managed: cached, scope: device,\n"
    "}\n"
    "Memory SMEM {\n"
    "  within: Memory::L2, capacity: 228 KiB, bandwidth: 128 B/cyc,\n"
    "  clock: 1.98 GHz, scope: sm, replicas: 132,\n"
    "}\n"
    "Topology Device {\n"
    "  arch: nvptx64,\n"
    "  memory: Memory::HBM,\n"
    "  visible: [Memory::HBM, Memory::L2, Memory::SMEM],\n"
    "  transfer Memory::CPU_DRAM -> Memory::HBM : 63 GB/s,\n"
    "  transfer Memory::HBM -> Memory::CPU_DRAM : 63 GB/s,\n"
    "  transfer Memory::HBM -> Memory::L2,\n"
    "  transfer Memory::L2 -> Memory::HBM,\n"
    "  transfer Memory::L2 -> Memory::SMEM,\n"
    "  transfer Memory::SMEM -> Memory::L2,\n"
    "}\n";

#define ARTICLE_PROGRAM(n)                                                     \
  "fn main() -> i32 {\n"                                                       \
  "  let host : Tensor<f32, [" n ", " n "]> = Tensor<f32, [" n ", " n          \
  "]>::new();\n"                                                               \
  "  let tile = transfer(host, Memory::SMEM);\n"                               \
  "  return 0;\n"                                                              \
  "}\n"

static const char article_tile[] = ARTICLE_PROGRAM("256");
static const char article_small_tile[] = ARTICLE_PROGRAM("128");

#endif
