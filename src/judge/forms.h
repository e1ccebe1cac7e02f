/* judge/forms.h: the forms of a URL, http and https with and without "www.", that documents have,
 * and which of them is the best one of those that take part.
 * [R1] Exactly one form of those that exist passes both http_unique_b and www_unique_b: the one
 * with the preferred scheme, if there is one, and of these the one with the preferred www form, if
 * there is one.
 * [R2] With TWX_WWW_AUTO the preferred www form of a site, a host with and without "www.", is the
 * one that more of its documents have that take part; with "www." if both have as many. */
#ifndef TWX_JUDGE_FORMS_H
#define TWX_JUDGE_FORMS_H

#include "judge/groups.h"
#include "judge/order.h"

/* What distinguishes the forms of a URL: bit 1: it has not the preferred scheme; bit 0: it has not
 * the preferred www form, or, with TWX_WWW_AUTO, no www. 0 for a URL that is neither http nor
 * https. Of two forms the smaller one is better. */
enum { TWX_FORM_SCHEME = 2, TWX_FORM_WWW = 1 };
unsigned twx_form_of(uint32_t bits, const twx_preference *preference);
/* The name of the site: that of the host without "www.". bits: of a document of the host */
twx_slice twx_site_of_host(twx_slice host, uint32_t bits);

/* The documents whose URLs are equal but for the scheme, and but for www. (judge/twin_keys.h).
 * made: the relation is used. Memory: owned; twx_forms_done(). */
typedef struct twx_forms {
    struct {
        bool made;
        twx_union_find sets;
    } of[2]; /* TWX_RELATION_SCHEME, TWX_RELATION_WWW */
} twx_forms;

/* Ends adding to the two groupers, of which both may be NULL, and sets the forms of the documents
 * (twx_doc_form()) and of sites (twx_host.bare). how: its rank is not used. */
TWX_CHECK twx_rc twx_forms_find(twx_ctx *cx, const twx_grouping *how, twx_doc_table *docs,
                                const twx_preference *preference, twx_grouper *const groupers[2],
                                twx_forms *ret_forms);
void twx_forms_done(twx_forms *forms);

#endif
