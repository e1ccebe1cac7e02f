/* page/encoding_prescan.h: finds the encoding label in the meta elements of the first 1024 bytes
 * (HTML standard, section 13.2.3.3, "prescan a byte stream to determine its encoding"): comments,
 * other tags and attributes are skipped as the standard requires. Also recognizes an XML
 * declaration in UTF-16. */
#ifndef TWX_PAGE_ENCODING_PRESCAN_H
#define TWX_PAGE_ENCODING_PRESCAN_H

#include "base/slice.h"

enum { TWX_PRESCAN_BYTES = 1024 };

twx_slice twx_prescan(twx_slice bytes); /* absent: no label that the standard defines */

/* "text/html; charset=koi8-r" gives "koi8-r"; absent: none. */
twx_slice twx_charset_in(twx_slice content);

#endif
