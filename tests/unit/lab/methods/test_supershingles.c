/* The row supershingles: groups of fourteen. */

#define D         (&TWX_DETECTOR_SUPERSHINGLES)
#define PER_GROUP 14
#define LENGTHS \
    { 60, 200, 600 }
#define STORED                                                                                     \
    "0678af7ed9a2bcc0608d10582f442f92ade822b4766341bc1f515a14e73d54a12ce33a3bf606da76c675a7929d3c" \
    "b4c4"

#include "supershingle_row.h"
