// SPDX-License-Identifier: Apache-2.0
//
// The whole checker through vx.h, on the article's machine: any bytes as a
// program. No files: an import finds nothing.

#include "../unit/article.h"
#include "vx.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool refuse(void *context, const char *path, VxReply *reply) {
  (void)context;
  (void)path;
  (void)reply;
  return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  VxSource machine = {"h100.vx", article_machine, strlen(article_machine)};
  VxSource host = {.name = "default"};
  VxOptions options = {
      .machines = &machine, .machine_count = 1, .host = &host, .read = refuse};
  VxSource program = {"fuzz.vx", size == 0 ? "" : (const char *)data, size};
  VxSession *session = vx_session_new(&options);
  VxResult *result = vx_check(session, &program, 1);
  (void)vx_render_text(result, true);
  (void)vx_render_summary(result);
  (void)vx_render_json(result);
  vx_session_free(session);
  return 0;
}
