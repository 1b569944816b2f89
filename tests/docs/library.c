// SPDX-License-Identifier: Apache-2.0
//
// The program of docs/library.md; tests/unit/session_page.c compares and runs
// it.

// --- page
#include <stdio.h>
#include <string.h>
#include <vx.h>

static const char board[] =
    "Memory SRAM { capacity: 64 KiB, scope: device }\n"
    "Topology Board {\n"
    "  memory: Memory::SRAM,\n"
    "  transfer Memory::CPU_DRAM -> Memory::SRAM : 8 GB/s,\n"
    "}\n";

static const char tile[] = "fn main() -> i32 {\n"
                           "  let host = Tensor<f32, [128, 256]>::new();\n"
                           "  let near = transfer(host, Memory::SRAM);\n"
                           "  return 0;\n"
                           "}\n";

int main(void) {
  const VxSource machine = {"board.vx", board, strlen(board)};
  const VxSource host = {"default", NULL, 0};
  const VxOptions options = {
      .machines = &machine, .machine_count = 1, .host = &host};
  VxSession *session = vx_session_new(&options);

  const VxSource program = {"tile.vx", tile, strlen(tile)};
  const VxResult *result = vx_check(session, &program, 1);
  for (size_t i = 0; i < vx_diagnostic_count(result); i++) {
    const VxDiagnostic *d = vx_diagnostic(result, i);
    printf("%s:%u: %s: %s\n", d->place.file.data, (unsigned)d->place.line,
           d->code.data, d->message.data);
    if (d->capacity != NULL)
      printf("  needs %llu, has %llu\n",
             (unsigned long long)d->capacity->required_bytes,
             (unsigned long long)d->capacity->available_bytes);
  }

  int status = vx_verdict(result) == VX_ADMITTED ? 0 : 1;
  vx_session_free(session);
  return status;
}
