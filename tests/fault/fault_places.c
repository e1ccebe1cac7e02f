#include "fault_places.h"

#include <unwind.h>

#include "support.h"

#include "base/base.h"

enum { CALLS_MAX = 1 << 20, PLACES_MAX = 1 << 20 };

/* static: malloc is being replaced */
static uint64_t places[CALLS_MAX], taken[PLACES_MAX];
static uint32_t first[CALLS_MAX];
static size_t n, n_taken;
static unsigned depth;
static bool noting;

void fault_places_begin(unsigned calls) {
    depth = calls;
    n = 0;
    noting = true;
}

void fault_places_end(void) {
    noting = false;
}

/* the program's code, which the linker brackets */
extern const char __executable_start, etext;

typedef struct walk {
    uint64_t hash;
    unsigned own;
} walk;

static _Unwind_Reason_Code step(struct _Unwind_Context *frame, void *arg) {
    walk *w = arg;
    const uintptr_t at = _Unwind_GetIP(frame), start = (uintptr_t)&__executable_start;
    if (at < start || at >= (uintptr_t)&etext) return _URC_NO_REASON;
    w->hash = twx_mix64(w->hash, at - start);
    return ++w->own < depth ? _URC_NO_REASON : _URC_END_OF_STACK;
}

void fault_places_note(void) {
    if (!noting) return;
    assert_true(n < CALLS_MAX);
    walk w = {.hash = 1};
    noting = false; /* the first walk allocates */
    (void)_Unwind_Backtrace(step, &w);
    noting = true;
    places[n++] = w.hash;
}

/* Whether the place is new in `taken`, a table with open addresses. */
static bool take(uint64_t key) {
    size_t i = key % PLACES_MAX;
    while (taken[i] && taken[i] != key) i = (i + 1) % PLACES_MAX;
    if (taken[i]) return false;
    assert_true(++n_taken < PLACES_MAX / 2);
    taken[i] = key;
    return true;
}

const uint32_t *fault_places_take(uint64_t who, size_t *ret_n) {
    *ret_n = 0;
    for (size_t i = 0; i < n; i++)
        if (take(twx_mix64(places[i], who) | 1)) first[(*ret_n)++] = (uint32_t)(i + 1);
    return first;
}
