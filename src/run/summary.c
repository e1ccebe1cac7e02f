#include "run/internal.h"

/* ==== summary_stores */

/* Documents that were left out, or signed with part of their data ignored. */
enum { SIGN_ODDITIES = 5 };

static void sign_oddities(const twx_sign_counts *c, twx_count_row ret_rows[SIGN_ODDITIES]) {
    const twx_count_row rows[SIGN_ODDITIES] = {
        {"bad_urls", "without an absolute URL", .n = c->bad_urls},
        {"bad_ids", "without an id, or with id -2^63 (left out)", .n = c->bad_ids},
        {"invalid_utf8", "with text that is not valid UTF-8", .n = c->bad_utf8},
        {"odd_values", "with an invalid status or date", .n = c->odd_values},
        {"too_long", "longer than run.row_bytes (left out)", .n = c->too_long}};
    memcpy(ret_rows, rows, sizeof rows);
}

twx_rc twx_summary_add_store(twx_ctx *cx, twx_summary *s, const twx_summary_store *line) {
    twx_summary_store copy = *line;
    copy.store = twx_strdup(cx, line->store);
    copy.left_out = line->left_out ? twx_strdup(cx, line->left_out) : NULL;
    if (copy.store && (copy.left_out || !line->left_out) && TWX_VEC_PUSH(cx, &s->stores, copy))
        return TWX_OK;
    twx_free(copy.store);
    twx_free(copy.left_out);
    return TWX_E_NOMEM;
}

bool twx_summary_has_left_out(const twx_summary *s) {
    for (size_t i = 0; i < s->stores.n; i++)
        if (s->stores.at[i].left_out) return true;
    return false;
}

void twx_summary_forget_stores(twx_summary *s) {
    size_t kept = 0;
    for (size_t i = 0; i < s->stores.n; i++) {
        if (s->stores.at[i].left_out)
            s->stores.at[kept++] = s->stores.at[i];
        else
            twx_free(s->stores.at[i].store);
    }
    s->stores.n = kept;
}

#define L(...) TWX_FIELD(twx_summary_store, __VA_ARGS__)
static const twx_field LEFT_OUT[] = {TWX_FIELDS(L("store", store), L("left_out", left_out))};
static const twx_field STORE[] = {
    TWX_FIELDS(L("store", store, "store", -24), L("documents", documents, "documents", 12),
               L("changed", changed, "changed", 12), L("hidden", hidden, "hidden", 12),
               L("read", read), L("signed", signed_now, "signed", 12), L("deleted", deleted))};

/* Nothing in a run of one store. */
static twx_rc summary_stores_write(const twx_out *out, const twx_summary *s) {
    twx_summary_store *judged = twx_calloc(out->cx, s->stores.n + 1, sizeof *judged);
    size_t n = 0;
    if (!judged) return TWX_E_NOMEM;
    for (size_t i = 0; i < s->stores.n; i++)
        if (!s->stores.at[i].left_out) judged[n++] = s->stores.at[i];
    twx_rc rc = s->stores.n ? twx_out_text(out, "\n") : TWX_OK;
    if (rc == TWX_OK && n) rc = twx_rows_write(out, TWX_ROWS_AT(STORE, judged, n), true);
    for (size_t i = 0; rc == TWX_OK && i < s->stores.n; i++) {
        const char *name = s->stores.at[i].store, *why = s->stores.at[i].left_out;
        const bool named = why && strncmp(why, name, strlen(name)) == 0;
        if (why)
            rc = twx_out_text(out, "  left out: %s%s%s\n", named ? "" : name, named ? "" : ": ",
                              why);
    }
    twx_free(judged);
    return rc;
}

/* ==== summary */

enum { GUARDS_MAX = 1 << 16 };

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
    for (size_t i = 0; i < s->stores.n; i++) {
        twx_free(s->stores.at[i].store);
        twx_free(s->stores.at[i].left_out);
    }
    TWX_VEC_DONE(&s->stores);
    twx_free(s->title);
}

static void set_counts(twx_summary *s, size_t i, const twx_groups *g) {
    s->relation[i].used = g->made;
    s->relation[i].groups = g->groups;
    s->relation[i].copies = g->copies;
    s->relation[i].largest = g->largest;
}

void twx_summary_stage(twx_summary *s, const char *name, double seconds) {
    size_t i = 0;
    while (i < s->n_stages && strcmp(s->stage[i].name, name) != 0) i++;
    if (i == TWX_STAGES_MAX) return;
    s->n_stages += i == s->n_stages;
    s->stage[i].name = name;
    s->stage[i].seconds += seconds;
}

static twx_rc note_collapsed(twx_ctx *cx, twx_summary *s, const twx_doc_set *j) {
    twx_rc rc = TWX_OK;
    twx_buf_clear(&s->collapsed);
    s->collapsed_left_out = false;
    for (size_t i = 0; rc == TWX_OK && i < j->links.collapsed.n; i++) {
        const twx_host *h = &j->docs.hosts.at[j->links.collapsed.at[i]];
        if (s->collapsed.n + h->name.n + 1 > TWX_COLLAPSED_BYTES) {
            s->collapsed_left_out = true;
            break;
        }
        rc = twx_buf_add_slice(cx, &s->collapsed, h->name);
        if (rc == TWX_OK) rc = twx_buf_add_char(cx, &s->collapsed, '\n');
    }
    return rc;
}

twx_rc twx_summary_judged(twx_ctx *cx, twx_summary *s, const twx_doc_set *j) {
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
    for (size_t i = 0; i < TWX_RELATIONS; i++) set_counts(s, i, &j->groups[i]);
    set_counts(s, TWX_RELATIONS, &j->clusters);
    s->near_compared = j->near.compared;
    s->near_capped = j->near.capped;
    s->near_decided = j->near.decided;
    return note_collapsed(cx, s, j);
}

/* ---- bytes -------------------------------------------------------------- */

enum {
    COUNTED = TWX_RELATIONS + 1,
    NUMBERS = 5 + TWX_ELIGIBILITIES + TWX_LINK_STATES + 3 * COUNTED,
    NUMBER_BYTES = 8,
    NUMBERS_BYTES = (NUMBERS + 1) * NUMBER_BYTES /* the last one: bit i set: relation i is used */
};

static void list_numbers(twx_summary *s, uint64_t *ret_at[NUMBERS]) {
    uint64_t *const whole[] = {&s->documents, &s->indexable, &s->hidden, &s->near_compared,
                               &s->near_capped};
    size_t n = 0;
    for (size_t i = 0; i < TWX_COUNTOF(whole); i++) ret_at[n++] = whole[i];
    for (size_t i = 0; i < TWX_ELIGIBILITIES; i++) ret_at[n++] = &s->eligibility[i];
    for (size_t i = 0; i < TWX_LINK_STATES; i++) ret_at[n++] = &s->link_state[i];
    for (size_t i = 0; i < COUNTED; i++) {
        ret_at[n++] = &s->relation[i].groups;
        ret_at[n++] = &s->relation[i].copies;
        ret_at[n++] = &s->relation[i].largest;
    }
}

twx_rc twx_summary_pack(twx_ctx *cx, const twx_summary *s, twx_buf *out) {
    twx_summary copy = *s;
    uint64_t *at[NUMBERS], used = 0;
    char bytes[NUMBERS_BYTES];
    if (s->collapsed_left_out) return TWX_OK;
    list_numbers(&copy, at);
    for (size_t i = 0; i < COUNTED; i++) used |= (uint64_t)s->relation[i].used << i;
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
    for (size_t i = 0; i < COUNTED; i++) s->relation[i].used = used >> i & 1;
    s->collapsed_left_out = false;
    twx_buf_clear(&s->collapsed);
    return twx_buf_add_slice(cx, &s->collapsed, twx_slice_sub(packed, NUMBERS_BYTES, packed.n));
}

/* ---- the fields ---------------------------------------------------------- */

#define R(...) TWX_FIELD(twx_relation_figures, __VA_ARGS__)
static const twx_field RELATION[] = {
    TWX_FIELDS(R(NULL, name, "detector", -12), R("groups", groups, "groups", 12),
               R("copies", copies, "copies", 12), R("largest", largest, "largest", 12))};
#define C(...) TWX_FIELD(twx_host_flag_changes, __VA_ARGS__)
static const twx_field CHANGES_OF_HOST[] = {
    TWX_FIELDS(C("host", host, "host", -24), C("documents", documents, "documents", 12),
               C("hidden", hidden, "hidden", 12), C("flips", changed_flags, "changes", 12))};
#define FI(...) TWX_FIELD(twx_host_filtered, __VA_ARGS__)
static const twx_field FILTERED_OF_HOST[] = {
    TWX_FIELDS(FI("host", host, "host", -24), FI("documents", documents, "documents", 12),
               FI("hidden", hidden, "hidden", 12),
               FI("hidden_of_those_that_take_part", hidden_part, "take part", 12))};

const char *twx_flag_name(size_t i) {
    return twx_flag_at(i)->name;
}

twx_rc twx_relation_figures_write(const twx_out *out, const twx_relation_figures *at, size_t n) {
    const twx_rc rc = twx_out_text(out, "\n");
    return rc == TWX_OK ? twx_rows_write(out, TWX_ROWS_AT(RELATION, at, n), true) : rc;
}

static const char *relation_name_at(size_t i) {
    return i == TWX_RELATIONS ? "verdict" : twx_relation_at(i)->name;
}

static size_t list_relations(const twx_summary *s, twx_relation_figures ret_rows[COUNTED]) {
    size_t n = 0;
    for (size_t i = 0; i < COUNTED; i++)
        if (s->relation[i].used)
            ret_rows[n++] = (twx_relation_figures){
                twx_slice_of(relation_name_at(i)), (int64_t)s->relation[i].groups,
                (int64_t)s->relation[i].copies, (int64_t)s->relation[i].largest};
    return n;
}

static json_t *groups_json(const void *summary) {
    twx_relation_figures rows[COUNTED];
    const size_t n = list_relations(summary, rows);
    json_t *all = json_object();
    for (size_t i = 0; i < n; i++)
        json_object_set_new(all, rows[i].name.p, twx_row_json(TWX_ROWS_AT(RELATION, &rows[i], 1)));
    return all;
}

static json_t *lines_json(const twx_buf *lines) {
    json_t *all = json_array();
    for (twx_slice rest = twx_buf_slice(lines); rest.n;)
        json_array_append_new(all, twx_json_slice(twx_slice_next_line(&rest)));
    return all;
}

static json_t *hidden_share_json(const void *summary) {
    const twx_summary *s = summary;
    return json_real(s->indexable ? (double)s->hidden / (double)s->indexable : 0.0);
}

static json_t *idle_pins_json(const void *summary) {
    return lines_json(&((const twx_summary *)summary)->idle_pins);
}

#define S(...) TWX_FIELD(twx_summary, __VA_ARGS__)
static const twx_field SUMMARY[] = {TWX_FIELDS(
    S("outcome", outcome), S("documents", documents), S("indexable", indexable),
    S("changed", changed), S("hidden", hidden), TWX_FIELD_GOT("hidden_share", hidden_share_json),
    S("read", counts.read), S("signed", counts.signed_now), S("text_bytes", counts.text_bytes),
    S("deleted", counts.deleted), S("bad_urls", counts.bad_urls), S("bad_ids", counts.bad_ids),
    S("invalid_utf8", counts.bad_utf8), S("odd_values", counts.odd_values),
    S("too_long", counts.too_long), S("near_compared", near_compared),
    S("near_capped", near_capped), S("near_decided", near_decided),
    TWX_FIELD_COUNTS_OF(twx_summary, "eligibility", eligibility, twx_eligibility_text),
    TWX_FIELD_COUNTS_OF(twx_summary, "links", link_state, twx_link_state_text))},
                       RESULT[] = {TWX_FIELDS(TWX_FIELD_GOT("detectors", groups_json),
                                              TWX_FIELD_COUNTS_OF(twx_summary, "flips",
                                                                  changed_flags, twx_flag_name))},
                       DRY_RUN[] = {TWX_FIELDS(
                           S("hidden_before", hidden_before),
                           TWX_FIELD_ROWS_OF(twx_summary, "hosts", hosts, CHANGES_OF_HOST))},
                       RULES[] = {TWX_FIELDS(S("file", rules), S("hidden", filtered),
                                             S("hidden_of_those_that_take_part", filtered_part),
                                             TWX_FIELD_ROWS_OF(twx_summary, "hosts", filtered_hosts,
                                                               FILTERED_OF_HOST))},
                       PINS[] = {TWX_FIELDS(S("file", pins_file), S("lines", n_pins),
                                            TWX_FIELD_GOT("without_effect", idle_pins_json))};

json_t *twx_summary_json(const twx_summary *s) {
    json_t *o = twx_row_json(TWX_ROWS_AT(SUMMARY, s, 1));
    if (!s->collapsed_left_out)
        json_object_set_new(o, "collapsed_hosts", lines_json(&s->collapsed));
    twx_row_put(o, TWX_ROWS_AT(RESULT, s, 1));
    if (s->dry_run) twx_row_put(o, TWX_ROWS_AT(DRY_RUN, s, 1));
    json_t *stores = s->stores.n ? json_array() : NULL, *stages = json_object();
    for (const twx_summary_store *line = s->stores.at; line < s->stores.at + s->stores.n; line++)
        json_array_append_new(stores, line->left_out ? twx_row_json(TWX_ROWS_AT(LEFT_OUT, line, 1))
                                                     : twx_row_json(TWX_ROWS_AT(STORE, line, 1)));
    if (s->stores.n) json_object_set_new(o, "stores", stores);
    if (s->rules) json_object_set_new(o, "rules", twx_row_json(TWX_ROWS_AT(RULES, s, 1)));
    if (s->listed) json_object_set_new(o, "changes", twx_change_list_json(&s->changes));
    if (s->pins_file) json_object_set_new(o, "pins", twx_row_json(TWX_ROWS_AT(PINS, s, 1)));
    if (s->guards.n) json_object_set_new(o, "guards", twx_json_slice(twx_buf_slice(&s->guards)));
    for (size_t i = 0; i < s->n_stages; i++)
        json_object_set_new(stages, s->stage[i].name, json_real(s->stage[i].seconds));
    json_object_set_new(o, "seconds", stages);
    return o;
}

/* ---- text --------------------------------------------------------------- */

twx_rc twx_hosts_write(const twx_out *out, twx_rows rows, size_t most, const char *hint) {
    const size_t more = rows.n > most ? rows.n - most : 0;
    twx_rc rc = rows.n ? twx_out_text(out, "\n") : TWX_OK;
    rows.n -= more;
    if (rc == TWX_OK && rows.n) rc = twx_rows_write(out, &rows, true);
    return rc == TWX_OK && more ? twx_out_text(out, "  ... and %s more %s%s\n", TWX_N(more),
                                               twx_plural(more, "host", "hosts"), hint)
                                : rc;
}

twx_rc twx_summary_write(const twx_out *out, const twx_summary *s) {
    twx_count_row oddities[SIGN_ODDITIES];
    twx_relation_figures figures[COUNTED];
    if (twx_out_is_json(out)) return twx_out_json(out, twx_summary_json(s));
    if (twx_out_is_csv(out)) return twx_change_list_csv(out, &s->changes);
    sign_oddities(&s->counts, oddities);
    twx_rc rc = twx_out_text(out,
                             "%s: %s\n  %12s  %s (%s read, %s signed, %s gone)\n"
                             "  %12s  %s\n",
                             s->store, s->outcome, TWX_N(s->documents),
                             twx_plural(s->documents, "document", "documents"),
                             TWX_N(s->counts.read), TWX_N(s->counts.signed_now),
                             TWX_N(s->counts.deleted), TWX_N(s->indexable),
                             twx_plural(s->indexable, "takes part", "take part"));
    if (rc == TWX_OK)
        rc = twx_counts_write(out, s->eligibility, 1, TWX_ELIGIBILITIES, "", twx_eligibility_text);
    /* documents without an absolute URL are counted above */
    if (rc == TWX_OK) rc = twx_count_rows_write(out, oddities + 1, SIGN_ODDITIES - 1);
    if (rc == TWX_OK)
        rc = twx_out_text(out, "  %12s  changed flags\n  %12s  hidden by the verdict (%.1f %%)\n",
                          TWX_N(s->changed), TWX_N(s->hidden),
                          s->indexable ? 100.0 * (double)s->hidden / (double)s->indexable : 0.0);
    if (rc == TWX_OK && s->dry_run)
        rc = twx_out_text(out, "  %12s  hidden by the published flags\n", TWX_N(s->hidden_before));
    if (rc == TWX_OK) rc = summary_stores_write(out, s);
    if (rc == TWX_OK) rc = twx_relation_figures_write(out, figures, list_relations(s, figures));
    if (rc == TWX_OK && s->near_capped)
        rc = twx_out_text(out,
                          "\nnear-duplicates: %s times a key had no room for a representative "
                          "(near.candidates); texts may have missed a group\n",
                          TWX_N(s->near_capped));
    if (rc == TWX_OK && s->link_state[TWX_LINK_NONE] != s->documents)
        rc = twx_out_text(out, "\nredirect and canonical links:\n");
    if (rc == TWX_OK)
        rc = twx_counts_write(out, s->link_state, 1, TWX_LINK_STATES, "", twx_link_state_text);
    if (rc == TWX_OK && s->dry_run) rc = twx_out_text(out, "\nwhat would change:\n");
    if (rc == TWX_OK && s->dry_run)
        rc = twx_counts_write(out, s->changed_flags, 0, TWX_FLAGS, "", twx_flag_name);
    if (rc == TWX_OK && s->dry_run)
        rc = twx_hosts_write(out, *TWX_ROWS(CHANGES_OF_HOST, s->hosts), TWX_HOSTS_SHOWN, "");
    if (rc == TWX_OK && s->listed) rc = twx_change_list_write(out, &s->changes);
    if (rc == TWX_OK && s->rules)
        rc = twx_out_text(out, "\nthe filter of %s would hide %s %s, of which %s %s part:\n",
                          s->rules, TWX_N(s->filtered),
                          twx_plural(s->filtered, "document", "documents"), TWX_N(s->filtered_part),
                          twx_plural(s->filtered_part, "takes", "take"));
    if (rc == TWX_OK && s->rules)
        rc = twx_hosts_write(out, *TWX_ROWS(FILTERED_OF_HOST, s->filtered_hosts), TWX_HOSTS_SHOWN,
                             "");
    if (rc == TWX_OK && s->guards.n) rc = twx_out_text(out, "\nguards:\n%s", s->guards.p);
    if (rc == TWX_OK) rc = twx_out_text(out, "\nstages:");
    for (size_t i = 0; rc == TWX_OK && i < s->n_stages; i++)
        rc = twx_out_text(out, " %s %.2f s%s", s->stage[i].name, s->stage[i].seconds,
                          i + 1 < s->n_stages ? "," : "\n");
    return rc;
}

/* ==== metrics */

enum { STORE_BYTES = 1 << 14 };

/* The output, its first error, and the label of the store, which every sample has. */
typedef struct metrics {
    const twx_out *out;
    const twx_summary *summary;
    twx_buf store; /* store="..." */
    twx_rc rc;
} metrics;

/* A label's value: a quote, a backslash and a line feed are escaped; other control characters and
 * what is not UTF-8 become '?'. */
static twx_rc add_label(twx_ctx *cx, twx_buf *to, const char *name, const char *value) {
    json_t *valid = twx_json_text(value); /* replaces what is not UTF-8 */
    twx_rc rc = valid ? twx_buf_printf(cx, to, "%s=\"", name) : twx_fail(cx, TWX_E_NOMEM, "memory");
    for (const char *c = valid ? json_string_value(valid) : ""; rc == TWX_OK && *c; c++) {
        if (*c == '"' || *c == '\\') rc = twx_buf_add_char(cx, to, '\\');
        if (rc == TWX_OK && *c == '\n') rc = twx_buf_add_text(cx, to, "\\n");
        if (rc == TWX_OK && *c != '\n')
            rc = twx_buf_add_char(cx, to, (unsigned char)*c < 0x20 || *c == 0x7F ? '?' : *c);
    }
    json_decref(valid);
    return rc == TWX_OK ? twx_buf_add_char(cx, to, '"') : rc;
}

static void head(metrics *m, const char *name, const char *help) {
    if (m->rc == TWX_OK)
        m->rc = twx_out_text(m->out, "# HELP twindex_%s %s\n# TYPE twindex_%s gauge\n", name, help,
                             name);
}

/* label NULL: the sample has only that of the store. */
static void sample(metrics *m, const char *name, const char *label, const char *of, double value) {
    twx_buf labels = {.max = STORE_BYTES};
    twx_ctx *cx = m->out->cx;
    if (m->rc == TWX_OK) m->rc = twx_buf_add_slice(cx, &labels, twx_buf_slice(&m->store));
    if (m->rc == TWX_OK && label) m->rc = twx_buf_add_char(cx, &labels, ',');
    if (m->rc == TWX_OK && label) m->rc = add_label(cx, &labels, label, of);
    if (m->rc == TWX_OK) m->rc = twx_out_text(m->out, "twindex_%s{", name);
    if (m->rc == TWX_OK) m->rc = twx_out_bytes(m->out, twx_buf_slice(&labels));
    if (m->rc == TWX_OK) m->rc = twx_out_text(m->out, "} %.15g\n", value);
    twx_buf_done(&labels);
}

static void single(metrics *m, const char *name, const char *help, double value) {
    head(m, name, help);
    sample(m, name, NULL, NULL, value);
}

static void put_groups(metrics *m) {
    static const struct {
        const char *name, *help;
    } FIGURES[] = {
        {"groups", "Groups of two or more documents, by relation; verdict: clusters."},
        {"group_copies", "Documents of these groups besides their representatives."},
        {"largest_group_documents", "Documents of the largest group."},
    };
    const twx_summary *s = m->summary;
    for (size_t k = 0; k < TWX_COUNTOF(FIGURES); k++) {
        head(m, FIGURES[k].name, FIGURES[k].help);
        for (size_t i = 0; i <= TWX_RELATIONS; i++) {
            const uint64_t counts[] = {s->relation[i].groups, s->relation[i].copies,
                                       s->relation[i].largest};
            if (s->relation[i].used)
                sample(m, FIGURES[k].name, "relation", relation_name_at(i), (double)counts[k]);
        }
    }
}

static void put_counts(metrics *m) {
    const twx_summary *s = m->summary;
    single(m, "documents", "Documents of the store.", (double)s->documents);
    single(m, "documents_hidden", "Documents that another one represents.", (double)s->hidden);
    single(m, "documents_changed", "Documents whose flags the last run changed.",
           (double)s->changed);
    single(m, "documents_read", "Rows that the last run read.", (double)s->counts.read);
    single(m, "documents_signed", "Documents that the last run signed.",
           (double)s->counts.signed_now);
    single(m, "documents_deleted", "Documents that the last run found deleted.",
           (double)s->counts.deleted);
    single(m, "signed_text_bytes", "Bytes of text that the last run signed.",
           (double)s->counts.text_bytes);
    single(m, "documents_unusable", "Rows without a usable id, or longer than run.row_bytes.",
           (double)(s->counts.bad_ids + s->counts.too_long));
    head(m, "documents_by_participation", "Documents that take part, and why others do not.");
    for (size_t i = 0; i < TWX_ELIGIBILITIES; i++)
        sample(m, "documents_by_participation", "state", twx_eligibility_text(i),
               (double)s->eligibility[i]);
    put_groups(m);
}

twx_rc twx_metrics_write(const twx_out *out, const twx_run_metrics *run) {
    metrics m = {.out = out, .summary = run->summary, .store = {.max = STORE_BYTES}};
    m.rc = add_label(out->cx, &m.store, "store", run->label ? run->label : run->summary->store);
    single(&m, "run_exit_code", "Exit code of the last run: 0 done, 3 stopped by a guard, 75 busy.",
           run->exit_code);
    single(&m, "run_end_timestamp_seconds", "When the last run ended.", (double)run->ended_at);
    single(&m, "run_seconds", "Time that the last run took.", run->seconds);
    const twx_summary *s = run->summary;
    if (s->n_stages) head(&m, "run_stage_seconds", "Time that each stage of the last run took.");
    for (size_t i = 0; i < s->n_stages; i++)
        sample(&m, "run_stage_seconds", "stage", s->stage[i].name, s->stage[i].seconds);
    if (run->complete) put_counts(&m);
    twx_buf_done(&m.store);
    return m.rc;
}

/* ==== sign_summary */

void twx_sign_counts_add(twx_sign_counts *to, const twx_sign_counts *counts) {
    to->read += counts->read;
    to->signed_now += counts->signed_now;
    to->written += counts->written;
    to->deleted += counts->deleted;
    to->text_bytes += counts->text_bytes;
    to->bad_urls += counts->bad_urls;
    to->bad_ids += counts->bad_ids;
    to->bad_utf8 += counts->bad_utf8;
    to->odd_values += counts->odd_values;
    to->too_long += counts->too_long;
}

twx_rc twx_sign_summary_write(const twx_out *out, const twx_sign_summary *s) {
    enum { OWN = 5 };
    const twx_sign_counts *c = &s->counts;
    twx_count_row rows[OWN + SIGN_ODDITIES] = {
        {"documents", "documents", .n = s->documents, .always = true},
        {"read", "read", .n = c->read, .always = true},
        {"signed", "signed now", NULL, c->signed_now, c->text_bytes, true, true},
        {"deleted", "gone", .n = c->deleted, .always = true},
        {"text_bytes", .n = c->text_bytes}};
    sign_oddities(c, rows + OWN);
    return twx_count_result_write(out, s->store, "signatures", rows, TWX_COUNTOF(rows), s->seconds);
}
