#include "cli/cli.h"

/* ==== command_learn */

static const twx_option LEARN_OPTIONS[] = {
    TWX_MEMORY_OPTIONS TWX_ACCEPT_MAPPING_OPTIONS TWX_OPTION_END};

TWX_COMMAND(learn, WRITES, "STORE", .call = twindex_learn, .options = LEARN_OPTIONS);

/* ==== command_predict */

static const twindex_predict_options PREDICT_DEFAULTS = {
    .threshold = 0.98, .exploration = 0.05, .train = 0.5};

static int predict(twx_session *s) {
    twindex_predict_options *how = s->options.own;
    how->urls = (const char *const *)s->arguments;
    how->n = s->arguments_n;
    if (how->filter + how->rules + how->evaluate + how->model > 1)
        return twx_rc_exit(
            twx_fail(&s->cx, TWX_E_USAGE,
                     "only one of --filter, --rules, --model and --evaluate can be given"));
    if ((how->rules || how->evaluate || how->model) && s->arguments_n)
        return twx_rc_exit(twx_fail(&s->cx, TWX_E_USAGE, "--%s takes no URLs",
                                    how->evaluate ? "evaluate"
                                    : how->model  ? "model"
                                                  : "rules"));
    /* the library writes each answer as a block: buffering here would only delay it */
    setvbuf(s->out.file, NULL, _IONBF, 0);
    return twindex_predict(s->t, how, &s->sink);
}

static const twx_option PREDICT_OPTIONS[] = {TWX_PREDICT_OPTIONS TWX_MEMORY_OPTIONS TWX_OPTION_END};

TWX_COMMAND(predict, READS, "STORE [URL...]", .run = predict, .options = PREDICT_OPTIONS,
            TWX_COMMAND_OWN(PREDICT_DEFAULTS));
