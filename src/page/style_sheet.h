/* page/style_sheet.h: the rules of a page's own <style> elements, as far as they decide whether and
 * how text is shown.
 * [R1] Selectors: names, classes, ids, attributes, the combinators, :not(), :is(), :where(), and
 * the pseudo-classes that the document alone decides (:first-child, :nth-child(), :empty, :root,
 * :checked, ...). A selector with another part counts for nothing; a selector that a browser does
 * not know makes it drop the whole rule, and so it is here.
 * [R2] Media: a screen with a window of 1280 by 800 pixels (style_media.c). [R3] A rule holds for
 * the whole document: a page with a rule that may concern elements before its <style> element, or
 * content after an element (:last-child), is read a second time (twx_sheet_again). [R4] Bounded: at
 * most TWX_SHEET_SELECTORS selectors, and work linear in the page; beyond it no rule holds.
 * Memory: embedded struct with owned vectors, reused from page to page; names are hashed; the
 * strings of attribute selectors are copied. */
#ifndef TWX_PAGE_STYLE_SHEET_H
#define TWX_PAGE_STYLE_SHEET_H

#include "base/buf.h"
#include "page/inline_style.h"

enum {
    TWX_SHEET_SELECTORS = 1 << 14,
    TWX_SHEET_TESTS = 1 << 17,
    TWX_SHEET_COMPOUNDS = 8,
    TWX_SHEET_NODES = 1 << 18 /* later elements have no siblings for selectors */
};

typedef enum twx_test_kind {
    TWX_TEST_NAME, /* of the element */
    TWX_TEST_CLASS,
    TWX_TEST_ID,
    TWX_TEST_ATTRIBUTE,
    TWX_TEST_NTH,
    TWX_TEST_EMPTY,
    TWX_TEST_LINK,
    TWX_TEST_NEVER, /* :hover and others that need a visitor */
    TWX_TEST_ALL,   /* the tests in `span` hold */
    TWX_TEST_ANY,   /* one of the TWX_TEST_ALL in `span` holds */
    TWX_TEST_NOT    /* none of them holds */
} twx_test_kind;

/* One condition on an element: ".wide", "[lang|=en]", ":nth-child(2n+1)". */
typedef struct twx_test {
    uint8_t kind;      /* twx_test_kind */
    char op;           /* ATTRIBUTE: of "=~|^$*"; '\0': it is there */
    bool fold;         /* ATTRIBUTE: case of the value does not matter */
    bool last, typed;  /* NTH: counted from the end; among the elements of the same name */
    uint32_t span;     /* ALL, ANY, NOT: the number of tests after this one that belong to it */
    int32_t step, add; /* NTH: step * n + add */
    uint32_t name_at, name_n, value_at, value_n; /* ATTRIBUTE: in twx_sheet.strings */
    uint64_t hash;                               /* NAME, CLASS, ID */
} twx_test;

/* "div.a.b#c": all of its tests hold for one element. */
typedef struct twx_compound {
    uint32_t first, tests; /* in twx_sheet.tests */
    char combinator;       /* to the compound on the left: ' ', '>', '+' or '~' */
} twx_compound;

typedef struct twx_selector {
    twx_compound compound[TWX_SHEET_COMPOUNDS]; /* from right to left */
    uint8_t compounds;
    uint64_t key; /* hash of a name that the element must have; 0: none */
    uint64_t strength;
    uint32_t next; /* in the same bucket; index + 1 */
    twx_declared declared;
} twx_selector;

/* What is kept of an element for selectors that look at siblings. Links are indices; 0: none. */
typedef struct twx_node {
    twx_subject as;
    uint32_t parent, before, after, last; /* siblings; the last child */
    /* among the parent's children, from 1; number of child elements */
    uint32_t place, children;
    bool filled; /* has a child or text */
} twx_node;

enum { TWX_SHEET_BUCKETS = 256, TWX_SHEET_SEEN = 128 };

typedef struct twx_sheet {
    TWX_VEC(twx_selector) selectors;
    TWX_VEC(twx_test) tests;
    TWX_VEC(twx_node) nodes; /* [0]: stands for elements that were not recorded */
    twx_buf strings, css;
    /* first selector, index + 1; the last bucket: selectors without a key */
    uint32_t bucket[TWX_SHEET_BUCKETS + 1];
    /* Bloom filter of the names, classes and ids of elements so far */
    uint64_t seen[TWX_SHEET_SEEN];
    uint64_t work, budget;  /* steps that are left; of one reading */
    size_t opened, skipped; /* elements of this reading so far; those before the first node */
    bool late;              /* the page has style elements after its first element of the body */
    bool recording;         /* nodes are kept */
    bool again;             /* the page must be read a second time */
    bool second;            /* ... and is */
    bool quirks;            /* case of classes and ids does not matter */
} twx_sheet;

/* page: to be read next */
void twx_sheet_clear(twx_sheet *s, twx_slice page);
void twx_sheet_done(twx_sheet *s);
/* For the second reading: all rules are kept and hold from the beginning. */
void twx_sheet_rewind(twx_sheet *s);
TWX_CHECK twx_rc twx_sheet_add(twx_ctx *cx, twx_sheet *s, twx_slice css);
/* e is opened below parent (NULL: it is the root), before it is matched. */
TWX_CHECK twx_rc twx_sheet_open(twx_ctx *cx, twx_sheet *s, const twx_open *parent, twx_open *e);
static inline void twx_sheet_text(twx_sheet *s, const twx_open *e) {
    if (e->as.node) s->nodes.at[e->as.node].filled = true;
}
/* stack[0..depth) are the ancestors of e */
void twx_sheet_match(twx_sheet *s, const twx_open *stack, size_t depth, const twx_open *e,
                     twx_cascade *cascade);

/* style_media.c. query: of @media or the attribute media; condition: of @supports */
bool twx_media_matches(twx_slice query);
bool twx_supports(twx_slice condition);

/* style_selector.c: the selectors of one rule, for which `declared` holds; layered: in a cascade
 * layer. */
TWX_CHECK twx_rc twx_sheet_rule(twx_ctx *cx, twx_sheet *s, twx_slice selectors,
                                const twx_declared *declared, bool layered);
uint64_t twx_sheet_hash(const twx_sheet *s, twx_test_kind kind, twx_slice name);
bool twx_sheet_seen(const twx_sheet *s, uint64_t hash);

#endif
