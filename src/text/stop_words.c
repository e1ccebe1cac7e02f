#include "text/stop_words.h"

#include <string.h>

#include "base/hash64.h"
#include "base/rc.h"

/* The longest has 12 bytes. Padded with zeros, a word becomes two numbers that compare like its
 * bytes. */
enum { WORD_ROOM = 16, WORD_HALF = WORD_ROOM / 2 };

/* clang-format off */
/* In byte order. The languages are mixed, because crawls mix them and the language of a page is
 * seldom known. */
static const char WORDS[][WORD_ROOM] = {
    "abbiamo", "aber", "about", "above", "across", "after", "afterwards", "again", "against",
    "agli", "agora", "ainda", "ainsi", "alcuna", "alcune", "alcuni", "alcuno", "algo", "alguien",
    "algum", "alguma", "algumas", "alguna", "algunas", "alguno", "algunos", "alguns", "alguém",
    "algún", "alla", "alle", "allem", "allen", "aller", "alles", "allo", "allora", "allí", "almost",
    "alone", "along", "alors", "already", "also", "although", "altra", "altre", "altri", "altro",
    "always", "além", "ambos", "among", "amongst", "anche", "ancora", "andere", "anderem",
    "anderen", "anderer", "anderes", "another", "ante", "antes", "anybody", "anyhow", "anyone",
    "anything", "anyway", "anywhere", "anzi", "appena", "après", "após", "aquel", "aquela",
    "aquelas", "aquele", "aqueles", "aquella", "aquellas", "aquellos", "aquilo", "aquí", "aren",
    "around", "assez", "assim", "através", "auch", "aucun", "aucune", "aujourd", "aunque", "auquel",
    "aussi", "autre", "autres", "avaient", "avais", "avait", "avant", "avec", "avere", "aveva",
    "avevano", "avez", "avoir", "avons", "avuto", "away", "ayant", "back", "bajo", "bastante",
    "beaucoup", "became", "because", "become", "becomes", "been", "before", "beforehand", "behind",
    "beide", "beiden", "beim", "being", "below", "benché", "beneath", "bensì", "bereits", "beside",
    "besides", "between", "bevor", "beyond", "bien", "bist", "both", "cada", "cannot", "casi",
    "ceci", "cela", "celle", "celles", "celui", "cependant", "certain", "certaine", "certaines",
    "certains", "cette", "ceux", "chaque", "chez", "chiunque", "ciascuno", "cierto", "cioè",
    "circa", "come", "comme", "comment", "como", "comunque", "contra", "contre", "contro",
    "contudo", "così", "could", "couldn", "cual", "cuales", "cualquier", "cuando", "cuanto", "cuya",
    "cuyo", "cuál", "cuándo", "cómo", "dabei", "dadurch", "dafür", "dagegen", "dagli", "daher",
    "dalla", "dalle", "dallo", "damit", "danach", "dann", "dans", "daran", "darauf", "daraus",
    "darf", "darin", "darum", "darüber", "dass", "davantage", "davon", "davor", "dazu", "debe",
    "deben", "debido", "dedans", "degli", "dehors", "dein", "deine", "deinem", "deinen", "deiner",
    "dela", "delas", "dele", "deles", "della", "delle", "dello", "demás", "denen", "denn",
    "dennoch", "dentro", "depois", "depuis", "deren", "derer", "dernier", "derrière", "desde",
    "deshalb", "después", "dessa", "dessas", "desse", "dessen", "desses", "desta", "destas",
    "deste", "destes", "devant", "deve", "devem", "devono", "devrait", "dich", "didn", "dies",
    "diese", "dieselbe", "dieselben", "diesem", "diesen", "dieser", "dieses", "disso", "disto",
    "doch", "does", "doesn", "doing", "doit", "doivent", "donc", "donde", "done", "dont", "dopo",
    "dort", "dove", "down", "duas", "dunque", "durant", "durante", "durch", "during", "dónde",
    "each", "eben", "ebenso", "ecco", "eigentlich", "eine", "einem", "einen", "einer", "eines",
    "einige", "einigem", "einigen", "einiger", "einiges", "einmal", "either", "elas", "eles",
    "ella", "ellas", "elle", "elles", "ello", "ellos", "else", "elsewhere", "embargo", "encima",
    "encore", "enfin", "enough", "enquanto", "entonces", "entrambi", "entre", "então", "eram",
    "eran", "erano", "eres", "erst", "esas", "esos", "essa", "essas", "esse", "essendo", "essere",
    "esses", "essi", "esta", "estaba", "estaban", "estado", "estamos", "estar", "estas", "estava",
    "estavam", "este", "estes", "estos", "estou", "estoy", "está", "están", "estão", "etwa",
    "etwas", "euch", "euer", "eure", "eurem", "euren", "eurer", "even", "ever", "every",
    "everybody", "everyone", "everything", "everywhere", "except", "faire", "fait", "fanno", "fare",
    "fast", "fatto", "faut", "fazer", "feito", "fino", "fois", "foram", "forse", "fosse", "fossem",
    "fossero", "from", "fuera", "fueron", "fuori", "furent", "further", "furthermore", "ganz",
    "gave", "gegen", "gets", "gibt", "give", "given", "gives", "goes", "going", "gone", "habe",
    "haben", "haber", "había", "habían", "hace", "hacen", "hacer", "hacia", "hadn", "hanno",
    "hardly", "hasn", "hast", "hasta", "hatte", "hatten", "have", "haven", "haver", "havia",
    "having", "hence", "here", "hereby", "herself", "hier", "himself", "hinter", "hoje", "hors",
    "houve", "however", "hätte", "hätten", "ihnen", "ihre", "ihrem", "ihren", "ihrer", "ihres",
    "immer", "incluso", "indeed", "indem", "innerhalb", "inoltre", "insieme", "instead", "into",
    "invece", "isso", "isto", "itself", "jamais", "jede", "jedem", "jeden", "jeder", "jedes",
    "jedoch", "jene", "jenem", "jenen", "jener", "jenes", "jetzt", "junto", "jusqu", "jusque",
    "just", "kann", "keep", "kein", "keine", "keinem", "keinen", "keiner", "keines", "kept",
    "können", "könnte", "könnten", "laquelle", "last", "later", "least", "lequel", "lesquelles",
    "lesquels", "less", "lest", "leur", "leurs", "like", "likely", "loro", "lors", "lorsque",
    "luego", "machen", "made", "mainly", "mais", "make", "makes", "making", "malgrado", "malgré",
    "manche", "manchem", "manchen", "mancher", "manches", "many", "maybe", "meanwhile", "mediante",
    "meglio", "mehr", "mein", "meine", "meinem", "meinen", "meiner", "meist", "meno", "menos",
    "mentre", "mesma", "mesmas", "mesmo", "mesmos", "mich", "mientras", "mieux", "might", "mine",
    "minha", "minhas", "misma", "mismas", "mismo", "mismos", "moins", "molta", "molte", "molti",
    "molto", "more", "moreover", "most", "mostly", "much", "mucha", "muchas", "mucho", "muchos",
    "muita", "muitas", "muito", "muitos", "muss", "musste", "must", "mustn", "myself", "même",
    "mêmes", "müssen", "nach", "nachdem", "nachher", "nada", "nadie", "namely", "near", "nearly",
    "neben", "needn", "negli", "nein", "neither", "nella", "nelle", "nello", "nenhum", "nenhuma",
    "nessa", "nesse", "nessun", "nessuna", "nessuno", "nesta", "neste", "never", "nevertheless",
    "next", "nicht", "nichts", "niente", "ninguna", "ninguno", "ninguém", "ningún", "nobody",
    "noch", "none", "nonetheless", "noone", "nosotros", "nossa", "nossas", "nosso", "nossos",
    "nostra", "nostre", "nostri", "nostro", "nothing", "notre", "nous", "nowhere", "nuestra",
    "nuestras", "nuestro", "nuestros", "nulla", "nunca", "nôtre", "oder", "often", "ogni", "ognuno",
    "ohne", "oltre", "once", "onde", "only", "onto", "oppure", "ormai", "other", "others",
    "otherwise", "otra", "otras", "otro", "otros", "ought", "ours", "ourselves", "outra", "outras",
    "outro", "outros", "over", "overall", "ovvero", "para", "parce", "parfois", "parmi", "pela",
    "pelas", "pelo", "pelos", "pendant", "perante", "perché", "perciò", "perhaps", "pero",
    "persino", "però", "peut", "peuvent", "please", "plus", "plusieurs", "plutôt", "poca", "poche",
    "pochi", "poco", "pocos", "pode", "podem", "poderia", "podría", "poiché", "pois", "porque",
    "portanto", "porém", "possono", "pouca", "pouco", "poucos", "pour", "pourquoi", "pourtant",
    "pouvoir", "presque", "presso", "prima", "proprio", "pueda", "puede", "pueden", "pues", "puis",
    "puisque", "puoi", "pure", "quais", "qual", "qualche", "qualcosa", "qualcuno", "quale", "quali",
    "qualquer", "qualsiasi", "quand", "quando", "quant", "quanta", "quante", "quanti", "quanto",
    "quase", "quasi", "quel", "quella", "quelle", "quelles", "quelli", "quello", "quelque",
    "quelques", "quels", "quem", "questa", "queste", "questi", "questo", "quien", "quienes",
    "quindi", "quite", "quién", "quoi", "rather", "really", "regarding", "said", "same", "sans",
    "saranno", "sarebbe", "sarà", "sauf", "says", "secondo", "seem", "seemed", "seems", "seen",
    "según", "sehr", "seid", "sein", "seine", "seinem", "seinen", "seiner", "seines", "seit",
    "seja", "sejam", "selbst", "selon", "sempre", "senza", "senão", "sera", "serait", "seria",
    "seront", "será", "serão", "sería", "seulement", "seus", "several", "shall", "should",
    "shouldn", "siamo", "siano", "sich", "sido", "siempre", "siete", "since", "sind", "sino",
    "sinon", "sobre", "sogar", "soit", "sola", "solamente", "solche", "solchem", "solchen",
    "solcher", "solches", "soll", "sollen", "sollte", "sollten", "solo", "some", "somebody",
    "somehow", "somente", "someone", "something", "sometime", "sometimes", "somewhere", "sommes",
    "somos", "sondern", "sono", "sonst", "sont", "soon", "sopra", "soprattutto", "sotto", "sous",
    "souvent", "soweit", "sowie", "sowohl", "stata", "state", "stati", "stato", "statt", "stessa",
    "stesse", "stessi", "stesso", "still", "suas", "such", "sugli", "suis", "sulla", "sulle",
    "sullo", "surtout", "suyo", "sólo", "take", "taken", "takes", "tale", "tali", "también",
    "também", "tampoco", "tampouco", "tandis", "tant", "tanta", "tante", "tanti", "tanto", "tantos",
    "telle", "telles", "tels", "tendo", "tener", "tengo", "tenha", "tenho", "tenía", "terá", "teve",
    "than", "that", "their", "theirs", "them", "themselves", "then", "thence", "there",
    "thereafter", "thereby", "therefore", "therein", "these", "they", "this", "those", "though",
    "through", "throughout", "thus", "tiene", "tienen", "till", "tinha", "tinham", "toda", "todas",
    "todavia", "todavía", "todo", "todos", "together", "took", "toujours", "tous", "tout", "toute",
    "toutefois", "toutes", "toward", "towards", "tras", "trop", "troppo", "trotz", "très", "tudo",
    "tutta", "tuttavia", "tutte", "tutti", "tutto", "tuvo", "umas", "unas", "under", "unless",
    "unlike", "unos", "unser", "unsere", "unserem", "unseren", "unserer", "unter", "until", "unto",
    "upon", "used", "uses", "using", "usted", "ustedes", "usually", "vari", "varias", "varios",
    "vengono", "vers", "verso", "very", "viel", "viele", "vielen", "vieler", "vielleicht", "viene",
    "você", "vocês", "voici", "voilà", "vont", "vosotros", "vossa", "vostra", "vostro", "votre",
    "vous", "vraiment", "vuestra", "vuestro", "vôtre", "wann", "waren", "warum", "wasn", "wegen",
    "weil", "weiter", "weitere", "weiteren", "weiterhin", "welche", "welchem", "welchen", "welcher",
    "welches", "well", "wenig", "wenige", "wenn", "went", "werde", "werden", "were", "weren",
    "weshalb", "wessen", "what", "whatever", "when", "whence", "whenever", "where", "whereas",
    "whereby", "wherein", "wherever", "whether", "which", "while", "whilst", "whither", "whoever",
    "whole", "whom", "whose", "wieder", "will", "wird", "wirst", "with", "within", "without",
    "wohl", "wollen", "wollte", "worden", "would", "wouldn", "wurde", "wurden", "während", "wäre",
    "wären", "würde", "würden", "your", "yours", "yourself", "yourselves", "zudem", "zuerst",
    "zwar", "zwischen", "étaient", "étais", "était", "étant", "êtes", "être", "über", "überhaupt",
};

typedef struct halves {
    uint64_t first, second;
} halves;

static halves halves_of(const char bytes[WORD_ROOM]) {
    return (halves){twx_load_be64(bytes), twx_load_be64(bytes + WORD_HALF)};
}

/* Without a branch, because the outcome is unpredictable. */
static bool not_above(halves a, halves b) {
    return (a.first < b.first) | ((a.first == b.first) & (a.second <= b.second));
}

bool twx_is_stop_word(twx_slice word) {
    char bytes[WORD_ROOM] = {0};
    size_t at = 0; /* the last word that is not above it, if there is one, is in at..at + n */
    if (word.n == 0 || word.n > WORD_ROOM) return false;
    memcpy(bytes, word.p, word.n);
    const halves wanted = halves_of(bytes);
    for (size_t n = TWX_COUNTOF(WORDS), half; n > 1; n -= half) {
        half = n / 2;
        at += not_above(halves_of(WORDS[at + half]), wanted) ? half : 0;
    }
    return memcmp(WORDS[at], bytes, WORD_ROOM) == 0;
}

twx_slice twx_stop_word_at(size_t i) {
    if (i >= TWX_COUNTOF(WORDS)) return (twx_slice){NULL, 0};
    return (twx_slice){WORDS[i], strnlen(WORDS[i], WORD_ROOM)};
}
