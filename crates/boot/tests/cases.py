"""Writes the conformance cases as lines that tests/boot.c reads: a scheme's number or a set's name,
then key, context, message and signature in hexadecimal, a dash for nothing.

    python3 tests/cases.py [--short]      --short: one case of each hash function and scheme
"""

import json
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[3] / "vectors" / "conformance"
SCHEMES = {"lms": "1", "hss": "2", "xmss": "3", "xmssmt": "4", "slh-dsa": "", "slh-dsa-limited": ""}


def cases(group: dict, scheme: str, most: int) -> list[str]:
    name = scheme or group["alg"]
    texts = (
        (group["publicKey"], case.get("context", ""), case["message"], case["signature"])
        for case in group["cases"][:most]
    )
    return [" ".join([name, *(text or "-" for text in part)]) for part in texts]


short = sys.argv[1:] == ["--short"]
for file, scheme in SCHEMES.items():
    groups = json.loads((FOLDER / f"{file}.json").read_text())["groups"]
    groups = [group for group in groups if not group["alg"].startswith("TOY")]
    for group in groups[:: len(groups) // 2] if short else groups:
        print(*cases(group, scheme, 1 if short else 2), sep="\n")
