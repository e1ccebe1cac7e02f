/* search/ndcg.h: measures of a ranked list of documents with grades.
 *
 * nDCG@k: the sum of grade / log2(rank + 1) over the first k ranks, divided by that sum for the
 * best possible order of all graded documents; 0 if no document has a grade above 0. Source:
 * Jarvelin and Kekalainen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20(4),
 * 2002, with the grade as the gain and the discount of trec_eval's ndcg_cut, which also lowers
 * rank 2.
 * Reciprocal rank: 1 / rank of the first document with a grade above 0, else 0. Its mean over the
 * queries is MRR. Source: Voorhees, "The TREC-8 Question Answering Track Report", 1999. */
#ifndef TWX_SEARCH_NDCG_H
#define TWX_SEARCH_NDCG_H

#include <stddef.h>
#include <stdint.h>

typedef struct twx_quality {
    double ndcg, reciprocal_rank; /* of the first 10 hits; of all */
} twx_quality;

/* ranked: grades of the hits in their order, the first n_ranked of them. graded: the grades of all
 * graded documents, which are sorted. */
double twx_ndcg(const uint32_t *ranked, size_t n_ranked, uint32_t *graded, size_t n_graded,
                size_t k);

#endif
