/* base/iso8601.h: dates as crawlers write them. [R1] "2024-05-01", "2024-05-01T10:20:30", with
 * fraction (dropped), with "Z", "+02:00", "+0200" or nothing (UTC), "T" or a blank between,
 * "20240501102030" (14 digits, WARC of old). Years 1 to 9999, real days only. */
#ifndef TWX_BASE_ISO8601_H
#define TWX_BASE_ISO8601_H

#include <stdint.h>

#include "base/slice.h"

/* Seconds since 1970; false: not such a date, *ret_seconds untouched. */
bool twx_iso8601_parse(twx_slice text, int64_t *ret_seconds);

#endif
