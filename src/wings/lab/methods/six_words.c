/* The weights of the rows; one key, no payload.
 *
 * tf: the number of occurrences in the text.
 *
 * tfidf:
 *     tf / (2 (0.25 + 0.75 dl / dl_avg) + tf) * ln((N - df + 0.5) / (df + 0.5))
 * The weight of a word that most documents contain is negative.
 *
 * tfridf, residual idf:
 *     (0.5 + 0.5 tf / tf_max) * (-ln(df / N) + ln(1 - exp(-cf / N)))
 * The second factor compares the number of documents with a word to the number expected if its
 * occurrences were distributed at random (Poisson): names and terms cluster, words of every topic
 * do not.
 *
 * opt_freq, the frequency in the collection nearest to the optimum:
 *     (0.5 + 0.5 tf / tf_max) * g,   idf = -ln(df / N),
 *     g = sqrt(idf / 11.5) for idf < 11.5, else 11.5 / idf
 * Rare words distinguish documents, until they are so rare that they are typing errors: idf 11.5 is
 * one document in 100 000.
 *
 * tf: occurrences in the text; tf_max: occurrences of its most frequent word; dl: its length in
 * words; N: documents of the collection; dl_avg: their average length; df, cf: documents and
 * occurrences of the word in the collection. */
#include "lab/lab.h"

enum {
    TWX_SIX_WORDS = 6,
    TWX_WEIGHT_BITS = 32 /* fraction bits of a fractional weight */
};

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

typedef struct candidate {
    int64_t weight;
    twx_slice text;
} candidate;

/* Chooses the heaviest words. The words come in byte order, so a later word displaces lighter ones
 * only. Returns the number of words. */
static size_t choose(const twx_bag *bag, const twx_weighing *weighing,
                     candidate top[TWX_SIX_WORDS]) {
    size_t n = 0;
    for (size_t i = 0; i < bag->n; i++) {
        const candidate c = {weighing->weight(bag, weighing->lexicon, &bag->at[i]),
                             bag->at[i].text};
        size_t at = n;
        if (n == TWX_SIX_WORDS) {
            if (top[n - 1].weight >= c.weight) continue;
            at--;
        } else {
            n++;
        }
        for (; at > 0 && top[at - 1].weight < c.weight; at--) top[at] = top[at - 1];
        top[at] = c;
    }
    return n;
}

twx_rc twx_six_words_sign(twx_ctx *cx, twx_workspace *w, const twx_weighing *weighing,
                          twx_slice text, twx_signature *ret_signature) {
    twx_bag bag;
    candidate top[TWX_SIX_WORDS];
    twx_slice words[TWX_SIX_WORDS];
    twx_key key;
    twx_rc rc = twx_bag_of(cx, w, text, &bag);
    if (rc != TWX_OK || bag.n == 0) return rc;
    const size_t n = choose(&bag, weighing, top);
    for (size_t i = 0; i < n; i++) words[i] = top[i].text;
    rc = twx_key_of_parts(cx, w, words, n, &key);
    return rc == TWX_OK ? twx_signature_add(cx, key, ret_signature) : rc;
}

int64_t twx_tf_weight(const twx_bag *bag, const twx_lexicon *lexicon, const twx_bag_word *word) {
    (void)bag, (void)lexicon;
    return word->tf;
}

/* With L = N dl_avg the first factor is 2 L tf / (L + 3 N dl + 2 L tf). The factors and the
 * product, rounded down, have 32 fraction bits. */
int64_t twx_tfidf_weight(const twx_bag *bag, const twx_lexicon *lexicon, const twx_bag_word *word) {
    const uint64_t n = lexicon->documents, length = lexicon->length;
    const uint64_t known = twx_lexicon_find(lexicon, word).df, df = known < n ? known : n;
    const wide share = (wide)2 * length * word->tf;
    const wide tf = (share << TWX_WEIGHT_BITS) / (length + (wide)3 * n * bag->length + share);
    return (int64_t)(tf * twx_fixed_ln(2 * (n - df) + 1, 2 * df + 1) >> TWX_WEIGHT_BITS);
}

/* 32 fraction bits; the product is rounded down. */
int64_t twx_tfridf_weight(const twx_bag *bag, const twx_lexicon *lexicon,
                          const twx_bag_word *word) {
    const uint64_t n = lexicon->documents;
    const twx_word_stats stats = twx_lexicon_find(lexicon, word);
    const uint64_t df = stats.df < n ? stats.df : n,
                   expected = twx_fixed_one_minus_exp(stats.cf, n);
    const wide residual = (wide)twx_fixed_ln(n, df) +
                          twx_fixed_ln(expected ? expected : 1, UINT64_C(1) << 63);
    const wide scaled = residual * ((uint64_t)bag->tf_max + word->tf), by = (wide)2 * bag->tf_max;
    return (int64_t)((scaled - (scaled < 0 ? by - 1 : 0)) / by);
}

/* g with 32 fraction bits; at most 1. */
static uint64_t fitness(uint64_t idf) {
    const uint64_t best = UINT64_C(23) << (TWX_WEIGHT_BITS - 1);
    if (idf < best) return twx_root((uint64_t)(((uwide)idf << 2 * TWX_WEIGHT_BITS) / best));
    return (uint64_t)(((uwide)best << TWX_WEIGHT_BITS) / idf);
}

/* 32 fraction bits, rounded down. */
int64_t twx_opt_freq_weight(const twx_bag *bag, const twx_lexicon *lexicon,
                            const twx_bag_word *word) {
    const uint64_t n = lexicon->documents, known = twx_lexicon_find(lexicon, word).df;
    const uint64_t idf = (uint64_t)twx_fixed_ln(n, known < n ? known : n);
    return (int64_t)((uwide)fitness(idf) * ((uint64_t)bag->tf_max + word->tf) /
                     (2 * (uint64_t)bag->tf_max));
}

/* Needs no lexicon. */
static twx_rc sign_tf(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                      const twx_document *doc, twx_signature *ret_signature) {
    const twx_weighing weighing = {twx_tf_weight, NULL};
    (void)params;
    return twx_six_words_sign(cx, w, &weighing, doc->text, ret_signature);
}

static twx_rc sign_by(twx_ctx *cx, twx_workspace *w, const twx_params *params, twx_slice text,
                      twx_word_weight *weight, twx_signature *ret_signature) {
    const twx_weighing weighing = {weight, twx_lexicon_of(params)};
    return weighing.lexicon ? twx_six_words_sign(cx, w, &weighing, text, ret_signature) : TWX_OK;
}

#define SIGN_BY(name)                                                                  \
    static twx_rc sign_##name(twx_ctx *cx, twx_workspace *w, const twx_params *params, \
                              const twx_document *doc, twx_signature *ret_signature) { \
        return sign_by(cx, w, params, doc->text, twx_##name##_weight, ret_signature);  \
    }
SIGN_BY(tfidf)
SIGN_BY(tfridf)
SIGN_BY(opt_freq)

#define COMMON_TO_ROWS .version = 1, TWX_TEXT_ROW, .fingerprint = twx_words_fingerprint

const twx_detector TWX_DETECTOR_TF = {
    .name = "tf",
    .summary = "texts with the same six most frequent words",
    .source = "Zelenkov and Segalovich 2007, A1 (4.2)",
    .id = 7,
    .sign = sign_tf,
    COMMON_TO_ROWS,
};

const twx_detector TWX_DETECTOR_TFIDF = {
    .name = "tfidf",
    .summary = "texts with the same six words of largest tf-idf weight",
    .source = "Zelenkov and Segalovich 2007, A2 (4.3)",
    .id = 8,
    TWX_LEXICON_ROW,
    .sign = sign_tfidf,
    COMMON_TO_ROWS,
};

const twx_detector TWX_DETECTOR_TFRIDF = {
    .name = "tfridf",
    .summary = "texts with the same six words of largest weight by residual idf",
    .source = "Zelenkov and Segalovich 2007, A3 (4.4)",
    .id = 9,
    TWX_LEXICON_ROW,
    .sign = sign_tfridf,
    COMMON_TO_ROWS,
};

const twx_detector TWX_DETECTOR_OPT_FREQ = {
    .name = "opt_freq",
    .summary = "texts with the same six words of the most distinctive frequency in the collection",
    .source = "Zelenkov and Segalovich 2007, A10 (4.11)",
    .id = 17,
    TWX_LEXICON_ROW,
    .sign = sign_opt_freq,
    COMMON_TO_ROWS,
};
