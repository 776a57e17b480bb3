import type { BranchRef, Store } from "../../../src/store/store.ts";
import { chain } from "./commits.ts";

export const SHARED_BRANCH: BranchRef = { thread: "t", branch: "main" };

/** Adds a commit, and a note about it, after the current head, as a history does: if another one was faster, after that one. Returns its hash. */
export async function appendNext(store: Store, ref: BranchRef, text: string): Promise<string> {
  let parent = (await store.head(ref))?.hash ?? null;
  for (;;) {
    const commits = chain(parent, { text, role: "tool", name: "bash", callId: text, search: [text.replaceAll(" ", "")] });
    const hash = commits.map((commit) => commit.hash).join();
    const answer = await store.append(ref, parent, commits, [{ thread: ref.thread, kind: "appended", key: hash, at: 1, value: text }]);
    if (answer.appended) return hash;
    parent = answer.head.hash;
  }
}
