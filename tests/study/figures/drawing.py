"""Studies with so much in them that figures are crowded."""

from tests.study.invented import PARAMETER, SMALL

LONG = "a name of more than eighty letters, such as some people give to whatever they have got"


CROWDS = {
    "50 policies, 1 world": SMALL.replace("[5, 10]", "5")
    + f'[[policy]]\npolicy = "sw-ucb"\nw1 = {list(range(2, 50))}\n',
    "50 policies, 8 worlds": SMALL.replace("[5, 10]", str(list(range(5, 13))))
    + f'[[policy]]\npolicy = "sw-ucb"\nw1 = {list(range(2, 50))}\n',
    "a parameter": PARAMETER + '[plot]\nx = "w1"\n',
    "200 worlds": SMALL.replace("[5, 10]", str(list(range(5, 205)))) + '[plot]\nx = "horizon"\n',
    "long names": SMALL.replace("horizon = 50", f'label = "{LONG}"\nhorizon = [50, 60]')
    + f'[[policy]]\npolicy = "sw-ucb"\nlabel = "{LONG}"\nw1 = [1, 2]\n'
    + '[plot]\nx = "budget"\n',
    "long names in rows": SMALL.replace("[5, 10]", f'5\nlabel = "{LONG}"').replace('["ucb1", "sw-ucb"]', '"ucb1"')
    + f'label = "{LONG}"\n[[policy]]\npolicy = "sw-ucb"\nlabel = "{LONG}"\nw1 = [1, 2]\n',
}
