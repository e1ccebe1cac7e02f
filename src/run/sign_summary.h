/* run/sign_summary.h: what signing a store has read and written, for the commands sign and run. */
#ifndef TWX_RUN_SIGN_SUMMARY_H
#define TWX_RUN_SIGN_SUMMARY_H

#include "run/count_rows.h"

typedef struct twx_sign_counts {
    uint64_t read, signed_now, written, deleted, text_bytes;
    /* documents that were not signed, or not as they are */
    uint64_t bad_urls, bad_ids, bad_utf8, odd_values, too_long;
    bool whole; /* all rows were read, not those of a queue alone */
} twx_sign_counts;

void twx_sign_counts_add(twx_sign_counts *to, const twx_sign_counts *counts);

/* The rows of documents that were not signed, or not as they are. */
enum { TWX_SIGN_ODDITIES = 5 };
void twx_sign_oddities(const twx_sign_counts *c, twx_count_row ret_rows[TWX_SIGN_ODDITIES]);

typedef struct twx_sign_summary {
    const char *store;
    uint64_t documents; /* with signatures */
    twx_sign_counts counts;
    double seconds;
} twx_sign_summary;

TWX_CHECK twx_rc twx_sign_summary_write(const twx_out *out, const twx_sign_summary *s);

#endif
