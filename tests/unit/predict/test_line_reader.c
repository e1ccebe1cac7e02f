/* predict/predict.c: lines as they come through a pipe, and when it waits. */
#include "support.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "predict/predict.h"

typedef struct waits {
    unsigned n;
    twx_rc rc;
} waits;

static twx_rc count_wait(void *arg) {
    waits *w = arg;
    w->n++;
    return w->rc;
}

static twx_ctx cx;
static waits w;
static twx_line_reader *f;
static twx_slice line;
static bool cut;

static void open_reader(int fd) {
    w = (waits){0};
    twx_ctx_init(&cx);
    assert_int_equal(twx_line_reader_open(&cx, fd, count_wait, &w, &f), TWX_OK);
}

static void expect_next(twx_rc rc) {
    assert_int_equal(twx_line_reader_next(f, &line, &cut), rc);
}

/* The reading end of a pipe that holds n bytes, and then ends. */
static int pipe_of(const char *bytes, size_t n) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    if (fork() == 0) {
        close(ends[0]);
        for (ssize_t put = 0; n > 0 && (put = write(ends[1], bytes, n)) > 0; bytes += put)
            n -= (size_t)put;
        test_child_exit(0);
    }
    close(ends[1]);
    return ends[0];
}

static void close_pipe(int fd) {
    twx_line_reader_close(f);
    close(fd);
    wait(NULL);
}

static void expect_lines(const char *bytes, size_t n, const char *const *lines) {
    const int fd = pipe_of(bytes, n);
    open_reader(fd);
    for (; *lines; lines++) {
        expect_next(TWX_OK);
        assert_false(cut);
        if (!twx_slice_eq(line, twx_slice_of(*lines)))
            fail_msg("'" TWX_SLICE_FMT "' is not '%s'", TWX_SLICE_ARG(line), *lines);
    }
    expect_next(TWX_DONE);
    expect_next(TWX_DONE);
    assert_true(w.n >= 1);
    close_pipe(fd);
}

TEST(r1_lines_end_with_lf) {
    expect_lines("a\nb\r\n\n\rc\n", 9, (const char *const[]){"a", "b", "", "\rc", NULL});
    expect_lines("a\nlast", 6, (const char *const[]){"a", "last", NULL});
    expect_lines("last\r", 5, (const char *const[]){"last", NULL});
    expect_lines("", 0, (const char *const[]){NULL});
    expect_lines("\n", 1, (const char *const[]){"", NULL});
}

TEST(lines_that_no_block_holds_as_a_whole) {
    enum { EACH = 50000, LINES = 20 };
    static char bytes[LINES * (EACH + 1)];
    static char whole[EACH + 1];
    const char *lines[LINES + 1] = {0};
    memset(whole, 'x', EACH);
    for (size_t i = 0; i < LINES; i++) {
        memcpy(bytes + i * (EACH + 1), whole, EACH);
        bytes[i * (EACH + 1) + EACH] = '\n';
        lines[i] = whole;
    }
    expect_lines(bytes, sizeof bytes, lines);
}

TEST(r2_a_line_that_is_too_long_is_cut) {
    enum { LONG = TWX_LINE_MAX + 100000 };
    char *bytes = malloc(LONG + 4);
    memset(bytes, 'y', LONG);
    memcpy(bytes + LONG, "\nb\n", 4);
    const int fd = pipe_of(bytes, LONG + 3);
    open_reader(fd);
    expect_next(TWX_OK);
    assert_true(cut && line.n == TWX_LINE_MAX);
    expect_next(TWX_OK);
    assert_true(!cut && line.n == 1 && line.p[0] == 'b');
    expect_next(TWX_DONE);
    close_pipe(fd);
    free(bytes);
}

TEST(what_came_is_handed_on_before_more_is_waited_for) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    open_reader(ends[0]);
    assert_int_equal(write(ends[1], "a\nb\n", 4), 4);
    expect_next(TWX_OK);
    assert_int_equal(w.n, 1);
    expect_next(TWX_OK);
    assert_int_equal(w.n, 1);
    assert_int_equal(write(ends[1], "c\n", 2), 2);
    expect_next(TWX_OK);
    assert_int_equal(w.n, 2);
    w.rc = TWX_E_IO; /* what was held cannot be written */
    expect_next(TWX_E_IO);
    twx_line_reader_close(f);
    close(ends[0]);
    close(ends[1]);
}

TEST(r3_it_stops_when_it_is_asked_to) {
    atomic_int stop = SIGTERM;
    open_reader(STDIN_FILENO);
    cx.cancel = &stop;
    expect_next(TWX_E_TERMINATED);
    twx_line_reader_close(f);
    open_reader(-1);
    expect_next(TWX_E_IO);
    twx_line_reader_close(f);
}
