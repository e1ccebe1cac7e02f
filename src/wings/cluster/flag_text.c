#include "cluster/cluster.h"

/* ==== remote_list */

TWX_ORDER_2(by_uid, twx_remote_entry, uid.shard, uid.doc)

void twx_remote_list_init(twx_remote_list *list) {
    *list = (twx_remote_list){0};
}

void twx_remote_list_done(twx_remote_list *list) {
    TWX_VEC_DONE(&list->at);
    TWX_VEC_DONE(&list->by_number);
    twx_arena_done(&list->bytes);
}

static twx_rc fail_row(twx_ctx *cx) {
    return twx_fail(cx, TWX_E_DATA, "cluster: the answer to 'remotes' has an invalid row");
}

/* The entries of one shard share its name. */
static twx_rc name_shard(twx_ctx *cx, twx_remote_list *list, twx_remote_entry *e) {
    char name[12];
    const twx_remote_entry *last = list->at.n ? &list->at.at[list->at.n - 1] : NULL;
    if (last && last->uid.shard == e->uid.shard) {
        e->remote.shard = last->remote.shard;
        return TWX_OK;
    }
    snprintf(name, sizeof name, "%" PRIu32, e->uid.shard);
    return twx_arena_copy(cx, &list->bytes, twx_slice_of(name), &e->remote.shard);
}

typedef struct remote_reading {
    uint32_t shard; /* that refers to them */
    const twx_preference *preference;
    twx_remote_list *list;
} remote_reading;

static twx_rc remote_row(void *arg, twx_row_reader *r) {
    const remote_reading *f = arg;
    twx_remote_list *list = f->list;
    const twx_slice uid = twx_row_string(r);
    twx_slice rank = twx_row_string(r);
    twx_remote_entry e = {.form = (uint8_t)twx_row_number(r, 1)};
    twx_value id = {.type = TWX_NULL};
    if (r->broken || list->at.n >= UINT32_MAX || uid.n != TWX_UID_BYTES) return fail_row(r->cx);
    e.uid = twx_uid_read(uid.p);
    twx_rc rc = twx_order_key_read(r->cx, f->preference, &list->bytes, &rank, &id);
    /* a rank ends with the uid */
    if (rc == TWX_OK && (!twx_slice_eq(rank, uid) || e.uid.shard == f->shard)) rc = fail_row(r->cx);
    if (rc == TWX_OK) rc = name_shard(r->cx, list, &e);
    if (rc != TWX_OK) return rc;
    e.remote.id = id;
    e.remote.doc = twx_remote_number(e.remote.shard, &id);
    return TWX_VEC_PUSH(r->cx, &list->at, e) ? TWX_OK : TWX_E_NOMEM;
}

static int by_number(const void *left, const void *right, void *arg) {
    const twx_remote_list *list = arg;
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const int64_t x = list->at.at[a].remote.doc, y = list->at.at[b].remote.doc;
    return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}

/* Documents that collide get lower numbers. */
static twx_rc make_distinct(twx_ctx *cx, twx_remote_list *list) {
    const size_t n = list->at.n;
    for (size_t i = 0; i < n; i++)
        if (!TWX_VEC_PUSH(cx, &list->by_number, (uint32_t)i)) return TWX_E_NOMEM;
    if (n < 2) return TWX_OK;
    qsort_r(list->by_number.at, n, sizeof *list->by_number.at, by_number, list);
    for (size_t i = n - 1; i-- > 0;) {
        int64_t *number = &list->at.at[list->by_number.at[i]].remote.doc;
        const int64_t above = list->at.at[list->by_number.at[i + 1]].remote.doc;
        if (*number < above) continue;
        if (above <= INT64_MIN + 1)
            return twx_fail(cx, TWX_E_INTERNAL, "no number is left for a document");
        *number = above - 1;
    }
    return TWX_OK;
}

twx_rc twx_remote_list_read(twx_ctx *cx, twx_slice rows, uint32_t shard,
                            const twx_preference *preference, twx_remote_list *list) {
    remote_reading f = {.shard = shard, .preference = preference, .list = list};
    const twx_rc rc = twx_rows_each(cx, "remotes", rows, remote_row, &f);
    if (rc != TWX_OK) return rc;
    if (list->at.n > 1) qsort(list->at.at, list->at.n, sizeof *list->at.at, by_uid);
    for (size_t i = 1; i < list->at.n; i++)
        if (by_uid(&list->at.at[i - 1], &list->at.at[i]) == 0) return fail_row(cx);
    return make_distinct(cx, list);
}

const twx_remote_entry *twx_remote_list_of_uid(const twx_remote_list *list, twx_uid uid) {
    const twx_remote_entry key = {.uid = uid};
    return list->at.n ? bsearch(&key, list->at.at, list->at.n, sizeof key, by_uid) : NULL;
}

const twx_remote_entry *twx_remote_list_of_number(const twx_remote_list *list, int64_t number) {
    size_t low = 0, high = list->by_number.n;
    TWX_BISECT(low, high, list->at.at[list->by_number.at[middle]].remote.doc < number);
    if (low == list->by_number.n) return NULL;
    const twx_remote_entry *e = &list->at.at[list->by_number.at[low]];
    return e->remote.doc == number ? e : NULL;
}

static twx_rc rewind_rows(void *arg) {
    twx_remote_list *list = arg;
    list->next = 0;
    return TWX_OK;
}

static twx_rc next_row(void *arg, twx_remote *ret_row) {
    twx_remote_list *list = arg;
    if (list->next == list->by_number.n) return TWX_DONE;
    *ret_row = list->at.at[list->by_number.at[list->next++]].remote;
    return TWX_OK;
}

twx_remote_rows twx_remote_list_rows(twx_remote_list *list) {
    return (twx_remote_rows){list, rewind_rows, next_row};
}

/* ==== flag_text */

typedef enum kind {
    NUMBER,  /* never NULL */
    OPTION,  /* empty: NULL */
    COUNT,   /* 0: NULL */
    MEMBERS, /* the same; 1, the document is alone, is 0 too */
    DOCUMENT /* its uid in hexadecimal digits, empty: NULL */
} kind;

/* In the order of result.sql: a new column is a row here and a term there. */
static const struct {
    twx_flag_column column;
    kind kind;
} COLUMNS[] = {
    {TWX_FLAG_eligibility, NUMBER},       {TWX_FLAG_link_state, NUMBER},
    {TWX_FLAG_link_doc, DOCUMENT},        {TWX_FLAG_duplicate_of, DOCUMENT},
    {TWX_FLAG_cluster_count, COUNT},      {TWX_FLAG_duplicate_type, COUNT},
    {TWX_FLAG_scheme_rep, DOCUMENT},      {TWX_FLAG_scheme_count, COUNT},
    {TWX_FLAG_www_rep, DOCUMENT},         {TWX_FLAG_www_count, COUNT},
    {TWX_FLAG_exact_rep, DOCUMENT},       {TWX_FLAG_exact_count, COUNT},
    {TWX_FLAG_fuzzy_rep, DOCUMENT},       {TWX_FLAG_fuzzy_count, COUNT},
    {TWX_FLAG_title_rep, DOCUMENT},       {TWX_FLAG_title_count, COUNT},
    {TWX_FLAG_description_rep, DOCUMENT}, {TWX_FLAG_description_count, COUNT},
    {TWX_FLAG_near_rep, DOCUMENT},        {TWX_FLAG_near_count, MEMBERS},
    {TWX_FLAG_near_sig, OPTION},          {TWX_FLAG_near_similarity, OPTION},
    {TWX_FLAG_copy_rep, DOCUMENT},        {TWX_FLAG_copy_count, MEMBERS},
    {TWX_FLAG_copy_sig, OPTION},          {TWX_FLAG_sibling_count, COUNT},
    {TWX_FLAG_parameters_rep, DOCUMENT},  {TWX_FLAG_parameters_count, MEMBERS},
};

/* Removes the first field; false: there is none. */
static bool next_field(twx_slice *rest, twx_slice *ret_field) {
    if (!rest->p) return false;
    const size_t end = twx_slice_find(*rest, ',', 0);
    *ret_field = twx_slice_sub(*rest, 0, end);
    *rest = end < rest->n ? twx_slice_sub(*rest, end + 1, rest->n) : (twx_slice){NULL, 0};
    return true;
}

/* As the servers write an Int64 or UInt64 that fits. */
static bool read_number(twx_slice field, int64_t *ret_number) {
    const bool negative = field.n > 0 && field.p[0] == '-';
    int64_t n = 0;
    for (size_t i = negative; i < field.n; i++) {
        const int digit = field.p[i] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(n, 10, &n) ||
            __builtin_add_overflow(n, negative ? -digit : digit, &n))
            return false;
    }
    *ret_number = n;
    return field.n > (size_t)negative;
}

static bool read_uid(twx_slice field, twx_uid *ret_uid) {
    char bytes[TWX_UID_BYTES];
    if (field.n != 2 * sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) {
        const int high = twx_hex_value((unsigned char)field.p[2 * i]),
                  low = twx_hex_value((unsigned char)field.p[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        bytes[i] = (char)(high << 4 | low);
    }
    *ret_uid = twx_uid_read(bytes);
    return true;
}

static bool read_document(const twx_flag_home *home, twx_slice field, int64_t *ret_doc) {
    twx_uid uid = {0, 0};
    if (!read_uid(field, &uid)) return false;
    *ret_doc = uid.doc;
    if (uid.shard == home->shard) return !twx_is_remote(uid.doc);
    const twx_remote_entry *e = twx_remote_list_of_uid(home->remotes, uid);
    if (e) *ret_doc = e->remote.doc;
    return e != NULL;
}

twx_rc twx_flag_text_read(twx_ctx *cx, const twx_flag_home *home, twx_slice text,
                          twx_flag_row *ret_row) {
    twx_flag_row row = {0};
    twx_slice rest = text, field = {NULL, 0};
    bool good = next_field(&rest, &field) && read_number(field, &row.doc);
    for (size_t i = 0; good && i < TWX_COUNTOF(COLUMNS); i++) {
        const kind is = COLUMNS[i].kind;
        int64_t v = 0;
        good = next_field(&rest, &field);
        if (!good || (field.n == 0 && (is == OPTION || is == DOCUMENT))) continue;
        good = is == DOCUMENT ? read_document(home, field, &v) : read_number(field, &v);
        if ((is == COUNT || is == MEMBERS) && v == 0) continue;
        good = good && (is != MEMBERS || v != 1); /* would be written as 0 */
        twx_flag_set(&row, COLUMNS[i].column, v);
    }
    if (!good || rest.p)
        return twx_fail(cx, TWX_E_DATA,
                        "cluster: '" TWX_SLICE_FMT "' are not the flags of a document",
                        TWX_SLICE_ARG(text));
    *ret_row = row;
    return TWX_OK;
}

static twx_rc write_document(twx_ctx *cx, const twx_flag_home *home, int64_t doc, twx_buf *out) {
    unsigned char bytes[TWX_UID_BYTES];
    twx_uid uid = {home->shard, doc};
    if (twx_is_remote(doc)) {
        const twx_remote_entry *e = twx_remote_list_of_number(home->remotes, doc);
        if (!e) return twx_buf_add_char(cx, out, '?');
        uid = e->uid;
    }
    twx_uid_write(uid, bytes);
    return twx_buf_add_hex(cx, out, (twx_slice){(const char *)bytes, sizeof bytes});
}

static twx_rc write_number(twx_ctx *cx, int64_t v, twx_buf *out) {
    char digits[24];
    size_t at = sizeof digits;
    uint64_t n = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do digits[--at] = (char)('0' + n % 10);
    while ((n /= 10) > 0);
    if (v < 0) digits[--at] = '-';
    return twx_buf_add(cx, out, digits + at, sizeof digits - at);
}

static twx_rc write_column(twx_ctx *cx, const twx_flag_home *home, const twx_flag_row *row,
                           size_t i, twx_buf *out) {
    const kind is = COLUMNS[i].kind;
    const bool known = twx_flag_known(row, COLUMNS[i].column);
    if (is == MEMBERS && row->v[COLUMNS[i].column] == 1) return twx_buf_add_char(cx, out, '0');
    if (!known && (is == OPTION || is == DOCUMENT)) return TWX_OK;
    return is == DOCUMENT ? write_document(cx, home, row->v[COLUMNS[i].column], out)
                          : write_number(cx, row->v[COLUMNS[i].column], out); /* NULL is 0 */
}

twx_rc twx_flag_text_write(twx_ctx *cx, const twx_flag_home *home, const twx_flag_row *row,
                           twx_buf *out) {
    twx_rc rc = write_number(cx, row->doc, out);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(COLUMNS); i++) {
        rc = twx_buf_add_char(cx, out, ',');
        if (rc == TWX_OK) rc = write_column(cx, home, row, i, out);
    }
    return rc;
}

uint64_t twx_flag_text_hash(twx_slice text) {
    return twx_sip_hash(text, 0, 0);
}

void twx_flag_text_copy(const twx_flag_row *from, twx_flag_row *to) {
    for (size_t i = 0; i < TWX_COUNTOF(COLUMNS); i++)
        if (twx_flag_known(from, COLUMNS[i].column))
            twx_flag_set(to, COLUMNS[i].column, from->v[COLUMNS[i].column]);
}

/* ==== pulled_answers */

TWX_ORDER_1(by_part, twx_pulled_part, number)

static twx_rc sum_row(void *arg, twx_row_reader *r) {
    twx_pulled_parts *parts = arg;
    const int64_t number = (int64_t)twx_row_number(r, 8);
    const twx_pulled_part part = {.number = number, .sum = twx_row_number(r, 8)};
    return TWX_VEC_PUSH(r->cx, parts, part) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_pulled_parts_read(twx_ctx *cx, twx_slice rows, twx_pulled_parts *ret_parts) {
    size_t n = 0;
    const twx_rc rc = twx_rows_each(cx, "sums", rows, sum_row, ret_parts);
    if (ret_parts->n > 1) qsort(ret_parts->at, ret_parts->n, sizeof *ret_parts->at, by_part);
    for (size_t i = 0; i < ret_parts->n; i++) {
        const twx_pulled_part part = ret_parts->at[i];
        if (n > 0 && ret_parts->at[n - 1].number == part.number)
            ret_parts->at[n - 1].sum += part.sum;
        else
            ret_parts->at[n++] = part;
    }
    ret_parts->n = n;
    return rc;
}

TWX_ORDER_1(by_doc, twx_flag_row, doc)

typedef struct row_reading {
    const twx_flag_home *home;
    int64_t width;
    twx_pulled_part *sums; /* of the rows so far, by part */
    size_t n;
    twx_flag_row_list *list;
} row_reading;

static twx_rc flag_row(void *arg, twx_row_reader *r) {
    const row_reading *f = arg;
    twx_flag_row row;
    const twx_slice text = twx_row_string(r);
    if (r->broken) return TWX_OK;
    twx_rc rc = twx_flag_text_read(r->cx, f->home, text, &row);
    if (rc != TWX_OK) return rc;
    const twx_pulled_part key = {.number = row.doc / f->width};
    twx_pulled_part *sum = f->n ? bsearch(&key, f->sums, f->n, sizeof key, by_part) : NULL;
    if (!sum)
        return twx_fail(r->cx, TWX_E_DATA,
                        "cluster: the answer to 'rows' has document %" PRId64
                        ", which was not asked for",
                        row.doc);
    sum->sum += twx_flag_text_hash(text);
    return TWX_VEC_PUSH(r->cx, f->list, row) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_pulled_rows_read(twx_ctx *cx, const twx_flag_home *home, twx_slice rows,
                            const twx_pulled_part *parts, size_t n, int64_t width,
                            twx_flag_row_list *ret_rows) {
    row_reading f = {.home = home, .width = width, .n = n, .list = ret_rows};
    f.sums = twx_calloc(cx, n + 1, sizeof *f.sums);
    if (!f.sums) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) f.sums[i].number = parts[i].number;
    ret_rows->n = 0;
    twx_rc rc = twx_rows_each(cx, "rows", rows, flag_row, &f);
    for (size_t i = 0; rc == TWX_OK && i < n; i++) /* [R1] */
        if (f.sums[i].sum != parts[i].sum)
            rc = twx_fail(cx, TWX_E_DATA,
                          "cluster: the rows that the servers sent are not those whose sum they "
                          "sent: if 'cluster judge' has ended meanwhile, pull again");
    if (rc == TWX_OK && ret_rows->n > 1)
        qsort(ret_rows->at, ret_rows->n, sizeof *ret_rows->at, by_doc);
    twx_free(f.sums);
    return rc;
}
