/* api/api.h: libtwindex, the functions of include/twindex/twindex.h. Parts: handle, call,
 * hooks. */
#ifndef TWX_API_API_H
#define TWX_API_API_H

#include "base/base.h"
#include "inspect/inspect.h"
#include "run/run.h"
#include "twindex/twindex.h"

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
    /* after twx_call_fit() */
    bool fits;
    twx_out outer;
    twx_fit_lines lines;
} twx_call;

/* Clears the last error and sets up the job and the output. */
twx_call twx_call_begin(twindex *t, const twindex_sink *sink);
/* The same for calls that work on several stores. */
twx_call twx_call_begin_all(twindex *t, const twindex_sink *sink);
/* Cuts the lines of the output at the width of the terminal (inspect/markup.c). The call must not
 * move from here on. */
void twx_call_fit(twx_call *c);
/* Returns the exit code of the call. Errors about stored signatures get the name of the file and
 * advice. */
int twx_call_finish(twx_call *c);
twx_job twx_job_of(twindex *t);

/* Has a job fill a result of this type, which it calls `result`, and writes it. */
#define TWX_CALL_RESULT(c, type, job_)                                  \
    do {                                                                \
        type result;                                                    \
        type##_init(&result);                                           \
        if ((c).rc == TWX_OK) (c).rc = (job_);                          \
        if ((c).rc == TWX_OK) (c).rc = type##_write(&(c).out, &result); \
        type##_done(&result);                                           \
    } while (0)

/* hooks (calls.c): what a wing does when calls of the core ask for it. */

typedef struct twx_hooks {
    /* flags of job->store were published */
    TWX_CHECK twx_rc (*published)(const twx_job *job);
    /* the rules for a crawler that the report page shows; *ret_why: why there are none, or NULL */
    TWX_CHECK twx_rc (*rules)(const twx_job *job, twx_buf *text, const char **ret_why);
    TWX_CHECK twx_rc (*sweep)(const twx_job *job, const twindex_sweep_options *options,
                              const twx_out *out);
} twx_hooks;

/* Calls them of all wings of the build. */
TWX_CHECK twx_rc twx_hooks_published(const twx_job *job);
TWX_CHECK twx_rc twx_hooks_rules(const twx_job *job, twx_buf *text, const char **ret_why);
TWX_CHECK twx_rc twx_hooks_sweep(const twx_job *job, const twindex_sweep_options *options,
                                 const twx_out *out);

#endif
