/* cli/command_table.h: the commands of the program, one row each. --help, the manual pages and the
 * completion of the shell are made from the rows; a command itself is one function in one file,
 * command_<name>.c.
 * Memory: all static. */
#ifndef TWX_CLI_COMMAND_TABLE_H
#define TWX_CLI_COMMAND_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct twx_session;

/* What is done before the function of a command is called, and what follows from it. */
typedef enum twx_command_kind {
    TWX_CLI_PURE,  /* needs no store */
    TWX_CLI_MAKES, /* the first argument is a store that may not exist yet */
    TWX_CLI_READS, /* the first argument is a store; it is opened, and looked at */
    /* the same; the command changes what twindex keeps, so it goes on when nobody reads its
     * output */
    TWX_CLI_WRITES
} twx_command_kind;

typedef struct twx_example {
    const char *command, *what;
} twx_example;

enum { TWX_EXAMPLES_MAX = 4 };

typedef struct twx_command {
    const char *name;
    int (*run)(struct twx_session *session); /* an exit code (twindex_result) */
    twx_command_kind kind;
    const char *arguments; /* as people read them: "STORE FILE..." */
    int least, most;       /* number of arguments; most -1: any */
    /* of its own, besides those of its kind; ends with a row without name */
    const struct twx_option *options;
    const char *summary; /* one line, no full stop */
    /* paragraphs, parted by an empty line; indented lines stand as they are */
    const char *description;
    twx_example examples[TWX_EXAMPLES_MAX]; /* ends with a row without command */
} twx_command;

const twx_command *twx_command_at(size_t i);           /* NULL behind the last */
const twx_command *twx_command_find(const char *name); /* NULL: none of that name */
const char *twx_command_near(const char *name);        /* what was probably meant, or NULL */

#endif
