/* api/api.h: libtwindex, the functions of include/twindex/twindex.h. */
#ifndef TWX_API_API_H
#define TWX_API_API_H

#include "inspect/inspect.h"

/* handle: the contents of a handle; private to api/ and to tests of allocation failures. */

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
    twindex_link_fn *link;
    void *link_arg;
    twx_kept *kept; /* while a store is followed; else NULL */
};

/* call (twindex.c): what every call of the library begins and ends with; private to api/. */

enum {
    TWX_CALL_SEVERAL = 1,  /* it works on several stores */
    TWX_CALL_FITS = 2,     /* its lines are cut at the width of the terminal (inspect/markup.c) */
    TWX_CALL_NO_STORE = 4, /* none need be open */
    /* lines are continued, those of a list with the indentation of what 'explain' says of a flag */
    TWX_CALL_HANGING = 8
};

/* Memory: embedded struct; it must not move between twx_call_begin() and _finish(). */
typedef struct twx_call {
    twx_job job;
    twx_out out;
    unsigned how;
    twx_out outer;
    twx_fit_lines lines;
} twx_call;

/* Clears the last error and sets up the job and the output. how: TWX_CALL_... Whatever it returns,
 * twx_call_finish() follows. */
TWX_CHECK twx_rc twx_call_begin(twx_call *c, twindex *t, const twindex_sink *sink, unsigned how);
/* Returns the exit code of a call that ended with rc. Errors about stored signatures get the name
 * of the file and advice. */
int twx_call_finish(twx_call *c, twx_rc rc);
/* The body of a call that only writes a result; `work`, an expression, may use c.job and c.out. */
#define TWX_CALL(t, sink, how, work)                  \
    do {                                              \
        twx_call c;                                   \
        twx_rc rc = twx_call_begin(&c, t, sink, how); \
        if (rc == TWX_OK) rc = (work);                \
        return twx_call_finish(&c, rc);               \
    } while (0)

/* hooks (twindex.c): what a wing does when calls of the core ask for it. */

typedef struct twx_hooks {
    /* flags of job->store were published */
    TWX_CHECK twx_rc (*published)(const twx_job *job);
    /* the rules for a crawler that the report page shows; *ret_why: why there are none, or NULL */
    TWX_CHECK twx_rc (*rules)(const twx_job *job, twx_buf *text, const char **ret_why);
    TWX_CHECK twx_rc (*sweep)(const twx_job *job, const twindex_sweep_options *options,
                              const twx_out *out);
} twx_hooks;

/* Calls those of all wings of the build. */
TWX_CHECK twx_rc twx_hooks_published(const twx_job *job);

#endif
