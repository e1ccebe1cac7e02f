#include "lab/lab.h"

#include <math.h>

/* ==== eval_scores */

/* The three ratios of one detector. */
typedef struct sums {
    twx_ratio recall, precision, f;
} sums;

/* Adds one item for a detector. hit: pairs that are found and true; found, truth: pairs of each
 * kind that the item represents; p: the probability with which it was drawn. */
static void add_item(sums *s, double hit, double found, double truth, double p) {
    if (found == 0 && truth == 0) return;
    twx_ratio_add(&s->recall, hit, truth, p);
    twx_ratio_add(&s->precision, hit, found, p);
    twx_ratio_add(&s->f, 2 * hit, found + truth, p);
}

static twx_rating rating_of(const sums *s) {
    return (twx_rating){twx_ratio_measure(&s->recall), twx_ratio_measure(&s->precision),
                        twx_ratio_measure(&s->f)};
}

static bool has(uint32_t bits, size_t d) {
    return (bits >> d & 1) != 0;
}

/* ---- pairs and Dice ----------------------------------------------------- */

typedef double both_matrix[TWX_EVALUATED_MAX][TWX_EVALUATED_MAX];

static void add_both(both_matrix both, uint32_t found, double weight) {
    for (uint32_t rest = found; rest; rest &= rest - 1)
        for (uint32_t other = rest; other; other &= other - 1)
            both[__builtin_ctz(rest)][__builtin_ctz(other)] += weight;
}

void twx_eval_count(const twx_eval_found *found, twx_evaluation *e) {
    both_matrix both = {0};
    twx_ratio pairs[TWX_EVALUATED_MAX] = {0}, text_pairs[TWX_EVALUATED_MAX] = {0};
    double p = twx_eval_chance(found->pool->halvings);
    for (uint32_t i = 0; i < found->texts->at.n; i++) {
        double weight = twx_eval_pairs_within(found->texts, i);
        if (weight == 0) continue;
        add_both(both, found->has_key[i], weight);
        for (size_t d = 0; d < found->n; d++)
            if (has(found->has_key[i], d)) twx_ratio_add(&pairs[d], 0, weight, 1);
    }
    for (size_t i = 0; i < found->pool->at.n; i++) {
        const twx_eval_pair *pair = &found->pool->at.at[i];
        double weight = twx_eval_weight(found->texts, pair->pair);
        add_both(both, pair->found, weight / p);
        for (size_t d = 0; d < found->n; d++) {
            if (!has(pair->found, d)) continue;
            twx_ratio_add(&pairs[d], 0, weight, p);
            twx_ratio_add(&text_pairs[d], 0, 1, p);
        }
    }
    for (size_t a = 0; a < found->n; a++) {
        e->at[a].pairs = twx_ratio_total(&pairs[a]);
        e->at[a].text_pairs = twx_ratio_total(&text_pairs[a]);
        for (size_t b = a; b < found->n; b++) {
            double all = both[a][a] + both[b][b];
            e->dice[a][b] = e->dice[b][a] = all > 0 ? 2 * both[a][b] / all : -1;
        }
    }
}

/* ---- similarity --------------------------------------------------------- */

void twx_eval_score_similarity(const twx_eval_found *found, const twx_eval_draw *draw,
                               twx_evaluation *e) {
    sums documents[TWX_EVALUATED_MAX] = {0}, texts[TWX_EVALUATED_MAX] = {0};
    double sampled = twx_eval_chance(found->pool->halvings);
    for (uint32_t i = 0; i < found->texts->at.n; i++) {
        const bool counts = found->has_key[i] && !twx_eval_text_changed(found->texts, i);
        double weight = counts ? twx_eval_pairs_within(found->texts, i) : 0;
        for (size_t d = 0; weight > 0 && d < found->n; d++) {
            double hit = has(found->has_key[i], d) ? weight : 0;
            add_item(&documents[d], hit, hit, weight, 1);
        }
    }
    for (size_t i = 0; i < found->pool->at.n; i++) {
        const twx_eval_pair *pair = &found->pool->at.at[i];
        double weight = twx_eval_weight(found->texts, pair->pair);
        double p = sampled * twx_eval_draw_chance(draw, weight);
        if (pair->truth == TWX_EVAL_UNKNOWN) continue;
        e->true_pairs += pair->truth == TWX_EVAL_TRUE;
        for (size_t d = 0; d < found->n; d++) {
            double f = has(pair->found, d), t = pair->truth == TWX_EVAL_TRUE;
            add_item(&documents[d], f * t * weight, f * weight, t * weight, p);
            add_item(&texts[d], f * t, f, t, p);
        }
    }
    for (size_t d = 0; d < found->n; d++) {
        e->at[d].documents = rating_of(&documents[d]);
        e->at[d].texts = rating_of(&texts[d]);
    }
}

/* ---- labelled pairs ----------------------------------------------------- */

static bool is_known(const twx_eval_labels *labels, const twx_eval_label_pair *pair) {
    return labels->urls.at[pair->a].text != TWX_EVAL_NO_TEXT &&
           labels->urls.at[pair->b].text != TWX_EVAL_NO_TEXT;
}

/* The labelled pairs are a sample of all pairs: the result has the confidence interval of
 * counts. */
static twx_measure counted(double y, double x) {
    return x > 0 ? twx_wilson(y / x, x) : (twx_measure){0};
}

twx_rating twx_eval_rate_pairs(const twx_eval_labels *labels, const bool *joined, size_t d) {
    double hits = 0, found = 0, truth = 0;
    for (size_t i = 0; i < labels->pairs.n; i++) {
        const twx_eval_label_pair *pair = &labels->pairs.at[i];
        const bool is_found = joined ? joined[i] : has(pair->found, d);
        if (!is_known(labels, pair)) continue;
        hits += is_found && pair->same;
        found += is_found;
        truth += pair->same;
    }
    return (twx_rating){counted(hits, truth), counted(hits, found),
                        counted(2 * hits, found + truth)};
}

void twx_eval_score_pairs(const twx_eval_labels *labels, twx_evaluation *e) {
    for (size_t d = 0; d < e->n; d++) e->at[d].documents = twx_eval_rate_pairs(labels, NULL, d);
    for (size_t i = 0; i < labels->pairs.n; i++) {
        if (is_known(labels, &labels->pairs.at[i]))
            e->labelled_pairs++;
        else
            e->skipped_pairs++;
    }
}

/* ---- clusters ----------------------------------------------------------- */

/* For a cluster and a detector: pairs found inside the cluster, and pairs found with at least one
 * end in it. */
typedef struct cluster_sums {
    double hits, touched;
} cluster_sums;

typedef struct clustering {
    const twx_eval_found *found;
    twx_eval_shares shares;
    double *inside;        /* by cluster: the number of its pairs */
    cluster_sums *cluster; /* by cluster and detector */
    size_t n_clusters;
    sums total[TWX_EVALUATED_MAX];
} clustering;

static cluster_sums *of_cluster(clustering *c, uint32_t cluster, size_t d) {
    return &c->cluster[cluster * c->found->n + d];
}

/* Adds two shares, of one text or of two texts that the detectors `found` join: n pairs of
 * documents. */
static void add_shares(clustering *c, const twx_eval_share *a, const twx_eval_share *b,
                       uint32_t found, double n, double p) {
    double hit = a->cluster == b->cluster ? n : 0;
    for (size_t d = 0; d < c->found->n; d++) {
        if (!has(found, d)) continue;
        add_item(&c->total[d], hit, n, 0, p);
        of_cluster(c, a->cluster, d)->hits += hit / p;
        of_cluster(c, a->cluster, d)->touched += n / p;
        if (hit == 0) of_cluster(c, b->cluster, d)->touched += n / p;
    }
}

static void add_pool_pairs(clustering *c) {
    const twx_eval_pool *pool = c->found->pool;
    double p = twx_eval_chance(pool->halvings);
    for (size_t i = 0; i < pool->at.n; i++) {
        uint32_t a = twx_eval_pair_a(pool->at.at[i].pair), b = twx_eval_pair_b(pool->at.at[i].pair);
        for (uint32_t s = c->shares.from.at[a]; s < c->shares.from.at[a + 1]; s++)
            for (uint32_t r = c->shares.from.at[b]; r < c->shares.from.at[b + 1]; r++) {
                const twx_eval_share *x = &c->shares.at.at[s], *y = &c->shares.at.at[r];
                add_shares(c, x, y, pool->at.at[i].found, (double)x->documents * y->documents, p);
            }
    }
}

/* The number of true pairs is known without sampling: n (n-1) / 2 per cluster. */
static void add_truth(clustering *c) {
    for (size_t s = 0; s < c->shares.at.n; s++)
        c->inside[c->shares.at.at[s].cluster] += c->shares.at.at[s].documents;
    for (size_t k = 0; k < c->n_clusters; k++) {
        c->inside[k] = c->inside[k] * (c->inside[k] - 1) / 2;
        for (size_t d = 0; d < c->found->n; d++) add_item(&c->total[d], 0, 0, c->inside[k], 1);
    }
}

typedef struct mean_sums {
    double sum, squares;
    size_t n;
} mean_sums;

static void add_share(mean_sums *m, double part, double whole) {
    if (whole <= 0) return;
    double share = part < whole ? part / whole : 1;
    m->sum += share;
    m->squares += share * share;
    m->n++;
}

/* Averages over clusters, so that one very large cluster does not dominate. */
static twx_rating cluster_rating(clustering *c, size_t d) {
    mean_sums recall = {0}, precision = {0};
    for (uint32_t k = 0; k < c->n_clusters; k++) {
        const cluster_sums *s = of_cluster(c, k, d);
        add_share(&recall, s->hits, c->inside[k]);
        add_share(&precision, s->hits, s->touched);
    }
    twx_measure r = twx_mean(recall.sum, recall.squares, recall.n),
                p = twx_mean(precision.sum, precision.squares, precision.n);
    return (twx_rating){r, p, twx_harmonic(r, p)};
}

twx_rc twx_eval_score_clusters(twx_ctx *cx, const twx_eval_found *found,
                               const twx_eval_labels *labels, twx_evaluation *e) {
    clustering c = {.found = found, .n_clusters = labels->n_clusters};
    c.inside = twx_calloc(cx, c.n_clusters + 1, sizeof *c.inside);
    c.cluster = twx_calloc(cx, (c.n_clusters + 1) * (found->n + 1), sizeof *c.cluster);
    twx_rc rc = c.inside && c.cluster
                    ? twx_eval_shares_make(cx, labels, found->texts->at.n, &c.shares)
                    : TWX_E_NOMEM;
    if (rc == TWX_OK) {
        add_truth(&c);
        const twx_eval_share *at = c.shares.at.at;
        for (uint32_t i = 0; i < c.found->texts->at.n; i++)
            for (uint32_t s = c.shares.from.at[i]; s < c.shares.from.at[i + 1]; s++) {
                double n = at[s].documents;
                if (n > 1) add_shares(&c, &at[s], &at[s], c.found->has_key[i], n * (n - 1) / 2, 1);
                for (uint32_t r = s + 1; r < c.shares.from.at[i + 1]; r++)
                    add_shares(&c, &at[s], &at[r], c.found->has_key[i], n * at[r].documents, 1);
            }
        add_pool_pairs(&c);
        for (size_t d = 0; d < found->n; d++) {
            e->at[d].documents = rating_of(&c.total[d]);
            e->at[d].clusters = cluster_rating(&c, d);
        }
        for (size_t k = 0; k < c.n_clusters; k++) e->labelled_pairs += (uint64_t)c.inside[k];
    }
    twx_eval_shares_done(&c.shares);
    twx_free(c.inside);
    twx_free(c.cluster);
    return rc;
}

/* ---- eval signed ------------------------------------------------------- */

enum { RECORD_MAX = 64 << 20 };

struct twx_eval_from {
    size_t key, payload;
};

typedef struct signing {
    const twx_job *job;
    twx_workspace *workspace;
    twx_buf record;
    twx_eval_signed *made;
} signing;

/* Marks where the keys and the payload of the next texts begin, until so many have a beginning.
 * Texts that are left out, because they have changed, have no signature. */
static twx_rc mark_until(twx_ctx *cx, twx_eval_signed *s, size_t texts) {
    while (s->from.n < texts)
        if (!TWX_VEC_PUSH(cx, &s->from, (struct twx_eval_from){s->keys.n, s->payloads.n}))
            return TWX_E_NOMEM;
    return TWX_OK;
}

static twx_rc keep(signing *g) {
    twx_ctx *cx = g->job->cx;
    twx_eval_signed *s = g->made;
    twx_record record;
    const twx_rc rc = twx_record_read(cx, twx_buf_slice(&g->record), &record);
    const twx_record_entry *entry = rc == TWX_OK ? twx_record_find(&record, s->detector->id) : NULL;
    if (!entry) return rc; /* TWX_OK: no signature */
    for (size_t i = 0; i < entry->n_keys; i++)
        if (!TWX_VEC_PUSH(cx, &s->keys, twx_record_key(entry, i))) return TWX_E_NOMEM;
    if (s->keys.n * sizeof *s->keys.at + s->payloads.n + entry->payload.n > s->payloads.max)
        return TWX_E_LIMIT; /* not an error of the evaluation: it continues without this detector */
    return twx_buf_add_slice(cx, &s->payloads, entry->payload);
}

static twx_rc sign_text(void *arg, uint32_t i, const twx_source_row *row) {
    signing *g = arg;
    twx_ctx *cx = g->job->cx;
    twx_eval_signed *s = g->made;
    twx_url url = {.fault = TWX_URL_EMPTY};
    twx_slice stored = twx_bytes_of(&row->value[TWX_COL_URL]);
    twx_rc rc = mark_until(cx, s, i + 1);
    if (rc == TWX_OK && stored.p)
        rc = twx_url_normalize(cx, twx_workspace_scratch(g->workspace), &s->params->url, stored,
                               &url);
    const twx_document doc = twx_document_of(row->value, &url);
    const twx_signing how = {.params = s->params, .detectors = &s->detector, .n = 1};
    double begun = twx_job_clock();
    if (rc == TWX_OK) rc = twx_sign_document(cx, g->workspace, &how, &doc, &g->record);
    s->seconds += twx_job_clock() - begun;
    if (rc == TWX_OK) rc = keep(g);
    twx_workspace_reset(g->workspace);
    return rc;
}

twx_rc twx_eval_sign(const twx_eval_texts *texts, const twx_params *params,
                     const twx_detector *detector, twx_eval_signed *ret_signed) {
    const twx_job *job = texts->of->job;
    twx_eval_signed s = {.detector = detector,
                         .params = params,
                         .payloads = {.max = twx_job_memory(job->settings)}}; /* keys included */
    signing g = {.job = job, .made = &s, .record = {.max = RECORD_MAX}};
    twx_rc rc = twx_workspace_open(job->cx, params, &g.workspace);
    if (rc == TWX_OK) rc = twx_eval_texts_each(texts, sign_text, &g);
    if (rc == TWX_OK) rc = mark_until(job->cx, &s, texts->at.n + 1);
    twx_workspace_close(g.workspace);
    twx_buf_done(&g.record);
    TWX_HAND_OVER(rc, ret_signed, s, twx_eval_signed_done(&s));
    return rc;
}

void twx_eval_signed_done(twx_eval_signed *s) {
    if (!s) return;
    TWX_VEC_DONE(&s->keys);
    TWX_VEC_DONE(&s->from);
    twx_buf_done(&s->payloads);
}

/* ---- results ------------------------------------------------------------- */

twx_slice twx_eval_payload(const twx_eval_signed *s, uint32_t i) {
    return twx_slice_sub(twx_buf_slice(&s->payloads), s->from.at[i].payload,
                         s->from.at[i + 1].payload);
}

bool twx_eval_has_key(const twx_eval_signed *s, uint32_t i) {
    return s->from.at[i].key < s->from.at[i + 1].key;
}

int32_t twx_eval_alike(const twx_eval_signed *s, uint32_t a, uint32_t b) {
    return s->detector->verify
               ? s->detector->verify(s->params, twx_eval_payload(s, a), twx_eval_payload(s, b))
               : 1000000;
}

/* The candidate keys of text i; stored in room if they must be computed. */
const twx_key *twx_eval_candidate_keys(const twx_eval_signed *s, uint32_t i,
                                       twx_key room[TWX_CANDIDATE_KEYS_MAX], size_t *ret_n) {
    *ret_n = s->from.at[i + 1].key - s->from.at[i].key;
    if (*ret_n == 0) return room;
    const twx_key *stored = &s->keys.at[s->from.at[i].key];
    if (!s->detector->candidates) return stored;
    const twx_signed from = {.first = stored[0], .payload = twx_eval_payload(s, i)};
    *ret_n = s->detector->candidates(s->params, &from, room);
    return room;
}

bool twx_eval_is_pair(const twx_eval_signed *s, uint32_t a, uint32_t b) {
    twx_key room_a[TWX_CANDIDATE_KEYS_MAX], room_b[TWX_CANDIDATE_KEYS_MAX];
    size_t n_a = 0, n_b = 0;
    if (a == b) return twx_eval_has_key(s, a);
    const twx_key *of_a = twx_eval_candidate_keys(s, a, room_a, &n_a),
                  *of_b = twx_eval_candidate_keys(s, b, room_b, &n_b);
    for (size_t i = 0; i < n_a; i++)
        for (size_t j = 0; j < n_b; j++)
            if (of_a[i].key == of_b[j].key && of_a[i].check == of_b[j].check)
                return twx_eval_alike(s, a, b) >= 0;
    return false;
}

twx_rc twx_eval_give_keys(const twx_eval_signed *s, twx_grouper *grouper) {
    twx_key room[TWX_CANDIDATE_KEYS_MAX];
    twx_rc rc = TWX_OK;
    for (uint32_t i = 0; rc == TWX_OK && i + 1 < s->from.n; i++) {
        size_t n = 0;
        const twx_key *keys = twx_eval_candidate_keys(s, i, room, &n);
        for (size_t k = 0; rc == TWX_OK && k < n; k++)
            rc = twx_grouper_add(grouper, keys[k].key, keys[k].check, i);
    }
    return rc;
}

/* ==== eval_groups */

static twx_rc add_document(const twx_eval_documents *d, const twx_eval_signed *s, uint32_t i,
                           twx_near *near, twx_grouper *grouper) {
    twx_key room[TWX_CANDIDATE_KEYS_MAX];
    const uint32_t text = d->at.at[i].text;
    bool is_new = false;
    size_t n = 0;
    if (text == TWX_EVAL_NO_TEXT || !twx_eval_has_key(s, text)) return TWX_OK;
    const twx_near_text near_text = {
        .text = text, .payload = twx_eval_payload(s, text), .is_compared = true};
    twx_rc rc = twx_near_add(d->job->cx, near, i, &near_text, &is_new);
    if (rc != TWX_OK || !is_new || s->detector->sketch) return rc;
    const twx_key *keys = twx_eval_candidate_keys(s, text, room, &n);
    for (size_t k = 0; rc == TWX_OK && k < n; k++)
        rc = twx_grouper_add(grouper, keys[k].key, keys[k].check, near->node[i]);
    return rc;
}

twx_rc twx_eval_groups_of(const twx_eval_documents *documents, const twx_eval_signed *s,
                          twx_eval_grouped *ret_groups) {
    const twx_job *job = documents->job;
    twx_ctx *cx = job->cx;
    const twx_judge_options options = {.join = job->settings->near_join,
                                       .candidates = job->settings->near_candidates,
                                       .threads = twx_job_threads(job->settings)};
    twx_near near = {.options = &options,
                     .detector = s->detector,
                     .params = s->params,
                     .documents = s->params->documents,
                     .memory = twx_job_memory(job->settings) / 4};
    twx_grouper *grouper = NULL;
    twx_groups groups = {0};
    const size_t n = documents->at.n;
    TWX_VEC(uint64_t) text = {0}; /* only presence matters: translations are kept separate */
    twx_grouping how = {.p = &documents->docs,
                        .rank = documents->rank,
                        .eligibility = documents->links.eligibility};
    twx_rc rc = twx_near_init(cx, &near, n);
    if (rc == TWX_OK) rc = twx_grouper_open(cx, twx_job_memory(job->settings) / 4, NULL, &grouper);
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) {
        rc = add_document(documents, s, i, &near, grouper);
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &text, documents->at.at[i].text)) rc = TWX_E_NOMEM;
    }
    if (s->detector->translations_separate) how.text = text.at;
    if (rc == TWX_OK) rc = twx_near_groups(cx, &near, &how, grouper, NULL, &groups, NULL);
    if (rc == TWX_OK) rc = twx_groups_list(cx, &groups, n, &ret_groups->rep);
    ret_groups->groups = groups.groups;
    ret_groups->largest = groups.largest;
    twx_groups_done(&groups);
    twx_grouper_close(grouper);
    twx_near_done(&near);
    TWX_VEC_DONE(&text);
    return rc;
}

/* ==== recommend */

enum {
    LOWEST = 40,  /* of the thresholds and the middles, in hundredths */
    MIDDLES = 36, /* in steps of two hundredths */
    WIDTHS = 5
};
static const double WIDTH[WIDTHS] = {0.005, 0.01, 0.02, 0.04, 0.08};
/* Share of the labels of either kind that are mistakes. */
#define MISTAKEN 0.015

static double probability(size_t model, double similarity) {
    const double middle = (LOWEST + 2 * (double)(model / WIDTHS)) / 100;
    return 1 / (1 + exp((middle - similarity) / WIDTH[model % WIDTHS]));
}

/* F of each threshold if a model is right. */
static void f_of_thresholds(size_t model, const size_t pairs[TWX_HUNDREDTHS],
                            double ret_f[TWX_HUNDREDTHS]) {
    double same[TWX_HUNDREDTHS], all = 0, above = 0, shown = 0;
    for (size_t i = 0; i < TWX_HUNDREDTHS; i++) {
        same[i] = (double)pairs[i] * probability(model, (double)i / 100);
        all += same[i];
    }
    for (size_t i = TWX_HUNDREDTHS; i-- > 0;) {
        above += same[i];
        shown += (double)pairs[i];
        ret_f[i] = all + shown > 0 ? 2 * above / (all + shown) : 0;
    }
}

/* Of equal ones the highest: it is where the pairs of the store begin. */
static size_t best_of(const double f[TWX_HUNDREDTHS]) {
    size_t best = LOWEST;
    for (size_t i = LOWEST; i < TWX_HUNDREDTHS; i++)
        if (f[i] >= f[best]) best = i;
    return best;
}

/* The threshold, in millionths, up to which the best one is with this probability. */
static uint64_t quantile(const double best[TWX_HUNDREDTHS], double probability) {
    double sum = 0, all = 0;
    size_t i = 0;
    for (size_t k = 0; k < TWX_HUNDREDTHS; k++) all += best[k];
    while (i + 1 < TWX_HUNDREDTHS && (sum += best[i]) < probability * all) i++;
    return i * 10000;
}

/* The nearest similarity between the least and the greatest that pairs have. */
static uint64_t among_pairs(const size_t pairs[TWX_HUNDREDTHS], uint64_t value) {
    size_t least = 0, most = TWX_HUNDREDTHS;
    while (least < TWX_HUNDREDTHS && pairs[least] == 0) least++;
    if (least == TWX_HUNDREDTHS) return value;
    while (pairs[most - 1] == 0) most--;
    if (value < least * 10000) return least * 10000;
    return value < (most - 1) * 10000 ? value : (most - 1) * 10000;
}

size_t twx_labels_right(const twx_similar_label *labels, size_t n, uint64_t threshold) {
    size_t right = 0;
    for (size_t i = 0; i < n; i++)
        right += labels[i].same == ((uint64_t)labels[i].ppm >= threshold);
    return right;
}

twx_recommendation twx_recommend(const twx_similar_label *labels, size_t n,
                                 const size_t pairs[TWX_HUNDREDTHS]) {
    double weight[MIDDLES * WIDTHS], most = -INFINITY;
    double mean[TWX_HUNDREDTHS] = {0}, best[TWX_HUNDREDTHS] = {0};
    if (n < TWX_RECOMMEND_LABELS) return (twx_recommendation){.made = false};
    for (size_t m = 0; m < TWX_COUNTOF(weight); m++) {
        weight[m] = 0; /* its likelihood */
        for (size_t i = 0; i < n; i++) {
            const double p = MISTAKEN + (1 - 2 * MISTAKEN) * probability(m, labels[i].ppm / 1e6);
            weight[m] += log(labels[i].same ? p : 1 - p);
        }
        if (weight[m] > most) most = weight[m];
    }
    for (size_t m = 0; m < TWX_COUNTOF(weight); m++) {
        double f[TWX_HUNDREDTHS];
        const double share = exp(weight[m] - most);
        f_of_thresholds(m, pairs, f);
        for (size_t i = 0; i < TWX_HUNDREDTHS; i++) mean[i] += share * f[i];
        best[best_of(f)] += share;
    }
    return (twx_recommendation){.made = true,
                                .value = best_of(mean) * 10000,
                                .low = quantile(best, 0.1),
                                .high = quantile(best, 0.9),
                                .next = among_pairs(pairs, quantile(best, n / 2 % 2 ? 0.2 : 0.8))};
}
