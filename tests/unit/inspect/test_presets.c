#include "../store/store_fixture.h"

#include "inspect/internal.h"

static twx_rc preset_of(const char *script, twx_preset *ret) {
    twx_ctx cx;
    twx_db *db = open_as(&cx, store_of("preset.db", script), TWX_DB_READER);
    const twx_rc rc = twx_preset_find(db, ret);
    twx_db_close(db);
    return rc;
}

TEST(a_preset_needs_all_its_columns) {
    twx_preset p = {0};
    assert_int_equal(preset_of("CREATE TABLE items(url, title)", &p), TWX_DONE);
    assert_null(p.name);
    assert_ok(preset_of("CREATE TABLE items(URL, title, content, more)", &p));
    assert_string_equal(p.name, "scrapy");
    assert_true(twx_slice_starts_nocase(p.about, TWX_SLICE_LIT("Scrapy: ")));
    /* the configuration begins after the line of what is needed */
    assert_true(p.config.n > 0 && twx_slice_find(p.config, 'n', 0) < p.config.n);
    assert_false(twx_slice_starts_nocase(p.config, TWX_SLICE_LIT("# needs:")));
}

/* Of two releases that both fit, the one that needs more. */
TEST(the_preset_with_most_columns_is_taken) {
    twx_preset p = {0};
    assert_ok(
        preset_of("CREATE TABLE bookmarks_bookmark(id, url, title, description, website_title, "
                  "website_description, date_added, date_modified)",
                  &p));
    assert_string_equal(p.name, "linkding-1.18");
    assert_ok(preset_of(
        "CREATE TABLE bookmarks_bookmark(id, url, title, description, notes, website_title, "
        "website_description, date_added, date_modified)",
        &p));
    assert_string_equal(p.name, "linkding");
}
