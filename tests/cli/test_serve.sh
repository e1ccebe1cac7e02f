#!/bin/bash
# wings: import lab serve
# twindex serve: what it answers (curl), what it refuses (curl, and raw sockets of Python), which files it writes, and how it ends.
# scripts/test-pages drives the pages in a browser.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

server=
# serve ARGUMENT...: starts it on a free port; sets $server, $url, $token. (What a shell starts in the background ignores SIGINT.)
serve() {
    rm -f url
    python3 -c 'import os,signal,sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
        "$program" serve "$@" >url 2>err.serve </dev/null &
    server=$!
    for _ in $(seq 300); do
        [ -s url ] && break
        kill -0 $server 2>/dev/null || break
        sleep 0.1
    done
    token=$(sed 's/.*#token=//' url)
    url=$(sed 's,/#token=.*,,' url)
}
stop() { # SIGNAL
    kill "-$1" $server
    # no subshell that watches it: one that is killed just after its start would run the trap of this shell, which removes $work
    for _ in $(seq 400); do
        kill -0 $server 2>/dev/null || break
        sleep 0.05
    done
    kill -KILL $server 2>/dev/null
    wait $server
}
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT

# ask PATH CURL-OPTION...: the body is in `out`; prints the status
ask() {
    local path=$1
    shift
    curl -sS --max-time 60 --path-as-is -o out -w '%{http_code}' -H "X-Twindex-Token: $token" "$@" "$url$path" 2>err
}
send() { # METHOD PATH BODY
    ask "$2" -X "$1" -H 'Content-Type: application/json' -d "$3"
}
# finish: waits for the task in `out`; its state is in `out`
finish() {
    local id
    id=$(member 'd["task"]')
    for _ in $(seq 600); do
        ask "/api/task?id=$id" >status
        grep -qE '"(queued|running)"' out || return 0
        sleep 0.1
    done
}

# ---- a store
python3 - <<'END' >crawl.jsonl
import json
def page(url, title, text): print(json.dumps({"url": url, "title": title, "text": text, "status": 200}))
rivers = "The words of this page are about rivers and stones and clouds and they stand on every copy of it, one after the other. " * 3
for i in range(4): page(f"http://a.example/{i}", "Rivers", rivers)
page("http://b.example/<script>alert(1)</script>", "<script>alert(2)</script>", rivers + " More of it.")
page("http://c.example/", "Lakes", "The water of this lake is deep and cold, and boats cross it from shore to shore while the wind is low. " * 3)
END
"$program" init s.db && "$program" import -q s.db crawl.jsonl && sqlite3 s.db 'UPDATE documents SET id = 1000 WHERE id = 6' && "$program" run -q --force s.db && "$program" index -q s.db
is $? 'the store is made'
"$program" digest s.db >digest
printf '[boost]\nrepresentative_b:true^10\n' >a.rules
printf '# caf\xe9, by hand\nkeep http://c.example/\n' >pins # a comment in Latin-1
printf 'rivers\n# a comment\nlakes\n' >queries

# ---- refused at start
refuses 'a store that does not exist' 66 'none.db' serve none.db
refuses 'a port above 65535' 64 '--port is at most 65535' serve s.db --port 70000
refuses 'queries that do not exist' 66 'none.txt: No such file' serve s.db --queries none.txt
refuses 'with --read-only the file of pins must exist' 66 'none.txt: No such file' serve s.db --pins none.txt --read-only
refuses 'rules that are a folder' 65 'is not a regular file' serve s.db --rules .

# ---- what it answers
serve s.db --rules a.rules --rules new.rules --pins pins --queries queries --labels labels
got 'the printed address has a token of 128 bits' "$(sed -E 's,^http://127.0.0.1:[0-9]+/#token=[0-9a-f]{32}$,ok,' url)" ok
got 'the page needs no token' "$(curl -s -o out -w '%{http_code} %{content_type}' "$url/")" '200 text/html; charset=utf-8'
curl -sI "$url/" >out
for field in "Content-Security-Policy: default-src 'none'" 'X-Content-Type-Options: nosniff' 'Referrer-Policy: no-referrer' 'Cache-Control: no-store'; do
    has "an answer has $field" "$field"
done
got 'about' "$(ask /api/about)" 200
holds '[r["name"] for r in d["rules"]] == ["a.rules", "new.rules"] and d["queries"]["text"].split() == ["rivers", "#", "a", "comment", "lakes"] and d["judgements"] is None and d["indexed"]' 'about lists files and queries'
holds 'd["run"]["summary"]["documents"] == 6 and d["run"]["summary"]["hidden"] == 3' 'about has the counts of the run'
holds 'next(s for s in d["settings"] if s["name"] == "alignment.threshold")["value"] == "0.8"' 'about has the settings'
search='{"query": "rivers", "limit": 3, "rules": [{"name": "A", "text": ""}, {"name": "B", "text": "[boost]\nrepresentative_b:true^10\n"}]}'
got 'a search' "$(send POST /api/search "$search")" 200
cp out found
"$program" search s.db rivers --limit 3 --json >out
python3 - <<'END'
import json, sys
mine, theirs = json.load(open("found"))["results"][0]["sides"], json.load(open("out"))
ranks = [hit.pop("rank_other") for hit in mine[0]["results"]]
sys.exit(not (mine[0]["results"] == theirs["results"] and mine[0]["a"]["duplicates_in_10"] == theirs["a"]["duplicates_in_10"]
              and all(ranks) and mine[1]["results"][0]["parts"][0]["adds"] == 10))
END
is $? 'it answers what search --json prints, and the ranks of the other side'
printf '[filter]\nhost:c.example\n' >lakes.rules
got 'a search that loses pages' "$(send POST /api/search '{"query": "rivers", "limit": 1, "rules": [{"name": "A", "text": ""}, {"name": "B", "text": "[filter]\nhost:c.example\n"}]}')" 200
cp out found
"$program" search s.db rivers --json --compare lakes.rules >out
got 'names as many as search --compare counts' "$(python3 -c 'import json; g = json.load(open("found"))["results"][0]["gone"]; m = json.load(open("out"))["moves"]; print(g["clusters"] == m["clusters"], g["gone"] == m["clusters_gone"] == len(g["hits"]) > 0, g["hits"][0]["url"])')" 'True True http://a.example/0'
got 'rules with an error' "$(send POST /api/search '{"query": "rivers", "rules": [{"name": "A", "text": "[boost]\nx y"}]}')" 200
holds 'd["results"][0]["sides"][0]["error"]["line"] == 2' 'the error has its line'
got 'rules are checked' "$(send POST /api/rules/check '{"text": "[filter]\nno_such:1"}')" 200
holds 'd["messages"][0]["line"] == 2 and "no_such" in d["messages"][0]["message"]' 'the message has its line'
send POST /api/rules/check '{"text": "[boost]\nrepresentative_b:true^10\n"}' >status && cp out found
"$program" rules --sql a.rules >out
got 'correct ones have their SQL' "$(python3 -c 'import json; d = json.load(open("found")); print(d["messages"] == [] and d["sql"] == open("out").read(), d["where"])')" 'True 1'
for what in 'q=1' 'q=http://a.example/1' 'q=EXAMPLE/1' 'q=rivers' 'q=b.example/%3cSCRIPT'; do
    ask "/api/documents?$what" >status
    got "documents?$what" "$(<status) $(member 'len(d["documents"]) > 0')" '200 True'
done
got 'explain' "$(ask '/api/explain?url=http%3a%2f%2fa.example/1')" 200
cp out found
"$program" explain --json s.db http://a.example/1 >out
succeeds 'it answers what explain --json prints' cmp -s out found
got 'compare' "$(ask '/api/compare?a=1&b=5&limit=0')" 200
cp out found
"$program" compare --json --limit 0 s.db 1 5 >out
succeeds 'it answers what compare --json prints' cmp -s out found
got 'a document that does not exist' "$(ask '/api/explain?id=77')" 404
got 'a parameter that is missing' "$(ask '/api/compare?a=1')" 400

# ---- tasks
got 'a report is a task' "$(send POST /api/report '{}')" 202
finish
path=$(member 'd["result"]["url"]')
got 'the report needs no token, but its ticket' "$(curl -s -o out -w '%{http_code}' "$url$path")" 200
"$program" report s.db --html page.html && grep -q '<script>alert' page.html out
got 'nothing of a crawl is markup in it' $? 1
got 'another ticket' "$(curl -s -o out -w '%{http_code}' "$url/report/00000000000000000000000000000000")" 404
got 'a dry run' "$(send POST /api/dry-run '{"settings": {"verdict.relations": "scheme"}}')" 202
finish
holds 'd["state"] == "done" and d["result"]["hidden_before"] == 3 and d["result"]["changes"]["shown"]["documents"] == 3' 'it lists what would be shown'
got 'a search as a task' "$(ask /api/search -H 'Prefer: respond-async' -H 'Content-Type: application/json' -d "$search")" 202
finish
holds 'len(d["result"]["results"][0]["sides"]) == 2' 'its result is the answer'
for setting in 'store.where": "1"' 'url.rules": "/etc/passwd"' 'verdict.pins": "/etc/passwd"' 'no.such": "1"' 'near.min_words": 3'; do
    send POST /api/dry-run "{\"settings\": {\"$setting}}" >status
    finish
    holds 'd["state"] == "failed" and "error" in d' "a dry run does not take ${setting%%\"*}"
done
got 'values of a setting' "$(send POST /api/sweep '{"setting": "alignment.threshold=.5..1/.25"}')" 202
finish
holds '[v["value"] for v in d["result"]["values"]] == [.5, .75, .8, 1] and d["result"]["values"][2]["present"]' 'they are what sweep --json prints'
send POST /api/sweep '{"setting": "alignment.threshold", "pairs": ".8", "labels": true}' >status
finish
holds 'd["result"]["pairs"][0]["passages"] and d["result"]["answers"]["labels"] == 0' 'pairs; a file of labels that does not exist has none yet'
got 'a task that does not exist' "$(ask '/api/task?id=00000000000000000000000000000000')" 404

# ---- files
ask /api/about >status
version=$(member 'd["rules"][0]["version"]') none=$(member 'd["rules"][1]["version"]')
put() { send PUT /api/files "{\"name\": \"$1\", \"text\": \"$2\", \"version\": \"$3\"}"; }
got 'rules are saved' "$(put a.rules '# new\n' "$version")" 200
got 'as they were sent' "$(<a.rules)" '# new'
got 'but not over a version that the client has not seen' "$(put a.rules '# newer\n' "$version") $(<a.rules)" '409 # new'
got 'a file that does not exist yet is made' "$(put new.rules '# made' "$none") $(<new.rules)" '200 # made'
got 'labels, too' "$(ask /api/about >status; put labels 'a\tb\t1\n' "$(member 'd["labels"]["version"]')") $(<labels)" $'200 a\tb\t1'
got 'no file that was not named at start' "$(put "$work/other" 'x' "$none")" 403
succeeds 'and it is not written' [ ! -e other ]
got 'a pin' "$(send POST /api/pins '{"kind": "separate", "a": 1, "b": "http://a.example/2"}')" 200
got 'a document that is kept' "$(send POST /api/pins '{"kind": "keep", "a": 5}')" 200
got 'what a pin would change is tried' "$(send POST /api/dry-run '{"settings": {}, "pin": {"kind": "keep", "a": 3}}')" 202
finish
holds '[r["id"] for r in d["result"]["changes"]["shown"]["rows"]] == ["3"]' 'without writing it'
send POST /api/dry-run '{"settings": {}, "pin": {"kind": "drop", "a": 3}}' >status && finish
holds 'd["state"] == "failed" and "error" in d' 'a pin of no kind is not tried'
got 'and once more' "$(send POST /api/pins '{"kind": "keep", "a": 5}')" 200
printf '# caf\xe9, by hand\nkeep http://c.example/\nseparate http://a.example/0 http://a.example/2\nkeep http://b.example/%%3Cscript%%3Ealert(1)%%3C/script%%3E\n' >wanted
succeeds 'pins are appended once, and the rest of the file is as it was' cmp -s pins wanted
got 'a kind that does not exist' "$(send POST /api/pins '{"kind": "drop", "a": 1}')" 400
got 'one document too few' "$(send POST /api/pins '{"kind": "separate", "a": 1}')" 400
printf 'nonsense\n' >>pins
got 'a file with an error is left alone' "$(send POST /api/pins '{"kind": "keep", "a": 1}') $(tail -n 1 pins)" '422 nonsense'
cp wanted pins
sqlite3 s.db "INSERT INTO documents(id, url, title, text) VALUES (77, 'http://d.example/' || printf('%.*c', 20000, 'x'), 'Long', 'A page.')"
for pin in '"keep", "a": 77' '"prefer", "a": 77' '"separate", "a": 77, "b": 1'; do got 'a URL of any length can be pinned' "$(send POST /api/pins "{\"kind\": $pin}")" 200; done
got 'with all of it' "$(tail -n 3 pins | cut -c 1-24)" $'keep http://d.example/xx\nprefer http://d.example/\nseparate http://d.exampl'
sqlite3 s.db 'DELETE FROM documents WHERE id = 77' && cp wanted pins
got 'the list of pins' "$(ask /api/pins)" 200
holds 'd["name"] == "pins" and d["text"].splitlines()[2].startswith("separate") and not d["read"] and d["reads"] is None' 'which no run reads yet'
got 'with the file that makes it so' "$(member 'd["config"], d["path"]')" "('twindex.conf', '$work/pins')"
version=$(member 'd["version"]')
undo() { ask "/api/pins?line=$1&version=$version" -X DELETE; }
got 'a line that is not there is not removed' "$(undo 5)" 400
got 'nor is line 0' "$(undo 0)" 400
got 'nor a line without a version' "$(ask '/api/pins?line=2' -X DELETE)" 400
got 'nothing is removed of a file that was changed' "$(ask "/api/pins?line=2&version=0000000000000000" -X DELETE)" 409
succeeds 'all of that writes nothing' cmp -s pins wanted
got 'a pin is removed' "$(undo 3)" 200
holds 'len(d["text"].splitlines()) == 3 and "separate" not in d["text"]' 'the answer is the list without it'
sed 3d wanted | cmp -s pins -
is $? 'and the other lines keep their bytes'
got 'once' "$(undo 3)" 409
cp wanted pins
# what the list says to append makes a run obey
shown() { sqlite3 s.db "SELECT representative_b FROM document_flags WHERE id = 3"; }
cp s.db before.db && "$program" run -q s.db 2>err
got 'a run does not obey a file that nothing names' "$(shown)" 0
printf '[verdict]\npins = %s\n' "$work/pins" >twindex.conf && "$program" run -q s.db 2>err
got 'with these lines it does' "$(shown)" 1
ask /api/pins >status
got 'and the list says so, without a new start' "$(member 'd["read"], d["reads"]')" "(True, '$work/pins')"
touch others && printf '[verdict]\npins = others\n' >twindex.conf && ask /api/pins >status
got 'another file is named' "$(member 'd["read"], d["reads"]')" "(False, 'others')"
printf '[verdict]\npins = %s\nno_such = 1\n' "$work/pins" >twindex.conf && ask /api/pins >status
got 'a configuration with an error stops runs' "$(member 'd["read"], d["reads"], "no_such" in d["problem"]')" '(False, None, True)'
rm twindex.conf && mv before.db s.db && rm -f s.db-*
succeeds 'no temporary file is left' [ -z "$(compgen -G '*.part-*')" ]

# ---- refused
port=${url##*:}
got 'no token' "$(curl -s -o out -w '%{http_code}' "$url/api/about")" 401
cookie=$(curl -s -o out -D - -H "X-Twindex-Token: $token" "$url/api/about" | tr -d '\r' | sed -n 's/^Set-Cookie: //p')
got 'the token becomes a cookie' "$cookie" "twindex-$port=$token; Path=/api/; HttpOnly; SameSite=Strict"
got 'which is enough' "$(curl -s -o out -w '%{http_code}' -H "Cookie: a=b; ${cookie%%;*}" "$url/api/about")" 200
got 'with another value it is not' "$(curl -s -o out -w '%{http_code}' -H "Cookie: ${cookie%%=*}=${token%?}x" "$url/api/about")" 401
got 'nor for a page of another site' "$(curl -s -o out -w '%{http_code}' -H "Cookie: ${cookie%%;*}" -H 'Sec-Fetch-Site: cross-site' "$url/api/about")" 403
curl -s -o out -D headers -H 'X-Twindex-Token: x' "$url/api/about" && grep -q '^HTTP' headers && ! grep -qi cookie headers
is $? 'no cookie without the token'
got 'a wrong token' "$(ask /api/about -H "X-Twindex-Token: ${token%?}x")" 401
got 'the name of another site' "$(ask /api/about -H "Host: evil.example:$port")" 421
got 'the name of another site, a static file' "$(ask / -H "Host: evil.example:$port")" 421
got 'another port' "$(ask /api/about -H 'Host: 127.0.0.1:1')" 421
got 'localhost is this machine' "$(ask /api/about -H "Host: localhost:$port")" 200
got 'a page of another site' "$(ask /api/about -H 'Origin: http://evil.example')" 403
got 'our own page' "$(ask /api/about -H "Origin: http://127.0.0.1:$port")" 200
got 'a sandboxed page' "$(ask /api/about -H 'Origin: null')" 403
got 'another site, as the browser says' "$(ask /api/about -H 'Sec-Fetch-Site: cross-site')" 403
got 'a wrong method' "$(ask /api/about -X POST -H 'Content-Type: application/json' -d '{}')" 405
got 'TRACE' "$(ask / -X TRACE)" 405
got 'a path that does not exist' "$(ask /api/nothing)" 404
got 'a form of another site' "$(ask /api/search -d 'a=b')" 415
got 'a body that is no JSON' "$(send POST /api/search '{')" 400
python3 -c 'import json; print(json.dumps({"queries": ["rivers"] * 1000, "limit": 1000, "rules": [{"name": "A", "text": ""}]}))' >large
got 'a million hits at once' "$(ask /api/search -H 'Content-Type: application/json' --data-binary @large)" 400
got 'a body of the wrong shape' "$(send POST /api/search '[1]')" 400
got 'nesting' "$(python3 -c 'print("[" * 100000)' | ask /api/search -H 'Content-Type: application/json' --data-binary @-)" 400
got 'a body without its length' "$(echo '{}' | ask /api/search -H 'Transfer-Encoding: chunked' -H 'Content-Type: application/json' --data-binary @-)" 411
for path in /../../etc/passwd /..%2f..%2fetc/passwd //etc/passwd /static/../index.html /%00 /index.html%00.css; do
    got "the path $path" "$(ask $path)" 404
done
got 'a wrong escape' "$(ask '/api/documents?q=%4')" 400
got 'a NUL' "$(ask '/api/documents?q=a%00b')" 400
got 'bytes that are not UTF-8' "$(ask '/api/documents?q=%c3%28')" 400
got 'SQL is text' "$(ask "/api/documents?q=x'%3bDROP%20TABLE%20documents--")" 200
got 'an expression of FTS5 with an error' "$(send POST /api/search '{"query": "a AND AND", "raw": true, "rules": [{"name": "A", "text": ""}]}')" 200
holds '"error" in d["results"][0]' 'it is reported with the query'

cat >attack.py <<'END'
import socket, sys, time, threading
port, token = int(sys.argv[1]), sys.argv[2]
failed = False
def connect():
    s = socket.create_connection(("127.0.0.1", port), timeout=20)
    return s
def say(ok, what, why=""):
    global failed
    print("ok - " + what if ok else f"not ok - {what}: {why}", flush=True)
    failed = failed or not ok
def status(raw, wait=20):
    s = connect(); s.settimeout(wait); answer = b""
    try:
        s.sendall(raw)
        while b"\r\n" not in answer:
            more = s.recv(4096)
            if not more: break
            answer += more
    except OSError: pass
    s.close()
    return answer.split(b" ")[1].decode() if answer.startswith(b"HTTP/") else "closed"
host = f"Host: 127.0.0.1:{port}\r\n"
def get(path="/api/about", more="", version="1.1"): return f"GET {path} HTTP/{version}\r\n{host}X-Twindex-Token: {token}\r\n{more}\r\n".encode()
say(status(get()) == "200", "a raw request is answered")
started = time.time()
got = status(f"POST /api/search HTTP/1.1\r\n{host}X-Twindex-Token: {token}\r\nContent-Type: application/json\r\nContent-Length: 104857600\r\n\r\n".encode() + b"x" * 65536)
say(got == "413" and time.time() - started < 5, "a body of 100 MB is refused before it is read", got)
for what, raw, wanted in [
    ("no Host", b"GET / HTTP/1.1\r\n\r\n", ("400",)),
    ("two Hosts", f"GET / HTTP/1.1\r\n{host}Host: evil.example\r\n\r\n".encode(), ("400", "421")),
    ("HTTP/1.0 without Host", b"GET / HTTP/1.0\r\n\r\n", ("421",)),
    ("a header of 1 MB", get(more="X-Long: " + "x" * 1000000 + "\r\n"), ("400", "413", "414", "431", "closed")),
    ("a request line of 1 MB", get("/" + "a" * 1000000), ("400", "413", "414", "431", "closed")),
    ("no HTTP", b"\x16\x03\x01\x02\x00\x01\x00" * 100 + b"\r\n\r\n", ("400", "closed")),
    ("a length that is not a number", f"POST /api/search HTTP/1.1\r\n{host}X-Twindex-Token: {token}\r\nContent-Type: application/json\r\nContent-Length: 1x\r\n\r\n".encode(), ("400", "413", "closed")),
    ("a negative length", f"POST /api/search HTTP/1.1\r\n{host}X-Twindex-Token: {token}\r\nContent-Type: application/json\r\nContent-Length: -1\r\n\r\n".encode(), ("400", "413", "closed")),
    ("a header line without a colon", get(more="nonsense\r\n"), ("200", "400", "closed")),
]:
    got = status(raw)
    say(got in wanted, what, got)
# connections that are opened and say nothing, or half of a request
idle = []
for i in range(400):
    s = socket.socket(); s.setblocking(False); s.connect_ex(("127.0.0.1", port)); idle.append(s)
time.sleep(0.3)
for s in idle[::2]:
    try: s.send(b"GET / HTTP/1.1\r\nHost: ")
    except OSError: pass
started = time.time()
got = status(get())
say(got == "200" and time.time() - started < 5, "400 half-open connections do not keep others out", f"{got} after {time.time() - started:.1f} s")
for s in idle: s.close()
# a thousand requests at once
answers = []
def one(): answers.append(status(get("/api/documents?q=rivers"), 60))
threads = [threading.Thread(target=one) for _ in range(1000)]
for t in threads: t.start()
for t in threads: t.join()
say(set(answers) <= {"200", "503", "closed"} and answers.count("200") > 50, "a thousand requests at once are answered or refused", str({a: answers.count(a) for a in set(answers)}))
say(status(get()) == "200", "afterwards it answers")
sys.exit(failed)
END
python3 attack.py "$port" "$token" || failed=1

# ---- a run meanwhile, and the end
"$program" run -q --full s.db && send POST /api/search "$search" >status
got 'after a run it answers by the new flags' "$(<status)" 200
succeeds 'no transaction is left open between requests' [ -z "$(sqlite3 s.db 'PRAGMA wal_checkpoint(TRUNCATE)' | grep '^1')" ]
"$program" digest s.db | cmp -s - digest
is $? 'the store is what it was'
began=$(date +%s%N)
stop TERM
got 'SIGTERM ends it with exit code 0' $? 0
succeeds 'at once' [ $(($(date +%s%N) - began)) -lt 2000000000 ]
got 'without a message' "$(<err.serve)" ''

serve s.db --rules a.rules --pins pins --read-only
ask /api/about >status
holds 'd["read_only"]' 'about says that nothing can be written'
got 'rules with --read-only' "$(put a.rules '' "$(member 'd["rules"][0]["version"]')")" 403
got 'pins with --read-only' "$(send POST /api/pins '{"kind": "keep", "a": 1}')" 403
got 'they can be listed' "$(ask /api/pins)" 200
got 'but not removed' "$(ask "/api/pins?line=2&version=$(member 'd["version"]')" -X DELETE)" 403
refuses 'a port that is in use' 74 'choose another --port' serve s.db --port "${url##*:}"
send POST /api/report '{}' >status
stop INT
got 'SIGINT ends it while a task is under way' $? 0

# ---- a task is cancelled: here it waits for another program's lock, for which it would wait 10 s
sqlite3 s.db 'PRAGMA journal_mode = DELETE' >out
serve s.db --read-only --set run.busy_ms=10000
python3 - <<'END' >locked &
import sqlite3, time
db = sqlite3.connect("s.db", isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
time.sleep(9)
END
holder=$!
until [ -s locked ]; do sleep 0.1; done
got 'a dry run while the store is locked' "$(send POST /api/dry-run '{"settings": {"verdict.relations": "scheme"}}')" 202
id=$(member 'd["task"]')
until ask "/api/task?id=$id" >status && grep -q running out; do sleep 0.1; done
got 'it is cancelled' "$(ask "/api/task?id=$id" -X DELETE)" 200
for _ in $(seq 50); do
    ask "/api/task?id=$id" >status
    grep -q running out || break
    sleep 0.1
done
holds 'd["state"] == "cancelled" and "error" in d' 'and ends while the lock is still held'
kill -0 $holder && kill $holder
is $? 'by another program'
wait $holder # it holds the lock until it has ended
stop TERM
got 'SIGTERM ends it' $? 0

# ---- a row that is longer than the limit
succeeds 'a row is made longer' sqlite3 s.db "UPDATE documents SET text = text || hex(zeroblob(1000000)) WHERE id = 2"
serve s.db --read-only --set run.row_bytes=1M
for what in rivers a.example/; do
    ask "/api/documents?q=$what" >status
    holds '[d["url"].startswith("(its row is longer") for d in d["documents"]][:4] == [False, True, False, False]' "documents?q=$what names it and lists the others"
done
stop TERM
# ---- comparisons of long texts whose reader leaves
python3 - <<'END' >long.jsonl
import json, random
draw = random.Random(3)
words = ["w%d" % i for i in range(5000)]
for i in range(4): print(json.dumps({"url": f"http://long.example/{i}", "text": " ".join(draw.choices(words, k=400_000)) + "."}))
END
"$program" init --quiet long.db && "$program" import --quiet long.db long.jsonl crawl.jsonl && "$program" run --quiet --force long.db 2>err
is $? 'a store with texts of more than two megabytes'
serve long.db
cat >leave.py <<'END'
import socket, sys, threading, time
port, token = int(sys.argv[1].rsplit(":", 1)[1]), sys.argv[2]
def ask(path, leave):
    s = socket.create_connection(("127.0.0.1", port))
    s.settimeout(30)
    s.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Twindex-Token: {token}\r\nConnection: close\r\n\r\n".encode())
    if leave: time.sleep(0.3)
    else:
        try: return s.makefile("rb").read().startswith(b"HTTP/1.1 200")
        except OSError: return False
    s.close()
leaving = [threading.Thread(target=ask, args=(f"/api/compare?a={1 + i % 4}&b={1 + (i + 1) % 4}", True)) for i in range(10)]
for t in leaving: t.start()
worst, end = 0, time.time() + 3
while time.time() < end:
    for path in ["/api/about", "/api/documents?q=a.example", "/api/explain?id=5", "/api/compare?a=5&b=6"]:
        begin = time.time()
        if not ask(path, False): print("no answer to", path)
        worst = max(worst, time.time() - begin)
print("every view within 2 s" if worst < 2 else f"{worst:.1f} s")
END
got 'beside ten comparisons that were left, every view is answered' "$(python3 leave.py "$url" "$token" 2>&1)" 'every view within 2 s'
got 'a long comparison is answered' "$(ask '/api/compare?a=1&b=2&limit=1')" 200
holds 'd["at_least"] and d["similarity"] < 0.5' 'with the similarity of the passages'
got 'a short one' "$(ask '/api/compare?a=5&b=9')" 200
holds 'not d["at_least"] and d["similarity"] > 0.9' 'with that of the characters'
stop TERM
exit $failed
