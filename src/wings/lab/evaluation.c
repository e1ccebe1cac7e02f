#include "lab/lab.h"

#include <math.h>

#include "inspect/inspect.h"

/* ==== estimate */

/* 95 % of a normal distribution lie within Z standard deviations */
static const double Z = 1.959963984540054;

static double clip(double v, double low, double high) {
    return v < low ? low : v > high ? high : v;
}

void twx_ratio_add(twx_ratio *r, double y, double x, double p) {
    double spread = (1 - p) / (p * p);
    r->y += y / p;
    r->x += x / p;
    r->yy += spread * y * y;
    r->xy += spread * x * y;
    r->xx += spread * x * x;
    if (p >= 1) return;
    r->drawn_x += x / p;
    r->drawn_xx += (x / p) * (x / p);
}

twx_measure twx_wilson(double share, double n) {
    if (n <= 0) return (twx_measure){true, share, 0, 1};
    double zz = Z * Z, middle = (share + zz / (2 * n)) / (1 + zz / n);
    double half = Z * sqrt(share * (1 - share) / n + zz / (4 * n * n)) / (1 + zz / n);
    return (twx_measure){true, share, clip(middle - half, 0, share), clip(middle + half, share, 1)};
}

/* All drawn items agree, so the estimated variance is 0. Uses the Wilson bound for the effective
 * number of draws, scaled to the drawn part of x. */
static twx_measure unanimous(const twx_ratio *r, double share) {
    double n = r->drawn_x * r->drawn_x / r->drawn_xx,
           open = Z * Z / (n + Z * Z) * r->drawn_x / r->x;
    return (twx_measure){true, share, clip(share - open, 0, share), clip(share + open, share, 1)};
}

twx_measure twx_ratio_measure(const twx_ratio *r) {
    if (r->x <= 0) return (twx_measure){0};
    double share = clip(r->y / r->x, 0, 1);
    double variance = (r->yy - 2 * share * r->xy + share * share * r->xx) / (r->x * r->x);
    if (r->yy <= 0 && r->xx <= 0) return (twx_measure){true, share, share, share};
    /* rounding errors can leave a tiny variance where the exact one is 0 */
    if (variance > 1e-15 && share > 0 && share < 1)
        return twx_wilson(share, share * (1 - share) / variance);
    return r->drawn_xx > 0 ? unanimous(r, share) : (twx_measure){true, share, share, share};
}

twx_measure twx_ratio_total(const twx_ratio *r) {
    double half = Z * sqrt(r->xx);
    return (twx_measure){true, r->x, r->x > half ? r->x - half : 0, r->x + half};
}

twx_measure twx_mean(double sum, double squares, size_t n) {
    if (n == 0) return (twx_measure){0};
    double count = (double)n, mean = sum / count, left = squares - count * mean * mean;
    double half = n > 1 && left > 0 ? Z * sqrt(left / (count - 1) / count) : 0;
    return (twx_measure){true, mean, clip(mean - half, 0, mean), clip(mean + half, mean, 1)};
}

static double harmonic(double a, double b) {
    return a + b > 0 ? 2 * a * b / (a + b) : 0;
}

twx_measure twx_harmonic(twx_measure a, twx_measure b) {
    if (!a.known || !b.known) return (twx_measure){0};
    return (twx_measure){true, harmonic(a.value, b.value), harmonic(a.low, b.low),
                         harmonic(a.high, b.high)};
}

/* Twice the mean rank of v among all, which is an integer also with ties. */
static double rank_of(double v, const double *all, size_t n) {
    size_t below = 0, same = 0;
    for (size_t i = 0; i < n; i++) {
        below += all[i] < v;
        same += all[i] == v;
    }
    return (double)(2 * below + same + 1);
}

double twx_spearman(const double *a, const double *b, size_t n) {
    double mean = (double)n + 1, ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < n; i++) {
        double x = rank_of(a[i], a, n) - mean, y = rank_of(b[i], b, n) - mean;
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* ==== evaluation */

/* Zelenkov and Segalovich 2007: ROMIP web collection, 500 000 documents. */
static const struct {
    const char *detector;
    double f;
} PUBLISHED[] = {{"decomposition", 1.00},
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
                 {"exact", 0.38}};

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

#define R(...) TWX_FIELD(twx_rating, __VA_ARGS__)
static const twx_field RATING[] = {R("recall", recall), R("precision", precision), R("f", f)};
#define H(...) TWX_FIELD(twx_hiding, __VA_ARGS__)
static const twx_field HIDING[] = {
    TWX_FIELDS(H("hidden", hidden), H("hidden_sampled", hidden_sampled), H("visible", visible),
               H("visible_sampled", visible_sampled), H("compared", compared), H("capped", capped),
               H("audited", audited), H("audited_alike", audited_alike), H("too_long", too_long),
               H("hidden_below", below), H("hidden_far_below", far_below),
               H("visible_alike", alike), H("visible_very_alike", very_alike))};
#define E(...)  TWX_FIELD(twx_evaluated, __VA_ARGS__)
#define EA(...) TWX_FIELD_AS(twx_evaluated, __VA_ARGS__)
static const twx_field EVALUATED[] = {TWX_FIELDS(
    E("recall", documents.recall), E("precision", documents.precision), E("f", documents.f),
    EA(WHOLE, "pairs", pairs.value), EA(WHOLE, "pairs_low", pairs.low),
    EA(WHOLE, "pairs_high", pairs.high), EA(WHOLE, "text_pairs", text_pairs.value),
    E("groups", groups), E("largest_group", largest_group), TWX_FIELD_GOT("seconds", seconds_json),
    EA(SHARE, "sign_seconds", sign_seconds), EA(SHARE, "group_seconds", group_seconds),
    EA(SHARE, "collection_seconds", collection_seconds),
    EA(SHARE, "mb_per_second", megabytes_a_second))};
#define S(...) TWX_FIELD(twx_evaluation, __VA_ARGS__)
static const twx_field
    SAMPLE[] = {TWX_FIELDS(S("share", share), S("pool", pool), S("verified", verified),
                           S("true", true_pairs), S("too_long", too_long))},
    LABELS[] = {TWX_FIELDS(S("urls", labelled_urls), S("pairs", labelled_pairs),
                           S("clusters", clusters), S("unknown_urls", unknown_urls),
                           S("urls_without_text", urls_without_text),
                           S("skipped_pairs", skipped_pairs))},
    STORE[] = {S("store", store), S("truth", truth)},
    TEXTS[] = {
        TWX_FIELDS(S("documents", documents), S("without_text", without_text), S("texts", texts),
                   S("text_bytes", text_bytes),
                   TWX_FIELD_AS(twx_evaluation, SHARE, "collection_seconds", collection_seconds),
                   S("not_taking_part", not_taking_part),
                   TWX_FIELD_AS(twx_evaluation, RATIO, "threshold", threshold_ppm))};

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

enum { CELL_BYTES = 80, SHORT_METHODS = 4, LABELS_LEAST = 12 };

#define PUT(s, ...)                                                           \
    do {                                                                      \
        if ((s)->rc == TWX_OK) (s)->rc = twx_out_text((s)->out, __VA_ARGS__); \
    } while (0)

/* A line of a table. */
typedef struct sheet_row {
    char name[CELL_BYTES];
    const twx_evaluated *of; /* NULL: a relation */
    twx_rating rating;
    twx_evaluated d; /* a copy */
    double seconds;
    char published_text[8];
} sheet_row;

typedef struct sheet_rows {
    size_t n;
    sheet_row at[TWX_EVALUATED_MAX + TWX_RELATIONS_MAX];
} sheet_rows;

#define F(...)        TWX_FIELD(sheet_row, NULL, __VA_ARGS__)
#define AS(kind, ...) TWX_FIELD_AS(sheet_row, kind, NULL, __VA_ARGS__)
#define NAME          AS(CHARS, name, "detector", -18)
#define RATING_COLUMNS                                                                          \
    AS(FRACTION, rating.recall, "recall", 18), AS(FRACTION, rating.precision, "precision", 18), \
        AS(FRACTION, rating.f, "F", 18)
static const twx_field MAIN[] = {TWX_FIELDS(
    NAME, RATING_COLUMNS, AS(WHOLE, d.pairs.value, "pairs", 13), F(d.groups, "groups", 8),
    F(d.largest_group, "largest", 8), F(seconds, "seconds", 8),
    AS(WHOLE, d.megabytes_a_second, "MB/s", 7), AS(CHARS, published_text, "published", 9))};
static const twx_field SHORT[] = {TWX_FIELDS(
    AS(CHARS, name, "method", -16), AS(FRACTION, rating.f, "F", 17),
    AS(FRACTION, rating.recall, "recall", 17), AS(FRACTION, rating.precision, "precision", 17),
    AS(WHOLE, d.megabytes_a_second, "MB/s", 5))};
static const twx_field RATED[] = {NAME, RATING_COLUMNS, AS(WHOLE, d.pairs.value, "pairs", 13)};

static int by_f(const void *a, const void *b) {
    const sheet_row *x = a, *y = b;
    const twx_measure *f = &x->rating.f, *g = &y->rating.f;
    if (!x->of != !y->of) return x->of ? -1 : 1;
    if (f->known != g->known) return f->known ? -1 : 1;
    if (f->known && f->value != g->value) return f->value > g->value ? -1 : 1;
    return x->of ? x->of->detector->id - y->of->detector->id : 0;
}

/* Those that were evaluated, the best first. */
static void list_rows(const twx_evaluation *e, sheet_rows *ret_rows) {
    ret_rows->n = 0;
    for (const twx_evaluated *d = e->at; d < e->at + e->n; d++) {
        sheet_row *row = &ret_rows->at[ret_rows->n];
        if (d->missing) continue;
        *row = (sheet_row){
            .of = d, .rating = d->documents, .d = *d, .seconds = evaluated_seconds(d)};
        snprintf(row->name, sizeof row->name, "%s", d->detector->name);
        const double published = published_f(d->detector->name);
        twx_print(row->published_text, sizeof row->published_text, published < 0 ? "-" : "%.2f",
                  published);
        ret_rows->n++;
    }
    qsort(ret_rows->at, ret_rows->n, sizeof *ret_rows->at, by_f);
}

static void add_relations(const twx_evaluation *e, sheet_rows *rows) {
    for (size_t i = 0; i < e->n_relations; i++) {
        sheet_row *row = &rows->at[rows->n++];
        *row = (sheet_row){.rating = e->relation[i].rating,
                           .d = {.pairs.value = -1, .megabytes_a_second = -1},
                           .published_text = "-"};
        snprintf(row->name, sizeof row->name, "= %s", e->relation[i].name);
    }
}

static void table(sheet *s, const char *title, const twx_rows *rows) {
    PUT(s, s->html ? "<h2>%s</h2>\n<table>\n" : "\n%s\n", title);
    if (s->rc == TWX_OK && !s->html) s->rc = twx_rows_write(s->out, rows, true);
    for (size_t line = 0; s->html && line <= rows->n; line++) {
        PUT(s, "<tr>");
        for (size_t i = 0; i < rows->n_fields; i++) {
            char room[TWX_CELL_BYTES];
            const char *row = (const char *)rows->at + (line - 1) * rows->bytes;
            PUT(s, i ? "<td>%s</td>" : "<th>%s</th>",
                line ? twx_field_text(&rows->fields[i], row, room).p : rows->fields[i].head);
        }
        PUT(s, "</tr>\n");
    }
    if (s->html) PUT(s, "</table>\n");
}

static void main_table(sheet *s, const twx_evaluation *e) {
    sheet_rows rows;
    list_rows(e, &rows);
    add_relations(e, &rows);
    table(s, e->kind == TWX_TRUTH_PAIRS ? "labelled pairs" : "pairs of documents",
          TWX_ROWS(MAIN, rows));
    for (const twx_evaluated *d = e->at; d < e->at + e->n; d++)
        if (d->missing) PUT(s, "%s%s: %s\n", s->html ? "<p>" : "  ", d->detector->name, d->missing);
}

/* A second table about the same pairs: pairs of different texts, or means over clusters. */
static void second_table(sheet *s, const twx_evaluation *e) {
    const bool clusters = e->kind == TWX_TRUTH_CLUSTERS;
    sheet_rows rows;
    if (e->kind == TWX_TRUTH_PAIRS) return;
    list_rows(e, &rows);
    for (sheet_row *row = rows.at; row < rows.at + rows.n; row++) {
        row->rating = clusters ? row->of->clusters : row->of->texts;
        row->d.pairs = row->of->text_pairs;
    }
    twx_rows shown = *TWX_ROWS(RATED, rows);
    shown.n_fields -= clusters;
    table(s, clusters ? "means over clusters" : "pairs of different texts, each once", &shown);
}

/* A line of the matrix: a text for each method. */
typedef struct dice_row {
    char name[CELL_BYTES], cell[TWX_EVALUATED_MAX][4];
} dice_row;

static void dice_table(sheet *s, const twx_evaluation *e) {
    twx_field fields[1 + TWX_EVALUATED_MAX] = {TWX_FIELD_AS(dice_row, CHARS, NULL, name, "", -18)};
    dice_row rows[TWX_EVALUATED_MAX];
    char heads[TWX_EVALUATED_MAX][8];
    size_t n = 0;
    for (size_t a = 0; a < e->n; a++) {
        size_t k = 0;
        if (e->at[a].missing) continue;
        const twx_detector *d = e->at[a].detector;
        snprintf(rows[n].name, CELL_BYTES, "%d %s", d->id, d->name);
        snprintf(heads[n], sizeof heads[n], "%d", d->id);
        for (size_t b = 0; b < e->n; b++) {
            if (e->at[b].missing) continue;
            if (e->dice[a][b] < 0)
                snprintf(rows[n].cell[k++], 4, "-");
            else
                twx_print(rows[n].cell[k++], 4, "%.0f", 100 * e->dice[a][b]);
        }
        fields[++n] = (twx_field)TWX_FIELD_AS(dice_row, CHARS, NULL, cell[0], NULL, 3);
        fields[n].offset += (n - 1) * sizeof rows[0].cell[0];
        fields[n].head = heads[n - 1];
    }
    table(s, "Dice: 2 x pairs in common / sum of pairs, in hundredths",
          &(const twx_rows){fields, n + 1, rows, n, sizeof *rows});
}

/* What each measured method hides wrongly and what it leaves visible. */
static void hiding_table(sheet *s, const twx_evaluation *e) {
    char names[4][CELL_BYTES];
    const double threshold = (double)e->threshold_ppm / 1e6, nearby[] = {0, -0.05, 0, 0.05};
    const twx_field fields[] = {TWX_FIELDS(
        NAME, F(d.hiding.hidden_sampled, "hidden", 8), AS(FRACTION, d.hiding.below, names[0], 18),
        AS(FRACTION, d.hiding.far_below, names[1], 18), F(d.hiding.visible_sampled, "visible", 8),
        AS(FRACTION, d.hiding.alike, names[2], 18),
        AS(FRACTION, d.hiding.very_alike, names[3], 18))};
    sheet_rows rows;
    size_t n = 0;
    list_rows(e, &rows);
    for (size_t i = 0; i < rows.n; i++)
        if (rows.at[i].d.hiding.measured) rows.at[n++] = rows.at[i];
    if (n == 0) return;
    for (size_t i = 0; i < TWX_COUNTOF(nearby); i++)
        twx_print(names[i], CELL_BYTES, i < 2 ? "below %.3g" : "alike at %.3g",
                  threshold + nearby[i]);
    table(s, "hidden wrongly, duplicates left visible: shares of the sampled documents",
          TWX_ROWS_AT(fields, rows.at, n));
    for (size_t i = 0; i < n; i++) {
        const twx_hiding *h = &rows.at[i].d.hiding;
        PUT(s,
            "%s%s: %s hidden documents have a text of their own, %s texts stay visible; %s visible "
            "pairs compared, %s candidates beyond the limit left out; of %s pairs that the word "
            "bound excludes %s are alike%s",
            s->html ? "<p>" : "  ", rows.at[i].name, TWX_N(h->hidden), TWX_N(h->visible),
            TWX_N(h->compared), TWX_N(h->capped), TWX_N(h->audited), TWX_N(h->audited_alike),
            s->html ? "</p>\n" : "\n");
    }
}
#undef F
#undef AS

/* ---- a few methods, and what to do ---------------------------------------- */

/* Is it one that flags are made of, as configured? */
static bool makes_flags(const twx_evaluation *e, const twx_detector *d) {
    return !d->near || strcmp(d->name, e->settings->near_detector) == 0 ||
           strcmp(d->name, "profile") == 0;
}

/* The best method for near-duplicates, and how certain that is. */
static void recommend(sheet *s, const twx_evaluation *e, const sheet_rows *rows) {
    const sheet_row *best = NULL, *next = NULL;
    const bool labelled = e->kind != TWX_TRUTH_SIMILARITY;
    for (const sheet_row *row = rows->at; row < rows->at + rows->n; row++) {
        const twx_measure *f = &row->rating.f;
        if (!row->of->detector->near || !f->known || f->value <= 0) continue;
        const bool configured = strcmp(row->of->detector->name, e->settings->near_detector) == 0;
        if (best && configured && f->value == best->rating.f.value) { /* not to be changed */
            next = best;
            best = row;
        } else if (!best) {
            best = row;
        } else if (!next) {
            next = row;
        }
    }
    const uint64_t pairs = e->kind == TWX_TRUTH_SIMILARITY ? e->verified : e->labelled_pairs;
    if (pairs < LABELS_LEAST) {
        PUT(s, "\nno recommendation: %s %s known, %d or more are needed\n", TWX_N(pairs),
            labelled ? twx_plural(pairs, "labelled pair is", "labelled pairs are")
                     : twx_plural(pairs, "pair is", "pairs are"),
            LABELS_LEAST);
        return;
    }
    if (!best) {
        PUT(s, "\nno recommendation: no method finds a true pair\n");
        return;
    }
    const twx_detector *d = best->of->detector;
    PUT(s, "\nrecommended, from %s %s: near.detector = %s", TWX_N(pairs),
        labelled ? "labelled pairs" : "compared pairs", d->name);
    for (size_t i = 0; i < d->n_settings; i++)
        if (d->settings[i].is_threshold)
            PUT(s, "\n  with %s = %.2f", d->settings[i].shown.name,
                (double)e->settings->methods.of[d->id][i] / 1e6);
    if (strcmp(d->name, e->settings->near_detector) == 0) PUT(s, " (as configured)");
    if (next && next->rating.f.high >= best->rating.f.low)
        PUT(s, "\n  its lead over %s is within the uncertainty", next->name);
    else if (next)
        PUT(s, "\n  %s, the next one, has F %.3f", next->name, next->rating.f.value);
    PUT(s, "\nother thresholds: twindex sweep; all methods and tables: --detectors all\n");
}

static void short_table(sheet *s, const twx_evaluation *e) {
    sheet_rows rows, few = {0};
    size_t others = SHORT_METHODS;
    list_rows(e, &rows);
    for (size_t i = 0; i < rows.n; i++) others -= others && makes_flags(e, rows.at[i].of->detector);
    for (size_t i = 0; i < rows.n; i++) {
        const bool flags = makes_flags(e, rows.at[i].of->detector);
        if (!flags && others == 0) continue;
        others -= !flags;
        few.at[few.n++] = rows.at[i];
    }
    add_relations(e, &few);
    table(s, e->kind == TWX_TRUTH_PAIRS ? "labelled pairs" : "pairs of documents",
          TWX_ROWS(SHORT, few));
    recommend(s, e, &rows);
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
        PUT(s, "%" PRIu64 " %s not in the store, %" PRIu64 " %s no text there%s", e->unknown_urls,
            twx_plural(e->unknown_urls, "URL is", "URLs are"), e->urls_without_text,
            twx_plural(e->urls_without_text, "has", "have"), line_end(s));
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
    PUT(s, "%s of different texts in the pool of all detectors", TWX_N(e->pool));
    if (e->kind != TWX_TRUTH_SIMILARITY) {
        PUT(s, "%s", line_end(s));
        describe_labels(s, e);
        return;
    }
    PUT(s,
        "%struth: similarity of the texts (2 x LCS / sum of lengths) of 0.8 or more;\n%s pairs "
        "compared, %s of them true; recall is relative to the pool%s",
        line_end(s), TWX_N(e->verified), TWX_N(e->true_pairs), line_end(s));
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
        ": %s documents, %s of them not taking part, %s without text;\n%s different texts of %.1f "
        "MB%s",
        TWX_N(e->documents), TWX_N(e->not_taking_part), TWX_N(e->without_text), TWX_N(e->texts),
        (double)e->text_bytes / 1e6, line_end(&s));
    describe_sample(&s, e);
    if (!e->whole && !html) {
        short_table(&s, e);
        return s.rc;
    }
    main_table(&s, e);
    second_table(&s, e);
    hiding_table(&s, e);
    dice_table(&s, e);
    describe_ranking(&s, e);
    return s.rc;
}

twx_rc twx_evaluation_write(const twx_out *out, const twx_evaluation *e, bool html) {
    if (!html)
        return twx_out_is_json(out) ? twx_out_json(out, evaluation_json(e))
                                    : write_sheet(out, e, false);
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
