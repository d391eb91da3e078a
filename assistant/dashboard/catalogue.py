"""Brings the catalogues in `locale/` up to date with the sentences in the code: `make messages`."""

from __future__ import annotations

from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from assistant.dashboard.language import DOMAIN, ENGLISH, LANGUAGES, LOCALE

ROOT = Path(__file__).parents[2]
PACKAGES = ("assistant", "vision")
KEYWORDS = {
    "_": None,
    "N_": None,
    "ngettext": (1, 2),
    "Reason": None,
    "SourceError": None,
    # the sentences beside the options in assistant/rules.py
    "_flag": (2,),
    "_figure": (2,),
    "_choice": (2,),
}
"""What a message is marked with; where it is not the first argument, which one it is."""
WIDTH = 140


def extracted() -> Catalog:
    """Every message in the code, each with the files that it stands in."""
    found = Catalog()
    for package in PACKAGES:
        messages = extract_from_dir(ROOT / package, [("**.py", "python")], keywords=KEYWORDS)
        for file, line, message, comments, context in messages:
            found.add(message, None, [(f"{package}/{Path(file).as_posix()}", line)], auto_comments=comments, context=context)
    return found


def path_of(code: str) -> Path:
    """Where the catalogue of a language is kept."""
    return LOCALE / code / "LC_MESSAGES" / f"{DOMAIN}.po"


def catalogue_of(code: str) -> Catalog:
    """The catalogue of a language as it is kept."""
    with path_of(code).open("rb") as file:
        return read_po(file, code, DOMAIN)


def untranslated(catalogue: Catalog) -> list[str]:
    """The messages of which a translation, or a form of one, is missing or only guessed."""
    lacking = (message for message in catalogue if message.id and (message.fuzzy or not message.string or not all(_forms(message.string))))
    return [_forms(message.id)[0] for message in lacking]


def _forms(string: str | tuple[str, ...]) -> tuple[str, ...]:
    """The forms of a message, one or those by number."""
    return (string,) if isinstance(string, str) else string


def main() -> None:
    """Adds new messages to every catalogue, drops those that are gone, and names those that lack their translation."""
    found = extracted()
    for code in LANGUAGES:
        if code == ENGLISH:
            continue
        path, catalogue = path_of(code), catalogue_of(code)
        catalogue.update(found, no_fuzzy_matching=True)
        header = path.read_bytes().split(b"\n\n")[0]  # kept as it is: Babel's bears the time
        with path.open("wb") as file:
            file.write(header + b"\n\n")
            write_po(file, catalogue, WIDTH, omit_header=True, sort_by_file=True, ignore_obsolete=True, include_lineno=False)
        lacking = untranslated(catalogue)
        print(f"{path.relative_to(ROOT)}: {len(found)} messages, {len(lacking)} to be translated", *lacking, sep="\n  ")


if __name__ == "__main__":
    main()
