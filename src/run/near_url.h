/* run/near_url.h: the stored URL that a person means who did not type it exactly: without the
 * scheme, with or without www., with another case, a slash or a fragment. If there is none, the
 * nearest URL, for a message.
 * [R1] A URL that differs less counts: in its normal form not at all, then by scheme and www., then
 * by a slash at the end, then by case. Of equal ones the first read counts.
 * [R2] Reads the URL of every document once.
 * Memory: embedded struct; twx_near_url_done(). */
#ifndef TWX_RUN_NEAR_URL_H
#define TWX_RUN_NEAR_URL_H

#include "base/arena.h"
#include "run/job.h"
#include "store/source.h"

typedef enum twx_url_nearness {
    TWX_SAME_URL,
    TWX_SAME_BUT_SCHEME,
    TWX_SAME_BUT_SLASH,
    TWX_SAME_BUT_CASE,
    TWX_OTHER_URL
} twx_url_nearness;

typedef struct twx_near_url {
    twx_url_nearness nearness;
    twx_slice url;   /* as stored; absent: none is near */
    uint64_t others; /* URLs that are as near, besides this one */
    /* private */
    twx_ctx *cx;
    twx_arena bytes, typed_bytes, scratch;
    twx_slice normal, bare;
    size_t in_common; /* bytes, of an OTHER_URL */
} twx_near_url;

/* typed: borrowed for the call. TWX_DONE: it does not look like a URL. */
TWX_CHECK twx_rc twx_near_url_init(twx_ctx *cx, twx_slice typed, twx_near_url *ret_near);
void twx_near_url_done(twx_near_url *n);
/* Looks in one more store. */
TWX_CHECK twx_rc twx_near_url_search(twx_near_url *n, twx_source *source);
/* After the searches: the URL that is meant; a note says so. TWX_DONE: none is. */
TWX_CHECK twx_rc twx_near_url_take(const twx_near_url *n, const twx_job *job, const char *typed,
                                   twx_slice *ret_url);
/* No document has the URL: TWX_E_NOTFOUND with the nearest one, if one is near. */
twx_rc twx_near_url_fail(const twx_near_url *n, const twx_job *job, const char *typed);

#endif
