#include "support.h"

#include <errno.h>
#include <sys/stat.h>

#include "cli/cli.h"

static const char *line_of(twindex_progress p, double seconds) {
    static char line[TWX_PROGRESS_BYTES];
    twx_progress_line(&p, seconds, line, sizeof line);
    return line;
}

TEST(a_progress_line_has_rate_and_rest) {
    assert_string_equal(line_of((twindex_progress){"sign", "documents", 1200, 5000}, 2),
                        "sign: 1200 of 5000 documents, 24 %, 600/s, 6 s left");
    assert_string_equal(line_of((twindex_progress){"sign", "documents", 100, 60000}, 10),
                        "sign: 100 of 60000 documents, 0 %, 10/s, 100 min left");
    assert_string_equal(line_of((twindex_progress){"sign", "documents", 0, 1}, 0),
                        "sign: 0 of 1 document, 0 %");
    assert_string_equal(line_of((twindex_progress){"load", "documents", 1, 0}, 0),
                        "load: 1 document");
    assert_string_equal(line_of((twindex_progress){"import", "records", 50, 0}, 1),
                        "import: 50 records, 50/s");
    assert_string_equal(line_of((twindex_progress){"write", "rows", 0, 9}, 0),
                        "write: 0 of 9 rows, 0 %");
    assert_string_equal(line_of((twindex_progress){"write", "rows", 9, 9}, 3),
                        "write: 9 of 9 rows, 100 %, 3/s");
    assert_string_equal(line_of((twindex_progress){"write", "rows", 10, 9}, 5),
                        "write: 10 of 9 rows, 2/s");
}

TEST(a_progress_line_keeps_to_its_room) {
    const twindex_progress p = {"read and sign", "documents", UINT64_MAX, UINT64_MAX};
    for (size_t size = 1; size < 100; size++) {
        char line[101];
        memset(line, '#', sizeof line);
        twx_progress_line(&p, 1, line, size);
        assert_true(strlen(line) < size);
        assert_int_equal(line[size], '#');
    }
}

/* What the console wrote to its file. */
static void expect(twx_console *c, const char *wanted) {
    char text[1000];
    rewind(c->file);
    text[fread(text, 1, sizeof text - 1, c->file)] = '\0';
    assert_string_equal(text, wanted);
    fclose(c->file);
}

TEST(r3_lines_of_the_journal_have_priorities) {
    FILE *file = tmpfile();
    struct stat st;
    char stream[64];
    assert_int_equal(fstat(fileno(file), &st), 0);
    snprintf(stream, sizeof stream, "%llu:%llu", (unsigned long long)st.st_dev,
             (unsigned long long)st.st_ino);
    setenv("JOURNAL_STREAM", stream, 1);
    twx_console c = twx_console_of(file);
    FILE *other = tmpfile();
    assert_false(twx_console_of(other).journal);
    fclose(other);
    unsetenv("JOURNAL_STREAM");
    c.command = "run";
    twx_console_say(&c, "no such store");
    twx_console_message(&c, TWINDEX_WARNING, "one\ntwo");
    twx_console_message(&c, TWINDEX_NOTE, "a note");
    expect(&c, "<3>twindex run: no such store\n<4>twindex run: warning: one\n<4>two\n"
               "<5>twindex run: a note\n");
}

TEST(r1_progress_is_drawn_seldom_and_leaves_nothing) {
    twx_console c = {.file = tmpfile(), .command = "run", .terminal = true};
    twx_console_progress(&c, &(twindex_progress){"sign", "documents", 0, 9});
    twx_console_progress(&c, &(twindex_progress){"sign", "documents", 1, 9});
    twx_console_message(&c, TWINDEX_NOTE, "text");
    twx_console_clear(&c);
    expect(&c, "\rsign: 0 of 9 documents, 0 %\033[K\r\033[Ktwindex run: text\n");
}

TEST(r1_a_new_stage_is_drawn_at_once) {
    twx_console c = {.file = tmpfile(), .terminal = true};
    twx_console_progress(&c, &(twindex_progress){"a", "rows", 0, 0});
    twx_console_progress(&c, &(twindex_progress){"b", "rows", 0, 0});
    expect(&c, "\ra: 0 rows\033[K\rb: 0 rows\033[K");
}

TEST(r1_no_terminal_no_progress) {
    twx_console c = twx_console_of(tmpfile());
    assert_false(c.terminal);
    twx_console_progress(&c, &(twindex_progress){"a", "rows", 0, 0});
    twx_console_say(&c, "%d", 7);
    expect(&c, "twindex: 7\n");
}

TEST(r2_quiet_leaves_warnings) {
    twx_console c = {.file = tmpfile(), .quiet = true, .verbose = true, .terminal = true};
    twx_console_progress(&c, &(twindex_progress){"a", "rows", 0, 0});
    twx_console_message(&c, TWINDEX_NOTE, "note");
    twx_console_message(&c, TWINDEX_DETAIL, "detail");
    twx_console_message(&c, TWINDEX_WARNING, "heed");
    expect(&c, "twindex: warning: heed\n");
}

TEST(control_characters_do_not_reach_a_terminal) {
    static const char TEXT[] = "a\tb\n\x1b[1m\x7f \xC2\x80\xC2\x9F\xC2\xA0\xC3\x80\xC2";
    twx_console c = {.file = tmpfile()};
    assert_true(twx_terminal_write(c.file, TEXT, sizeof TEXT - 1));
    assert_true(twx_terminal_write(c.file, "\x1b", 1));
    assert_true(twx_terminal_write(c.file, "", 0));
    expect(&c, "a\tb\n?[1m? ??\xC2\xA0\xC3\x80\xC2?");
}

/* Bidirectional controls; bytes that are control characters where a terminal does not expect UTF-8;
 * but not the same bytes as parts of a character (U+201B), and not the replacement character. */
TEST(nor_do_hidden_ones_and_bytes_that_are_no_characters) {
    static const char TEXT[] = "a\x9b"
                               "31m\xE2\x80\xAE-\xE2\x81\xA6-\xE2\x80\xA8-\xEF\xBB\xBF-"
                               "\xE2\x80\x9B-\xEF\xBF\xBD-\xE2\x9B-\xF0\x9F\x98\x80-\xFF\xA0";
    twx_console c = {.file = tmpfile()};
    assert_true(twx_terminal_write(c.file, TEXT, sizeof TEXT - 1));
    expect(&c, "a?31m?-?-?-?-\xE2\x80\x9B-\xEF\xBF\xBD-\xE2?-\xF0\x9F\x98\x80-\xFF\xA0");
}

/* What cannot be written is said once, at the end; a reader that went away ends a call quietly. */
TEST(a_full_disk_is_an_error_of_the_call) {
    static const struct {
        twx_stdout out;
        int result, link, finished;
    } CASES[] = {
        {{.error = 0}, TWINDEX_OK, 1, TWINDEX_IO},
        {{.error = 0}, TWINDEX_DOUBT, 1, TWINDEX_IO},
        {{.error = 0}, TWINDEX_BAD_DATA, 1, TWINDEX_BAD_DATA},
        {{.terminal = true}, TWINDEX_OK, 1, TWINDEX_IO},
        {{.patient = true}, TWINDEX_OK, 0, TWINDEX_IO},
        {{.muted = true}, TWINDEX_OK, 0, TWINDEX_OK},
        {{.closed = true}, TWINDEX_IO, 1, TWINDEX_OK},
        {{.closed = true, .patient = true}, TWINDEX_IO, 0, TWINDEX_IO},
    };
    static const char *const TEXTS[] = {"text", "\x1b"};
    for (size_t i = 0; i < 2 * TWX_COUNTOF(CASES); i++) { /* the link is the first, or the text */
        twx_stdout out = CASES[i / 2].out;
        out.file = fopen("/dev/full", "we");
        setvbuf(out.file, NULL, _IONBF, 0);
        if (i % 2 == 0 && !out.closed)
            assert_int_equal(twx_stdout_link(&out, "http://a.example/", 17), CASES[i / 2].link);
        assert_int_equal(twx_stdout_write(&out, TEXTS[i % 2], strlen(TEXTS[i % 2])),
                         CASES[i / 2].link);
        assert_int_equal(out.error, out.muted || out.closed ? 0 : ENOSPC);
        assert_int_equal(twx_stdout_link(&out, "http://a.example/", 17), 0);
        assert_int_equal(twx_stdout_finish(&out, CASES[i / 2].result), CASES[i / 2].finished);
        fclose(out.file);
    }
}

TEST(a_link_that_is_too_long_for_terminals_is_text) {
    static char url[3000];
    twx_console c = {.file = tmpfile()};
    twx_stdout out = {.file = c.file};
    memset(url, 'x', sizeof url);
    assert_int_equal(twx_stdout_link(&out, url, sizeof url), 0);
    assert_int_equal(twx_stdout_link(&out, "a b\x1b", 4), 0);
    expect(&c, "\033]8;;a%20b%1B\033\\");
}

/* A variable that names another stream, or no stream. */
TEST(r3_other_streams_are_no_journal) {
    static const char *const STREAMS[] = {"", "1", "x:y", "0:0"};
    for (size_t i = 0; i < sizeof STREAMS / sizeof *STREAMS; i++) {
        FILE *file = tmpfile();
        setenv("JOURNAL_STREAM", STREAMS[i], 1);
        assert_false(twx_console_of(file).journal);
        fclose(file);
    }
    unsetenv("JOURNAL_STREAM");
}
