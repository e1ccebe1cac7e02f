/* cluster/manifests.h: what the stores have pushed, and what the servers have of it.
 * Memory: embedded struct; twx_manifests_done(). */
#ifndef TWX_CLUSTER_MANIFESTS_H
#define TWX_CLUSTER_MANIFESTS_H

#include "base/vec.h"
#include "cluster/nodes.h"

typedef struct twx_manifest {
    uint32_t shard;
    /* As the last push that has ended wrote it; version 0: none has */
    uint64_t version, documents, hash, fingerprint, pushed_at;
    uint32_t relations, collapse_min; /* twx_judge_options */
    uint64_t near;                    /* twx_near_fingerprint() */
    uint64_t store;                   /* twx_store_key() */
    /* What the servers have */
    uint64_t found_documents, found_hash, found_version;
} twx_manifest;

/* Ascending by shard, each once. */
typedef TWX_VEC(twx_manifest) twx_manifests;

/* Reads them from all nodes. Errors as of twx_nodes_run_all() */
TWX_CHECK twx_rc twx_manifests_read(twx_ctx *cx, twx_nodes *nodes, twx_manifests *ret_manifests);
/* What a run has copied: rows of check_document, without versions. */
TWX_CHECK twx_rc twx_manifests_read_copy(twx_ctx *cx, twx_slice rows, twx_manifests *ret_manifests);
/* The parts of these: rows of answers are appended, then brought together. versions: rows have the
 * column. Errors TWX_E_DATA: the answers are cut */
TWX_CHECK twx_rc twx_manifests_parse(twx_ctx *cx, twx_slice rows, twx_manifests *m);
TWX_CHECK twx_rc twx_contents_parse(twx_ctx *cx, twx_slice rows, bool versions, twx_manifests *m);
void twx_manifests_merge(twx_manifests *m);
void twx_manifests_done(twx_manifests *m);
/* The manifest of a shard; NULL: it has pushed nothing. */
const twx_manifest *twx_manifest_of(const twx_manifests *m, uint32_t shard);
/* Do the servers have what the last push left? Not after a push that was interrupted. */
bool twx_manifest_holds(const twx_manifest *m);

/* The last run that has ended and that nothing has stopped, and which versions it judged. */
typedef struct twx_cluster_runs {
    uint64_t last, ended_at; /* last 0: none */
    uint64_t newest;         /* run, which a guard may have stopped */
    twx_manifests judged;    /* shard, version, documents and hash */
    /* If open pairs have stopped the newest run: how often in turn, how many, and which versions it
     * has judged; else 0 and empty */
    uint64_t round, open_pairs;
    twx_manifests open;
} twx_cluster_runs;

/* Reads the answers of nodes; rows of earlier runs are skipped. Errors TWX_E_DATA: they are cut */
TWX_CHECK twx_rc twx_cluster_runs_parse(twx_ctx *cx, twx_slice rows, twx_cluster_runs *runs);
TWX_CHECK twx_rc twx_cluster_runs_read(twx_ctx *cx, twx_nodes *nodes, twx_cluster_runs *ret_runs);
void twx_cluster_runs_done(twx_cluster_runs *runs);

/* Texts that a shard owes: the newest run has asked for them. */
typedef struct twx_owed {
    uint32_t shard;
    uint64_t texts;
} twx_owed;

/* How many texts the servers still lack of those that runs->newest has asked for; ascending by
 * shard. */
typedef TWX_VEC(twx_owed) twx_owed_list;
TWX_CHECK twx_rc twx_owed_read(twx_ctx *cx, twx_nodes *nodes, const twx_cluster_runs *runs,
                               twx_owed_list *ret_list);
/* Of one shard. */
uint64_t twx_owed_of(const twx_owed_list *list, uint32_t shard);

#endif
