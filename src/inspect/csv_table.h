/* inspect/csv_table.h: tables as CSV (RFC 4180) for spreadsheets: UTF-8 with a byte order mark,
 * CRLF.
 * [R1] Texts are quoted and cleaned as in run/excerpt.h: one line, no control characters.
 * [R2] A text whose first character after blanks is = + - @ or the full-width form of one of them
 * would be taken for a formula: it begins with an apostrophe.
 * [R3] Numbers of the program are written plainly.
 * Memory: embedded struct, no resources. */
#ifndef TWX_INSPECT_CSV_TABLE_H
#define TWX_INSPECT_CSV_TABLE_H

#include "run/out.h"

typedef struct twx_csv {
    const twx_out *out;
    twx_rc rc;
    size_t column;
} twx_csv;

/* Writes the byte order mark and the headings, which are constants of the program. */
void twx_csv_begin(twx_csv *c, const twx_out *out, const char *const *headings, size_t n);
void twx_csv_heading(twx_csv *c, const char *heading);
void twx_csv_text(twx_csv *c, twx_slice text);
void twx_csv_count(twx_csv *c, uint64_t n);
void twx_csv_share(twx_csv *c, double share); /* with four decimal places */
void twx_csv_end_row(twx_csv *c);

#endif
