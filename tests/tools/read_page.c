/* Prints what the reader of src/page makes of pages, for scripts/compare-browser. Each line of
 * standard input is FILE TAB CHARSET-OF-THE-HEADER (may be empty); each line of output is a JSON
 * object: encoding, title (null: none), text, headings. */
#include <jansson.h>

#include "page/page.h"

static twx_slice read_file(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        exit(1);
    }
    fseek(f, 0, SEEK_END);
    const long n = ftell(f);
    if (n < 0 || n > 1L << 30) {
        fprintf(stderr, "%s: not a file that can be read\n", path);
        exit(1);
    }
    rewind(f);
    char *p = malloc(n > 0 ? (size_t)n : 1); /* no slack, so that a sanitizer sees an over-read */
    const size_t got = fread(p, 1, n > 0 ? (size_t)n : 0, f);
    fclose(f);
    return (twx_slice){p, got};
}

static json_t *string_of(const twx_buf *b) {
    return json_stringn(b->n ? b->p : "", b->n);
}

int main(void) {
    char line[8192];
    twx_ctx cx = {0};
    twx_html page;
    twx_html_init(&page, 64 << 20);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        char *charset = strchr(line, '\t');
        if (charset) *charset++ = '\0';
        const twx_slice bytes = read_file(line);
        const twx_slice label = charset && *charset ? twx_slice_of(charset) : (twx_slice){NULL, 0};
        if (twx_html_parse(&cx, bytes, label, NULL, &page) != TWX_OK) {
            fprintf(stderr, "%s: %s\n", line, cx.message);
            return 1;
        }
        json_t *out = json_pack("{s:s, s:o, s:o, s:o}", "encoding", page.encoding, "title",
                                page.has_title ? string_of(&page.title) : json_null(), "text",
                                string_of(&page.text), "headings", string_of(&page.headings));
        json_dumpf(out, stdout, JSON_COMPACT);
        putchar('\n');
        json_decref(out);
        free((void *)(uintptr_t)bytes.p);
    }
    twx_html_done(&page);
    return 0;
}
