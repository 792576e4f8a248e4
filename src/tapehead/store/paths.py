"""Where each thing of a store lives, and which session ids may become a file name. Light: a hook loads it every time."""

import os
import stat

from tapehead import door, system

STORE = "tapehead"
"""The name of a store in a git common dir."""
GUESTS = "guests"
FOLDERS = (
    *("sessions", "captures", "batons", "places", "archive", "aside", "lines.git", "memories", "transcripts", GUESTS),
    *(f"{GUESTS}/{name}" for name in ("sessions", "captures", "batons", "places", "archive", "aside")),
)
"""The folders of a store. None of them is ever a link."""
_MADE_WHOLE = frozenset(FOLDERS) - {"archive"}
"""Those that a store is made with: by their names it is known where the store itself begins. (Captures have archives too.)"""

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))})
"""What Windows takes for a device in every directory, whatever ending follows."""
_LONGEST = 128  # with our endings it stays well below the 255 bytes that file systems allow


def is_session_id(word: object) -> bool:
    """Whether a word from outside may name files of ours: it can neither leave its directory nor hide in it."""
    if not isinstance(word, str) or not 0 < len(word) <= _LONGEST or word[0] in ".-" or not _LETTERS.issuperset(word):
        return False
    return system.IS_POSIX or (word[-1] != "." and word.partition(".")[0].lower() not in _DEVICES)


class Layout:
    """The names below one store's root. It makes nothing; whoever writes makes the directory first."""

    __slots__ = ("root",)

    def __init__(self, root: str) -> None:
        self.root = root

    @property
    def sessions(self) -> str:
        return os.path.join(self.root, "sessions")

    def tape(self, session_id: str) -> str:
        return os.path.join(self.root, "sessions", session_id + ".tape")

    def state(self, session_id: str) -> str:
        return os.path.join(self.root, "sessions", session_id + ".json")

    def lock(self, session_id: str) -> str:
        """Held while a session's lines are folded."""
        return os.path.join(self.root, "sessions", session_id + ".lock")

    def worker(self, session_id: str) -> str:
        """Held by the one detached settle of a session, from before it starts."""
        return os.path.join(self.root, "sessions", session_id + ".worker")

    def seen(self, session_id: str) -> str:
        """What the agent said of the session outside its hooks: model, window, cost."""
        return os.path.join(self.root, "sessions", session_id + ".seen")

    def captures(self, session_id: str) -> str:
        return os.path.join(self.root, "captures", session_id)

    def baton(self, place: str) -> str:
        return os.path.join(self.root, "batons", place + ".json")

    def place(self, place: str) -> str:
        """The starts in one worktree, newest last."""
        return os.path.join(self.root, "places", place + ".tape")

    def served(self, pid: int) -> str:
        """That an agent's process has our MCP server running."""
        return os.path.join(self.root, "places", f"{pid}.served")

    @property
    def archive(self) -> str:
        """Where `gc` puts the sessions that ended long ago."""
        return os.path.join(self.root, "archive")

    @property
    def transcripts(self) -> str:
        """The agents' transcripts, kept before the agents delete them."""
        return os.path.join(self.root, "transcripts")

    @property
    def aside(self) -> str:
        """Where unreadable files go, each with its reason."""
        return os.path.join(self.root, "aside")

    @property
    def memory(self) -> str:
        """What was said and done."""
        return os.path.join(self.root, "memory.db")

    @property
    def injections(self) -> str:
        """Every text that was handed to a model."""
        return os.path.join(self.root, "injections.tape")

    @property
    def former_work(self) -> str:
        """Whom the hooks of tools may point to, made by the worker where the setting `recall.at` asks for it."""
        return os.path.join(self.root, "former-work.json")

    @property
    def pointed(self) -> str:
        """To what each session was pointed lately: once is enough."""
        return os.path.join(self.root, "pointed.tape")

    @property
    def strays(self) -> str:
        """What came in and could not be put on any session's tape."""
        return os.path.join(self.root, "strays.tape")

    @property
    def guests(self) -> str:
        """The root of what is kept of sessions that work here and have their own store elsewhere (`engine/other_repositories.py`)."""
        return os.path.join(self.root, GUESTS)

    @property
    def is_guests(self) -> bool:
        return os.path.basename(self.root) == GUESTS

    @property
    def homes(self) -> str:
        """Where it is written which store a guest comes from, one a line (`engine/other_repositories.py`)."""
        return os.path.join(self.root, "homes.tape")

    @property
    def shared(self) -> str:
        """The root of what belongs to the repository, whoever's session it is."""
        return os.path.dirname(self.root) if self.is_guests else self.root

    @property
    def lines(self) -> str:
        """The repository in which work trees are recorded."""
        return os.path.join(self.shared, "lines.git")

    @property
    def reserved(self) -> str:
        """Which checkpoint ids were promised to which session, when a commit's message was prepared."""
        return os.path.join(self.shared, "reserved.tape")

    @property
    def commits(self) -> str:
        """The commits of which git's hook told, one a line, as the shell wrote them (`engine/commit_intake.py`)."""
        return os.path.join(self.shared, "commits.tape")

    @property
    def rewrites(self) -> str:
        """Commits that took the place of others, as post-rewrite said."""
        return os.path.join(self.shared, "rewrites.tape")

    @property
    def git_hooks(self) -> str:
        """That a user wanted our hooks in this repository, and how they call us: they are put back where others took them out."""
        return os.path.join(self.root, "git-hooks.json")

    @property
    def dismissed(self) -> str:
        """What of doctor's findings the user wants to hear no more of."""
        return os.path.join(self.root, "dismissed.json")

    @property
    def off(self) -> str:
        """That nothing is to be recorded here (`store/off_switch.py`)."""
        return os.path.join(self.shared, "off")

    @property
    def left_out(self) -> str:
        """The sessions that ran meanwhile, an empty file for each."""
        return os.path.join(self.shared, "left-out")

    @property
    def gc_mark(self) -> str:
        """Its modification time says when `gc` last ran."""
        return os.path.join(self.root, "gc.mark")


def place_name(worktree_id: str) -> str:
    """The file name for a worktree: git's own name for it, or `main`. Anything odd is spelt out in hexadecimal."""
    if not worktree_id:
        return "main"
    return "wt-" + (worktree_id if is_session_id(worktree_id) else worktree_id.encode("utf-8", "replace").hex()[:100])


def make_private(directory: str) -> None:
    """Makes a directory of a store, the folders that it stands in and the store itself, each closed to everyone else. Raises OSError.

    What the store stands in is never made: a project that was removed or moved stays so. A directory that exists is left as it is:
    doctor judges it.
    """
    try:
        _make(directory)
    except FileNotFoundError:
        parts = directory.split(os.sep)
        for number in range(_first_of_store(parts), len(parts)):
            _make(os.sep.join(parts[: number + 1]))


def _first_of_store(parts: list[str]) -> int:
    """Where in a path the store begins: at its own name, or (a store of another name) right before the first of its folders."""
    named = [number for number, part in enumerate(parts) if part == STORE]
    folders = [number - 1 for number, part in enumerate(parts) if part in _MADE_WHOLE]
    return (named or folders or [len(parts) - 1])[-1]


def _make(directory: str) -> None:
    try:
        os.mkdir(directory, 0o700)
    except FileExistsError:
        if not stat.S_ISDIR(os.lstat(directory).st_mode):
            raise NotADirectoryError(20, "not a directory of ours", directory) from None


def open_own(path: str, flags: int = os.O_RDONLY, *, with_folder: bool = True) -> int:
    """The descriptor of a file of a store: a regular one, in a folder that is no link. With O_CREAT its folder is made too, if wanted.

    Raises OSError; door.NotRegular where something else is in its place.
    """
    try:
        return _opened(path, flags)
    except door.NotRegular:
        raise
    except FileNotFoundError:
        if not flags & os.O_CREAT or not with_folder:
            raise
        make_private(os.path.dirname(path))
        return _opened(path, flags)


def _opened(path: str, flags: int) -> int:
    folder = os.path.dirname(path)
    if stat.S_ISLNK(os.lstat(folder).st_mode):
        raise door.NotRegular(2, "in a folder that is a link", path)
    return door.open_file(path, flags, follow=False)
