#include "lab/title_words.h"

#include "base/hash64.h"
#include "base/slice.h"

enum { WORD_SEED = 22 };

void twx_title_words_init(twx_title_words *w) {
    twx_tokens_init(&w->tokens);
    twx_map64_init(&w->words, 0);
}

void twx_title_words_done(twx_title_words *w) {
    twx_tokens_done(&w->tokens);
    twx_map64_done(&w->words);
}

void twx_title_words_clear(twx_title_words *w) {
    twx_map64_done(&w->words);
    twx_map64_init(&w->words, 0);
}

twx_rc twx_title_words_add(twx_ctx *cx, twx_title_words *w, twx_slice part) {
    twx_token token;
    twx_tokens_start(&w->tokens, part);
    twx_rc rc = twx_tokens_next(cx, &w->tokens, &token);
    for (; rc == TWX_OK; rc = twx_tokens_next(cx, &w->tokens, &token)) {
        rc = twx_map64_put(cx, &w->words, twx_hash64(token.text, WORD_SEED), 1);
        if (rc != TWX_OK) return rc;
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

static bool is_number(twx_slice word) {
    for (size_t i = 0; i < word.n; i++)
        if (!twx_is_digit((unsigned char)word.p[i])) return false;
    return true;
}

twx_rc twx_title_words_lost(twx_ctx *cx, twx_title_words *w, twx_slice title,
                            twx_lost_words *ret_lost) {
    twx_lost_words lost = {0};
    twx_token token;
    uint64_t unused = 0;
    twx_tokens_start(&w->tokens, title);
    twx_rc rc = twx_tokens_next(cx, &w->tokens, &token);
    for (; rc == TWX_OK; rc = twx_tokens_next(cx, &w->tokens, &token)) {
        if (twx_map64_get(&w->words, twx_hash64(token.text, WORD_SEED), &unused)) continue;
        lost.any = true;
        lost.word |= !is_number(token.text);
    }
    if (rc != TWX_DONE) return rc;
    *ret_lost = lost;
    return TWX_OK;
}
