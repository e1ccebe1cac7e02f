/* url/url_draft.h: a URL during normalisation: parts that may still change and are joined at the
 * end. Private to the folder: url_norm.c fills and joins it, url_steps.c edits it.
 * Memory: path and query are the draft's own copies in the arena and are only ever shortened in
 * place. */
#ifndef TWX_URL_URL_DRAFT_H
#define TWX_URL_URL_DRAFT_H

#include "base/arena.h"
#include "url/url_norm.h"

typedef struct twx_url_text {
    char *p; /* NULL: absent */
    size_t n;
} twx_url_text;

typedef struct twx_url_draft {
    twx_ctx *cx;
    twx_arena *scratch;
    twx_url_fault fault;
    twx_slice scheme, userinfo, host, port; /* in normal form; host absent: no authority */
    twx_url_text path, query;               /* without '?' */
} twx_url_draft;

/* RFC 3986 section 5.2.4 for a path that begins with '/', in place. Linear. */
void twx_url_remove_dots(twx_url_text *path);

/* The optional steps TWX_URL_STEP_...: each edits http and https drafts and is idempotent. Errors
 * TWX_E_NOMEM */
typedef twx_rc twx_url_step_fn(twx_url_draft *draft, unsigned steps);
twx_url_step_fn twx_url_drop_session;     /* _SESSION */
twx_url_step_fn twx_url_drop_tracking;    /* _TRACKING */
twx_url_step_fn twx_url_drop_tail;        /* _INDEX_PAGE, _TRAILING_SLASH: those set in steps */
twx_url_step_fn twx_url_order_parameters; /* _PARAMETER_ORDER */

#endif
