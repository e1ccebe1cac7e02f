/* Candidates share one of their three longest sentences; length, number of sentences and the
 * longest words decide.
 *
 * Words here have three letters or more; the length of a sentence (lab/methods/best_sentences.c) is
 * the number of its words. The payload, little-endian, 34 to 98 bytes:
 *     words of the text u32 | its sentences u32 | signatures of sentences u8, of words u8
 *     | of each of the 3 longest sentences, longest first: key u64, check u64
 *     | of each of the 5 longest words: u64
 * where a signature is twx_key_of_parts() of the one string, the words are distinct, and a short
 * text has fewer of both. Equal lengths are ordered by bytes. The stored key is that of the longest
 * sentence.
 *
 * The paper cuts chains of documents, ordered by length, where neighbours differ by a factor of
 * more than 1.15. Here the two documents of a pair may not differ by more, so that no chain of
 * lengths leads from one document to another. Candidates are looked up by each of the three
 * sentences, so no pair that verifies is missed ([R5] always). */
#include "lab/lab.h"

enum { SENTENCES = 3, WORDS = 5, LETTERS_MIN = 3 };
enum {
    LENGTH_PERCENT = 115,
    SENTENCES_PERCENT = 120,
    FEW_SENTENCES = 5,
    EQUAL_MIN = 2,
    MILLION = 1000000
};
enum { HEAD = 10, KEY = 16, WORD = 8, PAYLOAD_MAX = HEAD + SENTENCES * KEY + WORDS * WORD };

typedef struct long_word {
    twx_slice text;
    size_t units;
} long_word;

/* Collected while the sentences are read. */
typedef struct word_facts {
    twx_arena *scratch;
    uint64_t length;
    long_word longest[WORDS + 1]; /* [0..n), longest first */
    size_t n;
} word_facts;

static int by_length_and_text(const long_word *a, const long_word *b) {
    if (a->units != b->units) return a->units > b->units ? -1 : 1;
    return twx_slice_cmp(a->text, b->text);
}

static twx_rc weigh(twx_ctx *cx, void *arg, const twx_token *word, int64_t *ret_weight) {
    word_facts *facts = arg;
    if (word->units < LETTERS_MIN) return TWX_DONE;
    facts->length++;
    *ret_weight = 1;
    long_word own = {word->text, word->units};
    size_t at = facts->n;
    for (; at > 0; at--) {
        const int order = by_length_and_text(&own, &facts->longest[at - 1]);
        if (order == 0) return TWX_OK;
        if (order > 0) break;
    }
    if (at == WORDS) return TWX_OK;
    /* only the longest words are copied, because the bytes of a token soon change */
    twx_rc rc = twx_arena_copy(cx, facts->scratch, word->text, &own.text);
    if (rc != TWX_OK) return rc;
    for (size_t i = facts->n; i > at; i--) facts->longest[i] = facts->longest[i - 1];
    facts->longest[at] = own;
    if (facts->n < WORDS) facts->n++;
    return TWX_OK;
}

static uint32_t capped(uint64_t n) {
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/* For a text with at least one word that counts. */
static twx_rc pack(twx_ctx *cx, twx_workspace *w, const twx_best_sentences *best, word_facts *facts,
                   twx_signature *ret_signature) {
    char *const payload = twx_arena_alloc(cx, twx_workspace_scratch(w), PAYLOAD_MAX, 1);
    if (!payload) return TWX_E_NOMEM;
    char *out = payload + HEAD;
    twx_rc rc = TWX_OK;
    twx_store_le32(payload, capped(facts->length));
    twx_store_le32(payload + 4, capped(best->counted));
    payload[8] = (char)best->n;
    payload[9] = (char)facts->n;
    for (size_t i = 0; rc == TWX_OK && i < best->n + facts->n; i++) {
        const bool sentence = i < best->n;
        twx_slice part = sentence ? best->text[i] : facts->longest[i - best->n].text;
        twx_key key = {0};
        rc = twx_key_of_parts(cx, w, &part, 1, &key);
        twx_store_le64(out, key.key);
        if (sentence) twx_store_le64(out + 8, key.check);
        out += sentence ? KEY : WORD;
        if (rc == TWX_OK && i == 0) rc = twx_signature_add(cx, key, ret_signature);
    }
    if (rc == TWX_OK) ret_signature->payload = (twx_slice){payload, (size_t)(out - payload)};
    return rc;
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    word_facts facts = {.scratch = twx_workspace_scratch(w)};
    const twx_sentence_rule rule = {.keep = SENTENCES, .weigh = weigh, .arg = &facts};
    twx_best_sentences best;
    (void)params;
    twx_rc rc = twx_best_sentences_of(cx, w, &rule, doc->text, &best);
    return rc == TWX_OK && best.n > 0 ? pack(cx, w, &best, &facts, ret_signature) : rc;
}

/* Memory: borrowed from the payload. */
typedef struct facts {
    uint64_t words, sentences;
    size_t n_keys, n_longest;
    const char *keys, *longest;
} facts;

/* False: the bytes are not a payload. */
static bool unpack(twx_slice payload, facts *ret_facts) {
    if (payload.n < HEAD) return false;
    const facts f = {.words = twx_load_le32(payload.p),
                     .sentences = twx_load_le32(payload.p + 4),
                     .n_keys = (unsigned char)payload.p[8],
                     .n_longest = (unsigned char)payload.p[9],
                     .keys = payload.p + HEAD,
                     .longest = payload.p + HEAD + (unsigned char)payload.p[8] * KEY};
    if (f.words == 0 || f.n_keys == 0 || f.n_keys > SENTENCES || f.n_longest == 0 ||
        f.n_longest > WORDS)
        return false;
    if (payload.n != HEAD + f.n_keys * KEY + f.n_longest * WORD) return false;
    *ret_facts = f;
    return true;
}

static size_t candidates(const twx_params *params, const twx_signed *from, twx_key *ret_keys) {
    facts f;
    (void)params;
    if (!unpack(from->payload, &f)) return 0;
    for (size_t i = 0; i < f.n_keys; i++)
        ret_keys[i] = (twx_key){twx_load_le64(f.keys + i * KEY),
                                twx_load_le64(f.keys + i * KEY + 8)};
    return f.n_keys;
}

static bool apart(uint64_t a, uint64_t b, uint64_t percent) {
    return a < b ? b * 100 > a * percent : a * 100 > b * percent;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* How many signatures two payloads share. Those of one payload are distinct; in a forged one they
 * need not be. */
static size_t equal_of(const char *a, size_t n_a, const char *b, size_t n_b, size_t bytes) {
    const size_t most = n_a < n_b ? n_a : n_b;
    size_t equal = 0;
    for (size_t i = 0; i < n_a; i++)
        for (size_t j = 0; j < n_b; j++) equal += memcmp(a + i * bytes, b + j * bytes, bytes) == 0;
    return equal < most ? equal : most;
}

static int32_t verify(const twx_params *params, twx_slice a, twx_slice b) {
    facts x, y;
    (void)params;
    if (!unpack(a, &x) || !unpack(b, &y)) return -1;
    if (apart(x.words, y.words, LENGTH_PERCENT) ||
        apart(x.sentences, y.sentences, SENTENCES_PERCENT))
        return -1;
    const size_t words = equal_of(x.longest, x.n_longest, y.longest, y.n_longest, WORD);
    const size_t sentences = equal_of(x.keys, x.n_keys, y.keys, y.n_keys, KEY);
    /* texts of a single word share everything */
    if (words < EQUAL_MIN && words < larger(x.n_longest, y.n_longest)) return -1;
    const bool many = x.sentences > FEW_SENTENCES && y.sentences > FEW_SENTENCES;
    const bool first = memcmp(x.keys, y.keys, KEY) == 0;
    if (!first && !(many && sentences >= EQUAL_MIN)) return -1;
    /* the share of signatures that are equal, times the ratio of the lengths */
    const uint64_t all = larger(x.n_keys, y.n_keys) + larger(x.n_longest, y.n_longest),
                   longer = larger(x.words, y.words), shorter = x.words + y.words - longer;
    return (int32_t)(MILLION * (sentences + words) * shorter / (all * longer));
}

const twx_detector TWX_DETECTOR_THREE_PLUS_FIVE = {
    .name = "three_plus_five",
    .summary = "texts of about one length that share their longest sentences and words",
    .source = "Zelenkov and Segalovich 2007, 6.2 (A12)",
    .id = 19,
    .version = 1,
    TWX_TEXT_ROW,
    .fingerprint = twx_best_sentences_fingerprint,
    .sign = sign,
    .candidates = candidates,
    .verify = verify,
};
