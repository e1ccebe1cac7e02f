#include "group/grouper.h"

#include "base/alloc.h"
#include "base/hash64.h"
#include "base/vec.h"
#include "group/external_sort.h"
#include "group/sort_entries.h"

enum { BYTES_MIN = 1 << 20 };

/* Numbers that are grouped by their bits in some masks. */
typedef struct masked_numbers {
    uint64_t masks[TWX_GROUPER_MASKS_MAX];
    size_t n_masks, threads;
    bool are_entries; /* there were too many for memory */
    TWX_VEC(uint64_t) at;
    TWX_VEC(uint32_t) index;
} masked_numbers;

struct twx_grouper {
    twx_ctx *cx;
    const char *folder;
    size_t bytes;
    size_t limit; /* entries in memory; the sort needs a second array of that size */
    masked_numbers numbers;
    TWX_VEC(twx_entry) entries;
    TWX_VEC(twx_entry) scratch;
    TWX_VEC(uint32_t) members;  /* of the current run */
    twx_external_sort *on_disk; /* NULL: everything fits */
};

twx_rc twx_grouper_open(twx_ctx *cx, size_t bytes, const char *folder, twx_grouper **ret_grouper) {
    twx_grouper *g = twx_calloc(cx, 1, sizeof *g);
    if (!g) return TWX_E_NOMEM;
    g->cx = cx;
    g->folder = folder;
    g->bytes = bytes < BYTES_MIN ? BYTES_MIN : bytes;
    g->limit = g->bytes / (2 * sizeof(twx_entry));
    *ret_grouper = g;
    return TWX_OK;
}

void twx_grouper_close(twx_grouper *g) {
    if (!g) return;
    TWX_VEC_DONE(&g->entries);
    TWX_VEC_DONE(&g->scratch);
    TWX_VEC_DONE(&g->members);
    TWX_VEC_DONE(&g->numbers.at);
    TWX_VEC_DONE(&g->numbers.index);
    twx_external_sort_close(g->on_disk);
    twx_free(g);
}

size_t twx_grouper_sorted_bytes(const twx_grouper *g) {
    return g->on_disk ? twx_external_sort_parts(g->on_disk) : 0;
}

static twx_rc sort(twx_grouper *g) {
    if (!TWX_VEC_RESERVE(g->cx, &g->scratch, g->entries.n)) return TWX_E_NOMEM;
    twx_sort_entries(g->entries.at, g->scratch.at, g->entries.n);
    return TWX_OK;
}

static twx_rc write_part(twx_grouper *g) {
    twx_rc rc = g->on_disk ? TWX_OK : twx_external_sort_open(g->cx, g->folder, &g->on_disk);
    if (rc == TWX_OK) rc = sort(g);
    if (rc == TWX_OK) rc = twx_external_sort_part(g->on_disk, g->entries.at, g->entries.n);
    if (rc == TWX_OK) g->entries.n = 0;
    return rc;
}

twx_rc twx_grouper_add(twx_grouper *g, uint64_t key, uint64_t check, uint32_t index) {
    if (g->entries.n == g->limit) {
        twx_rc rc = write_part(g);
        if (rc != TWX_OK) return rc;
    }
    return TWX_VEC_PUSH(g->cx, &g->entries, (twx_entry){.key = key, .check = check, .index = index})
               ? TWX_OK
               : TWX_E_NOMEM;
}

/* ---- numbers under masks ------------------------------------------------ */

enum { NUMBER_BYTES = sizeof(uint64_t) + sizeof(uint32_t) };

void twx_grouper_use_masks(twx_grouper *g, const uint64_t *masks, size_t n_masks, size_t threads) {
    masked_numbers *m = &g->numbers;
    m->n_masks = n_masks < TWX_GROUPER_MASKS_MAX ? n_masks : TWX_GROUPER_MASKS_MAX;
    memcpy(m->masks, masks, m->n_masks * sizeof *masks);
    m->threads = threads;
}

static twx_rc add_masked_keys(twx_grouper *g, uint64_t number, uint32_t index) {
    const masked_numbers *m = &g->numbers;
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < m->n_masks; k++)
        rc = twx_grouper_add(g, twx_mix64(number & m->masks[k], m->masks[k]), 0, index);
    return rc;
}

static twx_rc make_entries(twx_grouper *g) {
    masked_numbers *m = &g->numbers;
    twx_rc rc = TWX_OK;
    m->are_entries = true;
    for (size_t i = 0; rc == TWX_OK && i < m->at.n; i++)
        rc = add_masked_keys(g, m->at.at[i], m->index.at[i]);
    TWX_VEC_DONE(&m->at);
    TWX_VEC_DONE(&m->index);
    return rc;
}

twx_rc twx_grouper_add_number(twx_grouper *g, uint64_t number, uint32_t index) {
    masked_numbers *m = &g->numbers;
    if (!m->are_entries && m->at.n == g->bytes / (NUMBER_BYTES + TWX_MASKED_BYTES)) {
        twx_rc rc = make_entries(g);
        if (rc != TWX_OK) return rc;
    }
    if (m->are_entries) return add_masked_keys(g, number, index);
    return TWX_VEC_PUSH(g->cx, &m->at, number) && TWX_VEC_PUSH(g->cx, &m->index, index)
               ? TWX_OK
               : TWX_E_NOMEM;
}

typedef struct renamed_runs {
    const uint32_t *index;
    twx_run_fn *fn;
    void *arg;
} renamed_runs;

static twx_rc rename_run(void *arg, uint32_t *members, size_t n) {
    const renamed_runs *r = arg;
    for (size_t i = 0; i < n; i++) members[i] = r->index[members[i]];
    return r->fn(r->arg, members, n);
}

/* As many threads as fit into the limit. */
static twx_rc each_masked_run(twx_grouper *g, twx_run_fn *fn, void *arg) {
    const masked_numbers *m = &g->numbers;
    if (m->at.n == 0) return TWX_OK;
    const size_t room = (g->bytes / m->at.n - NUMBER_BYTES) / TWX_MASKED_BYTES;
    renamed_runs renamed = {m->index.at, fn, arg};
    const twx_masked what = {m->at.at, m->at.n, m->masks, m->n_masks,
                             room < m->threads ? room : m->threads};
    return twx_masked_runs(g->cx, &what, rename_run, &renamed);
}

/* ---- runs --------------------------------------------------------------- */

/* Takes the next entry in order, from memory or from the files. */
static twx_rc next_entry(twx_grouper *g, size_t *at, twx_entry *ret_entry) {
    if (g->on_disk) return twx_external_sort_next(g->on_disk, ret_entry);
    if (*at == g->entries.n) return TWX_DONE;
    *ret_entry = g->entries.at[(*at)++];
    return TWX_OK;
}

static twx_rc end_run(twx_grouper *g, twx_run_fn *fn, void *arg) {
    twx_rc rc = g->members.n >= 2 ? fn(arg, g->members.at, g->members.n) : TWX_OK;
    g->members.n = 0;
    return rc;
}

static twx_rc each_entry_run(twx_grouper *g, twx_run_fn *fn, void *arg) {
    twx_rc rc = TWX_OK;
    if (!g->on_disk) {
        rc = sort(g);
    } else if (g->entries.n > 0) {
        rc = write_part(g);
    }
    TWX_VEC_DONE(&g->scratch);
    if (rc == TWX_OK && g->on_disk) {
        TWX_VEC_DONE(&g->entries);
        rc = twx_external_sort_rewind(g->on_disk, g->limit * sizeof(twx_entry));
    }
    twx_entry entry, run = {0};
    size_t at = 0;
    while (rc == TWX_OK) {
        rc = next_entry(g, &at, &entry);
        if (rc == TWX_DONE) return end_run(g, fn, arg);
        if (rc != TWX_OK) break;
        bool same = g->members.n > 0 && entry.key == run.key && entry.check == run.check;
        if (same && entry.index == g->members.at[g->members.n - 1])
            continue; /* a document that has the key twice */
        if (!same) rc = end_run(g, fn, arg);
        if (rc == TWX_OK && !same) rc = twx_cancelled(g->cx);
        run = entry;
        if (rc == TWX_OK && !TWX_VEC_PUSH(g->cx, &g->members, entry.index)) rc = TWX_E_NOMEM;
    }
    return rc;
}

twx_rc twx_grouper_each(twx_grouper *g, twx_run_fn *fn, void *arg) {
    twx_rc rc = each_entry_run(g, fn, arg);
    return rc == TWX_OK ? each_masked_run(g, fn, arg) : rc;
}
