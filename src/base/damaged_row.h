/* base/damaged_row.h: how the messages of the code that reads stored signatures begin. It does not
 * know their file, whose name and a remedy are added at the end of a call (api/twindex.c). */
#ifndef TWX_BASE_DAMAGED_ROW_H
#define TWX_BASE_DAMAGED_ROW_H

#define TWX_DAMAGED_ROW "a row of twindex_signature is damaged: "

#endif
