"""Builds the pictures that dipsat ships.

Most come from the borders of their maps alone (`layouts`). The maps of `geometry/maps` are drawn
from the outlines of today's countries:

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    python -m geometry.build package/countries-50m.json

writes the pictures of these maps, or only of the maps named. The outlines are Natural Earth's
(naturalearthdata.com, public domain) in the form of the npm package world-atlas (ISC licence). Each
map has a file with the rest (`source` explains its keys): the projection, points in each province,
the borders that should not run half way between these, and where the board differs from nature.

It needs numpy and shapely (`pip install 'dipsat[pictures-build]'`); dipsat itself does not. After a
change, `python -m tools.docs_pictures` redraws the pictures of the docs.
"""
