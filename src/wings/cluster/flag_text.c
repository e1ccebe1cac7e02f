#include "cluster/flag_text.h"

#include <inttypes.h>

#include "base/sip_hash.h"

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
};

/* ---- reading ------------------------------------------------------------- */

static twx_rc fail_text(twx_ctx *cx, twx_slice text) {
    return twx_fail(cx, TWX_E_DATA, "cluster: '" TWX_SLICE_FMT "' are not the flags of a document",
                    TWX_SLICE_ARG(text));
}

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
    if (!good || rest.p) return fail_text(cx, text);
    *ret_row = row;
    return TWX_OK;
}

/* ---- writing ------------------------------------------------------------- */

static twx_rc write_document(twx_ctx *cx, const twx_flag_home *home, int64_t doc, twx_buf *out) {
    static const char DIGITS[] = "0123456789ABCDEF";
    unsigned char bytes[TWX_UID_BYTES];
    twx_uid uid = {home->shard, doc};
    twx_rc rc = TWX_OK;
    if (twx_is_remote(doc)) {
        const twx_remote_entry *e = twx_remote_list_of_number(home->remotes, doc);
        if (!e) return twx_buf_add_char(cx, out, '?');
        uid = e->uid;
    }
    twx_uid_write(uid, bytes);
    for (size_t i = 0; rc == TWX_OK && i < sizeof bytes; i++) {
        rc = twx_buf_add_char(cx, out, DIGITS[bytes[i] >> 4]);
        if (rc == TWX_OK) rc = twx_buf_add_char(cx, out, DIGITS[bytes[i] & 15]);
    }
    return rc;
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
