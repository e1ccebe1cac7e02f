/* The counts that a judgement puts into the summary (twx_summary_judged), read back from the JSON
 * that the ledger keeps. Names are those that summary.c writes. */
#include "report/summary.h"

static bool read_count(const json_t *o, const char *name, uint64_t *ret_count) {
    const json_t *value = json_object_get(o, name);
    if (!json_is_integer(value) || json_integer_value(value) < 0) return false;
    *ret_count = (uint64_t)json_integer_value(value);
    return true;
}

/* Counts of 0 are not written. */
static bool read_counts(const json_t *all, size_t n, const char *(*name)(size_t),
                        uint64_t *ret_counts) {
    size_t found = 0;
    if (!json_is_object(all)) return false;
    for (size_t i = 0; i < n; i++) {
        ret_counts[i] = 0;
        found += read_count(all, name(i), &ret_counts[i]);
    }
    return found == json_object_size(all);
}

static bool read_groups(const json_t *all, twx_summary *s) {
    bool ok = json_is_object(all);
    for (size_t i = 0; ok && i <= TWX_RELATIONS; i++) {
        const json_t *groups = json_object_get(all, twx_summary_slot_name(i));
        s->slot[i].used = groups != NULL;
        ok = !groups || (read_count(groups, "groups", &s->slot[i].groups) &&
                         read_count(groups, "copies", &s->slot[i].copies) &&
                         read_count(groups, "largest", &s->slot[i].largest));
    }
    return ok;
}

bool twx_summary_read(twx_slice json, twx_summary *s) {
    json_t *o = json_loadb(json.p ? json.p : "", json.n, 0, NULL);
    bool ok = read_count(o, "documents", &s->documents) &&
              read_count(o, "indexable", &s->indexable) && read_count(o, "hidden", &s->hidden) &&
              read_count(o, "near_compared", &s->near_compared) &&
              read_count(o, "near_capped", &s->near_capped);
    ok = ok && read_counts(json_object_get(o, "eligibility"), TWX_ELIGIBILITIES,
                           twx_summary_eligibility_name, s->eligibility);
    ok = ok && read_counts(json_object_get(o, "links"), TWX_LINK_STATES, twx_summary_link_name,
                           s->link_state);
    ok = ok && read_groups(json_object_get(o, "detectors"), s);
    json_decref(o);
    return ok;
}
