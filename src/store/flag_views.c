#include "store/internal.h"

#include "sql_text.h"

/* ==== template */

/* Lists for templates. */
#define COLUMN(name)                           ", " #name
#define NAME(name, kind, column, rule, beside) ", f." #name
static const char COLUMNS[] = TWX_FLAG_TABLE(COLUMN), FLAG_NAMES[] = TWX_SHOWN_FLAG_TABLE(NAME);
#undef COLUMN
#undef NAME

#define SHOWN(name, kind, column, rule, beside) {#name, TWX_SQL_PART_FLAG_##rule, #column, #beside},
static const struct {
    const char *name, *sql, *column, *beside;
} SHOWN_FLAGS[] = {TWX_SHOWN_FLAG_TABLE(SHOWN)};
#undef SHOWN

static twx_rc add_parameters(twx_ctx *cx, twx_buf *out, const twx_template *t) {
    twx_rc rc = TWX_OK;
    (void)t;
    for (int i = 0; rc == TWX_OK && i < TWX_FLAG_COLUMNS; i++)
        rc = twx_buf_printf(cx, out, ", ?%d", i + 2);
    return rc;
}

static twx_rc add_flags(twx_ctx *cx, twx_buf *out, const twx_template *t) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(SHOWN_FLAGS); i++) {
        twx_template one = *t;
        one.column = SHOWN_FLAGS[i].column;
        one.beside = SHOWN_FLAGS[i].beside;
        one.flag = SHOWN_FLAGS[i].name;
        rc = twx_buf_add_text(cx, out, i ? "    , " : ", ");
        if (rc == TWX_OK) rc = twx_template_fill(cx, out, SHOWN_FLAGS[i].sql, &one);
    }
    return rc;
}

/* {f}: the flags of the generation, as f. */
static twx_rc add_from(twx_ctx *cx, twx_buf *out, const twx_template *t) {
    twx_rc rc = t->direct ? TWX_OK : twx_buf_add_text(cx, out, "twindex_document AS d JOIN ");
    if (rc == TWX_OK) rc = twx_template_fill(cx, out, TWX_SQL_PART_FLAGS_OF, t);
    return rc == TWX_OK ? twx_buf_add_text(cx, out, t->direct ? " AS f" : " AS f ON f.doc = d.doc")
                        : rc;
}

static twx_rc add_groups(twx_ctx *cx, twx_buf *out, const twx_template *t) {
    static const struct {
        const char *relation, *representative, *similarity;
    } GROUPS[] = {
#define GROUP(relation, similarity) {#relation, #relation "_rep", similarity},
        TWX_GROUP_TABLE(GROUP)
#undef GROUP
    };
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(GROUPS); i++) {
        twx_template one = *t;
        one.relation = GROUPS[i].relation;
        one.column = GROUPS[i].representative;
        one.similarity = GROUPS[i].similarity;
        rc = twx_template_fill(cx, out, TWX_SQL_PART_RELATION_GROUPS, &one);
    }
    return rc;
}

typedef twx_rc add_fn(twx_ctx *cx, twx_buf *out, const twx_template *t);

twx_rc twx_template_fill(twx_ctx *cx, twx_buf *out, const char *sql, const twx_template *t) {
    const char generation[2] = {t->generation, '\0'};
    const char *const own = t->generation == 'b' ? "2"
                            : t->generation      ? "1"
                                                 : "0",
                      *other = t->generation == 'b' ? "1" : "2";
    const struct {
        const char *name;
        const char *text; /* NULL: appended by `add`, or none */
        add_fn *add;
        const char *part; /* in which places are filled, too */
    } places[] = {
        {"{g}", .text = generation},
        {"{own}", .text = own},
        {"{other}", .text = other},
        {"{rows}", .part = TWX_SQL_PART_FLAGS_OF}, /* those of the generation */
        {"{temp}", .text = t->temporary ? " TEMP" : ""},
        {"{id}", .text = t->direct ? "f.doc" : "d.id"},
        {"{<}", .text = t->direct ? "" : TWX_SQL_PART_SOURCE_ID},
        {"{>}", .text = t->direct ? "" : ")"},
        {"{r}", .text = t->direct && !t->remotes ? "f" : "r"},
        {"{numbers}", .part = t->direct && !t->remotes ? "" : TWX_SQL_PART_HIT_NUMBERS},
        {"{f}", .add = add_from},
        {"{representative}", .part = t->remotes ? TWX_SQL_PART_REMOTE_ID : TWX_SQL_PART_LOCAL_ID},
        {"{shard}", .part = t->remotes ? TWX_SQL_PART_REMOTE_SHARD : "NULL"},
        {"{alternates}", .part = t->remotes ? TWX_SQL_PART_REMOTE_ALTERNATES : ""},
        {"{select}", .text = t->select},
        {"{filter}", .text = t->filter},
        {"{score}", .text = t->score},
        {"{weights}", .text = t->weights},
        {"{whole}", .text = t->whole},
        {"{parts}", .text = t->parts},
        {"{sum}", .text = t->sum},
        {"{names}", .text = t->names},
        {"{order}", .text = t->order},
        {"{flag}", .text = t->flag},
        {"{column}", .text = t->column},
        {"{beside}", .text = t->beside},
        {"{relation}", .text = t->relation},
        {"{similarity}", .text = t->similarity},
        {"{groups}", .add = add_groups},
        {"{count}", .part = TWX_SQL_PART_COUNT_OF},
        {"{columns}", .text = COLUMNS},
        {"{parameters}", .add = add_parameters},
        {"{flags}", .add = add_flags},
        {"{flag_names}", .text = FLAG_NAMES},
    };
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && *sql) {
        const char *brace = strchr(sql, '{');
        size_t plain = brace ? (size_t)(brace - sql) : strlen(sql);
        rc = twx_buf_add(cx, out, sql, plain);
        sql += plain;
        if (rc != TWX_OK || !brace) break;
        size_t i = 0;
        while (i < TWX_COUNTOF(places) && strncmp(sql, places[i].name, strlen(places[i].name)) != 0)
            i++;
        if (i == TWX_COUNTOF(places))
            return twx_fail(cx, TWX_E_INTERNAL, "unknown place in a template: %.20s", sql);
        sql += strlen(places[i].name);
        if (places[i].part)
            rc = twx_template_fill(cx, out, places[i].part, t);
        else
            rc = places[i].add ? places[i].add(cx, out, t)
                               : twx_buf_add_text(cx, out, places[i].text ? places[i].text : "");
    }
    return rc;
}

/* ==== flag_views */

enum { SQL_BYTES = 1 << 18 };

static twx_rc template_of(twx_db *db, const twx_flag_views *views, twx_template *ret_template) {
    *ret_template = (twx_template){
        .generation = views->generation,
        .direct = views->direct,
        .select = views->select,
        .column = "duplicate_of" /* the verdict's representatives */
    };
    return twx_remotes_any(db, views->generation, &ret_template->remotes);
}

twx_rc twx_flag_views_point(twx_db *db, const twx_flag_views *views) {
    twx_template t;
    twx_buf sql = {.max = SQL_BYTES};
    twx_rc rc = template_of(db, views, &t);
    if (rc == TWX_OK) rc = twx_buf_add_text(db->cx, &sql, TWX_SQL_VIEW_DROP_FLAGGED_DOCUMENTS);
    if (rc == TWX_OK) rc = twx_buf_add_text(db->cx, &sql, TWX_SQL_VIEW_DROP_FLAG_VIEWS);
    if (rc == TWX_OK) rc = twx_template_fill(db->cx, &sql, TWX_SQL_VIEW_FLAG_VIEWS, &t);
    if (rc == TWX_OK && views->select)
        rc = twx_template_fill(db->cx, &sql, TWX_SQL_VIEW_FLAGGED_DOCUMENTS, &t);
    if (rc == TWX_OK) rc = twx_db_script(db, sql.p);
    twx_buf_done(&sql);
    return rc;
}

twx_rc twx_flag_views_temporary(twx_db *db, const twx_flag_views *views) {
    twx_template t;
    twx_buf sql = {.max = SQL_BYTES};
    twx_rc rc = template_of(db, views, &t);
    t.temporary = true;
    if (rc == TWX_OK) rc = twx_template_fill(db->cx, &sql, TWX_SQL_VIEW_FLAG_VIEWS, &t);
    if (rc == TWX_OK) rc = twx_db_script_writable(db, sql.p);
    twx_buf_done(&sql);
    return rc;
}

/* ==== host_mirrors */

/* Millionths as a number from 0 to 1, with the same bits on every machine. */
static double share(uint32_t ppm) {
    return (double)ppm / 1e6;
}

static bool is_kept(sqlite3_stmt *stmt, const twx_host_mirror *row) {
    const double kept = sqlite3_column_double(stmt, 5), ratio = share(row->ratio_ppm);
    return twx_slice_eq(twx_column_text(stmt, 0), row->host) &&
           twx_slice_eq(twx_column_text(stmt, 1), row->mirror_of) &&
           twx_slice_eq(twx_column_text(stmt, 2), twx_slice_of(row->level)) &&
           sqlite3_column_int64(stmt, 3) == (int64_t)row->shared &&
           sqlite3_column_int64(stmt, 4) == (int64_t)row->documents &&
           memcmp(&kept, &ratio, sizeof kept) == 0;
}

static twx_rc put(twx_db *db, sqlite3_stmt *stmt, const twx_host_mirror *row) {
    const twx_value ratio = {.type = TWX_REAL, .r = share(row->ratio_ppm)};
    return twx_stmt_write(db, stmt,
                          TWX_VALUES(twx_text(row->host), twx_text(row->mirror_of),
                                     twx_text_of(row->level), twx_int((int64_t)row->shared),
                                     twx_int((int64_t)row->documents), ratio));
}

static twx_rc replace(twx_db *db, const twx_host_mirror *rows, size_t n) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_MIRROR_PUT, &stmt);
    if (rc == TWX_OK) rc = twx_db_begin(db);
    if (rc == TWX_OK) rc = twx_db_script(db, TWX_SQL_QUERY_MIRROR_CLEAR);
    for (size_t i = 0; rc == TWX_OK && i < n; i++) rc = put(db, stmt, &rows[i]);
    sqlite3_finalize(stmt);
    return twx_db_end(db, rc);
}

twx_rc twx_host_mirrors_keep(twx_db *db, const twx_host_mirror *rows, size_t n, bool *ret_written) {
    sqlite3_stmt *stmt = NULL;
    size_t i = 0;
    bool same = true;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_MIRROR_EACH, &stmt);
    while (rc == TWX_OK && same && (rc = twx_stmt_step(db, stmt)) == TWX_OK)
        same = i < n && is_kept(stmt, &rows[i++]);
    same = same && i == n;
    rc = twx_stmt_end(stmt, rc);
    if (rc == TWX_OK && !same) rc = replace(db, rows, n);
    if (rc == TWX_OK) *ret_written = !same;
    return rc;
}

twx_rc twx_host_mirrors_each(twx_db *db, twx_host_fn *fn, void *arg) {
    sqlite3_stmt *stmt = NULL;
    bool there = false;
    if (!db) return TWX_OK;
    twx_rc rc = twx_db_has(db, "twindex_host_mirror", &there);
    if (rc != TWX_OK || !there) return rc;
    rc = twx_stmt_prepare(db, TWX_SQL_QUERY_MIRROR_EACH, &stmt);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, stmt)) == TWX_OK)
        rc = fn(arg, twx_column_text(stmt, 0));
    return twx_stmt_end(stmt, rc);
}

/* ==== site_counts */

twx_rc twx_site_counts_each(twx_db *db, char generation, twx_site_count_fn *fn, void *arg) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_bind(db, TWX_SQL_QUERY_SITE_EACH,
                            TWX_VALUES(twx_text((twx_slice){&generation, 1})), &stmt);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, stmt)) == TWX_OK) {
        const int64_t documents = sqlite3_column_int64(stmt, 1);
        const twx_site_count count = {twx_column_text(stmt, 0), (uint64_t)documents};
        if (sqlite3_column_type(stmt, 1) != SQLITE_INTEGER || documents < 0 ||
            documents > UINT32_MAX || !count.site.p)
            rc = twx_fail(db->cx, TWX_E_CORRUPT,
                          "%s: twindex_site: site '" TWX_SLICE_FMT
                          "' has no valid number of documents",
                          db->path, TWX_SLICE_ARG(count.site));
        else
            rc = fn(arg, &count);
    }
    return twx_stmt_end(stmt, rc);
}

twx_rc twx_site_counts_clear(twx_db *db, char generation) {
    return twx_db_run(db, TWX_SQL_QUERY_SITE_CLEAR,
                      TWX_VALUES(twx_text((twx_slice){&generation, 1})));
}

twx_rc twx_site_counts_put(twx_db *db, char generation, const twx_site_count *counts, size_t n) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SITE_PUT, &stmt);
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = twx_stmt_write(db, stmt,
                            TWX_VALUES(twx_text((twx_slice){&generation, 1}),
                                       twx_text(counts[i].site),
                                       twx_int((int64_t)counts[i].documents)));
    return twx_stmt_end(stmt, rc);
}

/* ==== group_counts */

/* One document more or less in a large group changes one number, not the rows of all members. */

/* A number that all members of a group have, and the size of the group. */
typedef struct shared_number {
    const char *name; /* of the column in twindex_flag */
    twx_flag_column column, rep, size;
} shared_number;

#define OF_GROUP(relation, similarity)                                           \
    {#relation "_count", TWX_FLAG_##relation##_count, TWX_FLAG_##relation##_rep, \
     TWX_FLAG_##relation##_count},
static const shared_number SHARED[] = {
    TWX_GROUP_TABLE(OF_GROUP){"cluster_count", TWX_FLAG_cluster_count, TWX_FLAG_duplicate_of,
                              TWX_FLAG_cluster_count},
    {"sibling_count", TWX_FLAG_sibling_count, TWX_FLAG_near_rep, TWX_FLAG_near_count}};
#undef OF_GROUP

/* The survivor of a cluster has no duplicate_of. */
static int64_t rep_of(const twx_flag_row *row, const shared_number *s) {
    return twx_flag_known(row, s->rep) ? row->v[s->rep] : row->doc;
}

static bool is_large(const twx_flag_row *row, const shared_number *s) {
    return twx_flag_known(row, s->size) && row->v[s->size] >= TWX_LARGE_GROUP;
}

const twx_flag_row *twx_flag_row_stored(const twx_flag_row *row, twx_flag_row *room) {
    const twx_flag_row *stored = row;
    for (const shared_number *s = SHARED; s < SHARED + TWX_COUNTOF(SHARED); s++) {
        if (!is_large(row, s)) continue;
        if (stored == row) *room = *row;
        stored = room;
        room->v[s->column] = 0;
        if (s->column != s->size) room->known &= ~(UINT64_C(1) << s->column);
    }
    return stored;
}

/* ---- the counts of a result ------------------------------------------------ */

static uint64_t key_of(size_t of, int64_t rep) {
    return twx_mix64((uint64_t)rep, of);
}

void twx_group_counts_done(twx_group_counts *counts) {
    TWX_VEC_DONE(&counts->at);
    twx_map64_done(&counts->places);
}

static twx_rc add_count(twx_ctx *cx, twx_group_counts *counts, twx_group_count count) {
    uint64_t place = counts->at.n;
    const twx_rc rc = twx_map64_add(cx, &counts->places, key_of(count.of, count.rep), place,
                                    &place);
    if (rc != TWX_OK) return rc;
    if (place == counts->at.n) return TWX_VEC_PUSH(cx, &counts->at, count) ? TWX_OK : TWX_E_NOMEM;
    const twx_group_count *known = &counts->at.at[place];
    return known->of == count.of && known->rep == count.rep && known->value == count.value
               ? TWX_OK
               : twx_fail(cx, TWX_E_INTERNAL,
                          "the members of the group of document number %" PRId64
                          " have different numbers as %s",
                          count.rep, SHARED[count.of].name);
}

twx_rc twx_group_counts_add(twx_ctx *cx, twx_group_counts *counts, const twx_flag_row *row) {
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < TWX_COUNTOF(SHARED); k++) {
        const shared_number *s = &SHARED[k];
        if (is_large(row, s) && twx_flag_known(row, s->column))
            rc = add_count(cx, counts,
                           (twx_group_count){.of = (uint32_t)k,
                                             .rep = rep_of(row, s),
                                             .value = row->v[s->column]});
    }
    return rc;
}

/* ---- stored ------------------------------------------------------------------ */

twx_rc twx_group_counts_read(twx_db *db, char generation, twx_group_counts *counts) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_bind(db, TWX_SQL_QUERY_FLAG_COUNT_EACH,
                            TWX_VALUES(twx_text((twx_slice){&generation, 1})), &stmt);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, stmt)) == TWX_OK) {
        const twx_slice name = twx_column_text(stmt, 0);
        for (size_t k = 0; rc == TWX_OK && k < TWX_COUNTOF(SHARED); k++)
            if (twx_slice_eq(name, twx_slice_of(SHARED[k].name)))
                rc = add_count(db->cx, counts,
                               (twx_group_count){.of = (uint32_t)k,
                                                 .rep = sqlite3_column_int64(stmt, 1),
                                                 .value = sqlite3_column_int64(stmt, 2)});
    }
    return twx_stmt_end(stmt, rc);
}

static const twx_group_count *find(const twx_group_counts *counts, size_t of, int64_t rep) {
    uint64_t place = 0;
    if (!twx_map64_get(&counts->places, key_of(of, rep), &place)) return NULL;
    const twx_group_count *count = &counts->at.at[place];
    return count->of == of && count->rep == rep ? count : NULL;
}

twx_rc twx_group_counts_fill(twx_db *db, const twx_group_counts *counts, sqlite3_stmt *one,
                             twx_flag_row *row) {
    const twx_flag_row stored = *row;
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < TWX_COUNTOF(SHARED); k++) {
        const shared_number *s = &SHARED[k];
        if (is_large(&stored, s)) row->known |= TWX_FLAG_STATED;
        if (!twx_flag_known(&stored, s->size) || stored.v[s->size]) continue;
        const int64_t rep = rep_of(&stored, s);
        const twx_group_count *count = counts ? find(counts, k, rep) : NULL;
        if (count) twx_flag_set(row, s->column, count->value);
        if (counts) continue;
        rc = twx_stmt_first(db, one, TWX_VALUES(twx_text_of(s->name), twx_int(rep)));
        if (rc == TWX_OK) twx_flag_set(row, s->column, sqlite3_column_int64(one, 0));
        if (rc == TWX_DONE) rc = TWX_OK;
        sqlite3_reset(one);
    }
    return rc;
}

/* ---- writing ------------------------------------------------------------------ */

/* Lists what `counts` has and `other` has not, or another value of. gone: as to be deleted, and
 * only those of which `other` has nothing. */
static twx_rc list_missing(twx_ctx *cx, const twx_group_counts *counts,
                           const twx_group_counts *other, bool gone, twx_group_counts *ret_edit) {
    for (size_t i = 0; i < counts->at.n; i++) {
        twx_group_count count = counts->at.at[i];
        const twx_group_count *is = find(other, count.of, count.rep);
        if (is && (gone || is->value == count.value)) continue;
        count.gone = gone;
        if (!TWX_VEC_PUSH(cx, &ret_edit->at, count)) return TWX_E_NOMEM;
    }
    return TWX_OK;
}

twx_rc twx_group_counts_differ(twx_db *db, char generation, const twx_group_counts *counts,
                               twx_group_counts *ret_edit) {
    twx_group_counts stored = {0};
    twx_rc rc = twx_group_counts_read(db, generation, &stored);
    if (rc == TWX_OK) rc = list_missing(db->cx, &stored, counts, true, ret_edit);
    if (rc == TWX_OK) rc = list_missing(db->cx, counts, &stored, false, ret_edit);
    twx_group_counts_done(&stored);
    return rc;
}

twx_rc twx_group_counts_write(twx_db *db, char generation, const twx_group_count *counts,
                              size_t n) {
    sqlite3_stmt *put = NULL, *delete = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_FLAG_COUNT_PUT, &put);
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, TWX_SQL_QUERY_FLAG_COUNT_DELETE, &delete);
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        const twx_group_count *count = &counts[i];
        sqlite3_stmt *stmt = count->gone ? delete : put;
        rc = twx_bind(db, stmt,
                      TWX_VALUES(twx_text((twx_slice){&generation, 1}),
                                 twx_text_of(SHARED[count->of].name), twx_int(count->rep)));
        if (rc == TWX_OK && !count->gone) rc = twx_bind_int(db, stmt, 4, count->value);
        if (rc == TWX_OK) rc = twx_stmt_run(db, stmt);
    }
    sqlite3_finalize(put);
    return twx_stmt_end(delete, rc);
}
