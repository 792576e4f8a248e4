"""Where the machine stands for one session, after the lines it has read. Every field's comment tells its life.

All of it follows from the tape: fold the lines again from nothing and you arrive here (`tapehead replay`). docs/state-file.md
is made from these comments.
"""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - the codecs read the annotations
from typing import TYPE_CHECKING

from attrs import field, frozen

from tapehead.statemachine.vocabulary import Phase

if TYPE_CHECKING:
    from typing import Any


SCHEMA_VERSION = 5

# No repr: a state prints badly in 50 fields.


@frozen(repr=False)
class PromptAttribution:
    """Whose lines changed before a prompt: taken when the prompt comes, before the agent works."""

    checkpoint_number: int = 0
    """Which checkpoint it was taken before, from 1."""
    user_lines_added: int = 0
    """Lines that the human added since the last checkpoint."""
    user_lines_removed: int = 0
    """Lines that the human removed since the last checkpoint."""
    agent_lines_added: int = 0
    """Lines that the agent added so far, from the base to the last checkpoint."""
    agent_lines_removed: int = 0
    """Lines that the agent removed so far."""
    user_added_per_file: dict[str, int] = field(factory=dict)
    """The human's added lines by file, so that a change of one's own line is known as such."""
    user_removed_per_file: dict[str, int] = field(factory=dict)
    """The lines that the human removed, by file."""
    agent_added_per_file: dict[str, int] = field(factory=dict)
    """The agents' lines that are not committed, by file."""
    agent_removed_per_file: dict[str, int] = field(factory=dict)
    """The lines that agents removed and that is not committed, by file."""
    turn: int = 0
    """The turn that the prompt began."""
    unknown: dict[str, Any] = field(factory=dict, hash=False)
    """Fields of a newer version. Kept at load, written back at save; nothing here reads them."""


@frozen(repr=False)
class TokenUsage:
    """What the model was fed and gave, as the transcript's own numbers say, each message once."""

    input: int = 0
    """Tokens read without a cache."""
    output: int = 0
    """Tokens written."""
    cache_read: int = 0
    """Tokens read from the cache."""
    cache_creation: int = 0
    """Tokens put into the cache."""
    unknown: dict[str, Any] = field(factory=dict, hash=False)
    """Fields of a newer version. Kept at load, written back at save; nothing here reads them."""


@frozen(repr=False)
class Failure:
    """How often an action failed, and what it said last. It stays until `doctor --fix` or gc: people look later."""

    count: int = 0
    """Times since the session began."""
    last_at: datetime | None = None
    """When it failed last."""
    reason: str = ""
    """What it said then."""
    unknown: dict[str, Any] = field(factory=dict, hash=False)
    """Fields of a newer version. Kept at load, written back at save; nothing here reads them."""


@frozen(repr=False)
class Waiting:
    """What an agent waits for. A mark beside the phase, not a phase: docs/architecture.md says why."""

    what: str = ""
    """`approval` of a tool, an answer to a `question`, or the next `prompt`."""
    since: datetime | None = None
    """When the agent asked."""
    tool: str = ""
    """The tool that is to be approved, by the agent's own name."""
    detail: str = ""
    """What the tool is to do: a command, a file, a question."""
    key: str = ""
    """A checksum of all that the tool is given: the answer is found by it in the transcript."""
    agent_id: str = ""
    """The subagent that asks; empty where the session itself does."""
    told: bool = False
    """Whether notify.command was started for it."""
    unknown: dict[str, Any] = field(factory=dict, hash=False)
    """Fields of a newer version. Kept at load, written back at save; nothing here reads them."""


@frozen(repr=False)
class State:
    """One session. A change is a new value, so an action that fails leaves no half of one."""

    session_id: str
    """The agent's own id. Set once, when the first line is folded; names every file of the session."""
    schema_version: int = SCHEMA_VERSION
    """The shape of this file. Set by the version that wrote it; a newer one than ours is kept as it is."""
    agent: str = ""
    """Which agent runs the session, such as `claude`. Set by the first line of an agent; read to find its transcript."""
    agent_version: str = ""
    """The agent's version. Set from the transcript at INGEST; for people who ask why something differs."""
    tapehead_version: str = ""
    """The version of tapehead that first recorded it. Set once, by the first start or INGEST; for people who ask why something differs."""
    model: str = ""
    """The model that answers. Set by a start that says it, then from the transcript; newest wins."""
    phase: Phase = Phase.IDLE
    """Where the machine stands. Set by every event; never by anything else."""
    phase_before: Phase = Phase.IDLE
    """Where it stood before the last event: with `phase`, the machine's last move. Set by every event."""
    phase_as_found: str = ""
    """A phase that this version does not know, as the file had it (it was then read as idle). doctor names it; the next event clears it."""
    started_at: datetime | None = None
    """When the first line came. Set once."""
    ended_at: datetime | None = None
    """When the session was closed. Set by CLOSE, cleared by REOPEN; gc counts its 7 days from here."""
    last_interaction_at: datetime | None = None
    """When the agent or its user last did something. Set by TOUCH, never by a commit; stale sessions are found by it."""
    duration_ms: int = 0
    """How long it has lasted, from its first line to its last interaction, pauses included. Set by TOUCH."""
    turn_id: str = ""
    """The turn that runs, or ran last. Set at every TURN_START: the agent's own id, or that line's."""
    turn_number: int = 0
    """Turns so far. One more at every TURN_START; 0 means that nobody has said anything yet: a ghost, until proven otherwise."""
    unanswered: bool = False
    """Whether the newest prompt has no answer yet. Set at TURN_START, cleared at TURN_END: a session that stops meanwhile is halted."""
    waiting: Waiting | None = None
    """What the agent waits for. Set by its notice, cleared by its next event, or when the transcript shows the answer."""
    worktree_path: str = ""
    """The root of the worktree. Set by every start and turn: a worktree can be moved."""
    worktree_id: str = ""
    """Git's name for the worktree, empty for the main one. Set with the path; it survives `git worktree move`."""
    branch: str = ""
    """The branch that is checked out there. Set by every line that names it: work in flight on another one is offered to nobody."""
    base_commit: str = ""
    """HEAD when the session started. Set by the first start or turn that knows it; moves on with every checkpoint."""
    attribution_base_commit: str = ""
    """The commit that lines are attributed against. Set with base_commit, moves only after a checkpoint was written."""
    files_touched: tuple[str, ...] = ()
    """Files that the agent edited, as its transcript says, not yet in a checkpoint. Grows at INGEST, shrinks at CONDENSE."""
    untracked_files_at_start: tuple[str, ...] | None = None
    """Files that were there, unknown to git, before the agent worked: a rewind keeps them. Set once, by the survey after the first start."""
    step_count: int = 0
    """Checkpoints so far. One more at every CONDENSE."""
    turn_checkpoint_ids: tuple[str, ...] = ()
    """Checkpoints made in this turn. Grows at CONDENSE, cleared when the next turn starts."""
    unfinished_checkpoints: tuple[str, ...] = ()
    """Checkpoints made while their turn still ran. Grows at CONDENSE in mid-turn; emptied when the worker has finished them after the turn."""
    last_checkpoint_id: str = ""
    """The newest checkpoint. Set at CONDENSE; an amend finds its trailer again by it."""
    checkpoint_turn: int = 0
    """The turn that the newest checkpoint went up to. Set at CONDENSE; the next one begins after it."""
    checkpoint_offset: int = 0
    """The byte of the transcript that the newest checkpoint went up to. Set at CONDENSE, and when it is finished; the next one begins there."""
    agent_lines_checkpointed: int = 0
    """Lines of this session's in commits so far. Grows at CONDENSE; a prompt's attribution counts from it."""
    fully_condensed: bool = False
    """Nothing is left for a checkpoint to hold. Set at CONDENSE after the end, cleared by REOPEN."""
    transcript_path: str = ""
    """The agent's own record of the conversation. Set by every line that names one; read by INGEST and CAPTURE."""
    transcript_identifier: str = ""
    """The name of the file that was taken in last: an agent may go on in another one. Set at INGEST."""
    transcript_offset: int = 0
    """The byte of that file after the last line taken in. Set at INGEST; the next one starts there."""
    last_prompt: str = ""
    """What the human asked last, shortened for display. Set at every TURN_START that is not the agent's own doing."""
    prompt_attributions: tuple[PromptAttribution, ...] = ()
    """One per prompt, oldest first. Grows when a step is kept."""
    pending_prompt_attribution: PromptAttribution | None = None
    """The one taken when the running turn started. Moves into prompt_attributions when a step is kept."""
    token_usage: TokenUsage = TokenUsage()
    """The sum over the session. Grows at INGEST."""
    context_tokens: int | None = None
    """How full the model's window was at its last answer. Set at INGEST, or by a start that says it; None where unknown, and after a compaction."""
    contexts: tuple[int, ...] = ()
    """The same after each of the last turns, oldest first: a forecast needs their pace. Grows at INGEST, emptied by a compaction."""
    context_estimate: int = 0
    """About how full it is, worked out from the text where the agent counts nothing. Grows at INGEST, emptied by a compaction."""
    context_window: int | None = None
    """The size of that window, where the agent says it; never guessed."""
    compaction_count: int = 0
    """Compactions that happened (not those only announced). One more at the start that follows one, or at COMPACTED."""
    compacted_at: datetime | None = None
    """When the last of them was over. Set where it is counted."""
    capture_failures: int = 0
    """Captures that failed in a row. One more at each failure, 0 at a success; three block further ones at compactions."""
    blocked_told: bool = False
    """The user was told that captures are blocked. Set by WARN_BLOCKED, cleared when they are not any more: once is enough."""
    captured_at: datetime | None = None
    """When the capture was last written. Set at CAPTURE."""
    brief_tokens: int | None = None
    """About what the brief would cost at the last capture. Set at CAPTURE; doctor warns above 2,500."""
    failures: dict[str, Failure] = field(factory=dict)
    """What failed, by action. Grows with every failure; doctor lists it, `doctor --fix` clears it."""
    unrecorded: dict[str, Any] = field(factory=dict)
    """From when to when prompts came that no hook could record, and how many (`from`, `to`, `prompts`). Set at INGEST, which finds them in the transcript; doctor tells, `doctor --fix` clears it."""
    pending_restore: str = ""
    """The line whose RESTORE is not said yet. Set by RESTORE, cleared when the text was handed to the agent."""
    pending_steer: str = ""
    """The line whose STEER has not been said yet. Set by STEER, cleared when it was said, or when the compaction is over."""
    pending_warnings: tuple[str, ...] = ()
    """What the user is to be told. Set by WARN_STALE and WARN_BLOCKED, cleared when it was said."""
    neighbours: tuple[str, ...] = ()
    """Other sessions at work in the same worktree of which the model was told, or is to be told. Grows with a start that sees one, or when the worker does."""
    pending_neighbours: tuple[str, ...] = ()
    """Those of them of which it has not been told yet. Set with them, cleared when it was told."""
    awaiting_receipt: str = ""
    """The checksum of the text that was handed to the agent and not yet seen in its transcript. Set when a brief is given, cleared when it was seen."""
    delivery: str = ""
    """Whether the last brief reached the model: `delivered`, `cut` or `missing`, by the agent's own record. Set after the turn, cleared by the next brief."""
    start_source: str = ""
    """Why the agent last started this session: startup, resume, clear, compact. Set by every start, and by a compaction that is over; `unrecorded` where turns are found that nobody could record; chooses how much is handed back."""
    predecessor: str = ""
    """The session that this one continues. Set by a start that found one."""
    predecessor_rule: int = 0
    """Which rule found it: a number in actions/predecessor.py. Set with it."""
    compactions_told: int = 0
    """How many compactions the model was told about. Set when a brief is given; where it is smaller than the count, one is owed."""
    turns_before: int = 0
    """How many turns the session had when it last started. Set by every start; tells a session that continues a new one."""
    broken_off: str = ""
    """The prompt that had no answer when the session started again. Set by every start; empty where there was none."""
    handoff_cleared: bool = False
    """Whether the handoff that this start got was left by a `/clear`, and not named by the user. Set by every start."""
    handoff_missed: str = ""
    """A handoff that this start did not get, and why, in words for the model. Set by every start; empty where there was none."""
    forked: bool = False
    """Whether its transcript begins with another session's lines. Set by a start that says so; what was copied is counted there."""
    one_off: bool = False
    """Whether it is a single run, such as `claude -p`. Set by every start; nobody continues one by chance."""
    host_pid: int | None = None
    """The agent's process. Set by every start and turn; when it is gone, the session was lost."""
    host_started: str = ""
    """When that process started, as the system counts: a pid that was given away again is not mistaken for it. Set with host_pid."""
    terminal: str = ""
    """The terminal of the agent's process (a hook itself has none). Set with host_pid."""
    terminal_started: str = ""
    """When that terminal was opened, as the system counts: its number is given away again. Set with host_pid."""
    tape_offset: int = 0
    """The byte up to which the tape has been read. Saved with everything else in one step: no line is folded twice, or never."""
    unknown: dict[str, Any] = field(factory=dict, hash=False)
    """Fields of a newer version. Kept at load, written back at save; nothing here reads them."""


def is_at_work(state: State) -> bool:
    """Whether the agent works on something: also after a compaction in mid-turn, which leaves the prompt unanswered."""
    return state.phase.is_working or (not state.phase.is_closed and state.unanswered)


STALE_AFTER_SECONDS = 7 * 24 * 3600


def is_stale(state: State, now: datetime) -> bool:
    """Whether nothing was heard of the session for so long (7 days) that gc may archive it: since its last interaction, else its start.

    Its end is no sign of life: that of a lost process is told by whoever finds it gone, maybe weeks later.
    """
    heard = state.last_interaction_at or state.started_at or state.ended_at
    return heard is not None and (now - heard).total_seconds() > STALE_AFTER_SECONDS
