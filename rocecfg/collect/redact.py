"""Blots secrets out of texts before they are stored: passwords, keys, communities, certificates.

Only values go, words and line numbers stay, so that a text reads as before. Blotting twice changes nothing. Lines of
QoS, PFC, ECN and buffers are never touched.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

BLOT = "REDACTED"

_VALUE = r"(?!REDACTED\b)(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"';,]+)"
_KINDS = (
    r"(?:(?:level[ \t]+\d+|plain|simple|cipher|irreversible-cipher|hash|ciphertext|plaintext|encrypted|cleartext|clear"
    r"|sha512|sha256|scrypt|pbkdf2|md5|sha1?|aes|des|type-6|role|ascii-text|hexadecimal|8a|\d{1,2})[ \t]+)*+"
)
_USERS = (
    r"(?:hashed-password|encrypted-password|plain-text-password(?:-value)?+|password|passwd|passphrase"
    r"|enable[ \t]+secret|user[ \t]+\S+[ \t]+secret|super[ \t]+password"
    r"|username[ \t]+\S+(?:[ \t]+(?:privilege|role)[ \t]+\S+)*+[ \t]+secret)"
)
"""User names with a password, login and enable passwords."""
_PROTOCOLS = (
    r"(?:shared-secret|(?:radius|tacacs)(?:-server|-scheme)?+[^\n]{0,120}?[ \t](?:key|secret)|key-string"
    r"|key-octet-string|pre-shared-key(?:[ \t]+(?:ascii-text|hexadecimal))?+"
    r"|authentication-key(?:[ \t]+\d+)?+(?:[ \t]+(?:md5|type[ \t]+\S+[ \t]+value))?+"
    r"|message-digest-key[ \t]+\d+[ \t]+md5|hello-password|md5-password|auth_?password|passkey|secret-key"
    r"|authentication-mode[ \t]+(?:md5|hmac-md5|keychain|hmac-sha256)|shared-key|primary-key|server-key|api-key"
    r"|auth-key)"
)
"""RADIUS, TACACS+, NTP, BGP, OSPF, IS-IS, keychains, IPsec, MACsec."""
_ALONE = r"(?:^[ \t]*(?:set[ \t][^\n]{0,200}[ \t])?+secret)"
"""A secret that stands alone on its line (Junos, AOS-CX)."""
_SNMP = (
    r"(?:snmp-server[ \t]+community|snmp-agent[ \t]+community(?:[ \t]+(?:read|write))?+|snmp[ \t]+community"
    r"|rocommunity6?|rwcommunity6?|snmp_[rw]ocommunity|readonly-community|trap-community"
    r"|snmp-server[ \t]+host[ \t]+\S+(?:[ \t]+(?:traps|informs|version[ \t]+\S+|vrf[ \t]+\S+))*+"
    r"|securityname|auth-password|priv-password|privacy-password|auth[ \t]+(?:md5|sha\S*)"
    r"|priv(?:[ \t]+(?:des|aes\S*))?+|authentication-mode[ \t]+\S+|privacy-mode[ \t]+\S+)"
)
_LINE_WORDS = (_USERS, _PROTOCOLS, _ALONE, _SNMP)
_WORDS = (
    "passw", "secret", "passphrase", "key", "communit", "securityname", "auth", "priv", "snmp-server host", "ssh-",
    "-----begin", "certificate", "psk", "$1$", "$5$", "$6$", "$8$", "$9$", "$2", "$y$", "$c$", "$sha", "$pbkdf2",
    "$14$", "$0$",
)  # fmt: skip
"""Every line with a secret holds one of these."""
_LINES = tuple(re.compile(rf"({words}[ \t]*[:=]?[ \t]+{_KINDS})({_VALUE})", re.IGNORECASE) for words in _LINE_WORDS)
_JSON_VALUE = re.compile(
    r"(\"(?:[\w.:/-]*(?:password|passwd|passkey|secret|passphrase|auth_?key|api_?key|private_?key|shared_?key|psk"
    r"|community(?:_string)?))\""
    r"\s*:\s*\")((?!REDACTED\")[^\"\n]+)(?=\")", re.IGNORECASE,
)  # fmt: skip
_HASH = re.compile(r"\$(?:\d\w?|2[aby]|y|gy|sha\d+|pbkdf2[\w-]*|argon2\w*)\$[^\s\"';,]{6,}")
_PUBLIC_KEY = re.compile(r"((?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\S+|sk-\S+@openssh\.com)[ \t]+)([A-Za-z0-9+/=]{40,})")
_PEM_BEGIN, _PEM_END = re.compile(r"-----BEGIN [A-Z0-9 ]+-----"), re.compile(r"-----END [A-Z0-9 ]+-----")
_CHAIN = re.compile(r"^\s*certificate(?: [\w-]+)* [0-9A-F]{2,}\s*$", re.IGNORECASE)
_HEX = re.compile(r"^\s*(?:[0-9A-F]{2,8} ?){4,}\s*$", re.IGNORECASE)
_COMMUNITY_TABLE = re.compile(r'"(SNMP_COMMUNITY|SNMP_USER)"\s*:\s*\{')
_QOS = re.compile(
    r"\b(?:qos|queue|queuing|pfc|priority-flow-control|ecn|wred|dscp|traffic-class|class-map|policy-map|buffer|headroom|mtu)\b"
    r"|class-of-service|no-drop|^\s*class\b", re.IGNORECASE,
)  # fmt: skip


def redacted(text: str, secrets: Iterable[str] = ()) -> str:
    """Return a text with its secrets blotted out; also the given ones, where they are no common word."""
    suspects = _suspects(text)
    if suspects:
        lines = text.split("\n")
        until = -1
        for at in suspects:
            if at < until:
                continue
            until = _blotted(lines, at)
        text = "\n".join(lines)
    if _COMMUNITY_TABLE.search(text):
        text = _tables(text)
    for secret in secrets:
        if _is_uncommon(secret) and secret in text:
            text = text.replace(secret, BLOT)
    return text


def _suspects(text: str) -> list[int]:
    """Return the numbers of the lines that hold a word of secrets: few of thousands, found by plain search."""
    lowered = text.lower()
    found = set()
    for word in _WORDS:
        at = lowered.find(word)
        while at >= 0:
            found.add(at)
            at = lowered.find(word, at + 1)
    numbers: dict[int, None] = {}
    number, before = 0, 0
    for at in sorted(found):
        number += lowered.count("\n", before, at)
        before = at
        numbers[number] = None
    return list(numbers)


def _blotted(lines: list[str], at: int) -> int:
    """Blot out the secrets of a line, or of the block that it begins; return the line after."""
    line = lines[at]
    is_pem = _PEM_BEGIN.search(line) and not _PEM_END.search(line)
    if not is_pem and not _CHAIN.match(line):
        lines[at] = _line(line)
        return at + 1
    for inner in range(at + 1, len(lines)):
        body = lines[inner].strip()
        if _PEM_END.search(body) if is_pem else not _HEX.match(body) and body not in {BLOT, ""}:
            return inner
        if body:
            lines[inner] = lines[inner][: len(lines[inner]) - len(lines[inner].lstrip())] + BLOT
    return len(lines)


def _line(line: str) -> str:
    if _QOS.search(line) and not _HASH.search(line):
        return line
    for pattern in _LINES:
        line = pattern.sub(rf"\g<1>{BLOT}", line)
    line = _JSON_VALUE.sub(rf"\g<1>{BLOT}", line)
    line = _HASH.sub(BLOT, line)
    return _PUBLIC_KEY.sub(rf"\g<1>{BLOT}", line)


def _tables(text: str) -> str:
    """Blot out the keys of SONiC's SNMP tables: a community is the name of its row."""
    for found in reversed(list(_COMMUNITY_TABLE.finditer(text))):
        depth, at, number = 1, found.end(), 0
        pieces = [text[: found.end()]]
        for token in re.finditer(r'"((?:[^"\\]|\\.)*)"(\s*:\s*\{)?|[{}]', text[found.end() :]):
            start, end = found.end() + token.start(), found.end() + token.end()
            if token[0] in "{}":
                depth += 1 if token[0] == "{" else -1
                if depth == 0:
                    break
            elif token[2]:
                if depth == 1:
                    number += 1
                    name = token[1] if token[1].startswith(BLOT) else f"{BLOT}-{number}"
                    pieces += [text[at:start], f'"{name}"', token[2]]
                    at = end
                depth += 1
        text = "".join(pieces) + text[at:]
    return text


def _is_uncommon(secret: str) -> bool:
    """Return whether a secret is no plain word or number that a configuration may hold for other reasons."""
    return len(secret) >= 6 and not secret.isalpha() and not secret.isdecimal()
