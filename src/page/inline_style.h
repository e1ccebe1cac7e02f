/* page/inline_style.h: what declarations of CSS say about whether text is shown: display, visibility, float, position. */
#ifndef TWX_PAGE_INLINE_STYLE_H
#define TWX_PAGE_INLINE_STYLE_H

#include "page/html_tree.h"

/* Applies the declarations of a style attribute or of a rule to `style`. Declarations that a browser would drop count for nothing. */
void twx_style_apply(twx_slice declarations, twx_style *style);

#endif
