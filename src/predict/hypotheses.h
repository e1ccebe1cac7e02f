/* predict/hypotheses.h: the ten hypotheses on which parts of a URL do not matter
 * (docs/internals.md, "Prediction"), as one table, and the keys of a URL under which they are
 * counted and looked up. Source: 1 to 6 are those of MaybeDont (TeamHG-Memex); its README states
 * them.
 *
 * A *variant* of a URL says one thing that may not matter: a parameter, two of them, the whole
 * query, a path segment. It has the keys of what the URL is without it:
 *   counterpart  the whole key of that URL: another document may have it
 *   group        equal for URLs that differ in that thing only, whatever it says there
 * A hypothesis looks at variants of one kind and makes a *context key* of them: under it (dup,
 * nodup) are counted.
 *
 * [R1] Keys do not depend on the order of parameters. A name that occurs again is one parameter
 * with several values.
 * [R2] The scheme is part of the origin, the origin is part of the path: http and https are host
 * aliases (10).
 * [R3] Bounded: at most TWX_VARIANTS_MAX variants; linear in the length of the URL (a constant
 * number of steps a byte).
 * Memory: parts and variants borrow the URL. Nothing can fail. */
#ifndef TWX_PREDICT_HYPOTHESES_H
#define TWX_PREDICT_HYPOTHESES_H

#include "predict/url_parts.h"

typedef enum twx_variant_kind {
    /* all parameters; no counterpart: the URL without a query is one of the group */
    TWX_VARIANT_QUERY,
    TWX_VARIANT_PARAMETER,   /* one name */
    TWX_VARIANT_BARE,        /* one name and the rest of the query with it; no group */
    TWX_VARIANT_PAIR,        /* two names */
    TWX_VARIANT_SEGMENT,     /* one path segment; no group */
    TWX_VARIANT_SESSION,     /* a segment that looks like a session's number; no counterpart */
    TWX_VARIANT_PATH_SUFFIX, /* what stands behind the ';' of a segment */
    /* the origin; no counterpart, and the context is made of both origins and the shape */
    TWX_VARIANT_ORIGIN,
    TWX_VARIANT_KINDS
} twx_variant_kind;

typedef struct twx_variant {
    uint8_t kind;                /* twx_variant_kind */
    bool repeated;               /* the name occurs again: `value` is that of its first place */
    uint64_t counterpart, group; /* 0: none */
    /* hashes of what it is about; 0: nothing. Of a pair: value is that of `first` ... */
    uint64_t name, value;
    /* ... and this that of `second`; names are in the order of their hashes */
    uint64_t second_value;
    /* name; second name of a pair; value (absent: none). For people and rules */
    twx_slice first, second, text;
} twx_variant;

/* Of parameters that are looked at in pairs: the first ones. */
enum { TWX_PAIRED_MAX = 8 };
enum {
    TWX_VARIANTS_MAX = 2 + 2 * TWX_PAGE_PARAMETERS + TWX_PAIRED_MAX * (TWX_PAIRED_MAX - 1) / 2 +
                       3 * TWX_PAGE_SEGMENTS
};

/* A URL with its keys and variants. About 20 KB; only what is used is set. */
typedef struct twx_page {
    twx_page_parts parts;
    uint64_t whole;        /* of the URL: origin, path, parameters in any order */
    uint64_t origin, path; /* of the origin; of origin and path */
    uint64_t route;        /* of the path without the origin */
    uint64_t query;        /* of the parameters; 0: none */
    uint64_t shape;        /* of their names; 0: none */
    size_t variants_n;
    twx_variant variants[TWX_VARIANTS_MAX];
} twx_page;

/* url: in normal form. */
void twx_page_analyse(twx_slice url, twx_page *ret_page);
/* The whole key of the same path and query at another origin. */
uint64_t twx_page_at_origin(const twx_page *page, uint64_t origin);
uint64_t twx_origin_key(twx_slice origin);
/* As twx_page.shape has it. */
uint64_t twx_query_shape(twx_slice query);
/* The context key of hypothesis 10; the order of the two does not matter. Two hosts may serve the
 * same pages, but not the same print versions: so it is counted for each set of parameter names
 * apart. */
uint64_t twx_origins_context(uint64_t a, uint64_t b, uint64_t shape);
/* A key under which a URL is found whose part was left out elsewhere: see predict/model.h. */
uint64_t twx_reverse_key(uint64_t whole);

/* What a context key is made of, besides the row's name. */
typedef enum twx_context_part {
    TWX_OF_ORIGIN = 1,
    TWX_OF_PATH = 2, /* with the origin */
    TWX_OF_GROUP = 4,
    TWX_OF_NAME = 8,
    TWX_OF_VALUE = 16
} twx_context_part;

typedef struct twx_hypothesis {
    uint8_t number;   /* 1..10; several rows may have one */
    const char *form; /* its name in tables and output: unique */
    uint8_t kind;     /* of the variants it looks at */
    uint8_t of;       /* bits of twx_context_part */
    /* trials are those of the URL with its counterpart; else of all of a group, counterpart
     * included */
    bool added;
    const char *says; /* one sentence */
} twx_hypothesis;

enum { TWX_HYPOTHESES = 12 };
extern const twx_hypothesis TWX_HYPOTHESIS[TWX_HYPOTHESES];
/* The row of this form; TWX_HYPOTHESES: none. */
size_t twx_hypothesis_find(twx_slice form);
uint64_t twx_context_key(size_t row, const twx_page *page, const twx_variant *v);

#endif
