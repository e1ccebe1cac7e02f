/* cli/output_file.h: a file that a command writes besides standard output.
 * [R1] The file is opened before the work, so that a path that cannot be written fails at once.
 * [R2] A regular file is written under a temporary name and renamed at the end: after an error the
 * file is what it was before. A device, a pipe, and a file with several names or behind a symbolic
 * link are written directly.
 * [R3] A file that replaces another one has its permissions, and its owner and group as far as the
 * process may set them. If the group cannot be set, the group gets the permissions of others. The
 * temporary file never has more permissions than that.
 * [R4] An SQLite database is never overwritten: it is a store that was named in the place of FILE.
 * [R5] A process that is killed leaves its temporary file, FILE.part-PID. The next one that writes
 * FILE removes it.
 * Memory: embedded struct; twx_output_file_finish() releases everything. */
#ifndef TWX_CLI_OUTPUT_FILE_H
#define TWX_CLI_OUTPUT_FILE_H

#include "base/ctx.h"
#include "cli/stdout_sink.h"

typedef struct twx_output_file {
    twx_stdout out;
    const char *path; /* borrowed */
    char *part;       /* the temporary name; NULL: written directly */
    twindex_sink sink;
} twx_output_file;

/* Errors TWX_E_CREATE, TWX_E_USAGE (a database), naming the path. */
TWX_CHECK twx_rc twx_output_file_open(twx_ctx *cx, const char *path, twindex_format format,
                                      twx_output_file *ret_file);
/* Lets all users read the file, whatever the umask; for files that another program collects. */
void twx_output_file_set_readable(twx_output_file *f);
/* result: of the call that wrote. Returns the exit code of the command; after an error of the file
 * the message is in cx. */
int twx_output_file_finish(twx_ctx *cx, twx_output_file *f, int result);

#endif
