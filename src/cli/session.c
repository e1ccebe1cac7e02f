#include "cli/internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

/* ==== session */

extern char **environ;

void twx_environment_name(const char *setting, char ret_name[TWX_ENVIRONMENT_NAME_BYTES]) {
    snprintf(ret_name, TWX_ENVIRONMENT_NAME_BYTES, "TWINDEX_%s", setting);
    for (char *c = ret_name; *c; c++) {
        if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
        if (*c == '.') *c = '_';
    }
}

/* A name that is nearly that of a setting is probably a typing error; others are ignored. */
static void warn_of_misspelling(twx_session *s, const char *variable) {
    static const size_t PREFIX = sizeof "TWINDEX_" - 1;
    char word[TWX_ENVIRONMENT_NAME_BYTES], name[TWX_ENVIRONMENT_NAME_BYTES],
        nearest[TWX_ENVIRONMENT_NAME_BYTES] = "";
    size_t length = strcspn(variable, "=");
    if (strncmp(variable, "TWINDEX_", PREFIX) != 0 || length >= sizeof word) return;
    snprintf(word, sizeof word, "%.*s", (int)length, variable);
    twx_nearest near = twx_nearest_of(word + PREFIX);
    for (size_t i = 0; near.distance > 0 && twindex_setting_at(i); i++) {
        size_t before = near.distance;
        twx_environment_name(twindex_setting_at(i)->name, name);
        twx_nearest_try(&near, name + PREFIX);
        if (near.distance < before) memcpy(nearest, name, sizeof name);
    }
    if (near.distance > 0 && nearest[0])
        twx_console_say(&s->console, "warning: %s is not a setting; did you mean %s?", word,
                        nearest);
}

static bool is_setting(const char *variable, size_t length) {
    char name[TWX_ENVIRONMENT_NAME_BYTES];
    for (size_t i = 0; twindex_setting_at(i); i++) {
        twx_environment_name(twindex_setting_at(i)->name, name);
        if (strlen(name) == length && memcmp(name, variable, length) == 0) return true;
    }
    return false;
}

static int read_environment(twx_session *s) {
    char name[TWX_ENVIRONMENT_NAME_BYTES];
    int result = TWINDEX_OK;
    for (char **variable = environ; variable && *variable; variable++)
        if (!is_setting(*variable, strcspn(*variable, "="))) warn_of_misspelling(s, *variable);
    for (size_t i = 0; twindex_setting_at(i); i++) {
        twx_environment_name(twindex_setting_at(i)->name, name);
        const char *value = getenv(name);
        if (value) result = twindex_set(s->t, twindex_setting_at(i)->name, value);
        if (result == TWINDEX_OK) continue;
        (void)twx_fail(&s->cx, TWX_E_CONFIG, "environment variable %s: %s", name,
                       twindex_message(s->t));
        return result;
    }
    return TWINDEX_OK;
}

/* The file that --config names, else twindex.conf in the directory of the store, or in the current
 * one without a store, if it exists. */
static char *config_beside(twx_session *s, const char *store) {
    const char *slash = store ? strrchr(store, '/') : NULL;
    return twx_sprintf(&s->cx, "%.*stwindex.conf", slash ? (int)(slash + 1 - store) : 0,
                       store ? store : "");
}

/* One configuration applies to all stores; which one must not depend on their order. */
static int refuse_many_configs(twx_session *s) {
    if (twx_store_list_is_in_one_folder(&s->stores)) return TWINDEX_OK;
    for (size_t i = 0; i < s->stores.at.n; i++) {
        char *path = config_beside(s, s->stores.at.at[i]);
        if (!path) return TWINDEX_INTERNAL;
        const bool there = access(path, F_OK) == 0;
        if (there)
            (void)twx_fail(&s->cx, TWX_E_USAGE,
                           "the stores are in several directories, and there is a %s: name the "
                           "configuration of all with --config FILE",
                           path);
        twx_free(path);
        if (there) return TWINDEX_USAGE;
    }
    return TWINDEX_OK;
}

/* A mapping is made for one store, but its configuration applies to all stores of the directory.
 * Names another one, which it may not have been made for. */
static void note_other_stores(twx_session *s) {
    const char *config = s->config, *own[] = {s->store, twindex_get(s->t, "store.flags")};
    const char *slash = config ? strrchr(config, '/') : NULL;
    if (!s->config_maps || !s->store || s->stores.at.n > 1) return;
    char *folder = slash ? twx_strndup(&s->cx, config, (size_t)(slash + 1 - config))
                         : twx_strdup(&s->cx, "./");
    DIR *d = folder ? opendir(folder) : NULL;
    char *other = NULL;
    for (struct dirent *e = NULL; d && !other && (e = readdir(d));) {
        bool is_own = false;
        for (size_t i = 0; i < TWX_COUNTOF(own); i++) {
            const char *name = own[i] ? strrchr(own[i], '/') : NULL;
            is_own = is_own || (own[i] && strcmp(e->d_name, name ? name + 1 : own[i]) == 0);
        }
        if (is_own) continue;
        char *path = twx_sprintf(&s->cx, "%s%s", folder, e->d_name);
        if (path && twx_is_database(path)) other = twx_strdup(&s->cx, e->d_name);
        twx_free(path);
    }
    if (other) {
        char text[TWX_MESSAGE_MAX];
        snprintf(text, sizeof text,
                 "%.300s is used for %.200s; it applies to every store of its directory, such as "
                 "%.200s: name another one with --config FILE",
                 config, s->store, other);
        twx_console_message(&s->console, TWINDEX_NOTE, text);
    }
    if (d) closedir(d);
    twx_free(other);
    twx_free(folder);
}

static int read_config(twx_session *s) {
    if (s->options.config) return twindex_load_config(s->t, s->options.config);
    const int refused = refuse_many_configs(s);
    if (refused != TWINDEX_OK) return refused;
    s->config = config_beside(s, s->store);
    if (!s->config) return TWINDEX_INTERNAL;
    const bool there = access(s->config, F_OK) == 0;
    const int result = twindex_find_config(s->t, s->config);
    const char *from = there && result == TWINDEX_OK ? twindex_get(s->t, "store.from") : NULL;
    s->config_maps = from && from[0];
    return result;
}

static int apply_options(twx_session *s) {
    for (size_t i = 0; i < s->options.assignments_n; i++) {
        const twx_assignment *a = &s->options.assignments[i];
        int result = twindex_set(s->t, a->name, a->value);
        if (result == TWINDEX_OK) continue;
        (void)twx_fail(&s->cx, TWX_E_USAGE, "--%s: %s", a->option->name, twindex_message(s->t));
        return result == TWINDEX_BAD_DATA ? TWINDEX_USAGE : result;
    }
    return TWINDEX_OK;
}

/* The number of arguments that are stores, at least one. */
static size_t stores_among(const twx_session *s) {
    const twx_command *c = s->command;
    const size_t others = c->others ? c->others(s->options.own) : (size_t)twx_command_least(c) - 1;
    const bool several = strncmp(c->arguments, "STORE...", strlen("STORE...")) == 0;
    return several && s->arguments_n > others ? s->arguments_n - others : 1;
}

/* The names of stores among the arguments; the command gets the others. */
static int take_stores(twx_session *s) {
    twx_rc rc = TWX_OK;
    if (s->command->kind == TWX_CLI_SETTINGS) {
        for (size_t i = 1; rc == TWX_OK && i < s->arguments_n; i++)
            rc = twx_store_list_add(&s->cx, &s->stores, s->arguments[i]);
        if (s->stores.at.n) s->store = s->stores.at.at[0];
        return twx_rc_exit(rc);
    }
    for (size_t n = stores_among(s); rc == TWX_OK && n > 0; n--) {
        rc = s->command->kind == TWX_CLI_MAKES
                 ? TWX_OK
                 : twx_store_list_add(&s->cx, &s->stores, *s->arguments);
        s->store = s->stores.at.n ? s->stores.at.at[0] : *s->arguments;
        s->arguments++;
        s->arguments_n--;
    }
    return twx_rc_exit(rc);
}

/* A run over several stores has about ten files open for each. The usual soft limit of 1024 is for
 * programs that call select(). */
static void raise_file_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    (void)!setrlimit(RLIMIT_NOFILE, &limit); /* else SQLite reports the limit */
}

static int open_store(twx_session *s) {
    if (s->command->kind == TWX_CLI_PURE) return TWINDEX_OK;
    int result = take_stores(s);
    if (result == TWINDEX_OK) result = read_config(s);
    if (result == TWINDEX_OK) result = read_environment(s);
    if (result == TWINDEX_OK) result = apply_options(s);
    if (result == TWINDEX_OK) note_other_stores(s);
    if (result != TWINDEX_OK || !s->store || s->command->kind == TWX_CLI_MAKES) return result;
    if (s->stores.at.n <= 1) return twindex_open(s->t, s->store);
    raise_file_limit();
    return twindex_open_several(s->t, (const char *const *)s->stores.at.at, s->stores.at.n);
}

static int write_link(void *arg, const char *url, size_t n) {
    twx_session *s = arg;
    twx_console_clear(&s->console);
    return twx_stdout_link(&s->out, url, n);
}

static int work(twx_session *s) {
    s->t = twindex_new();
    if (!s->t) {
        (void)twx_fail(&s->cx, TWX_E_NOMEM, "out of memory");
        return TWINDEX_INTERNAL;
    }
    twindex_on_message(s->t, twx_console_message, &s->console);
    twindex_on_progress(s->t, twx_console_progress, &s->console);
    if (twx_console_links(s->out.file)) twindex_on_link(s->t, write_link, s);
    twx_stop_on_signals(s->t);
    int result = open_store(s);
    if (result != TWINDEX_OK) return result;
    return s->command->call ? s->command->call(s->t, &s->sink) : s->command->run(s);
}

static void report_error(twx_session *s, int result, int exit_code) {
    const char *reason = s->cx.rc != TWX_OK ? s->cx.message : s->t ? twindex_message(s->t) : "";
    if (exit_code == TWINDEX_USAGE)
        twx_console_say(&s->console, "%s; see 'twindex %s --help'", reason, s->command->name);
    else if (exit_code == TWINDEX_IO && s->out.error)
        twx_console_say(&s->console, "cannot write to standard output: %s", strerror(s->out.error));
    else if (exit_code != TWINDEX_OK && result != TWINDEX_DOUBT)
        twx_console_say(&s->console, "%s", reason);
}

/* Erases the progress line first: it may be on the same terminal as the output. */
static int write_output(void *arg, const char *bytes, size_t n) {
    twx_session *s = arg;
    twx_console_clear(&s->console);
    return twx_stdout_write(&s->out, bytes, n);
}

static void set_outputs(twx_session *s) {
    const twx_options *o = &s->options;
    bool changes = s->command->kind >= TWX_CLI_WRITES;
    s->arguments = o->arguments;
    s->arguments_n = (size_t)o->arguments_n;
    s->console.quiet = o->quiet;
    s->console.verbose = o->verbose;
    s->out.patient = changes;
    /* quiet mutes the summary of work that was done */
    s->out.muted = changes && o->quiet && !o->json;
    s->sink = (twindex_sink){.write = write_output,
                             .arg = s,
                             .format = o->json ? TWINDEX_JSON : TWINDEX_TEXT,
                             .columns = o->wide ? 0 : twx_terminal_columns(s->out.file)};
}

twx_rc twx_session_csv(twx_session *s) {
    if (s->options.json) return twx_fail(&s->cx, TWX_E_USAGE, "--csv goes without --json");
    s->sink.format = TWINDEX_CSV;
    s->sink.columns = 0;
    return TWX_OK;
}

/* Runs `command`; argv[0] is its name. Returns the exit code; errors have been reported. */
static int session_run(const twx_command *command, int argc, char **argv) {
    twx_session s = {.command = command,
                     .out = {.file = stdout, .terminal = isatty(STDOUT_FILENO) != 0},
                     .console = twx_console_of(stderr)};
    int result = TWINDEX_OK;
    s.console.command = command->name;
    twx_rc rc = twx_options_parse(&s.cx, command, argc, argv, &s.options);
    set_outputs(&s);
    if (rc != TWX_OK)
        result = twx_rc_exit(rc);
    else if (s.options.help)
        result = twx_help_print(&s.cx, command, &s.sink);
    else
        result = work(&s);
    twx_console_clear(&s.console);
    int exit_code = twx_stdout_finish(&s.out, result);
    report_error(&s, result, exit_code);
    twx_stop_on_signals(NULL);
    twindex_free(s.t);
    twx_store_list_done(&s.stores);
    twx_free(s.config);
    twx_options_done(&s.options);
    return exit_code;
}

/* ==== program */

/* A store must not be opened as descriptor 0, 1 or 2, or messages would be written into it. A
 * closed descriptor is replaced by one that reads as empty and cannot be written. */
static void keep_standard_descriptors(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", O_RDONLY);
}

static int say_everyday(void) {
    twx_ctx cx = {.rc = TWX_OK};
    twx_page page = {.cx = &cx, .text = {.max = TWX_PAGE_BYTES}};
    twx_help_everyday(&page);
    fputs(page.text.p ? page.text.p : "twindex: a command is missing; see 'twindex --help'\n",
          stderr);
    twx_buf_done(&page.text);
    return TWINDEX_USAGE;
}

static int usage(const char *word) {
    const char *near = twx_command_near(word);
    if (near)
        fprintf(stderr, "twindex: no command '%.100s'; did you mean '%s'? See 'twindex --help'\n",
                word, near);
    else
        fprintf(stderr, "twindex: no command '%.100s'; see 'twindex --help'\n", word);
    return TWINDEX_USAGE;
}

/* The command that a word names: itself, or the command that a conventional option stands for. */
static const char *command_of(const char *word) {
    static const char *const MEANT[][2] = {
        {"--help", "help"}, {"-h", "help"}, {"--version", "version"}, {"-V", "version"}};
    for (size_t i = 0; i < TWX_COUNTOF(MEANT); i++)
        if (strcmp(word, MEANT[i][0]) == 0) return MEANT[i][1];
    return word;
}

int twx_program(int argc, char **argv) {
    keep_standard_descriptors();
    if (argc < 2) return say_everyday();
    const twx_command *command = twx_command_find(command_of(argv[1]));
    return command ? session_run(command, argc - 1, argv + 1) : usage(argv[1]);
}
