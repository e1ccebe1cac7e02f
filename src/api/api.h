/* api/api.h: libtwindex, the functions of include/twindex/twindex.h. Parts: handle, call,
 * hooks. */
#ifndef TWX_API_API_H
#define TWX_API_API_H

#include "inspect/inspect.h"

/* handle: the contents of a handle; private to api/ and to the tests that inject allocation
 * failures. */

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

/* call (calls.c): what every call of the library begins and ends with; private to api/. */

typedef struct twx_call {
    twx_job job;
    twx_out out;
    twx_rc rc; /* TWX_OK: go on */
} twx_call;

/* Clears the last error and sets up the job and the output. */
twx_call twx_call_begin(twindex *t, const twindex_sink *sink);
/* The same for calls that work on several stores. */
twx_call twx_call_begin_all(twindex *t, const twindex_sink *sink);
/* Returns the exit code of the call. Errors about stored signatures get the name of the file and
 * advice. */
int twx_call_finish(const twx_call *c);
twx_job twx_job_of(twindex *t);

/* Cuts the lines of a call's output at the width of the terminal (inspect/markup.c), from
 * twx_call_fit() to twx_call_unfit(). Memory: embedded struct; it must not move in between. */
typedef struct twx_call_fitting {
    twx_out outer;
    twx_fit_lines lines;
} twx_call_fitting;
void twx_call_fit(twx_call *c, twx_call_fitting *ret_fitting);
void twx_call_unfit(twx_call *c, twx_call_fitting *fitting);

/* hooks (calls.c): what a wing does when calls of the core ask for it. */

typedef struct twx_hooks {
    /* flags of job->store were published */
    TWX_CHECK twx_rc (*published)(const twx_job *job);
    /* the rules for a crawler that the report page shows; *ret_why: why there are none, or NULL */
    TWX_CHECK twx_rc (*rules)(const twx_job *job, twx_buf *text, const char **ret_why);
} twx_hooks;

/* Calls them of all wings of the build. */
TWX_CHECK twx_rc twx_hooks_published(const twx_job *job);
TWX_CHECK twx_rc twx_hooks_rules(const twx_job *job, twx_buf *text, const char **ret_why);

#endif
