"""Measurements, and attacks by damaged and hostile input; no part of the installed package.

Measurements of inner parts import inner modules of dipsat. Programs import `dipsat`,
its public modules alone.
"""
