"""How results look: words, tables, pictures, the terminal, and files on disk."""
