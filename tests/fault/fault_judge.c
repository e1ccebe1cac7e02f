#include "fault_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MEMO = 1 << 18 };

/* ---- tallies ------------------------------------------------------------ */

static void *shared(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) abort();
    return p;
}

static uint64_t *memo; /* keys of judged_before() */

fault_tally *fault_tally_new(void) {
    if (!memo) memo = shared(MEMO * sizeof *memo);
    return shared(sizeof(fault_tally));
}

void fault_judge_anew(void) {
    memset(memo, 0, MEMO * sizeof *memo);
}

/* The counts that the table shows, and which of them must be zero. */
static const struct {
    const char *name;
    size_t at;
    bool bad;
} COUNTS[] = {
    {"points", offsetof(fault_tally, points), false},
    {"faults", offsetof(fault_tally, faults), false},
    {"distinct", offsetof(fault_tally, distinct), false},
    {"lost", offsetof(fault_tally, lost), true},
    {"mixed", offsetof(fault_tally, mixed), true},
    {"damaged", offsetof(fault_tally, damaged), true},
    {"wrong", offsetof(fault_tally, wrong), true},
    {"stuck", offsetof(fault_tally, stuck), true},
    {"leaked", offsetof(fault_tally, leaked), true},
    {"crashed", offsetof(fault_tally, crashed), true},
    {"reopened", offsetof(fault_tally, reopened), false},
};
enum { COUNTS_N = sizeof COUNTS / sizeof *COUNTS };

static uint64_t count_of(const fault_tally *t, size_t i) {
    uint64_t n;
    memcpy(&n, (const char *)t + COUNTS[i].at, sizeof n);
    return n;
}

void fault_tally_add(fault_tally *to, const fault_tally *from) {
    for (size_t i = 0; i < COUNTS_N; i++)
        *(uint64_t *)((char *)to + COUNTS[i].at) += count_of(from, i);
    for (size_t i = 0; i < from->complaints && to->complaints < FAULT_COMPLAINTS; i++)
        memcpy(to->complaint[to->complaints++], from->complaint[i], sizeof from->complaint[i]);
}

uint64_t fault_tally_bad(const fault_tally *t) {
    uint64_t n = 0;
    for (size_t i = 0; i < COUNTS_N; i++) n += COUNTS[i].bad ? count_of(t, i) : 0;
    return n;
}

void fault_tally_head(void) {
    printf("%-34s", "kind");
    for (size_t i = 0; i < COUNTS_N; i++) printf(" %8s", COUNTS[i].name);
    printf("\n");
}

void fault_tally_print(const fault_tally *t, const char *name) {
    printf("%-34s", name);
    for (size_t i = 0; i < COUNTS_N; i++) printf(" %8" PRIu64, count_of(t, i));
    printf("\n");
    for (size_t i = 0; i < t->complaints; i++) printf("    %s\n", t->complaint[i]);
    fflush(stdout);
}

void fault_complain(const fault_case *c, uint64_t *count, const char *fmt, ...) {
    va_list args;
    fault_tally *t = c->tally;
    ++*count;
    if (t->complaints == FAULT_COMPLAINTS) return;
    char *to = t->complaint[t->complaints++];
    const size_t room = sizeof t->complaint[0];
    const int n = snprintf(to, room, "%s, %s: ", c->call->name, c->what);
    va_start(args, fmt);
    vsnprintf(to + n, room - (size_t)n, fmt, args);
    va_end(args);
}

/* ---- what was judged before --------------------------------------------- */

/* The verdict depends on nothing but the files and the call. */
typedef enum view { AS_LEFT, AS_READ, RECOVERED, UNOPENED } view;

static bool judged_before(const fault_case *c, view how) {
    uint64_t key = (fault_scene_files(c->s) ^ (uint64_t)(c->call - FAULT_CALL)) *
                   UINT64_C(0x9E3779B97F4A7C15);
    key ^= (c->succeeded ? 0x55 : 0) ^ (c->model_kept ? 0x1100 : 0) ^ (uint64_t)how << 40 ^
           (c->s->wal ? 0xCC0000 : 0);
    for (size_t i = 0; i < 64; i++) {
        uint64_t *at = &memo[(key + i) % MEMO];
        if (*at == key) return true;
        if (*at) continue;
        *at = key;
        return false;
    }
    return false; /* full: judge again */
}

/* ---- one state ---------------------------------------------------------- */

static bool same_flags(const fault_state *a, const fault_state *b) {
    return strcmp(a->digest, b->digest) == 0 && a->views == b->views;
}

static bool same(const fault_state *a, const fault_state *b) {
    return same_flags(a, b) && a->schema == b->schema && a->documents == b->documents &&
           a->model == b->model && a->index == b->index && a->joined == b->joined;
}

static bool has_row(const fault_state *state, uint64_t row) {
    for (size_t i = 0; i < state->n_rows; i++)
        if (state->rows[i] == row) return true;
    return false;
}

/* Documents arrive in several transactions; each of them is an old or a new one, and whole. */
static bool whole_documents(const fault_state *now, const fault_state *old,
                            const fault_state *fresh) {
    for (size_t i = 0; i < now->n_rows; i++)
        if (!has_row(old, now->rows[i]) && !has_row(fresh, now->rows[i])) return false;
    return now->n_rows >= old->n_rows && now->n_rows <= fresh->n_rows;
}

/* Everything goes, or nothing. */
static void judge_removal(const fault_case *c, const fault_state *now, const fault_state *old,
                          const fault_state *fresh) {
    if (now->documents != old->documents)
        fault_complain(c, &c->tally->damaged, "documents have changed");
    if (!same(now, old) && !same(now, fresh))
        fault_complain(c, &c->tally->mixed, "a part of Twindex is left: flags '%s'", now->digest);
    if (c->succeeded && !same(now, fresh))
        fault_complain(c, &c->tally->lost, "success was reported, but Twindex is still there");
}

static void judge_state(const fault_case *c, const fault_state *now) {
    const fault_state *old = fault_before(c->s, c->call),
                      *fresh = &fault_expect(c->s, c->call)->after;
    fault_tally *t = c->tally;
    const unsigned changes = c->call->changes;
    if (changes & FAULT_REMOVED) {
        judge_removal(c, now, old, fresh);
        return;
    }
    if (!same_flags(now, old) && !((changes & FAULT_FLAGS) && same_flags(now, fresh)))
        fault_complain(c, &t->mixed, "flags '%s', views %" PRIx64 ": neither old nor new",
                       now->digest, now->views);
    if (now->schema != old->schema && !((changes & FAULT_MADE) && now->schema == fresh->schema))
        fault_complain(c, &t->damaged, "the schema has changed");
    if ((changes & FAULT_DOCUMENTS) ? !whole_documents(now, old, fresh)
                                    : now->documents != old->documents)
        fault_complain(c, &t->damaged, "documents have changed");
    if ((now->model != old->model && !(changes & FAULT_MODEL)) ||
        (now->index != old->index && !(changes & FAULT_INDEX)))
        fault_complain(c, &t->mixed, "the model of URLs or the text index has changed");
    fault_state wanted = *fresh;
    if (c->model_kept) wanted.model = now->model;
    if (c->succeeded && !same(now, &wanted))
        fault_complain(c, &t->lost,
                       "success was reported, but flags %d documents %d model %d index %d are new",
                       same_flags(now, fresh), now->documents == fresh->documents,
                       now->model == fresh->model, now->index == fresh->index);
}

/* ---- what comes next ---------------------------------------------------- */

static void judge_run(const fault_case *c) {
    static fault_output out;
    fault_state now;
    const int result = fault_scene_call(c->s, fault_call_of("run"), TWINDEX_TEXT, &out);
    if (result != TWINDEX_OK) {
        fault_complain(c, &c->tally->stuck, "the next run ends with %d: %s", result, out.bytes);
        return;
    }
    fault_state_read(c->s, &now);
    if (!now.sound) fault_complain(c, &c->tally->damaged, "after the next run: %s", now.reason);
    if (strcmp(now.digest, fault_expect(c->s, c->call)->then) != 0)
        fault_complain(c, &c->tally->stuck, "the next run publishes other flags: '%s'", now.digest);
}

/* The call is made again and completes. */
static void repeat(const fault_case *c) {
    static fault_output out;
    fault_state now;
    const fault_expected *e = fault_expect(c->s, c->call);
    const int result = fault_scene_call(c->s, c->call, TWINDEX_TEXT, &out);
    fault_state_read(c->s, &now);
    if (result != e->result)
        fault_complain(c, &c->tally->stuck, "called again, it ends with %d: %s", result, out.bytes);
    else if (!now.sound)
        fault_complain(c, &c->tally->damaged, "after it was called again: %s", now.reason);
    else if (!same(&now, &e->after))
        fault_complain(
            c, &c->tally->stuck,
            "called again, it leaves another state: flags %d views %d documents %d model "
            "%d index %d",
            strcmp(now.digest, e->after.digest) == 0, now.views == e->after.views,
            now.documents == e->after.documents, now.model == e->after.model,
            now.index == e->after.index);
}

/* twindex opens the store as the fault has left it. */
static void judge_first_reader(const fault_case *c) {
    fault_state now;
    const fault_state *old = fault_before(c->s, c->call),
                      *fresh = &fault_expect(c->s, c->call)->after;
    fault_digest_read(c->s, &now);
    if (strcmp(now.digest, old->digest) != 0 && strcmp(now.digest, fresh->digest) != 0)
        fault_complain(c, &c->tally->mixed, "the first digest is '%s': %s", now.digest, now.reason);
}

void fault_judge(const fault_case *c, bool twindex_first) {
    fault_state now;
    const fault_state *fresh = &fault_expect(c->s, c->call)->after;
    if (judged_before(c, twindex_first ? AS_READ : AS_LEFT)) return;
    c->tally->distinct++;
    if (twindex_first) judge_first_reader(c);
    fault_state_settle(c->s, &now);
    if (now.sound && judged_before(c, RECOVERED)) return;
    if (now.sound) fault_state_read(c->s, &now);
    if (!now.sound) {
        fault_complain(c, &c->tally->damaged, "%s", now.reason);
        return;
    }
    judge_state(c, &now);
    const bool made = (c->call->changes & FAULT_MADE) && now.schema == fresh->schema;
    if (!c->succeeded && !made && !(c->call->toggles && same(&now, fresh))) repeat(c);
    judge_run(c);
}

void fault_judge_next(const fault_case *c) {
    if (judged_before(c, UNOPENED)) return;
    if (!c->call->toggles && !(c->call->changes & FAULT_MADE)) repeat(c);
    if (!(c->call->changes & FAULT_MADE)) judge_run(c);
}
