/* serve/serve.h: the workbench: pages and a JSON interface for one user on this machine.
 * [R1] It listens on 127.0.0.1 only.
 * [R2] A request to /api/ needs the token that serve printed; a request from another site, or under
 * another name of this machine, is refused.
 * [R3] The store is opened read-only for each request and closed after it, so that nothing is
 * pinned between requests. An answer contains the flags of one run; if they were overwritten while
 * it was made, it is refused with TWX_HTTP_BUSY.
 * [R4] Only the rules files and the pins file named at start are written, and each is replaced as a
 * whole.
 * [R5] It ends within a second of a signal. */
#ifndef TWX_SERVE_SERVE_H
#define TWX_SERVE_SERVE_H

#include "base/ctx.h"
#include "base/slice.h"
#include "twindex/twindex.h"

enum { TWX_SERVE_RULES_MAX = 32 };

/* Replaces a file by these bytes, or leaves it as it is. */
typedef twx_rc twx_save_fn(twx_ctx *cx, const char *path, twx_slice bytes);
/* Called once, when requests are answered. */
typedef void twx_ready_fn(void *arg, const char *url);

typedef struct twx_serve_options {
    size_t port;              /* 0: any */
    const char *const *rules; /* files; may not exist yet */
    size_t n_rules;
    const char *queries;    /* a file; NULL: none */
    const char *judgements; /* a file; NULL: none */
    const char *config;     /* which runs read; need not exist; NULL: none */
    bool read_only;
    twx_save_fn *save;
    twx_ready_fn *ready;
    void *arg; /* of ready */
} twx_serve_options;

/* Answers requests until twindex_stop(t). t: settings and store; not used by another thread in the
 * meantime. Errors TWX_E_IO: the port cannot be used. */
TWX_CHECK twx_rc twx_serve(twx_ctx *cx, twindex *t, const twx_serve_options *options);

#endif
