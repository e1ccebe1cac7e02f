#include "run/metrics.h"

#include <inttypes.h>

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
    twx_buf labels;
    twx_ctx *cx = m->out->cx;
    twx_buf_init(&labels, STORE_BYTES);
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

static void write_stages(metrics *m) {
    const twx_summary *s = m->summary;
    if (s->n_stages) head(m, "run_stage_seconds", "Time that each stage of the last run took.");
    for (size_t i = 0; i < s->n_stages; i++)
        sample(m, "run_stage_seconds", "stage", s->stage[i].name, s->stage[i].seconds);
}

static void write_groups(metrics *m) {
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
            const uint64_t counts[] = {s->slot[i].groups, s->slot[i].copies, s->slot[i].largest};
            if (s->slot[i].used)
                sample(m, FIGURES[k].name, "relation", twx_summary_slot_name(i), (double)counts[k]);
        }
    }
}

static void write_participation(metrics *m) {
    head(m, "documents_by_participation", "Documents that take part, and why others do not.");
    for (size_t i = 0; i < TWX_ELIGIBILITIES; i++)
        sample(m, "documents_by_participation", "state", twx_eligibility_text(i),
               (double)m->summary->eligibility[i]);
}

static void write_counts(metrics *m) {
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
    write_participation(m);
    write_groups(m);
}

twx_rc twx_metrics_write(const twx_out *out, const twx_run_metrics *run) {
    metrics m = {.out = out, .summary = run->summary};
    twx_buf_init(&m.store, STORE_BYTES);
    m.rc = add_label(out->cx, &m.store, "store", run->label ? run->label : run->summary->store);
    single(&m, "run_exit_code", "Exit code of the last run: 0 done, 3 stopped by a guard, 75 busy.",
           run->exit_code);
    single(&m, "run_end_timestamp_seconds", "When the last run ended.", (double)run->ended_at);
    single(&m, "run_seconds", "Time that the last run took.", run->seconds);
    write_stages(&m);
    if (run->complete) write_counts(&m);
    twx_buf_done(&m.store);
    return m.rc;
}
