/* inspect/check.h: checks stores, one or several together, and collects what was found. */
#ifndef TWX_INSPECT_CHECK_H
#define TWX_INSPECT_CHECK_H

#include "base/arena.h"
#include "base/vec.h"
#include "run/job.h"
#include "run/out.h"

/* What a check found: facts, problems and advice, in the order in which they
 * were found.
 * Memory: embedded struct; twx_findings_init(), _done(). Bytes are in the arena. */
enum { TWX_FINDING_BYTES = 2048 };

typedef struct twx_finding {
    twx_slice name; /* of a fact; absent: a problem, or advice */
    bool advice;
    twx_slice text;
} twx_finding;

typedef struct twx_findings {
    twx_ctx *cx; /* borrowed */
    twx_arena arena;
    const char *store;
    TWX_VEC(twx_finding) rows;
    uint64_t problems, advice;
} twx_findings;

void twx_findings_init(twx_ctx *cx, twx_findings *f);
void twx_findings_done(twx_findings *f);
/* Texts are cut after TWX_FINDING_BYTES. */
TWX_CHECK twx_rc twx_findings_fact(twx_findings *f, const char *name, const char *fmt, ...)
    TWX_PRINTF(3, 4);
/* A problem that is already in the list is not added again: two steps can report it. */
TWX_CHECK twx_rc twx_findings_problem(twx_findings *f, const char *text);
/* Something that would be better; it does not count as a problem. */
TWX_CHECK twx_rc twx_findings_advice(twx_findings *f, const char *fmt, ...) TWX_PRINTF(2, 3);
TWX_CHECK twx_rc twx_findings_write(const twx_out *out, const twx_findings *f);
/* Of several stores: one after the other, as JSON a list. */
TWX_CHECK twx_rc twx_findings_list_write(const twx_out *out, const twx_findings *at, size_t n);

/* The command check: the mapping, the schema, the health of the file, what a run
 * would do, and what would prevent a run. It writes nothing. */
TWX_CHECK twx_rc twx_check(const twx_job *job, twx_findings *ret_findings);

/* Check and doctor of several stores: of each one, and whether they fit
 * together. */
typedef twx_rc twx_check_fn(const twx_job *job, twx_findings *ret_findings);

/* Calls `check` for each store of the job, and writes what it finds. With several stores, what they
 * are together comes last: the flags of one run, and no reference to a store that is missing. */
TWX_CHECK twx_rc twx_check_set(const twx_job *job, twx_check_fn *check, const twx_out *out,
                               uint64_t *ret_problems);

#endif
