/* run/publish.h: brings the inactive generation up to date with a judgement and publishes it:
 * claim, guard, token, pause, verify, publish (docs/internals.md). [R1] Whatever happens before the
 * publishing transaction commits, readers keep the old flags. */
#ifndef TWX_RUN_PUBLISH_H
#define TWX_RUN_PUBLISH_H

#include "job/open_store.h"
#include "run/flag_change.h"

typedef struct twx_publishing {
    const twx_judged *judged;
    char base;                   /* the published generation, 0: none */
    const twx_site_count *sites; /* of the judgement, n_sites of them */
    size_t n_sites;
    const char *settings; /* JSON for the ledger */
    const char *summary;  /* JSON for the ledger */
    /* Asked just before publishing: may it still be done? TWX_E_SUPERSEDED with a clear context:
     * judge again. */
    twx_rc (*still_true)(void *arg);
    void *arg;
    uint64_t *ret_written; /* rows written */
} twx_publishing;

TWX_CHECK twx_rc twx_publish(const twx_job *job, twx_opened *o, const twx_publishing *p);

#endif
