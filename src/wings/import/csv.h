/* import/csv.h: comma-separated values with a header (RFC 4180).
 * [R1] The separator is a comma, semicolon or tab: the one that occurs most often in the header
 * outside quotes. [R2] A quoted field can contain separators, line breaks and doubled quotes; a
 * quote within an unquoted field is an ordinary character. [R3] Lines end with LF or CRLF, also
 * mixed; empty lines are skipped. [R4] Rows that are not UTF-8 are decoded as windows-1252. */
#ifndef TWX_IMPORT_CSV_H
#define TWX_IMPORT_CSV_H

#include "base/arena.h"
#include "run/input.h"

enum { TWX_CSV_COLUMNS_MAX = 2000 };

typedef struct twx_csv_header {
    char separator;
    size_t n;
    twx_slice *names; /* in an arena of the reader */
} twx_csv_header;

/* The input of rows. */
typedef struct twx_csv_source {
    twx_input *in;
    twx_buf *line;   /* room for a line */
    uint64_t *lines; /* counts the lines read */
} twx_csv_source;

/* Reads one row, including its quoted line breaks. TWX_DONE: the end; TWX_E_LIMIT without a
 * message: the row is longer than row's max and was skipped. */
TWX_CHECK twx_rc twx_csv_row(twx_ctx *cx, const twx_csv_source *from, char separator, twx_buf *row);
/* The next field of a row, without its quotes; room: at least rest->n bytes, for fields with
 * doubled quotes. false: no more. */
bool twx_csv_field(twx_slice *rest, char separator, char *room, twx_slice *ret_field);
/* Reads the header row: its separator and the names of the columns. */
TWX_CHECK twx_rc twx_csv_header_read(twx_ctx *cx, twx_arena *arena, twx_slice row,
                                     twx_csv_header *ret_header);

#endif
