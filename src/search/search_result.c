#include "search/internal.h"

/* ==== search_figures */

enum { QUERY_SHOWN = 100 };

static json_t *with_shares(json_t *o, double few, double many) {
    json_object_set_new(o, "duplicates_in_10", json_real(few));
    json_object_set_new(o, "duplicates_in_100", json_real(many));
    return o;
}

json_t *twx_search_side_json(const twx_search_figures *f, size_t i) {
    json_t *o = json_pack("{s:o, s:o}", "rules", twx_json_text(f->rules[i]), "hits",
                          twx_json_count(f->hits[i]));
    if (f->judged) {
        json_object_set_new(o, "ndcg_10", json_real(f->quality[i].ndcg));
        json_object_set_new(o, "reciprocal_rank", json_real(f->quality[i].reciprocal_rank));
    }
    return with_shares(o, f->few[i], f->many[i]);
}

#define M(...) TWX_FIELD(twx_moves, __VA_ARGS__)
static const twx_field MOVES[] = {TWX_FIELDS(M("moved", moved), M("vanished", vanished),
                                             M("new", fresh), M("clusters", clusters_before),
                                             M("clusters_gone", clusters_gone))};

static json_t *search_figures_json(const twx_search_figures *f) {
    json_t *o = json_pack("{s:o, s:o}", "query", twx_json_slice(f->query), "a",
                          twx_search_side_json(f, 0));
    if (f->n_sides < TWX_SEARCH_SIDES) return o;
    json_object_set_new(o, "b", twx_search_side_json(f, 1));
    json_object_set_new(o, "moves", twx_row_json(TWX_ROWS_AT(MOVES, &f->moves, 1)));
    return o;
}

static const char *side_name(const twx_search_figures *f, size_t i) {
    return f->n_sides == 1 ? "" : i == 0 ? "A: " : "B: ";
}

static const char *rules_name(const twx_search_figures *f, size_t i) {
    return f->rules[i] ? f->rules[i] : "no rules";
}

static twx_rc write_moves(const twx_out *out, const twx_search_figures *f) {
    if (f->n_sides < TWX_SEARCH_SIDES) return TWX_OK;
    return twx_out_text(out,
                        "of A's first 100 %zu moved and %zu vanished, %zu of B's are new; of %zu "
                        "clusters %zu have no hit left\n",
                        f->moves.moved, f->moves.vanished, f->moves.fresh, f->moves.clusters_before,
                        f->moves.clusters_gone);
}

twx_rc twx_query_list_begin(twx_query_list *list, const char *const *rules, size_t n_sides) {
    static const char *const HITS[] = {"hits A", "hits B"};
    const twx_out *out = list->out;
    twx_rc rc = TWX_OK;
    list->sums.n_sides = n_sides;
    for (size_t i = 0; i < n_sides; i++) list->sums.rules[i] = rules[i];
    if (twx_out_is_json(out)) {
        list->rows = json_array();
        return TWX_OK;
    }
    for (size_t i = 0; rc == TWX_OK && i < n_sides; i++)
        rc = twx_out_text(out, "%8s %7s %7s  %s", n_sides > 1 ? HITS[i] : "hits", "in 10", "in 100",
                          list->judged ? "  nDCG     RR  " : "");
    if (rc == TWX_OK && n_sides > 1)
        rc = twx_out_text(out, "%6s %9s %5s %9s  ", "moved", "vanished", "new", "clusters-");
    return rc == TWX_OK ? twx_out_text(out, "query\n") : rc;
}

static twx_rc write_side(const twx_query_list *list, const twx_search_figures *f, size_t i) {
    const twx_out *out = list->out;
    twx_rc rc = twx_out_text(out, "%8zu %5.0f %% %5.0f %%  ", f->hits[i], 100 * f->few[i],
                             100 * f->many[i]);
    if (rc != TWX_OK || !list->judged) return rc;
    return f->judged ? twx_out_text(out, "%6.4f %6.4f  ", f->quality[i].ndcg,
                                    f->quality[i].reciprocal_rank)
                     : twx_out_text(out, "%6s %6s  ", "-", "-");
}

static void add_up(twx_query_list *list, const twx_search_figures *f) {
    twx_search_figures *sums = &list->sums;
    list->queries++;
    sums->moves.moved += f->moves.moved;
    sums->moves.vanished += f->moves.vanished;
    sums->moves.fresh += f->moves.fresh;
    sums->moves.clusters_before += f->moves.clusters_before;
    sums->moves.clusters_gone += f->moves.clusters_gone;
    if (!f->hits[0]) return;
    list->with_hits++;
    for (size_t i = 0; i < f->n_sides; i++) {
        sums->few[i] += f->few[i];
        sums->many[i] += f->many[i];
    }
}

twx_rc twx_query_list_add(twx_query_list *list, const twx_search_figures *f) {
    const twx_out *out = list->out;
    twx_rc rc = TWX_OK;
    add_up(list, f);
    if (f->judged)
        rc = twx_query_quality_add(out->cx, &list->quality, f->n_sides, f->quality, f->few);
    if (rc != TWX_OK) return rc;
    if (twx_out_is_json(out)) return twx_json_append(out->cx, list->rows, search_figures_json(f));
    for (size_t i = 0; rc == TWX_OK && i < f->n_sides; i++) rc = write_side(list, f, i);
    if (rc == TWX_OK && f->n_sides == TWX_SEARCH_SIDES)
        rc = twx_out_text(out, "%6zu %9zu %5zu %9zu  ", f->moves.moved, f->moves.vanished,
                          f->moves.fresh, f->moves.clusters_gone);
    if (rc == TWX_OK) rc = twx_out_excerpt(out, f->query, QUERY_SHOWN);
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

twx_rc twx_query_list_refuse(twx_query_list *list, twx_slice query, const char *reason) {
    list->refused++;
    if (!twx_out_is_json(list->out)) return TWX_OK; /* the message has named it */
    json_t *o = json_pack("{s:o, s:o}", "query", twx_json_slice(query), "error",
                          twx_json_text(reason));
    return twx_json_append(list->out->cx, list->rows, o);
}

static double mean(const twx_query_list *list, double sum) {
    return list->with_hits ? sum / (double)list->with_hits : 0;
}

static json_t *mean_json(const twx_query_list *list, size_t i) {
    return with_shares(json_object(), mean(list, list->sums.few[i]),
                       mean(list, list->sums.many[i]));
}

static json_t *list_json(const twx_query_list *list) {
    json_t *o = json_pack("{s:O, s:o, s:o, s:o, s:o}", "queries", list->rows, "queries_n",
                          twx_json_count(list->queries), "queries_with_hits",
                          twx_json_count(list->with_hits), "queries_refused",
                          twx_json_count(list->refused), "mean_a", mean_json(list, 0));
    if (list->judged) json_object_set_new(o, "judged", twx_query_quality_json(&list->quality));
    if (list->sums.n_sides < TWX_SEARCH_SIDES) return o;
    json_object_set_new(o, "mean_b", mean_json(list, 1));
    json_object_set_new(o, "moves", twx_row_json(TWX_ROWS_AT(MOVES, &list->sums.moves, 1)));
    return o;
}

twx_rc twx_query_list_end(twx_query_list *list) {
    const twx_search_figures *sums = &list->sums;
    if (twx_out_is_json(list->out)) return twx_out_json(list->out, list_json(list));
    twx_rc rc = twx_out_text(list->out, "\n%zu %s, %zu with hits\n", list->queries,
                             twx_plural(list->queries, "query", "queries"), list->with_hits);
    for (size_t i = 0; rc == TWX_OK && i < sums->n_sides; i++)
        rc = twx_out_text(
            list->out,
            "%sduplicates in the first 10: %.1f %%, in the first 100: %.1f %%, the mean of queries "
            " (%s)\n",
            side_name(sums, i), 100 * mean(list, sums->few[i]), 100 * mean(list, sums->many[i]),
            rules_name(sums, i));
    if (rc == TWX_OK) rc = write_moves(list->out, sums);
    return rc == TWX_OK && list->judged ? twx_query_quality_write(list->out, &list->quality) : rc;
}

void twx_query_list_done(twx_query_list *list) {
    json_decref(list->rows);
    twx_query_quality_done(&list->quality);
}

/* ==== search_result */

void twx_search_result_done(twx_search_result *r) {
    for (size_t i = 0; i < r->hits.n; i++) {
        TWX_VEC_DONE(&r->hits.at[i].parts);
        TWX_VEC_DONE(&r->hits.at[i].flags);
    }
    TWX_VEC_DONE(&r->hits);
    twx_arena_done(&r->arena);
}

/* "+3", "-2", "=", "vanished", "new" */
static const char *move_text(const twx_search_hit *h, char room[24]) {
    const uint64_t a = h->rank[0], b = h->rank[1];
    if (!b) return "vanished";
    if (!a) return "new";
    if (a == b) return "=";
    snprintf(room, 24, "%+" PRId64, (int64_t)(a - b));
    return room;
}

static json_t *flags_json(const void *hit) {
    const twx_search_hit *h = hit;
    json_t *o = json_object();
    for (size_t i = 0; i < h->flags.n; i++) {
        const twx_search_flag *flag = &h->flags.at[i];
        json_object_set_new(o, flag->name,
                            flag->word[0] ? json_string(flag->word) : twx_json_value(&flag->value));
        if (flag->store.p)
            json_object_set_new(o, "duplicate_of_shard", twx_json_slice(flag->store));
    }
    return o;
}

static json_t *rank_json(uint64_t rank) {
    return rank ? twx_json_count(rank) : json_null();
}

#define P(...) TWX_FIELD(twx_search_part, __VA_ARGS__)
static const twx_field PART[] = {P("rule", rule), P("adds", adds)};
#define H(...) TWX_FIELD(twx_search_hit, __VA_ARGS__)
static const twx_field HIT[] = {TWX_FIELDS(
    H("rank", rank[0]), H("score", score), H("text_score", text_score),
    TWX_FIELD_ROWS_OF(twx_search_hit, "parts", parts, PART), H("id", id), H("url", url),
    H("title", title), H("snippet", snippet), H("duplicate", duplicate),
    TWX_FIELD_GOT("flags", flags_json), TWX_FIELD_AS(twx_search_hit, OPTIONAL, "store", store))};
static const twx_field MOVE[] = {
    TWX_FIELDS(H("id", id), H("url", url), H("title", title), TWX_FIELD_GOT("flags", flags_json),
               TWX_FIELD_AS(twx_search_hit, OPTIONAL, "store", store))};

json_t *twx_search_hits_json(const twx_search_result *r) {
    return twx_rows_json(TWX_ROWS(HIT, r->hits));
}

static json_t *moves_json(const twx_search_result *r) {
    json_t *list = json_array();
    for (const twx_search_hit *h = r->hits.at; h < r->hits.at + r->hits.n; h++) {
        json_t *o = json_pack("{s:o, s:o, s:s}", "a", rank_json(h->rank[0]), "b",
                              rank_json(h->rank[1]), "move", move_text(h, (char[24]){0}));
        json_array_append_new(list, twx_row_put(o, TWX_ROWS_AT(MOVE, h, 1)));
    }
    return list;
}

static twx_rc write_id(const twx_out *out, const twx_value *id) {
    return id->type == TWX_NULL ? twx_out_text(out, "?") : twx_out_value(out, id);
}

static twx_rc write_store(const twx_out *out, twx_slice store) {
    return store.p ? twx_out_text(out, " in " TWX_SLICE_FMT, TWX_SLICE_ARG(store)) : TWX_OK;
}

static twx_rc write_flag(const twx_out *out, const twx_search_flag *flag) {
    twx_rc rc = twx_out_text(out, " %s=", flag->name);
    if (rc != TWX_OK) return rc;
    if (flag->word[0]) return twx_out_text(out, "%s", flag->word);
    rc = flag->is_id ? write_id(out, &flag->value) : twx_out_value(out, &flag->value);
    return rc == TWX_OK ? write_store(out, flag->store) : rc;
}

/* Few flags say what a hit is. */
static bool says_what(const twx_search_flag *flag) {
    return strcmp(flag->name, "duplicate_type") == 0 ||
           strcmp(flag->name, "representative_b") == 0 || flag->is_id ||
           (strcmp(flag->name, "indexable_b") == 0 && flag->value.i == 0);
}

static twx_rc write_hit(const twx_out *out, const twx_search_hit *h, bool all_flags) {
    twx_rc rc = twx_out_text(out, "%4" PRIu64 " %10.4f  ", h->rank[0], h->score);
    if (rc == TWX_OK) rc = twx_out_line(out, h->title);
    if (rc == TWX_OK) rc = twx_out_text(out, "\n                 ");
    if (rc == TWX_OK) rc = write_id(out, &h->id);
    if (rc == TWX_OK) rc = twx_out_text(out, "  ");
    if (rc == TWX_OK) rc = twx_out_url(out, h->url, 0);
    if (rc == TWX_OK) rc = write_store(out, h->store);
    if (rc == TWX_OK) rc = twx_out_text(out, "\n                 ");
    if (rc == TWX_OK) rc = twx_out_line(out, h->snippet);
    if (rc == TWX_OK) rc = twx_out_text(out, "\n                 ");
    /* "text 3.21 + representative_b:true^10 10" */
    if (rc == TWX_OK) rc = twx_out_text(out, "text %.4g", h->text_score);
    for (size_t i = 0; rc == TWX_OK && i < h->parts.n; i++) {
        const twx_search_part *part = &h->parts.at[i];
        if (part->adds == 0) continue;
        rc = twx_out_text(out, " + ");
        if (rc == TWX_OK) rc = twx_out_bytes(out, part->rule);
        if (rc == TWX_OK) rc = twx_out_text(out, " %.4g", part->adds);
    }
    if (rc == TWX_OK)
        rc = twx_out_text(out, "\n                %s", h->has_flags ? "" : " none yet");
    for (size_t i = 0; rc == TWX_OK && i < h->flags.n; i++)
        if (all_flags || says_what(&h->flags.at[i])) rc = write_flag(out, &h->flags.at[i]);
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

static const char *rank_text(uint64_t rank, char room[24]) {
    snprintf(room, 24, rank ? "%" PRIu64 : "-", rank);
    return room;
}

static twx_rc write_move(const twx_out *out, const twx_search_hit *h) {
    char a[24], b[24], move[24];
    twx_rc rc = twx_out_text(out, "%6s %6s  %-9s ", rank_text(h->rank[0], a),
                             rank_text(h->rank[1], b), move_text(h, move));
    if (rc == TWX_OK) rc = twx_out_url(out, h->url, 0);
    if (rc == TWX_OK) rc = write_store(out, h->store);
    if (rc == TWX_OK) rc = twx_out_text(out, "  ");
    if (rc == TWX_OK) rc = twx_out_line(out, h->title);
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

twx_rc twx_search_result_write(const twx_out *out, const twx_search_result *r, bool all_flags) {
    const twx_search_figures *f = &r->figures;
    const bool compared = f->n_sides == TWX_SEARCH_SIDES;
    twx_rc rc = TWX_OK;
    if (twx_out_is_json(out)) {
        json_t *o = search_figures_json(f);
        json_object_set_new(o, compared ? "documents" : "results",
                            compared ? moves_json(r) : twx_search_hits_json(r));
        return twx_out_json(out, o);
    }
    if (compared) rc = twx_out_text(out, "%6s %6s  %-9s\n", "A", "B", "move");
    for (size_t i = 0; rc == TWX_OK && i < r->hits.n; i++)
        rc = compared ? write_move(out, &r->hits.at[i]) : write_hit(out, &r->hits.at[i], all_flags);
    if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    for (size_t i = 0; rc == TWX_OK && i < f->n_sides; i++)
        rc = twx_out_text(
            out, "%s%zu %s, duplicates in the first 10: %.0f %%, in the first 100: %.0f %%  (%s)\n",
            side_name(f, i), f->hits[i], twx_plural(f->hits[i], "hit", "hits"), 100 * f->few[i],
            100 * f->many[i], rules_name(f, i));
    return rc == TWX_OK ? write_moves(out, f) : rc;
}
