/* The words of a title that do not name its page: those for the form in which it is shown, and the
 * site's own ("... | Visit Skerry"). */
#include <stdlib.h>

#include "judge/names_keys.h"

/* "Print Page - ", "[Archive]", "printer friendly", "Druckansicht:", in some languages */
static const char FORMS[] =
    "print printable printed printer printversion friendly page version view mobile amp "
    "archive archived archives archiv drucken druckansicht druckversion druckseite "
    "druckfassung seite imprimer imprimable impression imprimir imprimible impresión versión "
    "archivo página stampa stampabile versione pagina afdrukken printversie imprimare "
    "impressão versão печать печати печатная версия для страница страницы архив 打印 打印版 "
    "存档 归档 印刷 印刷用 印刷用ページ アーカイブ 保存版 過去ログ 打印页 para pour zum de à "
    "印刷する พ มพ หน าน คล งข อม ล ง เก็บ";
static const char *const FRAMES[TWX_NAME_FRAMES] = {"archived", "cached", "copied",    "generated",
                                                    "mirror",   "proxy",  "retrieved", "session"};

static int by_word(const void *left, const void *right) {
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

void twx_names_init_forms(twx_names *names) {
    twx_slice forms = twx_slice_of(FORMS);
    for (size_t i = 0; i < TWX_NAME_FORMS; i++) {
        const size_t end = twx_slice_find(forms, ' ', 0);
        names->forms[i] = twx_name_word(twx_slice_sub(forms, 0, end));
        forms = twx_slice_sub(forms, end + 1, forms.n);
    }
    qsort(names->forms, TWX_NAME_FORMS, sizeof *names->forms, by_word);
    for (size_t i = 0; i < TWX_NAME_FRAMES; i++)
        names->frames[i] = twx_name_word(twx_slice_of(FRAMES[i]));
}

static bool is_among(const uint32_t *words, size_t n, twx_name_part part, uint32_t word) {
    for (size_t i = 0; i < n; i++)
        if (twx_name_word_in(part, words[i]) == word) return true;
    return false;
}

bool twx_names_is_form(const twx_names *names, twx_name_part part, uint32_t word) {
    if (part == TWX_NAME_TITLE)
        return bsearch(&word, names->forms, TWX_NAME_FORMS, sizeof word, by_word);
    return part == TWX_NAME_REPEATED && is_among(names->forms, TWX_NAME_FORMS, part, word);
}

bool twx_names_is_frame(const twx_names *names, twx_name_part part, uint32_t word) {
    return part == TWX_NAME_REPEATED && is_among(names->frames, TWX_NAME_FRAMES, part, word);
}

bool twx_names_is_form_of(const twx_names *names, const twx_name_words *own,
                          const twx_name_words *other) {
    size_t at = 0;
    for (size_t i = 0; i < own->n[TWX_NAME_TITLE]; i++) {
        if (at < other->n[TWX_NAME_TITLE] && own->title[i] == other->title[at])
            at++;
        else if (!twx_names_is_form(names, TWX_NAME_TITLE, own->title[i]))
            return false;
    }
    return at == other->n[TWX_NAME_TITLE] && at > 0;
}

/* ---- the site's own part ------------------------------------------------------- */

uint64_t twx_names_run_key(uint64_t site, uint32_t kind, const uint32_t *words, size_t n) {
    return twx_mix64(twx_names_hash(twx_mix64(site, kind), words, n), n);
}

twx_title_parts twx_names_plain_title(const twx_names *names, const twx_name_words *w) {
    size_t from = 0, to = (size_t)w->n[TWX_NAME_TITLE] - w->versions;
    while (to > 0 && twx_names_is_form(names, TWX_NAME_TITLE, w->title[to - 1])) to--;
    while (from < to && twx_names_is_form(names, TWX_NAME_TITLE, w->title[from])) from++;
    return (twx_title_parts){from, from, to, to};
}

twx_title_parts twx_names_title_parts(const twx_names *names, uint64_t site,
                                      const twx_name_words *w) {
    twx_title_parts parts = twx_names_plain_title(names, w);
    const size_t words = parts.end - parts.begin;
    uint64_t unused;
    for (size_t n = TWX_NAME_RUN_MAX; n > 0; n--) {
        const uint32_t *first = w->title + parts.begin, *last = w->title + parts.end;
        if (words <= n) continue;
        if (parts.to == parts.end &&
            twx_map64_get(&names->own_parts,
                          twx_names_run_key(site, TWX_NAME_KEY_ENDS, last - n, n), &unused))
            parts.to -= n;
        if (parts.from == parts.begin &&
            twx_map64_get(&names->own_parts, twx_names_run_key(site, TWX_NAME_KEY_BEGINS, first, n),
                          &unused))
            parts.from += n;
    }
    return parts.from < parts.to
               ? parts
               : (twx_title_parts){parts.begin, parts.begin, parts.end, parts.end};
}
