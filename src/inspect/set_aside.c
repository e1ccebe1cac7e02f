#include "inspect/set_aside.h"

#include "run/excerpt.h"
#include "text/text_diff.h"
#include "text/tokens.h"

enum { BLOCKS_SHOWN = 4, BLOCK_SHOWN = 30 /* characters */, FIRST_BYTES = 1 << 12 };

twx_rc twx_outside_of_main(twx_ctx *cx, twx_slice text, twx_slice main, twx_unit_list *ret_blocks) {
    twx_text_diff d = {0};
    ret_blocks->at.n = 0;
    if (main.n == 0) return TWX_OK;
    twx_rc rc = twx_text_diff_of(cx, text, main, &d);
    for (size_t i = 0; rc == TWX_OK && i < d.at.n; i++) {
        const twx_slice block = twx_slice_trim(d.at.at[i].a);
        if (d.at.at[i].kind != TWX_PASSAGE_ONLY_A || block.n == 0) continue;
        if (!TWX_VEC_PUSH(cx, &ret_blocks->at, ((twx_unit){.text = block}))) rc = TWX_E_NOMEM;
    }
    twx_text_diff_done(&d);
    return rc;
}

static twx_rc count_words(twx_ctx *cx, twx_tokens *tokens, twx_slice text, size_t *words) {
    twx_token token;
    twx_rc rc = TWX_OK;
    twx_tokens_start(tokens, text);
    while ((rc = twx_tokens_next_raw(cx, tokens, &token)) == TWX_OK) ++*words;
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Does the next block follow it in the text? Then both are one. */
static bool goes_on(const twx_unit *block) {
    const char *end = block->text.p + block->text.n;
    while (end < block[1].text.p && twx_is_space((unsigned char)*end)) end++;
    return end == block[1].text.p;
}

twx_rc twx_set_aside_add(twx_ctx *cx, int side, const char *why, const twx_unit_list *blocks,
                         twx_comparison *r) {
    twx_set_aside row = {.side = side, .why = why};
    twx_tokens tokens;
    twx_buf first;
    twx_rc rc = TWX_OK;
    twx_tokens_init(&tokens);
    twx_buf_init(&first, FIRST_BYTES);
    for (size_t i = 0, next; rc == TWX_OK && i < blocks->at.n; i = next) {
        twx_slice block = blocks->at.at[i].text;
        for (next = i + 1; next < blocks->at.n && goes_on(&blocks->at.at[next - 1]); next++)
            block.n = (size_t)(blocks->at.at[next].text.p - block.p) + blocks->at.at[next].text.n;
        rc = count_words(cx, &tokens, block, &row.words);
        if (rc == TWX_OK && row.blocks > 0 && row.blocks <= BLOCKS_SHOWN)
            rc = twx_buf_add_text(cx, &first, row.blocks < BLOCKS_SHOWN ? " | " : " ...");
        if (rc == TWX_OK && row.blocks++ < BLOCKS_SHOWN)
            rc = twx_excerpt(cx, block, BLOCK_SHOWN, &first);
    }
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &r->arena, twx_buf_slice(&first), &row.first);
    if (rc == TWX_OK && row.blocks && !TWX_VEC_PUSH(cx, &r->set_aside, row)) rc = TWX_E_NOMEM;
    twx_buf_done(&first);
    twx_tokens_done(&tokens);
    return rc;
}
