"""Named policies: a reward estimate, a cost estimate and an allocation."""
