"""Which version of the package is installed."""


def installed_version() -> str:
    """The version of the package, or ``"(not installed)"`` if it is used without being installed."""
    from importlib import metadata  # slow to import

    try:
        return metadata.version("baker")
    except metadata.PackageNotFoundError:
        return "(not installed)"
