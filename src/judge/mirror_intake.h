/* judge/mirror_intake.h: collects the documents among which judge/mirrors.h finds mirrors, and
 * gives their hosts and groups consecutive numbers.
 * Memory: embedded struct, 16 bytes a document and about 30 a host or group;
 * twx_mirror_intake_init(), _done(). */
#ifndef TWX_JUDGE_MIRROR_INTAKE_H
#define TWX_JUDGE_MIRROR_INTAKE_H

#include "base/arena.h"
#include "base/map64.h"
#include "judge/mirrors.h"

typedef struct twx_mirror_intake {
    twx_arena *names; /* borrowed: gets the names of hosts */
    twx_mirror_hosts *hosts;
    twx_map64 host, exact, near; /* hash or key -> number */
    TWX_VEC(twx_mirror_document) documents;
} twx_mirror_intake;

/* Documents that take part. */
typedef struct twx_mirror_entry {
    twx_slice host;               /* not empty */
    const uint64_t *exact, *near; /* keys of their groups; NULL: they are in none */
    bool survive;                 /* they are survivors of their clusters */
    uint64_t n;                   /* documents of which all this holds */
} twx_mirror_entry;

/* hosts: empty; gets the names by number. */
void twx_mirror_intake_init(twx_mirror_intake *in, twx_arena *names, twx_mirror_hosts *hosts);
void twx_mirror_intake_done(twx_mirror_intake *in);
/* Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_mirror_intake_add(twx_ctx *cx, twx_mirror_intake *in,
                                       const twx_mirror_entry *entry);
/* twx_mirrors_find() among all of them. */
TWX_CHECK twx_rc twx_mirror_intake_find(twx_ctx *cx, const twx_mirror_intake *in,
                                        uint32_t ratio_ppm, uint32_t min_documents,
                                        twx_mirrors *ret_mirrors);

#endif
