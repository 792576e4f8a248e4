"""What failed, and how often in the same way."""

from tapehead.brief.brief import brief
from tapehead.brief.failures import failed_items
from tapehead.transcript import turns
from tapehead.transcript.turns import Call, Result, Said, Turn
from tapehead.work_record.work_record import gather_work

PASSWORD = "sudo: a terminal is required to read the password; either use -S or configure an askpass helper"


def ran(ident, command, said):
    return Call(ident, "Bash", turns.RUN, text=command), Result(ident, said, failed=True)


def work(*steps):
    later = Turn(
        2, (Said(turns.HUMAN, "now the docs"), Said(turns.AGENT, "The docs are written.")), cwd="/w", session="s"
    )
    return gather_work([Turn(1, (Said(turns.HUMAN, "set it up"), *steps), cwd="/w", session="s"), later])


MET_THRICE = work(
    *ran("1", "sudo setcap cap_sys=ep ./bin/meter", PASSWORD),
    *ran("2", "sudo cat /sys/class/energy", PASSWORD),
    *ran("3", "sudo chown -R me /srv/meter", PASSWORD),
    *ran("4", "make meter", "meter.c:4: unknown type"),
)


def failures(told):
    """The section of them."""
    return told.partition("## Failed")[2].partition("\n## ")[0]


def test_what_fails_alike_is_told_once():
    """It lies in where the commands run: the next one would meet it, too."""
    told = failures(brief(MET_THRICE, budget=2000, source="compact"))
    assert told.count("a terminal is required") == 1
    assert (
        "t1: 3 commands failed alike (`sudo chown -R me /srv/meter`; `sudo cat /sys/class/energy`; …): sudo: a terminal"
        in told
    )
    assert "`make meter`: meter.c:4: unknown type (not run again)" in told


def test_everything_tells_each_of_them():
    """Nothing is put together there."""
    told = failures(brief(MET_THRICE, budget=50_000, source="full"))
    assert told.count("a terminal is required") == 3
    assert "failed alike" not in told


def test_complaints_that_only_begin_alike_stay_apart():
    """The shell's name before them is no complaint."""
    told = brief(
        work(
            *ran("1", "run (a", "(eval):1: parse error near `a'"),
            *ran("2", "rm *.x", "(eval):1: no matches found: *.x"),
            *ran("3", "meter --all", "(eval):1: command not found: meter"),
        ),
        budget=2000,
        source="compact",
    )
    assert "failed alike" not in told
    assert told.count("(not run again)") == 3


def test_what_the_user_interrupted_goes_before_what_merely_failed():
    """It was not wanted, or it hung."""
    found = work(
        *ran("1", "killall panel && panel &", "Exit code 137\n[Request interrupted by user for tool use]"),
        *ran("2", "panel --check --all", "panel: the second screen is not connected"),
    )
    failed, interrupted = failed_items(found, 8000)
    assert "killall panel" in interrupted.text
    assert interrupted.worth / len(interrupted.text) > failed.worth / len(failed.text)
