/* base/nearest.h: "did you mean": finds the name closest to a mistyped setting, command or option.
 *     twx_nearest n = twx_nearest_of("fuzzy.quantrate");
 *     for each name: twx_nearest_try(&n, name);
 *     if (n.name) ...
 * [R1] A name is near when at most a third of the word's letters (at least one, at most three) were
 * added, dropped, replaced or swapped with their neighbour; case, '-', '_' and '.' make no
 * difference. Of equally near names the first is kept.
 * Source: the restricted edit distance (optimal string alignment), Damerau 1964.
 * Memory: embedded struct; the names are borrowed. Words are internal, NUL-terminated strings. */
#ifndef TWX_BASE_NEAREST_H
#define TWX_BASE_NEAREST_H

#include <stddef.h>

typedef struct twx_nearest {
    const char *word;
    const char *name; /* the nearest so far; NULL: none is near */
    size_t distance;  /* of that name; without one, the largest accepted distance plus 1 */
} twx_nearest;

twx_nearest twx_nearest_of(const char *word);
void twx_nearest_try(twx_nearest *n, const char *name);

#endif
