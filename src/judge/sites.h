/* judge/sites.h: the sites of a judgement: a host counts together with its www. form, whose
 * documents are its URL twins.
 * Memory: embedded struct, owned arrays; twx_sites_done(). */
#ifndef TWX_JUDGE_SITES_H
#define TWX_JUDGE_SITES_H

#include "judge/judge.h"

typedef struct twx_site {
    uint32_t host;                   /* one of its hosts, for the name */
    uint64_t documents;              /* that take part */
    uint64_t out[TWX_ELIGIBILITIES]; /* documents that do not take part, by reason */
} twx_site;

typedef struct twx_sites {
    TWX_VEC(twx_site) at;
    uint32_t *of_host; /* by host of the document table */
} twx_sites;

/* j must be judged. */
TWX_CHECK twx_rc twx_sites_make(twx_ctx *cx, const twx_judgement *j, twx_sites *ret_sites);
void twx_sites_done(twx_sites *s);
/* The name without www., borrowed from the docs; "" for documents whose URL has no host. */
twx_slice twx_site_name(const twx_judgement *j, const twx_site *site);

#endif
