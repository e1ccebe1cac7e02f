/* url/url_form.h: the key of a page, whatever form its URL has. Forms of one page are URLs that are
 * equal except for
 *   the scheme, and a first label www, m, mobile, amp or print of the host;
 *   parameters of the query for sessions and tracking (url_norm.h), for where a reader comes from
 *   (ref=home), or for another view of the same page (print=1, amp, view=print, ...), and the order
 *   of the others;
 *   parameters of the path (";jsessionid=..."), a segment print, amp or mobile, an index page, and
 *   slashes at the end.
 * It is evidence about pages, not a normal form: nothing is requested under it.
 * [R1] URLs whose pages differ in a parameter that is not listed have different keys, except by
 * chance. */
#ifndef TWX_URL_URL_FORM_H
#define TWX_URL_URL_FORM_H

#include <stdint.h>

#include "base/slice.h"

/* The parts of a URL that name something: segments of the path, then parameters of the query, by
 * their hashes, without those that say nothing of the page. Beyond fifteen, the last one is a hash
 * of all others. */
typedef struct twx_url_names {
    uint8_t segments, parameters;
    uint16_t name[15];
} twx_url_names;

/* The key and the names of a URL. normal: its text in normal form; key 0: it is empty. */
uint64_t twx_url_form_of(twx_slice normal, twx_url_names *ret_names);
/* Does one of them lack names of the other, but has no name in the place of another? */
bool twx_url_names_agree(const twx_url_names *a, const twx_url_names *b);

/* What a URL is besides the address of a page, as bits. */
enum {
    TWX_URL_IS_VIEW = 1 << 0,   /* another view of the page: for print, AMP or mobile devices */
    TWX_URL_HAS_EXTRAS = 1 << 1 /* parameters for sessions or tracking */
};
/* 0: a page, or no web URL. [R2] The key of a form is that of the page without what the bits name.
 */
unsigned twx_url_form_bits(twx_slice normal);

/* Is it the name of a parameter for sessions or tracking? */
bool twx_url_is_session_name(twx_slice name);
bool twx_url_is_tracking_name(twx_slice name);
/* Is it an index page: index.html, default.aspx, ...? */
bool twx_url_is_index_page(twx_slice segment);

#endif
