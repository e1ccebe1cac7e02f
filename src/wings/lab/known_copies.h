/* lab/known_copies.h: pairs of documents that are known copies according to a file.
 *
 * A line is `relation TAB prefix TAB prefix`: documents whose URLs are equal after these prefixes
 * are copies; or `query-... TAB prefix* TAB ?a= ?b=`: a URL whose query consists of exactly one of
 * these parameters is a copy of the URL without the query. Empty lines and lines that begin with
 * '#' are ignored, and so are the relations version, variant and redirect, which do not relate
 * copies. Only pairs with equal titles and different texts are listed; the caller determines
 * whether the texts are similar enough. */
#ifndef TWX_LAB_KNOWN_COPIES_H
#define TWX_LAB_KNOWN_COPIES_H

#include "base/arena.h"
#include "lab/finding.h"

typedef struct twx_known_pair {
    uint32_t a, b; /* documents */
} twx_known_pair;
typedef TWX_VEC(twx_known_pair) twx_known_pairs;

/* Memory: TWX_VEC_DONE(). Errors TWX_E_NOTFOUND: the file does not exist; TWX_E_DATA "file:line:
 * ...". */
TWX_CHECK twx_rc twx_known_copies_read(const twx_job *job, twx_opened *o,
                                       const twx_eval_finding *how, twx_known_pairs *ret_pairs);

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

#endif
