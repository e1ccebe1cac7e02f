#include "cli/commands.h"
#include "cli/session.h"

static int detectors(twx_session *s) {
    return twindex_detectors(s->t, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"json", 0, NULL, TWX_OPTION_FIELD(json), "print JSON"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_detectors = {
    .name = "detectors",
    .run = detectors,
    .kind = TWX_CLI_PURE,
    .arguments = "",
    .options = OPTIONS,
    .summary = "list the methods that find doubles",
    .description = "Prints each detector: its number, name and version, the publication or program "
                   "it comes from, and what it needs: a local one looks at the document alone, a "
                   "global one at statistics of the whole store. Those marked 'near' or 'verified' "
                   "may be the near detector of a run (near.detector); only verified pairs hide "
                   "documents. Those marked 'copy' tell copies from siblings.",
};
