#include "base/suspension.h"

#include <stddef.h>

/* At most this number of sections may be open when a request is carried out. */
static void carry_out(twx_suspension *s, int sections) {
    if (atomic_load(&s->sections) > sections) return;
    twx_suspend_fn *stop = atomic_exchange(&s->requested, NULL);
    if (stop) stop();
}

void twx_suspend(twx_suspension *s, twx_suspend_fn *stop) {
    atomic_store(&s->requested, stop);
    carry_out(s, 0);
}

void twx_suspension_hold(twx_suspension *s) {
    if (s) atomic_fetch_add(&s->sections, 1);
}

void twx_suspension_wait(twx_suspension *s) {
    if (s) carry_out(s, 1);
}

void twx_suspension_release(twx_suspension *s) {
    if (!s) return;
    atomic_fetch_sub(&s->sections, 1);
    carry_out(s, 0);
}
