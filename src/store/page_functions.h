/* store/page_functions.h: registers the functions of page/page_values.h on the connection that
 * reads a store, for use in mappings.
 * [R1] Direct-only: a mapping can call them, the schema of the store cannot. [R2] A value that is
 * neither text nor blob is converted to text; NULL gives NULL. [R3] A result is at most as long as
 * a row (run.row_bytes). */
#ifndef TWX_STORE_PAGE_FUNCTIONS_H
#define TWX_STORE_PAGE_FUNCTIONS_H

#include "store/db.h"

typedef struct twx_page_functions twx_page_functions;

/* Sets db->pages, which is to be closed after the connection. */
TWX_CHECK twx_rc twx_page_functions_register(twx_db *db);
void twx_page_functions_close(twx_page_functions *pages);

#endif
