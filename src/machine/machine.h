// SPDX-License-Identifier: Apache-2.0
//
// machine: the model of a machine (memories, topologies, links, where each
// figure comes from), its coherence, and the cheapest way from one memory to
// another. Built once from parsed declarations, then constant.
//
// Units: sizes in bytes, rates in bytes per second or per cycle, frequencies
// in hertz, durations in picoseconds or cycles; all exact 64-bit integers.

#ifndef VX_MACHINE_MACHINE_H
#define VX_MACHINE_MACHINE_H

#include "base/base.h"
#include "diag/diag.h"
#include "syntax/syntax.h"

// --- Handles -----------------------------------------------------------------

// 0 is "none".
typedef struct {
  uint32_t index;
} MemoryId;
typedef struct {
  uint32_t index;
} TopologyId;
typedef struct {
  uint32_t index;
} LinkId;

// One instance of a memory. Shared memories have only instance 0.
#define INSTANCE_DYNAMIC UINT32_MAX    // index known at run time only
#define INSTANCE_EACH (UINT32_MAX - 1) // [..]: element k in instance k
// `instances` of the built-in GPU, NPU, AccCore: as many as are named.
#define INSTANCES_OPEN (UINT32_MAX - 2)
#define INSTANCE_LAST (INSTANCES_OPEN - 1) // the highest number of an instance
typedef struct {
  MemoryId memory;
  uint32_t instance;
} Placement;

static inline bool placement_equal(Placement a, Placement b) {
  return a.memory.index == b.memory.index && a.instance == b.instance;
}

// --- Figures and where they come from ----------------------------------------

typedef enum {
  CITATION_NONE,
  CITATION_SPEC,
  CITATION_MEASURED,
  CITATION_DERIVED,
  CITATION_POLICY,
  CITATION_UNVERIFIED,
} CitationKind;

typedef struct Citation Citation;
struct Citation {
  CitationKind kind;
  Str text; // behind "spec:", trimmed
  Span span;
  const Citation *next; // another citation of the same figure
};

// What a value was before an `extend` or `--set` replaced it.
typedef struct Replaced Replaced;
struct Replaced {
  Str value; // as written
  Span span;
  const Replaced *next; // what it had replaced itself
};

typedef enum { UNIT_NONE, UNIT_SECONDS, UNIT_CYCLES } TimeUnit;

// A number of a declaration. is_set is false when the field is absent; then
// `value` is the default of machine-files.md.
typedef struct {
  bool is_set;
  uint64_t value;
  TimeUnit unit; // of rates (per second, per cycle) and durations (ps, cycles)
  Span span;     // of the value as written
  const Citation *citations;
  const Replaced *replaced;
} Figure;

// --- Memories ----------------------------------------------------------------

// Broad to narrow.
typedef enum {
  SCOPE_UNSCOPED,
  SCOPE_SYSTEM,
  SCOPE_NODE,
  SCOPE_PACKAGE,
  SCOPE_DEVICE,
  SCOPE_PARTITION,
  SCOPE_CLUSTER,
  SCOPE_SM,
  SCOPE_CTA,
  SCOPE_WARP,
  SCOPE_THREAD,
} Scope;
const char *scope_name(Scope scope);

// The field that makes the limit smaller than the capacity.
typedef enum {
  LIMIT_NONE, // no limit at all
  LIMIT_CAPACITY,
  LIMIT_USABLE,
  LIMIT_RESERVE,
  LIMIT_BLOCK,
  LIMIT_PAGE,
} LimitField;
const char *limit_field_name(LimitField field);

typedef struct {
  Name name;
  Span span; // of the name where it is declared; NO_SPAN for built-in ones
  bool is_builtin; // only built in: nothing declares it
  MemoryId within;
  MemoryId part_of;
  Span within_span;
  Span part_of_span;
  Figure capacity, usable, reserve, block_limit, max_alloc, granule, align;
  Figure *pages; // ascending; page_count 0: absent (then 1 B)
  uint32_t page_count;
  Figure tile_rows, tile_columns; // tiling: [R, C]
  bool is_packed;
  Figure lanes, bandwidth, latency, clock, replicas, chunk;
  bool is_read_only; // access: read
  bool is_cached;    // managed: cached
  bool is_streamed;  // crossing: streamed
  bool is_overcommit;
  Scope scope;
  Span scope_span;
  Figure *nodes;          // node: k, [a, b], [0: 3, 2: 1]
  uint64_t *node_weights; // parallel to nodes; 1 without weights
  uint32_t node_count;
  // Derived by machine_build.
  TopologyId owner;   // whose `memory` it or its nearest owning ancestor is
  uint32_t instances; // of the owner; 1 when shared. Built-in GPU, NPU,
                      // AccCore: INSTANCES_OPEN
  bool has_limit;
  uint64_t limit; // per instance, see machine-files.md section 1
  LimitField limit_field;
} Memory;

// --- Topologies and links ----------------------------------------------------

// Instances of an end of a link: `X`, `X[3]`, `X[0..8]`.
typedef struct {
  MemoryId memory;
  bool has_range;
  uint32_t from, to; // half-open
} LinkEnd;

typedef struct {
  TopologyId topology; // 0 for built-in links
  LinkEnd from, to;
  Figure rate;   // is_set: bytes per second or cycle
  Figure weight; // is_set: a bare integer
  Figure latency;
  bool is_relaxed;
  bool has_copy_engine;
  Span span;
} Link;

// An entry of `visible`.
typedef struct {
  MemoryId memory;
  bool all_instances; // Memory::X[..]
  Span span;
} Visible;

typedef struct {
  Name element; // "f32"
  Figure rate;  // operations per second
} Peak;

typedef struct {
  Name name;
  Span span;
  bool is_builtin;
  MemoryId memory;
  Span memory_span; // of the values as written
  Span visible_span;
  Visible *visible; // includes its own memory
  uint32_t visible_count;
  Name arch; // 0: host-like
  Figure count;
  uint32_t instances; // count, or INSTANCES_OPEN for built-in indexed ones
  Name *dtypes;       // NULL: everything
  uint32_t dtype_count;
  Peak *peaks;
  uint32_t peak_count;
} Topology;

typedef struct RouteGraph RouteGraph; // internal to routes

typedef struct {
  Interner *interner;
  SourceMap *sources;
  Memory *memories; // [0] is unused; built-in ones first, then as declared
  uint32_t memory_count;
  Topology *topologies; // likewise
  uint32_t topology_count;
  Link *links; // likewise; built-in links first
  uint32_t link_count;
  MemoryId host_memory;  // CPU_DRAM
  bool has_host;         // CPU_DRAM is declared by some input
  bool has_device_scope; // some declared memory has scope: device
  // Internal to machine: names and everything that routes are found with.
  const RouteGraph *graph;
} Machine;

// --- Building ----------------------------------------------------------------

typedef enum {
  MACHINE_INPUT_FILE,     // --machine, and what it imports
  MACHINE_INPUT_HOST,     // --host
  MACHINE_INPUT_PROGRAM,  // items inside a program
  MACHINE_INPUT_OVERRIDE, // --set, as `extend` text: wins over everything
} MachineInputKind;

typedef struct {
  const Tree *tree;
  MachineInputKind kind;
} MachineInput;

// Collects the Memory, Topology and extend items of all inputs, checks them
// (every rule of machine-files.md sections 1, 2, 4), derives owners, limits and
// the route graph. Always gives a usable machine; faults are in `sink`
// (phase PHASE_MACHINE) and what is broken is left out, so that later passes
// report nothing about it again.
Machine *machine_build(Arena *arena, Interner *interner, SourceMap *sources,
                       const MachineInput *inputs, size_t input_count,
                       DiagSink *sink);

// Reads a Quantity as a size in bytes (`Memory::S <= 40 KiB`); else reports
// E6108 or E6109 at it and returns false. `owner` ("function 'f'") and `field`
// are for the message.
bool machine_read_size(Arena *scratch, const Tree *tree, NodeId node, Str owner,
                       Str field, DiagSink *sink, uint64_t *bytes);

// --- Questions ---------------------------------------------------------------

MemoryId machine_find_memory(const Machine *machine, Name name);
TopologyId machine_find_topology(const Machine *machine, Name name);
static inline const Memory *machine_memory(const Machine *m, MemoryId id) {
  return &m->memories[id.index];
}
static inline const Topology *machine_topology(const Machine *m,
                                               TopologyId id) {
  return &m->topologies[id.index];
}
// The memory instance that instance `i` of a topology owns.
Placement machine_own_memory(const Machine *machine, TopologyId topology,
                             uint32_t instance);
// Does code on (topology, instance) see the placement by its `visible` list?
bool machine_sees(const Machine *machine, TopologyId topology,
                  uint32_t instance, Placement placement);
// "HBM", "HBM[3]" (count > 1), "GPU_HBM[1]", "HBM[?]" for messages and JSON.
Str machine_placement_text(Arena *arena, const Machine *machine, Placement p);
// "GPU[0]", "Device[3]", "Device", "CPU".
Str machine_topology_text(Arena *arena, const Machine *machine,
                          TopologyId topology, uint32_t instance);
// "[HBM, L2, SMEM]" without brackets, for E6003.
Str machine_visible_text(Arena *arena, const Machine *machine,
                         TopologyId topology, uint32_t instance);
// The closest known name, or empty: "did you mean".
Str machine_suggest_memory(Arena *scratch, const Machine *m, Str name);
Str machine_suggest_topology(Arena *scratch, const Machine *m, Str name);

// --- Bytes -------------------------------------------------------------------

// The shape of a tensor as the machine sees it. block_elements > 1: elements
// of `block<E, B>` come E at a time in `block_bytes` bytes.
typedef struct {
  uint32_t element_bits;
  uint32_t block_elements; // 0 or 1: not blocked
  uint32_t block_bytes;
  const uint64_t *extents;
  uint32_t rank;
} TensorShape;

// ceil(bits x product / 8), exact.
Bytes machine_bare_bytes(const TensorShape *shape);
// With `lanes` and `tiling` of the memory, then rounded up to its granule.
Bytes machine_padded_bytes(const Memory *memory, const TensorShape *shape);
// The extents after `lanes` and `tiling`, from which strides follow: fills
// padded[0 .. rank). False when one does not fit 64 bits.
bool machine_padded_extents(const Memory *memory, const TensorShape *shape,
                            uint64_t *padded);

// --- Routes ------------------------------------------------------------------

typedef enum {
  COST_UNKNOWN, // not every figure that it needs is declared
  COST_TIME,    // picoseconds
  COST_CYCLES,
  COST_WEIGHT, // a unitless routing weight
} CostKind;

typedef enum {
  COST_FROM_NOTHING,
  COST_FROM_LINK_RATE,
  COST_FROM_CONTAINMENT
} CostSource;

typedef struct {
  CostKind kind;
  uint64_t value;
  CostSource source;
  bool is_bottleneck; // composition: the slowest leg instead of the sum
  bool has_latency;
  uint64_t latency; // included in value, same unit
  bool has_weight;
  uint64_t weight; // as declared on the link, also when priced in time
} HopCost;

typedef struct {
  LinkId link; // 0 for the implicit link between parts of one memory
  Placement from, to;
  HopCost cost;    // alone, for all bytes
  uint64_t chunk;  // 0: not chunked; else bytes of one chunk
  Bytes transit;   // bytes held in `to` while passing through; 0 in
                   // cached memories and at the destination
  bool is_renamed; // between parts of one memory, and the source dies:
                   // the bytes change budgets, nothing moves, price 0
} Hop;

typedef enum {
  ROUTE_SAME_MEMORY, // no hop: a copy inside one memory
  ROUTE_FOUND,
  ROUTE_TRANSIT_TOO_SMALL, // only paths whose transit cannot be held: the
                           // hops are those of the unfiltered path, failing_hop
                           // is the first one whose `to` cannot hold it
  ROUTE_NONE,
} RouteStatus;

typedef struct {
  RouteStatus status;
  Hop *hops;
  uint32_t hop_count;
  uint32_t failing_hop;
  HopCost total; // with chunked overlap; kind UNKNOWN when a hop is
} Route;

typedef struct {
  Placement from, to;
  const TensorShape *shape; // NULL: run-time extents, priced at 1 MiB
  bool source_dies;         // for parts of one memory
  // Both instances are INSTANCE_DYNAMIC and may be different ones: the dearest
  // pair is priced. Otherwise two dynamic indices of one device are the same.
  bool indices_differ;
} RouteRequest;

// memory-model.md section 5 and clarifications "Memory model" 6 to 11.
// Everything is allocated in `arena`. Equal prices: fewer hops, then the
// earlier declaration.
void machine_route(Arena *arena, const Machine *machine,
                   const RouteRequest *request, Route *route);
// Memories that `from` reaches, or that reach it (`backwards`), as a list of
// names for the note of E6002; at most 8, then "and N more".
Str machine_reach_text(Arena *arena, const Machine *machine, Placement from,
                       bool backwards);
// "1.04 us", "50", "12 cyc", "unknown".
Str machine_cost_text(Arena *arena, HopCost cost);

// --- Provenance --------------------------------------------------------------

// "spec: NVIDIA Hopper whitepaper; not measured on hardware", "no citation".
Str figure_provenance(Arena *arena, const Figure *figure);
// Adds the note of capacity diagnostics: "capacity 228 KiB declared at
// fleet/h100-sxm.vx:14:23\n(spec: ...; not measured on hardware)".
void machine_note_capacity(DiagSink *sink, Diagnostic *d,
                           const Machine *machine, MemoryId memory);
// The same for the field that makes the limit smaller (limit_field): the note
// of E6104.
void machine_note_limit(DiagSink *sink, Diagnostic *d, const Machine *machine,
                        MemoryId memory);

// --- Looking at a machine ----------------------------------------------------

// `vxc machine lint`: W6201 to W6204 for the declarations of these inputs.
void machine_lint(const Machine *machine, const MachineInput *inputs,
                  size_t input_count, DiagSink *sink);
// `vxc machine show`: tree of memories, topologies, links, routes; `width`
// columns. And the same as one JSON object.
void machine_show_text(Text *out, const Machine *machine, Arena *scratch,
                       bool use_color, uint32_t width);
void machine_show_json(Text *out, const Machine *machine, Arena *scratch);

#endif
