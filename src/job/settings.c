/* One table, SETTINGS, says everything about a setting. The range of a number is read from the same
 * text that people see ("0..1", "16M..1024G"), with the reader of the kind itself; so are the words
 * of a choice. */
#include "job/settings.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/nearest.h"
#include "detect/detector.h"
#include "ingest/document_types.h"
#include "judge/judge.h"
#include "method/detectors.h"

typedef enum kind {
    KIND_COMPAT,  /* no field: sets other settings */
    KIND_TEXT,    /* char *, NULL when empty */
    KIND_FILE,    /* the same; relative to the configuration file that says it */
    KIND_WORD,    /* char *, one of the values */
    KIND_LIST,    /* char *, words that `check` accepts */
    KIND_STEPS,   /* unsigned, bits of twx_url_step */
    KIND_CHOICE,  /* an enum whose values count from 0 in the order of the words */
    KIND_SWITCH,  /* bool */
    KIND_COUNT32, /* uint32_t */
    KIND_COUNT,   /* uint64_t */
    KIND_SHARE,   /* uint32_t, millionths */
    KIND_SIZE     /* uint64_t, bytes */
} kind;

typedef struct setting {
    twindex_setting shown;
    kind kind;
    size_t field;
    twx_rc (*check)(twx_ctx *cx, const char *value); /* KIND_LIST */
} setting;

static twx_rc check_relations(twx_ctx *cx, const char *value) {
    uint32_t relations = 0;
    return twx_relations_parse(cx, twx_slice_of(value), &relations);
}

static twx_rc check_order(twx_ctx *cx, const char *value) {
    twx_criterion criteria[TWX_CRITERIA];
    return twx_criteria_parse(cx, twx_slice_of(value), criteria);
}

static twx_rc check_near(twx_ctx *cx, const char *value) {
    const twx_detector *d = twx_detector_find(value);
    if (strcmp(value, "none") == 0 || (d && d->near)) return TWX_OK;
    return twx_fail(
        cx, TWX_E_CONFIG,
        "near.detector: '%s' is no detector of near copies; `twindex detectors` lists them", value);
}

#define FIELD(kind, member) (kind), offsetof(twx_settings, member), NULL
#define SCOPES              "store|domain|host"
#define EXPRESSION          "SQL expression"
#define SWITCH              "yes|no"
#define STEPS \
    "list of trailing_slash index_page parameter_order session_parameters tracking_parameters"
#define RELATIONS "list of scheme www canonical redirect exact fuzzy title description near copy"

static const setting SETTINGS[] = {
    {{"compat", "none", "none|yacy",
      "Takes over the defaults of another program; settings given later override them."},
     KIND_COMPAT,
     0,
     NULL},

    {{"store.from", "", "table or FROM clause",
      "The table of the documents; without it twindex looks for one."},
     FIELD(KIND_TEXT, store_from)},
    {{"store.where", "", EXPRESSION, "Which rows of it are documents; all, without it."},
     FIELD(KIND_TEXT, store_where)},
    {{"store.id", "", EXPRESSION, "The key of a document."}, FIELD(KIND_TEXT, store_map[0])},
    {{"store.url", "", EXPRESSION, "Its absolute URL."}, FIELD(KIND_TEXT, store_map[1])},
    {{"store.text", "", EXPRESSION, "Its visible text, UTF-8."}, FIELD(KIND_TEXT, store_map[2])},
    {{"store.title", "", EXPRESSION, "Its title."}, FIELD(KIND_TEXT, store_map[3])},
    {{"store.description", "", EXPRESSION, "Its description."}, FIELD(KIND_TEXT, store_map[4])},
    {{"store.http_status", "", EXPRESSION, "The status it was loaded with; NULL counts as 200."},
     FIELD(KIND_TEXT, store_map[5])},
    {{"store.failure", "", EXPRESSION, "Why loading it failed; empty or NULL when it did not."},
     FIELD(KIND_TEXT, store_map[6])},
    {{"store.robots", "", EXPRESSION,
      "Its robots directives: text, or YaCy's bit field as an integer."},
     FIELD(KIND_TEXT, store_map[7])},
    {{"store.canonical_url", "", EXPRESSION, "The target of its canonical link."},
     FIELD(KIND_TEXT, store_map[8])},
    {{"store.redirect_url", "", EXPRESSION, "Where it redirects to."},
     FIELD(KIND_TEXT, store_map[9])},
    {{"store.hreflang_group", "", EXPRESSION, "A value that a page and its translations share."},
     FIELD(KIND_TEXT, store_map[10])},
    {{"store.fetched_at", "", EXPRESSION, "When it was loaded: seconds since 1970 or ISO 8601."},
     FIELD(KIND_TEXT, store_map[11])},
    {{"store.score", "", EXPRESSION, "Its rank or number of inlinks; larger is better."},
     FIELD(KIND_TEXT, store_map[12])},
    {{"store.layout_digest", "", EXPRESSION, "A digest of its markup without the text."},
     FIELD(KIND_TEXT, store_map[13])},
    {{"store.content_type", "", EXPRESSION, "Its content type."}, FIELD(KIND_TEXT, store_map[14])},
    {{"store.language", "", EXPRESSION, "Its language."}, FIELD(KIND_TEXT, store_map[15])},
    {{"store.crawl_id", "", EXPRESSION, "The crawl it comes from."},
     FIELD(KIND_TEXT, store_map[16])},
    {{"store.changed", "", EXPRESSION, "A value that changes whenever the document does."},
     FIELD(KIND_TEXT, store_map[17])},
    {{"store.allow_view", "no", SWITCH,
      "Reads documents from views, virtual tables and generated columns, too."},
     FIELD(KIND_SWITCH, store_allow_view)},
    {{"store.allow_rowid", "no", SWITCH,
      "Takes the rowid of a table without INTEGER PRIMARY KEY as the key, although VACUUM changes "
      "it."},
     FIELD(KIND_SWITCH, store_allow_rowid)},
    {{"store.joined_view", "no", SWITCH,
      "Keeps the view flagged_documents in a store of another program, too, where it makes "
      "migrations fail."},
     FIELD(KIND_SWITCH, store_joined_view)},
    {{"store.accept_mapping", "no", SWITCH,
      "Goes on with the mapping that was found although others fit as well."},
     FIELD(KIND_SWITCH, store_accept_mapping)},
    {{"store.feed", "auto", "auto|trigger|column|scan", "How changed documents are found."},
     FIELD(KIND_WORD, store_feed)},
    {{"store.flags", "", "file",
      "Keeps flags and signatures in this file and opens the store read-only."},
     FIELD(KIND_FILE, flags_file)},

    {{"search.ranking.uniqueheuristic.preferhttps", "yes", SWITCH,
      "Prefers https over http; no: http over https."},
     FIELD(KIND_SWITCH, prefer_https)},
    {{"search.ranking.uniqueheuristic.preferwwwprefix", "yes", SWITCH,
      "Prefers hosts with a leading www. over those without; no: the other way round."},
     FIELD(KIND_SWITCH, prefer_www)},
    {{"url.steps", "", STEPS, "What else makes two URLs equal, besides their normal form."},
     FIELD(KIND_STEPS, url_steps)},
    {{"url.rules", "", "file",
      "Rewrite rules s/pattern/replacement/ that are applied to each URL."},
     FIELD(KIND_FILE, url_rules_file)},

    {{"exact.scope", "store", SCOPES, "How far equal texts count as copies."},
     FIELD(KIND_CHOICE, exact_scope)},
    {{"fuzzy.scope", "store", SCOPES, "How far equal text profiles count as copies."},
     FIELD(KIND_CHOICE, fuzzy_scope)},
    {{"title.scope", "host", SCOPES, "How far equal titles count as copies."},
     FIELD(KIND_CHOICE, title_scope)},
    {{"description.scope", "host", SCOPES, "How far equal descriptions count as copies."},
     FIELD(KIND_CHOICE, description_scope)},
    {{"fuzzy.min_token_len", "2", "0..1000",
      "Tokens of at most so many UTF-16 units are not in the text profile."},
     FIELD(KIND_COUNT32, fuzzy_min_token_len)},
    {{"fuzzy.quant_rate", "0.01", "0..1",
      "Counts of the text profile are rounded down to this share of the largest."},
     FIELD(KIND_SHARE, fuzzy_quant_rate_ppm)},
    {{"fuzzy.digest", "md5", "md5|sha256",
      "Digest of the text profile; sha256 where MD5 is not offered."},
     FIELD(KIND_CHOICE, fuzzy_digest)},

    {{"near.detector", "alignment", "name of a detector, or none",
      "The method that finds nearly equal texts (twindex detectors)."},
     KIND_LIST,
     offsetof(twx_settings, near_detector),
     check_near},
    {{"near.scope", "store", SCOPES, "How far nearly equal texts count as copies."},
     FIELD(KIND_CHOICE, near_scope)},
    {{"near.min_words", "20", "0..1000000", "Texts with fewer words are nobody's near copy."},
     FIELD(KIND_COUNT32, near_min_words)},
    {{"near.join", "representative", "representative|link",
      "What joins a document to a group: being near its representative, or near any member."},
     FIELD(KIND_CHOICE, near_join)},
    {{"near.candidates", "64", "1..1000000",
      "Representatives that a document is compared with for each of its keys."},
     FIELD(KIND_COUNT32, near_candidates)},
    {{"copy.versions", "separate", "separate|newest",
      "Near-duplicates whose titles differ in the version alone: all visible, or hidden behind the "
      "newest."},
     FIELD(KIND_CHOICE, copy_versions)},
    {{"copy.common", "0.05", "0..1",
      "A word that this share of a host's names repeat in their texts tells no document from "
      "another."},
     FIELD(KIND_SHARE, copy_common_ppm)},
    {{"copy.site", "0.5", "0..1",
      "A word in the titles of this share of a host's names is the site's own part of them."},
     FIELD(KIND_SHARE, copy_site_ppm)},
    {{"copy.ignore", "", "list of words", "Words that are never part of a document's name."},
     FIELD(KIND_TEXT, copy_ignore)},
    {{"text.sentence_end", "", "PCRE2 pattern",
      "What parts sentences; by default . ! ? and line breaks."},
     FIELD(KIND_TEXT, sentence_end)},
    {{"simhash.distance", "3", "0..6",
      "Bits in which two simhash fingerprints of near copies may differ."},
     FIELD(KIND_COUNT32, simhash_distance)},
    {{"alignment.threshold", "0.8", "0..1",
      "Least estimated similarity of two near copies, by alignment."},
     FIELD(KIND_SHARE, alignment_threshold_ppm)},
    {{"minhash.boilerplate", "yes", SWITCH,
      "Ignores the text that many pages of a site share (menus, footers), by minhash."},
     FIELD(KIND_SWITCH, minhash_boilerplate)},
    {{"minhash.threshold", "0.9", "0.5..1",
      "Least estimated resemblance of two near copies, by minhash."},
     FIELD(KIND_SHARE, minhash_threshold_ppm)},
    {{"shingles.threshold", "0.8", "0..1", "Least resemblance of two near copies, by shingles."},
     FIELD(KIND_SHARE, shingles_threshold_ppm)},
    {{"decomposition.threshold", "0.85", "0..1",
      "Least similarity of two near copies, by decomposition."},
     FIELD(KIND_SHARE, decomposition_threshold_ppm)},
    {{"chunks.threshold", "0.8", "0..1",
      "Least share of bytes in equal chunks of two near copies, by chunks."},
     FIELD(KIND_SHARE, chunks_threshold_ppm)},
    {{"bloom.threshold", "0.8", "0..1",
      "Least share of bits in common of two near copies, by bloom."},
     FIELD(KIND_SHARE, bloom_threshold_ppm)},
    {{"content_links.tolerance", "0.05", "0..1",
      "How far each value of two near copies may differ, by content_links."},
     FIELD(KIND_SHARE, content_links_tolerance_ppm)},

    {{"import.links", "no", SWITCH, "Import keeps the links between pages, for content_links."},
     FIELD(KIND_SWITCH, import_links)},
    {{"import.types", TWX_DOCUMENT_TYPES, "list of html xhtml plain markdown or content types",
      "Which responses are documents; the others are left out and counted by type."},
     KIND_LIST,
     offsetof(twx_settings, import_types),
     twx_document_types_check},
    {{"import.page_bytes", "16M", "64K..512M",
      "The longest page that is imported, in bytes after unpacking."},
     FIELD(KIND_SIZE, import_page_bytes)},

    {{"verdict.relations", "scheme www canonical redirect exact copy", RELATIONS,
      "The relations that the combined verdict joins."},
     KIND_LIST,
     offsetof(twx_settings, verdict_relations),
     check_relations},
    {{"verdict.order", "score url_length fetched_at", "list of score url_length fetched_at",
      "Which document stands for its copies, behind preferred scheme and www form and before the "
      "lowest id."},
     KIND_LIST,
     offsetof(twx_settings, verdict_order),
     check_order},
    {{"verdict.pins", "", "file",
      "Decisions by hand: lines of 'separate URL URL', 'prefer PREFIX' and 'keep URL'."},
     FIELD(KIND_FILE, verdict_pins)},
    {{"canonical.collapse_min", "10", "2..1000000",
      "A host with so many pages that all link to one target as canonical is not believed."},
     FIELD(KIND_COUNT32, canonical_collapse_min)},

    {{"mirrors.ratio", "0.8", "0..1",
      "Share of its documents that a host has in common with another that it mirrors."},
     FIELD(KIND_SHARE, mirrors_ratio_ppm)},
    {{"mirrors.min_documents", "10", "1..1000000000",
      "Hosts with fewer documents that take part mirror nobody."},
     FIELD(KIND_COUNT32, mirrors_min_documents)},

    {{"guard.max_hidden", "0.99", "0..1",
      "A run stops when the verdict would hide more than this share of a host."},
     FIELD(KIND_SHARE, guard_max_hidden_ppm)},
    {{"guard.max_lost", "0.5", "0..1",
      "A run stops when more than this share of what took part before, of a host or of the store, "
      "is gone or takes part no more."},
     FIELD(KIND_SHARE, guard_max_lost_ppm)},
    {{"guard.min_documents", "100", "0..1000000000", "Hosts with fewer documents are not guarded."},
     FIELD(KIND_COUNT32, guard_min_documents)},
    {{"guard.max_group", "100000", "2..1000000000000",
      "A run stops when a group has more documents than this."},
     FIELD(KIND_COUNT, guard_max_group)},

    {{"run.jobs", "0", "0..256", "Threads that sign documents; 0: one a processor."},
     FIELD(KIND_COUNT32, run_jobs)},
    {{"run.memory", "256M", "16M..1024G",
      "Memory for grouping, in bytes; beyond it temporary files are used."},
     FIELD(KIND_SIZE, run_memory)},
    {{"run.check", "yes", SWITCH, "Checks the file of the store for damage before a run."},
     FIELD(KIND_SWITCH, run_check)},
    {{"run.batch_rows", "10000", "1..1000000", "Rows of a write transaction."},
     FIELD(KIND_COUNT32, run_batch_rows)},
    {{"run.pause_ms", "10", "0..60000",
      "Milliseconds between write transactions, for other writers."},
     FIELD(KIND_COUNT32, run_pause_ms)},
    {{"run.busy_ms", "10000", "0..3600000",
      "Milliseconds to wait for the lock of another program."},
     FIELD(KIND_COUNT32, run_busy_ms)},
    {{"run.row_bytes", "64M", "1M..1G", "The longest row that is read, in bytes."},
     FIELD(KIND_SIZE, run_row_bytes)},
    {{"run.notify_all", "no", SWITCH,
      "Names each document that cannot be used, instead of counting them."},
     FIELD(KIND_SWITCH, run_notify_all)},
};

/* Other names of settings: those of YaCy, and a former name for one release after a setting is
 * renamed. */
static const struct {
    const char *alias, *name;
} ALIASES[] = {
    {"MIN_TOKEN_LEN", "fuzzy.min_token_len"},
    {"QUANT_RATE", "fuzzy.quant_rate"},
    {"minhash.chrome", "minhash.boilerplate"}, /* the name before 0.1.0 */
};

/* YaCy's own defaults. Source: yacy_search_server, defaults/yacy.init,
 * search.ranking.solr.doubledetection.minlength and .quantrate and
 * search.ranking.uniqueheuristic.*; it compares within a host. */
static const struct {
    const char *name, *value;
} YACY[] = {
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
                   sizeof(twx_digest) == sizeof(unsigned),
               "KIND_CHOICE writes these");

const twindex_setting *twx_settings_at(size_t i) {
    return i < TWX_COUNTOF(SETTINGS) ? &SETTINGS[i].shown : NULL;
}

/* ---- words and numbers -------------------------------------------------- */

/* The next word of a list; words are separated by white space, commas or bars. */
static bool next_word(twx_slice *list, twx_slice *ret_word) {
    size_t from = 0;
    while (from < list->n &&
           (twx_is_space((unsigned char)list->p[from]) || strchr(",|", list->p[from])))
        from++;
    size_t to = from;
    while (to < list->n && !twx_is_space((unsigned char)list->p[to]) && !strchr(",|", list->p[to]))
        to++;
    *ret_word = twx_slice_sub(*list, from, to);
    *list = twx_slice_sub(*list, to, list->n);
    return to > from;
}

/* Place of the value among the words; false: it is none of them. */
static bool place_of(const char *words, const char *value, unsigned *ret_place) {
    twx_slice list = twx_slice_of(words), word;
    for (unsigned i = 0; next_word(&list, &word); i++) {
        if (!twx_slice_eq_nocase(word, twx_slice_of(value))) continue;
        *ret_place = i;
        return true;
    }
    return false;
}

/* Digits off the front of s, as a number; false: none, or too large. */
static bool take_digits(twx_slice *s, uint64_t *ret_number) {
    uint64_t number = 0;
    size_t i = 0;
    for (; i < s->n && twx_is_digit((unsigned char)s->p[i]); i++)
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (uint64_t)(s->p[i] - '0'), &number))
            return false;
    *s = twx_slice_sub(*s, i, s->n);
    *ret_number = number;
    return i > 0;
}

static bool read_count(twx_slice s, uint64_t *ret_number) {
    return take_digits(&s, ret_number) && s.n == 0;
}

/* "0.01" -> 10 000 millionths, exactly; further digits than six have to be 0. */
static bool read_share(twx_slice s, uint64_t *ret_number) {
    uint64_t ppm = 0;
    if (!take_digits(&s, &ppm) || __builtin_mul_overflow(ppm, 1000000, &ppm)) return false;
    if (s.n == 1 || (s.n && s.p[0] != '.')) return false; /* "1." and "1x" */
    uint64_t unit = 100000;
    for (size_t i = 1; i < s.n; i++, unit /= 10) {
        if (!twx_is_digit((unsigned char)s.p[i]) || (unit == 0 && s.p[i] != '0')) return false;
        if (__builtin_add_overflow(ppm, (uint64_t)(s.p[i] - '0') * unit, &ppm)) return false;
    }
    *ret_number = ppm;
    return true;
}

/* "64M" -> bytes; K, M and G are powers of 1024. */
static bool read_size(twx_slice s, uint64_t *ret_number) {
    static const char SUFFIX[] = "kmg";
    uint64_t bytes = 0;
    if (!take_digits(&s, &bytes)) return false;
    if (s.n == 1) {
        const char *suffix = strchr(SUFFIX, twx_lower(s.p[0]));
        if (!suffix || !*suffix) return false;
        if (__builtin_mul_overflow(bytes, UINT64_C(1024) << 10 * (suffix - SUFFIX), &bytes))
            return false;
    }
    *ret_number = bytes;
    return s.n <= 1;
}

typedef bool read_fn(twx_slice s, uint64_t *ret_number);

/* A number within "low..high", all three read by `read`. */
static bool read_within(read_fn *read, const char *range, const char *value, uint64_t *ret_number) {
    const char *dots = strstr(range, "..");
    uint64_t low = 0, high = 0, number = 0;
    if (!dots || !read((twx_slice){range, (size_t)(dots - range)}, &low) ||
        !read(twx_slice_of(dots + 2), &high))
        return false;
    if (!read(twx_slice_of(value), &number) || number < low || number > high) return false;
    *ret_number = number;
    return true;
}

/* ---- setting ------------------------------------------------------------ */

static bool same_name(const char *a, const char *b) {
    return twx_slice_eq_nocase(twx_slice_of(a), twx_slice_of(b));
}

static const setting *find(const char *name) {
    for (size_t i = 0; i < TWX_COUNTOF(ALIASES); i++)
        if (same_name(name, ALIASES[i].alias)) name = ALIASES[i].name;
    for (size_t i = 0; i < TWX_COUNTOF(SETTINGS); i++)
        if (same_name(name, SETTINGS[i].shown.name)) return &SETTINGS[i];
    return NULL;
}

static twx_rc fail_unknown(twx_ctx *cx, const char *name) {
    twx_nearest near = twx_nearest_of(name);
    for (size_t i = 0; i < TWX_COUNTOF(SETTINGS); i++)
        twx_nearest_try(&near, SETTINGS[i].shown.name);
    if (near.name)
        return twx_fail(cx, TWX_E_CONFIG, "no setting '%.100s'; did you mean '%s'?", name,
                        near.name);
    return twx_fail(cx, TWX_E_CONFIG, "no setting '%.100s'; 'twindex settings' lists them", name);
}

static twx_rc fail_value(twx_ctx *cx, const setting *st, const char *value) {
    return twx_fail(cx, TWX_E_CONFIG, "%s: '%.100s' is not %s%s", st->shown.name, value,
                    strstr(st->shown.values, "..") ? "in " : "", st->shown.values);
}

static twx_rc set_text(twx_ctx *cx, char **field, const char *value) {
    char *copy = twx_strdup(cx, value);
    if (!copy) return TWX_E_NOMEM;
    twx_free(*field);
    *field = copy;
    return TWX_OK;
}

static twx_rc set_steps(twx_ctx *cx, const setting *st, unsigned *field, const char *value) {
    twx_slice list = twx_slice_of(value), word;
    unsigned steps = 0;
    while (next_word(&list, &word)) {
        unsigned step = 0;
        for (size_t i = 0; step == 0 && twx_url_step_name(i); i++)
            if (twx_slice_eq_nocase(word, twx_slice_of(twx_url_step_name(i))))
                step = twx_url_step_of(twx_url_step_name(i));
        if (step == 0) return fail_value(cx, st, value);
        steps |= step;
    }
    *field = steps;
    return TWX_OK;
}

static twx_rc set_switch(twx_ctx *cx, const setting *st, bool *field, const char *value) {
    unsigned place = 0;
    if (!place_of("no yes false true off on 0 1", value, &place)) return fail_value(cx, st, value);
    *field = place % 2 == 1;
    return TWX_OK;
}

static twx_rc set_number(twx_ctx *cx, const setting *st, void *field, const char *value) {
    read_fn *read = st->kind == KIND_SHARE  ? read_share
                    : st->kind == KIND_SIZE ? read_size
                                            : read_count;
    uint64_t number = 0;
    if (!read_within(read, st->shown.values, value, &number)) return fail_value(cx, st, value);
    if (st->kind == KIND_COUNT || st->kind == KIND_SIZE)
        *(uint64_t *)field = number;
    else
        *(uint32_t *)field = (uint32_t)number; /* the ranges of the table end below */
    return TWX_OK;
}

static twx_rc set_compat(twx_ctx *cx, twx_settings *s, const setting *st, const char *value) {
    unsigned place = 0;
    twx_rc rc = TWX_OK;
    if (!place_of(st->shown.values, value, &place)) return fail_value(cx, st, value);
    /* place 0, none, leaves all as it is */
    for (size_t i = 0; place == 1 && rc == TWX_OK && i < TWX_COUNTOF(YACY); i++)
        rc = twx_settings_set(cx, s, YACY[i].name, YACY[i].value);
    return rc;
}

static twx_rc set(twx_ctx *cx, twx_settings *s, const setting *st, const char *value) {
    void *field = (char *)s + st->field;
    unsigned place = 0;
    twx_rc rc = TWX_OK;
    switch (st->kind) {
    case KIND_COMPAT: return set_compat(cx, s, st, value);
    case KIND_STEPS: return set_steps(cx, st, field, value);
    case KIND_SWITCH: return set_switch(cx, st, field, value);
    case KIND_TEXT:
    case KIND_FILE:
        if (value[0]) return set_text(cx, field, value);
        twx_free(*(char **)field);
        *(char **)field = NULL;
        return TWX_OK;
    case KIND_LIST:
        rc = st->check(cx, value);
        return rc == TWX_OK ? set_text(cx, field, value) : rc;
    case KIND_WORD:
    case KIND_CHOICE:
        if (!place_of(st->shown.values, value, &place)) return fail_value(cx, st, value);
        if (st->kind == KIND_WORD) return set_text(cx, field, value);
        *(unsigned *)field = place;
        return TWX_OK;
    default: return set_number(cx, st, field, value);
    }
}

twx_rc twx_settings_set(twx_ctx *cx, twx_settings *s, const char *name, const char *value) {
    const setting *st = find(name);
    return st ? set(cx, s, st, value) : fail_unknown(cx, name);
}

twx_rc twx_settings_init(twx_ctx *cx, twx_settings *s) {
    twx_rc rc = TWX_OK;
    *s = (twx_settings){0};
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(SETTINGS); i++)
        rc = set(cx, s, &SETTINGS[i], SETTINGS[i].shown.default_value);
    if (rc != TWX_OK) twx_settings_done(s);
    return rc;
}

static bool owns_text(kind k) {
    return k == KIND_TEXT || k == KIND_FILE || k == KIND_WORD || k == KIND_LIST;
}

void twx_settings_done(twx_settings *s) {
    if (!s) return;
    for (size_t i = 0; i < TWX_COUNTOF(SETTINGS); i++)
        if (owns_text(SETTINGS[i].kind)) twx_free(*(char **)((char *)s + SETTINGS[i].field));
    *s = (twx_settings){0};
}

/* ---- the configuration file --------------------------------------------- */

enum { NAME_BYTES = 256, VALUE_BYTES = 1 << 16 };

/* What inih is asked through: it pulls lines out of `text` and hands over keys, without the number
 * of the line. */
typedef struct config {
    twx_ctx cx; /* its own, so that messages can be put behind "file:line: " */
    twx_settings *s;
    const char *path;
    twx_slice text;  /* what was not read yet */
    size_t line;     /* number of the last line read, from 1 */
    size_t bad_line; /* what cx.message is about */
    /* The key whose value may go on in the next line; it is set when the next line turns out to
     * begin something new. */
    bool open;
    size_t key_line;
    char name[NAME_BYTES];
    twx_buf value;
} config;

static void fail_at(config *c, size_t line, const char *message) {
    c->bad_line = line;
    (void)twx_fail(&c->cx, TWX_E_CONFIG, "%s", message);
}

/* [R3] */
static char *beside(twx_ctx *cx, const char *path, const char *file) {
    const char *slash = strrchr(path, '/');
    if (file[0] == '/' || file[0] == '\0' || !slash) return twx_strdup(cx, file);
    return twx_sprintf(cx, "%.*s/%s", (int)(slash - path), path, file);
}

static twx_rc set_key(config *c) {
    const setting *st = find(c->name);
    const char *value = c->value.p ? c->value.p : "";
    if (!st || st->kind != KIND_FILE) return twx_settings_set(&c->cx, c->s, c->name, value);
    char *path = beside(&c->cx, c->path, value);
    twx_rc rc = path ? set(&c->cx, c->s, st, path) : TWX_E_NOMEM;
    twx_free(path);
    return rc;
}

/* Sets the open key, if any. */
static bool close_key(config *c) {
    if (!c->open) return true;
    c->open = false;
    c->bad_line = c->key_line;
    return set_key(c) == TWX_OK;
}

static twx_rc open_key(config *c, const char *section, const char *name) {
    twx_buf_clear(&c->value);
    c->open = true;
    c->key_line = c->line;
    int n = snprintf(c->name, sizeof c->name, "%s%s%s", section, section[0] ? "." : "", name);
    if (n < 0 || (size_t)n >= sizeof c->name) fail_at(c, c->line, "the name is too long");
    return c->cx.rc;
}

/* inih's handler: a key, or one more line of the value of the open key ([R2]). Returns 0 on error.
 */
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

/* Is an indented line one that somebody indented for its looks, "  id = rowid" below "from =
 * pages"? It would silently become part of the value above. */
static bool looks_like_key(const config *c, twx_slice words) {
    const char *dot = strrchr(c->name, '.');
    char name[NAME_BYTES];
    size_t end = 0, section = dot ? (size_t)(dot + 1 - c->name) : 0;
    while (end < words.n && words.p[end] != '=' && words.p[end] != ':') end++;
    twx_slice key = twx_slice_trim(twx_slice_sub(words, 0, end));
    if (!c->open || end == words.n || section + key.n >= sizeof name) return false;
    memcpy(name, c->name, section);
    memcpy(name + section, key.p, key.n);
    name[section + key.n] = '\0';
    return twx_slice_find(key, '\0', 0) == key.n && find(name);
}

/* inih's reader: the next line into room[0..size). NULL ends the reading: no more lines, or an
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
    if (twx_slice_find(words, '\0', 0) < words.n) fail_at(c, c->line, "a NUL byte");
    if (goes_on && looks_like_key(c, words))
        fail_at(c, c->line,
                "a setting may not be indented: an indented line goes on with the value above it");
    if (words.n + goes_on >= (size_t)size)
        fail_at(c, c->line, "the line is too long; a value can go on in the next line, indented");
    if (c->cx.rc != TWX_OK) return NULL;
    if (goes_on) room[0] = ' '; /* by which inih knows it */
    if (words.n) memcpy(room + goes_on, words.p, words.n);
    room[goes_on + words.n] = '\0';
    return room;
}

twx_rc twx_settings_parse(twx_ctx *cx, twx_settings *s, const char *path, twx_slice text) {
    config c = {
        .cx = {.cancel = cx->cancel, .faults = cx->faults}, .s = s, .path = path, .text = text};
    twx_buf_init(&c.value, VALUE_BYTES);
    /* the first bad line; <0: out of memory */
    int bad = ini_parse_stream(next_line, &c, take_key, &c);
    if (bad == 0 && c.cx.rc == TWX_OK) (void)close_key(&c);
    if (bad < 0) (void)twx_fail(&c.cx, TWX_E_NOMEM, "out of memory");
    if (bad > 0 && (c.cx.rc == TWX_OK || (size_t)bad < c.bad_line)) {
        twx_ctx_clear(&c.cx);
        fail_at(&c, (size_t)bad, "neither [section] nor name = value");
    }
    twx_buf_done(&c.value);
    return c.cx.rc == TWX_OK ? TWX_OK
                             : twx_fail(cx, c.cx.rc, "%s:%zu: %s", path, c.bad_line, c.cx.message);
}

twx_rc twx_settings_load(twx_ctx *cx, twx_settings *s, const char *path) {
    twx_rc rc = TWX_OK;
    twx_buf text;
    char piece[4096];
    twx_buf_init(&text, TWX_CONFIG_MAX);
    FILE *f = fopen(path, "re");
    if (!f) return twx_fail(cx, TWX_E_IO, "cannot read '%s': %s", path, strerror(errno));
    for (size_t n; rc == TWX_OK && (n = fread(piece, 1, sizeof piece, f)) > 0;) {
        if (text.n + n > TWX_CONFIG_MAX)
            rc = twx_fail(cx, TWX_E_CONFIG, "'%s' is too large for a configuration file", path);
        else
            rc = twx_buf_add(cx, &text, piece, n);
    }
    if (rc == TWX_OK && ferror(f))
        rc = twx_fail(cx, TWX_E_IO, "cannot read '%s': %s", path, strerror(errno));
    fclose(f);
    if (rc == TWX_OK) rc = twx_settings_parse(cx, s, path, twx_buf_slice(&text));
    twx_buf_done(&text);
    return rc;
}
