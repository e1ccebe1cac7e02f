/* base/nearest.h: "did you mean": the name a mistyped word is closest to, for settings, commands
 * and options.
 *     twx_nearest n = twx_nearest_of("fuzzy.quantrate");
 *     for each name: twx_nearest_try(&n, name);
 *     if (n.name) ...
 * [R1] A name is near when at most a third of the word's letters (at least one, at most three) were
 * added, dropped, replaced or swapped with their neighbour; case, '-', '_' and '.' make no
 * difference. Of equally near names the first is kept.
 * Source: the restricted edit distance (optimal string alignment), Damerau 1964.
 * Memory: embedded struct; the names are borrowed. Words of our own: NUL-terminated. */
#ifndef TWX_BASE_NEAREST_H
#define TWX_BASE_NEAREST_H

#include <stddef.h>

typedef struct twx_nearest {
    const char *word;
    const char *name; /* the nearest so far; NULL: none is near */
    size_t distance;  /* of that name; else one more than what is near */
} twx_nearest;

twx_nearest twx_nearest_of(const char *word);
void twx_nearest_try(twx_nearest *n, const char *name);

#endif
