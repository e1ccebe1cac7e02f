#include "cli/page.h"

#include <string.h>

void twx_page_wrap(twx_page *page, const char *text, size_t n, size_t indent, size_t column) {
    bool begun = false;
    for (size_t i = 0; i < n;) {
        while (i < n && (text[i] == ' ' || text[i] == '\n')) i++;
        size_t from = i;
        while (i < n && text[i] != ' ' && text[i] != '\n') i++;
        if (i == from) break;
        bool breaks = begun && column + 1 + (i - from) > TWX_PAGE_COLUMNS;
        if (breaks)
            TWX_PAGE_PUT(page, "\n");
        else if (begun)
            TWX_PAGE_PUT(page, " ");
        column = breaks ? 0 : column + begun;
        if (column < indent) {
            TWX_PAGE_PUT(page, "%*s", (int)(indent - column), "");
            column = indent;
        }
        TWX_PAGE_PUT(page, "%.*s", (int)(i - from), text + from);
        column += i - from;
        begun = true;
    }
    TWX_PAGE_PUT(page, "\n");
}

void twx_page_parts(twx_page *page, const char *text, twx_page_part_fn *paragraph,
                    twx_page_part_fn *literal) {
    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t n = end ? (size_t)(end - text) : strlen(text);
        (text[0] == ' ' ? literal : paragraph)(page, text, n);
        text += end ? n + 2 : n;
    }
}
