/* group/temporary_file.h: an unnamed temporary file: it vanishes with the process, however that
 * ends. It is read and written at places, never mapped: a full disk is an error, not a signal.
 * Memory: a file descriptor, owned by the caller; close() ends it. */
#ifndef TWX_GROUP_TEMPORARY_FILE_H
#define TWX_GROUP_TEMPORARY_FILE_H

#include <stddef.h>
#include <sys/types.h>

#include "base/ctx.h"

/* folder NULL: $TMPDIR or /tmp. Errors TWX_E_CREATE, TWX_E_NOMEM */
TWX_CHECK twx_rc twx_temporary_file_open(twx_ctx *cx, const char *folder, int *ret_fd);
/* Writes n bytes at a place. Errors TWX_E_FULL, TWX_E_IO */
TWX_CHECK twx_rc twx_temporary_file_write(twx_ctx *cx, int fd, const void *p, size_t n, off_t at);
/* Reads n bytes from a place on. Returns 0, or an errno; EIO: the file is too short. Any thread may
 * call it. */
int twx_temporary_file_read(int fd, void *p, size_t n, off_t at);
/* The error of a read. error: not 0. */
twx_rc twx_temporary_file_failed(twx_ctx *cx, int error);

#endif
