/* predict/hypotheses.h: the parts of a URL, and the hypotheses about which of them do not matter.
 * */
#ifndef TWX_PREDICT_HYPOTHESES_H
#define TWX_PREDICT_HYPOTHESES_H

#include "base/slice.h"

/* Splits a URL in normal form (url/url_norm.h) into the pieces that the
 * hypotheses examine: origin, path segments, parameters. Nothing is decoded or copied: every piece
 * is a slice of the URL.
 * [R1] Joined with their delimiters, origin, path and query give the URL, segments and more_path
 * give the path, and parameters and more_query give the query without empty parameters ("&&").
 * [R2] Bounded: only the first parameters and segments are split (the enum below); the rest is one
 * slice. Linear in the length of the URL.
 * [R3] Every byte string splits. A parameter without '=' has an absent value; a name may be empty,
 * may be repeated, and is any bytes. */
enum { TWX_URL_PARAMETERS = 64, TWX_URL_SEGMENTS = 16 };

typedef struct twx_parameter {
    twx_slice name;  /* before the first '='; never absent, may be empty */
    twx_slice value; /* absent: there is no '=' */
} twx_parameter;

/* Memory: borrows the URL. Only the first parameters_n and segments_n entries are set. */
typedef struct twx_url_pieces {
    twx_slice origin;      /* scheme, user, host, port: everything before the path */
    twx_slice path, query; /* query: without '?'; absent without one */
    twx_slice more_path;   /* after the last segment, including its '/'; absent: nothing remains */
    twx_slice more_query;  /* after the last parameter and its '&'; absent: nothing remains */
    size_t segments_n, parameters_n;
    /* "/a/b" has a and b, "/a/" has a and an empty one; a path that does not begin with '/' is one
     * segment */
    twx_slice segments[TWX_URL_SEGMENTS];
    twx_parameter parameters[TWX_URL_PARAMETERS];
} twx_url_pieces;

/* url: in normal form; a fragment is ignored. */
void twx_url_pieces_of(twx_slice url, twx_url_pieces *ret_parts);
/* Sets query, parameters and more_query only. */
void twx_query_pieces_of(twx_slice query, twx_url_pieces *ret_parts);

/* The ten hypotheses about which parts of a URL do not matter
 * (docs/internals.md, "Prediction"), as one table, and the keys of a URL under which they are
 * counted and looked up.
 * Source: 1 to 6 are those of MaybeDont (TeamHG-Memex), from its README.
 *
 * A *variant* of a URL names a part that may not matter: a parameter, two of them, the whole query,
 * a path segment. It has the keys of the URL without that part:
 *   counterpart  the whole key of that URL, which another document may have
 *   group        equal for URLs that differ in that part only, whatever its value
 * A hypothesis applies to variants of one kind and makes a *context key* of them, under which (dup,
 * nodup) are counted.
 *
 * [R1] Keys do not depend on the order of parameters. A repeated name is one parameter with several
 * values.
 * [R2] The scheme is part of the origin and the origin is part of the path: http and https are host
 * aliases (10).
 * [R3] Bounded: at most TWX_VARIANTS_MAX variants; linear in the length of the URL (a constant
 * number of steps a byte).
 * Memory: parts and variants borrow the URL. Nothing can fail. */
typedef enum twx_variant_kind {
    /* all parameters; no counterpart, because the URL without a query is in the group */
    TWX_VARIANT_QUERY,
    TWX_VARIANT_PARAMETER, /* one name */
    TWX_VARIANT_BARE,      /* one name and the query after it; no group */
    TWX_VARIANT_PAIR,      /* two names */
    TWX_VARIANT_SEGMENT,   /* one path segment; no group */
    /* a segment that looks like a session id, after this beginning of the path; no counterpart */
    TWX_VARIANT_SESSION,
    TWX_VARIANT_PATH_SUFFIX, /* the text after the ';' of a segment */
    /* the origin; no counterpart; the context consists of both origins and the shape */
    TWX_VARIANT_ORIGIN,
    TWX_VARIANT_KINDS
} twx_variant_kind;

typedef struct twx_variant {
    uint8_t kind;                /* twx_variant_kind */
    bool repeated;               /* the name is repeated: `value` is its first value */
    uint64_t counterpart, group; /* 0: none */
    /* hashes of name and value (of a segment, a suffix: itself); 0: none. For a pair, value belongs
     * to `first` ... */
    uint64_t name, value;
    /* ... and this to `second`; names are in the order of their hashes */
    uint64_t second_value;
    /* name; second name of a pair; value (absent: none). For output and rules */
    twx_slice first, second, text;
} twx_variant;

/* How many parameters, from the first on, are combined in pairs. */
enum { TWX_PAIRED_MAX = 8 };
enum {
    TWX_VARIANTS_MAX = 2 + 2 * TWX_URL_PARAMETERS + TWX_PAIRED_MAX * (TWX_PAIRED_MAX - 1) / 2 +
                       3 * TWX_URL_SEGMENTS
};

/* A URL with its keys and variants. About 20 KB; only the entries in use are set. */
typedef struct twx_url_variants {
    twx_url_pieces parts;
    uint64_t whole;        /* of the URL: origin, path, parameters in any order */
    uint64_t origin, path; /* of the origin; of origin and path */
    uint64_t site, area;   /* of twx_site_of(), twx_area_of() */
    uint64_t route;        /* of the path without the origin */
    uint64_t query;        /* of the parameters; 0: none */
    uint64_t shape;        /* of their names; 0: none */
    uint64_t folder;       /* of the first segment that others follow, and shape; 0: none */
    size_t variants_n;
    twx_variant variants[TWX_VARIANTS_MAX];
} twx_url_variants;

/* url: in normal form. */
void twx_url_variants_of(twx_slice url, twx_url_variants *ret_page);
/* The host without "www.", and its port: what the four forms of a URL have in common. url: a URL or
 * an origin. */
twx_slice twx_site_of(twx_slice url);
/* The site with the first folder of the path ("a.example/shop/"), or "a.example/": documents beside
 * each other, among which a parameter is taken to mean one thing. */
twx_slice twx_area_of(twx_slice url);
/* The whole key of the same path and query at another origin. */
uint64_t twx_url_key_at_origin(const twx_url_variants *page, uint64_t origin);
uint64_t twx_origin_key(twx_slice origin);
/* The whole key of a URL of these keys, and what a parameter contributes to the key of a query: a
 * query without it has the key query - twx_parameter_key(). */
uint64_t twx_url_key_of(uint64_t path, uint64_t query);
uint64_t twx_parameter_key(const twx_variant *v);
/* The key that twx_url_variants.shape holds. */
uint64_t twx_query_shape(twx_slice query);
/* The context key of hypothesis 10; the order of the two does not matter. It includes the parameter
 * names, because two hosts may serve the same pages but not, say, the same print versions.
 * what: the shape or the folder of a URL. */
uint64_t twx_origins_context(uint64_t a, uint64_t b, uint64_t what);
/* The key under which a URL is found by another one that equals it except for an added part: see
 * predict/model.h. */
uint64_t twx_reverse_key(uint64_t whole);

/* The components of a context key, besides the row's name. */
typedef enum twx_context_part {
    TWX_OF_SITE = 1,
    TWX_OF_PATH = 2, /* with the origin */
    TWX_OF_GROUP = 4,
    TWX_OF_NAME = 8,
    TWX_OF_VALUE = 16,
    TWX_OF_AREA = 32
} twx_context_part;

typedef struct twx_hypothesis {
    uint8_t number;   /* 1..10; several rows may have one */
    const char *form; /* its name in tables and output: unique */
    uint8_t kind;     /* of the variants it looks at */
    uint8_t of;       /* bits of twx_context_part */
    /* what the context generalises over: the paths of a site, or groups (0: nothing). Duplicates of
     * each of them count TWX_DUPLICATES_EACH times at most, and those of each value once, because a
     * thousand sessions of one page say nothing of other pages, nor a thousand pages with print=1
     * of print=2 */
    uint8_t each;
    /* trials compare the URL with its counterpart; otherwise all of a group, counterpart included,
     * and with a value in the key each of the two URLs has one */
    bool added;
    const char *says; /* one sentence */
} twx_hypothesis;

enum { TWX_ORIGINS = 13, TWX_ORIGINS_OF_FOLDER, TWX_HYPOTHESES, TWX_DUPLICATES_EACH = 5 };
/* Rows of one kind and one sort of trial stand together, the one that speaks of more URLs first. */
extern const twx_hypothesis TWX_HYPOTHESIS[TWX_HYPOTHESES];
/* The row of this form; TWX_HYPOTHESES: none. */
size_t twx_hypothesis_find(twx_slice form);
/* The key of what twx_hypothesis.each names; 0: nothing. */
uint64_t twx_each_key(size_t row, const twx_url_variants *page, const twx_variant *v);
uint64_t twx_context_key(size_t row, const twx_url_variants *page, const twx_variant *v);

/* Two URLs that are duplicates: of what (twx_each_key()), with which value of the part in question.
 */
typedef struct twx_duplicate {
    uint64_t each;
    uint32_t value; /* part of its hash */
} twx_duplicate;

/* How often duplicates count for a hypothesis that has `each`. Sorts them. */
uint64_t twx_count_duplicates(const twx_hypothesis *h, twx_duplicate *at, size_t n);

#endif
