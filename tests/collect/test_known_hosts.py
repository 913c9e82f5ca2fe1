"""Host keys: which lines count for a host, and what is said of a key."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from typing import TYPE_CHECKING

import pytest

from rocecfg.collect.knownhosts import KnownHosts, append, judged
from rocecfg.collect.trouble import TroubleError

if TYPE_CHECKING:
    from pathlib import Path

KEY, OTHER = (base64.b64encode(letter * 40).decode() for letter in (b"a", b"b"))


def hashed(name: str) -> str:
    salt = b"s" * 20
    digest = hmac.new(salt, name.encode(), hashlib.sha1).digest()
    return f"|1|{base64.b64encode(salt).decode()}|{base64.b64encode(digest).decode()}"


@pytest.mark.parametrize(("line", "address", "port", "found"), [
    (f"leaf1 ssh-ed25519 {KEY}", "leaf1", 22, True),
    (f"leaf1 ssh-ed25519 {KEY}", "LEAF1", 22, True),
    (f"leaf1 ssh-ed25519 {KEY}", "leaf1", 2222, False),
    (f"[leaf1]:2222 ssh-ed25519 {KEY}", "leaf1", 2222, True),
    (f"leaf1,10.0.0.1 ssh-ed25519 {KEY} a comment", "10.0.0.1", 22, True),
    (f"{hashed('leaf1')} ssh-ed25519 {KEY}", "leaf1", 22, True),
    (f"{hashed('leaf1')} ssh-ed25519 {KEY}", "leaf2", 22, False),
    (f"{hashed('[leaf1]:2222')} ssh-ed25519 {KEY}", "leaf1", 2222, True),
    (f"leaf*,!leaf9 ssh-ed25519 {KEY}", "leaf1", 22, True),
    (f"leaf*,!leaf9 ssh-ed25519 {KEY}", "leaf9", 22, False),
    (f"# leaf1 ssh-ed25519 {KEY}", "leaf1", 22, False),
    (f"@cert-authority leaf1 ssh-ed25519 {KEY}", "leaf1", 22, False),
    ("leaf1 ssh-ed25519", "leaf1", 22, False),
    ("|1|broken ssh-ed25519 x", "leaf1", 22, False),
    ("|1|!!!|??? ssh-ed25519 x", "leaf1", 22, False),
])  # fmt: skip
def test_the_lines_of_a_host(tmp_path: Path, line: str, address: str, port: int, *, found: bool) -> None:
    (tmp_path / "known_hosts").write_text(line + "\n")
    assert bool(KnownHosts([tmp_path / "known_hosts"]).of(address, port)) is found


def test_verdicts() -> None:
    raw = base64.b64decode(KEY)
    assert judged([f"- ssh-ed25519 {KEY}"], "h", 22, "ssh-ed25519", raw, accept_new=False) == ""
    assert judged([], "h", 22, "ssh-ed25519", raw, accept_new=True) == f"h ssh-ed25519 {KEY}"
    for known, words in (
        ([f"- ssh-ed25519 {OTHER}"], "changed"),
        ([f"- ssh-rsa {OTHER}"], "knows it by ssh-rsa only"),
        ([f"@revoked ssh-ed25519 {KEY}", f"- ssh-ed25519 {KEY}"], "revoked"),
    ):
        for accept in (True, False):
            with pytest.raises(TroubleError, match=words):
                judged(known, "h", 22, "ssh-ed25519", raw, accept_new=accept)
    with pytest.raises(TroubleError, match="not known"):
        judged([], "h", 22, "ssh-ed25519", raw, accept_new=False)


def test_ten_thousand_lines_are_read_in_no_time(tmp_path: Path) -> None:
    """The bar is one read of the file and a look-up; loading it for each connection took 1.9 s at half of it."""
    file = tmp_path / "known_hosts"
    file.write_text("".join(f"leaf{n},10.0.{n // 256}.{n % 256} ssh-ed25519 {KEY}\n" for n in range(10_000)))
    start = time.process_time()
    known = KnownHosts([file])
    assert all(known.of(f"leaf{n}", 22) for n in range(10_000))
    assert time.process_time() - start < 2


def test_append_follows_a_link_and_keeps_the_mode(tmp_path: Path) -> None:
    file = tmp_path / "real"
    file.write_text("a b c")
    file.chmod(0o600)
    (tmp_path / "link").symlink_to(file)
    append(tmp_path / "link", ["d e f", "g h i"])
    append(tmp_path / "new" / "known_hosts", ["d e f"])
    assert file.read_text() == "a b c\nd e f\ng h i\n"
    assert (tmp_path / "link").is_symlink()
    assert file.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "new" / "known_hosts").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "new", "real"]
