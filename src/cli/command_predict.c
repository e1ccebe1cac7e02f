#include "cli/commands.h"
#include "cli/session.h"

static const double THRESHOLD = 0.98, EXPLORATION = 0.05, TRAIN = 0.5;

static twx_rc check_combination(twx_session *s) {
    const twx_options *o = &s->options;
    if (o->filter + o->print_rules + o->replay > 1)
        return twx_fail(&s->cx, TWX_E_USAGE,
                        "of --filter, --rules and --evaluate only one can be asked for");
    if ((o->print_rules || o->replay) && s->arguments_n)
        return twx_fail(&s->cx, TWX_E_USAGE, "--%s takes no URLs",
                        o->replay ? "evaluate" : "rules");
    return TWX_OK;
}

static int predict(twx_session *s) {
    const twx_options *o = &s->options;
    twindex_predict_options how = {.urls = (const char *const *)s->arguments,
                                   .n = s->arguments_n,
                                   .filter = o->filter,
                                   .rules = o->print_rules,
                                   .evaluate = o->replay};
    twx_rc rc = check_combination(s);
    if (rc == TWX_OK)
        rc = twx_options_share(&s->cx, "threshold", o->threshold, THRESHOLD, &how.threshold);
    if (rc == TWX_OK)
        rc = twx_options_share(&s->cx, "exploration", o->exploration, EXPLORATION,
                               &how.exploration);
    if (rc == TWX_OK) rc = twx_options_share(&s->cx, "train", o->train, TRAIN, &how.train);
    if (rc != TWX_OK) return twx_rc_exit(rc);
    /* answers come in blocks already; none may wait here for the next one */
    setvbuf(s->out.file, NULL, _IONBF, 0);
    return twindex_predict(s->t, &how, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"filter", 'f', NULL, TWX_OPTION_FIELD(filter),
     "print only URLs worth fetching, as they were given"},
    {"threshold", 't', "P", TWX_OPTION_FIELD(threshold),
     "take a URL for a duplicate from this probability on, 0.98 by default"},
    {"exploration", 'e', "P", TWX_OPTION_FIELD(exploration),
     "call this share of likely duplicates worth fetching all the same, 0.05 by default"},
    {"rules", 'r', NULL, TWX_OPTION_FIELD(print_rules),
     "print what was learned of parameters as a file for the setting url.rules"},
    {"evaluate", 0, NULL, TWX_OPTION_FIELD(replay),
     "replay the crawl: print downloads saved and unique pages lost, by threshold"},
    {"train", 0, "P", TWX_OPTION_FIELD(train),
     "with --evaluate: learn from the first P of the documents, 0.5 by default"},
    {"memory", 'm', "SIZE", "run.memory", NULL, 0, "use about SIZE bytes of memory (K, M, G)"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_predict = {
    .name = "predict",
    .run = predict,
    .kind = TWX_CLI_READS,
    .arguments = "STORE [URL...]",
    .least = 1,
    .most = -1,
    .options = OPTIONS,
    .summary = "say how likely a URL leads to a duplicate",
    .description =
        "Prints for each URL, or for each line of standard input, how likely its page is a "
        "duplicate of one that STORE has, by what 'twindex learn' has learned:\n\n"
        "    PROBABILITY TAB URL TAB HYPOTHESIS TAB DUPLICATES TAB OTHERS\n\n"
        "HYPOTHESIS is the number of the one that says so, - when none does; the last two are its "
        "trials. The probability is the lower end of the 95 % interval. A hypothesis says "
        "something of a URL when STORE has one that differs from it in just that: the same page "
        "with another session, without the sort order, of another host.\n\n"
        "A line is answered before more is waited for, so that a crawler can keep the program "
        "running and talk to it. With --filter URLs that were printed count as seen from then on; "
        "the very same URL again is the crawler's own to know.\n\n"
        "The rules of --rules are for people to look over; as the setting url.rules they make such "
        "URLs equal. Lines for robots.txt (Clean-param) stand in their comments.",
    .examples = {{"twindex predict pages.db 'https://example.org/a?sid=42'", "One URL."},
                 {"sort -u frontier | twindex predict --filter pages.db >worth-fetching",
                  "Filters the URLs of a crawl."},
                 {"twindex predict --rules pages.db >learned.rules",
                  "What was learned, to be looked over."},
                 {"twindex predict --evaluate pages.db", "What it would have saved."}},
};
