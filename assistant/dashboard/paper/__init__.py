"""What can be kept, sent and printed: drawn once, as a PDF with sharp text, and from that as a picture."""
