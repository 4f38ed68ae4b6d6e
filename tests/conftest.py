"""What every test shares: how Hypothesis searches."""

from hypothesis import settings

# Two busy cores make any single example slow now and then: what is too slow is for the benchmarks to say.
settings.register_profile("wellhead", deadline=None, print_blob=True)
settings.load_profile("wellhead")
