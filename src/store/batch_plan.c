#include "store/batch_plan.h"

#include <string.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "store/stmt.h"

/* Prefixes of EXPLAIN QUERY PLAN lines (sqlite.org/eqp.html), and where in a plan they count. */
static const struct {
    const char *text;
    /* anywhere in the line, and also in correlated subqueries, since the index is built once */
    bool anywhere;
} REPEATED[] = {
    {" USING AUTOMATIC ", true}, {"USE TEMP B-TREE FOR ", false}, {"MATERIALIZE ", false},
    {"CO-ROUTINE ", false},      {"LIST SUBQUERY ", false},       {"SCALAR SUBQUERY ", false},
    {"RECURSIVE STEP", false},
};

static bool begins(const char *line, const char *with) {
    return strncmp(line, with, strlen(with)) == 0;
}

static bool repeats(const char *line, bool correlated) {
    for (size_t i = 0; i < TWX_COUNTOF(REPEATED); i++) {
        if (REPEATED[i].anywhere && strstr(line, REPEATED[i].text)) return true;
        if (!REPEATED[i].anywhere && !correlated && begins(line, REPEATED[i].text)) return true;
    }
    return false;
}

typedef struct nodes {
    TWX_VEC(int64_t) at;
} nodes;

static bool has(const nodes *n, int64_t node) {
    for (size_t i = 0; i < n->at.n; i++)
        if (n->at.at[i] == node) return true;
    return false;
}

/* One line of the plan: id, parent, unused, text. A parent comes before its children. */
static twx_rc look_at_line(twx_db *db, sqlite3_stmt *plan, nodes *correlated, twx_plan *found) {
    const char *line = (const char *)sqlite3_column_text(plan, 3);
    if (!line) return TWX_OK;
    bool inside = has(correlated, sqlite3_column_int64(plan, 1)) || begins(line, "CORRELATED ");
    found->repeats |= repeats(line, inside);
    found->scans |= !inside && begins(line, "SCAN ");
    return !inside || TWX_VEC_PUSH(db->cx, &correlated->at, sqlite3_column_int64(plan, 0))
               ? TWX_OK
               : TWX_E_NOMEM;
}

twx_rc twx_plan_of(twx_db *db, sqlite3_stmt *stmt, twx_plan *ret_plan) {
    sqlite3_stmt *plan = NULL;
    nodes correlated = {0};
    twx_plan found = {false, false};
    char *sql = twx_sprintf(db->cx, "EXPLAIN QUERY PLAN %s", sqlite3_sql(stmt));
    twx_rc rc = sql ? twx_stmt_prepare(db, sql, &plan) : TWX_E_NOMEM;
    while (rc == TWX_OK) {
        rc = twx_stmt_step(db, plan);
        if (rc == TWX_OK) rc = look_at_line(db, plan, &correlated, &found);
    }
    sqlite3_finalize(plan);
    TWX_VEC_DONE(&correlated.at);
    twx_free(sql);
    if (rc != TWX_DONE) return rc;
    *ret_plan = found;
    return TWX_OK;
}
