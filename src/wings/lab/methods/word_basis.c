#include "lab/methods/word_basis.h"

#include "base/hash64.h"
#include "lab/methods/collection.h"
#include "text/char_class.h"
#include "text/stop_words.h"

const twx_lexicon *twx_lexicon_of(const twx_params *params) {
    const twx_lexicon *l = params->collection ? params->collection->lexicon : NULL;
    return l && twx_lexicon_length(l) > 0 ? l : NULL;
}

uint64_t twx_words_fingerprint(const twx_params *params) {
    (void)params;
    return twx_mix64(TWX_CHAR_CLASS_VERSION, TWX_STOP_WORDS_VERSION);
}
