/* run/summary.h: the summary of a run, as text and as JSON (which is also stored in the ledger),
 * and the counts of its judgement in bytes, which the ledger keeps for the next run. */
#ifndef TWX_RUN_SUMMARY_H
#define TWX_RUN_SUMMARY_H

#include "judge/flags.h"
#include "judge/judge.h"
#include "run/change_list.h"
#include "run/sign_summary.h"

enum {
    TWX_STAGES_MAX = 8,
    TWX_HOSTS_SHOWN = 20,
    TWX_COLLAPSED_BYTES = 1 << 16,
    TWX_COUNTS_BYTES = 1 << 17
};

/* Changes of the flags of one host. */
typedef struct twx_host_flag_changes {
    char *host; /* owned by the summary */
    uint64_t documents, hidden, changed_flags;
} twx_host_flag_changes;

/* Documents of one host that the filter of a rules file would leave out. */
typedef struct twx_host_filtered {
    char *host;                              /* owned by the summary */
    uint64_t documents, hidden, hidden_part; /* hidden_part: of those that take part */
} twx_host_filtered;

/* One of several stores. */
typedef struct twx_summary_store {
    char *store;    /* owned by the summary, and so is the next */
    char *left_out; /* why it was left out; NULL: it was not */
    uint64_t documents, changed, hidden, read, signed_now, deleted;
} twx_summary_store;

/* Memory: embedded struct; twx_summary_done(). */
typedef struct twx_summary {
    const char *store, *outcome;       /* store: what the run is called in the output */
    char *title;                       /* owned; the same */
    TWX_VEC(twx_summary_store) stores; /* those of a run over several; empty: one */
    uint64_t documents, indexable, hidden, linked;
    twx_sign_counts counts;
    uint64_t hidden_before; /* in a dry run: hidden by the published flags */
    uint64_t changed;       /* documents whose flags differ from the previously published ones */
    uint64_t changed_flags[TWX_FLAGS]; /* by flag: documents in which it changed */
    uint64_t eligibility[TWX_ELIGIBILITIES], link_state[TWX_LINK_STATES];
    struct {
        bool used;
        uint64_t groups, copies, largest;
    } slot[TWX_RELATIONS + 1]; /* the last one: the verdict */
    /* pairs of texts compared; texts left out because a key was full (near.candidates) */
    uint64_t near_compared, near_capped;
    struct {
        const char *name;
        double seconds;
    } stage[TWX_STAGES_MAX];
    size_t n_stages;
    /* in a dry run: hosts with changed flags, most changes first */
    TWX_VEC(twx_host_flag_changes) hosts;
    const char *rules; /* of a dry run; NULL: none */
    uint64_t filtered, filtered_part;
    TWX_VEC(twx_host_filtered) filtered_hosts; /* hosts with hidden documents, most first */
    bool dry_run, listed;                      /* listed: `changes` is filled */
    twx_change_list changes;
    /* hosts whose links are ignored (canonical.collapse_min), one per line; more than
     * TWX_COLLAPSED_BYTES are left out and not in JSON */
    twx_buf collapsed;
    bool collapsed_left_out;
    twx_buf guards;        /* findings, one per line */
    const char *pins_file; /* NULL: none */
    size_t n_pins, n_idle_pins;
    twx_buf idle_pins; /* pins that concern no document, one per line */
} twx_summary;

void twx_summary_init(twx_summary *s);
void twx_summary_done(twx_summary *s);
/* Adds a store that was left out. */
TWX_CHECK twx_rc twx_summary_left_out(twx_ctx *cx, twx_summary *s, const char *store,
                                      const char *reason);
/* Adds a store; `store` of the line is copied. */
TWX_CHECK twx_rc twx_summary_add_store(twx_ctx *cx, twx_summary *s, const twx_summary_store *line);
/* Forgets those that were not left out. */
void twx_summary_forget_stores(twx_summary *s);
bool twx_summary_has_left_out(const twx_summary *s);
/* Adds to the time of a stage. name: a literal. */
void twx_summary_stage(twx_summary *s, const char *name, double seconds);
/* Replaces the counts by those of a judgement. */
TWX_CHECK twx_rc twx_summary_judged(twx_ctx *cx, twx_summary *s, const twx_judgement *j);
/* Appends these counts to `out`: 64-bit numbers, big endian, and the collapsed hosts. Equal counts
 * have equal bytes. Appends nothing if hosts were left out. */
TWX_CHECK twx_rc twx_summary_pack(twx_ctx *cx, const twx_summary *s, twx_buf *out);
/* Reads them. *ret_complete false: these are not all of them; *s is unchanged. */
TWX_CHECK twx_rc twx_summary_unpack(twx_ctx *cx, twx_slice packed, twx_summary *s,
                                    bool *ret_complete);
/* The name of a slot in JSON; i < TWX_RELATIONS + 1. */
const char *twx_summary_slot_name(size_t i);
json_t *twx_summary_json(const twx_summary *s); /* new reference, NULL: out of memory */
TWX_CHECK twx_rc twx_summary_write(const twx_out *out, const twx_summary *s);

#endif
