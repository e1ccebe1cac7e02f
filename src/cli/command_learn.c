#include "cli/commands.h"
#include "cli/session.h"

static int learn(twx_session *s) {
    return twindex_learn(s->t, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"memory", 'm', "SIZE", "run.memory", NULL, 0, "use about SIZE bytes of memory (K, M, G)"},
    {"accept-mapping", 0, NULL, "store.accept_mapping", "yes", 0,
     "take the mapping that was found although others fit"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_learn = {
    .name = "learn",
    .run = learn,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
    .summary = "learn which parts of URLs do not matter",
    .description = "Compares the URLs of STORE with what the last run found out about their "
                   "documents, and keeps in twindex's own tables which parts of a URL do not "
                   "matter: parameters, path segments, hosts. Two documents are duplicates when "
                   "they are in one group of the near detector, or of exact copies when the run "
                   "had none. 'twindex predict' uses what was learned.\n\n"
                   "Learning again changes only what differs. Once something was learned, each run "
                   "learns again at its end.",
    .examples = {{"twindex run pages.db && twindex learn pages.db", "After a crawl."}},
};
