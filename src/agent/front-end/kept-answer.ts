/** An answer that the provider keeps, with the messages before it. */
export interface KeptAnswer {
  /** The id that the client may use: of an answer that took several rounds, the id of any of them. */
  readonly id: string;
  /** The id of the last round, which includes the rounds before it. */
  readonly lastId: string;
  /** How many messages the client had by then, including the answer. */
  readonly length: number;
  /** How much of the log the provider has. */
  readonly upTo: number;
}

/** The kind of the note that stores one. */
export const KEPT_ANSWER = "response";

export function keptAnswerKey(owner: string, id: string): string {
  return `${owner}/${id}`;
}
