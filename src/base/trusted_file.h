/* base/trusted_file.h: whether others could have written a file that decides what the program does.
 * Settings name files to read and write and contain SQL, so those of a stranger must not be obeyed.
 * [R1] The owner of the file is the user who runs the program, or root.
 * [R2] No other user may write to it. A group may if it is the private group of the runner: their
 * primary group, of the same name and without other members (umask 002). For root no group may.
 * [R3] A file that the program has looked for must also be in a folder of which [R1] and [R2] hold,
 * because whoever writes to the folder chooses the file. For users other than root a folder with
 * the sticky bit, such as /tmp, is fine: there nobody can replace files of others. A symbolic link
 * must be owned like the file.
 * [R4] A file that the user named on the command line is their choice: it is checked for root only,
 * and only against [R1] and [R2].
 * The checks look at opened descriptors, so what is checked is what is read. */
#ifndef TWX_BASE_TRUSTED_FILE_H
#define TWX_BASE_TRUSTED_FILE_H

#include "base/ctx.h"

typedef enum twx_file_origin {
    TWX_FILE_FOUND,  /* the program looked for it [R3] */
    TWX_FILE_NAMED,  /* a setting names it */
    TWX_FILE_CHOSEN, /* an option of the command line names it [R4] */
} twx_file_origin;

/* Checks the opened file. Errors TWX_E_CONFIG, which names the file, the reason and what to do. */
TWX_CHECK twx_rc twx_file_trust(twx_ctx *cx, const char *path, int fd, twx_file_origin origin);
/* Opens the file that the program has looked for, and checks it and its folder. *ret_fd -1: there
 * is none. Errors TWX_E_IO; TWX_E_CONFIG as above. */
TWX_CHECK twx_rc twx_file_open_found(twx_ctx *cx, const char *path, int *ret_fd);

#endif
