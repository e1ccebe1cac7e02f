/* judge/mirrors.h: hosts that have most of their documents in common (docs/manual.md, "Mirrors").
 * Two documents are equal at the exact level when an exact group holds both; at the near level when
 * exact or near groups do, a chain of them counting as one group. The ratio of two hosts is the
 * share of documents with an equal one on the other host, of the host where it is smaller.
 * [R1] Hosts are compared in one order: more survivors first, then more documents, then the shorter
 * name, then by bytes. At the exact level each joins, of the hosts before it that have joined none,
 * the one with the largest ratio, if that is large enough; of equal ratios the earlier host. [R2]
 * The hosts that found none try the near level, in the same way. So nothing that is found at the
 * exact level depends on near groups, and a host that mirrors another at the near level can have
 * exact mirrors of its own.
 * [R3] Hosts with few documents, and groups that span very many hosts (what servers answer for
 * pages they do not have), are left out and counted. [R4] The order of documents and the numbers of
 * hosts and groups never matter.
 * Memory: 16 bytes a document and level, 24 a host; time: the documents, times the hosts of their
 * groups at most. */
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
    /* numbers of its groups, below exact_groups and near_groups; TWX_NO_DOCUMENT: alone */
    uint32_t exact, near;
    bool survives; /* it stands for its cluster */
} twx_mirror_document;

typedef struct twx_mirror_case {
    const twx_mirror_document *documents; /* in any order */
    size_t n;
    const twx_slice *hosts; /* their names, each once */
    uint32_t hosts_n, exact_groups, near_groups;
    uint32_t ratio_ppm;     /* least ratio */
    uint32_t min_documents; /* of a host; at least 1 */
    uint32_t group_hosts;   /* groups of more hosts are left out */
} twx_mirror_case;

enum { TWX_MIRROR_GROUP_HOSTS = 200 };

typedef struct twx_mirror {
    uint32_t host, mirror_of;
    twx_mirror_level level;
    uint64_t shared, documents;       /* of host: with an equal one on mirror_of; all */
    uint64_t of_shared, of_documents; /* of mirror_of, the same */
    uint32_t ratio_ppm;               /* rounded down */
} twx_mirror;

/* Memory: owned struct; twx_mirrors_done(). */
typedef struct twx_mirrors {
    /* each host once at most; in the order of [R1], of mirror_of, then of host */
    TWX_VEC(twx_mirror) rows;
    uint32_t hosts;       /* that were compared */
    uint32_t small_hosts; /* [R3] */
    /* [R3]: groups, and documents of compared hosts in them */
    uint64_t wide_groups[TWX_MIRROR_LEVELS], wide_documents[TWX_MIRROR_LEVELS];
} twx_mirrors;

/* Errors TWX_E_NOMEM; TWX_E_INTERRUPTED, TWX_E_TERMINATED. */
TWX_CHECK twx_rc twx_mirrors_find(twx_ctx *cx, const twx_mirror_case *in, twx_mirrors *ret_mirrors);
void twx_mirrors_done(twx_mirrors *m);

#endif
