"""The formulas of all families in compiled code: each takes the code of a family and runs that family's own."""

from roguewk.kernel.choice import by_code
from roguewk.problem.family.registry import FAMILIES

mean_of_level = by_code([family.mean_of_level for family in FAMILIES])
level_of_mean = by_code([family.level_of_mean for family in FAMILIES])
log_partition = by_code([family.log_partition for family in FAMILIES])
variance = by_code([family.variance for family in FAMILIES])
dispersion = by_code([family.dispersion for family in FAMILIES])
surprise = by_code([family.surprise for family in FAMILIES])
likelihood = by_code([family.likelihood for family in FAMILIES])
divergence = by_code([family.divergence for family in FAMILIES])
farthest_mean = by_code([family.farthest_mean for family in FAMILIES])
kept = by_code([family.kept for family in FAMILIES])
