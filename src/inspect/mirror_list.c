#include "inspect/mirror_list.h"

#include <inttypes.h>

enum { NAME_WIDTH_MAX = 60 };

void twx_mirror_list_init(twx_mirror_list *list) {
    *list = (twx_mirror_list){0};
    twx_arena_init(&list->names, 0);
}

void twx_mirror_list_done(twx_mirror_list *list) {
    twx_mirrors_done(&list->found);
    TWX_VEC_DONE(&list->hosts);
    twx_arena_done(&list->names);
}

static json_t *mirror_json(const twx_mirror_list *list, const twx_mirror *m) {
    return json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:f}", "host",
                     twx_json_slice(list->hosts.at[m->host]), "mirror_of",
                     twx_json_slice(list->hosts.at[m->mirror_of]), "level",
                     twx_mirror_level_name(m->level), "shared", twx_json_count(m->shared),
                     "documents", twx_json_count(m->documents), "mirror_of_shared",
                     twx_json_count(m->of_shared), "mirror_of_documents",
                     twx_json_count(m->of_documents), "ratio", (double)m->ratio_ppm / 1e6);
}

static json_t *list_json(const twx_mirror_list *list) {
    json_t *mirrors = json_array(), *left_out = json_object();
    for (size_t i = 0; i < list->found.rows.n; i++)
        json_array_append_new(mirrors, mirror_json(list, &list->found.rows.at[i]));
    for (int l = 0; l < TWX_MIRROR_LEVELS; l++)
        json_object_set_new(left_out, twx_mirror_level_name((twx_mirror_level)l),
                            json_pack("{s:o, s:o}", "groups",
                                      twx_json_count(list->found.wide_groups[l]), "documents",
                                      twx_json_count(list->found.wide_documents[l])));
    return json_pack("{s:o, s:f, s:o, s:o, s:o, s:o, s:b, s:o}", "store",
                     twx_json_text(list->store), "ratio", (double)list->ratio_ppm / 1e6,
                     "min_documents", twx_json_count(list->min_documents), "hosts",
                     twx_json_count(list->found.hosts), "small_hosts",
                     twx_json_count(list->found.small_hosts), "wide_groups", left_out, "kept",
                     (int)list->kept, "mirrors", mirrors);
}

static twx_rc write_table(const twx_out *out, const twx_mirror_list *list) {
    int width = (int)sizeof "host" - 1;
    for (size_t i = 0; i < list->found.rows.n; i++) {
        const size_t n = list->hosts.at[list->found.rows.at[i].host].n;
        if (n > (size_t)width) width = n < NAME_WIDTH_MAX ? (int)n : NAME_WIDTH_MAX;
    }
    if (list->found.rows.n == 0) return TWX_OK;
    twx_rc rc = twx_out_text(out, "  %-5s  %6s %10s %10s  %-*s  mirror of\n", "level", "ratio",
                             "shared", "documents", width, "host");
    for (size_t i = 0; rc == TWX_OK && i < list->found.rows.n; i++) {
        const twx_mirror *m = &list->found.rows.at[i];
        rc = twx_out_text(
            out, "  %-5s  %2" PRIu32 ".%03" PRIu32 " %10" PRIu64 " %10" PRIu64 "  %-*s  %s\n",
            twx_mirror_level_name(m->level), m->ratio_ppm / 1000000, m->ratio_ppm / 1000 % 1000,
            m->shared, m->documents, width, list->hosts.at[m->host].p,
            list->hosts.at[m->mirror_of].p);
    }
    return rc;
}

static twx_rc write_text(const twx_out *out, const twx_mirror_list *list) {
    const twx_mirrors *m = &list->found;
    twx_rc rc = write_table(out, list);
    if (rc == TWX_OK)
        rc = twx_out_text(
            out, "%zu of %" PRIu32 " hosts with %" PRIu32 " documents or more mirror another\n",
            m->rows.n, m->hosts, list->min_documents);
    for (int l = 0; rc == TWX_OK && l < TWX_MIRROR_LEVELS; l++)
        if (m->wide_groups[l])
            rc = twx_out_text(out,
                              "%s groups on more than %d hosts, left out: %" PRIu64
                              ", with %" PRIu64 " documents\n",
                              twx_mirror_level_name((twx_mirror_level)l), TWX_MIRROR_GROUP_HOSTS,
                              m->wide_groups[l], m->wide_documents[l]);
    return rc;
}

twx_rc twx_mirror_list_write(const twx_out *out, const twx_mirror_list *list) {
    return twx_out_is_json(out) ? twx_out_json(out, list_json(list)) : write_text(out, list);
}
