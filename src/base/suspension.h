/* base/suspension.h: stops the process (Ctrl-Z) only while it holds no lock that keeps others from
 * writing.
 * [R1] A request during a section is carried out when the last section ends. [R2] While a section
 * only waits for its lock, the request is carried out at once. [R3] Any thread and a signal handler
 * may make the request.
 * Memory: embedded struct, zeros before use, nothing to free. */
#ifndef TWX_BASE_SUSPENSION_H
#define TWX_BASE_SUSPENSION_H

#include <stdatomic.h>

typedef void twx_suspend_fn(void); /* stops the process, and returns when it continues */
typedef struct twx_suspension {
    atomic_int sections;
    _Atomic(twx_suspend_fn *) requested; /* NULL: no request */
} twx_suspension;

/* The request. Async-signal-safe. */
void twx_suspend(twx_suspension *s, twx_suspend_fn *stop);
/* A section begins before the lock is taken; s NULL: nothing is done. */
void twx_suspension_hold(twx_suspension *s);
/* The section still waits for its lock. */
void twx_suspension_wait(twx_suspension *s);
void twx_suspension_release(twx_suspension *s);

#endif
