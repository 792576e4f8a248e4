// Stands in for OpenCode: loads the plugin and does to it what a script of steps says; prints what came of each.
//   node opencode_host.mjs PLUGIN '{"sessions": {...}, "messages": {...}, "steps": [[hook, input, output], ...]}'
const [plugin, script] = process.argv.slice(2)
const { sessions = {}, messages = {}, steps } = JSON.parse(script)
const { Tapehead } = await import(plugin)
const toasts = []
const client = {
  session: {
    get: async ({ path }) => ({ data: sessions[path.id] }),
    messages: async ({ path }) => ({ data: messages[path.id] ?? [] }),
  },
  tui: { showToast: async ({ body }) => void toasts.push(body.message) },
}
const hooks = await Tapehead({ client, directory: process.cwd(), worktree: process.cwd() })
const came = []
for (const [name, input, output = {}] of steps) {
  if (name === "messages") messages[input.session] = output
  else await hooks[name](input, output)
  came.push(output)
}
console.log(JSON.stringify({ came, toasts }))
