/* One routine, match(), pairs the equal pieces of two texts. It is called with all sentences, and
 * then with the words of each differing part between two matched sentences. There is no
 * recursion. */
#include "text/internal.h"

enum {
    TWX_TEXT_DIFF_EDITS = 2048,    /* sentences or words deleted and inserted between two anchors */
    TWX_TEXT_DIFF_PIECES = 1 << 20 /* sentences of a text, or words of a differing part of it */
};

enum {
    SINGLE_FROM = 0x2E80, /* CJK radicals: the scripts without blanks between words begin here */
    NONE = 0,
    CANCEL_PIECES = 4096, /* after so many, cancellation is looked for */
    /* comparisons of two pieces; counted, not timed, so that every machine computes the same */
    STEPS = 1 << 27
};
#define REPEATED UINT64_MAX

/* A sentence or word. text extends to the beginning of the next one. */
typedef struct piece {
    twx_slice text;
    size_t partner; /* in a: index in b plus 1; NONE: unmatched */
    uint64_t hash;  /* of text without white space at its ends */
} piece;

typedef TWX_VEC(piece) pieces;

/* Two texts, or parts of them, as pieces. */
typedef struct matching {
    twx_ctx *cx;
    pieces a, b;
    twx_edits edits;
    TWX_VEC(uint32_t) anchor; /* indexes in a */
    /* of the increasing runs of anchors: the index in `anchor` of the last one */
    TWX_VEC(uint32_t) tail;
    TWX_VEC(uint32_t) before; /* of an anchor: the index of its predecessor in the run plus 1 */
    bool coarse;
} matching;

/* Pieces [from, to) of each text. */
typedef struct range {
    size_t from_a, to_a, from_b, to_b;
} range;

static void done(matching *m) {
    TWX_VEC_DONE(&m->a);
    TWX_VEC_DONE(&m->b);
    TWX_VEC_DONE(&m->edits.reach);
    TWX_VEC_DONE(&m->anchor);
    TWX_VEC_DONE(&m->tail);
    TWX_VEC_DONE(&m->before);
}

/* TWX_DONE: there are too many pieces. */
static twx_rc add_piece(twx_ctx *cx, pieces *list, twx_slice text) {
    const piece p = {.text = text, .hash = twx_hash64(twx_slice_trim(text), 0)};
    if (list->n == TWX_TEXT_DIFF_PIECES) return TWX_DONE;
    if (!TWX_VEC_PUSH(cx, list, p)) return TWX_E_NOMEM;
    return list->n % CANCEL_PIECES == 0 ? twx_cancelled(cx) : TWX_OK;
}

typedef twx_rc cut_fn(twx_ctx *cx, twx_slice text, pieces *list);

static twx_rc cut_sentences(twx_ctx *cx, twx_slice text, pieces *list) {
    twx_sentences *sentences = NULL;
    twx_slice next;
    size_t begin = 0;
    bool first = true; /* the first sentence includes the bytes before it */
    twx_rc rc = twx_sentences_open(cx, NULL, &sentences);
    if (rc != TWX_OK) return rc;
    twx_sentences_start(sentences, text);
    while (rc == TWX_OK && (rc = twx_sentences_next(cx, sentences, &next)) == TWX_OK) {
        size_t at = (size_t)(next.p - text.p);
        if (!first) {
            rc = add_piece(cx, list, twx_slice_sub(text, begin, at));
            begin = at;
            if (rc == TWX_DONE) break;
        }
        first = false;
    }
    bool whole = rc == TWX_DONE && list->n < TWX_TEXT_DIFF_PIECES;
    if (whole)
        rc = text.n > begin ? add_piece(cx, list, twx_slice_sub(text, begin, text.n)) : TWX_OK;
    twx_sentences_close(sentences);
    return rc;
}

static bool is_mark(char c) {
    const unsigned char byte = (unsigned char)c;
    return byte < 0x80 && !twx_is_alpha(byte) && !twx_is_digit(byte) && !twx_is_space(byte);
}

/* The end of the word that begins at p, with punctuation marks after it, without white space. */
static const char *word_end(const char *p, const char *end) {
    const char *start = p;
    for (uint32_t code = 0; p < end && !twx_is_space((unsigned char)*p) && !is_mark(*p);) {
        size_t used = twx_utf8_next(p, end, &code);
        bool single = code >= SINGLE_FROM && code != TWX_REPLACEMENT;
        if (single && p > start) return p;
        p += used;
        if (single) break;
    }
    while (p < end && is_mark(*p)) p++;
    return p;
}

static twx_rc cut_words(twx_ctx *cx, twx_slice text, pieces *list) {
    twx_rc rc = TWX_OK;
    for (const char *p = text.p, *end = text.p + text.n; rc == TWX_OK && p < end;) {
        const char *next = twx_skip_space(word_end(twx_skip_space(p, end), end), end);
        rc = add_piece(cx, list, (twx_slice){p, (size_t)(next - p)});
        p = next;
    }
    return rc;
}

/* ret_whole: both texts were cut completely. */
static twx_rc cut_both(matching *m, cut_fn *cut, twx_slice a, twx_slice b, bool *ret_whole) {
    m->a.n = m->b.n = 0;
    twx_rc rc = cut(m->cx, a, &m->a);
    if (rc == TWX_OK) rc = cut(m->cx, b, &m->b);
    *ret_whole = rc == TWX_OK;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static bool same(const matching *m, size_t i, size_t j) {
    const piece *x = &m->a.at[i], *y = &m->b.at[j];
    return x->hash == y->hash && twx_slice_eq(twx_slice_trim(x->text), twx_slice_trim(y->text));
}

static void pair_up(matching *m, size_t i, size_t j) {
    m->a.at[i].partner = j + 1;
}

/* ---- anchors: pieces that occur once in either text --------------------- */

/* hash -> index plus 1, or REPEATED */
static twx_rc note_places(twx_ctx *cx, const pieces *list, size_t from, size_t to,
                          twx_map64 *places) {
    for (size_t i = from; i < to; i++) {
        uint64_t found = 0;
        twx_rc rc = twx_map64_add(cx, places, list->at[i].hash, i + 1, &found);
        if (rc == TWX_OK && found != i + 1 && found != REPEATED)
            rc = twx_map64_put(cx, places, list->at[i].hash, REPEATED);
        if (rc != TWX_OK) return rc;
    }
    return TWX_OK;
}

/* Matches all anchors provisionally; keep_longest_run() decides which matches stay. */
static twx_rc list_anchors(matching *m, const range *r) {
    uint64_t i = 0, j = 0;
    m->anchor.n = 0;
    /* hard to guess; affects only the order of slots */
    const uint64_t seed = (uint64_t)(uintptr_t)m;
    twx_map64 in_a = {.seed = seed}, in_b = {.seed = seed};
    twx_rc rc = note_places(m->cx, &m->a, r->from_a, r->to_a, &in_a);
    if (rc == TWX_OK) rc = note_places(m->cx, &m->b, r->from_b, r->to_b, &in_b);
    for (size_t at = r->from_a; rc == TWX_OK && at < r->to_a; at++) {
        uint64_t hash = m->a.at[at].hash;
        bool once = twx_map64_get(&in_a, hash, &i) && i == at + 1 &&
                    twx_map64_get(&in_b, hash, &j) && j != REPEATED;
        if (!once || !same(m, at, (size_t)j - 1)) continue;
        pair_up(m, at, (size_t)j - 1);
        if (!TWX_VEC_PUSH(m->cx, &m->anchor, (uint32_t)at)) rc = TWX_E_NOMEM;
    }
    twx_map64_done(&in_a);
    twx_map64_done(&in_b);
    return rc;
}

static size_t mate_of_anchor(const matching *m, size_t i) {
    return m->a.at[m->anchor.at[i]].partner;
}

/* Keeps a longest run of anchors whose matches ascend (Fredman 1975), and unmatches others. */
static twx_rc keep_longest_run(matching *m) {
    m->tail.n = m->before.n = 0;
    for (size_t i = 0; i < m->anchor.n; i++) {
        /* [0, low) are the runs whose last match is below that of i */
        size_t low = 0, high = m->tail.n;
        TWX_BISECT(low, high, mate_of_anchor(m, m->tail.at[middle]) < mate_of_anchor(m, i));
        if (!TWX_VEC_PUSH(m->cx, &m->before, low ? m->tail.at[low - 1] + 1 : NONE))
            return TWX_E_NOMEM;
        if (low == m->tail.n && !TWX_VEC_PUSH(m->cx, &m->tail, 0)) return TWX_E_NOMEM;
        m->tail.at[low] = (uint32_t)i;
    }
    size_t kept = m->tail.n ? m->tail.at[m->tail.n - 1] + 1 : NONE;
    for (size_t i = m->anchor.n; i > 0; i--) {
        if (i == kept)
            kept = m->before.at[i - 1];
        else
            m->a.at[m->anchor.at[i - 1]].partner = NONE;
    }
    return TWX_OK;
}

/* ---- between anchors: Myers' greedy algorithm --------------------------- */

/* The pieces between two anchors. */
typedef struct part {
    matching *m;
    range r;
} part;

static inline bool is_equal(const void *arg, int32_t i, int32_t j) {
    const part *p = arg;
    return same(p->m, p->r.from_a + (size_t)i, p->r.from_b + (size_t)j);
}

static inline void pair(void *arg, int32_t i, int32_t j) {
    part *p = arg;
    pair_up(p->m, p->r.from_a + (size_t)i, p->r.from_b + (size_t)j);
}

static twx_rc match_gap(matching *m, const range *r) {
    part p = {m, *r};
    if (r->from_a == r->to_a || r->from_b == r->to_b) return TWX_OK;
    m->edits.n = (int32_t)(r->to_a - r->from_a);
    m->edits.m = (int32_t)(r->to_b - r->from_b);
    for (int32_t d = 0; d <= TWX_TEXT_DIFF_EDITS && m->edits.steps < STEPS; d++) {
        twx_rc rc = twx_cancelled(m->cx);
        if (rc != TWX_OK) return rc;
        if (!TWX_VEC_RESERVE(m->cx, &m->edits.reach, ((size_t)d + 1) * ((size_t)d + 2) / 2))
            return TWX_E_NOMEM;
        if (!twx_edits_extend(&m->edits, d, is_equal, &p)) continue;
        twx_edits_pair(&m->edits, d, pair, &p);
        return TWX_OK;
    }
    m->coarse = true;
    return TWX_OK;
}

static twx_rc match(matching *m) {
    range r = {0, m->a.n, 0, m->b.n};
    while (r.from_a < r.to_a && r.from_b < r.to_b && same(m, r.from_a, r.from_b))
        pair_up(m, r.from_a++, r.from_b++);
    while (r.from_a < r.to_a && r.from_b < r.to_b && same(m, r.to_a - 1, r.to_b - 1))
        pair_up(m, --r.to_a, --r.to_b);
    twx_rc rc = list_anchors(m, &r);
    if (rc == TWX_OK) rc = keep_longest_run(m);
    range gap = r;
    for (size_t i = r.from_a; rc == TWX_OK && i < r.to_a; i++) {
        if (m->a.at[i].partner == NONE) continue;
        gap.to_a = i;
        gap.to_b = m->a.at[i].partner - 1;
        rc = match_gap(m, &gap); /* matches only pieces before i */
        gap.from_a = gap.to_a + 1;
        gap.from_b = gap.to_b + 1;
    }
    gap.to_a = r.to_a;
    gap.to_b = r.to_b;
    return rc == TWX_OK ? match_gap(m, &gap) : rc;
}

/* The bytes of pieces [from, to) of text; an empty range has a position, too. */
static twx_slice bytes_of(const pieces *list, size_t from, size_t to, twx_slice text) {
    const char *begin = from < list->n ? list->at[from].text.p : text.p + text.n;
    const char *end = to < list->n ? list->at[to].text.p : text.p + text.n;
    return (twx_slice){begin, (size_t)(end - begin)};
}

static twx_rc add_passage(twx_ctx *cx, twx_text_diff *out, twx_passage p) {
    if (p.a.n == 0 && p.b.n == 0) return TWX_OK;
    twx_passage *last = out->at.n ? &out->at.at[out->at.n - 1] : NULL;
    if (last && last->kind == p.kind) {
        last->a.n += p.a.n;
        last->b.n += p.b.n;
        return TWX_OK;
    }
    return TWX_VEC_PUSH(cx, &out->at, p) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc add_difference(twx_ctx *cx, twx_text_diff *out, twx_slice a, twx_slice b) {
    twx_rc rc = add_passage(cx, out, (twx_passage){TWX_PASSAGE_ONLY_A, a, {b.p, 0}});
    return rc == TWX_OK ? add_passage(cx, out, (twx_passage){TWX_PASSAGE_ONLY_B, {a.p + a.n, 0}, b})
                        : rc;
}

typedef twx_rc differ_fn(void *arg, twx_text_diff *out, twx_slice a, twx_slice b);

/* Writes the result of match(); calls `differ` for the parts without a match. */
static twx_rc list_passages(const matching *m, twx_slice a, twx_slice b, differ_fn *differ,
                            void *arg, twx_text_diff *out) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0, j = 0; rc == TWX_OK && (i < m->a.n || j < m->b.n);) {
        size_t from_a = i, from_b = j;
        while (i < m->a.n && m->a.at[i].partner == j + 1) i++, j++;
        const twx_passage both = {TWX_PASSAGE_BOTH, bytes_of(&m->a, from_a, i, a),
                                  bytes_of(&m->b, from_b, j, b)};
        rc = add_passage(m->cx, out, both);
        from_a = i, from_b = j;
        while (i < m->a.n && m->a.at[i].partner == NONE) i++;
        j = i < m->a.n ? m->a.at[i].partner - 1 : m->b.n;
        if (rc == TWX_OK)
            rc = differ(arg, out, bytes_of(&m->a, from_a, i, a), bytes_of(&m->b, from_b, j, b));
    }
    return rc;
}

static twx_rc list_words(void *arg, twx_text_diff *out, twx_slice a, twx_slice b) {
    const matching *m = arg;
    return add_difference(m->cx, out, a, b);
}

/* Compares two parts whose sentences differ by words. */
static twx_rc list_sentences(void *arg, twx_text_diff *out, twx_slice a, twx_slice b) {
    matching *words = arg;
    bool whole = false;
    if (a.n == 0 || b.n == 0) return add_difference(words->cx, out, a, b);
    twx_rc rc = cut_both(words, cut_words, a, b, &whole);
    if (rc != TWX_OK) return rc;
    if (!whole) {
        words->coarse = true;
        return add_difference(words->cx, out, a, b);
    }
    rc = match(words);
    return rc == TWX_OK ? list_passages(words, a, b, list_words, words, out) : rc;
}

twx_rc twx_text_diff_of(twx_ctx *cx, twx_slice a, twx_slice b, twx_text_diff *ret_diff) {
    matching sentences = {.cx = cx}, words = {.cx = cx};
    twx_text_diff out = {0};
    bool whole = false;
    if (!a.p) a = TWX_SLICE_LIT("");
    if (!b.p) b = TWX_SLICE_LIT("");
    twx_rc rc = cut_both(&sentences, cut_sentences, a, b, &whole);
    if (rc == TWX_OK && whole) {
        rc = match(&sentences);
        if (rc == TWX_OK) rc = list_passages(&sentences, a, b, list_sentences, &words, &out);
    } else if (rc == TWX_OK) {
        rc = list_sentences(&words, &out, a, b);
    }
    /* when there are too many sentences, the words are matched instead, which are never longer */
    out.coarse = words.coarse;
    done(&sentences);
    done(&words);
    TWX_HAND_OVER(rc, ret_diff, out, twx_text_diff_done(&out));
    return rc;
}

void twx_text_diff_done(twx_text_diff *p) {
    if (!p) return;
    TWX_VEC_DONE(&p->at);
    p->coarse = false;
}
