/* store/source_room.h: checks the free space for the copy that a join needs (store/source.h).
 * [R1] A copy that cannot fit is refused before its first byte is written; the message gives the
 * directory, the space needed and the space free. If free space is at least the size of the store,
 * nothing is read; otherwise the documents are counted and the size of their rows is estimated from
 * a sample. */
#ifndef TWX_STORE_SOURCE_ROOM_H
#define TWX_STORE_SOURCE_ROOM_H

#include "store/db.h"

/* columns: the columns of the view source_document that are copied. Errors TWX_E_FULL,
 * TWX_E_NOSTORE (there is no directory for temporary files). */
TWX_CHECK twx_rc twx_source_room_check(twx_db *db, const char *columns);

#endif
