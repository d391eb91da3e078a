"""Video files and folders of frames, and a sentence for each that is none."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.mjpeg import jpeg, noisy
from vision import camera
from vision.camera import captured, check_source, recorded
from vision.straighten import Picture
from vision.trouble import SourceError


def video(path: Path, pictures: list[Picture], codec: str = "MJPG", rate: float = 20.0) -> Path:
    height, width = pictures[0].shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*codec), rate, (width, height))
    for picture in pictures:
        writer.write(picture)
    writer.release()
    return path


@pytest.mark.parametrize(("name", "codec"), [("clip.avi", "MJPG"), ("clip.mp4", "mp4v")])
def test_a_video_comes_frame_by_frame_at_its_own_times(tmp_path: Path, name: str, codec: str) -> None:
    pictures = [cv2.resize(noisy(seed, (8, 6)), (160, 120)) for seed in range(7)]
    frames = list(recorded(str(video(tmp_path / name, pictures, codec))))
    assert [frame.number for frame in frames] == list(range(7))
    assert [frame.time for frame in frames] == pytest.approx([number / 20 for number in range(7)])
    for frame, picture in zip(frames, pictures, strict=True):
        assert np.abs(frame.picture.astype(int) - picture).mean() < 12


def test_black_frames_of_a_video_are_left_out(tmp_path: Path) -> None:
    pictures = [noisy(0), np.zeros((120, 160, 3), np.uint8), noisy(2)]
    assert [frame.number for frame in recorded(str(video(tmp_path / "clip.avi", pictures)))] == [0, 2]


def test_a_folder_is_read_in_the_order_of_its_numbers_and_damaged_frames_are_left_out(tmp_path: Path) -> None:
    for number in (1, 2, 9, 10, 100):
        cv2.imwrite(str(tmp_path / f"frame {number}.png"), np.full((64, 64, 3), 40 + number, np.uint8))
    (tmp_path / "frame 9.png").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("no picture")
    frames = list(recorded(str(tmp_path)))
    assert [int(frame.picture[0, 0, 0]) - 40 for frame in frames] == [1, 2, 10, 100]
    assert [frame.number for frame in frames] == [0, 1, 3, 4]
    assert [frame.time for frame in frames] == pytest.approx([0.0, 0.1, 0.3, 0.4])


def test_what_is_no_recording_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.mp4").write_text("no video")
    (tmp_path / "notes.txt").write_text("red 5, blue 7\n" * 200)
    (tmp_path / "nothing.mp4").write_bytes(b"")
    (tmp_path / "photo.jpg").write_bytes(jpeg(noisy(0)))
    whole = video(tmp_path / "whole.mp4", [noisy(seed) for seed in range(5)], "mp4v").read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    video(tmp_path / "black.avi", [np.zeros((120, 160, 3), np.uint8)] * 3)
    wrong = {
        "none.mp4": "does not exist",
        "empty": "no picture",
        "text.mp4": "no picture",
        "notes.txt": "no picture",
        "nothing.mp4": "no picture",
        "cut.mp4": "no picture",  # what this format says of its frames stands at its end
        "photo.jpg": "istaka read",
        "black.avi": "no picture",
    }
    for name, words in wrong.items():
        with pytest.raises(SourceError, match=words) as caught:
            list(recorded(str(tmp_path / name)))
        assert "\n" not in str(caught.value)
        assert caught.value.template.format(**caught.value.values) == str(caught.value)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("3000000000", "camera 3000000000 cannot be used"),
        ("9" * 20, f"camera {'9' * 20} cannot be used"),
        ("9" * 5000, "cannot be used"),
        ("", "'' does not exist"),
        ("x" * 300, "cannot be read|does not exist"),  # by the version of Python
    ],
)
def test_what_can_never_be_a_source_is_refused_at_once(source: str, words: str) -> None:
    for refuse in (check_source, captured):
        with pytest.raises(SourceError, match=words):
            refuse(source)


class Undecodable:
    """Stands for a camera of the computer, of which there is none here: its pictures come and cannot be decoded."""

    def __init__(self, *_: object) -> None: ...
    def set(self, *_: object) -> None: ...
    def release(self) -> None: ...

    def isOpened(self) -> bool:  # OpenCV's name
        return True

    grab = isOpened

    def retrieve(self) -> tuple[bool, None]:
        return False, None


def test_a_camera_whose_pictures_cannot_be_decoded_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera, "PATIENCE", 0.1)
    monkeypatch.setattr(cv2, "VideoCapture", Undecodable)
    with pytest.raises(SourceError, match="camera 0 cannot be used"):
        next(captured("0"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has neither pipes nor devices among its files")
def test_no_pipe_and_no_device_is_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mp4")
    for name, words in (("pipe.mp4", "is no video file"), ("/dev/null", "is a device: give the camera's number")):
        with pytest.raises(SourceError, match=words):
            next(recorded(str(tmp_path / name)))


def test_a_video_that_was_cut_off_is_read_up_to_there(tmp_path: Path) -> None:
    path = video(tmp_path / "clip.avi", [noisy(seed) for seed in range(10)])
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert 3 <= len(list(recorded(str(path)))) <= 6


def test_a_video_of_one_frame_has_one(tmp_path: Path) -> None:
    assert len(list(recorded(str(video(tmp_path / "clip.mp4", [noisy(0)], "mp4v"))))) == 1


def test_a_video_whose_pictures_change_their_size_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "clip.mjpeg"
    path.write_bytes(b"".join(jpeg(noisy(seed, size)) for size in ((160, 120), (320, 240), (120, 160)) for seed in range(4)))
    assert [frame.number for frame in recorded(str(path))] == list(range(12))


def test_a_folder_that_goes_away_while_it_is_read_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    for number in range(3):
        cv2.imwrite(str(folder / f"{number}.png"), noisy(number))
    frames = recorded(str(folder))
    next(frames)
    shutil.rmtree(folder)
    with pytest.raises(SourceError, match="has gone"):
        list(frames)


def test_frames_that_come_into_a_folder_while_it_is_read_are_read_too(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "9.png"), noisy(9))
    frames = recorded(str(tmp_path))
    assert next(frames).number == 0
    for number in (10, 11):
        cv2.imwrite(str(tmp_path / f"{number}.png"), noisy(number))
    assert [frame.number for frame in frames] == [1, 2]
