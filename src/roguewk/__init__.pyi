from .allocate.lp import Allocation as Allocation
from .allocate.lp import solve_lp as solve_lp
from .bounds.exact import Optimum as Optimum
from .bounds.exact import exact as exact
from .bounds.upper import Bound as Bound
from .bounds.upper import upper_bound as upper_bound
from .engine.runs import Runs as Runs
from .engine.simulate import simulate as simulate
from .estimate.bounds import StateBounds as StateBounds
from .estimate.bounds import state_bounds as state_bounds
from .policy.online import Decision as Decision
from .policy.online import Policy as Policy
from .policy.registry import make_policy as make_policy
from .policy.registry import policies as policies
from .policy.saved import restore_policy as restore_policy
from .problem import catalog as catalog
from .problem.arms import Arm as Arm
from .problem.arms import everyday_arm as everyday_arm
from .problem.assumptions import check_assumptions as check_assumptions
from .problem.constants import theorem_radius as theorem_radius
from .problem.errors import InputError as InputError
from .problem.files import load_world as load_world
from .problem.model import Problem as Problem
from .problem.model import Resource as Resource
from .problem.world import Cost as Cost
from .problem.world import World as World

__version__: str
