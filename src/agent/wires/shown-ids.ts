/** Maps ids of several answers to those that the client sees: unchanged, unless a provider repeats them in every answer. */
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

  /** Another answer follows. */
  continue(): void {
    this.#ofAnswer = new Map();
  }
}
