/* store/flag_views.h: the views through which users read a generation of the flags. */
#ifndef TWX_STORE_FLAG_VIEWS_H
#define TWX_STORE_FLAG_VIEWS_H

#include "store/db.h"

typedef struct twx_flag_views {
    char generation;
    bool direct;        /* document numbers are the ids */
    const char *select; /* of the source, for flagged_documents; NULL: without that view */
} twx_flag_views;

/* Creates them, in place of those that exist. The caller owns the transaction. */
TWX_CHECK twx_rc twx_flag_views_point(twx_db *db, const twx_flag_views *views);
/* Creates TEMP views, also where others have taken their names in the store. */
TWX_CHECK twx_rc twx_flag_views_temporary(twx_db *db, const twx_flag_views *views);

#endif
