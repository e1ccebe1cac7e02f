#include "judge/sites.h"

#include "base/hash64.h"

static twx_slice without_www(twx_slice host) {
    return twx_slice_starts(host, TWX_SLICE_LIT("www.")) ? twx_slice_sub(host, 4, host.n) : host;
}

static twx_slice host_name(const twx_judgement *j, uint32_t host) {
    const twx_host *h = &j->docs.hosts.at[host];
    return (twx_slice){h->name, h->name_length};
}

twx_slice twx_site_name(const twx_judgement *j, const twx_site *site) {
    return without_www(host_name(j, site->host));
}

static twx_rc name_sites(twx_ctx *cx, const twx_judgement *j, twx_sites *s) {
    const size_t hosts = j->docs.hosts.n;
    twx_map64 by_name;
    twx_map64_init(&by_name, 0);
    s->of_host = twx_malloc(cx, (hosts + 1) * sizeof *s->of_host);
    twx_rc rc = s->of_host ? TWX_OK : TWX_E_NOMEM;
    for (uint32_t h = 0; rc == TWX_OK && h < hosts; h++) {
        uint64_t at = s->at.n;
        rc = twx_map64_add(cx, &by_name, twx_hash64(without_www(host_name(j, h)), 0), at, &at);
        if (rc == TWX_OK && at == s->at.n && !TWX_VEC_PUSH(cx, &s->at, (twx_site){.host = h}))
            rc = TWX_E_NOMEM;
        s->of_host[h] = (uint32_t)at;
    }
    twx_map64_done(&by_name);
    return rc;
}

twx_rc twx_sites_make(twx_ctx *cx, const twx_judgement *j, twx_sites *ret_sites) {
    twx_sites s = {0};
    twx_rc rc = name_sites(cx, j, &s);
    for (uint32_t i = 0; rc == TWX_OK && i < j->docs.at.n; i++) {
        twx_site *site = &s.at.at[s.of_host[j->docs.at.at[i].host]];
        const uint8_t why = j->links.eligibility[i];
        if (why == TWX_ELIGIBLE)
            site->documents++;
        else
            site->out[why]++;
    }
    if (rc == TWX_OK)
        *ret_sites = s;
    else
        twx_sites_done(&s);
    return rc;
}

void twx_sites_done(twx_sites *s) {
    if (!s) return;
    TWX_VEC_DONE(&s->at);
    twx_free(s->of_host);
    *s = (twx_sites){0};
}
