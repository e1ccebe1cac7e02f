/* The files of html5lib-tests, the suite of those who wrote the HTML parsing standard's first
 * implementations (test_suite in support.h). */
#ifndef TWINDEX_TEST_HTML5LIB_SUITE_H
#define TWINDEX_TEST_HTML5LIB_SUITE_H

#include "support.h"

#include <dirent.h>
#include <jansson.h>

#include "page/internal.h"

/* With a NUL after the end. */
static char *read_whole(const char *path, size_t *ret_n) {
    char *p = test_read_file(path, ret_n);
    p = realloc(p, *ret_n + 1);
    assert_non_null(p);
    p[*ret_n] = '\0';
    return p;
}

/* Calls fn for each file of a folder that ends with `ending`, in any order. */
static inline void each_file(const char *folder, const char *ending,
                             void (*fn)(const char *name, char *text, size_t n)) {
    DIR *d = opendir(folder);
    if (!d) fail_msg("%s: cannot be read", folder);
    for (struct dirent *e; (e = readdir(d));) {
        const size_t n = strlen(e->d_name), m = strlen(ending);
        if (n <= m || strcmp(e->d_name + n - m, ending) != 0) continue;
        char file[4900];
        size_t length = 0;
        snprintf(file, sizeof file, "%s/%s", folder, e->d_name);
        char *text = read_whole(file, &length);
        fn(e->d_name, text, length);
        free(text);
    }
    closedir(d);
}

static int tested, deviating, unexpected;

/* As tree construction does: NUL in names, attributes, comments, RCDATA and so on becomes U+FFFD;
 * line ends are LF. */
static inline json_t *cleaned(twx_slice s, bool lower, bool references, bool keep_nul) {
    char *out = malloc(3 * s.n + 16);
    size_t n = 0;
    for (const char *p = s.p, *end = s.p + s.n; p < end;) {
        size_t bytes = 0,
               used = references && *p == '&' ? twx_char_ref(p, end, true, out + n, &bytes) : 0;
        if (used == 0) {
            used = bytes = 1;
            if (*p == '\0' && !keep_nul)
                bytes = twx_utf8_put(TWX_REPLACEMENT, out + n);
            else
                out[n] = lower ? twx_lower(*p) : *p;
        }
        n += bytes;
        p += used;
    }
    json_t *value = json_stringn_nocheck(out, n);
    free(out);
    return value;
}

/* Line ends as html.c makes them. */
static inline char *with_line_feeds(twx_slice input, size_t *ret_n) {
    char *exact = malloc(input.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < input.n; i++) {
        exact[n++] = input.p[i] == '\r' ? '\n' : input.p[i];
        if (input.p[i] == '\r' && i + 1 < input.n && input.p[i + 1] == '\n') i++;
    }
    *ret_n = n;
    return exact;
}

#endif
