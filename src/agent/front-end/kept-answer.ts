/** An answer that the provider keeps, and what it keeps with it. */
export interface KeptAnswer {
  /** By which the client knows it: of an answer that took several rounds, the id of any of them. */
  readonly id: string;
  /** Of the last round, which has all before it. */
  readonly lastId: string;
  /** How many messages of the client's there were, the answer included. */
  readonly length: number;
  /** How much of the log the provider has. */
  readonly upTo: number;
}

/** The kind of the note that a store has of each. */
export const KEPT_ANSWER = "response";

export function keptAnswerKey(owner: string, id: string): string {
  return `${owner}/${id}`;
}
