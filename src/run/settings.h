/* run/settings.h: the settings and their values. One table (settings_table.c) defines the name,
 * default, accepted values and help sentence of every setting: the configuration file, the
 * environment (TWINDEX_FUZZY_SCOPE), the command line (--set NAME=VALUE), --compat, the manual
 * pages and `twindex_setting_at()` all use it.
 * Memory: embedded struct; strings are owned by it. */
#ifndef TWX_RUN_SETTINGS_H
#define TWX_RUN_SETTINGS_H

#include "base/buf.h"
#include "group/leaders.h"
#include "judge/names.h"
#include "judge/order.h"
#include "judge/relations.h"
#include "sign/params.h"
#include "store/source_columns.h"
#include "twindex/twindex.h"

/* run.check, in the order of its words. AUTO: a run decides (run/run.c); other commands check. */
typedef enum twx_when_checked {
    TWX_CHECKED_AUTO,
    TWX_CHECKED_ALWAYS,
    TWX_CHECKED_NEVER
} twx_when_checked;

/* near.text */
typedef enum twx_signed_text { TWX_SIGNED_ALL, TWX_SIGNED_MAIN } twx_signed_text;

typedef struct twx_settings {
    /* [store] */
    char *store_from;             /* NULL: detect */
    char *store_where;            /* NULL: all rows */
    char *store_map[TWX_COLUMNS]; /* SQL expression of each column, NULL: not mapped */
    bool store_allow_view;
    bool store_joined_view;
    bool store_allow_rowid;
    bool store_accept_mapping;
    char *store_feed; /* "auto", "trigger", "column", "scan" */
    char *flags_file; /* --flags FILE; NULL: in the store */
    /* [search.ranking.uniqueheuristic] */
    bool prefer_https;
    twx_www prefer_www;
    /* [url] */
    unsigned url_steps;   /* url.steps: list of step names */
    char *url_rules_file; /* url.rules */
    /* detectors */
    twx_relation_scope exact_scope, fuzzy_scope, title_scope, description_scope;
    char *near_detector; /* a name of sign/detectors.h, or "none" */
    twx_relation_scope near_scope;
    uint32_t near_min_words;
    twx_signed_text near_text;
    twx_join near_join;
    /* near.candidates: representatives that a document is compared with, per key */
    uint32_t near_candidates;
    twx_proofs copy_proof;
    twx_versions copy_versions;
    uint32_t copy_margin_ppm, copy_common_ppm, copy_site_ppm;
    char *copy_ignore;         /* words, separated by blanks; NULL: none */
    char *sentence_end;        /* PCRE2 pattern; NULL: the default */
    twx_method_values methods; /* the settings of methods, each in the file of its method */
    char *hosts; /* sections [host NAME], as url/host_patterns.h reads them; NULL: none */
    /* [import] */
    bool import_links;
    char *import_triggers;      /* refuse, skip, run: the owner's, on documents */
    char *import_types;         /* what is a document: page/document_types.h */
    uint64_t import_page_bytes; /* longest page, unpacked */
    /* [index] */
    char *index_language; /* of documents without one; NULL: none */
    /* [verdict] */
    char *verdict_relations; /* names, separated by blanks */
    char *verdict_order;     /* list of criteria (judge/order.h) */
    char *verdict_pins;      /* a file (judge/pins.h); NULL: none */
    uint32_t canonical_collapse_min;
    /* [mirrors] */
    uint32_t mirrors_ratio_ppm;     /* mirrors.ratio, 0..1 */
    uint32_t mirrors_min_documents; /* hosts with fewer are not compared */
    /* [guard] */
    uint32_t guard_max_hidden_ppm; /* guard.max_hidden, 0..1 */
    uint32_t guard_max_lost_ppm;   /* guard.max_lost, 0..1 */
    uint32_t guard_min_documents;  /* hosts with fewer are not guarded */
    uint64_t guard_max_group;
    /* [cluster]: how a cluster is reached, not what it finds */
    char *cluster_urls; /* of all nodes, separated by blanks; NULL: none */
    char *cluster_name, *cluster_database;
    uint32_t cluster_shard;      /* number of the store; 0: none */
    char *cluster_ledger;        /* path; NULL: none */
    char *cluster_user;          /* NULL: default */
    char *cluster_password_file; /* NULL: no password */
    char *cluster_ca_file;       /* NULL: those of the system */
    uint32_t cluster_ranges;     /* parts in which keys are grouped */
    uint32_t cluster_timeout;    /* seconds a statement may take */
    /* [run] */
    uint32_t run_jobs;          /* 0: one per core */
    uint64_t run_memory;        /* bytes; takes K, M, G */
    uint64_t run_sqlite_memory; /* bytes for SQLite in the whole process; 0: no limit */
    twx_when_checked run_check; /* quick_check of the file before a run */
    uint32_t run_batch_rows;    /* rows per write transaction */
    uint32_t run_pause_ms;      /* between write transactions */
    uint32_t run_busy_ms;       /* how long to wait for a lock of another connection */
    uint64_t run_row_bytes;     /* longest row that is read */
    bool run_notify_all;        /* -v: name each bad document */
} twx_settings;

/* Every setting at its default. */
TWX_CHECK twx_rc twx_settings_init(twx_ctx *cx, twx_settings *s);
void twx_settings_done(twx_settings *s);
/* A copy that owns its strings. */
TWX_CHECK twx_rc twx_settings_copy(twx_ctx *cx, const twx_settings *from, twx_settings *ret_copy);
/* Appends the value of a setting as twx_settings_set() takes it; nothing for `compat`, which has
 * none. Errors TWX_E_CONFIG: there is no such setting. */
TWX_CHECK twx_rc twx_settings_get(twx_ctx *cx, const twx_settings *s, const char *name,
                                  twx_buf *out);
/* The order of documents that the settings describe. */
TWX_CHECK twx_rc twx_preference_of(twx_ctx *cx, const twx_settings *s, twx_preference *ret);
/* Accepts a name of the table in any case. "" unsets
 * settings that are free text: expressions, files, lists.
 * Errors TWX_E_CONFIG, naming the setting, the value and the accepted values; s is then
 * unchanged. */
TWX_CHECK twx_rc twx_settings_set(twx_ctx *cx, twx_settings *s, const char *name,
                                  const char *value);

/* Of all settings but those of [run] and [cluster], which decide how a run works and not what it
 * finds. */
uint64_t twx_settings_fingerprint(const twx_settings *s);

enum { TWX_CONFIG_MAX = 1 << 20 }; /* bytes of a configuration file */

/* [R1] "[section]" and "key = value" lines set section.key, in the order of the file; above the
 * first section keys are full names.
 * [R2] '#' or ';' begins a comment line, and " ;" a comment at the end of a line. An indented line
 * continues the previous value; one that names a setting of the section is refused, because it was
 * probably meant as a setting.
 * [R3] A relative path in a setting is relative to the directory of the configuration file.
 * Errors TWX_E_CONFIG with "file:line: ...", TWX_E_IO; s is then partly set.
 * The file is one that the user named (base/trusted_file.h). */
TWX_CHECK twx_rc twx_settings_load(twx_ctx *cx, twx_settings *s, const char *path);
/* The same for a file that nobody named: none is no error, and it has to be trusted. */
TWX_CHECK twx_rc twx_settings_load_found(twx_ctx *cx, twx_settings *s, const char *path);
/* The same for the text of the file; path is for messages and [R3]. */
TWX_CHECK twx_rc twx_settings_parse(twx_ctx *cx, twx_settings *s, const char *path, twx_slice text);
/* The table; NULL after the last row. `compat` is the first row: when several settings are applied
 * together (environment), it comes first, so that the others override it. */
const twindex_setting *twx_settings_at(size_t i);
/* By name, in any case; NULL: there is none. */
const twindex_setting *twx_settings_find(const char *name);

#endif
