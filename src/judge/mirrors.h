/* judge/mirrors.h: finds hosts that have most of their documents in common (docs/manual.md,
 * "Mirrors"). Two documents are equal at the exact level when they share an exact group; at the
 * near level when they share an exact or near group, where a chain of groups counts as one. The
 * ratio of two hosts is the share of documents with an equal one on the other host, computed for
 * both hosts; the smaller value counts.
 * [R1] Hosts are compared in one order: more survivors first, then more documents, then the shorter
 * name, then by bytes. At the exact level each host joins, of the preceding hosts that have joined
 * none, the one with the largest ratio, if that is large enough; of equal ratios the earlier host.
 * [R2] The hosts that joined none try the near level, in the same way. So nothing that is found at
 * the exact level depends on near groups, and a host that mirrors another at the near level can
 * have exact mirrors of its own.
 * [R3] Hosts with few documents, and groups that span very many hosts (such as error pages of
 * servers), are left out and counted.
 * [R4] The order of documents and the numbers of hosts and groups do not matter.
 * Memory: 16 bytes a document and level, 24 a host; time: at most the number of documents times the
 * hosts of their groups. */
#ifndef TWX_JUDGE_MIRRORS_H
#define TWX_JUDGE_MIRRORS_H

#include "base/slice.h"
#include "base/vec.h"
#include "judge/doc_table.h"

typedef enum twx_mirror_level {
    TWX_MIRROR_EXACT,
    TWX_MIRROR_NEAR,
    TWX_MIRROR_LEVELS
} twx_mirror_level;

const char *twx_mirror_level_name(twx_mirror_level level); /* "exact" */

/* A document that takes part. */
typedef struct twx_mirror_document {
    uint32_t host; /* below hosts_n */
    /* numbers of its groups, below exact_groups and near_groups; TWX_NO_DOCUMENT: none */
    uint32_t exact, near;
    bool survives; /* it is the survivor of its cluster */
} twx_mirror_document;

typedef TWX_VEC(twx_slice) twx_mirror_hosts; /* names by number */

typedef struct twx_mirror_case {
    const twx_mirror_document *documents; /* in any order */
    size_t n;
    const twx_slice *hosts; /* their names, each once */
    uint32_t hosts_n, exact_groups, near_groups;
    uint32_t ratio_ppm;     /* minimum ratio */
    uint32_t min_documents; /* of a host; at least 1 */
    uint32_t group_hosts;   /* groups of more hosts are left out */
} twx_mirror_case;

enum { TWX_MIRROR_GROUP_HOSTS = 200 };

typedef struct twx_mirror {
    uint32_t host, mirror_of;
    twx_mirror_level level;
    uint64_t shared,
        documents; /* of host: documents with an equal one on mirror_of; all documents */
    uint64_t of_shared, of_documents; /* of mirror_of, the same */
    uint32_t ratio_ppm;               /* rounded down */
} twx_mirror;

/* Memory: owned struct; twx_mirrors_done(). */
typedef struct twx_mirrors {
    /* each host at most once; in the order of [R1], by mirror_of, then by host */
    TWX_VEC(twx_mirror) rows;
    uint32_t hosts;       /* that were compared */
    uint32_t small_hosts; /* left out by [R3] */
    /* left out by [R3]: groups, and documents of compared hosts in them */
    uint64_t wide_groups[TWX_MIRROR_LEVELS], wide_documents[TWX_MIRROR_LEVELS];
} twx_mirrors;

/* Errors TWX_E_NOMEM; TWX_E_INTERRUPTED, TWX_E_TERMINATED. */
TWX_CHECK twx_rc twx_mirrors_find(twx_ctx *cx, const twx_mirror_case *in, twx_mirrors *ret_mirrors);
void twx_mirrors_done(twx_mirrors *m);

#endif
