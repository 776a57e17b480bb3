/** A failure that the person at the terminal can do something about; `wayOut` says what. Shown as one line. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly wayOut: string;

  constructor(message: string, wayOut: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.wayOut = wayOut;
  }
}
