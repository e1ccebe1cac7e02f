#include "cli/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"

enum { PATH_BYTES = 1 << 16, MODE = 0666, READABLE = 0644 };

/* May the file be replaced by another one? Not a device or a pipe, and not what a symbolic link
 * names: /dev/stdout is a link, whatever it leads to. */
static bool is_replaceable(const char *path) {
    struct stat st;
    return lstat(path, &st) != 0 || (S_ISREG(st.st_mode) && st.st_nlink == 1);
}

static char *part_name(twx_ctx *cx, const char *path) {
    twx_buf name;
    twx_buf_init(&name, PATH_BYTES);
    twx_rc rc = twx_buf_printf(cx, &name, "%s.part-%ld", path, (long)getpid());
    char *copy = rc == TWX_OK ? twx_strdup(cx, name.p) : NULL;
    twx_buf_done(&name);
    return copy;
}

/* A file that may be replaced, or that does not exist yet, gets its new content under another
 * name. A file that may be written but not replaced fails as one that may not be written. */
static FILE *open_file(twx_output_file *f) {
    if (!f->part) return fopen(f->path, "we");
    if (access(f->path, F_OK) == 0 && access(f->path, W_OK) != 0) return NULL;
    const int fd = open(f->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, MODE);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (fd >= 0 && !file) {
        close(fd);
        unlink(f->part);
    }
    return file;
}

twx_rc twx_output_file_open(twx_ctx *cx, const char *path, twindex_format format,
                            twx_output_file *ret_file) {
    twx_output_file *f = ret_file;
    *f = (twx_output_file){.path = path};
    if (is_replaceable(path) && !(f->part = part_name(cx, path))) return TWX_E_NOMEM;
    f->out.file = open_file(f);
    if (!f->out.file) {
        const twx_rc rc = twx_fail(cx, TWX_E_CREATE, "create %.300s: %s", path, strerror(errno));
        twx_free(f->part);
        return rc;
    }
    f->sink = (twindex_sink){.write = twx_stdout_write, .arg = &f->out, .format = format};
    return TWX_OK;
}

void twx_output_file_set_readable(twx_output_file *f) {
    if (f->part) (void)!fchmod(fileno(f->out.file), READABLE);
}

int twx_output_file_finish(twx_ctx *cx, twx_output_file *f, int result) {
    result = twx_stdout_finish(&f->out, result);
    if (fclose(f->out.file) != 0 && !f->out.error) f->out.error = errno;
    const bool written = !f->out.error && (result == TWINDEX_OK || result == TWINDEX_DOUBT);
    if (written && f->part && rename(f->part, f->path) != 0) f->out.error = errno;
    if (f->part && (!written || f->out.error)) unlink(f->part);
    twx_free(f->part);
    if (!f->out.error) return result;
    return twx_rc_exit(twx_fail(cx, TWX_E_IO, "write %.300s: %s", f->path, strerror(f->out.error)));
}
