/* url/domain.h: the registrable domain of a host (public suffix list of libpsl, built in).
 * An IP address, a single label or a public suffix is its own domain. Host in normal form (url_norm.h).
 * Memory: the result is a slice of host. Any thread may call it. */
#ifndef TWX_URL_DOMAIN_H
#define TWX_URL_DOMAIN_H

#include <stdint.h>

#include "base/slice.h"

twx_slice twx_registrable_domain(twx_slice host);
uint64_t twx_domain_fingerprint(void); /* changes with the list: part of what makes stored facts stale */

#endif
