/* The commands of search and ranking rules: of each its options, what it alone does, and its row,
 * in the order of 'twindex help'. What all commands do is in session.c and options.c. */
#include "cli/cli.h"

/* ==== command_index */

typedef struct index_options {
    bool drop;
} index_options;

static int make_index(twx_session *s) {
    const index_options *own = s->options.own;
    return twindex_index(s->t, own->drop, &s->sink);
}

static const twx_option INDEX_OPTIONS[] = {
    {"drop", 0, NULL, TWX_OPTION_OWN(FLAG, index_options, drop), "remove the index"},
    {"language", 0, "CODE", TWX_OPTION_SETTING("index.language", NULL),
     "the language of documents that declare none"},
    TWX_OPTION_ACCEPT_MAPPING,
    TWX_OPTION_END,
};

TWX_COMMAND(index, WRITES, "STORE", .run = make_index, .options = INDEX_OPTIONS,
            .own_bytes = sizeof(index_options));

/* ==== command_search */

static const twindex_search_options SEARCH_DEFAULTS = {.limit = TWINDEX_SEARCH_LIMIT};

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

static const twx_option SEARCH_OPTIONS[] = {
    {"rules", 'r', "FILE", TWX_OPTION_OWN(TEXT, twindex_search_options, rules),
     "rank by the rules in FILE; without it, by the text alone"},
    {"compare", 0, "FILE", TWX_OPTION_OWN(TEXT, twindex_search_options, compare),
     "show what the rules in FILE would change"},
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, twindex_search_options, limit),
     "show at most N hits, 10 by default; 0: all"},
    {"queries", 0, "FILE", TWX_OPTION_OWN(TEXT, twindex_search_options, queries),
     "read queries from FILE, one per line, and print figures over all of them"},
    {"judgements", 0, "FILE", TWX_OPTION_OWN(TEXT, twindex_search_options, judgements),
     "with --queries: print nDCG@10 and MRR by the relevance judgements in FILE"},
    {"fts5", 0, NULL, TWX_OPTION_OWN(FLAG, twindex_search_options, fts5),
     "read queries as expressions of SQLite's FTS5"},
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

TWX_COMMAND(search, READS, "STORE... [QUERY]", .run = search, .options = SEARCH_OPTIONS,
            .others = others, TWX_COMMAND_OWN(SEARCH_DEFAULTS));

/* ==== command_rules */

typedef struct rules_options {
    bool sql;
} rules_options;

static int rules(twx_session *s) {
    const rules_options *own = s->options.own;
    return twindex_rules(s->t, s->arguments[0], own->sql, &s->sink);
}

static const twx_option RULES_OPTIONS[] = {
    {"sql", 0, NULL, TWX_OPTION_OWN(FLAG, rules_options, sql),
     "print the SQL statement that the rules compile to"},
    TWX_OPTION_JSON,
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

TWX_COMMAND(rules, PURE, "FILE", .run = rules, .options = RULES_OPTIONS,
            .own_bytes = sizeof(rules_options));

/* ==== command_tune */

typedef struct tune_options {
    twindex_tune_options library;
    twx_texts vary;
} tune_options;

static const tune_options TUNE_DEFAULTS = {
    .library = {.limit = TWINDEX_TUNE_LIMIT, .max_duplicates = 1}};

static int tune(twx_session *s) {
    tune_options *own = s->options.own;
    own->library.vary = own->vary.at;
    own->library.n_vary = own->vary.n;
    return twindex_tune(s->t, &own->library, &s->sink);
}

static const twx_option TUNE_OPTIONS[] = {
    {"rules", 'r', "FILE", TWX_OPTION_OWN(TEXT, tune_options, library.rules),
     "the rules file whose numbers are varied"},
    {"vary", 0, "NAME=LIST", TWX_OPTION_OWN(TEXTS, tune_options, vary),
     "try these values, separated by commas, for the number NAME of [numbers]; may be repeated"},
    {"queries", 0, "FILE", TWX_OPTION_OWN(TEXT, tune_options, library.queries),
     "read queries from FILE, one per line"},
    {"judgements", 0, "FILE", TWX_OPTION_OWN(TEXT, tune_options, library.judgements),
     "read relevance judgements from FILE: lines of query, URL and grade, separated by tabs"},
    {"max-duplicates", 0, "SHARE", TWX_OPTION_OWN(SHARE, tune_options, library.max_duplicates),
     "the largest share of duplicates in the first 10 hits that the best combination may have; "
     "1, the default: any"},
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, tune_options, library.limit),
     "show the best N combinations, 10 by default; 0: all"},
    {"fts5", 0, NULL, TWX_OPTION_OWN(FLAG, tune_options, library.fts5),
     "read queries as expressions of SQLite's FTS5"},
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

TWX_COMMAND(tune, READS, "STORE", .run = tune, .options = TUNE_OPTIONS,
            TWX_COMMAND_OWN(TUNE_DEFAULTS));
