/* search/rule_listing.h: the rules of a file, or the place of the error in it.
 * Memory: borrowed. */
#ifndef TWX_SEARCH_RULE_LISTING_H
#define TWX_SEARCH_RULE_LISTING_H

#include "run/out.h"
#include "search/rule_sql.h"

typedef struct twx_rule_weight {
    const char *name;
    double weight;
} twx_rule_weight;

typedef struct twx_rule_listing {
    const twx_rules *rules;
    const twx_rule_sql *sql;
    const twx_rule_weight *weights;
    size_t n_weights;
    twx_slice statement; /* the whole SQL statement */
} twx_rule_listing;

TWX_CHECK twx_rc twx_rule_listing_write(const twx_out *out, const twx_rule_listing *l);
/* Writes the line that a message "path:line:column: ..." refers to, with a caret below the column;
 * nothing if the message has another form. */
TWX_CHECK twx_rc twx_rule_place_write(const twx_out *out, const char *message, const char *path,
                                      twx_slice text);
/* {"line", "column", "message"} of a message "path:line:column: reason"; without the places if it
 * has another form. New reference, NULL: out of memory. */
json_t *twx_rule_error_json(const char *message, const char *path);

#endif
