/* page/style_sheet.h: the rules of a page's own <style> elements, as far as they decide whether and
 * how text is shown.
 * [R1] Selectors of element names, classes, ids and the combinators "descendant" and "child"; a
 * selector with anything else counts for nothing. [R2] Media: all and screen, and widths for a
 * window of 1280 pixels; other media queries do not match. A rule holds for elements after its
 * style sheet. [R3] Bounded: at most TWX_SHEET_SELECTORS selectors, and work linear in the page;
 * then no rule holds.
 * Memory: embedded struct with owned vectors, reused from page to page; selectors are hashed, the
 * text is not kept. */
#ifndef TWX_PAGE_STYLE_SHEET_H
#define TWX_PAGE_STYLE_SHEET_H

#include "page/inline_style.h"

enum { TWX_SHEET_SELECTORS = 1 << 14, TWX_SHEET_COMPOUNDS = 8, TWX_SHEET_NAMES = 6 };

/* div.a.b#c: all of it holds for one element. */
typedef struct twx_compound {
    uint64_t name[TWX_SHEET_NAMES]; /* hashes of classes, ids and the element's name */
    uint8_t names;
    bool child; /* the next compound to the left is of the parent, not of any ancestor */
} twx_compound;

typedef struct twx_selector {
    twx_compound compound[TWX_SHEET_COMPOUNDS]; /* from right to left */
    uint8_t compounds;
    uint32_t strength;
    uint32_t next; /* with the same last name; index + 1 */
    twx_declared declared;
} twx_selector;

enum { TWX_SHEET_BUCKETS = 256 };

typedef struct twx_sheet {
    TWX_VEC(twx_selector) selectors;
    uint32_t bucket[TWX_SHEET_BUCKETS]; /* first selector, index + 1 */
    uint64_t work;                      /* steps that are left */
    bool quirks;                        /* case of classes and ids does not matter */
} twx_sheet;

void twx_sheet_clear(twx_sheet *s, size_t page_bytes);
void twx_sheet_done(twx_sheet *s);
TWX_CHECK twx_rc twx_sheet_add(twx_ctx *cx, twx_sheet *s, twx_slice css);
bool twx_media_matches(twx_slice query);
/* stack[0..depth) are the ancestors of e */
void twx_sheet_match(twx_sheet *s, const twx_open *stack, size_t depth, const twx_open *e,
                     twx_cascade *cascade);

#endif
