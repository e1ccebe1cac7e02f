/* report/summary.h: what a run says at its end, as text and as JSON (which the ledger keeps too).
 */
#ifndef TWX_REPORT_SUMMARY_H
#define TWX_REPORT_SUMMARY_H

#include "judge/flags.h"
#include "judge/judge.h"
#include "report/change_list.h"
#include "report/out.h"

enum { TWX_STAGES_MAX = 8, TWX_HOSTS_SHOWN = 20 };

/* Flips of the flags of one host. */
typedef struct twx_host_flag_changes {
    char *host; /* owned by the summary */
    uint64_t documents, hidden, flips;
} twx_host_flag_changes;

/* Documents of one host that the filter of a file of rules would leave out. */
typedef struct twx_host_filtered {
    char *host;                              /* owned by the summary */
    uint64_t documents, hidden, hidden_part; /* hidden_part: of those that take part */
} twx_host_filtered;

/* Memory: embedded struct; twx_summary_done(). */
typedef struct twx_summary {
    const char *store, *outcome;
    uint64_t documents, indexable, hidden, linked;
    uint64_t read, signed_now, text_bytes, deleted;
    uint64_t bad_urls, bad_ids, bad_utf8, odd_values, too_long;
    uint64_t changed;          /* documents whose flags differ from what was published before */
    uint64_t flips[TWX_FLAGS]; /* per flag */
    uint64_t eligibility[TWX_ELIGIBILITIES], link_state[TWX_LINK_STATES];
    struct {
        bool used;
        uint64_t groups, copies, largest;
    } slot[TWX_RELATIONS + 1]; /* the last one: the verdict */
    /* pairs of texts; texts a key had no room for (near.candidates) */
    uint64_t near_compared, near_capped;
    struct {
        const char *name;
        double seconds;
    } stage[TWX_STAGES_MAX];
    size_t n_stages;
    TWX_VEC(twx_host_flag_changes) hosts; /* filled in a dry run: hosts with flips, most first */
    const char *rules;                    /* of a dry run; NULL: none */
    uint64_t filtered, filtered_part;
    TWX_VEC(twx_host_filtered) filtered_hosts; /* those with any, most first */
    bool dry_run, listed;                      /* listed: `changes` is filled */
    twx_change_list changes;
    twx_buf guards;        /* findings, a line each */
    const char *pins_file; /* NULL: none */
    size_t n_pins, n_idle_pins;
    twx_buf idle_pins; /* those that concern no document, a line each */
} twx_summary;

void twx_summary_init(twx_summary *s);
void twx_summary_done(twx_summary *s);
/* Adds to the time of a stage. name: a literal. */
void twx_summary_stage(twx_summary *s, const char *name, double seconds);
/* Fills in the counts of a judgement, in place of those of an earlier one. */
void twx_summary_judged(twx_summary *s, const twx_judgement *j);
json_t *twx_summary_json(const twx_summary *s); /* new reference, NULL: out of memory */
TWX_CHECK twx_rc twx_summary_write(const twx_out *out, const twx_summary *s);

#endif
