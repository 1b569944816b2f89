// SPDX-License-Identifier: Apache-2.0
//
// Comments that say where a figure comes from (machine-files.md section 5).
//
//   bandwidth: 3.35 TB/s,  // spec: whitepaper       the figures of its line
//   // measured(bandwidth): 2.9 TB/s, mt4g            that field of this item
//   // measured(transfer): 26.0 GB/s                  the links that follow
//   // spec: datasheet                                inside an item: the next
//                                                     field; before one: all
//                                                     that nothing else covers
//
// A link's figures are called `transfer`. The nearest citation comes first in
// the list of a figure: its line, its item, then what stands before the item.

#include "machine/internal.h"

typedef struct {
  CitationKind kind;
  Str names; // between the parentheses; empty without a list
  Str text;
  Span span;
  bool is_alone;
} CitationComment;

typedef VEC(CitationComment) CitationComments;

// --- Reading a comment -------------------------------------------------------

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static Str trim(Str s) {
  while (s.length > 0 && is_blank(s.data[0]))
    s = str_slice(s, 1, s.length - 1);
  while (s.length > 0 && is_blank(s.data[s.length - 1]))
    s.length--;
  return s;
}

static CitationKind kind_at_head(Str text, size_t *length) {
  for (int kind = CITATION_SPEC; kind <= CITATION_UNVERIFIED; kind++) {
    Str name = citation_kind_name((CitationKind)kind);
    if (str_starts_with(text, name)) {
      *length = name.length;
      return (CitationKind)kind;
    }
  }
  return CITATION_NONE;
}

// `kind: text` or `kind(a, b): text`; false for any other comment.
static bool parse_citation(Str comment, CitationComment *citation) {
  Str text = trim(str_slice(comment, 2, comment.length - 2));
  size_t length = 0;
  citation->kind = kind_at_head(text, &length);
  if (citation->kind == CITATION_NONE)
    return false;
  text = str_slice(text, length, text.length - length);
  citation->names = (Str){"", 0};
  if (text.length > 0 && text.data[0] == '(') {
    size_t close = 1;
    while (close < text.length && text.data[close] != ')')
      close++;
    if (close == text.length)
      return false;
    citation->names = str_slice(text, 1, close - 1);
    text = str_slice(text, close + 1, text.length - close - 1);
  }
  if (text.length == 0 || text.data[0] != ':')
    return false;
  citation->text = trim(str_slice(text, 1, text.length - 1));
  return true;
}

static void read_comments(Arena *scratch, const Tree *tree,
                          CitationComments *comments) {
  for (uint32_t i = 0; i < tree->comments.items.count; i++) {
    const Comment *comment = &tree->comments.items.items[i];
    CitationComment citation = {.span = comment->span,
                                .is_alone = comment->is_alone};
    if (!comment->is_doc &&
        parse_citation(source_text(tree->sources, comment->span), &citation))
      VEC_PUSH(scratch, comments, citation);
  }
}

static bool lists_name(Str names, const char *name) {
  for (size_t at = 0; name != NULL && at <= names.length;) {
    size_t end = at;
    while (end < names.length && names.data[end] != ',')
      end++;
    if (str_equal(trim(str_slice(names, at, end - at)), str_from(name)))
      return true;
    at = end + 1;
  }
  return false;
}

// --- State -------------------------------------------------------------------

typedef struct {
  Arena *arena;
  Arena *scratch;
  const Tree *tree;
  Str text;      // of the file
  uint32_t base; // of the text in the source space
  FigureEntries *figures;
  U32Vec items; // Memory and Topology items: node indices, ascending
} Citer;

static void cite(Citer *c, uint32_t figure, const CitationComment *comment) {
  Citation *citation = ARENA_NEW(c->arena, Citation);
  *citation = (Citation){.kind = comment->kind,
                         .text = str_copy(c->arena, comment->text),
                         .span = comment->span};
  FigureEntry *entry = &c->figures->items[figure];
  if (entry->last_citation == NULL)
    entry->figure->citations = citation;
  else
    entry->last_citation->next = citation;
  entry->last_citation = citation;
}

static bool is_named(const FigureEntry *entry, Str names) {
  return lists_name(names, entry->field) || lists_name(names, entry->part);
}

// Figures within [start, end), all or those that are named.
static void cite_between(Citer *c, uint32_t start, uint32_t end,
                         const CitationComment *comment) {
  for (uint32_t i = find_figure(c->figures, start);
       i < c->figures->count && c->figures->items[i].figure->span.start < end;
       i++) {
    if (comment->names.length == 0 ||
        is_named(&c->figures->items[i], comment->names))
      cite(c, i, comment);
  }
}

// --- Where a comment stands --------------------------------------------------

static Span item_span(const Citer *c, uint32_t item) {
  return node_span(c->tree, (NodeId){c->items.items[item]});
}

// The first item that ends behind an offset; items.count if none.
static uint32_t item_behind(const Citer *c, uint32_t offset) {
  uint32_t low = 0;
  uint32_t high = c->items.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (span_end(item_span(c, middle)) <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static NodeList item_fields(const Citer *c, uint32_t item) {
  NodeId node = {c->items.items[item]};
  return node_kind(c->tree, node) == NODE_MemoryItem
             ? memory_item(c->tree, node).fields
             : topology_item(c->tree, node).fields;
}

// The first field that begins behind an offset; fields.count if none.
static uint32_t field_behind(const Citer *c, NodeList fields, uint32_t offset) {
  uint32_t low = 0;
  uint32_t high = fields.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (node_span(c->tree, list_at(c->tree, fields, middle)).start < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static uint32_t line_start(const Citer *c, uint32_t offset) {
  uint32_t at = offset - c->base;
  while (at > 0 && c->text.data[at - 1] != '\n')
    at--;
  return c->base + at;
}

// Whether `next` begins on the line after that of `end`.
static bool is_next_line(const Citer *c, uint32_t end, uint32_t next) {
  unsigned lines = 0;
  for (uint32_t at = end; at < next; at++)
    lines += c->text.data[at - c->base] == '\n';
  return lines <= 1;
}

// The links that follow, up to an empty line or a comment on its own.
static void cite_following_links(Citer *c, NodeList fields, uint32_t first,
                                 const CitationComment *comment) {
  uint32_t end = 0;
  for (uint32_t i = first; i < fields.count; i++) {
    NodeId field = list_at(c->tree, fields, i);
    Span span = node_span(c->tree, field);
    if (node_kind(c->tree, field) != NODE_LinkField ||
        (i > first && !is_next_line(c, end, span.start)))
      return;
    end = span_end(span);
    cite_between(c, span.start, end, comment);
  }
}

// --- The kinds of comments ---------------------------------------------------

static void cite_line(Citer *c, const CitationComment *comment) {
  cite_between(c, line_start(c, comment->span.start), comment->span.start,
               comment);
}

static void cite_in_item(Citer *c, uint32_t item,
                         const CitationComment *comment) {
  NodeList fields = item_fields(c, item);
  uint32_t next = field_behind(c, fields, comment->span.start);
  Span whole = item_span(c, item);
  if (comment->names.length == 0) {
    if (next == fields.count)
      return;
    Span span = node_span(c->tree, list_at(c->tree, fields, next));
    cite_between(c, span.start, span_end(span), comment);
    return;
  }
  const char *links = topology_field_name(TOPOLOGY_FIELD_transfer);
  if (!lists_name(comment->names, links))
    cite_between(c, whole.start, span_end(whole), comment);
  else if (comment->is_alone)
    cite_following_links(c, fields, next, comment);
  else
    cite_line(c, comment);
}

static void cite_rest(Citer *c, uint32_t item, const CitationComment *comment) {
  Span span = item_span(c, item);
  for (uint32_t i = find_figure(c->figures, span.start);
       i < c->figures->count &&
       c->figures->items[i].figure->span.start < span_end(span);
       i++) {
    const Citation *known = c->figures->items[i].figure->citations;
    // Several comments before one item all stand for the rest.
    if (known == NULL || known->span.start > span_end(span) ||
        (known->span.start < span.start &&
         span_end(known->span) <= comment->span.start))
      cite(c, i, comment);
  }
}

typedef enum { ROUND_LINES, ROUND_ITEMS, ROUND_BEFORE, ROUND_REST } Round;

static Round round_of(const Citer *c, const CitationComment *comment,
                      uint32_t *item) {
  *item = item_behind(c, comment->span.start);
  if (!comment->is_alone && comment->names.length == 0)
    return ROUND_LINES;
  bool is_inside =
      *item < c->items.count && item_span(c, *item).start < comment->span.start;
  if (!comment->is_alone && !is_inside && *item > 0) {
    --*item; // behind the closing brace
    return ROUND_ITEMS;
  }
  if (is_inside)
    return ROUND_ITEMS;
  return comment->names.length == 0 ? ROUND_REST : ROUND_BEFORE;
}

static void cite_round(Citer *c, const CitationComments *comments,
                       Round round) {
  for (uint32_t i = 0; i < comments->count; i++) {
    const CitationComment *comment = &comments->items[i];
    uint32_t item;
    if (round_of(c, comment, &item) != round)
      continue;
    if (round == ROUND_LINES)
      cite_line(c, comment);
    else if (item == c->items.count)
      continue;
    else if (round == ROUND_ITEMS)
      cite_in_item(c, item, comment);
    else if (round == ROUND_REST)
      cite_rest(c, item, comment);
    else
      cite_between(c, item_span(c, item).start, span_end(item_span(c, item)),
                   comment);
  }
}

static void cite_tree(Citer *c, const CitationComments *comments) {
  NodeList items = module(c->tree, c->tree->root).items;
  for (uint32_t i = 0; i < items.count; i++) {
    NodeId item = list_at(c->tree, items, i);
    NodeKind kind = node_kind(c->tree, item);
    if (kind == NODE_MemoryItem || kind == NODE_TopologyItem)
      VEC_PUSH(c->scratch, &c->items, item.index);
  }
  for (int round = ROUND_LINES; round <= ROUND_REST; round++)
    cite_round(c, comments, (Round)round);
}

// --- All inputs --------------------------------------------------------------

// What the command line sets is a policy of whoever typed it.
static void cite_override(Citer *c) {
  CitationComment comment = {.kind = CITATION_POLICY,
                             .text = STR("command line")};
  cite_between(c, c->base, c->base + (uint32_t)c->text.length + 1, &comment);
}

void attach_citations(Machine *machine, Arena *arena,
                      const MachineInput *inputs, size_t input_count) {
  Arena scratch = {0};
  FigureEntries figures = {0};
  for (size_t i = 0; i < input_count; i++) {
    const Tree *tree = inputs[i].tree;
    if (tree->root.index == 0 || node_kind(tree, tree->root) != NODE_Module)
      continue;
    bool is_override = inputs[i].kind == MACHINE_INPUT_OVERRIDE;
    CitationComments comments = {0};
    read_comments(&scratch, tree, &comments);
    if (comments.count == 0 && !is_override)
      continue;
    if (figures.count == 0)
      collect_figures(&scratch, machine, &figures);
    const SourceFile *file = source_file(machine->sources, tree->file);
    Citer citer = {.arena = arena,
                   .scratch = &scratch,
                   .tree = tree,
                   .text = file->text,
                   .base = file->start,
                   .figures = &figures};
    if (is_override)
      cite_override(&citer);
    cite_tree(&citer, &comments);
  }
  arena_free(&scratch);
}
