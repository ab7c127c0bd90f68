"""Names with settings as they are typed."""

from roguewk.cli import settings


def test_the_catalogue_is_at_hand_with_its_options() -> None:
    assert settings.read_world("catalog:paper:budget=50:idle=true").problem.idle
    assert settings.read_world("catalog:paper:budget=50").problem.budgets.tolist() == [50.0] * 3
