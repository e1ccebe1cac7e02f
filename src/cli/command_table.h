/* cli/command_table.h: the commands of the program, one row each. --help, the manual pages and the
 * shell completion are made from the rows and from the prose in docs/commands (cli/prose.h); a
 * command itself is one function in one file, command_<name>.c.
 * Memory: all static. */
#ifndef TWX_CLI_COMMAND_TABLE_H
#define TWX_CLI_COMMAND_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct twx_session;

/* What a command needs before its function is called. */
typedef enum twx_command_kind {
    TWX_CLI_PURE, /* needs no store */
    /* needs settings; the arguments after the first are stores, which are opened */
    TWX_CLI_SETTINGS,
    TWX_CLI_MAKES, /* the first argument is a store that may not exist yet */
    TWX_CLI_READS, /* the first argument is a store, which is opened and only read */
    /* the same; the command changes twindex's own tables, so it continues when its output is
     * closed */
    TWX_CLI_WRITES
} twx_command_kind;

typedef struct twx_command {
    const char *name;
    int (*run)(struct twx_session *session); /* an exit code (twindex_result) */
    twx_command_kind kind;
    bool several; /* takes several stores, as a collection */
    /* with several: how many of the last arguments are no stores; own: of its options; NULL: 0 */
    size_t (*others)(const void *own);
    const char *arguments;            /* as --help shows them: "STORE FILE..." */
    const char *(*word_at)(size_t i); /* the words for STEP among them; NULL after the last */
    int least, most;                  /* number of arguments; most -1: unlimited */
    /* its own, besides those of its kind; ends with a row without a name */
    const struct twx_option *options;
    const void *defaults; /* of the struct that its own options write; NULL: it has none */
    size_t own_bytes;     /* size of that struct */
} twx_command;

const twx_command *twx_command_at(size_t i); /* NULL after the last */
/* The group of the command in the help, from 1: the hundreds of its place in the rows. */
size_t twx_command_group(size_t i);
const twx_command *twx_command_find(const char *name); /* NULL: none of that name */
const char *twx_command_near(const char *name);        /* the most similar name, or NULL */

#endif
