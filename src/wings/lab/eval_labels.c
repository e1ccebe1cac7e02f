#include "lab/lab.h"

#include <errno.h>
#include <sys/stat.h>

/* ==== eval_labels */

enum {
    LINE_BYTES = 4 << 20,
    URL_SEED = 0 /* as of url_key in facts */,
    CLUSTER_SEED = 2,
    PAIR_SEED = 3,
    FIELDS_MAX = 3
};

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

/* Splits a line at its tabs, without the white space around the fields. Returns how many fields it
 * has; FIELDS_MAX + 1: more than FIELDS_MAX. */
static size_t split(twx_slice line, twx_slice ret_fields[FIELDS_MAX]) {
    size_t n = 0;
    for (size_t from = 0; from <= line.n && n <= FIELDS_MAX; n++) {
        const size_t tab = twx_slice_find(line, '\t', from);
        if (n < FIELDS_MAX) ret_fields[n] = twx_slice_trim(twx_slice_sub(line, from, tab));
        from = tab + 1;
    }
    return n;
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
    twx_arena scratch = {0};
    uint64_t hash = 0, number = 0;
    if (!url.p) return TWX_OK;
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
    if (r->line == 1 && twx_slice_starts(line, TWX_SLICE_LIT("\xEF\xBB\xBF")))
        line = twx_slice_sub(line, 3, line.n); /* a byte order mark */
    const twx_slice trimmed = twx_slice_trim(line);
    if (trimmed.n == 0 || trimmed.p[0] == '#') return TWX_OK;
    const size_t n = split(line, fields);
    if (n > FIELDS_MAX) return fail_line(r, "more than three fields");
    if (n < 2) return fail_line(r, "neither 'url TAB url TAB 1|0' nor 'url TAB cluster'");
    if (r->begun && r->labels->clusters != (n == 2))
        return fail_line(r, "pairs and clusters in one file");
    r->begun = true;
    r->labels->clusters = n == 2;
    return n == 2 ? take_member(r, fields) : take_pair(r, fields);
}

static twx_rc read_lines(reading *r) {
    twx_buf line = {.max = LINE_BYTES};
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK) {
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
    twx_eval_labels labels = {.url_options = *url_options, .by_url = {.seed = URL_SEED}};
    reading r = {.cx = cx, .in = in, .labels = &labels, .scratch = {.keep = 1 << 16}};
    /* the seeds are constant, so crafted keys could collide: the file is the user's own */
    twx_map64_init(&r.clusters, CLUSTER_SEED);
    twx_map64_init(&r.pairs, PAIR_SEED);
    twx_rc rc = read_lines(&r);
    twx_map64_done(&r.clusters);
    twx_map64_done(&r.pairs);
    twx_arena_done(&r.scratch);
    TWX_HAND_OVER(rc, ret_labels, labels, twx_eval_labels_done(&labels));
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

TWX_ORDER_2(by_text, twx_eval_share, text, cluster)

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
    TWX_HAND_OVER(rc, ret_shares, s, twx_eval_shares_done(&s));
    return rc;
}

void twx_eval_shares_done(twx_eval_shares *s) {
    if (!s) return;
    TWX_VEC_DONE(&s->at);
    TWX_VEC_DONE(&s->from);
}

/* ==== known_copies */

enum { KNOWN_URL_SEED = 23, COPIES_LINE_BYTES = 1 << 16, PLACE_BYTES = 400 };

typedef struct known_reading {
    twx_ctx *cx;
    const twx_eval_finding *how;
    twx_known_pairs *pairs;
    twx_arena strings;
    TWX_VEC(twx_known_rule) rules;
    twx_map64 by_url; /* hash of the URL as stored -> document */
    twx_buf made;
    uint32_t next; /* document of the next row */
} known_reading;

/* ---- the file ---- */

static bool relates_copies(twx_slice relation) {
    return !twx_slice_eq(relation, TWX_SLICE_LIT("version")) &&
           !twx_slice_eq(relation, TWX_SLICE_LIT("variant")) &&
           !twx_slice_eq(relation, TWX_SLICE_LIT("redirect"));
}

twx_rc twx_known_rule_parse(twx_ctx *cx, twx_slice line, const char *place, twx_arena *arena,
                            twx_known_rule *ret_rule) {
    twx_slice field[FIELDS_MAX];
    if (twx_slice_trim(line).n == 0 || line.p[0] == '#') return TWX_DONE;
    if (split(line, field) < FIELDS_MAX || field[1].n == 0 || field[2].n == 0)
        return twx_fail(cx, TWX_E_DATA, "%s: not 'relation TAB prefix TAB prefix'", place);
    if (!relates_copies(field[0])) return TWX_DONE;
    twx_known_rule rule = {.query = twx_slice_starts(field[0], TWX_SLICE_LIT("query"))};
    if (rule.query && field[1].p[field[1].n - 1] == '*') field[1].n--;
    twx_rc rc = twx_arena_copy(cx, arena, field[1], &rule.prefix);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, field[2], &rule.other);
    if (rc == TWX_OK) *ret_rule = rule;
    return rc;
}

static twx_rc read_file(known_reading *k) {
    twx_input *in = NULL;
    twx_buf line = {.max = COPIES_LINE_BYTES};
    twx_known_rule rule;
    char place[PLACE_BYTES];
    uint64_t number = 0;
    twx_rc rc = twx_input_open_list(k->cx, k->how->known, TWX_INPUT_LIST_BYTES, &in);
    while (rc == TWX_OK && (rc = twx_input_line(in, &line)) == TWX_OK) {
        snprintf(place, sizeof place, "%.300s:%" PRIu64, k->how->known, ++number);
        rc = twx_known_rule_parse(k->cx, twx_buf_slice(&line), place, &k->strings, &rule);
        if (rc == TWX_OK && !TWX_VEC_PUSH(k->cx, &k->rules, rule)) rc = TWX_E_NOMEM;
        if (rc == TWX_DONE) rc = TWX_OK; /* a line that relates no copies */
    }
    twx_input_close(in);
    twx_buf_done(&line);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* ---- the URLs ---- */

/* The URL without its query, if the query consists of exactly one of the rule's parameters. */
static bool without_query(const twx_known_rule *rule, twx_slice url, twx_slice *ret_base) {
    const size_t mark = twx_slice_find(url, '?', 0);
    if (mark >= url.n) return false;
    const twx_slice query = twx_slice_sub(url, mark, url.n);
    const size_t equals = twx_slice_find(query, '=', 0);
    if (equals >= query.n || twx_slice_find(query, '&', 0) < query.n) return false;
    const twx_slice name = twx_slice_sub(query, 0, equals + 1);
    *ret_base = twx_slice_sub(url, 0, mark);
    for (size_t at = 0; at < rule->other.n; at++)
        if (twx_slice_starts(twx_slice_sub(rule->other, at, rule->other.n), name)) return true;
    return false;
}

twx_rc twx_known_rule_apply(twx_ctx *cx, const twx_known_rule *rule, twx_slice url, twx_buf *room,
                            twx_slice *ret_other) {
    twx_buf_clear(room);
    if (!twx_slice_starts(url, rule->prefix)) return TWX_DONE;
    if (rule->query) return without_query(rule, url, ret_other) ? TWX_OK : TWX_DONE;
    twx_rc rc = twx_buf_add_slice(cx, room, rule->other);
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, room, twx_slice_sub(url, rule->prefix.n, url.n));
    if (rc == TWX_OK) *ret_other = twx_buf_slice(room);
    return rc;
}

/* The index and the URL of the row's document; false: it has no text or no URL. */
static bool next_document(known_reading *k, const twx_source_row *row, uint32_t *ret_document,
                          twx_slice *ret_url) {
    *ret_document = twx_eval_document_again(k->how->documents, row, &k->next);
    *ret_url = twx_bytes_of(&row->value[TWX_COL_URL]);
    return ret_url->p && *ret_document != TWX_NO_DOCUMENT &&
           twx_finding_text(k->how, *ret_document) != TWX_EVAL_NO_TEXT;
}

static twx_rc list_url(void *arg, const twx_source_row *row) {
    known_reading *k = arg;
    uint32_t document;
    twx_slice url;
    if (!next_document(k, row, &document, &url)) return TWX_OK;
    return twx_map64_put(k->cx, &k->by_url, twx_hash64(url, KNOWN_URL_SEED), document);
}

static twx_rc match_url(void *arg, const twx_source_row *row) {
    known_reading *k = arg;
    uint32_t a;
    twx_slice url;
    if (!next_document(k, row, &a, &url)) return TWX_OK;
    for (size_t i = 0; i < k->rules.n; i++) {
        twx_slice other;
        uint64_t b = 0;
        const twx_rc rc = twx_known_rule_apply(k->cx, &k->rules.at[i], url, &k->made, &other);
        if (rc == TWX_DONE) continue;
        if (rc != TWX_OK) return rc;
        if (!twx_map64_get(&k->by_url, twx_hash64(other, KNOWN_URL_SEED), &b)) continue;
        if (a != b && twx_finding_text(k->how, a) != twx_finding_text(k->how, (uint32_t)b) &&
            twx_finding_title(k->how, a) == twx_finding_title(k->how, (uint32_t)b) &&
            !TWX_VEC_PUSH(k->cx, k->pairs, (twx_known_pair){a, (uint32_t)b}))
            return TWX_E_NOMEM;
    }
    return TWX_OK;
}

twx_rc twx_known_copies_read(const twx_eval_finding *how, twx_known_pairs *ret_pairs) {
    known_reading k = {
        .cx = how->job->cx, .how = how, .pairs = ret_pairs, .made = {.max = SIZE_MAX / 4}};
    twx_opened *o = how->documents->o;
    twx_map64_init(&k.by_url, KNOWN_URL_SEED);
    twx_rc rc = read_file(&k);
    if (rc == TWX_OK) rc = twx_scan_documents(how->job, o, "list URLs", list_url, &k);
    k.next = 0;
    if (rc == TWX_OK) rc = twx_scan_documents(how->job, o, "find known copies", match_url, &k);
    twx_arena_done(&k.strings);
    TWX_VEC_DONE(&k.rules);
    twx_map64_done(&k.by_url);
    twx_buf_done(&k.made);
    return rc;
}

/* ==== similar_labels */

static twx_rc read_pairs(const twx_job *job, const char *path, const twx_url_options *url_options,
                         twx_eval_labels *labels) {
    struct stat st;
    twx_input *in = NULL;
    if (!path || stat(path, &st) != 0 || st.st_size == 0) return TWX_OK;
    twx_rc rc = twx_input_open_list(job->cx, path, TWX_INPUT_LIST_BYTES, &in);
    if (rc == TWX_OK) rc = twx_eval_labels_read(job->cx, url_options, in, labels);
    twx_input_close(in);
    if (rc == TWX_OK && labels->clusters)
        rc = twx_fail(job->cx, TWX_E_DATA, "%.300s has clusters: labels of pairs are needed", path);
    return rc;
}

/* documents: by URL of the labels. The threshold is 0 meanwhile. */
static twx_rc measure_pairs(twx_ctx *cx, const twx_eval_labels *labels, const uint32_t *documents,
                            twx_near *near, twx_similar_labels *made) {
    const twx_params *const kept = near->params;
    const uint32_t *const thresholds = near->thresholds;
    twx_params params = *kept;
    twx_rc rc = TWX_OK;
    twx_params_set_threshold(&params, near->detector, 0);
    near->params = &params;
    near->thresholds = NULL;
    for (size_t i = 0; rc == TWX_OK && i < labels->pairs.n; i++) {
        const uint32_t a = documents[labels->pairs.at[i].a], b = documents[labels->pairs.at[i].b];
        twx_similar_label l = {.same = labels->pairs.at[i].same, .ppm = -1};
        if (a != TWX_NO_DOCUMENT && b != TWX_NO_DOCUMENT && twx_near_has(near, a) &&
            twx_near_has(near, b))
            l.ppm = twx_near_similarity(near, near->node[a], near->node[b], false);
        if (l.ppm < 0) {
            made->unknown++;
            continue;
        }
        if (l.ppm > 1000000) l.ppm = 1000000; /* one text */
        rc = twx_map64_put(cx, &made->texts, twx_eval_pair_of(near->node[a], near->node[b]), 1);
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &made->at, l)) rc = TWX_E_NOMEM;
    }
    near->params = kept;
    near->thresholds = thresholds;
    return rc;
}

twx_rc twx_similar_labels_read(const twx_job *job, const char *path,
                               const twx_url_options *url_options, twx_doc_set *j,
                               twx_similar_labels *ret_labels) {
    twx_eval_labels labels = {0};
    twx_similar_labels_done(ret_labels);
    twx_rc rc = read_pairs(job, path, url_options, &labels);
    uint32_t *documents = twx_malloc(job->cx, (labels.urls.n + 1) * sizeof *documents);
    if (rc == TWX_OK && !documents) rc = TWX_E_NOMEM;
    for (size_t u = 0; rc == TWX_OK && u < labels.urls.n; u++) documents[u] = TWX_NO_DOCUMENT;
    for (size_t i = j->docs.at.n; rc == TWX_OK && labels.urls.n && i-- > 0;) {
        uint64_t url = 0;
        if (twx_map64_get(&labels.by_url, j->docs.at.at[i].url_key, &url))
            documents[url] = (uint32_t)i;
    }
    if (rc == TWX_OK) rc = measure_pairs(job->cx, &labels, documents, &j->near, ret_labels);
    if (rc == TWX_OK && ret_labels->unknown)
        twx_job_message(job, TWINDEX_WARNING,
                        "%" PRIu64 " labels of %s concern documents that the store does not have, "
                        "or that have too few words",
                        ret_labels->unknown, path);
    twx_free(documents);
    twx_eval_labels_done(&labels);
    return rc;
}

void twx_similar_labels_done(twx_similar_labels *l) {
    TWX_VEC_DONE(&l->at);
    twx_map64_done(&l->texts);
    *l = (twx_similar_labels){0};
}

/* ==== label_append */

twx_rc twx_label_append(twx_ctx *cx, const char *path, const twx_slice url[2], bool same) {
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < url[k].n; i++)
            if (strchr("\t\r\n", url[k].p[i]))
                return twx_fail(cx, TWX_E_DATA,
                                "not added to %.300s: a URL has a tab or the end of a line", path);
    twx_buf line = {.max = SIZE_MAX - 1};
    FILE *file = fopen(path, "a+e");
    /* whoever wrote the file may have left its last line open */
    const bool is_open = file && fseek(file, -1, SEEK_END) == 0 && fgetc(file) != '\n';
    twx_rc rc = twx_buf_add_text(cx, &line, is_open ? "\n" : "");
    for (int k = 0; rc == TWX_OK && k < 2; k++) {
        rc = twx_buf_add_slice(cx, &line, url[k]);
        if (rc == TWX_OK) rc = twx_buf_add_char(cx, &line, '\t');
    }
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, &line, same ? "1\n" : "0\n");
    const bool is_written = rc == TWX_OK && file && fseek(file, 0, SEEK_END) == 0 &&
                            fwrite(line.p, 1, line.n, file) == line.n;
    const bool is_closed = file && fclose(file) == 0;
    if (rc == TWX_OK && !(is_written && is_closed))
        rc = twx_fail(cx, TWX_E_IO, "write %.300s: %s", path, strerror(errno));
    twx_buf_done(&line);
    return rc;
}
