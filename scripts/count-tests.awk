# Counts tests in ctest's LastTest.log and in the output of scripts/check: prints "PASSED FAILED".
# A cmocka program counts by its summary lines, anything that prints "ok - ..." by those lines, a
# silent program as one test. A program that ends badly without saying which test failed is one failure.
# Names of failed and skipped tests go to `out`; ctest_status is how ctest ended.
function finish_program() {
    if (name == "") return
    if (!ended_well && bad == 0) { bad = 1; note("failed", "crashed, timed out or ended with an error") }
    if (ended_well && good + bad + skipped == 0) good = 1
    passed += good; failed += bad
    name = ""
}
function note(what, text) { print what ": " name ": " text > out }
function number(label,    line) { line = $0; sub("^.*" label "\\] ", "", line); return line + 0 }
function name_once(what, label,    line) {
    line = $0; sub("^.*" label "\\] ", "", line)
    if (!((name, line) in seen)) note(what, line)
    seen[name, line] = 1
}

match($0, /^[0-9]+\/[0-9]+ Testing: /) {
    finish_program()
    name = substr($0, RLENGTH + 1); ended_well = good = bad = skipped = 0
    next
}
FNR == 1 && NR > 1 { finish_program() }
name == "" && FILENAME !~ /LastTest.log$/ { name = "check"; ended_well = 1; good = bad = skipped = 0 }
name == "" { next }

/^Test Passed\.$/ { ended_well = 1 }
/\[  PASSED  \] [0-9]+ test\(s\)/ { good += number("PASSED  ") }
/\[  FAILED  \] [0-9]+ test\(s\)/ { bad += number("FAILED  "); next }
/\[  FAILED  \] / { name_once("failed", "FAILED  ") }
/\[  SKIPPED \] [0-9]+ test\(s\)/ { skipped += number("SKIPPED "); next }
/\[  SKIPPED \] / { name_once("skipped", "SKIPPED ") }
/^ok - / { good++ }
/^not ok - / { bad++; note("failed", substr($0, 10)) }
/^skipped: / { note("skipped", substr($0, 10)) }

END {
    finish_program()
    if (ctest_status + 0 != 0 && failed == 0) { failed = 1; name = "ctest"; note("failed", "ended with " ctest_status) }
    print passed + 0, failed + 0
}
