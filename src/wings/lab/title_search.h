/* lab/title_search.h: looks up titles in the text index of a store, like `twindex search`
 * without rules. Results are cached, because methods that hide different documents need the same
 * titles. */
#ifndef TWX_LAB_TITLE_SEARCH_H
#define TWX_LAB_TITLE_SEARCH_H

#include "lab/finding.h"
#include "text/tokens.h"

/* Memory: owned handle; job, o and how are borrowed. */
typedef struct twx_title_search twx_title_search;

TWX_CHECK twx_rc twx_title_search_open(const twx_job *job, twx_opened *o,
                                       const twx_eval_finding *how, twx_title_search **ret_search);
void twx_title_search_close(twx_title_search *s);
/* Is there a text index, and has there been a run? */
bool twx_title_search_works(const twx_title_search *s);

/* Documents that take part, best first; borrowed until the next call. */
typedef struct twx_title_hits {
    const uint32_t *documents;
    size_t n;
} twx_title_hits;
/* title: its hash; words: its text. */
TWX_CHECK twx_rc twx_title_search_run(twx_title_search *s, uint64_t title, twx_slice words,
                                      twx_title_hits *ret_hits);

/* Replaces *out by the words of the title, each in quotes so that none is an operator of FTS5;
 * truncated after the last word that fits into TWX_QUERY_BYTES. */
TWX_CHECK twx_rc twx_title_query(twx_ctx *cx, twx_tokens *tokens, twx_slice title, twx_buf *out);

/* Is the representative of a hidden document, or a document with the text of either, among the
 * first `top` hits that are not hidden according to rep? */
bool twx_title_found(const twx_eval_finding *how, const uint32_t *rep, uint32_t document,
                     const twx_title_hits *hits, size_t top);

#endif
