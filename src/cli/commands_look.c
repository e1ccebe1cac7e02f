/* The commands that look closer at results, and the list of methods: of each its options, what it
 * alone does, and its row, in the order of 'twindex help'. See also session.c and options.c. */
#include "cli/cli.h"

/* ==== command_groups */

typedef struct groups_options {
    const char *detector; /* NULL: the verdict */
    size_t limit;
    bool csv;
} groups_options;

static const groups_options GROUPS_DEFAULTS = {.limit = 20};

static int groups(twx_session *s) {
    const groups_options *own = s->options.own;
    if (own->csv && own->detector)
        return twx_rc_exit(twx_fail(
            &s->cx, TWX_E_USAGE, "--csv lists the clusters of the verdict: leave out --detector"));
    const twx_rc rc = own->csv ? twx_session_csv(s) : TWX_OK;
    return rc == TWX_OK ? twindex_groups(s->t, own->detector, own->limit, &s->sink)
                        : twx_rc_exit(rc);
}

static const twx_option GROUPS_OPTIONS[] = {
    {"detector", 'd', "DETECTOR", TWX_OPTION_OWN(TEXT, groups_options, detector),
     "list the groups of this detector (see 'twindex detectors') instead of the clusters of the "
     "verdict"},
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, groups_options, limit),
     "list at most N groups, 20 by default; 0: all"},
    {"csv", 0, NULL, TWX_OPTION_OWN(FLAG, groups_options, csv),
     "print all documents of all clusters as CSV: what is hidden, what is kept, and why"},
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

TWX_COMMAND(groups, READS, "STORE...", .run = groups, .options = GROUPS_OPTIONS,
            TWX_COMMAND_OWN(GROUPS_DEFAULTS));

/* ==== command_compare */

static const twindex_compare_options COMPARE_DEFAULTS = {.limit = TWINDEX_COMPARE_LIMIT};

static int compare(twx_session *s) {
    return twindex_compare(s->t, s->arguments[0], s->arguments[1], s->options.own, &s->sink);
}

static const twx_option COMPARE_OPTIONS[] = {
    {"all", 'a', NULL, TWX_OPTION_OWN(FLAG, twindex_compare_options, all),
     "also use the detectors that need statistics of the whole store; reads all of it"},
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, twindex_compare_options, limit),
     "show at most N passages, 20 by default; 0: all"},
    TWX_OPTION_ACCEPT_MAPPING,
    TWX_OPTION_END,
};

TWX_COMMAND(compare, READS, "STORE URL|ID URL|ID", .run = compare, .options = COMPARE_OPTIONS,
            TWX_COMMAND_OWN(COMPARE_DEFAULTS));

/* ==== command_similar */

static const twindex_similar_options SIMILAR_DEFAULTS = {.limit = TWINDEX_SIMILAR_LIMIT};

static int similar(twx_session *s) {
    return twindex_similar(s->t, s->arguments[0], s->options.own, &s->sink);
}

static const twx_option SIMILAR_OPTIONS[] = {
    {"detector", 'd', "DETECTOR", TWX_OPTION_OWN(TEXT, twindex_similar_options, detector),
     "use the signatures of this detector (see 'twindex detectors') instead of near.detector"},
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, twindex_similar_options, limit),
     "list at most N documents, 10 by default; 0: all that have anything in common"},
    TWX_OPTION_MEMORY,
    TWX_OPTION_ACCEPT_MAPPING,
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

TWX_COMMAND(similar, READS, "STORE URL|ID", .run = similar, .options = SIMILAR_OPTIONS,
            TWX_COMMAND_OWN(SIMILAR_DEFAULTS));

/* ==== command_mirrors */

static const twx_option MIRRORS_OPTIONS[] = {
    {"ratio", 'r', "SHARE", TWX_OPTION_SETTING("mirrors.ratio", NULL),
     "treat two hosts as mirrors when this share of the documents of each is also on the other"},
    {"min-documents", 0, "N", TWX_OPTION_SETTING("mirrors.min_documents", NULL),
     "compare only hosts with N documents or more"},
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

TWX_COMMAND(mirrors, WRITES, "STORE...", .call = twindex_mirrors, .options = MIRRORS_OPTIONS);

/* ==== command_detectors */

static const twx_option DETECTORS_OPTIONS[] = {
    TWX_OPTION_JSON,
    TWX_OPTION_END,
};

TWX_COMMAND(detectors, PURE, "", .call = twindex_detectors, .options = DETECTORS_OPTIONS);
