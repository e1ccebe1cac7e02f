/* store/generations.h: the two generations of flags. The inactive one is updated in short
 * transactions and then published in one very short transaction, so readers see either the whole
 * old result or the whole new one.
 * [R1] The published generation is never changed. [R2] Each write checks, in its own transaction,
 * that the run's token is still current; if another run has claimed the right to write, this one
 * ends with TWX_E_SUPERSEDED. [R3] A generation is marked incomplete before its first row changes
 * and complete only by publishing, so undo never selects a mixture of two results.
 * Memory: owned handle on any connection; functions that write need a writer. */
#ifndef TWX_STORE_GENERATIONS_H
#define TWX_STORE_GENERATIONS_H

#include "base/buf.h"
#include "base/flag_row.h"
#include "base/value.h"
#include "store/db.h"
#include "store/remotes.h"
#include "store/site_counts.h"

/* The row of twindex_state. A NULL run is read as 0; generation is 0 before the first run. */
typedef struct twx_state {
    char generation; /* 'a', 'b' or 0 */
    int64_t run[2];  /* of a, b: the run whose complete result it holds; 0: none */
    int64_t token;
    bool has_fingerprint;
    uint64_t fingerprint;
    char id_kind[8]; /* "direct", "mapped" or "" */
} twx_state;

typedef struct twx_generations twx_generations;

TWX_CHECK twx_rc twx_generations_open(twx_db *db, twx_generations **ret_generations);
void twx_generations_close(twx_generations *g);

TWX_CHECK twx_rc twx_state_read(twx_generations *g, twx_state *ret_state);
/* Records the fingerprint under which every document is signed; NULL: signing is not complete. The
 * caller owns the transaction. */
TWX_CHECK twx_rc twx_state_signed(twx_generations *g, const uint64_t *fingerprint);
/* The same, but only if the stored fingerprint is still `was`: a trigger resets it when another
 * process deletes rows of the cache. */
TWX_CHECK twx_rc twx_state_finish(twx_generations *g, uint64_t fingerprint, uint64_t was);
/* The fingerprint of the settings with which the published flags were judged from the signatures
 * that are stored now; the counts of the run that published them are appended (none if the ledger
 * has lost them). TWX_DONE: not known. */
TWX_CHECK twx_rc twx_state_judged(twx_generations *g, uint64_t *ret_fingerprint,
                                  twx_buf *ret_counts);
/* Records it; NULL: not known, because signatures change. The caller owns the transaction. */
TWX_CHECK twx_rc twx_state_set_judged(twx_generations *g, const uint64_t *fingerprint);
/* [R5] Begins a judgement, before its signatures are loaded: if they change before it is published,
 * by this or another connection, twx_state_judged() returns TWX_DONE, and publishing records no
 * fingerprint. The caller owns the transaction. */
TWX_CHECK twx_rc twx_state_begin_judging(twx_generations *g);

static inline char twx_other_generation(char generation) {
    return generation == 'a' ? 'b' : 'a';
}

/* Rows of a generation with a doc greater than `after`, ascending; fewer than limit at the end. */
TWX_CHECK twx_rc twx_flags_read(twx_generations *g, char generation, int64_t after,
                                twx_flag_row *ret_rows, size_t limit, size_t *ret_n);
/* Reads the generation from the first of n rows, which are in order of doc, to the last. ret_equal:
 * how many rows, from the first on, are stored like this. */
TWX_CHECK twx_rc twx_flags_match(twx_generations *g, char generation, const twx_flag_row *rows,
                                 size_t n, size_t *ret_equal);
TWX_CHECK twx_rc twx_flags_get(twx_generations *g, char generation, int64_t doc,
                               twx_flag_row *ret_row); /* TWX_DONE: none */

/* Documents whose flags the two generations do not share, with a doc greater than `after`,
 * ascending; fewer than limit at the end. All others have the same flags in both, or none. */
TWX_CHECK twx_rc twx_flags_unshared(twx_generations *g, int64_t after, int64_t *ret_docs,
                                    size_t limit, size_t *ret_n);

/* Claims the right to write: stores the token in twindex_state, marks the inactive generation
 * incomplete and opens a ledger row. */
typedef struct twx_claim {
    int64_t token;
    char base;            /* the published generation it starts from, 0: none */
    int64_t started_at;   /* seconds since 1970 */
    const char *settings; /* JSON for the ledger */
    int64_t run;          /* out: the ledger row */
} twx_claim;
TWX_CHECK twx_rc twx_generation_claim(twx_generations *g, twx_claim *claim);
/* One turn that writes `rows` to, and deletes `gone` from, the generation that is not the claim's
 * base. What was written is removed from the edit; the caller calls again until nothing is left. */
typedef struct twx_flag_edit {
    const twx_flag_row *rows;
    size_t n_rows;
    const int64_t *gone;
    size_t n_gone;
    /* counts of sites to write; with clear_sites all others of the generation are deleted first */
    const twx_site_count *sites;
    size_t n_sites;
    bool clear_sites;
    /* documents of other stores that the rows refer to (store/remotes.h), and those that no row
     * refers to any more */
    const twx_remote *remotes;
    size_t n_remotes;
    const int64_t *gone_remotes;
    size_t n_gone_remotes;
} twx_flag_edit;
TWX_CHECK twx_rc twx_generation_write(twx_generations *g, const twx_claim *claim,
                                      twx_flag_edit *edit);
static inline bool twx_flag_edit_is_done(const twx_flag_edit *e) {
    return e->n_rows == 0 && e->n_gone == 0 && e->n_sites == 0 && !e->clear_sites &&
           e->n_remotes == 0 && e->n_gone_remotes == 0;
}

/* Columns of the ledger. counts: any bytes, for twx_state_judged(); empty: NULL. */
typedef struct twx_run_figures {
    uint64_t documents, indexable, hidden;
    bool documents_alone; /* the other two are not known */
    twx_slice counts;
} twx_run_figures;

typedef struct twx_publication {
    bool direct;
    const char
        *select; /* of the source, for flagged_documents; NULL: do not create that view (--flags) */
    int64_t ended_at;
    const char *summary;            /* JSON for the ledger */
    const twx_run_figures *figures; /* NULL: none */
    const uint64_t *judged;         /* for twx_state_judged() [R5]; NULL: not known */
    /* Of a run over several stores: its number, the same in all of them, and the name of this store
     * among them (twx_membership_set()). 0: a run of this store alone */
    int64_t collection_run;
    twx_slice shard;
} twx_publication;
/* How many documents of each site took part in the result of a generation (store/site_counts.h). */
TWX_CHECK twx_rc twx_generation_sites(twx_generations *g, char generation, twx_site_count_fn *fn,
                                      void *arg);
/* [R4] A connection that only reads gets its own TEMP views of the published generation. They hide
 * the views of the file, because another program can have stored any query under these names.
 * Creates nothing if nothing is published. */
TWX_CHECK twx_rc twx_generation_view(twx_generations *g);
/* The same for one of the generations. direct: document numbers are the ids. */
TWX_CHECK twx_rc twx_generation_view_of(twx_generations *g, char generation, bool direct);
/* Points the views at the generation that the claim wrote. After an error the transaction may or
 * may not have been committed: read the state again. */
TWX_CHECK twx_rc twx_generation_publish(twx_generations *g, const twx_claim *claim,
                                        const twx_publication *p);
/* Ends the ledger row of a run that does not publish. */
TWX_CHECK twx_rc twx_generation_abandon(twx_generations *g, const twx_claim *claim,
                                        int64_t ended_at, const char *message);
/* Ends the ledger row of a run whose result stays in the other generation, to be published by a
 * later process (store/prepared.h). The caller owns the transaction. Errors TWX_E_SUPERSEDED */
TWX_CHECK twx_rc twx_generation_end_prepared(twx_generations *g, const twx_claim *claim,
                                             int64_t ended_at, const char *summary);
/* Publishes the other generation again. TWX_E_DATA if it is not the complete result of a run. */
TWX_CHECK twx_rc twx_generation_undo(twx_generations *g, const twx_publication *p,
                                     char *ret_generation);

#endif
