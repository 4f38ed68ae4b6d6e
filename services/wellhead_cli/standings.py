"""What many games come to: totals over all of them, and a rating of the policies with its uncertainty."""

import math
import time
from dataclasses import dataclass, field

from openskill.models import PlackettLuce, PlackettLuceRating

from wellhead_cli.simulation import Outcome, Series
from wellhead_rules.kernel.ruleset import Ruleset

Z = 1.96
"""Standard deviations on either side of what is called an interval: 95 % of a normal distribution."""


def interval(successes: float, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share after Wilson, which also holds for few trials and for shares near 0 or 1."""
    if not trials:
        return 0.0, 1.0
    share, spread = successes / trials, Z * Z / trials
    middle = (share + spread / 2) / (1 + spread)
    reach = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    # At a share of 0 or 1 one end is the share itself; rounding must not put it on the wrong side.
    return max(0.0, min(middle - reach, share)), min(1.0, max(middle + reach, share))


@dataclass(slots=True)
class Rated:
    """A policy over all its seats. `rating` is openskill's, 25 for an even field; `low` and `high` enclose 95 %."""

    policy: str
    seats: int = 0
    wins: int = 0
    win_share: float = 0.0
    win_share_low: float = 0.0
    win_share_high: float = 1.0
    mean_score: float = 0.0
    rating: float = 0.0
    rating_low: float = 0.0
    rating_high: float = 0.0


@dataclass(slots=True)
class Summary:
    """Many games; what `wellhead sim --json` prints. Scores and wins are of finished games, `wins_by_seat` by rank."""

    game: str
    rules_version: str
    players: int
    policy: list[str]
    """The policy of every seat in game 0."""
    seed: int
    options: dict[str, str]
    games: int = 0
    finished: int = 0
    decisions: int = 0
    seconds: float = 0.0
    decisions_per_second: float = 0.0
    mean_score: float = 0.0
    mean_score_by_seat: list[float] = field(default_factory=list)
    wins_by_seat: list[int] = field(default_factory=list)
    ratings: list[Rated] = field(default_factory=list)
    refused: int = 0
    anomalies: list[str] = field(default_factory=list)

    @property
    def flawless(self) -> bool:
        """Every game finished and nothing was found."""
        return self.finished == self.games and not self.refused and not self.anomalies


class Standings:
    """Adds games up one by one; `summary` is always up to date but for the ratings, which `rate` fills in."""

    def __init__(self, ruleset: Ruleset, series: Series) -> None:
        players = len(series.policies)
        options = ruleset.options(series.options, players)
        self.summary = Summary(ruleset.name, ruleset.version, players, list(series.policies), series.seed, options)
        self.summary.wins_by_seat = [0] * players
        self._points = [0] * players
        self._model = PlackettLuce()
        self._rated = {policy: Rated(policy) for policy in series.policies}
        self._skill: dict[str, PlackettLuceRating] = {policy: self._model.rating() for policy in series.policies}
        self._begun = time.perf_counter()

    def add(self, outcome: Outcome) -> None:
        """One more game."""
        summary = self.summary
        summary.games += 1
        summary.decisions += outcome.decisions
        summary.refused += outcome.refused
        summary.anomalies += [f"game {outcome.number}: {anomaly}" for anomaly in outcome.anomalies]
        if outcome.finished:
            summary.finished += 1
            for seat in outcome.winners:
                summary.wins_by_seat[seat] += 1
            self._points = [total + own for total, own in zip(self._points, outcome.totals, strict=True)]
            self._add_to_policies(outcome)
        summary.seconds = time.perf_counter() - self._begun
        summary.decisions_per_second = summary.decisions / summary.seconds
        summary.mean_score_by_seat = [total / max(summary.finished, 1) for total in self._points]
        summary.mean_score = sum(summary.mean_score_by_seat) / summary.players

    def rate(self) -> Summary:
        """The summary with the ratings, the best policy first."""
        for policy, rated in self._rated.items():
            skill = self._skill[policy]
            rated.win_share = rated.wins / max(rated.seats, 1)
            rated.win_share_low, rated.win_share_high = interval(rated.wins, rated.seats)
            rated.rating = skill.mu
            rated.rating_low, rated.rating_high = skill.mu - Z * skill.sigma, skill.mu + Z * skill.sigma
        self.summary.ratings = sorted(self._rated.values(), key=lambda rated: -rated.rating)
        return self.summary

    def _add_to_policies(self, outcome: Outcome) -> None:
        for seat, policy in enumerate(outcome.policies):
            rated = self._rated[policy]
            rated.mean_score += (outcome.totals[seat] - rated.mean_score) / (rated.seats + 1)
            rated.seats += 1
            rated.wins += seat in outcome.winners
        if len(self._rated) > 1:
            self._rate_game(outcome)

    def _rate_game(self, outcome: Outcome) -> None:
        """Every seat is a team of its own; a policy on several seats takes the mean of what they come to."""
        teams = [[self._skill[policy]] for policy in outcome.policies]
        ranks = [float(outcome.ranks[outcome.ranking.index(seat)]) for seat in range(len(teams))]
        after = self._model.rate(teams, ranks=ranks)
        for policy in set(outcome.policies):
            own = [team[0] for team, other in zip(after, outcome.policies, strict=True) if other == policy]
            mu = sum(skill.mu for skill in own) / len(own)
            sigma = sum(skill.sigma for skill in own) / len(own)
            self._skill[policy] = self._model.rating(mu=mu, sigma=sigma)
