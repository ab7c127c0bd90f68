"""How a decision came about: every way there is, with its sentence."""

from enum import IntEnum


class Status(IntEnum):
    """A way in which a decision came about; `sentence` says it in words.

    >>> from roguewk.part.status import Status
    >>> Status.PLANNED.sentence
    'the best in the long run at the prices of today'
    """

    sentence: str

    def __new__(cls, sentence: str) -> "Status":
        """The next number, with its sentence."""
        member = int.__new__(cls, len(cls.__members__))
        member._value_ = len(cls.__members__)
        member.sentence = sentence
        return member

    OPTIMAL = "optimal"
    STRETCHED = "the budgets do not last for a pull in every round: the optimal shares are scaled up to one"
    UNREWARDING = "no arm promises a positive reward within the budgets: the best one is played"
    NOTHING = "no arm is available: an idle round"
    UNSOLVED = "the linear program was not solved to the end: its last shares are used"
    FIRST_PULL = "first pull of this arm"
    LARGEST = "the largest value"
    IGNORED = "the budgets do not last for a pull in every round: the largest reward bound is played"
    PLANNED = "the best in the long run at the prices of today"
    WAITING = "waiting is worth more than any arm now: an idle round"
    UNKNOWN = "too little is known of this arm: it is tried"
    RATIO = "the most reward for its cost"
    MIXED = "drawn at random, the better arms more often"
    SCHEDULED = "this arm's turn by the plan"
    IN_ARREARS = "the most in arrears of what the linear program asks for"
    GIVEN = "drawn with the chances that are given"
    UNCOVERED = "what is left of a budget might not cover a pull: an idle round"
    RESERVED = "what is left of {resource!r} may be needed for pulls whose costs have not come: an idle round"
    LIMITED = "budgets to be renewed, caps or gaps allow no arm now: an idle round"
    FORBIDDEN = "no arm is allowed in this context: an idle round"
    SPENT = "the budget of {resource!r} is spent: an idle round"
    ENDED = "the horizon of {horizon} rounds is over: an idle round"


BY_CODE = tuple(Status)
