/* judge/pins.h: decisions made by users (docs/manual.md, "Pins"): a text with one decision a line,
 *     separate URL URL    neither hides the other
 *     prefer PREFIX       documents whose URL begins with it come first in the total order
 *     keep URL            the document is never hidden
 * [R1] Lines are UTF-8; empty lines, and the rest of a line from a word that begins with '#', are
 * ignored.
 * [R2] URLs are compared in normal form, with the steps and rules of the run; a prefix is
 * normalised without them.
 * [R3] Of two `prefer` lines that a document matches the first one counts.
 * [R4] A line of more than TWX_PIN_LINE_MAX bytes, or more than TWX_PINS_MAX lines with a pin, is
 * an error.
 * Memory: owned handle. One thread at a time. */
#ifndef TWX_JUDGE_PINS_H
#define TWX_JUDGE_PINS_H

#include "judge/facts.h"
#include "url/url_norm.h"

enum { TWX_PINS_MAX = 10000, TWX_PIN_LINE_MAX = 1 << 14, TWX_PINS_BYTES_MAX = 1 << 22 };

typedef enum twx_pin_kind {
    TWX_PIN_SEPARATE,
    TWX_PIN_PREFER,
    TWX_PIN_KEEP,
    TWX_PIN_KINDS
} twx_pin_kind;
const char *twx_pin_kind_name(twx_pin_kind kind); /* "separate" */

/* One line. Memory: borrowed from the pins. */
typedef struct twx_pin {
    twx_pin_kind kind;
    size_t line;       /* from 1 */
    twx_slice name[2]; /* normal URLs, or the prefix; [1] absent except for separate */
    /* indexes of the URLs among the pinned ones; of the prefix among the prefixes */
    uint32_t number[2];
} twx_pin;

typedef struct twx_pins twx_pins;

/* path: for messages, copied. Errors TWX_E_CONFIG "path:line: ...". */
TWX_CHECK twx_rc twx_pins_parse(twx_ctx *cx, const twx_url_options *options, const char *path,
                                twx_slice text, twx_pins **ret_pins);
void twx_pins_close(twx_pins *pins);
const char *twx_pins_path(const twx_pins *pins);
/* in order of the lines; NULL after the last */
const twx_pin *twx_pins_at(const twx_pins *pins, size_t i);
uint64_t twx_pins_fingerprint(const twx_pins *pins);

/* The pins that apply to a URL. */
typedef struct twx_pin_match {
    uint32_t url;       /* 1 + its index among the pinned URLs; 0: not pinned */
    uint32_t preferred; /* 1 + the index of the prefix; 0: none */
} twx_pin_match;
/* url: the normal URL, url_key its hash (facts.h); of a long URL the first TWX_FACTS_URL_MAX bytes
 * suffice. */
twx_pin_match twx_pins_match(const twx_pins *pins, uint64_t url_key, twx_slice url);

size_t twx_pins_urls(const twx_pins *pins);              /* pinned URLs */
bool twx_pins_keeps(const twx_pins *pins, uint32_t url); /* by index, from 0 */
/* The URLs that are separated from the given one. */
const uint32_t *twx_pins_partners(const twx_pins *pins, uint32_t url, size_t *ret_n);

#endif
