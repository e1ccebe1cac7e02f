/* Writes share/tables/char_class.tsv: what Java's Character says of each char. Run by scripts/gen-char-class. */
class GenCharClass {
    static final int UNITS = 0x10000;
    static final boolean[] written = new boolean[UNITS];

    public static void main(String[] args) {
        System.out.println("# Which UTF-16 units form words, and their lower case: Character.isLetterOrDigit(char) and Character.toLowerCase(char)");
        System.out.println("# of Java " + System.getProperty("java.specification.version")
                + " (Unicode 13). Made by scripts/gen-char-class. A change of it is a new TWX_CHAR_CLASS_VERSION"
                + " (src/text/tokens.c). Rows:");
        System.out.println("#   word   FIRST  LAST            letters and digits");
        System.out.println("#   lower  FIRST  LAST  STEP  TO  FIRST and each STEP-th unit after it up to LAST: FIRST becomes TO, the others go as far");
        for (int first = 0; first < UNITS; first++) {
            int last = first;
            if (!isWord(first)) continue;
            while (isWord(last + 1)) last++;
            System.out.printf("word\t%X\t%X%n", first, last);
            first = last;
        }
        for (int first = 0; first < UNITS; first++) printLower(first);
    }

    static boolean isWord(int unit) {
        return unit < UNITS && Character.isLetterOrDigit((char) unit);
    }

    static int distance(int unit) {
        return Character.toLowerCase((char) unit) - unit;
    }

    /* The longest run of units from this one on, or from it over every other one, that are as far from their lower case. */
    static void printLower(int first) {
        int distance = distance(first), last = first, step = 1;
        if (distance == 0 || written[first]) return;
        for (int by = 1; by <= 2; by++) {
            int to = first;
            while (follows(to + by, distance) && !(by == 2 && follows(to + 1, distance))) to += by;
            if (to > last) {
                last = to;
                step = by;
            }
        }
        for (int unit = first; unit <= last; unit += step) {
            if (isWord(unit) && !isWord(unit + distance)) throw new IllegalStateException("lower case of " + unit + " is no letter");
            written[unit] = true;
        }
        System.out.printf("lower\t%X\t%X\t%d\t%X%n", first, last, step, first + distance);
    }

    static boolean follows(int unit, int distance) {
        return unit < UNITS && !written[unit] && distance(unit) == distance;
    }
}
