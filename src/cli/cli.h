/* cli/cli.h: the program. */
#ifndef TWX_CLI_CLI_H
#define TWX_CLI_CLI_H

#include <limits.h>

#include "base/base.h"
#include "option_rows.h"
#include "rows.h"
#include "twindex/twindex.h"

/* command_table (options.c): the commands of the program, one row each. --help, the manual pages
 * and the shell completion are made from the rows and from the prose in docs/commands (cli/help.c).
 * Memory: all static. */

struct twx_session;

/* What a command needs before its function is called. */
typedef enum twx_command_kind {
    TWX_CLI_PURE, /* needs no store */
    /* needs settings; the arguments after the first are stores, which are opened */
    TWX_CLI_SETTINGS,
    TWX_CLI_READS, /* the first argument is a store, which is opened and only read */
    /* the same; the command changes twindex's own tables, so it continues when its output is
     * closed, as those do that follow */
    TWX_CLI_WRITES,
    TWX_CLI_FILLS, /* the same; changes documents, so there is no --flags */
    TWX_CLI_MAKES, /* the same; the store may not exist yet */
} twx_command_kind;

typedef struct twx_command {
    const char *name;
    twx_command_kind kind;
    /* as --help shows them and as they are counted: "STORE FILE... [WORD]"; with "STORE..." the
     * command takes several stores, as a collection */
    const char *arguments;
    /* what it does: a call of the library alone, or a function; an exit code (twindex_result) */
    int (*call)(twindex *t, const twindex_sink *out);
    int (*run)(struct twx_session *session);
    bool unlimited; /* takes more arguments than it shows */
    /* of "STORE...", how many of the last arguments are no stores, by its own options; NULL: as
     * many as must follow */
    size_t (*others)(const void *own);
    const char *(*word_at)(size_t i); /* the words for STEP among them; NULL after the last */
    /* its own, besides those of its kind; ends with a row without a name */
    const struct twx_option *options;
    size_t own_bytes;     /* size of the struct that its own options write; 0: it has none */
    const void *defaults; /* of that struct; NULL: zeros */
} twx_command;

/* The row of a command: TWX_COMMAND(diff, READS, "STORE...", .run = diff, ...). */
#define TWX_COMMAND(word, access, shown, ...) \
    const twx_command twx_command_##word = {  \
        .name = #word, .kind = TWX_CLI_##access, .arguments = shown, __VA_ARGS__}
#define TWX_COMMAND_OWN(own) .defaults = &(own), .own_bytes = sizeof(own)
#define TWX_COMMAND_DEFAULTS(type, ...) \
    .defaults = &(const type){__VA_ARGS__}, .own_bytes = sizeof(type)
/* Parts of options.tsv. */
#define TWX_COMMAND_OPTIONS(...)      \
    .options = (const twx_option[]) { \
        __VA_ARGS__ TWX_OPTION_END    \
    }

/* The number of arguments that a command needs, and that it takes at most (-1: any number). */
int twx_command_least(const twx_command *command);
int twx_command_most(const twx_command *command);
const twx_command *twx_command_at(size_t i); /* NULL after the last */
/* The group of the command in the help, from 1: the hundreds of its place in the rows. */
size_t twx_command_group(size_t i);
const twx_command *twx_command_find(const char *name); /* NULL: none of that name */
const char *twx_command_near(const char *name);        /* the most similar name, or NULL */

/* commands: the commands, in the order in which a new user meets them: the rows of
 * commands.rows and of the wings. The prose of each is docs/commands/<name>.txt. */

#define TWX_COMMAND_DECLARE(name, group) extern const twx_command twx_command_##name;
TWX_COMMAND_ROWS(TWX_COMMAND_DECLARE)

/* console.c: standard error: messages, and one line of progress that is redrawn in place.
 * [R1] Progress is drawn on a terminal only, at most ten times a second, and erased at the end.
 * [R2] quiet: only warnings and errors. verbose: details, too.
 * [R3] If the file is the journal of systemd (JOURNAL_STREAM), each line begins with its priority:
 * <3> an error, <4> a warning, <5> a note, <6> a detail (sd-daemon(3)).
 * Memory: embedded struct; command is borrowed. */

enum { TWX_PROGRESS_BYTES = 256 };

typedef struct twx_console {
    FILE *file;
    const char *command; /* NULL: the program itself */
    bool quiet, verbose;
    bool terminal, colours; /* colours: a terminal, and NO_COLOR is not set (no-color.org) */
    bool journal;           /* the file is the journal of systemd */
    bool drawn;             /* a progress line is on the terminal */
    char stage[64];         /* of the last progress, truncated */
    double stage_began, last_drawn; /* seconds of the monotonic clock */
} twx_console;

twx_console twx_console_of(FILE *file);
/* A line "twindex run: ...". */
void twx_console_say(twx_console *c, const char *fmt, ...) TWX_PRINTF(2, 3);
/* Callbacks of the library; arg is a twx_console. */
void twx_console_message(void *arg, twindex_level level, const char *text);
void twx_console_progress(void *arg, const twindex_progress *progress);
/* Whether it is a terminal that shows colours and can show links (OSC 8). */
bool twx_console_links(FILE *file);
/* Width of the terminal; 0: `file` is not a terminal. */
unsigned twx_terminal_columns(FILE *file);
/* Writes text with a question mark for each control character but tab and line feed: a terminal
 * would obey escape sequences that a crawled page put into its URL or title. False: errno says why
 * it failed. */
TWX_CHECK bool twx_terminal_write(FILE *file, const char *bytes, size_t n);
/* Erases the progress line. */
void twx_console_clear(twx_console *c);
/* "sign: 1200 of 5000 documents, 24 %, 600/s, 6 s left", cut to size; `seconds`: of the stage. */
void twx_progress_line(const twindex_progress *p, double seconds, char *line, size_t size);

/* options.c: the options and arguments of a command. Each command has a table of its own options,
 * and each kind of command a common one; the parser (getopt_long), --help, the manual pages and the
 * completion script all use twx_option_at(). Most options set a setting and need no code.
 * [R1] Options may come before, between and after arguments; "--" ends them.
 * [R2] An error names the option or argument, and the option that was probably meant. */

/* What an option writes, besides a setting: a member of twx_options, or one of the command's own
 * struct (twx_command.own_bytes). */
typedef enum twx_option_target {
    TWX_TO_SETTING, /* nothing else */
    TWX_TO_COMMON_FLAG,
    TWX_TO_COMMON_TEXT,
    TWX_TO_FLAG,     /* bool */
    TWX_TO_TEXT,     /* const char *, borrowed from argv */
    TWX_TO_TEXTS,    /* twx_texts: the option may be repeated */
    TWX_TO_NUMBER,   /* size_t */
    TWX_TO_NUMBER64, /* uint64_t */
    TWX_TO_SHARE     /* double, 0 to 1 */
} twx_option_target;

enum { TWX_TEXTS_MAX = 32 };
/* The arguments of an option that may be repeated, borrowed from argv. */
typedef struct twx_texts {
    const char *at[TWX_TEXTS_MAX];
    size_t n;
} twx_texts;

typedef struct twx_option {
    const char *name;     /* without the dashes */
    char letter;          /* '\0': none */
    const char *argument; /* "FILE"; NULL: it takes none */
    const char *setting;  /* the option sets this setting ... */
    const char *value;    /* ... to this value; NULL: to its argument */
    twx_option_target target;
    size_t field;     /* offset of the member in the struct of the target */
    const char *help; /* one sentence, no full stop; NULL: undocumented */
} twx_option;

/* The end of a table; its rows are parts of options.tsv and of the command_*.tsv of wings. */
#define TWX_OPTION_END \
    { NULL, 0, NULL, NULL, NULL, TWX_TO_SETTING, 0, NULL }

/* A setting as the command line gives it, in the order of the command line. */
typedef struct twx_assignment {
    const twx_option *option;
    char *name; /* owned */
    const char *value;
} twx_assignment;

/* Memory: embedded struct; arguments and values are borrowed from argv, own is owned. */
typedef struct twx_options {
    char **arguments;
    int arguments_n;
    twx_assignment *assignments;
    size_t assignments_n;
    const char *config;
    bool help, json, quiet, verbose, wide;
    void *own; /* the command's own struct, own_bytes long; NULL: it has none */
} twx_options;

/* The options of a command, its own first; NULL after the last. */
const twx_option *twx_option_at(const twx_command *command, size_t i);
/* Parses the options and arguments after argv[0], the name of the command. argv is reordered:
 * arguments last.
 * Errors TWX_E_USAGE, naming the option or argument; TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_options_parse(twx_ctx *cx, const twx_command *command, int argc, char **argv,
                                   twx_options *ret_options);
void twx_options_done(twx_options *o);
/* The number that is the argument of an option. Errors TWX_E_USAGE. */
TWX_CHECK twx_rc twx_options_number(twx_ctx *cx, const char *option, const char *text,
                                    size_t *ret_number);

/* stdout_sink (console.c): standard output as the library's sink, and the exit code when it cannot
 * be written.
 * [R1] When the reader closes the pipe ('twindex groups STORE | head'), output ends without a
 * message: a command that reads exits with 0, a command that writes to a store finishes its work
 * and exits as it would have.
 * [R2] Any other failure is reported once and gives exit code 74; a command that writes to a store
 * finishes its work first.
 * Memory: embedded struct. */

typedef struct twx_stdout {
    FILE *file;
    bool terminal; /* control characters are replaced */
    bool muted;    /* accepts and discards all bytes */
    bool patient;  /* the caller continues when output fails */
    bool closed;   /* the reader closed the pipe */
    int error;     /* errno of another failure; 0: none */
} twx_stdout;

/* A twindex_write_fn; arg is a twx_stdout. */
int twx_stdout_write(void *arg, const char *bytes, size_t n);
/* A twindex_link_fn, by the escape sequence OSC 8 of terminal emulators. Bytes that are not
 * printable ASCII are percent-encoded, so that no URL ends it. */
int twx_stdout_link(void *arg, const char *url, size_t n);
int twx_stdout_print(twx_stdout *out, const char *text);
/* Flushes the buffer; returns the exit code of a call that returned `result`. */
int twx_stdout_finish(twx_stdout *out, int result);

/* Whether it is a regular file with the head of an SQLite database. */
bool twx_is_database(const char *path);

/* output_file (console.c): a file that a command writes besides standard output.
 * [R1] The file is opened before the work, so that a path that cannot be written fails at once.
 * [R2] A regular file is written under a temporary name and renamed at the end: after an error the
 * file is what it was before; so is the target of a symbolic link. A device, a pipe, and a file
 * with several names are written directly.
 * [R3] A file that replaces another one has its permissions, and its owner and group as far as the
 * process may set them. If the group cannot be set, the group gets the permissions of others. The
 * temporary file never has more permissions than that.
 * [R4] An SQLite database is never overwritten: it is a store that was named in the place of FILE.
 * [R5] A process that is killed leaves its temporary file, FILE.part-PID. The next one that writes
 * FILE removes it.
 * Memory: embedded struct; twx_output_file_finish() releases everything. */

typedef struct twx_output_file {
    twx_stdout out;
    const char *path;      /* borrowed */
    char target[PATH_MAX]; /* of a symbolic link; "": it is not one */
    char *part;            /* the temporary name; NULL: written directly */
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

/* store_list (options.c): the stores that the arguments of a command name: paths, and @FILE for a
 * file of paths, one a line; blank lines and lines that begin with # are left out.
 * Memory: embedded struct; names are owned. */

typedef struct twx_store_list {
    TWX_VEC(char *) at;
} twx_store_list;

/* Adds what one argument names. Errors TWX_E_USAGE: the file cannot be read, or has no name. */
TWX_CHECK twx_rc twx_store_list_add(twx_ctx *cx, twx_store_list *list, const char *argument);
void twx_store_list_done(twx_store_list *list);
/* Whether the stores are in one directory, as far as their names show. */
bool twx_store_list_is_in_one_folder(const twx_store_list *list);

/* session.c: the state of one command: its options, the library, and both outputs.
 * Settings are applied in this order, later ones win: defaults, the configuration file, the
 * environment, options.
 * Memory: embedded struct; all of it is owned, except argv, which the options point into. */

typedef struct twx_session {
    const twx_command *command;
    twx_options options;
    char **arguments; /* after the store, if the command has one */
    size_t arguments_n;
    const char *store; /* the first of `stores`; NULL: the command needs none */
    twx_store_list stores;
    char *config;     /* without --config: twindex.conf beside the store, if any; owned */
    bool config_maps; /* it was found and has a mapping */
    twx_ctx cx;       /* errors of the program itself */
    twindex *t;
    twx_stdout out;
    twindex_sink sink; /* writes to out */
    twx_console console;
} twx_session;

/* --csv: the sink writes CSV, uncut. Errors TWX_E_USAGE: with --json. */
TWX_CHECK twx_rc twx_session_csv(twx_session *s);

enum { TWX_ENVIRONMENT_NAME_BYTES = 128 };
/* "fuzzy.quant_rate" -> "TWINDEX_FUZZY_QUANT_RATE", truncated to the buffer. */
void twx_environment_name(const char *setting, char ret_name[TWX_ENVIRONMENT_NAME_BYTES]);

#endif
