#include "ingest/zip.h"

#include <zip.h>

#include "base/alloc.h"

struct twx_zip {
    twx_ctx *cx;
    char *path;
    zip_t *archive;
    zip_file_t *file; /* the open member */
    twx_input *input;
    zip_int64_t n, next;
    uint64_t done, total;
};

/* Compressed size of a member; 0 if it is unknown. */
static uint64_t packed_size(twx_zip *z, zip_int64_t i) {
    zip_stat_t st;
    if (zip_stat_index(z->archive, (zip_uint64_t)i, 0, &st) != 0 ||
        !(st.valid & ZIP_STAT_COMP_SIZE))
        return 0;
    return st.comp_size;
}

twx_rc twx_zip_open(twx_ctx *cx, const char *path, twx_zip **ret_zip) {
    int code = 0;
    twx_zip *z = twx_calloc(cx, 1, sizeof *z);
    if (!z) return TWX_E_NOMEM;
    z->cx = cx;
    z->path = twx_strdup(cx, path);
    z->archive = z->path ? zip_open(path, ZIP_RDONLY, &code) : NULL;
    if (!z->archive) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        twx_rc rc = z->path ? twx_fail(cx, TWX_E_DATA, "%s: a damaged ZIP archive: %s", path,
                                       zip_error_strerror(&error))
                            : TWX_E_NOMEM;
        zip_error_fini(&error);
        twx_zip_close(z);
        return rc;
    }
    z->n = zip_get_num_entries(z->archive, 0);
    for (zip_int64_t i = 0; i < z->n; i++) z->total += packed_size(z, i);
    *ret_zip = z;
    return TWX_OK;
}

static void close_member(twx_zip *z) {
    twx_input_close(z->input);
    z->input = NULL;
    if (z->file) zip_fclose(z->file);
    z->file = NULL;
}

void twx_zip_close(twx_zip *z) {
    if (!z) return;
    close_member(z);
    if (z->archive) zip_discard(z->archive);
    twx_free(z->path);
    twx_free(z);
}

static twx_rc read_member(void *arg, void *to, size_t room, size_t *ret_n) {
    twx_zip *z = arg;
    zip_int64_t n = zip_fread(z->file, to, room);
    if (n < 0)
        return twx_fail(z->cx, TWX_E_DATA, "%s: %s", twx_input_name(z->input),
                        zip_file_strerror(z->file));
    *ret_n = (size_t)n;
    return TWX_OK;
}

twx_rc twx_zip_next(twx_zip *z, twx_input **ret_input, twx_slice *ret_name) {
    const twx_input_source source = {read_member, z};
    for (; z->next < z->n; z->next++) {
        const zip_uint64_t i = (zip_uint64_t)z->next;
        const char *name = zip_get_name(z->archive, i, 0);
        twx_slice member = twx_slice_of(name);
        close_member(z);
        if (member.n == 0 || member.p[member.n - 1] == '/') continue; /* a directory */
        z->file = zip_fopen_index(z->archive, i, 0);
        if (!z->file)
            return twx_fail(z->cx, TWX_E_DATA, "%s: member %.300s: %s", z->path, name,
                            zip_strerror(z->archive));
        char *place = twx_sprintf(z->cx, "%s: %.300s", z->path, name);
        twx_rc rc = place ? twx_input_of_source(z->cx, place, &source, &z->input) : TWX_E_NOMEM;
        twx_free(place);
        if (rc != TWX_OK) return rc;
        z->done += packed_size(z, z->next++);
        *ret_input = z->input;
        *ret_name = member;
        return TWX_OK;
    }
    close_member(z);
    return TWX_DONE;
}

void twx_zip_progress(const twx_zip *z, uint64_t *ret_done, uint64_t *ret_total) {
    *ret_done = z->done;
    *ret_total = z->total;
}
