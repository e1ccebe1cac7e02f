#include "lab/lab.h"

#include "inspect/inspect.h"

/* ==== evaluation */

/* Zelenkov and Segalovich 2007: ROMIP web collection, 500 000 documents. */
static const struct {
    const char *detector;
    double f;
} PUBLISHED[] = {
    {"decomposition", 1.00},
    {"three_plus_five", 0.95},
    {"long_sentence", 0.82},
    {"tf", 0.73},
    {"opt_freq", 0.73},
    {"tfridf", 0.73},
    {"heavy_sentence", 0.72},
    {"tfidf", 0.69},
    {"lexrand", 0.66},
    {"log_shingles", 0.56},
    {"descriptive_words", 0.56},
    {"megashingles", 0.51},
    {"exact", 0.38},
};

/* The published F of a method, negative if there is none. Source: Zelenkov and Segalovich 2007,
 * tables 3 and 5; they give 'near 1' for decomposition. */
static double published_f(const char *detector) {
    for (size_t i = 0; i < TWX_COUNTOF(PUBLISHED); i++)
        if (strcmp(PUBLISHED[i].detector, detector) == 0) return PUBLISHED[i].f;
    return -1;
}

/* Spearman's rank correlation of measured and published F over the methods that have both; *ret_n
 * is their number. */
static double published_rank_correlation(const twx_evaluation *e, size_t *ret_n) {
    double here[TWX_EVALUATED_MAX], there[TWX_EVALUATED_MAX];
    size_t n = 0;
    for (size_t i = 0; i < e->n; i++) {
        const twx_evaluated *d = &e->at[i];
        if (d->missing || !d->documents.f.known || published_f(d->detector->name) < 0) continue;
        here[n] = d->documents.f.value;
        there[n++] = published_f(d->detector->name);
    }
    *ret_n = n;
    return twx_spearman(here, there, n);
}

/* ==== evaluation_json */

/* All the time that the method took. */
static inline double evaluated_seconds(const twx_evaluated *d) {
    return d->sign_seconds + d->group_seconds + d->collection_seconds;
}

static json_t *seconds_json(const void *evaluated) {
    return twx_json_share(evaluated_seconds(evaluated));
}

#define F(...) TWX_FIELD(twx_rating, __VA_ARGS__)
static const twx_field RATING[] = {F("recall", recall), F("precision", precision), F("f", f)};
#undef F
#define F(...) TWX_FIELD(twx_hiding, __VA_ARGS__)
static const twx_field HIDING[] = {
    TWX_FIELDS(F("hidden", hidden), F("hidden_sampled", hidden_sampled), F("visible", visible),
               F("visible_sampled", visible_sampled), F("compared", compared), F("capped", capped),
               F("audited", audited), F("audited_alike", audited_alike), F("too_long", too_long),
               F("hidden_below", below), F("hidden_far_below", far_below),
               F("visible_alike", alike), F("visible_very_alike", very_alike))};
#undef F
#define F(...)  TWX_FIELD(twx_evaluated, __VA_ARGS__)
#define AS(...) TWX_FIELD_AS(twx_evaluated, __VA_ARGS__)
static const twx_field EVALUATED[] = {TWX_FIELDS(
    F("recall", documents.recall), F("precision", documents.precision), F("f", documents.f),
    AS(WHOLE, "pairs", pairs.value), AS(WHOLE, "pairs_low", pairs.low),
    AS(WHOLE, "pairs_high", pairs.high), AS(WHOLE, "text_pairs", text_pairs.value),
    F("groups", groups), F("largest_group", largest_group), TWX_FIELD_GOT("seconds", seconds_json),
    AS(SHARE, "sign_seconds", sign_seconds), AS(SHARE, "group_seconds", group_seconds),
    AS(SHARE, "collection_seconds", collection_seconds),
    AS(SHARE, "mb_per_second", megabytes_a_second))};
#undef F
#undef AS
#define F(...) TWX_FIELD(twx_evaluation, __VA_ARGS__)
static const twx_field
    SAMPLE[] = {TWX_FIELDS(F("share", share), F("pool", pool), F("verified", verified),
                           F("true", true_pairs), F("too_long", too_long))},
    LABELS[] = {TWX_FIELDS(F("urls", labelled_urls), F("pairs", labelled_pairs),
                           F("clusters", clusters), F("unknown_urls", unknown_urls),
                           F("urls_without_text", urls_without_text),
                           F("skipped_pairs", skipped_pairs))},
    STORE[] = {F("store", store), F("truth", truth)},
    TEXTS[] = {
        TWX_FIELDS(F("documents", documents), F("without_text", without_text), F("texts", texts),
                   F("text_bytes", text_bytes),
                   TWX_FIELD_AS(twx_evaluation, SHARE, "collection_seconds", collection_seconds),
                   F("not_taking_part", not_taking_part),
                   TWX_FIELD_AS(twx_evaluation, RATIO, "threshold", threshold_ppm))};
#undef F

static json_t *detector_json(const twx_evaluation *e, const twx_evaluated *d) {
    json_t *o = json_pack("{s:s, s:i}", "name", d->detector->name, "id", d->detector->id);
    if (d->missing) {
        json_object_set_new(o, "not_evaluated", json_string(d->missing));
        return o;
    }
    twx_row_put(o, TWX_ROWS_AT(EVALUATED, d, 1));
    if (e->kind == TWX_TRUTH_SIMILARITY)
        json_object_set_new(o, "different_texts", twx_row_json(TWX_ROWS_AT(RATING, &d->texts, 1)));
    if (e->kind == TWX_TRUTH_CLUSTERS)
        json_object_set_new(o, "cluster_means", twx_row_json(TWX_ROWS_AT(RATING, &d->clusters, 1)));
    if (d->hiding.measured)
        json_object_set_new(o, "hiding", twx_row_json(TWX_ROWS_AT(HIDING, &d->hiding, 1)));
    if (published_f(d->detector->name) >= 0)
        json_object_set_new(o, "published_f", twx_json_share(published_f(d->detector->name)));
    return o;
}

static json_t *dice_json(const twx_evaluation *e) {
    json_t *all = json_object();
    for (size_t a = 0; a < e->n; a++) {
        if (e->at[a].missing) continue;
        json_t *row = json_object();
        for (size_t b = 0; b < e->n; b++)
            if (!e->at[b].missing)
                json_object_set_new(row, e->at[b].detector->name,
                                    e->dice[a][b] < 0 ? json_null()
                                                      : twx_json_share(e->dice[a][b]));
        json_object_set_new(all, e->at[a].detector->name, row);
    }
    return all;
}

static json_t *labels_json(const twx_evaluation *e) {
    json_t *unknown = json_array(), *o = twx_row_json(TWX_ROWS_AT(LABELS, e, 1));
    for (uint64_t i = 0; i < e->unknown_urls && i < TWX_MISSING_SHOWN; i++)
        json_array_append_new(unknown, twx_json_slice(e->unknown[i]));
    json_object_set_new(o, "unknown", unknown);
    return o;
}

/* new reference, NULL: out of memory */
static json_t *evaluation_json(const twx_evaluation *e) {
    static const char *const KINDS[] = {"similarity", "pairs", "clusters"};
    size_t methods = 0;
    double rho = published_rank_correlation(e, &methods);
    json_t *detectors = json_array();
    for (size_t i = 0; i < e->n; i++) json_array_append_new(detectors, detector_json(e, &e->at[i]));
    json_t *o = twx_row_json(TWX_ROWS_AT(STORE, e, 1));
    json_object_set_new(o, "truth_kind", json_string(KINDS[e->kind]));
    twx_row_put(o, TWX_ROWS_AT(TEXTS, e, 1));
    json_object_set_new(o, "sample", twx_row_json(TWX_ROWS_AT(SAMPLE, e, 1)));
    if (e->kind != TWX_TRUTH_SIMILARITY) json_object_set_new(o, "labels", labels_json(e));
    json_object_set_new(o, "detectors", detectors);
    json_t *relations = json_array();
    for (size_t i = 0; i < e->n_relations; i++) {
        json_t *relation = twx_row_json(TWX_ROWS_AT(RATING, &e->relation[i].rating, 1));
        json_object_set_new(relation, "name", json_string(e->relation[i].name));
        json_array_append_new(relations, relation);
    }
    json_object_set_new(o, "relations", relations);
    json_object_set_new(o, "dice", dice_json(e));
    json_object_set_new(o, "published_ranking",
                        json_pack("{s:o, s:I}", "spearman",
                                  methods > 1 ? twx_json_share(rho) : json_null(), "methods",
                                  (json_int_t)methods));
    return o;
}

/* ==== evaluation_sheet */

/* ---- the tables, as text or HTML ---------------------------------------- */

/* The output of a table: columns of fixed width, or HTML cells. */
typedef struct sheet {
    const twx_out *out;
    bool html;
    twx_rc rc;
} sheet;

enum { NAME_WIDTH = 18, CELL_WIDTH = 18, CELL_BYTES = 80 };

#define PUT(s, ...)                                                           \
    do {                                                                      \
        if ((s)->rc == TWX_OK) (s)->rc = twx_out_text((s)->out, __VA_ARGS__); \
    } while (0)

static void begin_table(sheet *s, const char *title) {
    PUT(s, s->html ? "<h2>%s</h2>\n<table>\n" : "\n%s\n", title);
}

static void end_table(sheet *s) {
    if (s->html) PUT(s, "</table>\n");
}

static void begin_row(sheet *s, const char *name) {
    if (s->html)
        PUT(s, "<tr><th>%s</th>", name);
    else
        PUT(s, "  %-*s", NAME_WIDTH, name);
}

static void cell(sheet *s, int width, const char *text) {
    if (s->html)
        PUT(s, "<td>%s</td>", text);
    else
        PUT(s, " %*s", width, text);
}

static void end_row(sheet *s) {
    PUT(s, s->html ? "</tr>\n" : "\n");
}

/* An end of an interval without the 0 before the point: ".851", "1". */
static const char *end_text(double v, char room[CELL_BYTES]) {
    twx_print(room, CELL_BYTES, v < 0.9995 ? "%.3f" : "%.0f", v);
    return v < 0.9995 ? room + 1 : room;
}

/* "0.872 (.851-.889)"; without the interval if the value is exact. */
static void measure_cell(sheet *s, const twx_measure *m) {
    char text[3 * CELL_BYTES] = "-", low[CELL_BYTES], high[CELL_BYTES];
    bool exact = m->high - m->low < 0.00005;
    if (m->known && exact) twx_print(text, sizeof text, "%.3f", m->value);
    if (m->known && !exact)
        twx_print(text, sizeof text, "%.3f (%s-%s)", m->value, end_text(m->low, low),
                  end_text(m->high, high));
    cell(s, CELL_WIDTH, text);
}

static void count_cell(sheet *s, int width, double v) {
    char text[CELL_BYTES];
    twx_print(text, sizeof text, "%.0f", v);
    cell(s, width, text);
}

static void decimal_cell(sheet *s, int width, double v, int digits) {
    char text[CELL_BYTES];
    twx_print(text, sizeof text, "%.*f", digits, v);
    cell(s, width, text);
}

static void rating_cells(sheet *s, const twx_rating *r) {
    measure_cell(s, &r->recall);
    measure_cell(s, &r->precision);
    measure_cell(s, &r->f);
}

static void heads(sheet *s, const char *first, const char *const *names, const int *widths,
                  size_t n) {
    begin_row(s, first);
    for (size_t i = 0; i < n; i++) cell(s, widths[i], names[i]);
    end_row(s);
}

enum { PAIRS_W = 13, GROUPS_W = 8, SECONDS_W = 8, SPEED_W = 7, PUBLISHED_W = 9 };

static void main_table(sheet *s, const twx_evaluation *e) {
    static const char *const NAMES[] = {"recall",  "precision", "F",    "pairs",    "groups",
                                        "largest", "seconds",   "MB/s", "published"};
    static const int WIDTHS[] = {CELL_WIDTH, CELL_WIDTH, CELL_WIDTH, PAIRS_W,    GROUPS_W,
                                 GROUPS_W,   SECONDS_W,  SPEED_W,    PUBLISHED_W};
    begin_table(s, e->kind == TWX_TRUTH_PAIRS ? "labelled pairs" : "pairs of documents");
    heads(s, "detector", NAMES, WIDTHS, TWX_COUNTOF(NAMES));
    for (size_t i = 0; i < e->n; i++) {
        const twx_evaluated *d = &e->at[i];
        begin_row(s, d->detector->name);
        if (d->missing) {
            cell(s, 0, d->missing);
            end_row(s);
            continue;
        }
        rating_cells(s, &d->documents);
        count_cell(s, PAIRS_W, d->pairs.value);
        count_cell(s, GROUPS_W, (double)d->groups);
        count_cell(s, GROUPS_W, (double)d->largest_group);
        decimal_cell(s, SECONDS_W, evaluated_seconds(d), 2);
        decimal_cell(s, SPEED_W, d->megabytes_a_second, 0);
        if (published_f(d->detector->name) >= 0)
            decimal_cell(s, PUBLISHED_W, published_f(d->detector->name), 2);
        else
            cell(s, PUBLISHED_W, "-");
        end_row(s);
    }
    for (size_t i = 0; i < e->n_relations; i++) {
        char name[CELL_BYTES];
        snprintf(name, sizeof name, "= %s", e->relation[i].name);
        begin_row(s, name);
        rating_cells(s, &e->relation[i].rating);
        end_row(s);
    }
    end_table(s);
}

/* A second table about the same pairs: pairs of different texts, or means over clusters. */
static void second_table(sheet *s, const twx_evaluation *e) {
    static const char *const NAMES[] = {"recall", "precision", "F", "pairs"};
    static const int WIDTHS[] = {CELL_WIDTH, CELL_WIDTH, CELL_WIDTH, PAIRS_W};
    bool clusters = e->kind == TWX_TRUTH_CLUSTERS;
    if (e->kind == TWX_TRUTH_PAIRS) return;
    begin_table(s, clusters ? "means over clusters" : "pairs of different texts, each once");
    heads(s, "detector", NAMES, WIDTHS, clusters ? 3 : 4);
    for (size_t i = 0; i < e->n; i++) {
        if (e->at[i].missing) continue;
        begin_row(s, e->at[i].detector->name);
        rating_cells(s, clusters ? &e->at[i].clusters : &e->at[i].texts);
        if (!clusters) count_cell(s, PAIRS_W, e->at[i].text_pairs.value);
        end_row(s);
    }
    end_table(s);
}

static void dice_table(sheet *s, const twx_evaluation *e) {
    char text[CELL_BYTES];
    begin_table(s, "Dice: 2 x pairs in common / sum of pairs, in hundredths");
    begin_row(s, "");
    for (size_t b = 0; b < e->n; b++) {
        if (e->at[b].missing) continue;
        snprintf(text, sizeof text, "%d", e->at[b].detector->id);
        cell(s, 3, text);
    }
    end_row(s);
    for (size_t a = 0; a < e->n; a++) {
        if (e->at[a].missing) continue;
        snprintf(text, sizeof text, "%d %s", e->at[a].detector->id, e->at[a].detector->name);
        begin_row(s, text);
        for (size_t b = 0; b < e->n; b++) {
            if (e->at[b].missing) continue;
            if (e->dice[a][b] < 0)
                cell(s, 3, "-");
            else
                count_cell(s, 3, 100 * e->dice[a][b]);
        }
        end_row(s);
    }
    end_table(s);
}

/* What each measured method hides wrongly and what it leaves visible. */
static void hiding_table(sheet *s, const twx_evaluation *e) {
    static const int WIDTHS[] = {GROUPS_W, CELL_WIDTH, CELL_WIDTH,
                                 GROUPS_W, CELL_WIDTH, CELL_WIDTH};
    char title[2 * CELL_BYTES], names[4][CELL_BYTES];
    const double threshold = (double)e->threshold_ppm / 1e6;
    const char *heads_of[] = {"hidden", names[0], names[1], "visible", names[2], names[3]};
    bool any = false;
    for (size_t i = 0; i < e->n; i++) any |= e->at[i].hiding.measured;
    if (!any) return;
    twx_print(names[0], CELL_BYTES, "below %.3g", threshold);
    twx_print(names[1], CELL_BYTES, "below %.3g", threshold - 0.05);
    twx_print(names[2], CELL_BYTES, "alike at %.3g", threshold);
    twx_print(names[3], CELL_BYTES, "alike at %.3g", threshold + 0.05);
    snprintf(title, sizeof title,
             "hidden wrongly, duplicates left visible: shares of the sampled documents");
    begin_table(s, title);
    heads(s, "detector", heads_of, WIDTHS, TWX_COUNTOF(WIDTHS));
    for (size_t i = 0; i < e->n; i++) {
        const twx_hiding *h = &e->at[i].hiding;
        if (!h->measured) continue;
        begin_row(s, e->at[i].detector->name);
        count_cell(s, GROUPS_W, (double)h->hidden_sampled);
        measure_cell(s, &h->below);
        measure_cell(s, &h->far_below);
        count_cell(s, GROUPS_W, (double)h->visible_sampled);
        measure_cell(s, &h->alike);
        measure_cell(s, &h->very_alike);
        end_row(s);
    }
    end_table(s);
    for (size_t i = 0; i < e->n; i++) {
        const twx_hiding *h = &e->at[i].hiding;
        if (!h->measured) continue;
        PUT(s,
            "%s%s: %" PRIu64 " hidden documents have a text of their own, %" PRIu64
            " texts stay visible; %" PRIu64 " visible pairs compared, %" PRIu64
            " candidates beyond the limit left out; of %" PRIu64
            " pairs that the word bound excludes %" PRIu64 " are alike%s",
            s->html ? "<p>" : "  ", e->at[i].detector->name, h->hidden, h->visible, h->compared,
            h->capped, h->audited, h->audited_alike, s->html ? "</p>\n" : "\n");
    }
}

/* ---- words -------------------------------------------------------------- */

static const char *line_end(const sheet *s) {
    return s->html ? "<br>\n" : "\n";
}

/* Text from a crawl or a file, which is escaped in HTML. */
static void put_foreign(sheet *s, twx_slice text) {
    twx_markup html = {.out = s->out, .rc = s->rc};
    if (s->html) {
        twx_markup_text(&html, text);
        s->rc = html.rc;
    } else if (s->rc == TWX_OK) {
        s->rc = twx_out_bytes(s->out, text);
    }
}

static void describe_labels(sheet *s, const twx_evaluation *e) {
    PUT(s, "truth: ");
    put_foreign(s, twx_slice_of(e->truth));
    if (e->kind == TWX_TRUTH_PAIRS)
        PUT(s, ", %" PRIu64 " labelled pairs (%" PRIu64 " more concern what is not in the store)%s",
            e->labelled_pairs, e->skipped_pairs, line_end(s));
    else
        PUT(s, ", %" PRIu64 " URLs in %" PRIu64 " clusters, %" PRIu64 " pairs within them%s",
            e->labelled_urls, e->clusters, e->labelled_pairs, line_end(s));
    if (e->unknown_urls || e->urls_without_text)
        PUT(s, "%" PRIu64 " URLs are not in the store, %" PRIu64 " have no text there%s",
            e->unknown_urls, e->urls_without_text, line_end(s));
    for (uint64_t i = 0; i < e->unknown_urls && i < TWX_MISSING_SHOWN; i++) {
        PUT(s, "  not in the store: ");
        put_foreign(s, e->unknown[i]);
        PUT(s, "%s", line_end(s));
    }
}

static void describe_sample(sheet *s, const twx_evaluation *e) {
    if (e->share < 1)
        PUT(s, "pairs: a sample of 1 in %.0f; ", 1 / e->share);
    else
        PUT(s, "pairs: all; ");
    PUT(s, "%" PRIu64 " of different texts in the pool of all detectors", e->pool);
    if (e->kind != TWX_TRUTH_SIMILARITY) {
        PUT(s, "%s", line_end(s));
        describe_labels(s, e);
        return;
    }
    PUT(s,
        "%struth: similarity of the texts (2 x LCS / sum of lengths) of 0.8 or more; %" PRIu64
        " pairs compared, %" PRIu64 " of them true; recall is relative to the pool%s",
        line_end(s), e->verified, e->true_pairs, line_end(s));
    if (e->too_long)
        PUT(s, "%" PRIu64 " pairs left out: the texts are too long to compare%s", e->too_long,
            line_end(s));
}

static void describe_ranking(sheet *s, const twx_evaluation *e) {
    size_t methods = 0;
    double rho = published_rank_correlation(e, &methods);
    if (e->collection_seconds > 0)
        PUT(s,
            "%sseconds of methods that need statistics include a share of %.2f s for the pass over "
            "the collection%s",
            line_end(s), e->collection_seconds, line_end(s));
    if (methods > 1)
        PUT(s,
            "%sranking by F against the published one (Zelenkov and Segalovich 2007): Spearman's "
            "rho %.2f over %zu methods%s",
            line_end(s), rho, methods, line_end(s));
}

static twx_rc write_sheet(const twx_out *out, const twx_evaluation *e, bool html) {
    sheet s = {.out = out, .html = html};
    put_foreign(&s, twx_slice_of(e->store));
    PUT(&s,
        ": %" PRIu64 " documents, %" PRIu64 " of them do not take part, %" PRIu64
        " have no text; %" PRIu64 " different texts of %.1f MB%s",
        e->documents, e->not_taking_part, e->without_text, e->texts, (double)e->text_bytes / 1e6,
        line_end(&s));
    describe_sample(&s, e);
    main_table(&s, e);
    second_table(&s, e);
    hiding_table(&s, e);
    dice_table(&s, e);
    describe_ranking(&s, e);
    return s.rc;
}

twx_rc twx_evaluation_write(const twx_out *out, const twx_evaluation *e) {
    return twx_out_is_json(out) ? twx_out_json(out, evaluation_json(e))
                                : write_sheet(out, e, false);
}

twx_rc twx_evaluation_write_html(const twx_out *out, const twx_evaluation *e) {
    twx_rc rc = twx_out_text(
        out, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>twindex "
             "evaluate</title>\n"
             "<style>body{font:15px "
             "sans-serif;margin:2em}table{border-collapse:collapse}th,td{padding:.2em "
             ".6em;border-bottom:1px solid "
             "#ccc;text-align:right}th{text-align:left}</style>\n<h1>Detectors compared</h1>\n");
    if (rc == TWX_OK) rc = write_sheet(out, e, true);
    return rc == TWX_OK ? twx_out_text(out, "</html>\n") : rc;
}
