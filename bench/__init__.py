"""Measurements, and attacks with damaged and hostile input; not part of the installed package.

Measurements of internals import internal modules of dipsat; programs should import only `dipsat`
and its public modules.
"""
