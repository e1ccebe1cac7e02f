/* api/handle.h: the contents of a handle; private to api/ and to the tests that inject allocation
 * failures. */
#ifndef TWX_API_HANDLE_H
#define TWX_API_HANDLE_H

#include "base/suspension.h"
#include "run/settings.h"
#include "twindex/twindex.h"

struct twindex {
    twx_ctx cx;
    atomic_int cancel;
    twx_suspension suspension;
    twx_settings settings;
    char *store;   /* the first of several */
    char **stores; /* n_stores of them, owned; NULL: one */
    size_t n_stores;
    char *config;  /* the last configuration file; owned, NULL: none */
    twx_buf value; /* of the last twindex_get() */
    twindex_progress_fn *progress;
    void *progress_arg;
    twindex_message_fn *message;
    void *message_arg;
};

/* Sets the store or stores; the names are copied. */
TWX_CHECK twx_rc twx_handle_name_store(twindex *t, const char *store);
TWX_CHECK twx_rc twx_handle_name_stores(twindex *t, const char *const *stores, size_t n);
void twx_handle_forget_stores(twindex *t);

#endif
