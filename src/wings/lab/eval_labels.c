#include "lab/eval_labels.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/hash64.h"

enum { LINE_BYTES = 4 << 20, URL_SEED = 1, CLUSTER_SEED = 2, PAIR_SEED = 3, FIELDS_MAX = 3 };

typedef struct reading {
    twx_ctx *cx;
    twx_input *in;
    uint64_t line;
    bool begun; /* the kind of file has been determined */
    twx_eval_labels *labels;
    twx_map64 clusters, pairs; /* hash of the name -> number; hash of two URLs -> pair */
    twx_arena scratch;         /* for one line */
} reading;

static twx_rc fail_line(const reading *r, const char *reason) {
    return twx_fail(r->cx, TWX_E_DATA, "%s:%" PRIu64 ": %s", twx_input_name(r->in), r->line,
                    reason);
}

/* ---- URLs --------------------------------------------------------------- */

/* Hash of the normalized URL, or of the bytes if they are not a usable URL. */
static twx_rc hash_url(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                       twx_slice url, uint64_t *ret_hash) {
    twx_url normal;
    twx_rc rc = twx_url_normalize(cx, scratch, options, url, &normal);
    if (rc == TWX_OK)
        *ret_hash = twx_hash64(normal.fault == TWX_URL_OK ? normal.whole : url, URL_SEED);
    return rc;
}

/* The index of a URL; a new one is appended. */
static twx_rc number_url(reading *r, twx_slice url, uint32_t *ret_number) {
    twx_eval_labels *l = r->labels;
    uint64_t hash = 0, number = 0;
    if (url.n == 0) return fail_line(r, "a URL is empty");
    twx_rc rc = hash_url(r->cx, &r->scratch, &l->url_options, url, &hash);
    if (rc == TWX_OK) rc = twx_map64_add(r->cx, &l->by_url, hash, l->urls.n, &number);
    if (rc == TWX_OK && number >= UINT32_MAX) rc = fail_line(r, "more than 4 billion URLs");
    if (rc == TWX_OK && number == l->urls.n) {
        twx_eval_label_url made = {.text = TWX_EVAL_NO_TEXT, .cluster = UINT32_MAX};
        rc = twx_arena_copy(r->cx, &l->strings, url, &made.url);
        if (rc == TWX_OK && !TWX_VEC_PUSH(r->cx, &l->urls, made)) rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK) *ret_number = (uint32_t)number;
    return rc;
}

twx_rc twx_eval_labels_meet(twx_ctx *cx, twx_eval_labels *l, twx_slice url, uint32_t text) {
    twx_arena scratch;
    uint64_t hash = 0, number = 0;
    if (!url.p) return TWX_OK;
    twx_arena_init(&scratch, 0);
    twx_rc rc = hash_url(cx, &scratch, &l->url_options, url, &hash);
    twx_arena_done(&scratch);
    if (rc != TWX_OK || !twx_map64_get(&l->by_url, hash, &number)) return rc;
    twx_eval_label_url *labelled = &l->urls.at[number];
    if (!labelled->met) labelled->text = text;
    labelled->met = true;
    return TWX_OK;
}

/* ---- lines -------------------------------------------------------------- */

static twx_rc take_pair(reading *r, const twx_slice *fields) {
    twx_eval_labels *l = r->labels;
    twx_eval_label_pair pair = {0};
    uint64_t known = 0;
    bool same = twx_slice_eq(fields[2], TWX_SLICE_LIT("1"));
    if (!same && !twx_slice_eq(fields[2], TWX_SLICE_LIT("0")))
        return fail_line(r, "the third field is neither 1 nor 0");
    twx_rc rc = number_url(r, fields[0], &pair.a);
    if (rc == TWX_OK) rc = number_url(r, fields[1], &pair.b);
    if (rc != TWX_OK) return rc;
    if (pair.a == pair.b) return fail_line(r, "both URLs are the same");
    pair.same = same;
    uint32_t low = pair.a < pair.b ? pair.a : pair.b, high = pair.a < pair.b ? pair.b : pair.a;
    rc = twx_map64_add(r->cx, &r->pairs, (uint64_t)low << 32 | high, l->pairs.n, &known);
    if (rc != TWX_OK) return rc;
    if (known < l->pairs.n)
        return l->pairs.at[known].same == same
                   ? TWX_OK
                   : fail_line(r, "an earlier line says the opposite of this pair");
    return TWX_VEC_PUSH(r->cx, &l->pairs, pair) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc take_member(reading *r, const twx_slice *fields) {
    twx_eval_labels *l = r->labels;
    uint32_t url = 0;
    uint64_t cluster = 0;
    if (fields[1].n == 0) return fail_line(r, "the name of the cluster is empty");
    twx_rc rc = number_url(r, fields[0], &url);
    if (rc == TWX_OK)
        rc = twx_map64_add(r->cx, &r->clusters, twx_hash64(fields[1], CLUSTER_SEED), l->n_clusters,
                           &cluster);
    if (rc != TWX_OK) return rc;
    if (cluster == l->n_clusters) l->n_clusters++;
    twx_eval_label_url *labelled = &l->urls.at[url];
    if (labelled->cluster != UINT32_MAX && labelled->cluster != cluster)
        return fail_line(r, "an earlier line puts this URL into another cluster");
    labelled->cluster = (uint32_t)cluster;
    return TWX_OK;
}

static twx_rc take_line(reading *r, twx_slice line) {
    twx_slice fields[FIELDS_MAX];
    size_t n = 0;
    twx_slice trimmed = twx_slice_trim(line);
    if (trimmed.n == 0 || trimmed.p[0] == '#') return TWX_OK;
    for (size_t from = 0; from <= line.n; n++) {
        size_t tab = twx_slice_find(line, '\t', from);
        if (n == FIELDS_MAX) return fail_line(r, "more than three fields");
        fields[n] = twx_slice_trim(twx_slice_sub(line, from, tab));
        from = tab + 1;
    }
    if (n < 2) return fail_line(r, "neither 'url TAB url TAB 1|0' nor 'url TAB cluster'");
    if (r->begun && r->labels->clusters != (n == 2))
        return fail_line(r, "pairs and clusters in one file");
    r->begun = true;
    r->labels->clusters = n == 2;
    return n == 2 ? take_member(r, fields) : take_pair(r, fields);
}

static twx_rc read_lines(reading *r) {
    twx_buf line;
    twx_rc rc = TWX_OK;
    twx_buf_init(&line, LINE_BYTES);
    while (rc == TWX_OK) {
        twx_buf_clear(&line);
        rc = twx_input_line(r->in, &line);
        r->line++;
        if (rc == TWX_E_LIMIT && r->cx->rc == TWX_OK) rc = fail_line(r, "the line is too long");
        if (rc == TWX_OK) rc = take_line(r, twx_buf_slice(&line));
        twx_arena_reset(&r->scratch);
    }
    twx_buf_done(&line);
    if (rc != TWX_DONE) return rc;
    if (r->begun) return TWX_OK;
    return twx_fail(r->cx, TWX_E_DATA, "%s has no labels", twx_input_name(r->in));
}

twx_rc twx_eval_labels_read(twx_ctx *cx, const twx_url_options *url_options, twx_input *in,
                            twx_eval_labels *ret_labels) {
    twx_eval_labels labels = {.url_options = *url_options};
    reading r = {.cx = cx, .in = in, .labels = &labels};
    twx_arena_init(&labels.strings, 0);
    twx_arena_init(&r.scratch, 1 << 16);
    /* the seeds are constant, so crafted keys could collide: the file is the user's own */
    twx_map64_init(&labels.by_url, URL_SEED);
    twx_map64_init(&r.clusters, CLUSTER_SEED);
    twx_map64_init(&r.pairs, PAIR_SEED);
    twx_rc rc = read_lines(&r);
    twx_map64_done(&r.clusters);
    twx_map64_done(&r.pairs);
    twx_arena_done(&r.scratch);
    if (rc == TWX_OK)
        *ret_labels = labels;
    else
        twx_eval_labels_done(&labels);
    return rc;
}

void twx_eval_labels_done(twx_eval_labels *l) {
    if (!l) return;
    TWX_VEC_DONE(&l->urls);
    TWX_VEC_DONE(&l->pairs);
    twx_arena_done(&l->strings);
    twx_map64_done(&l->by_url);
}

/* ---- shares ------------------------------------------------------------- */

static int by_text(const void *left, const void *right) {
    const twx_eval_share *a = left, *b = right;
    if (a->text != b->text) return a->text < b->text ? -1 : 1;
    return (a->cluster > b->cluster) - (a->cluster < b->cluster);
}

/* Adds one share for each URL, then merges those of the same text and cluster. */
static twx_rc join_shares(twx_ctx *cx, const twx_eval_labels *l, twx_eval_shares *s) {
    for (size_t u = 0; u < l->urls.n; u++) {
        const twx_eval_label_url *url = &l->urls.at[u];
        if (url->text == TWX_EVAL_NO_TEXT) continue;
        if (!TWX_VEC_PUSH(cx, &s->at, (twx_eval_share){url->text, url->cluster, 1}))
            return TWX_E_NOMEM;
    }
    if (s->at.n == 0) return TWX_OK;
    qsort(s->at.at, s->at.n, sizeof *s->at.at, by_text);
    size_t kept = 1;
    for (size_t i = 1; i < s->at.n; i++) {
        if (by_text(&s->at.at[i], &s->at.at[kept - 1]) == 0)
            s->at.at[kept - 1].documents++;
        else
            s->at.at[kept++] = s->at.at[i];
    }
    s->at.n = kept;
    return TWX_OK;
}

twx_rc twx_eval_shares_make(twx_ctx *cx, const twx_eval_labels *l, size_t texts,
                            twx_eval_shares *ret_shares) {
    twx_eval_shares s = {0};
    twx_rc rc = join_shares(cx, l, &s);
    for (size_t text = 0, at = 0; rc == TWX_OK && text <= texts; text++) {
        while (at < s.at.n && s.at.at[at].text < text) at++;
        if (!TWX_VEC_PUSH(cx, &s.from, (uint32_t)at)) rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK)
        *ret_shares = s;
    else
        twx_eval_shares_done(&s);
    return rc;
}

void twx_eval_shares_done(twx_eval_shares *s) {
    if (!s) return;
    TWX_VEC_DONE(&s->at);
    TWX_VEC_DONE(&s->from);
}
