/* search/rule_document.h: fields of rules that are no flags but say what a document is: where it is
 * from, its language, its age. They are not in the flags' view, so the SQL of such a clause is the
 * call of a function with the number of its node or field, and the values of the file, such as the
 * name of a host, stay in the nodes.
 * [R1] A field without a value is neither equal nor unequal to anything (NULL). */
#ifndef TWX_SEARCH_RULE_DOCUMENT_H
#define TWX_SEARCH_RULE_DOCUMENT_H

#include "search/rule_parse.h"

typedef enum twx_rule_property {
    TWX_RULE_HOST,
    TWX_RULE_DOMAIN,
    TWX_RULE_PATH,
    TWX_RULE_LANGUAGE,
    TWX_RULE_CONTENT_TYPE,
    TWX_RULE_TEXTS, /* those above are texts */
    TWX_RULE_FETCHED_AT = TWX_RULE_TEXTS,
    TWX_RULE_AGE,
    TWX_RULE_SCORE,
    TWX_RULE_MIRRORED,
    TWX_RULE_PROPERTIES
} twx_rule_property;

const twx_rule_field *twx_rule_property_at(size_t property);

/* What is known of a document. Memory: borrowed. */
typedef struct twx_rule_document {
    twx_slice text[TWX_RULE_TEXTS]; /* p NULL: not known */
    bool has[TWX_RULE_PROPERTIES];  /* of those that are no texts */
    double number[TWX_RULE_PROPERTIES];
} twx_rule_document;

typedef enum twx_rule_truth { TWX_RULE_NO, TWX_RULE_YES, TWX_RULE_NOT_KNOWN } twx_rule_truth;

/* Of a node that is a clause about a property. Texts: host, domain and content type are equal, the
 * path begins with the value, the language is the value or a dialect of it; all but the path
 * without regard to case. */
twx_rule_truth twx_rule_document_matches(const twx_rule_node *node, size_t property,
                                         const twx_rule_document *document);

#endif
