/* Two detectors, whose key and payload are the fingerprint: `simhash`, 64 bits of a text's words
 * (shingles of one word, text/shingling.c; each occurrence counts), and `simhash32`, 32 bits of its
 * overlapping runs of four characters.
 *
 * Summing. 64 counters would take 64 additions a word. Here the counters are stored bit by bit:
 * plane p holds bit p of all 64 of them, and three numbers of one plane are added by five
 * operations that leave a sum in the plane and a carry for the next (a carry-save adder). Sixteen
 * hashes take fifteen such adders: five operations a word.
 *
 * Keys. Two fingerprints that differ in at most k bits differ in at most k of b blocks, so b-k
 * blocks are equal in both: every choice of b-k blocks, with its own mask mixed in, is a key. Few
 * blocks mean few keys, many blocks mean long keys:
 *
 *     k            0    1    2    3    4    5    6
 *     64 bits: b   1    2    4    6    7    8    9
 *     keys         1    2    6   20   35   56   84     b! / k! (b-k)!
 *     bits of one 64   32   32   32   27   24   21     64 (b-k) / b
 *     32 bits: b   1    4    6    8    8   10   10
 *     keys         1    4   15   56   70  252  210
 *     bits of one 32   24   21   20   16   16   12
 *
 * With keys of j bits, n fingerprints need about n^2 / 2^(j+1) comparisons: for 10 million and 21
 * bits, 24 million.
 *
 * Runs of characters, as in small Contentseen modules of crawlers, also work on text without
 * spaces, with a somewhat higher error. A character is a code point as stored (base/slice.c: U+FFFD
 * for invalid bytes), folded to 16 bits; four of them fill a 64-bit number, the oldest highest,
 * whose mixed upper half is the hash of the run. A text of fewer characters is one run. Keys of 32
 * bits are short where the distance is large, so simhash32 suits collections of some 100 000
 * texts. */
#include "sign/sign.h"

enum {
    FULL = 16 /* hashes added at once */,
    CHARS = 4,
    CHAR_BITS = 16,
    BATCH = 256,
    PAYLOAD_BYTES = 8,
    MILLION = 1000000
};

static const uint8_t BLOCKS_64[TWX_SIMHASH_DISTANCE_MAX + 1] = {1, 2, 4, 6, 7, 8, 9};
static const uint8_t BLOCKS_32[TWX_SIMHASH_DISTANCE_MAX + 1] = {1, 4, 6, 8, 8, 10, 10};

/* Adds a and b to a plane; returns the carries. */
static uint64_t add_two(uint64_t *plane, uint64_t a, uint64_t b) {
    const uint64_t differ = *plane ^ a, carry = (*plane & a) | (differ & b);
    *plane = differ ^ b;
    return carry;
}

/* Adds a number of the plane's weight and propagates the carries. */
static void add_one(twx_simhash *s, unsigned plane, uint64_t a) {
    for (; a && plane < TWX_SIMHASH_PLANES; plane++) {
        const uint64_t carry = s->planes[plane] & a;
        s->planes[plane] ^= a;
        a = carry;
    }
}

static void add_full(twx_simhash *s, const uint64_t *h) {
    uint64_t carries[FULL / 2];
    unsigned plane = 1;
    for (unsigned i = 0; i < FULL / 2; i++)
        carries[i] = add_two(&s->planes[0], h[2 * i], h[2 * i + 1]);
    for (unsigned n = FULL / 4; n > 0; n /= 2, plane++)
        for (unsigned i = 0; i < n; i++)
            carries[i] = add_two(&s->planes[plane], carries[2 * i], carries[2 * i + 1]);
    add_one(s, plane, carries[0]);
}

void twx_simhash_add(twx_simhash *s, const uint64_t *h, size_t n) {
    s->added += n;
    for (; n >= FULL; n -= FULL, h += FULL) add_full(s, h);
    for (; n > 0; n--) add_one(s, 0, *h++);
}

/* Compares all counters with half of the hashes at once, from the highest plane down. */
uint64_t twx_simhash_of(const twx_simhash *s) {
    const uint64_t half = s->added / 2;
    uint64_t more = 0, equal = UINT64_MAX;
    for (unsigned plane = TWX_SIMHASH_PLANES; plane-- > 0;) {
        if (half >> plane & 1) {
            equal &= s->planes[plane];
        } else {
            more |= equal & s->planes[plane];
            equal &= ~s->planes[plane];
        }
    }
    return more;
}

uint64_t twx_simhash64(const uint64_t *h, size_t n) {
    twx_simhash s = {0};
    twx_simhash_add(&s, h, n);
    return twx_simhash_of(&s);
}

unsigned twx_hamming64(uint64_t a, uint64_t b) {
    return (unsigned)__builtin_popcountll(a ^ b);
}

static uint64_t low_bits(unsigned n) {
    return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

/* The mask of the blocks in a choice (bit i: block i). */
static uint64_t mask_of(unsigned choice, unsigned blocks, unsigned bits) {
    uint64_t mask = 0;
    for (unsigned i = 0; i < blocks; i++)
        if (choice >> i & 1)
            mask |= low_bits((i + 1) * bits / blocks) & ~low_bits(i * bits / blocks);
    return mask;
}

/* The masks of those keys: two fingerprints share a key when they are equal in its bits. */
static size_t simhash_masks(unsigned bits, uint32_t distance, uint64_t *ret_masks) {
    const unsigned k = distance < TWX_SIMHASH_DISTANCE_MAX ? distance : TWX_SIMHASH_DISTANCE_MAX;
    const unsigned blocks = bits == 64 ? BLOCKS_64[k] : BLOCKS_32[k];
    /* the choices in ascending order: the next number with as many ones */
    unsigned choice = (1U << (blocks - k)) - 1;
    size_t n = 0;
    while (choice < 1U << blocks) {
        ret_masks[n++] = mask_of(choice, blocks, bits);
        const unsigned lowest = choice & -choice, carried = choice + lowest;
        choice = carried | ((choice ^ carried) / lowest >> 2);
    }
    return n;
}

size_t twx_simhash_keys(uint64_t fingerprint, unsigned bits, uint32_t distance, twx_key *ret_keys) {
    uint64_t masks[TWX_CANDIDATE_KEYS_MAX];
    const size_t n = simhash_masks(bits, distance, masks);
    for (size_t i = 0; i < n; i++)
        ret_keys[i] = (twx_key){.key = twx_mix64(fingerprint & masks[i], masks[i])};
    return n;
}

/* The share of equal bits in millionths, -1 beyond the distance; for simhash and simhash32. */
static int32_t simhash_verify(twx_slice a, twx_slice b, unsigned bits, uint32_t distance) {
    if (a.n != PAYLOAD_BYTES || b.n != PAYLOAD_BYTES) return -1;
    const unsigned differ = twx_hamming64(twx_load_le64(a.p), twx_load_le64(b.p));
    return differ <= distance && differ <= bits
               ? (int32_t)((uint64_t)MILLION * (bits - differ) / bits)
               : -1;
}

/* Key and payload (its 8 bytes, little-endian, in scratch). Errors TWX_E_NOMEM */
static twx_rc simhash_sign(twx_ctx *cx, twx_workspace *w, uint64_t fingerprint,
                           twx_signature *ret_signature) {
    char *payload = twx_arena_alloc(cx, twx_workspace_scratch(w), PAYLOAD_BYTES, 1);
    if (!payload) return TWX_E_NOMEM;
    twx_store_le64(payload, fingerprint);
    ret_signature->payload = (twx_slice){payload, PAYLOAD_BYTES};
    return twx_signature_add(cx, (twx_key){.key = fingerprint}, ret_signature);
}

static twx_rc sign64(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                     const twx_document *doc, twx_signature *ret_signature) {
    twx_shingles words;
    (void)params;
    twx_rc rc = twx_word_shingles(cx, twx_workspace_scratch(w), false, doc->text, &words);
    if (rc != TWX_OK || words.n == 0) return rc;
    return simhash_sign(cx, w, twx_simhash64(words.at, words.n), ret_signature);
}

static size_t candidates64(const twx_params *params, const twx_signed *from, twx_key *ret_keys) {
    return twx_simhash_keys(from->first.key, 64, twx_method_value(params, &TWX_DETECTOR_SIMHASH, 0),
                            ret_keys);
}

static size_t masks64(const twx_params *params, uint64_t *ret_masks) {
    return simhash_masks(64, twx_method_value(params, &TWX_DETECTOR_SIMHASH, 0), ret_masks);
}

static int32_t verify64(const twx_params *params, twx_slice a, twx_slice b) {
    return simhash_verify(a, b, 64, twx_method_value(params, &TWX_DETECTOR_SIMHASH, 0));
}

/* The two multiplication rounds of MurmurHash3's finaliser. */
static uint64_t hash_of(uint64_t run) {
    run = (run ^ run >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    run = (run ^ run >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return run >> 32;
}

static uint64_t fingerprint_of(twx_slice text) {
    uint64_t batch[BATCH], run = 0, chars = 0;
    size_t n = 0;
    twx_simhash sum = {0};
    for (const char *p = text.p, *end = p + text.n; p < end;) {
        uint32_t cp = (unsigned char)*p;
        p += cp < 0x80 ? 1 : twx_utf8_next(p, end, &cp);
        run = run << CHAR_BITS | ((cp ^ cp >> CHAR_BITS) & 0xFFFF);
        if (++chars < CHARS) continue;
        batch[n++] = hash_of(run);
        if (n < BATCH) continue;
        twx_simhash_add(&sum, batch, n);
        n = 0;
    }
    if (chars < CHARS) batch[n++] = hash_of(run);
    twx_simhash_add(&sum, batch, n);
    return twx_simhash_of(&sum);
}

static twx_rc sign32(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                     const twx_document *doc, twx_signature *ret_signature) {
    (void)params;
    return doc->text.n ? simhash_sign(cx, w, fingerprint_of(doc->text), ret_signature) : TWX_OK;
}

static size_t candidates32(const twx_params *params, const twx_signed *from, twx_key *ret_keys) {
    return twx_simhash_keys(from->first.key, 32, twx_method_value(params, &TWX_DETECTOR_SIMHASH, 0),
                            ret_keys);
}

static size_t masks32(const twx_params *params, uint64_t *ret_masks) {
    return simhash_masks(32, twx_method_value(params, &TWX_DETECTOR_SIMHASH, 0), ret_masks);
}

static int32_t verify32(const twx_params *params, twx_slice a, twx_slice b) {
    return simhash_verify(a, b, 32, twx_method_value(params, &TWX_DETECTOR_SIMHASH, 0));
}

#define COMMON_TO_ROWS \
    .version = 1, .basis = TWX_BASIS_TEXT, .translations_separate = true, .near = true

/* Also of simhash32. */
static const twx_method_setting SETTINGS[] = {
    {.shown = {"simhash.distance", "3", "0..6",
               "Bits in which two simhash fingerprints of near-duplicates may differ."},
     .kind = TWX_METHOD_COUNT,
     .is_threshold = true,
     .every_pair = UINT32_MAX},
};

const twx_detector TWX_DETECTOR_SIMHASH = {
    .name = "simhash",
    .summary = "texts whose words, taken together, differ in few bits of 64",
    .source = "Charikar 2002; Manku, Jain, Das Sarma 2007",
    .id = 20,
    .settings = SETTINGS,
    .n_settings = TWX_COUNTOF(SETTINGS),
    .sign = sign64,
    .candidates = candidates64,
    .masks = masks64,
    .verify = verify64,
    COMMON_TO_ROWS,
};

const twx_detector TWX_DETECTOR_SIMHASH32 = {
    .name = "simhash32",
    .summary = "texts whose runs of four characters differ in few bits of 32",
    .source = "Charikar 2002; Contentseen modules of crawlers",
    .id = 21,
    .sign = sign32,
    .candidates = candidates32,
    .masks = masks32,
    .verify = verify32,
    COMMON_TO_ROWS,
};
