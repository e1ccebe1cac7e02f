#include "page/flow.h"

#include "page/text_parts.h"

/* ---- pieces ------------------------------------------------------------- */

twx_rc twx_flow_clear(twx_ctx *cx, twx_flow *f) {
    f->pieces.n = 0;
    f->cursor = 0;
    f->bytes = 0;
    f->area = TWX_AREA_BODY;
    return TWX_VEC_PUSH(cx, &f->pieces, (twx_piece){.kind = TWX_PIECE_LINE}) ? TWX_OK : TWX_E_NOMEM;
}

void twx_flow_done(twx_flow *f) {
    if (f) TWX_VEC_DONE(&f->pieces);
}

/* [R1] */
static twx_rc add(twx_ctx *cx, twx_flow *f, const twx_piece *piece) {
    const uint32_t at = (uint32_t)f->pieces.n;
    if (f->pieces.n >= UINT32_MAX) return TWX_OK;
    if (!TWX_VEC_PUSH(cx, &f->pieces, *piece)) return TWX_E_NOMEM;
    f->pieces.at[at].next = f->pieces.at[f->cursor].next;
    f->pieces.at[f->cursor].next = at;
    f->cursor = at;
    return TWX_OK;
}

twx_rc twx_flow_add(twx_ctx *cx, twx_flow *f, twx_piece_kind kind) {
    const twx_piece piece = {.kind = kind};
    const bool again = f->pieces.at[f->cursor].kind == kind && f->cursor > 0 &&
                       (kind == TWX_PIECE_LINE || kind == TWX_PIECE_BLANK);
    return again ? TWX_OK : add(cx, f, &piece);
}

twx_rc twx_flow_text(twx_ctx *cx, twx_flow *f, twx_slice text, bool copy) {
    enum { LONGEST = (1 << 26) - 1 };
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && text.n > 0) {
        const size_t n = text.n < LONGEST ? text.n : LONGEST;
        twx_piece piece = {
            .kind = TWX_PIECE_TEXT, .n = n & LONGEST, .area = f->area & 3u, .at.p = text.p};
        if (copy && n <= sizeof piece.at) {
            piece.kind = TWX_PIECE_SHORT;
            memcpy(piece.at.bytes, text.p, n);
        }
        f->bytes += n;
        rc = add(cx, f, &piece);
        text = twx_slice_sub(text, n, text.n);
    }
    return rc;
}

/* ---- lines -------------------------------------------------------------- */

typedef enum gap { NO_GAP, A_BLANK, A_LINE } gap;

typedef enum byte_class { WORD, SPACE, LEAD } byte_class;

static const unsigned char CLASS[256] = {
    ['\t'] = SPACE, ['\n'] = SPACE, ['\v'] = SPACE, ['\f'] = SPACE, ['\r'] = SPACE, [' '] = SPACE,
    [0xC2] = LEAD,  [0xE1] = LEAD,  [0xE2] = LEAD,  [0xE3] = LEAD,  [0xEF] = LEAD};

/* Text of one area without a word of another one within it. */
typedef struct run {
    size_t begin, end;
    twx_area area;
} run;

typedef struct writer {
    twx_ctx *cx;
    char *to, *begin, *end;
    gap gap;
    bool pre, failed;
    char *heading; /* the start of the open heading; NULL: none is open */
    twx_area area;
    TWX_VEC(run) runs;
} writer;

/* The length of the character at p if it is a blank (*ret_blank) or has no width; 0: it belongs to
 * a word. */
static size_t special(const unsigned char *p, const unsigned char *end, bool *ret_blank) {
    *ret_blank = true;
    if (end - p >= 2 && p[0] == 0xC2) {
        *ret_blank = p[1] == 0xA0;
        return p[1] == 0xA0 || p[1] == 0xAD ? 2 : 0;
    }
    if (end - p < 3) return 0;
    const unsigned last = p[2];
    switch (p[0] << 8 | p[1]) {
    case 0xE19A: return last == 0x80 ? 3 : 0;
    case 0xE280:
        *ret_blank = last != 0x8B;
        return last <= 0x8B || last == 0xA8 || last == 0xA9 || last == 0xAF ? 3 : 0;
    case 0xE281: *ret_blank = last == 0x9F; return last == 0x9F || last == 0xA0 ? 3 : 0;
    case 0xE380: return last == 0x80 ? 3 : 0;
    case 0xEFBB: *ret_blank = false; return last == 0xBF ? 3 : 0;
    default: return 0;
    }
}

/* The end of the word at p: the next space or special character, or the end of the text. */
static const unsigned char *word_end(const unsigned char *p, const unsigned char *end) {
    bool blank;
    for (;; p++) {
        while (p < end && CLASS[*p] == WORD) p++;
        if (p == end || CLASS[*p] == SPACE || special(p, end, &blank)) return p;
    }
}

/* The end of the longest prefix of [p, p + n) that fits and does not cut a character. */
static size_t clip(const unsigned char *p, size_t n, size_t room) {
    if (n <= room) return n;
    while (room > 0 && (p[room] & 0xC0) == 0x80) room--;
    return room;
}

/* Notes that the last n bytes are of the current area. */
static void note_area(writer *w, size_t n) {
    const size_t end = (size_t)(w->to - w->begin);
    run *last = w->runs.n ? &w->runs.at[w->runs.n - 1] : NULL;
    if (last && last->area == w->area)
        last->end = end;
    else if (!TWX_VEC_PUSH(w->cx, &w->runs, ((run){end - n, end, w->area})))
        w->failed = true;
}

/* [R4] */
static twx_rc write_parts(twx_ctx *cx, const writer *w, twx_buf *parts) {
    twx_area best = TWX_AREA_OUTSIDE;
    twx_rc rc = TWX_OK;
    size_t n = 0;
    for (size_t i = 0; i < w->runs.n; i++)
        if (w->runs.at[i].area > best) best = w->runs.at[i].area;
    for (size_t i = 0; i < w->runs.n; i++) n += w->runs.at[i].area == best;
    if (n == w->runs.n || n > TWX_TEXT_PARTS_MAX) return TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < w->runs.n; i++)
        if (w->runs.at[i].area == best)
            rc = twx_text_part_add(cx, w->runs.at[i].begin, w->runs.at[i].end, parts);
    return rc;
}

/* The text ends at the first word that does not fit: a shorter word after it would form a sentence
 * that the page does not contain. */
static void put(writer *w, const unsigned char *p, size_t n) {
    const size_t gap_bytes = w->gap != NO_GAP && w->to > w->begin;
    const size_t room = (size_t)(w->end - w->to);
    const size_t fits = room > gap_bytes ? clip(p, n, room - gap_bytes) : 0;
    if (fits < n) w->end = w->to + (fits ? gap_bytes + fits : 0);
    if (fits == 0) return;
    if (gap_bytes) *w->to++ = w->gap == A_LINE ? '\n' : ' ';
    w->gap = NO_GAP;
    memcpy(w->to, p, fits);
    w->to += fits;
    note_area(w, fits);
}

static void words(writer *w, const char *text, size_t n) {
    const unsigned char *p = (const unsigned char *)text, *end = p + n;
    while (p < end) {
        bool blank = true;
        size_t skip = CLASS[*p] == SPACE ? 1 : CLASS[*p] == LEAD ? special(p, end, &blank) : 0;
        if (skip) {
            const gap wanted = !blank ? NO_GAP : w->pre && *p == '\n' ? A_LINE : A_BLANK;
            if (wanted > w->gap) w->gap = wanted;
            p += skip;
            continue;
        }
        const unsigned char *word = p;
        p = word_end(p, end);
        put(w, word, (size_t)(p - word));
    }
}

/* A heading takes one line. */
static twx_rc end_heading(twx_ctx *cx, writer *w, twx_buf *headings) {
    char *from = w->heading;
    w->heading = NULL;
    while (from < w->to && twx_is_space((unsigned char)*from)) from++;
    const size_t n = (size_t)(w->to - from), at = headings->n + (headings->n > 0);
    if (n == 0 || n + 1 > headings->max - headings->n) return TWX_OK;
    twx_rc rc = headings->n ? twx_buf_add_char(cx, headings, '\n') : TWX_OK;
    if (rc == TWX_OK) rc = twx_buf_add(cx, headings, from, n);
    for (size_t i = at; rc == TWX_OK && i < headings->n; i++)
        if (headings->p[i] == '\n') headings->p[i] = ' ';
    return rc;
}

static twx_rc write_piece(twx_ctx *cx, writer *w, const twx_piece *piece, twx_buf *headings) {
    w->area = (twx_area)piece->area;
    switch ((twx_piece_kind)piece->kind) {
    case TWX_PIECE_TEXT: words(w, piece->at.p, piece->n); break;
    case TWX_PIECE_SHORT: words(w, piece->at.bytes, piece->n); break;
    case TWX_PIECE_PRE: w->pre = true; return TWX_OK;
    case TWX_PIECE_BLANK:
        if (w->gap < A_BLANK) w->gap = A_BLANK;
        break;
    case TWX_PIECE_LINE:
    case TWX_PIECE_TABLE: w->gap = A_LINE; break;
    case TWX_PIECE_HEADING: w->heading = w->to; break;
    case TWX_PIECE_HEADING_END:
        if (w->heading) return end_heading(cx, w, headings);
        break;
    }
    w->pre = false;
    return TWX_OK;
}

twx_rc twx_flow_lines(twx_ctx *cx, const twx_flow *f, twx_buf *text, twx_buf *headings,
                      twx_buf *parts) {
    const size_t left = text->max - text->n, most = f->bytes + f->pieces.n;
    const size_t room = most < left ? most : left;
    twx_rc rc = twx_buf_reserve(cx, text, room);
    if (rc != TWX_OK) return rc;
    writer w = {
        .cx = cx, .begin = text->p, .to = text->p + text->n, .end = text->p + text->n + room};
    for (uint32_t i = f->pieces.at[0].next; rc == TWX_OK && i != 0; i = f->pieces.at[i].next)
        rc = write_piece(cx, &w, &f->pieces.at[i], headings);
    text->n = (size_t)(w.to - w.begin);
    text->p[text->n] = '\0';
    if (rc == TWX_OK) rc = w.failed ? TWX_E_NOMEM : write_parts(cx, &w, parts);
    TWX_VEC_DONE(&w.runs);
    return rc;
}
