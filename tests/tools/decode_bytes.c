/* Prints a file in UTF-8: decode_bytes LABEL FILE. For scripts/browser/compare_encodings.js. */

#include "page/page.h"

int main(int argc, char **argv) {
    twx_ctx cx = {0};
    twx_buf room = {.max = SIZE_MAX - 1};
    twx_decoded decoded;
    FILE *f = argc == 3 ? fopen(argv[2], "rb") : NULL;
    if (!f) {
        fprintf(stderr, "usage: decode_bytes LABEL FILE\n");
        return 64;
    }
    fseek(f, 0, SEEK_END);
    const size_t n = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(n + 1);
    const size_t got = fread(bytes, 1, n, f);
    fclose(f);
    if (twx_decode(&cx, (twx_slice){bytes, got}, twx_slice_of(argv[1]), false, &room, &decoded) !=
        TWX_OK)
        return 1;
    fwrite(decoded.text.p, 1, decoded.text.n, stdout);
    twx_buf_done(&room);
    free(bytes);
    return 0;
}
