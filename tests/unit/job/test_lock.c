#include "support.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job/lock.h"

static const char *path_of(const char *name) {
    static char path[4300];
    snprintf(path, sizeof path, "%s/%s", test_folder(), name);
    return path;
}

static twx_rc take(twx_ctx *cx, twx_lock **ret_lock) {
    twx_ctx_init(cx);
    *ret_lock = NULL;
    return twx_lock_take(cx, path_of("store.db"), ret_lock);
}

static void a_second_taker_is_told_who_holds_it(void **state) {
    twx_ctx cx;
    twx_lock *one = NULL, *two = NULL;
    char holder[64];
    (void)state;
    assert_int_equal(take(&cx, &one), TWX_OK);
    assert_int_equal(take(&cx, &two), TWX_E_BUSY); /* also within one process */
    snprintf(holder, sizeof holder, "process %ld since 20", (long)getpid());
    assert_non_null(strstr(cx.message, holder));
    assert_non_null(strstr(cx.message, "store.db-twindex-lock"));
    twx_lock_release(one);
    assert_int_equal(take(&cx, &two), TWX_OK);
    twx_lock_release(two);
    twx_lock_release(NULL);
}

static void the_lock_goes_with_its_holder_however_it_ends(void **state) {
    twx_ctx cx;
    twx_lock *lock = NULL;
    int ready[2], status = 0;
    char byte = 0;
    (void)state;
    assert_int_equal(pipe(ready), 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        byte = take(&cx, &lock) == TWX_OK;
        if (write(ready[1], &byte, 1) == 1) pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 1);
    assert_int_equal(take(&cx, &lock), TWX_E_BUSY);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(take(&cx, &lock), TWX_OK);
    twx_lock_release(lock);
    close(ready[0]);
    close(ready[1]);
}

/* Removing it would let two runs lock two files of one name. */
static void the_file_stays(void **state) {
    twx_ctx cx;
    twx_lock *lock = NULL;
    (void)state;
    assert_int_equal(take(&cx, &lock), TWX_OK);
    twx_lock_release(lock);
    assert_int_equal(access(path_of("store.db-twindex-lock"), F_OK), 0);
}

static void a_link_in_its_place_is_not_followed(void **state) {
    twx_ctx cx;
    twx_lock *lock = NULL;
    char link[4300];
    (void)state;
    snprintf(link, sizeof link, "%s", path_of("store.db-twindex-lock"));
    unlink(link);
    assert_int_equal(symlink(path_of("elsewhere"), link), 0);
    assert_int_equal(take(&cx, &lock), TWX_E_CREATE);
    assert_int_not_equal(access(path_of("elsewhere"), F_OK), 0);
    unlink(link);
    twx_ctx_init(&cx);
    assert_int_equal(twx_lock_take(&cx, "/nowhere/at/all.db", &lock), TWX_E_CREATE);
    assert_non_null(strstr(cx.message, "/nowhere/at/all.db-twindex-lock"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_taker_is_told_who_holds_it),
        cmocka_unit_test(the_lock_goes_with_its_holder_however_it_ends),
        cmocka_unit_test(the_file_stays),
        cmocka_unit_test(a_link_in_its_place_is_not_followed),
    };
    return cmocka_run_group_tests_name("lock", tests, NULL, NULL);
}
