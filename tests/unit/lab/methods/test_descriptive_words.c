/* The key is the vector of the descriptive words that are frequent in a text. */
#include "detect_fixture.h"

#include "lab/lab.h"

enum { MEMORY = 1 << 22, TOPICS = 12, TOPIC_WORDS = 8, TEXT_MAX = 1 << 15 };

static const twx_detector *const D = &TWX_DETECTOR_DESCRIPTIVE_WORDS;

typedef struct text {
    char bytes[TEXT_MAX];
    size_t n;
} text;

static void add_word(text *t, const char *stem, uint64_t number) {
    const int n = snprintf(t->bytes + t->n, TEXT_MAX - t->n, "%s%" PRIu64 " ", stem, number);
    assert_true(n > 0 && (size_t)n < TEXT_MAX - t->n);
    t->n += (size_t)n;
}

/* A text of a topic, which has so many words: these six times each, among words of its own; `edits`
 * is how many more of these there are. */
static void make_topic(uint64_t topic, uint64_t words, uint64_t own, uint64_t edits, text *t) {
    t->n = 0;
    for (uint64_t times = 0; times < 6; times++)
        for (uint64_t k = 0; k < words; k++) add_word(t, "topic", topic * words + k);
    for (uint64_t k = 0; k < 120 + edits; k++) add_word(t, "filler", own * 1000 + k);
}

static void make_text(uint64_t topic, uint64_t own, uint64_t edits, text *t) {
    make_topic(topic, TOPIC_WORDS, own, edits, t);
}

/* Ten texts of each topic. */
static void collect_topics(fixture *f, uint64_t topics, uint64_t words) {
    static text t;
    twx_term_selection_maker *m = NULL;
    assert_int_equal(twx_term_selection_maker_open(&f->cx, MEMORY, &m), TWX_OK);
    for (uint64_t i = 0; i < topics * 10; i++) {
        twx_bag bag;
        make_topic(i % topics, words, i, 0, &t);
        assert_int_equal(twx_bag_of(&f->cx, f->w, (twx_slice){t.bytes, t.n}, &bag), TWX_OK);
        assert_int_equal(twx_term_selection_maker_add(m, &bag), TWX_OK);
        twx_workspace_reset(f->w);
    }
    twx_collection_done(&f->collection);
    f->collection.by = &TWX_COLLECTING;
    assert_int_equal(twx_term_selection_make(m, &f->collection.term_selection), TWX_OK);
    twx_term_selection_maker_close(m);
    f->params.collection = &f->collection;
}

static void collect(fixture *f) {
    collect_topics(f, TOPICS, TOPIC_WORDS);
}

static size_t sign(fixture *f, const text *t, twx_key *ret_key) {
    return fixture_sign(f, D, &(twx_document){.text = {t->bytes, t->n}}, ret_key);
}

TEST_OF(texts_of_one_topic_share_a_key_and_others_do_not, fixture *f) {
    static text t;
    twx_key keys[TOPICS], key;
    collect(f);
    for (uint64_t topic = 0; topic < TOPICS; topic++) {
        make_text(topic, 5000, 0, &t);
        assert_int_equal(sign(f, &t, &keys[topic]), 1);
        make_text(topic, 6000, 3, &t); /* other fillers, some more of them: no bit turns */
        assert_int_equal(sign(f, &t, &key), 1);
        assert_int_equal(key.key, keys[topic].key);
        assert_int_equal(key.check, keys[topic].check);
        for (uint64_t other = 0; other < topic; other++)
            if (keys[other].key == keys[topic].key)
                fail_msg("topics %" PRIu64 " and %" PRIu64, other, topic);
    }
}

TEST_OF(the_order_of_the_words_does_not_matter, fixture *f) {
    static text t, back;
    twx_key forth_key, back_key;
    collect(f);
    make_text(3, 7000, 0, &t);
    back.n = 0;
    for (size_t end = t.n; end > 0;) {
        size_t from = end - 1;
        while (from > 0 && t.bytes[from - 1] != ' ') from--;
        memcpy(back.bytes + back.n, t.bytes + from, end - from);
        back.n += end - from;
        end = from;
    }
    assert_int_equal(sign(f, &t, &forth_key), 1);
    assert_int_equal(sign(f, &back, &back_key), 1);
    assert_int_equal(forth_key.key, back_key.key);
}

TEST_OF(who_has_few_bits_or_no_collection_has_no_key, fixture *f) {
    static text t;
    twx_collection empty = {0};
    twx_key key;
    make_text(1, 8000, 0, &t);
    assert_int_equal(sign(f, &t, &key), 0); /* no collection */
    f->params.collection = &empty;
    assert_int_equal(sign(f, &t, &key), 0); /* one without features */
    collect(f);
    assert_int_equal(sign(f, &t, &key), 1);
    t.n = 0;
    assert_int_equal(sign(f, &t, &key), 0);
    for (uint64_t k = 0; k < 300; k++) add_word(&t, "nothing", k);
    assert_int_equal(sign(f, &t, &key), 0);
    for (uint64_t k = 0; k < 40; k++) add_word(&t, "topic", k % 2); /* two bits */
    assert_int_equal(sign(f, &t, &key), 0);
}

TEST_OF(three_words_are_enough, fixture *f) {
    static text t;
    twx_key key;
    t.n = 0;
    for (uint64_t k = 0; k < 30; k++) add_word(&t, "topic", k % 3);
    for (uint64_t topics = 2; topics <= 3; topics++) {
        collect_topics(f, topics, 1);
        assert_int_equal(f->collection.term_selection->n, topics);
        assert_int_equal(sign(f, &t, &key), topics == 3);
    }
}

/* A word that is there, but below its threshold, sets no bit. */
TEST_OF(rare_occurrences_do_not_count, fixture *f) {
    static text t;
    twx_key with, without;
    collect(f);
    make_text(2, 9000, 0, &t);
    assert_int_equal(sign(f, &t, &without), 1);
    /* dl grows: tf / dl falls below 1/200 */
    for (uint64_t k = 0; k < 2000; k++) add_word(&t, "more", k);
    assert_true(sign(f, &t, &with) == 0 || with.key != without.key);
}
