"""Random boards, measurements and generated pages; nothing here is part of the installed package.

Measurements of inner parts import inner modules of dipsat. Programs import `dipsat`,
its public modules alone.
"""
