"""The console script. A hook is told apart before anything heavy is loaded."""

import gc
import os
import sys
from typing import TYPE_CHECKING

from tapehead.startup import stand_ins

if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> None:
    """Runs a hook, or the commands of people."""
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & {*sys.argv[2:]}:
        run_hook("".join(sys.argv[2:3]))  # also with too few words or too many: an exit code of 2 would block the agent
    if sys.argv[1:] == ["statusline"] and not os.isatty(0):
        run_statusline()
    _descriptors_taken()
    _start_warm()
    if sys.argv[1:2] == ["brief"] and _briefed(sys.argv[2:]):
        return
    _take_in_spool()
    gc.disable()  # nothing of what is loaded now is garbage: looking for some costs a short command time
    from tapehead.cli.app import app  # noqa: PLC0415 - a hook never gets here
    from tapehead.cli.output import run  # noqa: PLC0415 - neither
    from tapehead.cli.streams import guard  # noqa: PLC0415 - neither

    gc.enable()
    guard()
    _leave(run(app, prog_name="tapehead"))


def _leave(code: int) -> None:
    """Ends without taking the interpreter apart: that takes longer than what many a command does."""
    import atexit  # noqa: PLC0415 - a hook never gets here

    try:
        atexit._run_exitfuncs()  # noqa: SLF001 - it has no other name
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        sys.exit(code)  # a stream that is closed, or nobody reads any more: Python knows what to say
    os._exit(code)


def _briefed(words: list[str]) -> bool:
    from tapehead.cli.transcript_brief import quickly  # noqa: PLC0415 - only for a brief

    return quickly(words)


def run_hook(host: str) -> None:
    """Whatever happens inside, the agent sees an exit code of 0 and nothing that it could misread.

    os._exit leaves out the interpreter's tidying up, which a hook has no use for.
    """

    def heard() -> str:
        from tapehead.engine.hook import run  # noqa: PLC0415 - a broken install must not break the agent

        return run(host, 0, os.environ, "".join(sys.argv[4:5]))

    def heard_of_git() -> str:
        from tapehead.engine.git_hook import run  # noqa: PLC0415 - as above

        _take_in_spool()
        run(sys.argv[3:], os.environ)
        return ""

    def take_in() -> str:
        from tapehead.engine.spool_intake import main as taken_in  # noqa: PLC0415 - as above

        taken_in("".join(sys.argv[3:4]))
        return ""

    _for_a_host({"git": heard_of_git, "spool": take_in}.get(host, heard))


def _start_warm() -> None:
    """Take what former processes left, so that all that follows loads faster."""
    from tapehead.engine.store_location import state_home  # noqa: PLC0415 - a broken install must not break the agent
    from tapehead.startup import warm_start  # noqa: PLC0415 - as above

    warm_start.install(state_home(os.environ))


def _take_in_spool() -> None:
    """What hooks told and nobody has put on its tape yet: whoever reads tapes does so first. What goes wrong there is doctor's to say."""
    try:
        from tapehead.engine.spool import folder_in, has_entries  # noqa: PLC0415 - as above
        from tapehead.engine.store_location import state_home  # noqa: PLC0415 - as above

        if has_entries(folder_in(state_home(os.environ))):
            from tapehead.engine.spool_intake import take_in_first  # noqa: PLC0415 - rarely needed

            take_in_first(os.environ)
    except Exception as error:  # noqa: BLE001 - as above
        if os.environ.get("TAPEHEAD_DEBUG"):
            _say(f"tapehead: {type(error).__name__}: {error}")


def run_statusline() -> None:
    """The same for the line below the agent's prompt."""

    def looked() -> str:
        from tapehead.engine.statusline import run  # noqa: PLC0415 - as above

        return run(0, os.environ)

    _for_a_host(looked)


def _for_a_host(work: "Callable[[], str]") -> None:
    gc.disable()  # a life of milliseconds: what it would collect is given back at the end anyway
    try:
        _standard_library_first()
        _descriptors_taken()
        stand_ins.install_for_hooks()
        if not os.environ.get("TAPEHEAD_INTERNAL"):  # what tapehead itself starts never sets off tapehead
            _start_warm()
            said = work()
            if said:
                os.write(1, said.encode("utf-8", "replace") + b"\n")
    except BaseException as error:  # noqa: BLE001 - the agent must never suffer
        if os.environ.get("TAPEHEAD_DEBUG"):
            _say(f"tapehead: {type(error).__name__}: {error}")
        if sys.argv[3:4] == ["guarded"] and not _has_read():
            os._exit(1)  # to our own script (agents/hook.sh), which keeps the payload and tells the agent 0
    os._exit(0)


def _has_read() -> bool:
    """Whether the payload was begun to be read: what could not even be loaded has not."""
    return bool(getattr(sys.modules.get("tapehead.engine.stdin"), "READ", ()))


def _say(word: str) -> None:
    try:
        os.write(2, ascii(word)[1:-1].encode() + b"\n")
    except OSError:
        return  # nor can anybody be told that


def _standard_library_first() -> None:
    """A work tree that stands in PYTHONPATH, or a folder of scripts, may hold a json.py: it is none of ours."""
    library = os.path.dirname(os.__file__)
    if library in sys.path:
        place = sys.path.index(library)
        sys.path[:] = sys.path[place:] + sys.path[:place]


def _descriptors_taken() -> None:
    """Where an agent closed stdin, stdout or stderr, no file of ours may get its number: others write there."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, which is this one
