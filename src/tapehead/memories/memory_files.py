"""The files of the durable memory: one for each thing, and the index. Whoever reads them puts the index right where a crash left it."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.documents import hand_edited
from tapehead.memories import likeness, memory_list
from tapehead.memories.memory import Memory, name_for, render_memory, understood

if TYPE_CHECKING:
    from tapehead.store.paths import Layout


class Shelf:
    """The memories of one project, or of whatever the user's directory holds."""

    def __init__(self, layout: Layout, directory: str = "") -> None:
        self.layout = layout
        self.directory = os.path.expanduser(directory) if directory else os.path.join(layout.root, "memories")
        self.follow = bool(directory)
        """Links are followed in a directory of the user's own, and never in the store."""

    @property
    def index(self) -> str:
        """Where the index is."""
        return os.path.join(self.directory, memory_list.FILE)

    def path(self, memory: Memory) -> str:
        """Where a memory is."""
        return os.path.join(self.directory, memory.file)

    def memories(self) -> list[Memory]:
        """All that there are, by name. A file that cannot be read is passed over."""
        found = []
        for file in self._files():
            with suppress(OSError):
                text = hand_edited.text_of(os.path.join(self.directory, file), follow=self.follow)
                found.append(understood(text, file.removesuffix(".md")))
        return found

    def ordered(self) -> list[Memory]:
        """All of them in the order of the index, where a user may have put the important ones first."""
        place = {file: n for n, file in enumerate(memory_list.list_linked(self.index_text()))}
        return sorted(self.memories(), key=lambda memory: (place.get(memory.file, len(place)), memory.name))

    def index_text(self) -> str:
        """The index as it stands."""
        return hand_edited.text_of(self.index, follow=self.follow)

    def save(self, memory: Memory) -> Memory:
        """Writes a memory and its line; one of the same name is replaced. The file first: a line never points to nothing."""
        with hand_edited.editing(self.layout):
            hand_edited.put(self.path(memory), render_memory(memory), follow=self.follow)
            self._align(memory)
        return memory

    def add(self, memory: Memory) -> Memory:
        """Writes a memory under a name that nobody has; what is there already in other words is not written again."""
        with hand_edited.editing(self.layout):
            taken = {each.name: each for each in self.memories()}
            there = next((each for each in taken.values() if likeness.same(each.text, memory.text)), None)
            if there is not None:
                self._align()
                return there
            memory = memory._replace(name=_free(memory.name, taken))
            hand_edited.put(self.path(memory), render_memory(memory), follow=self.follow)
            self._align(memory)
        return memory

    def forget(self, name: str) -> bool:
        """Takes a memory away: its file first, then its line; False where there is none."""
        with hand_edited.editing(self.layout):
            path = os.path.join(self.directory, f"{name}.md")
            there = os.path.isfile(path) and f"{name}.md" in self._files()
            if there:
                os.unlink(path)
            if os.path.isdir(self.directory):
                self._align()
        return there

    def align(self) -> bool:
        """Brings the index in step with the files; whether it was not."""
        if not self._files() and not os.path.exists(self.index):
            return False
        with hand_edited.editing(self.layout):
            return self._align()

    def _align(self, changed: Memory | None = None) -> bool:
        before = self.index_text()
        after = memory_list.in_step(before, self.memories())
        if changed is not None:
            after = memory_list.refresh_index(after, changed)
        if after != before:
            hand_edited.put(self.index, after, follow=self.follow)
        return after != before

    def _files(self) -> list[str]:
        try:
            names = os.listdir(self.directory)
        except OSError:
            return []
        return sorted(
            name
            for name in names
            if name.endswith(".md") and name != memory_list.FILE and os.path.isfile(os.path.join(self.directory, name))
        )


def contradictions(memories: list[Memory]) -> list[tuple[Memory, Memory]]:
    """Pairs that are about the same thing and do not agree: for a user to decide."""
    return [
        (one, other)
        for n, one in enumerate(memories)
        for other in memories[n + 1 :]
        if one.kind == other.kind and likeness.contradict(one.text, other.text)
    ]


def _free(name: str, taken: dict[str, Memory]) -> str:
    name = name_for(name)
    return next(each for each in (name, *(f"{name}-{n}" for n in range(2, len(taken) + 3))) if each not in taken)
