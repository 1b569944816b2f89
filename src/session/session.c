// SPDX-License-Identifier: Apache-2.0
//
// The life of a session, and the way from its fields to a report.

#include "session/session.h"

// Names as the user wrote them, several joined by ", ".
static Str join_names(Arena *arena, const SessionOptions *options) {
  Text text = text_new(arena);
  for (uint32_t i = 0; i < options->machines.count; i++) {
    if (i != 0)
      text_puts(&text, ", ");
    text_put(&text, options->machines.items[i].name);
  }
  return text_str(&text);
}

void session_init(Session *session, const SessionOptions *options) {
  *session = (Session){.options = *options};
  interner_init(&session->interner, &session->arena);
  source_init(&session->sources, &session->arena);
  diag_init(&session->sink, &session->arena);
  session->dump = text_new(&session->arena);
  session->machine_names = join_names(&session->arena, options);
  session_apply_options(session);
}

void session_free(Session *session) {
  arena_free(&session->arena);
  *session = (Session){0};
}

Report session_report(Session *session) {
  const SessionOptions *options = &session->options;
  Report report = {
      .machine_name = session->machine_names,
      .sink = &session->sink,
      .sources = &session->sources,
      .interner = &session->interner,
  };
  if (options->programs.count != 0)
    report.file = session_display_path(options->programs.items[0].name);
  if (options->has_host)
    report.host_name = options->host.name;
  if ((session->facts & FACT_MACHINE) != 0)
    report.machine = session->machine;
  if ((session->facts & FACT_REPORT) != 0)
    report.memory = &session->memory;
  return report;
}
