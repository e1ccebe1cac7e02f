/* tests/fault/fault_clock.h: replaces the clocks, the sleeps and the random numbers of the C
 * library, so that a command does the same each time and never waits. A monotonic clock goes on by
 * a millisecond with each look at it. */
#ifndef TWINDEX_TEST_FAULT_CLOCK_H
#define TWINDEX_TEST_FAULT_CLOCK_H

void clock_reset(void);

#endif
