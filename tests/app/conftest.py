"""What tests of the application share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.app.lab_page import Lab, opened_lab


@pytest.fixture(scope="module")
def opened(tmp_path_factory: Any) -> Iterator[Lab]:
    """A browser for the page of `dipsat serve`, shared by the tests of a file."""
    with opened_lab(tmp_path_factory.mktemp("lab")) as found:
        yield found
