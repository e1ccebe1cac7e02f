/* A file of pins. Laws: it is read or refused with its name in the message; what it pins is found
 * again, by every name it has; partners are mutual; limits hold. */
#include "exact_copy.h"

#include "judge/internal.h"

static bool has_partner(const twx_pins *pins, uint32_t url, uint32_t partner) {
    size_t n = 0;
    const uint32_t *all = twx_pins_partners(pins, url, &n);
    for (size_t i = 0; i < n; i++)
        if (all[i] == partner) return true;
    return false;
}

static void check_pin(const twx_pins *pins, const twx_pin *pin) {
    for (int k = 0; k < 2 && pin->name[k].p; k++) {
        const twx_pin_match m = twx_pins_match(pins, twx_hash64(pin->name[k], 0), pin->name[k]);
        law(pin->name[k].n > 0);
        if (pin->kind == TWX_PIN_PREFER)
            law(m.preferred > 0 && m.preferred <= pin->number[k] + 1);
        else
            law(m.url == pin->number[k] + 1 && pin->number[k] < twx_pins_urls(pins));
    }
    if (pin->kind == TWX_PIN_KEEP) law(twx_pins_keeps(pins, pin->number[0]));
    if (pin->kind == TWX_PIN_SEPARATE)
        law(has_partner(pins, pin->number[0], pin->number[1]) &&
            has_partner(pins, pin->number[1], pin->number[0]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    twx_slice text = exact_copy(data, size);
    const twx_url_options options = {.steps = size & 31};
    twx_pins *pins = NULL;
    twx_ctx cx = {0};
    twx_rc rc = twx_pins_parse(&cx, &options, "pins", text, &pins);
    law(rc == TWX_OK || (rc == TWX_E_CONFIG && !pins && strncmp(cx.message, "pins:", 5) == 0));
    size_t n = 0;
    for (const twx_pin *pin; rc == TWX_OK && (pin = twx_pins_at(pins, n)); n++)
        check_pin(pins, pin);
    law(n <= TWX_PINS_MAX);
    twx_pins_close(pins);
    return exact_end();
}
