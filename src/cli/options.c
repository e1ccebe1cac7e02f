#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>

/* ==== command_table */

#define COMMAND_ADDRESS(name, group) &twx_command_##name,
#define COMMAND_GROUP(name, group)   group,

static const twx_command *const COMMANDS[] = {TWX_COMMAND_ROWS(COMMAND_ADDRESS)};
static const size_t GROUPS[] = {TWX_COMMAND_ROWS(COMMAND_GROUP)};

const twx_command *twx_command_at(size_t i) {
    return i < TWX_COUNTOF(COMMANDS) ? COMMANDS[i] : NULL;
}

size_t twx_command_group(size_t i) {
    return GROUPS[i];
}

const twx_command *twx_command_find(const char *name) {
    for (size_t i = 0; i < TWX_COUNTOF(COMMANDS); i++)
        if (strcmp(COMMANDS[i]->name, name) == 0) return COMMANDS[i];
    return NULL;
}

const char *twx_command_near(const char *name) {
    twx_nearest near = twx_nearest_of(name);
    for (size_t i = 0; i < TWX_COUNTOF(COMMANDS); i++) twx_nearest_try(&near, COMMANDS[i]->name);
    return near.name;
}

int twx_command_least(const twx_command *command) {
    int n = 0;
    for (const char *word = command->arguments; *word; word += strspn(word, " ")) {
        n += *word != '[';
        word += strcspn(word, " ");
    }
    return n;
}

int twx_command_most(const twx_command *command) {
    int n = 0;
    if (command->unlimited || strstr(command->arguments, "...")) return -1;
    for (const char *word = command->arguments; *word; word += strspn(word, " "), n++)
        word += strcspn(word, " ");
    return n;
}

/* ==== store_list */

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

/* ==== options */

enum {
    OPTIONS_MAX = 32,
    LONG_ONLY = 256
}; /* a long option's value for getopt: LONG_ONLY + its place */

static const twx_option OF_ALL[] = {TWX_ALL_OPTIONS TWX_OPTION_END};

static const twx_option OF_STORES[] = {TWX_STORES_OPTIONS TWX_OPTION_END};

static const twx_option OF_SETTINGS[] = {TWX_SETTINGS_OPTIONS TWX_OPTION_END};

static const twx_option *of_kind(twx_command_kind kind) {
    if (kind == TWX_CLI_PURE) return NULL;
    return kind == TWX_CLI_SETTINGS ? OF_SETTINGS : OF_STORES;
}

/* Commands that neither read nor write flags have no option for them. */
static bool takes(const twx_command *command, const twx_option *o) {
    return command->kind < TWX_CLI_FILLS || !o->setting || strcmp(o->setting, "store.flags") != 0;
}

const twx_option *twx_option_at(const twx_command *command, size_t i) {
    const twx_option *tables[] = {command->options, of_kind(command->kind), OF_ALL};
    for (size_t t = 0; t < TWX_COUNTOF(tables); t++)
        for (const twx_option *o = tables[t]; o && o->name; o++)
            if (takes(command, o) && i-- == 0) return o;
    return NULL;
}

/* The tables in the form that getopt_long() needs. */
typedef struct getopt_tables {
    const twx_option *options[OPTIONS_MAX];
    struct option longs[OPTIONS_MAX + 1];
    char letters[2 * OPTIONS_MAX + 2];
} getopt_tables;

static void fill_tables(const twx_command *command, getopt_tables *ret_tables) {
    getopt_tables *t = ret_tables;
    *t = (getopt_tables){
        .letters = ":"}; /* ':' distinguishes a missing argument from an unknown option */
    size_t letters = 1;
    for (size_t i = 0; i < OPTIONS_MAX && (t->options[i] = twx_option_at(command, i)); i++) {
        const twx_option *o = t->options[i];
        t->longs[i] = (struct option){o->name, o->argument ? required_argument : no_argument, NULL,
                                      LONG_ONLY + (int)i};
        if (!o->letter) continue;
        t->letters[letters++] = o->letter;
        if (o->argument) t->letters[letters++] = ':';
    }
}

/* The option with this value of getopt; NULL: none. */
static const twx_option *option_of(const getopt_tables *t, int value) {
    if (value >= LONG_ONLY && value < LONG_ONLY + OPTIONS_MAX) return t->options[value - LONG_ONLY];
    for (size_t i = 0; i < OPTIONS_MAX && t->options[i]; i++)
        if (t->options[i]->letter && t->options[i]->letter == value) return t->options[i];
    return NULL;
}

/* --set NAME=VALUE has the setting's name in its argument, other options have it in their row. */
static twx_rc assign(twx_ctx *cx, const twx_option *option, const char *argument, twx_options *o) {
    twx_assignment a = {.option = option, .value = option->value ? option->value : argument};
    const char *name = option->setting;
    size_t length = strlen(name);
    if (length == 0) {
        name = argument;
        length = strcspn(argument, "=");
        if (length == 0 || argument[length] == '\0')
            return twx_fail(cx, TWX_E_USAGE, "--%s takes NAME=VALUE, not '%.100s'", option->name,
                            argument);
        a.value = argument + length + 1;
    }
    a.name = twx_strndup(cx, name, length);
    if (!a.name) return TWX_E_NOMEM;
    o->assignments[o->assignments_n++] = a; /* allocated for all of argv */
    return TWX_OK;
}

static twx_rc add_text(twx_ctx *cx, const twx_option *option, const char *argument,
                       twx_texts *texts) {
    if (texts->n == TWX_TEXTS_MAX)
        return twx_fail(cx, TWX_E_USAGE, "--%s is given more than %d times", option->name,
                        TWX_TEXTS_MAX);
    texts->at[texts->n++] = argument;
    return TWX_OK;
}

/* A share, 0 to 1. Errors TWX_E_USAGE. */
static twx_rc options_share(twx_ctx *cx, const char *option, const char *text, double *ret_share) {
    double share = 0, place = 1;
    bool point = false, digits = false, valid = true;
    for (const char *c = text; valid && *c; c++) {
        const bool digit = twx_is_digit((unsigned char)*c);
        valid = digit || (*c == '.' && !point);
        digits = digits || digit;
        if (digit && point) place /= 10;
        if (digit) share = point ? share + (*c - '0') * place : share * 10 + (*c - '0');
        point = point || !digit;
    }
    if (!valid || !digits || share > 1)
        return twx_fail(cx, TWX_E_USAGE, "--%s: '%.100s' is not a number from 0 to 1", option,
                        text);
    *ret_share = share;
    return TWX_OK;
}

static twx_rc write_field(twx_ctx *cx, const twx_option *option, const char *argument,
                          twx_options *o) {
    const bool common = option->target == TWX_TO_COMMON_FLAG ||
                        option->target == TWX_TO_COMMON_TEXT;
    void *field = (char *)(common ? (void *)o : o->own) + option->field;
    size_t number = 0;
    twx_rc rc = TWX_OK;
    switch (option->target) {
    case TWX_TO_COMMON_FLAG:
    case TWX_TO_FLAG: *(bool *)field = true; break;
    case TWX_TO_COMMON_TEXT:
    case TWX_TO_TEXT: *(const char **)field = argument; break;
    case TWX_TO_TEXTS: return add_text(cx, option, argument, field);
    case TWX_TO_NUMBER: return twx_options_number(cx, option->name, argument, field);
    case TWX_TO_NUMBER64:
        rc = twx_options_number(cx, option->name, argument, &number);
        if (rc == TWX_OK) *(uint64_t *)field = number;
        break;
    case TWX_TO_SHARE: return options_share(cx, option->name, argument, field);
    case TWX_TO_SETTING: break;
    }
    return rc;
}

static twx_rc take(twx_ctx *cx, const twx_option *option, const char *argument, twx_options *o) {
    twx_rc rc = option->target == TWX_TO_SETTING ? TWX_OK : write_field(cx, option, argument, o);
    return rc == TWX_OK && option->setting ? assign(cx, option, argument, o) : rc;
}

static twx_rc fail_getopt(twx_ctx *cx, const twx_command *command, const getopt_tables *t,
                          bool missing, char **argv) {
    const twx_option *known = option_of(t, optopt);
    char letter[] = {'-', (char)optopt, '\0'};
    if (missing && known)
        return twx_fail(cx, TWX_E_USAGE, "--%s needs %s", known->name, known->argument);
    if (known) return twx_fail(cx, TWX_E_USAGE, "--%s takes no argument", known->name);
    const char *word = optopt ? letter : argv[optind - 1];
    const twx_option *o = NULL;
    size_t length = strcspn(word, "=");
    char *name = twx_strndup(cx, word, length < 64 ? length : 64);
    if (!name) return TWX_E_NOMEM;
    twx_nearest near = twx_nearest_of(name + strspn(name, "-"));
    for (size_t i = 0; (o = twx_option_at(command, i)); i++) twx_nearest_try(&near, o->name);
    twx_rc rc = near.name
                    ? twx_fail(cx, TWX_E_USAGE, "no option %s; did you mean --%s?", name, near.name)
                    : twx_fail(cx, TWX_E_USAGE, "no option %s", name);
    twx_free(name);
    return rc;
}

twx_rc twx_options_parse(twx_ctx *cx, const twx_command *command, int argc, char **argv,
                         twx_options *ret_options) {
    getopt_tables t;
    twx_options o = {0};
    fill_tables(command, &t);
    o.assignments = twx_calloc(cx, (size_t)argc, sizeof *o.assignments);
    if (!o.assignments) return TWX_E_NOMEM;
    if (command->own_bytes) o.own = twx_calloc(cx, 1, command->own_bytes);
    if (o.own && command->defaults) memcpy(o.own, command->defaults, command->own_bytes);
    twx_rc rc = command->own_bytes && !o.own ? TWX_E_NOMEM : TWX_OK;
    opterr = 0;
    optind = 0; /* GNU: from the start */
    for (int value;
         rc == TWX_OK && (value = getopt_long(argc, argv, t.letters, t.longs, NULL)) != -1;) {
        if (value == '?' || value == ':')
            rc = fail_getopt(cx, command, &t, value == ':', argv);
        else
            rc = take(cx, option_of(&t, value), optarg, &o);
    }
    o.arguments = argv + optind;
    o.arguments_n = argc - optind;
    const int least = twx_command_least(command), most = twx_command_most(command);
    if (rc == TWX_OK && !o.help && o.arguments_n < least)
        rc = twx_fail(cx, TWX_E_USAGE, "an argument is missing; expected %s", command->arguments);
    else if (rc == TWX_OK && !o.help && most >= 0 && o.arguments_n > most)
        rc = twx_fail(cx, TWX_E_USAGE, "'%.100s' is one argument too many", o.arguments[most]);
    TWX_HAND_OVER(rc, ret_options, o, twx_options_done(&o));
    return rc;
}

void twx_options_done(twx_options *o) {
    if (!o) return;
    for (size_t i = 0; i < o->assignments_n; i++) twx_free(o->assignments[i].name);
    twx_free(o->assignments);
    twx_free(o->own);
    *o = (twx_options){0};
}

twx_rc twx_options_number(twx_ctx *cx, const char *option, const char *text, size_t *ret_number) {
    size_t number = 0;
    for (const char *c = text; *c || c == text; c++)
        if (!twx_is_digit((unsigned char)*c) || __builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (size_t)(*c - '0'), &number))
            return twx_fail(cx, TWX_E_USAGE, "--%s: '%.100s' is not a number", option, text);
    *ret_number = number;
    return TWX_OK;
}
