#include "method/alignment.h"

#include <string.h>

#include "base/hash64.h"
#include "method/detectors.h"
#include "text/shingles.h"

enum {
    CHARS_AT = 0,
    WORD_CHARS_AT = 4,
    LEVEL_AT = 8,
    SKETCH_AT = 9,
    KEPT_AT = SKETCH_AT + TWX_MINHASH_BYTES,
    LEVELS = 56,   /* a hash has 64 bits, and 8 of them are kept */
    KEPT_MIN = 16, /* fewer say nothing: the level below is cut off instead */
    BAND = 3,
    BANDS = TWX_MINHASH_BYTES / BAND,
    QUARTERS_ALIGNED = 3, /* of the characters of words: 3/4 u + 1/4 r */
    CHANCE_DIVISOR = 10,  /* a tenth of the sampled words that differ match by chance */
    TENTHS_SAMPLED = 3,   /* of what differs is taken off once more: the cautious side */
    TENTHS_WHOLE = 2,
    MILLION = 1000000,
    WORDS64 = TWX_ALIGNMENT_WORDS / 64
};

/* ---- the payload
 * ------------------------------------------------------------------------------------ */

/* The lowest level at which no more words are kept than there is room for. A text that repeats few
 * words may keep none there and far too many one below: then the first of those. */
static unsigned choose_level(const uint64_t *words, size_t n) {
    size_t ending[LEVELS + 1] = {
        0}; /* words whose hash ends in so many zero bits, or more at the last */
    for (size_t i = 0; i < n; i++) {
        unsigned zeros = words[i] ? (unsigned)__builtin_ctzll(words[i]) : LEVELS;
        ending[zeros < LEVELS ? zeros : LEVELS]++;
    }
    size_t kept = n;
    unsigned level = 0;
    while (level < LEVELS && kept > TWX_ALIGNMENT_WORDS) kept -= ending[level++];
    return kept < KEPT_MIN && level > 0 && n >= KEPT_MIN ? level - 1 : level;
}

static uint32_t capped(size_t n) {
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

size_t twx_alignment_of(const twx_worded *text, uint64_t *pairs,
                        unsigned char ret_payload[TWX_ALIGNMENT_BYTES]) {
    const uint64_t *words = text->words;
    const size_t n = text->n;
    const unsigned level = choose_level(words, n);
    const uint64_t left_out = (UINT64_C(1) << level) - 1;
    size_t end = KEPT_AT, n_pairs = n > 1 ? n - 1 : 1;
    pairs[0] = words[0];
    for (size_t i = 0; i + 1 < n; i++) pairs[i] = words[i] * 3 + words[i + 1];
    twx_minhash_of(pairs, n_pairs, ret_payload + SKETCH_AT);
    for (size_t i = 0; i < n && end < TWX_ALIGNMENT_BYTES; i++)
        if ((words[i] & left_out) == 0) ret_payload[end++] = (unsigned char)(words[i] >> level);
    twx_store_le32(ret_payload + CHARS_AT, capped(text->chars));
    twx_store_le32(ret_payload + WORD_CHARS_AT, capped(text->word_chars));
    ret_payload[LEVEL_AT] = (unsigned char)level;
    return end;
}

/* ---- comparing
 * -------------------------------------------------------------------------------------- */

typedef struct kept_words {
    unsigned char at[TWX_ALIGNMENT_WORDS];
    size_t n;
} kept_words;

/* What would have been kept at a level `up` higher; `common` bits of each word are known of both
 * texts. */
static void read_kept(twx_slice payload, unsigned up, unsigned common, kept_words *ret_kept) {
    const unsigned left_out = (1u << up) - 1, known = (1u << common) - 1;
    const unsigned char *from = (const unsigned char *)payload.p + KEPT_AT;
    const size_t n = payload.n - KEPT_AT;
    size_t kept = 0;
    if (up == 0 && common == 8) {
        memcpy(ret_kept->at, from, n);
        ret_kept->n = n;
        return;
    }
    for (size_t i = 0; i < n; i++)
        if ((from[i] & left_out) == 0)
            ret_kept->at[kept++] = (unsigned char)(from[i] >> up & known);
    ret_kept->n = kept;
}

/* Length of a longest common subsequence of a[0..n) and b[0..m), 64 places of `a` at once (Hyyro
 * 2004). A zero bit of `row` is a place where the length grows. */
static size_t lcs_between(const unsigned char *a, size_t n, const unsigned char *b, size_t m) {
    uint64_t places[256][WORDS64], row[WORDS64];
    const size_t words = (n + 63) / 64;
    for (size_t j = 0; j < m; j++) memset(places[b[j]], 0, words * sizeof places[0][0]);
    for (size_t i = 0; i < n; i++) memset(places[a[i]], 0, words * sizeof places[0][0]);
    for (size_t i = 0; i < n; i++) places[a[i]][i / 64] |= UINT64_C(1) << i % 64;
    for (size_t w = 0; w < words; w++) row[w] = UINT64_MAX;
    for (size_t j = 0; j < m; j++) {
        const uint64_t *match = places[b[j]];
        uint64_t carry = 0;
        for (size_t w = 0; w < words; w++) {
            const uint64_t u = row[w] & match[w];
            uint64_t sum = row[w] + carry;
            const uint64_t first = sum < carry;
            sum += u;
            carry = first | (sum < u);
            row[w] = sum | (row[w] - u);
        }
    }
    size_t length = 0;
    for (size_t w = 0; w < words; w++) {
        const uint64_t used = n - 64 * w >= 64 ? UINT64_MAX : (UINT64_C(1) << (n - 64 * w)) - 1;
        length += (size_t)__builtin_popcountll(~row[w] & used);
    }
    return length;
}

/* What both begin and end with is in some longest one. */
static size_t lcs(const kept_words *a, const kept_words *b) {
    const size_t shorter = a->n < b->n ? a->n : b->n;
    size_t head = 0, tail = 0;
    while (head < shorter && a->at[head] == b->at[head]) head++;
    while (tail < shorter - head && a->at[a->n - 1 - tail] == b->at[b->n - 1 - tail]) tail++;
    const size_t n = a->n - head - tail, m = b->n - head - tail;
    return head + tail + (n && m ? lcs_between(a->at + head, n, b->at + head, m) : 0);
}

/* Words that both have, as often as both have them: no common subsequence is longer, and this is
 * quickly counted. Pages of one site, which share a template, meet as candidates by the million:
 * most are told apart here. */
static size_t in_common(const kept_words *a, const kept_words *b) {
    uint16_t left[256] = {0};
    size_t common = 0;
    for (size_t i = 0; i < a->n; i++) left[a->at[i]]++;
    for (size_t j = 0; j < b->n; j++) {
        const bool both = left[b->at[j]] > 0;
        left[b->at[j]] = (uint16_t)(left[b->at[j]] - both);
        common += both;
    }
    return common;
}

static bool is_payload(twx_slice s) {
    return s.n >= KEPT_AT && s.n <= TWX_ALIGNMENT_BYTES && (unsigned char)s.p[LEVEL_AT] <= LEVELS;
}

/* 2 * shorter / (a + b) in millionths. */
static uint64_t reach(uint64_t a, uint64_t b) {
    return a + b == 0 ? MILLION : 2 * (a < b ? a : b) * MILLION / (a + b);
}

/* Characters of two texts: all of them, twice those that can be aligned at most outside of words,
 * those of words, and twice those
 * of the text that has fewer in words. */
typedef struct char_counts {
    uint64_t all, others, words, shorter_words;
} char_counts;

static char_counts count_chars(twx_slice a, twx_slice b) {
    const uint64_t ca = twx_load_le32(a.p + CHARS_AT), cb = twx_load_le32(b.p + CHARS_AT);
    uint64_t wa = twx_load_le32(a.p + WORD_CHARS_AT), wb = twx_load_le32(b.p + WORD_CHARS_AT);
    wa = wa < ca ? wa : ca; /* a payload that is not ours */
    wb = wb < cb ? wb : cb;
    const uint64_t others = ca - wa < cb - wb ? ca - wa : cb - wb;
    return (char_counts){ca + cb, 2 * others, wa + wb, 2 * (wa < wb ? wa : wb)};
}

/* Grows with u. */
static uint64_t estimate(const char_counts *c, uint64_t u_ppm, bool sampled) {
    if (c->all == 0) return MILLION;
    const uint64_t chance = sampled ? (MILLION - u_ppm) / CHANCE_DIVISOR : 0;
    const uint64_t u = u_ppm > chance ? u_ppm - chance : 0;
    const uint64_t words = (QUARTERS_ALIGNED * u * c->words +
                            (4 - QUARTERS_ALIGNED) * MILLION * c->shorter_words) /
                           4;
    const uint64_t likely = (words + MILLION * c->others) / c->all;
    const uint64_t doubt = (MILLION - likely) * (sampled ? TENTHS_SAMPLED : TENTHS_WHOLE) / 10;
    return likely > doubt ? likely - doubt : 0;
}

int32_t twx_alignment_similarity(twx_slice a, twx_slice b, uint32_t least_ppm) {
    if (!is_payload(a) || !is_payload(b)) return -1;
    if (twx_slice_eq(a, b)) return MILLION;
    const char_counts chars = count_chars(a, b);
    const unsigned la = (unsigned char)a.p[LEVEL_AT], lb = (unsigned char)b.p[LEVEL_AT];
    const unsigned level = la > lb ? la : lb, apart = la > lb ? la - lb : lb - la;
    const bool sampled = level > 0;
    kept_words x, y;
    if (estimate(&chars, MILLION, sampled) < least_ppm || apart >= 8)
        return -1; /* 8: no bit of a word is known of both */
    read_kept(a, level - la, 8 - apart, &x);
    read_kept(b, level - lb, 8 - apart, &y);
    const uint64_t words = x.n + y.n;
    if (words == 0 || estimate(&chars, reach(x.n, y.n), sampled) < least_ppm) return -1;
    if (estimate(&chars, 2 * (uint64_t)in_common(&x, &y) * MILLION / words, sampled) < least_ppm)
        return -1;
    const uint64_t ppm = estimate(&chars, 2 * (uint64_t)lcs(&x, &y) * MILLION / words, sampled);
    return ppm >= least_ppm ? (int32_t)ppm : -1;
}

/* ---- the row
 * ---------------------------------------------------------------------------------------- */

/* Bytes that begin a character of UTF-8; a loop that the compiler vectorises. */
static size_t count_characters(twx_slice text) {
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) n += ((unsigned char)text.p[i] & 0xC0) != 0x80;
    return n;
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    static const twx_shingling WORDS = {.words = 1, .keep_case = true};
    twx_arena *scratch = twx_workspace_scratch(w);
    twx_shingles words;
    (void)params;
    twx_rc rc = twx_shingles_of(cx, scratch, &WORDS, doc->text, &words);
    if (rc != TWX_OK || words.n == 0) return rc;
    uint64_t *pairs = twx_arena_alloc(cx, scratch, words.n, sizeof *pairs);
    unsigned char *payload = twx_arena_alloc(cx, scratch, TWX_ALIGNMENT_BYTES, 1);
    if (!pairs || !payload) return TWX_E_NOMEM;
    const twx_worded text = {words.at, words.n, count_characters(doc->text), words.word_chars};
    ret_signature->payload = (twx_slice){(const char *)payload,
                                         twx_alignment_of(&text, pairs, payload)};
    const twx_hash128 hash = twx_hash_wide(ret_signature->payload, 0);
    return twx_signature_add(cx, (twx_key){hash.lo, hash.hi}, ret_signature);
}

static size_t candidates(const twx_params *params, const twx_signed *from, twx_key *ret_keys) {
    (void)params;
    if (!is_payload(from->payload)) { /* not ours: nothing verifies with it */
        ret_keys[0] = from->first;
        return 1;
    }
    const unsigned char *sketch = (const unsigned char *)from->payload.p + SKETCH_AT;
    for (size_t i = 0; i < BANDS; i++) {
        const unsigned char *band = sketch + i * BAND;
        const uint64_t bytes = (uint64_t)band[0] << 16 | (uint64_t)band[1] << 8 | band[2];
        ret_keys[i] = (twx_key){twx_mix64(bytes, i), 0};
    }
    return BANDS;
}

static int32_t verify(const twx_params *params, twx_slice a, twx_slice b) {
    return twx_alignment_similarity(a, b, params->alignment_threshold_ppm);
}

const twx_detector TWX_DETECTOR_ALIGNMENT = {
    .name = "alignment",
    .summary = "texts most of whose words are the same in the same order",
    .source = "longest common subsequence (Hyyro 2004) of sampled words; candidates by minhash",
    .id = 29,
    .version = 2,
    .basis = TWX_BASIS_TEXT,
    .translations_separate = true,
    .near = true,
    .sign = sign,
    .candidates = candidates,
    .verify = verify,
};
