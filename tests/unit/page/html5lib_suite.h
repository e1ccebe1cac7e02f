/* The files of html5lib-tests, the suite of those who wrote the HTML parsing standard's first
 * implementations, in a local copy: $TWINDEX_SUITES/html5lib-tests, by default beside the source
 * (../shared/suites). */
#ifndef TWINDEX_TEST_HTML5LIB_SUITE_H
#define TWINDEX_TEST_HTML5LIB_SUITE_H

#include "support.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "page/html_tokens.h"

static char suite[4096];

static inline bool have_suite(void) {
    const char *place = getenv("TWINDEX_SUITES");
    if (place)
        snprintf(suite, sizeof suite, "%s/html5lib-tests", place);
    else
        snprintf(suite, sizeof suite, "%s/../shared/suites/html5lib-tests", TWINDEX_SOURCE_DIR);
    DIR *folder = opendir(suite);
    if (folder) closedir(folder);
    return folder != NULL;
}

static char *read_whole(const char *path, size_t *ret_n) {
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("%s: cannot be read", path);
    fseek(f, 0, SEEK_END);
    const size_t n = (size_t)ftell(f);
    rewind(f);
    char *p = malloc(n + 1);
    *ret_n = fread(p, 1, n, f);
    p[*ret_n] = '\0';
    fclose(f);
    return p;
}

/* Calls fn for each file of a folder of the suite that ends with `ending`, in any order. */
static inline void each_file(const char *folder, const char *ending,
                             void (*fn)(const char *name, char *text, size_t n)) {
    char path[4600];
    snprintf(path, sizeof path, "%s/%s", suite, folder);
    DIR *d = opendir(path);
    if (!d) fail_msg("%s: cannot be read", path);
    for (struct dirent *e; (e = readdir(d));) {
        const size_t n = strlen(e->d_name), m = strlen(ending);
        if (n <= m || strcmp(e->d_name + n - m, ending) != 0) continue;
        char file[4900];
        size_t length = 0;
        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
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
