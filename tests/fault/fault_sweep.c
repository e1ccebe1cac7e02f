
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault_bug.h"
#include "fault_clock.h"
#include "fault_guard.h"
#include "fault_memory.h"
#include "fault_places.h"

enum { NOT_REACHED = 7 /* exit code */ };

const fault_kind FAULT_KIND[FAULT_KINDS] = {
    {"I/O error", DISK_ALL, DISK_REFUSES, false, 211},
    {"I/O errors from then on", DISK_ALL, DISK_REFUSES, true, 251},
    {"I/O error after the effect", DISK_CHANGES, DISK_LATE, false, 23},
    {"I/O errors after the effect", DISK_CHANGES, DISK_LATE, true, 29},
    {"short write", 1 << DISK_WRITE, DISK_SHORT, false, 31},
    {"short writes from then on", 1 << DISK_WRITE, DISK_SHORT, true, 37},
    {"disk full", 1 << DISK_WRITE, DISK_FULL, false, 31},
    {"disk full from then on", 1 << DISK_WRITE, DISK_FULL, true, 37},
    {"lock refused", DISK_LOCKS, DISK_BUSY, false, 83},
    {"locks refused from then on", DISK_LOCKS, DISK_BUSY, true, 97},
    {"death before a call", DISK_ALL, DISK_DIES, false, 173},
    {"death in a call", DISK_CHANGES, DISK_DIES_LATE, false, 41},
    {"allocation", 0, DISK_REFUSES, false, 4001},
    {"allocations from then on", 0, DISK_REFUSES, true, 4507},
};

typedef struct sweep {
    fault_case c;
    const fault_kind *kind;
    uint64_t counted; /* calls of the disk, or allocations, of the last trial */
    uint64_t points;  /* the same, when nothing fails */
    bool fired;
} sweep;

/* What the caller of a call gets. */
typedef struct answer {
    int result;
    char message[1200];
    /* warnings: COMMIT failed, but the new flags are published; the model of URLs is the old one */
    bool found_new, model_kept;
    bool not_stored; /* a warning: the mirrors could be shown, but not stored; JSON says so, too */
    fault_output out;
} answer;

/* ---- one trial ---------------------------------------------------------- */

static void arm(const fault_kind *kind, uint64_t nth) {
    const disk_plan plan = {
        .ops = kind->ops, .failure = kind->failure, .at = nth, .forever = kind->forever};
    clock_reset();
    disk_arm(&plan);
    if (!kind->ops) memory_arm(nth, kind->forever);
}

static void disarm(sweep *w, uint64_t nth) {
    w->counted = disk_disarm();
    if (!w->kind->ops) w->counted = memory_disarm();
    w->fired = w->kind->ops ? disk_fired() : w->counted >= nth;
}

static void on_message(void *arg, twindex_level level, const char *text) {
    answer *to = arg;
    if (level == TWINDEX_WARNING && strstr(text, "but the new flags are published"))
        to->found_new = true;
    if (level == TWINDEX_WARNING && strstr(text, "are not stored in")) to->not_stored = true;
    if (level == TWINDEX_WARNING && strstr(text, "still that of an earlier run"))
        to->model_kept = true;
}

static twindex_format format_of(uint64_t nth) {
    return nth / 2 % 2 ? TWINDEX_JSON : TWINDEX_TEXT;
}

static void call_with_fault(sweep *w, uint64_t nth, answer *ret_answer) {
    const twindex_sink sink = {
        .write = fault_keep_output, .arg = &ret_answer->out, .format = format_of(nth)};
    ret_answer->out.n = 0;
    ret_answer->out.bytes[0] = '\0';
    ret_answer->found_new = ret_answer->model_kept = ret_answer->not_stored = false;
    twindex *t = fault_scene_open(w->c.s, on_message, ret_answer);
    arm(w->kind, nth);
    ret_answer->result = w->c.call->call(t, &sink);
    disarm(w, nth);
    snprintf(ret_answer->message, sizeof ret_answer->message, "%s", twindex_message(t));
    twindex_free(t);
    if (w->fired) fault_bug_after(&ret_answer->result, ret_answer->message);
}

/* A library may keep what it makes at its first use: what is lost is lost each time. */
static void call_and_count(sweep *w, uint64_t nth, answer *ret_answer) {
    for (int again = 0; again < 2; again++) {
        fault_scene_restore(w->c.s, w->c.call);
        const int files = test_open_files();
        const int64_t held = memory_held();
        call_with_fault(w, nth, ret_answer);
        const int64_t lost = memory_held() - held;
        const int still_open = test_open_files() - files;
        if (lost <= 0 && still_open <= 0) return;
        if (again)
            fault_complain(&w->c, &w->c.tally->leaked,
                           "%" PRId64 " allocations and %d files are not given back", lost,
                           still_open);
    }
}

/* ---- what the caller gets -------------------------------------------- */

/* The exit codes that a disk's faults may have: none says that the user or Twindex is wrong. */
static bool fitting(const fault_kind *kind, int result) {
    static const int CODES[] = {TWINDEX_IO, TWINDEX_BAD_DATA, TWINDEX_NO_STORE, TWINDEX_NO_CREATE,
                                TWINDEX_BUSY};
    if (!kind->ops && result == TWINDEX_INTERNAL) return true;
    for (size_t i = 0; i < sizeof CODES / sizeof *CODES; i++)
        if (result == CODES[i]) return true;
    return false;
}

/* Lists of queries and the like lie beside the store as faults.*, and their errors name them. */
static bool names_cause(const fault_case *c, const char *message) {
    const char *name = strrchr(c->s->store, '/') + 1;
    return strstr(message, name) || strstr(message, "twindex-dry-run-") ||
           strstr(message, "/faults.") || strstr(message, "out of memory");
}

static void judge_answer(const sweep *w, uint64_t nth, const answer *got) {
    const fault_expected *e = fault_expect(w->c.s, w->c.call);
    uint64_t *wrong = &w->c.tally->wrong;
    const bool success = got->result == TWINDEX_OK || got->result == TWINDEX_DOUBT;
    if (!w->fired && got->result != e->result)
        fault_complain(&w->c, wrong, "without a fault it ends with %d: %s", got->result,
                       got->message);
    if (success && got->result == e->result && !w->c.call->timed && !got->not_stored &&
        strcmp(got->out.bytes, e->output[format_of(nth)]) != 0)
        fault_complain(&w->c, wrong, "success with another output: %.400s", got->out.bytes);
    /* these two report what they cannot look at as a problem */
    const bool reports = strcmp(w->c.call->name, "check") == 0 ||
                         strcmp(w->c.call->name, "doctor") == 0;
    if (success && got->result != e->result && !reports)
        fault_complain(&w->c, wrong, "it ends with %d instead of %d", got->result, e->result);
    if (success) return;
    if (!fitting(w->kind, got->result))
        fault_complain(&w->c, wrong, "exit code %d: %s", got->result, got->message);
    if (!names_cause(&w->c, got->message))
        fault_complain(&w->c, wrong, "exit code %d, and the message does not name the file: '%s'",
                       got->result, got->message);
}

static bool fail_once(sweep *w, uint64_t nth) {
    static answer got;
    call_and_count(w, nth, &got);
    w->c.tally->faults += w->fired;
    w->c.tally->reopened += got.found_new;
    judge_answer(w, nth, &got);
    w->c.succeeded = got.result == TWINDEX_OK || got.result == TWINDEX_DOUBT;
    w->c.model_kept = got.model_kept;
    fault_judge(&w->c, nth % 2);
    return w->fired;
}

/* ---- death -------------------------------------------------------------- */

static bool die_once(sweep *w, uint64_t nth) {
    static answer got;
    int status = 0;
    fault_scene_restore(w->c.s, w->c.call);
    const pid_t pid = fork();
    if (pid < 0) abort();
    if (pid == 0) {
        call_with_fault(w, nth, &got);
        _exit(NOT_REACHED);
    }
    if (waitpid(pid, &status, 0) != pid) abort();
    w->fired = WIFEXITED(status) && WEXITSTATUS(status) == DISK_DEATH;
    if (!w->fired && !(WIFEXITED(status) && WEXITSTATUS(status) == NOT_REACHED))
        fault_complain(&w->c, &w->c.tally->crashed, "wait status %d", status);
    w->c.tally->faults += w->fired;
    w->c.succeeded = !w->fired;
    if (nth % 16 == 0)
        fault_judge_next(&w->c);
    else
        fault_judge(&w->c, nth % 2);
    return w->fired;
}

/* ---- the sweep ---------------------------------------------------------- */

static bool trial(void *arg, uint64_t nth) {
    sweep *w = arg;
    snprintf(w->c.what, sizeof w->c.what, "%s, %s %" PRIu64, w->c.s->wal ? "WAL" : "rollback",
             w->kind->name, nth);
    const bool dies = w->kind->failure == DISK_DIES || w->kind->failure == DISK_DIES_LATE;
    return dies ? die_once(w, nth) : fail_once(w, nth);
}

/* How many calls there are when nothing fails. */
static uint64_t count_points(sweep *w) {
    static answer got;
    fault_scene_restore(w->c.s, w->c.call);
    call_with_fault(w, 0, &got);
    return w->counted;
}

/* A sweep over the calls of a list. */
typedef struct chosen {
    sweep w;
    const uint32_t *calls;
    size_t n;
} chosen;

/* n: in the list, from 1 */
static bool chosen_trial(void *arg, uint64_t n) {
    chosen *c = arg;
    if (n > c->n) return false;
    (void)trial(&c->w, c->calls[n - 1]);
    return true;
}

void fault_sweep_places(const fault_scene *s, const fault_call *call, const fault_kind *kind,
                        unsigned depth, fault_tally *tally) {
    chosen c = {.w = {.c = {.s = s, .call = call, .tally = tally}, .kind = kind}};
    if (!kind->ops && !memory_can_fail()) return;
    fault_places_begin(depth);
    tally->points += count_points(&c.w);
    fault_places_end();
    c.calls = fault_places_take((uint64_t)(kind - FAULT_KIND), &c.n);
    fault_guard(&c.w.c, chosen_trial, &c, 1, 1);
}

/* What follows the last call would be tried without a fault. */
static bool reached_trial(void *arg, uint64_t nth) {
    const sweep *w = arg;
    return nth <= w->points && trial(arg, nth);
}

void fault_sweep(const fault_scene *s, const fault_call *call, const fault_kind *kind,
                 uint64_t every, fault_tally *tally) {
    sweep w = {.c = {.s = s, .call = call, .tally = tally}, .kind = kind};
    if (!kind->ops && !memory_can_fail()) return;
    w.points = count_points(&w);
    tally->points += w.points;
    if (w.points == 0) return;
    /* at least one; each call gets its own first one, so that a short sweep does not choose the
     * same ones */
    const uint64_t among = every < w.points ? every : w.points;
    const uint64_t first = 1 + ((uint64_t)(call - FAULT_CALL) * 7 + s->seed) % among;
    fault_guard(&w.c, reached_trial, &w, first, every);
}
