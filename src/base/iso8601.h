/* base/iso8601.h: dates as crawlers write them.
 * [R1] "2024-05-01"; "2024-05-01T10:20:30" with "T" or a blank between date and time, an optional
 * fraction (dropped), and "Z", "+02:00", "+0200" or nothing (UTC) at the end; "20240501102030" (14
 * digits, as in old WARC files). Years 1 to 9999, existing days only. */
#ifndef TWX_BASE_ISO8601_H
#define TWX_BASE_ISO8601_H

#include <stdint.h>

#include "base/slice.h"

/* Seconds since 1970. false: not such a date, *ret_seconds is untouched. */
bool twx_iso8601_parse(twx_slice text, int64_t *ret_seconds);
/* Whether a text that twx_iso8601_parse() accepts is a day without a time. */
bool twx_iso8601_is_day(twx_slice text);
/* The seconds that a date given as a number means: seconds, milliseconds, or the 14 digits of a CDX
 * date. */
int64_t twx_seconds_of(int64_t number);

#endif
