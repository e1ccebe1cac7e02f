#include "inspect/internal.h"

#include "presets_text.h"

/* ==== list_groups */

enum { MEMBERS_SHOWN = 5 };

/* The groups of two or more documents. There may be more of them than fit
 * into memory, so the writer is given one document after the other and writes text as it comes;
 * JSON is collected.
 */
typedef struct listing {
    const twx_out *out;
    const char *relation; /* whose groups are listed, or "verdict" */
    size_t limit;         /* 0: all groups, with all their documents */
    bool csv;
    uint64_t groups;
    int64_t documents; /* of the current group */
    int64_t shown;     /* of them; the representative does not count */
    bool cut;          /* there are more groups than were wanted */
    json_t *list;

    const twx_job *job;
    twx_store_set set;
    uint64_t group_hash; /* of the current group's representative: its id and its store */
    twx_buf kept;        /* its URL, for CSV */
    twx_arena arena;
    uint32_t relations; /* of the verdict */
} listing;

#define ALL_LISTED "--limit 0 lists all groups"

static twx_rc write_line(const twx_out *out, const twx_listed_document *d) {
    twx_rc rc = twx_listed_document_write(out, d, 0);
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

static twx_rc list_group(listing *l, const twx_listed_document *representative, int64_t documents) {
    l->groups++;
    l->shown = 0;
    l->documents = documents;
    if (l->csv) return TWX_OK;
    if (twx_out_is_json(l->out)) {
        if (!l->list) l->list = json_array();
        json_t *group = json_pack("{s:o, s:I, s:[]}", "representative",
                                  twx_listed_document_json(representative), "size",
                                  (json_int_t)documents, "documents");
        return twx_json_append(l->out->cx, l->list, group);
    }
    twx_rc rc = twx_out_text(l->out, "%8" PRId64 "  ", documents);
    return rc == TWX_OK ? write_line(l->out, representative) : rc;
}

/* Is the next document shown with its URL? The text shows few of a large group. */
static bool wants_url(const listing *l) {
    return !twx_out_is_json(l->out) && (l->limit == 0 || l->shown < MEMBERS_SHOWN);
}

static twx_rc list_member(listing *l, const twx_listed_document *d, bool is_representative) {
    twx_rc rc = TWX_OK;
    if (twx_out_is_json(l->out)) {
        json_t *group = json_array_get(l->list, json_array_size(l->list) - 1);
        json_t *id = twx_json_value(&d->id);
        if (d->store.p) id = json_pack("{s:o, s:o}", "id", id, "store", twx_json_slice(d->store));
        return twx_json_append(l->out->cx, json_object_get(group, "documents"), id);
    }
    if (is_representative) return TWX_OK; /* it is at the head of the group */
    if (wants_url(l)) {
        rc = twx_out_text(l->out, "            ");
        if (rc == TWX_OK) rc = write_line(l->out, d);
    } else if (l->shown == MEMBERS_SHOWN) {
        rc = twx_out_text(l->out, "            ... and %" PRId64 " more\n",
                          l->documents - 1 - MEMBERS_SHOWN);
    }
    l->shown++;
    return rc;
}

static twx_rc end_list(listing *l) {
    if (!twx_out_is_json(l->out))
        return l->cut      ? twx_out_text(l->out, "... and more: " ALL_LISTED "\n")
               : l->groups ? TWX_OK
                           : twx_out_text(l->out, "no groups of two or more (%s)\n", l->relation);
    json_t *groups = l->list ? json_incref(l->list) : json_array();
    return twx_out_json(l->out, json_pack("{s:s, s:o, s:s*}", "detector", l->relation, "groups",
                                          groups, "cut", l->cut ? ALL_LISTED : NULL));
}

enum { URL_BYTES = 1 << 21, KINDS_BYTES = 1 << 10 };

static twx_rc name_document(listing *l, uint32_t store, const twx_value *id, twx_buf *url,
                            twx_listed_document *ret_document) {
    twx_rc rc = twx_url_of(&l->set.at[store].o, id, url);
    *ret_document = (twx_listed_document){*id, twx_buf_slice(url), l->set.at[store].shard};
    return rc;
}

/* Names a document of a store that is not in the set, by what a store of the set knows of it. */
static twx_rc name_outside(listing *l, uint32_t store, const twx_value *id, twx_slice shard,
                           twx_buf *url, twx_listed_document *ret_document) {
    const twx_set_store *m = &l->set.at[store];
    twx_arena bytes = {0};
    twx_remote remote = {0};
    twx_rc rc = twx_remote_find(m->o.writer, m->state.generation, shard, id, &bytes, &remote);
    if (rc == TWX_DONE) rc = TWX_OK;
    if (rc == TWX_OK) rc = twx_buf_add_slice(l->job->cx, url, remote.url);
    twx_arena_done(&bytes);
    *ret_document = (twx_listed_document){*id, twx_buf_slice(url), shard};
    return rc;
}

/* shard: absent in a set of one. */
static uint64_t hash_of(const twx_value *id, twx_slice shard) {
    return twx_mix64(twx_value_hash(id, 0), twx_hash64(shard, shard.p != NULL));
}

static twx_rc begin_group(listing *l, uint32_t store, const twx_value *columns) {
    const twx_slice shard = columns[3].bytes;
    const uint32_t home = twx_store_set_find(&l->set, shard, store);
    twx_listed_document d;
    twx_buf url = {.max = URL_BYTES};
    l->group_hash = hash_of(&columns[0], shard);
    twx_rc rc = home == TWX_SET_OUTSIDE ? name_outside(l, store, &columns[0], shard, &url, &d)
                                        : name_document(l, home, &columns[0], &url, &d);
    if (rc == TWX_OK) rc = list_group(l, &d, columns[1].i);
    twx_buf_clear(&l->kept);
    if (rc == TWX_OK) rc = twx_buf_add_slice(l->job->cx, &l->kept, d.url);
    twx_buf_done(&url);
    return rc;
}

/* A line of the CSV. */
typedef struct grouped_document {
    uint64_t cluster;
    int64_t documents;
    const char *role;
    twx_page_document d;
    twx_slice kept, why; /* of a duplicate */
} grouped_document;

#define G(...) TWX_FIELD(grouped_document, __VA_ARGS__)
static const twx_field GROUPED[] = {TWX_FIELDS(G("cluster", cluster), G("documents", documents),
                                               G("role", role), G("id", d.id), G("url", d.url),
                                               G("title", d.title), G("representative", kept),
                                               G("why", why), G("store", d.store))};

/* Of one store there is no column that names it. row NULL: the headings. */
static twx_rc write_grouped(const listing *l, const grouped_document *row) {
    twx_rows rows = *TWX_ROWS_AT(GROUPED, row, row ? 1 : 0);
    rows.n_fields -= l->set.n == 1;
    return twx_rows_csv(l->out, &rows, !row);
}

static twx_rc add_grouped(listing *l, uint32_t store, const twx_value *id, bool is_representative,
                          twx_buf *why) {
    const twx_listed_reading reading = {l->job, &l->set, &l->arena};
    const twx_set_store *m = &l->set.at[store];
    grouped_document row = {.cluster = l->groups,
                            .documents = l->documents,
                            .role = is_representative ? "representative" : "duplicate"};
    twx_flag_row flags;
    int64_t doc = 0;
    twx_rc rc = twx_page_document_read(&reading, store, id, &row.d, 0, NULL);
    if (rc == TWX_OK && !is_representative) {
        row.kept = twx_buf_slice(&l->kept);
        rc = twx_document_number(&m->o, id, &doc);
        if (rc == TWX_OK) rc = twx_flags_get(m->o.generations, m->state.generation, doc, &flags);
        if (rc == TWX_OK) rc = twx_why_hidden(l->job->cx, &flags, l->relations, why);
        row.why = twx_buf_slice(why);
        if (rc == TWX_DONE) rc = TWX_OK;
    }
    if (rc == TWX_OK) rc = write_grouped(l, &row);
    twx_arena_reset(&l->arena);
    return rc == TWX_OK ? twx_cancelled(l->job->cx) : rc;
}

static twx_rc take_member(void *arg, uint32_t store, const twx_value *columns) {
    listing *l = arg;
    twx_listed_document d = {.id = columns[2], .store = l->set.at[store].shard};
    twx_buf url = {.max = URL_BYTES};
    twx_rc rc = TWX_OK;
    const bool first = l->groups == 0 || hash_of(&columns[0], columns[3].bytes) != l->group_hash ||
                       columns[1].i != l->documents;
    l->cut = first && l->limit && l->groups == l->limit;
    if (l->cut) return TWX_DONE;
    if (first) rc = begin_group(l, store, columns);
    const bool is_representative = hash_of(&columns[2], d.store) == l->group_hash;
    if (rc == TWX_OK && l->csv)
        rc = add_grouped(l, store, &columns[2], is_representative, &url);
    else if (rc == TWX_OK && !is_representative && wants_url(l))
        rc = name_document(l, store, &columns[2], &url, &d);
    if (rc == TWX_OK && !l->csv) rc = list_member(l, &d, is_representative);
    twx_buf_done(&url);
    return rc;
}

static twx_rc fail_unknown(const twx_job *job, const char *relation) {
    twx_buf kinds = {.max = KINDS_BYTES};
    twx_rc rc = twx_buf_add_text(job->cx, &kinds, "verdict");
    for (size_t i = 0; rc == TWX_OK && twx_relation_at(i); i++)
        rc = twx_buf_printf(job->cx, &kinds, " %s", twx_relation_at(i)->name);
    if (rc == TWX_OK)
        rc = twx_fail(job->cx, TWX_E_USAGE, "no groups of the kind '%.60s'; the kinds are %s",
                      relation, kinds.p);
    twx_buf_done(&kinds);
    return rc;
}

static twx_rc list_groups(listing *l, const char *relation) {
    const twx_job *job = l->job;
    const twx_relation_id id = relation ? twx_relation_find(twx_slice_of(relation)) : TWX_RELATIONS;
    if (id == TWX_RELATIONS && relation && strcmp(relation, "verdict") != 0)
        return fail_unknown(job, relation);
    l->relation = id == TWX_RELATIONS ? "verdict" : twx_relation_at(id)->name;
    twx_arena_init(&l->arena, 1 << 16);
    twx_buf_init(&l->kept, URL_BYTES);
    twx_rc rc = twx_relations_parse(job->cx, twx_slice_of(job->settings->verdict_relations),
                                    &l->relations);
    if (rc == TWX_OK) rc = twx_store_set_open(job, TWX_NEED_SOURCE, &l->set);
    if (rc == TWX_OK && l->csv) rc = write_grouped(l, NULL);
    const twx_set_query question = {
        {twx_display_groups, TWX_VALUES(twx_text_of(l->relation))}, true, twx_display_groups_order};
    if (rc == TWX_OK) rc = twx_store_set_display(&l->set, &question, take_member, l);
    twx_arena_done(&l->arena);
    twx_buf_done(&l->kept);
    twx_store_set_done(&l->set);
    return rc;
}

twx_rc twx_list_groups(const twx_job *job, const char *relation, size_t limit, const twx_out *out) {
    listing l = {.job = job, .out = out, .limit = limit};
    if (twx_out_is_csv(out)) return twx_list_groups_csv(job, out);
    twx_rc rc = list_groups(&l, relation);
    if (rc == TWX_OK) rc = end_list(&l);
    json_decref(l.list);
    return rc;
}

twx_rc twx_list_groups_csv(const twx_job *job, const twx_out *out) {
    listing l = {.job = job, .out = out, .csv = true};
    return list_groups(&l, NULL);
}

/* ==== detector_list */

static const char *basis_name(twx_basis basis) {
    static const char *const NAMES[] = {
        [TWX_BASIS_URL] = "URL",           [TWX_BASIS_TEXT] = "text",
        [TWX_BASIS_TITLE] = "title",       [TWX_BASIS_DESCRIPTION] = "description",
        [TWX_BASIS_PAGE] = "URL and text", [TWX_BASIS_NAME] = "name"};
    return NAMES[basis];
}

/* "near": can be used as near.detector. "verified": its pairs may also hide documents. "copy":
 * distinguishes copies from siblings. */
static const char *near_name(const twx_detector *d) {
    if (d->describes_name) return "copy";
    return !d->near ? "-" : d->verify ? "verified" : "near";
}

twx_rc twx_detector_list_write(const twx_out *out, const twx_detector *(*at)(size_t i)) {
    const bool json = twx_out_is_json(out);
    const twx_detector *d = NULL;
    json_t *all = json ? json_array() : NULL;
    twx_rc rc = json ? TWX_OK
                     : twx_out_text(out, "%3s  %-18s %-6s  %-8s  %7s  %-12s %s\n", "id", "name",
                                    "reach", "near", "version", "looks at", "source");
    for (size_t i = 0; rc == TWX_OK && (d = at(i)); i++) {
        /* local: a signature depends on the document alone; global: on the collection, too */
        const char *basis = basis_name(d->basis), *reach = d->needs ? "global" : "local";
        if (json)
            rc = twx_json_append(out->cx, all,
                                 json_pack("{s:i, s:s, s:i, s:s, s:s, s:b, s:b, s:s, s:s}", "id",
                                           d->id, "name", d->name, "version", d->version, "basis",
                                           basis, "reach", reach, "near", (int)d->near, "verified",
                                           (int)(d->verify != NULL), "summary", d->summary,
                                           "source", d->source));
        else
            rc = twx_out_text(out, "%3d  %-18s %-6s  %-8s  %7d  %-12s %s\n     %s\n", d->id,
                              d->name, reach, near_name(d), d->version, basis, d->source,
                              d->summary);
    }
    if (rc == TWX_OK && json) return twx_out_json(out, all);
    json_decref(all);
    return rc;
}

/* ==== presets */

/* The part before the character, trimmed; *rest continues after it. */
static twx_slice take_until(twx_slice *rest, char c) {
    return twx_slice_trim(twx_slice_cut(rest, c));
}

/* *ret_columns: the number of required columns, all of which exist; 0: one of them is missing. */
static twx_rc has_needed(twx_db *db, twx_slice needs, size_t *ret_columns) {
    twx_rc rc = TWX_OK;
    bool has = true;
    size_t n = 0;
    while (rc == TWX_OK && has && twx_slice_find(needs, '(', 0) < needs.n) {
        twx_slice table = take_until(&needs, '('), columns = take_until(&needs, ')');
        while (rc == TWX_OK && has && columns.n) {
            rc = twx_db_has_column(db, table, take_until(&columns, ','), &has);
            n++;
        }
        take_until(&needs, ',');
    }
    *ret_columns = has ? n : 0;
    return rc;
}

twx_rc twx_preset_find(twx_db *reader, twx_preset *ret_preset) {
    size_t best = 0, columns = 0;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(TWX_PRESETS); i++) {
        twx_slice text = twx_slice_of(TWX_PRESETS[i].text);
        twx_slice about = twx_slice_next_line(&text), needs = twx_slice_next_line(&text);
        take_until(&needs, ':');
        rc = has_needed(reader, needs, &columns);
        if (rc != TWX_OK || columns <= best) continue;
        best = columns;
        *ret_preset = (twx_preset){TWX_PRESETS[i].name, twx_slice_sub(about, 2, about.n), text};
    }
    return rc == TWX_OK && best == 0 ? TWX_DONE : rc;
}

/* ==== find_mirrors */

enum { NAME_WIDTH_MAX = 60 };

void twx_mirror_list_done(twx_mirror_list *list) {
    twx_mirrors_done(&list->found);
    TWX_VEC_DONE(&list->hosts);
    twx_arena_done(&list->names);
}

/* A mirror with the names of its hosts. */
typedef struct named_mirror {
    twx_mirror m;
    twx_slice host, of;
    const char *level;
} named_mirror;

#define M(...) TWX_FIELD(named_mirror, __VA_ARGS__)
static const twx_field MIRROR[] = {TWX_FIELDS(
    M(NULL, level, "level", -5), TWX_FIELD_AS(named_mirror, RATIO, NULL, m.ratio_ppm, "ratio", 7),
    M(NULL, m.shared, "shared", 10), M(NULL, m.documents, "documents", 10),
    M("host", host, "host", -4), M("mirror_of", of), M("level", level), M("shared", m.shared),
    M("documents", m.documents), M("mirror_of_shared", m.of_shared),
    M("mirror_of_documents", m.of_documents),
    TWX_FIELD_AS(named_mirror, RATIO, "ratio", m.ratio_ppm), M(NULL, of, "mirror of", 0))};

static json_t *left_out_json(const void *list) {
    const twx_mirrors *found = &((const twx_mirror_list *)list)->found;
    json_t *all = json_object();
    for (int l = 0; l < TWX_MIRROR_LEVELS; l++)
        json_object_set_new(all, twx_mirror_level_name((twx_mirror_level)l),
                            json_pack("{s:o, s:o}", "groups", twx_json_count(found->wide_groups[l]),
                                      "documents", twx_json_count(found->wide_documents[l])));
    return all;
}

#define L(...) TWX_FIELD(twx_mirror_list, __VA_ARGS__)
static const twx_field LIST[] = {TWX_FIELDS(
    L("store", store), TWX_FIELD_AS(twx_mirror_list, RATIO, "ratio", ratio_ppm),
    L("min_documents", min_documents), L("hosts", found.hosts), L("small_hosts", found.small_hosts),
    TWX_FIELD_GOT("wide_groups", left_out_json), L("kept", kept))};

static twx_rc write_text(const twx_out *out, const twx_mirror_list *list, const twx_rows *rows) {
    const twx_mirrors *m = &list->found;
    twx_rc rc = rows->n ? twx_rows_write(out, rows, true) : TWX_OK;
    if (rc == TWX_OK)
        rc = twx_out_text(out, "%s of %s hosts with %s documents or more mirror another\n",
                          TWX_N(rows->n), TWX_N(m->hosts), TWX_N(list->min_documents));
    for (int l = 0; rc == TWX_OK && l < TWX_MIRROR_LEVELS; l++)
        if (m->wide_groups[l])
            rc = twx_out_text(out,
                              "%s groups on more than %d hosts, left out: %s, with %s documents\n",
                              twx_mirror_level_name((twx_mirror_level)l), TWX_MIRROR_GROUP_HOSTS,
                              TWX_N(m->wide_groups[l]), TWX_N(m->wide_documents[l]));
    return rc;
}

twx_rc twx_mirror_list_write(const twx_out *out, const twx_mirror_list *list) {
    const twx_mirror *found = list->found.rows.at;
    const size_t n = list->found.rows.n;
    named_mirror *named = twx_calloc(out->cx, n + 1, sizeof *named);
    if (!named) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++)
        named[i] = (named_mirror){found[i], list->hosts.at[found[i].host],
                                  list->hosts.at[found[i].mirror_of],
                                  twx_mirror_level_name(found[i].level)};
    const twx_rows *rows = TWX_ROWS_AT(MIRROR, named, n);
    json_t *o = twx_out_is_json(out) ? twx_row_json(TWX_ROWS_AT(LIST, list, 1)) : NULL;
    if (o) json_object_set_new(o, "mirrors", twx_rows_json(rows));
    const twx_rc rc = twx_out_is_json(out) ? twx_out_json(out, o) : write_text(out, list, rows);
    twx_free(named);
    return rc;
}

enum { PROGRESS_EVERY = 4096 };

typedef struct finding {
    const twx_job *job;
    twx_mirror_list *list;
    twx_store_set set;
    uint32_t store; /* whose documents are read */
    bool earlier;   /* the flags of the result before the published one */
    twx_mirror_intake in;
    uint64_t seen, total;
    twx_flags_cursor flags;
} finding;

/* ---- reading ------------------------------------------------------------ */

static twx_rc group_of(finding *f, const twx_flag_row *row, twx_flag_column rep, uint64_t *key,
                       const uint64_t **ret_key) {
    twx_set_document representative;
    *ret_key = NULL;
    if (!twx_flag_known(row, rep)) return TWX_OK;
    const twx_rc rc = twx_store_set_resolve(&f->set, f->store, row->v[rep], &representative);
    if (rc != TWX_OK) return rc;
    *key = twx_store_set_key(&f->set, representative);
    *ret_key = key;
    return TWX_OK;
}

static twx_rc take_document(void *arg, const twx_stored *stored) {
    finding *f = arg;
    twx_facts facts;
    const twx_flag_row *row = NULL;
    if (f->seen++ % PROGRESS_EVERY == 0)
        twx_job_progress(f->job, "read flags", "documents", f->seen - 1, f->total);
    twx_rc rc = f->seen % PROGRESS_EVERY == 0 ? twx_cancelled(f->job->cx) : TWX_OK;
    if (rc == TWX_OK) rc = twx_facts_unpack(f->job->cx, stored->facts, &facts);
    if (rc == TWX_OK) rc = twx_flags_cursor_of(&f->flags, stored->doc, &row);
    if (rc != TWX_OK || !row || row->v[TWX_FLAG_eligibility] != TWX_ELIGIBLE || facts.host.n == 0)
        return rc;
    twx_mirror_entry e = {
        .host = facts.host, .survive = !twx_flag_known(row, TWX_FLAG_duplicate_of), .n = 1};
    uint64_t exact = 0, near = 0;
    rc = group_of(f, row, TWX_FLAG_exact_rep, &exact, &e.exact);
    if (rc == TWX_OK) rc = group_of(f, row, TWX_FLAG_near_rep, &near, &e.near);
    return rc == TWX_OK ? twx_mirror_intake_add(f->job->cx, &f->in, &e) : rc;
}

/* Everything is read in one transaction of each store: flags that are published meanwhile would not
 * match what was read before. */
static twx_rc read_documents(finding *f) {
    twx_rc rc = twx_store_set_open(f->job, 0, &f->set);
    if (rc == TWX_OK) rc = twx_store_set_warn(&f->set);
    if (rc == TWX_OK) rc = twx_store_set_pin(&f->set);
    for (size_t i = 0; rc == TWX_OK && i < f->set.n; i++) {
        char *generation = &f->set.at[i].state.generation;
        uint64_t n = 0;
        if (f->earlier) *generation = twx_other_generation(*generation);
        rc = twx_signatures_count(f->set.at[i].o.signatures, &n);
        f->total += n;
    }
    for (uint32_t i = 0; rc == TWX_OK && i < f->set.n; i++) {
        const twx_set_store *m = &f->set.at[i];
        f->store = i;
        rc = twx_flags_cursor_init(f->job->cx, m->o.generations, m->state.generation, &f->flags);
        if (rc == TWX_OK) rc = twx_set_signatures_each(m, take_document, f);
        twx_flags_cursor_done(&f->flags);
    }
    if (rc == TWX_OK) rc = twx_title_keep(f->job, &f->list->names, &f->list->store);
    twx_store_set_done(&f->set);
    return rc;
}

static twx_rc find(finding *f) {
    const twx_settings *s = f->job->settings;
    f->list->store = f->job->store;
    f->list->ratio_ppm = s->mirrors_ratio_ppm;
    f->list->min_documents = s->mirrors_min_documents;
    twx_mirror_intake_init(&f->in, &f->list->names, &f->list->hosts);
    twx_rc rc = read_documents(f);
    if (rc == TWX_OK)
        rc = twx_mirror_intake_find(f->job->cx, &f->in, s->mirrors_ratio_ppm,
                                    s->mirrors_min_documents, &f->list->found);
    if (rc == TWX_OK && !f->earlier && f->list->found.rows.n == 0 &&
        s->exact_scope != TWX_SCOPE_STORE && s->near_scope != TWX_SCOPE_STORE)
        twx_job_message(f->job, TWINDEX_NOTE,
                        "exact.scope and near.scope confine groups to a host or a domain, so "
                        "mirrors beyond it cannot be found");
    twx_mirror_intake_done(&f->in);
    return rc;
}

/* ---- keeping ------------------------------------------------------------ */

TWX_ORDER(by_host, twx_host_mirror, twx_slice_cmp(a->host, b->host))

static size_t n_stores(const twx_job *job) {
    return job->n_stores ? job->n_stores : 1;
}

/* Each store gets the whole list: rules ask its own table. */
static twx_rc write_rows(finding *f) {
    const size_t n = f->list->found.rows.n;
    twx_host_mirror *rows = twx_calloc(f->job->cx, n + 1, sizeof *rows);
    twx_rc rc = rows ? TWX_OK : TWX_E_NOMEM;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        const twx_mirror *m = &f->list->found.rows.at[i];
        rows[i] = (twx_host_mirror){.host = f->list->hosts.at[m->host],
                                    .mirror_of = f->list->hosts.at[m->mirror_of],
                                    .level = twx_mirror_level_name(m->level),
                                    .shared = m->shared,
                                    .documents = m->documents,
                                    .ratio_ppm = m->ratio_ppm};
    }
    if (rc == TWX_OK && n) qsort(rows, n, sizeof *rows, by_host);
    for (size_t i = 0; rc == TWX_OK && i < n_stores(f->job); i++) {
        const twx_job job = twx_job_of_store(f->job, i);
        twx_opened o = {0};
        bool written = false;
        rc = twx_open_store(&job, TWX_NEED_RESULTS | TWX_NEED_TABLES | TWX_NEED_SOUND, &o);
        if (rc == TWX_OK) rc = twx_host_mirrors_keep(o.writer, rows, n, &written);
        twx_opened_done(&o);
    }
    twx_free(rows);
    return rc;
}

/* [R2] Turns an error into a warning if it means that the file cannot be written at present, or not
 * by this process. */
static twx_rc forgive(finding *f, twx_rc rc) {
    if (rc != TWX_E_BUSY && rc != TWX_E_CREATE && rc != TWX_E_IO && rc != TWX_E_FULL &&
        rc != TWX_E_NOSTORE)
        return rc;
    twx_job_message(f->job, TWINDEX_WARNING,
                    "%s; the mirrors are not stored in twindex_host_mirror", f->job->cx->message);
    twx_ctx_clear(f->job->cx);
    return TWX_OK;
}

twx_rc twx_see_mirrors(const twx_job *job, bool earlier, twx_mirror_list *ret_list) {
    finding f = {.job = job, .list = ret_list, .earlier = earlier};
    return find(&f);
}

/* The locks are taken first, so that the stored mirrors belong to the flags that are published
 * then. ret_locks: one for each store; after an error all are released. */
static twx_rc lock_all(const twx_job *all, twx_lock **ret_locks) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n_stores(all); i++) {
        const twx_job job = twx_job_of_store(all, i);
        rc = twx_lock_take(&job, twx_own_path(&job), &ret_locks[i]);
    }
    for (size_t i = 0; rc != TWX_OK && i < n_stores(all); i++) {
        twx_lock_release(ret_locks[i], rc);
        ret_locks[i] = NULL;
    }
    return rc;
}

twx_rc twx_find_mirrors(const twx_job *job, const twx_out *out) {
    twx_mirror_list list = {0};
    finding f = {.job = job, .list = &list};
    twx_lock **locks = twx_calloc(job->cx, n_stores(job), sizeof *locks);
    if (!locks) return TWX_E_NOMEM;
    twx_rc rc = forgive(&f, lock_all(job, locks)), written = TWX_OK;
    if (rc == TWX_OK) rc = find(&f);
    if (rc == TWX_OK && locks[0]) {
        written = write_rows(&f);
        list.kept = written == TWX_OK;
        rc = forgive(&f, written);
    }
    for (size_t i = 0; i < n_stores(job); i++)
        twx_lock_release(locks[i], rc == TWX_OK ? written : rc);
    twx_free(locks);
    if (rc == TWX_OK) rc = twx_mirror_list_write(out, &list);
    twx_mirror_list_done(&list);
    return rc;
}
