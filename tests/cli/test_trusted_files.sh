#!/bin/bash
# wings: import cluster
# Files that decide what the program does are not read if another user than root could have written them: twindex.conf that the program finds, pins, rules of
# URLs, the password of the cluster; and what is written does not go through links of others. src/base/trusted_file.c has the rules.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
if [ "$(id -u)" != 0 ] || ! setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
    echo 'ok - skipped: other users need root and setpriv'
    exit 0
fi
chmod 755 "$work"
"$program" init --quiet s.db && "$program" import --quiet s.db "$source/tests/golden/sample/crawl.jsonl" 2>err && "$program" run --quiet s.db && cp s.db kept.db

# as USER:GROUP COMMAND...
as() {
    local who=$1
    shift
    setpriv --reuid "${who%:*}" --regid "${who#*:}" --clear-groups "$@"
}
# place OWNER:GROUP MODE [FILE-OWNER:GROUP MODE]: a folder `place` with a store and twindex.conf, whose second line is an error
place() {
    rm -rf place && mkdir place && cp kept.db place/s.db && printf '[fuzzy]\nscope = galaxy\n' >place/twindex.conf
    chown -R "$1" place && chmod "$2" place && chown "${3:-$1}" place/twindex.conf && chmod "${4:-644}" place/twindex.conf
}
# obeyed WHAT USER:GROUP [OPTION...]: twindex.conf of `place` is read
obeyed() {
    local what=$1 who=$2
    shift 2
    (cd place && as "$who" "$program" digest "$@" s.db) >out 2>err
    [ $? = 65 ] && grep -q "\.conf:2: fuzzy.scope: 'galaxy'" err
    is $? "$what"
}
# refused WHAT REASON USER:GROUP [OPTION...]: it is not, and the message says why
refused() {
    local what=$1 reason=$2 who=$3
    shift 3
    (cd place && as "$who" "$program" digest "$@" s.db) >out 2>err
    [ $? = 65 ] && [ ! -s out ] && grep -qF "twindex.conf is not read: $reason" err && [ "$(wc -l <err)" = 1 ]
    is $? "$what"
}
me=65534:65534 # has no private group: that of user nobody is nogroup
private=1:1    # user daemon and group daemon
[ "$(id -gn 1)" = "$(id -un 1)" ] || private=

# ---- twindex.conf
place $me 755
obeyed 'twindex.conf of the runner' $me
refused 'of another user' 'its folder belongs to user 65534, not to you or root (to use it, name it with --config FILE)' 65533:65533
refused 'of another user, by root' 'its folder belongs to user 65534, not to root' 0:0
ends 65 run --quiet place/s.db && grep -q '^twindex run: place/twindex.conf is not read: ' err
is $? 'a run by root in the folder of a user says so'
rm place/twindex.conf && "$program" run --quiet place/s.db >out 2>err
is $? 'without twindex.conf it runs'
place 0:0 755
obeyed 'of root' $me
obeyed 'of root, by root' 0:0
place 0:0 755 $me
refused 'of another user in a folder of root' 'it belongs to user 65534, not to root (let root own it, or run as that user)' 0:0
obeyed 'of the runner in a folder of root' $me
place $me 755 $me 664
refused 'that a shared group may write to' 'its group may write to it (chmod go-w; or to use it, name it with --config FILE)' $me
place $me 755 $me 646
refused 'that everybody may write to' 'everybody may write to it' $me
place 0:0 755 0:0 664
refused 'that the group of root may write to, by root' 'its group may write to it (chmod go-w)' 0:0
place 0:0 1777 $me
obeyed 'in a folder with the sticky bit, such as /tmp' $me
refused 'of another user there' 'it belongs to user 65534, not to you or root' 65533:65533
place 0:0 1777 0:0
refused 'in such a folder, by root' 'everybody may write to its folder (chmod go-w)' 0:0
place $me 777
refused 'in a folder that everybody may write to' 'everybody may write to its folder' $me
place $me 775
refused 'in a folder that a shared group may write to' 'its group may write to its folder' $me
refused 'also by root' 'its folder belongs to user 65534' 0:0
place 0:0 775
refused 'in a folder that the group of root may write to, by root' 'its group may write to its folder' 0:0
if [ "$private" ]; then
    place $private 775 $private 664
    obeyed 'the private group of the runner (umask 002) may write' $private
    place $private 775 1:65534 664
    refused 'another group may not' 'its group may write to it' $private
    refused 'and a private group is one for its user only' 'its folder belongs to user 1' $me
fi
# links
place 0:0 1777 $me && mv place/twindex.conf mine.conf && as 65533:65533 ln -s ../mine.conf place/twindex.conf
refused 'a link of another user to a file of the runner' '' $me
place 0:0 755 && mv place/twindex.conf place/real.conf && ln -s real.conf place/twindex.conf
obeyed 'a link of root' $me
place $me 755 && rm place/twindex.conf && mkfifo place/twindex.conf && chown $me place/twindex.conf
(cd place && as $me timeout 20 "$program" digest s.db) >out 2>err
is $? 'a pipe does not make the program wait'

# ---- the user's choice
place 65533:65533 755 && chmod 666 place/twindex.conf && cp place/twindex.conf chosen.conf && chown 65533 chosen.conf && chmod 666 chosen.conf
obeyed 'what a user names with --config is read' $me --config "$work/chosen.conf"
check 'but not by root if it belongs to another user' 65 '*chosen.conf is not read: it belongs to user 65533, not to root*' digest --config chosen.conf s.db
chown 0:0 chosen.conf && "$program" digest --config chosen.conf s.db >out 2>err
[ $? = 65 ] && grep -q 'chosen.conf is not read: everybody may write to it (chmod go-w)' err
is $? 'nor if others may write to it'
chmod 644 chosen.conf && sed -i 's/galaxy/host/' chosen.conf && for chosen in chosen.conf /dev/null <(cat chosen.conf); do "$program" digest --config "$chosen" s.db || break; done >out 2>err && [ "$(wc -l <out)" = 3 ]
is $? 'otherwise it is, and so are /dev/null and a pipe'

# ---- files that settings name
place $me 755 && rm place/twindex.conf && echo '# none' >place/pins && cp place/pins place/rules && echo secret >place/password && echo none >place/ca && chown $me place/*
for named in 'verdict.pins pins' 'url.rules rules' 'cluster.password_file password' 'cluster.ca_file ca'; do
    read -r setting file <<<"$named"
    try() {
        case $setting in
        cluster*) as "$1" "$program" cluster status --set cluster.ledger=ledger.db --set cluster.urls=http://127.0.0.1:1 --set "$setting=$work/place/$file" ;;
        *) as "$1" "$program" check --set "$setting=place/$file" place/s.db ;;
        esac >out 2>&1
    }
    chmod 600 place/$file && chown $me place/$file && try $me
    lacks "$setting: a file of the runner is read" 'is not read'
    for who in 65533:65533 0:0; do
        chmod 604 place/$file && try $who
        matches "$setting: one of another user is not read by user ${who%:*}" "place/$file is not read: it belongs to user 65534, not to .*root"
    done
    chmod 606 place/$file && try $me
    matches "$setting: nor one that everybody may write to" "place/$file is not read: everybody may write to it (chmod go-w)"
done

# ---- files that are written
echo kept >target && ln -s target link.html && chown -h 65533 link.html && "$program" run --quiet s.db 2>err
refuses 'a link of another user in the place of the report' 73 'link.html: it is a link of user 65533' report --html link.html s.db
refuses 'in the place of the metrics' 73 'link.html: it is a link of user 65533' run --metrics link.html s.db
equal 'is not written through' kept "$(<target)"
chown -h 0 link.html && "$program" report --html link.html s.db >out 2>err && [ "$(head -c 1 target)" = '<' ]
is $? 'a link of the runner is'
# the scratch file of a dry run is in a folder of its own
mkdir tmp && TMPDIR=$work/tmp python3 -c 'import os, subprocess, sys
run, modes = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL), set()
while run.poll() is None:
    for name in os.listdir("tmp"):
        if not name.startswith("twindex-dry-run-"): continue
        try: modes.add(oct(os.stat(f"tmp/{name}").st_mode))
        except FileNotFoundError: pass
print(*modes, run.returncode, os.listdir("tmp"))' "$program" run --dry-run --set fuzzy.scope=host s.db >out 2>err
equal 'a dry run writes in a folder that is closed to others, and removes it' '0o40700 0 []' "$(<out)"
# a lock file of somebody else says that the store has just been checked
grep -q checked s.db-twindex-lock && chown 65533 s.db-twindex-lock && "$program" doctor s.db >out 2>err
lacks 'the record of a check in a lock file of another user does not count' 'last checked'
exit $failed
