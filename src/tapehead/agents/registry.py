"""The agents that tapehead knows, one module each, in one dict. Light: a hook looks its agent up here.

A module has: HOST, LIMIT, HOOKS, heard(payload, env), directory(payload, env), carries_context(hook), reply(...).
"""

from tapehead.agents.claude import hooks as claude

AGENTS = {claude.HOST: claude}
