/* The counts that a judgement puts into the summary (twx_summary_judged), read back from the JSON
 * that the ledger keeps. Names are those that summary.c writes. */
#include "run/summary.h"

#include <string.h>

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

/* Summaries of earlier versions have no list: then no host may have collapsed. */
static twx_rc read_collapsed(twx_ctx *cx, const json_t *all, twx_summary *s, bool *ret_complete) {
    twx_rc rc = TWX_OK;
    bool ok = all ? json_is_array(all) : s->link_state[TWX_LINK_COLLAPSE] == 0;
    twx_buf_clear(&s->collapsed);
    s->collapsed_left_out = false;
    for (size_t i = 0; rc == TWX_OK && ok && i < json_array_size(all); i++) {
        const json_t *host = json_array_get(all, i);
        const size_t n = json_string_length(host);
        ok = json_is_string(host) && s->collapsed.n + n + 1 <= TWX_COLLAPSED_BYTES;
        if (ok) rc = twx_buf_add(cx, &s->collapsed, json_string_value(host), n);
        if (ok && rc == TWX_OK) rc = twx_buf_add_char(cx, &s->collapsed, '\n');
    }
    *ret_complete = ok;
    return rc;
}

static bool read_numbers(const json_t *o, twx_summary *s) {
    bool ok = read_count(o, "documents", &s->documents) &&
              read_count(o, "indexable", &s->indexable) && read_count(o, "hidden", &s->hidden) &&
              read_count(o, "near_compared", &s->near_compared) &&
              read_count(o, "near_capped", &s->near_capped);
    ok = ok && read_counts(json_object_get(o, "eligibility"), TWX_ELIGIBILITIES,
                           twx_summary_eligibility_name, s->eligibility);
    ok = ok && read_counts(json_object_get(o, "links"), TWX_LINK_STATES, twx_summary_link_name,
                           s->link_state);
    return ok && read_groups(json_object_get(o, "detectors"), s);
}

twx_rc twx_summary_read(twx_ctx *cx, twx_slice json, twx_summary *s, bool *ret_complete) {
    json_t *o = json_loadb(json.p ? json.p : "", json.n, 0, NULL);
    twx_rc rc = TWX_OK;
    *ret_complete = read_numbers(o, s);
    if (*ret_complete)
        rc = read_collapsed(cx, json_object_get(o, "collapsed_hosts"), s, ret_complete);
    json_decref(o);
    return rc;
}

static bool same_slots(const twx_summary *a, const twx_summary *b) {
    bool same = true;
    for (size_t i = 0; same && i <= TWX_RELATIONS; i++)
        same = a->slot[i].used == b->slot[i].used &&
               (!a->slot[i].used ||
                (a->slot[i].groups == b->slot[i].groups && a->slot[i].copies == b->slot[i].copies &&
                 a->slot[i].largest == b->slot[i].largest));
    return same;
}

bool twx_summary_same_counts(const twx_summary *a, const twx_summary *b) {
    return a->documents == b->documents && a->indexable == b->indexable && a->hidden == b->hidden &&
           a->near_compared == b->near_compared && a->near_capped == b->near_capped &&
           memcmp(a->eligibility, b->eligibility, sizeof a->eligibility) == 0 &&
           memcmp(a->link_state, b->link_state, sizeof a->link_state) == 0 && same_slots(a, b) &&
           a->collapsed_left_out == b->collapsed_left_out &&
           twx_slice_eq(twx_buf_slice(&a->collapsed), twx_buf_slice(&b->collapsed));
}
