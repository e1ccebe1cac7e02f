#!/usr/bin/env bash
# wings: import lab cluster
# twindex cluster: servers that fail in every way (a stub), TLS, what the settings must be, and what a cluster refuses. scripts/test-cluster has the same
# with servers of ClickHouse.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# serve MODE [CERTIFICATE]: sets port
serve() {
    rm -f port log
    python3 "$source/tests/support/stub_server.py" "$1" port log ${2:+"$2"} 2>stub.err &
    server=$!
    for ((i = 0; i < 600; i++)); do [ -s port ] && break || sleep 0.05; done
    port=$(<port)
}
quit() { kill "$server" && wait "$server" 2>/dev/null; }
# status WHAT EXIT-CODE TEXT [OPTION...]: `cluster status` with the stub
status() {
    local what=$1 code=$2 text=$3
    shift 3
    refuses "$what" "$code" "$text" cluster status --set "cluster.urls=http://127.0.0.1:$port" "$@"
}

serve good
equal 'a server without documents' '(1, [])' "$("$program" cluster status --json --set "cluster.urls=http://127.0.0.1:$port/" >out 2>err && member 'd["nodes"], d["shards"]')"
"$program" cluster init --set "cluster.urls=http://127.0.0.1:$port" --set cluster.database=other >out 2>err &&
    grep -qF 'database other on 1 node: ready' out && grep -qF 'CREATE TABLE IF NOT EXISTS other.document_local (' log
is $? 'the tables are made in the database of the settings'
refuses 'two nodes that are the same shard' 65 'has 1 shards, but cluster.urls names 2' cluster init --set "cluster.urls=http://127.0.0.1:$port http://localhost:$port"
"$program" cluster init --quiet --set "cluster.urls=http://127.0.0.1:$port" >out 2>err && [ ! -s out ] && [ ! -s err ]
is $? 'quiet'
ends 74 cluster drop --set "cluster.urls=http://[::1]:$port" && grep -qF "http://[::1]:$port: 'tables': " err
is $? 'the address of a server that does not answer is named'
quit
status 'no server' 74 "http://127.0.0.1:$port: 'tables': "
serve error && status 'a statement that fails' 65 "'tables' failed with status 500: Code: 60, e.displayText() = DB::Exception: Table twindex.document" && quit
serve late_error && status 'a statement that fails after status 200' 65 'Code: 241, e.displayText() = DB::Exception: Memory limit exceeded' && quit
serve cut && status 'an answer that is cut' 74 "http://127.0.0.1:$port: 'tables': " && quit
serve chunk && status 'a chunked answer that is cut' 74 "http://127.0.0.1:$port: 'tables': " && quit
serve redirect && status 'a redirect is not followed' 65 'failed with status 302' && quit
serve stall && status 'a server that does not answer in time' 74 'timed out' --set cluster.timeout=1 && quit
serve password && (umask 077 && echo 'top secret' >password) &&
    status 'a wrong password' 65 "refuses the user 'crawler' or the password" --set cluster.user=crawler --set cluster.password_file=password &&
    ! grep -q secret err
is $? 'the password is in no message'
quit
serve login
for line in 'top secret\n' 'top secret\r\n' 'top secret\nmore\n' 'top secret'; do
    # shellcheck disable=SC2059 # the escapes are those of printf
    printf "$line" >password
    "$program" cluster status --set "cluster.urls=http://127.0.0.1:$port" --set cluster.password_file=password >out 2>err
    is $? "the password of a file with $(printf '%q' "$line")"
done
quit
for place in replicas none beyond; do
    serve $place
    refuses "a node that is not one shard ($place)" 65 "is not one shard of the cluster 'twindex' with one replica" cluster init --set "cluster.urls=http://127.0.0.1:$port"
    quit
done
serve unknown
refuses 'a cluster that its servers do not know' 65 "knows no cluster 'twindex'" cluster init --set "cluster.urls=http://127.0.0.1:$port"
quit
serve foreign
refuses 'a database with tables of others is not dropped' 65 "also has the table 'users', which is not one of twindex: nothing is dropped" cluster drop --set "cluster.urls=http://127.0.0.1:$port"
lacks 'no statement drops anything' DROP log
quit
serve good
chmod 640 password
status 'a password that others can read' 65 "'password' must be a regular file that only its owner can read: chmod 600" --set cluster.password_file=password
status 'a password file that does not exist' 74 "cannot read 'none': No such file" --set cluster.password_file=none
status 'a password file that is a directory' 65 'must be a regular file' --set cluster.password_file=.
quit

# TLS: the certificate of the server has to be signed by one of ca_file and to be for its name
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null
cat key.pem certificate.pem >server.pem
serve good server.pem
refuses 'a certificate that is not known' 74 'SSL certificate problem' cluster status --set "cluster.urls=https://localhost:$port"
check 'a certificate of ca_file' 0 '*' cluster status --set "cluster.urls=https://localhost:$port" --set cluster.ca_file=certificate.pem
refuses 'a certificate for another name' 74 '127.0.0.1' cluster status --set "cluster.urls=https://127.0.0.1:$port" --set cluster.ca_file=certificate.pem
refuses 'plain http to a TLS port' 74 "'tables': " cluster status --set "cluster.urls=http://localhost:$port"
quit

for url in http://example.org:8123 http://127.0.0.1.example.org http://10.0.0.1 http://localhost.example.org:1; do
    refuses "plain http to $url" 65 'plain http is for addresses of this machine only' cluster status --set "cluster.urls=$url"
done
refuses 'a URL with a user' 65 'is more than scheme, host and port' cluster status --set cluster.urls=https://user:secret@example.org
refuses 'a URL with a path' 65 'is more than scheme, host and port' cluster status --set cluster.urls=https://example.org/path
refuses 'a URL of another scheme' 65 'begins with neither' cluster status --set cluster.urls=ftp://example.org
refuses 'a URL without a host' 65 'has no host' cluster status --set cluster.urls=https://:8123
refuses 'no URL' 65 'cluster.urls: no server is named' cluster status
refuses 'a name with quotes' 64 "'a b' is not a name" cluster status --set 'cluster.database=a b'
refuses 'no such step' 64 "'fetch' is not one of" cluster fetch
refuses 'a step without its store' 64 'cluster push takes one store' cluster push
refuses 'a pull without a store' 64 'cluster pull takes one store' cluster pull
"$program" init pages.db >/dev/null
refuses 'judging a store' 64 'cluster judge takes no store' cluster judge pages.db
refuses 'a step with a store too many' 64 'cluster drop takes no store' cluster drop pages.db
refuses 'a pull of two stores' 64 'cluster pull takes one store' cluster pull pages.db pages.db

# the ledger
printf '[cluster]\nurls = http://127.0.0.1:%s\n' "$port" >twindex.conf # nothing answers there
refuses 'a pull without a ledger' 65 'cluster.ledger is not set' cluster pull --shard 1 pages.db
refuses 'a pull without a number' 65 'cluster.shard is not set' cluster pull --ledger ledger.db pages.db
for step in publish digest; do
    refuses "$step without a ledger" 65 'cluster.ledger is not set' cluster $step
    refuses "$step with a ledger that does not exist" 65 'none.db: there is no ledger yet' cluster $step --ledger none.db
done
succeeds 'only a pull makes the file' [ ! -e none.db ]
refuses 'a ledger in a folder that does not exist' 66 'none' cluster pull --shard 1 --ledger none/ledger.db pages.db
head -c 5000 /dev/urandom >noise.db
refuses 'a ledger that is not a database' 65 'noise.db' cluster publish --ledger noise.db
refuses 'a ledger that is a store' 65 'pages.db is not a ledger but another database: set cluster.ledger' cluster publish --ledger pages.db
got 'a store that is named as the ledger gets no tables' "$(sqlite3 pages.db "SELECT count(*) FROM sqlite_schema WHERE name = 'twindex_vote'")" 0
serve good
printf '[cluster]\nurls = http://127.0.0.1:%s\nledger = ledger.db\n[near]\ndetector = none\n' "$port" >twindex.conf
refuses 'a pull before anything is judged' 65 'nothing is judged yet' cluster pull --shard 1 pages.db
quit
refuses 'a pull without a server' 74 "http://127.0.0.1:$port: 'tables': " cluster pull --shard 1 pages.db
refuses 'a commit of nothing' 65 'no store has pulled a run' cluster publish
refuses 'a digest of nothing' 65 'no run that all stores have prepared' cluster digest
refuses 'a publication to a store without a run' 65 'nothing is prepared' cluster publish pages.db
# votes as pulls leave them
one=00000000000000000000000000000001
sqlite3 ledger.db "INSERT INTO twindex_judgement(run) VALUES (7); INSERT INTO twindex_vote(run, shard, vote, documents, digest, voted_at)
    VALUES (7, 1, 'prepared', 2, '$one', 1), (7, 2, NULL, NULL, NULL, NULL)"
refuses 'a commit without a vote' 75 'run 7: 1 of 2 stores are not prepared, the first is shard 2' cluster publish
sqlite3 ledger.db "UPDATE twindex_vote SET vote = 'again' WHERE shard = 2"
refuses "a commit with a vote 'again'" 75 "run 7: shard 2 has voted 'again'" cluster publish
sqlite3 ledger.db "UPDATE twindex_vote SET vote = 'prepared', digest = 'ffffffffffffffffffffffffffffffff' WHERE shard = 2"
equal 'digests are added modulo 2^128' 00000000000000000000000000000000 "$("$program" cluster digest >out 2>err && cat out)"
"$program" cluster publish --json >out 2>err && [ "$(member 'd["run"], d["shards"], d["published"]')" = '(7, 2, 0)' ] &&
    [ "$(sqlite3 ledger.db 'SELECT committed_at > 0 FROM twindex_judgement')" = 1 ]
is $? 'a commit with all votes'
refuses 'a store that has not prepared it' 65 'nothing is prepared' cluster publish pages.db
cp pages.db done.db && "$program" run --quiet done.db # as a publication leaves it
sqlite3 done.db "CREATE TABLE twindex_collection(one INTEGER PRIMARY KEY, shard TEXT, run_a INTEGER, run_b INTEGER); INSERT INTO twindex_collection VALUES (1, '1', 7, 7)"
check 'the second of two stores fails' 65 '*pages.db: nothing is prepared*' cluster publish done.db pages.db
has 'what was published before is printed' 'done.db: shard 1, run 7: published already'
sqlite3 ledger.db "UPDATE twindex_vote SET digest = 'x' WHERE shard = 2"
refuses 'a damaged ledger' 65 'twindex_vote has an invalid row (shard 2)' cluster publish
sqlite3 ledger.db "PRAGMA journal_mode" >out && [ "$(<out)" = delete ]
is $? 'the ledger has a rollback journal'
rm twindex.conf ledger.db

# what a cluster cannot judge exactly
printf '{"url": "http://a.example/1", "text": "one", "hreflang_group": "g"}\n{"url": "http://a.example/2", "text": "two"}\n' >pages.jsonl
"$program" import --quiet pages.db pages.jsonl
serve good
printf '[cluster]\nurls = http://127.0.0.1:%s\n' "$port" >twindex.conf
refuses 'judging before anything is pushed' 65 'no store has been pushed' cluster judge --set "cluster.urls=http://127.0.0.1:$port"
refuses 'mirrors before anything is judged' 65 'nothing has been judged' cluster mirrors --set "cluster.urls=http://127.0.0.1:$port"
refuses 'a pull that is forced' 64 '--force is for cluster judge and cluster push' cluster pull --force --shard 1 pages.db
refuses 'a push that discards' 64 '--discard is for cluster judge' cluster push --discard --shard 1 pages.db
refuses 'a store without a number' 65 'cluster.shard is not set' cluster push pages.db
refuses 'a method that needs statistics' 65 'near.detector = minhash needs, with these settings, statistics' cluster push --shard 1 --set near.detector=minhash pages.db
refuses 'a method that compares no pairs' 65 'near.detector = lexrand needs' cluster push --shard 1 --set near.detector=lexrand pages.db
refuses 'a method of keys alone' 65 'near.detector = long_sentence does not compare pairs of texts' cluster push --shard 1 --set near.detector=long_sentence pages.db
refuses 'a model that cannot be read' 74 "parameters.model: cannot read 'none.model'" cluster push --shard 1 --set parameters.model=none.model pages.db
refuses 'near-duplicates by link' 65 'near.join = link depends on the order of all texts' cluster push --shard 1 --set near.join=link pages.db
touch pins
refuses 'pins' 65 'a cluster obeys no pins' cluster push --shard 1 --set verdict.pins=pins pages.db
ends 65 cluster push --shard 1 pages.db && grep -qF 'has translations (hreflang), which a cluster cannot keep separate' err && ! grep -q INSERT log
is $? 'translations are refused before anything is sent'
sqlite3 pages.db "UPDATE documents SET hreflang_group = NULL"
"$program" cluster push --shard 1 --json pages.db >out 2>err && [ "$(member 'd["documents"], d["sent"], d["version"]')" = '(2, 2, 1)' ] &&
    [ "$(grep -c INSERT log)" = 2 ] && ! grep -q parameters err
is $? 'a push sends documents and a manifest'
for method in none simhash shingles supershingles; do
    "$program" cluster push --shard 1 --json --set copy.proof=names --set near.min_words=1 --set near.detector=$method pages.db >out 2>err
    member '[d["sent"], d["bytes"]]'
done >sent
python3 -c 'import sys; rows = [eval(line) for line in sys.stdin]; assert [n for n, _ in rows] == [2] * 4 and all(n > rows[0][1] + 2 * 8 for _, n in rows[1:])' <sent
is $? 'with the keys of whichever method'
"$program" cluster push --shard 1 --set 'verdict.relations=parameters edition' pages.db >out 2>err && grep -q 'verdict.relations has parameters, which hides nothing without a model' err &&
    grep -qF "verdict.relations has edition, which hides nothing in a cluster: to have editions, judge the stores in one run, 'twindex run A.db B.db'" err
is $? 'a push warns of relations that hide nothing'
quit
# texts that the last run of judge has asked for: one of them is no longer there
serve asking
printf '[cluster]\nurls = http://127.0.0.1:%s\n' "$port" >twindex.conf
python3 - >wanted <<'PYTHON'
import hashlib
for doc, text in (1, b"one"), (2, b"another text"), (3, b"two"): print(doc, int.from_bytes(hashlib.sha256(text).digest()[:8], "big"))
PYTHON
"$program" cluster push --shard 1 --json pages.db >out 2>err && [ "$(member 'd["documents"], d["texts"], d["text_bytes"]')" = '(2, 1, 20)' ] && grep -q 'INSERT INTO twindex.text ' log
is $? 'a push sends the texts that are asked for, if they are as they were signed'
"$program" cluster status --json >out 2>err && [ "$(member 'd["round"], d["open_pairs"]')" = '(1, 1)' ] && "$program" cluster status >out 2>err && grep -qF 'round 1 of texts: 1 pair is open' out
is $? 'the status has the round'
touch cut
refuses 'a list of texts that is cut' 65 "the answer to 'wanted' is cut" cluster push --shard 1 pages.db
rm cut
equal 'a store that was not judged is asked for nothing' 0 "$("$program" cluster push --shard 2 --json pages.db >out 2>err && member 'd["texts"]')"
exec 8>pages.db-twindex-lock && flock 8
refuses 'a store that is locked' 75 'pages.db' cluster push --shard 1 pages.db
exec 8>&-
quit
check 'a push without a server' 74 "*http://127.0.0.1:$port: 'tables': *" cluster push --shard 1 pages.db
exit $failed
