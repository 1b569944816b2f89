// SPDX-License-Identifier: Apache-2.0
//
// Text from pieces and places where a line may break (after Oppen,
// "Prettyprinting", 1980): the width of each group is known before it is
// written, so that one pass decides. Linear in the number of pieces.

#include "syntax/internal.h"

#include <string.h>

// --- Collecting --------------------------------------------------------------

static uint32_t width_of(Str text) {
  uint32_t width = 0;
  for (size_t i = 0; i < text.length;) {
    uint32_t code_point = (unsigned char)text.data[i];
    size_t taken = 1;
    if (code_point >= 0x80)
      taken = utf8_decode(text.data + i, text.length - i, &code_point);
    i += taken == 0 ? 1 : taken;
    width += code_point >= 0x80 ? utf8_width(code_point) : 1;
  }
  return width;
}

// Breaks the open groups. Where one is broken, all around it are.
static void break_groups(Layout *layout) {
  for (uint32_t i = layout->groups.count; i > 0; i--) {
    LayoutOp *open = &layout->ops.items[layout->groups.items[i - 1]];
    if (open->is_broken)
      return;
    open->is_broken = true;
  }
}

void layout_text(Layout *layout, LayoutKind kind, Str text) {
  LayoutOp op = {.kind = (uint8_t)kind, .text = text};
  if (kind == LAYOUT_TEXT)
    op.width = width_of(text);
  else
    break_groups(layout);
  VEC_PUSH(layout->arena, &layout->ops, op);
}

void layout_pad(Layout *layout, uint32_t width) {
  LayoutOp op = {.kind = LAYOUT_PAD, .end = width};
  VEC_PUSH(layout->arena, &layout->ops, op);
}

void layout_add(Layout *layout, LayoutKind kind) {
  LayoutOp op = {.kind = (uint8_t)kind};
  if (kind == LAYOUT_SPACE || kind == LAYOUT_LINE)
    op.width = 1;
  if (kind == LAYOUT_HARD_LINE || kind == LAYOUT_BLANK)
    break_groups(layout);
  VEC_PUSH(layout->arena, &layout->ops, op);
}

void layout_open(Layout *layout) {
  VEC_PUSH(layout->arena, &layout->groups, layout->ops.count);
  layout_add(layout, LAYOUT_OPEN);
}

void layout_close(Layout *layout) {
  uint32_t open = layout->groups.items[--layout->groups.count];
  layout->ops.items[open].end = layout->ops.count;
  layout_add(layout, LAYOUT_CLOSE);
}

// --- Writing -----------------------------------------------------------------

// A comment at the end of a line that is moved to its neighbours' column.
typedef struct {
  size_t offset; // in the text, behind what stands before it
  uint32_t column;
  uint32_t run;
} AlignedComment;

typedef struct {
  Layout *layout;
  Text text;
  VEC(AlignedComment) aligned;
  uint32_t *before; // flat width of all pieces before the i-th
  uint32_t *rest;   // width from the i-th piece to the next possible break
  U32Vec modes;     // of the open groups: 1 broken
  uint32_t column;
  uint32_t indent;
  uint32_t newlines; // that the next text needs before it
  uint32_t run;
  bool has_space; // a blank before the next text
  uint32_t pad;   // and these
} Renderer;

enum { COMMENT_GAP = 2 };

static bool can_break(LayoutKind kind) {
  switch (kind) {
  case LAYOUT_LINE:
  case LAYOUT_SOFT_LINE:
  case LAYOUT_HARD_LINE:
  case LAYOUT_BLANK:
  case LAYOUT_COMMENT:
  case LAYOUT_ALIGNED:
  case LAYOUT_ALONE:
  case LAYOUT_RAW:
    return true;
  default:
    return false;
  }
}

static void measure(Renderer *r) {
  const Layout *layout = r->layout;
  uint32_t count = layout->ops.count;
  r->before = ARENA_ARRAY(layout->arena, uint32_t, count + 1);
  r->rest = ARENA_ARRAY(layout->arena, uint32_t, count + 1);
  for (uint32_t i = 0; i < count; i++)
    r->before[i + 1] = r->before[i] + layout->ops.items[i].width;
  for (uint32_t i = count; i > 0; i--) {
    const LayoutOp *op = &layout->ops.items[i - 1];
    uint32_t own = op->kind == LAYOUT_COMMA ? 1 : op->width;
    r->rest[i - 1] = can_break((LayoutKind)op->kind) ? 0 : own + r->rest[i];
  }
}

static void need_newlines(Renderer *r, uint32_t count) {
  if (r->newlines < count)
    r->newlines = count;
  r->has_space = false;
  r->pad = 0;
}

// The line breaks, indentation and blank that stand before the next text.
static void write_gap(Renderer *r) {
  if (r->newlines > 0 && r->text.length > 0) {
    text_repeat(&r->text, '\n', r->newlines);
    r->run += r->newlines > 1;
  }
  if (r->newlines > 0 || r->text.length == 0) {
    text_repeat(&r->text, ' ', r->indent);
    r->column = r->indent;
  } else {
    text_repeat(&r->text, ' ', r->pad + r->has_space);
    r->column += r->pad + r->has_space;
  }
  r->newlines = 0;
  r->has_space = false;
  r->pad = 0;
}

static void write_raw(Renderer *r, Str text) {
  write_gap(r);
  for (size_t i = 0; i < text.length; i++) {
    char c = text.data[i];
    bool is_line_end = c == '\r' && i + 1 < text.length &&
                       text.data[i + 1] == '\n'; // written as `\n` alone
    r->column = c == '\n' ? 0 : r->column + 1;
    if (!is_line_end)
      text_char(&r->text, c);
  }
}

static void write_comment(Renderer *r, LayoutKind kind, Str text) {
  if (kind == LAYOUT_ALONE) {
    need_newlines(r, 1);
    write_gap(r);
  } else if (r->newlines > 0) { // after a break that had to come first
    write_gap(r);
  } else {
    if (kind == LAYOUT_ALIGNED)
      VEC_PUSH(r->layout->arena, &r->aligned,
               (AlignedComment){r->text.length, r->column, r->run});
    if (r->text.length > 0)
      text_repeat(&r->text, ' ', COMMENT_GAP);
  }
  for (size_t i = 0; i < text.length; i++) {
    if (text.data[i] != '\r')
      text_char(&r->text, text.data[i]);
  }
  need_newlines(r, 1);
}

static bool fits(const Renderer *r, uint32_t i) {
  const LayoutOp *open = &r->layout->ops.items[i];
  if (open->is_broken)
    return false;
  uint32_t column = r->newlines > 0 ? r->indent : r->column + r->has_space;
  uint64_t width =
      (uint64_t)(r->before[open->end] - r->before[i]) + r->rest[open->end];
  return column + width <= LINE_WIDTH;
}

static bool is_broken(const Renderer *r) {
  return r->modes.count == 0 || VEC_LAST(&r->modes) == 1;
}

static void open_group(Renderer *r, uint32_t i) {
  bool breaks = is_broken(r) && !fits(r, i);
  VEC_PUSH(r->layout->arena, &r->modes, breaks ? 1 : 0);
}

static void write_op(Renderer *r, uint32_t i) {
  const LayoutOp *op = &r->layout->ops.items[i];
  switch ((LayoutKind)op->kind) {
  case LAYOUT_TEXT:
    write_gap(r);
    text_put(&r->text, op->text);
    r->column += op->width;
    break;
  case LAYOUT_RAW:
    write_raw(r, op->text);
    break;
  case LAYOUT_PAD:
    if (is_broken(r))
      r->pad += op->end;
    break;
  case LAYOUT_SPACE:
    r->has_space = r->newlines == 0;
    break;
  case LAYOUT_LINE:
  case LAYOUT_SOFT_LINE:
    if (is_broken(r))
      need_newlines(r, 1);
    else if (op->kind == LAYOUT_LINE)
      r->has_space = r->newlines == 0;
    break;
  case LAYOUT_HARD_LINE:
    need_newlines(r, 1);
    break;
  case LAYOUT_BLANK:
    need_newlines(r, 2);
    break;
  case LAYOUT_OPEN:
    open_group(r, i);
    break;
  case LAYOUT_CLOSE:
    r->modes.count--;
    break;
  case LAYOUT_INDENT:
    r->indent += INDENT_WIDTH;
    break;
  case LAYOUT_DEDENT:
    r->indent -= INDENT_WIDTH;
    break;
  case LAYOUT_COMMA:
    if (is_broken(r))
      text_char(&r->text, ',');
    break;
  case LAYOUT_COMMENT:
  case LAYOUT_ALIGNED:
  case LAYOUT_ALONE:
    write_comment(r, (LayoutKind)op->kind, op->text);
    break;
  case LAYOUT_RUN:
    r->run++;
    break;
  }
}

// --- Comments in one column --------------------------------------------------

// The widest line before the comments of the run that begins at `i`.
static uint32_t run_column(const Renderer *r, uint32_t i, uint32_t *end) {
  uint32_t run = r->aligned.items[i].run;
  uint32_t column = 0;
  for (; i < r->aligned.count && r->aligned.items[i].run == run; i++) {
    if (r->aligned.items[i].column > column)
      column = r->aligned.items[i].column;
  }
  *end = i;
  return column;
}

static void align_comments(const Renderer *r, Text *out) {
  Str text = text_str(&r->text);
  size_t copied = 0;
  for (uint32_t i = 0; i < r->aligned.count;) {
    uint32_t end;
    uint32_t column = run_column(r, i, &end);
    for (; i < end; i++) {
      const AlignedComment *comment = &r->aligned.items[i];
      text_put(out, str_slice(text, copied, comment->offset - copied));
      text_repeat(out, ' ', column - comment->column);
      copied = comment->offset;
    }
  }
  text_put(out, str_slice(text, copied, text.length - copied));
}

void layout_render(Layout *layout, Text *out) {
  Renderer renderer = {.layout = layout, .text = text_new(layout->arena)};
  measure(&renderer);
  for (uint32_t i = 0; i < layout->ops.count; i++)
    write_op(&renderer, i);
  align_comments(&renderer, out);
}
