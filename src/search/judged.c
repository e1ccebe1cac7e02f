/* Grades are grouped by query; the place of a query is found by the hash of its bytes. One scan of
 * the source, without texts, finds the numbers of all URLs. */
#include "search/searching.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash64.h"
#include "run/document_reader.h"
#include "search/hits.h"
#include "search/ranking.h"

enum { NAMED_MAX = 5 /* unknown URLs and queries that are named */ };

/* A document or cluster with a grade. */
typedef struct graded {
    uint32_t grade;
    int64_t cluster;
} graded;

typedef struct judged_query {
    twx_slice text;
    bool asked;
    TWX_VEC(graded) documents;
} judged_query;

struct twx_judged_queries {
    const char *path;
    twx_buf bytes; /* of the file; slices point into it */
    twx_grades grades;
    twx_map64 by_text; /* hash of the query -> index */
    TWX_VEC(judged_query) queries;
    twx_map64 wanted; /* hash of the URL -> 1 + cluster number in `clusters`, 0: not met */
    TWX_VEC(int64_t) clusters;
    size_t unknown; /* lines whose URL is not in the store */
};

/* ---- looking up ----------------------------------------------------------- */

typedef struct looking {
    const twx_job *job;
    twx_searching *s;
    uint32_t member; /* whose URLs are looked up */
    twx_judged_queries *q;
} looking;

static uint64_t url_hash(twx_slice url) {
    return twx_hash64(url, 0);
}

static twx_rc cluster_of(const looking *l, int64_t doc, int64_t *ret_cluster) {
    const twx_set_member *m = &l->s->set.at[l->member];
    twx_flag_row row;
    twx_rc rc = twx_flags_get(m->o.generations, m->state.generation, doc, &row);
    if (rc != TWX_OK && rc != TWX_DONE) return rc;
    const bool hidden = rc == TWX_OK && twx_flag_known(&row, TWX_FLAG_duplicate_of);
    return twx_searching_number(l->s, l->member, hidden ? row.v[TWX_FLAG_duplicate_of] : doc,
                                ret_cluster);
}

static twx_rc see_row(void *arg, const twx_source_row *row, bool *ret_wanted) {
    looking *l = arg;
    const uint64_t hash = url_hash(twx_bytes_of(&row->value[TWX_COL_URL]));
    uint64_t place = 0;
    int64_t doc = 0, cluster = 0;
    *ret_wanted = false;
    if (!twx_map64_get(&l->q->wanted, hash, &place) || place) return TWX_OK;
    twx_rc rc = twx_document_number(&l->s->set.at[l->member].o, &row->value[TWX_COL_ID], &doc);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    rc = cluster_of(l, doc, &cluster);
    if (rc == TWX_OK && !TWX_VEC_PUSH(l->job->cx, &l->q->clusters, cluster)) rc = TWX_E_NOMEM;
    return rc == TWX_OK ? twx_map64_put(l->job->cx, &l->q->wanted, hash, l->q->clusters.n) : rc;
}

static twx_rc look_up(looking *l) {
    twx_document_reader reader = {.job = l->job,
                                  .stage = "look up judged URLs",
                                  .too_long = "it cannot be looked up",
                                  .want = TWX_WANT_OUTSIDE,
                                  .select = see_row,
                                  .arg = l};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < l->q->grades.n; i++)
        rc = twx_map64_put(l->job->cx, &l->q->wanted, url_hash(l->q->grades.at[i].url), 0);
    for (size_t i = 0; rc == TWX_OK && i < l->s->set.n; i++) {
        l->member = (uint32_t)i;
        reader.source = l->s->set.at[i].o.source;
        rc = twx_document_reader_scan(&reader);
    }
    return rc;
}

/* ---- queries ---------------------------------------------------------------- */

static twx_rc query_of(const twx_job *job, twx_judged_queries *q, twx_slice text,
                       judged_query **ret_query) {
    const judged_query made = {.text = text};
    uint64_t at = 0;
    twx_rc rc = twx_map64_add(job->cx, &q->by_text, twx_hash64(text, 0), q->queries.n, &at);
    if (rc == TWX_OK && at == q->queries.n && !TWX_VEC_PUSH(job->cx, &q->queries, made))
        rc = TWX_E_NOMEM;
    if (rc == TWX_OK) *ret_query = &q->queries.at[at];
    return rc;
}

/* By cluster, highest grade first. */
static int by_cluster(const void *a, const void *b) {
    const graded *x = a, *y = b;
    if (x->cluster != y->cluster) return x->cluster < y->cluster ? -1 : 1;
    return (x->grade < y->grade) - (x->grade > y->grade);
}

/* [R1] A cluster has the highest grade of its documents. */
static void merge_clusters(judged_query *query) {
    const size_t n = query->documents.n;
    graded *at = query->documents.at;
    if (n) qsort(at, n, sizeof *at, by_cluster);
    query->documents.n = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || at[i].cluster != at[i - 1].cluster) at[query->documents.n++] = at[i];
}

/* [R2] */
static void name_unknown(const twx_job *job, twx_judged_queries *q, const twx_grade *g) {
    if (q->unknown++ < NAMED_MAX)
        twx_job_message(job, TWINDEX_WARNING,
                        "%.300s:%zu: '" TWX_SLICE_FMT "' is not in the store: it is left out",
                        q->path, g->line, TWX_SLICE_ARG(g->url));
}

static twx_rc group_by_query(const twx_job *job, twx_judged_queries *q) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < q->grades.n; i++) {
        const twx_grade *g = &q->grades.at[i];
        judged_query *query = NULL;
        uint64_t place = 0;
        (void)twx_map64_get(&q->wanted, url_hash(g->url), &place);
        rc = query_of(job, q, g->query, &query);
        if (rc == TWX_OK && place == 0)
            name_unknown(job, q, g);
        else if (rc == TWX_OK && !TWX_VEC_PUSH(job->cx, &query->documents,
                                               (graded){g->grade, q->clusters.at[place - 1]}))
            rc = TWX_E_NOMEM;
    }
    for (size_t i = 0; i < q->queries.n; i++) merge_clusters(&q->queries.at[i]);
    if (rc == TWX_OK && q->unknown > NAMED_MAX)
        twx_job_message(job, TWINDEX_WARNING, "%.300s: %zu judged URLs are not in the store",
                        q->path, q->unknown);
    return rc;
}

twx_rc twx_judged_queries_load(twx_searching *s, const char *path,
                               twx_judged_queries **ret_queries) {
    const twx_job *job = s->job;
    twx_judged_queries *q = twx_calloc(job->cx, 1, sizeof *q);
    if (!q) return TWX_E_NOMEM;
    looking l = {.job = job, .s = s, .q = q};
    q->path = path;
    twx_map64_init(&q->by_text, 0);
    twx_map64_init(&q->wanted, 0);
    twx_rc rc = twx_read_file(job->cx, path, TWX_GRADES_BYTES, &q->bytes);
    if (rc == TWX_OK) rc = twx_grades_parse(job->cx, path, twx_buf_slice(&q->bytes), &q->grades);
    if (rc == TWX_OK && q->grades.n == 0)
        rc = twx_fail(job->cx, TWX_E_DATA, "%.300s: there are no judgements in it", path);
    if (rc == TWX_OK) rc = look_up(&l);
    if (rc == TWX_OK) rc = group_by_query(job, q);
    if (rc == TWX_OK)
        *ret_queries = q;
    else
        twx_judged_queries_close(q);
    return rc;
}

void twx_judged_queries_close(twx_judged_queries *q) {
    if (!q) return;
    for (size_t i = 0; i < q->queries.n; i++) TWX_VEC_DONE(&q->queries.at[i].documents);
    TWX_VEC_DONE(&q->queries);
    TWX_VEC_DONE(&q->clusters);
    TWX_VEC_DONE(&q->grades);
    twx_map64_done(&q->by_text);
    twx_map64_done(&q->wanted);
    twx_buf_done(&q->bytes);
    twx_free(q);
}

void twx_judged_queries_unused(const twx_judged_queries *q, const twx_job *job) {
    size_t unused = 0;
    for (size_t i = 0; q && i < q->queries.n; i++) {
        if (q->queries.at[i].asked) continue;
        if (unused++ < NAMED_MAX)
            twx_job_message(job, TWINDEX_WARNING,
                            "%.300s: the query '" TWX_SLICE_FMT "' was not searched", q->path,
                            TWX_SLICE_ARG(q->queries.at[i].text));
    }
    if (unused > NAMED_MAX)
        twx_job_message(job, TWINDEX_WARNING, "%.300s: %zu queries were not searched", q->path,
                        unused);
}

/* ---- quality ---------------------------------------------------------------- */

/* The grade of each of the first `most` hits [R1], and the rank of the first one with a grade. */
static twx_rc grade_hits(twx_ctx *cx, const judged_query *query, const twx_hits *hits, size_t most,
                         uint32_t *ret_grades, size_t *ret_first) {
    twx_map64 grades;
    twx_rc rc = TWX_OK;
    twx_map64_init(&grades, 0);
    for (size_t i = 0; rc == TWX_OK && i < query->documents.n; i++)
        rc = twx_map64_put(cx, &grades, (uint64_t)query->documents.at[i].cluster,
                           query->documents.at[i].grade);
    *ret_first = 0;
    for (size_t i = 0; rc == TWX_OK && i < hits->n && (i < most || !*ret_first); i++) {
        const twx_ranked *hit = &hits->at[i];
        const uint64_t cluster = (uint64_t)(hit->has_cluster ? hit->cluster : hit->doc);
        uint64_t grade = 0;
        if (twx_map64_get(&grades, cluster, &grade)) rc = twx_map64_put(cx, &grades, cluster, 0);
        if (i < most) ret_grades[i] = (uint32_t)grade;
        if (grade && !*ret_first) *ret_first = i + 1;
    }
    twx_map64_done(&grades);
    return rc;
}

twx_rc twx_judged_quality(twx_ctx *cx, twx_judged_queries *q, twx_slice query, const twx_hits *hits,
                          twx_quality *ret_quality) {
    uint32_t ranked[TWX_TOP_FEW] = {0};
    uint64_t at = 0;
    size_t first = 0;
    if (!twx_map64_get(&q->by_text, twx_hash64(query, 0), &at)) return TWX_DONE;
    judged_query *judged = &q->queries.at[at];
    const size_t n = judged->documents.n;
    judged->asked = true;
    if (n == 0) return TWX_DONE;
    uint32_t *grades = twx_calloc(cx, n, sizeof *grades);
    if (!grades) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) grades[i] = judged->documents.at[i].grade;
    twx_rc rc = grade_hits(cx, judged, hits, TWX_TOP_FEW, ranked, &first);
    if (rc == TWX_OK)
        *ret_quality = (twx_quality){.ndcg = twx_ndcg(ranked,
                                                      hits->n < TWX_TOP_FEW ? hits->n : TWX_TOP_FEW,
                                                      grades, n, TWX_TOP_FEW),
                                     .reciprocal_rank = first ? 1.0 / (double)first : 0};
    twx_free(grades);
    return rc;
}

/* ---- numbers ------------------------------------------------------------ */

twx_rc twx_searching_number(twx_searching *s, uint32_t member, int64_t doc, int64_t *ret_number) {
    twx_ctx *cx = s->job->cx;
    twx_set_document d;
    uint64_t number = s->numbered.n;
    *ret_number = doc;
    if (s->set.n == 1) return TWX_OK;
    twx_rc rc = twx_store_set_resolve(&s->set, member, doc, &d);
    if (rc == TWX_OK)
        rc = twx_map64_add(cx, &s->number_of, twx_store_set_key(&s->set, d), number, &number);
    if (rc == TWX_OK && number == s->numbered.n && !TWX_VEC_PUSH(cx, &s->numbered, d))
        rc = TWX_E_NOMEM;
    *ret_number = (int64_t)number;
    return rc;
}
