/* tests/fault/fault_calls.h: the calls of the library that fault tests make, in one table. Each
 * stands for a command of the program; those that differ in their options have several rows. */
#ifndef TWINDEX_TEST_FAULT_CALLS_H
#define TWINDEX_TEST_FAULT_CALLS_H

#include "store_maker.h"

typedef int fault_call_fn(twindex *t, const twindex_sink *sink);

/* What a call changes when it succeeds. */
enum {
    FAULT_FLAGS = 1,
    FAULT_MODEL = 2,
    FAULT_INDEX = 4,
    FAULT_DOCUMENTS = 8,
    FAULT_MADE = 16,   /* makes the store, which must not exist */
    FAULT_REMOVED = 32 /* everything of Twindex goes at once, the triggers on documents too */
};

typedef struct fault_call {
    const char *name;
    fault_call_fn *call;
    unsigned changes;
    bool toggles; /* a second call takes back what the first has done */
    bool timed;   /* its output contains times */
    bool shown;   /* one of the commands that every fault test covers */
    bool alone;   /* needs no store */
} fault_call;

enum { FAULT_CALLS = 46 };
extern const fault_call FAULT_CALL[FAULT_CALLS];
const fault_call *fault_call_of(const char *name);
/* Those that need no preparation. */
fault_call_fn call_run, call_dry_run, call_mirrors, call_clusters, call_diff, call_index,
    call_predict;

/* What the calls concern: a store that test_twindex() opens, a document with flags, and its URL as
 * it is stored. Writes the files of rules, records, queries and judgements that calls read. */
void fault_calls_prepare(const char *store, const char *document, const char *url);
/* The document is the first row of a query of id and url. */
void fault_calls_prepare_row(const char *store, sqlite3 *db, const char *query);

#endif
