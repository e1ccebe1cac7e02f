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
                      how.query ? "give QUERY or --queries FILE, not both"
                                : "QUERY or --queries FILE is missing");
    return rc == TWX_OK ? twindex_search(s->t, &how, &s->sink) : twx_rc_exit(rc);
}

static const twx_option OPTIONS[] = {
    {"rules", 'r', "FILE", TWX_OPTION_FIELD(rules),
     "rank by the rules in FILE; without it, by the text alone"},
    {"compare", 0, "FILE", TWX_OPTION_FIELD(compare), "show what the rules in FILE would change"},
    {"limit", 'l', "N", TWX_OPTION_FIELD(limit), "show at most N hits, 10 by default; 0: all"},
    {"queries", 0, "FILE", TWX_OPTION_FIELD(queries),
     "read queries from FILE, one per line, and print figures over all of them"},
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
};
