"""The model's workshop: render, train, export, evaluate, bench. Nothing outside it imports it."""
