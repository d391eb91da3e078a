"""Choosing among what may be called the same: Streamlit tells the options of a selectbox apart by what they say, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

import streamlit as st

Option = TypeVar("Option", bound=Hashable)


def choose(question: str, named: Mapping[Option, str], key: str) -> Option:
    """Asks for one of the options, each with its name; the first stands there already."""
    names = dict(zip(named, told_apart(named.values()), strict=True))
    return st.selectbox(question, list(names), format_func=names.__getitem__, key=key)


def told_apart(names: Iterable[str]) -> list[str]:
    """The names, every one that was there before with its number."""
    count: Counter[str] = Counter()
    apart = []
    for name in names:
        count[name] += 1
        apart.append(name if count[name] == 1 else f"{name} ({count[name]})")
    return apart
