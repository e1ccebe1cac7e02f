#include "cluster/work_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sql_text.h"

enum { NAME_BYTES = 64 };

/* key: the expression that says which node a row belongs to */
static const struct {
    const char *name, *key, *sql;
} TABLES[TWX_WORK_TABLES] = {
    [TWX_WORK_PUSHED] = {"pushed", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_PUSHED},
    [TWX_WORK_ASKED] = {"asked", "cityHash64(key, check)", TWX_SQL_CLUSTER_WORK_ASKED},
    [TWX_WORK_SAID] = {"said", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_SAID},
    [TWX_WORK_DOCUMENT] = {"document", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_DOCUMENT},
    [TWX_WORK_CLAIM] = {"claim", "url_key", TWX_SQL_CLUSTER_WORK_CLAIM},
    [TWX_WORK_LINK] = {"link", "link_key", TWX_SQL_CLUSTER_WORK_LINK},
    [TWX_WORK_EDGE] = {"edge", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_EDGE},
    [TWX_WORK_HOST] = {"host", "host_key", TWX_SQL_CLUSTER_WORK_HOST},
    [TWX_WORK_SUSPECT] = {"suspect", "host_key", TWX_SQL_CLUSTER_WORK_SUSPECT},
    [TWX_WORK_MIXED] = {"mixed", "host_key", TWX_SQL_CLUSTER_WORK_MIXED},
    [TWX_WORK_COLLAPSED] = {"collapsed", "host_key", TWX_SQL_CLUSTER_WORK_COLLAPSED},
    [TWX_WORK_PATH_A] = {"path_a", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_PATH},
    [TWX_WORK_PATH_B] = {"path_b", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_PATH},
    [TWX_WORK_ASK] = {"ask", "cityHash64(ask)", TWX_SQL_CLUSTER_WORK_ASK},
    [TWX_WORK_LOOP] = {"loop", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_LOOP},
    [TWX_WORK_STATE] = {"state", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_STATE},
    [TWX_WORK_KEY] = {"key", "cityHash64(relation, key, check)", TWX_SQL_CLUSTER_WORK_KEY},
    [TWX_WORK_MEMBER] = {"member", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_MEMBER},
    [TWX_WORK_TIE_A] = {"tie_a", "cityHash64(a)", TWX_SQL_CLUSTER_WORK_TIE},
    [TWX_WORK_TIE_B] = {"tie_b", "cityHash64(a)", TWX_SQL_CLUSTER_WORK_TIE},
    [TWX_WORK_BOTH] = {"both", "cityHash64(u)", TWX_SQL_CLUSTER_WORK_BOTH},
    [TWX_WORK_STAR] = {"star", "cityHash64(b)", TWX_SQL_CLUSTER_WORK_STAR},
    [TWX_WORK_CLUSTER] = {"cluster", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_CLUSTER},
    [TWX_WORK_FOLLOW] = {"follow", "cityHash64(target)", TWX_SQL_CLUSTER_WORK_FOLLOW},
    [TWX_WORK_FOLLOWED] = {"followed", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_FOLLOWED},
    [TWX_WORK_REFERENCE] = {"reference", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_REFERENCE},
    [TWX_WORK_NEAR_DOC] = {"near_doc", "text", TWX_SQL_CLUSTER_WORK_NEAR_DOC},
    [TWX_WORK_NEAR_PART] = {"near_part", "text", TWX_SQL_CLUSTER_WORK_NEAR_PART},
    [TWX_WORK_NEAR_TEXT] = {"near_text", "text", TWX_SQL_CLUSTER_WORK_NEAR_TEXT},
    [TWX_WORK_NEAR_BAND] = {"near_band", "cityHash64(key)", TWX_SQL_CLUSTER_WORK_NEAR_BAND},
    [TWX_WORK_NEAR_RUN] = {"near_run", "cityHash64(members)", TWX_SQL_CLUSTER_WORK_NEAR_RUN},
    [TWX_WORK_NEAR_PLACE] = {"near_place", "text", TWX_SQL_CLUSTER_WORK_NEAR_PLACE},
    [TWX_WORK_NEAR_OPEN] = {"near_open", "bucket", TWX_SQL_CLUSTER_WORK_NEAR_OPEN},
    [TWX_WORK_NEAR_FIRST] = {"near_first", "bucket", TWX_SQL_CLUSTER_WORK_NEAR_FIRST},
    [TWX_WORK_NEAR_ASK] = {"near_ask", "cityHash64(a, b)", TWX_SQL_CLUSTER_WORK_NEAR_ASK},
    [TWX_WORK_NEAR_BLOCKED] = {"near_blocked", "text", TWX_SQL_CLUSTER_WORK_NEAR_BLOCKED},
    [TWX_WORK_NEAR_FETCH] = {"near_fetch", "a", TWX_SQL_CLUSTER_WORK_NEAR_FETCH},
    [TWX_WORK_NEAR_HALF] = {"near_half", "b", TWX_SQL_CLUSTER_WORK_NEAR_HALF},
    [TWX_WORK_NEAR_PAIR] = {"near_pair", "cityHash64(a, b)", TWX_SQL_CLUSTER_WORK_NEAR_PAIR},
    [TWX_WORK_NEAR_SAID] = {"near_said", "text", TWX_SQL_CLUSTER_WORK_NEAR_SAID},
    [TWX_WORK_NEAR_DECIDED] = {"near_decided", "text", TWX_SQL_CLUSTER_WORK_NEAR_DECIDED},
    [TWX_WORK_NEAR_TOLD] = {"near_told", "bucket", TWX_SQL_CLUSTER_WORK_NEAR_TOLD},
    [TWX_WORK_NEAR_BEST] = {"near_best", "text", TWX_SQL_CLUSTER_WORK_NEAR_BEST},
    [TWX_WORK_NEAR_LEADER] = {"near_leader", "text", TWX_SQL_CLUSTER_WORK_NEAR_LEADER},
    [TWX_WORK_NEAR_SIMILAR] = {"near_similar", "cityHash64(uid)",
                               TWX_SQL_CLUSTER_WORK_NEAR_SIMILAR},
    [TWX_WORK_NEAR_SIBLING] = {"near_sibling", "cityHash64(rep)",
                               TWX_SQL_CLUSTER_WORK_NEAR_SIBLING},
    [TWX_WORK_NEAR_COUNTED] = {"near_counted", "cityHash64(uid)",
                               TWX_SQL_CLUSTER_WORK_NEAR_COUNTED},
    [TWX_WORK_NEAR_FLAG] = {"near_flag", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_NEAR_FLAG},
    [TWX_WORK_NEAR_NAME] = {"near_name", "host_key", TWX_SQL_CLUSTER_WORK_NEAR_NAME},
    [TWX_WORK_LISTED] = {"listed", "cityHash64(place)", TWX_SQL_CLUSTER_WORK_LISTED},
    [TWX_WORK_COPIED] = {"copied", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_COPIED},
    [TWX_WORK_WANTED] = {"wanted", "digest", TWX_SQL_CLUSTER_WORK_WANTED},
    [TWX_WORK_SHOWN] = {"shown", "cityHash64(survivor)", TWX_SQL_CLUSTER_WORK_SHOWN},
    [TWX_WORK_ELSEWHERE] = {"elsewhere", "cityHash64(site)", TWX_SQL_CLUSTER_WORK_ELSEWHERE},
    [TWX_WORK_SITE] = {"site", "cityHash64(site)", TWX_SQL_CLUSTER_WORK_SITE},
    [TWX_WORK_RESULT] = {"result", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_RESULT},
    [TWX_WORK_REMOTE] = {"remote", "cityHash64(uid)", TWX_SQL_CLUSTER_WORK_REMOTE},
};

twx_rc twx_work_make(twx_nodes *nodes, uint64_t run, twx_work_table table) {
    const twx_statement local = {.name = TABLES[table].name,
                                 .sql = TABLES[table].sql,
                                 .run = run,
                                 .table = TABLES[table].name},
                        all = {.name = "distributed",
                               .sql = TWX_SQL_CLUSTER_WORK_DISTRIBUTED,
                               .run = run,
                               .table = TABLES[table].name,
                               .key = TABLES[table].key};
    twx_rc rc = twx_nodes_run_all(nodes, &local, NULL);
    return rc == TWX_OK ? twx_nodes_run_all(nodes, &all, NULL) : rc;
}

static twx_rc drop_on(twx_nodes *nodes, size_t node, const char *table) {
    const twx_statement drop = {.name = "drop", .sql = TWX_SQL_CLUSTER_WORK_DROP, .table = table};
    return node == SIZE_MAX ? twx_nodes_run_all(nodes, &drop, NULL)
                            : twx_nodes_run(nodes, node, &drop, (twx_slice){NULL, 0}, NULL);
}

twx_rc twx_work_drop(twx_nodes *nodes, uint64_t run, twx_work_table table) {
    char name[NAME_BYTES];
    twx_rc rc = TWX_OK;
    for (int local = 0; rc == TWX_OK && local < 2; local++) {
        snprintf(name, sizeof name, "w%" PRIu64 "_%s%s", run, TABLES[table].name,
                 local ? "_local" : "");
        rc = drop_on(nodes, SIZE_MAX, name);
    }
    return rc;
}

twx_rc twx_work_empty(twx_nodes *nodes, uint64_t run, twx_work_table table) {
    twx_rc rc = twx_work_drop(nodes, run, table);
    return rc == TWX_OK ? twx_work_make(nodes, run, table) : rc;
}

/* w17_document, w17_document_local */
uint64_t twx_work_run_of(twx_slice name) {
    int64_t run = 0;
    const size_t end = twx_slice_find(name, '_', 0);
    if (name.n < 3 || name.p[0] != 'w' || end == name.n || end > 19) return 0;
    return twx_slice_integer(twx_slice_sub(name, 1, end), &run) && run > 0 ? (uint64_t)run : 0;
}

static twx_rc sweep_node(twx_nodes *nodes, size_t node, const uint64_t kept[2], twx_slice names) {
    char name[NAME_BYTES];
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && names.n > 0) {
        const twx_slice line = twx_slice_next_line(&names);
        const uint64_t run = twx_work_run_of(line);
        if (run == 0 || run == kept[0] || run == kept[1] || line.n >= sizeof name) continue;
        memcpy(name, line.p, line.n);
        name[line.n] = '\0';
        rc = drop_on(nodes, node, name);
    }
    return rc;
}

twx_rc twx_work_sweep(twx_nodes *nodes, uint64_t kept, uint64_t also) {
    const twx_statement tables = TWX_CLUSTER_STATEMENT("tables", TABLES);
    twx_rc rc = TWX_OK;
    twx_buf answer;
    twx_buf_init(&answer, TWX_ANSWER_BYTES);
    for (size_t i = 0; rc == TWX_OK && i < twx_nodes_count(nodes); i++) {
        twx_buf_clear(&answer);
        rc = twx_nodes_run(nodes, i, &tables, (twx_slice){NULL, 0}, &answer);
        if (rc == TWX_OK)
            rc = sweep_node(nodes, i, (const uint64_t[]){kept, also}, twx_buf_slice(&answer));
    }
    twx_buf_done(&answer);
    return rc;
}
