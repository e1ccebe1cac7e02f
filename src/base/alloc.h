/* base/alloc.h: the only place that calls malloc. Functions that take a count and a size check the
 * product for overflow. All write the message into cx on failure; cx->faults can make the nth call
 * fail (tests/fault).
 * Memory: the caller owns what they return and releases it with twx_free(). */
#ifndef TWX_BASE_ALLOC_H
#define TWX_BASE_ALLOC_H

#include <stddef.h>

#include "base/ctx.h"

void *twx_malloc(twx_ctx *cx, size_t bytes);              /* NULL on failure */
void *twx_calloc(twx_ctx *cx, size_t count, size_t size); /* zeroed; NULL on failure */
/* Grows or shrinks; p may be NULL. Returns NULL on failure, and p stays valid. */
void *twx_realloc(twx_ctx *cx, void *p, size_t count, size_t size);
char *twx_strdup(twx_ctx *cx, const char *text);                /* NULL on failure */
char *twx_strndup(twx_ctx *cx, const char *text, size_t bytes); /* NUL added; NULL on failure */
char *twx_sprintf(twx_ctx *cx, const char *fmt, ...) TWX_PRINTF(2, 3); /* NULL on failure */
void twx_free(void *p);                                                /* NULL is fine */

/* Whether an allocation has failed in this thread since the last call, according to errno. For
 * libraries that do not report every failure: jansson silently leaves out a member or a part of a
 * string. What sets errno after the allocation hides it: a system call that fails, and a number
 * that jansson reads. */
bool twx_allocation_failed(void);

/* The capacity to allocate for `need` items when there is room for `have`: twice `have`, but at
 * least 16 and at least `need`. */
size_t twx_grown(size_t have, size_t need);

#endif
