/* Made by scripts/gen-page-tables elements: a perfect hash of the names in page/elements.h. */
#ifndef TWX_PAGE_ELEMENTS_DATA_H
#define TWX_PAGE_ELEMENTS_DATA_H

#include "page/elements.h"

enum { NAME_MAX_BYTES = 14 };

/* of the first, the middle (n / 2) and the last byte and the length n */
#define NAME_HASH(first, middle, last, n) (((first) * 54u + (middle) * 18u + (last) * 41u + (n) * 10u) % 1024u)

static const unsigned char NAME_SLOT[1024] = {
    [13] = TWX_TAG_strike, [38] = TWX_TAG_main, [42] = TWX_TAG_footer, [45] = TWX_TAG_rtc,
    [55] = TWX_TAG_aside, [56] = TWX_TAG_dd, [63] = TWX_TAG_code, [65] = TWX_TAG_malignmark,
    [74] = TWX_TAG_hr, [75] = TWX_TAG_article, [76] = TWX_TAG_sub, [86] = TWX_TAG_foreignobject,
    [98] = TWX_TAG_ol, [100] = TWX_TAG_mglyph, [104] = TWX_TAG_embed, [108] = TWX_TAG_mn,
    [130] = TWX_TAG_nobr, [132] = TWX_TAG_th, [141] = TWX_TAG_template, [146] = TWX_TAG_small,
    [159] = TWX_TAG_track, [166] = TWX_TAG_option, [167] = TWX_TAG_mo, [171] = TWX_TAG_big,
    [175] = TWX_TAG_source, [181] = TWX_TAG_frame, [193] = TWX_TAG_noframes,
    [196] = TWX_TAG_bgsound, [203] = TWX_TAG_strong, [204] = TWX_TAG_input, [218] = TWX_TAG_span,
    [222] = TWX_TAG_mtext, [238] = TWX_TAG_head, [255] = TWX_TAG_title, [266] = TWX_TAG_nav,
    [279] = TWX_TAG_base, [291] = TWX_TAG_style, [298] = TWX_TAG_search, [299] = TWX_TAG_svg,
    [303] = TWX_TAG_blockquote, [305] = TWX_TAG_desc, [330] = TWX_TAG_annotation,
    [331] = TWX_TAG_param, [335] = TWX_TAG_h1, [340] = TWX_TAG_object, [343] = TWX_TAG_image,
    [353] = TWX_TAG_iframe, [363] = TWX_TAG_dialog, [375] = TWX_TAG_audio, [378] = TWX_TAG_p,
    [394] = TWX_TAG_h2, [403] = TWX_TAG_ms, [410] = TWX_TAG_meter, [415] = TWX_TAG_menu,
    [422] = TWX_TAG_ul, [430] = TWX_TAG_optgroup, [432] = TWX_TAG_annotation_xml,
    [453] = TWX_TAG_h3, [485] = TWX_TAG_video, [496] = TWX_TAG_rp, [512] = TWX_TAG_h4,
    [528] = TWX_TAG_dl, [534] = TWX_TAG_var, [538] = TWX_TAG_col, [540] = TWX_TAG_noscript,
    [551] = TWX_TAG_figure, [556] = TWX_TAG_select, [571] = TWX_TAG_h5, [586] = TWX_TAG_plaintext,
    [590] = TWX_TAG_section, [606] = TWX_TAG_wbr, [607] = TWX_TAG_progress, [611] = TWX_TAG_i,
    [621] = TWX_TAG_img, [628] = TWX_TAG_script, [630] = TWX_TAG_h6, [633] = TWX_TAG_ruby,
    [641] = TWX_TAG_em, [650] = TWX_TAG_sup, [667] = TWX_TAG_details, [686] = TWX_TAG_button,
    [694] = TWX_TAG_rb, [700] = TWX_TAG_basefont, [717] = TWX_TAG_s, [722] = TWX_TAG_tr,
    [727] = TWX_TAG_meta, [730] = TWX_TAG_dir, [731] = TWX_TAG_a, [732] = TWX_TAG_rt,
    [734] = TWX_TAG_applet, [750] = TWX_TAG_caption, [774] = TWX_TAG_br, [776] = TWX_TAG_xmp,
    [780] = TWX_TAG_tfoot, [782] = TWX_TAG_html, [783] = TWX_TAG_li, [803] = TWX_TAG_textarea,
    [805] = TWX_TAG_form, [806] = TWX_TAG_colgroup, [808] = TWX_TAG_noembed,
    [811] = TWX_TAG_address, [829] = TWX_TAG_body, [833] = TWX_TAG_area, [837] = TWX_TAG_mi,
    [840] = TWX_TAG_tt, [844] = TWX_TAG_b, [867] = TWX_TAG_marquee, [870] = TWX_TAG_figcaption,
    [880] = TWX_TAG_fieldset, [886] = TWX_TAG_header, [894] = TWX_TAG_div, [898] = TWX_TAG_frameset,
    [904] = TWX_TAG_center, [915] = TWX_TAG_summary, [916] = TWX_TAG_datalist, [920] = TWX_TAG_td,
    [932] = TWX_TAG_text, [938] = TWX_TAG_keygen, [943] = TWX_TAG_u, [949] = TWX_TAG_listing,
    [955] = TWX_TAG_table, [968] = TWX_TAG_thead, [975] = TWX_TAG_link, [981] = TWX_TAG_canvas,
    [985] = TWX_TAG_tbody, [1000] = TWX_TAG_dt, [1002] = TWX_TAG_hgroup, [1007] = TWX_TAG_pre,
    [1014] = TWX_TAG_math, [1020] = TWX_TAG_font,
};

#endif
