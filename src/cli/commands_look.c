/* The commands that look closer at results, and the list of methods: of each what it alone does,
 * and its row, in the order of 'twindex help'. What all commands do is in session.c and options.c;
 * their options are in options.tsv. */
#include "cli/cli.h"

/* ==== command_groups */

typedef struct groups_options {
    const char *detector; /* NULL: the verdict */
    size_t limit;
    bool csv;
} groups_options;

static int groups(twx_session *s) {
    const groups_options *own = s->options.own;
    if (own->csv && own->detector)
        return twx_rc_exit(twx_fail(
            &s->cx, TWX_E_USAGE, "--csv lists the clusters of the verdict: leave out --detector"));
    const twx_rc rc = own->csv ? twx_session_csv(s) : TWX_OK;
    return rc == TWX_OK ? twindex_groups(s->t, own->detector, own->limit, &s->sink)
                        : twx_rc_exit(rc);
}

TWX_COMMAND(groups, READS, "STORE...", .run = groups,
            TWX_COMMAND_OPTIONS(TWX_GROUPS_OPTIONS TWX_WIDE_OPTIONS),
            TWX_COMMAND_DEFAULTS(groups_options, .limit = 20));

/* ==== command_compare */

static int compare(twx_session *s) {
    return twindex_compare(s->t, s->arguments[0], s->arguments[1], s->options.own, &s->sink);
}

TWX_COMMAND(compare, READS, "STORE URL|ID URL|ID", .run = compare,
            TWX_COMMAND_OPTIONS(TWX_COMPARE_OPTIONS TWX_ACCEPT_MAPPING_OPTIONS),
            TWX_COMMAND_DEFAULTS(twindex_compare_options, .limit = TWINDEX_COMPARE_LIMIT));

/* ==== command_similar */

static int similar(twx_session *s) {
    return twindex_similar(s->t, s->arguments[0], s->options.own, &s->sink);
}

TWX_COMMAND(similar, READS, "STORE URL|ID", .run = similar,
            TWX_COMMAND_OPTIONS(
                TWX_SIMILAR_OPTIONS TWX_MEMORY_OPTIONS TWX_ACCEPT_MAPPING_OPTIONS TWX_WIDE_OPTIONS),
            TWX_COMMAND_DEFAULTS(twindex_similar_options, .limit = TWINDEX_SIMILAR_LIMIT));

/* ==== command_mirrors */

TWX_COMMAND(mirrors, WRITES, "STORE...", .call = twindex_mirrors,
            TWX_COMMAND_OPTIONS(TWX_MIRRORS_OPTIONS TWX_WIDE_OPTIONS));

/* ==== command_detectors */

TWX_COMMAND(detectors, PURE, "", .call = twindex_detectors, TWX_COMMAND_OPTIONS(TWX_JSON_OPTIONS));
