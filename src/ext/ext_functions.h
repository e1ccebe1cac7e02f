/* ext/ext_functions.h: the SQL functions; the table of twindex_ext.c and docs/extension.md describe
 * their arguments and results. */
#ifndef TWX_EXT_EXT_FUNCTIONS_H
#define TWX_EXT_EXT_FUNCTIONS_H

#include "ext/ext_call.h"

/* A part of the table: of the core, or of a wing. */
typedef struct twx_ext_functions {
    const twx_ext_function *at;
    size_t n;
} twx_ext_functions;

/* twindex_ext.c: the table, and its registration. faults: for tests, else NULL. Returns an SQLite
 * result code. */
const twx_ext_function *twx_ext_function_at(size_t i); /* NULL after the last */
int twx_ext_register(sqlite3 *db, twx_faults *faults);

/* ext_terms.c: registers the tokenizer "twindex" of the text index, which stems the words of a
 * query in all languages. Returns an SQLite result code; without FTS5 there is nothing to do. */
int twx_ext_register_terms(sqlite3 *db, twx_faults *faults);
twx_ext_fn twx_ext_search_terms;
twx_ext_fn twx_ext_search_expression;

/* ext_signatures.c: of one text */
twx_ext_fn twx_ext_key;   /* the detector's key as a signed integer */
twx_ext_fn twx_ext_fuzzy; /* the same, with the parameters of the profile */
twx_ext_fn twx_ext_fuzzy_profile;
twx_ext_fn twx_ext_payload; /* the detector's payload as a blob */
/* Signs a text with a detector: sets ret_key and ret_payload (borrowed until the call ends).
 * TWX_DONE: no signature. */
TWX_CHECK twx_rc twx_ext_sign(twx_ext *x, const twx_detector *d, const twx_params *params,
                              twx_slice text, twx_key *ret_key, twx_slice *ret_payload);

/* ext_compare.c: functions of two values */
twx_ext_fn twx_ext_hamming;
twx_ext_fn twx_ext_shingle_resemblance;
twx_ext_fn twx_ext_shingle_containment;
twx_ext_fn twx_ext_text_similarity;
twx_ext_fn twx_ext_alignment_similarity;

/* ext_urls.c */
twx_ext_fn twx_ext_url_normalize;
twx_ext_fn twx_ext_url_twin_key;
twx_ext_fn twx_ext_url_host;
twx_ext_fn twx_ext_url_domain;

/* ext_pages.c: the functions of page/page_values.h, distinguished by name */
twx_ext_fn twx_ext_page;

/* ext_about.c: about the extension itself */
twx_ext_fn twx_ext_config;
twx_ext_fn twx_ext_help;
twx_ext_fn twx_ext_version;

#endif
