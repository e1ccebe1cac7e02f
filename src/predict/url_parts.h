/* predict/url_parts.h: a URL in normal form (url/url_norm.h) taken apart as the hypotheses look at
 * it: origin, path segments, parameters. Nothing is decoded and nothing is copied: every part is a
 * slice of the URL.
 * [R1] Origin, path and query with their delimiters are the URL. Segments and what is behind them
 * are the path; parameters and what is behind them are the query, but for the '&' of empty pieces.
 * [R2] Bounded: a URL has any number of parameters and segments, of which so many are looked at one
 * by one; the rest is one opaque slice. Linear in the length of the URL.
 * [R3] Every byte string splits. A piece without '=' has an absent value; a name may be empty, may
 * occur again, and is any bytes. */
#ifndef TWX_PREDICT_URL_PARTS_H
#define TWX_PREDICT_URL_PARTS_H

#include "base/slice.h"

enum { TWX_PAGE_PARAMETERS = 64, TWX_PAGE_SEGMENTS = 16 };

typedef struct twx_parameter {
    twx_slice name;  /* in front of the first '='; never absent, may be empty */
    twx_slice value; /* absent: there is no '=' */
} twx_parameter;

/* Memory: borrows the URL. Only the first parameters_n and segments_n entries are set. */
typedef struct twx_page_parts {
    twx_slice origin;      /* scheme, user, host, port: all in front of the path */
    twx_slice path, query; /* query: without '?'; absent without one */
    twx_slice more_path;   /* behind the last segment, its '/' included; absent: nothing is left */
    twx_slice more_query;  /* behind the last parameter and its '&'; absent: nothing is left */
    size_t segments_n, parameters_n;
    /* "/a/b" has a and b, "/a/" has a and an empty one; a path that does not begin with '/' is one
     * segment */
    twx_slice segments[TWX_PAGE_SEGMENTS];
    twx_parameter parameters[TWX_PAGE_PARAMETERS];
} twx_page_parts;

/* url: in normal form; a fragment is left out. */
void twx_page_split(twx_slice url, twx_page_parts *ret_parts);
/* Sets query, parameters and more_query alone. */
void twx_page_split_query(twx_slice query, twx_page_parts *ret_parts);

#endif
