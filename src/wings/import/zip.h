/* import/zip.h: opens the members of a ZIP archive, stored or deflated (libzip), as inputs. WACZ is
 * a ZIP of WARC files.
 * [R1] Entries that share bytes of the file are refused, so that what all of them unpack to is
 * bounded by the size of the file; so are archives of more than TWX_ZIP_ENTRIES entries.
 * [R2] All members together give at most TWX_ZIP_RATIO times the size of the file, or
 * TWX_ZIP_LEAST bytes if that is more; also if they are compressed again.
 * Memory: owned handle. */
#ifndef TWX_IMPORT_ZIP_H
#define TWX_IMPORT_ZIP_H

#include "run/input.h"

enum { TWX_ZIP_ENTRIES = 65535, TWX_ZIP_RATIO = 1000, TWX_ZIP_LEAST = 64 << 20 };

typedef struct twx_zip twx_zip;

/* Errors TWX_E_DATA: not an archive, encrypted, damaged, R1. */
TWX_CHECK twx_rc twx_zip_open(twx_ctx *cx, const char *path, twx_zip **ret_zip);
void twx_zip_close(twx_zip *z);
/* The next member that is a file. Its input is borrowed and valid until the next call, and so is
 * its name. TWX_DONE: no more. */
TWX_CHECK twx_rc twx_zip_next(twx_zip *z, twx_input **ret_input, twx_slice *ret_name);
/* Compressed bytes of the members opened so far, and of all members. */
void twx_zip_progress(const twx_zip *z, uint64_t *ret_done, uint64_t *ret_total);

#endif
