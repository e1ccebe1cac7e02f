#include "group/runs.h"

#include "base/hash64.h"

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

static bool is_run(const twx_runs *r, size_t run, const uint32_t *members, size_t n) {
    const uint64_t from = twx_runs_start(r, run);
    return r->ends.at[run] - from == n &&
           memcmp(r->members.at + from, members, n * sizeof *members) == 0;
}

twx_rc twx_runs_add_once(twx_ctx *cx, twx_runs *r, twx_map64 *known, const uint32_t *members,
                         size_t n) {
    uint64_t key = twx_hash64((twx_slice){(const char *)members, n * sizeof *members}, 0);
    const uint64_t fresh = r->ends.n;
    for (;; key++) { /* another run may have the same hash */
        uint64_t run = fresh;
        const twx_rc rc = twx_map64_add(cx, known, key, fresh, &run);
        if (rc != TWX_OK) return rc;
        if (run == fresh) return twx_runs_add(cx, r, members, n);
        if (is_run(r, run, members, n)) return TWX_OK;
    }
}

size_t twx_sieve_run(const twx_sieve *s, uint32_t *members, size_t n) {
    twx_summary_line room[TWX_SIEVED_MAX];
    const twx_summary_line *line[TWX_SIEVED_MAX];
    bool kept[TWX_SIEVED_MAX] = {false};
    size_t in = 0;
    if (!s || n > s->most || n > TWX_SIEVED_MAX) return n;
    for (size_t i = 0; i < n; i++) line[i] = twx_sieve_summary(s, members[i], &room[i]);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; !kept[i] && k < n; k++) {
            /* an earlier member that was not kept has been compared with all others */
            if (k == i || (k < i && !kept[k]) || !twx_sieve_may_pair(s, line[i], line[k])) continue;
            kept[i] = kept[k] = true;
        }
    for (size_t i = 0; i < n; i++)
        if (kept[i]) members[in++] = members[i];
    return in;
}
