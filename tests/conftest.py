"""How much hypothesis tries; `pytest --hypothesis-profile quick` is for slow builds."""

from hypothesis import settings

# No deadline: how long an example takes says more about the machine than about the code.
settings.register_profile("usual", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=10)
settings.load_profile("usual")
