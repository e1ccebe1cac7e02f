/* Every setting is a row here or in the file of its method. The range of a number is parsed from
 * its displayed text ("0..1", "16M..1024G") with the parser of its kind; so are the words of a
 * choice. */
#include "run/internal.h"

static twx_rc check_relations(twx_ctx *cx, const char *value) {
    uint32_t relations = 0;
    return twx_relations_parse(cx, twx_slice_of(value), &relations);
}

static twx_rc check_order(twx_ctx *cx, const char *value) {
    twx_criterion criteria[TWX_CRITERIA];
    return twx_criteria_parse(cx, twx_slice_of(value), criteria);
}

static twx_rc check_left_out(twx_ctx *cx, const char *value) {
    unsigned classes = 0;
    return twx_page_classes_parse(cx, twx_slice_of(value), &classes);
}

static twx_rc check_language(twx_ctx *cx, const char *value) {
    if (!*value || twx_stem_language(twx_slice_of(value))) return TWX_OK;
    return twx_fail(cx, TWX_E_CONFIG,
                    "index.language: no stemmer for '%.60s'; it is a code such as en or pt-BR, or "
                    "an English name such as german",
                    value);
}

static twx_rc check_near(twx_ctx *cx, const char *value) {
    const twx_detector *d = twx_detector_find(value);
    if (strcmp(value, "none") == 0 || (d && d->near)) return TWX_OK;
    twx_nearest nearest = twx_nearest_of(value);
    for (size_t i = 0; !d && twx_detector_at(i); i++)
        if (twx_detector_at(i)->near) twx_nearest_try(&nearest, twx_detector_at(i)->name);
    if (nearest.name)
        return twx_fail(cx, TWX_E_CONFIG, "near.detector: no method '%.60s'; did you mean '%s'?",
                        value, nearest.name);
    return twx_fail(cx, TWX_E_CONFIG,
                    "near.detector: '%.60s' does not find near-duplicates; 'twindex detectors' "
                    "lists those that do",
                    value);
}

#define FIELD                  TWX_SETTING_FIELD
#define CHECKED(member, check) TWX_KIND_LIST, offsetof(twx_settings, member), check
#define SWITCH                 TWX_SETTING_SWITCH
#define SCOPES                 "store|domain|host"
#define EXPRESSION             "SQL expression"
#define STEPS \
    "list of trailing_slash index_page parameter_order session_parameters tracking_parameters"
#define RELATIONS                                                                            \
    "list of scheme www canonical redirect exact fuzzy title description near copy edition " \
    "parameters"

/* The list consists of ABOVE, the settings of the method PROFILE, BETWEEN, the settings of the
 * other methods, and the parts BELOW, of which wings have some. Those of methods are in the files
 * of the methods. */
static const char PROFILE[] = "profile";

static const twx_setting_row ABOVE[] = {
    {{"compat", "none", "none|yacy",
      "Uses the defaults of another program; settings given later override them."},
     TWX_KIND_COMPAT,
     0,
     NULL},

    {{"store.from", "", "table or FROM clause",
      "The table of the documents; if not set, twindex looks for one."},
     FIELD(TWX_KIND_TEXT, store_from)},
    {{"store.where", "", EXPRESSION, "Which rows of it are documents; if not set, all."},
     FIELD(TWX_KIND_TEXT, store_where)},
/* clang-format off */
#define COLUMN(NAME, name, want, help) \
    {{"store." #name, "", EXPRESSION, help}, FIELD(TWX_KIND_TEXT, store_map[TWX_COL_##NAME])},
    TWX_SOURCE_COLUMNS(COLUMN)
#undef COLUMN
    /* clang-format on */
    {{"store.allow_view", "no", SWITCH,
      "Allows documents to be read from views, virtual tables and generated columns."},
     FIELD(TWX_KIND_SWITCH, store_allow_view)},
    {{"store.allow_rowid", "no", SWITCH,
      "Accepts the rowid of a table without INTEGER PRIMARY KEY as the key, although VACUUM "
      "changes it."},
     FIELD(TWX_KIND_SWITCH, store_allow_rowid)},
    {{"store.joined_view", "no", SWITCH,
      "Makes the view flagged_documents also in a store of another program, whose migrations may "
      "then fail."},
     FIELD(TWX_KIND_SWITCH, store_joined_view)},
    {{"store.accept_mapping", "no", SWITCH,
      "Uses the mapping that was found even if others fit too."},
     FIELD(TWX_KIND_SWITCH, store_accept_mapping)},
    {{"store.feed", "auto", "auto|trigger|column|scan", "How changed documents are found."},
     FIELD(TWX_KIND_WORD, store_feed)},
    {{"store.flags", "", "file",
      "Keeps flags and signatures in this file and opens the store read-only."},
     FIELD(TWX_KIND_FILE, flags_file)},

    {{"search.ranking.uniqueheuristic.preferhttps", "yes", SWITCH,
      "Prefers https over http; no: http over https."},
     FIELD(TWX_KIND_SWITCH, prefer_https)},
    {{"search.ranking.uniqueheuristic.preferwwwprefix", "yes", "yes|no|auto",
      "Prefers hosts with a leading www. over those without; no: those without; auto: the form "
      "that most documents of the host have."},
     FIELD(TWX_KIND_SWITCH_AUTO, prefer_www)},
    {{"url.steps", "", STEPS, "Further steps of the normal form of URLs."},
     FIELD(TWX_KIND_STEPS, url_steps)},
    {{"url.rules", "", "file",
      "Rewrite rules s/pattern/replacement/ that are applied to each URL."},
     FIELD(TWX_KIND_FILE, url_rules_file)},

    {{"page_class.left_out", "error challenge login consent",
      "list of error challenge login consent",
      "Classes of pages that take no part, as they are no content: see page_class_s."},
     CHECKED(pages_left_out, check_left_out)},
    {{"page_class.patterns", "", "file",
      "Patterns of such pages, which are tried before those that Twindex has."},
     FIELD(TWX_KIND_FILE, pages_patterns_file)},

    {{"exact.scope", "store", SCOPES, "The scope in which equal texts count as duplicates."},
     FIELD(TWX_KIND_CHOICE, exact_scope)},
    {{"title.scope", "host", SCOPES, "The scope in which equal titles count as duplicates."},
     FIELD(TWX_KIND_CHOICE, title_scope)},
    {{"description.scope", "host", SCOPES,
      "The scope in which equal descriptions count as duplicates."},
     FIELD(TWX_KIND_CHOICE, description_scope)},
    {{"fuzzy.scope", "store", SCOPES,
      "The scope in which equal text profiles count as duplicates."},
     FIELD(TWX_KIND_CHOICE, fuzzy_scope)},
};

static const twx_setting_row BETWEEN[] = {
    {{"near.detector", "alignment", "name of a detector, or none",
      "The method that finds near-duplicates (see 'twindex detectors')."},
     CHECKED(near_detector, check_near)},
    {{"near.scope", "store", SCOPES, "The scope in which near-duplicates are searched for."},
     FIELD(TWX_KIND_CHOICE, near_scope)},
    {{"near.text", "all", "all|main",
      "The text that near-duplicate methods compare: all of it, or the content area of the page."},
     FIELD(TWX_KIND_CHOICE, near_text)},
    {{"near.min_words", "20", "0..1000000", "Texts with fewer words have no near-duplicates."},
     FIELD(TWX_KIND_COUNT32, near_min_words)},
    {{"near.join", "representative", "representative|link",
      "What joins a document to a group: similarity to its representative, or to any member."},
     FIELD(TWX_KIND_CHOICE, near_join)},
    {{"near.candidates", "64", "1..1000000",
      "Representatives that a document is compared with for each of its keys."},
     FIELD(TWX_KIND_COUNT32, near_candidates)},
    {{"hosts", "", "sections of hosts",
      "The sections [host NAME] of a configuration file, in one line: settings of single hosts."},
     CHECKED(hosts, twx_hosts_check)},
    {{"copy.proof", "text", "text|names",
      "What proves that a near-duplicate is a copy: its name and the difference of the texts, "
      "which are read for it (ClickHouse servers ask the stores for them), or its name alone."},
     FIELD(TWX_KIND_CHOICE, copy_proof)},
    {{"copy.margin", "0.05", "0..1",
      "Documents with equal titles and URLs that end alike are copies even if their similarity is "
      "by this much below the near-duplicate method's threshold."},
     FIELD(TWX_KIND_SHARE, copy_margin_ppm)},
    {{"copy.common", "0.05", "0..1",
      "A word that the texts of this share of a host's names repeat does not distinguish its "
      "documents."},
     FIELD(TWX_KIND_SHARE, copy_common_ppm)},
    {{"copy.site", "0.5", "0..1",
      "A word in the titles of this share of a host's names belongs to the site, not to a "
      "document."},
     FIELD(TWX_KIND_SHARE, copy_site_ppm)},
    {{"copy.ignore", "", "list of words", "Words that are never part of a document's name."},
     FIELD(TWX_KIND_TEXT, copy_ignore)},
    {{"edition.find", "yes", SWITCH,
      "Finds the editions of a page: documents whose URLs differ in a version, with related "
      "texts."},
     FIELD(TWX_KIND_SWITCH, edition_find)},
    {{"edition.threshold", "0.2", "0..1",
      "Least similarity of two editions of a page, whose titles are equal but for the version."},
     FIELD(TWX_KIND_SHARE, edition_ppm)},
    {{"text.sentence_end", "", "PCRE2 pattern",
      "What ends a sentence; by default . ! ? and line breaks."},
     FIELD(TWX_KIND_TEXT, sentence_end)},
};

static const twx_setting_row RESULT[] = {
    {{"index.language", "", "language code or name",
      "The language of documents without one, for 'twindex index'; if not set, their words are not "
      "stemmed."},
     CHECKED(index_language, check_language)},

    {{"verdict.relations", "scheme www canonical redirect copy", RELATIONS,
      "The relations that the combined verdict joins."},
     CHECKED(verdict_relations, check_relations)},
    {{"verdict.order", "score origin url_length fetched_at", "list of " TWX_CRITERIA_TEXT,
      "Which document represents its duplicates, before the lowest id. form, clean, page and "
      "edition precede the list unless it has them."},
     CHECKED(verdict_order, check_order)},
    {{"verdict.pins", "", "file",
      "A file of decisions made by hand: lines of 'separate URL URL', 'prefer PREFIX' and 'keep "
      "URL'."},
     FIELD(TWX_KIND_FILE, verdict_pins)},
    {{"parameters.model", "", "file",
      "What 'twindex predict --model' has written, for the flags parameters_*: which parts of URLs "
      "do not change the page."},
     FIELD(TWX_KIND_FILE, parameters_model)},
    {{"parameters.threshold", "0.98", "0..1",
      "Least probability, by the model, that a part of a URL does not change the page."},
     FIELD(TWX_KIND_SHARE, parameters_ppm)},
    {{"canonical.collapse_min", "10", "2..1000000",
      "If this many pages of a host all name one page as canonical, their links are ignored."},
     FIELD(TWX_KIND_COUNT32, canonical_collapse_min)},

    {{"mirrors.ratio", "0.8", "0..1",
      "Smallest share of documents that two hosts have in common if one mirrors the other."},
     FIELD(TWX_KIND_SHARE, mirrors_ratio_ppm)},
    {{"mirrors.min_documents", "10", "1..1000000000",
      "Hosts with fewer documents that take part are not compared."},
     FIELD(TWX_KIND_COUNT32, mirrors_min_documents)},

    {{"guard.max_hidden", "0.99", "0..1",
      "A run stops if the verdict would hide more than this share of a host."},
     FIELD(TWX_KIND_SHARE, guard_max_hidden_ppm)},
    {{"guard.max_lost", "0.5", "0..1",
      "A run stops if more than this share of the documents of a host or of the store that took "
      "part before are gone or no longer take part."},
     FIELD(TWX_KIND_SHARE, guard_max_lost_ppm)},
    {{"guard.max_turned", "0.1", "0..1",
      "A run stops if more than this share of the documents of a host that took part before are "
      "now error pages, challenges, logins or questions for consent."},
     FIELD(TWX_KIND_SHARE, guard_max_turned_ppm)},
    {{"guard.min_documents", "100", "0..1000000000",
      "The guards ignore hosts with fewer documents."},
     FIELD(TWX_KIND_COUNT32, guard_min_documents)},
    {{"guard.max_group", "100000", "2..1000000000000",
      "A run stops if a group has more documents than this."},
     FIELD(TWX_KIND_COUNT, guard_max_group)},
};

static const twx_setting_row RUN[] = {
    {{"run.jobs", "0", "0..256", "Threads that sign documents; 0: one per processor."},
     FIELD(TWX_KIND_COUNT32, run_jobs)},
    {{"run.memory", "0", "16M..1024G",
      "Memory for grouping, in bytes; temporary files are used beyond it. 0: an eighth of what the "
      "machine or the control group has, from 256M to 4G."},
     FIELD(TWX_KIND_SIZE, run_memory)},
    {{"run.sqlite_memory", "1G", "0..1024G",
      "Largest memory of SQLite, in the whole process; what needs more fails. 0: no limit."},
     FIELD(TWX_KIND_SIZE, run_sqlite_memory)},
    {{"run.check", "auto", "auto|yes|no",
      "Checks the file for damage before a run, and before other commands write to it. auto: a run "
      "checks it if it is the first one, if the one before did not end or failed, once a week, "
      "after a restart of the machine, and with --full, --verify, --dry-run and --flags."},
     FIELD(TWX_KIND_CHOICE, run_check)},
    {{"run.batch_rows", "10000", "1..1000000", "Largest number of rows per write transaction."},
     FIELD(TWX_KIND_COUNT32, run_batch_rows)},
    {{"run.pause_ms", "15", "0..60000",
      "Pause between write transactions in milliseconds, so that other programs can write. If they "
      "do, the pause after a long transaction is longer."},
     FIELD(TWX_KIND_COUNT32, run_pause_ms)},
    {{"run.busy_ms", "10000", "0..3600000",
      "How long to wait for the lock of another program, in milliseconds."},
     FIELD(TWX_KIND_COUNT32, run_busy_ms)},
    {{"run.row_bytes", "64M", "1M..1G", "The longest row that is read, in bytes."},
     FIELD(TWX_KIND_SIZE, run_row_bytes)},
    {{"run.notify_all", "no", SWITCH,
      "Names each document that cannot be used, instead of only counting them."},
     FIELD(TWX_KIND_SWITCH, run_notify_all)},
    {{"follow.every", "2", "0..86400",
      "'twindex follow' publishes at most once in so many seconds; 0: as soon as it can."},
     FIELD(TWX_KIND_COUNT32, follow_every)},
};

const twx_setting_rows TWX_SETTINGS_RESULT = {RESULT, TWX_COUNTOF(RESULT)};
const twx_setting_rows TWX_SETTINGS_RUN = {RUN, TWX_COUNTOF(RUN)};

#define ADDRESS(name) &TWX_SETTINGS_##name,
static const twx_setting_rows *const BELOW[] = {TWX_SETTINGS_ROWS(ADDRESS)};

/* YaCy's own defaults. Source: yacy_search_server, defaults/yacy.init,
 * search.ranking.solr.doubledetection.minlength and .quantrate and
 * search.ranking.uniqueheuristic.*; it compares within a host. */
static const twx_setting_value YACY[] = {
    {"exact.scope", "host"},
    {"fuzzy.scope", "host"},
    {"title.scope", "host"},
    {"description.scope", "host"},
    {"search.ranking.uniqueheuristic.preferhttps", "no"},
    {"search.ranking.uniqueheuristic.preferwwwprefix", "yes"},
    {"fuzzy.min_token_len", "3"},
    {"fuzzy.quant_rate", "0.5"},
};

_Static_assert(sizeof(twx_relation_scope) == sizeof(unsigned) &&
                   sizeof(uint32_t) == sizeof(unsigned),
               "TWX_KIND_CHOICE writes these");
_Static_assert(sizeof(twx_www) == sizeof(unsigned), "TWX_KIND_SWITCH_AUTO writes it");

static twx_setting_row method_row(const twx_method_setting *s, size_t value) {
    static const twx_setting_kind KINDS[] = {[TWX_METHOD_COUNT] = TWX_KIND_COUNT32,
                                             [TWX_METHOD_SHARE] = TWX_KIND_SHARE,
                                             [TWX_METHOD_SWITCH] = TWX_KIND_SWITCH32,
                                             [TWX_METHOD_CHOICE] = TWX_KIND_CHOICE};
    return (twx_setting_row){.shown = s->shown,
                             .kind = KINDS[s->kind],
                             .field = offsetof(twx_settings, methods) + value * sizeof(uint32_t)};
}

/* A place in the list, from which the lengths of the parts before are subtracted. */
typedef struct place {
    size_t i;
    twx_setting_row *row;
    const twindex_setting **shown;
} place;

static bool is_in_rows(place *p, const twx_setting_row *rows, size_t n) {
    if (p->i >= n) {
        p->i -= n;
        return false;
    }
    *p->row = rows[p->i];
    *p->shown = &rows[p->i].shown;
    return true;
}

static bool is_in_method(place *p, const twx_detector *d) {
    if (p->i >= d->n_settings) {
        p->i -= d->n_settings;
        return false;
    }
    *p->row = method_row(&d->settings[p->i], (size_t)d->id * TWX_METHOD_SETTINGS_MAX + p->i);
    *p->shown = &d->settings[p->i].shown;
    return true;
}

bool twx_setting_row_at(size_t i, twx_setting_row *ret_row, const twindex_setting **ret_shown) {
    const twindex_setting *unused = NULL;
    place p = {i, ret_row, ret_shown ? ret_shown : &unused};
    if (is_in_rows(&p, ABOVE, TWX_COUNTOF(ABOVE))) return true;
    const twx_detector *profile = twx_detector_find(PROFILE), *d = NULL;
    if (is_in_method(&p, profile) || is_in_rows(&p, BETWEEN, TWX_COUNTOF(BETWEEN))) return true;
    for (size_t k = 0; (d = twx_detector_at(k)); k++)
        if (d != profile && is_in_method(&p, d)) return true;
    for (size_t k = 0; k < TWX_COUNTOF(BELOW); k++)
        if (is_in_rows(&p, BELOW[k]->at, BELOW[k]->n)) return true;
    return false;
}

bool twx_setting_row_find(const char *name, twx_setting_row *ret_row) {
    twx_setting_row row;
    for (size_t i = 0; twx_setting_row_at(i, &row, NULL); i++) {
        if (!twx_slice_eq_nocase(twx_slice_of(name), twx_slice_of(row.shown.name))) continue;
        *ret_row = row;
        return true;
    }
    return false;
}

const twx_setting_value *twx_compat_at(size_t i) {
    return i < TWX_COUNTOF(YACY) ? &YACY[i] : NULL;
}
