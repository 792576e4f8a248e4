"""What counts as a name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.benchmark.named import names, place_names

NAMED = {
    "src/app/export.py": {"export.py"},
    "export.py": {"export.py"},
    "./a/b/../export.py:12": {"export.py"},
    "/srv/app/data/": {"app/data"},
    "to_csv(readings)": {"to_csv"},
    "self.readCsvFile()": {"readCsvFile"},
    "csv_module.write_row": {"csv_module", "write_row"},
    "__init__.py": {"__init__.py"},
    "pkg/__init__.py": {"__init__.py"},
    "EXPORT_CHUNK_ROWS": {"EXPORT_CHUNK_ROWS"},
    "buffer.seek(0) and io.StringIO": {"StringIO"},
    "a/b.custom": {"b.custom"},
    "#41": {"#41"},
    "8d41c07": {"8d41c07"},
    "v1.20.3": {"v1.20.3"},
    "deadbeef": set(),  # no digit: a word
    "1234567": set(),  # no letter: a number
    "Plain words, HTTP and URLs. The end.": set(),
    "e.g. and i.e. 3.5": set(),
    "a_b": set(),  # too short to be found again by more than chance
    "": set(),
}


@pytest.mark.parametrize(("text", "named"), NAMED.items())
def test_names_are_files_folders_code_and_refs(text, named):
    """However it is spelt, a thing has one name; plain words have none."""
    assert names(text) == named


def test_each_name_has_its_place():
    """The place is that of the word, so that two names can be told to stand near each other."""
    assert list(place_names("see to_csv in src/export.py")) == [(4, "to_csv"), (14, "export.py")]


@given(st.text())
def test_any_text_has_names(text):
    """Nothing that stands in a transcript makes it raise, and a name stands where it is said to stand."""
    assert all(name[0] in text[place:] for place, name in place_names(text))
