"""What logs tell: who got what and when, read and judged before anything is learned from it."""
