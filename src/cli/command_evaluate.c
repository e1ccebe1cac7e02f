#include <errno.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/session.h"

/* Runs the evaluation with a second output. The file is opened first, so that an unwritable path
 * fails before the work is done. */
static int evaluate_into(twx_session *s, twindex_evaluate_options how, const char *path) {
    twx_stdout out = {.file = fopen(path, "we")};
    const twindex_sink sink = {.write = twx_stdout_write, .arg = &out, .format = TWINDEX_JSON};
    if (!out.file)
        return twx_rc_exit(twx_fail(&s->cx, TWX_E_CREATE, "create %s: %s", path, strerror(errno)));
    how.also = &sink;
    int result = twx_stdout_finish(&out, twindex_evaluate(s->t, &how, &s->sink));
    if (fclose(out.file) != 0 && !out.error) out.error = errno;
    if (!out.error) return result;
    return twx_rc_exit(twx_fail(&s->cx, TWX_E_IO, "write %s: %s", path, strerror(out.error)));
}

static int evaluate(twx_session *s) {
    const twx_options *o = &s->options;
    size_t sample = 0, hidden = 0, seed = 0;
    twx_rc rc = twx_options_sample(&s->cx, o, TWINDEX_EVALUATE_SAMPLE, &sample);
    if (rc == TWX_OK)
        rc = twx_options_number(&s->cx, "hidden", o->hidden, TWINDEX_EVALUATE_HIDDEN, &hidden);
    if (rc == TWX_OK) rc = twx_options_number(&s->cx, "seed", o->seed, 1, &seed);
    const twindex_evaluate_options how = {.detectors = o->detectors,
                                          .truth = o->truth,
                                          .sample = sample,
                                          .hidden = hidden,
                                          .seed = seed,
                                          .findable = o->findable,
                                          .known = o->known,
                                          .html = o->html};
    if (rc != TWX_OK) return twx_rc_exit(rc);
    return o->save ? evaluate_into(s, how, o->save) : twindex_evaluate(s->t, &how, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"detectors", 'd', "NAME,...", TWX_OPTION_FIELD(detectors),
     "compare these detectors; all, the default: every detector that uses the text"},
    {"truth", 't', "similarity|FILE", TWX_OPTION_FIELD(truth),
     "what makes a pair true: the similarity of its texts, the default, or the labels in FILE"},
    {"sample", 0, "N", TWX_OPTION_FIELD(sample),
     "compare the texts of about N pairs, 20000 by default; 0: of all pairs"},
    {"hidden", 0, "N", TWX_OPTION_FIELD(hidden),
     "examine N documents that a method hides and N that it leaves visible, 500 by default; 0: "
     "none"},
    {"findable", 'f', NULL, TWX_OPTION_FIELD(findable),
     "print instead whether the names of hidden documents are found in their representatives "
     "and by search"},
    {"known", 0, "FILE", TWX_OPTION_FIELD(known),
     "with --findable: relations between URLs of known duplicates (scheme, www, mirror, path, "
     "query-near)"},
    {"seed", 0, "N", TWX_OPTION_FIELD(seed), "draw a different sample of documents; 1 by default"},
    {"html", 0, NULL, TWX_OPTION_FIELD(html), "print an HTML page"},
    {"save", 0, "FILE", TWX_OPTION_FIELD(save), "also write the result to FILE, as JSON"},
    {"jobs", 'j', "N", "run.jobs", NULL, 0,
     "compare texts on N threads; 0, the default: one per processor"},
    {"memory", 'm', "SIZE", "run.memory", NULL, 0,
     "use about SIZE bytes of memory (suffixes K, M, G)"},
    {"accept-mapping", 0, NULL, "store.accept_mapping", "yes", 0,
     "use the mapping that was found even if others fit, too"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_evaluate = {
    .name = "evaluate",
    .run = evaluate,
    .kind = TWX_CLI_READS,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
};
