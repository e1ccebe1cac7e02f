#include "fault_guard.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEADLINE_SECONDS = 120, CRASHES = 20 /* after which a sweep gives up */ };

/* of the sanitizers, where they are linked */
__attribute__((weak)) int __lsan_do_recoverable_leak_check(void);

/* What was freed is kept from reuse for longer than a call takes, but not so long that each child
 * copies, and each search for leaks visits, the 256 MB of all calls before. */
const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__asan_default_options(void) {
    return "quarantine_size_mb=16";
}

typedef struct progress {
    uint64_t next;
    bool done;
} progress;

static void work(const fault_case *c, fault_trial_fn *fn, void *arg, uint64_t every, progress *p) {
    bool tried = false; /* a call without a fault loses nothing: fault_scene makes all of them */
    static const int SIGNALS[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE,
                                  SIGILL}; /* cmocka catches them */
    for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++) signal(SIGNALS[i], SIG_DFL);
    while (!p->done) {
        const uint64_t n = p->next;
        p->next += every;
        alarm(DEADLINE_SECONDS);
        if (!fn(arg, n))
            p->done = true;
        else
            tried = true;
    }
    if (tried && __lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check())
        fault_complain(c, &c->tally->leaked, "the leak sanitizer reports");
    fflush(NULL);
    _exit(0);
}

void fault_guard(const fault_case *c, fault_trial_fn *fn, void *arg, uint64_t first,
                 uint64_t every) {
    static progress *p;
    if (!p) p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) abort();
    *p = (progress){.next = first};
    for (int crashes = 0; !p->done && crashes < CRASHES;) {
        int status = 0;
        fflush(NULL);
        const pid_t pid = fork();
        if (pid < 0) abort();
        if (pid == 0) work(c, fn, arg, every, p);
        if (waitpid(pid, &status, 0) != pid) abort();
        crashes += status != 0;
        if (WIFSIGNALED(status))
            fault_complain(c, &c->tally->crashed, "number %" PRIu64 ": killed by signal %d",
                           p->next - every, WTERMSIG(status));
        else if (WEXITSTATUS(status) != 0)
            fault_complain(c, &c->tally->crashed, "number %" PRIu64 ": the test ends with %d",
                           p->next - every, WEXITSTATUS(status));
    }
}
