// SPDX-License-Identifier: Apache-2.0
//
// The end of the process: an invariant of ours is broken, or there is no
// memory.

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

enum { EXIT_NO_MEMORY = 2, EXIT_BUG = 70 };

_Noreturn void panic(const char *file, int line, const char *function,
                     const char *what) {
  (void)fflush(stdout);
  (void)fprintf(stderr,
                "vxc: internal error: %s\n"
                "  in %s, %s:%d\n"
                "  this is a bug in vxc, not in your program; please report it "
                "together with the input\n",
                what, function, file, line);
  (void)fflush(stderr);
#ifdef VX_FUZZ
  abort(); // a fuzzer takes an exit for an answer, an abort for a finding
#else
  _Exit(EXIT_BUG); // no exit handlers: nothing in this process is trusted now
#endif
}

_Noreturn void memory_exhausted(void) {
  (void)fflush(stdout);
  (void)fputs("vxc: out of memory\n", stderr);
  _Exit(EXIT_NO_MEMORY);
}
