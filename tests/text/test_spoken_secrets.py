"""Secrets in prose and in commands, and what only looks like one."""

import pytest

from tapehead.text.redaction import MASK, redact, redact_all
from tapehead.text.repeated_secrets import Repeated

X = "hunter2hunter2"
Y = "Tr0ub4dor&3"
FORMS = [
    f"snowsql -a acc -u bob -p {Y}",
    f"cqlsh host -u bob -p {Y}",
    f"net use \\\\srv\\share {Y} /user:bob",
    f"net use Z: \\\\srv\\share /user:bob {Y}",
    f"net user bob {Y} /add",
    f"xfreerdp /v:srv /u:bob /p:{Y}",
    f"schtasks /create /ru bob /rp {Y}",
    f"smbclient //srv/share {Y} -U bob",
    f"mount.cifs //srv/share /mnt -o username=bob,pass={Y}",
    f"pw: {Y}",
    f"das Password ist {Y}",
    f"the root password's {Y}",
    f"use {Y} as the password",
    f"log in with admin / {Y}",
    f"creds: admin:{Y}",
    f"username admin password {Y}",
    f"wget --http-password {Y} x",
    f"SSHPASS={Y} sshpass -e ssh host",
    f"echo {X} | docker login --password-stdin",
    f"openssl enc -k {Y}",
    f"sqlplus scott/{X}@db",
    f"chpasswd <<< 'bob:{Y}'",
    f"the api key is {X}",
    f"here's the API key: {X}",
    f"the secret is {X}",
    f"lftp -u bob,{Y} host",
    f"my password is {X}",
    f"My password is: {Y}",
    f"the password for the staging box is `{X}`",
    f'the db password was "{Y}"',
    f"I changed the password to {Y}",
    f"our passphrase is {X}",
    f"passphrase: {X}",
    f"the passcode is {X}",
    f"the passwords are {X}",
    f"password={X}",
    f"password = '{X}'",
    f"password: {X}",
    f"Password: {Y}",
    f"passwd={X}",
    f"pwd={X}",
    f"PASSWORD={X}",
    f"DB_PASSWORD={Y}",
    f"export DB_PASS={X}",
    f"SMTP_PASS='{Y}'",
    f"MYSQL_PWD={X}",
    f'{{"password": "{X}"}}',
    f'{{\\"password\\": \\"{X}\\"}}',
    f"password: '{X}'  # yaml",
    f"'password' => '{X}',",
    f"<password>{X}</password>",
    f"mysql -u root -p{X} app",
    f"mysqldump --host db -p{X} app > dump.sql",
    f"mysql -uroot -p'{Y}'",
    f"mysqladmin -u root -p{X} status",
    f"mariadb -u root -p{X}",
    f"curl -u admin:{X} https://api.internal",
    f"curl -sS -X POST -u 'admin:{Y}' https://api.internal",
    f"curl --user admin:{X} https://api.internal",
    f"curl --proxy-user me:{X} https://api.internal",
    f"curl -b session={X} https://api.internal",
    f"curl --cookie 'sid={X}' https://api.internal",
    f"wget --user me --password {X} https://api.internal",
    f"wget --password={X} https://api.internal",
    f"tool --password '{Y}'",
    f"tool --passwd {X}",
    f"gpg --batch --passphrase {X} -d a.gpg",
    f"tool --token {X}",
    f"tool --api-key {X}",
    f"tool --client-secret {X}",
    f"tool --secret-key={X}",
    f"tool --auth-token {X}",
    f"sshpass -p {X} ssh me@host",
    f"sshpass -p'{Y}' ssh me@host",
    f"docker login -u me -p {X} registry.internal",
    f"az acr login; az login -u me -p {X}",
    f"redis-cli -h cache -a {X} ping",
    f"mongosh -u me -p {X} mongodb.internal",
    f"sqlcmd -S db -U sa -P {Y}",
    f"ldapsearch -x -D cn=admin -w {X} uid=me",
    f"smbclient //host/share -U me%{X}",
    f"unzip -P {X} a.zip",
    f"7z x -p{X} a.7z",
    f"htpasswd -cb .htpasswd me {X}",
    f"echo 'root:{X}' | chpasswd",
    f"echo {X} | sudo -S apt install x",
    f"openssl rsa -in a.pem -passin pass:{X}",
    f"http -a me:{X} GET api.internal/x",
    f"root:{X}@tcp(127.0.0.1:3306)/app",
    f"machine api.internal login me password {X}",
    f"aws configure set aws_secret_access_key {X}Zz9",
    f"Cookie: theme=dark; session={X}",
    f"Set-Cookie: sid={X}; Path=/; HttpOnly",
    f"'Cookie': 'sid={X}'",
    f"Server=db;User Id=sa;Password={Y};Encrypt=yes",
    f"jdbc:mysql://db/app?user=me&password={X}",
    f"postgres://me:{X}@db/app",
    f"redis://:{X}@cache:6379",
    f"amqp://me:{X}@queue/",
    "Authorization: Basic bWU6aHVudGVyMmh1bnRlcjI=",
    "Authorization: Bearer 0123456789abcdefghij",
]
LOOK_ALIKES = [
    "my password is wrong", "the password is required", "password is incorrect", "the password was not accepted",
    "the password is stored in the keyring", "password must be 8 characters", "the password is hashed with bcrypt12",
    "password: required", "password: string", "password: str | None = None", "password=None", "password = os.environ['PW1']",
    "password=$DB_PASSWORD", "password: ${{ secrets.DB_PASSWORD }}", "PASSWORD=changeme", "password = get_password(user1)",
    "password: <your password>", "password: ********", "password = input('Password: ')", "passwordField2 = form.field(2)",
    "the passwords are checked with zxcvbn", "PWD=/home/me/project1", "OLDPWD=/srv/app2", "cd $PWD/src1",
    "mysql -u root -p app", "mysql -p < dump1.sql", "mysqldump -u root -p$PASS app", "mysql --port 3306 -h db1",
    "curl -u $USER:$TOKEN https://x", 'curl -u "$AUTH" https://x', "curl -b cookies.txt https://x", "curl -s https://x/y1",
    "curl -X POST -d '{\"a\": 1}' https://x", "mkdir -p src/app1", "docker run -p 8080:80 app1", "cp -p a1 b1",
    "ssh -p 2222 me@host1", "patch -p1 < fix1.diff", "python -u run2.py", "sort -u file1.txt", "git commit -a -m fix2",
    "grep -a pattern1 file", "ls -a dir1", "wc -w file1", "git checkout -b feature/login2", "sed -s 1d file2",
    "tool --password-stdin", "tool --password <password>", "tool --password $PW1", "tool --password=${PW1}", "  --password string   Password for the user1",
    "tool --token $GITHUB_TOKEN2", "tool --token-file path1", "tool --pass-through x1", "--user 1000:1000", "docker run --user me1 x",
    "docker login -u me --password-stdin", 'sshpass -p "$PW1" ssh host', "sshpass -e ssh host1", "sshpass -f file1 ssh host",
    "document.cookie is read in app2.js", "Cookie: a=b; c=d", "Set-Cookie: theme=dark; Path=/account1", "set the cookie: name1",
    "PASS tests/test_login2.py", "PASS: 12 of 12", "all 14 tests pass: ok2", "pass: 3, fail: 0", "it passes 2 arguments",
    "bypass=true2", "test_pass: ok", "compass: north2", "machine learning login flow password reset",
    "db_pass=$DB_PASS2", "echo hello1 | sudo tee /etc/x", "redis-cli -a $REDIS_PW1 ping", "unzip -p a1.zip file", "7z x a1.7z",
    "the token is OAuth2", "the API key: see 1Password", "the secret is in Vault2", "api key is read from ENV1",
    "use OAuth2 as the login method, not a password", "openssl version -k", "pw: see above1",
    "user:pass@tcp is the form of a DSN", "http -a is for auth2", "aws configure set region eu-west-1", "<password></password>",
    "e2e/secrets/test_secrets:26:assert mise set", "passphrase for the key2 is asked", "the passphrase prompt2 appears",
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_secret_is_redacted(form):
    """In whatever form it is told; the rest of the line stays."""
    told = redact(form)
    assert MASK in told
    assert X not in told
    assert Y not in told
    assert redact_all(["before", form, "after"]) == ["before", told, "after"]
    assert told.startswith(form[:3])


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_one_stays(text):
    """A word about a password, a variable, or another command's option is none."""
    assert redact(text) == text


def test_there_are_enough_of_both():
    """The tables are the measure."""
    assert len({*FORMS}) >= 60
    assert len({*LOOK_ALIKES}) >= 60


def test_a_secret_that_was_told_is_redacted_where_it_stands_bare():
    """Before and after it was told, in the same texts and in later ones; as part of a longer word it is another word."""
    told = Repeated()
    assert redact_all([f"try {X}", f"my password is {X}", f"run x {X}."], told) == [
        f"try {MASK}",
        f"my password is {MASK}",
        f"run x {MASK}.",
    ]
    assert redact_all([f"and {X}", f"not{X}s"], told) == [f"and {MASK}", f"not{X}s"]
    assert redact_all([f"and {X}"], Repeated()) == [f"and {X}"], "another session does not know it"


def test_what_is_kept_of_it_is_a_keyed_hash():
    """The next process knows the value when it meets it; what is on disk does not hold it, and differs from session to session."""
    told, other = Repeated(), Repeated()
    for one in (told, other):
        redact_all([f"my password is {X}"], one)
    assert X not in str(told.kept())
    assert told.kept()[1] != other.kept()[1]
    assert redact_all([f"ls; login {X}, then", "ordinary words1"], Repeated(told.kept())) == [
        f"ls; login {MASK}, then",
        "ordinary words1",
    ]
    assert Repeated().kept() == []


def test_a_common_word_is_not_remembered():
    """Nor is what is known by itself wherever it stands."""
    told = Repeated()
    redact_all(["DB_PASSWORD=correcthorsebattery", "use ghp_" + "a1B2c3D4" * 4], told)
    assert told.kept() == []


@pytest.mark.parametrize(
    "text",
    [
        "my PIN is 471147",
        "the pin for the card is 471147",
        "PIN 471147",
        "OTP: 471 147",
        "npm publish --otp=471147",
        "aws sts get-session-token --token-code 471147",
        "verification code: 471147",
        "the code from the authenticator is 471147",
        "471147 is your verification code",
    ],
)
def test_numbers_that_open_something(text):
    """A PIN and a one-time code have no letters."""
    assert MASK in redact(text)
    assert "147" not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "GPIO pin 1234",
        "status code: 4040",
        "Erlang/OTP: 27",
        "pin: 13",
        "the zip code is 90210",
        "the security code is 4000 lines",
        "ssh -p 2222 host",
        "net use is high",
    ],
)
def test_other_numbers_stay(text):
    """Pins of a chip, status codes, versions and counts."""
    assert redact(text) == text
