/* serve/user_files.h: the small files of a user that the workbench shows, and some of which it
 * writes. */
#ifndef TWX_SERVE_USER_FILES_H
#define TWX_SERVE_USER_FILES_H

#include <jansson.h>

#include "base/buf.h"

enum { TWX_USER_FILE_BYTES = 1 << 22, TWX_VERSION_ROOM = 17 };

/* Reads a regular file; ret_bytes, which is initialised here, is empty if it does not exist.
 * Errors, naming the path: TWX_E_IO; TWX_E_CONFIG, longer than TWX_USER_FILE_BYTES; TWX_E_DATA, not
 * a regular file. */
TWX_CHECK twx_rc twx_user_file_read(twx_ctx *cx, const char *path, twx_buf *ret_bytes);
/* A text that changes with the content. */
void twx_user_file_version(twx_slice bytes, char ret_version[TWX_VERSION_ROOM]);
/* {name, text, version}; owned. */
TWX_CHECK twx_rc twx_user_file_json(twx_ctx *cx, const char *path, json_t **ret_json);

#endif
