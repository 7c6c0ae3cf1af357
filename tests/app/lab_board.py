"""The board of the rule lab as a reader uses it: with a mouse, a finger, and its small menu."""

from __future__ import annotations

from typing import Any

_MIDDLE = """
const [code] = arguments;
const path = document.querySelector(`#picture path[data-province="${code}"]`);
const box = path.getBBox(), matrix = path.getScreenCTM(), count = 20;
const at = (i, j) => new DOMPoint(box.x + box.width * i / count, box.y + box.height * j / count);
const ends = [];
const inside = [];
for (let i = 0; i <= count; i++) for (let j = 0; j <= count; j++) {
  (path.isPointInFill(at(i, j)) ? inside : ends).push([i, j]);
}
const room = ([i, j]) => Math.min(...ends.map(([k, l]) => Math.hypot(i - k, j - l)));
const best = inside.reduce((one, two) => (room(two) > room(one) ? two : one));
const { x, y } = at(...best).matrixTransform(matrix);
return [Math.round(x), Math.round(y)];
"""
"""The point in a province that is farthest from its edges, in pixels of the window."""


class Board:
    """The board of a page."""

    def __init__(self, lab: Any) -> None:
        self.lab = lab
        lab.run("window.scrollTo(0, 0); document.getElementById('whole-map').click()")

    def unit(self, unit: str, power: str = "") -> Any:
        """The unit's element; after a battle, two units of one name may be in a province."""
        owned = f'[data-power="{power}"]' if power else ""
        return self.lab.browser.find_element(
            "css selector", f'#picture [data-unit="{unit}"]{owned}.unit'
        )

    def drag(self, unit: str, province: str, key: str = "", power: str = "") -> None:
        """Drag a unit to a province while a key is held."""
        from selenium.webdriver import ActionChains

        actions: Any = ActionChains(self.lab.browser)
        if key:
            actions.key_down(key)
        actions.click_and_hold(self.unit(unit, power))
        pointer: Any = actions.w3c_actions.pointer_action
        pointer.move_to_location(*self.lab.run(_MIDDLE, province))
        actions.release()
        if key:
            actions.key_up(key)
        actions.perform()

    def click(self, place: str, power: str = "") -> None:
        """Click on a unit (`A VEN`) or a province (`VEN`)."""
        from selenium.webdriver import ActionChains

        actions: Any = ActionChains(self.lab.browser)
        if " " in place:
            actions.click(self.unit(place, power))
        else:
            pointer: Any = actions.w3c_actions.pointer_action
            pointer.move_to_location(*self.lab.run(_MIDDLE, place))
            pointer.click()
        actions.perform()
        self.lab.appears("#menu *")

    def tap(self, province: str) -> None:
        """Put a finger on a province and lift it."""
        x, y = self.lab.run(_MIDDLE, province)
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            self.lab.command("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def choose(self, order: str, name: str = "legal") -> None:
        """Take an order from the list in the menu, or something else from another list."""
        from selenium.webdriver.support.ui import Select

        Select(self.lab.browser.find_element("id", name)).select_by_visible_text(order)

    def press(self, name: str) -> None:
        """Press the button with this text in the menu."""
        self.lab.wait(_BUTTON, name)
        self.lab.run(f"({_BUTTON}).click()", name)

    def remove(self, unit: str) -> None:
        """Remove a unit, and wait until its order is gone."""
        self.click(unit)
        self.press("Remove")
        self.lab.vanishes(f"#verdicts [data-unit='{unit}']")
        self.lab.rest()

    def offers(self) -> list[str]:
        """The texts of the menu's buttons and orders."""
        found = "document.querySelectorAll('#menu button, #menu option')"
        return list(self.lab.run(f"return Array.from({found}, (one) => one.textContent)"))

    def wait_for_order(self, order: str) -> None:
        """Wait until the text has an order and the table has its result."""
        self.lab.appears("#orders-text .cm-content", order)
        listed = "Array.from(document.querySelectorAll('#verdicts .order'))"
        self.lab.wait(f"{listed}.some((one) => one.textContent === arguments[0])", order)
        self.lab.settle()


_BUTTON = """Array.from(document.querySelectorAll('#menu button'))
.find((one) => one.textContent === arguments[0])"""
