/* base/plural.h: the word that goes with a number in messages: "1 finding", "2 findings". */
#ifndef TWX_BASE_PLURAL_H
#define TWX_BASE_PLURAL_H

#include <stdint.h>

static inline const char *twx_plural(uint64_t n, const char *one, const char *many) {
    return n == 1 ? one : many;
}

#endif
