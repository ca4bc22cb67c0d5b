"""The search for every rule set that no other engine takes."""
