/* api/handle.h: the contents of a handle; private to api/ and to the tests that inject allocation
 * failures. */
#ifndef TWX_API_HANDLE_H
#define TWX_API_HANDLE_H

#include "job/settings.h"
#include "twindex/twindex.h"

struct twindex {
    twx_ctx cx;
    atomic_int cancel;
    twx_settings settings;
    char *store;
    twx_buf value; /* of the last twindex_get() */
    twindex_progress_fn *progress;
    void *progress_arg;
    twindex_message_fn *message;
    void *message_arg;
};

#endif
