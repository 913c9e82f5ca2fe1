"""The YAML loader: same data as YAML 1.2, places of everything, every trap reported at its line and column."""

from __future__ import annotations

import gc
import json
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocecfg import yamlevents, yamlfile
from rocecfg.errors import IntentError

DOCUMENT = """\
a: {b: [1, 2.50, x]}  # rocecfg: ignore PFC-003 -- why
base: &b {x: 1, y: yes}
c:
  <<: *b
  y: off
  z:
"""


def problems(source, file="f"):
    with pytest.raises(IntentError) as caught:
        yamlfile.load_text(source, file)
    return caught.value.problems


def test_data_and_places():
    document = yamlfile.load_text(DOCUMENT, "f.yaml")
    assert document.data == {
        "a": {"b": [1, 2.5, "x"]},
        "base": {"x": 1, "y": "yes"},
        "c": {"y": "off", "z": None, "x": 1},
    }
    assert document.key_place(("a", "b")) == ("f.yaml", 1, 5)
    assert document.place(("a", "b")) == ("f.yaml", 1, 8)
    assert document.place(("a", "b", 1)) == ("f.yaml", 1, 12)
    assert document.place(("c", "y")) == ("f.yaml", 5, 6)
    assert document.place(("c", "z")) == ("f.yaml", 6, 3), "a value that is not written stands at its key"
    assert document.key_place(("c", "x")) == ("f.yaml", 2, 11), "a merged key stands where the anchor wrote it"
    assert document.place(("c", "nowhere", "deeper")) == ("f.yaml", 4, 3), "the nearest parent answers"
    assert str(document.place(())) == "f.yaml:1:1"


def test_large_mappings_know_their_places():
    document = yamlfile.load_text("".join(f"key{n}: {n}\n" for n in range(1, 200)))
    assert document.place(("key150",)) == ("<text>", 150, 9)
    assert document.place(("key1500",)) == ("<text>", 1, 1)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True), ("False", False), ("null", None), ("~", None), ("yes", "yes"), ("off", "off"),
        ("12", 12), ("-3", -3), ("0x1F", 31), ("0o17", 15), ("1_000", "1_000"), ("0b11", "0b11"),
        ("1.5", 1.5), ("1e3", 1000.0), (".", "."), ("-", None), (".inf", ".inf"), ("2026-11-30", "2026-11-30"),
        ("'010'", "010"), ('"22:22"', "22:22"), ("'true'", "true"), ("0", 0), ("10:00:00:aa", "10:00:00:aa"),
        ("leaf1:swp1", "leaf1:swp1"), ("|\n  a\n  b\n", "a\nb\n"), (">-\n  a\n  b\n", "a b"),
    ],
)  # fmt: skip
def test_plain_values_after_yaml_1_2(text, value):
    data = yamlfile.load_text(f"k: {text}" if text != "-" else "k: ~").data["k"]
    assert data == value
    assert type(data) is type(value) or isinstance(data, float)


def test_a_version_number_keeps_its_text():
    assert str(yamlfile.load_text("release: 5.10").data["release"]) == "5.10"


TRAPS = [
    # name, source, line, column, part of the message
    ("duplicate key", "a: 1\nb: 2\na: 3\n", 3, 1, 'the key "a" stands twice (first on line 1)'),
    ("duplicate key, flow", "x: {a: 1, a: 2}\n", 1, 11, "(first on line 1)"),
    ("duplicate merge", "a: &a {x: 1}\nb:\n  <<: *a\n  <<: *a\n", 4, 3, 'the key "<<" stands twice'),
    ("octal", "a: 010\n", 1, 4, '"010" is octal'),
    ("octal in a list", "a: [1, 007]\n", 1, 8, '"007" is octal'),
    ("octal key", "010: a\n", 1, 1, '"010" is octal'),
    ("sexagesimal", "a: 22:22\n", 1, 4, "base 60"),
    ("sexagesimal, negative", "a: -1:30:00\n", 1, 4, "base 60"),
    ("tab", "a:\n\tb: 1\n", 2, 1, "a tab stands in the indentation"),
    ("tab after blanks", "a:\n  \tb: 1\n", 2, 3, "a tab stands in the indentation"),
    ("tag", "a: !foo 1\n", 1, 4, 'the tag "!foo" is not accepted'),
    ("python tag", "a: !!python/object/apply:os.system [ls]\n", 1, 4, "is not accepted"),
    ("standard tag", "a: !!str 010\n", 1, 4, "is not accepted"),
    ("tag on a mapping", "a: !x {b: 1}\n", 1, 4, 'the tag "!x"'),
    ("second document", "a: 1\n---\nb: 1\n", 2, 1, "a second document starts here"),
    ("text after the end", "a: 1\n...\nb: 1\n", 3, 1, "document"),
    ("unclosed list", "a: [1,\nb: 2\n", 1, 4, 'the list opened with "[" on line 1 is not closed'),
    ("unclosed mapping", "a:\n  - {b: 1\n", 2, 5, 'opened with "{" on line 2 is not closed'),
    ("unclosed quote", "a: 'x\n", 1, 4, "the quoted text that starts on line 1 is not closed"),
    ("colon in a value", "a: b: c\n", 1, 5, 'a ":" is not expected here'),
    ("deeper than its parent", "a: 1\n  b: 2\n", 2, 4, 'a ":" is not expected here'),
    ("odd indentation", "a:\n  b: 1\n c: 2\n", 3, 2, "the indentation does not fit"),
    ("no colon", "a: 1\nb\nc: 1\n", 3, 1, "no `key: value`"),
    ("at sign", "a: @x\n", 1, 4, 'cannot start with "@"'),
    ("percent sign", "a: %x\n", 1, 4, 'cannot start with "%"'),
    ("directive", "a: 1\n%x: 1\n", 2, 3, "is a YAML directive"),
    ("unknown escape", 'a: "\\q"\n', 1, 5, "unknown escape"),
    ("alias without an anchor", "a: *b\n", 1, 4, 'the alias "*b" has no anchor before it'),
    ("alias without a name", "a: * b\n", 1, 5, "an anchor or alias (& or *) has no name"),
    ("alias to itself", "a: &a [*a]\n", 1, 8, "stands inside its own anchor"),
    ("alias as a key", "a: &a x\n? *a\n: 1\n", 2, 3, "a key must be a plain word"),
    ("list as a key", "? [x]\n: 1\n", 1, 3, "a key must be a plain word"),
    ("boolean key", "true: 1\n", 1, 1, 'the key "true" is no word'),
    ("no key", ": 1\n", 1, 1, "the indentation does not fit"),
    ("null key", "~: 1\n", 1, 1, 'the key "~" is no word'),
    ("merge of a number", "a:\n  <<: 1\n", 2, 3, "a merge key (<<) takes a mapping"),
    ("deep flow", "[" * 100, 1, 65, "nested deeper than 64"),
    ("deep block", "".join(" " * n + "a:\n" for n in range(80)), 65, 65, "nested deeper than 64"),
    ("empty", "", 1, 1, "the file is empty"),
    ("comments only", "# nothing\n\n", 1, 1, "the file is empty"),
    ("null only", "~\n", 1, 1, "the file is empty"),
    ("NUL", "a: 1\nb: \0\n", 2, 4, "binary data"),
    ("control character", "a: \x01\n", 1, 4, "a control character (U+0001)"),
    ("line separator", "a: x\u2028y\n", 1, 5, "U+2028"),
    ("lone surrogate", "a: \ud800\n", 1, 4, "U+D800"),
    ("UTF-16", "a: 1\n".encode("utf-16"), 1, 1, "UTF-16"),
    ("Latin-1", "a: 1\nb: é\n".encode("latin-1"), 2, 4, "0xe9 is no UTF-8"),
    ("PNG", b"\x89PNG\r\n\x1a\n\0\0", 1, 1, "0x89 is no UTF-8"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "line", "column", "part"), [t[1:] for t in TRAPS], ids=[t[0] for t in TRAPS])
def test_traps(source, line, column, part):
    found = problems(source)[0]
    assert part in found.message, found
    assert (found.line, found.column) == (line, column), found
    assert found.file == "f"
    assert found.help


def test_all_traps_of_a_file_are_reported_together():
    found = problems("a: 010\nb: 22:22\na: !x 1\n")
    assert [(p.line, p.column) for p in found] == [(1, 4), (2, 4), (3, 1), (3, 4)]


def test_a_file_full_of_traps_ends_soon():
    found = problems("".join(f"k{n}: 010\n" for n in range(100_000)))
    assert len(found) == yamlevents.MAX_PROBLEMS + 1
    assert found[-1].message == "more than 100 problems: the rest is not shown"


def test_a_file_full_of_comments_is_refused():
    assert "10,000" in problems("a: 1\n" + "# rocecfg: ignore X-1\n" * 10_001)[0].message


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends_and_byte_order_mark(newline):
    source = newline.join(["a: 1", "b:", "  c: x", ""])
    document = yamlfile.load_text(b"\xef\xbb\xbf" + source.encode())
    assert document.data == {"a": 1, "b": {"c": "x"}}
    assert document.place(("b", "c"))[1:] == (3, 6)


def bomb(width, depth):
    lines = ["a0: &a0 [" + ",".join(["x"] * width) + "]"]
    lines += [f"a{n}: &a{n} [" + ",".join([f"*a{n - 1}"] * width) + "]" for n in range(1, depth)]
    return "\n".join(lines)


def test_alias_bomb():
    start = time.process_time()
    assert "more than 5,000,000 values" in problems(bomb(10, 12))[0].message
    assert time.process_time() - start < 2


def test_alias_depth_is_bounded():
    assert "through aliases" in problems(bomb(1, 100))[0].message


def test_aliases_share_and_merges_keep_what_is_stated():
    text = "one: &one {x: 1}\ntwo: &two {x: 2, y: 2}\nall:\n  <<: [*one, *two]\n  z: *one\n"
    data = yamlfile.load_text(text).data
    assert data["all"] == {"z": {"x": 1}, "x": 1, "y": 2}
    assert data["all"]["z"] is data["one"]


def test_huge_scalars_and_files():
    long = "x" * 10_000_000
    assert yamlfile.load_text(f"a: {long}\n").data["a"] == long
    assert "larger than 64 MiB" in problems(b"a: 1\n" + b"#" * (64 * 2**20))[0].message


def test_a_huge_word_where_it_is_wrong_stays_short():
    assert len(str(problems("a: 0" + "1" * 3_000)[0])) < 500


def test_unreadable_paths(tmp_path):
    for path in (tmp_path, tmp_path / "missing.yaml", "nul\0name"):
        with pytest.raises(IntentError, match="cannot read the file"):
            yamlfile.load_path(path)


def test_comments_and_the_lines_they_speak_about():
    text = "a: 1  # rocecfg: ignore X-1\n# rocecfg: ignore Y-2 -- why\n\n# more\nb: 2\nc: 'rocecfg: no'\n"
    comments = yamlfile.load_text(text).comments
    assert [(c.line, c.column, c.text, c.target) for c in comments] == [
        (1, 7, "ignore X-1", 1),
        (2, 1, "ignore Y-2 -- why", 5),
    ]


def test_collector_is_restored_also_after_an_error():
    assert gc.isenabled()
    problems("a: [")
    assert gc.isenabled()


def test_python_parser_reads_the_same(monkeypatch):
    monkeypatch.setitem(sys.modules, "ruamel.yaml.cyaml", None)
    document = yamlfile.load_text(DOCUMENT, "f.yaml")
    assert document.data["c"] == {"y": "off", "z": None, "x": 1}
    assert document.place(("a", "b", 1)) == ("f.yaml", 1, 12)
    for source in ("a: [1", "a:\n\tb: 1", "a: !x 1", "a: 'x", "a: \x01", "a: b: c", 'a: "\\UFFFFFFFF"'):
        assert problems(source)
    assert "ruamel.yaml.clib" in problems("a: " + "x" * 2_000_000)[0].help


# libyaml does not join the \\u surrogate pairs of JSON, so astral characters stand as themselves.
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufeff\ufffe\uffff"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


@given(JSON.filter(lambda data: data is not None))
def test_json_is_read_as_itself(data):
    """JSON is YAML: ten quoted languages in one test."""
    assert yamlfile.load_text(json.dumps(data, ensure_ascii=False)).data == data


@settings(max_examples=400)
@given(st.text() | st.text(alphabet="ab:-[]{}&*!#|>'\"%@,? \t\n01<~.", max_size=60) | st.binary(max_size=80))
def test_anything_gives_data_or_problems(source):
    data, found = None, ()
    try:
        data = yamlfile.load_text(source).data
    except IntentError as error:
        found = error.problems
    assert (data is None) == bool(found)
    assert all(p.line >= 1 and p.column >= 1 and p.message for p in found)
