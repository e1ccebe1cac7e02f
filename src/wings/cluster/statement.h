/* cluster/statement.h: fills in the names and numbers of a statement of sql/cluster. {db} and
 * {cluster} are the settings cluster.database and cluster.name, {ranges} is cluster.ranges; {run},
 * {shard}, {range}, {relations}, {collapse_min} and {width}, {pass}, {round},
 * {base}, {cap}, {batch} and {parts} are numbers of the call; {table} is a
 * table, {key} an expression over its columns, {old} and {new} are the ends of names of tables that
 * take turns. All come from this program or are names of letters, digits and underscores
 * (settings_table.c checks them), so nothing needs quotes. */
#ifndef TWX_CLUSTER_STATEMENT_H
#define TWX_CLUSTER_STATEMENT_H

#include "base/buf.h"

typedef struct twx_statement_value {
    const char *name;
    const char *text; /* NULL: number */
    uint64_t number;
} twx_statement_value;

/* Errors TWX_E_INTERNAL: the statement has a name in braces that values lacks; TWX_E_LIMIT */
TWX_CHECK twx_rc twx_statement_fill(twx_ctx *cx, const char *sql, const twx_statement_value *values,
                                    size_t n, twx_buf *out);

#endif
