/* lab/methods/link_scores.h: a few numbers for each document, projected from its words and
 * propagated over the links of the collection as PageRank propagates its weight, for content_links.
 * Integers (fixed point), so that all machines compute the same.
 * [R1] The order of adding does not affect the result.
 * Memory: owned handles; one thread at a time uses a maker, any number use the scores. */
#ifndef TWX_LAB_METHODS_LINK_SCORES_H
#define TWX_LAB_METHODS_LINK_SCORES_H

#include "sign/bag.h"

enum { TWX_LINK_SCORES = 4 };

typedef struct twx_link_scores_maker twx_link_scores_maker;
typedef struct twx_link_scores twx_link_scores;

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
/* links between documents of the collection; 0: there is no link table */
uint64_t twx_link_scores_count(const twx_link_scores *v);
uint64_t twx_link_scores_fingerprint(const twx_link_scores *v);

#endif
