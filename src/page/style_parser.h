/* page/style_parser.h: private to src/page: shared by the two files that parse selectors. */
#ifndef TWX_PAGE_STYLE_PARSER_H
#define TWX_PAGE_STYLE_PARSER_H

#include "page/style_sheet.h"

#define TWX_ID_WEIGHT      (UINT64_C(1) << 32)
#define TWX_CLASS_WEIGHT   (UINT64_C(1) << 24)
#define TWX_ELEMENT_WEIGHT (UINT64_C(1) << 16) /* the bits below it hold the order */

typedef enum twx_css_outcome {
    TWX_CSS_READ,
    TWX_CSS_DROPPED, /* this selector is ignored */
    TWX_CSS_INVALID, /* a browser drops the rule */
    TWX_CSS_FAILED   /* out of memory */
} twx_css_outcome;

typedef struct twx_css_parser {
    twx_ctx *cx;
    twx_sheet *s;
    twx_slice text;
    size_t at;
    uint64_t strength;
    unsigned depth;
} twx_css_parser;

static inline char twx_css_peek(const twx_css_parser *p) {
    return p->at < p->text.n ? p->text.p[p->at] : '\0';
}

void twx_css_skip_spaces(twx_css_parser *p);
twx_slice twx_css_name(twx_css_parser *p);
TWX_CHECK twx_css_outcome twx_css_test(twx_css_parser *p, const twx_test *test);
TWX_CHECK twx_css_outcome twx_css_has_attribute(twx_css_parser *p, const char *name);
/* "div.a:not(.b)": up to white space, a comma, a combinator or ')' */
TWX_CHECK twx_css_outcome twx_css_compound(twx_css_parser *p);
/* style_pseudo.c: the cursor is after ':' */
TWX_CHECK twx_css_outcome twx_css_pseudo(twx_css_parser *p);

#endif
