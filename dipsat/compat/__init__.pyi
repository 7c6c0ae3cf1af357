from dipsat.compat.installation import install as install

__all__: list[str]
