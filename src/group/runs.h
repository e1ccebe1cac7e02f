/* group/runs.h: sets of items that share a key, one after the other, and the sieve that drops the
 * items of a set that are similar to none of the others.
 * Memory: embedded struct; twx_runs_done(). */
#ifndef TWX_GROUP_RUNS_H
#define TWX_GROUP_RUNS_H

#include "base/ctx.h"
#include "base/map64.h"
#include "base/vec.h"

typedef struct twx_runs {
    TWX_VEC(uint32_t) members; /* of all runs */
    TWX_VEC(uint64_t) ends;    /* of each run in members */
} twx_runs;

void twx_runs_done(twx_runs *r);
/* Copies the members. Errors of both: TWX_E_NOMEM; r is unchanged. */
TWX_CHECK twx_rc twx_runs_add(twx_ctx *cx, twx_runs *r, const uint32_t *members, size_t n);
/* The same, unless r has a run of the same members in the same order: near-duplicates share many
 * keys. known: empty at first, the caller's; knows the runs that were added with it. */
TWX_CHECK twx_rc twx_runs_add_once(twx_ctx *cx, twx_runs *r, twx_map64 *known,
                                   const uint32_t *members, size_t n);
static inline uint64_t twx_runs_start(const twx_runs *r, size_t run) {
    return run ? r->ends.at[run - 1] : 0;
}

enum { TWX_SUMMARY_BYTES = 64, TWX_SIEVED_MAX = 64 };

/* A summary of an item fills one cache line if the array of summaries begins at one. */
typedef struct twx_summary_line {
    unsigned char at[TWX_SUMMARY_BYTES];
} twx_summary_line;

/* Rejects pairs of items by their summaries alone. Memory: borrowed. */
typedef struct twx_sieve {
    const twx_summary_line *summary; /* by item; NULL: not in memory */
    /* makes the summary of an item; not NULL if `summary` is. Any thread may call it. */
    void (*summarize)(const void *arg, uint32_t item, twx_summary_line *ret_summary);
    /* false: the two items are certainly no pair. Any thread may call it. Symmetric. */
    bool (*may_pair)(const void *arg, const unsigned char *a, const unsigned char *b);
    const void *arg;
    size_t most; /* longer runs are left as they are; at most TWX_SIEVED_MAX */
} twx_sieve;

/* The summary of an item, in memory or made in room. */
static inline const twx_summary_line *twx_sieve_summary(const twx_sieve *s, uint32_t item,
                                                        twx_summary_line *room) {
    if (s->summary) return &s->summary[item];
    s->summarize(s->arg, item, room);
    return room;
}

static inline bool twx_sieve_may_pair(const twx_sieve *s, const twx_summary_line *a,
                                      const twx_summary_line *b) {
    return s->may_pair(s->arg, a->at, b->at);
}

/* Moves the members that may be in a pair with another member to the front, in their order, and
 * returns their number. s NULL: keeps all. */
size_t twx_sieve_run(const twx_sieve *s, uint32_t *members, size_t n);

#endif
