"""Secrets of more than forty kinds, none of which was ever anybody's: their bodies are drawn here."""

import hashlib
import json
import string

HEX, LOWER, UPPER, MIXED = (
    "0123456789abcdef",
    string.ascii_lowercase + string.digits,
    string.ascii_uppercase + string.digits,
    string.ascii_letters + string.digits,
)


def drawn(letters, length, seed=""):
    """Letters by lot, the same at every run; a digit, a capital and a small letter are among them where there can be."""
    found = ""
    for number in range(length):
        digest = hashlib.sha256(f"{seed}{letters}{length}{number}".encode()).digest()
        found += letters[digest[0] % len(letters)]
    must = [
        next(c for c in letters if kind(c))
        for kind in (str.isdigit, str.isupper, str.islower)
        if any(map(kind, letters))
    ]
    return ("".join(must) + found)[:length]


PLANTED = {
    "OpenAI": "sk-" + drawn(MIXED, 48),
    "OpenAI, project": "sk-proj-" + drawn(MIXED, 80),
    "Anthropic": "sk-ant-api03-" + drawn(MIXED, 90),
    "OpenRouter": "sk-or-v1-" + drawn(HEX, 64),
    "GitHub, personal": "ghp_" + drawn(MIXED, 36),
    "GitHub, server": "ghs_" + drawn(MIXED, 36),
    "GitHub, fine-grained": "github_pat_" + drawn(MIXED, 22) + "_" + drawn(MIXED, 59),
    "GitLab, personal": "glpat-" + drawn(MIXED, 20),
    "GitLab, runner": "glrt-" + drawn(MIXED, 20),
    "Slack, bot": "xoxb-" + drawn(string.digits, 12) + "-" + drawn(MIXED, 24),
    "Slack, app": "xapp-1-A0" + drawn(UPPER, 9) + "-" + drawn(HEX, 40),
    "Slack, webhook": "https://hooks.slack.com/services/T0"
    + drawn(UPPER, 8)
    + "/B0"
    + drawn(UPPER, 8)
    + "/"
    + drawn(MIXED, 24),
    "AWS, key id": "AKIA" + drawn(UPPER, 16),
    "AWS, session": "ASIA" + drawn(UPPER, 16),
    "AWS, secret": "aws_secret_access_key = " + drawn(MIXED, 40),
    "Google, API": "AIza" + drawn(MIXED, 35),
    "Google, OAuth": "ya29." + drawn(MIXED, 60),
    "Google, client": "GOCSPX-" + drawn(MIXED, 28),
    "npm": "npm_" + drawn(MIXED, 36),
    "PyPI": "pypi-AgEIcHlwaS5vcmc" + drawn(MIXED, 60),
    "RubyGems": "rubygems_" + drawn(HEX, 48),
    "crates.io": "cio" + drawn(MIXED, 32),
    "Hugging Face": "hf_" + drawn(MIXED, 34),
    "Stripe, live": "sk_live_" + drawn(MIXED, 24),
    "Stripe, restricted": "rk_live_" + drawn(MIXED, 24),
    "Stripe, webhook": "whsec_" + drawn(MIXED, 32),
    "SendGrid": "SG." + drawn(MIXED, 22) + "." + drawn(MIXED, 43),
    "DigitalOcean": "dop_v1_" + drawn(HEX, 64),
    "Linear": "lin_api_" + drawn(MIXED, 40),
    "JSON web token": "eyJ" + drawn(MIXED, 20) + ".eyJ" + drawn(MIXED, 40) + "." + drawn(MIXED, 43),
    "Twilio": "SK" + drawn(HEX, 32),
    "Mailgun": "key-" + drawn(HEX, 32),
    "Mailchimp": drawn(HEX, 32) + "-us12",
    "Square": "sq0atp-" + drawn(MIXED, 22),
    "Shopify": "shpat_" + drawn(HEX, 32),
    "Telegram": drawn(string.digits, 10) + ":AA" + drawn(MIXED, 33),
    "Discord, bot": "M" + drawn(MIXED, 23) + "." + drawn(MIXED, 6) + "." + drawn(MIXED, 38),
    "Discord, webhook": "https://discord.com/api/webhooks/" + drawn(string.digits, 18) + "/" + drawn(MIXED, 68),
    "Databricks": "dapi" + drawn(HEX, 32),
    "Doppler": "dp.pt." + drawn(MIXED, 43),
    "Vault": "hvs." + drawn(MIXED, 24),
    "Terraform Cloud": drawn(MIXED, 14) + ".atlasv1." + drawn(MIXED, 67),
    "Grafana": "glsa_" + drawn(MIXED, 32) + "_" + drawn(HEX, 8),
    "New Relic": "NRAK-" + drawn(UPPER, 27),
    "Sentry": "sntrys_" + drawn(MIXED, 60),
    "Atlassian": "ATATT3" + drawn(MIXED, 180),
    "Notion": "ntn_" + drawn(MIXED, 46),
    "Postman": "PMAK-" + drawn(HEX, 24) + "-" + drawn(HEX, 34),
    "Figma": "figd_" + drawn(MIXED, 40),
    "Airtable": "pat" + drawn(MIXED, 14) + "." + drawn(HEX, 64),
    "Docker Hub": "dckr_pat_" + drawn(MIXED, 27),
    "Supabase": "sbp_" + drawn(HEX, 40),
    "Netlify": "nfp_" + drawn(MIXED, 36),
    "Fly.io": "fm2_" + drawn(MIXED, 80),
    "PlanetScale": "pscale_tkn_" + drawn(MIXED, 43),
    "Groq": "gsk_" + drawn(MIXED, 52),
    "Perplexity": "pplx-" + drawn(MIXED, 48),
    "xAI": "xai-" + drawn(MIXED, 80),
    "age": "AGE-SECRET-KEY-1" + drawn(UPPER, 58),
    "Azure, storage": "AccountKey=" + drawn(MIXED, 86) + "==",
    "Azure, signature": "https://x.blob.core.windows.net/a?sv=1&sig=" + drawn(MIXED, 43) + "%3D",
    "Buildkite": "bkua_" + drawn(HEX, 40),
    "an address": "postgres://admin:" + drawn(MIXED, 14) + "@db.internal:5432/app",
    "a header": "Authorization: Bearer " + drawn(MIXED, 32),
    "a token's header": "Authorization: token " + drawn(HEX, 40),
    "basic": "Authorization: Basic " + drawn(MIXED, 24) + "==",
    "an environment": "DATABASE_PASSWORD=" + drawn(MIXED, 20),
    "a JSON document": json.dumps({"client_secret": drawn(MIXED, 32)}),
    "a YAML document": "api_key: " + drawn(MIXED, 32),
    "Heroku": "HEROKU_API_KEY=" + "-".join(drawn(HEX, n, str(n)) for n in (8, 4, 4, 4, 12)),
    "an RSA key": "-----BEGIN RSA PRIVATE KEY-----\n" + drawn(MIXED, 64) + "\n-----END RSA PRIVATE KEY-----",
    "an OpenSSH key": "-----BEGIN OPENSSH PRIVATE KEY-----\n"
    + drawn(MIXED, 70)
    + "\n-----END OPENSSH PRIVATE KEY-----",
    "a line of a key": drawn(MIXED, 64),
}
"""More than forty kinds, by what they are."""


def body(secret):
    """The part that must not be readable any more: the longest run of letters in it."""
    kept = (
        "AccountKey",
        "aws_secret_access_key",
        "DATABASE_PASSWORD",
        "HEROKU_API_KEY",
        "Authorization",
        "client_secret",
    )
    runs = "".join(c if c.isalnum() else " " for c in secret).split()
    return max((run for run in runs if run not in kept), key=len)
