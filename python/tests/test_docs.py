"""Every example of docs/python.md, in the order of the page."""

import doctest
import os
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_page() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    parser = doctest.DocTestParser()
    said: list[str] = []
    shared = parser.get_doctest("".join(blocks), {}, "python.md", str(PAGE), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    result = runner.run(shared, out=said.append)
    assert result.failed == 0, "".join(said)
    assert result.attempted >= 20
    assert os.path.exists("release.pem")
