// tapehead for OpenCode: tells `tapehead hook opencode` what happens, and hands the model what it answers.
// Written by `tapehead install --agent opencode`; `tapehead uninstall --agent opencode` takes it away.
//
// Nothing in here may fail or hold up the session: a hook that cannot be run, or takes too long, has said nothing.
import { spawn, spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"

const COMMAND = "tapehead hook opencode"
const MILLISECONDS = 10_000
const JOURNALS = path.join(
  path.isAbsolute(process.env.XDG_STATE_HOME ?? "") ? process.env.XDG_STATE_HOME : path.join(os.homedir(), ".local", "state"),
  "tapehead",
  "opencode",
)

// One payload to the hook; what it prints, in words, or nothing.
function ask(payload) {
  return new Promise((resolve) => {
    let said = ""
    const answer = () => resolve(said.trim())
    try {
      const child = spawn("/bin/sh", ["-c", COMMAND], { stdio: ["pipe", "pipe", "ignore"] })
      const alarm = setTimeout(() => child.kill(), MILLISECONDS)
      child.on("error", answer)
      child.on("close", () => (clearTimeout(alarm), answer()))
      child.stdout.on("data", (data) => (said += data))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(payload))
    } catch {
      resolve("")
    }
  })
}

// What the hook has for the model and for the person; anything but an object is nothing.
function meant(said) {
  try {
    return JSON.parse(said) ?? {}
  } catch {
    return {}
  }
}

// The host keeps its conversations in a database. Here each message of a session that is over is one line, for the memory.
class Journal {
  constructor(session, about) {
    this.session = session
    this.about = about
    this.file = path.join(JOURNALS, `${session}.jsonl`)
    this.last = ""
    try {
      const ids = fs.readFileSync(this.file, "utf8").match(/^\{"type":"message","id":"[^"]+"/gm) ?? []
      this.last = ids.length ? ids[ids.length - 1].slice(24, -1) : ""
      this.begun = true
    } catch {
      this.begun = false
    }
  }

  write(messages) {
    const lines = this.begun ? [] : [{ type: "session", id: this.session, ...this.about }]
    for (const { info, parts } of messages) {
      if (info.id <= this.last) continue
      if (info.role === "assistant" && !info.time?.completed) break
      lines.push({ type: "message", id: info.id, info, parts })
      this.last = info.id
    }
    this.append(lines)
  }

  append(lines) {
    if (!lines.length) return
    fs.mkdirSync(JOURNALS, { recursive: true, mode: 0o700 })
    fs.appendFileSync(this.file, lines.map((line) => JSON.stringify(line) + "\n").join(""), { mode: 0o600 })
    this.begun = true
  }
}

export const Tapehead = async ({ client, directory, worktree }) => {
  const sessions = new Map() // the person's own sessions by id; a subagent's has null
  const created = new Set()

  const about = async (id) => {
    try {
      return (await client.session.get({ path: { id } })).data ?? {}
    } catch {
      return {}
    }
  }

  // The session, or nothing where it is a subagent's.
  const known = async (id) => {
    if (!sessions.has(id)) {
      const info = await about(id)
      const where = info.directory ?? directory
      const journal = new Journal(id, { directory: where, version: info.version })
      sessions.set(id, info.parentID ? null : { id, where, journal, started: false, working: false, queue: Promise.resolve() })
    }
    return sessions.get(id)
  }

  const payload = (session, hook, fields = {}) => ({
    agent: "opencode",
    session_id: session.id,
    hook_event_name: hook,
    cwd: session.where ?? worktree,
    transcript_path: session.journal.file,
    ...fields,
  })

  // One after another for each session: what happened first is told first.
  const tell = (session, hook, fields) => {
    session.queue = session.queue.then(() => ask(payload(session, hook, fields))).catch(() => "")
    return session.queue
  }

  const context = async (session, hook, fields) => {
    const { context, person } = meant(await tell(session, hook, fields))
    if (person) await client.tui?.showToast({ body: { message: person, variant: "warning" } }).catch(() => {})
    return context ?? ""
  }

  const messages = async (session) => {
    try {
      return (await client.session.messages({ path: { id: session.id } })).data ?? []
    } catch {
      return []
    }
  }

  const writeDown = async (session) => {
    const all = await messages(session)
    try {
      session.journal.write(all)
    } catch {}
    return all
  }

  // A compaction is over: once for each, whichever of the host's signs comes first.
  const compacted = async (session) => {
    if (!session.compacting) return
    const trigger = session.compacting
    session.compacting = ""
    const all = await writeDown(session)
    const last = all.findLast(({ info }) => info.summary === true)
    const summary = (last?.parts ?? []).filter((part) => part.type === "text").map((part) => part.text).join("\n")
    await tell(session, "PostCompact", { trigger, summary })
    // In mid-turn there is no prompt to put it behind.
    if (session.working) session.story = await context(session, "SessionStart", { source: "compact" })
  }

  const handlers = {
    "session.created": ({ info }) => created.add(info.id),
    "message.part.updated": ({ part }) => {
      const session = sessions.get(part.sessionID)
      if (session && part.type === "compaction") session.trigger = part.auto ? "auto" : "manual"
    },
    "session.compacted": ({ sessionID }) => {
      const session = sessions.get(sessionID)
      if (session) session.settling = compacted(session)
      return session?.settling
    },
    "session.error": ({ sessionID, error }) => {
      const session = sessions.get(sessionID)
      if (session && error?.name !== "MessageAbortedError") session.error = error?.data?.message ?? error?.name ?? "error"
    },
    "session.idle": async ({ sessionID }) => {
      const session = sessions.get(sessionID)
      if (!session?.working) return
      session.working = false
      const all = await writeDown(session)
      const last = all.findLast(({ info }) => info.role === "assistant")
      const reply = (last?.parts ?? []).filter((part) => part.type === "text").map((part) => part.text).join("\n")
      const { error } = session
      session.error = ""
      await (error ? tell(session, "StopFailure", { error }) : tell(session, "Stop", { reply }))
    },
    "session.deleted": async ({ info }) => {
      const session = sessions.get(info.id)
      if (session?.started) await tell(session, "SessionEnd", { reason: "deleted" })
      sessions.delete(info.id)
    },
  }

  return {
    event: async ({ event }) => {
      try {
        await handlers[event.type]?.(event.properties ?? {})
      } catch {}
    },

    "chat.message": async ({ sessionID }, output) => {
      try {
        const session = await known(sessionID)
        if (!session) return
        session.working = true
        session.compacting = session.story = "" // what is owed rides on this prompt, and stays in the conversation
        let story = ""
        if (!session.started) {
          session.started = true
          const source = created.has(sessionID) ? "startup" : "resume"
          story = await context(session, "SessionStart", { source })
        }
        const own = output.parts.filter((part) => part.type === "text" && !part.synthetic)
        const prompt = own.map((part) => part.text).join("\n")
        const more = await context(session, "UserPromptSubmit", { prompt, model: output.message.model?.modelID })
        const text = [story, more].filter(Boolean).join("\n\n")
        if (text)
          output.parts.push({
            id: `prt_${(own.at(-1)?.id ?? output.message.id).replace(/^[a-z]+_/, "")}z`,
            sessionID,
            messageID: output.message.id,
            type: "text",
            text,
            synthetic: true,
          })
      } catch {}
    },

    "experimental.session.compacting": async ({ sessionID }, output) => {
      try {
        const session = await known(sessionID)
        if (!session) return
        session.compacting = session.trigger ?? "auto"
        session.story = ""
        await writeDown(session)
        const steer = await tell(session, "PreCompact", { trigger: session.compacting })
        if (steer) output.context.push(steer)
      } catch {}
    },

    // Called before the host goes on by itself, and waited for: the sign that comes in time.
    "experimental.compaction.autocontinue": async ({ sessionID }) => {
      const session = sessions.get(sessionID)
      if (session) await compacted(session).catch(() => {})
    },

    // Every request goes through here, the summariser's too.
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const session = sessions.get(sessionID)
      if (!session || session.compacting) return
      await Promise.resolve(session.settling).catch(() => {})
      if (!session.story) return
      output.system.push(session.story)
      if (session.told === session.story) return
      session.told = session.story
      try {
        session.journal.append([{ type: "told", text: session.story }]) // the host does not write it down
      } catch {}
    },

    dispose: async () => {
      for (const session of sessions.values()) {
        if (!session?.started) continue
        await session.queue.catch(() => {})
        const input = JSON.stringify(payload(session, "SessionEnd", { reason: "exit" }))
        spawnSync("/bin/sh", ["-c", COMMAND], { input, timeout: MILLISECONDS, stdio: ["pipe", "ignore", "ignore"] })
        session.started = false
      }
    },
  }
}
