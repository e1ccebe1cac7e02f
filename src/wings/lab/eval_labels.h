/* lab/eval_labels.h: manually labelled pairs or clusters, read from a file. Fields are
 * separated by tabs; empty lines and lines that begin with '#' are ignored.
 *     url TAB url TAB 1|0     the two documents are duplicates, or are not; no other pairs count
 *     url TAB cluster         all pairs of URLs in a cluster are duplicates, pairs across clusters
 *                             are not
 * A URL refers to the document of the store with the same normalized URL (the first if there are
 * several) or, if it is not a usable URL, with the same bytes.
 * [R1] Errors name the file and the line: TWX_E_DATA.
 * [R2] A repeated label counts once; contradictory labels are an error.
 * Memory: embedded struct; the strings of the file are kept. */
#ifndef TWX_LAB_EVAL_LABELS_H
#define TWX_LAB_EVAL_LABELS_H

#include "base/map64.h"
#include "lab/eval_texts.h"
#include "run/input.h"
#include "url/url_norm.h"

typedef struct twx_eval_label_url {
    twx_slice url;
    uint32_t text;    /* TWX_EVAL_NO_TEXT: not in the store, or without text */
    uint32_t cluster; /* number of its cluster */
    bool met;         /* it is in the store */
} twx_eval_label_url;

typedef struct twx_eval_label_pair {
    uint32_t a, b; /* URLs */
    bool same;
    uint32_t found; /* bit d: detector d finds the pair */
} twx_eval_label_pair;

typedef struct twx_eval_labels {
    bool clusters; /* the file has clusters; false: pairs */
    twx_url_options url_options;
    TWX_VEC(twx_eval_label_url) urls;
    TWX_VEC(twx_eval_label_pair) pairs;
    size_t n_clusters;
    twx_arena strings;
    twx_map64 by_url; /* hash of the normalized URL -> URL */
} twx_eval_labels;

/* Reads all of `in`. url_options: the rules inside are borrowed. */
TWX_CHECK twx_rc twx_eval_labels_read(twx_ctx *cx, const twx_url_options *url_options,
                                      twx_input *in, twx_eval_labels *ret_labels);
void twx_eval_labels_done(twx_eval_labels *l);
/* Called for each document of the store: if its URL is labelled, the label applies to this text. */
TWX_CHECK twx_rc twx_eval_labels_meet(twx_ctx *cx, twx_eval_labels *l, twx_slice url,
                                      uint32_t text);

/* The number of documents of a cluster that have a text. */
typedef struct twx_eval_share {
    uint32_t text, cluster, documents;
} twx_eval_share;

/* Shape  at[from[i]..from[i+1]) are the shares of text i, ascending by cluster. Memory: embedded
 * struct, owned. */
typedef struct twx_eval_shares {
    TWX_VEC(twx_eval_share) at;
    TWX_VEC(uint32_t) from;
} twx_eval_shares;

TWX_CHECK twx_rc twx_eval_shares_make(twx_ctx *cx, const twx_eval_labels *l, size_t texts,
                                      twx_eval_shares *ret_shares);
void twx_eval_shares_done(twx_eval_shares *s);

#endif
