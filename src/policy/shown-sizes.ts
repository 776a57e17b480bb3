/** The current tokens of each position in the view. */
export class ShownSizes {
  /** The tokens shown at each position; 0 if it is hidden. */
  readonly shown: number[] = [];
  /** The tokens of each position if nothing hid it. */
  readonly #own: number[] = [];
  readonly #hidden: boolean[] = [];
  /** The start of the hidden stretch that a position is in. */
  readonly #hiddenFrom: number[] = [];
  /** The tokens of the text that replaces a hidden stretch, at its start. */
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

  /** Returns where the newest `tokens` tokens begin. */
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

  /** Returns whether a border here would divide a hidden stretch. */
  isInside(position: number): boolean {
    return this.isHidden(position) && (this.#hiddenFrom[position] ?? position) < position;
  }

  /** Changes the tokens of a position by this many. */
  change(position: number, by: number): void {
    this.#own[position] = (this.#own[position] ?? 0) + by;
    this.#update(position);
  }

  /** Hides a stretch behind a text of `tokens` tokens. */
  hide(from: number, to: number, tokens: number): void {
    for (let position = from; position < Math.min(to, this.length); position++) {
      this.#hidden[position] = true;
      this.#hiddenFrom[position] = from;
      this.#instead[position] = position === from ? tokens : 0;
      this.#update(position);
    }
  }

  /** Hides everything but these positions: another policy hides the rest, and accounts for what it shows instead. */
  showOnly(positions: ReadonlySet<number>): void {
    for (let position = 0; position < this.length; position++) {
      this.#hidden[position] = !positions.has(position);
      // Shown again, so the text that replaced it is gone.
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
