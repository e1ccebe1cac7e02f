/* store/rule_functions.h: the SQL functions of rules about properties of documents
 * (search/rule_document.h): rule_matches(id, node) is 1, 0 or NULL, and rule_number(id, property) a
 * real number or NULL. */
#ifndef TWX_STORE_RULE_FUNCTIONS_H
#define TWX_STORE_RULE_FUNCTIONS_H

#include "base/value.h"
#include "store/db.h"

typedef struct twx_rule_functions {
    void *arg;
    /* Of the document with this id of the source, which is borrowed. *ret_known is false before the
     * call. */
    twx_rc (*matches)(void *arg, const twx_value *id, int64_t node, bool *ret_known,
                      bool *ret_matches);
    twx_rc (*number)(void *arg, const twx_value *id, int64_t property, bool *ret_known,
                     double *ret_number);
} twx_rule_functions;

/* Replaces those of the connection; functions are borrowed. */
TWX_CHECK twx_rc twx_rule_functions_register(twx_db *db, const twx_rule_functions *functions);

#endif
