#include "support.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/internal.h"

static const char *path_of(const char *name) {
    static char path[4300];
    snprintf(path, sizeof path, "%s/%s", test_folder(), name);
    return path;
}

static twx_rc take_of(twx_ctx *cx, const char *store, twx_lock **ret_lock) {
    static const twx_settings none;
    return twx_lock_take(&(twx_job){.cx = cx, .settings = &none}, store, ret_lock);
}

static twx_rc take(twx_ctx *cx, twx_lock **ret_lock) {
    twx_ctx_init(cx);
    *ret_lock = NULL;
    return take_of(cx, path_of("store.db"), ret_lock);
}

TEST(a_second_job_is_told_which_one_holds_the_lock) {
    twx_ctx cx;
    twx_lock *one = NULL, *two = NULL;
    char holder[64];
    assert_int_equal(take(&cx, &one), TWX_OK);
    assert_int_equal(take(&cx, &two), TWX_E_BUSY); /* also within one process */
    snprintf(holder, sizeof holder, "process %ld since 20", (long)getpid());
    assert_non_null(strstr(cx.message, holder));
    assert_non_null(strstr(cx.message, "store.db-twindex-lock"));
    twx_lock_release(one, TWX_OK);
    assert_int_equal(take(&cx, &two), TWX_OK);
    twx_lock_release(two, TWX_OK);
    twx_lock_release(NULL, TWX_OK);
}

TEST(the_lock_goes_with_its_holder_however_it_ends) {
    twx_ctx cx;
    twx_lock *lock = NULL;
    int ready[2], status = 0;
    char byte = 0;
    assert_int_equal(pipe(ready), 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        byte = take(&cx, &lock) == TWX_OK;
        if (write(ready[1], &byte, 1) == 1) pause();
        test_child_exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 1);
    assert_int_equal(take(&cx, &lock), TWX_E_BUSY);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(take(&cx, &lock), TWX_OK);
    twx_lock_release(lock, TWX_OK);
    close(ready[0]);
    close(ready[1]);
}

/* Removing it would let two runs lock two files of one name. */
TEST(the_file_stays) {
    twx_ctx cx;
    twx_lock *lock = NULL;
    assert_int_equal(take(&cx, &lock), TWX_OK);
    twx_lock_release(lock, TWX_OK);
    assert_int_equal(access(path_of("store.db-twindex-lock"), F_OK), 0);
}

TEST(a_link_in_its_place_is_not_followed) {
    twx_ctx cx;
    twx_lock *lock = NULL;
    char link[4300];
    snprintf(link, sizeof link, "%s", path_of("store.db-twindex-lock"));
    unlink(link);
    assert_int_equal(symlink(path_of("elsewhere"), link), 0);
    assert_int_equal(take(&cx, &lock), TWX_E_CREATE);
    assert_int_not_equal(access(path_of("elsewhere"), F_OK), 0);
    unlink(link);
    twx_ctx_init(&cx);
    assert_int_equal(take_of(&cx, "/nowhere/at/all.db", &lock), TWX_E_NOSTORE);
    assert_non_null(strstr(cx.message, "/nowhere/at"));
}

static void put(const char *path, const char *text) {
    test_write_file(path, text, strlen(text));
}

TEST(r2_a_hard_link_to_the_store_is_refused_and_the_store_keeps_its_bytes) {
    twx_ctx cx = {0};
    twx_lock *lock = NULL;
    char store[4300], name[4300], text[32] = "";
    snprintf(store, sizeof store, "%s", path_of("linked.db"));
    snprintf(name, sizeof name, "%s", path_of("linked.db-twindex-lock"));
    put(store, "the bytes of the store");
    assert_int_equal(link(store, name), 0);
    assert_int_equal(take_of(&cx, store, &lock), TWX_E_CREATE);
    assert_non_null(strstr(cx.message, "hard link"));
    twx_ctx_init(&cx);
    assert_int_equal(twx_lock_try(&cx, store), TWX_E_CREATE);
    FILE *f = fopen(store, "r");
    assert_non_null(fgets(text, sizeof text, f));
    fclose(f);
    assert_string_equal(text, "the bytes of the store");
}

TEST(r3_a_store_and_a_link_to_it_have_one_lock) {
    twx_ctx cx = {0};
    twx_lock *one = NULL, *two = NULL;
    char alias[4300];
    put(path_of("target.db"), "");
    snprintf(alias, sizeof alias, "%s", path_of("alias.db"));
    assert_int_equal(symlink("target.db", alias), 0);
    assert_int_equal(take_of(&cx, alias, &one), TWX_OK);
    assert_int_equal(take_of(&cx, path_of("target.db"), &two), TWX_E_BUSY);
    twx_lock_release(one, TWX_OK);
    assert_int_equal(access(path_of("target.db-twindex-lock"), F_OK), 0);
}

TEST(trying_makes_no_file_and_holds_nothing) {
    twx_ctx cx = {0};
    twx_lock *lock = NULL;
    assert_int_equal(twx_lock_try(&cx, path_of("fresh.db")), TWX_OK);
    assert_int_not_equal(access(path_of("fresh.db-twindex-lock"), F_OK), 0);
    assert_int_equal(take_of(&cx, path_of("fresh.db"), &lock), TWX_OK);
    assert_int_equal(twx_lock_try(&cx, path_of("fresh.db")), TWX_E_BUSY);
    twx_lock_release(lock, TWX_OK);
    twx_ctx_init(&cx);
    assert_int_equal(twx_lock_try(&cx, path_of("fresh.db")), TWX_OK);
}

/* Without [R5] about one in ten attempts fails. */
TEST(r5_a_look_at_the_lock_delays_no_job) {
    enum { LOOKERS = 2, TAKES = 3000 };
    twx_ctx cx;
    twx_lock *lock = NULL;
    pid_t looker[LOOKERS];
    assert_int_equal(take(&cx, &lock), TWX_OK);
    twx_lock_release(lock, TWX_OK);
    fflush(NULL);
    for (int i = 0; i < LOOKERS; i++) {
        looker[i] = fork();
        twx_lock_state seen;
        while (looker[i] == 0) {
            twx_ctx_init(&cx);
            if (i == 0)
                (void)!twx_lock_try(&cx, path_of("store.db"));
            else if (twx_lock_look(&cx, path_of("store.db"), &seen) != TWX_OK)
                test_child_exit(1);
        }
    }
    int busy = 0;
    for (int i = 0; i < TAKES; i++) {
        busy += take(&cx, &lock) != TWX_OK;
        twx_lock_release(lock, TWX_OK);
    }
    for (int i = 0; i < LOOKERS; i++) {
        kill(looker[i], SIGKILL);
        assert_int_equal(waitpid(looker[i], NULL, 0), looker[i]);
    }
    assert_int_equal(busy, 0);
}

enum { NOBODY = 65534 };

static int take_as_nobody(const char *store) {
    fflush(NULL);
    pid_t pid = fork();
    int status = 0;
    if (pid == 0) {
        twx_ctx cx = {0};
        twx_lock *lock = NULL;
        if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0) test_child_exit(TWX_RC_COUNT);
        test_child_exit((int)take_of(&cx, store, &lock));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(r1_a_lock_file_made_by_root_does_not_block_the_owner) {
    twx_ctx cx = {0};
    twx_lock *lock = NULL;
    struct stat st;
    char store[4300], name[4300];
    if (geteuid() != 0) {
        print_message("skipped: needs root\n");
        skip();
    }
    snprintf(store, sizeof store, "%s", path_of("theirs.db"));
    snprintf(name, sizeof name, "%s", path_of("theirs.db-twindex-lock"));
    put(store, "");
    assert_int_equal(chmod(test_folder(), 0777), 0);
    assert_int_equal(chown(store, NOBODY, NOBODY), 0);
    assert_int_equal(chmod(store, 0600), 0);
    assert_int_equal(take_of(&cx, store, &lock), TWX_OK);
    assert_int_equal(take_as_nobody(store), TWX_E_BUSY);
    twx_lock_release(lock, TWX_OK);
    assert_int_equal(stat(name, &st), 0);
    assert_int_equal(st.st_uid, NOBODY);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(take_as_nobody(store), TWX_OK);
    /* a file of root: reading it suffices */
    assert_int_equal(chown(name, 0, 0), 0);
    assert_int_equal(chmod(name, 0644), 0);
    assert_int_equal(take_as_nobody(store), TWX_OK);
    /* the owner of the store replaces one that cannot be read */
    assert_int_equal(chown(name, 0, 0), 0);
    assert_int_equal(chmod(name, 0600), 0);
    assert_int_equal(take_as_nobody(store), TWX_OK);
    assert_int_equal(stat(name, &st), 0);
    assert_int_equal(st.st_uid, NOBODY);
    /* another user does not */
    assert_int_equal(chown(name, 0, 0), 0);
    assert_int_equal(chmod(name, 0600), 0);
    assert_int_equal(chown(store, 0, 0), 0);
    assert_int_equal(chmod(store, 0666), 0);
    assert_int_equal(take_as_nobody(store), TWX_E_CREATE);
}

/* Takes the lock, sets the record if wanted, and releases the lock after work that ended with rc.
 * Returns whether the store was recorded as checked before. */
enum { KEEP = -1 };
static bool was_checked_after(int set, twx_rc rc) {
    twx_ctx cx;
    twx_lock *lock = NULL;
    assert_int_equal(take(&cx, &lock), TWX_OK);
    const bool checked = twx_lock_is_checked(lock);
    if (set != KEEP) twx_lock_set_checked(lock, set);
    twx_lock_release(lock, rc);
    return checked;
}

static bool was_checked(int set) {
    return was_checked_after(set, TWX_OK);
}

static twx_lock_state looked(void) {
    twx_ctx cx = {0};
    twx_lock_state state;
    assert_int_equal(twx_lock_look(&cx, path_of("store.db"), &state), TWX_OK);
    return state;
}

TEST(a_run_that_published_nothing_is_noted_until_the_next) {
    twx_ctx cx;
    twx_lock *lock = NULL;
    const int64_t now = (int64_t)time(NULL);
    put(path_of("store.db"), "");
    was_checked(true);
    assert_int_equal(take(&cx, &lock), TWX_OK);
    twx_lock_set_outcome(lock, NULL);
    twx_lock_release(lock, TWX_OK);
    assert_true(looked().unchanged_at >= now && looked().unchanged_at < now + 100);
    assert_true(was_checked(KEEP)); /* takes the lock, and keeps the check */
    assert_int_equal(looked().unchanged_at, 0);
    assert_int_equal(take(&cx, &lock), TWX_OK);
    twx_lock_set_outcome(lock, NULL);
    twx_lock_release(lock, TWX_E_BUSY);
    assert_int_equal(looked().unchanged_at, 0);
    assert_int_equal(take(&cx, &lock), TWX_OK);
    twx_lock_set_outcome(lock, "too many:\nunchanged 7");
    twx_lock_release(lock, TWX_E_GUARD);
    assert_true(was_checked(KEEP)); /* takes the lock, and keeps what the run was */
    assert_true(looked().stopped_at >= now && looked().unchanged_at == 0);
    assert_string_equal(looked().stopped, "too many: unchanged 7");
    assert_int_equal(take(&cx, &lock), TWX_OK);
    twx_lock_set_outcome(lock, "");
    twx_lock_release(lock, TWX_OK);
    assert_int_equal(looked().stopped_at, 0);
}

TEST(r4_a_check_is_noted_until_it_is_withdrawn) {
    put(path_of("store.db"), "");
    was_checked(false);
    assert_false(was_checked(true));
    assert_true(was_checked(KEEP));
    assert_true(was_checked(false));
    assert_false(was_checked(KEEP));
}

TEST(r4_a_result_that_points_to_damage_withdraws_the_record) {
    static const twx_rc DAMAGE[] = {TWX_E_CORRUPT, TWX_E_IO, TWX_E_INTERNAL};
    static const twx_rc OTHER[] = {TWX_E_GUARD, TWX_E_DATA, TWX_E_BUSY, TWX_E_NOMEM};
    put(path_of("store.db"), "");
    for (size_t i = 0; i < TWX_COUNTOF(DAMAGE); i++) {
        was_checked(true);
        assert_true(was_checked_after(KEEP, DAMAGE[i]));
        assert_false(was_checked(KEEP));
        was_checked_after(true, DAMAGE[i]);
        assert_false(was_checked(KEEP));
    }
    was_checked(true);
    for (size_t i = 0; i < TWX_COUNTOF(OTHER); i++) was_checked_after(KEEP, OTHER[i]);
    assert_true(was_checked(KEEP));
}

/* A holder that could not remove the record would leave it in place when it is killed. */
TEST(r4_a_record_that_cannot_be_removed_does_not_count) {
    char store[4300];
    int status = 0;
    if (geteuid() != 0) {
        print_message("skipped: needs root\n");
        skip();
    }
    snprintf(store, sizeof store, "%s", path_of("store.db"));
    put(store, "");
    was_checked(true);
    assert_int_equal(chmod(test_folder(), 0777), 0);
    assert_int_equal(chmod(store, 0644), 0);
    assert_int_equal(chmod(path_of("store.db-twindex-lock"), 0644), 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        twx_ctx cx;
        twx_lock *lock = NULL;
        if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0 || take(&cx, &lock) != TWX_OK)
            test_child_exit(2);
        test_child_exit(twx_lock_is_checked(lock));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_true(was_checked(KEEP)); /* this user can remove it */
}

TEST(r4_a_holder_that_is_killed_leaves_no_note) {
    twx_ctx cx;
    twx_lock *lock = NULL;
    int status = 0;
    was_checked(true);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        if (take(&cx, &lock) == TWX_OK) kill(getpid(), SIGKILL);
        test_child_exit(1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_false(was_checked(true));
    assert_true(was_checked(KEEP));
}

/* A lock file with a note after `first`. */
static void put_note(const char *first, long long when, unsigned long long inode,
                     const char *boot) {
    char name[4300], text[400];
    snprintf(name, sizeof name, "%s", path_of("store.db-twindex-lock"));
    snprintf(text, sizeof text, "%schecked %lld inode %llu boot %s\n", first, when, inode, boot);
    put(name, text);
}

TEST(r4_a_note_of_another_file_boot_or_time_is_none) {
    static const char FIRST[] = "process 1 since 2026\n";
    char name[4300], boot[64] = "unknown";
    struct stat st;
    const long long now = (long long)time(NULL), day = 24 * 3600;
    snprintf(name, sizeof name, "%s", path_of("store.db"));
    put(name, "");
    assert_int_equal(stat(name, &st), 0);
    FILE *in = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (in) {
        assert_int_equal(fscanf(in, "%63s", boot), 1);
        fclose(in);
    }
    const unsigned long long inode = (unsigned long long)st.st_ino;
    put_note(FIRST, now - 6 * day, inode, boot);
    assert_true(was_checked(KEEP));
    assert_true(was_checked(KEEP)); /* and is kept */
    put_note(FIRST, now - 7 * day, inode, boot);
    assert_false(was_checked(KEEP));
    put_note(FIRST, now + day, inode, boot);
    assert_false(was_checked(KEEP));
    put_note(FIRST, now - day, inode + 1, boot);
    assert_false(was_checked(KEEP));
    put_note(FIRST, now - day, inode, "another");
    assert_false(was_checked(KEEP));
    put_note("", now - day, inode, boot); /* not the second line */
    assert_false(was_checked(KEEP));
    put(path_of("store.db-twindex-lock"), "");
    assert_false(was_checked(KEEP));
}
