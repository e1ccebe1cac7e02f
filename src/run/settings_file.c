/* The configuration file (settings_file), the file of pins that it names (pins_file), and what
 * judging takes of both (judge_plan). inih splits the first into keys; continued values, and line
 * numbers in messages, which it lacks, are added here. */
#include "run/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <unistd.h>

/* ==== settings_file */

enum { NAME_BYTES = 256, VALUE_BYTES = 1 << 16 };

/* A setting of the file and its line. */
typedef struct given {
    const char *name;
    size_t line;
} given;

/* The state of inih's callbacks: inih reads lines from `text` and passes keys without numbers. */
typedef struct config {
    twx_ctx cx; /* separate, so that "file:line: " can be prepended to messages */
    twx_settings *s;
    const char *path;
    twx_slice text;  /* the part that has not been read yet */
    size_t line;     /* number of the last line read, from 1 */
    size_t bad_line; /* the line that cx.message refers to */
    /* The open key: its value may continue on the next line, so the setting is only set when a line
     * begins that does not continue it. */
    bool open;
    size_t key_line;
    char name[NAME_BYTES];
    twx_buf value;
    TWX_VEC(given) given;
    twx_buf hosts;      /* the value of `hosts` so far */
    size_t host_values; /* where the values of the open section [host ...] begin in it */
    bool in_host;       /* such a section is open */
    twx_arena names;    /* of `given` */
} config;

static void fail_at(config *c, size_t line, const char *message) {
    c->bad_line = line;
    (void)twx_fail(&c->cx, TWX_E_CONFIG, "%s", message);
}

/* [R3] Resolves a file name against the folder of the configuration file. */
static char *beside(twx_ctx *cx, const char *path, const char *file) {
    const char *slash = strrchr(path, '/');
    if (file[0] == '/' || file[0] == '\0' || !slash) return twx_strdup(cx, file);
    return twx_sprintf(cx, "%.*s/%s", (int)(slash - path), path, file);
}

static twx_rc set_key(config *c) {
    twx_setting_row row;
    const char *value = c->value.p ? c->value.p : "";
    if (c->in_host) {
        const twx_slice known = twx_slice_sub(twx_buf_slice(&c->hosts), c->host_values, c->hosts.n);
        const twx_rc rc = twx_host_value_add(&c->cx, c->name, value, known, &c->hosts);
        return rc == TWX_OK ? twx_settings_set(&c->cx, c->s, "hosts", c->hosts.p) : rc;
    }
    if (!twx_setting_row_find(c->name, &row) || row.kind != TWX_KIND_FILE)
        return twx_settings_set(&c->cx, c->s, c->name, value);
    char *path = beside(&c->cx, c->path, value);
    twx_rc rc = path ? twx_settings_set(&c->cx, c->s, c->name, path) : TWX_E_NOMEM;
    twx_free(path);
    return rc;
}

/* A setting that is given twice is a mistake, and which value would count is not obvious. */
static twx_rc note_key(config *c) {
    twx_setting_row row;
    twx_slice name;
    /* set_key() reports the others */
    if (c->in_host || !twx_setting_row_find(c->name, &row)) return TWX_OK;
    for (size_t i = 0; i < c->given.n; i++)
        if (strcmp(c->given.at[i].name, row.shown.name) == 0)
            return twx_fail(&c->cx, TWX_E_CONFIG, "%s is given twice, first in line %zu",
                            row.shown.name, c->given.at[i].line);
    twx_rc rc = twx_arena_copy(&c->cx, &c->names,
                               (twx_slice){row.shown.name, strlen(row.shown.name) + 1}, &name);
    const given key = {.name = name.p, .line = c->key_line};
    return rc == TWX_OK && !TWX_VEC_PUSH(&c->cx, &c->given, key) ? TWX_E_NOMEM : rc;
}

/* Whether a "#" follows a blank outside of quotes: a comment that would become part of the value.
 * Names of files and patterns may contain it. */
static bool has_comment(const config *c) {
    twx_setting_row row;
    char quote = '\0';
    if (!twx_setting_row_find(c->name, &row) || row.kind == TWX_KIND_FILE ||
        strcmp(row.shown.name, "text.sentence_end") == 0)
        return false;
    for (const char *p = c->value.n ? c->value.p : ""; *p; p++) {
        if (*p == quote)
            quote = '\0';
        else if (!quote && (*p == '\'' || *p == '"'))
            quote = *p;
        else if (!quote && *p == '#' && p > c->value.p && (p[-1] == ' ' || p[-1] == '\t'))
            return true;
    }
    return false;
}

/* Sets the open key, if any. */
static bool close_key(config *c) {
    if (!c->open) return true;
    c->open = false;
    c->bad_line = c->key_line;
    if (note_key(c) != TWX_OK) return false;
    if (has_comment(c)) {
        fail_at(c, c->key_line,
                "a comment needs a line of its own: '#' would be part of the value");
        return false;
    }
    return set_key(c) == TWX_OK;
}

static twx_rc open_key(config *c, const char *section, const char *name) {
    twx_buf_clear(&c->value);
    c->open = true;
    c->key_line = c->line;
    if (c->in_host) section = ""; /* its settings have full names */
    int n = snprintf(c->name, sizeof c->name, "%s%s%s", section, section[0] ? "." : "", name);
    if (n < 0 || (size_t)n >= sizeof c->name) fail_at(c, c->line, "the name is too long");
    return c->cx.rc;
}

/* inih's handler: receives a key and its value, or one more line of the value of the open key
 * ([R2]). Returns 0 on error. */
static int take_key(void *arg, const char *section, const char *name, const char *value) {
    config *c = arg;
    twx_rc rc = c->cx.rc;
    if (rc == TWX_OK && !c->open)
        rc = open_key(c, section, name);
    else if (rc == TWX_OK && c->value.n)
        rc = twx_buf_add_char(&c->cx, &c->value, ' ');
    if (rc == TWX_OK) rc = twx_buf_add_text(&c->cx, &c->value, value);
    return rc == TWX_OK;
}

/* Whether an indented line looks like a setting that was indented for readability, such as
 * "  id = rowid" below "from = pages". It would silently become part of the previous value. */
static bool looks_like_key(const config *c, twx_slice words) {
    twx_setting_row row;
    const char *dot = c->in_host ? NULL : strrchr(c->name, '.');
    char name[NAME_BYTES];
    size_t end = 0, section = dot ? (size_t)(dot + 1 - c->name) : 0;
    while (end < words.n && words.p[end] != '=' && words.p[end] != ':') end++;
    twx_slice key = twx_slice_trim(twx_slice_sub(words, 0, end));
    if (!c->open || end == words.n || section + key.n >= sizeof name) return false;
    memcpy(name, c->name, section);
    memcpy(name + section, key.p, key.n);
    name[section + key.n] = '\0';
    return twx_slice_find(key, '\0', 0) == key.n && twx_setting_row_find(name, &row);
}

/* Begins a section. "[host docs.example.org]" is read here: inih shortens long names. */
static twx_rc open_section(config *c, twx_slice line) {
    twx_slice name = twx_slice_trim(twx_slice_sub(line, 1, twx_slice_find(line, ']', 0)));
    const twx_slice word = TWX_SLICE_LIT("host");
    c->in_host = twx_slice_starts_nocase(name, word) &&
                 (name.n == word.n || twx_is_space((unsigned char)name.p[word.n]));
    if (!c->in_host || twx_slice_find(line, ']', 0) == line.n) return TWX_OK;
    c->bad_line = c->line;
    for (size_t i = 0; i < c->given.n; i++)
        if (strcmp(c->given.at[i].name, "hosts") == 0)
            return twx_fail(
                &c->cx, TWX_E_CONFIG,
                "hosts is set in line %zu: it and sections [host ...] exclude each other",
                c->given.at[i].line);
    name = twx_slice_trim(twx_slice_sub(name, word.n, name.n));
    twx_rc rc = twx_host_pattern_check(&c->cx, name, twx_buf_slice(&c->hosts));
    if (rc == TWX_OK && c->hosts.n) rc = twx_buf_add_text(&c->cx, &c->hosts, " | ");
    if (rc == TWX_OK) rc = twx_buf_add_slice(&c->cx, &c->hosts, name);
    c->host_values = c->hosts.n;
    return rc == TWX_OK ? twx_settings_set(&c->cx, c->s, "hosts", c->hosts.p) : rc;
}

/* inih's reader: copies the next line into room[0..size). NULL ends the input: no more lines, or an
 * error in cx. */
static char *next_line(char *room, int size, void *arg) {
    config *c = arg;
    if (c->cx.rc != TWX_OK || c->text.n == 0) return NULL;
    size_t end = twx_slice_find(c->text, '\n', 0);
    twx_slice line = twx_slice_sub(c->text, 0, end), words = twx_slice_trim(line);
    c->text = twx_slice_sub(c->text, end + 1, c->text.n);
    c->line++;
    if (words.n && strchr(";#", words.p[0])) words.n = 0; /* a comment may be of any length */
    bool goes_on = words.n && (line.p[0] == ' ' || line.p[0] == '\t');
    if (words.n && !goes_on && !close_key(c)) return NULL;
    if (words.n && !goes_on && words.p[0] == '[' && open_section(c, words) != TWX_OK) return NULL;
    if (twx_slice_find(words, '\0', 0) < words.n) fail_at(c, c->line, "a NUL byte");
    if (goes_on && looks_like_key(c, words))
        fail_at(c, c->line,
                "a setting must not be indented: an indented line continues the value above it");
    if (words.n + goes_on >= (size_t)size)
        fail_at(c, c->line,
                "the line is too long; a value can continue on the next line, indented");
    if (c->cx.rc != TWX_OK) return NULL;
    if (goes_on) room[0] = ' '; /* tells inih that the line continues a value */
    if (words.n) memcpy(room + goes_on, words.p, words.n);
    room[goes_on + words.n] = '\0';
    return room;
}

twx_rc twx_settings_parse(twx_ctx *cx, twx_settings *s, const char *path, twx_slice text) {
    config c = {
        .cx = {.cancel = cx->cancel, .faults = cx->faults}, .s = s, .path = path, .text = text};
    twx_buf_init(&c.value, VALUE_BYTES);
    twx_buf_init(&c.hosts, TWX_CONFIG_MAX);
    /* the first bad line; <0: out of memory */
    int bad = ini_parse_stream(next_line, &c, take_key, &c);
    if (bad == 0 && c.cx.rc == TWX_OK) (void)close_key(&c);
    if (bad < 0) (void)twx_fail(&c.cx, TWX_E_NOMEM, "out of memory");
    if (bad > 0 && (c.cx.rc == TWX_OK || (size_t)bad < c.bad_line)) {
        twx_ctx_clear(&c.cx);
        fail_at(&c, (size_t)bad, "neither [section] nor name = value");
    }
    twx_buf_done(&c.value);
    twx_buf_done(&c.hosts);
    TWX_VEC_DONE(&c.given);
    twx_arena_done(&c.names);
    return c.cx.rc == TWX_OK ? TWX_OK
                             : twx_fail(cx, c.cx.rc, "%s:%zu: %s", path, c.bad_line, c.cx.message);
}

static twx_rc load(twx_ctx *cx, twx_settings *s, const char *path, int fd) {
    twx_buf text = {.max = TWX_CONFIG_MAX};
    twx_rc rc = twx_buf_add_file(cx, &text, path, fd, TWX_E_IO);
    if (rc == TWX_OK) rc = twx_settings_parse(cx, s, path, twx_buf_slice(&text));
    twx_buf_done(&text);
    return rc;
}

twx_rc twx_settings_load(twx_ctx *cx, twx_settings *s, const char *path) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return twx_fail(cx, errno == ENOENT ? TWX_E_NOTFOUND : TWX_E_IO, "cannot read '%s': %s",
                        path, strerror(errno));
    twx_rc rc = twx_file_trust(cx, path, fd, TWX_FILE_CHOSEN);
    if (rc == TWX_OK) rc = load(cx, s, path, fd);
    close(fd);
    return rc;
}

twx_rc twx_settings_load_found(twx_ctx *cx, twx_settings *s, const char *path) {
    int fd = -1;
    twx_rc rc = twx_file_open_found(cx, path, &fd);
    if (rc == TWX_OK && fd >= 0) rc = load(cx, s, path, fd);
    if (fd >= 0) close(fd);
    return rc;
}

/* ==== pins_file */

enum { WARNINGS_MAX = 10, LINE_BYTES = 1 << 16 };

/* ---- reading ------------------------------------------------------------ */

static twx_rc load_pins(const twx_job *job, const twx_url_options *options, twx_pins **ret_pins) {
    const char *path = job->settings->verdict_pins;
    twx_buf text = {.max = TWX_PINS_BYTES_MAX};
    *ret_pins = NULL;
    if (!path || !path[0]) return TWX_OK;
    twx_rc rc = twx_file_read_named(job->cx, "verdict.pins", path, TWX_E_IO, &text);
    if (rc == TWX_OK) rc = twx_pins_parse(job->cx, options, path, twx_buf_slice(&text), ret_pins);
    twx_buf_done(&text);
    return rc;
}

static twx_rc load_parameters(const twx_job *job, const twx_url_options *options,
                              twx_parameters **ret_parameters) {
    const twx_parameters_from from = {.path = job->settings->parameters_model,
                                      .urls = twx_model_fingerprint(options),
                                      .least_ppm = job->settings->parameters_ppm};
    twx_buf text = {.max = TWX_PARAMETERS_BYTES_MAX};
    *ret_parameters = NULL;
    if (!from.path || !from.path[0]) return TWX_OK;
    twx_rc rc = twx_file_read_named(job->cx, "parameters.model", from.path, TWX_E_IO, &text);
    if (rc == TWX_OK)
        rc = twx_parameters_parse(job->cx, &from, twx_buf_slice(&text), ret_parameters);
    twx_buf_done(&text);
    return rc;
}

twx_rc twx_files_load(const twx_job *job, twx_pins **ret_pins, twx_parameters **ret_parameters) {
    twx_params params;
    twx_url_rules *rules = NULL;
    twx_rc rc = twx_params_make(job, &params, &rules);
    if (rc == TWX_OK) rc = load_pins(job, &params.url, ret_pins);
    if (rc == TWX_OK && ret_parameters) rc = load_parameters(job, &params.url, ret_parameters);
    twx_url_rules_close(rules);
    return rc;
}

/* ---- lines without effect ---------------------------------------------- */

typedef struct reporting {
    const twx_job *job;
    const twx_pins *pins;
    twx_summary *summary;
    uint64_t *documents; /* counts by pinned URL, followed by counts by prefix */
    uint64_t *taking_part;
    const twx_editions *editions;
} reporting;

static twx_rc report_line(reporting *r, const twx_pin *pin, const char *what, twx_slice name) {
    twx_buf line = {.max = LINE_BYTES};
    twx_rc rc = twx_buf_printf(r->job->cx, &line, "%s:%zu: %s " TWX_SLICE_FMT ": %s",
                               twx_pins_path(r->pins), pin->line, twx_pin_kind_name(pin->kind),
                               TWX_SLICE_ARG(name), what);
    if (rc == TWX_OK && r->summary->n_idle_pins++ < WARNINGS_MAX)
        twx_job_message(r->job, TWINDEX_WARNING, "%s", line.p);
    if (rc == TWX_OK) rc = twx_buf_printf(r->job->cx, &r->summary->idle_pins, "%s\n", line.p);
    twx_buf_done(&line);
    /* the list is full; further lines are only counted */
    return rc == TWX_E_LIMIT ? (twx_ctx_clear(r->job->cx), TWX_OK) : rc;
}

static twx_rc check_line(reporting *r, const twx_pin *pin) {
    const size_t urls = twx_pins_urls(r->pins);
    const uint32_t line = pin->number[0];
    twx_rc rc = TWX_OK;
    if (pin->kind == TWX_PIN_EDITION)
        return line < r->editions->has_line.n && r->editions->has_line.at[line]
                   ? TWX_OK
                   : report_line(r, pin, "no document has one of these values", pin->name[0]);
    for (int k = 0; rc == TWX_OK && k < 2 && pin->name[k].p; k++) {
        const size_t at = pin->kind == TWX_PIN_PREFER ? urls + pin->number[k] : pin->number[k];
        if (r->documents[at] == 0)
            rc = report_line(r, pin,
                             pin->kind == TWX_PIN_PREFER ? "no document is preferred by this line"
                                                         : "no document has this URL",
                             pin->name[k]);
        else if (pin->kind == TWX_PIN_KEEP && r->taking_part[at] == 0)
            rc = report_line(r, pin, "the document does not take part and stays hidden",
                             pin->name[k]);
    }
    return rc;
}

twx_rc twx_pins_report(const twx_job *job, const twx_pins *pins, const twx_doc_set *j,
                       twx_summary *summary) {
    if (!pins) return TWX_OK;
    const size_t urls = twx_pins_urls(pins), n = urls + TWX_PINS_MAX;
    reporting r = {.job = job, .pins = pins, .summary = summary, .editions = &j->editions};
    r.documents = twx_calloc(job->cx, n, sizeof *r.documents);
    r.taking_part = twx_calloc(job->cx, n, sizeof *r.taking_part);
    twx_rc rc = r.documents && r.taking_part ? TWX_OK : TWX_E_NOMEM;
    for (uint32_t i = 0; rc == TWX_OK && i < j->docs.at.n; i++) {
        const uint32_t url = j->docs.pinned[i], prefix = j->docs.preferred[i];
        const bool in = j->links.eligibility[i] == TWX_ELIGIBLE;
        if (url) r.documents[url - 1]++, r.taking_part[url - 1] += in;
        if (prefix) r.documents[urls + prefix - 1]++;
    }
    twx_buf_clear(&summary->idle_pins);
    summary->n_idle_pins = 0;
    summary->pins_file = twx_pins_path(pins);
    summary->n_pins = 0;
    for (const twx_pin *pin; rc == TWX_OK && (pin = twx_pins_at(pins, summary->n_pins));
         summary->n_pins++)
        rc = check_line(&r, pin);
    if (rc == TWX_OK && summary->n_idle_pins > WARNINGS_MAX)
        twx_job_message(job, TWINDEX_WARNING,
                        "%s: %" PRIu64 " more pins concern no document (--json lists them)",
                        twx_pins_path(pins), (uint64_t)summary->n_idle_pins - WARNINGS_MAX);
    twx_free(r.documents);
    twx_free(r.taking_part);
    return rc;
}

/* ---- one document ------------------------------------------------------- */

twx_rc twx_pins_each_of(twx_ctx *cx, const twx_pins *pins, uint64_t url_key, twx_slice url,
                        twx_pin_line_fn *fn, void *arg) {
    const twx_pin_match match = twx_pins_match(pins, url_key, url);
    twx_edition_slot unused;
    uint32_t edition = 0;
    const bool has_edition = twx_pins_edition(pins, url, &unused, &edition);
    twx_rc rc = TWX_OK;
    const twx_pin *pin = NULL;
    for (size_t i = 0; rc == TWX_OK && (pin = twx_pins_at(pins, i)); i++) {
        twx_buf line = {.max = LINE_BYTES};
        const bool prefix = pin->kind == TWX_PIN_PREFER;
        const bool first = pin->kind == TWX_PIN_EDITION
                               ? has_edition && edition == pin->number[0]
                               : (prefix ? match.preferred : match.url) == pin->number[0] + 1;
        const bool second = pin->kind == TWX_PIN_SEPARATE && match.url == pin->number[1] + 1;
        const twx_slice shown = pin->name[first && pin->kind == TWX_PIN_SEPARATE];
        if (!first && !second) continue;
        rc = twx_buf_printf(cx, &line, "%s%s " TWX_SLICE_FMT " (%s:%zu)",
                            twx_pin_kind_name(pin->kind),
                            pin->kind == TWX_PIN_SEPARATE ? " from" : "", TWX_SLICE_ARG(shown),
                            twx_pins_path(pins), pin->line);
        if (rc == TWX_OK) rc = fn(arg, line.p);
        twx_buf_done(&line);
    }
    return rc;
}

/* ==== judge_plan */

/* Reads copy.ignore, whose words are normalized like those of titles. */
static twx_rc read_ignored(twx_ctx *cx, const char *list, twx_judge_plan *plan) {
    twx_tokens tokens;
    twx_token token;
    twx_rc rc = TWX_OK;
    twx_tokens_init(&tokens);
    twx_tokens_start(&tokens, twx_slice_of(list));
    while ((rc = twx_tokens_next(cx, &tokens, &token)) == TWX_OK) {
        if (plan->n_ignored == TWX_COPY_IGNORED_MAX) {
            rc = twx_fail(cx, TWX_E_CONFIG, "copy.ignore: more than %d words",
                          TWX_COPY_IGNORED_MAX);
            break;
        }
        plan->ignored[plan->n_ignored++] = twx_name_word(token.text);
    }
    twx_tokens_done(&tokens);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_judge_options options_of(const twx_settings *s, const twx_sign_plan *sign) {
    twx_judge_options o = {.name = sign->name,
                           .params = &sign->params,
                           .scope = {[TWX_RELATION_EXACT] = s->exact_scope,
                                     [TWX_RELATION_FUZZY] = s->fuzzy_scope,
                                     [TWX_RELATION_TITLE] = s->title_scope,
                                     [TWX_RELATION_DESCRIPTION] = s->description_scope,
                                     [TWX_RELATION_NEAR] = s->near_scope,
                                     [TWX_RELATION_COPY] = s->near_scope},
                           .hosts = s->hosts,
                           .join = s->near_join,
                           .candidates = s->near_candidates,
                           .threads = twx_job_threads(s),
                           .names = {.common_ppm = s->copy_common_ppm,
                                     .site_ppm = s->copy_site_ppm,
                                     .own = s->copy_proof == TWX_PROOF_TEXT},
                           .editions = s->edition_find && sign->name &&
                                       sign->detectors[TWX_RELATION_NEAR] &&
                                       sign->detectors[TWX_RELATION_NEAR]->verify,
                           .edition_ppm = s->edition_ppm,
                           .collapse_min = s->canonical_collapse_min};
    memcpy(o.detectors, sign->detectors, sizeof o.detectors);
    for (size_t r = 0; r < TWX_RELATIONS; r++)
        if (o.detectors[r] && o.detectors[r]->translations_separate) o.separate |= 1u << r;
    return o;
}

/* The parameters with the lowest threshold of any host: pairs that reach it are compared, and
 * judge/near.c rejects those that their hosts reject. */
static void set_thresholds(const twx_settings *s, const twx_params *params,
                           const twx_detector *near, twx_judge_plan *plan) {
    uint32_t lowest = UINT32_MAX;
    plan->lowest = *params;
    plan->options.thresholds = NULL;
    if (twx_host_thresholds(s, near, plan->thresholds)) {
        for (size_t i = 0; i < TWX_COUNTOF(plan->thresholds); i++)
            if (plan->thresholds[i] < lowest) lowest = plan->thresholds[i];
        twx_params_set_threshold(&plan->lowest, near, lowest);
        plan->options.thresholds = plan->thresholds;
        plan->options.params = &plan->lowest;
    }
    if (!near || !s->copy_margin_ppm) return;
    plan->named = twx_params_with_margin(plan->options.params, near, s->copy_margin_ppm);
    plan->options.named = &plan->named;
    plan->options.margin = s->copy_margin_ppm;
}

twx_rc twx_judge_plan_make(const twx_job *job, const twx_sign_plan *sign,
                           twx_judge_plan *ret_plan) {
    const twx_settings *s = job->settings;
    twx_judge_plan plan = {.options = options_of(s, sign),
                           .guard = {.max_hidden_ppm = s->guard_max_hidden_ppm,
                                     .max_lost_ppm = s->guard_max_lost_ppm,
                                     .max_turned_ppm = s->guard_max_turned_ppm,
                                     .min_documents = s->guard_min_documents,
                                     .max_group = s->guard_max_group}};
    const twx_detector *near = sign->detectors[TWX_RELATION_NEAR];
    twx_rc rc = twx_relations_parse(job->cx, twx_slice_of(s->verdict_relations),
                                    &plan.options.relations);
    if (!near || !near->verify) { /* pairs that are not verified hide nothing */
        plan.options.relations &= ~(1u << TWX_RELATION_NEAR);
        if (s->copy_proof == TWX_PROOF_NAMES) plan.options.relations &= ~(1u << TWX_RELATION_COPY);
    }
    if (rc == TWX_OK) rc = twx_preference_of(job->cx, s, &plan.options.preference);
    if (rc == TWX_OK)
        rc = twx_page_classes_parse(job->cx, twx_slice_of(s->pages_left_out),
                                    &plan.options.left_out);
    if (rc == TWX_OK) rc = read_ignored(job->cx, s->copy_ignore, &plan);
    if (rc == TWX_OK) rc = load_pins(job, &sign->params.url, &plan.pins);
    if (rc == TWX_OK) rc = load_parameters(job, &sign->params.url, &plan.parameters);
    if (rc != TWX_OK) {
        twx_judge_plan_done(&plan);
        return rc;
    }
    *ret_plan = plan;
    set_thresholds(s, &sign->params, near, ret_plan);
    ret_plan->options.pins = plan.pins;
    ret_plan->options.parameters = plan.parameters;
    ret_plan->options.names.ignored = ret_plan->ignored;
    ret_plan->options.names.n_ignored = plan.n_ignored;
    return TWX_OK;
}

void twx_judge_plan_warn(const twx_job *job, const twx_judge_plan *plan) {
    if (plan->options.relations >> TWX_RELATION_PARAMETERS & 1 && !plan->parameters)
        twx_job_message(job, TWINDEX_WARNING,
                        "verdict.relations has parameters, which hides nothing without a model: "
                        "name a file of 'twindex predict --model' in parameters.model");
}

void twx_judge_plan_done(twx_judge_plan *plan) {
    twx_pins_close(plan->pins);
    plan->pins = NULL;
    twx_parameters_close(plan->parameters);
    plan->parameters = NULL;
}
