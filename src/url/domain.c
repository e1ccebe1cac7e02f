#include "url/domain.h"

#include <libpsl.h>
#include <string.h>

#include "base/hash64.h"
#include "url/url_host.h"

twx_slice twx_registrable_domain(twx_slice host) {
    char name[TWX_URL_HOST_MAX + 1];
    const psl_ctx_t *list = psl_builtin(); /* read-only; NULL when the library has no list */
    if (!list || host.n == 0 || host.n >= sizeof name || memchr(host.p, '\0', host.n) ||
        twx_url_host_is_address(host))
        return host;
    memcpy(name, host.p, host.n);
    name[host.n] = '\0';
    const char *domain = psl_registrable_domain(list, name);
    return domain ? twx_slice_sub(host, (size_t)(domain - name), host.n) : host;
}

uint64_t twx_domain_fingerprint(void) {
    uint64_t digest = twx_hash64(twx_slice_of(psl_builtin_sha1sum()), 0);
    return twx_mix64(digest, (uint64_t)psl_suffix_count(psl_builtin()));
}
