#include "sign/sign.h"

#include <zlib.h>

/* ==== bag */

enum { CHARACTERS_MIN = 4, HEAD = 8, RUN_SMALL = 24, BYTES = 256 };

static const uint64_t WORD_SEED = 0x776F7264;  /* "word" */
static const uint64_t PARTS_SEED = 0x70617274; /* "part" */

uint64_t twx_bag_hash(twx_slice word) {
    return twx_hash64(word, WORD_SEED);
}

bool twx_bag_takes(twx_slice word) {
    size_t characters = 0; /* all words are valid UTF-8 */
    for (size_t i = 0; i < word.n && characters < CHARACTERS_MIN; i++)
        characters += ((unsigned char)word.p[i] & 0xC0) != 0x80;
    return characters >= CHARACTERS_MIN && !twx_is_stop_word(word);
}

/* The first eight bytes as a number, padded with zeros: numbers compare as the bytes do. Eight
 * bytes are readable from the beginning of any word of a bag. */
static uint64_t head(twx_slice word) {
    const uint64_t bytes = twx_load_be64(word.p);
    return word.n >= HEAD ? bytes : bytes & ~(UINT64_MAX >> (8 * word.n));
}

static int by_text(const void *a, const void *b) {
    const twx_bag_word *x = a, *y = b;
    const uint64_t p = head(x->text), q = head(y->text);
    if (p != q) return p < q ? -1 : 1;
    return twx_slice_cmp(x->text, y->text);
}

/* Stable: words with the same byte at that place keep their order. */
static void sort_by_byte(const twx_bag_word *from, size_t n, size_t byte, twx_bag_word *to) {
    uint32_t starts[BYTES] = {0}, sum = 0; /* a text has fewer than 2^28 such words */
    for (size_t i = 0; i < n; i++) starts[(unsigned char)from[i].text.p[byte]]++;
    for (size_t v = 0; v < BYTES; v++) {
        const uint32_t count = starts[v];
        starts[v] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++) to[starts[(unsigned char)from[i].text.p[byte]]++] = from[i];
}

static void sort_run(twx_bag_word *at, size_t n) {
    if (n > RUN_SMALL) {
        qsort(at, n, sizeof *at, by_text);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        const twx_bag_word word = at[i];
        size_t to = i;
        for (; to > 0 && by_text(&at[to - 1], &word) > 0; to--) at[to] = at[to - 1];
        at[to] = word;
    }
}

/* Sorts by the second byte, then by the first, which leaves short runs of words with the same
 * beginning. Sorting by comparison alone would take as long as counting the words. */
static twx_rc sort_words(twx_ctx *cx, twx_arena *scratch, const twx_bag *bag) {
    twx_bag_word *at = bag->at;
    if (bag->n < 2) return TWX_OK;
    twx_bag_word *half = twx_arena_alloc(cx, scratch, bag->n, sizeof *half);
    if (!half) return TWX_E_NOMEM;
    sort_by_byte(at, bag->n, 1, half);
    sort_by_byte(half, bag->n, 0, at);
    for (size_t from = 0, to; from < bag->n; from = to) {
        for (to = from + 1; to < bag->n && memcmp(at[to].text.p, at[from].text.p, 2) == 0;) to++;
        sort_run(at + from, to - from);
    }
    return TWX_OK;
}

/* Copies the content words out of the table, which is reused while the bag lives. */
static twx_rc take_words(twx_ctx *cx, twx_arena *scratch, const twx_word_counts *counts,
                         twx_bag *bag) {
    twx_word word;
    /* An upper bound of the bytes of all words: each has a place of its own in the text, and lower
     * case is up to 3/2 as long; head() reads past the last word. */
    const size_t bytes = counts->text.n + counts->text.n / 2 + HEAD;
    bag->at = twx_arena_alloc(cx, scratch, twx_word_counts_distinct(counts, 1), sizeof *bag->at);
    char *text = bag->at ? twx_arena_alloc(cx, scratch, bytes, 1) : NULL;
    if (!text) return TWX_E_NOMEM;
    for (size_t at = 0; twx_word_counts_next(counts, 1, &at, &word);) {
        const char *const end = twx_word_put(&word, text);
        const twx_slice taken = {text, (size_t)(end - text)};
        if (!twx_bag_takes(taken)) continue;
        bag->at[bag->n++] = (twx_bag_word){taken, twx_bag_hash(taken), word.count};
        bag->length += word.count;
        if (word.count > bag->tf_max) bag->tf_max = word.count;
        text += taken.n;
    }
    return TWX_OK;
}

twx_rc twx_bag_of(twx_ctx *cx, twx_workspace *w, twx_slice text, twx_bag *ret_bag) {
    const twx_word_counts *counts = NULL;
    twx_bag bag = {0};
    twx_rc rc = TWX_OK;
    if (text.n > 0 && text.n <= TWX_WORD_COUNTS_TEXT_MAX) {
        rc = twx_workspace_count(cx, w, text, CHARACTERS_MIN - 1, &counts);
        if (rc == TWX_OK) rc = take_words(cx, twx_workspace_scratch(w), counts, &bag);
        if (rc == TWX_OK) rc = sort_words(cx, twx_workspace_scratch(w), &bag);
    }
    if (rc == TWX_OK) *ret_bag = bag;
    return rc;
}

TWX_ORDER(by_bytes, twx_slice, twx_slice_cmp(*a, *b))

twx_rc twx_key_of_parts(twx_ctx *cx, twx_workspace *w, twx_slice *parts, size_t n,
                        twx_key *ret_key) {
    size_t bytes = n;
    for (size_t i = 0; i < n; i++) bytes += parts[i].n;
    char *joined = twx_arena_alloc(cx, twx_workspace_scratch(w), bytes, 1), *out = joined;
    if (!joined) return TWX_E_NOMEM;
    if (n > 1) qsort(parts, n, sizeof *parts, by_bytes);
    for (size_t i = 0; i < n; i++) {
        if (i > 0) *out++ = ' ';
        if (parts[i].n > 0) memcpy(out, parts[i].p, parts[i].n);
        out += parts[i].n;
    }
    const twx_slice whole = {joined, (size_t)(out - joined)};
    const twx_hash128 seeded = twx_hash_wide(whole, PARTS_SEED);
    const uint64_t crc = crc32_z(0, (const unsigned char *)joined, whole.n);
    *ret_key = (twx_key){crc << 32 | (seeded.lo & UINT32_MAX), seeded.hi};
    return TWX_OK;
}

/* ==== profile */

/* The text profile: the digest of the frequent words with their rounded counts (docs/signatures.md,
 * "profile").
 *
 * A page of 50 MB has millions of words, nearly all of which occur once. They are counted in a
 * table that refers to the words in the page itself, and only those that remain after rounding are
 * sorted. */

enum { MILLION = 1000000, COUNT_DIGITS = 10 };
enum { MD5, SHA256 }; /* values of fuzzy.digest */

/* bytes: an upper bound of their profile. */
typedef struct kept_words {
    twx_word *at;
    size_t n, bytes;
} kept_words;

static uint32_t setting(const twx_params *params, size_t i) {
    return twx_method_value(params, &TWX_DETECTOR_PROFILE, i);
}

uint32_t twx_profile_quant(uint32_t largest_count, uint32_t rate_ppm) {
    uint64_t quant = ((uint64_t)largest_count * rate_ppm + MILLION / 2) / MILLION;
    if (quant > UINT32_MAX) quant = UINT32_MAX;
    if (quant >= 2) return (uint32_t)quant;
    return largest_count > 1 ? 2 : 1;
}

/* ---- order: larger count first, then UTF-16 order ------------------------- */

TWX_ORDER(ranked_by_text, twx_word *const, twx_word_cmp(*a, *b))

/* Count and beginning of a word, which decide nearly always, and its index, in one number. */
__extension__ typedef unsigned __int128 rank;
enum { INDEX_BITS = 32, HEAD_BITS = 64, RUN = 8 };

static rank rank_of(const twx_word *word, size_t index) {
    return (rank)~word->count << (INDEX_BITS + HEAD_BITS) | (rank)word->head << INDEX_BITS | index;
}

static void sort_few_ranks(rank *at, size_t n) {
    for (size_t i = 1; i < n; i++) {
        const rank moved = at[i];
        size_t to = i;
        for (; to > 0 && at[to - 1] > moved; to--) at[to] = at[to - 1];
        at[to] = moved;
    }
}

static void merge(const rank *a, size_t n_a, const rank *b, size_t n_b, rank *out) {
    while (n_a > 0 && n_b > 0) {
        const bool second = *b < *a; /* cannot be predicted, so no branch depends on it */
        *out++ = second ? *b : *a;
        b += second;
        n_b -= second;
        a += !second;
        n_a -= !second;
    }
    memcpy(out, a, n_a * sizeof *out);
    memcpy(out + n_a, b, n_b * sizeof *out);
}

/* Sorts at[0..n); spare[0..n) is overwritten. Returns the one of both that has the result. */
static rank *sort_ranks(rank *at, rank *spare, size_t n) {
    for (size_t from = 0; from < n; from += RUN)
        sort_few_ranks(at + from, n - from < RUN ? n - from : RUN);
    for (size_t length = RUN; length < n; length *= 2) {
        for (size_t from = 0; from < n; from += 2 * length) {
            const size_t n_a = n - from < length ? n - from : length, rest = n - from - n_a;
            merge(at + from, n_a, at + from + n_a, rest < length ? rest : length, spare + from);
        }
        rank *const swap = at;
        at = spare;
        spare = swap;
    }
    return at;
}

static twx_rc order_words(twx_ctx *cx, twx_arena *scratch, const kept_words *kept,
                          const twx_word ***ret_order) {
    const size_t n = kept->n;
    rank *ranks = twx_arena_alloc(cx, scratch, n, 2 * sizeof *ranks);
    const twx_word **order = ranks ? twx_arena_alloc(cx, scratch, n, sizeof *order) : NULL;
    if (!order) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) ranks[i] = rank_of(&kept->at[i], i);
    ranks = sort_ranks(ranks, ranks + n, n);
    for (size_t i = 0; i < n; i++) order[i] = &kept->at[(uint32_t)ranks[i]];
    for (size_t from = 0, to; from < n; from = to) { /* long words with the same beginning */
        for (to = from + 1; to < n && ranks[to] >> INDEX_BITS == ranks[from] >> INDEX_BITS;) to++;
        if (to - from > 1) qsort(order + from, to - from, sizeof *order, ranked_by_text);
    }
    *ret_order = order;
    return TWX_OK;
}

/* The words that remain, with their rounded counts, in no particular order. */
static twx_rc keep_words(twx_ctx *cx, twx_arena *scratch, const twx_word_counts *counts,
                         uint32_t quant, kept_words *ret_kept) {
    const size_t n = twx_word_counts_distinct(counts, quant);
    kept_words kept = {.at = twx_arena_alloc(cx, scratch, n, sizeof *kept.at)};
    if (!kept.at) return TWX_E_NOMEM;
    for (size_t at = 0; kept.n < n && twx_word_counts_next(counts, quant, &at, &kept.at[kept.n]);) {
        twx_word *word = &kept.at[kept.n++];
        word->count = word->count / quant * quant;
        kept.bytes += twx_word_length(word) + 1 + COUNT_DIGITS + 1;
    }
    *ret_kept = kept;
    return TWX_OK;
}

static char *put_count(char *out, uint32_t count) {
    char digits[COUNT_DIGITS];
    size_t n = 0;
    do digits[n++] = (char)('0' + count % 10);
    while (count /= 10);
    while (n > 0) *out++ = digits[--n];
    return out;
}

twx_rc twx_profile_text(twx_ctx *cx, twx_workspace *w, const twx_params *params, twx_slice text,
                        twx_slice *ret_profile) {
    const twx_word_counts *counts = NULL;
    twx_arena *scratch = twx_workspace_scratch(w);
    kept_words kept;
    const twx_word **order = NULL;
    twx_rc rc = twx_workspace_count(cx, w, text, setting(params, TWX_PROFILE_MIN_TOKEN_LEN),
                                    &counts);
    if (rc != TWX_OK) return rc;
    uint32_t quant = twx_profile_quant(counts->most, setting(params, TWX_PROFILE_QUANT_RATE));
    rc = keep_words(cx, scratch, counts, quant, &kept);
    if (rc == TWX_OK) rc = order_words(cx, scratch, &kept, &order);
    if (rc != TWX_OK) return rc;
    char *profile = twx_arena_alloc(cx, scratch, kept.bytes, 1), *out = profile;
    if (!profile) return TWX_E_NOMEM;
    for (size_t i = 0; i < kept.n; i++) {
        if (i > 0) *out++ = '\n';
        out = twx_word_put(order[i], out);
        *out++ = ' ';
        out = put_count(out, order[i]->count);
    }
    *ret_profile = (twx_slice){profile, (size_t)(out - profile)};
    return TWX_OK;
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    unsigned char digest[TWX_SHA256_BYTES];
    twx_slice profile = {NULL, 0};
    twx_rc rc = TWX_OK;
    if (doc->text.n == 0) return TWX_OK;
    if (doc->text.n <= TWX_WORD_COUNTS_TEXT_MAX)
        rc = twx_profile_text(cx, w, params, doc->text, &profile);
    if (rc != TWX_OK) return rc;
    if (profile.n == 0)
        rc = twx_text_sha256(cx, w, doc->text, digest);
    else
        rc = setting(params, TWX_PROFILE_DIGEST) == MD5 ? twx_md5(cx, w, profile, digest)
                                                        : twx_sha256(cx, w, profile, digest);
    return rc == TWX_OK ? twx_signature_add_digest(cx, digest, ret_signature) : rc;
}

static uint64_t fingerprint(const twx_params *params) {
    const uint64_t shape = twx_mix64(setting(params, TWX_PROFILE_MIN_TOKEN_LEN),
                                     setting(params, TWX_PROFILE_QUANT_RATE));
    return twx_mix64(shape, twx_mix64(setting(params, TWX_PROFILE_DIGEST), TWX_CHAR_CLASS_VERSION));
}

static const twx_method_setting SETTINGS[] = {
    [TWX_PROFILE_MIN_TOKEN_LEN] =
        {.shown = {"fuzzy.min_token_len", "2", "0..1000",
                   "Tokens of at most this many UTF-16 units are left out of the text profile."},
         .kind = TWX_METHOD_COUNT},
    [TWX_PROFILE_QUANT_RATE] =
        {.shown = {"fuzzy.quant_rate", "0.01", "0..1",
                   "Counts of the text profile are rounded down to this share of the largest."},
         .kind = TWX_METHOD_SHARE},
    [TWX_PROFILE_DIGEST] =
        {.shown = {"fuzzy.digest", "md5", "md5|sha256",
                   "Digest of the text profile; use sha256 where MD5 is not available."},
         .kind = TWX_METHOD_CHOICE},
};

const twx_detector TWX_DETECTOR_PROFILE = {
    .name = "profile",
    .summary = "texts whose frequent words occur about equally often",
    .source = "Apache Nutch, TextProfileSignature; YaCy, fuzzy_signature_l",
    .id = 4,
    .version = 1,
    .basis = TWX_BASIS_TEXT,
    .translations_separate = true,
    .settings = SETTINGS,
    .n_settings = TWX_COUNTOF(SETTINGS),
    .fingerprint = fingerprint,
    .sign = sign,
};
