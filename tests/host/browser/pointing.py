"""Gestures on the map as hands make them: presses of the mouse at points of the screen, and keys."""

from __future__ import annotations

from playwright.sync_api import Page, expect

POINT = """(place) => {
  const shape = document.querySelector(`#sheet [data-province="${CSS.escape(place)}"]`);
  const box = shape.getBoundingClientRect(), fine = 24;
  for (let i = 1; i < fine; i++) for (let j = 1; j < fine; j++) {
    const x = box.left + box.width * ((i * 7) % fine) / fine, y = box.top + box.height * ((j * 11) % fine) / fine;
    const hit = document.elementFromPoint(x, y);
    if (hit?.closest("[data-province]") === shape && !hit.closest("[data-unit]")) return [x, y];
  }
  return null;
}"""
MIDDLE = """(number) => {
  const box = document.querySelector(`#sheet [data-unit="${number}"]`)?.getBoundingClientRect();
  return box && [box.left + box.width / 2, box.top + box.height / 2];
}"""
"""A point of the screen where nothing but the province is hit."""


def at_unit(page: Page, number: int) -> tuple[float, float]:
    """The middle of a unit's sign."""
    found = page.evaluate(MIDDLE, number)
    assert found, number
    return found[0], found[1]


def at_place(page: Page, place: str) -> tuple[float, float]:
    """A point in a province, beside what is drawn there."""
    found = page.evaluate(POINT, place)
    assert found, place
    return found[0], found[1]


def point(page: Page, target: int | str) -> None:
    """Click a unit, by its number, or a province."""
    x, y = at_unit(page, target) if isinstance(target, int) else at_place(page, target)
    page.mouse.click(x, y)


def drag(page: Page, unit: int, target: int | str) -> None:
    """Drag a unit to a province or to another unit."""
    page.mouse.move(*at_unit(page, unit))
    page.mouse.down()
    x, y = at_unit(page, target) if isinstance(target, int) else at_place(page, target)
    page.mouse.move(x, y, steps=4)
    expect(page.locator("#dragged")).to_be_attached()
    page.mouse.up()


def answer(page: Page, words: str) -> None:
    """Say which of several things was meant."""
    page.locator("#guide .options").get_by_role("button", name=words, exact=True).click()


def numbers(page: Page) -> dict[str, int]:
    """The units in the guide by name, with the numbers of their signs."""
    found = page.locator("#guide button.unit[data-unit]").evaluate_all(
        "(all) => all.map((one) => [one.querySelector('.name')?.textContent ?? '', Number(one.dataset.unit)])"
    )
    return {name: number for name, number in found if name}


def gesture(page: Page, *steps: int | str) -> None:
    """One order: a number is a click on that unit, `@` and a code one on a province, `2x` and a number a double click.

    Any other words are the answer to a question.
    """
    for step in steps:
        if isinstance(step, int):
            point(page, step)
        elif step.startswith("@"):
            point(page, step[1:])
        elif step.startswith("2x"):
            page.mouse.dblclick(*at_unit(page, int(step[2:])))
        else:
            answer(page, step)
