#include "cli/commands.h"
#include "cli/session.h"

static const double THRESHOLD = 0.98, EXPLORATION = 0.05, TRAIN = 0.5;

static twx_rc check_combination(twx_session *s) {
    const twx_options *o = &s->options;
    if (o->filter + o->print_rules + o->replay > 1)
        return twx_fail(&s->cx, TWX_E_USAGE,
                        "only one of --filter, --rules and --evaluate can be given");
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
    /* the library writes each answer as a block: buffering here would only delay it */
    setvbuf(s->out.file, NULL, _IONBF, 0);
    return twindex_predict(s->t, &how, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"filter", 'f', NULL, TWX_OPTION_FIELD(filter),
     "print only the URLs worth fetching, as they were given"},
    {"threshold", 't', "P", TWX_OPTION_FIELD(threshold),
     "consider a URL a duplicate from this probability upwards, 0.98 by default"},
    {"exploration", 'e', "P", TWX_OPTION_FIELD(exploration),
     "consider this share of likely duplicates worth fetching anyway, 0.05 by default"},
    {"rules", 'r', NULL, TWX_OPTION_FIELD(print_rules),
     "print what was learned about parameters as a file for the setting url.rules"},
    {"evaluate", 0, NULL, TWX_OPTION_FIELD(replay),
     "replay the crawl and print downloads saved and unique pages lost for several thresholds"},
    {"train", 0, "P", TWX_OPTION_FIELD(train),
     "with --evaluate: learn from the first P of the documents, 0.5 by default"},
    {"memory", 'm', "SIZE", "run.memory", NULL, 0,
     "use about SIZE bytes of memory (suffixes K, M, G)"},
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
};
