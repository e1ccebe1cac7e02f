/* Offsets are those of the SQLite file format (https://sqlite.org/fileformat2.html): a header of
 * 100 bytes in page 1, then in each b-tree page a header of 8 or 12 bytes and the array of cell
 * pointers. */
#include "store_damage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_HEADER = 100, CHANGES_MAX = 3, TAIL_MAX = 5000 };

typedef struct image {
    uint8_t *bytes;
    size_t n, page; /* page: bytes of one */
    test_rng *rng;
    char *note;
} image;

static void note(image *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void note(image *m, const char *fmt, ...) {
    const size_t n = strlen(m->note);
    va_list args;
    va_start(args, fmt);
    vsnprintf(m->note + n, DAMAGE_NOTE_BYTES - n, fmt, args);
    va_end(args);
}

static size_t below(image *m, size_t limit) {
    return test_rng_below(m->rng, limit);
}

static size_t pages(const image *m) {
    return m->n / m->page;
}

/* A number that is likely to matter where `bytes` of a field are replaced. */
static uint32_t odd_number(image *m) {
    static const uint32_t ODD[] = {0,       1,        2,          5,          10,        13,
                                   0x7F,    0x80,     0xFF,       0x7FFF,     0x8000,    0xFFFF,
                                   0x10000, 0xFFFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    switch (below(m, 3)) {
    case 0: return ODD[below(m, sizeof ODD / sizeof *ODD)];
    case 1: return (uint32_t)below(m, pages(m) + 2);
    default: return (uint32_t)test_rng_next(m->rng);
    }
}

static void put(image *m, size_t at, size_t bytes, uint32_t value) {
    for (size_t i = 0; i < bytes && at + i < m->n; i++)
        m->bytes[at + i] = (uint8_t)(value >> (8 * (bytes - 1 - i)));
}

static void random_bytes(image *m) {
    const size_t from = below(m, m->n), n = 1 + below(m, below(m, 2) ? 4 : 400);
    for (size_t i = from; i < from + n && i < m->n; i++) m->bytes[i] = (uint8_t)below(m, 256);
    note(m, "%zu random bytes at %zu; ", n, from);
}

static void flip_bits(image *m) {
    const size_t n = 1 + below(m, 20);
    for (size_t i = 0; i < n; i++) m->bytes[below(m, m->n)] ^= (uint8_t)(1u << below(m, 8));
    note(m, "%zu bits flipped; ", n);
}

static void swap_pages(image *m) {
    const size_t a = below(m, pages(m)), b = below(m, pages(m));
    for (size_t i = 0; i < m->page; i++) {
        const uint8_t byte = m->bytes[a * m->page + i];
        m->bytes[a * m->page + i] = m->bytes[b * m->page + i];
        m->bytes[b * m->page + i] = byte;
    }
    note(m, "pages %zu and %zu swapped; ", a + 1, b + 1);
}

static void copy_page(image *m) {
    const size_t a = below(m, pages(m)), b = below(m, pages(m));
    memmove(m->bytes + a * m->page, m->bytes + b * m->page, m->page);
    note(m, "page %zu is a copy of page %zu; ", a + 1, b + 1);
}

static void fill_page(image *m) {
    const size_t a = below(m, pages(m));
    const int value = below(m, 2) ? 0 : 255;
    memset(m->bytes + a * m->page, value, m->page);
    note(m, "page %zu is filled with %d; ", a + 1, value);
}

static void truncate_file(image *m) {
    m->n = below(m, 2) ? below(m, pages(m)) * m->page : below(m, m->n);
    note(m, "truncated to %zu bytes; ", m->n);
}

static void add_tail(image *m) {
    const size_t n = 1 + below(m, TAIL_MAX);
    for (size_t i = 0; i < n; i++) m->bytes[m->n + i] = (uint8_t)below(m, 256);
    m->n += n;
    note(m, "%zu bytes appended; ", n);
}

static void change_header(image *m) {
    /* offset and size of each field of the file header */
    static const struct {
        uint8_t at, bytes;
    } FIELDS[] = {{0, 4},  {16, 2}, {18, 1}, {19, 1}, {20, 1}, {21, 1}, {22, 1}, {23, 1},
                  {24, 4}, {28, 4}, {32, 4}, {36, 4}, {40, 4}, {44, 4}, {48, 4}, {52, 4},
                  {56, 4}, {60, 4}, {64, 4}, {68, 4}, {72, 4}, {92, 4}, {96, 4}};
    const size_t f = below(m, sizeof FIELDS / sizeof *FIELDS);
    const uint32_t value = odd_number(m);
    put(m, FIELDS[f].at, FIELDS[f].bytes, value);
    note(m, "header field %u is %u; ", FIELDS[f].at, value);
}

/* A list of free pages that has used ones in it: SQLite would give them to whoever writes. */
static void change_freelist(image *m) {
    const size_t trunk = 1 + below(m, pages(m)), leaves = below(m, 20);
    put(m, 32, 4, (uint32_t)trunk);
    put(m, 36, 4, (uint32_t)(below(m, 2) ? leaves + 1 : odd_number(m)));
    note(m, "the list of free pages begins with page %zu", trunk);
    if (trunk > 1 && below(m, 3)) {
        const size_t at = (trunk - 1) * m->page;
        put(m, at, 4, below(m, 3) ? 0 : odd_number(m));
        put(m, at + 4, 4, (uint32_t)(below(m, 4) ? leaves : odd_number(m)));
        for (size_t i = 0; i < leaves; i++)
            put(m, at + 8 + 4 * i, 4, (uint32_t)(2 + below(m, pages(m))));
        note(m, ", which names %zu others", leaves);
    }
    note(m, "; ");
}

static void change_tree(image *m) {
    /* offset and size of each field of a page's header */
    static const struct {
        uint8_t at, bytes;
    } FIELDS[] = {{0, 1}, {1, 2}, {3, 2}, {5, 2}, {7, 1}, {8, 4}};
    const size_t page = below(m, pages(m));
    const size_t at = page * m->page + (page ? 0 : FILE_HEADER);
    const size_t f = below(m, sizeof FIELDS / sizeof *FIELDS + 2);
    const uint32_t value = odd_number(m);
    if (f < sizeof FIELDS / sizeof *FIELDS)
        put(m, at + FIELDS[f].at, FIELDS[f].bytes, value);
    else
        put(m, at + 8 + 2 * below(m, 40), 2, value); /* a cell pointer */
    note(m, "page %zu: field %zu is %u; ", page + 1, f, value);
}

/* The child pointers of an interior page, or the first bytes of cells: lengths and row ids. */
static void change_cell(image *m) {
    const size_t page = below(m, pages(m));
    const size_t at = page * m->page, header = page ? 0 : FILE_HEADER;
    const size_t pointer = at + header + (m->bytes[at + header] < 8 ? 12 : 8) + 2 * below(m, 8);
    if (pointer + 2 > m->n) return;
    const size_t cell = at + (size_t)m->bytes[pointer] * 256 + m->bytes[pointer + 1];
    const uint32_t value = odd_number(m);
    put(m, cell + below(m, 6), below(m, 2) ? 1 : 4, value);
    note(m, "page %zu: a cell begins with %u; ", page + 1, value);
}

/* One character of the schema's SQL, or of any other text, becomes another. */
static void change_schema(image *m) {
    static const char SIGNS[] = "()*',;-\"x1 \0";
    const size_t at = FILE_HEADER + below(m, 4 * m->page - FILE_HEADER);
    if (at >= m->n) return;
    m->bytes[at] = (uint8_t)SIGNS[below(m, sizeof SIGNS)];
    note(m, "byte %zu is %u; ", at, m->bytes[at]);
}

static void write_file(const char *path, const char *tail, const uint8_t *bytes, size_t n) {
    char name[4200];
    snprintf(name, sizeof name, "%s%s", path, tail);
    test_write_file(name, bytes, n);
}

/* A journal or WAL that looks left over and whose frames are pages of this file, in disorder.
 * Checksums of WAL frames do not match, so SQLite has to ignore them; a journal's may be 0. */
static void add_journal(image *m, const char *path) {
    static const uint8_t MAGIC[] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    const bool wal = below(m, 2) != 0;
    const size_t header = wal ? 32 : 512, records = below(m, 6), record = m->page + (wal ? 24 : 8);
    uint8_t *bytes = calloc(1, header + records * record);
    assert_non_null(bytes);
    image j = {.bytes = bytes, .n = header + records * record, .rng = m->rng, .note = m->note};
    if (wal) {
        put(&j, 0, 4, 0x377f0682);
        put(&j, 4, 4, 3007000);
        put(&j, 8, 4, (uint32_t)m->page);
    } else {
        memcpy(bytes, MAGIC, sizeof MAGIC);
        put(&j, 8, 4, (uint32_t)records);
        put(&j, 16, 4, (uint32_t)(below(m, 3) ? pages(m) : odd_number(m)));
        put(&j, 20, 4, 512);
        put(&j, 24, 4, (uint32_t)m->page);
    }
    for (size_t i = 0; i < records; i++) {
        put(&j, header + i * record, 4, (uint32_t)(1 + below(m, pages(m) + 1)));
        memcpy(bytes + header + i * record + (wal ? 24 : 4),
               m->bytes + below(m, pages(m)) * m->page, m->page);
    }
    if (j.n && below(m, 2)) bytes[below(m, j.n)] ^= 0xFF;
    write_file(path, wal ? "-wal" : "-journal", bytes, j.n);
    note(m, "a %s with %zu pages; ", wal ? "WAL" : "journal", records);
    free(bytes);
}

static void read_image(const char *path, image *m) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    m->n = (size_t)ftell(f);
    rewind(f);
    m->bytes = malloc(m->n + CHANGES_MAX * TAIL_MAX);
    assert_non_null(m->bytes);
    assert_int_equal(fread(m->bytes, 1, m->n, f), m->n);
    fclose(f);
    m->page = (size_t)m->bytes[16] * 256 + m->bytes[17];
    assert_true(m->page >= 512 && pages(m) > 4);
}

void damage_corrupt(test_rng *rng, const char *path, char ret_note[DAMAGE_NOTE_BYTES]) {
    static void (*const CHANGES[])(image *) = {
        random_bytes, flip_bits,     swap_pages,    copy_page,       fill_page,
        add_tail,     change_tree,   change_tree,   change_freelist, change_cell,
        change_cell,  change_schema, change_header, truncate_file};
    image m = {.rng = rng, .note = ret_note};
    read_image(path, &m);
    const bool journal = below(&m, 12) == 0;
    if (journal) add_journal(&m, path);
    for (size_t n = below(&m, 2) ? 1 : 1 + below(&m, CHANGES_MAX); n > 0 && pages(&m) > 0; n--)
        if (!journal || below(&m, 2)) CHANGES[below(&m, sizeof CHANGES / sizeof *CHANGES)](&m);
    write_file(path, "", m.bytes, m.n);
    free(m.bytes);
}
