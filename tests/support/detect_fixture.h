/* A context and a workspace with the default parameters, for the tests of src/sign. */
#ifndef DETECT_FIXTURE_H
#define DETECT_FIXTURE_H

#include "support.h"

#include "sign/sign.h"

typedef struct fixture {
    twx_ctx cx;
    twx_params params;
    twx_workspace *w;
    twx_signature signature;
    twx_collection collection; /* that params may refer to */
} fixture;

static void fixture_open(fixture *f) {
    f->params = twx_params_default();
    assert_ok(twx_workspace_open(&f->cx, &f->params, &f->w));
}

static void fixture_close(fixture *f) {
    TWX_VEC_DONE(&f->signature.keys);
    twx_collection_done(&f->collection);
    twx_workspace_close(f->w);
}

TESTS_OF(fixture, fixture_open, fixture_close);

/* The number of keys; the first is in *ret_key. */
static inline size_t fixture_sign(fixture *f, const twx_detector *d, const twx_document *doc,
                                  twx_key *ret_key) {
    f->signature.keys.n = 0;
    assert_int_equal(d->sign(&f->cx, f->w, &f->params, doc, &f->signature), TWX_OK);
    if (f->signature.keys.n > 0) *ret_key = f->signature.keys.at[0];
    twx_workspace_reset(f->w);
    return f->signature.keys.n;
}

/* "key check" as 32 hex digits, the digest's order; "" without a key. Borrowed until the next call.
 */
static inline const char *fixture_hex(fixture *f, const twx_detector *d, const twx_document *doc) {
    static char hex[33];
    twx_key key = {0};
    hex[0] = '\0';
    if (fixture_sign(f, d, doc, &key) > 0)
        snprintf(hex, sizeof hex, "%016" PRIx64 "%016" PRIx64, key.key, key.check);
    return hex;
}

/* Undoes the escapes of tests/vectors: \t \n \r \\ \xHH (a byte) \uHHHH (UTF-8). In place. */
static inline twx_slice fixture_unescape(char *line) {
    char *out = line, *p = line;
    while (*p) {
        if (*p != '\\') {
            *out++ = *p++;
            continue;
        }
        char kind = p[1];
        int digits = kind == 'x' ? 2 : kind == 'u' ? 4 : 0;
        uint32_t value = 0;
        for (int i = 0; i < digits; i++)
            value = value * 16 + (uint32_t)twx_hex_value((unsigned char)p[2 + i]);
        p += 2 + digits;
        if (kind == 'u')
            out += twx_utf8_put(value, out);
        else
            *out++ = kind == 'x'   ? (char)value
                     : kind == 't' ? '\t'
                     : kind == 'n' ? '\n'
                     : kind == 'r' ? '\r'
                                   : kind;
    }
    return (twx_slice){line, (size_t)(out - line)};
}

/* Calls check(f, fields) for each row of a file of tests/vectors without '#'; returns the rows. */
typedef void vector_fn(fixture *f, char **fields);
static inline int fixture_vectors(fixture *f, const char *file, int n_fields, vector_fn *check) {
    char path[4096], line[8192];
    int rows = 0;
    snprintf(path, sizeof path, "%s/tests/vectors/%s", TWINDEX_SOURCE_DIR, file);
    FILE *in = fopen(path, "r");
    if (!in) fail_msg("cannot read %s", path);
    while (fgets(line, sizeof line, in)) {
        char *fields[8] = {line};
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0') continue;
        int n = 1;
        for (char *p = line; *p; p++)
            if (*p == '\t' && n < 8) {
                *p = '\0';
                fields[n++] = p + 1;
            }
        if (n != n_fields) fail_msg("%s, row %d: %d fields", path, rows + 1, n);
        check(f, fields);
        rows++;
    }
    fclose(in);
    return rows;
}

/* Texts without words get no key, and one word gets one. */
static inline void fixture_words_are_needed(fixture *f, const twx_detector *d) {
    static const char *const NOTHING[] = {"",         " \n\t",           "...", " \n.,;\xFF\x80",
                                          "\xFF\xFE", "\xF0\x9F\x98\x80"};
    twx_key key = {0};
    for (size_t i = 0; i < TWX_COUNTOF(NOTHING); i++)
        assert_int_equal(
            fixture_sign(f, d, &(twx_document){.text = twx_slice_of(NOTHING[i])}, &key), 0);
    assert_int_equal(fixture_sign(f, d, &(twx_document){0}, &key), 0);
    assert_int_equal(fixture_sign(f, d, &(twx_document){.text = TWX_SLICE_LIT("word")}, &key), 1);
}

/* Signatures that are stored stay what they are; other ones need a new version. */
static inline void fixture_expect_hex(fixture *f, const twx_detector *d, const char *text,
                                      const char *hex) {
    assert_int_equal(d->version, 1);
    assert_string_equal(fixture_hex(f, d, &(twx_document){.text = twx_slice_of(text)}), hex);
}

#endif
