/** The ids under which the client sees the pieces of several answers: as they are, but for providers that give the same ones in every answer. */
export class ShownIds {
  readonly #taken = new Set<string>();
  #ofAnswer = new Map<string, string>();

  show(id: string): string {
    const known = this.#ofAnswer.get(id);
    if (known !== undefined) return known;
    let shown = id;
    for (let number = 2; this.#taken.has(shown); number++) shown = `${id}_${number}`;
    this.#taken.add(shown);
    this.#ofAnswer.set(id, shown);
    return shown;
  }

  /** A further answer follows. */
  continue(): void {
    this.#ofAnswer = new Map();
  }
}
