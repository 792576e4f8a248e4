"""What the secrets of known providers look like: how each begins, as far as it stands within a run of letters, and the whole of it.

One row per provider or kind of token. Beginnings are for a quick look over megabytes; the pattern decides. A token that begins in no way of
its own (a bot's, a session's) is told by its joints instead, and has no beginning here.
"""

from __future__ import annotations

ROWS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("OpenAI, Anthropic and others", ("sk-",), r"sk-(?:ant-|proj-|or-|svcacct-)?[\w-]{20,}"),
    ("GitHub", ("gho_", "ghp_", "ghu_", "ghs_", "ghr_"), r"gh[opusr]_\w{20,}"),
    ("GitHub, fine-grained", ("github_pat_",), r"github_pat_\w{20,}"),
    (
        "GitLab",
        ("glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glsoat-", "glft-"),
        r"gl(?:pat|dt|rt|ptt|cbt|soat|ft)-[\w.-]{16,}",
    ),
    ("Slack", ("xox",), r"xox[abeoprs]-[\w.-]{10,}"),
    ("Slack, apps", ("xapp-",), r"xapp-[\w-]{16,}"),
    ("AWS", ("AKIA", "ASIA", "ABIA", "ACCA"), r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    ("Google", ("AIza",), r"AIza[\w-]{30,}"),
    ("Google, OAuth client", ("GOCSPX-",), r"GOCSPX-[\w-]{16,}"),
    ("Google, OAuth", (), r"ya29\.[\w.-]{20,}"),
    ("npm", ("npm_",), r"npm_\w{30,}"),
    ("PyPI", ("pypi-",), r"pypi-[\w-]{40,}"),
    ("RubyGems", ("rubygems_",), r"rubygems_[0-9a-f]{40,}"),
    ("crates.io", ("cio",), r"cio[a-zA-Z0-9]{32}(?!\w)"),
    ("Hugging Face", ("hf_",), r"hf_\w{30,}"),
    ("Stripe", ("sk_live_", "sk_test_", "rk_live_", "rk_test_"), r"[sr]k_(?:live|test)_\w{16,}"),
    ("Stripe, Svix and others: webhooks", ("whsec_",), r"whsec_[\w+/=]{16,}"),
    ("SendGrid", (), r"SG\.[\w-]{16,}\.[\w-]{16,}"),
    ("DigitalOcean", ("dop_v1_", "doo_v1_", "dor_v1_"), r"do[opr]_v1_\w{40,}"),
    ("Linear", ("lin_api_", "lin_oauth_"), r"lin_(?:api|oauth)_\w{20,}"),
    ("JSON web tokens", ("eyJ",), r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{5,}"),
    ("Twilio", ("SK",), r"SK[0-9a-f]{32}(?!\w)"),
    ("Mailgun", ("key-",), r"key-[0-9a-f]{32}(?!\w)"),
    ("Mailchimp", (), r"[0-9a-f]{32}-us\d{1,2}(?!\w)"),
    ("Square", ("sq0atp-", "sq0csp-", "EAAA"), r"(?:sq0(?:atp|csp)-[\w-]{22,}|EAAA[\w-]{60})"),
    ("Shopify", ("shpat_", "shpca_", "shppa_", "shpss_"), r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("Telegram bots", ("AA",), r"\d{8,10}:AA[\w-]{32,34}(?![\w-])"),
    ("Discord bots", (), r"[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,}"),
    ("Databricks", ("dapi",), r"dapi[0-9a-f]{32}"),
    ("Doppler", (), r"dp\.(?:pt|st|ct|sa|scim|audit)\.\w{40,}"),
    ("HashiCorp Vault", (), r"hv[bsr]\.[\w-]{20,}"),
    ("Terraform Cloud", (), r"[a-zA-Z0-9]{14}\.atlasv1\.[\w-]{60,}"),
    ("Grafana", ("glsa_", "glc_"), r"gl(?:sa|c)_[\w+/=]{32,}"),
    ("New Relic", ("NRAK-",), r"NRAK-[A-Z0-9]{27}"),
    ("Sentry", ("sntrys_", "sntryu_"), r"sntry[su]_[\w+/=-]{40,}"),
    ("Atlassian", ("ATATT3", "ATCTT3"), r"AT[AC]TT3[\w=-]{60,}"),
    ("Notion", ("ntn_", "secret_"), r"(?:ntn_\w{40,}|secret_[a-zA-Z0-9]{43}(?!\w))"),
    ("Postman", ("PMAK-",), r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("Figma", ("figd_",), r"figd_[\w-]{36,}"),
    ("Airtable", ("pat",), r"pat[a-zA-Z0-9]{14}\.[0-9a-f]{64}"),
    ("Docker Hub", ("dckr_pat_", "dckr_oat_"), r"dckr_[po]at_[\w-]{20,}"),
    ("Supabase", ("sbp_", "sb_secret_"), r"(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,})"),
    ("Netlify", ("nfp_",), r"nfp_\w{36,}"),
    ("Fly.io", ("fm1r_", "fm2_", "fo1_"), r"(?:fm1r|fm2|fo1)_[\w+/=-]{40,}"),
    ("PlanetScale", ("pscale_tkn_", "pscale_pw_"), r"pscale_(?:tkn|pw)_[\w.-]{32,}"),
    (
        "Groq, Perplexity, Replicate, xAI",
        ("gsk_", "pplx-", "r8_", "xai-"),
        r"(?:gsk_\w{40,}|pplx-\w{40,}|r8_\w{36,}|xai-\w{60,})",
    ),
    ("age", ("AGE-SECRET-KEY-",), r"AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    ("Dropbox", (), r"sl\.(?:u\.)?[\w-]{100,}"),
    (
        "Buildkite, CircleCI, Pulumi",
        ("bkua_", "CCIPAT_", "pul-"),
        r"(?:bkua_[0-9a-f]{40}|CCIPAT_\w{20,}|pul-[0-9a-f]{40})",
    ),
    ("PayPal and Braintree", ("access_token$",), r"access_token\$production\$[0-9a-z]{16}\$[0-9a-f]{32}"),
)

BEGINNINGS = tuple(beginning for _, beginnings, _ in ROWS for beginning in beginnings)
BEFORE = (
    *("ya29.", "sg.", "hvs.", "hvb.", "hvr.", "atlasv1.", "sl.", "sl.u.", "production$"),
    *("dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."),
)
"""What may stand before a run where a token does not begin within it."""


def pattern() -> str:
    """All of them, as one pattern."""
    return rf"\b(?:{'|'.join(row[2] for row in ROWS)})"
