// SPDX-License-Identifier: Apache-2.0
//
// Inputs: the texts that the user names, and what they import.
//
// A path is looked at as text only: "a/../b.vx" and "b.vx" are one file, links
// are not followed. Each file is read and parsed once, so that imports in a
// circle end. In names of imports `_` stands for `-` too: `import
// fleet::h100_sxm;` finds h100-sxm.vx.

#include "session/session.h"

#include <string.h>

static const char default_host[] =
    "// The computer that runs vxc: its memory is virtual and pages.\n"
    "Memory CPU_DRAM { scope: system }\n";

static const char no_such_file[] = "No such file or directory";

// --- Paths -------------------------------------------------------------------

// Everything up to the last `/`, with it; "" without one.
static Str directory_of(Str path) {
  size_t length = path.length;
  while (length != 0 && path.data[length - 1] != '/')
    length--;
  return str_slice(path, 0, length);
}

// Drops the last part of `out` unless there is none to drop ("", "/", "..").
static bool drop_last_part(Text *out) {
  size_t start = out->length;
  while (start != 0 && out->data[start - 1] != '/')
    start--;
  Str last = str_slice(text_str(out), start, out->length - start);
  if (last.length == 0 || str_equal(last, STR("..")))
    return false;
  out->length = start > 1 ? start - 1 : start;
  return true;
}

// Without "." parts, double slashes, and ".." after a name.
static Str normalize_path(Arena *arena, Str path) {
  Text out = text_new(arena);
  if (str_starts_with(path, STR("/")))
    text_char(&out, '/');
  for (size_t at = 0; at < path.length;) {
    size_t end = at;
    while (end < path.length && path.data[end] != '/')
      end++;
    Str part = str_slice(path, at, end - at);
    at = end + 1;
    if (part.length == 0 || str_equal(part, STR(".")))
      continue;
    if (str_equal(part, STR("..")) && drop_last_part(&out))
      continue;
    if (out.length != 0 && out.data[out.length - 1] != '/')
      text_char(&out, '/');
    text_put(&out, part);
  }
  return text_str(&out);
}

static bool is_bare_name(Str name) {
  return !str_ends_with(name, STR(".vx")) && !str_equal(name, STR("-")) &&
         (name.length == 0 || memchr(name.data, '/', name.length) == NULL);
}

static Str with_dashes(Arena *arena, Str name) {
  char *copy = str_to_c(arena, name);
  for (size_t i = 0; i < name.length; i++) {
    if (copy[i] == '_')
      copy[i] = '-';
  }
  return (Str){copy, name.length};
}

Str session_display_path(Str path) {
  return str_equal(path, STR("-")) ? STR("<stdin>") : path;
}

// --- Reading -----------------------------------------------------------------

static bool read_file(Session *session, Str path, Str *bytes, Str *error) {
  const SessionFiles *files = &session->options.files;
  const char *name = str_to_c(&session->arena, path);
  if (strlen(name) != path.length) { // a NUL byte within
    *error = STR(no_such_file);
    return false;
  }
  if (files->read == NULL)
    return io_read_file(&session->arena, name, bytes, error);
  return files->read(files->context, &session->arena, name, bytes, error);
}

static void refuse_file(Session *session, Span span, Str path, Str why) {
  session->has_unreadable = true;
  diag_cannot_read(&session->sink, span, session_display_path(path), why);
}

const char *session_fleet(Session *session) {
  const SessionFiles *files = &session->options.files;
  if (!session->is_fleet_known && files->find_fleet != NULL)
    session->fleet = files->find_fleet(files->context);
  session->is_fleet_known = true;
  return session->fleet;
}

// Programs and machine files are known apart: a file may be given as both.
static uint64_t input_key(Session *session, Str path, InputKind kind) {
  Str plain = normalize_path(&session->arena, path);
  Name name = intern(&session->interner, plain);
  return (uint64_t)name.index << 1 | (kind == INPUT_PROGRAM);
}

static bool find_input(Session *session, Str path, InputKind kind,
                       uint32_t *index) {
  uint64_t found;
  if (!map_get(&session->known_inputs, input_key(session, path, kind), &found))
    return false;
  *index = (uint32_t)found;
  return true;
}

// How messages name a file. Those of the fleet read the same on every
// computer: "fleet/h100-sxm.vx".
static Str shown_path(Session *session, Str path) {
  Str fleet = session->fleet != NULL ? str_from(session->fleet) : STR("");
  if (fleet.length == 0 || !str_starts_with(path, fleet) ||
      path.length == fleet.length || path.data[fleet.length] != '/')
    return session_display_path(path);
  Str name = str_slice(path, fleet.length, path.length - fleet.length);
  return str_format(&session->arena, "fleet%.*s", STR_ARG(name));
}

// Takes a text into the session. False when it is full.
static bool add_input(Session *session, InputKind kind, Str path, Str text,
                      uint32_t *index) {
  uint64_t limit = session->options.byte_limit;
  Str shown = shown_path(session, path);
  FileId file = {0};
  if (limit == 0 || text.length <= limit - session->bytes_read)
    file = source_add(&session->sources, shown, text);
  if (file.index == 0)
    return false;
  session->bytes_read += text.length;
  *index = session->inputs.count;
  map_put(&session->arena, &session->known_inputs,
          input_key(session, path, kind), *index);
  Input input = {.kind = kind, .path = shown, .location = path, .file = file};
  VEC_PUSH(&session->arena, &session->inputs, input);
  return true;
}

typedef enum { LOOK_FOUND, LOOK_MISSING, LOOK_REFUSED } Look;

// Finds the file among the inputs, or reads it. Says nothing when there is no
// such file; other failures are E9001 at `span`.
static Look look_for_file(Session *session, InputKind kind, Str path, Span span,
                          uint32_t *index) {
  if (find_input(session, path, kind, index))
    return LOOK_FOUND;
  Str bytes = {0};
  Str error = {0};
  if (!read_file(session, path, &bytes, &error)) {
    if (str_equal(error, STR(no_such_file)))
      return LOOK_MISSING;
    refuse_file(session, span, path, error);
    return LOOK_REFUSED;
  }
  if (add_input(session, kind, path, bytes, index))
    return LOOK_FOUND;
  refuse_file(session, span, path, STR("the inputs are too large together"));
  return LOOK_REFUSED;
}

// --- What the user names -----------------------------------------------------

static bool read_path(Session *session, InputKind kind, Str path,
                      uint32_t *index) {
  Look look = look_for_file(session, kind, path, NO_SPAN, index);
  if (look == LOOK_MISSING)
    refuse_file(session, NO_SPAN, path, STR(no_such_file));
  return look == LOOK_FOUND;
}

static bool add_text(Session *session, InputKind kind, Str name, Str text) {
  uint32_t index;
  if (find_input(session, name, kind, &index))
    return true;
  if (!add_input(session, kind, name, text, &index)) {
    refuse_file(session, NO_SPAN, name,
                STR("the inputs are too large together"));
    return false;
  }
  session->inputs.items[index].is_named = true;
  return true;
}

// Names of the fleet that `name` may have meant, as "'a' or 'b'": those that it
// begins, at most three, else the closest. Empty if there is none.
static Str suggest_machines(Session *session, const char *fleet, Str name) {
  StrVec files = {0};
  Str error;
  if (session->options.files.read != NULL ||
      !io_list_directory(&session->arena, fleet, &files, &error))
    return STR("");
  Text begun = text_new(&session->arena);
  uint32_t begun_count = 0;
  Str best = STR("");
  size_t best_distance = name.length / 3 + 1;
  for (uint32_t i = 0; i < files.count; i++) {
    if (!str_ends_with(files.items[i], STR(".vx")))
      continue;
    Str known = str_slice(files.items[i], 0, files.items[i].length - 3);
    if (str_starts_with(known, name) && begun_count < 3)
      text_format(&begun, "%s'%.*s'", begun_count++ == 0 ? "" : " or ",
                  STR_ARG(known));
    size_t distance = str_distance(&session->arena, name, known, best_distance);
    if (distance < best_distance) {
      best = known;
      best_distance = distance;
    }
  }
  if (begun_count != 0 || best.length == 0)
    return text_str(&begun);
  return str_format(&session->arena, "'%.*s'", STR_ARG(best));
}

static void refuse_machine(Session *session, Str name) {
  const char *fleet = session_fleet(session);
  Text why = text_new(&session->arena);
  if (fleet == NULL) {
    text_puts(&why, "no machine of that name: there is no fleet");
  } else {
    text_format(&why, "no machine of that name in %s", fleet);
    Str near = suggest_machines(session, fleet, name);
    if (near.length != 0)
      text_format(&why, "; did you mean %.*s?", STR_ARG(near));
  }
  refuse_file(session, NO_SPAN, name, text_str(&why));
}

// A bare name is looked up in the fleet, then as a file.
static bool read_machine(Session *session, InputKind kind, Str name,
                         uint32_t *index) {
  if (!is_bare_name(name))
    return read_path(session, kind, name, index);
  Look look = LOOK_MISSING;
  const char *fleet = session_fleet(session);
  if (fleet != NULL) {
    Str file = with_dashes(&session->arena, name);
    Str path = str_format(&session->arena, "%s/%.*s.vx", fleet, STR_ARG(file));
    look = look_for_file(session, kind, path, NO_SPAN, index);
  }
  if (look == LOOK_MISSING && name.length != 0)
    look = look_for_file(session, kind, name, NO_SPAN, index);
  if (look == LOOK_MISSING)
    refuse_machine(session, name);
  return look == LOOK_FOUND;
}

static bool read_named(Session *session, InputKind kind,
                       const NamedText *named) {
  if (named->has_text)
    return add_text(session, kind, named->name, named->text);
  if (kind == INPUT_HOST && str_equal(named->name, STR("default"))) {
    if (!add_text(session, kind, STR("<default host>"), STR(default_host)))
      return false;
    VEC_LAST(&session->inputs).is_default_host = true;
    return true;
  }
  uint32_t index;
  bool is_read = kind == INPUT_PROGRAM
                     ? read_path(session, kind, named->name, &index)
                     : read_machine(session, kind, named->name, &index);
  if (is_read)
    session->inputs.items[index].is_named = true;
  return is_read;
}

bool session_read_inputs(Session *session) {
  const SessionOptions *options = &session->options;
  bool are_read = true;
  for (uint32_t i = 0; i < options->machines.count; i++)
    are_read &= read_named(session, INPUT_MACHINE, &options->machines.items[i]);
  if (options->has_host)
    are_read &= read_named(session, INPUT_HOST, &options->host);
  for (uint32_t i = 0; i < options->programs.count; i++)
    are_read &= read_named(session, INPUT_PROGRAM, &options->programs.items[i]);
  if (options->overrides.count != 0)
    are_read &=
        add_text(session, INPUT_OVERRIDE, STR("<command line>"),
                 session_overrides_text(&session->arena, &options->overrides));
  return are_read;
}

// --- What inputs import ------------------------------------------------------

// One `import a::b;` on its way to a file.
typedef struct {
  uint32_t importer; // index of an input
  InputKind kind;    // of the file
  Span span;         // of the path
  Str written;       // "a::b"
  Str relative;      // "a/b"
  Name last;         // "b"
  bool is_fleet;     // begins with `fleet::`
  Text tried;        // paths that are not there
  uint32_t found;    // index of an input
} Import;

static Look try_path(Session *session, Import *import, Str directory,
                     Str relative) {
  bool needs_slash =
      directory.length != 0 && directory.data[directory.length - 1] != '/';
  Str path = str_format(&session->arena, "%.*s%s%.*s.vx", STR_ARG(directory),
                        needs_slash ? "/" : "", STR_ARG(relative));
  Look look =
      look_for_file(session, import->kind, path, import->span, &import->found);
  if (look != LOOK_MISSING)
    return look;
  if (import->tried.length != 0)
    text_puts(&import->tried, ", ");
  text_put(&import->tried, path);
  return look;
}

// As written, then with `-` for `_`.
static Look try_directory(Session *session, Import *import, Str directory,
                          Str relative) {
  Look look = try_path(session, import, directory, relative);
  Str dashed = with_dashes(&session->arena, relative);
  if (look == LOOK_MISSING && !str_equal(dashed, relative))
    look = try_path(session, import, directory, dashed);
  return look;
}

// A machine of the fleet: beside the importing machine file, in a `fleet`
// folder there, in the installed fleet.
static Look find_in_fleet(Session *session, Import *import, Str directory) {
  Str prefix = STR("fleet/");
  Str name = str_slice(import->relative, prefix.length,
                       import->relative.length - prefix.length);
  Look look = LOOK_MISSING;
  if (session->inputs.items[import->importer].kind != INPUT_PROGRAM)
    look = try_directory(session, import, directory, name);
  if (look == LOOK_MISSING)
    look = try_directory(session, import, directory, import->relative);
  const char *fleet = session_fleet(session);
  if (look == LOOK_MISSING && fleet != NULL)
    look = try_directory(session, import, str_from(fleet), name);
  return look;
}

static Look find_import(Session *session, Import *import) {
  Str importer = session->inputs.items[import->importer].location;
  Str directory = directory_of(importer);
  if (import->is_fleet)
    return find_in_fleet(session, import, directory);
  Look look = LOOK_MISSING;
  const StrVec *paths = &session->options.paths;
  for (uint32_t i = 0; i < paths->count && look == LOOK_MISSING; i++)
    look = try_directory(session, import, paths->items[i], import->relative);
  if (look == LOOK_MISSING)
    look = try_directory(session, import, directory, import->relative);
  return look;
}

static Import read_import(Session *session, uint32_t importer, NodeId node) {
  const Tree *tree = session->inputs.items[importer].tree;
  ImportItem item = import_item(tree, node);
  Import import = {.importer = importer,
                   .kind = session->inputs.items[importer].kind,
                   .tried = text_new(&session->arena)};
  Text written = text_new(&session->arena);
  Text relative = text_new(&session->arena);
  for (uint32_t i = 0; i < item.path.count; i++) {
    NodeId part = list_at(tree, item.path, i);
    if (node_kind(tree, part) != NODE_Ident)
      return (Import){0}; // E1003 was said
    import.last = token_name(tree, ident(tree, part).name);
    import.span = span_join(import.span, node_span(tree, part));
    Str name = name_text(&session->interner, import.last);
    text_format(&written, "%s%.*s", i == 0 ? "" : "::", STR_ARG(name));
    text_format(&relative, "%s%.*s", i == 0 ? "" : "/", STR_ARG(name));
  }
  import.written = text_str(&written);
  import.relative = text_str(&relative);
  import.is_fleet = str_starts_with(import.relative, STR("fleet/"));
  if (import.is_fleet || import.kind == INPUT_OVERRIDE)
    import.kind = import.kind == INPUT_HOST ? INPUT_HOST : INPUT_MACHINE;
  return import;
}

static void follow_import(Session *session, uint32_t importer, NodeId node) {
  Import import = read_import(session, importer, node);
  if (import.relative.length == 0)
    return;
  Look look = find_import(session, &import);
  if (look == LOOK_MISSING) {
    Str why = str_format(&session->arena, "looked for %.*s",
                         STR_ARG(text_str(&import.tried)));
    diag_import_not_found(&session->sink, import.span, import.written, why);
  }
  if (look != LOOK_FOUND || import.kind != INPUT_PROGRAM)
    return;
  session->inputs.items[import.found].name = import.last;
  ImportEdge edge = {importer, import.found};
  VEC_PUSH(&session->arena, &session->imports, edge);
}

static void follow_imports(Session *session, uint32_t importer) {
  const Tree *tree = session->inputs.items[importer].tree;
  NodeList items = module(tree, tree->root).items;
  for (uint32_t i = 0; i < items.count; i++) {
    NodeId item = list_at(tree, items, i);
    if (node_kind(tree, item) == NODE_ImportItem)
      follow_import(session, importer, item);
  }
}

void session_parse_inputs(Session *session) {
  // Imports append to the inputs while this loop runs.
  for (uint32_t i = 0; i < session->inputs.count; i++) {
    const Input *input = &session->inputs.items[i];
    ParseMode mode =
        input->kind == INPUT_PROGRAM ? PARSE_PROGRAM : PARSE_MACHINE;
    const Tree *tree =
        parse_file(&session->arena, &session->interner, &session->sources,
                   input->file, mode, &session->sink);
    session->inputs.items[i].tree = tree;
    follow_imports(session, i);
  }
}
