/* cli/options.h: the options and arguments of a command. Each command has a table of its own
 * options, and each kind of command a common one; the parser (getopt_long), --help, the manual
 * pages and the completion script all use twx_option_at(). Most options set a setting and need no
 * code.
 * [R1] Options may come before, between and after arguments; "--" ends them.
 * [R2] An error names the option or argument, and the option that was probably meant. */
#ifndef TWX_CLI_OPTIONS_H
#define TWX_CLI_OPTIONS_H

#include "base/ctx.h"
#include "cli/command_table.h"

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

/* For rows that set a setting, a member of twx_options, or a member of the command's own struct. */
#define TWX_OPTION_SETTING(name, value) name, value, TWX_TO_SETTING, 0
#define TWX_OPTION_COMMON(kind, member) \
    NULL, NULL, TWX_TO_COMMON_##kind, offsetof(twx_options, member)
#define TWX_OPTION_OWN(kind, type, member) NULL, NULL, TWX_TO_##kind, offsetof(type, member)
#define TWX_OPTION_WIDE                                     \
    {                                                       \
        "wide", 'w', NULL, TWX_OPTION_COMMON(FLAG, wide),   \
            "do not cut lines at the width of the terminal" \
    }
#define TWX_OPTION_ACCEPT_MAPPING                                                     \
    {                                                                                 \
        "accept-mapping", 0, NULL, TWX_OPTION_SETTING("store.accept_mapping", "yes"), \
            "use the mapping that was found even if others fit too"                   \
    }
/* Of the commands that sign documents. */
#define TWX_OPTIONS_OF_SIGNING                                      \
    {"jobs", 'j', "N", TWX_OPTION_SETTING("run.jobs", NULL),        \
     "sign on N threads; 0, the default: one per processor"},       \
        {"compat", 0, "NAME", TWX_OPTION_SETTING("compat", NULL),   \
         "use the defaults of another program: yacy"},              \
        TWX_OPTION_ACCEPT_MAPPING, {                                \
        "no-check", 0, NULL, TWX_OPTION_SETTING("run.check", "no"), \
            "do not check the file for damage first"                \
    }
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
/* The same of a share, 0 to 1. Errors TWX_E_USAGE. */
TWX_CHECK twx_rc twx_options_share(twx_ctx *cx, const char *option, const char *text,
                                   double *ret_share);

#endif
