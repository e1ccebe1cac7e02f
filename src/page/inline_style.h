/* page/inline_style.h: declarations of CSS that decide whether and how text is shown: display,
 * visibility, float, position.
 * [R1] Declarations that a browser would drop count for nothing; of two the more important, then
 * the more specific, then the later wins. */
#ifndef TWX_PAGE_INLINE_STYLE_H
#define TWX_PAGE_INLINE_STYLE_H

#include "page/html_tree.h"

typedef enum twx_property {
    TWX_PROP_DISPLAY,
    TWX_PROP_VISIBILITY,
    TWX_PROP_FLOAT,
    TWX_PROP_POSITION,
    TWX_PROPERTIES
} twx_property;

/* What a block of declarations says; 0: nothing. Values are those of inline_style.c. */
typedef struct twx_declared {
    uint8_t value[TWX_PROPERTIES];
    bool important[TWX_PROPERTIES];
} twx_declared;

/* What applies to an element so far, and how strongly. */
typedef struct twx_cascade {
    uint8_t value[TWX_PROPERTIES];
    uint64_t strength[TWX_PROPERTIES];
} twx_cascade;

#define TWX_INLINE_STRENGTH (UINT64_C(1) << 41)

/* false: nothing in it that matters here */
bool twx_declarations(twx_slice text, twx_declared *ret);
void twx_cascade_add(twx_cascade *c, const twx_declared *d, uint64_t strength);
/* style: as the element and its attributes have it; changed by what the cascade says.
 * parent: of its parent, NULL: it is the root */
void twx_cascade_apply(const twx_cascade *c, const twx_style *parent, twx_style *style);

#endif
