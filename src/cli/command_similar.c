#include "cli/commands.h"
#include "cli/session.h"

static int similar(twx_session *s) {
    size_t limit = 0;
    twx_rc rc = twx_options_limit(&s->cx, &s->options, TWINDEX_SIMILAR_LIMIT, &limit);
    const twindex_similar_options how = {.detector = s->options.detector, .limit = limit};
    return rc == TWX_OK ? twindex_similar(s->t, s->arguments[0], &how, &s->sink) : twx_rc_exit(rc);
}

static const twx_option OPTIONS[] = {
    {"detector", 'd', "NAME", TWX_OPTION_FIELD(detector),
     "measure by the signatures of this detector ('twindex detectors') instead of near.detector's"},
    {"limit", 'l', "N", TWX_OPTION_FIELD(limit),
     "list at most N documents, 10 by default; 0: all with anything in common"},
    {"memory", 'm', "SIZE", "run.memory", NULL, 0, "use about SIZE bytes of memory (K, M, G)"},
    {"accept-mapping", 0, NULL, "store.accept_mapping", "yes", 0,
     "take the mapping that was found although others fit"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_similar = {
    .name = "similar",
    .run = similar,
    .kind = TWX_CLI_READS,
    .arguments = "STORE URL|ID",
    .least = 2,
    .most = 2,
    .options = OPTIONS,
    .summary = "list the documents most like one",
    .description =
        "Prints the documents of STORE whose texts are most like that of one document, which is "
        "named by id or URL: the similarity of the texts, that of the signatures, the keys both "
        "have, id and URL, and the groups in which the last run has both. Nothing is written into "
        "STORE.\n\n"
        "All documents are measured by the signatures of one detector, thresholds aside: "
        "near.detector, or alignment when none is configured. Of the best 20 the texts are "
        "compared, character by character (as 'twindex compare' does), and they are listed in the "
        "order of that. Where a run has signed the documents with that detector and these "
        "settings, its signatures are used; else every document is read and signed, which takes "
        "about as long as a run.",
    .examples =
        {{"twindex similar pages.db 42", "The ten documents most like document 42."},
         {"twindex similar --detector simhash --limit 50 --json pages.db https://example.org/",
          "By another detector, as JSON."}},
};
