from tapehead.cli.diff import coloured, unified


def test_like_diff_u():
    """Lines are compared as diff does it, the missing newline at the end included."""
    assert unified("a\nb\n", "a\nc", "f") == (
        *("--- f", "+++ f", "@@ -1,2 +1,2 @@", " a", "-b", "+c"),
        "\\ No newline at end of file",
    )


def test_a_file_that_is_not_there():
    """A file that comes or goes is compared with nothing; two equal texts differ in nothing."""
    assert unified(None, "a\n", "f") == ("--- /dev/null", "+++ f", "@@ -0,0 +1 @@", "+a")
    assert unified("a\r\n", None, "f") == ("--- f", "+++ /dev/null", "@@ -1 +0,0 @@", "-a")
    assert unified("a", "a", "f") == ()


def test_colours():
    """Each kind of line has its colour, and the text is the same."""
    rows = unified("a\nb\n", "a\nc\n", "f")
    text = coloured(rows)
    assert text.plain == "\n".join(rows)
    assert [str(span.style) for span in text.spans] == ["bold", "bold", "cyan", "red", "green"]
