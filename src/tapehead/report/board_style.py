"""How the pages of `tapehead web` look and what they do by themselves, on top of a report's own style and script."""

from __future__ import annotations

from tapehead.report.style import CSS, SCRIPT

BOARD_STYLE = (
    CSS
    + """
.line{display:flex;flex-wrap:wrap;gap:.4rem .6rem;align-items:center;justify-content:space-between}
.seek{display:flex;margin:1rem 0 .25rem} .seek input{background:var(--card);padding:.6rem .9rem;font-size:1rem;border-radius:12px}
.group,#found{background:none;border:0;padding:0;margin:1.75rem 0} .group h2,#found h2{margin-bottom:.75rem}
.group.waiting h2{color:var(--amber)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,310px),1fr));gap:1rem}
a.card{display:flex;flex-direction:column;gap:.5rem;margin:0;padding:1rem 1.1rem;border-radius:14px;background:var(--card);color:inherit;min-width:0;transition:border-color .15s}
a.card:hover,a.card:focus-visible,a.hit:hover,a.hit:focus-visible{text-decoration:none;border-color:var(--blue);outline:0}
a.card.waiting{border-color:var(--amber);box-shadow:0 0 0 1px var(--amber)}
a.card.over .asked{font-weight:500}
a.card.new{animation:new 1.6s ease-out} @keyframes new{from{background:var(--blue-soft)}}
.asked{overflow-wrap:anywhere;display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden;line-height:1.4}
.waits{color:var(--amber);font-weight:600;font-size:.9rem;overflow-wrap:anywhere}
.place{font-size:.88rem;overflow-wrap:anywhere}
svg.room{width:100%;height:6px;border-radius:3px;background:var(--line);margin-bottom:.3rem} .fill{fill:var(--green)} .fill.warning{fill:var(--amber)} .fill.error,.fill.compacts,.fill.blocked{fill:var(--red)}
#hits{display:flex;flex-direction:column;gap:.6rem}
a.hit{display:block;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.75rem 1rem;color:inherit}
.snippet{display:block;margin-top:.3rem;overflow-wrap:anywhere;white-space:pre-line} mark{background:var(--blue-soft);color:inherit;font-weight:600;border-radius:3px;padding:0 .15em}
.back{font-weight:600} #news{margin-left:auto;border-color:var(--blue);color:var(--blue)} #news:not([hidden])+button{margin-left:0}
#counted{margin:0 0 .25rem}
@media (prefers-reduced-motion:reduce){a.card.new{animation:none} a.card{transition:none}}
"""
)

_AGES = """
  const ages = () => {
    const now = Date.now() / 1000;
    for (const one of document.querySelectorAll("time[data-at]")) {
      const gone = Math.max(0, now - one.dataset.at);
      one.title = one.title || one.textContent;
      one.textContent = gone < 60 ? "just now" : gone < 3600 ? Math.floor(gone / 60) + " min ago"
        : gone < 86400 ? Math.floor(gone / 3600) + " h ago" : Math.floor(gone / 86400) + " d ago";
    }
  };
"""

BOARD_SCRIPT = (
    SCRIPT
    + """
(() => {
  const field = document.getElementById("search"), main = document.querySelector("main");
  const found = document.getElementById("found"), hits = document.getElementById("hits"), state = document.getElementById("state");
  const groups = ["waiting", "open", "over"].map(name => document.getElementById(name));"""
    + _AGES
    + """
  const words = () => field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const sift = () => {
    const looked = words();
    for (const group of groups) {
      let shown = 0;
      for (const card of group.querySelectorAll("a.card")) {
        card.hidden = !looked.every(word => card.textContent.toLowerCase().includes(word));
        shown += !card.hidden;
      }
      group.hidden = !shown;
    }
  };
  const made = html => {
    const box = document.createElement("template");
    box.innerHTML = html;
    return box.content;
  };
  let asked = 0, waiting = 0;
  const seek = async () => {
    const mine = ++asked, text = field.value.trim();
    if (text.length < 2) { found.hidden = true; hits.replaceChildren(); state.textContent = ""; return; }
    try {
      const answer = await (await fetch("./search?q=" + encodeURIComponent(text))).json();
      if (mine !== asked) return;
      hits.replaceChildren(made(answer.html));
      found.hidden = !answer.count;
      const cards = document.querySelectorAll("a.card:not([hidden])").length;
      state.textContent = answer.count || cards ? "" : "No matches for '" + text + "'";
    } catch { if (mine === asked) state.textContent = "The server does not answer. Is `tapehead web` still running?"; }
  };
  field.addEventListener("input", () => { sift(); clearTimeout(waiting); waiting = setTimeout(seek, 150); });
  addEventListener("keydown", event => {
    if (event.key === "/" && document.activeElement !== field) { event.preventDefault(); field.focus(); }
    if (event.key === "Escape" && document.activeElement === field) { field.value = ""; sift(); seek(); }
  });
  const take = news => {
    const known = new Map([...document.querySelectorAll("a.card")].map(card => [card.dataset.key, card]));
    for (const [key, html] of Object.entries(news.cards)) {
      const card = made(html).firstElementChild;
      card.classList.add("new");
      known.set(key, card);
    }
    for (const group of groups) {
      const cards = news.order.map(key => known.get(key)).filter(card => card && card.dataset.group === group.id);
      const box = group.querySelector(".cards");
      if (cards.length !== box.children.length || cards.some((card, at) => box.children[at] !== card)) box.replaceChildren(...cards);
    }
    document.getElementById("counted").textContent = news.counted;
    document.getElementById("none").hidden = news.order.length > 0;
    document.title = (news.waiting ? "(" + news.waiting + ") " : "") + "Sessions - tapehead";
    ages();
    sift();
  };
  const source = new EventSource("./events?have=" + main.dataset.version);
  source.addEventListener("message", event => { state.textContent = ""; take(JSON.parse(event.data)); });
  source.addEventListener("error", () => { state.textContent = "Not connected. Is `tapehead web` still running?"; });
  source.addEventListener("open", () => { state.textContent = ""; });
  addEventListener("pagehide", () => source.close());
  setInterval(ages, 20000);
  ages();
})();
"""
)

SESSION_SCRIPT = (
    SCRIPT
    + """
(() => {
  const news = document.getElementById("news");
  news.addEventListener("click", () => location.reload());
  const source = new EventSource(news.dataset.watch);
  source.addEventListener("message", () => { news.hidden = false; source.close(); });
  addEventListener("pagehide", () => source.close());
})();
"""
)
