/* tests/fault/fault_scene.h: a small store on which every call has something to do, and what each
 * call leaves of it when nothing fails.
 *
 * The store has two generations of flags, changes that wait for the next run, a text index and a
 * model of URLs. A scene knows, for each call, the state before it, the state after it, its output,
 * and the flags of a run that follows.
 * Memory: a scene is prepared once for each journal mode and lives until the process ends. */
#ifndef TWINDEX_TEST_FAULT_SCENE_H
#define TWINDEX_TEST_FAULT_SCENE_H

#include "fault_calls.h"
#include "fault_log.h"

enum { FAULT_ROWS = 128, FAULT_OUTPUT = 1 << 16 };

/* What a store shows to those who use it, as hashes; 0: there is nothing. */
typedef struct fault_state {
    char digest[33]; /* of `twindex digest`; "": no flags */
    uint64_t views;  /* what any SQLite program reads from our views */
    uint64_t joined; /* flags beside their documents */
    uint64_t schema; /* of the tables, indexes and triggers that are not twindex_* */
    uint64_t documents, model, index;
    uint64_t rows[FAULT_ROWS]; /* each document */
    size_t n_rows;
    bool sound;       /* PRAGMA integrity_check, and every query could be answered */
    char reason[256]; /* why it is not */
} fault_state;

typedef struct fault_expected {
    int result;
    char *output[2]; /* text, JSON */
    fault_state after;
    char then[33]; /* digest of a run that follows */
} fault_expected;

typedef struct fault_scene {
    bool wal;
    uint64_t seed;
    char store[FAULT_PATH];
    fault_image template; /* with no journal beside it */
    fault_image bare;     /* no file, for calls that make one */
    fault_state before, nothing;
    fault_expected expected[FAULT_CALLS];
} fault_scene;

/* Output of a call. */
typedef struct fault_output {
    char bytes[FAULT_OUTPUT];
    size_t n;
} fault_output;

void fault_scene_prepare(fault_scene *s, uint64_t seed, bool wal);
const fault_expected *fault_expect(const fault_scene *s, const fault_call *call);
const fault_state *fault_before(const fault_scene *s, const fault_call *call);

/* Puts the store back to the state before the call. */
void fault_scene_restore(const fault_scene *s, const fault_call *call);
/* A handle with the settings of all calls. on_message may be NULL. */
twindex *fault_scene_open(const fault_scene *s, twindex_message_fn *on_message, void *arg);
/* Makes a call without faults, with a handle of its own; ret_output may be NULL. */
int fault_scene_call(const fault_scene *s, const fault_call *call, twindex_format format,
                     fault_output *ret_output);
/* Reads the state, as any SQLite program and `twindex digest` show it. */
void fault_state_read(const fault_scene *s, fault_state *ret_state);
/* An SQLite program opens the store: a journal is played back, a WAL is moved into the file, which
 * then is all there is. Only sound and reason are set. */
void fault_state_settle(const fault_scene *s, fault_state *ret_state);
/* Only digest, and reason if there is none. */
void fault_digest_read(const fault_scene *s, fault_state *ret_state);
/* Hash of the files of the store, as they are. */
uint64_t fault_scene_files(const fault_scene *s);
int fault_keep_output(void *arg, const char *bytes, size_t n);

#endif
