#include <malloc.h>

#include "cli/internal.h"

/* Blocks of this size and above are mapped one by one. By default glibc raises that limit to the
 * size of the first large block that is freed, up to 32 MiB; blocks of long texts then come from
 * the heap and stay resident. A limit that is set does not move. */
enum { MAPPED_BYTES = 4 << 20 };

int main(int argc, char **argv) {
#ifdef M_MMAP_THRESHOLD
    (void)mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES);
#endif
    return twx_program(argc, argv);
}
