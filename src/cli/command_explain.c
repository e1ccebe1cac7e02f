#include "cli/commands.h"
#include "cli/session.h"

static int explain(twx_session *s) {
    return twindex_explain(s->t, s->arguments[0], &s->sink);
}

const twx_command twx_command_explain = {
    .name = "explain",
    .run = explain,
    .kind = TWX_CLI_READS,
    .arguments = "STORE URL|ID",
    .least = 2,
    .most = 2,
    .summary = "tell why a document has the flags it has",
    .description =
        "Prints each flag of one document of STORE, with the rule it follows from: whether the "
        "document takes part, which group it is in, which document stands for that group and why. "
        "Of a near-duplicate: why it is a copy of another document, or which word of its name "
        "makes it a sibling. The document is named by its id or its URL.",
    .examples = {{"twindex explain pages.db http://www.example.org/", "By URL."},
                 {"twindex explain pages.db 42", "By id."}},
};
