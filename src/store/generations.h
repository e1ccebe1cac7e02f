/* store/generations.h: the two generations of flags: the inactive one is brought up to date in
 * short transactions, then published in one tiny one. Readers see the whole old result or the whole
 * new one.
 * [R1] Nothing of the published generation is ever changed. [R2] Each write checks, in its own
 * transaction, that the run's token still stands; another run that claims makes this one end with
 * TWX_E_SUPERSEDED. [R3] A generation that is being written is marked incomplete before its first
 * row changes and complete only by publishing, so undo never points at a mixture.
 * Memory: owned handle on any connection; what writes needs a writer. */
#ifndef TWX_STORE_GENERATIONS_H
#define TWX_STORE_GENERATIONS_H

#include "base/flag_row.h"
#include "base/value.h"
#include "store/db.h"
#include "store/site_counts.h"

/* The row of twindex_state. Runs are 0 where NULL; generation is 0 before the first run. */
typedef struct twx_state {
    char generation; /* 'a', 'b' or 0 */
    int64_t run[2];  /* of a, b: the run whose whole result it holds; 0: none */
    int64_t token;
    bool has_fingerprint;
    uint64_t fingerprint;
    char id_kind[8]; /* "direct", "mapped" or "" */
} twx_state;

typedef struct twx_generations twx_generations;

TWX_CHECK twx_rc twx_generations_open(twx_db *db, twx_generations **ret_generations);
void twx_generations_close(twx_generations *g);

TWX_CHECK twx_rc twx_state_read(twx_generations *g, twx_state *ret_state);
/* Records under which fingerprint every document is signed; NULL: not complete. The caller owns the
 * transaction. */
TWX_CHECK twx_rc twx_state_signed(twx_generations *g, const uint64_t *fingerprint);
/* The same, if the stored one is `was` still: rows of the cache that another process dropped have
 * reset it. */
TWX_CHECK twx_rc twx_state_finish(twx_generations *g, uint64_t fingerprint, uint64_t was);

static inline char twx_other_generation(char generation) {
    return generation == 'a' ? 'b' : 'a';
}

/* Rows of a generation behind `after`, ascending; fewer than limit at the end. */
TWX_CHECK twx_rc twx_flags_read(twx_generations *g, char generation, int64_t after,
                                twx_flag_row *ret_rows, size_t limit, size_t *ret_n);
TWX_CHECK twx_rc twx_flags_get(twx_generations *g, char generation, int64_t doc,
                               twx_flag_row *ret_row); /* TWX_DONE: none */

/* Takes the right to write: puts the token into the state, marks the inactive generation
 * incomplete, opens a ledger row. */
typedef struct twx_claim {
    int64_t token;
    char base;            /* the published generation it starts from, 0: none */
    int64_t started_at;   /* seconds since 1970 */
    const char *settings; /* JSON for the ledger */
    int64_t run;          /* out: the ledger row */
} twx_claim;
TWX_CHECK twx_rc twx_generation_claim(twx_generations *g, twx_claim *claim);
/* One short transaction: puts `rows` and deletes `gone` in the generation that is not the claim's
 * base. */
typedef struct twx_flag_edit {
    const twx_flag_row *rows;
    size_t n_rows;
    const int64_t *gone;
    size_t n_gone;
    /* counts of sites to put; all others of the generation are forgotten if clear_sites */
    const twx_site_count *sites;
    size_t n_sites;
    bool clear_sites;
} twx_flag_edit;
TWX_CHECK twx_rc twx_generation_write(twx_generations *g, const twx_claim *claim,
                                      const twx_flag_edit *edit);

typedef struct twx_publication {
    bool direct;
    const char
        *select; /* of the source, for flagged_documents; NULL: leave that view out (--flags) */
    int64_t ended_at;
    const char *summary; /* JSON for the ledger */
} twx_publication;
/* How many documents of each site took part in the result of a generation (store/site_counts.h). */
TWX_CHECK twx_rc twx_generation_sites(twx_generations *g, char generation, twx_site_count_fn *fn,
                                      void *arg);
/* [R4] A connection that only reads looks at the published generation through TEMP views of its
 * own, which hide those of the file: another program can have put any query under their names.
 * Nothing is made when nothing is published. */
TWX_CHECK twx_rc twx_generation_view(twx_generations *g);
/* Points the views at the generation the claim wrote. After an error the exit code is not the
 * state: read it again. */
TWX_CHECK twx_rc twx_generation_publish(twx_generations *g, const twx_claim *claim,
                                        const twx_publication *p);
/* Ends the ledger row of a run that does not publish. */
TWX_CHECK twx_rc twx_generation_abandon(twx_generations *g, const twx_claim *claim,
                                        int64_t ended_at, const char *message);
/* Points back at the other generation. TWX_E_DATA when it is not the whole result of a run. */
TWX_CHECK twx_rc twx_generation_undo(twx_generations *g, const twx_publication *p,
                                     char *ret_generation);

#endif
