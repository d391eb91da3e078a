"""Which face is seen at each pixel of a scene whose tiles and boards are solid: nearest first, exact for every plane."""

from __future__ import annotations

import cv2
import numpy as np

from vision.workshop.scene import SUBPIXEL_BITS, Camera, PlacedTile, Scene, Thing, Vector, in_subpixels


class Visibility:
    """What a camera sees of a scene's faces.

    `owner` is int32 (height, width): 1 + the index in `order` of the tile whose face is seen, or 0. Rounded corners and
    bevels count as if they were sharp.
    """

    def __init__(self, scene: Scene, camera: Camera, tile_height: float, thickness: float, size: tuple[int, int]) -> None:
        width, height = size
        self.camera = camera
        self.owner = np.zeros((height, width), np.int32)
        self.order: list[PlacedTile] = []
        self._nearness = np.zeros((height, width), np.float32)
        for thing in scene.things:
            front, along = _front(thing, tile_height, thickness)
            if not camera.can_draw(np.concatenate([front, front + along])):
                continue
            number = 0
            if isinstance(thing, PlacedTile):
                self.order.append(thing)
                number = len(self.order)
            self._draw(front, number)
            self._draw(front + along, 0)
            for one, other in zip(front, np.roll(front, -1, 0), strict=True):
                self._draw(np.array([one, other, other + along, one + along]), 0)

    def _draw(self, corners: Vector, number: int) -> None:
        """One plane quadrilateral (4, 3), where nothing drawn before is nearer. Planes seen edge-on are nowhere."""
        height, width = self.owner.shape
        camera = self.camera
        pixels = camera.project(corners)
        low = np.clip(np.floor(pixels.min(0)).astype(np.int64) - 1, 0, [width, height])
        high = np.clip(np.ceil(pixels.max(0)).astype(np.int64) + 2, 0, [width, height])
        normal = np.cross(corners[1] - corners[0], corners[3] - corners[0])
        distance = float(normal @ (corners[0] - camera.position))
        if (low >= high).any() or abs(distance) < 1e-6:
            return
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        outline = in_subpixels(pixels - low - 0.5)  # OpenCV counts from the middle of the first pixel
        if outline is None:
            return
        cv2.fillConvexPoly(mask, outline, 1, cv2.LINE_8, SUBPIXEL_BITS)
        # One over the depth of a plane is linear in the picture.
        x = (np.arange(low[0], high[0]) + 0.5 - camera.centre[0]) / camera.focal * (normal @ camera.right)
        y = (camera.centre[1] - np.arange(low[1], high[1]) - 0.5) / camera.focal * (normal @ camera.up)
        nearness = ((x[None, :] + y[:, None] + normal @ camera.forward) / distance).astype(np.float32)
        window = (slice(low[1], high[1]), slice(low[0], high[0]))
        seen = (mask > 0) & (nearness > self._nearness[window])
        self._nearness[window][seen] = nearness[seen]
        self.owner[window][seen] = number


def _front(thing: Thing, tile_height: float, thickness: float) -> tuple[Vector, Vector]:
    """A thing's front (4, 3), and the way (3,) from there to its back."""
    if isinstance(thing, PlacedTile):
        return thing.corners(tile_height), -thing.normal * thickness
    return thing.corners, thing.body
