// SPDX-License-Identifier: Apache-2.0
//
// The public interface, vx.h: each check is a Session of its own, kept until
// its VxSession ends. Copies options in, copies records out.

#include "vx.h"

#include "session/session.h"

#include <stdlib.h>
#include <string.h>

struct VxResult {
  Session session;
  VxText usage_error;
  bool is_proved;
  VxDiagnostic *diagnostics;
  size_t diagnostic_count;
  uint32_t text_limit;
  VxResult *previous;
};

struct VxSession {
  Arena arena; // owns what `options` points to
  SessionOptions options;
  VxRead read;
  VxFindFleet find_fleet;
  void *context;
  uint32_t text_limit;
  VxResult *newest;
};

struct VxReply {
  Arena *arena;
  Str bytes;
};

const char *vx_version(void) { return VX_VERSION; }

// --- Files -------------------------------------------------------------------

void vx_reply(VxReply *reply, const void *bytes, size_t length) {
  reply->bytes = str_copy(reply->arena, (Str){bytes, length});
}

static bool read_by_callback(void *context, Arena *arena, const char *path,
                             Str *bytes, Str *error) {
  const VxSession *session = context;
  VxReply reply = {.arena = arena};
  if (!session->read(session->context, path, &reply)) {
    *error = STR("No such file or directory");
    return false;
  }
  *bytes = reply.bytes;
  return true;
}

static const char *find_by_callback(void *context) {
  const VxSession *session = context;
  return session->find_fleet(session->context);
}

// --- Options -----------------------------------------------------------------

static NamedText copy_source(Arena *arena, const VxSource *source) {
  NamedText named = {0};
  if (source->name != NULL)
    named.name = str_copy(arena, str_from(source->name));
  named.has_text = source->data != NULL;
  if (named.has_text)
    named.text = str_copy(arena, (Str){source->data, source->length});
  return named;
}

static StrVec copy_texts(Arena *arena, const char *const *texts, size_t count) {
  StrVec copy = {0};
  for (size_t i = 0; i < count; i++)
    VEC_PUSH(arena, &copy, str_copy(arena, str_from(texts[i])));
  return copy;
}

static void copy_options(VxSession *session, const VxOptions *options) {
  Arena *arena = &session->arena;
  SessionOptions *copy = &session->options;
  for (size_t i = 0; i < options->machine_count; i++)
    VEC_PUSH(arena, &copy->machines, copy_source(arena, &options->machines[i]));
  copy->has_host = options->host != NULL;
  if (copy->has_host)
    copy->host = copy_source(arena, options->host);
  copy->overrides =
      copy_texts(arena, options->overrides, options->override_count);
  copy->defines = copy_texts(arena, options->defines, options->define_count);
  copy->warnings = copy_texts(arena, options->warnings, options->warning_count);
  copy->paths = copy_texts(arena, options->paths, options->path_count);
  copy->byte_limit = options->byte_limit;
  session->read = options->read;
  session->find_fleet = options->find_fleet;
  session->context = options->context;
  session->text_limit = options->text_limit == 0 ? 50 : options->text_limit;
  copy->files.context = session;
  if (options->read != NULL)
    copy->files.read = read_by_callback;
  if (options->find_fleet != NULL)
    copy->files.find_fleet = find_by_callback;
}

VxSession *vx_session_new(const VxOptions *options) {
  static const VxOptions defaults = {0};
  VxSession *session = calloc(1, sizeof *session);
  CHECK(session != NULL);
  copy_options(session, options == NULL ? &defaults : options);
  return session;
}

void vx_session_free(VxSession *session) {
  if (session == NULL)
    return;
  for (VxResult *result = session->newest; result != NULL;) {
    VxResult *previous = result->previous;
    session_free(&result->session);
    free(result);
    result = previous;
  }
  arena_free(&session->arena);
  free(session);
}

// --- Records -----------------------------------------------------------------

static VxText copy_text(Arena *arena, Str s) {
  return (VxText){str_to_c(arena, s), s.length};
}

static VxPlace copy_place(Arena *arena, Str file, Location start,
                          Location end) {
  VxPlace place = {.file = copy_text(arena, file)};
  if (file.length == 0)
    return place;
  place.line = start.line;
  place.column = start.column;
  place.end_line = end.line;
  place.end_column = end.column;
  place.utf16_column = start.column_utf16;
  place.end_utf16_column = end.column_utf16;
  return place;
}

static VxPlace copy_diag_place(Arena *arena, const DiagPlace *place) {
  return copy_place(arena, place->file, place->start, place->end);
}

static void copy_labels(Arena *arena, const Diagnostic *d, VxDiagnostic *out) {
  VxLabel *labels = ARENA_ARRAY(arena, VxLabel, d->labels.count);
  for (uint32_t i = 0; i < d->labels.count; i++) {
    const DiagLabel *label = &d->labels.items[i];
    labels[i].place = copy_diag_place(arena, &label->place);
    labels[i].text = copy_text(arena, label->text);
  }
  out->labels = labels;
  out->label_count = d->labels.count;
}

static void copy_notes(Arena *arena, const Diagnostic *d, VxDiagnostic *out) {
  VxNote *notes = ARENA_ARRAY(arena, VxNote, d->remarks.count);
  for (uint32_t i = 0; i < d->remarks.count; i++) {
    const DiagRemark *remark = &d->remarks.items[i];
    notes[i].is_help = remark->kind == REMARK_HELP;
    notes[i].text = copy_text(arena, remark->text);
    notes[i].place = copy_diag_place(arena, &remark->place);
  }
  out->notes = notes;
  out->note_count = d->remarks.count;
}

static void copy_fixits(Arena *arena, const Diagnostic *d, VxDiagnostic *out) {
  VxFixit *fixits = ARENA_ARRAY(arena, VxFixit, d->fixits.count);
  for (uint32_t i = 0; i < d->fixits.count; i++) {
    const DiagFixit *fixit = &d->fixits.items[i];
    fixits[i].title = copy_text(arena, fixit->title);
    fixits[i].replacement = copy_text(arena, fixit->replacement);
    fixits[i].place = copy_diag_place(arena, &fixit->place);
  }
  out->fixits = fixits;
  out->fixit_count = d->fixits.count;
}

static const VxCapacity *copy_capacity(Arena *arena, const Diagnostic *d) {
  if (!d->has_capacity)
    return NULL;
  const DiagCapacity *from = &d->capacity;
  VxCapacity *capacity = ARENA_NEW(arena, VxCapacity);
  capacity->space = copy_text(arena, from->space);
  capacity->required_bytes = from->required.count;
  capacity->is_beyond = from->required.beyond;
  capacity->available_bytes = from->available;
  capacity->has_tiles = from->has_tiles;
  capacity->tiles = from->tiles;
  return capacity;
}

static VxDiagnostic copy_diagnostic(Arena *arena, const Diagnostic *d) {
  VxDiagnostic copy = {
      .level = d->severity == SEVERITY_ERROR ? VX_ERROR : VX_WARNING,
      .code = copy_text(arena, str_from(diag_code_name(d->code))),
      .message = copy_text(arena, d->message),
      .place = copy_place(arena, d->file, d->start, d->end),
      .label = copy_text(arena, d->label),
      .capacity = copy_capacity(arena, d),
  };
  copy_labels(arena, d, &copy);
  copy_notes(arena, d, &copy);
  copy_fixits(arena, d, &copy);
  return copy;
}

static void copy_diagnostics(VxResult *result) {
  const DiagSink *sink = &result->session.sink;
  Arena *arena = &result->session.arena;
  result->diagnostics = ARENA_ARRAY(arena, VxDiagnostic, sink->records.count);
  for (uint32_t i = 0; i < sink->records.count; i++) {
    const Diagnostic *d = sink->records.items[i];
    if (!d->is_dropped)
      result->diagnostics[result->diagnostic_count++] =
          copy_diagnostic(arena, d);
  }
}

// --- Checking ----------------------------------------------------------------

VxResult *vx_check(VxSession *session, const VxSource *programs,
                   size_t program_count) {
  VxResult *result = calloc(1, sizeof *result);
  CHECK(result != NULL);
  result->previous = session->newest;
  session->newest = result;
  session_init(&result->session, &session->options);
  Arena *arena = &result->session.arena;
  for (size_t i = 0; i < program_count; i++)
    VEC_PUSH(arena, &result->session.options.programs,
             copy_source(arena, &programs[i]));
  session_run(&result->session);
  result->usage_error = copy_text(arena, result->session.usage_error);
  result->text_limit = session->text_limit;
  Report report = session_report(&result->session);
  result->is_proved = report_is_proved(&report);
  copy_diagnostics(result);
  return result;
}

VxVerdict vx_verdict(const VxResult *result) {
  if (result->session.usage_error.length != 0)
    return VX_WRONG_USAGE;
  if (result->session.has_unreadable)
    return VX_UNREADABLE;
  return result->session.sink.error_count == 0 ? VX_ADMITTED : VX_REJECTED;
}

size_t vx_diagnostic_count(const VxResult *result) {
  return result->diagnostic_count;
}

const VxDiagnostic *vx_diagnostic(const VxResult *result, size_t index) {
  return index < result->diagnostic_count ? &result->diagnostics[index] : NULL;
}

// --- Texts -------------------------------------------------------------------

VxText vx_usage_error(const VxResult *result) { return result->usage_error; }

bool vx_is_proved(const VxResult *result) { return result->is_proved; }

// `text` ends with a NUL afterwards that its length does not count.
static VxText finish_text(Text *text) {
  text_char(text, '\0');
  return (VxText){text->data, text->length - 1};
}

VxText vx_render_text(VxResult *result, bool use_color) {
  Session *session = &result->session;
  Text out = text_new(&session->arena);
  diag_render_text(&out, &session->sink, &session->sources, use_color,
                   result->text_limit);
  return finish_text(&out);
}

VxText vx_render_summary(VxResult *result) {
  Session *session = &result->session;
  Text out = text_new(&session->arena);
  Report report = session_report(session);
  if (session->sink.error_count == 0)
    report_summary(&out, &report, &session->arena);
  return finish_text(&out);
}

VxText vx_render_json(VxResult *result) {
  Session *session = &result->session;
  Text out = text_new(&session->arena);
  Report report = session_report(session);
  report_json(&out, &report, &session->arena);
  return finish_text(&out);
}

VxText vx_explain(const char *code) {
  Str page = diag_code_page(diag_code_from_name(str_from(code)));
  return page.length == 0 ? (VxText){"", 0} : (VxText){page.data, page.length};
}
