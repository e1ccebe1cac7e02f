#include "search/internal.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

/* ==== hits */

enum { FIELDS = 3 };

typedef struct reading {
    twx_ctx *cx;
    const char *name;
    size_t line;
    twx_map64 known; /* hash of query and URL -> index of the grade */
} reading;

static twx_rc fail_line(const reading *r, const char *reason) {
    return twx_fail(r->cx, TWX_E_DATA, "%.300s:%zu: %s", r->name, r->line, reason);
}

static twx_rc add(reading *r, const twx_grade *grade, twx_grades *grades) {
    uint64_t at = 0;
    twx_rc rc = twx_map64_add(r->cx, &r->known,
                              twx_mix64(twx_hash64(grade->query, 1), twx_hash64(grade->url, 2)),
                              grades->n, &at);
    if (rc != TWX_OK) return rc;
    if (at == grades->n) return TWX_VEC_PUSH(r->cx, grades, *grade) ? TWX_OK : TWX_E_NOMEM;
    if (grades->at[at].grade == grade->grade) return TWX_OK;
    return twx_fail(r->cx, TWX_E_DATA,
                    "%.300s:%zu: line %zu gives this URL another grade for the same query", r->name,
                    r->line, grades->at[at].line);
}

static twx_rc read_line(reading *r, twx_slice line, twx_grades *grades) {
    twx_slice fields[FIELDS];
    uint64_t number = 0;
    size_t n = 0;
    for (size_t from = 0, to; from <= line.n; from = to + 1) {
        to = twx_slice_find(line, '\t', from);
        if (n == FIELDS)
            return fail_line(r, "more than two tabs: a line is query TAB URL TAB grade");
        fields[n++] = twx_slice_trim(twx_slice_sub(line, from, to));
    }
    if (n < FIELDS) return fail_line(r, "a line is query TAB URL TAB grade");
    if (!fields[0].n) return fail_line(r, "the query is empty");
    if (!fields[1].n) return fail_line(r, "the URL is empty");
    if (!twx_read_count(fields[2], &number) || number > TWX_GRADE_MAX)
        return fail_line(r, "the grade is not a whole number from 0 to 100");
    const twx_grade grade = {
        .query = fields[0], .url = fields[1], .grade = (uint32_t)number, .line = r->line};
    return add(r, &grade, grades);
}

twx_rc twx_grades_parse(twx_ctx *cx, const char *name, twx_slice text, twx_grades *ret_grades) {
    static const char MARK[] = "\xEF\xBB\xBF"; /* some editors write it at the beginning */
    reading r = {.cx = cx, .name = name};
    twx_rc rc = TWX_OK;
    if (twx_slice_starts(text, TWX_SLICE_LIT(MARK)))
        text = twx_slice_sub(text, sizeof MARK - 1, text.n);
    while (rc == TWX_OK && text.n) {
        const twx_slice line = twx_slice_next_line(&text), trimmed = twx_slice_trim(line);
        r.line++;
        if (trimmed.n && trimmed.p[0] != '#') rc = read_line(&r, line, ret_grades);
    }
    twx_map64_done(&r.known);
    return rc;
}

/* ---- interval ---------------------------------------------------------- */

/* For df 1 to 10; above, the expansion around the normal quantile is as precise. Source: Abramowitz
 * and Stegun, Handbook of Mathematical Functions, table 26.10 and formula 26.7.5. */
static const double SMALL[] = {12.70620, 4.30265, 3.18245, 2.77645, 2.57058,
                               2.44691,  2.36462, 2.30600, 2.26216, 2.22814};

double twx_t_quantile(size_t df) {
    static const double Z = 1.959963985;
    if (df <= sizeof SMALL / sizeof *SMALL) return SMALL[df ? df - 1 : 0];
    const double v = (double)df, z2 = Z * Z;
    const double g1 = (z2 + 1) * Z / 4, g2 = ((5 * z2 + 16) * z2 + 3) * Z / 96,
                 g3 = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * Z / 384;
    return Z + g1 / v + g2 / (v * v) + g3 / (v * v * v);
}

/* a NULL: the values of b themselves. */
static double value_of(const double *a, const double *b, size_t i) {
    return a ? b[i] - a[i] : b[i];
}

twx_interval twx_interval_between(const double *a, const double *b, size_t n) {
    twx_interval r = {.n = n, .known = n > 1};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sum += value_of(a, b, i);
    r.mean = n ? sum / (double)n : 0;
    r.low = r.high = r.mean;
    if (!r.known) return r;
    for (size_t i = 0; i < n; i++) {
        const double off = value_of(a, b, i) - r.mean;
        squares += off * off;
    }
    const double half = twx_t_quantile(n - 1) * sqrt(squares / (double)(n - 1) / (double)n);
    r.low -= half;
    r.high += half;
    return r;
}

twx_interval twx_interval_of(const double *values, size_t n) {
    return twx_interval_between(NULL, values, n);
}

/* ---- ndcg -------------------------------------------------------------- */

static double gain_of(const uint32_t *grades, size_t n, size_t k) {
    double sum = 0;
    for (size_t i = 0; i < n && i < k; i++) sum += (double)grades[i] / log2((double)i + 2);
    return sum;
}

TWX_ORDER(best_first, uint32_t, (*a < *b) - (*a > *b))

double twx_ndcg(const uint32_t *ranked, size_t n_ranked, uint32_t *graded, size_t n_graded,
                size_t k) {
    if (n_graded > 1) qsort(graded, n_graded, sizeof *graded, best_first);
    const double ideal = gain_of(graded, n_graded, k);
    return ideal > 0 ? gain_of(ranked, n_ranked, k) / ideal : 0;
}

/* ---- hits -------------------------------------------------------------- */

twx_rc twx_duplicates_among(twx_ctx *cx, const twx_hits *hits, size_t most,
                            twx_duplicates *ret_duplicates) {
    twx_duplicates d = {.hits = hits->n < most ? hits->n : most};
    twx_map64 seen = {0};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < d.hits; i++) {
        uint64_t first = 0;
        if (!hits->at[i].has_cluster) continue;
        rc = twx_map64_add(cx, &seen, (uint64_t)hits->at[i].cluster, i, &first);
        d.duplicates += rc == TWX_OK && first != i;
    }
    twx_map64_done(&seen);
    if (rc == TWX_OK) *ret_duplicates = d;
    return rc;
}

double twx_duplicates_share(const twx_duplicates *d) {
    return d->hits ? (double)d->duplicates / (double)d->hits : 0;
}

twx_rc twx_ranks_of(twx_ctx *cx, const twx_hits *hits, twx_map64 *ret_ranks) {
    twx_rc rc = TWX_OK;
    twx_map64_init(ret_ranks, 0);
    for (size_t i = 0; rc == TWX_OK && i < hits->n; i++)
        rc = twx_map64_put(cx, ret_ranks, (uint64_t)hits->at[i].doc, i + 1);
    return rc;
}

twx_rc twx_hits_gone(twx_ctx *cx, const twx_hits *before, const twx_hits *after, twx_moves *moves,
                     twx_hits *ret_gone) {
    twx_map64 left = {0}, seen = {0};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < after->n; i++)
        if (after->at[i].has_cluster)
            rc = twx_map64_put(cx, &left, (uint64_t)after->at[i].cluster, 1);
    for (size_t i = 0; rc == TWX_OK && i < before->n; i++) {
        uint64_t first = 0;
        const uint64_t cluster = (uint64_t)before->at[i].cluster;
        if (!before->at[i].has_cluster || !before->at[i].takes_part) continue;
        rc = twx_map64_add(cx, &seen, cluster, i, &first);
        if (rc != TWX_OK || first != i) continue;
        moves->clusters_before++;
        if (twx_map64_has(&left, cluster)) continue;
        moves->clusters_gone++;
        if (ret_gone && !TWX_VEC_PUSH(cx, ret_gone, before->at[i])) rc = TWX_E_NOMEM;
    }
    twx_map64_done(&left);
    twx_map64_done(&seen);
    return rc;
}

twx_rc twx_moves_between(twx_ctx *cx, const twx_hits *before, const twx_map64 *was,
                         const twx_hits *after, const twx_map64 *is, twx_moves *ret_moves) {
    twx_moves moves = {0};
    for (size_t i = 0; i < before->n && i < TWX_TOP_MANY; i++) {
        const uint64_t rank = twx_map64_value(is, (uint64_t)before->at[i].doc, 0);
        moves.vanished += rank == 0;
        moves.moved += rank && rank != i + 1;
    }
    for (size_t i = 0; i < after->n && i < TWX_TOP_MANY; i++)
        moves.fresh += !twx_map64_has(was, (uint64_t)after->at[i].doc);
    const twx_rc rc = twx_hits_gone(cx, before, after, &moves, NULL);
    if (rc == TWX_OK) *ret_moves = moves;
    return rc;
}

/* ==== query_quality */

static const struct {
    const char *key, *text;
    double unit; /* shown: value * unit */
    int decimals;
} MEASURES[TWX_MEASURES] = {
    [TWX_NDCG] = {"ndcg_10", "nDCG@10", 1, 4},
    [TWX_MRR] = {"mrr", "MRR", 1, 4},
    [TWX_DUPLICATES] = {"duplicates_in_10", "duplicates in the first 10 (%)", 100, 1},
};

twx_rc twx_query_quality_add(twx_ctx *cx, twx_query_quality *q, size_t n_sides,
                             const twx_quality *quality, const double *duplicates) {
    q->n_sides = n_sides;
    for (size_t i = 0; i < n_sides; i++) {
        const double values[TWX_MEASURES] = {[TWX_NDCG] = quality[i].ndcg,
                                             [TWX_MRR] = quality[i].reciprocal_rank,
                                             [TWX_DUPLICATES] = duplicates[i]};
        for (size_t m = 0; m < TWX_MEASURES; m++)
            if (!TWX_VEC_PUSH(cx, &q->of[i][m], values[m])) return TWX_E_NOMEM;
    }
    return TWX_OK;
}

void twx_query_quality_done(twx_query_quality *q) {
    for (size_t i = 0; i < TWX_SEARCH_SIDES; i++)
        for (size_t m = 0; m < TWX_MEASURES; m++) TWX_VEC_DONE(&q->of[i][m]);
}

twx_interval twx_query_quality_mean(const twx_query_quality *q, size_t side, twx_query_measure m) {
    return twx_interval_of(q->of[side][m].at, q->of[side][m].n);
}

twx_interval twx_query_quality_difference(const twx_query_values *a, const twx_query_values *b) {
    return twx_interval_between(a->at, b->at, a->n < b->n ? a->n : b->n);
}

/* ---- JSON --------------------------------------------------------------- */

json_t *twx_interval_json(const twx_interval *i) {
    json_t *o = json_pack("{s:f}", "mean", i->mean);
    if (!i->known) return o;
    json_object_set_new(o, "low", json_real(i->low));
    json_object_set_new(o, "high", json_real(i->high));
    return o;
}

/* A measure of a side; of no side: the difference of the two. */
static twx_interval interval_at(const twx_query_quality *q, size_t side, size_t m) {
    return side < TWX_SEARCH_SIDES ? twx_query_quality_mean(q, side, (twx_query_measure)m)
                                   : twx_query_quality_difference(&q->of[0][m], &q->of[1][m]);
}

json_t *twx_query_quality_json(const twx_query_quality *q) {
    static const char *const NAMES[] = {"a", "b", "difference"};
    json_t *o = json_pack("{s:o, s:s}", "queries", twx_json_count(q->of[0][0].n), "interval",
                          "95 %, Student's t");
    for (size_t side = 0; side < (q->n_sides > 1 ? TWX_COUNTOF(NAMES) : 1); side++) {
        json_t *measures = json_object();
        for (size_t m = 0; m < TWX_MEASURES; m++) {
            const twx_interval i = interval_at(q, side, m);
            json_object_set_new(measures, MEASURES[m].key, twx_interval_json(&i));
        }
        json_object_set_new(o, NAMES[side], measures);
    }
    return o;
}

/* ---- text --------------------------------------------------------------- */

twx_rc twx_query_quality_write(const twx_out *out, const twx_query_quality *q) {
    static const char *const NAMES[] = {"A", "B", "B - A"};
    const size_t n = q->of[0][0].n, sides = q->n_sides > 1 ? TWX_COUNTOF(NAMES) : 1;
    twx_rc rc = twx_out_text(out, "\n%zu judged %s; the mean and its 95 %% interval:\n", n,
                             twx_plural(n, "query", "queries"));
    for (size_t at = 0; rc == TWX_OK && at < sides * TWX_MEASURES; at++) {
        const size_t side = at / TWX_MEASURES, m = at % TWX_MEASURES;
        const twx_interval i = interval_at(q, side, m);
        const bool difference = side == TWX_SEARCH_SIDES;
        const double unit = MEASURES[m].unit;
        const int places = MEASURES[m].decimals;
        rc = twx_out_text(out, difference ? "  %-8s %-31s %+9.*f" : "  %-8s %-31s %9.*f",
                          sides > 1 ? NAMES[side] : "", MEASURES[m].text, places, unit * i.mean);
        if (rc == TWX_OK && i.known)
            rc = twx_out_text(out, difference ? "  %+.*f to %+.*f" : "  %.*f to %.*f", places,
                              unit * i.low, places, unit * i.high);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    return rc;
}

/* ==== graded */

/* Grades are grouped by query; the place of a query is found by the hash of its bytes. One scan of
 * the source, without texts, finds the numbers of all URLs. */

enum { NAMED_MAX = 5 /* unknown URLs and queries that are named */ };

/* A document or cluster with a grade. */
typedef struct graded {
    uint32_t grade;
    int64_t cluster;
} graded;

typedef struct graded_query {
    twx_slice text;
    bool asked;
    TWX_VEC(graded) documents;
} graded_query;

struct twx_graded_queries {
    const char *path;
    twx_buf bytes; /* of the file; slices point into it */
    twx_grades grades;
    twx_map64 by_text; /* hash of the query -> index */
    TWX_VEC(graded_query) queries;
    twx_map64 wanted; /* hash of the URL -> 1 + cluster number in `clusters`, 0: not met */
    TWX_VEC(int64_t) clusters;
    size_t unknown; /* lines whose URL is not in the store */
};

/* ---- looking up ----------------------------------------------------------- */

typedef struct looking {
    const twx_job *job;
    twx_searching *s;
    uint32_t store; /* whose URLs are looked up */
    twx_graded_queries *q;
} looking;

static uint64_t url_hash(twx_slice url) {
    return twx_hash64(url, 0);
}

static twx_rc cluster_of(const looking *l, int64_t doc, int64_t *ret_cluster) {
    const twx_set_store *m = &l->s->set.at[l->store];
    twx_flag_row row;
    twx_rc rc = twx_flags_get(m->o.generations, m->state.generation, doc, &row);
    if (rc != TWX_OK && rc != TWX_DONE) return rc;
    const bool hidden = rc == TWX_OK && twx_flag_known(&row, TWX_FLAG_duplicate_of);
    return twx_searching_number(l->s, l->store, hidden ? row.v[TWX_FLAG_duplicate_of] : doc,
                                ret_cluster);
}

static twx_rc see_row(void *arg, const twx_source_row *row, bool *ret_wanted) {
    looking *l = arg;
    const uint64_t hash = url_hash(twx_bytes_of(&row->value[TWX_COL_URL]));
    uint64_t place = 0;
    int64_t doc = 0, cluster = 0;
    *ret_wanted = false;
    if (!twx_map64_get(&l->q->wanted, hash, &place) || place) return TWX_OK;
    twx_rc rc = twx_document_number(&l->s->set.at[l->store].o, &row->value[TWX_COL_ID], &doc);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    rc = cluster_of(l, doc, &cluster);
    if (rc == TWX_OK && !TWX_VEC_PUSH(l->job->cx, &l->q->clusters, cluster)) rc = TWX_E_NOMEM;
    return rc == TWX_OK ? twx_map64_put(l->job->cx, &l->q->wanted, hash, l->q->clusters.n) : rc;
}

/* ---- queries ---------------------------------------------------------------- */

/* By cluster, highest grade first. */
TWX_ORDER(by_cluster, graded, TWX_UP_THEN(cluster, TWX_DOWN(grade)))

/* [R1] A cluster has the highest grade of its documents. */
static void merge_clusters(graded_query *query) {
    const size_t n = query->documents.n;
    graded *at = query->documents.at;
    if (n) qsort(at, n, sizeof *at, by_cluster);
    query->documents.n = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || at[i].cluster != at[i - 1].cluster) at[query->documents.n++] = at[i];
}

/* [R2] */
static void name_unknown(const twx_job *job, twx_graded_queries *q, const twx_grade *g) {
    if (q->unknown++ < NAMED_MAX)
        twx_job_message(job, TWINDEX_WARNING,
                        "%.300s:%zu: '" TWX_SLICE_FMT "' is not in the store: it is left out",
                        q->path, g->line, TWX_SLICE_ARG(g->url));
}

static twx_rc group_by_query(const twx_job *job, twx_graded_queries *q) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < q->grades.n; i++) {
        const twx_grade *g = &q->grades.at[i];
        const graded_query made = {.text = g->query};
        uint64_t place = 0, at = 0;
        (void)twx_map64_get(&q->wanted, url_hash(g->url), &place);
        rc = twx_map64_add(job->cx, &q->by_text, twx_hash64(g->query, 0), q->queries.n, &at);
        if (rc == TWX_OK && at == q->queries.n && !TWX_VEC_PUSH(job->cx, &q->queries, made))
            rc = TWX_E_NOMEM;
        if (rc == TWX_OK && place == 0)
            name_unknown(job, q, g);
        else if (rc == TWX_OK && !TWX_VEC_PUSH(job->cx, &q->queries.at[at].documents,
                                               (graded){g->grade, q->clusters.at[place - 1]}))
            rc = TWX_E_NOMEM;
    }
    for (size_t i = 0; i < q->queries.n; i++) merge_clusters(&q->queries.at[i]);
    if (rc == TWX_OK && q->unknown > NAMED_MAX)
        twx_job_message(job, TWINDEX_WARNING, "%.300s: %zu judged URLs are not in the store",
                        q->path, q->unknown);
    return rc;
}

twx_rc twx_graded_queries_load(twx_searching *s, const char *path,
                               twx_graded_queries **ret_queries) {
    const twx_job *job = s->job;
    twx_graded_queries *q = twx_calloc(job->cx, 1, sizeof *q);
    if (!q) return TWX_E_NOMEM;
    looking l = {.job = job, .s = s, .q = q};
    twx_document_reader reader = {.job = job,
                                  .stage = "look up judged URLs",
                                  .too_long = "it cannot be looked up",
                                  .want = TWX_WANT_OUTSIDE,
                                  .select = see_row,
                                  .arg = &l};
    q->path = path;
    const bool is_missing = access(path, F_OK) != 0 && errno == ENOENT;
    twx_rc rc = is_missing ? TWX_OK : twx_read_file(job->cx, path, TWX_GRADES_BYTES, &q->bytes);
    if (rc == TWX_OK) rc = twx_grades_parse(job->cx, path, twx_buf_slice(&q->bytes), &q->grades);
    if (rc == TWX_OK && q->grades.n == 0)
        twx_job_message(job, TWINDEX_NOTE, "%.300s: there are no judgements yet", path);
    for (size_t i = 0; rc == TWX_OK && i < q->grades.n; i++)
        rc = twx_map64_put(job->cx, &q->wanted, url_hash(q->grades.at[i].url), 0);
    for (size_t i = 0; rc == TWX_OK && i < s->set.n; i++) {
        l.store = (uint32_t)i;
        reader.source = s->set.at[i].o.source;
        rc = twx_document_reader_scan(&reader);
    }
    if (rc == TWX_OK) rc = group_by_query(job, q);
    TWX_HAND_OVER(rc, ret_queries, q, twx_graded_queries_close(q));
    return rc;
}

void twx_graded_queries_close(twx_graded_queries *q) {
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

void twx_graded_queries_unused(const twx_graded_queries *q, const twx_job *job) {
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
static twx_rc grade_hits(twx_ctx *cx, const graded_query *query, const twx_hits *hits, size_t most,
                         uint32_t *ret_grades, size_t *ret_first) {
    twx_map64 grades = {0};
    twx_rc rc = TWX_OK;
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

twx_rc twx_graded_quality(twx_ctx *cx, twx_graded_queries *q, twx_slice query, const twx_hits *hits,
                          twx_quality *ret_quality) {
    uint32_t ranked[TWX_TOP_FEW] = {0};
    uint64_t at = 0;
    size_t first = 0;
    if (!twx_map64_get(&q->by_text, twx_hash64(query, 0), &at)) return TWX_DONE;
    graded_query *judged = &q->queries.at[at];
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

twx_rc twx_searching_number(twx_searching *s, uint32_t store, int64_t doc, int64_t *ret_number) {
    twx_ctx *cx = s->job->cx;
    twx_set_document d;
    uint64_t number = s->numbered.n;
    *ret_number = doc;
    if (s->set.n == 1) return TWX_OK;
    twx_rc rc = twx_store_set_resolve(&s->set, store, doc, &d);
    if (rc == TWX_OK)
        rc = twx_map64_add(cx, &s->number_of, twx_store_set_key(&s->set, d), number, &number);
    if (rc == TWX_OK && number == s->numbered.n && !TWX_VEC_PUSH(cx, &s->numbered, d))
        rc = TWX_E_NOMEM;
    *ret_number = (int64_t)number;
    return rc;
}
