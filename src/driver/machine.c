// SPDX-License-Identifier: Apache-2.0
//
// `vxc machine show`, `lint` and `list`.

#include "driver/driver.h"

#include <string.h>

static void add_machine(Arguments *arguments, SessionOptions *options,
                        Str name) {
  VEC_PUSH(arguments->arena, &options->machines, (NamedText){.name = name});
}

// --- show --------------------------------------------------------------------

// Prints what is wrong; the machine is there when STATUS_FINE comes back.
static int run_machine(Arguments *arguments, Session *session) {
  session_run(session);
  if (session->usage_error.length != 0)
    return usage_error(arguments, session->usage_error);
  if (!print_diagnostics(arguments, session) || session->has_unreadable)
    return STATUS_USAGE;
  return session->sink.error_count == 0 ? STATUS_FINE : STATUS_REFUSED;
}

static int show(Arguments *arguments, Session *session, uint32_t width) {
  int status = run_machine(arguments, session);
  if (status != STATUS_FINE)
    return status;
  Text text = text_new(&session->arena);
  if (arguments_has(arguments, OPTION_JSON))
    machine_show_json(&text, session->machine, &session->arena);
  else
    machine_show_text(&text, session->machine, &session->arena,
                      wants_color(arguments, STANDARD_OUTPUT), width);
  return print_output(&session->arena, text_str(&text)) ? STATUS_FINE
                                                        : STATUS_USAGE;
}

int command_machine_show(Arguments *arguments) {
  uint32_t width;
  if (!check_color(arguments) || !read_width(arguments, &width))
    return STATUS_USAGE;
  if (arguments->operands.count == 0)
    return usage_error(arguments, STR("machine show: no machine named"));
  SessionOptions options;
  fill_options(arguments, &options);
  options.stop_after = "machine";
  for (uint32_t i = 0; i < arguments->operands.count; i++)
    add_machine(arguments, &options, arguments->operands.items[i]);
  Session session;
  session_init(&session, &options);
  int status = show(arguments, &session, width);
  session_free(&session);
  return status;
}

// --- lint --------------------------------------------------------------------

typedef struct {
  uint32_t files;
  uint32_t faults;  // errors, W6201, W6203
  uint32_t remarks; // W6202, W6204: worth a look
  bool has_unreadable;
} LintTotals;

static bool is_remark(const Diagnostic *d) {
  return d->severity == SEVERITY_WARNING &&
         (d->code == DIAG_W6202 || d->code == DIAG_W6204);
}

// The file alone: what it imports is linted by itself.
static void lint_machine(Session *session) {
  if (session->machine == NULL)
    return;
  session->sink.phase = PHASE_MEMORY;
  for (uint32_t i = 0; i < session->machine_inputs.count; i++) {
    if (session->inputs.items[i].is_named)
      machine_lint(session->machine, &session->machine_inputs.items[i], 1,
                   &session->sink);
  }
  diag_finish(&session->sink, &session->sources);
}

// Remarks on a line each, to standard output; they leave the records.
static void take_remarks(Session *session, Text *out, LintTotals *totals) {
  for (uint32_t i = 0; i < session->sink.records.count; i++) {
    Diagnostic *d = session->sink.records.items[i];
    if (d->is_dropped || !is_remark(d))
      continue;
    text_put(out, d->file);
    text_format(out, ":%u:%u: %s: ", d->start.line, d->start.column,
                diag_code_name(d->code));
    text_put(out, d->message);
    text_char(out, '\n');
    d->is_dropped = true;
    session->sink.warning_count--;
    totals->remarks++;
  }
}

static bool lint_file(Arguments *arguments, Str file, LintTotals *totals) {
  SessionOptions options;
  fill_options(arguments, &options);
  options.stop_after = "machine";
  add_machine(arguments, &options, file);
  Session session;
  session_init(&session, &options);
  session_run(&session);
  bool is_usable = session.usage_error.length == 0;
  if (!is_usable)
    (void)usage_error(arguments, session.usage_error);
  lint_machine(&session);
  Text remarks = text_new(&session.arena);
  take_remarks(&session, &remarks, totals);
  totals->files++;
  totals->faults += session.sink.error_count + session.sink.warning_count;
  totals->has_unreadable |= session.has_unreadable;
  is_usable = is_usable && print_diagnostics(arguments, &session);
  if (!arguments_has(arguments, OPTION_QUIET))
    is_usable = is_usable && print_output(&session.arena, text_str(&remarks));
  session_free(&session);
  return is_usable;
}

static const char *plural(uint32_t count) { return count == 1 ? "" : "s"; }

int command_machine_lint(Arguments *arguments) {
  if (!check_color(arguments))
    return STATUS_USAGE;
  if (arguments->operands.count == 0)
    return usage_error(arguments, STR("machine lint: no file named"));
  StrVec files = {0};
  if (!expand_operands(arguments, &files))
    return STATUS_USAGE;
  LintTotals totals = {0};
  for (uint32_t i = 0; i < files.count; i++) {
    if (!lint_file(arguments, files.items[i], &totals))
      return STATUS_USAGE;
  }
  Text text = text_new(arguments->arena);
  text_format(&text, "%u file%s: %u fault%s, %u remark%s\n", totals.files,
              plural(totals.files), totals.faults, plural(totals.faults),
              totals.remarks, plural(totals.remarks));
  if (!arguments_has(arguments, OPTION_QUIET) &&
      !print_output(arguments->arena, text_str(&text)))
    return STATUS_USAGE;
  if (totals.has_unreadable)
    return STATUS_USAGE;
  return totals.faults == 0 ? STATUS_FINE : STATUS_REFUSED;
}

// --- list --------------------------------------------------------------------

// One file of the fleet.
typedef struct {
  Str name;
  Str path;
  Str about; // the first sentence of its head comment
  bool is_broken;
  Str memory; // what its device holds, or its largest memory; may be empty
  bool has_capacity;
  uint64_t capacity; // of one instance
  uint64_t count;    // of instances: devices times replicas
} FleetEntry;

typedef VEC(FleetEntry) FleetVec;

// Up to the first full stop that ends a sentence.
static Str first_sentence(Str text) {
  for (size_t i = 0; i + 1 < text.length; i++) {
    if (text.data[i] == '.' && text.data[i + 1] == ' ')
      return str_slice(text, 0, i);
  }
  if (str_ends_with(text, STR(".")))
    text.length--;
  return text;
}

// The head comment of a file, without the licence line, joined to one line.
static Str head_comment(Arena *arena, Str text) {
  Text about = text_new(arena);
  for (size_t at = 0; at < text.length;) {
    size_t end = at;
    while (end < text.length && text.data[end] != '\n')
      end++;
    Str line = str_slice(text, at, end - at);
    at = end + 1;
    if (str_starts_with(line, STR("// SPDX")))
      continue;
    if (!str_starts_with(line, STR("// ")))
      break;
    text_puts(&about, about.length == 0 ? "" : " ");
    text_put(&about, str_slice(line, 3, line.length - 3));
  }
  return first_sentence(text_str(&about));
}

// The memory of the first declared topology, or of a host file, which declares
// none, its first memory that stands alone.
static const Memory *main_memory(const Machine *machine) {
  for (uint32_t i = 1; i < machine->topology_count; i++) {
    const Topology *topology = &machine->topologies[i];
    if (!topology->is_builtin && topology->memory.index != 0)
      return machine_memory(machine, topology->memory);
  }
  for (uint32_t i = 1; i < machine->memory_count; i++) {
    const Memory *memory = &machine->memories[i];
    if (!memory->is_builtin && memory->within.index == 0)
      return memory;
  }
  return NULL;
}

static void describe_machine(Arena *arena, const Session *session,
                             FleetEntry *entry) {
  entry->is_broken = session->sink.error_count != 0;
  if (session->inputs.count != 0)
    entry->about = head_comment(
        arena,
        source_file(&session->sources, session->inputs.items[0].file)->text);
  if (session->machine == NULL)
    return;
  const Memory *memory = main_memory(session->machine);
  if (memory == NULL)
    return;
  // Built-in topologies have as many instances as are named.
  TopologyId owner = memory->owner;
  bool is_counted = owner.index != 0 &&
                    !machine_topology(session->machine, owner)->is_builtin;
  uint64_t devices = is_counted ? memory->instances : 1;
  entry->count = devices * memory->replicas.value;
  entry->memory = str_copy(arena, name_text(&session->interner, memory->name));
  entry->has_capacity = memory->capacity.is_set;
  entry->capacity = memory->capacity.value;
}

static FleetEntry read_entry(Arguments *arguments, const char *fleet,
                             Str file) {
  FleetEntry entry = {
      .name = str_slice(file, 0, file.length - 3),
      .path = str_format(arguments->arena, "%s/%.*s", fleet, STR_ARG(file)),
      .count = 1};
  SessionOptions options;
  fill_options(arguments, &options);
  options.stop_after = "machine";
  add_machine(arguments, &options, entry.path);
  Session session;
  session_init(&session, &options);
  session_run(&session);
  describe_machine(arguments->arena, &session, &entry);
  session_free(&session);
  return entry;
}

static Str entry_size(Arena *arena, const FleetEntry *entry) {
  Text text = text_new(arena);
  if (entry->is_broken)
    text_puts(&text, "broken");
  else
    text_put(&text, entry->memory);
  if (entry->has_capacity && !entry->is_broken) {
    text_char(&text, ' ');
    text_size(&text, BYTES(entry->capacity));
    if (entry->count > 1)
      text_format(&text, " x %llu", (unsigned long long)entry->count);
  }
  return text_str(&text);
}

static void put_list(Text *out, const FleetVec *entries, uint32_t width) {
  size_t name_width = 0;
  size_t size_width = 0;
  for (uint32_t i = 0; i < entries->count; i++) {
    const FleetEntry *entry = &entries->items[i];
    Str size = entry_size(out->arena, entry);
    name_width =
        entry->name.length > name_width ? entry->name.length : name_width;
    size_width = size.length > size_width ? size.length : size_width;
  }
  size_t used = name_width + size_width + 4;
  for (uint32_t i = 0; i < entries->count; i++) {
    const FleetEntry *entry = &entries->items[i];
    Str size = entry_size(out->arena, entry);
    size_t room = width > used ? width - used : 0;
    Str about = entry->about;
    text_format(out, "%-*.*s  %-*.*s  ", (int)name_width, STR_ARG(entry->name),
                (int)size_width, STR_ARG(size));
    bool is_cut = about.length > room && room > 2;
    text_put(out, is_cut ? str_slice(about, 0, room - 2) : about);
    text_puts(out, is_cut ? "..\n" : "\n");
  }
}

static void put_list_json(Text *out, const FleetVec *entries) {
  text_puts(out, "{\n  \"schema\": \"vx-fleet-v1\",\n  \"machines\": [");
  for (uint32_t i = 0; i < entries->count; i++) {
    const FleetEntry *entry = &entries->items[i];
    text_puts(out, i == 0 ? "\n    {\"name\": " : ",\n    {\"name\": ");
    text_json_string(out, entry->name);
    text_puts(out, ", \"path\": ");
    text_json_string(out, entry->path);
    text_puts(out, ", \"about\": ");
    text_json_string(out, entry->about);
    text_puts(out, ", \"memory\": ");
    if (entry->memory.length == 0)
      text_puts(out, "null");
    else
      text_json_string(out, entry->memory);
    text_puts(out, ", \"capacity_bytes\": ");
    if (entry->has_capacity)
      text_u128(out, entry->capacity);
    else
      text_puts(out, "null");
    text_format(out, ", \"count\": %llu}", (unsigned long long)entry->count);
  }
  text_puts(out, entries->count == 0 ? "]\n}\n" : "\n  ]\n}\n");
}

int command_machine_list(Arguments *arguments) {
  uint32_t width;
  if (!check_color(arguments) || !read_width(arguments, &width))
    return STATUS_USAGE;
  if (arguments->operands.count != 0)
    return usage_error(arguments, STR("machine list takes no operand; "
                                      "'machine show' takes names"));
  const char *fleet = platform_find_fleet(arguments->arena);
  if (fleet == NULL) {
    tell_unreadable(arguments->arena, STR("fleet"),
                    STR("no fleet beside vxc; VX_FLEET names another place"));
    return STATUS_USAGE;
  }
  StrVec names = {0};
  Str error;
  if (!io_list_directory(arguments->arena, fleet, &names, &error)) {
    tell_unreadable(arguments->arena, str_from(fleet), error);
    return STATUS_USAGE;
  }
  FleetVec entries = {0};
  for (uint32_t i = 0; i < names.count; i++) {
    if (str_ends_with(names.items[i], STR(".vx")))
      VEC_PUSH(arguments->arena, &entries,
               read_entry(arguments, fleet, names.items[i]));
  }
  Text text = text_new(arguments->arena);
  if (arguments_has(arguments, OPTION_JSON))
    put_list_json(&text, &entries);
  else
    put_list(&text, &entries, width);
  return print_output(arguments->arena, text_str(&text)) ? STATUS_FINE
                                                         : STATUS_USAGE;
}
