/* Power cuts: a call is recorded once, and states that one can leave are made from the record. */
#include <stdio.h>
#include <string.h>

#include "fault_bug.h"
#include "fault_guard.h"

enum { UNOPENED = 64 /* one state in so many meets the next call before any other program */ };

typedef struct cuts {
    fault_case c;
    fault_log log;
    fault_cut cut;
    uint64_t seed, states, done;
} cuts;

static void record(cuts *p) {
    snprintf(p->log.store, sizeof p->log.store, "%s", p->c.s->store);
    fault_bug_disk(&p->log);
    fault_scene_restore(p->c.s, p->c.call);
    disk_record(&p->log);
    (void)fault_scene_call(p->c.s, p->c.call, TWINDEX_TEXT, NULL);
    disk_record(NULL);
    fault_scene_restore(p->c.s, p->c.call);
    fault_cut_open(&p->log, &p->cut);
}

static void judge_state(cuts *p, uint64_t number) {
    test_rng rng = test_rng_seed(p->seed * UINT64_C(1000003) + number);
    const bool at_end = p->cut.at == p->log.n;
    p->c.succeeded = at_end;
    snprintf(p->c.what, sizeof p->c.what, "%s, power cut after event %zu of %zu, state %" PRIu64,
             p->c.s->wal ? "WAL" : "rollback", p->cut.at, p->log.n, number);
    fault_cut_write(&p->cut, &rng);
    p->c.tally->faults++;
    if (test_rng_below(&rng, UNOPENED) == 0 && !at_end)
        fault_judge_next(&p->c);
    else
        fault_judge(&p->c, test_rng_below(&rng, 2));
}

/* State number n belongs to a moment in proportion: they are visited in order. */
static bool trial(void *arg, uint64_t n) {
    cuts *p = arg;
    if (n > p->states) return false;
    const size_t moment = (size_t)(n * p->log.n / p->states);
    while (p->cut.at < moment && fault_cut_next(&p->cut)) continue;
    judge_state(p, n);
    return true;
}

uint64_t fault_power_cuts(const fault_scene *s, const fault_call *call, uint64_t states,
                          uint64_t seed, fault_tally *tally) {
    cuts p = {.c = {.s = s, .call = call, .tally = tally}, .seed = seed, .states = states};
    record(&p);
    const uint64_t moments = p.log.n + 1;
    if (states) {
        tally->points += moments;
        fault_guard(&p.c, trial, &p, 1, 1);
        /* after success nothing may be lost, however the rest turns out */
        p.states = states / 20 + 8;
        while (fault_cut_next(&p.cut)) continue;
        fault_guard(&p.c, trial, &p, 1, 1);
    }
    fault_cut_done(&p.cut);
    fault_log_done(&p.log);
    return moments;
}

void fault_power_cuts_of_all(const fault_scene scenes[2], uint64_t states, uint64_t seed,
                             fault_tally *tally) {
    uint64_t moments[2 * FAULT_CALLS], all = 0;
    for (size_t i = 0; i < 2 * FAULT_CALLS; i++) {
        const fault_call *call = &FAULT_CALL[i / 2];
        moments[i] = call->shown ? fault_power_cuts(&scenes[i % 2], call, 0, seed, tally) : 0;
        if (moments[i] <= 1) moments[i] = 0; /* it writes nothing */
        all += moments[i];
    }
    for (size_t i = 0; i < 2 * FAULT_CALLS; i++)
        if (moments[i])
            fault_power_cuts(&scenes[i % 2], &FAULT_CALL[i / 2], states * moments[i] / all + 1,
                             seed + i, tally);
}
