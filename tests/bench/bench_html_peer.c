/* What scripts/benchmark compares an import with: inflates WARC files and parses the HTML of
 * their responses with libxml2's SAX parser, on one thread, and keeps nothing. It shares no code
 * with Twindex. Usage: bench_html_peer FILE.warc.gz... Prints pages, MB of HTML and seconds (wall
 * clock). */
#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <zlib.h>

static size_t pages, html_bytes, characters, elements;

static void on_start(void *arg, const xmlChar *name, const xmlChar **attributes) {
    (void)arg, (void)name, (void)attributes;
    elements++;
}

static void on_characters(void *arg, const xmlChar *p, int n) {
    (void)arg, (void)p;
    characters += (size_t)n;
}

static void parse(char *html, size_t n) {
    htmlSAXHandler sax = {.startElement = on_start, .characters = on_characters, .initialized = 1};
    htmlParserCtxtPtr parser = htmlCreateMemoryParserCtxt(html, (int)n);
    if (!parser) exit(70);
    htmlCtxtUseOptions(parser, HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING);
    *parser->sax = sax;
    xmlSwitchEncoding(parser, XML_CHAR_ENCODING_UTF8);
    htmlParseDocument(parser);
    if (parser->myDoc) xmlFreeDoc(parser->myDoc);
    htmlFreeParserCtxt(parser);
    pages++;
    html_bytes += n;
}

/* The body of a response that is packed with gzip, unpacked into room. */
static size_t unpack(char *body, size_t n, char **room, size_t *room_n) {
    z_stream z = {.next_in = (Bytef *)body, .avail_in = (uInt)n};
    if (inflateInit2(&z, 15 + 16) != Z_OK) exit(70);
    for (int status = Z_OK; status == Z_OK;) {
        if (z.total_out == *room_n && !(*room = realloc(*room, *room_n = 2 * *room_n + (1 << 20))))
            exit(70);
        z.next_out = (Bytef *)*room + z.total_out;
        z.avail_out = (uInt)(*room_n - z.total_out);
        status = inflate(&z, Z_NO_FLUSH);
        if (status == Z_BUF_ERROR && z.avail_out == 0) status = Z_OK;
    }
    n = z.total_out;
    inflateEnd(&z);
    return n;
}

/* A header line of the HTTP head holds both words, in any case. */
static int says(const char *head, const char *name, const char *value) {
    const char *at = strcasestr(head, name), *end = at ? strpbrk(at, "\r\n") : NULL;
    const char *found = at ? strcasestr(at, value) : NULL;
    return found && end && found < end;
}

static void take_response(char *block, size_t n) {
    static char *room;
    static size_t room_n;
    char *end = memmem(block, n, "\r\n\r\n", 4);
    if (!end || !memmem(block, (size_t)(end - block), " 200", 4)) return;
    *end = '\0';
    char *body = end + 4;
    size_t body_n = n - (size_t)(body - block);
    if (!says(block, "content-type:", "html") || body_n == 0) return;
    if (says(block, "content-encoding:", "gzip")) {
        body_n = unpack(body, body_n, &room, &room_n);
        body = room;
    }
    if (body_n) parse(body, body_n);
}

static void read_file(const char *path) {
    char line[1 << 16], *block = NULL;
    size_t room = 0, length = 0;
    int response = 0;
    gzFile in = gzopen(path, "rb");
    if (!in) perror(path), exit(66);
    gzbuffer(in, 1 << 18);
    while (gzgets(in, line, sizeof line)) {
        if (strncmp(line, "WARC/", 5) == 0) response = 0;
        if (strncasecmp(line, "WARC-Type: response", 19) == 0) response = 1;
        if (strncasecmp(line, "Content-Length:", 15) == 0) length = strtoull(line + 15, NULL, 10);
        if (line[0] != '\r' || length == 0) continue;
        if (room < length && !(block = realloc(block, room = length))) exit(70);
        if (gzread(in, block, (unsigned)length) != (int)length) break;
        if (response) take_response(block, length);
        length = 0;
    }
    gzclose(in);
    free(block);
}

int main(int argc, char **argv) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 1; i < argc; i++) read_file(argv[i]);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%zu pages, %.1f MB of HTML, %.2f s\n", pages, (double)html_bytes / 1e6,
           (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9);
    return 0;
}
