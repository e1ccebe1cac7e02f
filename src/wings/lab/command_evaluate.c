#include "cli/cli.h"

typedef struct evaluate_options {
    twindex_evaluate_options how;
    const char *save; /* a file for a second output; NULL: none */
} evaluate_options;

static const evaluate_options DEFAULTS = {
    .how = {.sample = TWINDEX_EVALUATE_SAMPLE, .hidden = TWINDEX_EVALUATE_HIDDEN, .seed = 1}};

static int evaluate(twx_session *s) {
    evaluate_options *own = s->options.own;
    twx_output_file f;
    if (!own->save) return twindex_evaluate(s->t, &own->how, &s->sink);
    twx_rc rc = twx_output_file_open(&s->cx, own->save, TWINDEX_JSON, &f);
    if (rc != TWX_OK) return twx_rc_exit(rc);
    own->how.also = &f.sink;
    return twx_output_file_finish(&s->cx, &f, twindex_evaluate(s->t, &own->how, &s->sink));
}

static const twx_option OPTIONS[] = {
    TWX_EVALUATE_OPTIONS TWX_MEMORY_OPTIONS TWX_ACCEPT_MAPPING_OPTIONS TWX_WIDE_OPTIONS
        TWX_OPTION_END};

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
    TWX_SWEEP_OPTIONS TWX_ACCEPT_MAPPING_OPTIONS TWX_WIDE_OPTIONS TWX_OPTION_END};

TWX_COMMAND(sweep, READS, "STORE NAME=VALUES", .run = sweep, .options = SWEEP_OPTIONS,
            TWX_COMMAND_OWN(SWEEP_DEFAULTS));
