/* judge/relations.h: the relations, the kinds of groups that have flags: each row states which
 * detector makes the groups and which columns of the flags they fill. A new relation is a row here
 * and columns in base/flag_table.h. */
#ifndef TWX_JUDGE_RELATIONS_H
#define TWX_JUDGE_RELATIONS_H

#include "base/flag_row.h"
#include "base/slice.h"

typedef enum twx_relation_id {
    TWX_RELATION_SCHEME,
    TWX_RELATION_WWW,
    TWX_RELATION_EXACT,
    TWX_RELATION_FUZZY,
    TWX_RELATION_TITLE,
    TWX_RELATION_DESCRIPTION,
    TWX_RELATION_NEAR,
    TWX_RELATION_COPY,
    TWX_RELATIONS
} twx_relation_id;

/* How far equal keys count: in the whole store, or in one domain or host. */
typedef enum twx_relation_scope {
    TWX_SCOPE_STORE,
    TWX_SCOPE_DOMAIN,
    TWX_SCOPE_HOST
} twx_relation_scope;

typedef struct twx_relation {
    const char *name;     /* in settings, reports and verdict.relations */
    const char *detector; /* NULL: configured (near, and copy, which is derived from it) */
    /* twx_flag_column of the signature; -1: it has none, or (near) that of another detector is
     * shown */
    int sig;
    twx_flag_column count, rep;
    const char *what; /* what the members of a group share, for messages */
} twx_relation;

const twx_relation *twx_relation_at(size_t slot); /* NULL after the last */
/* By name or by the name of the detector; TWX_RELATIONS when unknown. */
twx_relation_id twx_relation_find(twx_slice name);

#endif
