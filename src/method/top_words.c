#include "method/top_words.h"

typedef struct candidate {
    int64_t weight;
    twx_slice text;
} candidate;

/* Chooses the heaviest words. The words come in byte order, so a later word displaces lighter ones
 * only. Returns the number of words. */
static size_t choose(const twx_bag *bag, const twx_weighing *weighing,
                     candidate top[TWX_TOP_WORDS]) {
    size_t n = 0;
    for (size_t i = 0; i < bag->n; i++) {
        const candidate c = {weighing->weight(bag, weighing->lexicon, &bag->at[i]),
                             bag->at[i].text};
        size_t at = n;
        if (n == TWX_TOP_WORDS) {
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

twx_rc twx_top_words_sign(twx_ctx *cx, twx_workspace *w, const twx_weighing *weighing,
                          twx_slice text, twx_signature *ret_signature) {
    twx_bag bag;
    candidate top[TWX_TOP_WORDS];
    twx_slice words[TWX_TOP_WORDS];
    twx_key key;
    twx_rc rc = twx_bag_of(cx, w, text, &bag);
    if (rc != TWX_OK || bag.n == 0) return rc;
    const size_t n = choose(&bag, weighing, top);
    for (size_t i = 0; i < n; i++) words[i] = top[i].text;
    rc = twx_key_of_parts(cx, w, words, n, &key);
    return rc == TWX_OK ? twx_signature_add(cx, key, ret_signature) : rc;
}
