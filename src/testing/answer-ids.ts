import { createHash, randomBytes } from "node:crypto";

/** Where the ids of answers come from. */
export interface AnswerIds {
  /** The ids that follow are those of the answer to this request. */
  readonly answerTo: (raw: Uint8Array) => void;
  readonly newId: (prefix: string) => string;
}

/** What an id looks like with its prefix: 01, 8 hex digits, and 8 digits that count. */
function idOf(prefix: string, own: string, number: number): string {
  return `${prefix}01${own}${String(number).padStart(8, "0")}`;
}

/** Ids of two doubles differ, so that a session can go on with another one. */
export function createUniqueIds(): AnswerIds {
  const own = randomBytes(4).toString("hex");
  let given = 0;
  return { answerTo: () => undefined, newId: (prefix) => idOf(prefix, own, (given += 1)) };
}

/** The same request gets the same ids, from every double. */
export function createRepeatedIds(): AnswerIds {
  let own = "00000000";
  let given = 0;
  return {
    answerTo: (raw) => {
      own = createHash("sha256").update(raw).digest("hex").slice(0, 8);
      given = 0;
    },
    newId: (prefix) => idOf(prefix, own, (given += 1)),
  };
}
