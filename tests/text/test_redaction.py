"""Secrets are redacted, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.text.redaction import MASK, redact, redact_and_count

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
    assert redact(f"use {secret}") == f"use {MASK}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("postgres://me:hunter2@db:5432/x", f"postgres://{MASK}@db:5432/x"),
        ("Authorization: Bearer abcdefghijklmnop1234", f"Authorization: Bearer {MASK}"),
        ("API_KEY=9f8e7d6c5b4a3210ffee", f"API_KEY={MASK}"),
        ('export DB_PASSWORD="Tr0ub4dor&3xyz!9"', f'export DB_PASSWORD="{MASK}"'),
        ('"client_secret": "aZ3kd93kdK29dka0s"', f'"client_secret": "{MASK}"'),
    ],
)
def test_what_is_assigned_to_a_secret_name_is_masked_where_it_looks_random(text, expected):
    """The name stays, for it says what is there."""
    assert redact(text) == expected


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
    assert redact(text) == text


@pytest.mark.parametrize(
    "secret",
    [
        "password=Abcd1234efgh5678",
        "token: Abcd1234efgh5678",
        "--token=abc123def456ghi789",
        '"token": "Abcd1234efgh5678"',
        "DB_PASSWORD=S3cr3t$tuff99",
        "password=correcthorsebatterystaple",
        "redis://:hunter2hunter2@host",
        "Authorization: Basic dXNlcjpwYXNzd29yZDEyMzQ=",
        "BEARER abcdefgh12345678abcd",
        "sk_test_abcdefgh12345678",
        "whsec_abcdefgh12345678",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nabc\n-----END PGP PRIVATE KEY BLOCK-----",
        "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW",
    ],
)
def test_bare_names_and_lone_key_lines_are_secrets_too(secret):
    """As people paste them: without a prefix, with a sign in them, or one line of a key."""
    assert MASK in redact(secret)


@pytest.mark.parametrize(
    "code",
    [
        "keyboard: monkey12",
        "def token(self): return self._token",
        "password=user.password",
        "commit 0123456789abcdef0123456789abcdef01234567 and e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "/a/very/long/path/that/goes/on/and/on/through/many/folders/until/it/ends/in/a/file",
        "/home/me/Documents/001Repositories/project/internal/performance/detector_of_slow_things.go",
        "https://example.org/owner/project/actions/runs/16426044584/job/46416454321",
        "test_that_2_tokens_of_one_user_are_kept_apart_in_the_list",
    ],
)
def test_code_hashes_and_paths_stay_readable(code):
    """A mask over what is no secret takes the account's words away."""
    assert redact(code) == code


def test_masks_are_counted_and_leave_everything_else_in_its_place():
    """Also where two kinds of secret are one, and in letters beyond Latin: places are counted in letters, not bytes."""
    secret = "sk-ant-" + "api03-Zx8" * 4
    text = f"日本 → API_KEY={secret}\n日本語 postgres://me:hunter2@db/x\n語"
    assert redact_and_count(text) == (f"日本 → API_KEY={MASK}\n日本語 postgres://{MASK}@db/x\n語", 2)


@given(st.text(max_size=300))
def test_a_text_without_secrets_is_not_touched(text):
    """Whatever letters it has: nothing is lost or moved where nothing is redacted."""
    found, count = redact_and_count(text)
    assert count or found == text
