/* The commands of search and ranking rules: of each what it alone does, and its row, in the order
 * of 'twindex help'. What all commands do is in session.c and options.c; their options are in
 * options.tsv. */
#include "cli/cli.h"

/* ==== command_index */

typedef struct index_options {
    bool drop;
} index_options;

static int make_index(twx_session *s) {
    const index_options *own = s->options.own;
    return twindex_index(s->t, own->drop, &s->sink);
}

TWX_COMMAND(index, WRITES, "STORE", .run = make_index,
            TWX_COMMAND_OPTIONS(TWX_INDEX_OPTIONS TWX_ACCEPT_MAPPING_OPTIONS),
            .own_bytes = sizeof(index_options));

/* ==== command_search */

static int search(twx_session *s) {
    twindex_search_options *how = s->options.own;
    how->query = s->arguments_n ? s->arguments[0] : NULL;
    if (!how->query && !how->queries)
        return twx_rc_exit(twx_fail(&s->cx, TWX_E_USAGE, "QUERY or --queries FILE is missing"));
    return twindex_search(s->t, how, &s->sink);
}

/* The query; none if queries are read from a file. */
static size_t others(const void *own) {
    const twindex_search_options *how = own;
    return how->queries ? 0 : 1;
}

TWX_COMMAND(search, READS, "STORE... [QUERY]", .run = search,
            TWX_COMMAND_OPTIONS(TWX_SEARCH_OPTIONS TWX_WIDE_OPTIONS), .others = others,
            TWX_COMMAND_DEFAULTS(twindex_search_options, .limit = TWINDEX_SEARCH_LIMIT));

/* ==== command_rules */

typedef struct rules_options {
    bool sql;
} rules_options;

static int rules(twx_session *s) {
    const rules_options *own = s->options.own;
    return twindex_rules(s->t, s->arguments[0], own->sql, &s->sink);
}

TWX_COMMAND(rules, PURE, "FILE", .run = rules,
            TWX_COMMAND_OPTIONS(TWX_RULES_OPTIONS TWX_JSON_OPTIONS TWX_WIDE_OPTIONS),
            .own_bytes = sizeof(rules_options));

/* ==== command_tune */

typedef struct tune_options {
    twindex_tune_options library;
    twx_texts vary;
} tune_options;

static int tune(twx_session *s) {
    tune_options *own = s->options.own;
    own->library.vary = own->vary.at;
    own->library.n_vary = own->vary.n;
    return twindex_tune(s->t, &own->library, &s->sink);
}

TWX_COMMAND(tune, READS, "STORE", .run = tune,
            TWX_COMMAND_OPTIONS(TWX_TUNE_OPTIONS TWX_WIDE_OPTIONS),
            TWX_COMMAND_DEFAULTS(tune_options,
                                 .library = {.limit = TWINDEX_TUNE_LIMIT, .max_duplicates = 1}));
