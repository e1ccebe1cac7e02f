/* The commands that fill and keep a store, those that look closer at results, and the list of
 * methods: of each what it alone does, and its row, in the order
 * of 'twindex help'. What all commands do is in session.c and options.c; their options are in
 * options.tsv. */
#include "cli/cli.h"

/* ==== command_init */

static int make(twx_session *s) {
    return twindex_init(s->t, s->store);
}

TWX_COMMAND(init, MAKES, "STORE", .run = make);

/* ==== command_doctor */

TWX_COMMAND(doctor, READS, "STORE...", .call = twindex_doctor);

/* ==== command_sign */

typedef struct sign_options {
    bool full;
} sign_options;

static int sign(twx_session *s) {
    const sign_options *own = s->options.own;
    return twindex_sign(s->t, own->full, &s->sink);
}

TWX_COMMAND(sign, WRITES, "STORE", .run = sign,
            TWX_COMMAND_OPTIONS(TWX_SIGN_OPTIONS TWX_SIGNING_OPTIONS),
            .own_bytes = sizeof(sign_options));

/* ==== command_diff */

typedef struct diff_options {
    size_t limit; /* documents of each kind */
    bool csv;
} diff_options;

static int diff(twx_session *s) {
    const diff_options *own = s->options.own;
    const twx_rc rc = own->csv ? twx_session_csv(s) : TWX_OK;
    return rc == TWX_OK ? twindex_diff(s->t, own->limit, &s->sink) : twx_rc_exit(rc);
}

TWX_COMMAND(diff, READS, "STORE...", .run = diff,
            TWX_COMMAND_OPTIONS(TWX_DIFF_OPTIONS TWX_WIDE_OPTIONS),
            TWX_COMMAND_DEFAULTS(diff_options, .limit = 100));

/* ==== command_digest */

TWX_COMMAND(digest, READS, "STORE...", .call = twindex_digest);

/* ==== command_remove */

typedef struct remove_options {
    bool dry_run;
} remove_options;

static int remove_all(twx_session *s) {
    const remove_options *own = s->options.own;
    if (own->dry_run) s->out.muted = false; /* its output is its result */
    return twindex_remove(s->t, own->dry_run, &s->sink);
}

TWX_COMMAND(remove, WRITES, "STORE", .run = remove_all, TWX_COMMAND_OPTIONS(TWX_REMOVE_OPTIONS),
            .own_bytes = sizeof(remove_options));

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
