"""TileReader: the whole way from a picture to a reading in one call."""
