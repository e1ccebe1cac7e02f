#include "inspect/undo.h"

#include "run/lock.h"
#include "run/open_store.h"

twx_rc twx_undo(const twx_job *job, twx_restored *ret_restored) {
    twx_opened o = {0};
    twx_lock *lock = NULL;
    twx_state state;
    char generation = '\0';
    unsigned needs = TWX_NEED_RESULTS | (twx_is_separate(job) ? 0 : TWX_NEED_SOURCE);
    twx_rc rc = twx_lock_take(job->cx, twx_own_path(job), &lock);
    if (rc == TWX_OK)
        rc = twx_open_store(job, needs, &o); /* creates nothing if there are no results */
    twx_opened_done(&o);
    if (rc == TWX_OK) rc = twx_open_store(job, needs | TWX_NEED_TABLES | TWX_NEED_SOUND, &o);
    if (rc == TWX_OK) rc = twx_state_read(o.generations, &state);
    if (rc == TWX_OK) {
        const twx_publication p = {.direct = state.id_kind[0] != 'm',
                                   .select = twx_joined_select(job, &o)};
        rc = twx_generation_undo(o.generations, &p, &generation);
    }
    if (rc == TWX_OK) *ret_restored = (twx_restored){generation, state.run[generation == 'b']};
    twx_opened_done(&o);
    twx_lock_release(lock, rc);
    return rc;
}
