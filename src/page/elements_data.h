/* clang-format off */
/* Made by scripts/gen-page-tables elements: a perfect hash of the names in page/elements.h. */
#ifndef TWX_PAGE_ELEMENTS_DATA_H
#define TWX_PAGE_ELEMENTS_DATA_H

#include "page/elements.h"

enum { NAME_MAX_BYTES = 14 };

/* of the first, the middle (n / 2) and the last byte and the length n */
#define NAME_HASH(first, middle, last, n) \
    (((first) * 49u + (middle) * 48u + (last) * 33u + (n) * 5u) % 1024u)

static const unsigned char NAME_SLOT[1024] = {
    [4] = TWX_TAG_hr, [5] = TWX_TAG_select, [6] = TWX_TAG_mo, [21] = TWX_TAG_h3,
    [22] = TWX_TAG_footer, [25] = TWX_TAG_math, [38] = TWX_TAG_input, [56] = TWX_TAG_strong,
    [74] = TWX_TAG_details, [100] = TWX_TAG_rtc, [102] = TWX_TAG_h4, [115] = TWX_TAG_annotation_xml,
    [134] = TWX_TAG_source, [153] = TWX_TAG_bgsound, [155] = TWX_TAG_ul, [158] = TWX_TAG_legend,
    [164] = TWX_TAG_sub, [166] = TWX_TAG_menu, [183] = TWX_TAG_h5, [197] = TWX_TAG_script,
    [201] = TWX_TAG_dialog, [222] = TWX_TAG_rb, [229] = TWX_TAG_p, [233] = TWX_TAG_search,
    [246] = TWX_TAG_param, [254] = TWX_TAG_basefont, [264] = TWX_TAG_h6, [269] = TWX_TAG_textarea,
    [274] = TWX_TAG_title, [275] = TWX_TAG_mglyph, [297] = TWX_TAG_blockquote, [303] = TWX_TAG_body,
    [305] = TWX_TAG_plaintext, [311] = TWX_TAG_optgroup, [327] = TWX_TAG_a, [330] = TWX_TAG_ms,
    [332] = TWX_TAG_rp, [343] = TWX_TAG_i, [346] = TWX_TAG_dl, [354] = TWX_TAG_fieldset,
    [360] = TWX_TAG_meter, [363] = TWX_TAG_base, [376] = TWX_TAG_header, [377] = TWX_TAG_svg,
    [394] = TWX_TAG_noscript, [395] = TWX_TAG_desc, [402] = TWX_TAG_frameset, [405] = TWX_TAG_dir,
    [434] = TWX_TAG_table, [446] = TWX_TAG_col, [457] = TWX_TAG_b, [459] = TWX_TAG_progress,
    [465] = TWX_TAG_style, [476] = TWX_TAG_em, [479] = TWX_TAG_img, [482] = TWX_TAG_td,
    [483] = TWX_TAG_applet, [487] = TWX_TAG_xmp, [495] = TWX_TAG_li, [529] = TWX_TAG_tfoot,
    [532] = TWX_TAG_section, [534] = TWX_TAG_area, [535] = TWX_TAG_keygen, [537] = TWX_TAG_div,
    [544] = TWX_TAG_mi, [545] = TWX_TAG_thead, [559] = TWX_TAG_summary, [564] = TWX_TAG_nobr,
    [568] = TWX_TAG_small, [569] = TWX_TAG_noframes, [584] = TWX_TAG_track, [592] = TWX_TAG_tr,
    [600] = TWX_TAG_html, [619] = TWX_TAG_s, [626] = TWX_TAG_sup, [629] = TWX_TAG_span,
    [640] = TWX_TAG_datalist, [643] = TWX_TAG_nav, [645] = TWX_TAG_noembed, [656] = TWX_TAG_rt,
    [665] = TWX_TAG_figure, [690] = TWX_TAG_embed, [694] = TWX_TAG_tbody, [716] = TWX_TAG_code,
    [718] = TWX_TAG_button, [719] = TWX_TAG_main, [722] = TWX_TAG_dd, [724] = TWX_TAG_frame,
    [726] = TWX_TAG_strike, [730] = TWX_TAG_mtext, [734] = TWX_TAG_br, [742] = TWX_TAG_figcaption,
    [743] = TWX_TAG_address, [747] = TWX_TAG_colgroup, [754] = TWX_TAG_tt, [772] = TWX_TAG_caption,
    [775] = TWX_TAG_form, [784] = TWX_TAG_head, [801] = TWX_TAG_annotation, [806] = TWX_TAG_th,
    [811] = TWX_TAG_link, [814] = TWX_TAG_font, [818] = TWX_TAG_meta, [821] = TWX_TAG_marquee,
    [827] = TWX_TAG_option, [833] = TWX_TAG_object, [838] = TWX_TAG_hgroup,
    [859] = TWX_TAG_foreignobject, [863] = TWX_TAG_aside, [871] = TWX_TAG_image,
    [873] = TWX_TAG_article, [876] = TWX_TAG_iframe, [879] = TWX_TAG_u, [883] = TWX_TAG_h1,
    [885] = TWX_TAG_ol, [890] = TWX_TAG_malignmark, [899] = TWX_TAG_center, [903] = TWX_TAG_var,
    [929] = TWX_TAG_template, [949] = TWX_TAG_mn, [953] = TWX_TAG_audio, [956] = TWX_TAG_text,
    [958] = TWX_TAG_video, [964] = TWX_TAG_h2, [968] = TWX_TAG_big, [982] = TWX_TAG_listing,
    [991] = TWX_TAG_ruby, [994] = TWX_TAG_dt, [996] = TWX_TAG_pre, [1000] = TWX_TAG_wbr,
};

#endif
