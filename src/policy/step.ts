/** A call of the model: what is known of it beside the log. Recorded, so that the same steps give the same edits again. */
export interface Step {
  /** The length of the log that it is made with. */
  readonly upTo: number;
  readonly model: string;
  readonly headHash: string;
  readonly atMs?: number;
  /** Nothing is cached, whatever the clock says. */
  readonly isCold?: boolean;
}

/** One of which nothing is known but that it was made. */
export const UNKNOWN_STEP: Omit<Step, "upTo"> = { model: "", headHash: "" };
