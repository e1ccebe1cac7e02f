/* Each word of a text belongs to one of a few lists, chosen by its hash. The set of words of a list
 * gives a key, and one equal list makes two texts candidates: a change that does not affect one of
 * the lists is tolerated. Words are those of bag.h. Source: Pugh and Henzinger, US 6 658 423.
 *
 * The patent leaves the number of lists open. Lists of two or three words are often equal by
 * chance, so there are at most 8 lists, and fewer in texts of few distinct words: the largest power
 * of two, at least one, for which a list has LIST_WORDS words on average. If there are several
 * lists, one with fewer than LIST_WORDS_MIN words gives no key. A text with several lists and less
 * than twice the words that 8 lists require also has the keys of half as many lists, each the union
 * of two neighbours, so that it can share a key with a duplicate that is short enough to have only
 * those. Such keys are equal only if the finer ones are, too. Record: at most 12 keys (192 bytes),
 * no payload. */
#include "base/hash64.h"
#include "lab/methods/word_basis.h"
#include "sign/bag.h"
#include "sign/detectors.h"

enum {
    LISTS_LOG = 3,
    LISTS_MAX = 1 << LISTS_LOG,
    LIST_WORDS = 8,
    LIST_WORDS_MIN = 6,
    SHORT_UNITS = 3 /* words of at most this many UTF-16 units are not in the bag */
};

/* The sums of the words' hashes under two seeds: a set has one sum, and the sum of a union is the
 * sum of both. */
typedef struct list {
    uint64_t sum, check;
    size_t words;
} list;

/* Sums do not depend on order, so the table of words suffices; a bag would sort them. */
static void fill_lists(const twx_word_counts *counts, list lists[LISTS_MAX]) {
    twx_word word;
    for (size_t at = 0; twx_word_counts_next(counts, 1, &at, &word);) {
        char bytes[TWX_WORD_SHORT];
        const twx_slice text = word.long_text.p ? word.long_text
                                                : (twx_slice){bytes, twx_word_length(&word)};
        if (!word.long_text.p) (void)twx_word_put(&word, bytes);
        if (!twx_bag_takes(text)) continue;
        const uint64_t hash = twx_bag_hash(text), sum = twx_mix64(hash, 1);
        list *l = &lists[sum >> (64 - LISTS_LOG)];
        l->sum += sum;
        l->check += twx_mix64(hash, 2);
        l->words++;
    }
}

static void halve(list lists[LISTS_MAX], size_t n) {
    for (size_t i = 0; i < n / 2; i++) {
        const list a = lists[2 * i], b = lists[2 * i + 1];
        lists[i] = (list){a.sum + b.sum, a.check + b.check, a.words + b.words};
    }
}

static twx_rc add_keys(twx_ctx *cx, const list *lists, size_t n, twx_signature *signature) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; i < n && rc == TWX_OK; i++) {
        if (lists[i].words < (n > 1 ? LIST_WORDS_MIN : 1)) continue;
        rc = twx_signature_add(cx, (twx_key){twx_mix64(lists[i].sum, n + i), lists[i].check},
                               signature);
    }
    return rc;
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    (void)params;
    list lists[LISTS_MAX] = {{0}};
    size_t n = LISTS_MAX, words = 0;
    /* the bag is empty */
    if (doc->text.n == 0 || doc->text.n > TWX_WORD_COUNTS_TEXT_MAX) return TWX_OK;
    const twx_word_counts *counts = NULL;
    twx_rc rc = twx_workspace_count(cx, w, doc->text, SHORT_UNITS, &counts);
    if (rc != TWX_OK) return rc;
    fill_lists(counts, lists);
    for (size_t i = 0; i < LISTS_MAX; i++) words += lists[i].words;
    for (; n > 1 && words < n * LIST_WORDS; n /= 2) halve(lists, n);
    rc = add_keys(cx, lists, n, ret_signature);
    if (rc != TWX_OK || n == 1 || words >= 2 * LISTS_MAX * LIST_WORDS) return rc;
    halve(lists, n);
    return add_keys(cx, lists, n / 2, ret_signature);
}

const twx_detector TWX_DETECTOR_WORD_LISTS = {
    .name = "word_lists",
    .summary = "texts that agree in one of eight parts of their vocabulary",
    .source = "Pugh and Henzinger, US patent 6 658 423",
    .id = 25,
    .version = 1,
    .basis = TWX_BASIS_TEXT,
    .translations_separate = true,
    .near = true,
    .fingerprint = twx_words_fingerprint,
    .sign = sign,
};
