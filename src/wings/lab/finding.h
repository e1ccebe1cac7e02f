/* lab/finding.h: shared by the parts of `evaluate --findable`: the documents, the sample, and
 * small functions on both.
 * Memory: plain data, borrowed. */
#ifndef TWX_LAB_FINDING_H
#define TWX_LAB_FINDING_H

#include "base/hash64.h"
#include "lab/eval_documents.h"
#include "lab/eval_hidden.h"
#include "lab/eval_texts.h"
#include "run/estimate.h"

typedef struct twx_eval_finding {
    const twx_eval_documents *documents;
    const twx_eval_texts *texts;
    uint64_t sample, seed; /* sample 0: all */
    const char *known;     /* file of known copies; NULL: none */
} twx_eval_finding;

static inline uint32_t twx_finding_text(const twx_eval_finding *how, uint32_t document) {
    return how->documents->at.at[document].text;
}

/* 0: the title has no words */
static inline uint64_t twx_finding_title(const twx_eval_finding *how, uint32_t document) {
    return how->documents->at.at[document].title;
}

/* The sort key that selects a document for a sample. */
static inline uint64_t twx_finding_lot(const twx_eval_finding *how, uint32_t document) {
    enum { LOT_SEED = 21 };
    return twx_mix64(twx_mix64(how->seed, LOT_SEED), how->documents->docs.at.at[document].url_key);
}

/* rep: the representative of each document; TWX_NO_DOCUMENT: the document is in no group. */
static inline bool twx_finding_is_hidden(const uint32_t *rep, uint32_t document) {
    return rep[document] != TWX_NO_DOCUMENT && rep[document] != document;
}

/* The share `found` of `sampled` items drawn from `all`; the interval is a point if all were
 * examined. */
static inline twx_measure twx_finding_share(uint64_t found, uint64_t sampled, uint64_t all) {
    if (sampled == 0) return (twx_measure){0};
    const double share = (double)found / (double)sampled;
    return sampled == all ? (twx_measure){true, share, share, share}
                          : twx_wilson(share, (double)sampled);
}

#endif
