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
/* Creates those of the generation that is published again, for a new form of the tables; leaves
 * flagged_documents. Nothing if nothing is published. The caller owns the transaction. */
TWX_CHECK twx_rc twx_flag_views_renew(twx_db *db);
/* Creates TEMP views, with all flags even if the schema of the store is older. */
TWX_CHECK twx_rc twx_flag_views_temporary(twx_db *db, const twx_flag_views *views);

#endif
