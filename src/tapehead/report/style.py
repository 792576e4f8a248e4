"""How a page looks, and the little that it does by itself: two constant texts, known to the page's policy by their hashes (document.py)."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

_LIGHT = """--page:#f5f6f8;--card:#fff;--ink:#1b2430;--soft:#5a6675;--line:#dfe4ea;--code:#f2f4f7;--blue:#2368b5;--blue-soft:#dbe9f8;
--green:#217a4b;--green-soft:#dff3e7;--red:#b93434;--red-soft:#fbe4e2;--violet:#6a3fb5;--violet-soft:#ece4fa;--amber:#96650c;--grey:#8a95a3"""
_DARK = """--page:#10141a;--card:#181e27;--ink:#e4e9f0;--soft:#9aa6b5;--line:#2b3441;--code:#11161d;--blue:#6db3f2;--blue-soft:#1d3147;
--green:#6fd49a;--green-soft:#173326;--red:#f58b84;--red-soft:#40211f;--violet:#b69af0;--violet-soft:#2f2547;--amber:#e8bb62;--grey:#738091"""

CSS = f"""
:root{{color-scheme:light dark;{_LIGHT}}}
@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{_DARK}}}}}
:root[data-theme=light]{{color-scheme:light}}
:root[data-theme=dark]{{color-scheme:dark;{_DARK}}}
*{{box-sizing:border-box}}
html{{scroll-padding-top:4rem;-webkit-text-size-adjust:100%}}
body{{margin:0;background:var(--page);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}}
main,.top{{max-width:1080px;margin:0 auto;padding:0 1.25rem}}
h1{{font-size:1.6rem;line-height:1.25;margin:.25rem 0 .5rem;overflow-wrap:anywhere}}
h2{{font-size:1.12rem;margin:0 0 .75rem}}
h3{{font-size:.95rem;margin:1.1rem 0 .4rem}}
p{{margin:.4rem 0}}
a{{color:var(--blue);text-decoration:none}} a:hover{{text-decoration:underline}}
code,pre,.mono{{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.86em}}
pre{{margin:.4rem 0;padding:.6rem .75rem;background:var(--code);border:1px solid var(--line);border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere;max-height:30rem;overflow:auto}}
.soft{{color:var(--soft)}} .small{{font-size:.86rem}}
.top{{padding-top:1.75rem}}
.brand{{color:var(--soft);font-size:.86rem;letter-spacing:.02em}}
.chips{{display:flex;flex-wrap:wrap;gap:.35rem;margin:.4rem 0}}
.chip{{display:inline-block;padding:.08rem .55rem;border-radius:99px;background:var(--card);border:1px solid var(--line);font-size:.8rem;color:var(--soft);white-space:nowrap;max-width:100%;overflow:hidden;text-overflow:ellipsis;vertical-align:middle}}
.chip.red{{background:var(--red-soft);color:var(--red);border-color:transparent}}
.chip.green{{background:var(--green-soft);color:var(--green);border-color:transparent}}
.chip.violet{{background:var(--violet-soft);color:var(--violet);border-color:transparent}}
.chip.blue{{background:var(--blue-soft);color:var(--blue);border-color:transparent}}
.tiles{{display:grid;grid-template-columns:repeat(auto-fit,minmax(132px,1fr));gap:.75rem;margin:1rem 0}}
.tile{{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.7rem .9rem}}
.tile b{{display:block;font-size:1.35rem;line-height:1.25;font-variant-numeric:tabular-nums}}
.tile span{{color:var(--soft);font-size:.82rem}}
nav{{position:sticky;top:0;z-index:2;background:var(--page);border-bottom:1px solid var(--line)}}
nav div{{max-width:1080px;margin:0 auto;padding:.5rem 1.25rem;display:flex;gap:1.1rem;overflow-x:auto;white-space:nowrap;align-items:center}}
nav button{{margin-left:auto}}
button{{font:inherit;font-size:.84rem;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.22rem .7rem;cursor:pointer}}
button:hover{{border-color:var(--grey)}}
section{{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1.1rem 1.25rem;margin:1rem 0}}
.wide{{overflow-x:auto}}
svg{{display:block}} svg.defs{{position:absolute}}
svg.window{{width:100%;min-width:640px;height:auto}}
svg text{{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;fill:var(--soft)}}
.grid{{stroke:var(--line)}} .y-label{{text-anchor:end;dominant-baseline:middle}}
.limit{{stroke:var(--amber);stroke-dasharray:6 5}} svg .limit-label{{fill:var(--amber);text-anchor:end}}
.area{{fill:var(--blue-soft);opacity:.75}} .curve{{fill:none;stroke:var(--blue);stroke-width:2;stroke-linejoin:round}}
.dot{{fill:var(--blue)}} .cut{{stroke:var(--violet);stroke-dasharray:3 4}} .cut-point{{fill:var(--violet)}}
.mark{{fill:var(--violet)}} svg .mark-number{{fill:var(--card);text-anchor:middle;font-weight:600}}
svg .lost{{fill:var(--red)}} .handed{{fill:var(--green)}}
svg .handed-label{{fill:var(--green);paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}}
svg.share{{width:100%;height:10px;border-radius:5px;margin:.4rem 0;background:var(--line)}}
.part.kept{{fill:var(--blue)}} .part.handed{{fill:var(--green)}} .part.archive{{fill:var(--red)}} .part.session{{fill:var(--blue)}} .part.agents{{fill:var(--violet)}} .part.human{{fill:var(--grey)}}
.key{{display:inline-block;width:.65rem;height:.65rem;border-radius:3px;margin:0 .35rem 0 0}} .meaning{{display:inline-block;margin-right:.9rem}}
.key.kept,.key.session{{background:var(--blue)}} .key.handed{{background:var(--green)}} .key.archive{{background:var(--red)}} .key.agents{{background:var(--violet)}} .key.human{{background:var(--grey)}}
.card{{border:1px solid var(--line);border-radius:10px;padding:.75rem .9rem;margin:.75rem 0}}
.head{{display:flex;flex-wrap:wrap;gap:.3rem .8rem;align-items:baseline}}
svg.machine{{width:100%;min-width:520px;max-width:760px;height:auto;margin:0 auto}}
.frame{{fill:var(--card);stroke:var(--line);stroke-width:1.5}} .here .frame{{stroke:var(--blue);stroke-width:3}}
svg .phase-name{{text-anchor:middle;font-size:14px;font-weight:600;fill:var(--ink)}} svg .stayed{{text-anchor:middle;font-size:11px}}
.possible{{fill:none;stroke:var(--line);stroke-width:1.2}} .taken{{fill:none;stroke:var(--blue)}} .tip{{fill:var(--blue)}}
.times{{fill:var(--card);stroke:var(--blue)}} svg .times-number{{text-anchor:middle;fill:var(--ink);font-weight:600;font-size:11px}}
svg.ribbon{{width:100%;height:24px;border-radius:6px;margin:.75rem 0}}
.phase.idle{{fill:var(--grey)}} .phase.active{{fill:var(--blue)}} .phase.compacting{{fill:var(--violet)}} .phase.restored{{fill:var(--green)}} .phase.halted{{fill:var(--red)}} .phase.ended{{fill:var(--ink)}}
table{{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}}
th{{text-align:left;font-weight:600;color:var(--soft);font-size:.82rem}} th,td{{padding:.3rem .9rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}}
td.n,th.n{{text-align:right}} tr:last-child td{{border-bottom:0}} td{{overflow-wrap:anywhere}} td.n{{white-space:nowrap}}
ul{{margin:.3rem 0;padding-left:1.15rem}} li{{margin:.2rem 0;overflow-wrap:anywhere}} li.gone{{color:var(--soft);text-decoration:line-through}}
details>summary{{cursor:pointer;list-style:none}} details>summary::-webkit-details-marker{{display:none}}
details.more>summary,details.call>summary{{color:var(--soft)}}
details.more>summary::before,details.call>summary::before{{content:"▸";display:inline-block;width:1.1em;color:var(--grey)}}
details.more[open]>summary::before,details.call[open]>summary::before{{content:"▾"}}
.bar{{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:0 0 .75rem}}
input[type=search]{{flex:1 1 14rem;min-width:0;font:inherit;color:var(--ink);background:var(--page);border:1px solid var(--line);border-radius:8px;padding:.3rem .7rem}}
[hidden]{{display:none!important}}
.turn{{content-visibility:auto;contain-intrinsic-size:auto 64px;background:linear-gradient(var(--line),var(--line)) 7px 0/2px 100% no-repeat}}
.turn>summary{{display:grid;grid-template-columns:6.8rem 1fr;gap:0 .8rem;padding:.5rem .6rem .5rem 1.7rem;position:relative;border-radius:8px}}
.day{{font-size:.82rem;font-weight:600;color:var(--soft);padding:.9rem 0 .3rem 1.7rem}} .day:first-of-type{{padding-top:.2rem}}
.turn>summary:hover{{background:var(--code)}}
.turn>summary::before{{content:"";position:absolute;left:2px;top:.8rem;width:12px;height:12px;border-radius:50%;background:var(--card);border:3px solid var(--blue)}}
.turn.compacted>summary::before{{border-color:var(--violet)}} .turn.failed>summary::before{{border-color:var(--red)}} .turn.withdrawn>summary{{opacity:.6}}
.turn .when{{color:var(--soft);font-size:.82rem;font-variant-numeric:tabular-nums}}
.turn .when b{{display:block;color:var(--ink)}}
.ask{{overflow-wrap:anywhere;font-weight:500}} .turn .chips{{grid-column:2;margin:.25rem 0 0}}
.body{{padding:.1rem .6rem 1rem 1.7rem}}
.entry{{margin:.55rem 0;overflow-wrap:anywhere}} .said{{white-space:pre-wrap}}
.who{{font-size:.78rem;font-weight:600;color:var(--soft);text-transform:uppercase;letter-spacing:.04em}}
.entry.prompt{{background:var(--blue-soft);border-radius:10px;padding:.6rem .8rem}}
.entry.compaction,.entry.summary{{background:var(--violet-soft);border-radius:10px;padding:.6rem .8rem}}
.entry.interrupted{{color:var(--red)}}
.call>summary{{display:block}} .call code,.plain code{{overflow-wrap:anywhere;color:var(--ink)}} .plain{{color:var(--soft);padding-left:1.1em}}
.entry .chip{{margin-left:.4rem}}
.call.failed>summary b,.plain.failed b{{color:var(--red)}}
pre.del{{background:var(--red-soft);border-color:transparent}} pre.ins{{background:var(--green-soft);border-color:transparent}} pre.said-to{{max-height:36rem}}
.cut-note{{color:var(--soft);font-size:.8rem}}
.index{{display:grid;grid-template-columns:repeat(auto-fill,minmax(270px,1fr));gap:.75rem;margin:1rem 0}}
.index a{{display:block;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.8rem .95rem;color:inherit}}
.index a:hover{{text-decoration:none;border-color:var(--blue)}} .index b{{display:block;overflow-wrap:anywhere}}
.whole{{margin:1.25rem 0;content-visibility:auto;contain-intrinsic-size:auto 80px}} .whole>summary{{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.8rem 1rem;font-weight:600}}
footer{{color:var(--soft);font-size:.82rem;padding:1rem 0 3rem}}
@media (max-width:640px){{body{{font-size:14.5px}} main,.top,nav div{{padding-left:.85rem;padding-right:.85rem}} section{{padding:.9rem .9rem}} h1{{font-size:1.3rem}} .tiles{{grid-template-columns:repeat(2,1fr)}}
.turn>summary{{grid-template-columns:1fr}} .turn .when b{{display:inline;margin-right:.5rem}} .turn .chips{{grid-column:1}} th,td{{padding-right:.5rem}}}}
@media print{{:root,:root[data-theme=dark]{{{_LIGHT}}} body{{background:#fff;font-size:11pt}} nav,.bar{{display:none}} section,.tile,.card{{break-inside:avoid;border-color:#ccc}} section.long{{break-inside:auto}}
.turn,.whole{{content-visibility:visible;break-inside:avoid}} pre{{max-height:none}} .wide{{overflow:visible}} svg.window,svg.machine{{min-width:0}}}}
"""

SCRIPT = """
"use strict";
(() => {
  const root = document.documentElement, all = (query, within) => [...(within || document).querySelectorAll(query)];
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  for (const part of all("[data-script]")) part.hidden = false;
  for (const button of all("button[data-theme-toggle]"))
    button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; });
  const texts = new WeakMap();
  const text = turn => {
    if (!texts.has(turn)) texts.set(turn, turn.textContent.toLowerCase());
    return texts.get(turn);
  };
  for (const bar of all(".bar")) {
    const turns = all("details.turn", bar.parentElement), count = bar.querySelector("output");
    const field = bar.querySelector("input");
    const look = () => {
      const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
      let found = 0;
      for (const turn of turns) {
        const fits = words.every(word => text(turn).includes(word));
        turn.hidden = !fits;
        found += fits;
      }
      count.textContent = words.length ? found + " of " + turns.length + " turns" : "";
    };
    let waiting = 0;
    field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(look, 60); });
    for (const button of all("button", bar)) button.addEventListener("click", () => {
      for (const turn of turns) if (!turn.hidden) turn.open = button.dataset.open === "yes";
    });
  }
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
"""


def hash_text(content: str) -> str:
    """A text as a policy names it."""
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
