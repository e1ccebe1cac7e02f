/* inspect/markup.h: writes HTML to the caller's sink.
 * [R1] Text that comes from a crawl, a file or a name is only written by twx_markup_text() and
 * twx_markup_excerpt(): whatever its bytes are, it becomes text, never markup. twx_markup_excerpt()
 * also replaces control characters, bidirectional controls and invalid UTF-8 (run/excerpt.h).
 * [R2] A failed write is kept in rc, and everything after it is skipped.
 * Memory: embedded struct, no resources; out is borrowed. */
#ifndef TWX_INSPECT_MARKUP_H
#define TWX_INSPECT_MARKUP_H

#include "run/out.h"

typedef struct twx_markup {
    const twx_out *out;
    twx_rc rc;
} twx_markup;

/* Markup. An argument of %s must be a constant of the program. */
void twx_markup_put(twx_markup *h, const char *fmt, ...) TWX_PRINTF(2, 3);
/* A string of the program without formatting. */
void twx_markup_raw(twx_markup *h, const char *markup);
/* Text with & < > " ' escaped, so that it can also stand in a quoted attribute. */
void twx_markup_text(twx_markup *h, twx_slice text);
/* The same, cleaned, and cut off after `most` characters. */
void twx_markup_excerpt(twx_markup *h, twx_slice text, size_t most);
/* A crawled URL: a link if it is an http or https URL of ordinary length, else text. */
void twx_markup_url(twx_markup *h, twx_slice url);
void twx_markup_number(twx_markup *h, uint64_t n); /* 12,345 */
/* 92.6 %; "<0.1 %" and ">99.9 %" for what would be rounded to none or all; "–" of none. */
void twx_markup_share(twx_markup *h, uint64_t part, uint64_t whole);

enum { TWX_NUMBER_BYTES = 32 };
/* 12,345 */
const char *twx_number_text(uint64_t n, char room[TWX_NUMBER_BYTES]);
/* 1.2k, 34M: for the ticks of an axis. */
const char *twx_short_number(double v, char room[TWX_NUMBER_BYTES]);

#endif
