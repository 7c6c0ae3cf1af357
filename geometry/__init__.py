"""Builds the pictures that dipsat ships.

All but one come from the borders of their maps alone (`layouts`). The standard board is drawn from
the outlines of today's countries:

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    python -m geometry.build package/countries-50m.json

writes `rules/pictures/standard.json`. The outlines are Natural Earth's (naturalearthdata.com,
public domain) in the form of the npm package world-atlas (ISC licence). What is not theirs is
written here: the projection (`projection`), the borders of 1901 where today's countries are cut
(`land`), the borders of seas (`seas`), and the few places where the board differs from nature
(`changes`).

It needs numpy and shapely (`pip install 'dipsat[pictures-build]'`); dipsat itself does not. After a
change, `python -m tools.docs_pictures` draws the docs' pictures anew.
"""
