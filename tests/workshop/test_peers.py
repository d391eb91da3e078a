"""What a user would otherwise assemble: its parts, on drawn tiles."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.tiles import Colour, Tile
from vision.reader import TileReader
from vision.sources import load_photo
from vision.workshop.bench import SAMPLE
from vision.workshop.peers import OcrPeer, YoloPeer, colour_by_hue, tile_outlines, with_layout

INKS = {Colour.RED: (30, 30, 200), Colour.BLACK: (30, 30, 30), Colour.BLUE: (180, 70, 20), Colour.YELLOW: (20, 140, 230)}


def drawn(angle: float, colour: Colour) -> np.ndarray:
    """A dark table with one light tile that bears a 7, turned clockwise by `angle` degrees."""
    picture = np.full((480, 640, 3), 50, np.uint8)
    cv2.rectangle(picture, (260, 150), (380, 330), (235, 240, 240), -1)
    cv2.putText(picture, "7", (290, 240), cv2.FONT_HERSHEY_SIMPLEX, 2.8, INKS[colour], 10, cv2.LINE_AA)
    return cv2.warpAffine(picture, cv2.getRotationMatrix2D((320, 240), -angle, 1), (640, 480), borderValue=(50, 50, 50))


@pytest.mark.parametrize("angle", [0, 20, -30])
def test_a_light_tile_is_outlined_from_its_top_left(angle: float) -> None:
    (outline,) = tile_outlines(drawn(angle, Colour.RED))
    turn = cv2.getRotationMatrix2D((320, 240), -angle, 1)
    wanted = cv2.transform(np.array([[[260, 150], [380, 150], [380, 330], [260, 330]]], np.float32), turn)[0]
    assert np.abs(outline - wanted).max() < 6


@pytest.mark.parametrize("colour", list(INKS))
def test_colour_by_hue(colour: Colour) -> None:
    assert colour_by_hue(cv2.resize(drawn(0, colour)[150:330, 260:380], (64, 96))) is colour


def test_a_peers_tiles_are_laid_out_as_the_readers() -> None:
    first = np.array([[0, 100], [40, 100], [40, 160], [0, 160]], np.float32)
    found = [(Tile.parse(f"R{i + 1}"), 0.9, first + np.float32([42 * i, 0])) for i in range(5)]
    reading = with_layout(np.zeros((300, 400, 3), np.uint8), found, 5.0)
    assert [str(seen.tile) for seen in reading.tiles] == ["R1", "R2", "R3", "R4", "R5"]
    assert reading.ms["total"] == 5.0
    assert with_layout(np.zeros((300, 400, 3), np.uint8), [], 1.0).tiles == ()


def test_ocr_reads_a_tile_either_way_up() -> None:
    pytest.importorskip("rapidocr", reason="the extra `peers` is not installed")
    for angle in (0, 180):
        ((tile, _, _),) = OcrPeer().find(drawn(angle, Colour.BLUE))
        assert str(tile) == "B7"


def test_the_detector_reads_a_rack() -> None:
    pytest.importorskip("ultralytics", reason="the extra `train` is not installed")
    picture = load_photo(SAMPLE)
    read = {str(seen.tile) for seen in with_layout(picture, YoloPeer(640).find(picture), 1.0).tiles}
    known = {str(seen.tile) for seen in TileReader().read(picture).tiles}
    assert len(read & known) > len(known) / 2


def test_a_package_without_the_detector_says_where_it_lies(tmp_path: Path) -> None:
    pytest.importorskip("ultralytics", reason="the extra `train` is not installed")
    with pytest.raises(FileNotFoundError, match="repository"):
        YoloPeer(640, tmp_path)
