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
     "print all tables, with these detectors; all: every detector that uses the text"},
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

/* ==== sweep */

typedef struct sweep_options {
    twindex_sweep_options library;
    bool ask;
} sweep_options;

static const sweep_options SWEEP_DEFAULTS = {
    .library = {.hidden = TWINDEX_EVALUATE_HIDDEN, .seed = 1, .limit = TWINDEX_SWEEP_PAIRS}};

/* Reads an answer: a line with y, n, or q; any other line skips the pair. */
static twindex_answer read_answer(void *arg) {
    twx_session *s = arg;
    char line[64];
    (void)twx_stdout_print(&s->out, "same page? (y)es, (n)o, Enter: skip, (q)uit ");
    fflush(s->out.file);
    if (!fgets(line, sizeof line, stdin) || *line == 'q') return TWINDEX_ANSWER_END;
    return *line == 'y' || *line == '1'   ? TWINDEX_ANSWER_SAME
           : *line == 'n' || *line == '0' ? TWINDEX_ANSWER_OTHER
                                          : TWINDEX_ANSWER_NONE;
}

static int sweep(twx_session *s) {
    const sweep_options *own = s->options.own;
    twindex_sweep_options how = own->library;
    how.setting = s->arguments[0];
    how.answer = own->ask ? read_answer : NULL;
    how.answer_arg = s;
    return twindex_sweep(s->t, &how, &s->sink);
}

static const twx_option SWEEP_OPTIONS[] = {
    {"pairs", 'p', "VALUE", TWX_OPTION_OWN(TEXT, sweep_options, library.pairs),
     "print instead the pairs of texts whose similarity is nearest to VALUE"},
    {"labels", 0, "FILE", TWX_OPTION_OWN(TEXT, sweep_options, library.labels),
     "recommend a value by the labels in FILE: lines of URL, URL and 1 or 0, separated by tabs"},
    {"ask", 0, NULL, TWX_OPTION_OWN(FLAG, sweep_options, ask),
     "with --pairs: ask after each pair whether it is the same page, and add the answer to the "
     "labels"},
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, sweep_options, library.limit),
     "print N pairs, 12 by default; 0: all"},
    {"hidden", 0, "N", TWX_OPTION_OWN(NUMBER64, sweep_options, library.hidden),
     "examine N hidden documents for each value, 500 by default; 0: all"},
    {"seed", 0, "N", TWX_OPTION_OWN(NUMBER64, sweep_options, library.seed),
     "draw a different sample of documents; 1 by default"},
    {"csv", 0, NULL, TWX_OPTION_OWN(FLAG, sweep_options, library.csv), "print CSV"},
    {"jobs", 'j', "N", TWX_OPTION_SETTING("run.jobs", NULL),
     "judge N values at a time, at most 16; 0, the default: one per processor"},
    {"memory", 'm', "SIZE", TWX_OPTION_SETTING("run.memory", NULL),
     "use about SIZE bytes of memory (suffixes K, M, G)"},
    TWX_OPTION_ACCEPT_MAPPING,
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

TWX_COMMAND(sweep, READS, "STORE NAME=VALUES", .run = sweep, .options = SWEEP_OPTIONS,
            TWX_COMMAND_OWN(SWEEP_DEFAULTS));
