/* cluster/cluster_summary.h: what the steps of 'twindex cluster' have done and found. */
#ifndef TWX_CLUSTER_CLUSTER_SUMMARY_H
#define TWX_CLUSTER_CLUSTER_SUMMARY_H

#include "base/vec.h"
#include "run/out.h"

typedef struct twx_push_summary {
    const char *store;
    uint32_t shard;
    uint64_t version, documents, sent, gone, bytes;
    uint64_t texts, text_bytes; /* that the last judgement has asked for */
    double seconds;
} twx_push_summary;

TWX_CHECK twx_rc twx_push_summary_write(const twx_out *out, const twx_push_summary *s);

typedef struct twx_judge_summary {
    uint64_t run, documents, indexable, hidden, linked;
    size_t shards;
    uint64_t link_rounds, cluster_rounds, statements;
    uint64_t near_rounds, copy_rounds, compared; /* compared: pairs of texts */
    uint64_t read;                               /* pairs whose texts were read to prove copies */
    double seconds;
} twx_judge_summary;

TWX_CHECK twx_rc twx_judge_summary_write(const twx_out *out, const twx_judge_summary *s);

typedef struct twx_pull_summary {
    const char *store;
    uint32_t shard;
    const char *outcome; /* "prepared" */
    uint64_t run;
    uint64_t documents; /* that have flags */
    uint64_t pulled;    /* rows that the servers sent */
    uint64_t changed;   /* documents without flags, because they have changed */
    uint64_t elsewhere; /* documents of other stores that the flags refer to */
    double seconds;
} twx_pull_summary;

TWX_CHECK twx_rc twx_pull_summary_write(const twx_out *out, const twx_pull_summary *s);

typedef struct twx_published_store {
    const char *store, *outcome;
    uint32_t shard;
    uint64_t run, documents;
} twx_published_store;

/* Memory: embedded struct; twx_publish_summary_done(). */
typedef struct twx_publish_summary {
    TWX_VEC(twx_published_store) stores;
    /* Without stores: the run that is committed, its stores, and how many have published it */
    uint64_t run;
    size_t shards, published;
} twx_publish_summary;

void twx_publish_summary_done(twx_publish_summary *s);
TWX_CHECK twx_rc twx_publish_summary_write(const twx_out *out, const twx_publish_summary *s);

typedef struct twx_cluster_shard {
    uint32_t shard;
    uint64_t version, documents, found_documents, pushed_at, fingerprint;
    bool holds;              /* the servers have what its last push left */
    uint64_t judged_version; /* of the last run; 0: it was not judged */
    const char *vote;        /* on the last run; NULL: not known */
    uint64_t owed;           /* texts that the newest run has asked for and the servers have not */
} twx_cluster_shard;

/* Memory: embedded struct; twx_cluster_status_done(). */
typedef struct twx_cluster_status {
    const char *database;
    size_t nodes;
    uint64_t run, ended_at; /* the last run that has ended; 0: none */
    bool committed;         /* it is, in the ledger */
    /* Of the newest run: pairs that wait for texts, and how often in turn; 0: none */
    uint64_t open_pairs, round;
    TWX_VEC(twx_cluster_shard) shards;
} twx_cluster_status;

void twx_cluster_status_done(twx_cluster_status *s);
TWX_CHECK twx_rc twx_cluster_status_write(const twx_out *out, const twx_cluster_status *s);

/* "database twindex on 2 nodes: made" */
TWX_CHECK twx_rc twx_cluster_made_write(const twx_out *out, const char *database, size_t nodes,
                                        const char *outcome);

#endif
