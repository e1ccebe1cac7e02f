#include "cli/cli.h"

/* ==== command_cluster */

static const struct {
    const char *name;
    twindex_cluster_action action;
    bool needs, takes_any; /* a store; any number of stores */
    bool shows;            /* what it prints is what it is for, also with --quiet */
} ACTIONS[] = {{"init", TWINDEX_CLUSTER_INIT, false, false, false},
               {"push", TWINDEX_CLUSTER_PUSH, true, false, false},
               {"judge", TWINDEX_CLUSTER_JUDGE, false, false, false},
               {"pull", TWINDEX_CLUSTER_PULL, true, false, false},
               {"publish", TWINDEX_CLUSTER_PUBLISH, false, true, false},
               {"mirrors", TWINDEX_CLUSTER_MIRRORS, false, false, true},
               {"status", TWINDEX_CLUSTER_STATUS, false, false, true},
               {"digest", TWINDEX_CLUSTER_DIGEST, false, false, true},
               {"drop", TWINDEX_CLUSTER_DROP, false, false, false}};

static const char *step_at(size_t i) {
    return i < TWX_COUNTOF(ACTIONS) ? ACTIONS[i].name : NULL;
}

static int cluster(twx_session *s) {
    const twindex_cluster_options *own = s->options.own;
    const char *name = s->arguments[0];
    size_t i = 0;
    while (i < TWX_COUNTOF(ACTIONS) && strcmp(ACTIONS[i].name, name) != 0) i++;
    if (i == TWX_COUNTOF(ACTIONS))
        return twx_rc_exit(twx_fail(&s->cx, TWX_E_USAGE,
                                    "'%.100s' is not one of init, push, judge, pull, publish, "
                                    "mirrors, status, digest and drop",
                                    name));
    if (!ACTIONS[i].takes_any && s->stores.at.n != ACTIONS[i].needs)
        return twx_rc_exit(twx_fail(&s->cx, TWX_E_USAGE, "cluster %s takes %s", name,
                                    ACTIONS[i].needs ? "one store" : "no store"));
    /* quiet mutes the summary of work that was done */
    s->out.muted = s->options.quiet && !s->options.json && !ACTIONS[i].shows;
    const twindex_cluster_action action = ACTIONS[i].action;
    const bool judges = action == TWINDEX_CLUSTER_JUDGE;
    if (own->force && !judges && action != TWINDEX_CLUSTER_PUSH)
        return twx_rc_exit(
            twx_fail(&s->cx, TWX_E_USAGE, "--force is for cluster judge and cluster push"));
    if (own->discard && !judges)
        return twx_rc_exit(twx_fail(&s->cx, TWX_E_USAGE, "--discard is for cluster judge"));
    return twindex_cluster(s->t, action, own, &s->sink);
}

static const twx_option CLUSTER_OPTIONS[] = {TWX_CLUSTER_OPTIONS TWX_JSON_OPTIONS TWX_OPTION_END};

TWX_COMMAND(cluster, SETTINGS, "STEP [STORE...]", .run = cluster, .options = CLUSTER_OPTIONS,
            .word_at = step_at, .own_bytes = sizeof(twindex_cluster_options));

/* ==== command_verify */

static const twindex_verify_options VERIFY_DEFAULTS = {.format = "RowBinary"};

static int verify(twx_session *s) {
    /* the library writes the answers to a block at once: buffering here would only delay them */
    setvbuf(s->out.file, NULL, _IONBF, 0);
    return twindex_verify(s->t, s->options.own, &s->sink);
}

static const twx_option VERIFY_OPTIONS[] = {TWX_VERIFY_OPTIONS TWX_OPTION_END};

TWX_COMMAND(verify, SETTINGS, "", .run = verify, .options = VERIFY_OPTIONS,
            TWX_COMMAND_OWN(VERIFY_DEFAULTS));
