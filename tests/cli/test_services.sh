#!/bin/bash
# wings: import cluster
# without sanitizers: its subject is units and scripts; test_follow and others run the same commands
# What cron and systemd run: share/services/run-as-owner, the units, and lines for the journal. As root it becomes the owner of the store, so that nothing it leaves
# stops that user later.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
services=$source/share/services
export TWINDEX=$program

make() { rm -rf "$1"* && "$program" init --quiet "$1" && "$program" import --quiet "$1" "$source/tests/golden/sample/crawl.jsonl" 2>err; }
make s.db && touch s.db.crawled
TWINDEX_METRICS=$work/s.prom "$services/run-as-owner" s.db --set run.jobs=1 >out 2>err && [ ! -s out ] && [ ! -e s.db.crawled ] && [ "$(sqlite3 s.db 'SELECT count(*) FROM document_flags')" -gt 50 ]
is $? 'a run without output, and the marker of the crawl is gone'
matches 'metrics where the environment names a file' 'twindex_run_exit_code{store="s.db"} 0' s.prom
TWINDEX_COMMAND=follow timeout 3 "$services/run-as-owner" s.db --every 0 >out 2>err &
sleep 1 && sqlite3 -cmd '.timeout 5000' s.db 'UPDATE documents SET http_status = 404 WHERE id = 1' && wait $!
equal 'follow instead of a run, until it is stopped' '124 0' "$? $(sqlite3 s.db 'SELECT indexable_b FROM document_flags WHERE id = 1')"
sqlite3 s.db 'UPDATE documents SET http_status = 200 WHERE id = 1'
"$services/run-as-owner" none.db >out 2>err
equal 'no such store' '66 1' "$? $(grep -c none.db err)"
"$services/run-as-owner" >out 2>err
equal 'no store is named' '64 1' "$? $(grep -c '^usage: ' err)"

# a store that another run has locked: the request of the crawl must not be lost
mkdir bin && printf '#!/bin/sh\necho "$1" >slept\n' >bin/sleep && chmod +x bin/sleep
busy() { PATH=$work/bin:$PATH python3 -c 'import fcntl, subprocess, sys
held = open("s.db-twindex-lock"); fcntl.flock(held, fcntl.LOCK_EX); sys.exit(subprocess.call(sys.argv[1:]))' "$services/run-as-owner" s.db >out 2>err; }
touch s.db.crawled
busy
[ $? = 75 ] && [ -e s.db.crawled ] && [ "$(<slept)" = 60 ]
is $? 'a busy store: the marker is there again after the run, which waits before it ends'
rm s.db.crawled slept
busy
[ $? = 75 ] && [ ! -e s.db.crawled ] && [ ! -e slept ]
is $? 'without a marker none is made'
# a link that somebody put in its place during the run
printf '#!/bin/sh\nln -s target s.db.crawled; exit 75\n' >bin/plants && chmod +x bin/plants && echo kept >target
for target in target nowhere; do
    sed -i "s/-s [a-z]*/-s $target/" bin/plants && rm -f s.db.crawled && touch s.db.crawled
    TWINDEX=$work/bin/plants PATH=$work/bin:$PATH "$services/run-as-owner" s.db >out 2>err
    [ $? = 75 ] && [ "$(<target)" = kept ] && [ ! -e nowhere ]
    is $? "a link to $target is not written through"
done
rm s.db.crawled slept

if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
    as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    chmod 755 "$work"
    mkdir theirs && make theirs/s.db && chown -R 65534:65534 theirs && chmod 600 theirs/s.db
    "$services/run-as-owner" theirs/s.db >out 2>err
    is $? 'started by root, for the store of another user'
    equal 'everything belongs to that user' '' "$(find theirs ! -user 65534)"
    "${as[@]}" "$program" run theirs/s.db >out 2>err && grep -q 'nothing changed' out
    is $? 'who runs it afterwards'
    (cd / && "${as[@]}" "$services/run-as-owner" "$work/theirs/s.db") >out 2>err
    is $? 'the user starts it, too'
    # a run by root itself, as by a cron job
    rm theirs/s.db-twindex-lock && "$program" run --quiet --full theirs/s.db >out 2>err && [ -z "$(find theirs ! -user 65534)" ] && "${as[@]}" "$program" run --quiet theirs/s.db >out 2>err
    is $? 'a run by root leaves a lock that the user can take'
    chown 0:0 theirs/s.db-twindex-lock && chmod 600 theirs/s.db-twindex-lock
    "${as[@]}" "$program" run --quiet theirs/s.db >out 2>err
    is $? 'and so is a lock of root'
    # a folder with the setgid bit gives its group to files of users who are no members
    # by hand, in a terminal of root
    printf '#!/bin/sh\nif (: </dev/tty) 2>/dev/null; then echo of root; else echo none; fi >"$SEEN"\nexit 5\n' >bin/terminal && chmod 755 bin bin/terminal && install -m 666 /dev/null terminal
    got=0
    SEEN=$work/terminal TWINDEX=$work/bin/terminal script -qec "$services/run-as-owner theirs/s.db" /dev/null >out 2>err </dev/null || got=$?
    equal 'the owner has no terminal of root, and the exit code remains' '5 none' "$got $(<terminal)"
    printf '#!/bin/sh\nls /proc/self/fd | tr "\\n" " " >"$SEEN"\n' >bin/files && chmod 755 bin/files && echo secret >secret && chmod 600 secret
    SEEN=$work/terminal TWINDEX=$work/bin/files "$services/run-as-owner" theirs/s.db 3<secret 9>>secret >out 2>err
    equal "the owner has none of root's open files" '0 1 2 3 ' "$(<terminal)"
    mkdir group && make group/s.db && chown -R 65534:65534 group && printf '#!/bin/sh\n{ id -u; id -g; id -G; pwd; } >"$SEEN"\n' >bin/ids && chmod 755 bin bin/ids && install -m 666 /dev/null seen
    for owned in 65534:65534 65534:4; do
        chown $owned group/s.db && SEEN=$work/seen TWINDEX=$work/bin/ids "$services/run-as-owner" group/s.db >out 2>err
        equal "the run for a file of $owned has the owner, one of their groups, no other, and the folder of the store" "65534 65534 65534 $work/group" "$(tr '\n' ' ' <seen | sed 's/ $//')"
    done
    # a user whose folder has a link to a store of root would have his twindex.conf read by root
    mkdir linked && make l.db && ln -s ../l.db linked/l.db && printf '[store]\nflags = %s/written-by-root.db\n' "$work" >linked/twindex.conf && chown -hR 65534:65534 linked
    "$services/run-as-owner" linked/l.db >out 2>err
    [ $? = 64 ] && grep -q 'linked/l.db: its folder belongs to user 65534' err && [ ! -e written-by-root.db ]
    is $? 'the store of another user in the folder of a user is not run'
    chown root:root linked && rm linked/twindex.conf && "$services/run-as-owner" linked/l.db >out 2>err
    is $? 'in a folder of root it is'
    printf '[store]\nflags = %s/of-the-link.db\n' "$work" >linked/twindex.conf && printf '[store]\nflags = %s/of-the-file.db\n' "$work" >twindex.conf
    "$services/run-as-owner" linked/l.db >out 2>err && [ -e of-the-link.db ] && [ ! -e of-the-file.db ]
    is $? 'with the settings beside the link'
    rm linked/twindex.conf && "$services/run-as-owner" linked/l.db >out 2>err && [ ! -e of-the-file.db ]
    is $? 'and without them with none'
    rm twindex.conf of-the-link.db
    # a link of root to a store of root, below a folder whose owner could exchange what the link leads to
    mkdir -p of-user/of-root by-link && make of-user/of-root/s.db && ln -s "$work/of-user/of-root/s.db" by-link/s.db && chown 65534:65534 of-user
    "$services/run-as-owner" by-link/s.db >out 2>err
    [ $? = 64 ] && grep -q "by-link/s.db: the folder $work/of-user belongs to user 65534" err
    is $? 'a link of root into a folder below that of a user is not run as root'
    # folders to which others may write
    mkdir open && make open/s.db && as_owner() { "$services/run-as-owner" open/s.db >out 2>err; }
    for mode in 1777 0777 0775; do
        chmod "$mode" open && printf '[store]\nflags = %s/written-by-root.db\n' "$work" >open/twindex.conf && chown 65534 open/twindex.conf
        as_owner
        [ $? = 64 ] && grep -q 'open/s.db: its folder may be written to by others' err && [ ! -e written-by-root.db ]
        is $? "a folder of root with the mode $mode is refused"
        (cd open && "$program" run s.db) >out 2>err
        [ $? = 65 ] && grep -q 'twindex.conf is not read: its folder\|twindex.conf is not read: everybody\|twindex.conf is not read: its group' err && [ ! -e written-by-root.db ]
        is $? "and so is its twindex.conf by the program"
    done
    chown -R 65534:65534 open && chmod 775 open && as_owner
    [ $? = 64 ] && grep -q 'its folder may be written to by others' err
    is $? 'so is one of the owner of the store'
    chmod 755 open && rm open/twindex.conf && as_owner
    is $? 'after chmod go-w it is run'
    # the owner of a folder above exchanges it all the time: a folder of the owner of the store, and one with other settings and a link to the store
    cat >exchange.py <<'PYTHON'
import itertools, os, sys
os.setgid(65534); os.setuid(65534)
for target in itertools.cycle(("theirs", "mine")):
    os.symlink(target, "above/next"); os.rename("above/next", "above/x")
PYTHON
    tries=50
    [ -z "$long_tests" ] || tries=200
    for user in 0 65533; do
        rm -rf above reached obeyed && mkdir -p above/theirs above/mine obeyed && make above/theirs/s.db && ln -s ../theirs/s.db above/mine/s.db &&
            printf '[store]\nflags = %s/obeyed/flags.db\n' "$work" >above/mine/twindex.conf && ln -s theirs above/x
        chown 65534:65534 above && chown -R 65534:65534 above/mine && chown -R $user:$user above/theirs obeyed
        python3 exchange.py &
        exchanger=$!
        obeyed=0 ran=0
        for ((try = 0; try < tries; try++)); do
            "$services/run-as-owner" above/x/s.db >out 2>err && ran=$((ran + 1))
            [ ! -e obeyed/flags.db ] || { obeyed=$((obeyed + 1)) && rm -f obeyed/*; }
        done
        kill $exchanger && wait $exchanger 2>/dev/null
        equal "$tries runs for user $user while a folder above is exchanged ($ran ran): none with the settings of its owner" 0 $obeyed
    done
    # ProcSubset=pid, or a container without /proc/sys: nothing says whether the machine was started since the store was checked
    if unshare -m true 2>/dev/null; then
        make b.db && unshare -m sh -c 'mount -t tmpfs none /proc/sys && exec "$@"' sh "$program" run --quiet b.db >out 2>err && ! grep -q checked b.db-twindex-lock
        is $? 'a run that does not know the boot records no check'
        "$program" run --quiet --full b.db >out 2>err && grep -q checked b.db-twindex-lock
        is $? 'another one does'
    else
        echo 'ok - skipped: no mount namespaces here'
    fi
else
    echo 'ok - skipped: another user needs root and setpriv'
fi

# ---- units
! grep -qE '^(Nice|CPUWeight|CPUQuota|CPUSchedulingPolicy|IOWeight)=|^IOSchedulingClass=idle' "$services/twindex@.service"
is $? 'the unit has nothing that makes a run wait for busy processes while the crawler waits for the run'
if command -v systemd-analyze >/dev/null; then
    for unit in twindex twindex-follow; do
        systemd-analyze security --offline=true --threshold=20 --no-pager "$services/$unit@.service" >out 2>err
        is $? "systemd-analyze security: $unit@.service: $(sed -n 's/.*exposure level for .*: \([0-9.]*\).*/\1/p' out), at most 2.0"
    done
    equal 'the unit of follow has the restrictions of the other one' '' "$(sed -n '/^NoNewPrivileges/,/^SystemCallErrorNumber/p' "$services/twindex@.service" | grep -vxFf "$services/twindex-follow@.service")"
    # ExecStart= is not installed here
    mkdir units && cp "$services"/twindex* units/ && sed -i 's,^ExecStart=/usr/libexec.*,ExecStart=/bin/true %f,' units/twindex*@.service && rm units/twindex.cron
    (cd units && systemd-analyze verify --man=no 'twindex-follow@srv-s.db.service' 'twindex@srv-search-a\x2db.db.timer' twindex@srv-s.db.path twindex-failed@x.service) >out 2>&1 && [ ! -s out ]
    is $? 'systemd-analyze verify has nothing to say about the units'
    # every call that a run makes is allowed by SystemCallFilter=
    if command -v strace >/dev/null && [ "${program#*san/}" = "$program" ]; then
        systemd-analyze syscall-filter --no-pager >filters 2>err
        python3 - "$services/twindex@.service" >allowed <<'PYTHON'
import re, sys
groups, name = {}, None
for line in open("filters"):
    line = re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip()
    if line.startswith("@"): name = line; groups[name] = []
    elif line.startswith(" ") and name and not line.strip().startswith("#"): groups[name].append(line.strip())
def calls(group):
    return {c for m in groups[group] for c in (calls(m) if m.startswith("@") else [m])}
allowed = set()
for value in re.findall(r"^SystemCallFilter=(.*)$", open(sys.argv[1]).read(), re.M):
    for group in value.lstrip("~").split():
        allowed = allowed - calls(group) if value.startswith("~") else allowed | calls(group)
print("\n".join(sorted(allowed | calls("@default"))))
PYTHON
        make t.db && strace -f -o trace "$services/run-as-owner" "$PWD/t.db" >out 2>err
        # uselib and others of a refused group would be missing in `allowed`
        sed -n 's/^[0-9]* *\([a-z0-9_]*\)(.*/\1/p' trace | sort -u | grep -vxFf allowed >out
        [ "$(wc -l <allowed)" -gt 100 ] && [ ! -s out ]
        is $? 'each system call of a run is allowed by the unit'
        TWINDEX_COMMAND=follow timeout -s TERM 5 strace -f -o trace "$services/run-as-owner" "$PWD/t.db" >out 2>err
        sed -n 's/^[0-9]* *\([a-z0-9_]*\)(.*/\1/p' trace | sort -u | grep -vxFf allowed >out
        grep -q nanosleep trace && [ ! -s out ]
        is $? 'and each of follow'
    fi
else
    echo 'ok - skipped: systemd is not installed'
fi

# ---- the journal: standard error is a file that JOURNAL_STREAM names
make j.db && sqlite3 j.db 'DELETE FROM documents WHERE id > 1' && : >journal
JOURNAL_STREAM=$(stat -c %d:%i journal) "$program" run none.db 2>journal
matches 'an error has the priority 3 in the journal' '^<3>twindex run: .*none.db' journal
JOURNAL_STREAM=1:1 "$program" run none.db 2>err
matches 'another stream has none' '^twindex run: ' err

# ---- cron
grep -v '^#' "$services/twindex.cron" | awk 'NF < 7 || $6 !~ /^[a-z]+$/ || $7 !~ /^\// { exit 1 }'
is $? 'the line of cron has five times, a user and a command'

# ---- 'cmake --install' into a prefix: everything names the paths of the prefix, and a run from it works
build=$(dirname "$program")
if command -v cmake >/dev/null && [ -e "$build/cmake_install.cmake" ]; then
    prefix=$work/pre/fix
    DESTDIR='' cmake --install "$build" --prefix "$prefix" >out 2>err
    is $? 'an installation into a prefix'
    missing=$(for name in $("$program" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -vx twindex); do
        [ -s "$prefix/share/man/man1/twindex-$name.1" ] || case $name in flags | mapping | ranking) ;; *) echo "$name" ;; esac
    done)
    equal 'each command has a manual page there' '' "$missing"
    equal 'no file names paths of another one' '' "$(grep -rlE '/usr/(bin/twindex|libexec|share/doc/twindex)' "$prefix/lib/systemd" "$prefix/libexec" "$prefix/share/doc/twindex/examples" 2>&1)"
    [ "$(grep -lx "ExecStart=$prefix/libexec/twindex/run-as-owner %f" "$prefix"/lib/systemd/system/twindex{,-follow}@.service | wc -l)" = 2 ] && [ -x "$prefix/libexec/twindex/run-as-owner" ]
    is $? 'the unit starts the script of the prefix'
    if command -v systemd-analyze >/dev/null; then
        for unit in service timer path; do cp "$prefix/lib/systemd/system/twindex@.$unit" "twindex@srv-x.$unit"; done
        SYSTEMD_LOG_LEVEL=err systemd-analyze verify --man=no --recursive-errors=no ./twindex@srv-x.service ./twindex@srv-x.timer ./twindex@srv-x.path >out 2>err
        [ $? = 0 ] && ! grep -q 'twindex@' err
        is $? 'systemd-analyze verifies the units'
    fi
    # the command of the unit, without the program of this test
    command=$(sed -n 's|^ExecStart=\(.*\) %f$|\1|p' "$prefix/lib/systemd/system/twindex@.service")
    make p.db && env -u TWINDEX "$command" "$work/p.db" >out 2>err && [ "$(sqlite3 p.db 'SELECT count(*) FROM document_flags')" -gt 50 ]
    is $? 'a run by the command of the unit'
    DESTDIR=$work/stage cmake --install "$build" --prefix /usr >out 2>err && cmp -s "$services/twindex@.service" stage/usr/lib/systemd/system/twindex@.service &&
        cmp -s "$services/run-as-owner" stage/usr/libexec/twindex/run-as-owner
    is $? 'those of packages stay as they are'
fi
exit $failed
