"""Checks a bill of materials: its schema, and that it names each crate that cargo would build.

    test_list.py BOM UNIT_GRAPH CARGO_LOCK NOTICES
"""

import gzip
import json
import sys
import tomllib

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator


def name_of(package: str) -> str:
    """Returns NAME@VERSION of cargo's id of a package: FOLDER#VERSION, or SOURCE#NAME@VERSION."""
    place, _, end = package.partition("#")
    return end if "@" in end else f"{place.rpartition('/')[2]}@{end}"


def main() -> None:
    bom_path, graph_path, lock_path, notices_path = sys.argv[1:]
    with open(bom_path, encoding="utf-8") as file:
        text = file.read()
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    assert fault is None, f"not CycloneDX 1.6: {fault}"
    bom = json.loads(text)
    whole = [*bom["components"], bom["metadata"]["component"]]
    listed = {f"{one['name']}@{one['version']}": one for one in whole}
    with open(graph_path, encoding="utf-8") as file:
        built = {name_of(unit["pkg_id"]) for unit in json.load(file)["units"]}
    assert len(built) > 100, f"cargo builds {len(built)} packages"
    assert built == set(listed), f"listed otherwise than built: {built ^ set(listed)}"
    with open(lock_path, "rb") as file:
        locked = {f"{one['name']}@{one['version']}": one for one in tomllib.load(file)["package"]}
    notices = gzip.open(notices_path, "rt", encoding="utf-8").read()
    for name, one in listed.items():
        assert one["licenses"], f"{name} has no licence"
        checksum = locked[name].get("checksum")
        sums = [entry["content"] for entry in one.get("hashes", [])]
        assert sums == ([checksum] if checksum else []), f"{name}: checksum"
        line = name.replace("@", " ") + ": "
        assert (line in notices) == bool(checksum), f"{name}: notices"
    refs = {one["bom-ref"] for one in whole}
    used = {ref for row in bom["dependencies"] for ref in row["dependsOn"]}
    assert {row["ref"] for row in bom["dependencies"]} == refs, "a crate without its row"
    assert refs - used == {bom["metadata"]["component"]["bom-ref"]}, "a crate that nothing uses"
    print(f"{len(listed)} crates")


main()
