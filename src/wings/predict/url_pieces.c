#include "predict/url_pieces.h"

#include "url/url_parse.h"

static twx_slice after(twx_slice s, size_t at) {
    return twx_slice_sub(s, at, s.n);
}

static void split_path(twx_url_pieces *p) {
    twx_slice rest = p->path;
    p->segments_n = 0;
    p->more_path = (twx_slice){NULL, 0};
    if (rest.n == 0 || rest.p[0] != '/') {
        p->segments[p->segments_n++] = rest;
        return;
    }
    while (rest.n > 0) { /* rest begins with '/' */
        if (p->segments_n == TWX_URL_SEGMENTS) {
            p->more_path = rest;
            return;
        }
        size_t end = twx_slice_find(rest, '/', 1);
        p->segments[p->segments_n++] = twx_slice_sub(rest, 1, end);
        rest = after(rest, end);
    }
}

void twx_query_pieces_of(twx_slice query, twx_url_pieces *ret_parts) {
    twx_url_pieces *p = ret_parts;
    twx_slice rest = query;
    p->query = query;
    p->parameters_n = 0;
    p->more_query = (twx_slice){NULL, 0};
    while (rest.n > 0) {
        size_t end = twx_slice_find(rest, '&', 0);
        if (end > 0) {
            if (p->parameters_n == TWX_URL_PARAMETERS) {
                p->more_query = rest;
                return;
            }
            twx_slice piece = twx_slice_sub(rest, 0, end);
            size_t equals = twx_slice_find(piece, '=', 0);
            p->parameters[p->parameters_n++] = (twx_parameter){
                .name = twx_slice_sub(piece, 0, equals),
                .value = equals < end ? after(piece, equals + 1) : (twx_slice){NULL, 0}};
        }
        rest = after(rest, end + 1);
    }
}

void twx_url_pieces_of(twx_slice url, twx_url_pieces *ret_parts) {
    twx_url_parts parts;
    twx_url_split(url, &parts);
    ret_parts->path = parts.path;
    ret_parts->origin = url.p ? twx_slice_sub(url, 0, (size_t)(parts.path.p - url.p)) : url;
    split_path(ret_parts);
    twx_query_pieces_of(parts.query, ret_parts);
}
