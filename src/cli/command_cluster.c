#include "cli/commands.h"
#include "cli/session.h"

#include <string.h>

static const struct {
    const char *name;
    twindex_cluster_action action;
    size_t arguments; /* with the name */
} ACTIONS[] = {{"init", TWINDEX_CLUSTER_INIT, 1},
               {"push", TWINDEX_CLUSTER_PUSH, 2},
               {"judge", TWINDEX_CLUSTER_JUDGE, 1},
               {"status", TWINDEX_CLUSTER_STATUS, 1},
               {"drop", TWINDEX_CLUSTER_DROP, 1}};

typedef struct cluster_options {
    bool force;
} cluster_options;

static const cluster_options DEFAULTS = {.force = false};

static int cluster(twx_session *s) {
    const cluster_options *own = s->options.own;
    const char *name = s->arguments[0];
    size_t i = 0;
    while (i < TWX_COUNTOF(ACTIONS) && strcmp(ACTIONS[i].name, name) != 0) i++;
    if (i == TWX_COUNTOF(ACTIONS))
        return twx_rc_exit(twx_fail(&s->cx, TWX_E_USAGE,
                                    "'%.100s' is not one of init, push, judge, status and drop",
                                    name));
    if (s->arguments_n != ACTIONS[i].arguments)
        return twx_rc_exit(twx_fail(&s->cx, TWX_E_USAGE, "cluster %s takes %s", name,
                                    ACTIONS[i].arguments > 1 ? "a store" : "no store"));
    /* quiet mutes the summary of work that was done */
    s->out.muted = s->options.quiet && !s->options.json &&
                   ACTIONS[i].action != TWINDEX_CLUSTER_STATUS;
    const twindex_cluster_action action = ACTIONS[i].action;
    if (own->force && action != TWINDEX_CLUSTER_JUDGE)
        return twx_rc_exit(twx_fail(&s->cx, TWX_E_USAGE, "--force is for cluster judge"));
    return twindex_cluster(s->t, own->force ? TWINDEX_CLUSTER_JUDGE_FORCED : action, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"shard", 'n', "N", TWX_OPTION_SETTING("cluster.shard", NULL),
     "with push: the number of the store, which no other store of the cluster has"},
    {"force", 0, NULL, TWX_OPTION_OWN(FLAG, cluster_options, force),
     "with judge: accept the result even if a guard would stop the run"},
    {"json", 0, NULL, TWX_OPTION_COMMON(FLAG, json), "print JSON"},
    TWX_OPTION_END,
};

const twx_command twx_command_cluster = {
    .name = "cluster",
    .run = cluster,
    .kind = TWX_CLI_SETTINGS,
    .arguments = "init|push|judge|status|drop [STORE]",
    .least = 1,
    .most = 2,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
