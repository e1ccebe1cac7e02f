#include <errno.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/session.h"

/* Runs the evaluation with a second output. The file is opened first: what cannot be kept need not
 * be computed. */
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
     "compare these detectors; all: every one that looks at texts, the default"},
    {"truth", 't', "similarity|FILE", TWX_OPTION_FIELD(truth),
     "what makes a pair true: the resemblance of its texts, the default, or the labels of FILE"},
    {"sample", 0, "N", TWX_OPTION_FIELD(sample),
     "compare the texts of about N pairs, 20000 by default; 0: of all"},
    {"hidden", 0, "N", TWX_OPTION_FIELD(hidden),
     "look at N documents that a method hides and N that it leaves visible, 500 by default; 0: "
     "none"},
    {"findable", 'f', NULL, TWX_OPTION_FIELD(findable),
     "print instead whether the names of hidden documents are found in their representatives and "
     "by search"},
    {"known", 0, "FILE", TWX_OPTION_FIELD(known),
     "with --findable: relations between URLs of known copies (scheme, www, mirror, path, "
     "query-near)"},
    {"seed", 0, "N", TWX_OPTION_FIELD(seed), "draw other documents; 1 by default"},
    {"html", 0, NULL, TWX_OPTION_FIELD(html), "print a page of HTML"},
    {"save", 0, "FILE", TWX_OPTION_FIELD(save), "write the result into FILE too, as JSON"},
    {"jobs", 'j', "N", "run.jobs", NULL, 0,
     "compare texts on N threads; 0, the default: one a processor"},
    {"memory", 'm', "SIZE", "run.memory", NULL, 0, "use about SIZE bytes of memory (K, M, G)"},
    {"accept-mapping", 0, NULL, "store.accept_mapping", "yes", 0,
     "take the mapping that was found although others fit"},
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
    .summary = "compare the detectors on a store: recall, precision, F, cost",
    .description =
        "Runs detectors over the texts of STORE, one after the other, and prints for each: recall, "
        "precision and F with 95 % intervals, the pairs it finds, its groups and the largest of "
        "them (in documents), seconds and MB of text a second on one thread; then the Dice matrix, "
        "how much each two detectors have in common. Nothing is written into STORE.\n\n"
        "A pair is true when 2 x LCS / (a + b), LCS being the length of a longest common "
        "subsequence of characters and a and b the lengths of the texts, is 0.8 or more. Recall is "
        "relative to the pool of what all detectors of the list find. Pairs are counted in "
        "documents, and again with each pair of different texts once.\n\n"
        "With --truth FILE, people say what is true. Each line is one of\n\n"
        "    URL TAB URL TAB 1|0\n"
        "    URL TAB CLUSTER\n\n"
        "Of labelled pairs only those count; of clusters all pairs of the URLs, and the means over "
        "clusters are printed too.\n\n"
        "Documents that would not take part in a run are left out. Of the configured method, or "
        "those that --detectors names, 500 hidden documents are compared with their "
        "representatives and 500 visible ones with the others: the shares that are hidden wrongly "
        "and left visible (--hidden, --seed; -v names them).\n\n"
        "--findable prints another table instead: of the documents that each method hides, the "
        "share with a title word that the representative lacks, whether a search for the title "
        "finds the representative, and which copies stay visible; the relations and the verdict of "
        "the last run are rows of it. Lines of --known are\n\n"
        "    RELATION TAB URL-PREFIX TAB URL-PREFIX\n\n"
        "When a store has too many pairs an even sample is taken, the same one each time. Two "
        "evaluations of one store differ in nothing but seconds.",
    .examples = {{"twindex evaluate pages.db", "Compares all detectors."},
                 {"twindex evaluate --detectors exact,minhash,simhash --sample 0 --json pages.db",
                  "Three of them, every pair compared, as JSON."},
                 {"twindex evaluate --findable --detectors alignment,minhash pages.db",
                  "What becomes of the names of hidden documents."},
                 {"twindex evaluate --truth labels.tsv pages.db",
                  "Against labels made by people."}},
};
