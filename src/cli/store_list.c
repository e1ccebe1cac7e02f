#include "cli/store_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static twx_rc push(twx_ctx *cx, twx_store_list *list, const char *name, size_t n) {
    char *copy = twx_strndup(cx, name, n);
    if (copy && TWX_VEC_PUSH(cx, &list->at, copy)) return TWX_OK;
    twx_free(copy);
    return TWX_E_NOMEM;
}

static twx_rc add_line(twx_ctx *cx, twx_store_list *list, const char *line) {
    static const char BLANKS[] = " \t\r\n";
    line += strspn(line, BLANKS);
    size_t n = strlen(line);
    while (n > 0 && strchr(BLANKS, line[n - 1])) n--;
    return n == 0 || line[0] == '#' ? TWX_OK : push(cx, list, line, n);
}

static twx_rc fail_unread(twx_ctx *cx, const char *path, int error) {
    return twx_fail(cx, TWX_E_USAGE, "@%s: the file of stores cannot be read: %s", path,
                    strerror(error));
}

static twx_rc add_file(twx_ctx *cx, twx_store_list *list, const char *path) {
    const size_t before = list->at.n;
    char *line = NULL;
    size_t room = 0;
    twx_rc rc = TWX_OK;
    FILE *file = fopen(path, "re");
    if (!file) return fail_unread(cx, path, errno);
    while (rc == TWX_OK && getline(&line, &room, file) >= 0) rc = add_line(cx, list, line);
    if (rc == TWX_OK && ferror(file)) rc = fail_unread(cx, path, errno);
    free(line); /* style: getline allocated it */
    fclose(file);
    if (rc == TWX_OK && list->at.n == before)
        rc = twx_fail(cx, TWX_E_USAGE, "@%s: the file names no store: it has one path in each line",
                      path);
    return rc;
}

twx_rc twx_store_list_add(twx_ctx *cx, twx_store_list *list, const char *argument) {
    return argument[0] == '@' ? add_file(cx, list, argument + 1)
                              : push(cx, list, argument, strlen(argument));
}

void twx_store_list_done(twx_store_list *list) {
    for (size_t i = 0; i < list->at.n; i++) twx_free(list->at.at[i]);
    TWX_VEC_DONE(&list->at);
}

static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

bool twx_store_list_is_in_one_folder(const twx_store_list *list) {
    for (size_t i = 1; i < list->at.n; i++) {
        const size_t n = folder_length(list->at.at[0]);
        if (folder_length(list->at.at[i]) != n || memcmp(list->at.at[i], list->at.at[0], n) != 0)
            return false;
    }
    return true;
}
