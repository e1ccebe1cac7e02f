/* predict/url_pieces.h: splits a URL in normal form (url/url_norm.h) into the pieces that the
 * hypotheses examine: origin, path segments, parameters. Nothing is decoded or copied: every piece
 * is a slice of the URL.
 * [R1] Joined with their delimiters, origin, path and query give the URL, segments and more_path
 * give the path, and parameters and more_query give the query without empty parameters ("&&").
 * [R2] Bounded: only the first parameters and segments are split (the enum below); the rest is one
 * slice. Linear in the length of the URL.
 * [R3] Every byte string splits. A parameter without '=' has an absent value; a name may be empty,
 * may be repeated, and is any bytes. */
#ifndef TWX_PREDICT_URL_PIECES_H
#define TWX_PREDICT_URL_PIECES_H

#include "base/slice.h"

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

#endif
