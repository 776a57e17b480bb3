import type { BranchRef, Store } from "../../../src/store/store.ts";
import { chain } from "./commits.ts";

export const SHARED_BRANCH: BranchRef = { thread: "t", branch: "main" };

/** Adds a commit behind whatever is the head, as a history does: if another one was faster, behind that. Gives its hash. */
export async function appendNext(store: Store, ref: BranchRef, text: string): Promise<string> {
  let parent = (await store.head(ref))?.hash ?? null;
  for (;;) {
    const commits = chain(parent, { text, role: "tool", name: "bash", callId: text, search: [text.replaceAll(" ", "")] });
    const answer = await store.append(ref, parent, commits);
    if (answer.appended) return commits.map(({ hash }) => hash).join();
    parent = answer.head.hash;
  }
}
