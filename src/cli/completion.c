#include "cli/internal.h"

#include <dirent.h>

#include "completion_text.h" /* made from share/completion */

/* ==== completion */

typedef enum follows {
    NONE,
    FILES,
    FOLDERS,
    RULES,
    SETTINGS,
    DETECTORS,
    TOPICS,
    SHELLS,
    STEPS
} follows;

/* What an argument is, by its name in the help, or by the name of the option or command. */
static const struct {
    const char *name;
    follows what;
} ARGUMENTS[] = {
    {"rules", RULES},           {"compare", RULES},
    {"STORE", FILES},           {"FILE", FILES},
    {"DIR", FOLDERS},           {"FOLDER", FOLDERS},
    {"NAME=VALUE", NONE},       {"SETTING", SETTINGS},
    {"DETECTOR", DETECTORS},    {"TOPIC", TOPICS},
    {"SHELL", SHELLS},          {"STEP", STEPS},
    {"similarity|FILE", FILES}, {"DETECTOR,...", DETECTORS},
};

typedef struct completing {
    twx_page *page;
    const char *word; /* what has been typed of the value */
    const char *stem; /* what stands before the value in the same word: "--set=", "name=" */
    size_t stem_n;
    follows files; /* NONE, FILES, FOLDERS or RULES */
} completing;

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Offers name[0..n) with `tail` after it, if it begins with what has been typed. */
static void offer(completing *c, const char *name, size_t n, const char *tail, const char *help) {
    const size_t typed = strlen(c->word);
    if (strncmp(name, c->word, typed < n ? typed : n) != 0 || typed > n + strlen(tail)) return;
    TWX_PAGE_PUT(c->page, "%.*s%.*s%s\t%s\n", (int)c->stem_n, c->stem, (int)n, name, tail, help);
}

static void offer_word(completing *c, const char *name, const char *help) {
    offer(c, name, strlen(name), "", help);
}

/* The words of "a|b|c" or "a b or ..." */
static void offer_words(completing *c, const char *words, const char *separator) {
    for (const char *w = words; *w;) {
        const size_t n = strcspn(w, separator);
        if (n == 2 && strncmp(w, "or", n) == 0) return;
        offer(c, w, n, "", "");
        w += n + (w[n] != '\0');
    }
}

static void offer_detectors(completing *c, bool near_only) {
    twindex_detector d;
    for (size_t i = 0; twindex_detector_at(i, &d); i++)
        if (d.near || !near_only) offer_word(c, d.name, d.summary);
}

/* Moves the part of the word that is complete into the stem: of "exact,simh" "exact,". */
static void skip_listed(completing *c, const char *separators) {
    for (const char *p = c->word; *p; p++)
        if (strchr(separators, *p)) {
            c->stem_n += (size_t)(p + 1 - c->word);
            c->word = p + 1;
        }
}

static void offer_values(completing *c, const twindex_setting *s) {
    static const char LIST[] = "list of ";
    if (strcmp(s->values, "file") == 0)
        c->files = FILES;
    else if (begins(s->values, "name of a detector")) {
        offer_detectors(c, true);
        offer_word(c, "none", "");
    } else if (begins(s->values, LIST) && strchr(s->values + sizeof LIST - 1, ' ')) {
        skip_listed(c, " ");
        offer_words(c, s->values + sizeof LIST - 1, " ");
    } else if (strchr(s->values, '|'))
        offer_words(c, s->values, "|");
    else if (s->default_value[0])
        offer_word(c, s->default_value, "the default");
}

/* NAME=VALUE of --set. */
static void offer_assignment(completing *c) {
    const twindex_setting *s = NULL;
    const char *equals = strchr(c->word, '=');
    char name[128];
    if (!equals) {
        for (size_t i = 0; (s = twindex_setting_at(i)); i++)
            offer(c, s->name, strlen(s->name), "=", s->help);
        return;
    }
    const size_t n = (size_t)(equals - c->word);
    if (n >= sizeof name) return;
    snprintf(name, sizeof name, "%.*s", (int)n, c->word);
    s = twindex_setting_find(name);
    c->word = equals + 1;
    c->stem_n += n + 1;
    if (s) offer_values(c, s);
}

/* The sections, then the settings: after a part of a name, so that the list stays short. */
static void offer_settings(completing *c) {
    const twindex_setting *s = NULL, *before = NULL;
    for (size_t i = 0; (s = twindex_setting_at(i)); before = s, i++) {
        const size_t n = twx_section_length(s);
        if (n > 0 && !twx_in_section(before, s->name, n)) offer(c, s->name, n, "", "a section");
        if (c->word[0] || n == 0) offer_word(c, s->name, s->help);
    }
}

static void offer_topics(completing *c) {
    const twx_command *command = NULL;
    const twx_prose *prose = NULL;
    for (size_t i = 0; (command = twx_command_at(i)); i++)
        offer_word(c, command->name, twx_prose_of(command->name)->summary);
    for (size_t i = 0; (prose = twx_prose_at(i)); i++)
        if (!twx_command_find(prose->name)) offer_word(c, prose->name, prose->summary);
    if (!c->word[0]) return;
    offer_settings(c);
    offer_detectors(c, false);
}

/* The files that are installed, besides those that the shell finds. */
static void offer_rules(completing *c) {
    static const char FOLDER[] = TWINDEX_SHARE "/rules", ENDING[] = ".rules";
    DIR *folder = opendir(FOLDER);
    char path[sizeof FOLDER + 256];
    if (!folder) return;
    for (const struct dirent *e = NULL; (e = readdir(folder));) {
        const size_t n = strlen(e->d_name);
        if (n < sizeof ENDING || strcmp(e->d_name + n - (sizeof ENDING - 1), ENDING) != 0) continue;
        snprintf(path, sizeof path, "%s/%s", FOLDER, e->d_name);
        offer_word(c, path, "");
    }
    closedir(folder);
}

static follows what_follows(const char *owner, const char *placeholder) {
    for (size_t i = 0; i < TWX_COUNTOF(ARGUMENTS); i++)
        if (strcmp(ARGUMENTS[i].name, owner) == 0 || strcmp(ARGUMENTS[i].name, placeholder) == 0)
            return ARGUMENTS[i].what;
    return NONE;
}

/* owner: the option or command whose argument it is. */
static void offer_argument(completing *c, const char *owner, const char *placeholder) {
    const follows what = what_follows(owner, placeholder);
    switch (what) {
    case NONE: break;
    case RULES:
        offer_rules(c);
        c->files = what;
        break;
    case FILES:
    case FOLDERS: c->files = what; break;
    case SETTINGS: offer_settings(c); break;
    case DETECTORS:
        skip_listed(c, ",");
        offer_detectors(c, false);
        break;
    case TOPICS: offer_topics(c); break;
    case SHELLS: offer_words(c, "bash|zsh|fish", "|"); break;
    case STEPS: {
        const twx_command *command = twx_command_find(owner);
        for (size_t i = 0; command->word_at(i); i++) offer_word(c, command->word_at(i), "");
        break;
    }
    }
    if (strchr(placeholder, '|') && placeholder[0] >= 'a' && placeholder[0] <= 'z')
        offer(c, placeholder, strcspn(placeholder, "|"), "", "");
}

static void offer_value_of(completing *c, const twx_option *o) {
    if (o->setting && !o->setting[0])
        offer_assignment(c);
    else if (o->setting)
        offer_values(c, twindex_setting_find(o->setting));
    else
        offer_argument(c, o->name, o->argument);
}

/* The option of "--set", "--set=..." or "-qs", and the value in the same word; NULL: none. */
static const twx_option *option_of(const twx_command *command, const char *word,
                                   const char **ret_value) {
    const twx_option *o = NULL;
    const char *equals = strchr(word, '=');
    *ret_value = NULL;
    if (word[0] != '-' || !word[1]) return NULL;
    const size_t n = equals ? (size_t)(equals - word) : strlen(word);
    for (size_t i = 0; (o = twx_option_at(command, i)); i++) {
        if (word[1] == '-') {
            if (strlen(o->name) + 2 != n || strncmp(o->name, word + 2, n - 2) != 0) continue;
            *ret_value = equals ? equals + 1 : NULL;
            return o;
        }
        if (o->letter && o->letter == word[strlen(word) - 1]) return o;
    }
    return NULL;
}

/* The name of argument `i` in "STORE FILE..."; the last one repeats if it ends with "...". */
static void argument_name(const twx_command *command, size_t i, char *ret_name, size_t size) {
    const char *p = command->arguments;
    ret_name[0] = '\0';
    while (*p) {
        p += strspn(p, " [");
        const size_t n = strcspn(p, " ].");
        const bool repeats = strncmp(p + n, "...", 3) == 0;
        if (n > 0 && n < size && (i == 0 || repeats)) {
            snprintf(ret_name, size, "%.*s", (int)n, p);
            return;
        }
        p += n + strspn(p + n, ".]");
        if (n > 0) i--;
    }
}

static void complete_in(completing *c, const twx_command *command, char *const *words, size_t n) {
    const twx_option *waits = NULL; /* the option whose value comes next */
    const char *value = NULL;
    size_t arguments = 0;
    bool ended = false; /* after "--" */
    char name[64];
    for (size_t i = 0; i + 1 < n; i++) {
        const bool is_value = waits != NULL;
        waits = NULL;
        if (is_value) continue;
        if (!ended && strcmp(words[i], "--") == 0) {
            ended = true;
        } else if (!ended && words[i][0] == '-' && words[i][1]) {
            const twx_option *o = option_of(command, words[i], &value);
            waits = o && o->argument && !value ? o : NULL;
        } else {
            arguments++;
        }
    }
    if (waits) {
        offer_value_of(c, waits);
        return;
    }
    const twx_option *here = ended ? NULL : option_of(command, c->word, &value);
    if (here && value && here->argument) {
        c->stem_n = (size_t)(value - c->word);
        c->word = value;
        offer_value_of(c, here);
    } else if (!ended && c->word[0] == '-') {
        const twx_option *o = NULL;
        for (size_t i = 0; (o = twx_option_at(command, i)); i++) {
            snprintf(name, sizeof name, "--%s", o->name);
            if (o->help) offer_word(c, name, o->help);
        }
    } else {
        argument_name(command, arguments, name, sizeof name);
        offer_argument(c, command->name, name);
    }
}

void twx_complete(twx_page *page, char *const *words, size_t n) {
    static const char *const ADDS[] = {
        [NONE] = "none", [FILES] = "files", [FOLDERS] = "folders", [RULES] = "rules"};
    const twx_command *command = n > 1 ? twx_command_find(words[0]) : NULL;
    completing c = {.page = page, .word = n ? words[n - 1] : "", .stem = n ? words[n - 1] : ""};
    if (command)
        complete_in(&c, command, words + 1, n - 1);
    else if (n <= 1)
        for (size_t i = 0; (command = twx_command_at(i)); i++)
            offer_word(&c, command->name, twx_prose_of(command->name)->summary);
    TWX_PAGE_PUT(page, ":%s\n", ADDS[c.files]);
}

/* ==== completion_scripts */

/* The scripts that a shell loads (share/completion) pass the words before the cursor to us. */
static const struct {
    const char *shell, *script;
} SCRIPTS[] = {
    {"bash", TWX_COMPLETION_BASH}, {"zsh", TWX_COMPLETION_ZSH}, {"fish", TWX_COMPLETION_FISH}};

twx_rc twx_completion_write(twx_page *page, const char *shell) {
    for (size_t i = 0; i < TWX_COUNTOF(SCRIPTS); i++)
        if (strcmp(SCRIPTS[i].shell, shell) == 0) {
            TWX_PAGE_PUT(page, "%s", SCRIPTS[i].script);
            return page->rc;
        }
    page->rc = twx_fail(page->cx, TWX_E_USAGE,
                        "no completion for '%.60s'; there is one for bash, zsh and fish", shell);
    return page->rc;
}
