/* base/threads.c: when a request to stop the process is carried out. */
#include "support.h"

#include "base/base.h"

static int stops;
static void stop(void) {
    stops++;
}

TEST(r1_a_request_waits_for_the_last_section) {
    twx_suspension s = {0};
    stops = 0;
    twx_suspend(&s, stop);
    assert_int_equal(stops, 1);
    twx_suspension_hold(&s);
    twx_suspension_hold(&s);
    twx_suspend(&s, stop);
    twx_suspend(&s, stop);
    twx_suspension_release(&s);
    assert_int_equal(stops, 1);
    twx_suspension_release(&s);
    assert_int_equal(stops, 2);
    twx_suspension_hold(&s);
    twx_suspension_release(&s);
    assert_int_equal(stops, 2);
}

TEST(r2_a_section_that_waits_holds_nothing) {
    twx_suspension s = {0};
    stops = 0;
    twx_suspension_hold(&s);
    twx_suspension_wait(&s);
    assert_int_equal(stops, 0);
    twx_suspend(&s, stop);
    twx_suspension_wait(&s);
    assert_int_equal(stops, 1);
    twx_suspension_hold(&s);
    twx_suspend(&s, stop);
    twx_suspension_wait(&s); /* the other section has its lock */
    assert_int_equal(stops, 1);
    twx_suspension_release(&s);
    twx_suspension_release(&s);
    assert_int_equal(stops, 2);
}

TEST(without_one_nothing_is_done) {
    twx_suspension_hold(NULL);
    twx_suspension_wait(NULL);
    twx_suspension_release(NULL);
}
