/* cluster/pulled_rows.h: the flags of a shard after a run over the cluster, one document after the
 * other: what the servers judged (flag_text.h), and the signatures and the form of the URL, which
 * the store has.
 * [R1] Rows that the store's inactive generation already has are not sent: the documents are
 * divided into parts, and only parts whose sum of hashes differs are read. What the generation
 * really holds is compared, so it does not matter which run wrote it, or whether it ended.
 * [R2] Rows that are sent must have the sums that the servers announced.
 * [R3] A document that was not judged, or has changed since, has no flags. */
#ifndef TWX_CLUSTER_PULLED_ROWS_H
#define TWX_CLUSTER_PULLED_ROWS_H

#include "cluster/flag_text.h"
#include "cluster/nodes.h"
#include "cluster/shard_store.h"
#include "run/flag_changes.h"

typedef TWX_VEC(int64_t) twx_doc_list;

/* Documents with doc / width == number. */
typedef struct twx_pulled_part {
    int64_t number;
    uint64_t sum;
    bool same; /* as in the store */
} twx_pulled_part;
typedef TWX_VEC(twx_pulled_part) twx_pulled_parts;

/* Reads the answers to sums in sql/cluster/pull.sql: a part may be in several. Ascending, without
 * `same`. Errors TWX_E_DATA */
TWX_CHECK twx_rc twx_pulled_parts_read(twx_ctx *cx, twx_slice rows, twx_pulled_parts *ret_parts);
/* Reads the answers to rows in sql/cluster/pull.sql into rows ascending by doc, and compares their
 * sums with those of parts[0..n), which are the parts that were asked for [R2]. Errors TWX_E_DATA
 */
typedef TWX_VEC(twx_flag_row) twx_flag_row_list;
TWX_CHECK twx_rc twx_pulled_rows_read(twx_ctx *cx, const twx_flag_home *home, twx_slice rows,
                                      const twx_pulled_part *parts, size_t n, int64_t width,
                                      twx_flag_row_list *ret_rows);

/* Memory: embedded struct; twx_pulled_rows_done(). It does not move. */
typedef struct twx_pulled_rows {
    twx_shard_store *store; /* borrowed, like the next four */
    twx_nodes *nodes;
    const twx_doc_list *changed; /* ascending */
    twx_flag_home home;
    uint64_t run;
    char generation; /* the inactive one */
    int64_t width;
    twx_pulled_parts parts;
    uint64_t documents, pulled; /* rows of this pass so far; rows that were sent */
    twx_site_count whole;       /* documents of this pass that take part */
    /* Of the pass through the documents */
    twx_flags_cursor stored;
    int64_t *docs; /* owned; a batch */
    size_t doc_at, docs_n;
    bool docs_end;
    size_t part_at, fetched_end; /* in parts */
    twx_flag_row_list fetched;
    size_t fetched_at;
} twx_pulled_rows;

/* Asks the servers for the sums. */
TWX_CHECK twx_rc twx_pulled_rows_open(twx_shard_store *store, twx_nodes *nodes, uint64_t run,
                                      const twx_remote_list *remotes, const twx_doc_list *changed,
                                      twx_pulled_rows *ret_rows);
void twx_pulled_rows_done(twx_pulled_rows *p);
/* Memory: p is borrowed; one reader at a time. */
twx_flag_rows twx_pulled_rows_of(twx_pulled_rows *p);

#endif
