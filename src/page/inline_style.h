/* page/inline_style.h: the CSS declarations that decide whether and how text is shown: display,
 * visibility, float, position.
 * [R1] Declarations that a browser would drop are ignored. Of two declarations the more important
 * one wins, then the more specific one, then the later one. */
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

/* The values that a block of declarations sets; 0: not set. The values are those of
 * inline_style.c. */
typedef struct twx_declared {
    uint8_t value[TWX_PROPERTIES];
    bool important[TWX_PROPERTIES];
} twx_declared;

/* The declarations that apply to an element so far, with their precedence. */
typedef struct twx_cascade {
    uint8_t value[TWX_PROPERTIES];
    uint64_t strength[TWX_PROPERTIES];
} twx_cascade;

#define TWX_INLINE_STRENGTH (UINT64_C(1) << 41)

/* false: no declaration in it is relevant */
bool twx_declarations(twx_slice text, twx_declared *ret);
void twx_cascade_add(twx_cascade *c, const twx_declared *d, uint64_t strength);
/* style: that of the element and its attributes; updated by the cascade. parent: the style of its
 * parent, NULL: the element is the root. */
void twx_cascade_apply(const twx_cascade *c, const twx_style *parent, twx_style *style);

#endif
