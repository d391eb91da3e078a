"""The game of Okey: pure rules, and the programs above them."""
