/* corpus/boilerplate.h: what a site repeats from page to page (menus, footers), as a set of shingle
 * hashes: those found in more than 5 % of the sampled pages of a site, from 20 sampled pages on. A
 * site is a host. Its sample are the 50 pages with the smallest hash of their text; equal texts
 * count once. So what is sampled depends on the texts alone. The set is the union over all sites: a
 * text has one signature, whatever hosts it is on.
 * [R1] The order of adding never shows, nor does max_bytes. [R2] Memory stays below max_bytes,
 * apart from at most 1 KiB a host: beyond it, sorted parts go to unnamed temporary files. Pages
 * that newer ones drive out of the sample are left out when shingles are counted: there is one
 * pass, and for random texts 50 (1 + ln(n / 50)) of n pages are taken in.
 * Memory: owned handles. A maker is used by one thread at a time; a chrome by any number.
 * Source: MaybeDont (a crawler), its filter of boilerplate. */
#ifndef TWX_CORPUS_BOILERPLATE_H
#define TWX_CORPUS_BOILERPLATE_H

#include <stddef.h>

#include "base/arena.h"
#include "text/shingles.h"

enum {
    TWX_PAGE_SHINGLE_WORDS = 4,
    TWX_BOILERPLATE_SAMPLE = 50,
    TWX_BOILERPLATE_SAMPLE_MIN = 20,
    TWX_BOILERPLATE_PERCENT = 5
};

/* The shingles that chrome and minhash are made of: TWX_PAGE_SHINGLE_WORDS words, within lines.
 * Memory: in scratch.
 * Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_page_shingles(twx_ctx *cx, twx_arena *scratch, twx_slice text,
                                   twx_shingles *ret_shingles);

typedef struct twx_boilerplate_maker twx_boilerplate_maker;
typedef struct twx_boilerplate twx_boilerplate;

/* max_bytes: at least 1 MiB is taken. folder: of temporary files, borrowed; NULL: $TMPDIR or /tmp.
 * Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_boilerplate_maker_open(twx_ctx *cx, size_t max_bytes, const char *folder,
                                            twx_boilerplate_maker **ret_maker);
void twx_boilerplate_maker_close(twx_boilerplate_maker *m);
/* One page. Its shingles are made only when it comes into the sample, in scratch, which is not
 * reset. An absent or empty text is none. Errors TWX_E_NOMEM, TWX_E_CREATE, TWX_E_IO, TWX_E_FULL */
TWX_CHECK twx_rc twx_boilerplate_maker_add(twx_boilerplate_maker *m, twx_arena *scratch,
                                           twx_slice host, twx_slice text);
/* Parts that went to temporary files so far. */
size_t twx_boilerplate_maker_sorted_bytes(const twx_boilerplate_maker *m);
/* Ends adding. Errors as above; TWX_E_LIMIT: the set alone takes more than half of max_bytes. */
TWX_CHECK twx_rc twx_boilerplate_make(twx_boilerplate_maker *m, twx_boilerplate **ret_boilerplate);

void twx_boilerplate_close(twx_boilerplate *c);
bool twx_boilerplate_has(const twx_boilerplate *c, uint64_t shingle);
size_t twx_boilerplate_size(const twx_boilerplate *c); /* shingles */
uint64_t twx_boilerplate_fingerprint(const twx_boilerplate *c);

#endif
