#include "ingest/jsonl.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/iso8601.h"

enum { FAULT_BYTES = 256, TEXT_MAX = 1 << 30 };

/* How a field's value is taken. */
typedef enum kind { TEXT, INTEGER, DATE, NUMBER } kind;

/* [R1] Fields and the capture's members they fill; the first name that a line has wins. */
static const struct {
    const char *name;
    kind kind;
    size_t member;
} FIELDS[] = {
#define FIELD(name, kind, member) \
    { name, kind, offsetof(twx_capture, member) }
    FIELD("url", TEXT, url),
    FIELD("sku", TEXT, url),
    FIELD("title", TEXT, title),
    FIELD("description", TEXT, description),
    FIELD("description_txt", TEXT, description),
    FIELD("text", TEXT, text),
    FIELD("text_t", TEXT, text),
    FIELD("failure", TEXT, failure),
    FIELD("failreason_s", TEXT, failure),
    FIELD("robots", TEXT, robots),
    FIELD("robots_i", TEXT, robots),
    FIELD("canonical_url", TEXT, canonical_url),
    FIELD("canonical_s", TEXT, canonical_url),
    FIELD("redirect_url", TEXT, redirect_url),
    FIELD("hreflang_group", TEXT, hreflang_group),
    FIELD("language", TEXT, language),
    FIELD("language_s", TEXT, language),
    FIELD("content_type", TEXT, content_type),
    FIELD("layout_digest", TEXT, layout_digest),
    FIELD("payload_digest", TEXT, payload_digest),
    FIELD("crawl_id", TEXT, crawl_id),
    FIELD("http_status", INTEGER, http_status),
    FIELD("httpstatus_i", INTEGER, http_status),
    FIELD("fetched_at", DATE, fetched_at),
    FIELD("load_date_dt", DATE, fetched_at),
    FIELD("score", NUMBER, score),
    FIELD("references_i", NUMBER, score),
#undef FIELD
};

struct twx_jsonl {
    twx_ctx *cx;
    json_t *root;     /* of the line before */
    twx_arena joined; /* texts that are not in the JSON as they stand */
    char fault[FAULT_BYTES];
};

twx_rc twx_jsonl_open(twx_ctx *cx, twx_jsonl **ret_jsonl) {
    twx_jsonl *j = twx_calloc(cx, 1, sizeof *j);
    if (!j) return TWX_E_NOMEM;
    j->cx = cx;
    twx_arena_init(&j->joined, 1 << 20);
    *ret_jsonl = j;
    return TWX_OK;
}

void twx_jsonl_close(twx_jsonl *j) {
    if (!j) return;
    json_decref(j->root);
    twx_arena_done(&j->joined);
    twx_free(j);
}

static twx_rc fault(twx_jsonl *j, const char **ret_fault, const char *name, const char *what) {
    snprintf(j->fault, sizeof j->fault, "field '%s' %s", name, what);
    *ret_fault = j->fault;
    return TWX_E_DATA;
}

/* [R2] The text of a value: a string, a number as it is written, a list joined by line feeds; absent
 * when it is null. */
static twx_rc add_text(twx_jsonl *j, const json_t *value, twx_buf *out) {
    if (json_is_string(value))
        return twx_buf_add(j->cx, out, json_string_value(value), json_string_length(value));
    if (json_is_integer(value))
        return twx_buf_printf(j->cx, out, "%lld", (long long)json_integer_value(value));
    if (json_is_real(value)) return twx_buf_printf(j->cx, out, "%.17g", json_real_value(value));
    if (json_is_boolean(value))
        return twx_buf_add_text(j->cx, out, json_is_true(value) ? "true" : "false");
    return TWX_OK;
}

static twx_rc text_of(twx_jsonl *j, const json_t *value, twx_slice *ret_text) {
    twx_buf joined;
    size_t parts = 0;
    if (json_is_string(value)) {
        *ret_text = (twx_slice){json_string_value(value), json_string_length(value)};
        return TWX_OK;
    }
    twx_buf_init(&joined, TEXT_MAX);
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < json_array_size(value); i++) {
        const json_t *part = json_array_get(value, i);
        if (json_is_null(part) || json_is_array(part) || json_is_object(part)) continue;
        if (parts++ > 0) rc = twx_buf_add_char(j->cx, &joined, '\n');
        if (rc == TWX_OK) rc = add_text(j, part, &joined);
    }
    if (!json_is_array(value)) rc = add_text(j, value, &joined);
    if (rc == TWX_OK && (parts > 0 || !json_is_array(value)))
        rc = twx_arena_copy(j->cx, &j->joined, twx_buf_slice(&joined), ret_text);
    twx_buf_done(&joined);
    return rc;
}

static bool integer_of(const json_t *value, int64_t *ret_value) {
    if (json_is_string(value))
        return twx_slice_integer((twx_slice){json_string_value(value), json_string_length(value)}, ret_value);
    if (!json_is_number(value) || fabs(json_number_value(value)) >= 9e18) return false;
    *ret_value = json_is_integer(value) ? json_integer_value(value) : (int64_t)floor(json_real_value(value));
    return true;
}

static bool date_of(const json_t *value, int64_t *ret_seconds) {
    if (json_is_string(value) &&
        twx_iso8601_parse((twx_slice){json_string_value(value), json_string_length(value)},
                          ret_seconds))
        return true;
    return integer_of(value, ret_seconds);
}

static twx_rc take_field(twx_jsonl *j, size_t field, const json_t *value, twx_capture *c,
                         const char **ret_fault) {
    const char *name = FIELDS[field].name;
    void *member = (char *)c + FIELDS[field].member;
    int64_t number = 0;
    /* YaCy writes a list of one where the schema says multi-valued */
    if (FIELDS[field].kind != TEXT && json_is_array(value)) value = json_array_get(value, 0);
    if (!value || json_is_null(value)) return TWX_OK;
    switch (FIELDS[field].kind) {
    case TEXT:
        if (json_is_object(value))
            return fault(j, ret_fault, name, "holds an object, a text is wanted");
        return text_of(j, value, member);
    case INTEGER:
        if (!integer_of(value, &number)) return fault(j, ret_fault, name, "is not an integer");
        memcpy(member, &number, sizeof number);
        return TWX_OK;
    case DATE:
        if (!date_of(value, &number))
            return fault(j, ret_fault, name, "is neither ISO 8601 nor seconds since 1970");
        memcpy(member, &number, sizeof number);
        return TWX_OK;
    case NUMBER:
        if (!json_is_number(value)) return fault(j, ret_fault, name, "is not a number");
        c->score = json_number_value(value);
        return TWX_OK;
    }
    return TWX_OK;
}

/* Has an earlier name of the table filled the same member? */
static bool is_taken(const json_t *root, size_t field) {
    for (size_t i = 0; i < field; i++)
        if (FIELDS[i].member == FIELDS[field].member && json_object_get(root, FIELDS[i].name))
            return true;
    return false;
}

twx_rc twx_jsonl_parse(twx_jsonl *j, twx_slice line, twx_capture *ret_capture,
                       const char **ret_fault) {
    json_error_t error;
    twx_capture c = twx_capture_none();
    twx_arena_reset(&j->joined);
    json_decref(j->root);
    j->root =
        json_loadb(line.n ? line.p : "", line.n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (!j->root || !json_is_object(j->root)) {
        if (j->root)
            snprintf(j->fault, sizeof j->fault, "a JSON object is wanted");
        else
            snprintf(j->fault, sizeof j->fault, "column %d: %s", error.column, error.text);
        *ret_fault = j->fault;
        return TWX_E_DATA;
    }
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(FIELDS); i++) {
        const json_t *value = json_object_get(j->root, FIELDS[i].name);
        if (value && !is_taken(j->root, i)) rc = take_field(j, i, value, &c, ret_fault);
    }
    if (rc == TWX_OK && twx_slice_trim(c.url).n == 0)
        rc = fault(j, ret_fault, "url", "is missing"); /* [R3] */
    if (rc == TWX_OK) *ret_capture = c;
    return rc;
}
