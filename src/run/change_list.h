/* run/change_list.h: documents that a result newly hides, shows, or assigns to another
 * representative, by URL, with the reason; for dry runs and diff. */
#ifndef TWX_RUN_CHANGE_LIST_H
#define TWX_RUN_CHANGE_LIST_H

#include "base/vec.h"
#include "run/out.h"

typedef enum twx_change_kind {
    /* was shown, or is new; is now hidden behind a representative, or no longer takes part */
    TWX_NEWLY_HIDDEN,
    TWX_NEWLY_SHOWN,
    TWX_MOVED, /* is hidden behind another representative than before */
    TWX_GONE,  /* was shown; is no longer in the store */
    TWX_CHANGE_KINDS
} twx_change_kind;

const char *twx_change_kind_text(twx_change_kind kind); /* "newly hidden" */
const char *twx_change_kind_key(twx_change_kind kind);  /* "hidden", as in JSON */

/* Memory: strings are owned by the list. */
typedef struct twx_listed_change {
    char *id, *url, *title; /* title: its beginning; "": none */
    char *before, *after;   /* URL of the representative; NULL: none */
    char *why;
} twx_listed_change;

typedef struct twx_change_list {
    size_t limit; /* number of rows of each kind; 0: all */
    uint64_t documents[TWX_CHANGE_KINDS];
    TWX_VEC(twx_listed_change) rows[TWX_CHANGE_KINDS];
} twx_change_list;

void twx_change_list_done(twx_change_list *list);
json_t *twx_change_list_json(const twx_change_list *list); /* new reference, NULL: out of memory */
TWX_CHECK twx_rc twx_change_list_write(const twx_out *out, const twx_change_list *list);

#endif
