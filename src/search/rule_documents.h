/* search/rule_documents.h: reads what rules ask about documents besides their flags
 * (search/rule_document.h): from the row of the source, without its texts, and from the list of
 * mirrors of the last 'twindex mirrors'. The age is that of the moment when it was opened.
 * Memory: owned handle; job, opened store and rules are borrowed. */
#ifndef TWX_SEARCH_RULE_DOCUMENTS_H
#define TWX_SEARCH_RULE_DOCUMENTS_H

#include "run/open_store.h"
#include "search/ranking.h"

typedef struct twx_rule_documents twx_rule_documents;

/* Prepares the connection o->writer for statements with these rules. Creates *documents if they ask
 * for properties and it is NULL. The rules have to live as long as they are used.
 * Errors TWX_E_CONFIG: the rows of this store cannot be looked up one at a time */
TWX_CHECK twx_rc twx_rule_documents_use(const twx_job *job, twx_opened *o,
                                        const twx_ranking_rules *rules,
                                        twx_rule_documents **documents);
void twx_rule_documents_close(twx_rule_documents *d);

#endif
