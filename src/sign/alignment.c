#include "sign/internal.h"

/* ==== alignment_payload */

/* Places of the parts of a payload. */
enum {
    CHARS_AT = 0,
    LETTERS_AT = 4,
    LEVEL_AT = 8,
    WIDE_AT,
    CLASSES_AT,
    KEPT_AT = CLASSES_AT + TWX_ALIGNMENT_CLASSES,
    SHARE_MAX = 255 /* shares are stored in 255ths */
};

/* The words that a payload keeps, and the sketch that follows them; of a short text NULL: it is
 * made of the words. */
typedef struct twx_kept_part {
    size_t n;
    const unsigned char *words, *sketch;
} twx_kept_part;

/* Two neighbouring words, of each of which the low TWX_PAIR_CODE_BITS count. */
static inline uint64_t pair(uint64_t first, uint64_t second) {
    const uint64_t mask = (UINT64_C(1) << TWX_PAIR_CODE_BITS) - 1;
    return (first & mask) << TWX_PAIR_CODE_BITS | (second & mask);
}

/* The only pair of a text of one word. */
static inline uint64_t lone_word(uint64_t word) {
    return UINT64_C(1) << 2 * TWX_PAIR_CODE_BITS | pair(0, word);
}

enum {
    LEVELS = 56,   /* a hash has 64 bits, and 8 of them are kept */
    KEPT_MIN = 16, /* fewer are not representative: the next lower level is truncated instead */
    /* texts of at most this many words have more bands; their payloads have no sketch */
    SHORT_WORDS = 100,
    UPPER_BITS = TWX_PAIR_CODE_BITS - 8, /* of a word of a short text, after its byte */
    UPPER_IN_BYTE = 8 / UPPER_BITS
};
_Static_assert(UPPER_IN_BYTE *UPPER_BITS == 8, "the upper bits of so many words fill a byte");

static size_t upper_bytes(size_t words) {
    return (words + UPPER_IN_BYTE - 1) / UPPER_IN_BYTE;
}

/* ---- writing ------------------------------------------------------------- */

/* The lowest level that keeps at most as many words as there is room for. A text with few distinct
 * words may keep none at that level and far too many one level below; then the lower level is used
 * and its first words are kept. */
static unsigned choose_level(const uint64_t *words, size_t n) {
    size_t ending[LEVELS + 1] = {0}; /* words by the number of zero bits that end their hash */
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

static unsigned char share_of(uint64_t part, uint64_t whole) {
    if (whole == 0) return 0;
    return (unsigned char)((part * SHARE_MAX + whole / 2) / whole);
}

/* Writes a byte for each word that the level keeps, and returns their number. */
static size_t put_words(const uint64_t *words, size_t n, unsigned level, unsigned char *ret_kept) {
    const uint64_t left_out = (UINT64_C(1) << level) - 1;
    size_t kept = 0;
    for (size_t i = 0; i < n && kept < TWX_ALIGNMENT_WORDS; i++)
        if ((words[i] & left_out) == 0) ret_kept[kept++] = (unsigned char)(words[i] >> level);
    return kept;
}

/* Writes the bits of each word that make a sketch together with its byte. Returns their bytes. */
static size_t put_upper(const uint64_t *words, size_t n, unsigned char *ret_upper) {
    const unsigned mask = (1u << UPPER_BITS) - 1;
    memset(ret_upper, 0, upper_bytes(n));
    for (size_t i = 0; i < n; i++)
        ret_upper[i / UPPER_IN_BYTE] |= (unsigned char)((words[i] >> 8 & mask)
                                                        << i % UPPER_IN_BYTE * UPPER_BITS);
    return upper_bytes(n);
}

/* pairs: room for n of them */
static void make_sketch(const uint64_t *words, size_t n, uint64_t *pairs,
                        unsigned char ret_sketch[TWX_SKETCH_BYTES]) {
    if (n == 1) pairs[0] = lone_word(words[0]);
    for (size_t i = 0; i + 1 < n; i++) pairs[i] = pair(words[i], words[i + 1]);
    twx_pair_sketch_of(pairs, n > 1 ? n - 1 : 1, ret_sketch);
}

size_t twx_alignment_of(const twx_worded *text, uint64_t *pairs,
                        unsigned char ret_payload[TWX_ALIGNMENT_BYTES]) {
    const uint64_t *words = text->words;
    const size_t n = text->n;
    const unsigned level = choose_level(words, n);
    size_t end = KEPT_AT + put_words(words, n, level, ret_payload + KEPT_AT);
    if (n <= SHORT_WORDS) {
        end += put_upper(words, n, ret_payload + end);
    } else {
        make_sketch(words, n, pairs, ret_payload + end);
        end += TWX_SKETCH_BYTES;
    }
    uint64_t others = 0;
    for (size_t i = 0; i < TWX_ALIGNMENT_CLASSES; i++) others += text->others[i];
    for (size_t i = 0; i < TWX_ALIGNMENT_CLASSES; i++)
        ret_payload[CLASSES_AT + i] = share_of(text->others[i], others);
    ret_payload[WIDE_AT] = share_of(text->wide, text->letters);
    twx_store_le32(ret_payload + CHARS_AT, capped(text->letters + others));
    twx_store_le32(ret_payload + LETTERS_AT, capped(text->letters));
    ret_payload[LEVEL_AT] = (unsigned char)level;
    return end;
}

/* ---- reading ------------------------------------------------------------- */

/* The number of words whose bytes and upper bits take so many bytes; SIZE_MAX: none. */
static size_t short_words(size_t bytes) {
    const size_t n = bytes * UPPER_IN_BYTE / (UPPER_IN_BYTE + 1);
    return n + upper_bytes(n) == bytes && n <= SHORT_WORDS ? n : SIZE_MAX;
}

/* False: the payload has another format. */
static bool alignment_read(twx_slice payload, twx_kept_part *ret_part) {
    const size_t rest = payload.n < KEPT_AT ? 0 : payload.n - KEPT_AT;
    const unsigned char *p = (const unsigned char *)payload.p;
    if (payload.n < KEPT_AT || payload.n > TWX_ALIGNMENT_BYTES || p[LEVEL_AT] > LEVELS)
        return false;
    *ret_part = (twx_kept_part){.words = p + KEPT_AT, .n = short_words(rest)};
    if (rest >= TWX_SKETCH_BYTES) {
        ret_part->n = rest - TWX_SKETCH_BYTES;
        ret_part->sketch = p + KEPT_AT + ret_part->n;
    }
    return ret_part->sketch || (ret_part->n <= SHORT_WORDS && p[LEVEL_AT] == 0);
}

/* The sketch of a payload, in it or in room. */
static const unsigned char *alignment_sketch(const twx_kept_part *part,
                                             unsigned char room[TWX_SKETCH_BYTES]) {
    uint64_t words[SHORT_WORDS], pairs[SHORT_WORDS];
    const unsigned char *upper = part->words + part->n;
    if (part->sketch) return part->sketch;
    for (size_t i = 0; i < part->n; i++)
        words[i] = part->words[i] |
                   (uint64_t)(upper[i / UPPER_IN_BYTE] >> i % UPPER_IN_BYTE * UPPER_BITS) << 8;
    words[0] = part->n ? words[0] : 0; /* no words: nothing signs such a payload */
    make_sketch(words, part->n ? part->n : 1, pairs, room);
    return room;
}

/* ==== alignment */

enum { MILLION = 1000000, WORDS64 = TWX_ALIGNMENT_WORDS / 64 };

/* ---- comparing ----------------------------------------------------------- */

typedef struct kept_words {
    unsigned char at[TWX_ALIGNMENT_WORDS];
    size_t n;
} kept_words;

/* The words that a level higher by `up` would have kept; `common` bits of each are known. */
static void read_kept(const twx_kept_part *part, unsigned up, unsigned common,
                      kept_words *ret_kept) {
    const unsigned left_out = (1u << up) - 1, known = (1u << common) - 1;
    const unsigned char *from = part->words;
    const size_t n = part->n;
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
    /* a fixed size, which is no call */
    for (size_t j = 0; j < m; j++) memset(places[b[j]], 0, sizeof places[0]);
    for (size_t i = 0; i < n; i++) memset(places[a[i]], 0, sizeof places[0]);
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

/* Some longest common subsequence contains the common prefix and suffix. */
static size_t lcs(const kept_words *a, const kept_words *b) {
    const size_t shorter = a->n < b->n ? a->n : b->n;
    size_t head = 0, tail = 0;
    while (head < shorter && a->at[head] == b->at[head]) head++;
    while (tail < shorter - head && a->at[a->n - 1 - tail] == b->at[b->n - 1 - tail]) tail++;
    const size_t n = a->n - head - tail, m = b->n - head - tail;
    return head + tail + (n && m ? lcs_between(a->at + head, n, b->at + head, m) : 0);
}

/* The common words, as often as both texts contain them: an upper bound of a common subsequence
 * that is fast to compute. Pages of one site share a template, so they become candidates by the
 * million, and most of those pairs are rejected here. */
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

/* Characters of two texts. Letters: ASCII letters and digits, and all beyond ASCII. */
typedef struct char_counts {
    uint64_t all;          /* of both texts */
    uint64_t letters;      /* of the text that has fewer of them */
    uint64_t more_letters; /* of the other text */
    uint64_t alike;        /* letters in both texts: the smaller count, of ASCII and beyond */
    uint64_t others;       /* the characters that are not letters, of the text that has fewer */
    uint64_t matched;      /* the sum over their classes of the smaller count */
    bool b_has_fewer;      /* letters */
} char_counts;

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* What a payload or a summary says of the characters of a text. */
typedef struct text_chars {
    uint64_t all, letters;
    const unsigned char *shares; /* of letters beyond ASCII, then of the classes */
} text_chars;

static text_chars chars_of(const void *head, const void *shares) {
    const uint64_t all = twx_load_le32((const char *)head + CHARS_AT);
    const uint64_t letters = twx_load_le32((const char *)head + LETTERS_AT);
    /* more letters than characters: a payload of another format */
    return (text_chars){.all = all, .letters = smaller(letters, all), .shares = shares};
}

static text_chars chars_of_payload(twx_slice payload) {
    return chars_of(payload.p, payload.p + WIDE_AT);
}

static char_counts count_chars(const text_chars *a, const text_chars *b) {
    const uint64_t ca = a->all, cb = b->all, la = a->letters, lb = b->letters;
    const uint64_t wide_a = la * a->shares[0], wide_b = lb * b->shares[0];
    char_counts c = {.all = ca + cb,
                     .letters = smaller(la, lb),
                     .more_letters = la < lb ? lb : la,
                     .others = smaller(ca - la, cb - lb),
                     .b_has_fewer = lb < la};
    c.alike = smaller(wide_a, wide_b) + smaller(la * SHARE_MAX - wide_a, lb * SHARE_MAX - wide_b);
    for (size_t i = 1; i <= TWX_ALIGNMENT_CLASSES; i++)
        c.matched += smaller((ca - la) * a->shares[i], (cb - lb) * b->shares[i]);
    c.alike /= SHARE_MAX;
    c.matched = smaller(c.matched / SHARE_MAX, c.others); /* shares are rounded */
    return c;
}

/* The share of the pairs of neighbouring words that the text with fewer words has in common with
 * the other, in millionths: m equal bytes of the sketches estimate |A and B| / |A or B| as
 * (2 m - 1) / 255 (minhash). */
static uint64_t common_pairs(uint64_t equal, const char_counts *c) {
    if (equal == 0 || c->letters == 0) return 0;
    const uint64_t of_both = (2 * equal - 1) * MILLION / (254 + 2 * equal);
    const uint64_t of_fewer = of_both * (c->letters + c->more_letters) / c->letters;
    return of_fewer < MILLION ? of_fewer : MILLION;
}

typedef struct comparing {
    char_counts chars;
    uint64_t most;     /* the estimate if all words of the text with fewer letters were aligned */
    uint64_t unlike;   /* share of the characters: letters that the counts exclude */
    uint64_t unpaired; /* share of the words that are not aligned, at least */
    uint64_t words;    /* kept words of the text with fewer letters */
} comparing;           /* all of these in millionths */

/* Sets most and unlike; see the head of alignment. */
static void compare_counts(bool sampled, comparing *c) {
    const char_counts *chars = &c->chars;
    c->most = MILLION;
    if (chars->all == 0) return;
    const uint64_t reach = 2 * MILLION * (chars->alike + chars->matched) / chars->all;
    const uint64_t unmatched = 2 * MILLION * (chars->others - chars->matched) / chars->all;
    const uint64_t deducted = 2 * unmatched +
                              (sampled ? unmatched / 2 + 3 * (MILLION - reach) / 10 : 0);
    c->unlike = 2 * MILLION * (chars->letters - chars->alike) / chars->all;
    c->most = reach > deducted ? reach - deducted : 0;
}

/* a and b: the kept words of the texts; x, those of the text with fewer letters. In a sample x is a
 * matter of chance, so it is averaged with the number that the rate of the other text predicts. */
static uint64_t expect_words(const char_counts *c, size_t a, size_t b, bool sampled) {
    const size_t x = c->b_has_fewer ? b : a, y = c->b_has_fewer ? a : b;
    if (!sampled && c->letters == c->more_letters) return MILLION * (uint64_t)(x > y ? x : y);
    if (!sampled) return MILLION * (uint64_t)x;
    const uint64_t ratio = c->more_letters ? c->letters * MILLION / c->more_letters : MILLION;
    return (MILLION * (uint64_t)x + ratio * y) / 2;
}

/* The share of the characters that are in words which are not aligned; falls with the words. */
static uint64_t lost_chars(const comparing *c, size_t words) {
    const uint64_t aligned = c->words > MILLION * words ? MILLION * (MILLION * words) / c->words
                                                        : MILLION;
    const uint64_t unaligned = MILLION - aligned > c->unpaired ? MILLION - aligned : c->unpaired;
    return 2 * (unaligned + c->unpaired / 10) * c->chars.letters / c->chars.all;
}

/* The estimate for a given number of aligned words; grows with it. */
static uint64_t estimate(const comparing *c, size_t words) {
    if (c->chars.all == 0) return MILLION;
    const uint64_t lost = lost_chars(c, words);
    const uint64_t differ = lost > c->unlike ? lost - c->unlike : 0;
    const uint64_t bent = smaller(differ, MILLION / 50 * 11);
    const uint64_t deducted = (13 * differ + 24 * bent * bent / MILLION) / 20;
    return c->most > deducted ? c->most - deducted : 0;
}

/* The bytes that the sketches of two texts have in common. */
static uint64_t equal_bytes(const twx_kept_part *a, const twx_kept_part *b) {
    unsigned char room[2][TWX_SKETCH_BYTES];
    return twx_minhash_equal(alignment_sketch(a, room[0]), alignment_sketch(b, room[1]));
}

int32_t twx_alignment_similarity(twx_slice a, twx_slice b, uint32_t least_ppm) {
    twx_kept_part in_a, in_b;
    if (!alignment_read(a, &in_a) || !alignment_read(b, &in_b)) return -1;
    if (twx_slice_eq(a, b)) return MILLION;
    const unsigned la = (unsigned char)a.p[LEVEL_AT], lb = (unsigned char)b.p[LEVEL_AT];
    const unsigned level = la > lb ? la : lb, apart = la > lb ? la - lb : lb - la;
    const bool sampled = level > 0;
    const text_chars of_a = chars_of_payload(a), of_b = chars_of_payload(b);
    comparing c = {.chars = count_chars(&of_a, &of_b)};
    kept_words x, y;
    compare_counts(sampled, &c);
    if (c.most < least_ppm || apart >= 8)
        return -1; /* 8: no bit of a word is known for both texts */
    if (sampled && c.chars.all > 0)
        c.unpaired = (MILLION - common_pairs(equal_bytes(&in_a, &in_b), &c.chars)) / 2;
    read_kept(&in_a, level - la, 8 - apart, &x);
    read_kept(&in_b, level - lb, 8 - apart, &y);
    if (x.n + y.n == 0) return -1;
    c.words = expect_words(&c.chars, x.n, y.n, sampled);
    if (estimate(&c, x.n < y.n ? x.n : y.n) < least_ppm) return -1;
    if (estimate(&c, in_common(&x, &y)) < least_ppm) return -1;
    const uint64_t ppm = estimate(&c, lcs(&x, &y));
    return ppm >= least_ppm ? (int32_t)ppm : -1;
}

/* ---- summaries ------------------------------------------------------------ */

/* The offsets of CHARS_AT, LETTERS_AT and LEVEL_AT are those of a payload. */
enum {
    IS_SUMMARY_AT = LEVEL_AT + 1,                      /* 1; 0: the payload has another format */
    SHARES_AT,                                         /* of wide letters and of the classes */
    N_KEPT_AT = SHARES_AT + 1 + TWX_ALIGNMENT_CLASSES, /* u32 */
    BITS_AT = 32, /* level 0: the set of the kept bytes; else the lower two bits of the sketch */
    BITS = TWX_ALIGNMENT_SUMMARY - BITS_AT /* bytes */
};
_Static_assert(N_KEPT_AT + 4 <= BITS_AT && BITS == 32, "a set of 256, or 128 times two bits");

void twx_alignment_summarize(twx_slice payload, unsigned char *ret_summary) {
    unsigned char *bits = ret_summary + BITS_AT;
    twx_kept_part part;
    memset(ret_summary, 0, TWX_ALIGNMENT_SUMMARY);
    if (!alignment_read(payload, &part)) return;
    memcpy(ret_summary, payload.p, LEVEL_AT + 1);
    ret_summary[IS_SUMMARY_AT] = 1;
    memcpy(ret_summary + SHARES_AT, payload.p + WIDE_AT, 1 + TWX_ALIGNMENT_CLASSES);
    twx_store_le32(ret_summary + N_KEPT_AT, (uint32_t)part.n);
    if (ret_summary[LEVEL_AT] > 0)
        for (size_t i = 0; i < TWX_SKETCH_BYTES; i++)
            bits[i / 4] |= (unsigned char)((part.sketch[i] & 3) << i % 4 * 2);
    else
        for (size_t i = 0; i < part.n; i++)
            bits[part.words[i] / 8] |= (unsigned char)(1u << part.words[i] % 8);
}

typedef struct bit_words {
    uint64_t at[BITS / sizeof(uint64_t)];
} bit_words;

static bit_words bits_of(const unsigned char *summary) {
    bit_words bits;
    memcpy(&bits, summary + BITS_AT, sizeof bits);
    return bits;
}

/* The bits of a word, as counts of its bytes. */
static uint64_t count_in_bytes(uint64_t x) {
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return (x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
}

/* Faster than __builtin_popcountll(), which is a call on processors of 2003. */
static size_t count_bits(const bit_words *x) {
    const uint64_t even = UINT64_C(0x00FF00FF00FF00FF), sum = UINT64_C(0x0001000100010001);
    uint64_t bytes = 0; /* 32 at most in each */
    for (size_t i = 0; i < TWX_COUNTOF(x->at); i++) bytes += count_in_bytes(x->at[i]);
    return (size_t)(((bytes & even) + (bytes >> 8 & even)) * sum >> 48);
}

static size_t count_missing(const bit_words *a, const bit_words *b) {
    bit_words missing;
    for (size_t i = 0; i < TWX_COUNTOF(a->at); i++) missing.at[i] = a->at[i] & ~b->at[i];
    return count_bits(&missing);
}

/* An upper bound of the words that two texts have in common: a byte that only one of them has is a
 * word that is not. */
static size_t most_in_common(const unsigned char *a, const unsigned char *b) {
    const bit_words x = bits_of(a), y = bits_of(b);
    const size_t of_a = twx_load_le32(a + N_KEPT_AT) - count_missing(&x, &y);
    const size_t of_b = twx_load_le32(b + N_KEPT_AT) - count_missing(&y, &x);
    return of_a < of_b ? of_a : of_b;
}

/* An upper bound of the equal bytes of two sketches: those with equal lower bits. */
static size_t most_equal(const unsigned char *a, const unsigned char *b) {
    const bit_words x = bits_of(a), y = bits_of(b);
    bit_words differ;
    for (size_t i = 0; i < TWX_COUNTOF(x.at); i++) {
        const uint64_t bits = x.at[i] ^ y.at[i];
        differ.at[i] = (bits | bits >> 1) & UINT64_C(0x5555555555555555);
    }
    return TWX_SKETCH_BYTES - count_bits(&differ);
}

bool twx_alignment_may_reach(const unsigned char *a, const unsigned char *b, uint32_t least_ppm) {
    if (!a[IS_SUMMARY_AT] || !b[IS_SUMMARY_AT]) return false;
    if (memcmp(a, b, TWX_ALIGNMENT_SUMMARY) == 0) return true; /* maybe equal payloads */
    const bool sampled = a[LEVEL_AT] > 0 || b[LEVEL_AT] > 0, both = a[LEVEL_AT] && b[LEVEL_AT];
    const text_chars of_a = chars_of(a, a + SHARES_AT), of_b = chars_of(b, b + SHARES_AT);
    const size_t words = sampled ? TWX_ALIGNMENT_WORDS : most_in_common(a, b);
    comparing c = {
        .most = MILLION,
        .chars = {.all = of_a.all + of_b.all,
                  .letters = smaller(of_a.letters, of_b.letters),
                  .more_letters = of_a.letters < of_b.letters ? of_b.letters : of_a.letters,
                  .b_has_fewer = of_b.letters < of_a.letters}};
    if (sampled)
        c.unpaired = (MILLION -
                      common_pairs(both ? most_equal(a, b) : TWX_SKETCH_BYTES, &c.chars)) /
                     2;
    else
        c.words = expect_words(&c.chars, twx_load_le32(a + N_KEPT_AT), twx_load_le32(b + N_KEPT_AT),
                               false);
    /* The estimate is at most 1 - .65 of what is lost: what the counts exclude lowers `most` by as
     * much as it raises the rest. */
    if (c.chars.all > 0 &&
        20 * (uint64_t)least_ppm + 13 * lost_chars(&c, words) > 20 * MILLION + 20)
        return false;
    c.chars = count_chars(&of_a, &of_b);
    compare_counts(sampled, &c);
    return estimate(&c, words) >= least_ppm;
}

/* ---- the row ------------------------------------------------------------- */

/* 1 + the class of each ASCII character that is not a letter; 0: the last class. */
static const unsigned char CLASS[0x80] = {
    [' '] = 1,  ['\n'] = 2, ['.'] = 3,  [','] = 4,   ['-'] = 5,   ['_'] = 6,
    ['/'] = 7,  [':'] = 8,  ['('] = 9,  [')'] = 9,   ['\''] = 10, ['"'] = 10,
    ['`'] = 11, ['*'] = 12, ['='] = 12, ['<'] = 13,  ['>'] = 13,  ['['] = 13,
    [']'] = 13, ['{'] = 13, ['}'] = 13, ['\t'] = 14, [';'] = 14};
enum { CLASS_REST = 14 };
_Static_assert(CLASS_REST + 1 == TWX_ALIGNMENT_CLASSES, "a class each");

static void count_characters(twx_slice text, twx_worded *worded) {
    uint64_t counts[0x100];
    twx_count_bytes(text, counts);
    for (unsigned c = 0; c < 0x80; c++)
        if (TWX_BYTE_CLASS[c] & TWX_BYTE_WORD)
            worded->letters += (size_t)counts[c];
        else
            worded->others[CLASS[c] ? CLASS[c] - 1 : CLASS_REST] += counts[c];
    for (unsigned c = 0xC0; c < 0x100; c++) worded->wide += (size_t)counts[c]; /* first bytes */
    worded->letters += worded->wide;
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    twx_arena *scratch = twx_workspace_scratch(w);
    twx_shingles words;
    (void)params;
    twx_rc rc = twx_word_shingles(cx, scratch, true, doc->text, &words);
    if (rc != TWX_OK || words.n == 0) return rc;
    /* a word of up to eight bytes has a hash whose low bits say little of its last letters
     * (text/shingling.c) */
    for (size_t i = 0; i < words.n; i++) words.at[i] = twx_split_mix(words.at[i]);
    uint64_t *pairs = twx_arena_alloc(cx, scratch, words.n, sizeof *pairs);
    unsigned char *payload = twx_arena_alloc(cx, scratch, TWX_ALIGNMENT_BYTES, 1);
    if (!pairs || !payload) return TWX_E_NOMEM;
    twx_worded text = {.words = words.at, .n = words.n};
    count_characters(doc->text, &text);
    const size_t n = twx_alignment_of(&text, pairs, payload);
    return twx_signature_set_payload(cx, (twx_slice){(const char *)payload, n}, ret_signature);
}

static const unsigned char *sketch_of(twx_slice payload, unsigned char room[TWX_SKETCH_BYTES],
                                      bool *ret_is_short) {
    twx_kept_part part;
    if (!alignment_read(payload, &part)) return NULL;
    *ret_is_short = !part.sketch;
    return alignment_sketch(&part, room);
}

static size_t candidates(const twx_params *params, const twx_signed *from, twx_key *ret_keys) {
    const twx_band_plan *plan = twx_band_plan_for(params->documents);
    bool is_short = false;
    unsigned char room[TWX_SKETCH_BYTES];
    const unsigned char *sketch = sketch_of(from->payload, room, &is_short);
    if (!sketch) return 0;
    size_t n = 0;
    for (size_t number = 0; number < twx_band_count(plan); number++) {
        const twx_band band = twx_band_of(plan, number);
        if (band.of_short && !is_short) continue;
        ret_keys[n++] = (twx_key){twx_mix64(twx_band_value(&band, sketch), number), 0};
    }
    return n;
}

static int32_t verify(const twx_params *params, twx_slice a, twx_slice b) {
    return twx_alignment_similarity(a, b, twx_method_value(params, &TWX_DETECTOR_ALIGNMENT, 0));
}

static bool may_verify(const twx_params *params, const unsigned char *a, const unsigned char *b) {
    return twx_alignment_may_reach(a, b, twx_method_value(params, &TWX_DETECTOR_ALIGNMENT, 0));
}

static const twx_method_setting SETTINGS[] = {
    TWX_THRESHOLD("alignment.threshold", "0.8", "0..1",
                  "Least estimated similarity of two near-duplicates, by alignment."),
};

const twx_detector TWX_DETECTOR_ALIGNMENT = {
    .name = "alignment",
    .summary = "texts most of whose words are the same in the same order",
    .source = "longest common subsequence (Hyyro 2004) of sampled words; candidates by minhash",
    .id = 29,
    .version = 4,
    TWX_NEAR_TEXT_ROW,
    .sketch = sketch_of,
    .summarize = twx_alignment_summarize,
    .may_verify = may_verify,
};
