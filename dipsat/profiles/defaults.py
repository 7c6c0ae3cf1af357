"""The profile that counts where none is named. Loading nothing else keeps the start quick."""

DEFAULT_RULES = "datc"
"""The profile that is used where none is named."""
