/* base/rc.h: all result codes of Twindex functions, in one table.
 *
 * A function that can fail returns twx_rc and is marked TWX_CHECK. TWX_OK is 0. TWX_DONE is not an
 * error: it ends an iteration. Each code has a text for users and the exit code of the program
 * (that of sysexits.h where there is one; docs/internals.md, "Exit codes"). */
#ifndef TWX_BASE_RC_H
#define TWX_BASE_RC_H

#define TWX_CHECK             __attribute__((warn_unused_result))
#define TWX_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define TWX_COUNTOF(array)    (sizeof(array) / sizeof((array)[0]))

/* clang-format off */
/*       name             exit  text */
#define TWX_RC_TABLE(X)                              \
    X(TWX_OK, 0, "done")                             \
    X(TWX_DONE, 0, "no more items")                  \
    X(TWX_E_DOUBT, 1, "the result is doubtful")      \
    X(TWX_E_GUARD, 3, "stopped by a guard")          \
    X(TWX_E_USAGE, 64, "wrong usage")                \
    X(TWX_E_DATA, 65, "bad data")                    \
    X(TWX_E_CONFIG, 65, "bad configuration")         \
    X(TWX_E_LIMIT, 65, "a limit was exceeded")       \
    X(TWX_E_CORRUPT, 65, "corrupt or unreadable")    \
    X(TWX_E_NOSTORE, 66, "no such store")            \
    X(TWX_E_NOTFOUND, 66, "not found")               \
    X(TWX_E_INTERNAL, 70, "internal error")          \
    X(TWX_E_NOMEM, 70, "out of memory")              \
    X(TWX_E_CREATE, 73, "cannot create")             \
    X(TWX_E_IO, 74, "input or output failed")        \
    X(TWX_E_FULL, 74, "no space left")               \
    X(TWX_E_BUSY, 75, "locked or busy, try later")   \
    X(TWX_E_SUPERSEDED, 75, "another run took over") \
    X(TWX_E_INTERRUPTED, 130, "interrupted")         \
    X(TWX_E_TERMINATED, 143, "terminated")
/* clang-format on */

typedef enum twx_rc {
#define TWX_RC_ENUM(name, exit_code, text) name,
    TWX_RC_TABLE(TWX_RC_ENUM)
#undef TWX_RC_ENUM
        TWX_RC_COUNT
} twx_rc;

const char *twx_rc_name(twx_rc rc); /* "TWX_E_DATA"; never NULL */
const char *twx_rc_text(twx_rc rc); /* "bad data"; never NULL */
int twx_rc_exit(twx_rc rc);         /* exit code of the program, 0..255 */

#endif
