/* lab/methods/boilerplate.h: the boilerplate (menus, footers) of the sites of a collection, as a
 * set of shingle hashes: those in more than 5 % of the sampled pages of a site, for sites with at
 * least 20 sampled pages. A site is a host. Its sample is the 50 pages whose texts have the
 * smallest hashes; equal texts count once, so the sample depends on the texts alone. The set is the
 * union over all sites, so a text has one signature, whatever hosts it is on.
 * [R1] Neither the order of adding nor max_bytes affects the result.
 * [R2] Memory stays below max_bytes, except for at most 1 KiB a host: beyond it, sorted parts go to
 * unnamed temporary files. There is one pass: pages that later ones displace from the sample are
 * ignored when shingles are counted. For random texts 50 (1 + ln(n / 50)) of n pages enter the
 * sample.
 * Memory: owned handles. One thread at a time uses a maker, any number use a twx_boilerplate.
 * Source: MaybeDont (a crawler), its boilerplate filter. The literature also calls boilerplate the
 * chrome of a page. */
#ifndef TWX_LAB_METHODS_BOILERPLATE_H
#define TWX_LAB_METHODS_BOILERPLATE_H

#include <stddef.h>

#include "base/arena.h"
#include "text/shingling.h"

enum {
    TWX_PAGE_SHINGLE_WORDS = 4,
    TWX_BOILERPLATE_SAMPLE = 50,
    TWX_BOILERPLATE_SAMPLE_MIN = 20,
    TWX_BOILERPLATE_PERCENT = 5
};

/* The shingles that boilerplate and minhash are made of: TWX_PAGE_SHINGLE_WORDS words, within
 * lines. Memory: in scratch.
 * Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_page_shingles(twx_ctx *cx, twx_arena *scratch, twx_slice text,
                                   twx_shingles *ret_shingles);

typedef struct twx_boilerplate_maker twx_boilerplate_maker;
typedef struct twx_boilerplate twx_boilerplate;

/* max_bytes: at least 1 MiB is used. folder: of temporary files, borrowed; NULL: $TMPDIR or /tmp.
 * Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_boilerplate_maker_open(twx_ctx *cx, size_t max_bytes, const char *folder,
                                            twx_boilerplate_maker **ret_maker);
void twx_boilerplate_maker_close(twx_boilerplate_maker *m);
/* Adds one page. Its shingles are computed only when it enters the sample, in scratch, which is not
 * reset. An absent or empty text is ignored. Errors TWX_E_NOMEM, TWX_E_CREATE, TWX_E_IO,
 * TWX_E_FULL */
TWX_CHECK twx_rc twx_boilerplate_maker_add(twx_boilerplate_maker *m, twx_arena *scratch,
                                           twx_slice host, twx_slice text);
/* Parts written to temporary files so far. */
size_t twx_boilerplate_maker_sorted_bytes(const twx_boilerplate_maker *m);
/* Ends adding. Errors as above; TWX_E_LIMIT: the set alone takes more than half of max_bytes. */
TWX_CHECK twx_rc twx_boilerplate_make(twx_boilerplate_maker *m, twx_boilerplate **ret_boilerplate);

void twx_boilerplate_close(twx_boilerplate *c);
bool twx_boilerplate_has(const twx_boilerplate *c, uint64_t shingle);
size_t twx_boilerplate_size(const twx_boilerplate *c); /* shingles */
uint64_t twx_boilerplate_fingerprint(const twx_boilerplate *c);

#endif
