// SPDX-License-Identifier: Apache-2.0
//
// What the files of own/ share: the bracket structure of a function, its
// tracks, and the ranges of one track.
//
// A track is a thing that liveness is asked for: a buffer, a variable of
// reference type, or a reference that may refer to several buffers. A value of
// the IR has one entry per tensor that it contains or refers to (its leaves);
// an entry names a track. Views share the tracks of what they look at.

#ifndef VX_OWN_INTERNAL_H
#define VX_OWN_INTERNAL_H

#include "own/own.h"

// --- Structure: blocks and the ways out of them (structure.c) ----------------

// A block is a stretch between brackets: an arm of an IF or the body of a loop,
// named by the operation that opens it (IF, ELSE, LOOP, FOR); the whole
// function is named by the number of its operations. REGION makes no block.
typedef struct {
  const IrFunction *function;
  uint32_t op_count;
  uint32_t *block; // per operation: the block it lies in; brackets lie outside
  // What a backward walk through a block cannot pass at one stroke: exits, by
  // their place, and constructs from inside which not every operation reaches
  // the operation behind, by the place of their END.
  uint32_t *obstacles;
  uint32_t *first_obstacle; // per block id, op_count + 2 entries
  bool has_stages;          // some loop has `stages` above 1
} Structure;

void structure_find(Arena *scratch, const IrFunction *f, Structure *structure);
// The IF, LOOP or FOR that a block belongs to, and its END.
uint32_t block_opener(const Structure *s, uint32_t block);
uint32_t construct_end(const Structure *s, uint32_t opener);
// The LOOP or FOR around a block (or the block itself), or NO_OP.
uint32_t enclosing_loop(const Structure *s, uint32_t block);

#define NO_OP UINT32_MAX

// --- Tracks (tracks.c) -------------------------------------------------------

typedef enum {
  TRACK_BUFFER,    // owns bytes
  TRACK_SLOT,      // a VAR: what it holds changes
  TRACK_REFERENCE, // a value that refers to what a set says
} TrackKind;

typedef struct {
  TrackKind kind;
  uint32_t parent; // another track that this one became part of, or itself
  uint32_t start;  // no event lies before; IF for joined ones
  ValueId value;
  uint32_t leaf; // of the value
  TypeId type;   // of the tensor
  BufferOrigin origin;
  bool is_staged; // a transfer bears it
  // SLOT, REFERENCE
  uint32_t set; // what it holds at the operation at hand
  uint32_t first_piece, piece_count;
} Track;

typedef enum { EVENT_USE, EVENT_DEF, EVENT_HANDOFF } EventKind;

typedef struct {
  uint32_t track;
  uint32_t op;
  EventKind kind;
} Event;

// A reference of a CALL may refer to what any of these tracks holds.
typedef struct {
  uint32_t track; // the result
  uint32_t op;
  uint32_t first, count; // in source_tracks
} Source;

// From operation `op` on, `track` holds `set`.
typedef struct {
  uint32_t track;
  uint32_t op;
  uint32_t set;
} Piece;

typedef struct {
  Arena *scratch;
  const IrModule *module;
  const IrFunction *function;
  Structure structure;
  uint32_t *first_leaf; // per value, values.count + 1 entries
  U32Vec leaves;        // entries: a track, with LEAF_OWNS; 0: none
  VEC(Track) tracks;    // [0] is unused
  VEC(Event) events;    // by operation
  VEC(Source) sources;  // by operation
  U32Vec source_tracks;
  VEC(Piece) pieces; // by track, then operation (after sets_find)
  // Sets of buffer tracks: set i is set_items[set_first[i] .. set_first[i+1]),
  // ascending; set 0 is empty.
  U32Vec set_items;
  U32Vec set_first;
  Map struct_leaves; // struct_index -> number of leaves
  bool has_sets;     // some track is no buffer
} OwnContext;

// The value owns what the entry names: it is no view.
#define LEAF_OWNS (UINT32_C(1) << 31)

void tracks_find(OwnContext *context);
// The track that `track` became part of.
uint32_t track_root(const OwnContext *context, uint32_t track);

// --- Sets (sets.c) -----------------------------------------------------------

// What slots and references hold, from operation to operation: fills `pieces`.
void sets_find(OwnContext *context);

// --- Liveness (live.c) -------------------------------------------------------

typedef VEC(LiveRange) RangeVec;

typedef struct LiveScan LiveScan;
LiveScan *live_new(Arena *scratch, const Structure *structure);
// Appends the ranges of one track, ascending and apart from each other.
// `events` are those of the track, by operation; `start` as in Track.
void live_ranges(LiveScan *scan, uint32_t start, const Event *events,
                 uint32_t event_count, RangeVec *ranges);

#endif
