/** Tokens per position, as they are shown now. */
export class ShownSizes {
  /** What is shown of each; 0 where something hides it. */
  readonly shown: number[] = [];
  /** As each is shown where nothing hides it. */
  readonly #own: number[] = [];
  readonly #hidden: boolean[] = [];
  /** Where the hidden stretch begins that a position is in. */
  readonly #hiddenFrom: number[] = [];
  /** What is shown there instead of a hidden stretch that begins at it. */
  readonly #instead: number[] = [];
  total = 0;

  get length(): number {
    return this.shown.length;
  }

  add(tokens: number): void {
    this.shown.push(tokens);
    this.#own.push(tokens);
    this.#hidden.push(false);
    this.#hiddenFrom.push(this.#hiddenFrom.length);
    this.#instead.push(0);
    this.total += tokens;
  }

  /** Where the newest so many tokens begin. */
  startOfTail(tokens: number): number {
    let behind = 0;
    let position = this.length;
    while (position > 0 && behind < tokens) behind += this.shown[--position] ?? 0;
    return position;
  }

  shownBetween(from: number, to: number): number {
    let tokens = 0;
    for (let position = from; position < to; position++) tokens += this.shown[position] ?? 0;
    return tokens;
  }

  isHidden(position: number): boolean {
    return this.#hidden[position] === true;
  }

  /** Would a border here go through a hidden stretch? */
  isInside(position: number): boolean {
    return this.isHidden(position) && (this.#hiddenFrom[position] ?? position) < position;
  }

  /** Something at this position takes so many tokens more, or fewer. */
  change(position: number, by: number): void {
    this.#own[position] = (this.#own[position] ?? 0) + by;
    this.#update(position);
  }

  /** A stretch gives way to a text of so many tokens. */
  hide(from: number, to: number, tokens: number): void {
    for (let position = from; position < Math.min(to, this.length); position++) {
      this.#hidden[position] = true;
      this.#hiddenFrom[position] = from;
      this.#instead[position] = position === from ? tokens : 0;
      this.#update(position);
    }
  }

  /** Only these are shown: somebody else hides the rest, and what they show instead is theirs. */
  showOnly(positions: ReadonlySet<number>): void {
    for (let position = 0; position < this.length; position++) {
      this.#hidden[position] = !positions.has(position);
      // Taken back: what was shown instead is gone too.
      if (positions.has(position)) {
        this.#hiddenFrom[position] = position;
        this.#instead[position] = 0;
      }
      this.#update(position);
    }
  }

  #update(position: number): void {
    const now = (this.#hidden[position] === true ? 0 : (this.#own[position] ?? 0)) + (this.#instead[position] ?? 0);
    this.total += now - (this.shown[position] ?? 0);
    this.shown[position] = now;
  }
}
