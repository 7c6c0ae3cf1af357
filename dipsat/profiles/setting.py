"""Settings and options that are chosen for a profile without a file of one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dipsat.errors import CompositionError, SettingError, nearest_names
from dipsat.game.settings import setting_values
from dipsat.profiles.names import shipped_names, short_name
from dipsat.profiles.profile import Profile


def settings_in(name: str) -> tuple[list[str], dict[str, str]]:
    """The profiles in a name with `+` between its parts, and the settings among them
    (`suez_canal=off`), which stand behind the profiles.

    Raises `CompositionError` for a setting that stands before a profile, or a name that is missing.
    """
    profiles: list[str] = []
    chosen: dict[str, str] = {}
    parts = [part.strip() for part in name.split("+")]
    if "" in parts:
        raise CompositionError(name, _missing(parts))
    for part in parts:
        key, sign, value = part.partition("=")
        if not sign or part.endswith((".yaml", ".yml")):
            if chosen:
                raise CompositionError(name, f"{part} stands behind a setting; name it before")
            profiles.append(part)
        else:
            chosen[key.strip()] = value.strip()
    if not profiles:
        raise CompositionError(name, "there are settings, but no profile before them")
    return profiles, chosen


def _missing(parts: Sequence[str]) -> str:
    """What to say of parts between `+` of which one is empty."""
    at = parts.index("")
    place = "between two +" if 0 < at < len(parts) - 1 else "after the +" if at else "before the +"
    known = shipped_names()
    examples = []
    for what, folder in (("choice", "choices"), ("variant", "variants"), ("judge", "judges")):
        of_folder = [name for name in known if name.startswith(f"{folder}/")]
        if of_folder:
            examples.append(f"a {what} ({short_name(of_folder[0], known)})")
    key, values = next(iter(setting_values().items()))
    examples += ["a file (mine.yaml)", f"or a setting ({key}={values[-1]})"]
    return f"a name is missing {place}; it could be {', '.join(examples)}"


def check_settings(profile: Profile, chosen: Mapping[str, str]) -> None:
    """Raise `SettingError` for a setting that the profile does not know, or a value that is none
    of its values."""
    options = profile.declared.options
    known = {**options, **setting_values()}
    for name, value in chosen.items():
        if name not in known:
            close = nearest_names(name, known, 1)
            own = f"options of {profile.name}: {', '.join(options) or 'none'}"
            hint = f"did you mean {close[0]!r}?" if close else own
            raise SettingError(name, f"there is no such setting; {hint}")
        if value not in known[name]:
            values = ", ".join(known[name])
            raise SettingError(name, f"{value!r} is not one of its values; choose from {values}")
