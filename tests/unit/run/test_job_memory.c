/* run.memory by default: an eighth of what the machine or the control group has, 256M to 4G. */
#include "support.h"

#include <unistd.h>

#include "run/internal.h"

static const uint64_t MIB = 1 << 20, NONE = UINT64_MAX; /* a group without a limit */

static void expect(uint64_t machine, uint64_t group, uint64_t memory) {
    const size_t found = twx_default_memory(machine, group);
    if (found != memory)
        fail_msg("of %" PRIu64 " and %" PRIu64 ": %zu, not %" PRIu64, machine, group, found,
                 memory);
}

TEST(memory_is_an_eighth_of_the_lower_limit) {
    expect(16384 * MIB, NONE, 2048 * MIB);
    expect(16384 * MIB, 8000 * MIB, 1000 * MIB);
    expect(8000 * MIB, 16384 * MIB, 1000 * MIB);
    expect(16384 * MIB + 8, NONE, 2048 * MIB + 1);
}

TEST(memory_is_within_its_limits) {
    expect(0, NONE, 256 * MIB);
    expect(2048 * MIB - 1, NONE, 256 * MIB);
    expect(2048 * MIB + 8, NONE, 256 * MIB + 1);
    expect(32768 * MIB - 8, NONE, 4096 * MIB - 1);
    expect(32768 * MIB + 8, NONE, 4096 * MIB);
    expect(NONE, NONE, 4096 * MIB);
}

TEST(a_setting_decides_alone) {
    const uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    twx_settings s = {.run_memory = 12345};
    assert_int_equal(twx_job_memory(&s), 12345);
    s.run_memory = 0; /* the control group of the tests may have a limit */
    assert_in_range(twx_job_memory(&s), 256 * MIB, twx_default_memory(machine, NONE));
}
