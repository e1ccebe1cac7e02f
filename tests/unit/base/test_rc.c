/* base/ctx: one table of error codes, each with an exit code. */
#include "support.h"

#include "base/base.h"

TEST(ok_is_zero_and_exits_with_zero) {
    assert_int_equal(TWX_OK, 0);
    assert_int_equal(twx_rc_exit(TWX_OK), 0);
    assert_int_equal(twx_rc_exit(TWX_DONE), 0);
}

/* The manual promises these numbers to scripts and systemd units. */
TEST(exit_codes_are_those_of_the_manual) {
    const struct {
        twx_rc rc;
        int exit_code;
    } promised[] = {
        {TWX_E_DOUBT, 1},       {TWX_E_GUARD, 3},         {TWX_E_USAGE, 64},
        {TWX_E_DATA, 65},       {TWX_E_CONFIG, 65},       {TWX_E_LIMIT, 65},
        {TWX_E_CORRUPT, 65},    {TWX_E_NOSTORE, 66},      {TWX_E_NOTFOUND, 66},
        {TWX_E_INTERNAL, 70},   {TWX_E_NOMEM, 70},        {TWX_E_CREATE, 73},
        {TWX_E_IO, 74},         {TWX_E_FULL, 74},         {TWX_E_BUSY, 75},
        {TWX_E_SUPERSEDED, 75}, {TWX_E_INTERRUPTED, 130}, {TWX_E_TERMINATED, 143},
    };
    assert_int_equal(TWX_COUNTOF(promised) + 2, TWX_RC_COUNT); /* TWX_OK and TWX_DONE above */
    for (size_t i = 0; i < TWX_COUNTOF(promised); i++)
        assert_int_equal(twx_rc_exit(promised[i].rc), promised[i].exit_code);
}

TEST(a_code_outside_the_table_is_an_internal_error) {
    assert_int_equal(twx_rc_exit((twx_rc)-1), 70);
    assert_int_equal(twx_rc_exit(TWX_RC_COUNT), 70);
}
