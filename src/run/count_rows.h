/* run/count_rows.h: the counts of a result, each described once, by its name in JSON and its words
 * in text. */
#ifndef TWX_RUN_COUNT_ROWS_H
#define TWX_RUN_COUNT_ROWS_H

#include "run/out.h"

typedef struct twx_count_row {
    const char *name;       /* in JSON; NULL: not there */
    const char *one, *many; /* after the number, in text; many NULL: one is for any number */
    uint64_t n;
    uint64_t bytes;         /* in text, with has_bytes: "(1.5 MB)" */
    bool has_bytes, always; /* always: in text also if it is 0 */
} twx_count_row;

/* Sets a member for each. */
void twx_count_rows_put(json_t *to, const twx_count_row *rows, size_t n);
/* Writes a line for each that has words. */
TWX_CHECK twx_rc twx_count_rows_write(const twx_out *out, const twx_count_row *rows, size_t n);

/* Counts with names of their own, from the number `from` on, without those that are 0. prefix: of
 * the name. */
json_t *twx_counts_json(const uint64_t *counts, size_t n, const char *(*name)(size_t));
TWX_CHECK twx_rc twx_counts_write(const twx_out *out, const uint64_t *counts, size_t from, size_t n,
                                  const char *prefix, const char *(*name)(size_t));

/* A result that is nothing else: "STORE: what", the lines, and the seconds. */
TWX_CHECK twx_rc twx_count_result_write(const twx_out *out, const char *store, const char *what,
                                        const twx_count_row *rows, size_t n, double seconds);

#endif
