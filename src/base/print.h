/* base/print.h: snprintf() that always writes a decimal point.
 * [R1] A program that uses the library may have set a locale with a decimal comma; files, JSON, SQL
 * and SVG need a point whatever the locale of the process is. All formatted text of the project is
 * made here.
 * Otherwise as vsnprintf() and snprintf(): returns the length without the limit of the room. */
#ifndef TWX_BASE_PRINT_H
#define TWX_BASE_PRINT_H

#include <stdarg.h>
#include <stddef.h>

int twx_vprint(char *room, size_t bytes, const char *fmt, va_list args)
    __attribute__((format(printf, 3, 0)));
int twx_print(char *room, size_t bytes, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
