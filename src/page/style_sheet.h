/* page/style_sheet.h: the rules of a page's own <style> elements, as far as they decide whether and
 * how text is shown.
 * [R1] Selectors: names, classes, ids, attributes, combinators, :not(), :is(), :where(), and the
 * pseudo-classes that depend on the document alone (:first-child, :nth-child(), :empty, :root,
 * :checked, ...). A selector with any other part is ignored. A selector that browsers do not know
 * invalidates the whole rule, as in a browser.
 * [R2] Media: a screen with a window of 1280 by 800 pixels (style_media.c).
 * [R3] A rule applies to the whole document: a page is read a second time (twx_sheet_again) if a
 * rule may apply to elements before its <style> element or depends on content after an element
 * (:last-child).
 * [R4] Bounded: at most TWX_SHEET_SELECTORS selectors, and work linear in the page; beyond that no
 * rule applies.
 * Memory: embedded struct with owned vectors, reused from page to page. Names are hashed; the
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
    TWX_TEST_NAME, /* the element's name */
    TWX_TEST_CLASS,
    TWX_TEST_ID,
    TWX_TEST_ATTRIBUTE,
    TWX_TEST_NTH,
    TWX_TEST_EMPTY,
    TWX_TEST_LINK,
    TWX_TEST_NEVER, /* :hover and others that need a user */
    TWX_TEST_ALL,   /* the tests in `span` hold */
    TWX_TEST_ANY,   /* one of the TWX_TEST_ALL in `span` holds */
    TWX_TEST_NOT    /* none of them holds */
} twx_test_kind;

/* One condition on an element: ".wide", "[lang|=en]", ":nth-child(2n+1)". */
typedef struct twx_test {
    uint8_t kind;      /* twx_test_kind */
    char op;           /* ATTRIBUTE: one of "=~|^$*"; '\0': the attribute exists */
    bool fold;         /* ATTRIBUTE: the value is compared case-insensitively */
    bool last, typed;  /* NTH: counted from the end; among elements of the same name */
    uint32_t span;     /* ALL, ANY, NOT: the number of following tests that belong to it */
    int32_t step, add; /* NTH: step * n + add */
    uint32_t name_at, name_n, value_at, value_n; /* ATTRIBUTE: in twx_sheet.strings */
    uint64_t hash;                               /* NAME, CLASS, ID */
} twx_test;

/* "div.a.b#c": all tests must hold for one element. */
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

/* A recorded element, for selectors that test siblings. Links are indices; 0: none. */
typedef struct twx_node {
    twx_subject as;
    uint32_t parent, before, after, last; /* siblings; the last child */
    /* among the parent's children, from 1; number of child elements */
    uint32_t place, children;
    bool filled; /* has a child or text */
} twx_node;

/* 2048 buckets: style sheets of real pages have up to some thousand selectors. */
enum { TWX_SHEET_BUCKETS = 2048, TWX_SHEET_SEEN = 128 };

typedef struct twx_sheet {
    TWX_VEC(twx_selector) selectors;
    TWX_VEC(twx_test) tests;
    TWX_VEC(twx_node) nodes; /* [0]: represents elements that were not recorded */
    twx_buf strings, css;
    /* first selector, index + 1; the last bucket: selectors without a key */
    uint32_t bucket[TWX_SHEET_BUCKETS + 1];
    /* Bloom filter of the names, classes and ids of elements seen so far */
    uint64_t seen[TWX_SHEET_SEEN];
    uint64_t work, budget;  /* remaining steps; steps allowed for one reading */
    size_t opened, skipped; /* elements opened in this reading; those before the first node */
    bool late;              /* the body contains style elements */
    bool recording;         /* nodes are recorded */
    bool again;             /* the page must be read a second time */
    bool second;            /* this is the second reading */
    bool quirks;            /* classes and ids are compared case-insensitively */
} twx_sheet;

/* page: the next page to be read */
void twx_sheet_clear(twx_sheet *s, twx_slice page);
void twx_sheet_done(twx_sheet *s);
/* For the second reading: keeps all rules, which apply from the beginning. */
void twx_sheet_rewind(twx_sheet *s);
TWX_CHECK twx_rc twx_sheet_add(twx_ctx *cx, twx_sheet *s, twx_slice css);
/* e is opened below parent (NULL: e is the root), before it is matched. */
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

/* style_selector.c: the selectors of one rule, to which `declared` belongs; layered: the rule is in
 * a cascade layer. */
TWX_CHECK twx_rc twx_sheet_rule(twx_ctx *cx, twx_sheet *s, twx_slice selectors,
                                const twx_declared *declared, bool layered);
uint64_t twx_sheet_hash(const twx_sheet *s, twx_test_kind kind, twx_slice name);
bool twx_sheet_seen(const twx_sheet *s, uint64_t hash);

#endif
