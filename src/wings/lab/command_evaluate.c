#include "cli/cli.h"

typedef struct evaluate_options {
    twindex_evaluate_options how;
    const char *save; /* a file for a second output; NULL: none */
} evaluate_options;

static const evaluate_options DEFAULTS = {
    .how = {.sample = TWINDEX_EVALUATE_SAMPLE, .hidden = TWINDEX_EVALUATE_HIDDEN, .seed = 1}};

/* Runs the evaluation with a second output. */
static int evaluate_into(twx_session *s, twindex_evaluate_options how, const char *path) {
    twx_output_file f;
    twx_rc rc = twx_output_file_open(&s->cx, path, TWINDEX_JSON, &f);
    if (rc != TWX_OK) return twx_rc_exit(rc);
    how.also = &f.sink;
    return twx_output_file_finish(&s->cx, &f, twindex_evaluate(s->t, &how, &s->sink));
}

static int evaluate(twx_session *s) {
    const evaluate_options *own = s->options.own;
    return own->save ? evaluate_into(s, own->how, own->save)
                     : twindex_evaluate(s->t, &own->how, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"detectors", 'd', "DETECTOR,...", TWX_OPTION_OWN(TEXT, evaluate_options, how.detectors),
     "compare these detectors; all, the default: every detector that uses the text"},
    {"truth", 't', "similarity|FILE", TWX_OPTION_OWN(TEXT, evaluate_options, how.truth),
     "what makes a pair true: the similarity of its texts, the default, or the labels in FILE"},
    {"sample", 0, "N", TWX_OPTION_OWN(NUMBER64, evaluate_options, how.sample),
     "compare the texts of about N pairs, 20000 by default; 0: of all pairs"},
    {"hidden", 0, "N", TWX_OPTION_OWN(NUMBER64, evaluate_options, how.hidden),
     "examine N documents that a method hides and N that it leaves visible, 500 by default; 0: "
     "none"},
    {"findable", 'f', NULL, TWX_OPTION_OWN(FLAG, evaluate_options, how.findable),
     "print instead whether the names of hidden documents are found in their representatives "
     "and by search"},
    {"known", 0, "FILE", TWX_OPTION_OWN(TEXT, evaluate_options, how.known),
     "with --findable: relations between URLs of known duplicates (scheme, www, mirror, path, "
     "query-near)"},
    {"seed", 0, "N", TWX_OPTION_OWN(NUMBER64, evaluate_options, how.seed),
     "draw a different sample of documents; 1 by default"},
    {"html", 0, NULL, TWX_OPTION_OWN(FLAG, evaluate_options, how.html), "print an HTML page"},
    {"save", 0, "FILE", TWX_OPTION_OWN(TEXT, evaluate_options, save),
     "also write the result to FILE, as JSON"},
    {"jobs", 'j', "N", TWX_OPTION_SETTING("run.jobs", NULL),
     "compare texts on N threads; 0, the default: one per processor"},
    TWX_OPTION_MEMORY,
    TWX_OPTION_ACCEPT_MAPPING,
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

TWX_COMMAND(evaluate, READS, "STORE", .run = evaluate, .options = OPTIONS,
            TWX_COMMAND_OWN(DEFAULTS));
