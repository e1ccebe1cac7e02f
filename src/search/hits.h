/* search/hits.h: judgements of hits, and the measures of a ranking: grades, NDCG, intervals. */
#ifndef TWX_SEARCH_HITS_H
#define TWX_SEARCH_HITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ctx.h"
#include "base/map64.h"
#include "base/slice.h"
#include "base/vec.h"

/* Reads a file of relevance judgements: which grade a person has given to a
 * document as an answer to a query.
 *
 * A line is `query TAB URL TAB grade`; the grade is a whole number, 0 for a document that is of no
 * use. Blanks around fields do not count. Empty lines and lines that begin with '#' are ignored.
 * [R1] Every error has the line. [R2] A query and a URL have one grade: another line with the same
 * grade is ignored, and one with another grade is an error. */
enum { TWX_GRADES_BYTES = 16 << 20, TWX_GRADE_MAX = 100 };

typedef struct twx_grade {
    twx_slice query, url;
    uint32_t grade;
    size_t line;
} twx_grade;

typedef TWX_VEC(twx_grade) twx_grades;

/* name: of the file, for messages. Memory: slices point into `text`; TWX_VEC_DONE(ret_grades).
 * Errors TWX_E_DATA "name:line: reason"; ret_grades is then partly filled. */
TWX_CHECK twx_rc twx_grades_parse(twx_ctx *cx, const char *name, twx_slice text,
                                  twx_grades *ret_grades);

/* The 95 % confidence interval of a mean by Student's t distribution. Of paired
 * differences it is the interval that belongs to the paired t test, which agrees well with tests by
 * randomization and bootstrap on measures of searches. Source: Smucker, Allan and Carterette, "A
 * comparison of statistical significance tests for information retrieval evaluation", CIKM 2007.
 * Nothing is drawn at random, so equal input gives equal output. */
typedef struct twx_interval {
    size_t n;
    double mean; /* 0 if n is 0 */
    bool known;  /* two values or more */
    double low, high;
} twx_interval;

twx_interval twx_interval_of(const double *values, size_t n);
/* Of the differences b[i] - a[i]. */
twx_interval twx_interval_between(const double *a, const double *b, size_t n);
/* The 97.5 % quantile of Student's t with `df` degrees of freedom, df >= 1, with a relative error
 * below 1e-4. */
double twx_t_quantile(size_t df);

/* Measures of a ranked list of documents with grades.
 *
 * nDCG@k: the sum of grade / log2(rank + 1) over the first k ranks, divided by that sum for the
 * best possible order of all graded documents; 0 if no document has a grade above 0. Source:
 * Jarvelin and Kekalainen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20(4),
 * 2002, with the grade as the gain and the discount of trec_eval's ndcg_cut, which also lowers
 * rank 2.
 * Reciprocal rank: 1 / rank of the first document with a grade above 0, else 0. Its mean over the
 * queries is MRR. Source: Voorhees, "The TREC-8 Question Answering Track Report", 1999. */
typedef struct twx_quality {
    double ndcg, reciprocal_rank; /* of the first 10 hits; of all */
} twx_quality;

/* ranked: grades of the hits in their order, the first n_ranked of them. graded: the grades of all
 * graded documents, which are sorted. */
double twx_ndcg(const uint32_t *ranked, size_t n_ranked, uint32_t *graded, size_t n_graded,
                size_t k);

/* Measures ranked lists of documents: how many duplicates are near the top, and how
 * rules change the order. A duplicate is a hit whose cluster has a hit above it. A document without
 * a cluster is never a duplicate. */
typedef struct twx_ranked {
    int64_t doc;
    int64_t cluster; /* number of its representative */
    bool has_cluster;
    bool takes_part; /* a redirect has a cluster and takes no part: its absence is not a loss */
    double score;
} twx_ranked;

typedef TWX_VEC(twx_ranked) twx_hits;

enum { TWX_TOP_FEW = 10, TWX_TOP_MANY = 100 };

/* The number of duplicates among the first `most` hits, and of those hits. */
typedef struct twx_duplicates {
    size_t duplicates, hits;
} twx_duplicates;
TWX_CHECK twx_rc twx_duplicates_among(twx_ctx *cx, const twx_hits *hits, size_t most,
                                      twx_duplicates *ret_duplicates);
/* 0 when there are no hits. */
double twx_duplicates_share(const twx_duplicates *d);

/* What became of the first TWX_TOP_MANY hits of `before`, and of the clusters that had a hit that
 * takes part. */
typedef struct twx_moves {
    size_t moved, vanished; /* to another rank; no longer a hit */
    size_t fresh;           /* of the first TWX_TOP_MANY of `after`: not hits before */
    size_t clusters_before, clusters_gone;
} twx_moves;
TWX_CHECK twx_rc twx_moves_between(twx_ctx *cx, const twx_hits *before, const twx_hits *after,
                                   twx_moves *ret_moves);

/* Rank (from 1) of each document. Memory: initialises ret_ranks, which the caller owns. */
TWX_CHECK twx_rc twx_ranks_of(twx_ctx *cx, const twx_hits *hits, twx_map64 *ret_ranks);

#endif
