/* wings: lab */
/* Laws of candidate keys and verification of every row of sign/detectors.c. */
#include "random_documents.h"

enum { FAMILY = 10 };

/* Texts of sentences in families: each but the first is an edit of it, slight or heavy. */
static void make_families(document *docs, uint64_t seed) {
    make_documents(docs, seed);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        field *f = &docs[i].text;
        test_rng rng = test_rng_seed(seed * 1000 + i / FAMILY),
                 edits = test_rng_seed(seed * 100000 + i);
        const size_t words = 15 + test_rng_below(&rng, 110),
                     edited = (i % FAMILY) * (i % FAMILY) * 6;
        f->n = 0;
        for (size_t k = 0; k < words; k++) {
            const size_t own = test_rng_below(&rng, 900), other = test_rng_below(&edits, 900);
            const size_t fate = test_rng_below(&edits, 1024), word = fate < edited ? other : own;
            if (fate < edited / 4) continue;
            f->n += (size_t)snprintf(f->bytes + f->n, FIELD_MAX - f->n, "w%zu%s%s", word,
                                     word % 9 == 0 ? "s" : "", word % 7 == 0 ? ". " : " ");
        }
    }
}

/* What a detector made of a document, as those see it who look for candidates. */
typedef struct found {
    twx_record record;
    twx_slice payload; /* in it */
    twx_key keys[TWX_CANDIDATE_KEYS_MAX];
    size_t n; /* 0: no signature */
} found;

static void find_keys(const twx_detector *d, const twx_params *params, const twx_buf *record,
                      found *ret_found) {
    const twx_record_entry *e = entry_in(&ret_found->record, record, d->id);
    ret_found->n = 0;
    if (!e || e->n_keys == 0) return;
    ret_found->payload = e->payload;
    if (!d->candidates) {
        assert_true(e->n_keys <= TWX_CANDIDATE_KEYS_MAX);
        ret_found->n = e->n_keys;
        for (size_t k = 0; k < e->n_keys; k++) ret_found->keys[k] = twx_record_key(e, k);
        return;
    }
    const twx_signed from = {twx_record_key(e, 0), e->payload};
    ret_found->n = d->candidates(params, &from, ret_found->keys);
    if (ret_found->n == 0 || ret_found->n > TWX_CANDIDATE_KEYS_MAX)
        fail_msg("%s: %zu keys", d->name, ret_found->n);
}

static bool share_key(const found *a, const found *b) {
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < b->n; k++)
            if (a->keys[i].key == b->keys[k].key && a->keys[i].check == b->keys[k].check)
                return true;
    return false;
}

typedef struct pairs {
    size_t verified, met;
} pairs;

/* [R4] for all pairs of a family, and of neighbours of two. */
static void check_pairs(const twx_detector *d, const twx_params *params, const found *all,
                        pairs *count) {
    for (size_t a = 0; a < DOCUMENTS; a++) {
        if (all[a].n == 0) continue;
        if (d->verify(params, all[a].payload, all[a].payload) != 1000000)
            fail_msg("%s: %zu is not like itself", d->name, a);
        for (size_t b = a > FAMILY ? a - FAMILY : 0; b < a; b++) {
            if (all[b].n == 0) continue;
            const int32_t there = d->verify(params, all[a].payload, all[b].payload);
            const int32_t back = d->verify(params, all[b].payload, all[a].payload);
            if (there != back || there < -1 || there > 1000000)
                fail_msg("%s: %zu is like %zu by %d and %d", d->name, a, b, there, back);
            count->verified += there >= 0;
            count->met += there >= 0 && share_key(&all[a], &all[b]);
        }
    }
}

/* How many of the pairs that verify share a key: all, but for those whose file says that some may
 * be missed. A little less than what is measured (and printed) on the families above: scattered
 * edits, the hardest case for alignment. */
static double least_share(const twx_detector *d) {
    static const struct {
        const char *name;
        double share;
    } MEASURED[] = {{"alignment", 0.95},
                    {"shingles", 0.99},
                    {"decomposition", 0.95},
                    {"chunks", 0.99},
                    {"bloom", 0.99}};
    for (size_t i = 0; i < TWX_COUNTOF(MEASURED); i++)
        if (strcmp(MEASURED[i].name, d->name) == 0) return MEASURED[i].share;
    return 1;
}

TEST(r4_r5_verification_is_symmetric_and_its_pairs_are_candidates) {
    static document docs[DOCUMENTS];
    static twx_buf records[DOCUMENTS];
    static found all[DOCUMENTS];
    pairs count[DETECTORS_MAX] = {{0, 0}};
    twx_params params = params_of_laws();
    const twx_detector *d;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        twx_collection collection;
        make_families(docs, seed);
        sign_made(seed, docs, &collection, records);
        params.collection = &collection;
        for (size_t k = 0; (d = twx_detector_at(k)); k++) {
            if (!d->verify) continue;
            for (size_t i = 0; i < DOCUMENTS; i++) find_keys(d, &params, &records[i], &all[i]);
            check_pairs(d, &params, all, &count[k]);
        }
        twx_collection_done(&collection);
        done_all(records);
    }
    for (size_t k = 0; (d = twx_detector_at(k)); k++) {
        if (!d->verify) continue;
        const double met = (double)count[k].met / (double)count[k].verified;
        print_message("%s: %zu of %zu pairs that verify share a key (%.3f %%)\n", d->name,
                      count[k].met, count[k].verified, 100 * met);
        if (count[k].verified < 50) fail_msg("%s: %zu pairs only", d->name, count[k].verified);
        if (met < least_share(d))
            fail_msg("%s: %.4f of the pairs that verify share a key", d->name, met);
    }
}

/* A payload that is what a detector made, cut or with bytes changed, or is any bytes. Without
 * slack; freed by drop(). */
static twx_slice hostile_payload(test_rng *rng, twx_slice good) {
    const size_t kind = test_rng_below(rng, 4);
    size_t n = kind == 0 ? test_rng_below(rng, 700) : good.n;
    if (kind == 1) n = test_rng_below(rng, good.n + 1);
    char *p = malloc(n ? n : 1);
    if (!p) abort();
    for (size_t i = 0; i < n; i++) p[i] = kind == 0 ? (char)test_rng_next(rng) : good.p[i];
    for (size_t i = 1 + test_rng_below(rng, 8); kind > 1 && n > 0 && i > 0; i--)
        p[kind == 2 ? test_rng_below(rng, n) : test_rng_below(rng, n < 16 ? n : 16)] = (char)
            test_rng_next(rng);
    return (twx_slice){p, n};
}

static void try_hostile(const twx_detector *d, const twx_params *params, test_rng *rng,
                        const found good[2]) {
    const twx_slice a = hostile_payload(rng, good[0].payload);
    const twx_slice b = test_rng_below(rng, 2) ? hostile_payload(rng, good[1].payload)
                                               : good[1].payload;
    twx_key keys[TWX_CANDIDATE_KEYS_MAX];
    const int32_t there = d->verify(params, a, b), back = d->verify(params, b, a),
                  self = d->verify(params, a, a);
    if (there != back || there < -1 || there > 1000000)
        fail_msg("%s: %d and %d", d->name, there, back);
    if (self != -1 && self != 1000000)
        fail_msg("%s: a payload is like itself by %d", d->name, self);
    const twx_signed from = {good[0].keys[0], a};
    const size_t n = d->candidates ? d->candidates(params, &from, keys) : 1;
    if (n > TWX_CANDIDATE_KEYS_MAX) fail_msg("%s: %zu keys", d->name, n);
    drop(a);
    if (b.p != good[1].payload.p) drop(b);
}

TEST(hostile_payloads_do_no_harm) {
    static document docs[DOCUMENTS];
    static twx_buf records[DOCUMENTS];
    static found good[2];
    twx_params params = params_of_laws(), open = twx_params_without_thresholds(&params);
    twx_collection collection;
    const twx_detector *d;
    make_families(docs, 1);
    sign_made(1, docs, &collection, records);
    params.collection = open.collection = &collection;
    for (size_t k = 0; (d = twx_detector_at(k)); k++) {
        test_rng rng = test_rng_seed(k);
        for (size_t i = 1; d->verify && i < DOCUMENTS; i++) {
            find_keys(d, &params, &records[i - 1], &good[0]);
            find_keys(d, &params, &records[i], &good[1]);
            for (size_t n = 0; good[0].n && good[1].n && n < 20; n++)
                try_hostile(d, n % 2 ? &params : &open, &rng, good);
        }
    }
    twx_collection_done(&collection);
    done_all(records);
}
