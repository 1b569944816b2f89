// SPDX-License-Identifier: Apache-2.0
//
// What the files of machine/ share: measured numbers, the tables of fields, the
// state of a build, the route graph.

#ifndef VX_MACHINE_INTERNAL_H
#define VX_MACHINE_INTERNAL_H

#include "machine/machine.h"

// --- Measures: a number with its unit (units.c) ------------------------------

typedef enum {
  DIMENSION_NUMBER, // no unit
  DIMENSION_SIZE,
  DIMENSION_RATE, // bytes per second or per cycle
  DIMENSION_DURATION,
  DIMENSION_FREQUENCY,
  DIMENSION_OPERATIONS, // a count: what `FLOP` without `/s` is
  DIMENSION_OPERATION_RATE,
  DIMENSION_COUNT,
} Dimension;

typedef struct {
  Dimension dimension;
  TimeUnit unit; // of rates and durations
  bool is_negative;
  uint64_t value; // in bytes, bytes per second or cycle, ps, cycles, hertz, ...
} Measure;

// Reads a number as it stands in a file: `number` may carry its unit
// ("40KiB"), `unit` and `per` may be empty. Exact; on failure *why says what is
// wrong with it, in words for E6109.
bool measure_parse(Arena *arena, Str number, Str unit, Str per,
                   Measure *measure, Str *why);
// A measure at the head of `text` ("5.5 TB/s, read"): for citations. False when
// there is none.
bool measure_at_head(Arena *scratch, Str text, Measure *measure);
// "unknown unit `Gb`; bits are not a unit: .." (unit_hints.c).
Str unknown_unit(Arena *arena, Str word);
// "a size", "a rate"; "80 GiB", "3.35 TB/s".
const char *dimension_noun(Dimension dimension);
const char *dimension_example(Dimension dimension);
// "80 GiB", "3.35 TB/s", "128 B/cyc", "421 ns", "1.98 GHz": exact, as short as
// the units allow.
void text_measure(Text *text, Measure measure);
Measure figure_measure(const Figure *figure, Dimension dimension);

// Reads a Quantity of whatever dimension; E6109 where it is malformed, E6108
// where it is no Quantity at all (`wanted` is for the words).
bool read_quantity(Arena *arena, DiagSink *sink, const Tree *tree, NodeId node,
                   Str owner, Str field, Dimension wanted, Measure *measure);
// And one that must have this dimension; else E6108. A bare 0 fits them all.
bool read_measure(Arena *arena, DiagSink *sink, const Tree *tree, NodeId node,
                  Str owner, Str field, Dimension wanted, Measure *measure);

// --- Fields (fields.c) -------------------------------------------------------

typedef enum {
#define MEMORY_FIGURE(name, kind, absent, zero) MEMORY_FIELD_##name,
#define MEMORY_FIELD(name, kind) MEMORY_FIELD_##name,
#define TOPOLOGY_FIELD(name, kind)
#define FIELD_WORD(field, word, value)
#define SCOPE_WORD(scope, word)
#include "machine/field.def"
#undef MEMORY_FIGURE
#undef MEMORY_FIELD
#undef TOPOLOGY_FIELD
  MEMORY_FIELD_COUNT
} MemoryField;

typedef enum {
#define MEMORY_FIGURE(name, kind, absent, zero)
#define MEMORY_FIELD(name, kind)
#define TOPOLOGY_FIELD(name, kind) TOPOLOGY_FIELD_##name,
#include "machine/field.def"
#undef MEMORY_FIGURE
#undef MEMORY_FIELD
#undef TOPOLOGY_FIELD
#undef FIELD_WORD
#undef SCOPE_WORD
  TOPOLOGY_FIELD_COUNT
} TopologyField;

const char *memory_field_name(MemoryField field);
const char *topology_field_name(TopologyField field);
// The figure of a field, or NULL for fields that are none.
Figure *memory_figure(Memory *memory, MemoryField field);
const Figure *memory_figure_const(const Memory *memory, MemoryField field);
// The dimension of a figure of a memory (SIZE for pages, NUMBER for tiling).
Dimension memory_field_dimension(MemoryField field);
// Sets every figure to what an absent field means.
void memory_set_defaults(Memory *memory);
bool memory_field_refuses_zero(MemoryField field);

// --- All figures of a machine (figures.c) ------------------------------------

// A number that is written somewhere, and what it belongs to.
typedef struct {
  Figure *figure;
  const char *field;   // "capacity"; of a link "transfer"
  const char *part;    // of a link's latency "latency", else NULL
  Dimension dimension; // of a link's weight NUMBER
  MemoryId memory;     // one of the three is set
  TopologyId topology;
  LinkId link;
  Citation *last_citation; // while citations are attached
} FigureEntry;

typedef VEC(FigureEntry) FigureEntries;

// All figures that are set, by position.
void collect_figures(Arena *arena, const Machine *machine,
                     FigureEntries *entries);
// The first entry at or after an offset of the source space.
uint32_t find_figure(const FigureEntries *entries, uint32_t offset);
// "memory space 'HBM'", "link 'HBM -> L2'".
Str figure_owner_words(Arena *arena, const Machine *machine,
                       const FigureEntry *entry);
const Citation *find_citation(const Figure *figure, CitationKind kind);

// --- Building ----------------------------------------------------------------

// Where an item stands.
typedef struct {
  const Tree *tree;
  NodeId item; // MemoryItem or TopologyItem; 0: built in
  MachineInputKind kind;
} ItemPlace;

typedef VEC(ItemPlace) ItemPlaces;

// An `extend` of a memory or topology.
typedef struct {
  uint32_t index; // MemoryId or TopologyId
  ItemPlace place;
} Extend;

typedef VEC(Extend) Extends;

// The value that an `extend` gave a field, for E6012.
typedef struct {
  Str signature; // equal values have equal signatures
  Span span;
  ItemPlace place;
} Extension;

// Where a link stands; parallel to the links of a build.
typedef struct {
  ItemPlace place; // tree NULL: built in
  NodeId node;     // the LinkField
  bool is_extend;
  bool is_dropped;
  uint32_t before; // the link before it between the same ends, or 0
} LinkSource;

typedef struct {
  Arena *arena;
  Arena scratch; // freed when the build ends
  Interner *interner;
  SourceMap *sources;
  DiagSink *sink;
  Machine *machine;
  VEC(Memory) memories;
  VEC(Topology) topologies;
  VEC(Link) links;
  VEC(LinkSource) link_sources;
  ItemPlaces memory_places; // parallel to memories: where each is declared
  ItemPlaces topology_places;
  Extends memory_extends; // in the order in which they apply
  Extends topology_extends;
  Map memory_names; // Name -> MemoryId
  Map topology_names;
  Map links_between;    // hash of (topology, ends) -> the last such link
  Map field_extensions; // hash of (owner, field) -> index in extensions
  VEC(Extension) extensions;
  Map broken_visible;     // topologies whose `visible` lost an entry
  uint32_t suggestions;   // "did you mean" looked for so far
  bool has_program;       // an input of kind PROGRAM
  uint32_t errors_before; // in the sink, when the building began
} Builder;

// Reads the fields of one item into the memory or topology that it declares or
// extends.
void read_memory_item(Builder *b, MemoryId memory, ItemPlace place);
void read_topology_item(Builder *b, TopologyId topology, ItemPlace place);

// What the reading of all fields has in common (fields.c).
typedef struct {
  Builder *builder;
  ItemPlace place;
  const Tree *tree;
  bool is_extend;
  bool is_topology;
  uint32_t index; // MemoryId or TopologyId
  Str owner;      // "memory space 'HBM'"
} ItemReader;

// E6108 at `span`.
Diagnostic *report_field(ItemReader *r, Span span, Str why);
Diagnostic *report_unknown_field(ItemReader *r, TokenId name);
// Refuses a modifier other than `modifier` (NULL: all), a missing value, a flag
// with one. True: go on.
bool check_field_form(ItemReader *r, MachineField field, bool is_flag,
                      const char *modifier);
// Reports an index where none may stand: E1014 for `[..]` and `[a..b]`, else
// E6108.
void report_index(ItemReader *r, NodeId index, Str field);
// The index of `word` in a NULL-terminated list, or -1 after E6108.
int read_word(ItemReader *r, NodeId node, Str field, const char *const *words);
// The memory that a Place names: E6107 when nothing declares it, E6108 when it
// is no memory. Says nothing of its index.
MemoryId read_memory_name(ItemReader *r, NodeId node, Str field);
// A number of a declaration; false when it was refused.
bool read_figure(ItemReader *r, NodeId node, Str field, Dimension wanted,
                 bool is_zero_refused, Figure *figure);
// Elements of a list, or the one value that stands for a list of one.
NodeList value_list(const Tree *tree, NodeId *value);
NodeId value_at(const Tree *tree, NodeId value, NodeList list, uint32_t i);
// Notes that an `extend` gives (field, sub) this value. False: it has been
// given one already, which stays; E6012 unless it is the same.
bool note_extension(ItemReader *r, uint32_t field, uint32_t sub, Str field_name,
                    Str signature, Span span);
// What `new_` replaces, when it stands in an `extend`.
const Replaced *replaced_by(ItemReader *r, const Figure *old);
void read_link(ItemReader *r, NodeId node);

// Built-in memories, topologies, links (builtin.c).
void builtin_add(Builder *b);
bool builtin_is_indexed(Str topology);    // GPU, NPU, AccCore
bool builtin_has_memory(MemoryId memory); // a built-in name, declared or not

// The rules of machine-files.md section 4 (coherence.c). Each cuts what is
// broken out of the machine.
void check_containment(Builder *b);
void check_sizes(Builder *b);
void check_topologies(Builder *b);
// After owners are known: E6113, and what only the whole graph can tell.
void check_counts(Builder *b);
void check_link_ends(Builder *b);
void check_link_costs(Builder *b);
void check_links(Builder *b);

// Owners and instances; limits (limits.c).
void derive_owners(Machine *machine);
void derive_limits(Machine *machine);
// Citations of all figures (citations.c).
void attach_citations(Machine *machine, Arena *arena,
                      const MachineInput *inputs, size_t input_count);

// --- Graph (graph.c) ---------------------------------------------------------

// Which instances a link joins.
typedef enum {
  PAIRS_SAME,      // instance i with instance i
  PAIRS_DIFFERENT, // any two different ones of one memory
  PAIRS_ALL,       // every instance of one end with every one of the other
} LinkPairs;

typedef struct {
  MemoryId from;
  uint32_t group; // of `from`
  LinkPairs pairs;
  uint32_t from_first, from_end; // half-open
  uint32_t to_first, to_end;
  uint64_t pair_count; // fewer is more specific; saturates
  uint64_t rate;       // bytes per second; 0: hop_cost knows the price
  uint64_t latency;    // picoseconds, in addition
} LinkReach;

// The memories that share bytes: a tree of `part_of`.
typedef struct {
  U32Vec members; // memory indices, ascending; the outermost is `whole`
  uint32_t whole;
  bool has_chunk; // a member has a `chunk`
  bool is_nested; // a part has parts itself
} PartFamily;

// The links at one end of a memory: ids links[first[m] .. first[m + 1]). Those
// that name a single instance there come first, sorted by it; there are
// singles[m] of them. The others are in the order of declaration.
typedef struct {
  uint32_t *first;
  uint32_t *links;
  uint32_t *singles;
} LinkIndex;

// Counts along the way from the root of a `within` tree to a memory, which is
// included: whether a path has all its figures is then a subtraction.
typedef struct {
  uint32_t without_bandwidth;
  uint32_t per_second;
  uint32_t per_cycle;
  uint32_t per_cycle_without_clock;
} PathCounts;

struct RouteGraph {
  Map memory_names; // Name.index -> MemoryId.index
  Map topology_names;
  LinkIndex leaving, entering;
  LinkReach *reach; // parallel to entering.links
  // Instances where something changes, by group: ascending, from 0.
  U32Vec *boundaries;
  // The trees of `within`: depth below the root, and a farther ancestor (a
  // root: itself), so that common ancestors are found in logarithmic time.
  uint32_t *depth;
  uint32_t *jump;
  PathCounts *counts;
  uint32_t *family;     // by memory: index in families; 0: part of nothing
  PartFamily *families; // [0] has no members
  uint32_t family_count;
};

// Makes machine->graph.
void graph_build(Arena *arena, Machine *machine);
// The nearest memory that contains both (or is one of them); 0 if none.
MemoryId graph_common_ancestor(const Machine *machine, MemoryId a, MemoryId b);
// Containment gives this link a cost (E6013 if it declares one too).
bool graph_is_derivable(const Machine *machine, const Link *link);
// The instances a memory's index space belongs to: 0 for shared memories.
uint32_t memory_group(const Machine *machine, MemoryId memory);

// Visits the memories whose bandwidths a derived hop needs. `next` starts as
// `from`; 0 ends it.
typedef struct {
  const Machine *machine;
  uint32_t ancestor;
  uint32_t at;
  uint32_t to; // 0: on the way down already
  bool ancestor_counts;
} PathWalk;
PathWalk path_walk(const Machine *machine, MemoryId from, MemoryId to,
                   MemoryId ancestor);
uint32_t path_next(PathWalk *walk);

// Where a placement lies in the memory that it is a part of; memory 0 if it is
// no part.
Placement placement_whole(const Machine *machine, Placement part);
// The nearest placement that both are a part of (or are); memory 0 if none.
Placement common_whole(const Machine *machine, Placement a, Placement b);

// --- Costs (cost.c) ----------------------------------------------------------

// What one hop over a link costs for `bytes`.
HopCost hop_cost(const Machine *machine, LinkId link, uint64_t bytes);
// What hop_cost computes for a link with a rate and without a weight, where it
// comes out in time: false elsewhere.
bool rate_of_link(const Machine *machine, const Link *link, uint64_t *rate,
                  uint64_t *latency);
uint64_t price_at_rate(uint64_t rate, uint64_t latency, uint64_t bytes);
// And between two parts of one memory, through `whole`.
HopCost part_cost(const Machine *machine, MemoryId whole, uint64_t bytes);

// --- Search (search.c) -------------------------------------------------------

// One question of a route; endpoints have known instances.
typedef struct {
  const Machine *machine;
  Placement from, to;
  uint64_t bytes;           // that are priced
  const TensorShape *shape; // of what is held in transit; NULL: `bytes`
  bool by_weight;           // least weight over all links, not least time
  bool is_filtered;         // only through memories that can hold the transit
} SearchRequest;

typedef struct {
  uint32_t link; // 0: between parts of `whole`
  MemoryId whole;
  Placement from, to;
  uint64_t chunk; // 0: for all bytes at once
} FoundHop;

typedef VEC(FoundHop) FoundHops;

// The best path, or false. *price: picoseconds or weight.
bool search_route(Arena *scratch, const SearchRequest *request, FoundHops *hops,
                  Uint128 *price);
// Bytes held in a memory that is passed through.
Bytes transit_bytes(const Machine *machine, MemoryId memory, uint64_t bytes,
                    const TensorShape *shape);
// Whether one instance, and what it is a part of, can hold them at once.
bool can_hold(const Machine *machine, MemoryId memory, Bytes held);
// Representative instances of a group: of each class two, and the given ones.
void representatives(Arena *arena, const Machine *machine, uint32_t group,
                     const uint32_t *given, uint32_t given_count, U32Vec *out);

// --- Showing (show_*.c) ------------------------------------------------------

enum { ROUTE_SIZES = 3 }; // 4 KiB, 1 MiB, 1 GiB

// The routes between two memories that a person looks at.
typedef struct {
  Placement from, to;
  bool is_peer; // two instances of one memory: any two
  Route routes[ROUTE_SIZES];
  bool fits[ROUTE_SIZES]; // in both ends, and on the way
  bool has_half_rate;
  uint64_t half_rate; // bytes at which half of the final rate is reached
} RouteRow;

typedef VEC(RouteRow) RouteRows;

// The memories of this machine: what is declared, and the host where something
// is linked to it.
void shown_memories(Arena *arena, const Machine *machine, U32Vec *out);
// Every pair of them that has a route, at most `most` rows; *unseen is the
// number of pairs that were not looked at, with or without a route.
void collect_route_rows(Arena *arena, const Machine *machine, uint32_t most,
                        RouteRows *rows, uint64_t *unseen);
uint64_t route_size(uint32_t index);
// "HBM", "HBM[i]" of a counted device, "HBM[j]" for the peer.
Str shown_place(Arena *arena, const Machine *machine, Placement p,
                bool is_peer);

// Columns of text, aligned; cells are UTF-8.
typedef struct {
  Arena *arena;
  uint32_t columns;
  const bool *is_right; // by column
  StrVec cells;         // row by row
} Table;

void table_add(Table *table, Str cell);
// The first row is a head. Lines are cut at `width` columns.
void table_print(Text *out, const Table *table, bool use_color, uint32_t width);

// --- Words (names.c) ---------------------------------------------------------

Str memory_name(const Machine *machine, MemoryId memory);
Str topology_name(const Machine *machine, TopologyId topology);
Str memory_words(Arena *arena, const Machine *machine, MemoryId memory);
Str topology_words(Arena *arena, const Machine *machine, TopologyId topology);
Str link_words(Arena *arena, const Machine *machine, const Link *link);
Str link_end_text(Arena *arena, const Machine *machine, LinkEnd end);
// The closest of `count` names, or empty.
Str closest_name(Arena *scratch, Str name, const Str *names, size_t count);
Str citation_kind_name(CitationKind kind);

#endif
