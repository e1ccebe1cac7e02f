/* judge/slots.h: the kinds of groups that have flags: one row each says which detector makes the groups and which columns of the
 * flags they fill. A new kind is a row here and columns in base/flag_row.h. */
#ifndef TWX_JUDGE_SLOTS_H
#define TWX_JUDGE_SLOTS_H

#include "base/flag_row.h"
#include "base/slice.h"

typedef enum twx_slot_id {
    TWX_SLOT_SCHEME,
    TWX_SLOT_WWW,
    TWX_SLOT_EXACT,
    TWX_SLOT_FUZZY,
    TWX_SLOT_TITLE,
    TWX_SLOT_DESCRIPTION,
    TWX_SLOT_NEAR,
    TWX_SLOT_COPY,
    TWX_SLOTS
} twx_slot_id;

typedef struct twx_slot {
    const char *name;     /* in settings, reports and verdict.relations */
    const char *detector; /* NULL: configured (near, and copy, which is made of it) */
    int sig;              /* twx_flag_column of the signature; -1: it has none, or (near) another is shown */
    twx_flag_column count, rep;
    const char *what; /* what the members of a group share, for people */
} twx_slot;

const twx_slot *twx_slot_at(size_t slot); /* NULL behind the last */
/* By its name or its detector's; TWX_SLOTS when unknown. */
twx_slot_id twx_slot_find(twx_slice name);

#endif
