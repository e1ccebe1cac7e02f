#include "cli/commands.h"
#include "cli/session.h"

static int mirrors(twx_session *s) {
    return twindex_mirrors(s->t, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"ratio", 'r', "SHARE", "mirrors.ratio", NULL, 0,
     "two hosts are mirrors when this share of the documents of either has a copy on the other"},
    {"min-documents", 0, "N", "mirrors.min_documents", NULL, 0,
     "compare hosts with N documents or more"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_mirrors = {
    .name = "mirrors",
    .run = mirrors,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
    .summary = "find hosts that mirror another",
    .description =
        "Finds the hosts of STORE that have most of their documents in common with another host, "
        "by the groups of the last 'twindex run': first by equal texts, then, for those that "
        "mirror nobody, by equal or nearly equal ones. Hosts are compared in one order: those with "
        "more documents that no copy stands for come first, then those with more documents, then "
        "those with shorter names. Each mirrors at most one, an earlier one.\n\n"
        "What is found is kept in the table twindex_host_mirror, for ranking rules, until the next "
        "'twindex mirrors'. Where STORE cannot be written, or a run is at work, it is only "
        "printed.\n\n"
        "A group on more than 200 hosts says nothing of two of them (it is what servers answer for "
        "pages they do not have); such groups are left out, and counted.",
    .examples = {{"twindex run pages.db && twindex mirrors --quiet pages.db",
                  "After a crawl: flags, then mirrors."},
                 {"twindex mirrors --ratio 0.5 --json pages.db",
                  "Hosts with half of their documents in common, as JSON."}},
};
