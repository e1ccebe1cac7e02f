#include "judge/mirror_intake.h"

#include "base/hash64.h"

void twx_mirror_intake_init(twx_mirror_intake *in, twx_arena *names, twx_mirror_hosts *hosts) {
    *in = (twx_mirror_intake){.names = names, .hosts = hosts};
    twx_map64_init(&in->host, 0);
    twx_map64_init(&in->exact, 0);
    twx_map64_init(&in->near, 0);
}

void twx_mirror_intake_done(twx_mirror_intake *in) {
    twx_map64_done(&in->host);
    twx_map64_done(&in->exact);
    twx_map64_done(&in->near);
    TWX_VEC_DONE(&in->documents);
}

static twx_rc number_of(twx_ctx *cx, twx_map64 *known, uint64_t key, uint32_t *ret_number) {
    uint64_t number = 0;
    twx_rc rc = twx_map64_add(cx, known, key, known->n, &number);
    if (rc == TWX_OK) *ret_number = (uint32_t)number;
    return rc;
}

static twx_rc group_of(twx_ctx *cx, twx_map64 *known, const uint64_t *key, uint32_t *ret_number) {
    *ret_number = TWX_NO_DOCUMENT;
    return key ? number_of(cx, known, *key, ret_number) : TWX_OK;
}

static twx_rc host_of(twx_ctx *cx, twx_mirror_intake *in, twx_slice name, uint32_t *ret_host) {
    twx_slice copy = {NULL, 0};
    twx_rc rc = number_of(cx, &in->host, twx_hash64(name, 0), ret_host);
    if (rc != TWX_OK || *ret_host < in->hosts->n) return rc;
    rc = twx_arena_copy(cx, in->names, name, &copy);
    if (rc != TWX_OK) return rc;
    return TWX_VEC_PUSH(cx, in->hosts, copy) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_mirror_intake_add(twx_ctx *cx, twx_mirror_intake *in, const twx_mirror_entry *entry) {
    twx_mirror_document d = {.survives = entry->survive};
    twx_rc rc = host_of(cx, in, entry->host, &d.host);
    if (rc == TWX_OK) rc = group_of(cx, &in->exact, entry->exact, &d.exact);
    if (rc == TWX_OK) rc = group_of(cx, &in->near, entry->near, &d.near);
    for (uint64_t i = 0; rc == TWX_OK && i < entry->n; i++)
        if (!TWX_VEC_PUSH(cx, &in->documents, d)) rc = TWX_E_NOMEM;
    return rc;
}

twx_rc twx_mirror_intake_find(twx_ctx *cx, const twx_mirror_intake *in, uint32_t ratio_ppm,
                              uint32_t min_documents, twx_mirrors *ret_mirrors) {
    const twx_mirror_case all = {.documents = in->documents.at,
                                 .n = in->documents.n,
                                 .hosts = in->hosts->at,
                                 .hosts_n = (uint32_t)in->hosts->n,
                                 .exact_groups = (uint32_t)in->exact.n,
                                 .near_groups = (uint32_t)in->near.n,
                                 .ratio_ppm = ratio_ppm,
                                 .min_documents = min_documents,
                                 .group_hosts = TWX_MIRROR_GROUP_HOSTS};
    return twx_mirrors_find(cx, &all, ret_mirrors);
}
