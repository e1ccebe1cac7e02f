/* url/url_norm.h: the normal form of a URL and its parts (RFC 3986, section 6.2.2-6.2.3).
 * [R1] normal(normal(u)) == normal(u), with the same steps and without rules.
 * [R2] Scheme and host become lower-case, an IDN becomes ASCII (url_host.h), a trailing dot of the
 * host is dropped, the scheme's default port and an empty userinfo, password or port are dropped,
 * dot segments are resolved, percent-encoding is normalised (unreserved bytes are decoded, hex
 * digits become upper-case, bytes that a URL may not hold and broken percent signs are encoded,
 * everything else is kept), the empty path of a URL with authority becomes "/", the fragment is
 * dropped.
 * [R3] ASCII white space and control characters around the URL are trimmed; tabs and line breaks
 * inside are dropped, as in browsers.
 * [R4] Time is linear in the length of the input (parameter_order: n log n in the number of
 * parameters). A URL longer than TWX_URL_MAX, as given or in normal form, is not usable.
 * [R5] Every scheme is usable; web schemes need a host. Without an authority a path that does not
 * begin with '/' ("mailto:", "urn:") keeps its dots. An empty query ("?") is kept, because it names
 * another resource.
 * [R6] Optional steps apply to http and https only; the user's rules apply to every URL.
 * [R7] Web schemes (http, https, ftp, ws, wss) are parsed as browsers parse them (WHATWG URL): a
 * backslash before the query counts as a slash, any number of slashes may precede the host, a
 * reference that repeats the scheme of its base without "//" is relative, and "'" in a query
 * becomes %27. docs/signatures.md lists the remaining deviations. */
#ifndef TWX_URL_URL_NORM_H
#define TWX_URL_URL_NORM_H

#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"

enum { TWX_URL_NORM_VERSION = 2, TWX_URL_MAX = 1 << 20 };

/* Why a URL is not usable; TWX_URL_OK otherwise. */
typedef enum twx_url_fault {
    TWX_URL_OK,
    TWX_URL_EMPTY,
    TWX_URL_RELATIVE, /* no scheme */
    TWX_URL_NO_HOST,  /* a web scheme without a host */
    TWX_URL_BAD_HOST,
    TWX_URL_BAD_PORT,
    TWX_URL_TOO_LONG
} twx_url_fault;

const char *twx_url_fault_text(twx_url_fault fault); /* "no scheme: not an absolute URL" */

/* Shape  `whole` is the normal form; the parts are slices of it, absent (p == NULL) where the URL
 * has none.
 * host: absent without "//"; empty in "file:///". port: present only when it is not the scheme's
 * default. path: never absent. query: without '?'; empty for "?" alone.
 * Memory borrowed from the arena given to twx_url_normalize(). */
typedef struct twx_url {
    twx_slice whole, scheme, userinfo, host, port, path, query;
    twx_url_fault fault;    /* unless this is TWX_URL_OK, every slice is absent */
    uint64_t rules_skipped; /* rules that failed on this URL (url_rules.h [R2]) */
} twx_url;

/* Optional steps, each switched by name (settings url.*). Each has a row in url_norm.c; the lists
 * of names are in url_steps.c.
 *   trailing_slash       drops each '/' at the end of a path longer than "/"
 *   index_page           drops index.html, index.php, default.aspx ... at the end of the path
 *   parameter_order      sorts query parameters by name, then by value
 *   session_parameters   drops sid, PHPSESSID, jsessionid ..., also as ;parameters of the path
 *   tracking_parameters  drops utm_*, gclid, fbclid ... */
typedef enum twx_url_step {
    TWX_URL_STEP_TRAILING_SLASH = 1 << 0,
    TWX_URL_STEP_INDEX_PAGE = 1 << 1,
    TWX_URL_STEP_PARAMETER_ORDER = 1 << 2,
    TWX_URL_STEP_SESSION = 1 << 3,
    TWX_URL_STEP_TRACKING = 1 << 4
} twx_url_step;

typedef struct twx_url_options {
    unsigned steps;                    /* bits of twx_url_step */
    const struct twx_url_rules *rules; /* borrowed; NULL: none (url_rules.h) */
} twx_url_options;

/* The step bit of a name; 0 when unknown. twx_url_step_name(i) lists the names, NULL after the
 * last. */
unsigned twx_url_step_of(const char *name);
const char *twx_url_step_name(size_t i);

/* Normalises, applies the user's rules, and normalises their result. When a rule produces an
 * unusable URL, the URL before the rules is kept and ret_url->rules_skipped is incremented. options
 * NULL: no steps, no rules.
 * Errors TWX_E_NOMEM only: an invalid URL is a result (ret_url->fault), not an error. */
TWX_CHECK twx_rc twx_url_normalize(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                                   twx_slice url, twx_url *ret_url);
/* Resolves a reference against a base (RFC 3986 section 5.2.2) and normalises the result. An empty
 * reference gives the base; an absent one gives TWX_URL_EMPTY. Unless base->fault is TWX_URL_OK,
 * only absolute references resolve. */
TWX_CHECK twx_rc twx_url_resolve(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                                 const twx_url *base, twx_slice reference, twx_url *ret_url);

#endif
