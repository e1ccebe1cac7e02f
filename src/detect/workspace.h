/* detect/workspace.h: what one signing thread keeps between documents: digest contexts (fetched once), scratch memory,
 * token tables. One thread uses it at a time.
 * Memory: twx_workspace_open/_close own it; scratch is reset by the caller after each document. */
#ifndef TWX_DETECT_WORKSPACE_H
#define TWX_DETECT_WORKSPACE_H

#include "base/arena.h"
#include "detect/params.h"

typedef struct twx_workspace twx_workspace;

TWX_CHECK twx_rc twx_workspace_open(twx_ctx *cx, const twx_params *params, twx_workspace **ret_workspace);
void twx_workspace_close(twx_workspace *w);
twx_arena *twx_workspace_scratch(twx_workspace *w);
/* Ends a document: scratch memory is given back. */
void twx_workspace_reset(twx_workspace *w);

/* 32 bytes of SHA-256; 16 (MD5) or 32 bytes of the configured profile digest, its first 16 are used. */
TWX_CHECK twx_rc twx_sha256(twx_ctx *cx, twx_workspace *w, twx_slice data, unsigned char ret_digest[32]);
TWX_CHECK twx_rc twx_profile_digest(twx_ctx *cx, twx_workspace *w, twx_slice data, unsigned char ret_digest[32]);

#endif
