"""What a pull leaves behind for the time when its outcome comes: a few numbers, and whose they are."""

MEMO = 4  # numbers; the first two are the reward estimate's
CHANCE = 2  # the probability that the arm was drawn with
OWN_NOTE = 3  # the allocation's
