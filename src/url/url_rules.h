/* url/url_rules.h: the user's rewrite rules, one s/regex/replacement/flags a line, applied in order
 * to the normal form of a URL.
 * [R1] Syntax: the delimiter is any byte but a letter, digit, blank or backslash; a backslash
 * before the delimiter escapes it and is removed. The regex is PCRE2 on bytes (a normal URL is
 * ASCII), without \C and without a leading "(*". Flags: i ignores case; g replaces every match
 * instead of the first; after an empty match g advances by one byte.
 * Replacement: $1..$9 is a group ("" when it did not participate), $0 the match, $$ a '$'; \ makes
 * the next byte literal.
 * Blank lines and lines that begin with '#' are skipped; blanks around a rule are ignored.
 * [R2] Limits: pattern and replacement 4 096 bytes, subject 8 KiB, result 64 KiB, match 100 000,
 * depth 1 000, heap 1 MiB. A rule that exceeds a limit is counted and skipped for that URL; it
 * never fails the URL.
 * [R3] After loading a handle is read-only: any thread may apply it.
 * Memory: the handle is owned. */
#ifndef TWX_URL_URL_RULES_H
#define TWX_URL_URL_RULES_H

#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"

enum {
    TWX_URL_RULES_MAX = 10000,          /* rules in one file */
    TWX_URL_RULES_FILE_MAX = 1 << 20,   /* bytes of the file */
    TWX_URL_RULE_PATTERN_MAX = 4096,    /* bytes of a regex, and of a replacement */
    TWX_URL_RULE_SUBJECT_MAX = 8 << 10, /* bytes of a URL */
    TWX_URL_RULE_RESULT_MAX = 64 << 10  /* bytes of a rewritten URL */
};

typedef struct twx_url_rules twx_url_rules;

/* Errors TWX_E_CONFIG with "name:line:column: reason" (from 1, columns in bytes), TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_url_rules_parse(twx_ctx *cx, const char *name, twx_slice text,
                                     twx_url_rules **ret_rules);
/* Also TWX_E_CONFIG when the file cannot be read or is longer than TWX_URL_RULES_FILE_MAX. */
TWX_CHECK twx_rc twx_url_rules_load(twx_ctx *cx, const char *path, twx_url_rules **ret_rules);
void twx_url_rules_close(twx_url_rules *rules);
size_t twx_url_rules_count(const twx_url_rules *rules); /* 0 for NULL */
/* Fingerprint of the rules without comments; 0 for NULL. */
uint64_t twx_url_rules_fingerprint(const twx_url_rules *rules);
/* *ret_url is url itself when no rule matched, otherwise borrowed from the arena. The number of
 * rules that exceeded a limit is added to *ret_skipped. rules NULL: none. Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_url_rules_apply(twx_ctx *cx, twx_arena *scratch, const twx_url_rules *rules,
                                     twx_slice url, twx_slice *ret_url, uint64_t *ret_skipped);

#endif
