#include "run/summary.h"

#include <inttypes.h>

#include "base/plural.h"
#include "run/summary_stores.h"

enum { GUARDS_MAX = 1 << 16, HOST_COLUMN = 2 + 3 * 13 + 1 };

void twx_summary_init(twx_summary *s) {
    *s = (twx_summary){0};
    twx_buf_init(&s->guards, GUARDS_MAX);
    twx_buf_init(&s->collapsed, TWX_COLLAPSED_BYTES);
    twx_buf_init(&s->idle_pins, 1 << 20);
}

void twx_summary_done(twx_summary *s) {
    if (!s) return;
    for (size_t i = 0; i < s->hosts.n; i++) twx_free(s->hosts.at[i].host);
    TWX_VEC_DONE(&s->hosts);
    for (size_t i = 0; i < s->filtered_hosts.n; i++) twx_free(s->filtered_hosts.at[i].host);
    TWX_VEC_DONE(&s->filtered_hosts);
    twx_buf_done(&s->guards);
    twx_buf_done(&s->collapsed);
    twx_buf_done(&s->idle_pins);
    twx_change_list_done(&s->changes);
    twx_summary_stores_done(s);
}

static void set_slot(twx_summary *s, size_t i, const twx_groups *g) {
    s->slot[i].used = g->made;
    s->slot[i].groups = g->groups;
    s->slot[i].copies = g->copies;
    s->slot[i].largest = g->largest;
}

void twx_summary_stage(twx_summary *s, const char *name, double seconds) {
    size_t i = 0;
    while (i < s->n_stages && strcmp(s->stage[i].name, name) != 0) i++;
    if (i == TWX_STAGES_MAX) return;
    s->n_stages += i == s->n_stages;
    s->stage[i].name = name;
    s->stage[i].seconds += seconds;
}

static twx_rc note_collapsed(twx_ctx *cx, twx_summary *s, const twx_judgement *j) {
    twx_rc rc = TWX_OK;
    twx_buf_clear(&s->collapsed);
    s->collapsed_left_out = false;
    for (size_t i = 0; rc == TWX_OK && i < j->links.collapsed.n; i++) {
        const twx_host *h = &j->docs.hosts.at[j->links.collapsed.at[i]];
        if (s->collapsed.n + h->name_length + 1 > TWX_COLLAPSED_BYTES) {
            s->collapsed_left_out = true;
            break;
        }
        rc = twx_buf_add(cx, &s->collapsed, h->name, h->name_length);
        if (rc == TWX_OK) rc = twx_buf_add_char(cx, &s->collapsed, '\n');
    }
    return rc;
}

twx_rc twx_summary_judged(twx_ctx *cx, twx_summary *s, const twx_judgement *j) {
    memset(s->eligibility, 0, sizeof s->eligibility);
    memset(s->link_state, 0, sizeof s->link_state);
    s->hidden = 0;
    s->documents = j->docs.at.n;
    for (uint32_t i = 0; i < j->docs.at.n; i++) {
        s->eligibility[j->links.eligibility[i]]++;
        s->link_state[j->links.state[i]]++;
        s->hidden += twx_is_hidden(j, i);
    }
    s->indexable = s->eligibility[TWX_ELIGIBLE];
    for (size_t i = 0; i < TWX_RELATIONS; i++) set_slot(s, i, &j->groups[i]);
    set_slot(s, TWX_RELATIONS, &j->clusters);
    s->near_compared = j->near.compared;
    s->near_capped = j->near.capped;
    return note_collapsed(cx, s, j);
}

/* ---- bytes -------------------------------------------------------------- */

enum {
    SLOTS = TWX_RELATIONS + 1,
    NUMBERS = 5 + TWX_ELIGIBILITIES + TWX_LINK_STATES + 3 * SLOTS,
    NUMBER_BYTES = 8,
    NUMBERS_BYTES = (NUMBERS + 1) * NUMBER_BYTES /* the last one: bit i set: slot i is used */
};

static void list_numbers(twx_summary *s, uint64_t *ret_at[NUMBERS]) {
    uint64_t *const whole[] = {&s->documents, &s->indexable, &s->hidden, &s->near_compared,
                               &s->near_capped};
    size_t n = 0;
    for (size_t i = 0; i < TWX_COUNTOF(whole); i++) ret_at[n++] = whole[i];
    for (size_t i = 0; i < TWX_ELIGIBILITIES; i++) ret_at[n++] = &s->eligibility[i];
    for (size_t i = 0; i < TWX_LINK_STATES; i++) ret_at[n++] = &s->link_state[i];
    for (size_t i = 0; i < SLOTS; i++) {
        ret_at[n++] = &s->slot[i].groups;
        ret_at[n++] = &s->slot[i].copies;
        ret_at[n++] = &s->slot[i].largest;
    }
}

twx_rc twx_summary_pack(twx_ctx *cx, const twx_summary *s, twx_buf *out) {
    twx_summary copy = *s;
    uint64_t *at[NUMBERS], used = 0;
    char bytes[NUMBERS_BYTES];
    if (s->collapsed_left_out) return TWX_OK;
    list_numbers(&copy, at);
    for (size_t i = 0; i < SLOTS; i++) used |= (uint64_t)s->slot[i].used << i;
    for (size_t i = 0; i < NUMBERS; i++) twx_store_be64(bytes + i * NUMBER_BYTES, *at[i]);
    twx_store_be64(bytes + NUMBERS * NUMBER_BYTES, used);
    twx_rc rc = twx_buf_add(cx, out, bytes, sizeof bytes);
    return rc == TWX_OK ? twx_buf_add_slice(cx, out, twx_buf_slice(&s->collapsed)) : rc;
}

twx_rc twx_summary_unpack(twx_ctx *cx, twx_slice packed, twx_summary *s, bool *ret_complete) {
    uint64_t *at[NUMBERS];
    *ret_complete = packed.n >= NUMBERS_BYTES && packed.n <= NUMBERS_BYTES + TWX_COLLAPSED_BYTES;
    if (!*ret_complete) return TWX_OK;
    list_numbers(s, at);
    for (size_t i = 0; i < NUMBERS; i++) *at[i] = twx_load_be64(packed.p + i * NUMBER_BYTES);
    const uint64_t used = twx_load_be64(packed.p + NUMBERS * NUMBER_BYTES);
    for (size_t i = 0; i < SLOTS; i++) s->slot[i].used = used >> i & 1;
    s->collapsed_left_out = false;
    twx_buf_clear(&s->collapsed);
    return twx_buf_add_slice(cx, &s->collapsed, twx_slice_sub(packed, NUMBERS_BYTES, packed.n));
}

/* ---- JSON --------------------------------------------------------------- */

const char *twx_summary_slot_name(size_t i) {
    return i == TWX_RELATIONS ? "verdict" : twx_relation_at(i)->name;
}

static json_t *groups_json(const twx_summary *s) {
    json_t *all = json_object();
    for (size_t i = 0; i <= TWX_RELATIONS; i++)
        if (s->slot[i].used)
            json_object_set_new(all, twx_summary_slot_name(i),
                                json_pack("{s:o, s:o, s:o}", "groups",
                                          twx_json_count(s->slot[i].groups), "copies",
                                          twx_json_count(s->slot[i].copies), "largest",
                                          twx_json_count(s->slot[i].largest)));
    return all;
}

static const char *flag_name(size_t i) {
    return twx_flag_at(i)->name;
}

static json_t *hosts_json(const twx_summary *s) {
    json_t *all = json_array();
    for (size_t i = 0; i < s->hosts.n; i++) {
        const twx_host_flag_changes *h = &s->hosts.at[i];
        json_array_append_new(all, json_pack("{s:o, s:o, s:o, s:o}", "host", twx_json_text(h->host),
                                             "documents", twx_json_count(h->documents), "hidden",
                                             twx_json_count(h->hidden), "flips",
                                             twx_json_count(h->changed_flags)));
    }
    return all;
}

static json_t *rules_json(const twx_summary *s) {
    json_t *all = json_array();
    for (size_t i = 0; i < s->filtered_hosts.n; i++) {
        const twx_host_filtered *h = &s->filtered_hosts.at[i];
        json_array_append_new(
            all, json_pack("{s:o, s:o, s:o, s:o}", "host", twx_json_text(h->host), "documents",
                           twx_json_count(h->documents), "hidden", twx_json_count(h->hidden),
                           "hidden_of_those_that_take_part", twx_json_count(h->hidden_part)));
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "file", twx_json_slice(twx_slice_of(s->rules)),
                     "hidden", twx_json_count(s->filtered), "hidden_of_those_that_take_part",
                     twx_json_count(s->filtered_part), "hosts", all);
}

static json_t *lines_json(const twx_buf *lines) {
    json_t *all = json_array();
    for (twx_slice rest = twx_buf_slice(lines); rest.n;)
        json_array_append_new(all, twx_json_slice(twx_slice_next_line(&rest)));
    return all;
}

static json_t *pins_json(const twx_summary *s) {
    return json_pack("{s:o, s:o, s:o}", "file", twx_json_slice(twx_slice_of(s->pins_file)), "lines",
                     twx_json_count(s->n_pins), "without_effect", lines_json(&s->idle_pins));
}

static json_t *stages_json(const twx_summary *s) {
    json_t *all = json_object();
    for (size_t i = 0; i < s->n_stages; i++)
        json_object_set_new(all, s->stage[i].name, json_real(s->stage[i].seconds));
    return all;
}

json_t *twx_summary_json(const twx_summary *s) {
    json_t *o = json_pack("{s:s, s:o, s:o, s:o, s:o, s:f}", "outcome", s->outcome, "documents",
                          twx_json_count(s->documents), "indexable", twx_json_count(s->indexable),
                          "changed", twx_json_count(s->changed), "hidden",
                          twx_json_count(s->hidden), "hidden_share",
                          s->indexable ? (double)s->hidden / (double)s->indexable : 0.0);
    const twx_sign_counts *c = &s->counts;
    const twx_count_row rows[] = {{"read", .n = c->read},
                                  {"signed", .n = c->signed_now},
                                  {"text_bytes", .n = c->text_bytes},
                                  {"deleted", .n = c->deleted}},
                        near[] = {{"near_compared", .n = s->near_compared},
                                  {"near_capped", .n = s->near_capped}};
    twx_count_row oddities[TWX_SIGN_ODDITIES];
    twx_sign_oddities(c, oddities);
    twx_count_rows_put(o, rows, TWX_COUNTOF(rows));
    twx_count_rows_put(o, oddities, TWX_SIGN_ODDITIES);
    twx_count_rows_put(o, near, TWX_COUNTOF(near));
    json_object_set_new(o, "eligibility",
                        twx_counts_json(s->eligibility, TWX_ELIGIBILITIES, twx_eligibility_text));
    json_object_set_new(o, "links",
                        twx_counts_json(s->link_state, TWX_LINK_STATES, twx_link_state_text));
    if (!s->collapsed_left_out)
        json_object_set_new(o, "collapsed_hosts", lines_json(&s->collapsed));
    json_object_set_new(o, "detectors", groups_json(s));
    json_object_set_new(o, "flips", twx_counts_json(s->changed_flags, TWX_FLAGS, flag_name));
    if (s->dry_run) {
        json_object_set_new(o, "hidden_before", twx_json_count(s->hidden_before));
        json_object_set_new(o, "hosts", hosts_json(s));
    }
    if (s->stores.n) json_object_set_new(o, "stores", twx_summary_stores_json(s));
    if (s->rules) json_object_set_new(o, "rules", rules_json(s));
    if (s->listed) json_object_set_new(o, "changes", twx_change_list_json(&s->changes));
    if (s->pins_file) json_object_set_new(o, "pins", pins_json(s));
    if (s->guards.n) json_object_set_new(o, "guards", twx_json_slice(twx_buf_slice(&s->guards)));
    json_object_set_new(o, "seconds", stages_json(s));
    return o;
}

/* ---- text --------------------------------------------------------------- */

static twx_rc write_groups(const twx_out *out, const twx_summary *s) {
    twx_rc rc = twx_out_text(out, "\n  %-12s %12s %12s %12s\n", "detector", "groups", "copies",
                             "largest");
    for (size_t i = 0; rc == TWX_OK && i <= TWX_RELATIONS; i++)
        if (s->slot[i].used)
            rc = twx_out_text(out, "  %-12s %12" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n",
                              twx_summary_slot_name(i), s->slot[i].groups, s->slot[i].copies,
                              s->slot[i].largest);
    return rc;
}

static twx_rc write_more_hosts(const twx_out *out, size_t n) {
    return twx_out_text(out, "  ... and %zu more %s\n", n, twx_plural(n, "host", "hosts"));
}

static twx_rc write_changed_flags(const twx_out *out, const twx_summary *s) {
    twx_rc rc = twx_out_text(out, "\nwhat would flip:\n");
    if (rc == TWX_OK) rc = twx_counts_write(out, s->changed_flags, 0, TWX_FLAGS, "", flag_name);
    if (rc == TWX_OK && s->hosts.n)
        rc = twx_out_text(out, "\n  %12s %12s %12s  host\n", "flips", "hidden", "documents");
    for (size_t i = 0; rc == TWX_OK && i < s->hosts.n && i < TWX_HOSTS_SHOWN; i++)
        rc = twx_out_text(
            out, "  %12" PRIu64 " %12" PRIu64 " %12" PRIu64 "  %.*s\n",
            s->hosts.at[i].changed_flags, s->hosts.at[i].hidden, s->hosts.at[i].documents,
            twx_out_fitting(out, s->hosts.at[i].host, HOST_COLUMN), s->hosts.at[i].host);
    if (rc == TWX_OK && s->hosts.n > TWX_HOSTS_SHOWN)
        rc = write_more_hosts(out, s->hosts.n - TWX_HOSTS_SHOWN);
    return rc;
}

static twx_rc write_rules(const twx_out *out, const twx_summary *s) {
    const size_t n = s->filtered_hosts.n;
    twx_rc rc = twx_out_text(
        out, "\nthe filter of %s would hide %" PRIu64 " %s, of which %" PRIu64 " %s part:\n",
        s->rules, s->filtered, twx_plural(s->filtered, "document", "documents"), s->filtered_part,
        twx_plural(s->filtered_part, "takes", "take"));
    if (rc == TWX_OK && n)
        rc = twx_out_text(out, "\n  %12s %12s %12s  host\n", "take part", "hidden", "documents");
    for (size_t i = 0; rc == TWX_OK && i < n && i < TWX_HOSTS_SHOWN; i++)
        rc = twx_out_text(out, "  %12" PRIu64 " %12" PRIu64 " %12" PRIu64 "  %s\n",
                          s->filtered_hosts.at[i].hidden_part, s->filtered_hosts.at[i].hidden,
                          s->filtered_hosts.at[i].documents,
                          s->filtered_hosts.at[i].host[0] ? s->filtered_hosts.at[i].host
                                                          : "(no host)");
    if (rc == TWX_OK && n > TWX_HOSTS_SHOWN) rc = write_more_hosts(out, n - TWX_HOSTS_SHOWN);
    return rc;
}

static twx_rc write_stages(const twx_out *out, const twx_summary *s) {
    twx_rc rc = twx_out_text(out, "\n ");
    for (size_t i = 0; rc == TWX_OK && i < s->n_stages; i++)
        rc = twx_out_text(out, " %s %.2f s%s", s->stage[i].name, s->stage[i].seconds,
                          i + 1 < s->n_stages ? "," : "\n");
    return rc;
}

twx_rc twx_summary_write(const twx_out *out, const twx_summary *s) {
    twx_count_row oddities[TWX_SIGN_ODDITIES];
    if (twx_out_is_json(out)) return twx_out_json(out, twx_summary_json(s));
    twx_sign_oddities(&s->counts, oddities);
    twx_rc rc = twx_out_text(
        out,
        "%s: %s\n  %12" PRIu64 "  %s (%" PRIu64 " read, %" PRIu64 " signed, %" PRIu64 " gone)\n",
        s->store, s->outcome, s->documents, twx_plural(s->documents, "document", "documents"),
        s->counts.read, s->counts.signed_now, s->counts.deleted);
    if (rc == TWX_OK) rc = twx_out_text(out, "  %12" PRIu64 "  take part\n", s->indexable);
    if (rc == TWX_OK)
        rc = twx_counts_write(out, s->eligibility, 1, TWX_ELIGIBILITIES, "", twx_eligibility_text);
    if (rc == TWX_OK) rc = twx_count_rows_write(out, oddities, TWX_SIGN_ODDITIES);
    if (rc == TWX_OK) rc = twx_out_text(out, "  %12" PRIu64 "  changed flags\n", s->changed);
    if (rc == TWX_OK)
        rc = twx_out_text(out, "  %12" PRIu64 "  hidden by the verdict (%.1f %%)\n", s->hidden,
                          s->indexable ? 100.0 * (double)s->hidden / (double)s->indexable : 0.0);
    if (rc == TWX_OK && s->dry_run)
        rc = twx_out_text(out, "  %12" PRIu64 "  hidden by the published flags\n",
                          s->hidden_before);
    if (rc == TWX_OK) rc = twx_summary_stores_write(out, s);
    if (rc == TWX_OK) rc = write_groups(out, s);
    if (rc == TWX_OK && s->near_capped)
        rc = twx_out_text(out,
                          "\nnear-duplicates: %" PRIu64
                          " times a key had no room for a representative (near.candidates); texts "
                          "may have missed a group\n",
                          s->near_capped);
    if (rc == TWX_OK && s->link_state[TWX_LINK_NONE] != s->documents)
        rc = twx_out_text(out, "\nredirect and canonical links:\n");
    if (rc == TWX_OK)
        rc = twx_counts_write(out, s->link_state, 1, TWX_LINK_STATES, "", twx_link_state_text);
    if (rc == TWX_OK && s->dry_run) rc = write_changed_flags(out, s);
    if (rc == TWX_OK && s->listed) rc = twx_change_list_write(out, &s->changes);
    if (rc == TWX_OK && s->rules) rc = write_rules(out, s);
    if (rc == TWX_OK && s->guards.n) rc = twx_out_text(out, "\nguards:\n%s", s->guards.p);
    return rc == TWX_OK ? write_stages(out, s) : rc;
}
