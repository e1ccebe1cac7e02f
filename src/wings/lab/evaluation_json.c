#include "lab/evaluation_json.h"

#include <string.h>

static json_t *count_json(double v) {
    return json_integer((json_int_t)(v + 0.5));
}

static void put_rating(json_t *to, const twx_rating *r) {
    twx_json_put_measure(to, "recall", &r->recall);
    twx_json_put_measure(to, "precision", &r->precision);
    twx_json_put_measure(to, "f", &r->f);
}

static json_t *rating_json(const twx_rating *r) {
    json_t *o = json_object();
    put_rating(o, r);
    return o;
}

static json_t *hiding_json(const twx_hiding *h) {
    json_t *o = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "hidden", twx_json_count(h->hidden),
        "hidden_sampled", twx_json_count(h->hidden_sampled), "visible", twx_json_count(h->visible),
        "visible_sampled", twx_json_count(h->visible_sampled), "compared",
        twx_json_count(h->compared), "capped", twx_json_count(h->capped), "audited",
        twx_json_count(h->audited), "audited_alike", twx_json_count(h->audited_alike), "too_long",
        twx_json_count(h->too_long));
    twx_json_put_measure(o, "hidden_below", &h->below);
    twx_json_put_measure(o, "hidden_far_below", &h->far_below);
    twx_json_put_measure(o, "visible_alike", &h->alike);
    twx_json_put_measure(o, "visible_very_alike", &h->very_alike);
    return o;
}

static json_t *detector_json(const twx_evaluation *e, const twx_evaluated *d) {
    json_t *o = json_pack("{s:s, s:i}", "name", d->detector->name, "id", d->detector->id);
    if (d->missing) {
        json_object_set_new(o, "not_evaluated", json_string(d->missing));
        return o;
    }
    put_rating(o, &d->documents);
    json_object_set_new(o, "pairs", count_json(d->pairs.value));
    json_object_set_new(o, "pairs_low", count_json(d->pairs.low));
    json_object_set_new(o, "pairs_high", count_json(d->pairs.high));
    json_object_set_new(o, "text_pairs", count_json(d->text_pairs.value));
    json_object_set_new(o, "groups", twx_json_count(d->groups));
    json_object_set_new(o, "largest_group", twx_json_count(d->largest_group));
    json_object_set_new(o, "seconds", twx_json_share(twx_evaluated_seconds(d)));
    json_object_set_new(o, "sign_seconds", twx_json_share(d->sign_seconds));
    json_object_set_new(o, "group_seconds", twx_json_share(d->group_seconds));
    json_object_set_new(o, "collection_seconds", twx_json_share(d->collection_seconds));
    json_object_set_new(o, "mb_per_second", twx_json_share(d->megabytes_a_second));
    if (e->kind == TWX_TRUTH_SIMILARITY)
        json_object_set_new(o, "different_texts", rating_json(&d->texts));
    if (e->kind == TWX_TRUTH_CLUSTERS)
        json_object_set_new(o, "cluster_means", rating_json(&d->clusters));
    if (d->hiding.measured) json_object_set_new(o, "hiding", hiding_json(&d->hiding));
    if (twx_published_f(d->detector->name) >= 0)
        json_object_set_new(o, "published_f", twx_json_share(twx_published_f(d->detector->name)));
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

static json_t *sample_json(const twx_evaluation *e) {
    return json_pack("{s:f, s:o, s:o, s:o, s:o}", "share", e->share, "pool",
                     twx_json_count(e->pool), "verified", twx_json_count(e->verified), "true",
                     twx_json_count(e->true_pairs), "too_long", twx_json_count(e->too_long));
}

static json_t *labels_json(const twx_evaluation *e) {
    json_t *unknown = json_array();
    for (uint64_t i = 0; i < e->unknown_urls && i < TWX_MISSING_SHOWN; i++)
        json_array_append_new(unknown, twx_json_slice(e->unknown[i]));
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "urls", twx_json_count(e->labelled_urls), "pairs",
        twx_json_count(e->labelled_pairs), "clusters", twx_json_count(e->clusters), "unknown_urls",
        twx_json_count(e->unknown_urls), "urls_without_text", twx_json_count(e->urls_without_text),
        "skipped_pairs", twx_json_count(e->skipped_pairs), "unknown", unknown);
}

json_t *twx_evaluation_json(const twx_evaluation *e) {
    static const char *const KINDS[] = {"similarity", "pairs", "clusters"};
    size_t methods = 0;
    double rho = twx_published_rank_correlation(e, &methods);
    json_t *detectors = json_array();
    for (size_t i = 0; i < e->n; i++) json_array_append_new(detectors, detector_json(e, &e->at[i]));
    json_t *o = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "store", twx_json_slice(twx_slice_of(e->store)),
        "truth", twx_json_slice(twx_slice_of(e->truth)), "truth_kind", json_string(KINDS[e->kind]),
        "documents", twx_json_count(e->documents), "without_text", twx_json_count(e->without_text),
        "texts", twx_json_count(e->texts), "text_bytes", twx_json_count(e->text_bytes),
        "collection_seconds", twx_json_share(e->collection_seconds));
    json_object_set_new(o, "not_taking_part", twx_json_count(e->not_taking_part));
    json_object_set_new(o, "threshold", twx_json_share((double)e->threshold_ppm / 1e6));
    json_object_set_new(o, "sample", sample_json(e));
    if (e->kind != TWX_TRUTH_SIMILARITY) json_object_set_new(o, "labels", labels_json(e));
    json_object_set_new(o, "detectors", detectors);
    json_t *relations = json_array();
    for (size_t i = 0; i < e->n_relations; i++) {
        json_t *relation = rating_json(&e->relation[i].rating);
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
