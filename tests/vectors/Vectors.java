/* A second implementation of docs/signatures.md, written from the text and Java's own tables, that the vectors beside it
 * come from. It prints a file with its last column computed anew:
 *     java tests/vectors/Vectors.java profile tests/vectors/profile.tsv
 * Columns: name, text (escapes: tab, line feed, return as in C, bytes xHH, characters uHHHH), 32 hex digits: the first 16 bytes of the digest, "" for no key. */
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

class Vectors {
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line : Files.readAllLines(Path.of(args[1]), StandardCharsets.UTF_8)) {
            if (line.isEmpty() || line.startsWith("#")) {
                out.println(line);
                continue;
            }
            String[] fields = line.split("\t", -1);
            byte[] text = unescape(fields[1]);
            String hex = switch (args[0]) {
                case "profile" -> profile(text);
                case "exact" -> text.length == 0 ? "" : hex("SHA-256", text);
                case "title" -> title(text);
                default -> throw new IllegalArgumentException(args[0]);
            };
            out.println(fields[0] + "\t" + fields[1] + "\t" + hex);
        }
    }

    static String hex(String algorithm, byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes), 0, 16);
    }

    static byte[] unescape(String s) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c != '\\') {
                int cp = s.codePointAt(i);
                out.writeBytes(Character.toString(cp).getBytes(StandardCharsets.UTF_8));
                i += Character.charCount(cp) - 1;
                continue;
            }
            c = s.charAt(++i);
            int digits = c == 'x' ? 2 : c == 'u' ? 4 : 0;
            int value = digits == 0 ? 0 : Integer.parseInt(s.substring(i + 1, i + 1 + digits), 16);
            i += digits;
            if (c == 'u') out.writeBytes(Character.toString(value).getBytes(StandardCharsets.UTF_8));
            else out.write(c == 'x' ? value : c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c);
        }
        return out.toByteArray();
    }

    static String profile(byte[] bytes) throws Exception {
        if (bytes.length == 0) return "";
        Map<String, Integer> counts = new HashMap<>();
        StringBuilder word = new StringBuilder();
        for (char c : (new String(bytes, StandardCharsets.UTF_8) + " ").toCharArray()) {
            if (Character.isLetterOrDigit(c)) {
                word.append(Character.toLowerCase(c));
                continue;
            }
            if (word.length() > 2) counts.merge(word.toString(), 1, Integer::sum);
            word.setLength(0);
        }
        int most = counts.values().stream().mapToInt(x -> x).max().orElse(0);
        int quant = Math.max(Math.round(most * 0.01f), most > 1 ? 2 : 1);
        List<String> kept = new ArrayList<>(counts.keySet());
        kept.removeIf(w -> counts.get(w) < quant);
        counts.replaceAll((w, n) -> n / quant * quant);
        kept.sort((a, b) -> counts.get(a).equals(counts.get(b)) ? a.compareTo(b) : counts.get(b) - counts.get(a));
        if (kept.isEmpty()) return hex("SHA-256", bytes);
        StringBuilder text = new StringBuilder();
        for (String w : kept) text.append(text.isEmpty() ? "" : "\n").append(w).append(' ').append(counts.get(w));
        return hex("MD5", text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /* On bytes, so that what is no UTF-8 stays as it is: the White_Space characters, as they are encoded. */
    static String title(byte[] bytes) throws Exception {
        String latin = new String(bytes, StandardCharsets.ISO_8859_1);
        String white = "(?:[\\t\\n\\x0B\\f\\r ]|\\xC2[\\x85\\xA0]|\\xE1\\x9A\\x80|\\xE2\\x80[\\x80-\\x8A\\xA8\\xA9\\xAF]"
                + "|\\xE2\\x81\\x9F|\\xE3\\x80\\x80)+";
        String text = latin.replaceAll(white, " ");
        text = text.startsWith(" ") ? text.substring(1) : text;
        text = text.endsWith(" ") ? text.substring(0, text.length() - 1) : text;
        return text.isEmpty() ? "" : hex("SHA-256", text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
