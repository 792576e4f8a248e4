"""Texts that try to become markup or script: each shape of attack, in each sort of quoting, around a mark that would show if it ran."""

from __future__ import annotations

import itertools

RUN = "window.__ran=(window.__ran||0)+1"
_SHAPES = (
    "<script>{run}</script>",
    "<img src=x onerror={run}>",
    "<svg onload={run}>",
    "<svg><script>{run}</script></svg>",
    "<body onload={run}>",
    "<iframe srcdoc='<script>parent.{run}</script>'></iframe>",
    "<iframe src=javascript:parent.{run}></iframe>",
    "<details open ontoggle={run}>",
    "<input autofocus onfocus={run}>",
    "<a href=javascript:{run}>x</a>",
    "<math><mi xlink:href=javascript:{run}>x</mi></math>",
    "<style>*{{background:url(https://example.invalid/)}}</style>",
    "<link rel=stylesheet href=https://example.invalid/x.css>",
    "<meta http-equiv=refresh content='0;url=https://example.invalid/'>",
    "<base href=https://example.invalid/>",
    "<object data=https://example.invalid/></object>",
    "<form action=https://example.invalid/><button autofocus>",
    "<template><script>{run}</script></template>",
    "<noscript><p title='</noscript><img src=x onerror={run}>'>",
    "<!--><script>{run}</script>-->",
    "<![CDATA[<script>{run}</script>]]>",
    "&lt;script&gt;{run}&lt;/script&gt;",
    "&#60;script&#62;{run}&#60;/script&#62;",
    "<scr\u0000ipt>{run}</scr\u0000ipt>",
    "\uff1cscript\uff1e{run}\uff1c/script\uff1e",
)
_AROUND = (
    "{}",
    '">{}',
    "'>{}",
    "</title>{}",
    "</style>{}",
    "</script>{}",
    "</textarea></pre></code>{}",
    "</details></section></main>{}",
    "-->{}<!--",
    "\u202e{}\u2066\x1b[31m",
)


def payloads() -> list[str]:
    """All of them."""
    return [around.format(shape.format(run=RUN)) for shape, around in itertools.product(_SHAPES, _AROUND)]
