#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/session.h"

enum { PATH_BYTES = 1 << 16, FOLDER_MODE = 0777 };

typedef struct report_options {
    const char *html; /* a file for the page; NULL: none */
    const char *csv;  /* a folder for the tables; NULL: none */
} report_options;

static const report_options DEFAULTS = {0};

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

static const twx_option OPTIONS[] = {
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
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
