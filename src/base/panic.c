// SPDX-License-Identifier: Apache-2.0
//
// The end of the process when an invariant of ours is broken.

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

enum { EXIT_BUG = 70 };

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
