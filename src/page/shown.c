#include "page/internal.h"

/* ==== html_shown */

/* The part of an element's content that a browser shows. */
typedef enum twx_shown_part {
    TWX_SHOWS_ALL,
    TWX_SHOWS_NOTHING,
    TWX_SHOWS_OPTIONS, /* select */
    TWX_SHOWS_SUMMARY, /* closed details */
    TWX_SHOWS_DRAWN    /* SVG outside of <text> */
} twx_shown_part;

/* Decides which elements are shown. The rules are those of the HTML standard's style sheet; where
 * it leaves something open, those of Chromium. docs/imported-text.md lists them. */

static void foreign_style(twx_open *e) {
    static const char UNDRAWN[] = "desc filter lineargradient metadata radialgradient script style "
                                  "title";
    e->style.display = TWX_INLINE;
    if (e->ns == TWX_SVG) {
        const bool box = e->foreign == TWX_TAG_svg || e->foreign == TWX_TAG_text ||
                         e->foreign == TWX_TAG_foreignobject;
        if (box) e->style.display = TWX_BLOCK;
        if (twx_slice_has_word(TWX_SLICE_LIT(UNDRAWN), e->name)) e->style.display = TWX_NONE;
    } else {
        const bool annotation = e->foreign == TWX_TAG_annotation ||
                                e->foreign == TWX_TAG_annotation_xml;
        e->style.display = annotation                   ? TWX_NONE
                           : e->foreign == TWX_TAG_math ? TWX_BLOCK
                                                        : TWX_CELL;
    }
}

static void styled(twx_html_room *room, const twx_open *parent, twx_slice own, twx_open *e) {
    const size_t depth = parent ? (size_t)(parent - room->tree.stack.at) + 1 : 0;
    twx_sheet_style(&room->sheet, room->tree.stack.at, depth, own, e);
    /* pages are often hidden until a script has run: their text counts nevertheless */
    const bool whole = e->tag == TWX_TAG_html || e->tag == TWX_TAG_body;
    if (whole && e->style.display == TWX_NONE) e->style.display = TWX_BLOCK;
    if (whole && e->style.visibility == TWX_INVISIBLE) e->style.visibility = TWX_VISIBLE;
}

void twx_shown_style(twx_html_room *room, const twx_open *parent, twx_open *e) {
    const twx_tokenizer *t = &room->tokenizer;
    if (e->ns != TWX_HTML) foreign_style(e);
    const uint32_t hiding = 1u << TWX_ATTR_hidden | 1u << TWX_ATTR_popover;
    if (t->known & hiding && e->ns == TWX_HTML) e->style.display = TWX_NONE;
    if (e->tag == TWX_TAG_dialog && t->known >> TWX_ATTR_open & 1) e->style.display = TWX_BLOCK;
    if (room->sheet.selectors.n > 0 || t->known >> TWX_ATTR_style & 1)
        styled(room, parent, twx_attribute_raw(t, TWX_ATTR_style), e);
    /* replaced content stays replaced whatever the display value is */
    if (e->tag == TWX_TAG_noscript) e->style.display = TWX_NONE; /* by design */
}

void twx_shown_implied(twx_html_room *room, const twx_open *parent, twx_open *e) {
    if (e->ns == TWX_HTML && room->sheet.selectors.n > 0)
        styled(room, parent, (twx_slice){NULL, 0}, e);
}

static bool left_out(twx_open *parent, const twx_open *e) {
    switch ((twx_shown_part)parent->content) {
    case TWX_SHOWS_NOTHING: return true;
    case TWX_SHOWS_SUMMARY:
        if (e->tag != TWX_TAG_summary || parent->summary) return true;
        parent->summary = true;
        return false;
    default: return false;
    }
}

static twx_shown_part content_of(const twx_open *parent, const twx_open *e, bool open) {
    const bool drawn = e->ns == TWX_SVG &&
                       (e->foreign == TWX_TAG_text || e->foreign == TWX_TAG_foreignobject);
    if (e->tag == TWX_TAG_select) return TWX_SHOWS_OPTIONS;
    if (e->tag == TWX_TAG_details && !open) return TWX_SHOWS_SUMMARY;
    if (e->ns == TWX_SVG && e->foreign == TWX_TAG_svg) return TWX_SHOWS_DRAWN;
    if (TWX_ELEMENT[e->tag].display == TWX_REPLACED) return TWX_SHOWS_NOTHING;
    if (parent && parent->content == TWX_SHOWS_OPTIONS && e->tag != TWX_TAG_option)
        return TWX_SHOWS_OPTIONS;
    if (parent && parent->content == TWX_SHOWS_DRAWN && !drawn) return TWX_SHOWS_DRAWN;
    return TWX_SHOWS_ALL;
}

/* The landmark that an element is: by the first word of its role, else by its name. */
static twx_tag landmark_of(const twx_open *e, const twx_html_token *token, const twx_tokenizer *t) {
    static const struct {
        const char *role;
        twx_tag tag;
    } ROLES[] = {{"main", TWX_TAG_main},      {"article", TWX_TAG_article},
                 {"navigation", TWX_TAG_nav}, {"complementary", TWX_TAG_aside},
                 {"banner", TWX_TAG_nav},     {"contentinfo", TWX_TAG_nav},
                 {"search", TWX_TAG_nav}};
    if (!token || e->ns != TWX_HTML) return TWX_TAG_unknown;
    const twx_slice value = twx_slice_trim(twx_attribute_raw(t, TWX_ATTR_role));
    const twx_slice role = twx_slice_sub(value, 0, twx_slice_find(value, ' ', 0));
    for (size_t i = 0; role.n && i < TWX_COUNTOF(ROLES); i++)
        if (twx_slice_eq_nocase(role, twx_slice_of(ROLES[i].role))) return ROLES[i].tag;
    return e->tag;
}

/* What is outside stays outside; a header or footer within a section is the section's own. */
static void set_area(const twx_open *parent, twx_open *e, twx_tag landmark) {
    e->area = parent ? parent->area : TWX_AREA_BODY;
    e->section = parent && parent->section;
    if (e->area == TWX_AREA_OUTSIDE) return;
    switch (landmark) {
    case TWX_TAG_main: e->area = TWX_AREA_MAIN; break;
    case TWX_TAG_article:
        if (e->area < TWX_AREA_ARTICLE) e->area = TWX_AREA_ARTICLE;
        break;
    case TWX_TAG_nav:
    case TWX_TAG_aside: e->area = TWX_AREA_OUTSIDE; break;
    case TWX_TAG_header:
    case TWX_TAG_footer:
        if (!e->section) e->area = TWX_AREA_OUTSIDE;
        break;
    case TWX_TAG_section: break;
    default: return;
    }
    e->section = true;
}

void twx_shown_open(twx_open *parent, twx_open *e, const twx_html_token *token,
                    const twx_tokenizer *t) {
    const bool option = parent && parent->content == TWX_SHOWS_OPTIONS && e->tag == TWX_TAG_option;
    if (parent && parent->style.flex &&
        (e->style.display == TWX_INLINE || e->style.display == TWX_CELL))
        e->style.display = TWX_BLOCK;
    e->hides = parent && (parent->hides || left_out(parent, e));
    e->hides |= e->style.display == TWX_NONE && !option; /* select shows all its options */
    e->visibility = e->style.visibility != TWX_INHERITED ? e->style.visibility
                    : parent                             ? parent->visibility
                                                         : 0;
    e->content = (uint8_t)content_of(parent, e, token && t->known >> TWX_ATTR_open & 1);
    e->summary = false;
    if (parent && parent->flags & TWX_EL_PRE) e->flags |= TWX_EL_PRE;
    e->inert = (parent && parent->inert) || e->tag == TWX_TAG_template ||
               e->tag == TWX_TAG_noscript;
    e->fragment = (parent && parent->fragment) || e->tag == TWX_TAG_template;
    set_area(parent, e, landmark_of(e, token, t));
}

void twx_shown_moved(twx_open *parent, twx_open *e) {
    e->hides = parent->hides || e->style.display == TWX_NONE;
    e->visibility = e->style.visibility != TWX_INHERITED ? e->style.visibility : parent->visibility;
}

bool twx_shown_text(const twx_open *e) {
    return !e->hides && e->content == TWX_SHOWS_ALL && e->visibility != TWX_INVISIBLE;
}

/* ==== text_parts */

/* A number of at most 18 digits, and the character after it. */
static bool take_number(twx_slice *list, char after, size_t *ret_number) {
    enum { DIGITS_MAX = 18 };
    size_t number = 0, n = 0;
    while (n < list->n && n < DIGITS_MAX && twx_is_digit((unsigned char)list->p[n]))
        number = 10 * number + (size_t)(list->p[n++] - '0');
    if (n == 0 || (n < list->n && list->p[n] != after)) return false;
    if (n == list->n && after != ' ') return false;
    *list = twx_slice_sub(*list, n + 1, list->n);
    *ret_number = number;
    return true;
}

/* Takes the next part off the list. false: none is left, or the list is not valid for a text of n
 * bytes; *ret_end is the end of the previous part, 0 at first. */
static bool text_part_next(twx_slice *parts, size_t n, size_t *ret_begin, size_t *ret_end) {
    size_t begin = 0, end = 0;
    const bool first = *ret_end == 0;
    if (parts->n == 0 || !take_number(parts, '-', &begin) || !take_number(parts, ' ', &end) ||
        begin >= end || end > n || (!first && begin <= *ret_end))
        return false;
    *ret_begin = begin;
    *ret_end = end;
    return true;
}

static bool splits_character(twx_slice text, size_t at) {
    return at < text.n && ((unsigned char)text.p[at] & 0xC0) == 0x80;
}

/* [R1] ret_bytes: of the parts, and a line feed between two. */
static bool is_valid(twx_slice text, twx_slice parts, size_t *ret_bytes) {
    size_t begin = 0, end = 0, bytes = 0;
    while (parts.n > 0) {
        if (!text_part_next(&parts, text.n, &begin, &end) || splits_character(text, begin) ||
            splits_character(text, end))
            return false;
        bytes += end - begin + (bytes > 0);
    }
    *ret_bytes = bytes;
    return bytes > 0;
}

twx_rc twx_text_parts(twx_ctx *cx, twx_slice text, twx_slice parts, twx_buf *out) {
    size_t begin = 0, end = 0, bytes = 0;
    if (!is_valid(text, parts, &bytes) || bytes > out->max - out->n) return TWX_DONE;
    twx_rc rc = twx_buf_reserve(cx, out, bytes);
    while (rc == TWX_OK && text_part_next(&parts, text.n, &begin, &end)) {
        const bool first = bytes > 0;
        if (!first) rc = twx_buf_add_char(cx, out, '\n');
        if (rc == TWX_OK) rc = twx_buf_add_slice(cx, out, twx_slice_sub(text, begin, end));
        bytes = 0;
    }
    return rc;
}

/* ==== flow */

/* ---- pieces ------------------------------------------------------------- */

typedef struct twx_piece {
    union {
        const char *p;
        char bytes[sizeof(const char *)];
    } at;
    uint32_t next; /* 0: the last one */
    unsigned n : 26, kind : 4, area : 2;
} twx_piece;

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

/* The length of the character at p if it is a blank (*ret_blank) or has no width; 0: neither. */
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
            rc = twx_buf_printf(cx, parts, "%s%zu-%zu", parts->n ? " " : "", w->runs.at[i].begin,
                                w->runs.at[i].end);
    return rc;
}

/* The text ends at the first word that does not fit: a shorter word after it would form a sentence
 * that the page does not contain. */
static void put(writer *w, const unsigned char *p, size_t n) {
    const size_t gap_bytes = w->gap != NO_GAP && w->to > w->begin;
    const size_t room = (size_t)(w->end - w->to);
    const twx_slice text = {(const char *)p, n};
    const size_t fits = gap_bytes + n <= room ? n
                        : room > gap_bytes    ? twx_utf8_cut(text, room - gap_bytes).n
                                              : 0;
    if (fits < n) w->end = w->to + (fits ? gap_bytes + fits : 0);
    if (fits == 0) return;
    if (gap_bytes) *w->to++ = w->gap == A_LINE ? '\n' : ' ';
    w->gap = NO_GAP;
    memcpy(w->to, p, fits);
    w->to += fits;
    const size_t end = (size_t)(w->to - w->begin);
    run *last = w->runs.n ? &w->runs.at[w->runs.n - 1] : NULL;
    if (last && last->area == w->area)
        last->end = end;
    else if (!TWX_VEC_PUSH(w->cx, &w->runs, ((run){end - fits, end, w->area})))
        w->failed = true;
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
