/* run/sign_summary.h: what the command sign has done. */
#ifndef TWX_RUN_SIGN_SUMMARY_H
#define TWX_RUN_SIGN_SUMMARY_H

#include "run/out.h"

typedef struct twx_sign_summary {
    const char *store;
    uint64_t documents; /* with signatures */
    uint64_t read, signed_now, deleted, text_bytes;
    /* documents without signatures */
    uint64_t bad_urls, bad_ids, bad_utf8, odd_values, too_long;
    double seconds;
} twx_sign_summary;

TWX_CHECK twx_rc twx_sign_summary_write(const twx_out *out, const twx_sign_summary *s);

#endif
