/* url/url_rules.h: the user's rewrite rules, s/regex/replacement/ one a line, applied in order to the normal URL.
 * Limits (docs/internals.md): pattern 4 096 bytes, subject 8 KiB, match, depth and heap limits, no \C, no leading "(*".
 * A rule that hits a limit is counted and skipped for that URL: it never fails the URL.
 * Memory: the handle is owned; after loading it is read-only; each thread needs its own twx_url_rules_scratch. */
#ifndef TWX_URL_URL_RULES_H
#define TWX_URL_URL_RULES_H

#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"

typedef struct twx_url_rules twx_url_rules;

/* Parses rules: lines "s/regex/replacement/" with flags i and g; any delimiter; \ escapes it; $1..$9 in the
 * replacement; '#' comments and blank lines skipped. Errors TWX_E_CONFIG with "name:line:column: reason". */
TWX_CHECK twx_rc twx_url_rules_parse(twx_ctx *cx, const char *name, twx_slice text, twx_url_rules **ret_rules);
TWX_CHECK twx_rc twx_url_rules_load(twx_ctx *cx, const char *path, twx_url_rules **ret_rules);
void twx_url_rules_close(twx_url_rules *rules);
size_t twx_url_rules_count(const twx_url_rules *rules);
uint64_t twx_url_rules_fingerprint(const twx_url_rules *rules); /* of the rules' text; 0 for NULL */
/* Applies all rules; any thread may call it. *ret_skipped counts rules that hit a limit (added to). */
TWX_CHECK twx_rc twx_url_rules_apply(twx_ctx *cx, twx_arena *scratch, const twx_url_rules *rules, twx_slice url,
                                     twx_slice *ret_url, uint64_t *ret_skipped);

#endif
