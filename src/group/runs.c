#include "group/runs.h"

void twx_runs_done(twx_runs *r) {
    if (!r) return;
    TWX_VEC_DONE(&r->members);
    TWX_VEC_DONE(&r->ends);
}

twx_rc twx_runs_add(twx_ctx *cx, twx_runs *r, const uint32_t *members, size_t n) {
    if (!TWX_VEC_RESERVE(cx, &r->members, r->members.n + n)) return TWX_E_NOMEM;
    if (!TWX_VEC_PUSH(cx, &r->ends, r->members.n + n)) return TWX_E_NOMEM;
    if (n) memcpy(r->members.at + r->members.n, members, n * sizeof *members);
    r->members.n += n;
    return TWX_OK;
}

twx_rc twx_runs_take(twx_ctx *cx, twx_runs *r, twx_runs *from) {
    const uint64_t before = r->members.n;
    if (!TWX_VEC_RESERVE(cx, &r->members, r->members.n + from->members.n) ||
        !TWX_VEC_RESERVE(cx, &r->ends, r->ends.n + from->ends.n))
        return TWX_E_NOMEM;
    if (from->members.n)
        memcpy(r->members.at + before, from->members.at, from->members.n * sizeof(uint32_t));
    for (size_t i = 0; i < from->ends.n; i++) r->ends.at[r->ends.n++] = before + from->ends.at[i];
    r->members.n += from->members.n;
    twx_runs_done(from);
    return TWX_OK;
}

size_t twx_sieve_run(const twx_sieve *s, uint32_t *members, size_t n) {
    bool kept[TWX_SIEVED_MAX] = {false};
    size_t in = 0;
    if (!s || n > s->most || n > TWX_SIEVED_MAX) return n;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; !kept[i] && k < n; k++) {
            /* an earlier member that was not kept has been compared with all others */
            if (k == i || (k < i && !kept[k]) || !twx_sieve_may_pair(s, members[i], members[k]))
                continue;
            kept[i] = kept[k] = true;
        }
    for (size_t i = 0; i < n; i++)
        if (kept[i]) members[in++] = members[i];
    return in;
}
