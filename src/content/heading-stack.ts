import { MOST_HEADINGS, NO_HEADING } from "./unit.ts";

/** The headings around a line, by how deep they lie: an indent, or the level of a section. */
export class HeadingStack {
  readonly #levels: number[] = [];
  readonly #units: number[] = [];

  /** The nearest heading above this level; those at it or below it are over. */
  enter(level: number): number {
    while ((this.#levels.at(-1) ?? -1) >= level) {
      this.#levels.pop();
      this.#units.pop();
    }
    return this.#units.at(-1) ?? NO_HEADING;
  }

  /** From now on this unit is the heading of what lies deeper. */
  push(level: number, unit: number): void {
    // One less than the most, because the pieces of a long line have one more.
    if (this.#levels.length >= MOST_HEADINGS - 1) return;
    this.#levels.push(level);
    this.#units.push(unit);
  }
}
