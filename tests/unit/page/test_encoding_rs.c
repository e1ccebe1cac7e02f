/* Replays the test data of encoding_rs, the decoders of Firefox: for each legacy encoding a page
 * with all of its codes, and what it says in UTF-8; and all labels of the Encoding standard.
 * Debian's librust-encoding-rs-dev brings them (test_suite in support.h). */
#include "support.h"

#include "page/page.h"

#define PACKAGED "/usr/share/cargo/registry/encoding_rs-*/src"

static char *file_of(const char *folder, const char *name, twx_slice *ret) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *bytes = test_read_file(path, &ret->n);
    ret->p = bytes;
    return bytes;
}

/* ---- bytes -------------------------------------------------------------- */

/* GB 18030 of 2022 moved 18 codes from the private area to characters that Unicode has since got;
 * the data of older versions of encoding_rs has the private ones. */
enum { MOVED_CODES = 18 };

static const struct {
    const char *label, *bytes, *text;
    size_t most_that_differ, lines;
} PAGES[] = {
    {"big5", "test_data/big5_in.txt", "test_data/big5_in_ref.txt", 0, 18000},
    {"euc-jp", "test_data/jis0208_in.txt", "test_data/jis0208_in_ref.txt", 0, 8000},
    {"euc-jp", "test_data/jis0212_in.txt", "test_data/jis0212_in_ref.txt", 0, 8000},
    {"euc-kr", "test_data/euc_kr_in.txt", "test_data/euc_kr_in_ref.txt", 0, 23000},
    {"gb18030", "test_data/gb18030_in.txt", "test_data/gb18030_in_ref.txt", MOVED_CODES, 23000},
    {"iso-2022-jp", "test_data/iso_2022_jp_in.txt", "test_data/iso_2022_jp_in_ref.txt", 0, 8000},
    {"shift_jis", "test_data/shift_jis_in.txt", "test_data/shift_jis_in_ref.txt", 0, 11000},
};

static twx_slice next_line(twx_slice *rest) {
    const char *end = memchr(rest->p, '\n', rest->n);
    const twx_slice line = {rest->p, end ? (size_t)(end - rest->p) : rest->n};
    const size_t used = line.n + (end != NULL);
    *rest = (twx_slice){rest->p + used, rest->n - used};
    return line;
}

TEST(all_codes_mean_what_firefox_makes_of_them) {
    const char *folder = test_suite("encoding_rs", PACKAGED);
    if (!folder) skip();
    for (size_t i = 0; i < sizeof PAGES / sizeof *PAGES; i++) {
        twx_slice bytes, text;
        char *const files[] = {file_of(folder, PAGES[i].bytes, &bytes),
                               file_of(folder, PAGES[i].text, &text)};
        twx_slice wanted = text, got;
        size_t lines = 0, differ = 0, mistakes = 0;
        twx_ctx cx = {0};
        twx_buf room = {.max = 1 << 20};
        twx_decoded decoded;
        assert_ok(twx_decode(&cx, bytes, twx_slice_of(PAGES[i].label), false, &room, &decoded));
        for (got = decoded.text; wanted.n && got.n; lines++) {
            const twx_slice ours = next_line(&got), theirs = next_line(&wanted);
            if (twx_slice_eq(ours, theirs)) continue;
            const bool private = theirs.n && theirs.p[0] == '\xEE'; /* U+E000 to U+EFFF */
            if (++differ > PAGES[i].most_that_differ || !private)
                mistakes++, print_error("%s, line %zu: '%.*s', wanted '%.*s'\n", PAGES[i].bytes,
                                        lines + 1, (int)ours.n, ours.p, (int)theirs.n, theirs.p);
        }
        print_message("%s: %zu lines, %zu differ\n", PAGES[i].bytes, lines, differ);
        assert_int_equal(wanted.n + got.n, 0);
        assert_true(lines > PAGES[i].lines);
        assert_int_equal(mistakes, 0);
        twx_buf_done(&room);
        free(files[0]);
        free(files[1]);
    }
}

/* ---- labels ------------------------------------------------------------- */

/* WINDOWS_1252 is windows-1252. */
static bool is_name(const char *constant, const char *name) {
    for (; *constant && *name; constant++, name++)
        if ((*constant == '_' ? '-' : twx_lower(*constant)) !=
            (*name == '_' ? '-' : twx_lower(*name)))
            return false;
    return *constant == *name;
}

#define CALL "for_label(b"

TEST(all_labels_are_known) {
    const char *folder = test_suite("encoding_rs", PACKAGED);
    if (!folder) skip();
    twx_slice file;
    char *bytes = file_of(folder, "test_labels_names.rs", &file);
    size_t labels = 0;
    for (const char *at = bytes, *end = bytes + file.n;
         (at = memmem(at, (size_t)(end - at), CALL, sizeof CALL - 1));) {
        char text[300], label[100], constant[100];
        snprintf(text, sizeof text, "%.*s", (int)(end - at < 200 ? end - at : 200), at);
        at += sizeof CALL - 1;
        if (sscanf(text, CALL "\"%99[^\"]\"), Some(%99[A-Z0-9_]", label, constant) != 2) continue;
        const char *name = twx_encoding_name(twx_slice_of(label));
        labels++;
        if (!name || !is_name(constant, name))
            fail_msg("'%s' is %s, wanted %s", label, name ? name : "unknown", constant);
    }
    print_message("%zu labels\n", labels);
    assert_true(labels >= 228);
    free(bytes);
}
