/* search/ranking.h: reads a rules file, checks it against the existing flags and compiles it.
 * Memory: embedded struct, owned; twx_ranking_rules_done(). */
#ifndef TWX_SEARCH_RANKING_H
#define TWX_SEARCH_RANKING_H

#include "run/job.h"
#include "search/rule_sql.h"
#include "store/text_search.h"

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

#endif
