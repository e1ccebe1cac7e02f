/* search/ranking.h: rules files, read and compiled, and what their rules ask about documents. */
#ifndef TWX_SEARCH_RANKING_H
#define TWX_SEARCH_RANKING_H

#include "run/job.h"
#include "run/open_store.h"
#include "search/rule_sql.h"
#include "store/text_search.h"

/* Reads a rules file, checks it against the existing flags and compiles it.
 * Memory: embedded struct, owned; twx_ranking_rules_done(). */

/* Reads a small file completely. The bytes are owned by the buffer. Errors TWX_E_CONFIG if it
 * cannot be read or is longer than the limit. */
TWX_CHECK twx_rc twx_read_file(twx_ctx *cx, const char *path, size_t limit, twx_buf *ret_bytes);

typedef struct twx_ranking_rules {
    const char *path;               /* NULL: no rules, rank by text alone */
    const twx_rule_number *numbers; /* replace values of [numbers]; NULL: none */
    size_t n_numbers;
    struct twx_flag_fields *fields; /* the names that rules may use */
    twx_rules *rules;
    twx_rule_sql sql;
    twx_ranking ranking; /* points into sql */
} twx_ranking_rules;

/* path NULL: no rules. Errors TWX_E_CONFIG "path:line:column: reason". */
TWX_CHECK twx_rc twx_ranking_rules_load(twx_ctx *cx, const char *path,
                                        twx_ranking_rules *ret_rules);
/* The same for the text of the file r->path. r: to be released even after an error. */
TWX_CHECK twx_rc twx_ranking_rules_compile(twx_ctx *cx, twx_slice text, twx_ranking_rules *r);
void twx_ranking_rules_done(twx_ranking_rules *r);
/* The text of part i of the ranking as written in the file. */
twx_slice twx_ranking_part_text(const twx_ranking_rules *r, size_t i);

/* Reads what rules ask about documents besides their flags
 * (search/rule_document.h): from the row of the source, without its texts, and from the list of
 * mirrors of the last 'twindex mirrors'. The age is that of the moment when it was opened.
 * Memory: owned handle; job, opened store and rules are borrowed. */
typedef struct twx_rule_documents twx_rule_documents;

/* Prepares the connection o->writer for statements with these rules. Creates *documents if they ask
 * for properties and it is NULL. The rules have to live as long as they are used.
 * Errors TWX_E_CONFIG: the rows of this store cannot be looked up one at a time */
TWX_CHECK twx_rc twx_rule_documents_use(const twx_job *job, twx_opened *o,
                                        const twx_ranking_rules *rules,
                                        twx_rule_documents **documents);
void twx_rule_documents_close(twx_rule_documents *d);

#endif
