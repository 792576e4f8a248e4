"""Secrets are masked, and nothing else."""

import pytest

from tapehead.restore.mask import MASK, mask

SECRETS = [
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY----- MIIEow and never an end",
    "sk-ant-" + "api03-Zx8" * 4,
    "ghp_" + "a1B2c3D4" * 4,
    "github_pat_" + "a1B2c3D4" * 4,
    "glpat-" + "a1B2c3D4" * 3,
    "xoxb-" + "1234567890-abcdef",
    "AKIA" + "ABCDEFGH12345678",
    "AIza" + "b" * 35,
    "npm_" + "c" * 36,
    "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcDEF123",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_keys_and_tokens_of_providers_are_masked(secret):
    """Wherever they stand in a text."""
    assert mask(f"use {secret}") == f"use {MASK}"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("postgres://me:hunter2@db:5432/x", f"postgres://{MASK}@db:5432/x"),
        ("Authorization: Bearer abcdefghijklmnop1234", f"Authorization: Bearer {MASK}"),
        ("API_KEY=9f8e7d6c5b4a3210ffee", f"API_KEY={MASK}"),
        ('export DB_PASSWORD="Tr0ub4dor&3xyz!9"', f'export DB_PASSWORD="{MASK}"'),
        ('"client_secret": "aZ3kd93kdK29dka0s"', f'"client_secret": "{MASK}"'),
    ],
)
def test_what_is_assigned_to_a_secret_name_is_masked_where_it_looks_random(text, masked):
    """The name stays, for it says what is there."""
    assert mask(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "commit 1f3a9c2d4e5b60718293a4b5c6d7e8f901234567",
        "https://example.org/path?x=1",
        "token = get_token(request2)",
        "API_KEY=changeme",
        "password: required",
        "const sessionToken = useSession()",
        "session 24a274a3-0317-440d-b17a-41e83ee34fec",
        "keyboard: monkey12",
        "git@github.com:owner/repo.git",
    ],
)
def test_ordinary_code_and_hashes_stay_readable(text):
    """A mask over what is no secret costs the reader a fact."""
    assert mask(text) == text
