#include "search/search_result.h"

#include <inttypes.h>
#include <stdio.h>

#include "search/search_figures.h"

void twx_search_result_init(twx_search_result *r) {
    *r = (twx_search_result){0};
    twx_arena_init(&r->arena, 0);
}

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

/* ---- JSON --------------------------------------------------------------- */

static json_t *flags_json(const twx_search_hit *h) {
    json_t *o = json_object();
    for (size_t i = 0; i < h->flags.n; i++) {
        const twx_search_flag *flag = &h->flags.at[i];
        json_object_set_new(o, flag->name,
                            flag->word ? json_string(flag->word) : twx_json_value(&flag->value));
        if (flag->store.p)
            json_object_set_new(o, "duplicate_of_shard", twx_json_slice(flag->store));
    }
    return o;
}

static json_t *parts_json(const twx_search_hit *h) {
    json_t *all = json_array();
    for (size_t i = 0; i < h->parts.n; i++)
        json_array_append_new(all,
                              json_pack("{s:o, s:f}", "rule", twx_json_slice(h->parts.at[i].rule),
                                        "adds", h->parts.at[i].adds));
    return all;
}

/* Among several stores. */
static json_t *store_json(const twx_search_hit *h) {
    return h->store.p ? twx_json_slice(h->store) : NULL;
}

static json_t *hit_json(const twx_search_hit *h) {
    return json_pack("{s:o, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o*}", "rank",
                     twx_json_count(h->rank[0]), "score", h->score, "text_score", h->text_score,
                     "parts", parts_json(h), "id", twx_json_value(&h->id), "url",
                     twx_json_slice(h->url), "title", twx_json_slice(h->title), "snippet",
                     twx_json_slice(h->snippet), "duplicate", h->duplicate, "flags", flags_json(h),
                     "store", store_json(h));
}

static json_t *rank_json(uint64_t rank) {
    return rank ? twx_json_count(rank) : json_null();
}

static json_t *move_json(const twx_search_hit *h) {
    char room[24];
    return json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o*}", "a", rank_json(h->rank[0]), "b",
                     rank_json(h->rank[1]), "move", move_text(h, room), "id",
                     twx_json_value(&h->id), "url", twx_json_slice(h->url), "title",
                     twx_json_slice(h->title), "flags", flags_json(h), "store", store_json(h));
}

json_t *twx_search_hits_json(const twx_search_result *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->hits.n; i++) json_array_append_new(list, hit_json(&r->hits.at[i]));
    return list;
}

static json_t *moves_json(const twx_search_result *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->hits.n; i++) json_array_append_new(list, move_json(&r->hits.at[i]));
    return list;
}

static json_t *result_json(const twx_search_result *r) {
    const bool compared = r->figures.n_sides == TWX_SEARCH_SIDES;
    json_t *o = twx_search_figures_json(&r->figures);
    json_object_set_new(o, compared ? "documents" : "results",
                        compared ? moves_json(r) : twx_search_hits_json(r));
    return o;
}

/* ---- text --------------------------------------------------------------- */

static twx_rc write_id(const twx_out *out, const twx_value *id) {
    return id->type == TWX_NULL ? twx_out_text(out, "?") : twx_out_value(out, id);
}

static twx_rc write_store(const twx_out *out, twx_slice store) {
    return store.p ? twx_out_text(out, " in " TWX_SLICE_FMT, TWX_SLICE_ARG(store)) : TWX_OK;
}

static twx_rc write_flag(const twx_out *out, const twx_search_flag *flag) {
    twx_rc rc = twx_out_text(out, " %s=", flag->name);
    if (rc != TWX_OK) return rc;
    if (flag->word) return twx_out_text(out, "%s", flag->word);
    rc = flag->is_id ? write_id(out, &flag->value) : twx_out_value(out, &flag->value);
    return rc == TWX_OK ? write_store(out, flag->store) : rc;
}

/* "text 3.21 + representative_b:true^10 10" */
static twx_rc write_parts(const twx_out *out, const twx_search_hit *h) {
    twx_rc rc = twx_out_text(out, "text %.4g", h->text_score);
    for (size_t i = 0; rc == TWX_OK && i < h->parts.n; i++) {
        const twx_search_part *part = &h->parts.at[i];
        if (part->adds == 0) continue;
        rc = twx_out_text(out, " + ");
        if (rc == TWX_OK) rc = twx_out_bytes(out, part->rule);
        if (rc == TWX_OK) rc = twx_out_text(out, " %.4g", part->adds);
    }
    return rc;
}

static twx_rc write_hit(const twx_out *out, const twx_search_hit *h) {
    twx_rc rc = twx_out_text(out, "%4" PRIu64 " %10.4f  ", h->rank[0], h->score);
    if (rc == TWX_OK) rc = twx_out_line(out, h->title);
    if (rc == TWX_OK) rc = twx_out_text(out, "\n                 ");
    if (rc == TWX_OK) rc = write_id(out, &h->id);
    if (rc == TWX_OK) rc = twx_out_text(out, "  ");
    if (rc == TWX_OK) rc = twx_out_line(out, h->url);
    if (rc == TWX_OK) rc = write_store(out, h->store);
    if (rc == TWX_OK) rc = twx_out_text(out, "\n                 ");
    if (rc == TWX_OK) rc = twx_out_line(out, h->snippet);
    if (rc == TWX_OK) rc = twx_out_text(out, "\n                 ");
    if (rc == TWX_OK) rc = write_parts(out, h);
    if (rc == TWX_OK)
        rc = twx_out_text(out, "\n                %s", h->has_flags ? "" : " none yet");
    for (size_t i = 0; rc == TWX_OK && i < h->flags.n; i++) rc = write_flag(out, &h->flags.at[i]);
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
    if (rc == TWX_OK) rc = twx_out_line(out, h->url);
    if (rc == TWX_OK) rc = write_store(out, h->store);
    if (rc == TWX_OK) rc = twx_out_text(out, "  ");
    if (rc == TWX_OK) rc = twx_out_line(out, h->title);
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

twx_rc twx_search_result_write(const twx_out *out, const twx_search_result *r) {
    const bool compared = r->figures.n_sides == TWX_SEARCH_SIDES;
    twx_rc rc = TWX_OK;
    if (twx_out_is_json(out)) return twx_out_json(out, result_json(r));
    if (compared) rc = twx_out_text(out, "%6s %6s  %-9s\n", "A", "B", "move");
    for (size_t i = 0; rc == TWX_OK && i < r->hits.n; i++)
        rc = compared ? write_move(out, &r->hits.at[i]) : write_hit(out, &r->hits.at[i]);
    if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    return rc == TWX_OK ? twx_search_figures_write(out, &r->figures) : rc;
}
