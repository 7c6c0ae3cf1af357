from dipsat.compat.stand_in import install as install

__all__: list[str]
