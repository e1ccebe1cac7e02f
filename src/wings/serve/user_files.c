#include "serve/user_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash64.h"
#include "run/json_values.h"

/* A pipe or a device could block or never end. */
twx_rc twx_user_file_read(twx_ctx *cx, const char *path, twx_buf *ret_bytes) {
    struct stat st;
    twx_buf_init(ret_bytes, TWX_USER_FILE_BYTES);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT) return TWX_OK;
    if (fd < 0 || fstat(fd, &st) != 0) {
        const twx_rc rc = twx_fail(cx, TWX_E_IO, "read %.300s: %s", path, strerror(errno));
        if (fd >= 0) close(fd);
        return rc;
    }
    twx_rc rc = S_ISREG(st.st_mode)
                    ? twx_buf_add_file(cx, ret_bytes, path, fd, TWX_E_IO)
                    : twx_fail(cx, TWX_E_DATA, "%.300s is not a regular file", path);
    close(fd);
    return rc;
}

void twx_user_file_version(twx_slice bytes, char ret_version[TWX_VERSION_ROOM]) {
    snprintf(ret_version, TWX_VERSION_ROOM, "%016" PRIx64, twx_hash64(bytes, 0));
}

twx_rc twx_user_file_json(twx_ctx *cx, const char *path, json_t **ret_json) {
    char version[TWX_VERSION_ROOM];
    twx_buf bytes;
    twx_rc rc = twx_user_file_read(cx, path, &bytes);
    twx_user_file_version(twx_buf_slice(&bytes), version);
    if (rc == TWX_OK)
        *ret_json = json_pack("{s:o, s:o, s:s}", "name", twx_json_text(path), "text",
                              twx_json_slice(twx_buf_slice(&bytes)), "version", version);
    twx_buf_done(&bytes);
    return rc;
}
