"""What proves a text whole, and that texts of any kind end in a verdict."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocecfg.collect import answers, whole
from rocecfg.collect.redact import redacted
from rocecfg.vendor import registry

PORTS = ["Ethernet1/1", "Ethernet1/2", "Ethernet1/10"]


@pytest.mark.parametrize(("sentence", "good", "bad"), [
    ("the last line is end", "x\nend\n", "x\nen\n"),
    ("the last line is `return`", "x\nreturn\n", "x\n#\n"),
    ("the prompt; the text begins with !", "!\nx\n", "x\n"),
    ("it begins with ## Running database", '##\n## Running database "initial"\n', '##\n## Saved database "initial"\n'),
    ("the JSON is whole", '{"a": [1, 2]}\n', '{"a": [1, 2\n'),
    ("the JSON closes its last bracket", 'Last login\n{"a": 1}', '{"a": 1'),
    ("JSON that parses", "[]\n", "[{\n"),
    ("the prompt; each object is JSON that parses", '# a\n{"a": 1}\n# b\n{"b": [2]}\n', '# a\n{"a": 1}\n# b\n{"b": [2'),
    ("one row for each Ethernet port", "Eth1/1 x\nEth1/2 y\nEth1/10 z\n", "Eth1/1 x\nEth1/2 y\n"),
    ("one block for each port of the running configuration", "Ethernet1/10 is up\n", "Ethernet1/100 is up\n"),
    ("a closing rule stands behind the rows", "-------\na\n-------\nb\n-------\n", "-------\na\n-------\nb\nc\nd\ne\n"),
    ("the prompt follows, and each line begins with set or deactivate", "set a\ndeactivate b\n", "set a\nsyst\n"),
    ("both Ingress and Egress stand there", "Ingress:\nEgress:\n", "Ingress:\n"),
    ("the line n_gids_found=", "n_gids_found=4\n", "x\n"),
    ("the text is one YAML list with a header and a set item", "- header:\n    a: 1\n- set:\n    b: 1\n", "- header:\n    a: 1\n"),
])  # fmt: skip
def test_a_sentence_is_checked(sentence: str, good: str, bad: str) -> None:
    proved, problem = whole.proofs(good, sentence, PORTS)
    assert problem == ""
    assert len(proved) == 2
    assert whole.proofs(bad, sentence, PORTS)[1]


def test_a_tool_without_an_object_to_show_is_no_broken_text() -> None:
    assert whole.proofs("Attribute read: Operation not supported\n", "JSON that parses", []) == (["prompt"], "")
    assert whole.proofs("Attribute read: Operation not supported\n", "the JSON is closed", [])[1] == "it holds no JSON"


def test_a_second_look() -> None:
    sentence = "| count of a second look equals the lines read"
    look = whole.second_look("show running-config", sentence)
    assert look == "show running-config | count"
    assert whole.second_look_problem("a\n\nb\n", "3\n", "show running-config", look) == ""
    assert whole.second_look_problem("a\n\nb\n", "2\n", "show running-config", look) == ""
    assert (
        whole.second_look_problem("a\nb\n", "30\n", "show running-config", look) == "2 lines came, the device counts 30"
    )
    assert whole.second_look_problem("a\n", "% Invalid command\n", "show running-config", look) is None
    assert whole.second_look("show x", "a second look counts the same lines") == "show x"
    assert whole.second_look_problem("a\nb\n", "a\n", "show x", "show x") == "2 lines came, 1 at a second look"


def test_most_sentences_of_the_manifests_are_understood() -> None:
    """The others say that the prompt follows, which every text is checked for."""
    for nos in registry.names():
        for command in registry.get(nos).manifest.commands:
            assert command.whole_when, f"{nos}: {command.id} says nothing"


@pytest.mark.parametrize(("prompt", "name"), [
    ("leaf1#", "leaf1"), ("leaf1>", "leaf1"), ("<leaf1>", "leaf1"), ("[leaf1]", "leaf1"), ("[~leaf1]", "leaf1"),
    ("admin@leaf1:~$", "leaf1"), ("admin@leaf1>", "leaf1"), ("root@leaf1:/home/x#", "leaf1"), ("A:leaf1#", "leaf1"),
    ("leaf1 [standalone: master] >", "leaf1"), ("{master:0}admin@leaf1>", "leaf1"), ("leaf1(config)#", "leaf1"),
    ("leaf-1.pod2#", "leaf-1.pod2"), ("[root@gpu01 ~]#", "gpu01"), ("<HUAWEI-Leaf_1>", "HUAWEI-Leaf_1"), ("A:admin@leaf1#", "leaf1"),
])  # fmt: skip
def test_the_name_in_a_prompt(prompt: str, name: str) -> None:
    assert answers.hostname_of(prompt) == name


@pytest.mark.parametrize(("text", "rights"), [
    ("                   ^\n% Invalid command at '^' marker.\n", False),
    ("% Permission denied for the role\n", True),
    ("         ^\nError: Unrecognized command found at '^' position.\n", False),
    ("error: permission denied: configuration\n", True),
    ("syntax error, expecting <command>.\n", False),
    ("% Invalid input (privileged mode required)\n", True),
    ("Invalid input: queues\n", False),
    ('Usage: show [OPTIONS] COMMAND [ARGS]...\nError: No such command "pfcwd".\n', False),
])  # fmt: skip
def test_an_error_in_place_of_an_output(text: str, *, rights: bool) -> None:
    message, about_rights = answers.refusal(text, shell=False)
    assert message
    assert about_rights is rights


def test_an_output_is_no_error() -> None:
    text = "Ethernet1/1 is up\n" + "".join(f"  {n} input errors, invalid 0\n" for n in range(20))
    assert answers.refusal(text, shell=False) == ("", False)
    assert (
        answers.refusal(
            "# dcb -j pfc show dev a\n{}\n# dcb -j ets show dev a\nbash: dcb: command not found\n", shell=True
        )[0]
        == ""
    )
    assert answers.refusal("bash: line 1: niccli: command not found\n", shell=True) == (
        "bash: line 1: niccli: command not found",
        False,
    )


@given(st.text(max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_text_ends_in_a_verdict(text: str) -> None:
    for sentence in ("the last line is end", "the JSON is whole", "a closing rule stands", "one row for each port"):
        whole.proofs(text, sentence, PORTS)
    answers.refusal(text, shell=False)
    answers.hostname_of(text)
    answers.is_prompt(text)
    answers.log_lines(text)
    answers.garbage(text)
    answers.without_echo(text, "show x", "leaf1#")
    once = redacted(text)
    assert redacted(once) == once
    assert once.count("\n") == text.count("\n")


@pytest.mark.parametrize("letter", ["-", "a", " ", "%", "password ", "key 7 ", '"', "$6$", "set ", "> ", "lines "])
def test_a_long_line_takes_no_time(letter: str) -> None:
    import time

    text = letter * (200_000 // len(letter))
    start = time.process_time()
    redacted(text)
    answers.refusal(text, shell=True)
    answers.log_lines(text)
    answers.PAGER.search(text[-80:])
    assert time.process_time() - start < 2
