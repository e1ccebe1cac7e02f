#include "cluster/cluster_summary.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/plural.h"
#include "run/count_rows.h"

twx_rc twx_push_summary_write(const twx_out *out, const twx_push_summary *s) {
    const twx_count_row rows[] = {
        {"shard", .n = s->shard},
        {"version", .n = s->version},
        {"documents", "documents", .n = s->documents, .always = true},
        {"sent", "sent", NULL, s->sent, s->bytes, true, true},
        {"gone", "gone", .n = s->gone, .always = true},
        {"bytes", .n = s->bytes},
        {"texts", "texts sent to prove copies", NULL, s->texts, s->text_bytes, true, true},
        {"text_bytes", .n = s->text_bytes}};
    char what[64];
    snprintf(what, sizeof what, "shard %" PRIu32 ", version %" PRIu64, s->shard, s->version);
    return twx_count_result_write(out, s->store, what, rows, TWX_COUNTOF(rows), s->seconds);
}

twx_rc twx_judge_summary_write(const twx_out *out, const twx_judge_summary *s) {
    if (twx_out_is_json(out))
        return twx_out_json(
            out,
            json_pack("{s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:f}",
                      "run", twx_json_count(s->run), "shards", (int)s->shards, "documents",
                      twx_json_count(s->documents), "indexable", twx_json_count(s->indexable),
                      "hidden", twx_json_count(s->hidden), "linked", twx_json_count(s->linked),
                      "link_rounds", twx_json_count(s->link_rounds), "near_rounds",
                      twx_json_count(s->near_rounds), "copy_rounds", twx_json_count(s->copy_rounds),
                      "compared", twx_json_count(s->compared), "read", twx_json_count(s->read),
                      "cluster_rounds", twx_json_count(s->cluster_rounds), "statements",
                      twx_json_count(s->statements), "seconds", s->seconds));
    return twx_out_text(out,
                        "run %" PRIu64 ": %zu %s judged, no flags published\n  %12" PRIu64
                        "  documents\n  %12" PRIu64 "  take part\n  %12" PRIu64
                        "  of these are duplicates of another one\n  %12" PRIu64
                        "  links count\n  %12" PRIu64 "  rounds for links, %" PRIu64
                        " for near-duplicates, %" PRIu64 " for copies, %" PRIu64
                        " for clusters\n  %12" PRIu64 "  pairs of texts compared, %" PRIu64
                        " of them word by word\n  %12.2f  seconds\n",
                        s->run, s->shards, twx_plural(s->shards, "shard", "shards"), s->documents,
                        s->indexable, s->hidden, s->linked, s->link_rounds, s->near_rounds,
                        s->copy_rounds, s->cluster_rounds, s->compared, s->read, s->seconds);
}

twx_rc twx_pull_summary_write(const twx_out *out, const twx_pull_summary *s) {
    if (twx_out_is_json(out))
        return twx_out_json(
            out, json_pack("{s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:f}", "shard", (int)s->shard,
                           "outcome", s->outcome, "run", twx_json_count(s->run), "documents",
                           twx_json_count(s->documents), "pulled", twx_json_count(s->pulled),
                           "changed", twx_json_count(s->changed), "elsewhere",
                           twx_json_count(s->elsewhere), "seconds", s->seconds));
    return twx_out_text(out,
                        "%s: shard %" PRIu32 ", run %" PRIu64 ": %s\n  %12" PRIu64
                        "  documents with flags\n  %12" PRIu64 "  rows pulled\n  %12" PRIu64
                        "  documents of other stores referred to\n  %12" PRIu64
                        "  documents changed since they were pushed\n  %12.2f  seconds\n",
                        s->store, s->shard, s->run, s->outcome, s->documents, s->pulled,
                        s->elsewhere, s->changed, s->seconds);
}

void twx_publish_summary_done(twx_publish_summary *s) {
    if (s) TWX_VEC_DONE(&s->stores);
}

static json_t *published_json(const twx_publish_summary *s) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < s->stores.n; i++) {
        const twx_published_store *line = &s->stores.at[i];
        (void)json_array_append_new(
            list, json_pack("{s:o, s:i, s:o, s:s}", "store",
                            twx_json_slice(twx_slice_of(line->store)), "shard", (int)line->shard,
                            "run", twx_json_count(line->run), "outcome", line->outcome));
    }
    return list;
}

twx_rc twx_publish_summary_write(const twx_out *out, const twx_publish_summary *s) {
    twx_rc rc = TWX_OK;
    if (twx_out_is_json(out) && s->stores.n)
        return twx_out_json(out, json_pack("{s:o}", "stores", published_json(s)));
    if (twx_out_is_json(out))
        return twx_out_json(out,
                            json_pack("{s:o, s:i, s:i}", "run", twx_json_count(s->run), "shards",
                                      (int)s->shards, "published", (int)s->published));
    for (size_t i = 0; rc == TWX_OK && i < s->stores.n; i++) {
        const twx_published_store *line = &s->stores.at[i];
        rc = twx_out_text(out, "%s: shard %" PRIu32 ", run %" PRIu64 ": %s\n", line->store,
                          line->shard, line->run, line->outcome);
    }
    if (rc == TWX_OK && s->stores.n == 0)
        rc = twx_out_text(
            out, "run %" PRIu64 " is committed, %zu of %zu stores have published it%s\n", s->run,
            s->published, s->shards,
            s->published < s->shards ? ": 'twindex cluster publish STORE' for each" : "");
    return rc;
}

void twx_cluster_status_done(twx_cluster_status *s) {
    if (s) TWX_VEC_DONE(&s->shards);
}

static const char *state_of(const twx_cluster_shard *shard) {
    if (shard->holds && shard->judged_version == shard->version) return "complete, judged";
    if (shard->holds) return "complete";
    return shard->version ? "differs from its manifest: push it again"
                          : "its first push has not ended: push it again";
}

static json_t *shards_json(const twx_cluster_status *s) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < s->shards.n; i++) {
        const twx_cluster_shard *shard = &s->shards.at[i];
        (void)json_array_append_new(
            list,
            json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:s}", "shard", (int)shard->shard,
                      "version", twx_json_count(shard->version), "documents",
                      twx_json_count(shard->documents), "found_documents",
                      twx_json_count(shard->found_documents), "pushed_at",
                      twx_json_count(shard->pushed_at), "judged_version",
                      twx_json_count(shard->judged_version), "complete", (int)shard->holds, "owed",
                      twx_json_count(shard->owed), "vote", shard->vote ? shard->vote : ""));
    }
    return list;
}

twx_rc twx_cluster_status_write(const twx_out *out, const twx_cluster_status *s) {
    if (twx_out_is_json(out))
        return twx_out_json(
            out, json_pack("{s:s, s:i, s:o, s:b, s:o, s:o, s:o}", "database", s->database, "nodes",
                           (int)s->nodes, "run", twx_json_count(s->run), "committed",
                           (int)s->committed, "round", twx_json_count(s->round), "open_pairs",
                           twx_json_count(s->open_pairs), "shards", shards_json(s)));
    twx_rc rc = twx_out_text(out, "database %s on %zu %s, %zu %s\n", s->database, s->nodes,
                             twx_plural(s->nodes, "node", "nodes"), s->shards.n,
                             twx_plural(s->shards.n, "shard", "shards"));
    if (rc == TWX_OK && s->run)
        rc = twx_out_text(out, "  the last run is %" PRIu64 "%s\n", s->run,
                          s->committed ? ", committed" : "");
    if (rc == TWX_OK && s->round)
        rc = twx_out_text(out, "  round %" PRIu64 " of texts: %" PRIu64 " %s open\n", s->round,
                          s->open_pairs, twx_plural(s->open_pairs, "pair is", "pairs are"));
    for (size_t i = 0; rc == TWX_OK && i < s->shards.n; i++) {
        const twx_cluster_shard *shard = &s->shards.at[i];
        rc = twx_out_text(
            out, "  shard %-5" PRIu32 "  version %-5" PRIu64 "  %12" PRIu64 " documents  %s%s%s\n",
            shard->shard, shard->version, shard->found_documents, state_of(shard),
            shard->vote && shard->vote[0] ? ", " : "", shard->vote ? shard->vote : "");
        if (rc == TWX_OK && shard->owed)
            rc = twx_out_text(out, "               owes %" PRIu64 " %s: push it\n", shard->owed,
                              twx_plural(shard->owed, "text", "texts"));
    }
    return rc;
}

twx_rc twx_cluster_made_write(const twx_out *out, const char *database, size_t nodes,
                              const char *outcome) {
    if (twx_out_is_json(out))
        return twx_out_json(out, json_pack("{s:s, s:i, s:s}", "database", database, "nodes",
                                           (int)nodes, "outcome", outcome));
    return twx_out_text(out, "database %s on %zu %s: %s\n", database, nodes,
                        twx_plural(nodes, "node", "nodes"), outcome);
}
