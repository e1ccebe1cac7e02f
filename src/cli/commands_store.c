/* The commands that fill and keep a store: of each what it alone does, and its row, in the order
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
