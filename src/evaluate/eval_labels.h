/* evaluate/eval_labels.h: truth made by people, from a file. Fields are parted by tabs; empty lines
 * and lines that begin with '#' are skipped.
 *     url TAB url TAB 1|0     two documents that are doubles, or are not: only these pairs count
 *     url TAB cluster         all pairs of the URLs of a cluster are doubles, pairs across clusters
 *                             are not
 * A URL stands for the document of the store whose URL has the same normal form (the first, if
 * there are several), or, when it is no usable URL, the same bytes.
 * [R1] What is wrong is named with file and line: TWX_E_DATA. [R2] What is said twice counts once;
 * what contradicts itself is an error.
 * Memory: embedded struct; the strings of the file are kept. */
#ifndef TWX_EVALUATE_EVAL_LABELS_H
#define TWX_EVALUATE_EVAL_LABELS_H

#include "base/map64.h"
#include "evaluate/eval_texts.h"
#include "ingest/input.h"
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
    uint32_t found; /* bit d: detector d says so */
} twx_eval_label_pair;

typedef struct twx_eval_labels {
    bool clusters; /* which kind of file; else pairs */
    twx_url_options url_options;
    TWX_VEC(twx_eval_label_url) urls;
    TWX_VEC(twx_eval_label_pair) pairs;
    size_t n_clusters;
    twx_arena strings;
    twx_map64 by_url; /* hash of the normal form -> URL */
} twx_eval_labels;

/* Reads all of `in`. url_options: borrowed rules inside. */
TWX_CHECK twx_rc twx_eval_labels_read(twx_ctx *cx, const twx_url_options *url_options,
                                      twx_input *in, twx_eval_labels *ret_labels);
void twx_eval_labels_done(twx_eval_labels *l);
/* A document of the store: if its URL is labelled, the label is about this text. */
TWX_CHECK twx_rc twx_eval_labels_meet(twx_ctx *cx, twx_eval_labels *l, twx_slice url,
                                      uint32_t text);

/* How many documents of a cluster have a text. */
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
