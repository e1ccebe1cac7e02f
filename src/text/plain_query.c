#include "text/text.h"

static const char *const COLUMNS[] = {"title", "text"};

typedef struct piece {
    twx_slice text;
    const char *column; /* NULL: any */
    bool excluded, begins;
} piece;

/* The words that have to occur, and those that must not, up to the next OR. */
typedef struct alternative {
    twx_buf wanted, excluded;
    bool any; /* one of all these words suffices */
} alternative;

static uint32_t at(twx_slice s, size_t i, size_t *ret_n) {
    uint32_t cp = 0;
    *ret_n = twx_utf8_next(s.p + i, s.p + s.n, &cp);
    return cp;
}

static bool is_blank(uint32_t cp) {
    return cp == 0 || cp == 0xA0 || cp == 0x3000 || (cp < 0x80 && twx_is_space((unsigned char)cp));
}

/* Whether the quote `close` can end what `open` begins; close 0: whether it begins anything. */
static bool is_quote(uint32_t open, uint32_t close) {
    static const struct {
        uint32_t open, close;
    } QUOTES[] = {{'"', '"'},       {0x201C, 0x201D}, {0x201E, 0x201C}, {0x201E, 0x201D},
                  {0x201D, 0x201D}, {0xAB, 0xBB},     {0xBB, 0xAB}};
    for (size_t i = 0; i < TWX_COUNTOF(QUOTES); i++)
        if (QUOTES[i].open == open && (close == 0 || QUOTES[i].close == close)) return true;
    return false;
}

/* Where the quote that closes the one at i begins; s.n: none. */
static size_t closing(twx_slice s, size_t i) {
    size_t n = 0, more = 0;
    const uint32_t open = at(s, i, &n);
    for (size_t k = i + n; k < s.n; k += more) {
        const uint32_t cp = at(s, k, &more);
        if (cp && is_quote(open, cp)) return k;
    }
    return s.n;
}

static size_t skip_blanks(twx_slice s, size_t i) {
    for (size_t n = 0; i < s.n && is_blank(at(s, i, &n)); i += n) continue;
    return i;
}

/* The end of what has no blanks and no quotes. */
static size_t word_end(twx_slice s, size_t i) {
    for (size_t n = 0; i < s.n; i += n) {
        const uint32_t cp = at(s, i, &n);
        if (is_blank(cp) || is_quote(cp, 0)) break;
    }
    return i;
}

static size_t read_column(twx_slice s, size_t i, piece *p) {
    for (size_t k = 0; k < TWX_COUNTOF(COLUMNS); k++) {
        const twx_slice name = twx_slice_of(COLUMNS[k]);
        const size_t end = i + name.n + 1;
        if (end >= s.n || s.p[end - 1] != ':') continue;
        if (!twx_slice_starts_nocase(twx_slice_sub(s, i, s.n), name)) continue;
        if (skip_blanks(s, end) != end) continue;
        p->column = COLUMNS[k];
        return end;
    }
    return i;
}

/* Reads the piece at i (i < s.n), which is not blank. Returns where it ends. */
static size_t read_piece(twx_slice s, size_t i, piece *p) {
    size_t n = 0;
    while (i < s.n && (s.p[i] == '-' || s.p[i] == '+')) p->excluded |= s.p[i++] == '-';
    i = read_column(s, i, p);
    if (i < s.n && is_quote(at(s, i, &n), 0)) {
        const size_t close = closing(s, i), begin = i + n;
        if (close == s.n) return begin; /* never closed: it means nothing */
        (void)at(s, close, &n);
        p->text = twx_slice_sub(s, begin, close);
        i = close + n;
        p->begins = i < s.n && s.p[i] == '*';
        return i + p->begins;
    }
    const size_t end = word_end(s, i);
    p->text = twx_slice_sub(s, i, end);
    p->begins = p->text.n > 1 && p->text.p[p->text.n - 1] == '*';
    return end;
}

static twx_rc stop(void *arg, const twx_term *term) {
    (void)arg, (void)term;
    return TWX_DONE;
}

/* TWX_OK: the text has terms; TWX_DONE: it has none. */
static twx_rc has_terms(twx_ctx *cx, twx_terms *terms, twx_slice text) {
    const twx_rc rc = twx_terms_each(terms, text, true, stop, NULL);
    if (rc == TWX_E_NOMEM) return twx_fail(cx, rc, "out of memory for a query");
    return rc == TWX_DONE ? TWX_OK : TWX_DONE;
}

static twx_rc add_piece(twx_ctx *cx, const piece *p, alternative *a) {
    twx_buf *out = p->excluded ? &a->excluded : &a->wanted;
    twx_rc rc = TWX_OK;
    if (out->n) rc = twx_buf_add_text(cx, out, p->excluded || a->any ? " OR " : " AND ");
    if (rc == TWX_OK && p->column) rc = twx_buf_printf(cx, out, "%s : ", p->column);
    if (rc == TWX_OK) rc = twx_buf_add_char(cx, out, '"');
    for (size_t i = 0; rc == TWX_OK && i < p->text.n; i++) {
        const char c = p->text.p[i];
        rc = twx_buf_add_char(cx, out, c == '"' || c == '\0' ? ' ' : c);
    }
    return rc == TWX_OK ? twx_buf_add_text(cx, out, p->begins ? "\" *" : "\"") : rc;
}

static twx_rc end_alternative(twx_ctx *cx, alternative *a, twx_buf *out) {
    twx_rc rc = TWX_OK;
    if (a->wanted.n && out->n) rc = twx_buf_add_text(cx, out, " OR ");
    if (rc == TWX_OK && a->wanted.n) rc = twx_buf_printf(cx, out, "(%s)", a->wanted.p);
    if (rc == TWX_OK && a->wanted.n && a->excluded.n)
        rc = twx_buf_printf(cx, out, a->any ? " OR (%s)" : " NOT (%s)", a->excluded.p);
    twx_buf_clear(&a->wanted);
    twx_buf_clear(&a->excluded);
    return rc;
}

twx_rc twx_plain_query(twx_ctx *cx, twx_terms *terms, twx_slice query, bool any, twx_buf *out) {
    alternative a = {.any = any, .wanted = {.max = out->max}, .excluded = {.max = out->max}};
    twx_buf_clear(out);
    bool exclude = false; /* after NOT */
    twx_rc rc = TWX_OK;
    for (size_t i = skip_blanks(query, 0); rc == TWX_OK && i < query.n; i = skip_blanks(query, i)) {
        piece p = {.excluded = exclude};
        const twx_slice word = twx_slice_sub(query, i, word_end(query, i));
        exclude = twx_slice_eq(word, TWX_SLICE_LIT("NOT"));
        const bool is_or = twx_slice_eq(word, TWX_SLICE_LIT("OR"));
        if (exclude || is_or || twx_slice_eq(word, TWX_SLICE_LIT("AND"))) {
            i += word.n;
            if (is_or) rc = end_alternative(cx, &a, out);
            continue;
        }
        i = read_piece(query, i, &p);
        rc = has_terms(cx, terms, p.text);
        if (rc == TWX_OK) rc = add_piece(cx, &p, &a);
        if (rc == TWX_DONE) rc = TWX_OK;
    }
    if (rc == TWX_OK) rc = end_alternative(cx, &a, out);
    if (rc == TWX_OK && out->n == 0) rc = twx_buf_add_text(cx, out, "\"\"");
    twx_buf_done(&a.wanted);
    twx_buf_done(&a.excluded);
    return rc;
}
