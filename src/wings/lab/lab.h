/* lab/lab.h: further methods of the literature, and the evaluation of all. */
#ifndef TWX_LAB_LAB_H
#define TWX_LAB_LAB_H

#include "run/run.h"

/* evaluate.c: compares detectors on a store: what they find, how much of it is true, and
 * what they cost. It writes nothing.
 *
 * Documents with equal text share one text, so a pair of texts represents many pairs of documents.
 * Detectors are evaluated one after another: the store is read again, each text is signed, texts
 * that share a key become candidates, and verification decides. If there are too many pairs, a
 * uniform sample is kept (lab/eval_pairs.c). The method follows Zelenkov and Segalovich 2007,
 * section 5: recall is relative to the pool of what all methods find. */

/* Errors TWX_E_USAGE (unknown detector), TWX_E_DATA (the file of labels), TWX_E_BUSY (documents
 * changed meanwhile), TWX_E_LIMIT. */
TWX_CHECK twx_rc twx_evaluate(const twx_job *job, const twindex_evaluate_options *options,
                              const twx_out *out);

/* estimate (evaluation.c): shares estimated from samples, with 95 % intervals. Pure floating-point
 * arithmetic, whose results reach reports only.
 *
 * A share is a ratio of two sums, y / x, over a population in which each item is drawn
 * independently with its own probability (Poisson sampling); items with probability 1 add no error.
 * Source: Horvitz and Thompson 1952 for the sums; Sarndal, Swensson, Wretman, Model Assisted Survey
 * Sampling, 5.6 for the variance of a ratio (linearised, "delta method"); Wilson 1927 for the
 * interval; Kish 1965 for the effective number of draws.
 * Memory: embedded structs, nothing to free. */

/* Zeroed by the caller. */
typedef struct twx_ratio {
    double y, x;       /* estimated sums */
    double yy, xy, xx; /* parts of the variance */
    /* of the items with probability below 1: the estimated sum of x, and the sum of squares of the
     * terms */
    double drawn_x, drawn_xx;
} twx_ratio;

/* Adds an item that was drawn with probability 0 < p <= 1. */
void twx_ratio_add(twx_ratio *r, double y, double x, double p);
/* y / x, within 0..1; unknown if x is 0. */
twx_measure twx_ratio_measure(const twx_ratio *r);
/* The estimated sum of x. */
twx_measure twx_ratio_total(const twx_ratio *r);

/* The interval of a share observed in n independent trials (not only integers); n 0: 0..1. */
twx_measure twx_wilson(double share, double n);
/* The mean of n values by their sum and sum of squares, +- 1.96 standard errors; n 0: unknown. */
twx_measure twx_mean(double sum, double squares, size_t n);
/* 2ab / (a+b), also for the ends of the interval; unknown if a or b is. */
twx_measure twx_harmonic(twx_measure a, twx_measure b);

/* Spearman's rank correlation of a[0..n) and b[0..n), equal values share the mean of their ranks; 0
 * if n < 2 or all values are equal. */
double twx_spearman(const double *a, const double *b, size_t n);

/* evaluation.c: the results of an evaluation of the detectors, and their output as tables,
 * JSON or an HTML page.
 * Memory: plain data; strings are borrowed. */

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

/* Sampled documents that one method hides, and those that it leaves visible (lab/eval_hidden.c). */
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
    const twx_settings *settings; /* near.detector and thresholds, as configured */
    bool whole;                   /* text with all methods and tables, not with a few methods */
    const char *truth;            /* "similarity" or the file */
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

/* Writes text or JSON, as the sink requires, or with html a self-contained page. */
TWX_CHECK twx_rc twx_evaluation_write(const twx_out *out, const twx_evaluation *e, bool html);

/* eval_documents.c: the documents of a store, prepared for an evaluation: which of them
 * take part, the order in which representatives are elected, and the text and title of each.
 * Everything is read from the source; results of earlier runs are not used.
 * [R1] The same documents take part, in the same order of precedence, as in a run with the same
 * settings.
 * Memory: embedded struct; about 250 bytes per document. */

typedef struct twx_eval_document {
    twx_value scan_key; /* bytes are in twx_eval_documents.keys */
    uint64_t title;     /* hash of the words of the title; 0: no title */
    uint32_t text;      /* its number; TWX_EVAL_NO_TEXT: none, or it does not take part */
} twx_eval_document;

typedef struct twx_eval_documents {
    const twx_job *job; /* and its store: borrowed */
    twx_opened *o;
    TWX_VEC(twx_eval_document) at;
    twx_doc_table docs; /* the same documents */
    uint32_t *rank;
    twx_links links;
    twx_map64 by_id; /* hash of the source's id -> document */
    twx_arena keys;
    uint64_t taking_part;
} twx_eval_documents;

TWX_CHECK twx_rc twx_eval_documents_read(const twx_job *job, twx_opened *o,
                                         const twx_url_options *url_options,
                                         twx_eval_documents *ret_documents);
void twx_eval_documents_done(twx_eval_documents *d);
bool twx_eval_takes_part(const twx_eval_documents *d, uint32_t document);
/* The index of the document with this id in the source; TWX_NO_DOCUMENT: there is none. */
uint32_t twx_eval_document_of(const twx_eval_documents *d, const twx_value *id);

/* The index of the document with this number in the tables of Twindex, which `o` has open;
 * TWX_NO_DOCUMENT as above. */
TWX_CHECK twx_rc twx_eval_document_numbered(twx_opened *o, const twx_eval_documents *d, int64_t doc,
                                            uint32_t *ret_document);

/* Reads one document with all columns; take is not called if it no longer exists. */
TWX_CHECK twx_rc twx_eval_document_fetch(const twx_eval_documents *d, uint32_t document,
                                         twx_document_reader_take_fn *take, void *arg);
/* The document of a row that is read again: in a scan, *next is 0 at first and moves with it.
 * TWX_NO_DOCUMENT: the row was added after the documents were read. */
uint32_t twx_eval_document_again(const twx_eval_documents *d, const twx_source_row *row,
                                 uint32_t *next);

/* eval_texts (eval_documents.c): the distinct texts of a store, in order of their first document.
 * An evaluation counts pairs of these. Documents with equal text share one text; documents that do
 * not take part and documents without text are counted and ignored.
 * Memory: embedded struct; about 100 bytes per text. */

#define TWX_EVAL_NO_TEXT UINT32_MAX

typedef struct twx_eval_text {
    uint32_t document; /* its first document, whose row is read for the text */
    /* from the digest: decides whether a pair is sampled, independently of numbering */
    uint64_t place;
    uint64_t content; /* hash, to detect whether the document has changed */
    uint64_t bytes;
    uint32_t documents; /* number of documents that have this text */
} twx_eval_text;

/* Other programs may change the store during an evaluation, which reads texts several times. [R1] A
 * text whose first document was changed or deleted since is left out of everything that follows,
 * and counted: figures are never computed from a mixture of old and new texts. */

typedef struct twx_eval_texts {
    TWX_VEC(twx_eval_text) at;
    const twx_eval_documents *of;        /* borrowed */
    TWX_VEC(uint8_t) changed;            /* by text: 1 if [R1] applies */
    uint64_t documents, not_taking_part; /* all documents; those of them that do not take part */
    uint64_t without_text;               /* documents that take part and have no text */
    uint64_t bytes;                      /* total size of the distinct texts */
} twx_eval_texts;

/* Also sets documents->at[].text. Documents that were added since are ignored; one that was deleted
 * has no text. Errors TWX_E_LIMIT (4 billion texts), and those of reading. */
typedef struct twx_eval_reading {
    twx_eval_documents *documents;
    /* Called for each document: its URL as stored (absent: none) and the index of its text;
     * TWX_EVAL_NO_TEXT: it has no text or does not take part. May be NULL */
    twx_rc (*fn)(void *arg, twx_slice url, uint32_t text);
    void *arg;
} twx_eval_reading;
TWX_CHECK twx_rc twx_eval_texts_read(const twx_eval_reading *how, twx_eval_texts *ret_texts);
void twx_eval_texts_done(twx_eval_texts *t);
/* Has text i been found to have changed [R1]? How many have? */
bool twx_eval_text_changed(const twx_eval_texts *t, uint32_t i);
uint64_t twx_eval_texts_changed(const twx_eval_texts *t);
/* Number of document pairs that share text i. */
double twx_eval_pairs_within(const twx_eval_texts *t, uint32_t i);

/* Called for the first document of each text in order, except those that have changed [R1]. The row
 * is borrowed for the call. */
typedef twx_rc twx_eval_text_fn(void *arg, uint32_t i, const twx_source_row *row);
TWX_CHECK twx_rc twx_eval_texts_each(const twx_eval_texts *t, twx_eval_text_fn *fn, void *arg);
/* Appends text i to `out`. TWX_DONE: it has changed [R1]. */
TWX_CHECK twx_rc twx_eval_text_fetch(const twx_eval_texts *t, uint32_t i, twx_buf *out);

/* eval_labels.c: manually labelled pairs or clusters, read from a file. Fields are
 * separated by tabs; empty lines and lines that begin with '#' are ignored.
 *     url TAB url TAB 1|0     the two documents are duplicates, or are not; no other pairs count
 *     url TAB cluster         all pairs of URLs in a cluster are duplicates, pairs across clusters
 *                             are not
 * A URL refers to the document of the store with the same normalized URL (the first if there are
 * several) or, if it is not a usable URL, with the same bytes.
 * [R1] Errors name the file and the line: TWX_E_DATA.
 * [R2] A repeated label counts once; contradictory labels are an error.
 * Memory: embedded struct; the strings of the file are kept. */

typedef struct twx_eval_label_url {
    twx_slice url;
    uint32_t text;    /* TWX_EVAL_NO_TEXT: not in the store, or without text */
    uint32_t cluster; /* number of its cluster */
    bool met;         /* it is in the store */
} twx_eval_label_url;

typedef struct twx_eval_label_pair {
    uint32_t a, b; /* URLs */
    bool same;
    uint32_t found; /* bit d: detector d finds the pair */
} twx_eval_label_pair;

typedef struct twx_eval_labels {
    bool clusters; /* the file has clusters; false: pairs */
    twx_url_options url_options;
    TWX_VEC(twx_eval_label_url) urls;
    TWX_VEC(twx_eval_label_pair) pairs;
    size_t n_clusters;
    twx_arena strings;
    twx_map64 by_url; /* hash of the normalized URL, as twx_doc_row.url_key -> URL */
} twx_eval_labels;

/* Reads all of `in`. url_options: the rules inside are borrowed. */
TWX_CHECK twx_rc twx_eval_labels_read(twx_ctx *cx, const twx_url_options *url_options,
                                      twx_input *in, twx_eval_labels *ret_labels);
void twx_eval_labels_done(twx_eval_labels *l);
/* Called for each document of the store: if its URL is labelled, the label applies to this text. */
TWX_CHECK twx_rc twx_eval_labels_meet(twx_ctx *cx, twx_eval_labels *l, twx_slice url,
                                      uint32_t text);

/* The number of documents of a cluster that have a text. */
typedef struct twx_eval_share {
    uint32_t text, cluster, documents;
} twx_eval_share;

/* Shape at[from[i]..from[i+1]) are the shares of text i, ascending by cluster. Memory: embedded
 * struct, owned. */
typedef struct twx_eval_shares {
    TWX_VEC(twx_eval_share) at;
    TWX_VEC(uint32_t) from;
} twx_eval_shares;

TWX_CHECK twx_rc twx_eval_shares_make(twx_ctx *cx, const twx_eval_labels *l, size_t texts,
                                      twx_eval_shares *ret_shares);
void twx_eval_shares_done(twx_eval_shares *s);

/* finding (eval_hidden.c): what the measures of hidden documents share: the documents, the sample,
 * and small functions on both.
 * Memory: plain data, borrowed. */

typedef struct twx_eval_finding {
    const twx_job *job;
    const twx_eval_documents *documents;
    const twx_eval_texts *texts;
    uint64_t sample, seed; /* sample 0: all */
    const char *known;     /* file of known copies; NULL: none */
} twx_eval_finding;

uint32_t twx_finding_text(const twx_eval_finding *how, uint32_t document);
uint64_t twx_finding_title(const twx_eval_finding *how, uint32_t document); /* 0: without words */
/* The share `found` of `sampled` items drawn from `all`; the interval is a point if all were
 * examined. */
twx_measure twx_finding_share(uint64_t found, uint64_t sampled, uint64_t all);
/* rep: by document, its representative; TWX_NO_DOCUMENT: it is in no group. */
bool twx_finding_is_hidden(const uint32_t *rep, uint32_t document);
/* What a user sees in the place of the document. */
uint32_t twx_finding_shown(const uint32_t *rep, uint32_t document);
/* By text: 1 if a document that has it is not hidden. */
void twx_finding_visible(const twx_eval_finding *how, const uint32_t *rep, uint8_t *ret_visible);

/* The `most` items with the smallest lots, ordered by lot: a sample that does not depend on the
 * order of the items. */
typedef struct twx_eval_lot {
    uint64_t lot;
    uint32_t item;
} twx_eval_lot;
typedef TWX_VEC(twx_eval_lot) twx_eval_lots;
void twx_eval_lots_keep(twx_eval_lots *lots, uint64_t most); /* 0: all */
/* The lot of a document; each measure has a number of its own. */
uint64_t twx_finding_lot(const twx_eval_finding *how, uint64_t measure, uint32_t document);

/* Compares texts character by character (text/similarity.c).
 * Memory: embedded struct; also after an error: twx_text_comparer_done(). */
typedef struct twx_text_comparer {
    const twx_eval_finding *how;
    twx_similarity *similarity;
    twx_buf texts[2];
    uint64_t too_long; /* pairs that would have taken more than about a second */
} twx_text_comparer;

TWX_CHECK twx_rc twx_text_comparer_open(const twx_eval_finding *how, twx_text_comparer *c);
void twx_text_comparer_done(twx_text_comparer *c);
/* *ret_ppm is -1 if the similarity is below least_ppm. TWX_DONE, and -1: the texts cannot be
 * compared, because they are too long or one has changed. */
TWX_CHECK twx_rc twx_texts_compare(twx_text_comparer *c, uint32_t a, uint32_t b, int32_t least_ppm,
                                   int32_t *ret_ppm);
/* Can two texts of these lengths reach the similarity? The bound is exact if all characters take
 * one byte. Other texts have up to four times fewer characters than bytes, but in about the same
 * ratio for both texts. */
bool twx_lengths_reach(const twx_eval_texts *t, uint32_t a, uint32_t b, uint32_t ppm);

/* known_copies (eval_labels.c): pairs of documents that are known copies according to a file.
 *
 * A line is `relation TAB prefix TAB prefix`: documents whose URLs are equal after these prefixes
 * are copies; or `query-... TAB prefix* TAB ?a= ?b=`: a URL whose query consists of exactly one of
 * these parameters is a copy of the URL without the query. Empty lines and lines that begin with
 * '#' are ignored, and so are the relations version, variant and redirect, which do not relate
 * copies. Only pairs with equal titles and different texts are listed; the caller determines
 * whether the texts are similar enough. */

typedef struct twx_known_pair {
    uint32_t a, b; /* documents */
} twx_known_pair;
typedef TWX_VEC(twx_known_pair) twx_known_pairs;

/* Memory: TWX_VEC_DONE(). Errors TWX_E_NOTFOUND: the file does not exist; TWX_E_DATA "file:line:
 * ...". */
TWX_CHECK twx_rc twx_known_copies_read(const twx_eval_finding *how, twx_known_pairs *ret_pairs);

/* A line of the file. Memory: its bytes are in the arena. */
typedef struct twx_known_rule {
    twx_slice prefix, other; /* other: a prefix, or the parameters of a query relation */
    bool query;
} twx_known_rule;

/* TWX_DONE: the line does not relate copies. place: "file:line", for the error TWX_E_DATA. */
TWX_CHECK twx_rc twx_known_rule_parse(twx_ctx *cx, twx_slice line, const char *place,
                                      twx_arena *arena, twx_known_rule *ret_rule);
/* The URL of the copy that the rule relates to `url`; TWX_DONE: none. Borrowed from url or room. */
TWX_CHECK twx_rc twx_known_rule_apply(twx_ctx *cx, const twx_known_rule *rule, twx_slice url,
                                      twx_buf *room, twx_slice *ret_other);

/* eval_pairs.c: the pairs that detectors find, or a uniform sample of them if there are many.
 *
 * Each text has a place, 64 bits of its digest. A pair is in the sample of k halvings if the sum of
 * its two places, modulo 2^64, is below 2^(64-k). So every pair has the same probability 2^-k, the
 * samples of all detectors are samples of the same pairs, and a sample of more halvings is a subset
 * of one of fewer. When there turn out to be too many pairs, the sample is halved and nothing needs
 * to be drawn again. The partners of a text within a run of equal keys are an interval in order of
 * place: a run of n texts costs n log n steps plus one per sampled pair, not n^2.
 * [R1] The sample depends only on the texts and the pairs, not on numbering, the order of runs or
 * the order of detectors.
 * [R2] Memory is bounded by the limit, whatever the runs contain. */

enum { TWX_EVAL_PAIRS_MAX = 1 << 20 }; /* pairs kept of one detector, and of all together */

/* A pair as one number: the smaller text in the upper half, the larger one in the lower half. */
static inline uint64_t twx_eval_pair_of(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}
static inline uint32_t twx_eval_pair_a(uint64_t pair) {
    return (uint32_t)(pair >> 32);
}
static inline uint32_t twx_eval_pair_b(uint64_t pair) {
    return (uint32_t)pair;
}

bool twx_eval_in_sample(uint64_t place_a, uint64_t place_b, unsigned halvings);
double twx_eval_chance(unsigned halvings); /* probability of a pair to be sampled: 2^-halvings */
/* The smallest number of halvings for which the expected number of sampled candidates is within
 * TWX_EVAL_CANDIDATES_MAX. */
unsigned twx_eval_halvings_for(double candidates);

/* Collects the pairs of one detector. Memory: embedded struct with owned arrays; place is
 * borrowed. */
typedef struct twx_eval_collector {
    twx_ctx *cx;
    const uint64_t *place;                              /* by text */
    bool (*is_pair)(void *arg, uint32_t a, uint32_t b); /* NULL: every candidate is a pair */
    void *arg;
    unsigned halvings;
    size_t limit; /* maximum number of pairs kept */
    /* the first `settled` are pairs, sorted and distinct; the others are candidates */
    TWX_VEC(uint64_t) pairs;
    size_t settled;
    TWX_VEC(struct twx_eval_spot) spots; /* the current run, ordered by place */
} twx_eval_collector;

/* The caller sets the first three and the last two members of a collector; the others are zero. */
void twx_eval_collector_done(twx_eval_collector *c);
/* A twx_run_fn (group/grouper.c); arg is the collector. */
twx_rc twx_eval_collect_run(void *arg, uint32_t *members, size_t n);
/* Verifies the candidates so far: then c->pairs are the sampled pairs, sorted. */
TWX_CHECK twx_rc twx_eval_settle(twx_eval_collector *c);

/* The pairs of all detectors. */
typedef struct twx_eval_pair {
    uint64_t pair;
    uint32_t found; /* bit d: detector d finds it */
    int32_t truth;  /* TWX_EVAL_... */
} twx_eval_pair;

enum { TWX_EVAL_UNKNOWN = -1, TWX_EVAL_FALSE = 0, TWX_EVAL_TRUE = 1 };

/* Memory: embedded struct, TWX_VEC_DONE(&pool.at); place is borrowed. */
typedef struct twx_eval_pool {
    twx_ctx *cx;
    const uint64_t *place;
    size_t limit;
    unsigned halvings;
    TWX_VEC(twx_eval_pair) at; /* sorted by pair */
} twx_eval_pool;

/* Adds the pairs of detector d, collected with at least as many halvings as the pool has. */
TWX_CHECK twx_rc twx_eval_pool_add(twx_eval_pool *pool, const twx_eval_collector *c, unsigned d);

/* eval_verify (eval_pairs.c): truth by similarity: which pairs of the pool consist of similar texts
 * (text/similarity.c).
 *
 * If the pool has more pairs than requested, each pair is drawn independently with a probability
 * that grows with the number of document pairs it represents. One sample then yields the figures
 * for pairs of documents as well as those for pairs of texts.
 * [R1] Which pairs are drawn depends only on the texts.
 * [R2] The number of threads does not affect the result.
 * [R3] At most half of run.memory holds texts: pairs are processed block by block, and each text is
 * fetched once per block. */

/* The probabilities with which pairs are drawn. */
typedef struct twx_eval_draw {
    /* probability = by_documents * pairs of documents + by_texts, at most 1 */
    double by_documents, by_texts;
} twx_eval_draw;

/* number of document pairs that a pair of texts represents */
double twx_eval_weight(const twx_eval_texts *t, uint64_t pair);
double twx_eval_draw_chance(const twx_eval_draw *draw, double weight);
/* Draws about `sample` pairs of the pool; all if sample is 0 or at least the number of pairs. */
twx_eval_draw twx_eval_draw_of(const twx_eval_texts *t, const twx_eval_pool *pool, uint64_t sample);

typedef struct twx_eval_verified {
    uint64_t pairs, too_long; /* compared; skipped because comparing them would take minutes */
} twx_eval_verified;

/* Sets the truth of the drawn pairs, except those of texts that have changed (eval_texts). */
TWX_CHECK twx_rc twx_eval_verify(const twx_eval_texts *t, const twx_eval_draw *draw,
                                 twx_eval_pool *pool, twx_eval_verified *ret_verified);

/* eval_scores.c: the signatures of the texts that are compared, and recall, precision and F of a
 * method, from the pairs found and the truth (estimate has the formulas). All sums run over the
 * pairs of the pool, each weighted by its sampling probability, and over the pairs within each
 * text, which are known without sampling. */

/* The pairs that were found. Memory: all borrowed. */
typedef struct twx_eval_found {
    const twx_eval_texts *texts;
    const twx_eval_pool *pool;
    const uint32_t *has_key; /* by text: bit d: detector d gives the text a key */
    size_t n;                /* number of detectors */
} twx_eval_found;

/* Counts the pairs of each detector, and computes the Dice coefficient of each two detectors: 2 |A
 * and B| / (|A| + |B|), in pairs of documents. */
void twx_eval_count(const twx_eval_found *found, twx_evaluation *e);
/* Scores against similarity, over the drawn pairs. Recall is relative to what all detectors
 * together find. */
void twx_eval_score_similarity(const twx_eval_found *found, const twx_eval_draw *draw,
                               twx_evaluation *e);
/* Scores against labelled pairs (with their `found` bits set); no other pairs count. */
void twx_eval_score_pairs(const twx_eval_labels *labels, twx_evaluation *e);
/* Rates detector d, or with joined[] by pair what it says; of the pairs whose texts are known. */
twx_rating twx_eval_rate_pairs(const twx_eval_labels *labels, const bool *joined, size_t d);
/* Scores against clusters: all pairs of labelled documents count. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_eval_score_clusters(twx_ctx *cx, const twx_eval_found *found,
                                         const twx_eval_labels *labels, twx_evaluation *e);

/* The signatures that one detector computes for all texts of a store, and the comparison of two
 * texts by them.
 * Memory: embedded struct; keys and payloads of one detector, at most run.memory. */
typedef struct twx_eval_signed {
    const twx_detector *detector;
    const twx_params *params;
    TWX_VEC(twx_key) keys;
    twx_buf payloads;
    /* where those of text i begin; one more at the end */
    TWX_VEC(struct twx_eval_from) from;
    double seconds; /* spent in sign(), on one thread */
} twx_eval_signed;

/* params are borrowed until _done. TWX_E_LIMIT without a message: keys and payloads exceed
 * run.memory. */
TWX_CHECK twx_rc twx_eval_sign(const twx_eval_texts *texts, const twx_params *params,
                               const twx_detector *detector, twx_eval_signed *ret_signed);
void twx_eval_signed_done(twx_eval_signed *s);

/* Does text i have a key? A text without one is in no pair. */
bool twx_eval_has_key(const twx_eval_signed *s, uint32_t i);
/* The payload that verification compares; borrowed. */
twx_slice twx_eval_payload(const twx_eval_signed *s, uint32_t i);
/* The keys by which candidates of text i are found: ret_n keys, stored in room if they must be
 * computed. */
const twx_key *twx_eval_candidate_keys(const twx_eval_signed *s, uint32_t i,
                                       twx_key room[TWX_CANDIDATE_KEYS_MAX], size_t *ret_n);
/* The similarity that verification computes for two texts that share a key, in millionths; -1: not
 * a pair. */
int32_t twx_eval_alike(const twx_eval_signed *s, uint32_t a, uint32_t b);
/* Are the two texts a pair: do they share a candidate key and pass verification? */
bool twx_eval_is_pair(const twx_eval_signed *s, uint32_t a, uint32_t b);
/* Adds the candidate keys of all texts to a grouper. */
TWX_CHECK twx_rc twx_eval_give_keys(const twx_eval_signed *s, twx_grouper *grouper);

/* eval_groups (eval_scores.c): the documents that a method hides, and their representatives,
 * grouped as in a run (judge/near.c: near.join, near.candidates, translations kept separate), over
 * the whole store (near.scope = store). Memory: twx_free(rep). */
typedef struct twx_eval_grouped {
    uint32_t *rep; /* by document: its representative; TWX_NO_DOCUMENT: it is in no group */
    uint64_t groups, largest;
} twx_eval_grouped;

TWX_CHECK twx_rc twx_eval_groups_of(const twx_eval_documents *documents, const twx_eval_signed *s,
                                    twx_eval_grouped *ret_groups);

/* eval_hidden.c: measures whether the documents that a method hides are similar to their
 * representatives, and whether those that stay visible are different.
 *
 * Hidden wrongly: of the documents whose representative has a different text, `sample` are drawn,
 * and the similarity of each to its representative is computed exactly (text/similarity.c).
 * Left visible: of the visible texts that have at least near.min_words words, `sample` are drawn,
 * and each is compared with the other visible texts. Candidates are found without the keys of the
 * tested method: a scan over all visible texts excludes pairs by their lengths and their bags of
 * words. With L(w) = (bytes of w + 1) * occurrences, the bag similarity of two texts is 2 * sum
 * min(L) / sum L. Pairs whose lengths cannot reach the threshold, and pairs whose bag similarity is
 * below threshold - TWX_EVAL_BAG_MARGIN, are excluded.
 * The length bound is exact. The bag bound is not, because different words share characters;
 * therefore a sample of the pairs that it excludes is compared exactly, and the number of similar
 * pairs among them is reported (audited_alike of audited). For each drawn text the
 * TWX_EVAL_ALIKE_MAX candidates with the largest bag similarity are compared in that order until
 * one has a similarity of at least threshold + 0.05; the number of candidates beyond that limit is
 * reported (capped).
 * [R1] The result depends only on the documents, the settings, sample and seed. */

enum { TWX_EVAL_ALIKE_MAX = 48, TWX_EVAL_AUDIT_MAX = 1000, TWX_EVAL_FAR_PPM = 50000 };

/* rep: as above. Errors TWX_E_BUSY: documents changed after they were read. */
TWX_CHECK twx_rc twx_eval_hiding_measure(const twx_eval_finding *how, const uint32_t *rep,
                                         uint32_t threshold_ppm, twx_hiding *ret_hiding);

/* findability (evaluate.c): how a method, a relation or the verdict affects a search: whether the
 * words of hidden titles still occur, whether a search for such a title finds the representative,
 * and which copies stay visible (lab/eval_findable.c).
 * Memory: plain data; strings are borrowed. */
typedef struct twx_findable {
    const char *name;
    bool relation;       /* a relation as published by the last run; else a method */
    const char *missing; /* why it was not measured; NULL: it was */
    /* hidden documents whose text no visible document has, each text and title counted once; of
     * them, with a title */
    uint64_t hidden, sampled;
    /* shares with a word of the title that the representative lacks; with one that is no number;
     * with a word of a heading (unknown without headings) */
    twx_measure lost, lost_words, lost_headings;
    uint64_t compared; /* texts of hidden documents, with or without a title */
    /* share of them that have other words or numbers in the place of the representative's; other
     * words; more words than the representative, which has none that they lack */
    twx_measure substitutes, things, one_way;
    uint64_t substitutions; /* places with other words, in all texts compared */
    uint64_t searched;
    /* share of titles whose search finds the representative in the first 10 hits; the same where
     * each different title counts once, not once for each hidden document */
    twx_measure found, titles_found;
    /* searched titles that more than ten visible texts have */
    uint64_t shared;
    twx_measure shared_titles, others_found; /* share of these; share found of the other titles */
    /* sample of the visible documents that share their title with another visible document, and
     * the share for which one with the same title is .9 similar */
    uint64_t titled_sampled;
    twx_measure same_title;
    /* sample of the known copies (equal titles, different texts that are .9 similar), and the share
     * that do not have the same representative */
    uint64_t known_sampled;
    twx_measure known_visible;
} twx_findable;

/* New reference. */
json_t *twx_findable_json(const twx_findable *f);

/* recommend (eval_scores.c): the threshold that labels of pairs recommend.
 * The probability that two texts of similarity s are one page is assumed to be 1 / (1 + exp((middle
 * - s) / width)). Each (middle, width) of a grid gets the likelihood of the labels and, with the
 * similarities of all pairs of the store, an F for each threshold. The threshold with the largest
 * mean F is recommended; that of each (middle, width) counts for the interval. */

enum { TWX_RECOMMEND_LABELS = 12, TWX_HUNDREDTHS = 101 };

typedef struct twx_similar_label {
    int32_t ppm; /* the similarity of the two texts */
    bool same;
} twx_similar_label;

/* similar_labels (eval_labels.c): labels of pairs, with the similarities that the near-duplicate
 * method gives the pairs. Memory: embedded struct, zeroed; twx_similar_labels_done(). */
typedef struct twx_similar_labels {
    TWX_VEC(twx_similar_label) at;
    twx_map64 texts;  /* two nodes of a pair (twx_eval_pair_of()) -> 1 */
    uint64_t unknown; /* labels of documents that are not in the store, or have too few words */
} twx_similar_labels;

/* The labels of a file of pairs; none if it is missing, empty or NULL. j is judged.
 * Errors TWX_E_DATA: the file is wrong, or has clusters */
TWX_CHECK twx_rc twx_similar_labels_read(const twx_job *job, const char *path,
                                         const twx_url_options *url_options, twx_doc_set *j,
                                         twx_similar_labels *ret_labels);
void twx_similar_labels_done(twx_similar_labels *l);
/* Adds a line to a file of pairs, which is made if it is missing. Errors TWX_E_DATA: a URL cannot
 * stand in a line; TWX_E_IO, TWX_E_NOMEM */
TWX_CHECK twx_rc twx_label_append(twx_ctx *cx, const char *path, const twx_slice url[2], bool same);

/* In millionths. */
typedef struct twx_recommendation {
    bool made; /* false: there are fewer than TWX_RECOMMEND_LABELS labels */
    uint64_t value;
    uint64_t low, high; /* the best value is within them with a probability of .8 */
    uint64_t next;      /* where more labels are worth most: the ends of the interval, in turn */
} twx_recommendation;

/* pairs: of the store, by similarity in hundredths. */
twx_recommendation twx_recommend(const twx_similar_label *labels, size_t n,
                                 const size_t pairs[TWX_HUNDREDTHS]);
/* The labels that agree with a threshold, in millionths. */
size_t twx_labels_right(const twx_similar_label *labels, size_t n, uint64_t threshold);

/* sweep.c: what the values of a setting do, the pairs nearest to one, and the one that labels
 * recommend. Nothing is written to the store.
 * Errors TWX_E_USAGE (the setting is no number, or needs other signatures; a value is wrong),
 * TWX_E_DATA (the file of labels), those of judging */
TWX_CHECK twx_rc twx_sweep(const twx_job *job, const twindex_sweep_options *options,
                           const twx_out *out);

/* changed_words (eval_hidden.c): which words the text of a hidden document has that its
 * representative lacks, by a plain alignment (text/text_diff.c). No code is shared with
 * judge/proof.c, whose errors this measure shall see, so nothing is learned of hosts: banners, and
 * what machines put in, count like other words. Words are runs of characters without white space,
 * without the punctuation around them. A place where up to CHANGED_MAX words of one text stand for
 * as many of the other is a *substitution*. It is one of *numbers* if each of the words on both
 * sides has a digit or names a month or weekday, and else one of *words*.
 * Memory: embedded struct, zeroed. */

/* Compares how->sample of the listed hidden documents with their representatives. Sets compared,
 * substitutes, things, substitutions and one_way of the result; lots is scratch afterwards. With -v
 * the words that are substituted are reported. known: pairs of texts that were compared before.
 * Errors TWX_E_NOMEM, those of reading */
TWX_CHECK twx_rc twx_changed_texts_measure(const twx_eval_finding *how, const uint32_t *rep,
                                           twx_eval_lots *lots, twx_map64 *known,
                                           twx_findable *result);

/* eval_findable.c: whether the titles of hidden documents are still found, and which copies
 * stay visible. */

/* Tests whether another document contains the words of a title. A *word* is
 * a word of text/tokens.c: a longest run of letters and digits, lower-cased. A *number* is a word
 * of ASCII digits.
 * Memory: embedded struct. */
typedef struct twx_title_words {
    twx_tokens tokens;
    twx_map64 words; /* hashes of the words of the other document */
} twx_title_words;

typedef struct twx_lost_words {
    bool any, word; /* the document lacks a word of the title; it lacks one that is not a number */
} twx_lost_words;

void twx_title_words_init(twx_title_words *w);
void twx_title_words_done(twx_title_words *w);
/* Removes the words of the document. */
void twx_title_words_clear(twx_title_words *w);
/* Adds the words of a part of the document. */
TWX_CHECK twx_rc twx_title_words_add(twx_ctx *cx, twx_title_words *w, twx_slice part);
TWX_CHECK twx_rc twx_title_words_lost(twx_ctx *cx, twx_title_words *w, twx_slice title,
                                      twx_lost_words *ret_lost);

/* The titles that stay visible under a method: each pair of a visible text and one of its titles
 * once, sorted by title.
 * Memory: embedded vector, owned; TWX_VEC_DONE(). */
typedef struct twx_titled_text {
    uint64_t title, lot;
    uint32_t document;
} twx_titled_text;
typedef TWX_VEC(twx_titled_text) twx_titled_texts;

/* Documents without text or title are ignored. Texts of one title are ordered by lot. */
TWX_CHECK twx_rc twx_titled_texts_list(twx_ctx *cx, const twx_eval_finding *how,
                                       const uint32_t *rep, twx_titled_texts *ret_list);
/* The texts of one title: list->at[*ret_from .. *ret_to). */
void twx_titled_texts_of(const twx_titled_texts *list, uint64_t title, size_t *ret_from,
                         size_t *ret_to);

/* Measures whether documents hidden by a method can still be found.
 *
 * Only hidden documents whose text no visible document has are considered; of those with equal text
 * and title, one counts.
 * Title words (lab/eval_findable.c): is each word of the title in the title or the text of the
 * representative? All words count: common words of a site are not removed, and words are neither
 * stemmed nor weighted. No code is shared with the relation `copy`, which this measure judges
 * (scripts/findable-plain.py computes the same in Python; a test compares the two).
 * Search: the title is looked up in the text index like `twindex search` without rules. Of the hits
 * that take part and are not hidden by the method, the first 10 count. The document is found if one
 * of them is the representative, or has the text of either document. A title that more than 10
 * different visible texts have cannot identify one of them: such documents are also counted
 * separately (shared), and the share that is found among the others is reported beside the total
 * share. Visible copies: lab/eval_findable.c.
 * [R1] The result depends only on the documents, the text index, the settings, sample and seed. */
typedef struct twx_eval_finder twx_eval_finder;

/* Memory: owned handle; how is borrowed. Errors TWX_E_DATA: an invalid line in the file of known
 * copies. */
TWX_CHECK twx_rc twx_eval_finder_open(const twx_eval_finding *how, twx_eval_finder **ret_finder);
void twx_eval_finder_close(twx_eval_finder *f);
bool twx_eval_finder_searches(const twx_eval_finder *f); /* is there a text index? */
uint64_t twx_eval_finder_known(const twx_eval_finder *f);
/* rep: by document, as above. Sets all members of *result except name, relation and missing. */
/* only_hidden: only what is lost and what is substituted; pairs that were examined before are not
 * read again. */
TWX_CHECK twx_rc twx_eval_find(twx_eval_finder *f, const uint32_t *rep, bool only_hidden,
                               twx_findable *result);

/* title_search (eval_findable.c): looks up titles in the text index of a store, like `twindex
 * search` without rules. Results are cached, because methods that hide different documents need
 * the same titles. */

/* Documents that take part, best first; borrowed until the next call. */
typedef struct twx_title_hits {
    const uint32_t *documents;
    size_t n;
} twx_title_hits;

/* Replaces *out by the words of the title, each in quotes so that none is an operator of FTS5;
 * truncated after the last word that fits into TWX_QUERY_BYTES. */
TWX_CHECK twx_rc twx_title_query(twx_ctx *cx, twx_tokens *tokens, twx_slice title, twx_buf *out);

/* Is the representative of a hidden document, or a document with the text of either, among the
 * first `top` hits that are not hidden according to rep? */
bool twx_title_found(const twx_eval_finding *how, const uint32_t *rep, uint32_t document,
                     const twx_title_hits *hits, size_t top);

/* lexicon.c: in how many documents each word occurs (df), how often it occurs in all (cf), the
 * number of documents (N) and their average length (dl_avg). Words are those of sign/bag.c.
 * [R1] The order of adding does not affect the result.
 * [R2] Memory while collecting stays below max_bytes: partial counts go to unnamed temporary files,
 * sorted, and are merged. Words of a single document are not kept: a word that is not found has df
 * 1.
 * Memory: owned handles. One thread at a time uses a maker, any number use a lexicon. */

typedef struct twx_lexicon_maker twx_lexicon_maker;
typedef struct twx_lexicon {
    twx_entry *words; /* with df >= 2, by hash; key: hash; check: cf; index: df */
    size_t n;
    /* starts[t]: the first word whose hash begins with t or more; one more at the end */
    uint32_t *starts;
    unsigned bits;
    uint64_t documents, length; /* N; sum of all dl; dl_avg = length / N */
    uint64_t fingerprint;       /* of all statistics, because the keys depend on them */
} twx_lexicon;

typedef struct twx_word_stats {
    uint64_t df, cf;
} twx_word_stats;

/* folder: of temporary files, borrowed; NULL: $TMPDIR or /tmp */
TWX_CHECK twx_rc twx_lexicon_maker_open(twx_ctx *cx, size_t max_bytes, const char *folder,
                                        twx_lexicon_maker **ret_maker);
void twx_lexicon_maker_close(twx_lexicon_maker *m);
/* Adds the words of one document. */
TWX_CHECK twx_rc twx_lexicon_maker_add(twx_lexicon_maker *m, const twx_bag *bag);
/* Ends adding. Errors TWX_E_LIMIT: the words of two or more documents alone exceed max_bytes; the
 * message states how much would suffice. */
TWX_CHECK twx_rc twx_lexicon_make(twx_lexicon_maker *m, twx_lexicon **ret_lexicon);
void twx_lexicon_close(twx_lexicon *l);

/* An unknown word has df 1 and cf = tf, which the caller passes. */
twx_word_stats twx_lexicon_find(const twx_lexicon *l, const twx_bag_word *word);

/* collection (methods/lexicon.c): computes the parts of the statistics (sign/sign.h). */
extern const twx_collecting TWX_COLLECTING;

/* word_basis (methods/lexicon.c): the inputs of keys made of the words of a text: the words
 * themselves (sign/bag.c) and, for global detectors, the lexicon of the collection. */

/* Members of the row of a method that needs the lexicon. */
#define TWX_LEXICON_ROW .needs = TWX_NEED_LEXICON, .collecting = &TWX_COLLECTING

/* The lexicon of params->collection; NULL when there is none or it has no words: then there are no
 * keys. Borrowed. */
const twx_lexicon *twx_lexicon_of(const twx_params *params);
/* Fingerprint of the tables that affect bags: characters and stop words. twx_detector_fingerprint()
 * adds the collection. */
uint64_t twx_words_fingerprint(const twx_params *params);

/* term_selection.c: the words that describe documents, with their thresholds, for
 * descriptive_words (Ilyinsky, Kuzmin, Melkov, Segalovich 2002). They are chosen from statistics of
 * the collection: see term_selection.c.
 * [R1] The order of adding does not affect the result.
 * Memory: owned handles; one thread at a time uses a maker, any number use a selection. */

typedef struct twx_term_selection_maker twx_term_selection_maker;
typedef struct twx_term_selection {
    twx_map64 of; /* word -> index << 32 | threshold */
    size_t n;     /* words */
    uint64_t fingerprint;
} twx_term_selection;

TWX_CHECK twx_rc twx_term_selection_maker_open(twx_ctx *cx, size_t max_bytes,
                                               twx_term_selection_maker **ret_maker);
void twx_term_selection_maker_close(twx_term_selection_maker *m);
TWX_CHECK twx_rc twx_term_selection_maker_add(twx_term_selection_maker *m, const twx_bag *bag);
TWX_CHECK twx_rc twx_term_selection_make(twx_term_selection_maker *m,
                                         twx_term_selection **ret_selection);
void twx_term_selection_close(twx_term_selection *f);
/* The index of the word in the selection, from 0, and its threshold in millionths of normalised tf;
 * false: the word was not selected. */
bool twx_term_selection_find(const twx_term_selection *f, uint64_t word_hash, uint32_t *ret_feature,
                             uint32_t *ret_threshold_ppm);

/* best_sentences.c: the heaviest sentences of a text, for the detectors that compare
 * sentences. A sentence (text/sentences.c) is represented by its words (text/tokens.c),
 * lower-cased, joined by one space, so that case, white space and punctuation make no difference.
 * Its weight is the sum of the weights of its words (as much as int64_t holds).
 * [R1] Heavier sentences come first, sentences of equal weight in byte order.
 * [R2] A repeated sentence is listed once.
 * [R3] A sentence without a word that counts is ignored.
 * [R4] The result depends on the text and the rule alone. Time is linear in the text.
 * Memory: the result is in the workspace's scratch; at most keep + 1 sentences while it is
 * computed. */

enum { TWX_BEST_SENTENCES_MAX = 3 };

/* The weight of one word; called for each word in order. TWX_DONE: the word does not count. */
typedef twx_rc twx_weigh_word(twx_ctx *cx, void *arg, const twx_token *word, int64_t *ret_weight);

/* Shape keep: 1..TWX_BEST_SENTENCES_MAX
 * word_bytes, word_weight: either 0, or every word that counts has at least word_bytes bytes and
 * weighs at most word_weight; sentences too short to be among the best are then skipped without
 * being read or counted */
typedef struct twx_sentence_rule {
    size_t keep;
    size_t word_bytes;
    int64_t word_weight;
    twx_weigh_word *weigh;
    void *arg;
} twx_sentence_rule;

/* Shape text[0..n), best first; counted: sentences with words that count, repeats included */
typedef struct twx_best_sentences {
    twx_slice text[TWX_BEST_SENTENCES_MAX];
    size_t n;
    uint64_t counted;
} twx_best_sentences;

/* Errors TWX_E_NOMEM, TWX_E_CONFIG (invalid pattern), those of weigh */
TWX_CHECK twx_rc twx_best_sentences_of(twx_ctx *cx, twx_workspace *w, const twx_sentence_rule *rule,
                                       twx_slice text, twx_best_sentences *ret_best);
/* Fingerprint of what affects sentences and words: part of the fingerprint of a detector that uses
 * this. */
uint64_t twx_best_sentences_fingerprint(const twx_params *params);

/* six_words.c: the key of the six heaviest words of a text, shared by the detectors tf,
 * tfidf, tfridf and opt_freq, which differ in the weight.
 * Source: Zelenkov and Segalovich 2007, sections 4.2-4.4 and 4.11. */

/* The weight of a word in a document. lexicon: NULL where a method needs none. Integers, so that
 * all machines compute the same. */
typedef int64_t twx_word_weight(const twx_bag *bag, const twx_lexicon *lexicon,
                                const twx_bag_word *word);

typedef struct twx_weighing {
    twx_word_weight *weight;
    const twx_lexicon *lexicon; /* borrowed */
} twx_weighing;

/* Adds one key (twx_key_of_parts) unless the text has no words that count; a text with fewer than
 * six words has one, too.
 * [R1] Of words of equal weight the first in byte order is taken. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_six_words_sign(twx_ctx *cx, twx_workspace *w, const twx_weighing *weighing,
                                    twx_slice text, twx_signature *ret_signature);

/* The weights of the rows; six_words.c explains each. */
twx_word_weight twx_tf_weight, twx_tfidf_weight, twx_tfridf_weight, twx_opt_freq_weight;

/* imatch.c: the words of a text that distinguish it without being too rare, which
 * imatch and lexrand hash.
 *
 * They are the words of middle idf: normalised idf, ln(N / df) / ln N, from 0.2 to 0.8. That is
 * N^0.2 <= df <= N^0.8; with a, the integer part of the fifth root of N but at least 2: a <= df <=
 * N / a. Of 1 000 documents 3 to 333 hold such a word, of a million 15 to 66 666. A word of a
 * single document is as likely as not a typing error; with fewer than four documents the band is
 * empty.
 * Source: Chowdhury, Frieder, Grossman, McCabe, TOIS 20(2), 2002; its filter also keeps terms by
 * normalised idf. */

typedef struct twx_df_band {
    uint64_t df_min, df_max; /* empty when df_min > df_max */
} twx_df_band;

twx_df_band twx_middle_band(uint64_t documents);

/* Shape at[0..n) in byte order; joined: room for their texts and n more bytes, overwritten by each
 * key that is made
 * Memory in the workspace's scratch */
typedef struct twx_imatch {
    twx_bag_word *at;
    size_t n;
    char *joined;
} twx_imatch;

/* The text's words of the middle band. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_imatch_words(twx_ctx *cx, twx_workspace *w, const twx_lexicon *lexicon,
                                  twx_slice text, twx_imatch *ret_words);

/* bloom.c: how much two texts have in common, estimated from the Bloom filters of their chunks.
 * Source: Jain, Dahlin, Tewari, Using Bloom filters to refine web search results, WebDB 2005. */

/* Shape payloads of the detector bloom. Units millionths of the larger one, symmetric, 1000000 for
 * a payload with itself; -1: not such a payload. The overlap expected by chance is subtracted, so
 * texts without a common chunk get about 0. */
int32_t twx_bloom_resemblance(twx_slice a, twx_slice b);

/* boilerplate.c: the boilerplate (menus, footers) of the sites of a collection, as a
 * set of shingle hashes: those in more than 5 % of the sampled pages of a site, for sites with at
 * least 20 sampled pages. A site is a host. Its sample is the 50 pages whose texts have the
 * smallest hashes; equal texts count once, so the sample depends on the texts alone. The set is the
 * union over all sites, so a text has one signature, whatever hosts it is on.
 * [R1] Neither the order of adding nor max_bytes affects the result.
 * [R2] Memory stays below max_bytes, except for at most 1 KiB a host: beyond it, sorted parts go to
 * unnamed temporary files. There is one pass: pages that later ones displace from the sample are
 * ignored when shingles are counted. For random texts 50 (1 + ln(n / 50)) of n pages enter the
 * sample.
 * Memory: owned handles. One thread at a time uses a maker, any number use a twx_boilerplate.
 * Source: MaybeDont (a crawler), its boilerplate filter. The literature also calls boilerplate the
 * chrome of a page. */

enum { TWX_PAGE_SHINGLE_WORDS = 4, TWX_BOILERPLATE_SAMPLE = 50 };

/* The shingles that boilerplate and minhash are made of: TWX_PAGE_SHINGLE_WORDS words, within
 * lines. Memory: in scratch.
 * Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_page_shingles(twx_ctx *cx, twx_arena *scratch, twx_slice text,
                                   twx_shingles *ret_shingles);

typedef struct twx_boilerplate_maker twx_boilerplate_maker;
/* The shingles whose top bits are b are found.at[start[b]..start[b + 1]). */
typedef struct twx_boilerplate {
    TWX_VEC(uint64_t) found; /* ascending */
    uint32_t *start;         /* NULL: there are no shingles */
    unsigned shift;
    uint64_t fingerprint;
} twx_boilerplate;

/* max_bytes: at least 1 MiB is used. folder: of temporary files, borrowed; NULL: $TMPDIR or /tmp.
 * Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_boilerplate_maker_open(twx_ctx *cx, size_t max_bytes, const char *folder,
                                            twx_boilerplate_maker **ret_maker);
void twx_boilerplate_maker_close(twx_boilerplate_maker *m);
/* Adds one page. Its shingles are computed only when it enters the sample, in scratch, which is not
 * reset. An absent or empty text is ignored. Errors TWX_E_NOMEM, TWX_E_CREATE, TWX_E_IO,
 * TWX_E_FULL */
TWX_CHECK twx_rc twx_boilerplate_maker_add(twx_boilerplate_maker *m, twx_arena *scratch,
                                           twx_slice host, twx_slice text);
/* Parts written to temporary files so far. */
size_t twx_boilerplate_maker_sorted_bytes(const twx_boilerplate_maker *m);
/* Ends adding. Errors as above; TWX_E_LIMIT: the set alone takes more than half of max_bytes. */
TWX_CHECK twx_rc twx_boilerplate_make(twx_boilerplate_maker *m, twx_boilerplate **ret_boilerplate);

void twx_boilerplate_close(twx_boilerplate *c);
bool twx_boilerplate_has(const twx_boilerplate *c, uint64_t shingle);

/* minhash.c: the sketch of minhash (sign/sketch.c) of a text. */

/* Sketch of a text without the shingles of the boilerplate (NULL: with all), unless no others
 * exist. TWX_DONE: no words, no sketch. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_minhash_text(twx_ctx *cx, twx_arena *scratch,
                                  const twx_boilerplate *boilerplate, twx_slice text,
                                  unsigned char ret_sketch[TWX_MINHASH_BYTES]);

/* supershingles.c: sketches that find pairs of high resemblance (Broder 2000; Fetterly,
 * Manasse, Najork 2003): independent families of hash functions give min-hashes of the shingles of
 * a text, the min-hashes are divided into groups, and the hash of a group is a supershingle. Where
 * shingles have the resemblance R (Jaccard: common ones / all), a min-hash agrees with probability
 * R and a group of k with R^k. Two of g groups agree nearly always when R is large and nearly never
 * when it is not.
 * [R1] min-hashes depend on the set of shingles: order and repeats do not matter.
 * [R2] Two texts are candidates exactly when two of their supershingles are equal, and then they
 * verify.
 * [R3] A text without words has no key.
 * Stored are one key (equal for equal supershingles) and the supershingles as payload, 8 bytes
 * each, little-endian. */

enum { TWX_SUPERSHINGLE_GROUPS = 6, TWX_MIN_HASHES_MAX = 128 };

/* The min-hashes of m independent families, m <= TWX_MIN_HASHES_MAX, over shingles[0..n);
 * UINT64_MAX each when n == 0. Takes n + m * ln(m) * ln(n) steps, about, instead of n * m: see
 * supershingles.c. Allocates nothing. */
void twx_min_hashes(const uint64_t *shingles, size_t n, size_t m, uint64_t *ret_minima);

/* link_scores.c: a few numbers for each document, projected from its words and
 * propagated over the links of the collection as PageRank propagates its weight, for content_links.
 * Integers (fixed point), so that all machines compute the same.
 * [R1] The order of adding does not affect the result.
 * Memory: owned handles; one thread at a time uses a maker, any number use the scores. */

enum { TWX_LINK_SCORES = 4 };

typedef struct twx_link_scores_maker twx_link_scores_maker;

typedef struct twx_link_scores {
    struct twx_link_node *nodes; /* by url, no url twice */
    size_t n;
    uint64_t links; /* between documents of the collection; 0: there is no link table */
    uint64_t fingerprint;
} twx_link_scores;

TWX_CHECK twx_rc twx_link_scores_maker_open(twx_ctx *cx, size_t max_bytes,
                                            twx_link_scores_maker **ret_maker);
void twx_link_scores_maker_close(twx_link_scores_maker *m);
TWX_CHECK twx_rc twx_link_scores_maker_document(twx_link_scores_maker *m, twx_slice url,
                                                const twx_bag *bag);
TWX_CHECK twx_rc twx_link_scores_maker_link(twx_link_scores_maker *m, twx_slice from_url,
                                            twx_slice to_url);
TWX_CHECK twx_rc twx_link_scores_make(twx_link_scores_maker *m, twx_link_scores **ret_values);
void twx_link_scores_close(twx_link_scores *v);
/* The scores of a document after propagation, in millionths; false: the document is not known. */
bool twx_link_scores_find(const twx_link_scores *v, twx_slice url,
                          int32_t ret_values[TWX_LINK_SCORES]);

/* projection (link_scores.c): a bag of words as a few numbers: random projection (Johnson and
 * Lindenstrauss) with signs that are bits of each word's hash. Similar bags have similar numbers.
 * [R1] The order of the words does not matter.
 * [R2] Integers only.
 * Shape value k = sum of tf * sign_k(word) over all words, divided by the root of the sum of tf^2:
 * for unrelated words it has a normal distribution with deviation 1. 1000000 stands for 4 such
 * deviations; values beyond are clipped.
 * Units  millionths, -1000000..1000000. An empty bag gives zeros. tf counts up to 65535. */

void twx_project(const twx_bag *bag, int32_t ret_values[TWX_LINK_SCORES]);

#endif
