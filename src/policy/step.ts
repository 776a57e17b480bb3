/** What is known about a call of the model, beside the log. Recorded, so that the same steps lead to the same edits again. */
export interface Step {
  /** The length of the log at this call. */
  readonly upTo: number;
  readonly model: string;
  /** The hash of system prompt and tools. */
  readonly headHash: string;
  readonly atMs?: number;
  /** Nothing is cached, even if little time has passed. */
  readonly isCold?: boolean;
}

/** A call about which nothing is known. */
export const UNKNOWN_STEP: Omit<Step, "upTo"> = { model: "", headHash: "" };
