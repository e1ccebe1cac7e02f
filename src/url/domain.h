/* url/domain.h: the registrable domain of a host (public suffix list of libpsl, built in).
 * [R1] An IP address, a single label, a public suffix and anything that is not a host are their own
 * domain.
 * Shape: host in normal form (url_norm.h).
 * Memory: the result is a suffix of host and borrowed like it. Any thread may call these; nothing
 * can fail. */
#ifndef TWX_URL_DOMAIN_H
#define TWX_URL_DOMAIN_H

#include <stdint.h>

#include "base/slice.h"

twx_slice twx_registrable_domain(twx_slice host);
/* Changes with the list; part of the fingerprint that makes stored facts stale. */
uint64_t twx_domain_fingerprint(void);

#endif
