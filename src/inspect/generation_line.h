/* inspect/generation_line.h: the one line that undo and digest write about the published flags. */
#ifndef TWX_INSPECT_GENERATION_LINE_H
#define TWX_INSPECT_GENERATION_LINE_H

#include "base/hash64.h"
#include "run/out.h"

/* The generation that undo published, and its run. */
typedef struct twx_restored {
    char generation;
    int64_t run;
} twx_restored;

TWX_CHECK twx_rc twx_restored_write(const twx_out *out, const twx_restored *r);
TWX_CHECK twx_rc twx_digest_write(const twx_out *out, const twx_hash128 *digest);

#endif
