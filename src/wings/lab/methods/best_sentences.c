#include "lab/lab.h"

typedef struct line {
    twx_buf text;
    int64_t weight;
} line;

/* best[0..n) are the best sentences so far; best[n] is the one being read. A sentence that drops
 * off the list becomes best[n], so its memory is reused. */
typedef struct reading {
    twx_ctx *cx;
    const twx_sentence_rule *rule;
    twx_tokens tokens;
    line best[TWX_BEST_SENTENCES_MAX + 1];
    size_t n;
    uint64_t counted;
} reading;

/* Each word takes word_bytes and one byte that separates it from the next; the last word needs no
 * such byte. A sentence that could reach the weight of the last one in the list may still precede
 * it. */
static bool worth_reading(const reading *r, twx_slice sentence) {
    const twx_sentence_rule *rule = r->rule;
    int64_t most;
    if (rule->word_bytes == 0 || rule->word_weight <= 0 || r->n < rule->keep) return true;
    if (__builtin_mul_overflow((sentence.n + 1) / (rule->word_bytes + 1), rule->word_weight, &most))
        return true;
    return r->best[r->n - 1].weight <= most;
}

static int64_t sum(int64_t a, int64_t b) {
    int64_t whole;
    if (!__builtin_add_overflow(a, b, &whole)) return whole;
    return a < 0 ? INT64_MIN : INT64_MAX;
}

static twx_rc read_sentence(reading *r, twx_slice sentence, bool *ret_counts) {
    line *const read = &r->best[r->n];
    twx_token word;
    twx_rc rc;
    twx_buf_clear(&read->text);
    read->weight = 0;
    *ret_counts = false;
    twx_tokens_start(&r->tokens, sentence);
    while ((rc = twx_tokens_next(r->cx, &r->tokens, &word)) == TWX_OK) {
        int64_t weight = 0;
        if (read->text.n > 0) rc = twx_buf_add_char(r->cx, &read->text, ' ');
        if (rc == TWX_OK) rc = twx_buf_add_slice(r->cx, &read->text, word.text);
        if (rc == TWX_OK) rc = r->rule->weigh(r->cx, r->rule->arg, &word, &weight);
        if (rc != TWX_OK && rc != TWX_DONE) return rc;
        *ret_counts |= rc == TWX_OK;
        read->weight = sum(read->weight, weight);
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* <0: a is better. 0: the same sentence. */
static int by_weight_and_text(const line *a, const line *b) {
    if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
    return twx_slice_cmp(twx_buf_slice(&a->text), twx_buf_slice(&b->text));
}

/* Moves the sentence that was read to its place in the list. */
static void place(reading *r) {
    size_t at = r->n;
    for (size_t i = 0; i < r->n; i++)
        if (by_weight_and_text(&r->best[i], &r->best[r->n]) == 0) return;
    for (; at > 0 && by_weight_and_text(&r->best[at], &r->best[at - 1]) < 0; at--) {
        const line better = r->best[at];
        r->best[at] = r->best[at - 1];
        r->best[at - 1] = better;
    }
    if (r->n < r->rule->keep) r->n++;
}

static twx_rc read_all(reading *r, twx_sentences *sentences, twx_slice text) {
    twx_slice sentence;
    twx_rc rc;
    twx_sentences_start(sentences, text);
    while ((rc = twx_sentences_next(r->cx, sentences, &sentence)) == TWX_OK) {
        bool counts = false;
        if (!worth_reading(r, sentence)) continue;
        rc = read_sentence(r, sentence, &counts);
        if (rc != TWX_OK) return rc;
        r->counted += counts;
        if (counts) place(r);
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_best_sentences_of(twx_ctx *cx, twx_workspace *w, const twx_sentence_rule *rule,
                             twx_slice text, twx_best_sentences *ret_best) {
    reading r = {.cx = cx, .rule = rule};
    twx_sentences *sentences = NULL;
    twx_tokens_init(&r.tokens);
    for (size_t i = 0; i < TWX_COUNTOF(r.best); i++) twx_buf_init(&r.best[i].text, SIZE_MAX);
    twx_rc rc = twx_workspace_sentences(cx, w, &sentences);
    if (rc == TWX_OK) rc = read_all(&r, sentences, text);
    twx_tokens_done(&r.tokens);
    twx_best_sentences made = {.n = r.n, .counted = r.counted};
    for (size_t i = 0; rc == TWX_OK && i < r.n; i++) {
        rc = twx_arena_copy(cx, twx_workspace_scratch(w), twx_buf_slice(&r.best[i].text),
                            &made.text[i]);
        /* so that two copies of a huge sentence do not exist longer than necessary */
        twx_buf_done(&r.best[i].text);
    }
    if (rc == TWX_OK) *ret_best = made;
    for (size_t i = 0; i < TWX_COUNTOF(r.best); i++) twx_buf_done(&r.best[i].text);
    return rc;
}

/* Adds the key of the best sentences (twx_key_of_parts()), unless there are none. */
static twx_rc best_sentences_sign(twx_ctx *cx, twx_workspace *w, const twx_sentence_rule *rule,
                                  twx_slice text, twx_signature *ret_signature) {
    twx_best_sentences best;
    twx_key key;
    twx_rc rc = twx_best_sentences_of(cx, w, rule, text, &best);
    if (rc != TWX_OK || best.n == 0) return rc;
    rc = twx_key_of_parts(cx, w, best.text, best.n, &key);
    return rc == TWX_OK ? twx_signature_add(cx, key, ret_signature) : rc;
}

uint64_t twx_best_sentences_fingerprint(const twx_params *params) {
    return twx_mix64(twx_sentences_fingerprint(params->sentence_end), TWX_CHAR_CLASS_VERSION);
}

enum {
    SENTENCES = 2,
    CHARACTERS_MIN = 4 /* characters of a word that counts, each at least one byte */
};

/* ==== long_sentence */

/* The key is made of the two longest sentences of a text, so the text around them (menus, dates,
 * the rest of the page) does not matter. The length of a sentence is the number of its words that
 * sign/bag.c counts, so that articles do not make a sentence long. Key: twx_key_of_parts() of the
 * two, or of the only one. One key, no payload. A text without a word that counts has no key. */

static twx_rc weigh_counting(twx_ctx *cx, void *arg, const twx_token *word, int64_t *ret_weight) {
    (void)cx;
    (void)arg;
    if (!twx_bag_takes(word->text)) return TWX_DONE;
    *ret_weight = 1;
    return TWX_OK;
}

static twx_rc sign_longest(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                           const twx_document *doc, twx_signature *ret_signature) {
    static const twx_sentence_rule LONGEST = {
        .keep = SENTENCES, .word_bytes = CHARACTERS_MIN, .word_weight = 1, .weigh = weigh_counting};
    (void)params;
    return best_sentences_sign(cx, w, &LONGEST, doc->text, ret_signature);
}

static uint64_t longest_fingerprint(const twx_params *params) {
    return twx_mix64(twx_best_sentences_fingerprint(params), TWX_STOP_WORDS_VERSION);
}

const twx_detector TWX_DETECTOR_LONG_SENTENCE = {
    .name = "long_sentence",
    .summary = "texts that share their two longest sentences",
    .source = "Zelenkov and Segalovich 2007, 4.5 (A4)",
    .id = 10,
    .version = 1,
    TWX_TEXT_ROW,
    .fingerprint = longest_fingerprint,
    .sign = sign_longest,
};

/* ==== heavy_sentence */

/* The key is made of the two heaviest sentences of a text. A word of sign/bag.c has the weight of
 * the detector tfidf, twx_tfidf_weight(), for each occurrence in the sentence. Key:
 * twx_key_of_parts() of the two, or of the only one. One key, no payload. So a long sentence of
 * common words, the legal notice of a site, is lighter than one of words that distinguish texts.
 * The weights depend on the collection: when it changes, all texts are signed again. */

/* hash of a word -> its weight, an int64_t. */
typedef struct word_weights {
    twx_map64 of;
    int64_t largest;
} word_weights;

static twx_rc weigh_by_collection(twx_ctx *cx, void *arg, const twx_token *word,
                                  int64_t *ret_weight) {
    const word_weights *weights = arg;
    uint64_t weight;
    (void)cx;
    if (word->units < CHARACTERS_MIN) return TWX_DONE;
    if (!twx_map64_get(&weights->of, twx_bag_hash(word->text), &weight)) return TWX_DONE;
    *ret_weight = (int64_t)weight;
    return TWX_OK;
}

static twx_rc sign_heaviest(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                            const twx_document *doc, twx_signature *ret_signature) {
    const twx_lexicon *lexicon = twx_lexicon_of(params);
    word_weights weights;
    twx_bag bag;
    if (!lexicon) return TWX_OK;
    twx_rc rc = twx_bag_of(cx, w, doc->text, &bag);
    if (rc != TWX_OK || bag.n == 0) return rc;
    twx_map64_init(&weights.of,
                   twx_workspace_words(w)->seed); /* the seed affects only the order of the table */
    weights.largest = INT64_MIN;
    for (size_t i = 0; rc == TWX_OK && i < bag.n; i++) {
        const int64_t weight = twx_tfidf_weight(&bag, lexicon, &bag.at[i]);
        rc = twx_map64_put(cx, &weights.of, bag.at[i].hash, (uint64_t)weight);
        if (weight > weights.largest) weights.largest = weight;
    }
    const twx_sentence_rule heaviest = {.keep = SENTENCES,
                                        .word_bytes = CHARACTERS_MIN,
                                        .word_weight = weights.largest,
                                        .weigh = weigh_by_collection,
                                        .arg = &weights};
    if (rc == TWX_OK) rc = best_sentences_sign(cx, w, &heaviest, doc->text, ret_signature);
    twx_map64_done(&weights.of);
    return rc;
}

static uint64_t heaviest_fingerprint(const twx_params *params) {
    return twx_mix64(twx_best_sentences_fingerprint(params), twx_words_fingerprint(params));
}

const twx_detector TWX_DETECTOR_HEAVY_SENTENCE = {
    .name = "heavy_sentence",
    .summary = "texts that share the two sentences of largest tf-idf weight",
    .source = "Zelenkov and Segalovich 2007, 4.6 (A5)",
    .id = 11,
    .version = 1,
    TWX_TEXT_ROW,
    TWX_LEXICON_ROW,
    .fingerprint = heaviest_fingerprint,
    .sign = sign_heaviest,
};
