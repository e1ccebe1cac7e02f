#include "cli/commands.h"
#include "cli/session.h"

typedef struct tune_options {
    twindex_tune_options library;
    twx_texts vary;
} tune_options;

static const tune_options DEFAULTS = {
    .library = {.limit = TWINDEX_TUNE_LIMIT, .max_duplicates = 1}};

static int tune(twx_session *s) {
    tune_options *own = s->options.own;
    own->library.vary = own->vary.at;
    own->library.n_vary = own->vary.n;
    return twindex_tune(s->t, &own->library, &s->sink);
}

static const twx_option OPTIONS[] = {
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

const twx_command twx_command_tune = {
    .name = "tune",
    .run = tune,
    .kind = TWX_CLI_READS,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
