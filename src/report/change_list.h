/* report/change_list.h: documents that a result hides, shows, or gives another representative, by
 * URL, with the reason: for dry runs and diff. */
#ifndef TWX_REPORT_CHANGE_LIST_H
#define TWX_REPORT_CHANGE_LIST_H

#include "base/vec.h"
#include "report/out.h"

typedef enum twx_change_kind {
    /* it was shown, or is new; now another document stands for it, or it takes part no more */
    TWX_NEWLY_HIDDEN,
    TWX_NEWLY_SHOWN,
    TWX_MOVED, /* it is hidden behind another representative than before */
    TWX_GONE,  /* it was shown; the store has it no more */
    TWX_CHANGE_KINDS
} twx_change_kind;

/* Memory: strings are owned by the list. */
typedef struct twx_listed_change {
    char *id, *url;
    char *before, *after; /* URL of the representative; NULL: none */
    char *why;
} twx_listed_change;

typedef struct twx_change_list {
    size_t limit; /* rows of each kind; 0: all */
    uint64_t documents[TWX_CHANGE_KINDS];
    TWX_VEC(twx_listed_change) rows[TWX_CHANGE_KINDS];
} twx_change_list;

void twx_change_list_done(twx_change_list *list);
json_t *twx_change_list_json(const twx_change_list *list); /* new reference, NULL: out of memory */
TWX_CHECK twx_rc twx_change_list_write(const twx_out *out, const twx_change_list *list);

#endif
