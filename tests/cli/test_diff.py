from tapehead.cli.diff import colour_difference, list_difference


def test_like_diff_u():
    """Lines are compared as diff does it, the missing newline at the end included."""
    assert list_difference("a\nb\n", "a\nc", "f") == (
        *("--- f", "+++ f", "@@ -1,2 +1,2 @@", " a", "-b", "+c"),
        "\\ No newline at end of file",
    )


def test_a_file_that_is_not_there():
    """A file that comes or goes is compared with nothing; two equal texts differ in nothing."""
    assert list_difference(None, "a\n", "f") == ("--- /dev/null", "+++ f", "@@ -0,0 +1 @@", "+a")
    assert list_difference("a\r\n", None, "f") == ("--- f", "+++ /dev/null", "@@ -1 +0,0 @@", "-a")
    assert list_difference("a", "a", "f") == ()


def test_colours():
    """Each kind of line has its colour, and the text is the same."""
    rows = list_difference("a\nb\n", "a\nc\n", "f")
    text = colour_difference(rows)
    assert text.plain == "\n".join(rows)
    assert [str(span.style) for span in text.spans] == ["bold", "bold", "cyan", "red", "green"]
