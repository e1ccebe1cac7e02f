# Classes and lower case of UTF-16 units, in blocks of 64: the index of a block by unit / 64, then the block, each different one once.
# Lower case is a distance modulo 65536. TWX_BYTE_CLASS: src/text/tokens.c.
BEGIN { UNITS = 65536; BLOCK = 64 }
function end_of_range(from, to) {
    if (number(from) > number(to) || number(to) >= UNITS) wrong(from " to " to " is not a range of units")
    return number(to)
}
function index_of(block) {
    if (!(block in place)) {
        if (n_blocks > 255) wrong("more than 256 blocks")
        blocks[n_blocks] = block
        place[block] = n_blocks++
    }
    return place[block]
}
# the index; leaves the blocks in `blocks`
function print_index(name, values, separator,    unit, at, block) {
    split("", place)
    n_blocks = 0
    open_list("static const unsigned char " name "[" UNITS / BLOCK "]")
    for (unit = 0; unit < UNITS; unit += BLOCK) {
        block = ""
        for (at = unit; at < unit + BLOCK; at++) block = block (at in values ? values[at] : 0) separator
        item(index_of(block))
    }
    close_list()
}
# 64 digits 0 or 1, the lowest bit first, as a number of C
function bits(block,    at, text) {
    for (at = 1; at <= BLOCK; at += 4)
        text = sprintf("%X", substr(block, at, 1) + 2 * substr(block, at + 1, 1) + 4 * substr(block, at + 2, 1) + 8 * substr(block, at + 3, 1)) text
    return "UINT64_C(0x" text ")"
}
$1 == "word" && NF == 3 {
    last = end_of_range($2, $3)
    for (unit = number($2); unit <= last; unit++) word[unit] = 1
    next
}
$1 == "lower" && NF == 5 && $4 ~ /^[1-9]$/ {
    last = end_of_range($2, $3)
    for (unit = number($2); unit <= last; unit += $4) {
        if (unit in distance) wrong("a second lower case")
        distance[unit] = (UNITS + number($5) - number($2)) % UNITS
    }
    next
}
{ wrong("neither 'word FIRST LAST' nor 'lower FIRST LAST STEP TO'") }
END {
    if (failed) exit 1
    header(name)
    print "#include <stdint.h>"
    open_list("const unsigned char TWX_BYTE_CLASS[256]")
    for (unit = 0; unit < 256; unit++) item(unit >= 128 ? 4 : !(unit in word) ? 0 : unit in distance ? 3 : 1)
    close_list()
    print_index("CLASS_INDEX", word, "")
    open_list("static const uint64_t CLASS_BITS[]")
    for (b = 0; b < n_blocks; b++) item(bits(blocks[b]))
    close_list()
    print_index("DELTA_INDEX", distance, ", ")
    open_list("static const uint16_t DELTAS[][" BLOCK "]")
    for (b = 0; b < n_blocks; b++) item("{" substr(blocks[b], 1, length(blocks[b]) - 2) "}")
    close_list()
    print "#endif"
}
