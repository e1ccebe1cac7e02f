/* base/slice.h: a view of bytes that someone else owns. Crawled text is always a slice: it may hold
 * NUL, it may be invalid UTF-8, and it is never passed to strlen() or printf("%s"). */
#ifndef TWX_BASE_SLICE_H
#define TWX_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Shape  p[0..n), n may be 0. p == NULL means "absent" (SQL NULL), which differs from empty text.
 * Memory borrowed; the user of a slice documents how long it is valid. */
typedef struct twx_slice {
    const char *p;
    size_t n;
} twx_slice;

#define TWX_SLICE_LIT(text) ((twx_slice){(text), sizeof(text) - 1})
/* For twx_fail(): at most 200 bytes of the slice. twx_fail(cx, rc, "url '" TWX_SLICE_FMT "'",
 * TWX_SLICE_ARG(s)) */
#define TWX_SLICE_FMT    "%.*s"
#define TWX_SLICE_ARG(s) (int)((s).n < 200 ? (s).n : 200), (s).p ? (s).p : ""

/* The slice of an internal NUL-terminated string; NULL gives an absent slice. */
twx_slice twx_slice_of(const char *text);
bool twx_slice_eq(twx_slice a, twx_slice b);
int twx_slice_cmp(twx_slice a, twx_slice b);        /* by bytes, then by length; <0, 0, >0 */
bool twx_slice_eq_nocase(twx_slice a, twx_slice b); /* ASCII case only */
bool twx_slice_starts(twx_slice s, twx_slice prefix);
bool twx_slice_starts_nocase(twx_slice s, twx_slice prefix); /* ASCII case only */
twx_slice twx_slice_trim(twx_slice s); /* without ASCII white space at both ends */
twx_slice twx_slice_sub(twx_slice s, size_t from, size_t to); /* s[from..to), clipped to s */
size_t twx_slice_find(twx_slice s, char c, size_t from);      /* index, s.n when absent */
/* Removes the first line from *lines and returns it without its end ('\n'). */
twx_slice twx_slice_next_line(twx_slice *lines);

/* Parses an optional '-' and at most 18 digits, with blanks around; false: anything else. */
bool twx_slice_integer(twx_slice s, int64_t *ret_value);

/* ASCII character classes, independent of the locale. */
bool twx_is_space(unsigned char c); /* space, \t \n \v \f \r */
bool twx_is_alpha(unsigned char c);
bool twx_is_digit(unsigned char c);
int twx_hex_value(unsigned char c); /* 0..15, -1 when not a hex digit */
char twx_lower(char c);

#endif
