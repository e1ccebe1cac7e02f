#include "lab/visible_copies.h"

#include "base/alloc.h"
#include "lab/eval_pairs.h"
#include "text/similarity.h"

enum { ALIKE_PPM = 900000, TITLE_PARTNERS = 32 };
#define STEPS_MAX ((double)(UINT64_C(1) << 36))

struct twx_visible_copies {
    const twx_job *job;
    twx_opened *o;
    const twx_eval_finding *how;
    twx_similarity *similarity;
    twx_buf left, right;
    twx_map64 alike; /* two texts -> 1 if their similarity is at least .9, else 0 */
};

twx_rc twx_visible_copies_open(const twx_job *job, twx_opened *o, const twx_eval_finding *how,
                               twx_visible_copies **ret_copies) {
    twx_visible_copies *v = twx_calloc(job->cx, 1, sizeof *v);
    if (!v) return TWX_E_NOMEM;
    v->job = job;
    v->o = o;
    v->how = how;
    twx_buf_init(&v->left, SIZE_MAX / 4);
    twx_buf_init(&v->right, SIZE_MAX / 4);
    twx_map64_init(&v->alike, 0);
    twx_rc rc = twx_similarity_open(job->cx, &v->similarity);
    if (rc == TWX_OK)
        *ret_copies = v;
    else
        twx_visible_copies_close(v);
    return rc;
}

void twx_visible_copies_close(twx_visible_copies *v) {
    if (!v) return;
    twx_similarity_close(v->similarity);
    twx_buf_done(&v->left);
    twx_buf_done(&v->right);
    twx_map64_done(&v->alike);
    twx_free(v);
}

/* Do two texts have a similarity of at least .9? False for texts that are too long to compare or
 * that have changed. */
static twx_rc compare(twx_visible_copies *v, uint32_t a, uint32_t b, bool *ret_alike) {
    const twx_eval_texts *t = v->how->texts;
    const uint64_t key = twx_eval_pair_of(a, b);
    uint64_t known = 0;
    int32_t ppm = -1;
    twx_rc rc = TWX_OK;
    if (!twx_map64_get(&v->alike, key, &known)) {
        const double x = (double)t->at.at[a].bytes, y = (double)t->at.at[b].bytes;
        const bool reach = 2e6 * (x < y ? x : y) >= ALIKE_PPM * (x + y) && x * y <= STEPS_MAX;
        twx_buf_clear(&v->left);
        twx_buf_clear(&v->right);
        if (reach) rc = twx_eval_text_fetch(v->job, v->o, t, a, &v->left);
        if (rc == TWX_OK && reach) rc = twx_eval_text_fetch(v->job, v->o, t, b, &v->right);
        if (rc == TWX_OK && reach)
            rc = twx_similarity_of(v->job->cx, v->similarity, twx_buf_slice(&v->left),
                                   twx_buf_slice(&v->right), ALIKE_PPM, &ppm);
        if (rc == TWX_DONE) rc = TWX_OK;
        known = ppm >= ALIKE_PPM;
        if (rc == TWX_OK) rc = twx_map64_put(v->job->cx, &v->alike, key, known);
    }
    if (rc == TWX_OK) *ret_alike = known != 0;
    return rc;
}

/* Is another text with this title similar to that of at[i]? */
static twx_rc has_alike(twx_visible_copies *v, const twx_titled_texts *list, size_t i,
                        bool *ret_alike) {
    size_t from, to, n = 0;
    twx_rc rc = TWX_OK;
    *ret_alike = false;
    twx_titled_texts_of(list, list->at[i].title, &from, &to);
    for (size_t k = from; rc == TWX_OK && k < to && n < TITLE_PARTNERS && !*ret_alike; k++) {
        if (k == i) continue;
        n++;
        rc = compare(v, twx_finding_text(v->how, list->at[i].document),
                     twx_finding_text(v->how, list->at[k].document), ret_alike);
    }
    return rc;
}

twx_rc twx_visible_copies_by_title(twx_visible_copies *v, const twx_titled_texts *titled,
                                   twx_findable *result) {
    twx_eval_lots lots = {0};
    uint64_t alike = 0;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < titled->n; i++) {
        const twx_titled_text *t = &titled->at[i];
        const bool shared = (i > 0 && t[-1].title == t->title) ||
                            (i + 1 < titled->n && t[1].title == t->title);
        if (shared && !TWX_VEC_PUSH(v->job->cx, &lots, (twx_eval_lot){t->lot, (uint32_t)i}))
            rc = TWX_E_NOMEM;
    }
    const uint64_t all = lots.n;
    twx_eval_lots_keep(&lots, v->how->sample);
    for (size_t i = 0; rc == TWX_OK && i < lots.n; i++) {
        bool found = false;
        rc = has_alike(v, titled, lots.at[i].item, &found);
        alike += found;
        if (rc == TWX_OK) rc = twx_cancelled(v->job->cx);
    }
    result->titled_sampled = lots.n;
    result->same_title = twx_finding_share(alike, lots.n, all);
    TWX_VEC_DONE(&lots);
    return rc;
}

/* Is the same text shown for both documents? */
static bool are_joined(const twx_eval_finding *how, const uint32_t *rep,
                       const twx_known_pair *pair) {
    const uint32_t a = twx_finding_is_hidden(rep, pair->a) ? rep[pair->a] : pair->a;
    const uint32_t b = twx_finding_is_hidden(rep, pair->b) ? rep[pair->b] : pair->b;
    return a == b || twx_finding_text(how, a) == twx_finding_text(how, b);
}

twx_rc twx_visible_copies_known(twx_visible_copies *v, const twx_known_pairs *known,
                                const uint32_t *rep, twx_findable *result) {
    twx_eval_lots lots = {0};
    uint64_t sampled = 0, visible = 0;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < known->n; i++) {
        const uint64_t lot = twx_mix64(twx_finding_lot(v->how, known->at[i].a),
                                       twx_finding_lot(v->how, known->at[i].b));
        if (!TWX_VEC_PUSH(v->job->cx, &lots, (twx_eval_lot){lot, (uint32_t)i})) rc = TWX_E_NOMEM;
    }
    twx_eval_lots_keep(&lots, v->how->sample);
    for (size_t i = 0; rc == TWX_OK && i < lots.n; i++) {
        const twx_known_pair *pair = &known->at[lots.at[i].item];
        bool alike = false;
        rc = compare(v, twx_finding_text(v->how, pair->a), twx_finding_text(v->how, pair->b),
                     &alike);
        if (rc != TWX_OK || !alike) continue;
        sampled++;
        visible += !are_joined(v->how, rep, pair);
        rc = twx_cancelled(v->job->cx);
    }
    result->known_sampled = sampled;
    result->known_visible = twx_finding_share(visible, sampled,
                                              lots.n == known->n ? sampled : UINT64_MAX);
    TWX_VEC_DONE(&lots);
    return rc;
}
