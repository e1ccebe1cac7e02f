/* Min-hashes of many families without hashing every shingle m times.
 *
 * Each shingle throws darts at m targets, at random times (a Poisson process) determined by its
 * hash alone. The first time at which a given shingle hits a target has an exponential
 * distribution, independent of all other targets and shingles (splitting of a Poisson process):
 * exactly as with m independent hash functions. So the earliest hit of each target is its min-hash,
 * and a shingle can stop once its clock is past the latest of them: after the first few hundred
 * shingles that is nearly always before its second dart.
 *
 * With integers only: the pause between two darts is drawn from powers of two with linear
 * interpolation, which tests cannot distinguish from an exponential distribution
 * (test_min_hashes.c).
 * Source of the idea: Ertl, ProbMinHash, 2020.
 *
 * The rows. Supershingles: 84 min-hashes of the 5-word shingles in 6 groups of 14; texts with the
 * resemblance .99 are found with probability .9998, .97 with .98, .95 with .88, .9 with .42, .8
 * with .03, .7 with .0007. Megashingles: 36 min-hashes in 6 groups of 6; .95 are found with
 * probability .994, .9 with .92, .8 with .49, .7 with .15, .5 with .004. Two equal groups suffice
 * for both; the payload is 48 bytes. */
#include "lab/lab.h"

typedef struct twx_supershingling {
    uint32_t words;     /* of a shingle */
    uint32_t per_group; /* min-hashes, at most TWX_MIN_HASHES_MAX in all groups together */
    /* The resemblance for this many equal supershingles in millionths, (equal / groups)^(1 /
     * per_group); -1: not a pair. The last one is 1000000. */
    int32_t resemblance_ppm[TWX_SUPERSHINGLE_GROUPS + 1];
} twx_supershingling;

enum { PAUSE_BITS = 48, SLOTS = 1024, EARLY_MAX = SLOTS / 2, BYTES = sizeof(uint64_t) };

/* Steele, Lea, Flood 2014, as twx_split_mix() */
static const uint64_t STEP = UINT64_C(0x9E3779B97F4A7C15);

typedef struct targets {
    uint64_t *first; /* the earliest hit of each; UINT64_MAX: none yet */
    size_t m, missed;
    uint64_t latest; /* the largest of first[] */
} targets;

/* The first few distinct shingles. While there are few, each throws many darts, and a text that
 * repeats them for megabytes should not throw them again. */
typedef struct early {
    uint64_t slot[SLOTS];
    uint64_t free; /* marks a free slot */
    size_t n;
} early;

/* 2^-k of all pauses are k units or more, uniformly distributed between k and k + 1; a unit has
 * PAUSE_BITS fraction bits. */
static uint64_t pause_of(uint64_t random) {
    const int zeros = __builtin_clzll(random | 1);
    return ((uint64_t)zeros << PAUSE_BITS) + (random << zeros << 1 >> (64 - PAUSE_BITS));
}

static void hit(targets *t, size_t target, uint64_t moment) {
    const uint64_t before = t->first[target];
    if (moment >= before) return;
    t->first[target] = moment;
    if (before == UINT64_MAX) t->missed--;
    if (before != t->latest || t->missed > 0) return;
    t->latest = 0;
    for (size_t i = 0; i < t->m; i++)
        if (t->first[i] > t->latest) t->latest = t->first[i];
}

static void throw_darts(targets *t, uint64_t shingle) {
    uint64_t moment = 0;
    for (uint64_t dart = shingle + STEP;; dart += STEP) {
        const uint64_t random = twx_split_mix(dart);
        moment += pause_of(random);
        if (moment >= t->latest) return;
        hit(t, (size_t)((random & UINT32_MAX) * t->m >> 32), moment);
    }
}

/* Was the shingle among the early ones before? Adds it if there is room. */
static bool repeats(early *e, uint64_t shingle) {
    if (e->n == EARLY_MAX) return false;
    size_t at = shingle % SLOTS;
    while (e->slot[at] != shingle && e->slot[at] != e->free) at = (at + 1) % SLOTS;
    if (e->slot[at] == shingle) return true;
    e->slot[at] = shingle;
    e->n++;
    return false;
}

void twx_min_hashes(const uint64_t *shingles, size_t n, size_t m, uint64_t *ret_minima) {
    targets t = {.first = ret_minima, .m = m, .missed = m, .latest = UINT64_MAX};
    early e = {.n = 0};
    for (size_t i = 0; i < m; i++) ret_minima[i] = UINT64_MAX;
    if (n == 0) return;
    /* known from the start, so it needs no slot */
    e.free = shingles[0];
    for (size_t i = 0; i < SLOTS; i++) e.slot[i] = e.free;
    throw_darts(&t, shingles[0]);
    for (size_t i = 1; i < n; i++)
        if (!repeats(&e, shingles[i])) throw_darts(&t, shingles[i]);
}

/* The functions of the rows. Memory: the payload is in the workspace's scratch. Errors
 * TWX_E_NOMEM */
static twx_rc supershingle_sign(twx_ctx *cx, twx_workspace *w, const twx_supershingling *how,
                                twx_slice text, twx_signature *ret_signature) {
    const twx_shingling shingling = {.words = how->words};
    uint64_t minima[TWX_MIN_HASHES_MAX];
    unsigned char packed[TWX_MIN_HASHES_MAX * BYTES];
    twx_arena *scratch = twx_workspace_scratch(w);
    twx_shingles shingles = {0};
    twx_rc rc = twx_shingles_of(cx, scratch, &shingling, text, &shingles);
    if (rc != TWX_OK || shingles.n == 0) return rc;
    char *payload = twx_arena_alloc(cx, scratch, TWX_SUPERSHINGLE_GROUPS, BYTES);
    if (!payload) return TWX_E_NOMEM;
    const size_t m = (size_t)how->per_group * TWX_SUPERSHINGLE_GROUPS,
                 group_bytes = (size_t)how->per_group * BYTES;
    twx_min_hashes(shingles.at, shingles.n, m, minima);
    for (size_t i = 0; i < m; i++) twx_store_le64(packed + i * BYTES, minima[i]);
    for (size_t g = 0; g < TWX_SUPERSHINGLE_GROUPS; g++) {
        const twx_slice group = {(const char *)packed + g * group_bytes, group_bytes};
        twx_store_le64(payload + g * BYTES, twx_hash64(group, g));
    }
    const twx_slice whole = {payload, TWX_SUPERSHINGLE_GROUPS * BYTES};
    return twx_signature_set_payload(cx, whole, ret_signature);
}

/* Supershingles have 64 bits and include their group (the seed), so a pair of them is a key without
 * another hash. */
static size_t supershingle_candidates(const twx_params *params, const twx_signed *from,
                                      twx_key *ret_keys) {
    (void)params;
    const char *const p = from->payload.p;
    size_t n = 0;
    if (from->payload.n != TWX_SUPERSHINGLE_GROUPS * BYTES) return 0;
    for (size_t i = 0; i < TWX_SUPERSHINGLE_GROUPS; i++)
        for (size_t j = i + 1; j < TWX_SUPERSHINGLE_GROUPS; j++)
            ret_keys[n++] = (twx_key){twx_load_le64(p + i * BYTES), twx_load_le64(p + j * BYTES)};
    return n;
}

static int32_t supershingle_verify(const twx_supershingling *how, twx_slice a, twx_slice b) {
    size_t equal = 0;
    if (a.n != TWX_SUPERSHINGLE_GROUPS * BYTES || b.n != a.n) return -1;
    for (size_t at = 0; at < a.n; at += BYTES) equal += memcmp(a.p + at, b.p + at, BYTES) == 0;
    return how->resemblance_ppm[equal];
}

static const twx_supershingling MEGASHINGLES = {
    .words = 5,
    .per_group = 6,
    .resemblance_ppm = {-1, -1, 832683, 890899, 934655, 970070, 1000000},
};
static const twx_supershingling SUPERSHINGLES = {
    .words = 5,
    .per_group = 14,
    .resemblance_ppm = {-1, -1, 924528, 951695, 971454, 987061, 1000000},
};

#define FUNCTIONS_OF(name, how)                                                        \
    static twx_rc sign_##name(twx_ctx *cx, twx_workspace *w, const twx_params *params, \
                              const twx_document *doc, twx_signature *ret_signature) { \
        (void)params;                                                                  \
        return supershingle_sign(cx, w, how, doc->text, ret_signature);                \
    }                                                                                  \
    static int32_t verify_##name(const twx_params *params, twx_slice a, twx_slice b) { \
        (void)params;                                                                  \
        return supershingle_verify(how, a, b);                                         \
    }
FUNCTIONS_OF(mega, &MEGASHINGLES)
FUNCTIONS_OF(super, &SUPERSHINGLES)

#define COMMON_TO_ROWS .version = 1, TWX_TEXT_ROW, .candidates = supershingle_candidates

const twx_detector TWX_DETECTOR_MEGASHINGLES = {
    .name = "megashingles",
    .summary = "texts with two of six groups of six min-hashes in common",
    .source = "Fetterly, Manasse, Najork 2003; Zelenkov and Segalovich 2007, A6",
    .id = 12,
    .sign = sign_mega,
    .verify = verify_mega,
    COMMON_TO_ROWS,
};

const twx_detector TWX_DETECTOR_SUPERSHINGLES = {
    .name = "supershingles",
    .summary = "texts with two of six groups of fourteen min-hashes in common",
    .source = "Broder 2000; Fetterly, Manasse, Najork 2003",
    .id = 24,
    .sign = sign_super,
    .verify = verify_super,
    COMMON_TO_ROWS,
};
