/* report/evaluation.h: what an evaluation of the detectors found, and how it is written: tables,
 * JSON, or a page of HTML.
 * Memory: plain data; strings are borrowed. */
#ifndef TWX_REPORT_EVALUATION_H
#define TWX_REPORT_EVALUATION_H

#include "detect/detector.h"
#include "report/estimate.h"
#include "report/out.h"

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

/* What one method hides and what it leaves visible, on sampled documents (evaluate/eval_hidden.h).
 */
typedef struct twx_hiding {
    bool measured;
    uint64_t hidden; /* documents whose representative has another text */
    uint64_t hidden_sampled;
    /* share of them whose similarity to it is below the threshold; below threshold - 0.05 */
    twx_measure below, far_below;
    /* different texts that stay visible and have near.min_words words */
    uint64_t visible;
    uint64_t visible_sampled;
    /* share of them that resemble another one at the threshold; at threshold + 0.05 */
    twx_measure alike, very_alike;
    uint64_t compared; /* pairs of visible texts whose similarity was computed */
    uint64_t capped;   /* candidates beyond the limit of a text, not compared */
    /* pairs drawn from those that the word bound excludes; those of them at the threshold */
    uint64_t audited, audited_alike;
    uint64_t too_long;
} twx_hiding;

typedef struct twx_evaluated {
    const twx_detector *detector;
    const char *missing;  /* why it was not evaluated; NULL: it was */
    twx_rating documents; /* pairs of documents; by labelled pairs: those of the file */
    twx_rating texts;     /* pairs of different texts, each counted once; not by labels */
    twx_rating clusters;  /* means over clusters; by clusters only */
    /* that it finds in the store: of documents, of different texts */
    twx_measure pairs, text_pairs;
    uint64_t groups, largest_group;
    twx_hiding hiding;
    /* the last: its share of the pass over the collection */
    double sign_seconds, group_seconds, collection_seconds;
    double megabytes_a_second; /* of different texts, while signing */
} twx_evaluated;

/* A published relation (near, copy) or the verdict, by labelled pairs. */
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
    double collection_seconds; /* the pass itself; 0: no detector needs it */
    /* the sample */
    double share; /* of the pairs of different texts that were looked at; 1: all */
    /* pairs of different texts that some detector found, within that share */
    uint64_t pool;
    uint64_t verified, true_pairs, too_long;
    /* labels */
    uint64_t labelled_urls, labelled_pairs, clusters;
    uint64_t unknown_urls, urls_without_text, skipped_pairs;
    twx_slice unknown[TWX_MISSING_SHOWN]; /* the first URLs that are not in the store */
    size_t n_relations;
    twx_evaluated_relation relation[TWX_RELATIONS_MAX];
    /* detectors, and for those that were evaluated what they share */
    size_t n;
    twx_evaluated at[TWX_EVALUATED_MAX];
    double dice[TWX_EVALUATED_MAX][TWX_EVALUATED_MAX]; /* 0..1; below 0: neither finds anything */
} twx_evaluation;

/* Text or JSON, as the sink wants it; the other: a page of HTML that needs no other file. */
TWX_CHECK twx_rc twx_evaluation_write(const twx_out *out, const twx_evaluation *e);
TWX_CHECK twx_rc twx_evaluation_write_html(const twx_out *out, const twx_evaluation *e);

/* The published F of a method, below 0 when there is none. Source: Zelenkov and Segalovich 2007,
 * tables 3 and 5; they give 'near 1' for decomposition. */
double twx_published_f(const char *detector);
/* Spearman's rank correlation of F here and there over the methods that both have; *ret_n is how
 * many. */
double twx_published_rank_correlation(const twx_evaluation *e, size_t *ret_n);

#endif
