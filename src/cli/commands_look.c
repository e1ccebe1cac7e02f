#include "cli/cli.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== command_explain */

static int explain(twx_session *s) {
    return twindex_explain(s->t, s->arguments[0], &s->sink);
}

static size_t others(const void *own) {
    (void)own;
    return 1;
}

const twx_command twx_command_explain = {
    .name = "explain",
    .run = explain,
    .kind = TWX_CLI_READS,
    .several = true,
    .others = others,
    .arguments = "STORE... URL|ID",
    .least = 2,
    .most = -1,
};

/* ==== command_compare */

static const twindex_compare_options COMPARE_DEFAULTS = {.limit = TWINDEX_COMPARE_LIMIT};

static int compare(twx_session *s) {
    return twindex_compare(s->t, s->arguments[0], s->arguments[1], s->options.own, &s->sink);
}

static const twx_option COMPARE_OPTIONS[] = {
    {"all", 'a', NULL, TWX_OPTION_OWN(FLAG, twindex_compare_options, all),
     "also use the detectors that need statistics of the whole store; reads all of it"},
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, twindex_compare_options, limit),
     "show at most N passages, 20 by default; 0: all"},
    TWX_OPTION_ACCEPT_MAPPING,
    TWX_OPTION_END,
};

const twx_command twx_command_compare = {
    .name = "compare",
    .run = compare,
    .kind = TWX_CLI_READS,
    .arguments = "STORE URL|ID URL|ID",
    .least = 3,
    .most = 3,
    .options = COMPARE_OPTIONS,
    .defaults = &COMPARE_DEFAULTS,
    .own_bytes = sizeof COMPARE_DEFAULTS,
};

/* ==== command_similar */

static const twindex_similar_options SIMILAR_DEFAULTS = {.limit = TWINDEX_SIMILAR_LIMIT};

static int similar(twx_session *s) {
    return twindex_similar(s->t, s->arguments[0], s->options.own, &s->sink);
}

static const twx_option SIMILAR_OPTIONS[] = {
    {"detector", 'd', "DETECTOR", TWX_OPTION_OWN(TEXT, twindex_similar_options, detector),
     "use the signatures of this detector (see 'twindex detectors') instead of near.detector"},
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, twindex_similar_options, limit),
     "list at most N documents, 10 by default; 0: all that have anything in common"},
    {"memory", 'm', "SIZE", TWX_OPTION_SETTING("run.memory", NULL),
     "use about SIZE bytes of memory (suffixes K, M, G)"},
    TWX_OPTION_ACCEPT_MAPPING,
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

const twx_command twx_command_similar = {
    .name = "similar",
    .run = similar,
    .kind = TWX_CLI_READS,
    .arguments = "STORE URL|ID",
    .least = 2,
    .most = 2,
    .options = SIMILAR_OPTIONS,
    .defaults = &SIMILAR_DEFAULTS,
    .own_bytes = sizeof SIMILAR_DEFAULTS,
};

/* ==== command_groups */

typedef struct groups_options {
    const char *detector; /* NULL: the verdict */
    size_t limit;
} groups_options;

static const groups_options GROUPS_DEFAULTS = {.limit = 20};

static int groups(twx_session *s) {
    const groups_options *own = s->options.own;
    return twindex_groups(s->t, own->detector, own->limit, &s->sink);
}

static const twx_option GROUPS_OPTIONS[] = {
    {"detector", 'd', "DETECTOR", TWX_OPTION_OWN(TEXT, groups_options, detector),
     "list the groups of this detector (see 'twindex detectors') instead of the clusters of the "
     "verdict"},
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, groups_options, limit),
     "list at most N groups, 20 by default; 0: all"},
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

const twx_command twx_command_groups = {
    .name = "groups",
    .run = groups,
    .kind = TWX_CLI_READS,
    .several = true,
    .arguments = "STORE...",
    .least = 1,
    .most = -1,
    .options = GROUPS_OPTIONS,
    .defaults = &GROUPS_DEFAULTS,
    .own_bytes = sizeof GROUPS_DEFAULTS,
};

/* ==== command_mirrors */

static int mirrors(twx_session *s) {
    return twindex_mirrors(s->t, &s->sink);
}

static const twx_option MIRRORS_OPTIONS[] = {
    {"ratio", 'r', "SHARE", TWX_OPTION_SETTING("mirrors.ratio", NULL),
     "treat two hosts as mirrors when this share of the documents of each is also on the other"},
    {"min-documents", 0, "N", TWX_OPTION_SETTING("mirrors.min_documents", NULL),
     "compare only hosts with N documents or more"},
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

const twx_command twx_command_mirrors = {
    .name = "mirrors",
    .run = mirrors,
    .kind = TWX_CLI_WRITES,
    .several = true,
    .arguments = "STORE...",
    .least = 1,
    .most = -1,
    .options = MIRRORS_OPTIONS,
};

/* ==== command_detectors */

static int detectors(twx_session *s) {
    return twindex_detectors(s->t, &s->sink);
}

static const twx_option DETECTORS_OPTIONS[] = {
    {"json", 0, NULL, TWX_OPTION_COMMON(FLAG, json), "print JSON"},
    TWX_OPTION_END,
};

const twx_command twx_command_detectors = {
    .name = "detectors",
    .run = detectors,
    .kind = TWX_CLI_PURE,
    .arguments = "",
    .options = DETECTORS_OPTIONS,
};

/* ==== command_report */

enum { PATH_BYTES = 1 << 16, FOLDER_MODE = 0777 };

typedef struct report_options {
    const char *html; /* a file for the page; NULL: none */
    const char *csv;  /* a folder for the tables; NULL: none */
} report_options;

static const report_options REPORT_DEFAULTS = {0};

static int write_page(twx_session *s, const char *path) {
    twx_output_file f;
    twx_rc rc = twx_output_file_open(&s->cx, path, TWINDEX_TEXT, &f);
    if (rc != TWX_OK) return twx_rc_exit(rc);
    return twx_output_file_finish(&s->cx, &f, twindex_report_page(s->t, &f.sink));
}

static int write_sheet(twx_session *s, twindex_sheet sheet, const char *path) {
    twx_output_file f;
    twx_rc rc = twx_output_file_open(&s->cx, path, TWINDEX_TEXT, &f);
    if (rc != TWX_OK) return twx_rc_exit(rc);
    return twx_output_file_finish(&s->cx, &f, twindex_report_sheet(s->t, sheet, &f.sink));
}

static twx_rc sheet_path(twx_ctx *cx, const char *folder, size_t sheet, twx_buf *ret_path) {
    static const char *const NAMES[TWINDEX_SHEETS] = {[TWINDEX_SHEET_GROUPS] = "groups.csv",
                                                      [TWINDEX_SHEET_HOSTS] = "hosts.csv",
                                                      [TWINDEX_SHEET_CHANGES] = "changes.csv"};
    twx_buf_clear(ret_path);
    return twx_buf_printf(cx, ret_path, "%s/%s", folder, NAMES[sheet]);
}

/* After a failure: neither tables nor the folder stay, so the command can be repeated. The message
 * of the failure is preserved. */
static void remove_sheets(const char *folder) {
    twx_ctx quiet;
    twx_buf path;
    twx_ctx_init(&quiet);
    twx_buf_init(&path, PATH_BYTES);
    for (size_t i = 0; i < TWINDEX_SHEETS; i++)
        if (sheet_path(&quiet, folder, i, &path) == TWX_OK) unlink(path.p);
    twx_buf_done(&path);
    rmdir(folder);
}

/* The folder must be new, so that no file of another report stays among the tables. */
static int write_sheets(twx_session *s, const char *folder) {
    twx_buf path;
    int result = TWINDEX_OK;
    if (mkdir(folder, FOLDER_MODE) != 0)
        return twx_rc_exit(twx_fail(&s->cx, TWX_E_CREATE, "create the folder %.300s: %s%s", folder,
                                    strerror(errno),
                                    errno == EEXIST ? "; name one that does not exist" : ""));
    twx_buf_init(&path, PATH_BYTES);
    for (size_t i = 0; result == TWINDEX_OK && i < TWINDEX_SHEETS; i++) {
        twx_rc rc = sheet_path(&s->cx, folder, i, &path);
        result = rc == TWX_OK ? write_sheet(s, (twindex_sheet)i, path.p) : twx_rc_exit(rc);
    }
    twx_buf_done(&path);
    if (result != TWINDEX_OK) remove_sheets(folder);
    return result;
}

static int report(twx_session *s) {
    const report_options *own = s->options.own;
    int result = TWINDEX_OK;
    if (!own->html && !own->csv) return twindex_report(s->t, &s->sink);
    if (own->html) result = write_page(s, own->html);
    return result == TWINDEX_OK && own->csv ? write_sheets(s, own->csv) : result;
}

static const twx_option REPORT_OPTIONS[] = {
    {"html", 0, "FILE", TWX_OPTION_OWN(TEXT, report_options, html),
     "write the report to FILE as one HTML page, with plots, groups, mirrors and suspects"},
    {"csv", 0, "DIR", TWX_OPTION_OWN(TEXT, report_options, csv),
     "write groups.csv, hosts.csv and changes.csv into the new folder DIR"},
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

const twx_command twx_command_report = {
    .name = "report",
    .run = report,
    .kind = TWX_CLI_READS,
    .several = true,
    .arguments = "STORE...",
    .least = 1,
    .most = -1,
    .options = REPORT_OPTIONS,
    .defaults = &REPORT_DEFAULTS,
    .own_bytes = sizeof REPORT_DEFAULTS,
};
