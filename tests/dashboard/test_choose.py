"""Options of the same name are told apart."""

from __future__ import annotations

from assistant.dashboard.choose import told_apart


def test_every_name_that_was_there_before_has_its_number() -> None:
    assert told_apart(["Deal 1", "Deal 2", "Deal 1", "Deal 1"]) == ["Deal 1", "Deal 2", "Deal 1 (2)", "Deal 1 (3)"]
