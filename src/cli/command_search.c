#include "cli/commands.h"
#include "cli/session.h"

static int search(twx_session *s) {
    const twx_options *o = &s->options;
    size_t limit = 0;
    twx_rc rc = twx_options_limit(&s->cx, o, TWINDEX_SEARCH_LIMIT, &limit);
    const twindex_search_options how = {.query = s->arguments_n ? s->arguments[0] : NULL,
                                        .queries = o->queries,
                                        .rules = o->rules,
                                        .compare = o->compare,
                                        .limit = limit};
    if (rc == TWX_OK && !how.query == !how.queries)
        rc = twx_fail(&s->cx, TWX_E_USAGE,
                      how.query ? "QUERY or --queries FILE, not both"
                                : "QUERY or --queries FILE is needed");
    return rc == TWX_OK ? twindex_search(s->t, &how, &s->sink) : twx_rc_exit(rc);
}

static const twx_option OPTIONS[] = {
    {"rules", 'r', "FILE", TWX_OPTION_FIELD(rules),
     "rank by the rules of FILE; without it, by the text alone"},
    {"compare", 0, "FILE", TWX_OPTION_FIELD(compare),
     "show what the rules of this file would change"},
    {"limit", 'l', "N", TWX_OPTION_FIELD(limit), "show at most N hits, 10 by default; 0: all"},
    {"queries", 0, "FILE", TWX_OPTION_FIELD(queries),
     "take queries from FILE, one a line, and print figures over all of them"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_search = {
    .name = "search",
    .run = search,
    .kind = TWX_CLI_READS,
    .arguments = "STORE [QUERY]",
    .least = 1,
    .most = 2,
    .options = OPTIONS,
    .summary = "rank documents by rules, and compare rules",
    .description =
        "Prints the documents of STORE that match QUERY, best first: rank and score, title, id, "
        "URL, a passage with what matches in brackets, what each rule adds to the score, and the "
        "flags; then the share of doubles in the first 10 and 100. A double is a hit whose cluster "
        "has a hit above it. 'twindex run' and 'twindex index' come first.\n\n"
        "QUERY is in the syntax of SQLite's FTS5: words, all of which have to be there; OR, NOT, "
        "NEAR(); \"phrases\"; word*; title:word. The score is that of the text (bm25 with the "
        "weights of [fields]) plus all boosts and functions of the rules that match; documents the "
        "filter does not take are left out.\n\n"
        "With --compare, each document has its rank by --rules (A; by the text alone when it is "
        "not given) and by the second file (B), and how far it moved. With --queries, a line for "
        "each query and means over all; '#' begins a comment.",
    .examples =
        {{"twindex search pages.db 'solar panel' --rules demote-doubles.rules", "The first ten."},
         {"twindex search pages.db 'solar panel' --compare hide-duplicates.rules --limit 30",
          "What a filter would change."},
         {"twindex search pages.db --queries queries.txt --rules old.rules --compare new.rules "
          "--json",
          "Two files of rules over many queries, as JSON."}},
};
