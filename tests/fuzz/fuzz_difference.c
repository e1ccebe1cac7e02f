/* The first byte says which sentences are left out and announced, by their hashes; the rest are two
 * texts, parted by the first 0xFF. Laws: equal texts have no blocks; the words of blocks lie in
 * their texts, those of one block in both or as its kind says; what differs and what is left out is
 * no more than the texts; a comparison that is told that one block is enough lists no more; twice
 * is the same. Not a law: that the blocks of exchanged texts correspond, because several longest
 * alignments may exist (seed ambiguous). */
#include "exact_copy.h"

#include "text/text.h"

static twx_unit_use use_of(const void *arg, bool in_a, uint64_t before, uint64_t unit,
                           uint64_t after) {
    const uint8_t mask = *(const uint8_t *)arg;
    const uint64_t key = unit ^ (mask & 4 ? before : 0) ^ (mask & 8 ? after : 0);
    if ((mask & 16) && in_a) return TWX_UNIT_COMPARED;
    if ((key & 3) == (mask & 3)) return mask & 32 ? TWX_UNIT_ANNOUNCED : TWX_UNIT_IGNORED;
    return TWX_UNIT_COMPARED;
}

static uint64_t exchanged(const void *arg, bool in_a, twx_slice sentence) {
    const uint8_t mask = *(const uint8_t *)arg;
    return in_a && (mask & 64) ? 0 : (sentence.n ^ mask) & 7;
}

static bool is_enough(const void *arg, const twx_block *block) {
    (void)arg;
    return block->kind != TWX_BLOCK_ADDED;
}

static void check_block(const twx_block *block, twx_slice a, twx_slice b, bool announces) {
    law(block->words_a || block->words_b);
    law(!block->words_a == !block->a.n && !block->words_b == !block->b.n);
    law(lies_in(block->a, a) && lies_in(block->b, b));
    if (block->words_a && block->words_b) law(block->kind == TWX_BLOCK_SUBSTITUTED);
    if (block->kind == TWX_BLOCK_SUBSTITUTED) law((block->words_a && block->words_b) || announces);
}

static void compare(twx_ctx *cx, twx_slice a, twx_slice b, const twx_difference_rules *rules,
                    bool announces, twx_difference *d) {
    law(twx_difference_of(cx, a, b, rules, d) == TWX_OK);
    for (size_t i = 0; i < d->at.n; i++) check_block(&d->at.at[i], a, b, announces);
    law(d->differ[0] + d->ignored[0] <= a.n && d->differ[1] + d->ignored[1] <= b.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const twx_difference_rules ALL = {0};
    if (size == 0) return 0;
    const uint8_t mask = *data++;
    const twx_difference_rules masked = {use_of, exchanged, NULL, &mask},
                               one = {use_of, exchanged, is_enough, &mask};
    twx_difference d = {0}, again = {0};
    twx_slice a, b;
    twx_ctx cx = {0};
    exact_parts(data, size - 1, 0xFF, &a, &b);
    compare(&cx, a, a, &ALL, false, &d);
    law(d.at.n == 0 && d.differ[0] == 0 && d.ignored[0] == 0);
    compare(&cx, a, b, &ALL, false, &d);
    law(d.ignored[0] == 0 && d.ignored[1] == 0);
    compare(&cx, a, b, &masked, mask & 32, &d);
    compare(&cx, a, b, &masked, mask & 32, &again);
    law(d.at.n == again.at.n && d.differ[0] == again.differ[0] && d.ignored[1] == again.ignored[1]);
    compare(&cx, a, b, &one, mask & 32, &again);
    law(again.at.n <= d.at.n);
    twx_difference_done(&d);
    twx_difference_done(&again);
    return exact_end();
}
