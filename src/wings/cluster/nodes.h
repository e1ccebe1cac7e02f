/* cluster/nodes.h: the ClickHouse servers of a cluster, spoken to over HTTP (section [cluster] of
 * the settings).
 * [R1] A statement that the server refused, or whose answer ended early, is an error, also if the
 * status of the answer was 200: the server sends a status only when the statement has ended.
 * [R2] Plain http is used for addresses of this machine only; with https the certificate and its
 * name are checked. No proxy, no redirect.
 * [R3] The password comes from a file that only its owner can read, and is in no message.
 * Memory: owned handle. One thread at a time. */
#ifndef TWX_CLUSTER_NODES_H
#define TWX_CLUSTER_NODES_H

#include "base/buf.h"
#include "run/job.h"

enum {
    TWX_NODES_MAX = 1024,
    TWX_STATEMENT_BYTES = 1 << 16, /* of a statement */
    TWX_ANSWER_BYTES = 1 << 30     /* of an answer */
};

typedef struct twx_nodes twx_nodes;

/* Checks the settings; asks no server. Errors TWX_E_CONFIG, naming the setting; TWX_E_IO */
TWX_CHECK twx_rc twx_nodes_open(const twx_job *job, twx_nodes **ret_nodes);
void twx_nodes_close(twx_nodes *nodes);
size_t twx_nodes_count(const twx_nodes *nodes);
const char *twx_nodes_url(const twx_nodes *nodes, size_t node);

/* What a statement of sql/cluster needs besides the settings; docs in statement.h. */
typedef struct twx_statement {
    const char *name; /* its file, for messages */
    const char *sql;
    uint64_t run, shard, range;
    uint64_t relations, collapse_min;
    uint64_t pass, round, base, cap, batch, parts; /* of near-duplicates (judging_near.c) */
    uint64_t width;                                /* documents of a part */
    const char *table, *key, *old, *fresh;         /* NULL: not used */
} twx_statement;

/* The statement name in sql/cluster.sql. */
#define TWX_CLUSTER_STATEMENT(file, NAME) \
    ((twx_statement){.name = (file), .sql = TWX_SQL_CLUSTER_##NAME})

/* Runs a statement on one node. rows: for an INSERT, in its format; absent: none. The answer is
 * appended to *ret_answer; NULL: it is not wanted.
 * Errors TWX_E_IO: the server cannot be reached, or not in time; TWX_E_DATA: it refused the
 * statement; TWX_E_CONFIG: it refused the user; an interrupt */
TWX_CHECK twx_rc twx_nodes_run(twx_nodes *nodes, size_t node, const twx_statement *statement,
                               twx_slice rows, twx_buf *ret_answer);
/* Runs a statement on all nodes at once. The answers are appended in the order of the nodes. */
TWX_CHECK twx_rc twx_nodes_run_all(twx_nodes *nodes, const twx_statement *statement,
                                   twx_buf *ret_answers);

#endif
