"""Check certificates of stalemate lines: `python check_lines.py BORDERS.json LINES.json`.

Needs Python and nothing else. It believes the borders, and of a certificate only which units stand
where, their orders and the covers. The rest it works out again, and refuses what differs.

Why that is enough. A unit that stays is dislodged only if 1 + the attack's supports is more than
1 + its own supports that nobody cuts. Each enemy that can move to it adds at most one: it attacks,
supports the attack, or cuts a support. Other enemies can only cut supports; each cuts one, and each
support is cut once. Let the cover be supporters and provinces, one of which is in every such cut:
then these enemies cut no more supports than the cover has members. So the unit holds if those who
can move to it and the cover are together at most its supports + 1, or if the enemy has at most so
many units. A convoyed army adds nothing: its last fleet is beside its target. The region is safe if
no enemy can move into it.

A sortie takes a unit from y to a province q outside in every phase, and back when it got in.
Enemies enter y from q alone, and no other sortie goes to q. While the unit is in q, no enemy is, so
nobody can go to y, and the unit comes back. While it is in y, one enemy at most goes there, and
nobody can support it: from q it bounces with the unit, and an army that a fleet in q convoys
bounces, too, unless the unit gets in and the convoy ends. Who is dislodged from q by the unit
cannot retreat to y. And since the unit attacks q, an enemy in q supports no attack on others: it
leads one, or cuts a support. So it counts with the other enemies: of every move to the unit itself
or to a supporter, except from attackers that no sortie meets, the cover has the target or the
origin. Under the rules of 1971 and 1982, where an enemy's convoy may take an army along, no
sortie is proven.
"""

import json
import sys
from pathlib import Path


def why_not(line, board):
    """Why a certificate does not prove that its line holds; "" if it does."""
    try:
        own = {province(unit[2:]): unit for unit in line["units"]}
        supporters = {where: set() for where in own}
        for check in (wrong_places, wrong_orders, wrong_limits, wrong_sorties, wrong_defence):
            for fault in check(line, board, own, supporters):
                return fault
        return ""
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        return f"it is not written as a certificate: {error!r}"


def wrong_places(line, board, own, _):
    """What is wrong with the map, the units, the region and the centres."""
    region, held = set(line["region"]), set(board["centres"]) & {*line["region"], *own}
    if line["map"] != board["map"] or len(own) != len(line["units"]):
        yield "it is about another map, or two of its units share a province"
    for unit in line["units"]:
        if unit[1] != " " or unit[2:] not in reach(board)[unit[0]]:
            yield f"{unit} cannot stand there"
    if len(region) != len(line["region"]) or region & own.keys() or region - board["kind"].keys():
        yield "its region has a province twice, one of a unit, or one that the board lacks"
    if sorted(line["centres"]) != sorted(held):
        yield f"it holds these centres and no others: {' '.join(sorted(held))}"


def wrong_orders(line, board, own, supporters):
    """What is wrong with the orders. Notes who supports whom."""
    sorties = line.get("sorties", {})
    staying = [unit for where, unit in own.items() if where not in sorties]
    for unit, order in zip(line["units"], line["orders"], strict=True):
        goal = sorties.get(province(unit[2:]))
        plain = f"{unit} H" if goal is None else f"{unit} - {goal}"
        aim = order.removeprefix(f"{unit} S ")
        if order != plain and (goal is not None or aim in (order, unit) or aim not in staying):
            yield f"{order}: {unit} should make its sortie, hold, or support another that stays"
        elif order != plain:
            if province(aim[2:]) not in map(province, reach(board)[unit[0]][unit[2:]]):
                yield f"{order}: {unit} cannot go there"
            supporters[province(aim[2:])].add(province(unit[2:]))


def wrong_limits(line, board, *_):
    """What is wrong with the limits of the enemy."""
    enemy = line["enemy"]
    if enemy["units"] is not None and (type(enemy["units"]) is not int or enemy["units"] < 0):
        yield "the number of enemy units is not a number"
    if {*enemy["fleets_not_in"], *enemy["armies_not_in"]} - board["kind"].keys():
        yield "the enemy's limits name a province that the board lacks"


def wrong_sorties(line, board, own, _):
    """What is wrong with the moves out of the line."""
    goals = line.get("sorties", {})
    beside, closed = enemies_beside(line, board, own), {*own, *line["region"]}
    for where, goal in goals.items():
        unit, target = own[where], province(goal)
        ways = reach(board)[unit[0]]
        if goal not in ways[unit[2:]] or unit[2:] not in ways[goal] or target in closed:
            yield f"{unit} cannot go out to {goal} and come back"
        if others := beside[where] - {target}:
            yield f"{unit} goes to {target}, but an enemy can enter {where} from {min(others)}"
    if len(set(map(province, goals.values()))) < len(goals):
        yield "two of its units go to one province"


def wrong_defence(line, board, own, supporters):
    """Who can enter the region, or dislodge a unit, and what is wrong with how that is said."""
    most, sorties = line["enemy"]["units"], line.get("sorties", {})
    beside, met = enemies_beside(line, board, own), set(map(province, sorties.values()))
    for where in line["region"]:
        if beside[where]:
            yield f"an enemy can enter {where} from {min(beside[where])}"
    if line["defence"].keys() != own.keys() - sorties.keys():
        yield "it does not say of each unit that stays, and of nothing else, how it is defended"
    for where in line["defence"]:
        unit, free = own[where], beside[where] - met
        said = {key: set(names) for key, names in line["defence"][where].items()}
        if said["attackers"] != beside[where] or said["supporters"] != supporters[where]:
            yield f"{unit} has other attackers or supporters than it says"
        for one in sorted({where, *supporters[where]} - said["cover"]):
            if others := beside[one] - free - said["cover"]:
                yield f"{unit}: its cover misses the move from {min(others)} to {one}"
        against = len(free) + len(said["cover"])
        against = against if most is None else min(against, most)
        if against > len(supporters[where]) + 1:
            yield f"{unit} can be dislodged: {against} against {len(supporters[where]) + 1}"


def enemies_beside(line, board, own):
    """Province -> the provinces from which an enemy could move to it."""
    enemy, beside = line["enemy"], {where: set() for where in board["kind"]}
    for kind, banned in (("A", "armies_not_in"), ("F", "fleets_not_in")):
        for location, reached in reach(board)[kind].items():
            if province(location) not in {*own, *line["region"], *enemy[banned]}:
                for target in reached if enemy["units"] != 0 else ():
                    beside[province(target)].add(province(location))
    return beside


def reach(board):
    """Kind of unit -> location -> the locations that it can go to."""
    return {"A": board["army"], "F": board["fleet"]}


def province(location):
    """The province of a location such as SPA/SC."""
    return location.partition("/")[0]


def proven(line):
    """What the certificate of a line that holds proves."""
    enemy, where = line["enemy"], {"fleets_not_in": "no fleets in", "armies_not_in": "no armies in"}
    limits = [] if enemy["units"] is None else [f"at most {counted(enemy['units'], 'unit')}"]
    limits += [
        f"{words} {', '.join(sorted(enemy[key]))}" for key, words in where.items() if enemy[key]
    ]
    provided = f" if the enemy has {' and '.join(limits)}" if limits else ""
    out = f", {len(line['sorties'])} of which make sorties" if line.get("sorties") else ""
    units, centres = counted(len(line["units"]), "unit"), counted(len(line["centres"]), "centre")
    return f"holds ({units}{out}, {centres}){provided}"


def counted(number, what):
    """A number of things in words."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def once(pairs):
    """An object of JSON whose keys are all different: else people might read another value."""
    if len(found := dict(pairs)) != len(pairs):
        raise ValueError("it has a key twice")
    return found


def main(*files):
    """Say of each line whether it holds. The exit status is 1 if one does not."""
    read = []
    for file in files:
        try:
            read.append(json.loads(Path(file).read_text("utf-8"), object_pairs_hook=once))
        except (OSError, RecursionError, ValueError) as error:
            return f"{file} cannot be read: {error}"
    if len(read) != 2 or not isinstance(read[1], list):
        return "name a file of borders and a file with a list of certificates"
    if not read[1]:
        return f"{files[1]} lists no certificates"
    board, lines = read
    faults = [why_not(line, board) for line in lines]
    for number, (line, fault) in enumerate(zip(lines, faults, strict=True), 1):
        text = f"REFUSED, {fault}" if fault else proven(line)
        print(f"line {number}: {text.encode('unicode_escape').decode()}")
    return any(faults)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
