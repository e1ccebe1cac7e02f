/* tests/fault/fault_bug.h: planted bugs, to see that the tests find them (fault_sweep.h lists
 * them). Those of COMMIT replace sqlite3_exec() of the whole program (the linker's --wrap). */
#ifndef TWINDEX_TEST_FAULT_BUG_H
#define TWINDEX_TEST_FAULT_BUG_H

#include "fault_sweep.h"

/* After a call in which a fault was injected. */
void fault_bug_after(int *result, char *message);
/* Sets what the disk ignores. */
void fault_bug_disk(fault_log *log);

#endif
