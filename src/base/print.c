#include "base/print.h"

#include <locale.h>
#include <stdio.h>

/* The locale "C" is a constant of the C library: no memory is allocated. uselocale() concerns this
 * thread only. */
int twx_vprint(char *room, size_t bytes, const char *fmt, va_list args) {
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* style: [R1] */
    const locale_t before = uselocale(plain);                        /* style: [R1] */
    const int n = vsnprintf(room, bytes, fmt, args);                 /* style: [R1] */
    uselocale(before);                                               /* style: [R1] */
    return n;
}

int twx_print(char *room, size_t bytes, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const int n = twx_vprint(room, bytes, fmt, args);
    va_end(args);
    return n;
}
