#include "inspect/generation_line.h"

#include <inttypes.h>
#include <stdio.h>

twx_rc twx_restored_write(const twx_out *out, const twx_restored *r) {
    if (twx_out_is_json(out))
        return twx_out_json(out, json_pack("{s:s%, s:I}", "generation", &r->generation, (size_t)1,
                                           "run", (json_int_t)r->run));
    return twx_out_text(out,
                        "the flags are those of run %" PRId64
                        " again (generation %c); the next run publishes new ones\n",
                        r->run, r->generation);
}

twx_rc twx_digest_write(const twx_out *out, const twx_hash128 *digest) {
    char hex[40];
    snprintf(hex, sizeof hex, "%016" PRIx64 "%016" PRIx64, digest->hi, digest->lo);
    return twx_out_is_json(out) ? twx_out_json(out, json_pack("{s:s}", "digest", hex))
                                : twx_out_text(out, "%s\n", hex);
}
