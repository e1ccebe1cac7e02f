/* cli/store_list.h: the stores that the arguments of a command name: paths, and @FILE for a file of
 * paths, one a line; blank lines and lines that begin with # are left out.
 * Memory: embedded struct; names are owned. */
#ifndef TWX_CLI_STORE_LIST_H
#define TWX_CLI_STORE_LIST_H

#include "base/vec.h"

typedef struct twx_store_list {
    TWX_VEC(char *) at;
} twx_store_list;

/* Adds what one argument names. Errors TWX_E_USAGE: the file cannot be read, or has no name. */
TWX_CHECK twx_rc twx_store_list_add(twx_ctx *cx, twx_store_list *list, const char *argument);
void twx_store_list_done(twx_store_list *list);
/* Whether the stores are in one directory, as far as their names show. */
bool twx_store_list_is_in_one_folder(const twx_store_list *list);

#endif
