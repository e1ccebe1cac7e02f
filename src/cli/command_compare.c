#include "cli/commands.h"
#include "cli/session.h"

static int compare(twx_session *s) {
    size_t limit = 0;
    twx_rc rc = twx_options_limit(&s->cx, &s->options, TWINDEX_COMPARE_LIMIT, &limit);
    const twindex_compare_options how = {.all = s->options.all, .limit = limit};
    return rc == TWX_OK ? twindex_compare(s->t, s->arguments[0], s->arguments[1], &how, &s->sink)
                        : twx_rc_exit(rc);
}

static const twx_option OPTIONS[] = {
    {"all", 'a', NULL, TWX_OPTION_FIELD(all),
     "ask the detectors that look at the whole store, too: reads all of it"},
    {"limit", 'l', "N", TWX_OPTION_FIELD(limit), "show at most N passages, 20 by default; 0: all"},
    {"accept-mapping", 0, NULL, "store.accept_mapping", "yes", 0,
     "take the mapping that was found although others fit"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_compare = {
    .name = "compare",
    .run = compare,
    .kind = TWX_CLI_READS,
    .arguments = "STORE URL|ID URL|ID",
    .least = 3,
    .most = 3,
    .options = OPTIONS,
    .summary = "compare two documents: texts, detectors, differing passages",
    .description =
        "Prints how alike the texts of two documents of STORE are, what each detector says of the "
        "two, and the passages in which they differ. The documents are named by id or URL. No run "
        "is needed, and nothing is written into STORE.\n\n"
        "Text similarity is 2 x LCS / (a + b), LCS being the length of a longest common "
        "subsequence of characters and a and b the lengths of the texts; that of a detector is "
        "what it estimates from its signatures, whatever its threshold. "
        "Two documents are a pair for a detector when they share a key and pass its threshold; "
        "scopes (store, domain, host) and translations are left aside.\n\n"
        "'a copy' or 'not a copy' says whether the one document may be hidden behind the other: "
        "only if their texts are nearly the same and the other has the one's name, too. The first "
        "word of the name that is missing is printed. What a site has in common is known from the "
        "last run; without one, all words count.\n\n"
        "Detectors that look at the whole store are left out without --all, and minhash then keeps "
        "what "
        "the pages of a site share. Passages are told apart by sentences and words: 'a' is what "
        "only the first text has, 'b' what only the second has.",
    .examples =
        {{"twindex compare pages.db 17 42", "By ids."},
         {"twindex compare --all --json pages.db http://example.org/ https://www.example.org/",
          "By URLs, all detectors, as JSON."}},
};
