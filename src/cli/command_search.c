#include "cli/commands.h"
#include "cli/session.h"

static const twindex_search_options DEFAULTS = {.limit = TWINDEX_SEARCH_LIMIT};

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

static const twx_option OPTIONS[] = {
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

const twx_command twx_command_search = {
    .name = "search",
    .run = search,
    .kind = TWX_CLI_READS,
    .several = true,
    .others = others,
    .arguments = "STORE... [QUERY]",
    .least = 1,
    .most = -1,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
