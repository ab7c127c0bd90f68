"""A page with everything inside: its look, its charts, and the pieces that reports are made of."""
