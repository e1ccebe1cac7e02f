/* The row megashingles: groups of six. */

#define D         (&TWX_DETECTOR_MEGASHINGLES)
#define PER_GROUP 6
#define LENGTHS \
    { 30, 100, 300 }
#define STORED                                                                                     \
    "1a9e37d521f5f2427020107059099165f275d26bd95f87cd3b95393378de5f9878da86c4112b300d928d02cf1083" \
    "732d"

#include "supershingle_row.h"
