/* run/out.h: writes data to the caller's sink, as text or JSON. The first failed write is
 * recorded and ends the output. Every result of a command has a file of its own, with the struct
 * that its job fills in and one function that writes it in the sink's format.
 * Memory: embedded struct; the sink is borrowed. */
#ifndef TWX_RUN_OUT_H
#define TWX_RUN_OUT_H

#include "run/json_values.h"
#include "twindex/twindex.h"

typedef struct twx_out {
    twx_ctx *cx;
    const twindex_sink *sink;
} twx_out;

bool twx_out_is_json(const twx_out *out);
/* For a text that starts at `column`, counted from 0, and ends the line: the number of its bytes
 * that fit the terminal; all if the output is not a terminal. */
int twx_out_fitting(const twx_out *out, const char *text, size_t column);
TWX_CHECK twx_rc twx_out_text(const twx_out *out, const char *fmt, ...) TWX_PRINTF(2, 3);
TWX_CHECK twx_rc twx_out_bytes(const twx_out *out, twx_slice bytes);
/* Text of the store, such as a URL or an id, as a part of a line: characters that would end it
 * become '?'. What else a terminal must not get is replaced where the terminal is written. */
TWX_CHECK twx_rc twx_out_line(const twx_out *out, twx_slice text);
/* As an SQL literal (base/value.h), in one line. */
TWX_CHECK twx_rc twx_out_value(const twx_out *out, const twx_value *v);
/* Crawled text as a part of a line: its beginning, or its end (excerpt.h). */
TWX_CHECK twx_rc twx_out_excerpt(const twx_out *out, twx_slice text, size_t most);
TWX_CHECK twx_rc twx_out_excerpt_end(const twx_out *out, twx_slice text, size_t most);
/* "87.50 %" of millionths, rounded down, so that only equal texts have 100 %; negative: "-". */
enum { TWX_PPM_BYTES = 16 };
const char *twx_ppm_text(int32_t ppm, char room[TWX_PPM_BYTES]);
/* Writes a JSON value and a line feed. Takes ownership of the value, which may be NULL (out of
 * memory). */
TWX_CHECK twx_rc twx_out_json(const twx_out *out, json_t *value);

#endif
