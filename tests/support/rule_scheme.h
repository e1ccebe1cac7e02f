/* The fields of the rules that are parsed in tests. */
#include "search/search.h"

static const char *const WORDS[] = {"full-layout", "full-content", NULL};
static const twx_rule_column COLUMNS[] = {{"title", 5}, {"text", 1}};
static const twx_rule_field FIELD[] = {
    {"http_unique_b", TWX_RULE_BOOL, NULL}, {"www_unique_b", TWX_RULE_BOOL, NULL},
    {"copycount_i", TWX_RULE_NUMBER, NULL}, {"duplicate_type", TWX_RULE_NAME, WORDS},
    {"duplicate_of", TWX_RULE_ID, NULL},
};
