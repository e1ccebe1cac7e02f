/* lab/evaluation.h: the results of an evaluation of the detectors, and their output as tables,
 * JSON or an HTML page.
 * Memory: plain data; strings are borrowed. */
#ifndef TWX_LAB_EVALUATION_H
#define TWX_LAB_EVALUATION_H

#include "run/estimate.h"
#include "run/out.h"
#include "sign/detector_row.h"

/* Sets of evaluated detectors are the bits of a uint32_t. */
enum { TWX_EVALUATED_MAX = 32, TWX_MISSING_SHOWN = 5, TWX_RELATIONS_MAX = 16 };

typedef enum twx_truth_kind {
    TWX_TRUTH_SIMILARITY,
    TWX_TRUTH_PAIRS,
    TWX_TRUTH_CLUSTERS
} twx_truth_kind;

typedef struct twx_rating {
    twx_measure recall, precision, f;
} twx_rating;

/* Sampled documents that one method hides, and those that it leaves visible
 * (lab/eval_hidden.h). */
typedef struct twx_hiding {
    bool measured;
    uint64_t hidden; /* documents whose representative has another text */
    uint64_t hidden_sampled;
    /* shares whose similarity to the representative is below the threshold, and below threshold -
     * 0.05 */
    twx_measure below, far_below;
    /* different visible texts that have at least near.min_words words */
    uint64_t visible;
    uint64_t visible_sampled;
    /* shares that are similar to another one at the threshold, and at threshold + 0.05 */
    twx_measure alike, very_alike;
    uint64_t compared; /* pairs of visible texts whose similarity was computed */
    uint64_t capped;   /* candidates beyond the limit per text, which were not compared */
    /* pairs drawn from those that the word bound excludes, and how many of them reach the
     * threshold */
    uint64_t audited, audited_alike;
    uint64_t too_long;
} twx_hiding;

typedef struct twx_evaluated {
    const twx_detector *detector;
    const char *missing;  /* why it was not evaluated; NULL: it was */
    twx_rating documents; /* pairs of documents; with labelled pairs, those of the file */
    twx_rating texts;     /* pairs of different texts, each counted once; not with labels */
    twx_rating clusters;  /* means over clusters; only with labelled clusters */
    /* pairs that it finds in the store: of documents, and of different texts */
    twx_measure pairs, text_pairs;
    uint64_t groups, largest_group;
    twx_hiding hiding;
    /* collection_seconds: its share of the pass over the collection */
    double sign_seconds, group_seconds, collection_seconds;
    double megabytes_a_second; /* of different texts, while signing */
} twx_evaluated;

/* A published relation (near, copy) or the verdict, rated by labelled pairs. */
typedef struct twx_evaluated_relation {
    const char *name;
    twx_rating rating;
} twx_evaluated_relation;

typedef struct twx_evaluation {
    const char *store;
    const char *truth; /* "similarity" or the file */
    twx_truth_kind kind;
    uint64_t documents, not_taking_part, without_text, texts, text_bytes;
    uint32_t threshold_ppm;    /* of twx_hiding: alignment.threshold */
    double collection_seconds; /* the pass over the collection; 0: no detector needs it */
    /* the sample */
    double share; /* share of the pairs of different texts that was examined; 1: all */
    /* pairs of different texts within that share that at least one detector found */
    uint64_t pool;
    uint64_t verified, true_pairs, too_long;
    /* labels */
    uint64_t labelled_urls, labelled_pairs, clusters;
    uint64_t unknown_urls, urls_without_text, skipped_pairs;
    twx_slice unknown[TWX_MISSING_SHOWN]; /* the first URLs that are not in the store */
    size_t n_relations;
    twx_evaluated_relation relation[TWX_RELATIONS_MAX];
    /* detectors, and the overlap of those that were evaluated */
    size_t n;
    twx_evaluated at[TWX_EVALUATED_MAX];
    double dice[TWX_EVALUATED_MAX][TWX_EVALUATED_MAX]; /* 0..1; negative: neither finds anything */
} twx_evaluation;

/* All the time that the method took. */
static inline double twx_evaluated_seconds(const twx_evaluated *d) {
    return d->sign_seconds + d->group_seconds + d->collection_seconds;
}

/* The published F of a method, negative if there is none. Source: Zelenkov and Segalovich 2007,
 * tables 3 and 5; they give 'near 1' for decomposition. */
double twx_published_f(const char *detector);
/* Spearman's rank correlation of measured and published F over the methods that have both; *ret_n
 * is their number. */
double twx_published_rank_correlation(const twx_evaluation *e, size_t *ret_n);

#endif
