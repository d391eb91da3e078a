"""The command line, as a user or another program calls it."""

import contextlib
import io
import itertools
import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.__main__ import main as start
from assistant.cli import WORKSHOP, main
from assistant.store import Store
from tests.conftest import ROOT
from vision.profile import taught_sets


def istaka(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "assistant", *arguments], input=text, capture_output=True, text=True, check=False)


HAND = "R3 R4 R5 K9 B9 Y9 J B10 B11 B12 B13 Y1 K1 R1"
FULL = Path("/dev/full")


def test_solve_prints_the_contracts_object() -> None:
    done = istaka("solve", HAND, "--indicator", "B8", "--json")
    assert done.returncode == 0
    answer = json.loads(done.stdout)
    assert answer["can_win"] is True
    assert answer["win"] == "melds"
    assert answer["distance"] == 0
    assert answer["left"] == []
    assert answer["outs"] == []


def test_solve_answers_every_line_and_says_which_was_wrong() -> None:
    done = istaka("solve", "-", "--json", text=f"{HAND} ; B8\nR1 R1 R1 ; B8\nR1 R2\n{HAND} ; K11\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2
    assert [("error" in answer) for answer in answers] == [False, True, True, False]
    assert "line 2" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve", "R1 R1 R1", "--indicator", "B8"], "3 copies of R1"),
        (["solve", "R1 X9", "--indicator", "B8"], "is no tile"),
        (["solve", "R1 R2", "--indicator", "B99"], "is no tile"),
        (["solve", "R1 R2", "--indicator", "J"], "indicator"),
        (["solve", "R1 R2"], "--indicator"),
        (["solve", "R1 R2", "--indicator", "B8", "--rules", "poker"], "classic"),
        (["check", "R1 ? R2", "--indicator", "B8"], "not read"),
        (["check", "missing.jpg"], "does not exist"),
        (["serve", "--port", "99999999"], "port"),
        (["serve", "--camera", "missing.mp4"], "does not exist"),
        (["solve", "R1 R2", "--indicator", "B8", "--objective", "points"], "--rules 101"),
        (["check", "R1 R2", "--option", "strict_layout=maybe"], "strict_layout"),
        (["check", "R1 X " * 100], "is no tile"),
        (["check"], "RACK_OR_PHOTO"),
        *(
            (["solve", "R1 R2", "--indicator", "B8", "--rules", "101", f"--beat-{unit}={given}"], f"--beat-{unit}: must be a whole number")
            for unit, given in itertools.product(("points", "pairs"), ("-1", "1.5", "x", "9" * 5000))
        ),
        (["check", "R1 R2 R3", "--set", "home"], "--set names the set in a photo, and this hand is written: leave it out"),
        (["serve", "--host", ""], "--host is empty: give"),
        (["serve", "--host", "\udcff"], "'\\udcff' is no IPv4 address of this machine: give"),
        (["score", ""], "'' cannot be opened"),
        (["score", "no\nsuch\x1b[31m"], "no\\nsuch\\x1b[31m cannot be opened"),
        (["read", "no\nsuch.jpg"], "no\\nsuch.jpg does not exist"),
        (["read", "rack.jpg", "--no\nsuch"], "--no\\nsuch"),
        (["tables", "--db", "sqlite:///tables.db?mode=ro"], "'mode' are not accepted"),
        (["tables", "--db", "sqlite:///tables.db?mode=ro&uri=true"], "write sqlite:///file:tables.db?"),
        (["tables", "--db", "sqlite:///tables.db?timeout=1&timeout=2"], "the database's URL cannot be read"),
        (["simulate", "--option", f"start={'9' * 5000}"], "the figure of start has 5000 digits: write one of at most 999"),
    ],
)
def test_bad_input_gets_one_sentence_and_status_2(arguments: list[str], words: str) -> None:
    done = istaka(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


@pytest.mark.skipif(not FULL.exists(), reason="there is no device here that never ends")
def test_what_has_no_end_is_not_read_to_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("assistant.cli.MOST_TEXT", 1000)
    assert main(["score", "/dev/zero"]) == 2
    assert capsys.readouterr().err == "istaka score: /dev/zero is too long for a ledger: give one, a JSON object a line\n"

    with Path("/dev/zero").open() as endless:
        monkeypatch.setattr(sys, "stdin", endless)
        assert main(["solve", "-"]) == 2
    assert capsys.readouterr().err == "istaka solve: line 1 is too long for a hand: give `RACK ; INDICATOR` lines\n"

    class Endless(io.StringIO):
        def readline(self, size: int | None = -1) -> str:
            raise MemoryError

    monkeypatch.setattr(sys, "stdin", Endless())
    assert main(["solve", "-"]) == 2
    assert capsys.readouterr().err == "istaka solve: the memory does not suffice for what was given: give less at once\n"


def test_what_only_some_commands_need_is_not_loaded_for_all() -> None:
    loaded = "import sys, assistant.cli; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert not {"multiprocessing", "concurrent", "numpy", "numba", "sqlalchemy", "streamlit", "cv2"} & set(done.stdout.split())


@pytest.mark.parametrize("command", WORKSHOP)
def test_wrong_arguments_of_the_workshop_get_one_sentence(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status: object = main([command, "--no-such-option"])  # where the extra `train` is missing, that is said instead
    except SystemExit as stopped:
        status = stopped.code
    assert status == 2
    assert re.fullmatch(rf"istaka {command}: .*(see istaka {command} --help|run pip install 'istaka\[train\]')\n", capsys.readouterr().err)


def test_ctrl_c_while_the_command_is_loaded_ends_it_without_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            if name == "assistant.cli":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "assistant.cli")
    monkeypatch.setattr(sys, "meta_path", [Interrupted, *sys.meta_path])
    assert start() == 130
    assert capsys.readouterr() == ("", "")


def test_the_command_begins_where_ctrl_c_is_heard_at_once() -> None:
    with (ROOT / "pyproject.toml").open("rb") as described:
        scripts = re.findall(rb'^istaka = "(.*)"$', described.read(), re.MULTILINE)
    assert scripts == [b"assistant.__main__:main"]
    done = subprocess.run([sys.executable, "-m", "assistant", "solve", "R1 X9", "--indicator", "B8"], capture_output=True, check=False)
    assert done.returncode == 2
    loaded = "import sys; before = set(sys.modules); import assistant.__main__; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, check=True, text=True)
    assert set(done.stdout.split()) == {"assistant", "assistant.__main__"}


def test_check_says_yes_and_no_by_its_exit_status() -> None:
    laid = "R3 R4 R5 | K9 B9 Y9 | J B10 B11 B12 B13 | Y1 K1 R1"
    assert istaka("check", laid, "--indicator", "B8").returncode == 0
    refused = istaka("check", laid.replace(" | ", " ", 1), "--indicator", "B8", "--json")
    assert refused.returncode == 1
    assert json.loads(refused.stdout)["could_win"] is True


def test_standard_input_may_come_from_any_editor() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "assistant", "solve", "-", "--json"],
        input=b"\xef\xbb\xbf" + f"{HAND.lower()} ; b8\r\n\r\nR1 \r\n".encode() + b"R\xff ; B8\r\n",
        capture_output=True,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2
    assert answers[0]["win"] == "melds"
    assert [answer["error"].split(":")[0] for answer in answers[1:]] == ["line 3", "line 4"]


def test_a_ledger_on_standard_input_may_come_from_any_editor_whatever_the_locale() -> None:
    ledger = '{"rules": "classic", "players": ["Ayşe", "Çağrı"]}\r\n'.encode()
    for text, status, words in (
        (b"\xef\xbb\xbf" + ledger, 0, "Çağrı: 20"),
        (ledger, 0, "Ayşe: 20"),
        (ledger.decode().encode("iso8859-9"), 2, "standard input is no text in UTF-8: give a ledger, a JSON object a line"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "assistant", "score", "-"],
            input=text,
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "iso8859-9"},
            check=False,
        )
        assert done.returncode == status
        assert words in (done.stderr if status else done.stdout).decode()


def test_a_file_that_fails_gets_one_sentence_where_the_output_is_closed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: object) -> int:
        raise OSError(36, "File name too long", "photo.jpg")

    monkeypatch.setattr("assistant.cli._tables", fail)
    monkeypatch.setattr("sys.stdout", None)
    assert main(["tables"]) == 2
    assert capsys.readouterr().err == "istaka tables: photo.jpg cannot be opened (File name too long)\n"


def test_a_name_steers_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    store = Store(database)
    store.new_table(["Ayşe", "Burak"], "classic", {})
    with sqlite3.connect(tmp_path / "tables.db") as kept:
        kept.execute("UPDATE tables SET players = ?", [json.dumps(["\x1b[2JAyşe\x9b", "Bu\r\nrak"])])
    assert main(["tables", "--db", database]) == 0
    with sqlite3.connect(tmp_path / "tables.db") as kept:
        kept.execute("UPDATE tables SET rules = 'poker'")
    assert main(["tables", "--db", database]) == 0
    path = tmp_path / "masa.jsonl"
    path.write_text(json.dumps({"rules": "classic", "players": [" Ay\nşe", "Bu\trak"]}))
    assert main(["score", str(path)]) == 0
    tables, unreadable, *score = capsys.readouterr().out.splitlines()
    assert "[2JAyşe 20, Bu rak 20  (" in tables
    assert "the table of [2JAyşe, Bu rak was saved by another version" in unreadable
    assert score == ["Ay şe: 20", "Bu rak: 20", "0 deals, going on", "rules: classic"]
    assert all(line.isprintable() for line in (tables, unreadable))


def test_what_a_verdict_and_a_score_rest_on_is_printed_with_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    winning = "R1 R2 R3 K4 K5 K6 K7 B9 B10 B11 Y1 Y2 Y3 Y4"
    assert main(["solve", winning, "--indicator", "R8", "--option", "high_one=off"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "rules: classic with high_one off"
    shown = "R1 R2 R3 | K4 K5 K6 K7 | B9 B10 B11 | Y1 Y2 Y3 Y4"
    assert main(["check", shown, "--indicator", "R8", "--rules", "favorite", "--option", "rows_join=on"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "rules: favorite with rows_join on"
    path = tmp_path / "masa.jsonl"
    options = {"start": 12, "elimination": True, "win": 5, "colour_doubles": "any"}
    path.write_text(json.dumps({"rules": "classic", "players": ["Ayşe", "Burak"], "options": options}))
    assert main(["score", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "rules: classic with start 12, win 5, elimination on, colour_doubles any"


def test_a_line_without_an_indicator_is_told_so() -> None:
    done = istaka("solve", "-", text=f"{HAND}\n{HAND} ;\n")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"istaka solve: line {number}: the indicator is missing: write RACK ; INDICATOR" for number in (1, 2)
    ]


def test_what_is_printed_is_utf_8_whatever_the_locale() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "assistant", "solve", "-"],
        input=f"R−1 ; B8\n{HAND} ; B8\n".encode(),
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    refused, answer = done.stdout.decode("utf-8").splitlines()
    assert "'R−1' is no tile" in refused
    assert answer.startswith("wins with melds")


@pytest.mark.skipif(not FULL.exists(), reason="there is no device here that is always full")
@pytest.mark.parametrize("rack", [["-"], [HAND, "--indicator", "B8"]])
def test_a_full_disk_gets_one_sentence(rack: list[str]) -> None:
    with FULL.open("w") as full:
        command = [sys.executable, "-m", "assistant", "solve", *rack]
        done = subprocess.run(command, input=f"{HAND} ; B8\n", stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_whoever_reads_only_the_first_answers_gets_no_complaint() -> None:
    command = [sys.executable, "-m", "assistant", "solve", "-", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdin is not None and running.stdout is not None and running.stderr is not None
        running.stdin.write(f"{HAND} ; B8\n" * 20)
        running.stdin.flush()
        assert json.loads(running.stdout.readline())["can_win"] is True
        running.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            running.stdin.write(f"{HAND} ; B8\n")
            running.stdin.close()
        assert running.stderr.read() == ""
        assert running.wait() == 0


@pytest.mark.skipif(not FULL.exists(), reason="there is no device here that is always full")
@pytest.mark.parametrize("arguments", [["--help"], ["read", "--help"], ["bench", "--help"]])
def test_every_command_says_a_full_disk_and_leaves_a_closed_pipe_in_peace(arguments: list[str]) -> None:
    """Where Python keeps what is printed until the end, too."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-m", "assistant", *arguments]
    with FULL.open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment)
    assert done.returncode == 2
    assert done.stderr.endswith(": No space left on device\n") and done.stderr.count("\n") == 1
    ends = os.pipe()
    os.close(ends[0])
    done = subprocess.run(command, stdout=ends[1], stderr=subprocess.PIPE, text=True, check=False, env=environment)
    os.close(ends[1])
    assert (done.returncode, done.stderr) == (0, "")


def test_check_says_when_the_indicator_that_nobody_told_decides() -> None:
    laid = "R3 R4 R5 | K9 B9 Y9 / J B10 B11 B12 B13 | Y1 K1 R1"
    assert istaka("check", laid, "--indicator", "B8").returncode == 0
    assert istaka("check", laid, "--indicator", "R8").returncode == 1
    untold = istaka("check", laid)
    assert "the indicator decides" in untold.stdout and untold.returncode == 1
    assert "the indicator decides" not in istaka("check", "R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13").stdout


def test_hands_from_standard_input_have_the_commands_indicator_unless_they_say_another() -> None:
    done = istaka("solve", "-", "--indicator", "B8", text=f"{HAND}\n{HAND} ; R8\n")
    assert done.returncode == 0
    assert [" J=B9 " in line for line in done.stdout.splitlines()] == [True, False]


def test_solve_says_the_discard_of_every_hand_of_many() -> None:
    done = istaka("solve", "-", text="R1 R2 R3 K1 K2 K3 B5 B6 B7 Y1 Y2 Y3 K12 B13 R9 ; Y3\n")
    alone = istaka("solve", "R1 R2 R3 K1 K2 K3 B5 B6 B7 Y1 Y2 Y3 K12 B13 R9", "--indicator", "Y3")
    discard = next(line for line in alone.stdout.splitlines() if line.startswith("discard "))
    assert done.stdout.strip().endswith(f"; {discard}")


def test_rules_and_options_decide() -> None:
    mixed = HAND.replace("R3 R4 R5 K9", "R3 R4 K9 R5")
    assert istaka("check", mixed, "--indicator", "B8").returncode == 1
    free = istaka("check", mixed, "--indicator", "B8", "--option", "strict_layout=off", "--json")
    assert free.returncode == 0
    assert json.loads(free.stdout)["decided_by"] == {"strict_layout": False}


def test_solve_tells_points_and_openings_in_101() -> None:
    rack = "R11 R12 R13 K11 K12 K13 B5 B6 B7 B8 R1 K1 Y1 Y9"
    answer = json.loads(istaka("solve", rack, "--indicator", "B8", "--rules", "101", "--objective", "points", "--json").stdout)
    assert answer["points"] == answer["opening"]["points"] == 101
    assert answer["opening"]["can_open"] is True
    raised = json.loads(istaka("solve", rack, "--indicator", "B8", "--rules", "101", "--beat-points", "101", "--json").stdout)
    assert raised["opening"]["can_open"] is False


@pytest.mark.parametrize("database", ["sqlite://", "sqlite:///", "sqlite:///:memory:"])
def test_a_database_that_would_keep_nothing_is_refused(database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "masa.jsonl"
    path.write_text(json.dumps({"rules": "classic", "players": ["Ayşe", "Burak"]}))
    assert main(["import-table", str(path), "--db", database]) == 2
    assert "names no file, and would keep nothing: write sqlite:///FILE" in capsys.readouterr().err


def test_a_ledger_that_cannot_be_read_makes_no_database(tmp_path: Path) -> None:
    assert main(["import-table", str(tmp_path / "none.jsonl"), "--db", f"sqlite:///{tmp_path / 'tables.db'}"]) == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tables"], "there is no home folder: name a database with --db or ISTAKA_DB"),
        (["read", "photo.jpg", "--set", "ours"], "there is no home folder, in which taught sets are kept: set HOME"),
    ],
)
def test_without_a_home_folder_a_sentence_says_so(
    arguments: list[str], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(*_: object, **__: object) -> Path:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.delenv("ISTAKA_DB", raising=False)
    monkeypatch.setattr("assistant.database.user_data_path", none)
    monkeypatch.setattr("vision.profile.user_data_path", none)
    assert main(arguments) == 2
    assert capsys.readouterr().err == f"istaka {arguments[0]}: {words}\n"
    assert taught_sets() == [], "the pages, which ask for them, work without"


def test_a_pin_that_cannot_be_written_where_it_was_to_be_is_told_beside_the_error(tmp_path: Path) -> None:
    path, database = tmp_path / "masa.jsonl", f"sqlite:///{tmp_path / 'tables.db'}"
    path.write_text(json.dumps({"rules": "classic", "players": ["Ayşe", "Burak"]}))
    command = [sys.executable, "-m", "assistant", "import-table", str(path), "--db", database]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert re.search(r"table \w+, PIN \d{6}", done.stderr)
