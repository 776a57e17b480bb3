import { hash64 } from "../edits/edit-id.ts";

const ID_LENGTH = 6;

/** Returns six characters of `[a-z0-9]` that follow from the conversation's id and the place in its log: the same in every process, and after a restart. */
export function derivedCheckpointId(conversation: string, position: number, taken: ReadonlySet<string>): string {
  for (let salt = 0; ; salt++) {
    const id = BigInt(`0x${hash64(conversation, `checkpoint ${position} ${salt}`)}`)
      .toString(36)
      .slice(-ID_LENGTH)
      .padStart(ID_LENGTH, "0");
    if (!taken.has(id)) return id;
  }
}
